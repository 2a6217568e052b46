"""Pieces of a drawing as HTML and SVG. All text is escaped here, and nowhere twice.

What is said by a colour or a place is said in words as well: by a tag, or for who does not see.
"""

from __future__ import annotations

import html
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import singledispatch
from hashlib import sha256
from math import cos, pi, sin

from ...models.drawing import (
    COLOURS,
    Board,
    Boxes,
    Cards,
    Fact,
    Lines,
    Panel,
    Piece,
    Square,
    Wheel,
)

__all__ = [
    "Marks", "drawn", "marked_html", "panel_html", "pieces_html", "shapes", "text",
    "titled", "wheels",
]  # fmt: skip

_BOX = 14  # width of a box, and of the pattern it is filled with
_MOST_BOXES = 60
_SHAPES = {
    1: '<circle r="9"/>',
    2: '<path d="M0-10L10 8H-10Z"/>',
    3: '<rect x="-8" y="-8" width="16" height="16"/>',
    4: '<path d="M0-11L9 0 0 11-9 0Z"/>',
    5: '<path d="M0-10 9.5-3.1 5.9 8.1H-5.9L-9.5-3.1Z"/>',
    6: '<path d="M-5-9H5L10 0 5 9H-5L-10 0Z"/>',
    7: '<path d="M0-11 3-4 10-3.5 5 1.5 6.5 9 0 5-6.5 9-5 1.5-10-3.5-3-4Z"/>',
    8: '<path d="M-3-10H3V-3H10V3H3V10H-3V3H-10V-3H-3Z"/>',
    9: '<path d="M-10-7H10L0 10Z"/>',
}


@dataclass(frozen=True)
class Marks:
    """What is to be marked: scalars that changed, with what they were; those shown wrong."""

    changed: Mapping[str, str] = field(default_factory=dict)
    wrong: Collection[str] = ()

    def on(self, piece: Piece) -> bool:
        """Return whether anything of a piece is to be marked."""
        return any(name in self.changed or name in self.wrong for name in piece.of)


def text(words: object) -> str:
    r"""Return text as HTML, safe between tags and in quotes; what is not seen is made visible.

    >>> text("<b> & a\x00 bell")
    '&lt;b&gt; &amp; a\\x00 bell'
    """
    plain = str(words)
    if not plain.isprintable():
        plain = "".join(one if one.isprintable() else repr(one)[1:-1] for one in plain)
    return html.escape(plain)


def shapes(panels: Iterable[Panel]) -> str:
    """Return what drawings refer to: shapes, boxes of each colour, the wheels of panels."""
    symbols = "".join(
        f'<symbol id="s{n}" viewBox="-12 -12 24 24">{shape}</symbol>'
        for n, shape in _SHAPES.items()
    )
    patterns = "".join(
        f'<pattern id="b-{name}" width="{_BOX}" height="{_BOX}" patternUnits="userSpaceOnUse">'
        f'<rect x="1.5" y="1.5" width="11" height="11" rx="2.5" class="box {name}"/></pattern>'
        for name in ("empty", "full", *COLOURS)
    )
    defs = f"{symbols}{patterns}{wheels(panels)}"
    return f'<svg class="defs" aria-hidden="true"><defs>{defs}</defs></svg>'


def panel_html(panel: Panel, marks: Marks | None = None) -> str:
    """Return the inside of a panel: its title and its pieces."""
    return titled(panel, pieces_html(panel, marks))


def titled(panel: Panel, pieces: Iterable[str]) -> str:
    """Return the inside of a panel of which each piece was made."""
    return f'<h3>{text(panel.title)}</h3><div class="pieces">{"".join(pieces)}</div>'


def marked_html(panel: Panel, plain: Sequence[str], marks: Marks) -> tuple[str, ...]:
    """Return each piece of a panel, as it is without marks or made again with some."""
    return tuple(
        _marked(piece, marks) if marks.on(piece) else one
        for piece, one in zip(panel.pieces, plain, strict=True)
    )


def pieces_html(panel: Panel, marks: Marks | None = None) -> tuple[str, ...]:
    """Return each piece of a panel."""
    return tuple(_marked(piece, marks or Marks()) for piece in panel.pieces)


def _marked(piece: Piece, marks: Marks) -> str:
    changed = [name for name in piece.of if name in marks.changed]
    wrong = [name for name in piece.of if name in marks.wrong]
    classes = [type(piece).__name__.lower()]
    chips = ""
    if wrong:
        classes.append("bad")
        chips += '<span class="chip bad">not as the rules give it</span>'
    elif changed:
        classes.append("new")
        of_number = len(piece.of) <= 1 or isinstance(piece, Boxes)
        first = changed[0] == piece.of[0] and of_number
        was = f"was {text(marks.changed[changed[0]])}" if first else "changed"
        chips += f'<span class="chip">{was}</span>'
    return f'<div class="{" ".join(classes)}">{drawn(piece)}{chips}</div>'


@singledispatch
def drawn(piece: Piece) -> str:
    """Return a piece as HTML."""
    raise TypeError(f"no piece of a drawing: {piece!r}")


@drawn.register
def _(piece: Fact) -> str:
    return f"<small>{text(piece.label)}</small> <b>{text(piece.text)}</b>"


@drawn.register
def _(piece: Lines) -> str:
    lines = "\n".join(map(text, piece.lines))
    return f'<span class="label">{text(piece.label)}</span><pre tabindex="0">{lines}</pre>'


@drawn.register
def _(piece: Boxes) -> str:
    """A line of boxes; very many are drawn as a bar."""
    size = max(piece.size, 1)
    unit = _BOX if size <= _MOST_BOXES else _BOX * _MOST_BOXES / size
    full = min(max(piece.filled, 0), size)
    wide = round(size * unit)
    marks = "".join(
        f'<circle cx="{_short((one - 0.5) * unit)}" cy="7" r="2.5" class="mark"/>'
        for one in piece.marks
        if 1 <= one <= size
    )
    colour = piece.colour or "full"
    done, of = piece.filled >= piece.size, f"{piece.filled}/{piece.size}"
    filled = _short(full * unit)
    says = f"{piece.label}: {piece.filled} of {piece.size}" + ", full" * done
    says += f"; {piece.mark}" if piece.mark else ""
    sign = _sign(piece.sign, piece.colour)
    pays = f'<b class="pays">{text(piece.pays)}</b>' if piece.pays else ""
    return (
        f'{sign}<span class="label">{text(piece.label)}</span>'
        f'<svg class="line" viewBox="0 0 {wide} 14" width="{wide}" role="img" '
        f'aria-label="{text(says)}"><rect width="{wide}" height="14" fill="url(#b-empty)"/>'
        f'<rect width="{filled}" height="14" fill="url(#b-{colour})"/>{marks}</svg>'
        f'<span class="of{" done" * done}" aria-hidden="true">{of}</span>'
        f"{pays}"
    )


@drawn.register
def _(piece: Board) -> str:
    squares = "".join(map(_square, piece.squares))
    return (
        f'<span class="label">{text(piece.label)}</span>'
        f'<ul class="squares" style="--across:{piece.across}">{squares}</ul>'
    )


@drawn.register
def _(piece: Cards) -> str:
    cards = "".join(map(_square, piece.cards))
    return f'<span class="label">{text(piece.label)}</span><ul class="cards">{cards}</ul>'


def _square(square: Square) -> str:
    classes = " ".join(
        name
        for name, there in (
            (square.colour, True),
            ("lit", square.lit),
            ("down", square.hidden),
            ("sig", len(str(square.sign)) > 2),
        )
        if there and name
    )
    if square.hidden:
        return f'<li class="{classes}"><span class="vh">{text(square.says)}</span></li>'
    said = [square.says] if square.says and square.says != square.sign else []
    said += [f"colour {square.tag}"] if square.colour and square.tag else []
    said += ["marked"] if square.lit else []
    tag = f'<i aria-hidden="true">{text(square.tag)}</i>' if square.tag else ""
    if square.tag and not square.colour:
        said.append(square.tag)
    hidden = f'<span class="vh">{text(", ".join(said))}</span>' if said else ""
    return f'<li class="{classes}">{_sign(square.sign)}{tag}{hidden}</li>'


def _sign(sign: int | str, colour: str = "") -> str:
    """Return a shape or a text; a text on its own is read out, a shape is not."""
    if isinstance(sign, int):
        place = sign if sign in _SHAPES else 1
        classes = f"sign {colour}".strip()
        return f'<svg class="{classes}" aria-hidden="true"><use href="#s{place}"/></svg>'
    return f'<span class="sign">{text(sign)}</span>' if sign else ""


@drawn.register
def _(piece: Wheel) -> str:
    """A wheel, which is drawn once a page (``wheels``), and what it shows in words."""
    stop, says = _stop(piece), piece.label
    if stop is not None:
        at = piece.sections[stop]
        says += f": {at.says or at.sign}"
    return (
        f'<svg class="round" aria-hidden="true"><use href="#{_id(_turned(piece))}"/></svg>'
        f'<span class="label">{text(says)}</span>'
    )


def wheels(panels: Iterable[Panel]) -> str:
    """Return every wheel of these panels, each once, to be referred to."""
    drawings = dict.fromkeys(
        _turned(piece) for panel in panels for piece in panel.pieces if isinstance(piece, Wheel)
    )
    return "".join(
        f'<symbol id="{_id(one)}" viewBox="-62 -68 124 130" overflow="visible">'
        f'<g class="face">{one}</g></symbol>'
        for one in drawings
    )


def _id(drawing: str) -> str:
    return f"w-{sha256(drawing.encode()).hexdigest()[:8]}"


def _stop(wheel: Wheel) -> int | None:
    return wheel.stop if wheel.stop is not None and wheel.stop < len(wheel.sections) else None


def _turned(wheel: Wheel) -> str:
    """Draw a wheel with the section at its pointer on top; without a stop it has no pointer."""
    pointer = '<path class="pointer" d="M-7-66H7L0-52Z"/>' if _stop(wheel) is not None else ""
    sections = "".join(_sections(wheel))
    return f'{sections}<circle r="9" class="hub"/>{pointer}'


def _sections(wheel: Wheel) -> Iterator[str]:
    many = max(len(wheel.sections), 1)
    turn = 2 * pi / many
    for n, section in enumerate(wheel.sections):
        middle = (n - (wheel.stop or 0)) * turn - pi / 2
        one, other = middle - turn / 2, middle + turn / 2
        lit = " lit" if n == wheel.stop else ""
        around = (
            f"M0 0L{_at(58, one)}A58 58 0 {int(turn > pi)} 1 {_at(58, other)}Z"
            if many > 1
            else "M-58 0A58 58 0 1 1 58 0A58 58 0 1 1-58 0Z"
        )
        yield f'<path class="{section.colour or "none"}{lit}" d="{around}"/>'
        dots = section.dots[:10]
        for place, colour in enumerate(dots):
            apart = min(0.62, turn * 0.5) * ((place % 2) - 0.5) * (len(dots) > 1)
            x, y = _at(48 - 11 * (place // 2), middle + apart).split()
            yield f'<circle class="dot {colour}" cx="{x}" cy="{y}" r="4.5"/>'
        if section.sign != "" and many <= 24:
            x, y = _at(42, middle).split()
            small = ' class="small"' if len(str(section.sign)) > 4 else ""
            yield f'<text x="{x}" y="{y}"{small}>{text(section.sign)}</text>'


def _at(radius: float, angle: float) -> str:
    return f"{_short(radius * cos(angle))} {_short(radius * sin(angle))}"


def _short(number: float) -> str:
    """Write a coordinate shortly.

    >>> _short(12.0), _short(-0.04), _short(3.25)
    ('12', '0', '3.2')
    """
    rounded = f"{number:.1f}".removesuffix(".0")
    return "0" if rounded == "-0" else rounded
