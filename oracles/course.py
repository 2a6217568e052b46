"""How a Play of a build is to go, and what became of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from .cases import Ask, Case
from .finding import Finding
from .moves import State
from .probes import Probe

__all__ = ["Course", "Played"]


@dataclass(frozen=True)
class Course:
    """How a Play is to go: the steps of a script, and what is to be checked in it besides.

    ``told`` is a script whose outcome is predetermined instead of this one's. ``resumed``: the
    Play is to go on after every step (``restarted``: in a new process). ``probe`` makes a step
    to try that is not allowed. ``refused`` are such steps, by the steps that come before them.
    ``last`` is the last step that is asked for, None where the Play is to come to its end.
    """

    case: Case
    asks: Sequence[Ask]
    told: Case | None = None
    resumed: bool = False
    restarted: bool = False
    probe: Callable[[State, Ask], Probe | None] | None = None
    refused: Mapping[int, Sequence[Probe]] = field(default_factory=dict)
    last: int | None = None

    @property
    def outcome(self) -> dict[str, Any]:
        """The outcome that the build is told."""
        return (self.told or self.case).outcome

    def plain(self) -> Course:
        """Return the same steps with nothing else to be checked."""
        return Course(self.case, self.asks)

    def telling(self, other: Case | None, last: int | None = None) -> Course:
        """Return the same with another outcome told, up to the step before the end."""
        if other is None:
            return self
        return replace(self, told=other, last=len(self.asks) - 1 if last is None else last)

    def trying(self, probes: Iterable[Probe | None]) -> Course:
        """Return the same, once, with these steps to try, if any are tried at all."""
        if self.probe is None:
            return self
        waiting = iter(probes)
        return replace(self, probe=lambda state, due: next(waiting, None))

    def by_check(self) -> Mapping[str, Course]:
        """Return for each check that is done here a Play in which no other one is."""
        plain, found = self.plain(), {}
        if self.told is not None:
            found["leak"] = plain.telling(self.told, self.last)
        if self.resumed:
            found["resume"] = replace(plain, resumed=True, restarted=self.restarted)
        if self.probe is not None or self.refused:
            found["illegal"] = replace(plain, probe=self.probe, refused=self.refused)
        return found


@dataclass
class Played:
    """What became of a Play: what was found.

    ``tried`` are steps that are not allowed, None where there was none to try. ``notes`` are
    findings that end no Play. ``lost``: the build was started anew, so that no other Play of it
    goes on. ``declined``: it would not go on with the outcome of another script.
    """

    number: str
    findings: list[Finding] = field(default_factory=list)
    notes: list[Finding] = field(default_factory=list)
    tried: list[Probe | None] = field(default_factory=list)
    lost: bool = False
    declined: bool = False
