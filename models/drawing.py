"""Drawings: what there is to see of a state and of a screen, piece by piece.

A game says what there is: a ladder of thirteen segments, nine of them filled, which pays £20.
How that looks is for whoever draws it. A piece names the scalars of the state that it pictures
(``of``), so that what changed, or what is shown wrong, can be marked without knowing the game.

Nothing here is needed to prove or to judge. A game without a drawing is drawn field by field.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

__all__ = [
    "COLOURS",
    "Board",
    "Boxes",
    "Cards",
    "Drawing",
    "Fact",
    "Lines",
    "Panel",
    "Phases",
    "Piece",
    "Square",
    "Wheel",
]

COLOURS = ("orange", "blue", "green", "pink", "purple", "yellow", "red")
"""The colours there are; "" stands for none."""


@dataclass(frozen=True)
class Fact:
    """A number or word with its label: ``Spins Left 5``."""

    label: str
    text: str
    of: tuple[str, ...] = ()


@dataclass(frozen=True)
class Boxes:
    """Boxes in a line, ``filled`` of ``size``: a meter, a ladder, a row of a prize table.

    ``pays`` is what it wins; ``marks`` are boxes, counted from 1, at which something happens,
    as ``mark`` says. ``sign`` is a shape, 1 to 9, or a short text.
    """

    label: str
    filled: int
    size: int
    of: tuple[str, ...] = ()
    pays: str = ""
    colour: str = ""
    sign: int | str = ""
    marks: tuple[int, ...] = ()
    mark: str = ""


@dataclass(frozen=True)
class Square:
    """A square of a board, a section of a wheel or a card: a shape or a text, and a colour.

    ``lit`` marks what was collected, highlighted or won; ``tag`` is a small text beside it, and
    ``says`` what it is, in words, where sign and tag do not tell. ``dots`` are colours.
    """

    sign: int | str = ""
    colour: str = ""
    tag: str = ""
    lit: bool = False
    says: str = ""
    dots: tuple[str, ...] = ()
    hidden: bool = False


@dataclass(frozen=True)
class Board:
    """A grid of squares, row by row, ``across`` in each."""

    label: str
    squares: tuple[Square, ...]
    across: int
    of: tuple[str, ...] = ()


@dataclass(frozen=True)
class Cards:
    """Cards with words on them: the prizes on show, the icons of a game."""

    label: str
    cards: tuple[Square, ...]
    of: tuple[str, ...] = ()


@dataclass(frozen=True)
class Wheel:
    """A wheel of sections and the one at the pointer, counted from 0; None for no pointer."""

    label: str
    sections: tuple[Square, ...]
    stop: int | None
    of: tuple[str, ...] = ()


@dataclass(frozen=True)
class Lines:
    """Text as it stands, line by line."""

    label: str
    lines: tuple[str, ...]
    of: tuple[str, ...] = ()


Piece = Fact | Boxes | Board | Cards | Wheel | Lines


@dataclass(frozen=True)
class Panel:
    """A part of the screen, with a title and its pieces."""

    title: str
    pieces: tuple[Piece, ...]


@dataclass(frozen=True)
class Phases:
    """The field of the state that says where a Play stands, and a name for each value."""

    field: str
    names: tuple[str, ...]


@dataclass(frozen=True)
class Drawing:
    """How a game is drawn, all values being known.

    ``state`` is ``state(p, s)``. ``screen`` is ``screen(p, s, screen)``: what comes up at a
    step, from the state before it and the screen of the step, one of the game's views.
    """

    state: Callable[[Any, Any], Iterable[Panel]]
    screen: Callable[[Any, Any, Any], Iterable[Panel]]
    phases: Phases | None = None
