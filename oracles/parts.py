"""Parts of the search for Plays, each done with what was known when it was given out.

A part holds all that its result depends on: Plays that were known, goals, a ``Wander`` of its
own. So it does not matter which process does it, and when (``oracles.abreast``).
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import NamedTuple

from ..proofs.verdict import Verdict
from .aim import Aim
from .coverage import Coverage
from .goals import Goal, Prize
from .ground import Ground, Packed, Trace
from .synthesis import Synthesis
from .wander import Wander

__all__ = ["Aiming", "Found", "Wandering", "Winning", "Won"]


class Found(NamedTuple):
    """A Play, and the goals (ids) it reaches; None where that was not looked at."""

    play: Packed
    reached: frozenset[str] | None = None


@dataclass(frozen=True)
class Wandering:
    """So many Plays that wander, from the start or from where others have been."""

    wander: Wander
    plays: int
    begun: Sequence[Trace]

    def done(self, ground: Ground, coverage: Coverage | None) -> list[Found]:
        """Return the Plays."""
        with closing(self.wander) as wander:
            return [
                Found(ground.packed(trace), coverage.of(trace) if coverage else None)
                for trace in wander.batch(self.plays, self.begun)
            ]


@dataclass(frozen=True)
class Aiming:
    """Some goals to be reached, one after the other, at first without asking a solver.

    ``scarce`` are the goals (ids) that too few Plays reach, ``new`` those that none does.
    """

    wander: Wander
    goals: Sequence[Goal]
    known: Sequence[Trace]
    scarce: frozenset[str]
    new: frozenset[str]
    quickly: bool

    def done(self, ground: Ground, coverage: Coverage) -> list[Found]:
        """Return Plays that reach what is scarce; for each goal it ends with one, if any."""
        found: list[Found] = []
        known, new = [*self.known], set(self.new)
        with closing(self.wander) as wander:
            aim = Aim(ground, wander, wander.seed)
            for goal in self.goals:
                if goal.id not in new:
                    continue
                for trace in (aim.quickly if self.quickly else aim.at)(goal, known):
                    reached = coverage.of(trace)
                    if reached & self.scarce:
                        known.append(trace)
                        found.append(Found(ground.packed(trace), reached))
                        new -= reached
                    if goal.id not in new:
                        break
        return found


class Won(NamedTuple):
    """What became of a prize: Plays that win it, a proof that none does, or a remark."""

    plays: Sequence[Packed]
    never: Verdict | None
    remark: str


@dataclass(frozen=True)
class Winning:
    """Some prizes to be won."""

    goals: Sequence[Prize]

    def done(self, ground: Ground, synthesis: Synthesis) -> list[Won]:
        """Return what became of each."""
        return [self._won(ground, synthesis, goal) for goal in self.goals]

    def _won(self, ground: Ground, synthesis: Synthesis, goal: Prize) -> Won:
        finding = synthesis.find(goal.target)
        remark = finding.remark
        plays: list[Packed] = []
        for trace in map(ground.traced, finding.plays):
            if ground.allowed(trace):
                plays.append(ground.packed(trace))
            else:
                remark = "the Play found breaks a promise, so it is no script"
        return Won(plays, finding.verdict if finding.unreachable else None, remark)
