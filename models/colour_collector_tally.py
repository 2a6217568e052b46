"""What a bystander counts in a Play of Colour Collector, and that the screen agrees.

The tally is made from what was revealed and which rule fired. The lemmas say that the state
holds what was seen; with them the properties in ``colour_collector_properties`` follow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from .algebra import (
    Bool,
    Int,
    all_of,
    any_of,
    implies,
    maximum,
    minimum,
    pick,
    same,
    total,
    where,
)
from .colour_collector import (
    ACTIVATE,
    BONUS,
    BOOSTER,
    END,
    EXTRA_SPINS,
    FEW,
    KINDS,
    MAIN,
    MANY,
    MEGA,
    PRIZE,
    PRIZE_SYMBOLS,
    SUPER,
    Collector,
    Round,
    State,
    open_bonus_game,
    prize_spin,
    right_answer,
    spin,
    win,
    wrong_answer,
)
from .shape import count, counts, flag
from .system import Point, Step, invariant, lemma

__all__ = [
    "At",
    "Tally",
    "after_booster",
    "awards_as_seen",
    "bonus_symbols_balance",
    "fills_as_seen",
    "first_level",
    "levels_as_seen",
    "main_game_is_over",
    "meters_in_range",
    "observe",
    "prize_game_as_seen",
    "rows_as_seen",
    "unpaid_before_the_end",
]

# The level after a booster, by the level before it: as the two readings of CC-28 to CC-30 say.
BY_ADDING = {BOOSTER: (1, 2, 3, 3), SUPER: (2, 3, 3, 3), MEGA: (3, 3, 3, 3)}
AT_LEAST = {BOOSTER: (1, 2, 3, 3), SUPER: (2, 2, 3, 3), MEGA: (3, 3, 3, 3)}


# ---- What a bystander counts ---------------------------------------------------------------


@dataclass(frozen=True)
class Tally:
    """What a bystander counts; what is of one Bonus Game starts again with the next."""

    spins: Int = count("Main Game spins seen")
    extra_spins: Int = count("extra spins seen to be awarded")
    symbols: Sequence[Int] = counts("symbols for a row seen to take effect", "rows")
    row_wins: Sequence[Int] = counts("times a row was seen to be filled", "rows")
    won_at: Sequence[Int] = counts("the level at which a row was seen to be filled", "rows")
    bonus_symbols: Int = count("bonus symbols seen")
    bonus_games: Int = count("Bonus Games seen to begin")
    prize_symbols: Int = count("prize-game symbols seen to take effect")
    activations: Int = count("activations seen to take effect")

    right_rounds: Int = count("right rounds of the Bonus Game")
    game_spins: Int = count("extra spins awarded in it")
    game_boosters: Sequence[Int] = counts("boosters awarded in it, by kind", "boosters")
    first_booster: Int = count("kind of the first booster awarded in it, 0 none")
    second_booster: Int = count("kind of the second booster awarded in it, 0 none")
    game_level: Int = count("the level its boosters lead to, in the order awarded")
    game_symbols: Sequence[Int] = counts("symbols for a row awarded in it", "rows")
    game_won_at: Sequence[Int] = counts("the level at which they fill the row", "rows")
    game_prize_symbols: Int = count("prize-game symbols awarded in it")
    game_activations: Int = count("activations awarded in it")

    pot: Int = count("amounts seen to be collected in the Prize Game", unit="pence")
    doubled: Bool = flag("whether a WIN X2 was seen to end the Prize Game")
    prize_games: Int = count("Prize Games seen to end")
    payments: Int = count("payments seen")


At = Point[State, Tally]


def observe(p: Collector, before: At, step: Step, after: State) -> Tally:
    """Return the tally after a step."""
    s, t, r = before.s, before.t, step.reveal
    if step.by(spin):
        return replace(
            rows_seen(p, before, r.symbols, [s.level for _ in p.rows]),
            spins=t.spins + 1,
            bonus_symbols=t.bonus_symbols + r.bonus_symbols,
            prize_symbols=t.prize_symbols + r.prize_symbols,
        )
    if step.by(open_bonus_game):
        nothing = [0 for _ in p.rows]
        return replace(
            t, bonus_games=t.bonus_games + 1, right_rounds=0, game_spins=0,
            game_boosters=[0 for _ in p.boosters], first_booster=0, second_booster=0,
            game_level=first_level(p, s), game_symbols=nothing, game_won_at=nothing,
            game_prize_symbols=0, game_activations=0,
        )  # fmt: skip
    if step.by(right_answer):
        return award_seen(p, before, r)
    if step.by(wrong_answer):
        as_won = p.award_order.is_("as-won")
        levels = [where(as_won, at, after.level) for at in t.game_won_at]
        return replace(
            rows_seen(p, before, t.game_symbols, levels),
            prize_symbols=t.prize_symbols + t.game_prize_symbols,
            activations=t.activations + t.game_activations,
        )
    if step.by(prize_spin):
        return replace(t, pot=t.pot + worth(p, r.amounts))
    if step.by(win):
        last = where(p.pot_with_win.is_("included"), worth(p, r.amounts), 0)
        return replace(
            t, pot=t.pot + last, doubled=r.double_wins > 0, prize_games=t.prize_games + 1
        )
    return replace(t, payments=t.payments + 1)


def rows_seen(p: Collector, before: At, symbols: Sequence[Int], levels: Sequence[Int]) -> Tally:
    """Return the tally after symbols took effect; a row is filled by its last one only."""
    t = before.t
    now = [have + got for have, got in zip(t.symbols, symbols, strict=True)]
    filled = [
        all_of(had < boxes, has >= boxes)
        for had, has, boxes in zip(t.symbols, now, p.row_boxes, strict=True)
    ]
    return replace(
        t,
        symbols=now,
        row_wins=[
            times + where(full, 1, 0) for times, full in zip(t.row_wins, filled, strict=True)
        ],
        won_at=[
            where(full, level, was)
            for full, level, was in zip(filled, levels, t.won_at, strict=True)
        ],
    )


def award_seen(p: Collector, before: At, r: Round) -> Tally:
    """Return the tally after the highlighted Bonus Prize was awarded."""
    s, t = before.s, before.t
    kind = pick(s.shown_kinds, r.box, first=1)
    number = pick(s.shown_numbers, r.box, first=1)
    is_booster = any_of(kind == BOOSTER, kind == SUPER, kind == MEGA)
    spins = where(kind == EXTRA_SPINS, number, 0)
    filled = [
        all_of(have + got < boxes, have + got + more >= boxes)
        for have, got, more, boxes in zip(
            t.symbols, t.game_symbols, r.symbols, p.row_boxes, strict=True
        )
    ]
    return replace(
        t,
        extra_spins=t.extra_spins + spins,
        right_rounds=t.right_rounds + 1,
        game_spins=t.game_spins + spins,
        game_boosters=[
            times + where(kind == booster, 1, 0)
            for times, booster in zip(t.game_boosters, (BOOSTER, SUPER, MEGA), strict=True)
        ],
        first_booster=where(all_of(is_booster, t.first_booster == 0), kind, t.first_booster),
        second_booster=where(
            all_of(is_booster, t.first_booster > 0, t.second_booster == 0),
            kind,
            t.second_booster,
        ),
        game_level=after_booster(p, t.game_level, kind),
        game_symbols=[a + b for a, b in zip(t.game_symbols, r.symbols, strict=True)],
        game_won_at=[
            where(full, maximum(s.level, t.game_level), was)
            for full, was in zip(filled, t.game_won_at, strict=True)
        ],
        game_prize_symbols=t.game_prize_symbols + where(kind == PRIZE_SYMBOLS, number, 0),
        game_activations=t.game_activations + where(kind == ACTIVATE, 1, 0),
    )


def first_level(p: Collector, s: State) -> Int:
    """Return the level from which a Bonus Game's boosters count."""
    return where(p.booster_scope.is_("one-bonus-game"), 0, s.level)


def after_booster(p: Collector, level: Int, kind: Int) -> Int:
    """Return the level after a Bonus Prize, read off the tables; others leave it alone."""
    at_least = p.booster_after_booster.is_("at-least")
    reached = level
    for booster in (BOOSTER, SUPER, MEGA):
        lifted = [
            where(at_least, minimum(low, p.top_level), minimum(add, p.top_level))
            for low, add in zip(AT_LEAST[booster], BY_ADDING[booster], strict=True)
        ]
        reached = where(kind == booster, pick(lifted, level), reached)
    return reached


def worth(p: Collector, squares: Sequence[Int]) -> Int:
    """Return the sum of amounts collected, in pence."""
    return total(n * amount for n, amount in zip(squares, p.prize_amounts, strict=True))


# ---- Lemmas: the screen agrees with the bystander ------------------------------------------


@invariant("meters-in-range", ("CC-10", "CC-14", "CC-15", "CC-16", "CC-22"))
def meters_in_range(p: Collector, s: State, t: Tally) -> Bool:
    """Every counter is in its range, and a Bonus Prize on show has a number it may have."""
    never_negative = (
        s.spins_left, *s.rows, s.bonus_box, s.bonus_games_owed, s.prize_box, s.awards,
        s.won_spins, *s.won_boosters, *s.won_symbols, s.won_prize_symbols, *s.shown_numbers,
    )  # fmt: skip
    levels = (s.level, s.won_level, *s.filled_at, *s.won_filled_at)
    return all_of(
        any_of(s.phase == phase for phase in (MAIN, BONUS, PRIZE, END)),
        (counter >= 0 for counter in never_negative),
        (have <= boxes for have, boxes in zip(s.rows, p.row_boxes, strict=True)),
        s.bonus_box < p.bonus_box_size,
        s.prize_box <= p.prize_box_size,
        (all_of(level >= 0, level <= p.top_level) for level in levels),
        implies(
            s.phase == BONUS,
            all_of(
                on_show(p, kind, number)
                for kind, number in zip(s.shown_kinds, s.shown_numbers, strict=True)
            ),
        ),
    )


def on_show(p: Collector, kind: Int, number: Int) -> Bool:
    """Whether a Bonus Prize may be on show."""
    ranges = {
        EXTRA_SPINS: (1, p.extra_spins_most),
        FEW: (p.few_least, p.few_most),
        MANY: (p.many_least, p.many_most),
        PRIZE_SYMBOLS: (1, p.prize_symbols_most),
    }
    return any_of(
        all_of(kind == one, low <= number, number <= high)
        for one in KINDS
        for low, high in [ranges.get(one, (1, 1))]
    )


@lemma("unpaid-before-the-end")
def unpaid_before_the_end(p: Collector, s: State, t: Tally) -> Bool:
    """Nothing is paid before the end, and one payment is seen there."""
    return all_of(
        t.payments == where(s.phase == END, 1, 0),
        implies(s.phase != END, s.paid == 0),
    )


@lemma("main-game-is-over")
def main_game_is_over(p: Collector, s: State, t: Tally) -> Bool:
    """In the Prize Game and at the end no spin and no Bonus Game is left."""
    return implies(
        any_of(s.phase == PRIZE, s.phase == END),
        all_of(s.spins_left == 0, s.bonus_games_owed == 0),
    )


@lemma("rows-as-seen", using=("meters-in-range", "awards-as-seen"))
def rows_as_seen(p: Collector, s: State, t: Tally) -> Bool:
    """A row holds the symbols seen for it, as far as it has boxes."""
    return all_of(
        all_of(seen >= 0, have == minimum(seen, boxes))
        for have, seen, boxes in zip(s.rows, t.symbols, p.row_boxes, strict=True)
    )


@lemma("fills-as-seen", using=("rows-as-seen", "levels-as-seen"))
def fills_as_seen(p: Collector, s: State, t: Tally) -> Bool:
    """The level at which a row was filled is the one seen."""
    return all_of(at == seen for at, seen in zip(s.filled_at, t.won_at, strict=True))


@lemma("awards-as-seen", using=("meters-in-range",))
def awards_as_seen(p: Collector, s: State, t: Tally) -> Bool:
    """In a Bonus Game what is kept for its end is what was seen; outside one it is nothing."""
    kept = (
        (s.won_spins, t.game_spins),
        *zip(s.won_boosters, t.game_boosters, strict=True),
        *zip(s.won_symbols, t.game_symbols, strict=True),
        (s.won_prize_symbols, t.game_prize_symbols),
    )
    playing = s.phase == BONUS
    return all_of(
        (won == where(playing, seen, 0) for won, seen in kept),
        (seen >= 0 for _, seen in kept),
        same(s.won_activate, all_of(playing, t.game_activations > 0)),
        t.game_activations >= 0,
    )


@lemma("levels-as-seen", using=("rows-as-seen", "awards-as-seen"))
def levels_as_seen(p: Collector, s: State, t: Tally) -> Bool:
    """In a Bonus Game the levels its awards lead to are those seen; outside one they are 0."""
    kept = ((s.won_level, t.game_level), *zip(s.won_filled_at, t.game_won_at, strict=True))
    return all_of(won == where(s.phase == BONUS, seen, 0) for won, seen in kept)


@lemma("bonus-symbols-balance", using=("meters-in-range",))
def bonus_symbols_balance(p: Collector, s: State, t: Tally) -> Bool:
    """Bonus symbols seen went into games begun, games owed and what the box holds."""
    unlocked = t.bonus_games + s.bonus_games_owed
    return t.bonus_symbols == p.bonus_box_size * unlocked + s.bonus_box


@lemma("prize-game-as-seen", using=("main-game-is-over",))
def prize_game_as_seen(p: Collector, s: State, t: Tally) -> Bool:
    """The pot and the prize are those seen, and only a Prize Game that ended has paid."""
    times = where(t.doubled, t.pot + t.pot, t.pot)
    return all_of(
        s.prize_pot == t.pot,
        implies(any_of(s.phase == MAIN, s.phase == BONUS), t.pot == 0),
        s.prize_game_prize == where(s.prize_game_played, times, 0),
        t.prize_games == where(s.prize_game_played, 1, 0),
    )
