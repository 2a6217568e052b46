"""A build played through one script, for tests: silent if all is well, else an AssertionError.

What is wrong is told as everywhere else: the step, the field, what is shown and what the rules
give, the clause, and what would explain it.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from ..errors import BadInput
from ..models.editions import Edition, load_edition
from ..models.games import load_game
from . import builds
from .builds import Build, CallableBuild
from .cases import Case
from .course import Course
from .diagnosis import by_check
from .finding import Finding
from .judge import Judge
from .player import Player
from .script import Script
from .ways import WAYS

__all__ = ["BuildFails", "Playing", "connected", "said"]

TIMEOUT = 5.0


class BuildFails(AssertionError):
    """A build does not do what the rules say; ``findings`` say where, and what was expected."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        super().__init__(said(findings))
        self.findings = tuple(findings)


def said(findings: Sequence[Finding]) -> str:
    """Return findings as they are told."""
    return "\n".join(finding.text() for finding in findings)


def connected(build: Build | Callable[[dict[str, Any]], object] | str) -> Build:
    """Return the connection to a build: one that there is, a function, or what names one.

    A name is an address, ``module:function``, or a command line. Raises BadInput for a name
    that is wrong.
    """
    if isinstance(build, str):
        if build.startswith(("http://", "https://")):
            return builds.connect(url=build)
        if _names_a_function(build):
            return builds.connect(callable_=build)
        return builds.connect(shlex.split(build))
    if callable(build):
        return CallableBuild(getattr(build, "__qualname__", "build"), build)
    return build


def _names_a_function(text: str) -> bool:
    module, _, function = text.partition(":")
    return function.isidentifier() and all(part.isidentifier() for part in module.split("."))


class Playing:
    """Plays builds through scripts of one edition, under the readings of the scripts."""

    def __init__(self, edition: Edition, readings: dict[str, str]) -> None:
        """ValueError if the readings do not go together."""
        self.edition, self.readings = edition, readings
        self.judge = Judge(edition, readings)
        self._variables = {id_: m.variables for id_, m in self.judge.expected.moves.items()}
        self._players: dict[int, tuple[Build, Player]] = {}

    @classmethod
    def of(cls, script: Script, edition: Edition | Path | None = None) -> Playing:
        """Return what plays a script; BadInput if it was made for another edition."""
        if not isinstance(edition, Edition):
            edition = load_edition(load_game(script.game), edition)
        if script.edition.hash != edition.hash:
            raise BadInput(
                f"the script was made for another edition ({script.edition.name}) than this "
                f"one ({edition.name}): name its file, or make the suite again"
            )
        return cls(edition, script.readings)

    def player(self, build: Build) -> Player:
        """Return the player of a build; its Plays have numbers of their own."""
        if id(build) not in self._players:
            self._players[id(build)] = (build, Player(build, self.judge, TIMEOUT))
        return self._players[id(build)][1]

    def course(self, case: Case, way: str = WAYS[0], *, resumed: bool = False) -> Course:
        """Return how a Play is to go."""
        return Course(case, case.asks(self._variables, way), resumed=resumed)

    def play(self, case: Case, build: Build, ways: Sequence[str] = WAYS) -> None:
        """Play a script with several ways to choose, and resumed after every step.

        Raises BuildFails at the first thing that is wrong.
        """
        player = self.player(build)
        chosen = ways if case.script.choices else ways[:1]
        courses = [self.course(case, way) for way in chosen]
        courses.append(self.course(case, chosen[0], resumed=True))
        for course in courses:
            findings = player.run(course).findings
            if findings and course.resumed:  # each other Play went well
                raise BuildFails([by_check(one, "resume", course) for one in findings])
            if findings:
                raise BuildFails(findings)
