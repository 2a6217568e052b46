"""The closing lines of a certificate's three checks, where the system is taken whole.

    base      rigid ∧ init(x0) ∧ trans(x0, x1) ∧ … ⇒ φ(x0) ∧ … ∧ φ(xk-1)
    step      rigid ∧ φ(x0) ∧ trans(x0, x1) ∧ φ(x1) ∧ … ∧ trans(xk-1, xk) ⇒ φ(xk)
    property  rigid ∧ φ(x) ⇒ holds(x), or for a step property
              rigid ∧ φ(x) ∧ trans(x, x') ⇒ holds(x, x')

Each is written as its negation. They need names and sorts alone, so that who re-checks a proof
can say from its text what they have to be.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Unrolling", "at"]

Sorted = tuple[str, str]


@dataclass(frozen=True)
class Unrolling:
    """Moments of a system: the variables of its state and its reveals, each with its sort."""

    state: Sequence[Sorted]
    reveals: Sequence[Sorted]

    def points(self, moments: range) -> str:
        """Declare the points at these moments, and the reveals of the steps between them."""
        return "".join(
            _declare(self.state, moment)
            + (_declare(self.reveals, moment) if moment + 1 in moments else "")
            for moment in moments
        )

    def start(self) -> str:
        """Say that something is a start of the system: here ``sat`` is the right answer."""
        return self._lines(range(1), [self._apply("init", 0)]) + "(check-sat)\n"

    def base(self, k: int) -> str:
        """Deny that φ holds in the first k states."""
        moved = [self._trans(moment) for moment in range(k - 1)]
        kept = " ".join(self._apply("phi", moment) for moment in range(k))
        return self._check(range(k), [self._apply("init", 0), *moved], f"(and true {kept})")

    def step(self, k: int) -> str:
        """Deny that φ holds after k steps from states where it holds."""
        lines = [
            line
            for moment in range(k)
            for line in (self._apply("phi", moment), self._trans(moment))
        ]
        return self._check(range(k + 1), lines, self._apply("phi", k))

    def property(self, over_step: bool) -> str:
        """Deny that what is claimed, of a state or of a step, follows from φ."""
        known = [self._apply("phi", 0)]
        if over_step:
            holds = f"(holds {' '.join(self._step(0))})"
            return self._check(range(2), [*known, self._trans(0)], holds)
        return self._check(range(1), known, self._apply("holds", 0))

    def _check(self, moments: range, known: Sequence[str], goal: str) -> str:
        return self._lines(moments, known) + f"(assert (not {goal}))\n(check-sat)\n"

    def _lines(self, moments: range, known: Sequence[str]) -> str:
        asserted = "".join(f"(assert {line})\n" for line in ("rigid", *known))
        return self.points(moments) + asserted

    def _apply(self, name: str, moment: int) -> str:
        return f"({name} {' '.join(at(self.state, moment))})"

    def _trans(self, moment: int) -> str:
        return f"(trans {' '.join(self._step(moment))})"

    def _step(self, moment: int) -> list[str]:
        return [
            *at(self.state, moment),
            *at(self.reveals, moment),
            *at(self.state, moment + 1),
        ]


def at(variables: Sequence[Sorted], moment: int) -> list[str]:
    """Return the names of variables at a moment of an unrolling: ``s.spins@3``."""
    return [f"{name}@{moment}" for name, _ in variables]


def _declare(variables: Sequence[Sorted], moment: int) -> str:
    return "".join(f"(declare-const {name}@{moment} {sort})\n" for name, sort in variables)
