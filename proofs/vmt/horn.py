"""Spacer on the Horn clauses of a problem: it finds φ itself.

    init(x) ⇒ inv(x)      inv(x) ∧ trans(x, w, x') ⇒ inv(x')      inv(x) ∧ ¬ good(x) ⇒ false

Komuravelli, Gurfinkel, Chaki: SMT-based model checking for recursive programs, CAV 2014;
Krishnan, Chen, Shoham, Gurfinkel: Global guidance for local generalization, CAV 2020.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..solvers import first_line
from .answers import Answer, GaveUp, Safe
from .bmc import refute
from .problem import Problem

__all__ = ["spacer"]


def spacer(
    problem: Problem,
    known: Sequence[Any] = (),
    options: Mapping[str, Any] | None = None,
    refutes: bool = True,
) -> Answer:
    """Prove or, if wanted, refute by Spacer. ``known`` are inductive invariants."""
    import z3

    method = "Spacer"
    fixedpoint = z3.Fixedpoint()
    fixedpoint.set(engine="spacer", **{"xform.inline_eager": False, **(options or {})})
    inv = z3.Function("inv", *(a.sort() for a in problem.now), z3.BoolSort())
    error = z3.Function("error", z3.BoolSort())
    fixedpoint.register_relation(inv)
    fixedpoint.register_relation(error)
    fixedpoint.declare_var(*problem.now, *problem.then, *problem.inputs)
    here, there = inv(*problem.now), inv(*problem.then)
    lemmas = [*known]
    fixedpoint.rule(here, [problem.init, *lemmas])
    fixedpoint.rule(there, [here, problem.trans, *lemmas, *map(problem.next, lemmas)])
    fixedpoint.rule(error(), [here, *lemmas, z3.Not(problem.good)])
    try:
        answer = fixedpoint.query(error())
        if answer == z3.unsat:
            return Safe(method, 1, _phi(problem, fixedpoint, inv, lemmas))
        if answer == z3.sat:
            # Spacer counts the levels it went through; how the run goes, BMC says.
            return refute(problem) if refutes else GaveUp(method, "there is no proof")
        return GaveUp(method, fixedpoint.reason_unknown())
    except z3.Z3Exception as error_:
        return GaveUp(method, first_line(error_))


def _phi(problem: Problem, fixedpoint: Any, inv: Any, lemmas: Sequence[Any]) -> Any:
    import z3

    answer = fixedpoint.get_answer()
    todo = [answer]
    while todo:
        one = todo.pop()
        if z3.is_quantifier(one):
            body = one.body()
            if z3.is_eq(body) and body.arg(0).decl().eq(inv):
                places = [z3.get_var_index(v) for v in body.arg(0).children()]
                named = dict(zip(places, problem.now, strict=True))
                values = [named[place] for place in range(one.num_vars())]
                phi = z3.substitute_vars(body.arg(1), *values)
                return z3.simplify(z3.And([phi, *lemmas]))
        else:
            todo.extend(one.children())
    phi = z3.substitute_vars(fixedpoint.get_cover_delta(-1, inv), *problem.now)
    return z3.simplify(z3.And([phi, *lemmas]))
