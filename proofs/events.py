"""What engines say while they work, for whoever listens: a progress line, a log, nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from .verdict import Verdict

__all__ = ["Event", "Listener", "silent"]


@dataclass(frozen=True)
class Event:
    """One thing that happened to one property.

    ``kind`` is ``started``, ``engine`` (``detail`` names it), ``rechecked`` (``detail`` names
    the solver) or ``finished`` (with the verdict, and what sanity found of it, or the sanity of
    a whole game alone). ``learned`` is what a worker of a campaign lets the others know when it
    has finished: answers of solvers, by check.
    """

    kind: str
    game: str
    property: str
    detail: str = ""
    verdict: Verdict | None = None
    sanity: object = None
    learned: Mapping[Any, Any] = field(default_factory=dict)

    def result(self) -> object:
        """Return what the work came to, once it is finished: a verdict, or a game's sanity."""
        return self.verdict if self.verdict is not None else self.sanity


Listener = Callable[[Event], None]


def silent(event: Event) -> None:
    """Hear an event and do nothing."""
