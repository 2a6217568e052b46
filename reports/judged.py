"""Verdicts beside what was expected of them, and the exit code that follows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..models.system import Game, Property
from ..proofs.verdict import Cube, Outcome, Verdict
from .faults import Exit

__all__ = ["Judged", "exit_code", "not_covered"]

_NOT_COVERED = {
    Outcome.PROVED: "whether a build keeps these rules, or whether they are the rules meant",
    Outcome.REFUTED: "what else may break it: one Play is shown, cut short",
    Outcome.DEPENDS: "which reading is the right one: that is for the document's author to say",
    Outcome.BOUNDED: "Plays of more steps than the depth shown",
    Outcome.UNDECIDED: "anything: no engine decided within its budget",
}


@dataclass(frozen=True)
class Judged:
    """A verdict, and the outcome expected with the readings under which it should fail."""

    game: Game
    claim: Property
    verdict: Verdict
    expected: Outcome
    fails_under: tuple[Cube, ...] = ()

    @property
    def fits(self) -> bool:
        """Whether the verdict is the expected one, under exactly the expected readings."""
        return self.verdict.outcome is self.expected and _same(
            self.verdict.fails_under, self.fails_under
        )


def exit_code(judged: Iterable[Judged]) -> Exit:
    """Return the exit code: a wrong verdict weighs more than an open one."""
    code = Exit.FINE
    for one in judged:
        if one.fits:
            continue
        open_ = one.verdict.outcome in (Outcome.UNDECIDED, Outcome.BOUNDED)
        if not open_ or (one.verdict.plays and one.expected is Outcome.PROVED):
            return Exit.WRONG
        code = Exit.OPEN
    return code


def not_covered(verdict: Verdict) -> str:
    """Return what a verdict says nothing of."""
    return _NOT_COVERED[verdict.outcome]


def _same(some: Iterable[Cube], others: Iterable[Cube]) -> bool:
    return {frozenset(cube) for cube in some} == {frozenset(cube) for cube in others}
