"""Colour Collector, as its Procedures tell it.

A Play starts with six spins. A spin lands on a colour and collects every symbol wearing it:
shapes fill the rows of the Prize Table, bonus symbols earn plays of the Bonus Game, and six
prize-game symbols earn the one play of the Prize Game, which comes last.

Read from the top: what is stated, what is left open, what the screen shows, what may be
revealed, and the rules in playing order. What holds of all this is in
``colour_collector_properties``. Ids such as CC-13 are entries of the clause register.
Money is in pence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from .algebra import (
    Bool,
    Int,
    all_of,
    any_of,
    implies,
    maximum,
    minimum,
    negate,
    pick,
    same,
    total,
    where,
)
from .mechanics import capped, crossed, fill, meter
from .setting import Choice, Setting, figure, parameter, parameters_of, reading
from .shape import count, counts, flag, flags
from .system import Goal, Nothing, Reveal, promise, reachable, rule

__all__ = ["GOAL", "PROMISES", "REACHABLE", "RULES", "Collector", "State", "initial"]

# Phases of a Play.
MAIN, BONUS, PRIZE, END = range(4)

# Kinds of Bonus Prize, in the order in which the Procedures list them; 0 is none.
EXTRA_SPINS, BOOSTER, SUPER, MEGA, FEW, MANY, PRIZE_SYMBOLS, ACTIVATE = KINDS = range(1, 9)


# ---- What the Procedures state, and what they leave open -----------------------------------


@dataclass(frozen=True)
class Collector(Setting):
    """What Colour Collector states and leaves open."""

    price: int = figure(500, "the price of a Play, in pence", "CC-01")
    overall_odds: int = figure(277, "x in 1 in x for any prize, in hundredths", "CC-01")
    payout: int = figure(7350, "expected payout, in hundredths of a percent", "CC-01")
    spins: int = figure(6, "spins at the start of a Play", "CC-10")
    colours: int = figure(6, "colours a symbol may wear", "CC-11")
    wheel_segments: int = figure(6, "segments of the colour wheel", "CC-12")
    start_segments: tuple[str, ...] = figure(
        ("1", "2", "3"), "segments of the colour wheel on show at the start", "CC-12"
    )
    start_colour: int = figure(1, "the colour at the pointer at the start: orange", "CC-12")
    bonus_box_size: int = figure(6, "bonus symbols that unlock the Bonus Game", "CC-15")
    prize_box_size: int = figure(6, "prize-game symbols that unlock the Prize Game", "CC-16")
    rows: tuple[str, ...] = figure(
        ("1", "2", "3", "4", "5", "6", "7"), "rows of the Prize Table, least first", "CC-11"
    )
    amounts: tuple[tuple[int, ...], ...] = figure(
        (
            (5_00, 6_00, 8_00, 10_00),
            (7_00, 8_00, 10_00, 15_00),
            (10_00, 12_00, 20_00, 30_00),
            (20_00, 25_00, 30_00, 50_00),
            (50_00, 75_00, 100_00, 250_00),
            (500_00, 750_00, 1_000_00, 2_000_00),
            (1_000_000_00, 1_000_000_00, 1_000_000_00, 1_000_000_00),
        ),
        "what each row pays at each level of the Prize Table, in pence; the top prize is last",
        "CC-28",
    )
    top_level: int = figure(3, "the highest level of the Prize Table", "CC-30")
    boosters: tuple[str, ...] = figure(
        ("prize", "super", "mega"), "kinds of Prize Booster", "CC-28"
    )
    shown: tuple[str, ...] = figure(
        ("1", "2", "3", "4", "5", "6", "7"), "Bonus Prizes on show in a Bonus Game", "CC-22"
    )
    reel: int = figure(12, "the highest number of the Bonus Reel", "CC-22")
    extra_spins_most: int = figure(3, "most spins that one Bonus Prize adds", "CC-27")
    prize_symbols_most: int = figure(3, "most symbols one Bonus Prize adds to the box", "CC-32")
    prize_tags: tuple[str, ...] = figure(
        tuple(str(tag) for tag in range(1, 22)),
        "the different amounts on the Prize Game grid",
        "CC-42",
        open_=True,
    )
    table: tuple[int, ...] = figure(
        tuple(
            pounds * 100
            for pounds in (
                5, 6, 7, 8, 10, 12, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28,
                30, 32, 33, 35, 37, 38, 40, 42, 45, 47, 50, 52, 55, 60, 65, 70, 72, 75, 80, 85,
                90, 95, 100, 110, 115, 120, 125, 130, 150, 200, 250, 500, 750, 1_000, 1_500,
                2_000, 2_500, 5_000, 1_000_000,
            )
        ),
        "the Prize Amounts of the prize table, in pence",
        "CC-51",
    )  # fmt: skip

    row_boxes: Sequence[Int] = parameter(
        "boxes in each row of the Prize Table", 1, 25, over="rows", clauses=("CC-14", "CC-18")
    )
    grid: Int = parameter(
        "squares of the grid, in the Main Game and in the Prize Game",
        9,
        49,
        clauses=("CC-11", "CC-42"),
    )
    prize_amounts: Sequence[Int] = parameter(
        "an amount on the Prize Game grid",
        1,
        over="prize_tags",
        unit="pence",
        clauses=("CC-42",),
    )
    few_least: Int = parameter(
        "least symbols of the first symbol award", 4, 12, clauses=("CC-31",)
    )
    few_most: Int = parameter(
        "most symbols of the first symbol award", 4, 12, clauses=("CC-31",)
    )
    many_least: Int = parameter(
        "least symbols of the second symbol award", 4, 12, clauses=("CC-31",)
    )
    many_most: Int = parameter(
        "most symbols of the second symbol award", 4, 12, clauses=("CC-31",)
    )

    valuation: Choice = reading(
        "what a row pays that was filled before a booster",
        ("CC-18", "CC-28", "CC-29", "CC-30"),
        at_end="its amount when the Play ends",
        at_fill="its amount when its last box was filled",
    )
    row_surplus: Choice = reading(
        "symbols beyond a row's boxes",
        ("CC-14", "CC-31"),
        dropped="they count for nothing",
        impossible="there are never more symbols than the row has room for",
    )
    bonus_surplus: Choice = reading(
        "one spin that takes the Bonus Game Box to twice its size or more",
        ("CC-20", "CC-21"),
        queued="each full box is one play of the Bonus Game, played one after the other",
        impossible="no spin collects that many",
    )
    booster_after_booster: Choice = reading(
        "what a booster does after another one",
        ("CC-28", "CC-29", "CC-30"),
        levels_add="Prize raises one level, Super two, Mega to the top, never above it",
        at_least="Prize raises one level, Super lifts to level 2 or by one, Mega to the top",
        documented_only="only the orders that are written down occur",
    )
    booster_scope: Choice = reading(
        "whether boosters of an earlier Bonus Game count as earlier ones",
        ("CC-28", "CC-29"),
        whole_play="they do: levels go on from where the Prize Table stands",
        one_bonus_game="they do not: each Bonus Game counts again, and amounts never fall",
    )
    first_round: Choice = reading(
        "the first round of a Bonus Game",
        ("CC-24",),
        any="it may be wrong, awarding nothing",
        right="it is always right",
    )
    award_order: Choice = reading(
        "the order in which awards of one Bonus Game take effect",
        ("CC-25",),
        as_won="as they were won",
        as_listed="as the Procedures list them",
    )
    win_with_double: Choice = reading(
        "WIN and WIN X2 that wear the wheel's colour together",
        ("CC-44", "CC-45"),
        doubled="the pot is doubled, once",
        impossible="it does not occur",
    )
    pot_with_win: Choice = reading(
        "amounts that wear the colour which ends the Prize Game",
        ("CC-43", "CC-44"),
        included="they go into the pot first",
        excluded="they are not collected",
    )
    spent_award: Choice = reading(
        "a Bonus Prize for the Prize Game Box when that is full already",
        ("CC-32", "CC-33"),
        no_effect="it counts for nothing",
        impossible="it is never awarded",
    )
    same_bonus_prize_again: Choice = reading(
        "one Bonus Prize highlighted again in the same Bonus Game",
        ("CC-22", "CC-23"),
        allowed="it is awarded again",
        once="each of those on show is awarded once at most",
    )

    def constraint(self) -> Bool:
        """No range of symbols is empty: least symbols of an award are no more than most."""
        return all_of(
            self.few_least <= self.few_most,
            self.many_least <= self.many_most,
        )

    @property
    def squares(self) -> tuple[str, ...]:
        """The squares of the grid, as many as there may be where that is left open."""
        known = isinstance(self.grid, int)
        size = self.grid if known else parameters_of(self)["grid"].high
        return tuple(str(number) for number in range(1, cast("int", size) + 1))

    @property
    def last_symbol(self) -> int:
        """Number of the prize-game symbol: the shapes count from 1, then the bonus symbol."""
        return len(self.rows) + 2

    @property
    def on_show(self) -> int:
        """How many Bonus Prizes are on show."""
        return len(self.shown)

    @property
    def row_amounts(self) -> tuple[tuple[int, ...], ...]:
        """The amounts by level of each row there is; fewer rows still end in the top prize."""
        return (*self.amounts[: len(self.rows) - 1], self.amounts[-1])


# ---- What the screen shows -----------------------------------------------------------------


@dataclass(frozen=True)
class State:
    """What the screen shows, and what has been won but has not yet taken effect."""

    phase: Int = count("0 Main Game, 1 Bonus Game, 2 Prize Game, 3 the end", 0, 3)
    spins_left: Int = count("Spins Left")
    rows: Sequence[Int] = counts("filled boxes of a row", "rows")
    filled_at: Sequence[Int] = counts(
        "the level at which a full row was filled", "rows", 0, "top_level"
    )
    bonus_box: Int = count("symbols in the Bonus Game Box")
    bonus_games_owed: Int = count("plays of the Bonus Game unlocked and not begun")
    prize_box: Int = count("symbols in the Prize Game Box", 0, "prize_box_size")
    level: Int = count("the level of the Prize Table", 0, "top_level")
    by_super: Bool = flag("whether one Super Prize Booster led to the level")

    # A Bonus Game: what is on show, and what was won in it so far.
    shown_kinds: Sequence[Int] = counts("kind of a Bonus Prize on show, 0 none", "shown", 0, 8)
    shown_numbers: Sequence[Int] = counts("number of a Bonus Prize on show", "shown")
    awarded: Sequence[Bool] = flags("whether a Bonus Prize on show was awarded", "shown")
    awards: Int = count("Bonus Prizes won in this Bonus Game")
    won_spins: Int = count("extra spins won in it")
    won_boosters: Sequence[Int] = counts("Prize Boosters won in it, by kind", "boosters")
    won_level: Int = count("the level its boosters lead to as they were won", 0, "top_level")
    won_by_super: Bool = flag("whether one Super Prize Booster led to that level")
    won_symbols: Sequence[Int] = counts("symbols for a row won in it", "rows")
    won_filled_at: Sequence[Int] = counts(
        "the level at which a row is filled by them as won", "rows", 0, "top_level"
    )
    won_prize_symbols: Int = count("prize-game symbols won in it")
    won_activate: Bool = flag("whether the Prize Game was activated in it")

    prize_pot: Int = count("the Prize Pot", unit="pence")
    prize_game_prize: Int = count("what the Prize Game paid", unit="pence")
    prize_game_played: Bool = flag("whether the Prize Game is over")
    paid: Int = count("the Prize Amount paid", unit="pence")


def initial(p: Collector) -> State:
    """A Play starts with all its spins, every box empty and every amount as printed."""
    rows, shown = [0] * len(p.rows), [0] * len(p.shown)
    return State(
        phase=MAIN, spins_left=p.spins, rows=rows, filled_at=rows, bonus_box=0,
        bonus_games_owed=0, prize_box=0, level=0, by_super=False, shown_kinds=shown,
        shown_numbers=shown, awarded=[False] * len(p.shown), awards=0, won_spins=0,
        won_boosters=[0] * len(p.boosters), won_level=0, won_by_super=False, won_symbols=rows,
        won_filled_at=rows, won_prize_symbols=0, won_activate=False, prize_pot=0,
        prize_game_prize=0, prize_game_played=False, paid=0,
    )  # fmt: skip


def row_values(p: Collector, s: State) -> list[Int]:
    """Return what each row pays as things stand (CC-18), in pence; 0 where it is not full."""
    at_fill = p.valuation.is_("at-fill")
    return [
        where(have == boxes, pick(amounts, where(at_fill, filled_at, s.level)), 0)
        for have, boxes, amounts, filled_at in zip(
            s.rows, p.row_boxes, p.row_amounts, s.filled_at, strict=True
        )
    ]


def main_over(s: State) -> Bool:
    """Whether no spin and no Bonus Game is left (CC-19, CC-50)."""
    between_games = any_of(s.phase == MAIN, s.phase == PRIZE)
    return all_of(between_games, s.spins_left == 0, s.bonus_games_owed == 0)


def prize_game_due(p: Collector, s: State) -> Bool:
    """Whether the Prize Game is unlocked and not over (CC-40)."""
    return all_of(s.prize_box == p.prize_box_size, negate(s.prize_game_played))


# ---- The Main Game -------------------------------------------------------------------------


@dataclass(frozen=True)
class Spin(Reveal):
    """How many symbols of each sort wear the colour of the wheel."""

    symbols: Sequence[Int] = counts("shapes of a row collected", "rows")
    bonus_symbols: Int = count("bonus symbols collected")
    prize_symbols: Int = count("prize-game symbols collected")

    def legal(self, p: Collector, s: State) -> Bool:
        collected = total([*self.symbols, self.bonus_symbols, self.prize_symbols])
        box_stays_below_two = s.bonus_box + self.bonus_symbols < 2 * p.bonus_box_size
        return all_of(
            collected <= p.grid,
            implies(p.row_surplus.is_("impossible"), fits(p, s, self.symbols)),
            implies(p.bonus_surplus.is_("impossible"), box_stays_below_two),
        )


def fits(p: Collector, s: State, symbols: Sequence[Int]) -> Bool:
    """Whether the rows have room for symbols, those won but not yet in effect counted."""
    return all_of(
        have + won + got <= boxes
        for have, won, got, boxes in zip(
            s.rows, s.won_symbols, symbols, p.row_boxes, strict=True
        )
    )


def with_symbols(
    p: Collector, s: State, symbols: Sequence[Int], levels: Sequence[Int]
) -> State:
    """Return the state after the rows got symbols; a row that is filled is so at its level."""
    rows = [
        fill(have, got, boxes)
        for have, got, boxes in zip(s.rows, symbols, p.row_boxes, strict=True)
    ]
    return replace(
        s,
        rows=[row.holds for row in rows],
        filled_at=[
            where(row.completed, level, before)
            for row, level, before in zip(rows, levels, s.filled_at, strict=True)
        ],
    )


@rule(
    reveal=Spin,
    clauses=("CC-11", "CC-13", "CC-14", "CC-15", "CC-16", "CC-17", "CC-20", "CC-21", "CC-40"),
    when=lambda p, s, r: all_of(s.phase == MAIN, s.bonus_games_owed == 0, s.spins_left > 0),
)
def spin(p: Collector, s: State, r: Spin) -> State:
    """A spin costs one of Spins Left and collects every symbol of its colour.

    The grid is filled and coloured anew, so the next spin may reveal anything.
    """
    bonus = meter(s.bonus_box + r.bonus_symbols, p.bonus_box_size)
    return replace(
        with_symbols(p, s, r.symbols, [s.level for _ in p.rows]),
        spins_left=s.spins_left - 1,
        bonus_box=bonus.left_over,
        bonus_games_owed=s.bonus_games_owed + bonus.unlocked,
        prize_box=minimum(s.prize_box + r.prize_symbols, p.prize_box_size),
    )


# ---- The Bonus Game ------------------------------------------------------------------------


@dataclass(frozen=True)
class Panel(Reveal):
    """The Bonus Prizes on show; which of them come up is not decided by it."""

    kinds: Sequence[Int] = counts("kind of a Bonus Prize", "shown", 1, 8)
    numbers: Sequence[Int] = counts("how many of it", "shown", 1)

    def legal(self, p: Collector, s: State) -> Bool:
        on_show = list(zip(self.kinds, self.numbers, strict=True))
        fresh = opened(p, s, self)
        return all_of(
            (in_range(p, kind, number) for kind, number in on_show),
            # Where the first round is always right, there is something to win in it.
            implies(
                p.first_round.is_("right"),
                any_of(
                    all_of(may_be_won(p, fresh, kind), room_for(p, fresh, kind, number))
                    for kind, number in on_show
                ),
            ),
        )


def in_range(p: Collector, kind: Int, number: Int) -> Bool:
    """Whether a Bonus Prize of this kind may have this number (CC-27 to CC-33)."""
    least = where(kind == FEW, p.few_least, where(kind == MANY, p.many_least, 1))
    most = where(
        kind == EXTRA_SPINS,
        p.extra_spins_most,
        where(
            kind == PRIZE_SYMBOLS,
            p.prize_symbols_most,
            where(kind == FEW, p.few_most, where(kind == MANY, p.many_most, 1)),
        ),
    )
    return all_of(least <= number, number <= most)


def opened(p: Collector, s: State, panel: Panel) -> State:
    """Return the state in which a Bonus Game has begun and nothing is won in it."""
    again = p.booster_scope.is_("one-bonus-game")
    return replace(
        s,
        phase=BONUS,
        shown_kinds=panel.kinds,
        shown_numbers=panel.numbers,
        won_level=where(again, 0, s.level),
        won_by_super=where(again, False, s.by_super),
    )


@rule(
    reveal=Panel,
    clauses=("CC-20", "CC-21", "CC-22"),
    when=lambda p, s, r: all_of(s.phase == MAIN, s.bonus_games_owed > 0),
)
def open_bonus_game(p: Collector, s: State, r: Panel) -> State:
    """A Bonus Game that is owed begins: its Bonus Prizes are on show."""
    return replace(opened(p, s, r), bonus_games_owed=s.bonus_games_owed - 1)


@dataclass(frozen=True)
class Round(Reveal):
    """The number and the highlighted Bonus Prize of one round, whichever parity is picked.

    What comes up may differ with the pick, but not whether the pick is right.
    """

    picked_odd: Bool = flag("whether odd was picked, not even", choice=True)
    number_if_odd: Int = count("the number shown where odd is picked", 1, "reel")
    number_if_even: Int = count("the number shown where even is picked", 1, "reel")
    box: Int = count("which Bonus Prize on show is highlighted", 1, "on_show")
    symbols: Sequence[Int] = counts("symbols for a row, where a symbol award is won", "rows")

    def legal(self, p: Collector, s: State) -> Bool:
        right = self.right(p)
        kind, number = highlighted(s, self)
        awards_symbols = all_of(right, any_of(kind == FEW, kind == MANY))
        again = any_of(
            all_of(self.box == box, awarded) for box, awarded in enumerate(s.awarded, start=1)
        )
        return all_of(
            same(right, negate(odd(p, self.number_if_even))),
            total(self.symbols) == where(awards_symbols, number, 0),
            implies(p.first_round.is_("right"), any_of(right, s.awards > 0)),
            implies(
                right,
                all_of(
                    may_be_won(p, s, kind),
                    implies(p.row_surplus.is_("impossible"), fits(p, s, self.symbols)),
                    implies(p.same_bonus_prize_again.is_("once"), negate(again)),
                ),
            ),
        )

    def right(self, p: Collector) -> Bool:
        """Whether the pick is right: legal rounds are so for both picks, or for neither."""
        return odd(p, self.number_if_odd)


def odd(p: Collector, number: Int) -> Bool:
    """Whether a number of the Bonus Reel is odd."""
    return any_of(number == one for one in range(1, p.reel + 1, 2))


def highlighted(s: State, r: Round) -> tuple[Int, Int]:
    """Return the kind and the number of the Bonus Prize that comes up."""
    return pick(s.shown_kinds, r.box, first=1), pick(s.shown_numbers, r.box, first=1)


def may_be_won(p: Collector, s: State, kind: Int) -> Bool:
    """Whether a kind may be won now, awards not yet in effect counted."""
    for_prize_box = any_of(kind == PRIZE_SYMBOLS, kind == ACTIVATE)
    box_full = any_of(s.won_activate, s.prize_box + s.won_prize_symbols >= p.prize_box_size)
    return all_of(
        implies(p.booster_after_booster.is_("documented-only"), documented(p, s, kind)),
        implies(p.spent_award.is_("impossible"), negate(all_of(for_prize_box, box_full))),
    )


def documented(p: Collector, s: State, kind: Int) -> Bool:
    """Whether the Procedures write down a booster after those so far (CC-28 to CC-30).

    Boosters that take effect as listed are in order only if they were won in that order.
    """
    after_super = all_of(s.won_level == 2, s.won_by_super)
    _, super_, mega = s.won_boosters
    as_listed = p.award_order.is_("as-listed")
    return all_of(
        implies(
            kind == BOOSTER,
            all_of(
                any_of(s.won_level <= 1, after_super),
                implies(as_listed, all_of(super_ == 0, mega == 0)),
            ),
        ),
        implies(
            kind == SUPER,
            all_of(
                any_of(s.won_level == 0, after_super),
                implies(as_listed, mega == 0),
            ),
        ),
        implies(kind == MEGA, s.won_level == 0),
    )


def room_for(p: Collector, s: State, kind: Int, number: Int) -> Bool:
    """Whether the rows can take a symbol award, where they must."""
    room = total(
        boxes - have - won
        for boxes, have, won in zip(p.row_boxes, s.rows, s.won_symbols, strict=True)
    )
    return implies(
        all_of(p.row_surplus.is_("impossible"), any_of(kind == FEW, kind == MANY)),
        number <= room,
    )


@rule(
    reveal=Round,
    clauses=(
        "CC-02", "CC-22", "CC-23", "CC-25", "CC-26", "CC-27", "CC-28", "CC-29", "CC-30",
        "CC-31", "CC-32", "CC-33",
    ),
    when=lambda p, s, r: all_of(s.phase == BONUS, r.right(p)),
)  # fmt: skip
def right_answer(p: Collector, s: State, r: Round) -> State:
    """The parity is right: the highlighted Bonus Prize is won, and play goes on."""
    kind, number = highlighted(s, r)
    level = raised(p, s.won_level, kind)
    now = maximum(s.level, s.won_level)
    return replace(
        s,
        awarded=[
            any_of(awarded, r.box == box) for box, awarded in enumerate(s.awarded, start=1)
        ],
        awards=s.awards + 1,
        won_spins=s.won_spins + where(kind == EXTRA_SPINS, number, 0),
        won_boosters=[
            won + where(kind == booster, 1, 0)
            for won, booster in zip(s.won_boosters, (BOOSTER, SUPER, MEGA), strict=True)
        ],
        won_level=level,
        won_by_super=where(
            kind == SUPER,
            s.won_level == 0,
            all_of(s.won_by_super, kind != BOOSTER, kind != MEGA),
        ),
        won_symbols=[won + got for won, got in zip(s.won_symbols, r.symbols, strict=True)],
        won_filled_at=[
            where(crossed(have + won, have + won + got, boxes), now, before)
            for have, won, got, boxes, before in zip(
                s.rows, s.won_symbols, r.symbols, p.row_boxes, s.won_filled_at, strict=True
            )
        ],
        won_prize_symbols=s.won_prize_symbols + where(kind == PRIZE_SYMBOLS, number, 0),
        won_activate=any_of(s.won_activate, kind == ACTIVATE),
    )


def raised(p: Collector, level: Int, kind: Int) -> Int:
    """Return the level after a Bonus Prize of any kind (CC-28 to CC-30)."""
    lifts_to_two = all_of(p.booster_after_booster.is_("at-least"), level > 0)
    by = where(
        kind == BOOSTER,
        1,
        where(kind == SUPER, where(lifts_to_two, 1, 2), where(kind == MEGA, p.top_level, 0)),
    )
    return capped(level, by, p.top_level)


def raised_as_listed(p: Collector, level: Int, boosters: Sequence[Int]) -> Int:
    """Return the level after a Bonus Game's boosters: Prize first, then Super, then Mega."""
    prize, super_, mega = boosters
    after_prize = capped(level, prize, p.top_level)
    at_least = all_of(p.booster_after_booster.is_("at-least"), after_prize > 0)
    by_super = where(super_ == 0, 0, where(at_least, super_, super_ + 1))
    after_super = capped(after_prize, by_super, p.top_level)
    return where(mega > 0, p.top_level, after_super)


@rule(
    reveal=Round,
    clauses=(
        "CC-02", "CC-21", "CC-24", "CC-25", "CC-26", "CC-27", "CC-28", "CC-29", "CC-30",
        "CC-31", "CC-32", "CC-33",
    ),
    when=lambda p, s, r: all_of(s.phase == BONUS, negate(r.right(p))),
)  # fmt: skip
def wrong_answer(p: Collector, s: State, r: Round) -> State:
    """The parity is wrong: the Bonus Game ends, and what was won in it takes effect."""
    as_won = p.award_order.is_("as-won")
    first = where(p.booster_scope.is_("one-bonus-game"), 0, s.level)
    reached = where(as_won, s.won_level, raised_as_listed(p, first, s.won_boosters))
    level = maximum(s.level, reached)
    levels = [where(as_won, at, level) for at in s.won_filled_at]
    prize_box = minimum(s.prize_box + s.won_prize_symbols, p.prize_box_size)
    start = initial(p)
    return replace(
        with_symbols(p, s, s.won_symbols, levels),
        phase=MAIN,
        spins_left=s.spins_left + s.won_spins,
        level=level,
        by_super=s.won_by_super,
        prize_box=where(s.won_activate, p.prize_box_size, prize_box),
        shown_kinds=start.shown_kinds,
        shown_numbers=start.shown_numbers,
        awarded=start.awarded,
        awards=0,
        won_spins=0,
        won_boosters=start.won_boosters,
        won_level=0,
        won_by_super=False,
        won_symbols=start.won_symbols,
        won_filled_at=start.won_filled_at,
        won_prize_symbols=0,
        won_activate=False,
    )


# ---- The Prize Game ------------------------------------------------------------------------


@dataclass(frozen=True)
class PrizeSpin(Reveal):
    """What wears the colour of the wheel in the Prize Game."""

    amounts: Sequence[Int] = counts("squares of this amount", "prize_tags")
    wins: Int = count("WIN symbols")
    double_wins: Int = count("WIN X2 symbols")

    def legal(self, p: Collector, s: State) -> Bool:
        both = all_of(self.wins > 0, self.double_wins > 0)
        squares = total([*self.amounts, self.wins, self.double_wins])
        return all_of(
            squares <= p.grid,
            # There is a WIN or WIN X2 on the grid, if not among what came up (CC-42).
            any_of(self.ends(), squares < p.grid),
            implies(p.win_with_double.is_("impossible"), negate(both)),
        )

    def ends(self) -> Bool:
        """Whether a WIN or WIN X2 came up."""
        return any_of(self.wins > 0, self.double_wins > 0)

    def collected(self, p: Collector) -> Int:
        """The sum of the amounts that came up, in pence."""
        pairs = zip(self.amounts, p.prize_amounts, strict=True)
        return total(squares * amount for squares, amount in pairs)


@rule(
    reveal=PrizeSpin,
    clauses=("CC-41", "CC-42", "CC-43", "CC-44"),
    when=lambda p, s, r: all_of(main_over(s), prize_game_due(p, s), negate(r.ends())),
)
def prize_spin(p: Collector, s: State, r: PrizeSpin) -> State:
    """A spin of the Prize Game collects every amount of its colour into the Prize Pot."""
    return replace(s, phase=PRIZE, prize_pot=s.prize_pot + r.collected(p))


@rule(
    reveal=PrizeSpin,
    clauses=("CC-40", "CC-41", "CC-43", "CC-44", "CC-45"),
    when=lambda p, s, r: all_of(main_over(s), prize_game_due(p, s), r.ends()),
)
def win(p: Collector, s: State, r: PrizeSpin) -> State:
    """A WIN ends the Prize Game and pays the pot; a WIN X2 pays twice the pot."""
    last = where(p.pot_with_win.is_("included"), r.collected(p), 0)
    pot = s.prize_pot + last
    return replace(
        s,
        phase=PRIZE,
        prize_pot=pot,
        prize_game_prize=where(r.double_wins > 0, pot + pot, pot),
        prize_game_played=True,
    )


# ---- The end -------------------------------------------------------------------------------


@rule(
    reveal=Nothing,
    clauses=("CC-18", "CC-19", "CC-50", "CC-51", "CC-52"),
    when=lambda p, s, r: all_of(main_over(s), negate(prize_game_due(p, s))),
)
def finish(p: Collector, s: State, r: Nothing) -> State:
    """Nothing is owed any more: the Play ends and pays its rows and the Prize Game."""
    return replace(s, phase=END, paid=total(row_values(p, s)) + s.prize_game_prize)


RULES = (spin, open_bonus_game, right_answer, wrong_answer, prize_spin, win, finish)


# ---- What scripts aim at, and what they must keep ------------------------------------------


def parts(p: Collector, s: State) -> Mapping[str, Int]:
    """Return what each row and the Prize Game contributed to an ended Play, in pence."""
    over = s.phase == END
    rows = {
        f"row-{label}": where(over, value, 0)
        for label, value in zip(p.rows, row_values(p, s), strict=True)
    }
    return {**rows, "Prize Game": where(over, s.prize_game_prize, 0)}


GOAL = Goal(
    ended=lambda p, s: s.phase == END,
    paid=lambda p, s: s.paid,
    parts=parts,
    named=("Prize Game",),
)


@reachable("row-NN-reachable", ("CC-51", "CC-52"))
def rows_reachable(p: Collector, rows: int) -> Mapping[str, tuple[str, ...]]:
    """Some Play wins what a row of the prize table says, by amount and by breakdown."""
    return {f"row-{number:02}-reachable": (f"row {number}",) for number in range(1, rows + 1)}


@promise("prize-game-wins", ("CC-46",))
def prize_game_wins(p: Collector, s: State, t: object) -> Bool:
    """A Prize Game that was played won something."""
    return implies(s.prize_game_played, s.prize_game_prize > 0)


@promise("prize-in-table", ("CC-51", "CC-52"))
def prize_in_table(p: Collector, s: State, t: object) -> Bool:
    """What was paid, unless it is nothing, is one of the amounts of the prize table."""
    return any_of(s.paid == 0, (s.paid == amount for amount in p.table))


PROMISES = (prize_game_wins, prize_in_table)
REACHABLE = (rows_reachable,)
