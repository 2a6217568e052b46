"""Walk through the states, one step after another: cheap, so it goes deep.

Where a system leaves little or nothing open, the walk is the run that there is, and it finds a
counterexample of hundreds of steps that unrolling would choke on. Otherwise it is one run of
many, chosen by a seed, and a few are tried. It never proves anything.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from .answers import Answer, GaveUp, Unsafe
from .problem import Problem

__all__ = ["walk"]


def walk(problem: Problem, runs: int = 12, longest: int = 3000) -> Answer:
    """Try some runs of up to so many steps; the same ones every time."""
    import z3

    choose = random.Random(1)
    ways = problem.trans.children() if z3.is_or(problem.trans) else [problem.trans]
    for _ in range(runs):
        states = _run(problem, ways, longest, choose)
        if states is not None:
            told = tuple(
                {a.decl().name(): v.sexpr() for a, v in zip(problem.now, one, strict=True)}
                for one in states
            )
            return Unsafe("walk", told)
    return GaveUp("walk", f"{runs} runs broke nothing")


def _run(
    problem: Problem, ways: Sequence[Any], longest: int, choose: random.Random
) -> list[list[Any]] | None:
    """Return the states of a run that breaks the property, None if this one does not."""
    import z3

    state = _one(problem.init, problem.now, choose)
    if state is None:
        return None
    states = [state]
    while len(states) <= longest:
        here = list(zip(problem.now, states[-1], strict=True))
        if z3.is_false(
            z3.simplify(z3.substitute(problem.good, *here) if here else problem.good)
        ):
            return states
        following = None
        for way in choose.sample(list(ways), len(ways)):
            step = z3.simplify(z3.substitute(way, *here) if here else way)
            if z3.is_false(step):
                continue
            following = _one(step, problem.then, choose)
            if following is not None:
                break
        if following is None:
            return None
        states.append(following)
    return None


def _one(formula: Any, variables: Sequence[Any], choose: random.Random) -> list[Any] | None:
    """Return values of the variables under which a formula can hold, None if there are none."""
    import z3

    solver = z3.SimpleSolver()
    solver.set("random_seed", choose.randrange(1 << 20))
    solver.set("timeout", 2000)
    solver.add(formula)
    if solver.check() != z3.sat:
        return None
    model = solver.model()
    return [model.eval(v, model_completion=True) for v in variables]
