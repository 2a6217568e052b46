"""What Colour Collector's screen shows: the grid, the Bonus Prizes, the Prize Game's grid.

Colours are numbered; 1 is orange, the one colour that the Procedures name. In the grid shapes
are 1 to 7, in the order of the Prize Table; then come the bonus and the prize-game symbol. A
square of the Prize Game holds an amount, in pence, or a WIN (1) or WIN X2 (2).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isqrt
from typing import Any, Self, cast

from .algebra import Bool, Int, all_of, any_of, negate, pick, total, where
from .colour_collector import (
    Collector,
    Panel,
    PrizeSpin,
    Round,
    Spin,
    State,
    open_bonus_game,
    prize_spin,
    right_answer,
    spin,
    win,
    wrong_answer,
)
from .mechanics import count_each, dealt
from .money import pounds
from .screen import START, Need, Screen, Taste, View
from .shape import count, counts
from .system import Nothing

__all__ = ["VIEWS", "Answer", "Boxes", "Grid", "PrizeGrid", "Wheel"]

WIN, WIN_X2 = 1, 2


@dataclass(frozen=True)
class Wheel(Screen):
    """The colour wheel as a Play starts."""

    pointer: Int = count("colour at the pointer; 1 is orange", 1, "colours")
    segments: Sequence[Int] = counts(
        "colour of a segment on show", "start_segments", 1, "colours"
    )

    def counted(self, rule: str, p: Collector, s: State) -> Nothing:
        return Nothing()

    def needs(self, rule: str, p: Collector, s: State) -> Sequence[Need]:
        apart = (
            one != other for n, one in enumerate(self.segments) for other in self.segments[:n]
        )
        there = any_of(one == self.pointer for one in self.segments)
        orange = self.pointer == p.start_colour
        return (
            Need("pointer", orange, "the pointer starts at orange", ("CC-12",)),
            Need("segments", all_of(apart), "each segment has a colour of its own", ("CC-12",)),
            Need("segments", there, "the pointer's colour is on show", ("CC-12",)),
        )

    @classmethod
    def made(
        cls,
        rule: str,
        p: Collector,
        s: State,
        reveal: Any,
        following: Self | None,
        taste: Taste,
    ) -> Self:
        others = [n for n in range(1, p.colours + 1) if n != p.start_colour]
        shown = [others[place] for place in taste.order(len(others))]
        segments = [p.start_colour, *shown][: len(p.start_segments)]
        return cls(p.start_colour, [segments[n] for n in taste.order(len(segments))])


@dataclass(frozen=True)
class Grid(Screen):
    """The grid before a spin, and the colour the wheel stops at."""

    symbols: Sequence[Int] = counts(
        "symbol in a square: a shape, by row; then the bonus and the prize-game symbol",
        "squares",
        1,
        "last_symbol",
    )
    colours: Sequence[Int] = counts("colour it wears; 1 is orange", "squares", 1, "colours")
    wheel: Int = count("colour the wheel stops at", 1, "colours")

    def counted(self, rule: str, p: Collector, s: State) -> Spin:
        worn = all_collected(self.symbols, self)
        *symbols, bonus, prize = count_each(worn, range(1, p.last_symbol + 1))
        return Spin(symbols, bonus, prize)

    def kept(self, rule: str, p: Collector, s: State, earlier: Self | None) -> Self:
        """What was not collected keeps its symbol; collected squares and colours are new."""
        if earlier is None:
            return self
        return replace(self, symbols=all_left(earlier.symbols, self.symbols, earlier))

    @classmethod
    def made(
        cls,
        rule: str,
        p: Collector,
        s: State,
        reveal: Spin,
        following: Self | None,
        taste: Taste,
    ) -> Self:
        """Lay what is collected into squares; the others hold what they will hold next."""
        size = len(p.squares)
        numbers = [*reveal.symbols, reveal.bonus_symbols, reveal.prize_symbols]
        laid = in_order(dealt(numbers, size), taste.order(size))
        any_symbol = range(1, p.last_symbol + 1)
        stays = following.symbols if following else [taste.one_of(any_symbol) for _ in laid]
        symbols = [holds(kind, rest) for kind, rest in zip(laid, stays, strict=True)]
        colours, wheel = coloured(p, laid, taste)
        return cls(symbols, colours, wheel)

    def picture(self, p: Collector) -> Sequence[str]:
        """Shapes by row, B and P, each with its colour; what is collected in brackets."""
        names = (*p.rows, "B", "P")
        return squared([names[cast("int", one) - 1] for one in self.symbols], self)


@dataclass(frozen=True)
class Boxes(Screen):
    """The Bonus Prizes on show as a Bonus Game begins."""

    kinds: Sequence[Int] = counts("kind of a Bonus Prize on show", "shown", 1, 8)
    numbers: Sequence[Int] = counts("how many of it", "shown", 1)

    def counted(self, rule: str, p: Collector, s: State) -> Panel:
        return Panel(self.kinds, self.numbers)

    @classmethod
    def made(
        cls,
        rule: str,
        p: Collector,
        s: State,
        reveal: Panel,
        following: Self | None,
        taste: Taste,
    ) -> Self:
        return cls(reveal.kinds, reveal.numbers)


@dataclass(frozen=True)
class Answer(Screen):
    """A round of the Bonus Game: the reel for either pick, and what is highlighted."""

    kinds: Sequence[Int] = counts("kind of a Bonus Prize on show", "shown", 1, 8)
    numbers: Sequence[Int] = counts("how many of it", "shown", 1)
    highlighted: Int = count("which Bonus Prize on show is highlighted", 1, "on_show")
    reel_if_odd: Int = count("number on the reel where odd is picked", 1, "reel")
    reel_if_even: Int = count("number on the reel where even is picked", 1, "reel")
    symbols: Sequence[Int] = counts("symbols for a row, of a symbol award", "rows")

    def counted(self, rule: str, p: Collector, s: State) -> Round:
        return Round(
            picked_odd=False,
            number_if_odd=self.reel_if_odd,
            number_if_even=self.reel_if_even,
            box=self.highlighted,
            symbols=self.symbols,
        )

    def kept(self, rule: str, p: Collector, s: State, earlier: Self | None) -> Self:
        """The Bonus Prizes on show are those with which the Bonus Game began."""
        return replace(self, kinds=s.shown_kinds, numbers=s.shown_numbers)

    @classmethod
    def made(
        cls,
        rule: str,
        p: Collector,
        s: State,
        reveal: Round,
        following: Self | None,
        taste: Taste,
    ) -> Self:
        return cls(
            kinds=s.shown_kinds,
            numbers=s.shown_numbers,
            highlighted=reveal.box,
            reel_if_odd=reveal.number_if_odd,
            reel_if_even=reveal.number_if_even,
            symbols=reveal.symbols,
        )


@dataclass(frozen=True)
class PrizeGrid(Screen):
    """The Prize Game's grid before a spin, and the colour the wheel stops at."""

    amounts: Sequence[Int] = counts(
        "amount in a square; 0 where a WIN or WIN X2 is", "squares", unit="pence"
    )
    wins: Sequence[Int] = counts(
        "1 for a WIN in a square, 2 for a WIN X2, 0 for an amount", "squares", 0, WIN_X2
    )
    colours: Sequence[Int] = counts("colour it wears; 1 is orange", "squares", 1, "colours")
    wheel: Int = count("colour the wheel stops at", 1, "colours")

    def counted(self, rule: str, p: Collector, s: State) -> PrizeSpin:
        amounts = all_collected(self.amounts, self)
        wins = all_collected(self.wins, self)
        each = count_each(amounts, p.prize_amounts)
        first = [where(new, number, 0) for new, number in zip(first_of(p), each, strict=True)]
        return PrizeSpin(first, *count_each(wins, (WIN, WIN_X2)))

    @staticmethod
    def told(p: Collector, reveal: PrizeSpin) -> PrizeSpin:
        """Squares of equal amounts are counted for the first of these."""
        amounts = p.prize_amounts
        squares = [
            where(
                new,
                total(
                    where(other == amount, number, 0)
                    for other, number in zip(amounts, reveal.amounts, strict=True)
                ),
                0,
            )
            for amount, new in zip(amounts, first_of(p), strict=True)
        ]
        return replace(reveal, amounts=squares)

    def kept(self, rule: str, p: Collector, s: State, earlier: Self | None) -> Self:
        """What was not collected stays; collected squares and colours are new."""
        if earlier is None:
            return self
        return replace(
            self,
            amounts=all_left(earlier.amounts, self.amounts, earlier),
            wins=all_left(earlier.wins, self.wins, earlier),
        )

    def needs(self, rule: str, p: Collector, s: State) -> Sequence[Need]:
        """The grid holds amounts of the edition and at least one WIN or WIN X2 (CC-42)."""
        there = any_of(one > 0 for one in self.wins)
        squares = zip(p.squares, self.amounts, self.wins, strict=True)
        amounts = frozenset(a for a in p.prize_amounts if isinstance(a, int))
        return (
            Need("wins", there, "a WIN or WIN X2 is on the grid", ("CC-42",)),
            *(
                Need(
                    f"amounts.{square}",
                    where(one > 0, amount == 0, among(amount, amounts, p.prize_amounts)),
                    "a square holds one of the amounts there are, or else a WIN or WIN X2",
                    ("CC-42",),
                )
                for square, amount, one in squares
            ),
        )

    @classmethod
    def made(
        cls,
        rule: str,
        p: Collector,
        s: State,
        reveal: PrizeSpin,
        following: Self | None,
        taste: Taste,
    ) -> Self:
        """Lay what is collected into squares; the others hold what they will hold next.

        A WIN that is to come up later stands on the grid from the start, where there is room:
        new squares are filled with amounts.
        """
        size = len(p.squares)
        order = taste.order(size)
        if rule != win.id:
            waiting = following.wins if following else [0] * size
            order = taste.order(size, last=[one > 0 for one in waiting])
        laid = in_order(dealt([reveal.wins, reveal.double_wins, *reveal.amounts], size), order)
        if following:
            amounts, wins = following.amounts, following.wins
        else:
            last = order[-1]
            wins = [taste.one_of((WIN, WIN_X2)) if n == last else 0 for n in range(size)]
            amounts = [0 if one else taste.one_of(p.prize_amounts) for one in wins]
        colours, wheel = coloured(p, laid, taste)
        return cls(
            amounts=[
                where(
                    one == 0,
                    rest,
                    where(one <= WIN_X2, 0, pick(p.prize_amounts, one, WIN_X2 + 1)),
                )
                for one, rest in zip(laid, amounts, strict=True)
            ],
            wins=[
                where(one == 0, rest, where(one <= WIN_X2, one, 0))
                for one, rest in zip(laid, wins, strict=True)
            ],
            colours=colours,
            wheel=wheel,
        )

    def picture(self, p: Collector) -> Sequence[str]:
        """Amounts and WINs, each with its colour; what is collected in brackets."""
        names = ("", "WIN", "WIN X2")
        shown = zip(self.amounts, self.wins, strict=True)
        return squared(
            [names[cast("int", win)] or pounds(cast("int", amount)) for amount, win in shown],
            self,
        )


# ---- One square ----------------------------------------------------------------------------


def holds(kind: Int, stays: Int) -> Int:
    """Return what a square holds: the kind laid into it, or, where that is 0, what stays."""
    return where(kind == 0, stays, kind)


def wears(kind: Int, wheel: Int, other: Int) -> Int:
    """Return the colour of a square: the wheel's, where a kind is laid into it, or another."""
    return where(kind == 0, other, wheel)


def collected(thing: Int, colour: Int, wheel: Int) -> Int:
    """Return what a spin collects from a square, 0 for nothing (CC-13)."""
    return where(colour == wheel, thing, 0)


def left(before: Int, now: Int, colour: Int, wheel: Int) -> Int:
    """Return what has to be in a square: what was, unless that was collected (CC-17)."""
    return where(colour == wheel, now, before)


# ---- All squares ---------------------------------------------------------------------------


def all_collected(things: Sequence[Int], grid: Grid | PrizeGrid) -> list[Int]:
    """Return what a spin of a grid collects, square by square."""
    squares = zip(things, grid.colours, strict=True)
    return [collected(thing, colour, grid.wheel) for thing, colour in squares]


def all_left(before: Sequence[Int], now: Sequence[Int], grid: Grid | PrizeGrid) -> list[Int]:
    """Return what has to be in each square after a spin of this grid."""
    squares = zip(before, now, grid.colours, strict=True)
    return [left(old, new, colour, grid.wheel) for old, new, colour in squares]


def first_of(p: Collector) -> list[Bool]:
    """Return of each amount of the Prize Game whether it is the first that is as much."""
    return [
        negate(any_of(amount == other for other in p.prize_amounts[:number]))
        for number, amount in enumerate(p.prize_amounts)
    ]


def in_order(laid: Sequence[Int], order: Sequence[int]) -> list[Int]:
    """Return what is laid into squares in an order, by square."""
    by_square: list[Int] = [0] * len(laid)
    for square, one in zip(order, laid, strict=True):
        by_square[square] = one
    return by_square


def coloured(p: Collector, laid: Sequence[Int], taste: Taste) -> tuple[list[Int], int]:
    """Return the colour of each square, and the wheel's: laid squares wear that, no others."""
    wheel = taste.one_of(range(1, p.colours + 1))
    others = [colour for colour in range(1, p.colours + 1) if colour != wheel]
    return [wears(kind, wheel, taste.one_of(others)) for kind in laid], wheel


def among(amount: Int, known: frozenset[int], amounts: Sequence[Int]) -> Bool:
    """Return whether an amount is one of these."""
    if isinstance(amount, int) and amount in known:
        return True
    return any_of(amount == one for one in amounts)


def squared(names: Sequence[str], grid: Grid | PrizeGrid) -> list[str]:
    """Return the rows of a grid, as square as it can be, and where the wheel stops."""
    cells = [
        f"[{name}·{colour}]" if colour == grid.wheel else f" {name}·{colour} "
        for name, colour in zip(names, grid.colours, strict=True)
    ]
    wide, across = max(map(len, cells)), isqrt(len(cells) - 1) + 1
    rows = [cells[first : first + across] for first in range(0, len(cells), across)]
    drawn = ["".join(cell.ljust(wide + 1) for cell in row).rstrip() for row in rows]
    return [*drawn, f" wheel: {grid.wheel}"]


VIEWS = (
    View("start", Wheel, (START,), "the colour wheel as a Play starts", ("CC-12",)),
    View(
        "grid",
        Grid,
        (spin.id,),
        "the grid before a spin, and where the wheel stops",
        collects=("CC-11", "CC-13"),
        keeps=("CC-17",),
    ),
    View(
        "boxes",
        Boxes,
        (open_bonus_game.id,),
        "the seven Bonus Prizes on show",
        collects=("CC-22",),
    ),
    View(
        "answer",
        Answer,
        (right_answer.id, wrong_answer.id),
        "the Bonus Reel for either pick, and the Bonus Prize that is highlighted",
        collects=("CC-22", "CC-26"),
        keeps=("CC-22",),
    ),
    View(
        "prize-grid",
        PrizeGrid,
        (prize_spin.id, win.id),
        "the Prize Game's grid before a spin, and where the wheel stops",
        collects=("CC-42", "CC-43", "CC-44"),
        keeps=("CC-43",),
    ),
)
"""The screens of the game."""
