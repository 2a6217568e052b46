"""What a search for Plays is to find, and how far it goes."""

from __future__ import annotations

from dataclasses import dataclass

from ..models.play import Play
from ..proofs.counting import Outline
from ..proofs.verdict import Outcome, Verdict
from .targets import Component, Target

__all__ = ["HARD", "Effort", "Finding", "exactly"]

HARD = 16
"""As many paths in vain does one count for, once z3 found the target hard."""


@dataclass(frozen=True)
class Finding:
    """Plays that realise a target, or why there are none.

    ``verdict`` is there where a proof was tried: ``proved`` says that no Play of any length
    pays the target. ``complete`` is false where fewer Plays were found than asked for, and
    ``remark`` says why, unless it is proved that there are none.
    """

    target: Target
    plays: tuple[Play, ...]
    complete: bool
    verdict: Verdict | None = None
    remark: str = ""

    @property
    def unreachable(self) -> bool:
        """Whether it is proved that no Play pays the target."""
        return self.verdict is not None and self.verdict.outcome is Outcome.PROVED


@dataclass(frozen=True)
class Effort:
    """How far to search: steps of a Play, counts of rules, paths for each, paths in vain.

    The first few counts get some paths each, side by side, before any gets them all: a count
    that will not do will not do in any order.

    The proof takes long for targets that many sums of amounts come up to, so it waits longer
    where the target is not ``small`` (pence).

    Counted, not timed, so that the same question always has the same answer.
    """

    steps: int = 1024
    counts: int = 16
    paths: int = 12
    side_by_side: int = 5
    in_vain: int = 48
    guesses: int = 8
    before_proof: int = 1
    before_long_proof: int = 24
    small: int = 501
    proves: bool = True


def exactly(outline: Outline) -> Target:
    """Return the target that names every part of an outline, and what it pays."""
    paid = [Component(name, amount) for name, amount in outline.parts.items() if amount]
    return Target(sum(outline.parts.values()), tuple(paid))
