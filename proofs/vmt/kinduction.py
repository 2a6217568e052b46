"""k-induction, with what is known to hold: longer and longer runs that need not start.

    good(x0) ∧ trans(x0, x1) ∧ … ∧ good(xk-1) ∧ trans(xk-1, xk) ⇒ good(xk)

That no run of fewer than k steps from the start breaks the property is checked beside it.

Sheeran, Singh, Stålmarck: Checking safety properties using induction and a SAT-solver, 2000.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from .answers import Answer, GaveUp, Safe, Unsafe
from .problem import Problem
from .unrolling import Unrolling, ask, new_solver, values_at

__all__ = ["induct"]


def induct(
    problem: Problem,
    known: Sequence[Any] = (),
    seconds: float | None = None,
    most: int | None = None,
) -> Answer:
    """Prove or refute by k-induction, with growing k. ``known`` are inductive invariants."""
    import z3

    always = z3.And([problem.good, *known])
    runs, loose = Unrolling(problem), Unrolling(problem, "step")
    base, step = new_solver(problem), new_solver(problem)
    base.add(runs.at(problem.init, 0))
    ends = time.monotonic() + seconds if seconds is not None else None
    k = 0
    while most is None or k < most:
        for solver in (base, step):
            if ends is not None:
                left = ends - time.monotonic()
                if left <= 0:
                    return GaveUp("k-induction", f"out of time at k = {k}")
                solver.set("timeout", max(1, int(left * 1000)))
        bad = z3.Bool(f"bad@{k}")
        good = runs.at(problem.good, k)
        base.add(z3.Or(z3.Not(bad), z3.Not(good)))
        answer = ask(base, bad)
        if answer == z3.sat:
            return Unsafe("k-induction", tuple(values_at(runs, base.model(), k)))
        if answer == z3.unknown:
            return GaveUp("k-induction", base.reason_unknown())
        base.add(good, runs.at(problem.trans, k))
        step.add(loose.at(always, k), loose.at(problem.trans, k))
        k += 1
        broken = z3.Bool(f"broken@{k}")
        step.add(z3.Or(z3.Not(broken), z3.Not(loose.at(problem.good, k))))
        answer = ask(step, broken)
        if answer == z3.unsat:
            return Safe(f"{k}-induction", k, always)
        if answer == z3.unknown:
            return GaveUp("k-induction", step.reason_unknown())
    return GaveUp("k-induction", f"not inductive for k up to {k}")
