"""Plays of one build, and counts of what was asked of it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from typing import Any

from .asking import Asking, StopPlay
from .builds import Build, Trouble
from .cases import Ask
from .course import Course, Played
from .judge import Judge
from .moves import State
from .probes import Probe

__all__ = ["Player"]


class Player:
    """Plays with one build, and counts of what was asked of it.

    ``instead`` makes steps to try where a build refuses one that the rules allow. Plays are
    numbered from the one after ``first``.
    """

    def __init__(
        self,
        build: Build,
        judge: Judge,
        timeout: float,
        instead: Callable[[State, Ask], Iterable[Probe]] | None = None,
        first: int = 0,
    ) -> None:
        self.build = build
        self.judge = judge
        self.expected = judge.expected
        self.timeout = timeout
        self.instead = instead
        self._first = first
        self.plays = self.asked = self.probes = self.resumes = 0
        self.taken: set[str] = set()
        self.shows: set[str] = set()
        self.last: dict[str, Any] = {}
        edition = judge.edition
        self.beginning = {
            "do": "start",
            "game": edition.game.id,
            "edition": {
                "name": edition.name,
                "hash": edition.hash,
                "parameters": dict(edition.parameters),
            },
            "readings": dict(judge.readings),
        }

    def run(self, course: Course) -> Played:
        """Play to the end, or to the first step at which something is found."""
        played = self.open()
        for _ in self.play(course, played):
            pass
        return played

    def open(self) -> Played:
        """Return a new Play, before its start."""
        self.plays += 1
        return Played(f"D-{self._first + self.plays:06}")

    def play(self, course: Course, played: Played) -> Generator[None, None, None]:
        """Play, stopping after each step; what becomes of it is added to ``played``."""
        asking = Asking(self, course, played)
        try:
            yield from asking.steps()
        except StopPlay as stop:
            played.findings += stop.findings
        except Trouble as trouble:
            played.findings.append(asking.troubled(trouble))
            played.lost = True
            self.build.restart()
