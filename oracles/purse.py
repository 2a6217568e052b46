"""How many steps a solver may take on the Plays of a log, one by one and all together.

A Play of which much was left out can keep a solver at work for as long as it is let; so can a
log of many such Plays. What is spent is counted in the solver's own steps, so that it repeats.
"""

from __future__ import annotations

from ..proofs import solvers

__all__ = ["OF_A_LOG", "OF_A_PLAY", "Purse"]

OF_A_PLAY = 12_000_000
"""Steps for one Play: some seconds."""

OF_A_LOG = 600_000_000
"""Steps for all Plays of a log: some minutes."""


class Purse:
    """Steps that are left: of one Play, out of those that are left of its log."""

    def __init__(self, left: int, of: Purse | None = None) -> None:
        self.left = left
        self._of = of

    def part(self, most: int = OF_A_PLAY) -> Purse:
        """Return the purse of one Play."""
        return Purse(most, self)

    def spend(self, steps: int) -> None:
        """Take steps out."""
        self.left -= steps
        if self._of is not None:
            self._of.spend(steps)

    def ask(self, text: str) -> tuple[str, str]:
        """Ask a solver, and return its answer, with the reason where there is none."""
        left = min(self.left, self._of.left) if self._of is not None else self.left
        if left > 0:
            result, steps = solvers.run_alone(text, left)
            self.spend(min(steps, left))
            if result.answer != "unknown" or steps < left:
                return result.answer, result.reason
        whose = "this Play" if self.left <= 0 else "all Plays of this log together"
        return "unknown", f"budget exhausted: the solver has taken its steps for {whose}"
