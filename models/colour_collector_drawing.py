"""What there is to see of Colour Collector: Prize Table, boxes, grid and wheel, sub-games.

Every value is known here: p is a setting, s a state, of whole numbers and flags.
Orange is the one colour that the Procedures name; what the other five look like is ours, and so
are the shapes. Each colour has its number beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import isqrt
from typing import Any, cast

from .colour_collector import (
    ACTIVATE,
    BONUS,
    BOOSTER,
    EXTRA_SPINS,
    FEW,
    MANY,
    MEGA,
    PRIZE,
    PRIZE_SYMBOLS,
    SUPER,
    row_values,
)
from .colour_collector_screen import WIN, Answer, Boxes, Grid, PrizeGrid, Wheel
from .drawing import Board, Cards, Drawing, Fact, Panel, Phases, Piece, Square
from .drawing import Boxes as Row
from .drawing import Wheel as DrawnWheel
from .money import pounds

__all__ = ["DRAWING"]

PHASES = ("Main Game", "Bonus Game", "Prize Game", "the end")
COLOURS = ("orange", "blue", "green", "pink", "purple", "yellow")


def state(p: Any, s: Any) -> Iterator[Panel]:
    """The Prize Table and the boxes; a sub-game only while there is anything of it."""
    yield Panel(
        "Play",
        (
            Fact("Now in", PHASES[s.phase], ("phase",)),
            Fact("Spins Left", str(s.spins_left), ("spins_left",)),
            Row("Bonus Game Box", s.bonus_box, p.bonus_box_size, ("bonus_box",), sign="B"),
            Row("Prize Game Box", s.prize_box, p.prize_box_size, ("prize_box",), sign="P"),
            Fact("Bonus Games owed", str(s.bonus_games_owed), ("bonus_games_owed",)),
            Fact("Prize Amount paid", pounds(s.paid), ("paid",)),
        ),
    )
    level = f"Prize Table, level {s.level} of {p.top_level}"
    yield Panel(level, tuple(_rows(p, s)))
    if s.phase == BONUS:
        yield Panel("Bonus Game", tuple(_bonus_game(p, s)))
    if s.phase == PRIZE or s.prize_pot or s.prize_game_played:
        won = pounds(s.prize_game_prize) if s.prize_game_played else "not over"
        yield Panel(
            "Prize Game",
            (
                Fact("Prize Pot", pounds(s.prize_pot), ("prize_pot",)),
                Fact("It paid", won, ("prize_game_prize", "prize_game_played")),
            ),
        )


def _rows(p: Any, s: Any) -> Iterator[Row]:
    """The rows of the Prize Table, the top prize first."""
    values = cast("list[int]", row_values(p, s))
    for n in reversed(range(len(p.rows))):
        label = p.rows[n]
        # A full row may have been valued when it was filled, by one reading.
        pays = values[n] or p.row_amounts[n][s.level]
        of = (f"rows.{label}", f"filled_at.{label}", "level")
        yield Row(f"row {label}", s.rows[n], p.row_boxes[n], of, pounds(pays), sign=n + 1)


def _bonus_game(p: Any, s: Any) -> Iterator[Piece]:
    shown = zip(p.shown, s.shown_kinds, s.shown_numbers, s.awarded, strict=True)
    cards = tuple(
        Square(prize(p, kind, number), lit=awarded, tag="won" if awarded else "")
        for _, kind, number, awarded in shown
    )
    of = tuple(f"{f}.{n}" for f in ("shown_kinds", "shown_numbers", "awarded") for n in p.shown)
    yield Cards("Bonus Prizes on show", cards, of)
    yield Fact("Bonus Prizes won", str(s.awards), ("awards",))


def prize(p: Any, kind: int, number: int) -> str:
    """Return a Bonus Prize in words."""
    some = "1 extra spin" if number == 1 else f"{number} extra spins"
    symbols = "1 prize-game symbol" if number == 1 else f"{number} prize-game symbols"
    return {
        0: "nothing",
        EXTRA_SPINS: some,
        BOOSTER: "Prize Booster",
        SUPER: "Super Prize Booster",
        MEGA: "Mega Prize Booster",
        FEW: f"{number} symbols (first kind)",
        MANY: f"{number} symbols (second kind)",
        PRIZE_SYMBOLS: symbols,
        ACTIVATE: "Prize Game activated",
    }[kind]


def screen(p: Any, s: Any, shown: Any) -> Iterator[Panel]:
    """What comes up at a step."""
    title, pieces = _SCREENS[type(shown)]
    yield Panel(title, tuple(pieces(p, shown)))


def _start(p: Any, shown: Any) -> Iterator[Piece]:
    stop = next((n for n, one in enumerate(shown.segments) if one == shown.pointer), None)
    yield DrawnWheel("Colour wheel", tuple(_colour(p, one) for one in shown.segments), stop)


def _spin(p: Any, shown: Any) -> Iterator[Piece]:
    names = {p.last_symbol - 1: "B", p.last_symbol: "P"}
    yield _board("Grid", [names.get(one, one) for one in shown.symbols], shown)
    yield _wheel(p, shown.wheel)


def _prize_spin(p: Any, shown: Any) -> Iterator[Piece]:
    wins = ("", "WIN", "WIN X2")
    pairs = zip(shown.amounts, shown.wins, strict=True)
    signs = [wins[one] if one >= WIN else pounds(amount) for amount, one in pairs]
    yield _board("Prize Game grid", signs, shown)
    yield _wheel(p, shown.wheel)


def _opening(p: Any, shown: Any) -> Iterator[Piece]:
    pairs = zip(shown.kinds, shown.numbers, strict=True)
    yield Cards("Bonus Prizes on show", tuple(Square(prize(p, *pair)) for pair in pairs))


def _answer(p: Any, shown: Any) -> Iterator[Piece]:
    yield Fact("Reel, if odd is picked", str(shown.reel_if_odd))
    yield Fact("Reel, if even is picked", str(shown.reel_if_even))
    pairs = enumerate(zip(shown.kinds, shown.numbers, strict=True), start=1)
    cards = (
        Square(prize(p, *pair), lit=n == shown.highlighted, tag=str(n)) for n, pair in pairs
    )
    yield Cards("Bonus Prizes, one highlighted", tuple(cards))
    awarded = [f"{n} for row {row}" for n, row in zip(shown.symbols, p.rows, strict=True) if n]
    if awarded:
        yield Fact("Symbols awarded", ", ".join(awarded))


_SCREENS: dict[type, tuple[str, Callable[[Any, Any], Iterator[Piece]]]] = {
    Wheel: ("As the Play starts", _start),
    Grid: ("The spin", _spin),
    Boxes: ("The Bonus Game opens", _opening),
    Answer: ("A round of the Bonus Game", _answer),
    PrizeGrid: ("The Prize Game's spin", _prize_spin),
}


def _board(label: str, signs: Sequence[int | str], grid: Any) -> Board:
    squares = tuple(
        Square(sign, COLOURS[one - 1], str(one), lit=one == grid.wheel, says=_says(sign))
        for sign, one in zip(signs, grid.colours, strict=True)
    )
    return Board(label, squares, isqrt(len(squares) - 1) + 1)


def _says(sign: int | str) -> str:
    if isinstance(sign, int):
        return f"row {sign}'s shape"
    return {"B": "a bonus symbol", "P": "a prize-game symbol"}.get(sign, sign)


def _wheel(p: Any, stop: int) -> DrawnWheel:
    sections = tuple(_colour(p, one) for one in range(1, p.colours + 1))
    return DrawnWheel("Colour wheel", sections, stop - 1)


def _colour(p: Any, number: int) -> Square:
    name = COLOURS[number - 1]
    says = name if number == p.start_colour else f"colour {number}"
    return Square(str(number), name, says=says)


DRAWING = Drawing(state, screen, Phases("phase", PHASES))
"""How the game is drawn."""
