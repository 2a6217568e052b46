"""What holds of every Play of Colour Collector, in the order of the Procedures.

Properties are stated from what a bystander counts (``colour_collector_tally``), and without
the rules' own functions wherever there are two ways of saying a thing, so that a rule which
goes wrong does not take its property along.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .algebra import (
    Bool,
    Int,
    all_of,
    any_of,
    count_of,
    implies,
    maximum,
    minimum,
    negate,
    pick,
    pick_by,
    same,
    total,
    where,
)
from .colour_collector import (
    BONUS,
    BOOSTER,
    END,
    FEW,
    GOAL,
    MAIN,
    MANY,
    MEGA,
    PRIZE,
    PROMISES,
    REACHABLE,
    RULES,
    SUPER,
    Collector,
    Round,
    State,
    finish,
    initial,
    may_be_won,
    open_bonus_game,
    prize_spin,
    right_answer,
    room_for,
    spin,
    win,
    wrong_answer,
)
from .colour_collector_drawing import DRAWING
from .colour_collector_grid import GRID_LAYER
from .colour_collector_screen import VIEWS
from .colour_collector_tally import (
    At,
    Tally,
    after_booster,
    awards_as_seen,
    bonus_symbols_balance,
    fills_as_seen,
    first_level,
    levels_as_seen,
    main_game_is_over,
    meters_in_range,
    observe,
    prize_game_as_seen,
    rows_as_seen,
    unpaid_before_the_end,
)
from .system import Game, Limit, Step, general, invariant, lemma, step_property, witness

__all__ = ["COLOUR_COLLECTOR"]

TOP_PRIZE = 1_000_000_00


# ---- The Main Game -------------------------------------------------------------------------


@invariant("spins-balance", ("CC-10", "CC-13", "CC-27"), using=("awards-as-seen",))
def spins_balance(p: Collector, s: State, t: Tally) -> Bool:
    """Spins taken, left and pending are the six of the start and the extra ones awarded."""
    return t.spins + s.spins_left + s.won_spins == p.spins + t.extra_spins


@step_property("own-row-only", ("CC-13", "CC-14", "CC-31"), using=("awards-as-seen",))
def own_row_only(p: Collector, before: At, step: Step, after: At) -> Bool:
    """A shape fills a box of its own row, as far as there is one, and of no other row."""
    if step.by(spin):
        symbols = step.reveal.symbols
    elif step.by(wrong_answer):
        symbols = before.t.game_symbols
    else:
        symbols = [0 for _ in p.rows]
    return all_of(
        now == minimum(was + got, boxes)
        for was, got, now, boxes in zip(
            before.s.rows, symbols, after.s.rows, p.row_boxes, strict=True
        )
    )


@step_property("filled-never-lost", ("CC-14",), using=("meters-in-range",))
def filled_never_lost(p: Collector, before: At, step: Step, after: At) -> Bool:
    """A box that is filled stays filled."""
    return all_of(
        now >= was for was, now in zip(before.s.rows, after.s.rows, strict=True)
    )  # fmt: skip


@invariant("row-pays-once", ("CC-18",), using=("rows-as-seen",))
def row_pays_once(p: Collector, s: State, t: Tally) -> Bool:
    """A row that is full was won once, and any other row never."""
    return all_of(
        wins == where(have == boxes, 1, 0)
        for wins, have, boxes in zip(t.row_wins, s.rows, p.row_boxes, strict=True)
    )


@step_property(
    "overflow-carries",
    ("CC-15", "CC-20", "CC-21"),
    using=("meters-in-range", "bonus-symbols-balance"),
)
def overflow_carries(p: Collector, before: At, step: Step, after: At) -> Bool:
    """Bonus symbols beyond a full box are in the emptied one, and stay there for the next game.

    In each spin, and over the whole Play.
    """
    was, now = before.s, after.s
    unlocked = now.bonus_games_owed - was.bonus_games_owed
    if step.by(spin):
        collected = step.reveal.bonus_symbols
        here = all_of(
            was.bonus_box + collected == p.bonus_box_size * unlocked + now.bonus_box,
            now.bonus_box < p.bonus_box_size,
        )
    else:
        begun = 1 if step.by(open_bonus_game) else 0
        here = all_of(now.bonus_box == was.bonus_box, unlocked == -begun)
    return all_of(here, bonus_symbols_balance.holds(p, now, after.t))


@step_property("no-spin-while-game-owed", ("CC-20", "CC-24"))
def no_spin_while_game_owed(p: Collector, before: At, step: Step, after: At) -> Bool:
    """No Main Game spin is taken while a Bonus Game is owed or played."""
    if step.by(spin):
        return all_of(before.s.bonus_games_owed == 0, before.s.phase != BONUS)
    return True


# ---- The Bonus Game ------------------------------------------------------------------------


@step_property(
    "sub-game-earned",
    ("CC-20", "CC-40"),
    using=("meters-in-range", "bonus-symbols-balance", "prize-surplus-ignored"),
)
def sub_game_earned(p: Collector, before: At, step: Step, after: At) -> Bool:
    """No Bonus Game without six bonus symbols of its own, no Prize Game without a full box."""
    seen = before.t
    if step.by(open_bonus_game):
        return seen.bonus_symbols >= p.bonus_box_size * (seen.bonus_games + 1)
    if step.by(prize_spin, win):
        return any_of(seen.prize_symbols >= p.prize_box_size, seen.activations > 0)
    return True


def unchanged(before: Iterable[Int], after: Iterable[Int]) -> Bool:
    """Whether counters are what they were."""
    return all_of(was == now for was, now in zip(before, after, strict=True))


def in_effect(s: State) -> tuple[Int, ...]:
    """Return what awards may change once they take effect."""
    return (s.spins_left, *s.rows, s.level, s.prize_box, *s.filled_at)


def apart_from_awards(s: State) -> tuple[Int, ...]:
    """Return what no award changes."""
    played = where(s.prize_game_played, 1, 0)
    return (s.bonus_box, s.bonus_games_owed, s.prize_pot, s.prize_game_prize, played, s.paid)


@step_property(
    "award-exact",
    ("CC-25", "CC-27", "CC-28", "CC-29", "CC-30", "CC-31", "CC-32", "CC-33"),
    using=("meters-in-range", "rows-as-seen", "awards-as-seen", "levels-as-seen"),
)
def award_exact(p: Collector, before: At, step: Step, after: At) -> Bool:
    """What was awarded takes effect at the end of its Bonus Game, exactly and once.

    What is awarded is what the panel showed when the Bonus Game began.
    """
    was, now, seen = before.s, after.s, before.t
    shown = (*now.shown_kinds, *now.shown_numbers)
    if step.by(open_bonus_game):
        return unchanged((*step.reveal.kinds, *step.reveal.numbers), shown)
    if step.by(right_answer):
        return unchanged((*was.shown_kinds, *was.shown_numbers), shown)
    if not step.by(wrong_answer):
        return True
    level = where(
        p.award_order.is_("as-won"), seen.game_level, level_as_listed(p, before)
    )  # fmt: skip
    full = where(seen.game_activations > 0, p.prize_box_size, 0)
    return all_of(
        now.spins_left == was.spins_left + seen.game_spins,
        now.level == maximum(was.level, level),
        now.prize_box
        == minimum(was.prize_box + seen.game_prize_symbols + full, p.prize_box_size),
        (
            all_of(
                have == minimum(had + got, boxes),
                at == where(all_of(had < boxes, had + got >= boxes), new, old),
            )
            for had, got, have, boxes, new, old, at in zip(
                was.rows,
                seen.game_symbols,
                now.rows,
                p.row_boxes,
                [
                    where(p.award_order.is_("as-won"), level_seen, now.level)
                    for level_seen in seen.game_won_at
                ],
                was.filled_at,
                now.filled_at,
                strict=True,
            )
        ),
        unchanged(apart_from_awards(was), apart_from_awards(now)),
    )


def level_as_listed(p: Collector, before: At) -> Int:
    """Return the level a Bonus Game's boosters lead to, one after the other as listed."""
    level = first_level(p, before.s)
    kinds = (BOOSTER, SUPER, MEGA)
    for kind, times in zip(kinds, before.t.game_boosters, strict=True):
        for nth in range(1, 4):  # a fourth of a kind finds the level at the top
            level = where(times >= nth, after_booster(p, level, kind), level)
    return level


@step_property(
    "awards-balance",
    ("CC-23", "CC-25"),
    using=("awards-as-seen", "right-rounds-as-seen"),
)
def awards_balance(p: Collector, before: At, step: Step, after: At) -> Bool:
    """A Bonus Game has as many awards as right rounds; nothing takes effect before it ends."""
    if step.by(open_bonus_game):
        return all_of(after.s.awards == 0, unchanged(in_effect(before.s), in_effect(after.s)))
    if step.by(right_answer):
        was, now = before.s, after.s
        return all_of(
            now.awards == after.t.right_rounds,
            now.awards == was.awards + 1,
            now.phase == BONUS,
            unchanged(in_effect(was), in_effect(now)),
            unchanged(apart_from_awards(was), apart_from_awards(now)),
        )
    if step.by(wrong_answer):
        return all_of(before.s.awards == before.t.right_rounds, after.s.awards == 0)
    return True


@lemma("right-rounds-as-seen")
def right_rounds_as_seen(p: Collector, s: State, t: Tally) -> Bool:
    """In a Bonus Game every right round seen is one award; outside one there is none."""
    return s.awards == where(s.phase == BONUS, t.right_rounds, 0)


@lemma("no-award-no-level", using=("meters-in-range", "awards-as-seen", "right-rounds-as-seen"))
def no_award_no_level(p: Collector, s: State, t: Tally) -> Bool:
    """A Bonus Game without a right round has won nothing."""
    won = (s.won_spins, *s.won_boosters, *s.won_symbols, s.won_prize_symbols)
    return implies(
        all_of(s.phase == BONUS, t.right_rounds == 0),
        all_of(unchanged([0] * len(won), won), negate(s.won_activate), s.won_level <= s.level),
    )


@step_property(
    "wrong-parity-awards-nothing",
    ("CC-24", "CC-26"),
    using=("meters-in-range", "awards-as-seen", "no-award-no-level"),
)
def wrong_parity_awards_nothing(p: Collector, before: At, step: Step, after: At) -> Bool:
    """A wrong parity, for either pick, ends the Bonus Game and awards nothing of its own."""
    if not step.by(right_answer, wrong_answer):
        return True
    r: Round = step.reveal
    evens = range(2, p.reel + 1, 2)
    odds = range(1, p.reel + 1, 2)
    if step.by(right_answer):
        return all_of(
            any_of(r.number_if_odd == number for number in odds),
            any_of(r.number_if_even == number for number in evens),
        )
    was, now = before.s, after.s
    return all_of(
        any_of(r.number_if_odd == number for number in evens),
        any_of(r.number_if_even == number for number in odds),
        now.phase == MAIN,
        now.spins_left - was.spins_left == before.t.game_spins,
        implies(before.t.right_rounds == 0, unchanged(in_effect(was), in_effect(now))),
    )


@lemma("before-the-first-award", using=("meters-in-range",))
def before_the_first_award(p: Collector, s: State, t: Tally) -> Bool:
    """Before a Bonus Game's first award nothing is won; where that must come, it still may."""
    none = s.awards == 0
    return all_of(
        implies(s.phase != BONUS, none),
        implies(none, all_of(won == 0 for won in s.won_symbols)),
        (implies(none, negate(awarded)) for awarded in s.awarded),
        implies(
            all_of(s.phase == BONUS, none, p.first_round.is_("right")), any_of(winnable(p, s))
        ),
    )


@witness(Round)
def wrong(p: Collector, s: State) -> Iterable[Round]:
    """An even number for odd and an odd one for even: wrong, whatever is picked."""
    yield answer(p, 1, [0 for _ in p.rows], right=False)


@witness(Round)
def right(p: Collector, s: State) -> Iterable[Round]:
    """A right one for what may be won, as shown first, its symbols in rows with room."""
    may = winnable(p, s)
    box = pick_by([(one, number) for number, one in enumerate(may, start=1)])
    kind, number = (pick(shown, box, first=1) for shown in (s.shown_kinds, s.shown_numbers))
    left = where(any_of(kind == FEW, kind == MANY), number, 0)
    symbols = []
    for have, won, boxes in zip(s.rows, s.won_symbols, p.row_boxes, strict=True):
        symbols.append(minimum(left, boxes - have - won))
        left = left - symbols[-1]
    yield answer(p, box, [symbols[0] + left, *symbols[1:]], right=True)


def winnable(p: Collector, s: State) -> list[Bool]:
    """Return of each Bonus Prize on show whether it may be won, as far as there is room."""
    return [
        all_of(may_be_won(p, s, kind), room_for(p, s, kind, number))
        for kind, number in zip(s.shown_kinds, s.shown_numbers, strict=True)
    ]


def answer(p: Collector, box: Int, symbols: Sequence[Int], right: bool) -> Round:
    """Return a round that is right, or wrong, for either pick."""
    odd, even = (1, 2) if right else (2, 1)
    return Round(
        picked_odd=True, number_if_odd=odd, number_if_even=even, box=box, symbols=symbols
    )


# ---- The boosters --------------------------------------------------------------------------


@invariant("boosters-cap", ("CC-28", "CC-29", "CC-30"))
def boosters_cap(p: Collector, s: State, t: Tally) -> Bool:
    """No booster lifts the Prize Table above its highest amounts."""
    return all_of(s.level <= p.top_level, s.won_level <= p.top_level)


@step_property(
    "boosters-never-lower", ("CC-28", "CC-29", "CC-30"), using=("meters-in-range",)
)  # fmt: skip
def boosters_never_lower(p: Collector, before: At, step: Step, after: At) -> Bool:
    """No step lowers an amount of the Prize Table."""
    return all_of(
        pick(amounts, after.s.level) >= pick(amounts, before.s.level)
        for amounts in p.row_amounts
    )


@invariant("boosters-any-order", ("CC-28", "CC-29", "CC-30"), using=("two-boosters-as-seen",))
def boosters_any_order(p: Collector, s: State, t: Tally) -> Bool:
    """Two boosters of a Bonus Game lead to one level in either order, where both are legal."""
    two = all_of(s.phase == BONUS, t.second_booster > 0, total(t.game_boosters) == 2)
    return implies(
        all_of(two, order_is_legal(p, s, t.second_booster, t.first_booster)),
        s.won_level == level_after_two(p, s, t.second_booster, t.first_booster),
    )


@lemma("two-boosters-as-seen", using=("meters-in-range", "levels-as-seen", "boosters-counted"))
def two_boosters_as_seen(p: Collector, s: State, t: Tally) -> Bool:
    """The level won is that of the one or two boosters seen, in their order."""
    start = first_level(p, s)
    number = total(t.game_boosters)
    one = after_booster(p, start, t.first_booster)
    two = level_after_two(p, s, t.first_booster, t.second_booster)
    return implies(
        s.phase == BONUS,
        all_of(
            implies(number == 0, s.won_level == start),
            implies(number == 1, s.won_level == one),
            implies(number == 2, s.won_level == two),
        ),
    )


@lemma("boosters-counted", using=("awards-as-seen",))
def boosters_counted(p: Collector, s: State, t: Tally) -> Bool:
    """The first and the second booster are known as soon as there are as many."""
    number = total(t.game_boosters)
    first, second = t.first_booster, t.second_booster
    return all_of(
        (times >= 0 for times in t.game_boosters),
        same(first == 0, number == 0),
        same(second == 0, number <= 1),
        first >= 0,
        second >= 0,
    )


def level_after_two(p: Collector, s: State, first: Int, second: Int) -> Int:
    """Return the level after two boosters, from the level at which the Bonus Game began."""
    return after_booster(p, after_booster(p, first_level(p, s), first), second)


def order_is_legal(p: Collector, s: State, first: Int, second: Int) -> Bool:
    """Whether two boosters may come in this order: the ways CC-28 to CC-30 write down."""
    from_the_first_level = all_of(
        first_level(p, s) == 0,
        any_of(
            all_of(first == BOOSTER, second == BOOSTER),
            all_of(first == SUPER, second == BOOSTER),
            all_of(first == SUPER, second == SUPER),
        ),
    )
    return implies(p.booster_after_booster.is_("documented-only"), from_the_first_level)


@step_property(
    "top-prize-fixed",
    ("CC-28", "CC-29", "CC-30"),
    using=("meters-in-range", "fills-as-seen"),
)
def top_prize_fixed(p: Collector, before: At, step: Step, after: At) -> Bool:
    """Whatever the boosters did, the last row shows the top prize, and pays it."""
    shown = all_of(amount == TOP_PRIZE for amount in p.row_amounts[-1])
    if not step.by(finish):
        return shown
    other_rows = total(rows_worth(p, before)[:-1])
    full = before.s.rows[-1] == p.row_boxes[-1]
    top = after.s.paid - before.s.prize_game_prize - other_rows
    return all_of(shown, top == where(full, TOP_PRIZE, 0))


# ---- The Prize Game ------------------------------------------------------------------------


@invariant("activate-fills", ("CC-33",), using=("meters-in-range", "awards-as-seen"))
def activate_fills(p: Collector, s: State, t: Tally) -> Bool:
    """Once an activation has taken effect the Prize Game Box is full."""
    return all_of(
        t.activations >= 0,
        implies(t.activations > 0, s.prize_box == p.prize_box_size),
    )


@invariant(
    "prize-surplus-ignored", ("CC-16", "CC-40"), using=("meters-in-range", "awards-as-seen")
)
def prize_surplus_ignored(p: Collector, s: State, t: Tally) -> Bool:
    """The Prize Game Box holds the symbols seen up to its size, and no more come of them."""
    return all_of(
        t.activations >= 0,
        t.prize_symbols >= 0,
        s.prize_box
        == where(
            t.activations > 0, p.prize_box_size, minimum(t.prize_symbols, p.prize_box_size)
        ),
    )


@step_property("prize-game-once", ("CC-40",), using=("prize-game-as-seen",))
def prize_game_once(p: Collector, before: At, step: Step, after: At) -> Bool:
    """The Prize Game is played once at most, and no spin of it comes after its end."""
    if step.by(prize_spin, win):
        return all_of(before.t.prize_games == 0, after.t.prize_games <= 1)
    return after.t.prize_games <= 1


@step_property("prize-game-after-main", ("CC-41",), using=("main-game-is-over",))
def prize_game_after_main(p: Collector, before: At, step: Step, after: At) -> Bool:
    """The Prize Game begins when no spin and no Bonus Game is left, and none comes after it."""
    if step.by(prize_spin, win):
        return all_of(
            before.s.spins_left == 0,
            before.s.bonus_games_owed == 0,
            before.s.phase != BONUS,
        )
    if step.by(spin, open_bonus_game, right_answer, wrong_answer):
        return before.s.phase != PRIZE
    return True


@step_property("pot-is-sum", ("CC-42", "CC-43", "CC-44"), using=("prize-game-as-seen",))
def pot_is_sum(p: Collector, before: At, step: Step, after: At) -> Bool:
    """The Prize Pot starts empty and holds every amount collected, and nothing else."""
    if step.by(prize_spin, win):
        return after.s.prize_pot == after.t.pot
    return all_of(
        after.s.prize_pot == before.s.prize_pot,
        implies(before.s.phase != PRIZE, before.s.prize_pot == 0),
    )


@step_property("doubled-once", ("CC-45",), using=("prize-game-as-seen",))
def doubled_once(p: Collector, before: At, step: Step, after: At) -> Bool:
    """WIN pays the pot and WIN X2 twice the pot, however many of them come up."""
    prize, pot = after.s.prize_game_prize, after.s.prize_pot
    if step.by(win):
        return all_of(
            implies(step.reveal.double_wins == 0, prize == pot),
            implies(step.reveal.double_wins > 0, prize == 2 * pot),
        )
    return prize == before.s.prize_game_prize


# ---- The end -------------------------------------------------------------------------------


def rows_worth(p: Collector, at: At) -> list[Int]:
    """Return what each row is worth to a bystander, in pence; 0 where it was not won."""
    s, t = at.s, at.t
    at_fill = p.valuation.is_("at-fill")
    return [
        where(have == boxes, pick(amounts, where(at_fill, seen, s.level)), 0)
        for have, boxes, amounts, seen in zip(
            s.rows, p.row_boxes, p.row_amounts, t.won_at, strict=True
        )
    ]


@step_property(
    "prize-is-sum",
    ("CC-18", "CC-45", "CC-51"),
    using=("fills-as-seen", "prize-game-as-seen"),
)
def prize_is_sum(p: Collector, before: At, step: Step, after: At) -> Bool:
    """What is paid is the sum of the filled rows and what the Prize Game won."""
    if not step.by(finish):
        return True
    seen = before.t
    won = where(seen.doubled, 2 * seen.pot, seen.pot)
    prize_game = where(seen.prize_games > 0, won, 0)
    return after.s.paid == total(rows_worth(p, before)) + prize_game


@step_property("single-prize", ("CC-50", "CC-52"), using=("unpaid-before-the-end",))
def single_prize(p: Collector, before: At, step: Step, after: At) -> Bool:
    """The prize is paid once, at the end, and nothing happens after it."""
    if step.by(finish):
        return all_of(
            before.s.phase != END,
            before.s.paid == 0,
            after.s.phase == END,
            after.t.payments == 1,
        )
    return all_of(before.s.phase != END, after.s.phase != END, after.s.paid == 0)


@invariant(
    "ends-clean",
    ("CC-19", "CC-50"),
    using=("main-game-is-over", "awards-as-seen", "right-rounds-as-seen"),
)
def ends_clean(p: Collector, s: State, t: Tally) -> Bool:
    """A Play ends only when no spin, no Bonus Game, no award and no Prize Game is owed."""
    kept = count_of(
        [s.won_spins > 0, s.won_prize_symbols > 0, s.won_activate, s.awards > 0]
        + [won > 0 for won in (*s.won_symbols, *s.won_boosters)]
    )
    return implies(
        s.phase == END,
        all_of(
            s.spins_left == 0,
            s.bonus_games_owed == 0,
            kept == 0,
            implies(s.prize_box == p.prize_box_size, s.prize_game_played),
        ),
    )


# ---- The game as a whole --------------------------------------------------------------------


choice_free = general(
    "choice-free",
    ("CC-02", "CC-26"),
    "Two Plays with the same reveals show the same prize, whatever the player chooses.",
)
deterministic = general(
    "deterministic",
    ("CC-02",),
    "Exactly one rule applies to each state a Play can reach and each reveal legal there.",
)
never_stuck = general(
    "never-stuck",
    ("CC-50",),
    "Each state a Play can reach has a legal reveal, until the Play has ended.",
    using=("meters-in-range", "main-game-is-over", "before-the-first-award"),
)
terminates = general(
    "terminates",
    ("CC-19", "CC-23", "CC-44"),
    "Every Play ends.",
    using=("meters-in-range",),
)

collects_what_it_shows = general(
    "collects-what-it-shows",
    ("CC-11", "CC-13", "CC-42", "CC-43"),
    "Whatever a spin collects, a grid can show it: exactly that wears the wheel's colour.",
)
keeps_what_it_leaves = general(
    "keeps-what-it-leaves",
    ("CC-17", "CC-43"),
    "Every other square of that grid keeps what it holds until it is collected.",
)

LIMITS = (
    Limit(
        "extra-spins",
        ("CC-27",),
        "extra spins that take effect",
        lambda p, s, step: s.won_spins if step.by(wrong_answer) else 0,
        most=6,
    ),
    Limit(
        "right-answers",
        ("CC-23",),
        "right answers in one Bonus Game",
        lambda p, s, step: 1 if step.by(right_answer) else 0,
        most=3,
        renewed=(open_bonus_game.id,),
    ),
    Limit(
        "prize-spins",
        ("CC-44",),
        "spins of the Prize Game without WIN",
        lambda p, s, step: 1 if step.by(prize_spin) else 0,
        most=3,
    ),
)
"""What makes a Play longer, without an end that the Procedures state."""

COLOUR_COLLECTOR = Game(
    id="colour-collector",
    title="Colour Collector",
    about="Six spins of a colour wheel fill a prize table; a Bonus Game and a Prize Game.",
    setting=Collector(),
    state=State,
    tally=Tally,
    initial=initial,
    begins=("CC-10",),
    observe=observe,
    rules=RULES,
    properties=(
        single_prize,
        prize_is_sum,
        row_pays_once,
        own_row_only,
        filled_never_lost,
        overflow_carries,
        award_exact,
        wrong_parity_awards_nothing,
        awards_balance,
        sub_game_earned,
        no_spin_while_game_owed,
        prize_game_once,
        prize_game_after_main,
        prize_surplus_ignored,
        boosters_cap,
        boosters_never_lower,
        boosters_any_order,
        top_prize_fixed,
        pot_is_sum,
        doubled_once,
        activate_fills,
        spins_balance,
        meters_in_range,
        ends_clean,
        choice_free,
        deterministic,
        never_stuck,
        terminates,
        collects_what_it_shows,
        keeps_what_it_leaves,
        unpaid_before_the_end,
        main_game_is_over,
        rows_as_seen,
        fills_as_seen,
        awards_as_seen,
        levels_as_seen,
        bonus_symbols_balance,
        prize_game_as_seen,
        right_rounds_as_seen,
        no_award_no_level,
        two_boosters_as_seen,
        boosters_counted,
        before_the_first_award,
    ),
    promises=PROMISES,
    goal=GOAL,
    reachable=REACHABLE,
    witnesses=(wrong, right),
    limits=LIMITS,
    views=VIEWS,
    layer=GRID_LAYER,
    drawing=DRAWING,
)
