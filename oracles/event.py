"""Events of a log: what a build says happened, one JSON object each.

``start`` (step 0) names game, edition, readings and the predetermined outcome; a step is named
after its rule; ``finish`` comes last, with what was paid; ``resume`` is what a build shows when
a Play goes on after a step. Money is in pence. What is left out is unknown, not zero.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

__all__ = ["FINISH", "FORMAT", "RESUME", "START", "VERSION", "Event", "Where", "flat", "nested"]

FORMAT = "playproof-log"
VERSION = 1
START, FINISH, RESUME = "start", "finish", "resume"

Shown = dict[str, Any]

_DEEPEST = 8  # objects in one another; a field of a game has three at most


class Event(msgspec.Struct, frozen=True, omit_defaults=True):
    """One event of one Play. A reader reports keys that are none of these."""

    play: str
    step: int
    event: str
    reveal: Shown | None = None
    choice: Shown | None = None
    shows: Shown | None = None
    screen: Shown | None = None
    # of a start
    format: str | None = None
    version: int | None = None
    game: str | None = None
    edition: Shown | None = None
    readings: Shown | None = None
    outcome: Shown | None = None
    # of a finish (pence)
    paid: Any = None
    won: Shown | None = None


@dataclass(frozen=True, slots=True)
class Where:
    """The place of an event: a file (or what it was read from) and a line, 0 for none."""

    file: str
    line: int = 0

    def __str__(self) -> str:
        """Return the place as editors write it: ``file:line``."""
        return f"{self.file}:{self.line}" if self.line else self.file


def flat(
    shown: Mapping[str, Any], above: str = "", deep: int = _DEEPEST
) -> Iterator[tuple[str, Any]]:
    """Yield what is shown by scalar, a vector's labels after a dot; not what lies too deep.

    >>> dict(flat({"level": 2, "rows": {"1": 6, "2": 0}}))
    {'level': 2, 'rows.1': 6, 'rows.2': 0}
    """
    for name, value in shown.items():
        # Whether something is a Mapping takes longer to find out than all the rest.
        inner = isinstance(value, dict) or (
            not isinstance(value, int) and isinstance(value, Mapping)
        )
        if inner and deep:
            yield from flat(value, f"{above}{name}.", deep - 1)
        else:
            yield f"{above}{name}", value


def nested(scalars: Mapping[str, Any]) -> Shown:
    """Return scalars as they are shown in files, a vector by its labels.

    >>> nested({"level": 2, "rows.1": 6, "rows.2": 0})
    {'level': 2, 'rows': {'1': 6, '2': 0}}
    """
    made: Shown = {}
    for name, value in scalars.items():
        *above, last = name.split(".")
        at = made
        for label in above:
            at = at.setdefault(label, {})
        at[last] = value
    return made
