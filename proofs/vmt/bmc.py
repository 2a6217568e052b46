"""Bounded model checking: longer and longer runs, by one solver for all or by one for each.

    init(x0) ∧ trans(x0, x1) ∧ … ∧ trans(xn-1, xn) ∧ ¬ good(xn)

One that keeps what it learned goes deeper; one made for a length alone simplifies more, which
decides short runs of large systems in a moment.

Biere, Cimatti, Clarke, Zhu: Symbolic model checking without BDDs, TACAS 1999.
"""

from __future__ import annotations

import time

from .answers import Answer, GaveUp, Unsafe
from .problem import Problem
from .unrolling import Unrolling, ask, new_solver, values_at

__all__ = ["refute", "refute_afresh"]


def refute(
    problem: Problem, seconds: float | None = None, deepest: int | None = None
) -> Answer:
    """Look for a run that breaks the property, up to a number of steps or for some seconds."""
    import z3

    unrolling = Unrolling(problem)
    solver = new_solver(problem)
    solver.add(unrolling.at(problem.init, 0))
    ends = time.monotonic() + seconds if seconds is not None else None
    moment = 0
    while deepest is None or moment <= deepest:
        if ends is not None:
            left = ends - time.monotonic()
            if left <= 0:
                break
            solver.set("timeout", max(1, int(left * 1000)))
        bad = z3.Bool(f"bad@{moment}")
        good = unrolling.at(problem.good, moment)
        solver.add(z3.Or(z3.Not(bad), z3.Not(good)))
        answer = ask(solver, bad)
        if answer == z3.sat:
            states = values_at(unrolling, solver.model(), moment)
            return Unsafe("BMC", tuple(states))
        if answer == z3.unknown:
            return GaveUp("BMC", f"at {moment} steps: {solver.reason_unknown()}")
        solver.add(good, unrolling.at(problem.trans, moment))
        moment += 1
    return GaveUp("BMC", f"no run of up to {moment - 1} steps breaks it")


def refute_afresh(problem: Problem, deepest: int) -> Answer:
    """Look for a run of up to a number of steps, each length asked by itself."""
    import z3

    unrolling = Unrolling(problem)
    parts = [unrolling.at(problem.init, 0)]
    for moment in range(deepest + 1):
        good = unrolling.at(problem.good, moment)
        solver = z3.Solver()
        solver.add(*parts, z3.Not(good))
        answer = ask(solver)
        if answer == z3.sat:
            states = values_at(unrolling, solver.model(), moment)
            return Unsafe("BMC", tuple(states))
        if answer == z3.unknown:
            return GaveUp("BMC", f"at {moment} steps: {solver.reason_unknown()}")
        parts += [good, unrolling.at(problem.trans, moment)]
    return GaveUp("BMC", f"no run of up to {deepest} steps breaks it")
