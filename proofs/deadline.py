"""Deadlines: seconds that a search may take, after which its answer is ``undecided``."""

from __future__ import annotations

import time
from dataclasses import dataclass

import z3

__all__ = ["NEVER", "Deadline", "OutOfTime", "answer_of"]

_NO_LIMIT = 4_294_967_295  # z3's own way to say so


class OutOfTime(Exception):
    """The deadline has passed before there was an answer."""


@dataclass(frozen=True)
class Deadline:
    """The moment, in seconds of ``time.perf_counter``, at which a search has to end."""

    moment: float | None = None

    @staticmethod
    def after(seconds: float | None) -> Deadline:
        """Return the deadline in so many seconds from now; none without."""
        return NEVER if seconds is None else Deadline(time.perf_counter() + seconds)

    def left(self) -> float | None:
        """Return the seconds left. Raises OutOfTime if there are none."""
        if self.moment is None:
            return None
        left = self.moment - time.perf_counter()
        if left <= 0:
            raise OutOfTime
        return left

    def check(
        self, solver: z3.Solver | z3.Optimize, *assumptions: z3.BoolRef
    ) -> z3.CheckSatResult:
        """Return a solver's answer, had in time. Raises OutOfTime otherwise."""
        left = self.left()
        solver.set("timeout", _NO_LIMIT if left is None else max(1, int(left * 1000)))
        answer = answer_of(solver, *assumptions)
        self.left()
        return answer


def answer_of(solver: z3.Solver | z3.Optimize, *assumptions: z3.BoolRef) -> z3.CheckSatResult:
    """Return a solver's answer; Ctrl-C raises KeyboardInterrupt as soon as it is there.

    z3 would take Ctrl-C for itself and answer ``unknown``, as where its steps have run out.
    """
    solver.set("ctrl_c", False)
    return solver.check(*assumptions)


NEVER = Deadline()
