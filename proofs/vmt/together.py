"""Several properties at once: drop those that fail, until the rest prove one another.

A lemma that is exported as a property of its own is what another property's proof needs, so
the properties are strengthened by one another: from all that no short run breaks, those are
taken away that a step from states satisfying all the others breaks, until none is (Houdini).
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .answers import Unsafe
from .problem import problem
from .system import System
from .unrolling import Unrolling, new_solver, values_at

__all__ = ["Together", "together"]


@dataclass(frozen=True)
class Together:
    """Which properties are k-inductive together (φ is what they say), which are broken."""

    k: int
    phi: Any | None
    proved: tuple[int, ...]
    broken: Mapping[int, Unsafe]


def together(system: System, numbers: Sequence[int], seconds: float) -> Together:
    """Return what can be said of properties together within some seconds."""
    import z3

    ends = time.monotonic() + seconds
    whole = problem(system, numbers)
    goods = {number: z3.simplify(system.claims[number]) for number in numbers}
    broken: dict[int, Unsafe] = {}
    runs = Unrolling(whole)
    start = new_solver(whole)
    start.add(runs.at(whole.init, 0))
    best = Together(1, None, (), broken)
    for k in (1, 2, 3):
        _refute(start, runs, goods, k - 1, broken, ends)
        open_ = [n for n in goods if n not in broken]
        proved = _inductive(whole, goods, open_, k, ends)
        if proved is None or time.monotonic() > ends:
            break
        if len(proved) > len(best.proved):
            phi = z3.And([goods[n] for n in proved])
            best = Together(k, phi, tuple(proved), broken)
        if len(proved) == len(open_):
            break
        start.add(runs.at(whole.trans, k - 1))
    return best


def _refute(
    solver: Any,
    runs: Unrolling,
    goods: Mapping[int, Any],
    moment: int,
    broken: dict[int, Unsafe],
    ends: float,
) -> None:
    """Find which properties a run of so many steps breaks."""
    import z3

    while open_ := [n for n in goods if n not in broken]:
        _limit(solver, ends)
        solver.push()
        fails = {n: z3.Not(runs.at(goods[n], moment)) for n in open_}
        solver.add(z3.Or(list(fails.values())))
        answer = solver.check()
        if answer == z3.sat:
            model = solver.model()
            states = tuple(values_at(runs, model, moment))
            for n in open_:
                if z3.is_true(model.eval(fails[n], model_completion=True)):
                    broken[n] = Unsafe("BMC", states)
        solver.pop()
        if answer != z3.sat:
            return


def _inductive(
    whole: Any, goods: Mapping[int, Any], numbers: Sequence[int], k: int, ends: float
) -> list[int] | None:
    """Return the most of the properties that are k-inductive together, None out of time."""
    import z3

    loose = Unrolling(whole, "step")
    solver = new_solver(whole)
    for moment in range(k):
        solver.add(loose.at(whole.trans, moment))
    holds = {n: z3.Bool(f"holds@{n}") for n in numbers}
    for n in numbers:
        for moment in range(k):
            solver.add(z3.Or(z3.Not(holds[n]), loose.at(goods[n], moment)))
    then = {n: loose.at(goods[n], k) for n in numbers}
    kept = list(numbers)
    # One after another: that each is kept by a step is a smaller question than that all are.
    unsure = list(kept)
    while unsure:
        number = unsure[0]
        _limit(solver, ends)
        switch = z3.FreshBool("fails")
        solver.add(z3.Or(z3.Not(switch), z3.Not(then[number])))
        answer = solver.check(switch, *(holds[n] for n in kept))
        if answer == z3.unsat:
            unsure.remove(number)
            continue
        if answer == z3.sat:
            model = solver.model()
            lost = [
                n for n in kept if not z3.is_true(model.eval(then[n], model_completion=True))
            ]
        elif time.monotonic() > ends:
            return None
        else:
            lost = [number]
        kept = [n for n in kept if n not in lost]
        unsure = list(kept)
    return kept


def _limit(solver: Any, ends: float) -> None:
    solver.set("timeout", max(1, int((ends - time.monotonic()) * 1000)))
