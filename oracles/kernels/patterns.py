"""Patterns of lines: what is the same in all events of one kind, learnt from one of them.

A pattern is learnt of an event that is in order in every way, and has all that a build shows of
its kind. What is between its values, keys and spaces and all, has to be the same to the byte.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..event import FINISH, START, Event
from .records import Field
from .values import FLAG, LAST, NUMBER, OUTCOME, PAID, PLAY, STEP, WON

if TYPE_CHECKING:
    from .events import Rules

__all__ = ["Pattern", "Piece", "learnt"]

_SPACE = re.compile(r"[ \t\r]*")
_VALUE = re.compile(r"-?(?:0|[1-9][0-9]*)(?![0-9.eE])|true|false")
_AS_THEY_ARE = {"event", "format", "version", "game", "edition", "readings"}
_RECORDS = {"reveal": 0, "choice": 1, "shows": 2}


@dataclass(frozen=True)
class Piece:
    """Text that is the same in all such lines, and what follows it.

    A number or a flag goes to a field of a record: 0 what is revealed, 1 chosen, 2 shown.
    """

    text: bytes
    follows: int
    record: int = 0
    field: Field | None = None


@dataclass(frozen=True)
class Pattern:
    """The lines of one kind of event: a rule's number, or None for a start."""

    rule: int | None
    pieces: tuple[Piece, ...]
    chosen: bool
    mask: bytes

    @property
    def shown(self) -> bool:
        """Whether such an event shows something of the state."""
        return any(self.mask)


class _Unlike(Exception):
    """Raised for an event of which there is no pattern."""


def learnt(text: bytes, event: Event, rules: Rules) -> Pattern | None:
    """Return the pattern of an event in order, from its text; None where there is none."""
    if not text.isascii() or event.screen is not None:
        return None
    source = rules.source
    if event.event not in (START, *source.rules):
        return None
    rule = None if event.event == START else source.rules.index(event.event)
    try:
        pieces = _Reader(text.decode(), event, rules, rule).pieces()
    except (_Unlike, ValueError, IndexError):
        return None
    fields = [
        {piece.field for piece in pieces if piece.record == n and piece.field} for n in range(3)
    ]
    if rule is not None:
        if fields[0] != set(source.reveals[rule].fields):
            return None
        if fields[1] not in (set(), set(source.choices[rule].fields)):
            return None
        if not fields[1] and not rules.free and source.choices[rule].fields:
            return None
        if (event.event == FINISH) != any(piece.follows == PAID for piece in pieces):
            return None
    mask = bytearray(source.state.size)
    for field in fields[2]:
        mask[field.offset : field.offset + field.size] = b"\xff" * field.size
    return Pattern(rule, pieces, bool(fields[1]), bytes(mask))


class _Reader:
    """Reads the text of an event, and takes it to pieces."""

    def __init__(self, text: str, event: Event, rules: Rules, rule: int | None) -> None:
        source = rules.source
        self._text, self._event, self._rule = text, event, rule
        self._at = self._kept = 0
        self._pieces: list[Piece] = []
        records = [None, None] if rule is None else [source.reveals[rule], source.choices[rule]]
        self._fields = [
            {} if record is None else {field.name: field for field in record.fields}
            for record in (*records, source.state)
        ]

    def pieces(self) -> tuple[Piece, ...]:
        """Return the pieces of the whole text."""
        self._object(self._top)
        self._space()
        if self._at != len(self._text):
            raise _Unlike
        self._pieces.append(Piece(self._text[self._kept :].encode(), LAST))
        return tuple(self._pieces)

    def _object(self, value: Callable[[str], None]) -> None:
        self._is("{")
        if self._peek() == "}":
            self._at += 1
            return
        while True:
            self._space()
            name, self._at = json.JSONDecoder().raw_decode(self._text, self._at)
            self._is(":")
            self._space()
            value(name)
            if self._peek() == "}":
                self._at += 1
                return
            self._is(",")

    def _top(self, name: str) -> None:
        if name in _AS_THEY_ARE or self._text.startswith("null", self._at):
            _, self._at = json.JSONDecoder().raw_decode(self._text, self._at)
        elif name == "play":
            self._at += 1
            self._piece(PLAY, self._text.index('"', self._at))
            self._at += 1
        elif name in ("step", "paid"):
            if name == "paid" and self._event.event != FINISH:
                raise _Unlike
            self._piece(STEP if name == "step" else PAID, self._value("Int"))
        elif name == "outcome" or (name == "won" and self._event.event == FINISH):
            _, end = json.JSONDecoder().raw_decode(self._text, self._at)
            self._piece(OUTCOME if name == "outcome" else WON, end)
        elif name in _RECORDS:
            self._record(_RECORDS[name], "")
        else:
            raise _Unlike

    def _record(self, number: int, above: str) -> None:
        def value(name: str) -> None:
            if self._peek() == "{":
                self._record(number, f"{above}{name}.")
                return
            field = self._fields[number].get(above + name)
            if field is None:
                raise _Unlike
            kind = NUMBER if field.sort == "Int" else FLAG
            self._piece(kind, self._value(field.sort), number, field)

        self._object(value)

    def _value(self, sort: str) -> int:
        """Return where the number or flag here ends."""
        found = _VALUE.match(self._text, self._at)
        if found is None or (found[0] in ("true", "false")) != (sort == "Bool"):
            raise _Unlike
        return found.end()

    def _piece(
        self, follows: int, end: int, record: int = 0, field: Field | None = None
    ) -> None:
        text = self._text[self._kept : self._at].encode()
        self._pieces.append(Piece(text, follows, record, field))
        self._at = self._kept = end

    def _peek(self) -> str:
        self._space()
        return self._text[self._at]

    def _is(self, one: str) -> None:
        if self._peek() != one:
            raise _Unlike
        self._at += 1

    def _space(self) -> None:
        found = _SPACE.match(self._text, self._at)
        assert found is not None
        self._at = found.end()
