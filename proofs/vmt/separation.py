"""What tells the moments of a run that there is none of apart: interpolants, by Spacer.

    init(x) ∧ way0(x) ⇒ P0(x)      Pi(x) ∧ trans(x, w, x') ∧ wayi+1(x') ⇒ Pi+1(x')
    Pn(x) ∧ ¬ good(x) ⇒ false

These Horn clauses have no cycle, so Spacer ends. The atoms of what it finds are predicates.

Cimatti, Griggio, Mover, Tonetta: IC3 modulo theories via implicit predicate abstraction, 2014.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .problem import Problem
from .templates import own_atoms

__all__ = ["interpolants"]


def interpolants(problem: Problem, way: Sequence[Any], known: Sequence[Any] = ()) -> list[Any]:
    """Return the atoms of formulas that show that no run goes this way; none if unknown."""
    import z3

    fixedpoint = z3.Fixedpoint()
    options = {"xform.inline_eager": False, "xform.inline_linear": False, "xform.slice": False}
    fixedpoint.set(engine="spacer", **options)
    fixedpoint.declare_var(*problem.now, *problem.then, *problem.inputs)
    sorts = [a.sort() for a in problem.now]
    found = [z3.Function(f"moment~{n}", *sorts, z3.BoolSort()) for n in range(len(way))]
    error = z3.Function("error", z3.BoolSort())
    for one in (*found, error):
        fixedpoint.register_relation(one)
    last = len(way) - 1
    fixedpoint.rule(found[0](*problem.now), [problem.init, way[0], *known])
    for place in range(last):
        body = [found[place](*problem.now), problem.trans, problem.next(way[place + 1])]
        fixedpoint.rule(found[place + 1](*problem.then), [*body, *map(problem.next, known)])
    fixedpoint.rule(error(), [found[last](*problem.now), z3.Not(problem.good)])
    try:
        if fixedpoint.query(error()) != z3.unsat:
            return []
        covers = [fixedpoint.get_cover_delta(-1, one) for one in found]
    except z3.Z3Exception:
        return []
    return own_atoms(problem, [z3.substitute_vars(one, *problem.now) for one in covers])
