"""Findings: what is wrong with a build's Play, where, and what would have been right."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any

from .event import Where

__all__ = ["CODES", "Finding", "Severity", "plain", "said", "short"]

_LONGEST = 400
_LONGEST_MESSAGE = 2000
_DEEPEST = 4

CODES = {
    "shows": "a field is shown other than the rules give it",
    "illegal": "a step that the rules do not allow",
    "paid": "what was paid is not what the rules give",
    "outcome": "the Play does not win the predetermined outcome",
    "won": "what was shown as won and what was paid are not the same",
    "not-in-table": "a prize that the edition's table does not have",
    "promise": "a promise of the game is broken",
    "no-finish": "a Play without its end",
    "after-finish": "an event after the end of its Play",
    "twice": "two Plays with one Play Number",
    "order": "steps that are missing, repeated or out of order",
    "format": "a value or a field that the format or the game does not have",
    "game": "a log of another game",
    "edition": "a log of another edition",
    "readings": "readings that the game does not have, or that do not go together",
    "no-legal-play": "no legal Play fits what was seen",
    "undecided": "whether a legal Play fits was not decided within the budget",
    "resume": "a Play that does not go on as it was left",
    "leak": "Plays with equal beginnings that show different things",
    "screen": "a screen that does not agree with the state",
    "empty": "a log without a Play",
    "unreadable": "a line, or a file, that cannot be read as events",
    "adapter": "a record that the adapter does not turn into events",
    "hang": "a build that did not answer in time",
    "died": "a build that ended by itself",
    "refused": "a build that refused a legal request",
    "rubbish": "an answer that is no event",
    "table": "a prize table whose figures do not go together",
    "proof": "a verdict other than the one expected, or a proof that does not hold",
    "echo": "an answer to something else than what was asked",
    "answered-twice": "an answer more than was asked for",
    "carry-over": "a Play that goes wrong only after another one, or beside it",
    "flood": "an answer, or too many, that nobody asked for",
}
"""The kinds of finding, by their stable ids."""


class Severity(Enum):
    """Whether a finding fails a build; a note is only worth knowing."""

    ERROR = "error"
    NOTE = "note"


def said(value: object) -> str:
    """Return a value as people read it, cut where it is long or deep.

    >>> said({"1": 6, "2": True}), said("x"), said({"a": {"b": [1, 2]}})
    ('1: 6, 2: true', "'x'", 'a: {b: [1, 2]}')
    """
    text = _said(value, _DEEPEST)
    text = text[1:-1] if isinstance(value, dict) else text
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def short(text: str, most: int = _LONGEST) -> str:
    """Return a text, cut where it is long.

    >>> short("abcdef", 3)
    'abc… (6 characters)'
    """
    return text if len(text) <= most else f"{text[:most]}… ({len(text)} characters)"


def plain(value: object) -> object:
    """Return a value to be kept with a finding: itself, or, if it is long or deep, as said."""
    if isinstance(value, bool | int | float | None):
        return value
    if isinstance(value, str) and len(value) <= _LONGEST:
        return value
    return said(value)


def _said(value: object, deep: int) -> str:
    if isinstance(value, dict | list) and not deep:
        return "…"
    if isinstance(value, dict):
        inside = (f"{label}: {_said(one, deep - 1)}" for label, one in value.items())
        return f"{{{', '.join(inside)}}}"
    if isinstance(value, list):
        return f"[{', '.join(_said(one, deep - 1) for one in value)}]"
    return str(value).lower() if isinstance(value, bool) else repr(value)


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong: at a place, in a Play, at a step, in a field.

    ``code`` is one of ``CODES``. ``shown`` and ``expected`` are values as in files, None where
    there is none. ``rule``, ``clauses`` and ``properties`` are ids of what is broken;
    ``nearest`` says in words what nearly fits, ``fault`` the class of fault that looks like.
    """

    code: str
    message: str
    where: Where = Where("")
    play: str = ""
    step: int | None = None
    field: str = ""
    shown: Any = None
    expected: Any = None
    rule: str = ""
    clauses: tuple[str, ...] = ()
    properties: tuple[str, ...] = ()
    nearest: str | None = None
    fault: str | None = None
    severity: Severity = Severity.ERROR

    def __post_init__(self) -> None:
        """Cut what is long: a name in a log may be as long as a line."""
        for name in ("message", "field", "shown", "expected"):
            value = getattr(self, name)
            if isinstance(value, str) and len(value) > _LONGEST:
                most = _LONGEST_MESSAGE if name == "message" else _LONGEST
                object.__setattr__(self, name, short(value, most))

    def text(self) -> str:
        """Return the finding for people: one line of what is wrong, then what helps."""
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        place = [str(self.where)] if self.where.file else []
        if self.play:
            place.append(f"Play {self.play}")
        if self.step is not None:
            place.append(f"step {self.step}")
        head = ", ".join(place)
        yield f"{head}: {self.message}" if head else self.message
        broken = []
        if self.rule:
            broken.append(f"rule {self.rule}")
        if self.properties:
            broken.append(", ".join(self.properties))
        if self.clauses:
            broken.append(f"clause{'s' * (len(self.clauses) > 1)} {', '.join(self.clauses)}")
        if broken:
            yield f"  breaks: {'; '.join(broken)}"
        if self.nearest:
            yield f"  nearest: {self.nearest}"
