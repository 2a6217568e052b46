"""Verdicts beside what was expected of them, and the exit code that follows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..models.system import Game, Property
from ..proofs.manifest import Expected, surprise
from ..proofs.sane import Sanity
from ..proofs.verdict import Outcome, Verdict
from .faults import Exit

__all__ = ["Judged", "exit_code", "not_covered"]

_NOT_COVERED = {
    Outcome.PROVED: "whether a build keeps these rules, or whether they are the rules meant",
    Outcome.REFUTED: "what else may break it: one Play is shown, made as short as could be",
    Outcome.DEPENDS: "which reading is the right one: the document's author has to say",
    Outcome.BOUNDED: "Plays of more steps than the depth shown",
    Outcome.UNDECIDED: "anything: no engine decided within its budget",
}
_OTHERS = "other editions, and other ways to take the readings"


@dataclass(frozen=True)
class Judged:
    """A verdict on a claim, what was expected, and whether the claim could fail at all."""

    game: Game
    claim: Property
    verdict: Verdict
    expected: Expected
    sanity: Sanity | None = None

    @property
    def surprise(self) -> str:
        """How the verdict differs from what was expected, in words; "" if it does not."""
        return surprise(self.verdict, self.expected)


def exit_code(judged: Iterable[Judged]) -> Exit:
    """Return the exit code: a wrong verdict weighs more than an open one."""
    code = Exit.FINE
    for one in judged:
        if not one.surprise:
            continue
        open_ = one.verdict.outcome in (Outcome.UNDECIDED, Outcome.BOUNDED)
        if not open_ or (one.verdict.plays and one.expected.outcome is Outcome.PROVED):
            return Exit.WRONG
        code = Exit.OPEN
    return code


def not_covered(verdict: Verdict) -> str:
    """Return what a verdict says nothing of.

    That a prize can be won is proved by Plays, and refuted by a proof: both of one edition.
    """
    if verdict.outcome is Outcome.PROVED and verdict.plays:
        return f"{_OTHERS}; {_NOT_COVERED[Outcome.PROVED]}"
    if verdict.termination and verdict.termination.endless:
        return "loops that no search of this kind finds; how likely such a Play is"
    if verdict.outcome is Outcome.REFUTED and not verdict.plays:
        return _OTHERS
    return _NOT_COVERED[verdict.outcome]
