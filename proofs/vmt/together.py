"""Several properties at once: drop those that fail, until the rest prove one another.

A lemma that is exported as a property of its own is what another property's proof needs, so
the properties are strengthened by one another: from all that no short run breaks, those are
taken away that a step from states satisfying all the others breaks, until none is (Houdini).
What is proved so is a lemma for the rest, which is then tried with longer steps.

Which others a property's step needs is read off the unsat core. So each gets a φ of its own:
itself, what it needs, what these need, and so on; and each of these is checked apart.

Flanagan, Leino: Houdini, an annotation assistant for ESC/Java, FME 2001.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .answers import Part, Safe, Unsafe
from .problem import Problem, problem
from .system import System
from .unrolling import Unrolling, ask, new_solver, values_at

__all__ = ["Together", "inductive", "together"]

_LONGEST = 3

Cores = Mapping[int, frozenset[int]]


@dataclass(frozen=True)
class Together:
    """What is k-inductive with the help of other properties, and what is broken, by number."""

    safe: Mapping[int, Safe]
    broken: Mapping[int, Unsafe]

    @property
    def proved(self) -> tuple[int, ...]:
        """The numbers of what is proved."""
        return tuple(sorted(self.safe))


def together(system: System, numbers: Sequence[int], seconds: float) -> Together:
    """Return what can be said of properties together within some seconds."""
    import z3

    ends = time.monotonic() + seconds
    whole = problem(system, numbers)
    goods = {number: z3.simplify(system.claims[number]) for number in numbers}
    broken: dict[int, Unsafe] = {}
    safe: dict[int, Safe] = {}
    runs = Unrolling(whole)
    start = new_solver(whole)
    start.add(runs.at(whole.init, 0))
    for k in range(1, _LONGEST + 1):
        left = {n: good for n, good in goods.items() if n not in safe}
        _refute(start, runs, left, k - 1, broken, ends)
        left = {n: good for n, good in left.items() if n not in broken}
        cores = inductive(whole, left, {n: goods[n] for n in safe}, k, ends) if left else {}
        if cores is None or time.monotonic() > ends:
            break
        if k == 1:
            safe |= {n: _apart(goods, cores, n) for n in cores}
        elif cores:
            phi = z3.And([goods[n] for n in (*safe, *cores)])
            safe |= {n: Safe(f"{k}-induction, together", k, phi) for n in cores}
        if len(cores) == len(left):
            break
        start.add(runs.at(whole.trans, k - 1))
    return Together(safe, broken)


def _apart(goods: Mapping[int, Any], cores: Cores, number: int) -> Safe:
    """Return the proof of one property: with what its step needs, and what that needs."""
    import z3

    needed = [number]
    for one in needed:
        needed += sorted(cores[one] - set(needed))
    place = {one: at for at, one in enumerate(needed)}
    # By number, so that a step that several properties need is one text for all of them.
    parts = tuple(
        Part(goods[one], tuple(place[other] for other in sorted(cores[one] | {one})))
        for one in needed
    )
    return Safe("1-induction, together", 1, z3.And([part.formula for part in parts]), parts)


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
        answer = ask(solver)
        if answer == z3.sat:
            model = solver.model()
            states = tuple(values_at(runs, model, moment))
            for n in open_:
                if z3.is_true(model.eval(fails[n], model_completion=True)):
                    broken[n] = Unsafe("BMC", states)
        solver.pop()
        if answer != z3.sat:
            return


def inductive(
    whole: Problem, goods: Mapping[int, Any], lemmas: Mapping[int, Any], k: int, ends: float
) -> Cores | None:
    """Return the most of the properties that are k-inductive together, None out of time.

    Each comes with those that its step needs. ``lemmas`` are known to hold throughout.
    """
    import z3

    loose = Unrolling(whole, "step")
    solver = new_solver(whole)
    for moment in range(k):
        solver.add(loose.at(whole.trans, moment))
        solver.add(*(loose.at(lemma, moment) for lemma in lemmas.values()))
    holds = {n: z3.Bool(f"holds@{n}") for n in goods}
    for n, good in goods.items():
        for moment in range(k):
            solver.add(z3.Or(z3.Not(holds[n]), loose.at(good, moment)))
    then = {n: loose.at(good, k) for n, good in goods.items()}
    kept = list(goods)
    cores: dict[int, frozenset[int]] = {}
    # One after another: that each is kept by a step is a smaller question than that all are.
    while unsure := [n for n in kept if n not in cores]:
        number = unsure[0]
        _limit(solver, ends)
        switch = z3.FreshBool("fails")
        solver.add(z3.Or(z3.Not(switch), z3.Not(then[number])))
        answer = ask(solver, switch, *(holds[n] for n in kept))
        if answer == z3.unsat:
            cores[number] = _named(solver.unsat_core(), holds)
            continue
        if answer == z3.sat:
            model = solver.model()
            lost = {
                n for n in kept if not z3.is_true(model.eval(then[n], model_completion=True))
            }
        elif time.monotonic() > ends:
            return None
        else:
            lost = {number}
        # What needed none of those that are lost stands.
        kept = [n for n in kept if n not in lost]
        cores = {n: core for n, core in cores.items() if n in kept and not core & lost}
    return cores


def _named(core: Iterable[Any], holds: Mapping[int, Any]) -> frozenset[int]:
    names = {one.decl().name() for one in core}
    return frozenset(n for n, switch in holds.items() if switch.decl().name() in names)


def _limit(solver: Any, ends: float) -> None:
    solver.set("timeout", max(1, int((ends - time.monotonic()) * 1000)))
