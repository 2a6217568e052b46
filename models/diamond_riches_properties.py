"""What holds in every Play of Diamond Riches.

Each claim compares what the game shows with what a bystander counted, or one state with the
next, in terms of the document, not of the rules' code. Lemmas come first: they are proved like
all the rest and only help.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import cast

from .algebra import (
    Bool,
    Int,
    Value,
    all_of,
    any_of,
    count_of,
    equal,
    implies,
    maximum,
    minimum,
    negate,
    same,
    total,
)
from .algebra import pick as chosen
from .algebra import where as given
from .diamond_riches import (
    BONUS,
    BONUSES,
    DOUBLE_SPINS,
    MAIN,
    MAX_PRIZES,
    MULTI_FILL,
    MYSTERY_FILL,
    NO_ICON,
    OVER,
    PRIZE,
    RULES,
    UPGRADE_MULTIPLIER,
    UPGRADE_PRIZES,
    Grid,
    Mystery,
    Pick,
    Riches,
    Spin,
    State,
    Tally,
    activate_prize_game,
    can_win,
    diamonds_awaited,
    double_spins,
    extra_diamonds,
    finish,
    icon_won,
    ladder_amount,
    leave_bonus_game,
    max_prizes,
    multi_fill,
    mystery_fill,
    next_bonus_game,
    open_bonus_game,
    open_prize_game,
    pick,
    prize_game_icons,
    prize_spin,
    section_diamonds,
    spin,
    upgrade_multiplier,
    upgrade_prizes,
)
from .diamond_riches_drawing import DRAWING
from .diamond_riches_screen import VIEWS
from .setting import Choice
from .shape import shape_of
from .system import Limit, Point, Step, general, invariant, lemma, step_property, witness

At = Point[State, Tally]

MAIN_GAME = (
    "spins_left", "extra_spins", "ladders", "filled_at", "level", "multiplier_upgraded",
    "multi_fill", "bonus_meters", "bonus_owed",
)  # fmt: skip
"""The parts of the state that belong to the Main Game."""

EVERYTHING = (
    *MAIN_GAME, "prize_meter", "prize_owed", "prize_played", "prize_won", "ladders_paid",
    "paid",
)  # fmt: skip
"""All that a bonus could change."""


def unchanged(before: State, after: State, names: Iterable[str]) -> Bool:
    """Return whether these parts of the state are as they were."""
    return all_of(_equal(getattr(before, name), getattr(after, name)) for name in names)


def _equal(a: object, b: object) -> Bool:
    if isinstance(a, tuple) and isinstance(b, tuple):
        return all_of(_equal(x, y) for x, y in zip(a, b, strict=True))
    return equal(cast("Value", a), cast("Value", b))


def boxes_reached(p: Riches, before: Iterable[Int], after: Iterable[Int]) -> Int:
    """Return how many Extra Spin Boxes lie above the first counts and not above the second."""
    return count_of(
        all_of(had < box, box <= has)
        for had, has, box in zip(before, after, p.extra_spin_box, strict=True)
    )


def unlocked(at: At) -> Int:
    """Return how many Prize Games have been unlocked, played or still owed."""
    return at.t.prize_games + at.s.prize_owed


# Lemmas: what the screen shows is what was seen


@invariant("meters-in-range", ("DR-10", "DR-13", "DR-16", "DR-20"))
def meters_in_range(p: Riches, s: State, t: Tally) -> Bool:
    """Every counter is in its range, and a counter of a game counts only in that game."""
    playing = s.phase == BONUS
    return all_of(
        shape_of(State, p).within_limits(s),
        (held < p.bonus_pips for held in s.bonus_meters),
        any_of(
            s.prize_meter < p.prize_pips,
            all_of(p.prize_meter_after.is_("stays-full"), s.prize_owed + s.prize_played > 0),
        ),
        same(playing, s.playing > 0),
        implies(s.picks_left > 0, playing),
        (implies(pair, playing) for pair in s.pairs),
        same(s.phase == PRIZE, s.prize_spins > 0),
        implies(s.phase == PRIZE, s.prize_played > 0),
    )


@lemma("diamonds-on-ladders", ("DR-13",), using=("meters-in-range",))
def diamonds_on_ladders(p: Riches, s: State, t: Tally) -> Bool:
    """A ladder holds the diamonds seen of its colour, up to its size."""
    return all_of(
        any_of(filled == seen, all_of(filled == p.ladder_size, seen > p.ladder_size))
        for filled, seen in zip(s.ladders, t.diamonds, strict=True)
    )


@lemma("upgrades-as-seen", ("DR-34", "DR-35"), using=("meters-in-range",))
def upgrades_as_seen(p: Riches, s: State, t: Tally) -> Bool:
    """The level and the multiplier wheel are what the bonuses taken make them."""
    return all_of(
        s.level == t.upgrades,
        t.multiplier_upgrades >= 0,
        same(s.multiplier_upgraded, t.multiplier_upgrades > 0),
    )


@lemma("won-at-level", ("DR-13",), using=("diamonds-on-ladders", "upgrades-as-seen"))
def won_at_level(p: Riches, s: State, t: Tally) -> Bool:
    """The level at which a full ladder was completed is kept."""
    return all_of(
        implies(seen >= p.ladder_size, kept == noted)
        for seen, kept, noted in zip(t.diamonds, s.filled_at, t.won_at, strict=True)
    )


@lemma("prize-games-as-seen", ("DR-40", "DR-42"), using=("meters-in-range",))
def prize_games_as_seen(p: Riches, s: State, t: Tally) -> Bool:
    """Prize Games begun, and the spins of this one, are what was seen; once means once."""
    return all_of(
        s.prize_played == t.prize_games,
        implies(s.phase == PRIZE, s.prize_spins == t.prize_spins),
        implies(p.prize_game_repeat.is_("once"), s.prize_played + s.prize_owed <= 1),
    )


@lemma("pots-as-seen", ("DR-41",), using=("meters-in-range",))
def pots_as_seen(p: Riches, s: State, t: Tally) -> Bool:
    """Prize Pots are the amounts seen: this one, and all together."""
    now = s.phase == PRIZE
    return all_of(
        implies(now, s.prize_pot == t.prize_pot),
        implies(negate(now), s.prize_pot == 0),
        t.prize_won == s.prize_won + s.prize_pot,
    )


@lemma("bonus-pips-as-seen", ("DR-17", "DR-18"), using=("meters-in-range",))
def bonus_pips_as_seen(p: Riches, s: State, t: Tally) -> Bool:
    """Over the Play: pips collected = 5 for each play begun or owed + pips in the meter."""
    return all_of(
        seen == p.bonus_pips * (begun + owed) + held
        for seen, begun, owed, held in zip(
            t.pips, t.opened, s.bonus_owed, s.bonus_meters, strict=True
        )
    )


@lemma("prize-pips-as-seen", ("DR-17",), using=("meters-in-range", "prize-games-as-seen"))
def prize_pips_as_seen(p: Riches, s: State, t: Tally) -> Bool:
    """Over the Play: each Prize Game took 7 pips; where all are carried, none is lost."""
    taken = p.prize_pips * (t.prize_games + s.prize_owed)
    full = s.prize_meter >= p.prize_pips
    each = all_of(p.prize_game_repeat.is_("each-time"), p.prize_surplus.is_("carried"))
    return all_of(
        t.prize_pips >= taken,
        implies(negate(full), t.prize_pips >= taken + s.prize_meter),
        implies(each, t.prize_pips == taken + s.prize_meter),
    )


@lemma("icons-in-order", ("DR-20",), using=("meters-in-range",))
def icons_in_order(p: Riches, s: State, t: Tally) -> Bool:
    """Icons that are not picked yet are not shown, nor do they win; between games none is."""
    picked = s.icons[len(p.actives) :]
    return all_of(
        implies(s.phase != BONUS, all_of(icon == NO_ICON for icon in s.icons)),
        (
            implies(s.picks_left >= p.picks - number, icon == NO_ICON)
            for number, icon in enumerate(picked)
        ),
        (implies(pair, icon != NO_ICON) for pair, icon in zip(s.pairs, s.icons, strict=True)),
    )


@lemma("pairs-are-alike", ("DR-20",), using=("icons-in-order",))
def pairs_are_alike(p: Riches, s: State, t: Tally) -> Bool:
    """An icon that won has an identical one before it."""
    return all_of(
        implies(
            pair,
            any_of(s.icons[i] == earlier for earlier in s.icons[:i]),
        )
        for i, pair in enumerate(s.pairs)
    )


@lemma("bonuses-after-picks", ("DR-20", "DR-23"), using=("meters-in-range",))
def bonuses_after_picks(p: Riches, s: State, t: Tally) -> Bool:
    """No bonus is taken while picks are left, nor is a game kept open without one."""
    return all_of(
        t.bonuses >= 0,
        implies(s.picks_left > 0, t.bonuses == 0),
        implies(all_of(s.phase == BONUS, t.bonuses > 0), any_of(s.pairs)),
    )


@lemma("alike-icons-win", ("DR-20",), using=("bonuses-after-picks", "icons-in-order"))
def alike_icons_win(p: Riches, s: State, t: Tally) -> Bool:
    """Where two identical icons are shown, a bonus is won."""
    return implies(
        negate(any_of(s.pairs)),
        all_of(
            any_of(s.icons[i] == NO_ICON, s.icons[i] != s.icons[j])
            for i in range(len(s.icons))
            for j in range(i)
        ),
    )


@lemma("a-pair-is-in-reach", ("DR-20",), using=("icons-in-order",))
def a_pair_is_in_reach(p: Riches, s: State, t: Tally) -> Bool:
    """Where ladders drop what is too much, a bonus stays in reach, and is so in time."""
    dropped = p.ladder_surplus.is_("dropped")
    still = all_of(dropped, s.phase == BONUS, s.picks_left > 0, negate(any_of(s.pairs)))
    need = all_of(p.picks > 1, s.picks_left == 1, p.no_pair.is_("impossible"))
    return all_of(
        implies(all_of(still, s.pair_in_reach), any_of(may_win_first(p, s))),
        implies(all_of(still, need), s.pair_in_reach),
    )


def may_win_first(p: Riches, s: State) -> list[Bool]:
    """Return of each icon shown whether it could win, while none has and diamonds may drop."""
    dropped = replace(p, ladder_surplus=Choice(0, p.ladder_surplus.choices))
    none = replace(s, pairs=tuple(False for _ in p.slots))
    return [all_of(icon != NO_ICON, can_win(dropped, none, icon)) for icon in s.icons]


@lemma("doubled-once", ("DR-33",), using=("meters-in-range",))
def doubled_once(p: Riches, s: State, t: Tally) -> Bool:
    """A Double Spins still to be taken finds Spins Left as it was before the Bonus Game."""
    waiting = [
        all_of(pair, icon == DOUBLE_SPINS) for pair, icon in zip(s.pairs, s.icons, strict=True)
    ]
    kept = s.spins_left == t.spins_before
    return all_of(
        implies(s.phase == BONUS, s.extra_before == t.extra_before),
        implies(s.picks_left > 0, kept),
        implies(any_of(waiting), kept),
        count_of(waiting) <= 1,
    )


# The prize


@lemma("paid-at-end", ("DR-50",))
def paid_at_end(p: Riches, s: State, t: Tally) -> Bool:
    """Nothing is paid before the end, and one payment is made at it."""
    over = s.phase == OVER
    return all_of(
        t.payments == given(over, 1, 0),
        implies(negate(over), all_of(s.paid == 0, (one == 0 for one in s.ladders_paid))),
    )


@step_property("single-prize", ("DR-50", "DR-52"), using=("paid-at-end",))
def single_prize(p: Riches, before: At, step: Step, after: At) -> Bool:
    """The prize is paid exactly once, at the end, and nothing happens after it."""
    ends = step.by(finish)
    return all_of(
        before.s.phase != OVER,
        before.t.payments == 0,
        (after.s.phase == OVER) if ends else (after.s.phase != OVER),
        after.t.payments == (1 if ends else 0),
        True if ends else after.s.paid == 0,
    )


@invariant(
    "prize-is-sum", ("DR-13", "DR-51"), using=("won-at-level", "pots-as-seen", "paid-at-end")
)
def prize_is_sum(p: Riches, s: State, t: Tally) -> Bool:
    """Paid = completed ladders, at their amounts under the valuation, + Prize Pots."""
    over = s.phase == OVER
    at_end = p.valuation.is_("at-end")
    ladders: list[Bool] = []
    for colour, seen in enumerate(t.diamonds):
        won, paid = seen >= p.ladder_size, s.ladders_paid[colour]
        amounts = (p.start_amounts[colour], p.first_upgrade[colour], p.second_upgrade[colour])
        level = given(at_end, t.upgrades, t.won_at[colour])
        ladders.append(implies(negate(won), paid == 0))
        ladders += [
            implies(all_of(won, level == n), paid == amount) for n, amount in enumerate(amounts)
        ]
    return implies(over, all_of(ladders, s.paid == total((*s.ladders_paid, t.prize_won))))


@invariant("ladder-pays-once", ("DR-13", "DR-51"), using=("meters-in-range", "paid-at-end"))
def ladder_pays_once(p: Riches, s: State, t: Tally) -> Bool:
    """A ladder is completed once at most, and pays once if it is."""
    return all_of(
        (
            all_of(won == given(filled == p.ladder_size, 1, 0), implies(won == 0, paid == 0))
            for won, filled, paid in zip(t.wins, s.ladders, s.ladders_paid, strict=True)
        ),
        implies(s.phase == OVER, s.paid == total((*s.ladders_paid, s.prize_won))),
    )


@invariant("ends-clean", ("DR-50",), using=("meters-in-range", "bonus-pips-as-seen"))
def ends_clean(p: Riches, s: State, t: Tally) -> Bool:
    """The Play ends only when no spin, Bonus Game or Prize Game is owed."""
    return implies(
        s.phase == OVER,
        all_of(
            s.spins_left == 0,
            s.extra_spins == 0,
            s.prize_owed == 0,
            s.picks_left == 0,
            s.prize_spins == 0,
            (negate(pair) for pair in s.pairs),
            (
                seen < p.bonus_pips * (begun + 1)
                for seen, begun in zip(t.pips, t.opened, strict=True)
            ),
        ),
    )


# Ladders


def gained_by_bonus(p: Riches, icon: Int, colour: int, had: Int, has: Int) -> Bool:
    """Return whether a ladder gained what an Extra Diamonds icon says, and no other did."""
    numbers = range(p.extra_least, p.extra_most + 1)
    of_colour = [(n, icon == p.extra_diamonds_icon(colour, n)) for n in numbers]
    return all_of(
        (implies(shown, has == minimum(had + n, p.ladder_size)) for n, shown in of_colour),
        implies(negate(any_of(shown for _, shown in of_colour)), has == had),
    )


def collects_what_it_shows(p: Riches, s: State, r: Spin, got: Sequence[Int]) -> Bool:
    """Return whether a spin collects its section's diamonds times its multiplier."""
    shown = section_diamonds(p, s, r.segment)
    by_section = (
        all_of(
            n == given(printed > 0, printed + more, 0)
            for n, printed in zip(shown, section, strict=True)
        )
        for section, more in zip(p.diamond_wheel, s.multi_fill, strict=True)
    )
    return all_of(
        (implies(r.segment == i, as_printed) for i, as_printed in enumerate(by_section)),
        (
            implies(
                r.multiplier == factor,
                all_of(all_ == n * factor for n, all_ in zip(shown, got, strict=True)),
            )
            for factor in range(1, p.top_multiplier + 1)
        ),
    )


@step_property(
    "own-ladder-only", ("DR-12", "DR-13", "DR-30", "DR-32"), using=("meters-in-range",)
)
def own_ladder_only(p: Riches, before: At, step: Step, after: At) -> Bool:
    """A diamond fills a segment of its own colour's ladder, and of no other."""
    ladders = list(enumerate(zip(before.s.ladders, after.s.ladders, strict=True)))
    r = step.reveal
    if step.by(spin):
        got = r.diamonds(p, before.s)
        return all_of(
            collects_what_it_shows(p, before.s, r, got),
            (has == minimum(had + got[i], p.ladder_size) for i, (had, has) in ladders),
        )
    if step.by(extra_diamonds):
        icon = icon_won(before.s)
        return all_of(gained_by_bonus(p, icon, i, had, has) for i, (had, has) in ladders)
    if step.by(mystery_fill):
        return all_of(
            has == minimum(had + r.diamonds[i], p.ladder_size) for i, (had, has) in ladders
        )
    return unchanged(before.s, after.s, ("ladders",))


@step_property("filled-never-lost", ("DR-13",), using=("meters-in-range",))
def filled_never_lost(p: Riches, before: At, step: Step, after: At) -> Bool:
    """A filled segment stays filled."""
    return all_of(
        has >= had for had, has in zip(before.s.ladders, after.s.ladders, strict=True)
    )


# Spins


@step_property(
    "one-extra-spin-per-ladder", ("DR-14",), using=("diamonds-on-ladders", "doubled-once")
)
def one_extra_spin_per_ladder(p: Riches, before: At, step: Step, after: At) -> Bool:
    """Each ladder whose Extra Spin Box is reached or passed awards one extra spin, once."""
    used = given(before.s.extra_spins > 0, 1, 0) if step.by(spin) else 0
    doubled: Int = 0
    if step.by(double_spins):
        doubled = given(p.double_spins.is_("with-extra-spins"), before.t.extra_before, 0)
    awarded = after.s.extra_spins - before.s.extra_spins + used - doubled
    return all_of(
        awarded == boxes_reached(p, before.t.diamonds, after.t.diamonds),
        (has >= had for had, has in zip(before.t.diamonds, after.t.diamonds, strict=True)),
    )


@step_property("extra-spin-keeps-count", ("DR-11", "DR-15"), using=("meters-in-range",))
def extra_spin_keeps_count(p: Riches, before: At, step: Step, after: At) -> Bool:
    """A spin costs 1 from Spins Left; an extra spin is used first and costs nothing."""
    if not step.by(spin):
        return True
    extra = before.s.extra_spins > 0
    awarded = boxes_reached(p, before.s.ladders, after.s.ladders)
    return all_of(
        implies(extra, after.s.spins_left == before.s.spins_left),
        implies(negate(extra), after.s.spins_left == before.s.spins_left - 1),
        after.s.spins_left >= 0,
        after.s.extra_spins == before.s.extra_spins - given(extra, 1, 0) + awarded,
    )


@step_property("double-spins-exact", ("DR-33",), using=("doubled-once",))
def double_spins_exact(p: Riches, before: At, step: Step, after: At) -> Bool:
    """Double Spins adds Spins Left as it was before the Bonus Game; no other bonus does."""
    extra = p.double_spins.is_("with-extra-spins")
    if step.by(double_spins):
        return all_of(
            after.s.spins_left == 2 * before.t.spins_before,
            after.s.extra_spins
            == before.s.extra_spins + given(extra, before.t.extra_before, 0),
        )
    return True if step.by(spin) else unchanged(before.s, after.s, ("spins_left",))


@invariant(
    "spins-balance",
    ("DR-10", "DR-14", "DR-15", "DR-33"),
    using=("meters-in-range", "doubled-once"),
)
def spins_balance(p: Riches, s: State, t: Tally) -> Bool:
    """Spins taken + left + extra = 6 + extra spins awarded + added by doubling."""
    awarded = count_of(
        filled >= box for filled, box in zip(s.ladders, p.extra_spin_box, strict=True)
    )
    return t.spins + s.spins_left + s.extra_spins == p.spins + awarded + t.doubled


@step_property("multiplier-in-range", ("DR-12", "DR-34"), using=("upgrades-as-seen",))
def multiplier_in_range(p: Riches, before: At, step: Step, after: At) -> Bool:
    """A spin collects 1 to 5 times what it shows; 2 to 5 times after Upgrade Multiplier."""
    if not step.by(spin):
        return True
    factor = step.reveal.multiplier
    return all_of(
        factor >= 1,
        factor <= p.top_multiplier,
        implies(before.t.multiplier_upgrades > 0, factor >= 2),
    )


# Meters and the games they unlock


@step_property(
    "overflow-carries", ("DR-12", "DR-16", "DR-17", "DR-18"), using=("bonus-pips-as-seen",)
)
def overflow_carries(p: Riches, before: At, step: Step, after: At) -> Bool:
    """Meter + collected = 5 × newly unlocked + meter after; nothing else changes a meter."""
    claims: list[Bool] = []
    for game in range(len(p.bonus_games)):
        had, has = before.s.bonus_meters[game], after.s.bonus_meters[game]
        games = [at.t.opened[game] + at.s.bonus_owed[game] for at in (before, after)]
        new = games[1] - games[0]
        if step.by(spin):
            r = step.reveal
            claims += [
                implies(
                    r.bonus_segment == i,
                    had + given(section[game] == 1, r.multiplier, 0)
                    == p.bonus_pips * new + has,
                )
                for i, section in enumerate(p.bonus_wheel)
            ]
        else:
            claims += [new == 0, has == had]
        claims.append(after.t.pips[game] == p.bonus_pips * games[1] + has)
    return all_of(claims)


@step_property(
    "prize-meter-exact", ("DR-16", "DR-17", "DR-38", "DR-39"), using=("prize-pips-as-seen",)
)
def prize_meter_exact(p: Riches, before: At, step: Step, after: At) -> Bool:
    """The Prize Game Meter gains what was collected or awarded, up to 7, while it counts."""
    got = after.t.prize_pips - before.t.prize_pips
    had, has = before.s.prize_meter, after.s.prize_meter
    size, new = p.prize_pips, unlocked(after) - unlocked(before)
    once, carried = p.prize_game_repeat.is_("once"), p.prize_surplus.is_("carried")
    spent = all_of(once, unlocked(before) > 0)
    fills = all_of(negate(spent), had + got >= size)
    return all_of(
        prize_pips_seen(p, before, step, got),
        implies(spent, all_of(has == had, new == 0)),
        implies(negate(any_of(spent, fills)), all_of(has == had + got, new == 0)),
        implies(
            fills,
            all_of(
                new >= 1,
                implies(p.prize_meter_after.is_("stays-full"), has == size),
                implies(all_of(p.prize_meter_after.is_("emptied"), negate(carried)), has == 0),
                implies(carried, has < size),
                # Only in a copy with fewer pips can one spin fill the meter twice.
                implies(all_of(carried, had + got < 2 * size), had + got == size + has),
                implies(any_of(once, negate(carried)), new == 1),
            ),
        ),
        implies(
            all_of(carried, negate(once)),
            all_of(
                had + got == size * new + has,
                after.t.prize_pips == size * unlocked(after) + has,
            ),
        ),
    )


def prize_pips_seen(p: Riches, before: At, step: Step, got: Int) -> Bool:
    """Return whether the pips counted are those of the wheel or of the bonus."""
    if step.by(spin):
        r = step.reveal
        return all_of(
            implies(r.bonus_segment == i, got == given(section[-1] == 1, r.multiplier, 0))
            for i, section in enumerate(p.bonus_wheel)
        )
    if step.by(prize_game_icons):
        icon = icon_won(before.s)
        return all_of(
            all_of(got >= p.pips_least, got <= p.pips_most),
            (
                implies(icon == p.prize_icon(n), got == n)
                for n in range(p.pips_least, p.pips_most + 1)
            ),
        )
    if step.by(activate_prize_game):
        return got == p.prize_pips - before.s.prize_meter
    return got == 0


@step_property("one-unlock-per-spin", ("DR-12", "DR-16", "DR-17"), using=("meters-in-range",))
def one_unlock_per_spin(p: Riches, before: At, step: Step, after: At) -> Bool:
    """No meter fills twice in one spin."""
    if not step.by(spin):
        return True
    return all_of(
        after.s.prize_owed <= before.s.prize_owed + 1,
        (
            owed <= owed_before + 1
            for owed_before, owed in zip(before.s.bonus_owed, after.s.bonus_owed, strict=True)
        ),
    )


@invariant(
    "sub-game-earned", ("DR-17", "DR-40"), using=("bonus-pips-as-seen", "prize-pips-as-seen")
)
def sub_game_earned(p: Riches, s: State, t: Tally) -> Bool:
    """No Bonus Game is played without 5 pips of its own, no Prize Game without 7."""
    return all_of(
        (p.bonus_pips * begun <= seen for begun, seen in zip(t.opened, t.pips, strict=True)),
        p.prize_pips * t.prize_games <= t.prize_pips,
    )


@step_property(
    "no-spin-while-game-owed", ("DR-17",), using=("bonus-pips-as-seen", "prize-games-as-seen")
)
def no_spin_while_game_owed(p: Riches, before: At, step: Step, after: At) -> Bool:
    """No spin comes while a Bonus Game, or a Prize Game that starts at once, is owed."""
    if not step.by(spin):
        return True
    return all_of(
        before.s.phase == MAIN,
        before.s.playing == 0,
        (
            seen < p.bonus_pips * (begun + 1)
            for seen, begun in zip(before.t.pips, before.t.opened, strict=True)
        ),
        implies(p.prize_game_start.is_("at-once"), before.s.prize_owed == 0),
    )


# Bonus Games


@invariant("picks-balance", ("DR-20", "DR-21", "DR-22"), using=("bonuses-after-picks",))
def picks_balance(p: Riches, s: State, t: Tally) -> Bool:
    """A Bonus Game has 5 picks, and all are used before a bonus is taken or it ends."""
    return all_of(
        (begun >= 0 for begun in t.opened),
        implies(s.phase == BONUS, t.picks + s.picks_left == p.picks),
        implies(t.bonuses > 0, t.picks == p.picks),
        implies(
            all_of(s.phase != BONUS, any_of(begun > 0 for begun in t.opened)),
            t.picks == p.picks,
        ),
    )


@invariant("one-bonus-per-game", ("DR-23",), using=("bonuses-after-picks",))
def one_bonus_per_game(p: Riches, s: State, t: Tally) -> Bool:
    """One bonus at most is won in a Bonus Game."""
    return t.bonuses + count_of(s.pairs) <= 1


@step_property(
    "award-exact",
    (
        "DR-20",
        "DR-30",
        "DR-31",
        "DR-32",
        "DR-33",
        "DR-34",
        "DR-35",
        "DR-36",
        "DR-37",
        "DR-38",
        "DR-39",
    ),
    using=("pairs-are-alike", "alike-icons-win"),
)
def award_exact(p: Riches, before: At, step: Step, after: At) -> Bool:
    """A bonus has its effect once, on return, and nothing else but what follows from it."""
    b, a, icon = before.s, after.s, icon_won(before.s)
    if step.by(open_bonus_game):
        return unchanged(b, a, (name for name in EVERYTHING if name != "bonus_owed"))
    if step.by(pick):
        return unchanged(b, a, EVERYTHING)
    if step.by(leave_bonus_game):
        shown = b.icons
        alike = any_of(
            all_of(shown[i] != NO_ICON, shown[i] == shown[j])
            for i in range(len(shown))
            for j in range(i)
        )
        return all_of(negate(alike), unchanged(b, a, EVERYTHING))
    if not step.by(*BONUSES):
        return True
    changes, effect = _effect(p, b, step, a, icon)
    return all_of(
        b.picks_left == 0,
        count_of(shown == icon for shown in b.icons) >= 2,
        count_of(a.pairs) == count_of(b.pairs) - 1,
        unchanged(b, a, (name for name in EVERYTHING if name not in changes)),
        effect,
    )


def _effect(
    p: Riches, b: State, step: Step, a: State, icon: Int
) -> tuple[tuple[str, ...], Bool]:
    """Return what a bonus may change, and what it has to be afterwards."""
    r = step.reveal
    if step.by(extra_diamonds, mystery_fill):
        by_icon = step.by(extra_diamonds)
        ladders = [
            gained_by_bonus(p, icon, i, had, has)
            if by_icon
            else has == minimum(had + r.diamonds[i], p.ladder_size)
            for i, (had, has) in enumerate(zip(b.ladders, a.ladders, strict=True))
        ]
        levels = [
            then == given(all_of(had < p.ladder_size, has == p.ladder_size), b.level, noted)
            for had, has, noted, then in zip(
                b.ladders, a.ladders, b.filled_at, a.filled_at, strict=True
            )
        ]
        return ("ladders", "filled_at", "extra_spins"), all_of(
            (icon > p.prize_icon(p.pips_most)) if by_icon else (icon == MYSTERY_FILL),
            ladders,
            levels,
            a.extra_spins == b.extra_spins + boxes_reached(p, b.ladders, a.ladders),
        )
    if step.by(multi_fill):
        return ("multi_fill",), all_of(
            icon == MULTI_FILL,
            (
                more == had + given(r.segment == i, p.multi_fill_adds, 0)
                for i, (had, more) in enumerate(zip(b.multi_fill, a.multi_fill, strict=True))
            ),
        )
    if step.by(double_spins):
        with_extra = p.double_spins.is_("with-extra-spins")
        return ("spins_left", "extra_spins"), all_of(
            icon == DOUBLE_SPINS,
            a.spins_left == 2 * b.spins_left,
            implies(negate(with_extra), a.extra_spins == b.extra_spins),
            implies(with_extra, a.extra_spins == b.extra_spins + b.extra_before),
        )
    if step.by(upgrade_multiplier):
        return ("multiplier_upgraded",), all_of(
            icon == UPGRADE_MULTIPLIER, a.multiplier_upgraded
        )
    if step.by(upgrade_prizes):
        raised = all_of(implies(b.level == n, a.level == n + 1) for n in range(p.top_level))
        kept = implies(b.level == p.top_level, a.level == p.top_level)
        return ("level",), all_of(icon == UPGRADE_PRIZES, raised, kept)
    if step.by(max_prizes):
        return ("level",), all_of(icon == MAX_PRIZES, a.level == p.top_level)
    return ("prize_meter", "prize_owed"), _prize_award(p, b, step, a, icon)


def _prize_award(p: Riches, b: State, step: Step, a: State, icon: Int) -> Bool:
    """Return whether pips, or what is missing in the meter, were awarded unless spent."""
    spent = all_of(p.prize_game_repeat.is_("once"), b.prize_owed + b.prize_played > 0)
    kept = all_of(a.prize_meter == b.prize_meter, a.prize_owed == b.prize_owed)
    if step.by(activate_prize_game):
        return any_of(
            all_of(spent, kept), all_of(negate(spent), a.prize_owed == b.prize_owed + 1)
        )
    return all_of(
        implies(spent, kept),
        (
            implies(
                all_of(negate(spent), icon == p.prize_icon(n)),
                any_of(
                    all_of(
                        b.prize_meter + n < p.prize_pips,
                        a.prize_meter == b.prize_meter + n,
                        a.prize_owed == b.prize_owed,
                    ),
                    all_of(b.prize_meter + n >= p.prize_pips, a.prize_owed == b.prize_owed + 1),
                ),
            )
            for n in range(p.pips_least, p.pips_most + 1)
        ),
    )


# Upgrades


@invariant("boosters-cap", ("DR-36", "DR-37"))
def boosters_cap(p: Riches, s: State, t: Tally) -> Bool:
    """The ladder amounts rise twice at most."""
    return all_of(s.level >= 0, s.level <= p.top_level)


@step_property("boosters-never-lower", ("DR-35", "DR-36", "DR-37"), using=("boosters-cap",))
def boosters_never_lower(p: Riches, before: At, step: Step, after: At) -> Bool:
    """No step lowers a ladder's amount."""
    return all_of(
        ladder_amount(p, colour, after.s.level) >= ladder_amount(p, colour, before.s.level)
        for colour in range(len(p.colours))
    )


@invariant(
    "top-prize-fixed",
    ("DR-01", "DR-35", "DR-36", "DR-37"),
    using=("boosters-cap", "paid-at-end"),
)
def top_prize_fixed(p: Riches, s: State, t: Tally) -> Bool:
    """The top prize is the same at every level, and what its ladder pays if it pays."""
    top, paid = p.first_upgrade[-1], s.ladders_paid[-1]
    return all_of(
        ladder_amount(p, len(p.colours) - 1, s.level) == top, any_of(paid == 0, paid == top)
    )


@step_property("max-is-second-upgrade", ("DR-36", "DR-37"), using=("boosters-cap",))
def max_is_second_upgrade(p: Riches, before: At, step: Step, after: At) -> Bool:
    """Max Prizes, and a second Upgrade Prizes, lead to the amounts of the second upgrade."""
    second = all_of(
        ladder_amount(p, colour, after.s.level) == amount
        for colour, amount in enumerate(p.second_upgrade)
    )
    if step.by(max_prizes):
        return second
    if step.by(upgrade_prizes):
        return implies(before.s.level >= p.top_level - 1, second)
    return True


# Prize Game


@invariant("prize-game-once", ("DR-40",), using=("prize-games-as-seen",))
def prize_game_once(p: Riches, s: State, t: Tally) -> Bool:
    """The Prize Game is unlocked, and so played, at most once."""
    return t.prize_games + s.prize_owed <= 1


@step_property("prize-game-keeps-main", ("DR-40",))
def prize_game_keeps_main(p: Riches, before: At, step: Step, after: At) -> Bool:
    """The Prize Game leaves everything of the Main Game as it was."""
    if not step.by(open_prize_game, prize_spin):
        return True
    return unchanged(before.s, after.s, MAIN_GAME)


@step_property(
    "pot-is-sum", ("DR-40", "DR-41", "DR-42"), using=("pots-as-seen", "prize-games-as-seen")
)
def pot_is_sum(p: Riches, before: At, step: Step, after: At) -> Bool:
    """A spin of the Prize Game adds amount × multiplier; the Prize Pot is the sum of them."""
    b, a = before.s, after.s
    won = a.prize_won + a.prize_pot - b.prize_won - b.prize_pot
    if not step.by(prize_spin):
        return all_of(won == 0, implies(a.phase == PRIZE, a.prize_pot == 0))
    r = step.reveal
    extra = given(r.extra_spin, 1, 0)
    return all_of(
        (
            implies(all_of(r.segment == i, r.multiplier == factor), won == amount * factor)
            for i, amount in enumerate(p.prize_wheel)
            for factor in p.prize_multipliers
        ),
        any_of(r.multiplier == factor for factor in p.prize_multipliers),
        same(before.t.prize_spins + extra == 1, a.phase == MAIN),
        after.t.prize_won == a.prize_won + a.prize_pot,
    )


@invariant("prize-game-wins", ("DR-43",), using=("pots-as-seen", "prize-games-as-seen"))
def prize_game_wins(p: Riches, s: State, t: Tally) -> Bool:
    """Every Prize Game that has ended won something."""
    playing = given(s.phase == PRIZE, 1, 0)
    return s.prize_won >= t.prize_games - playing


# The game as a whole


choice_free = general(
    "choice-free",
    ("DR-02",),
    "Two Plays with the same reveals show the same prize, whatever the player chooses.",
)
deterministic = general(
    "deterministic",
    ("DR-02",),
    "Exactly one rule applies to each state a Play can reach and each reveal legal there.",
)
never_stuck = general(
    "never-stuck",
    ("DR-50",),
    "Each state a Play can reach has a legal reveal, until the Play has ended.",
    using=("meters-in-range", "a-pair-is-in-reach"),
)
terminates = general(
    "terminates",
    ("DR-33", "DR-42", "DR-50"),
    "Every Play ends.",
    using=("meters-in-range",),
)


def added_by_doubling(p: Riches, s: State, step: Step) -> Int:
    """Return how many spins, and extra spins, a step adds by Double Spins."""
    if not step.by(double_spins):
        return 0
    return s.spins_left + given(p.double_spins.is_("with-extra-spins"), s.extra_before, 0)


LIMITS = (
    Limit(
        "double-spins", ("DR-33",), "spins that Double Spins adds", added_by_doubling, most=12
    ),
    Limit(
        "prize-game-extra-spins",
        ("DR-42",),
        "extra spins of the Prize Game",
        lambda p, s, step: given(step.reveal.extra_spin, 1, 0) if step.by(prize_spin) else 0,
        most=3,
    ),
)
"""What makes a Play longer, without an end that the Procedures state."""


# What may always come, so that no Play gets stuck


@witness(Spin)
def any_section(p: Riches, s: State) -> Iterable[Spin]:
    """A section whose diamonds find room, with x1, or with x2 after an Upgrade Multiplier."""
    for i in range(len(p.segments)):
        for multiplier in (1, 2):
            yield Spin(segment=i, multiplier=multiplier, bonus_segment=0)


@witness(Grid)
def all_different(p: Riches, s: State) -> Iterable[Grid]:
    """Active icons that are all different."""
    active = chosen(p.active_icons, next_bonus_game(p, s), first=1)
    yield Grid(icons=tuple(given(active > i, i + 1, NO_ICON) for i in range(len(p.actives))))


@witness(Pick)
def one_more_alike(p: Riches, s: State) -> Iterable[Pick]:
    """The icon that has won, a Multi-Fill, or an icon that is shown."""
    for icon in (icon_won(s), MULTI_FILL, *s.icons):
        yield Pick(icon=icon, tile=1)


@witness(Mystery)
def where_there_is_room(p: Riches, s: State) -> Iterable[Mystery]:
    """The fewest diamonds, on the first ladders with room for them."""
    left: Int = p.mystery_least
    diamonds = []
    for have, coming in zip(s.ladders, diamonds_awaited(p, s), strict=True):
        diamonds.append(minimum(left, maximum(p.ladder_size - have - coming, 0)))
        left = left - diamonds[-1]
    yield Mystery(diamonds=(diamonds[0] + left, *diamonds[1:]))


WITNESSES = (any_section, all_different, one_more_alike, where_there_is_room)

PROPERTIES = (
    meters_in_range, diamonds_on_ladders, upgrades_as_seen, won_at_level, prize_games_as_seen,
    pots_as_seen, bonus_pips_as_seen, prize_pips_as_seen, icons_in_order, pairs_are_alike,
    bonuses_after_picks, alike_icons_win, a_pair_is_in_reach, doubled_once, paid_at_end,
    single_prize, prize_is_sum, ladder_pays_once, own_ladder_only, filled_never_lost,
    overflow_carries, prize_meter_exact, one_unlock_per_spin, award_exact, one_bonus_per_game,
    sub_game_earned, no_spin_while_game_owed, picks_balance, prize_game_once,
    prize_game_keeps_main, boosters_cap, boosters_never_lower, top_prize_fixed,
    max_is_second_upgrade, multiplier_in_range, one_extra_spin_per_ladder,
    extra_spin_keeps_count, double_spins_exact, spins_balance, pot_is_sum, prize_game_wins,
    ends_clean, choice_free, deterministic, never_stuck, terminates,
)  # fmt: skip

DIAMOND_RICHES = replace(
    RULES,
    properties=PROPERTIES,
    witnesses=WITNESSES,
    limits=LIMITS,
    views=VIEWS,
    drawing=DRAWING,
)
"""The whole game."""
