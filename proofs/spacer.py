"""Spacer: invariants that nobody wrote, found by solving constrained Horn clauses.

    rigid(p) ∧ init(p, x) ⇒ inv(p, x)
    inv(p, x) ∧ trans(p, x, r, x') ⇒ inv(p, x')
    inv(p, x) ∧ ¬ claim ⇒ false

A solution ``inv`` is a φ for k = 1: it is taken as text and checked like any other. z3 spends
its budget quietly here, so exceeding it shows as an exception or as ``unknown``: both are "no".

Komuravelli, Gurfinkel, Chaki: SMT-based model checking for recursive programs, CAV 2014.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ..models.algebra import Bool, negate
from ..models.shape import Variable
from ..models.system import Kind, Property
from . import smtlib, solvers
from .encoding import Encoding

__all__ = ["Invariant", "find_invariant"]


@dataclass(frozen=True)
class Invariant:
    """φ as text over the state's variables, or why there is none."""

    phi: str | None
    reason: str = ""


def find_invariant(
    encoding: Encoding, claim: Property, steps: int, seconds: float | None = None
) -> Invariant:
    """Look for an inductive invariant that implies a claim, within a budget of z3's steps.

    Raises KeyboardInterrupt on Ctrl-C.
    """
    import z3

    context = z3.Context()
    solver = z3.SolverFor("HORN", ctx=context)
    solver.set("rlimit", steps)
    if seconds is not None:
        solver.set("timeout", max(1, int(seconds * 1000)))
    try:
        solver.from_string(horn(encoding, claim))
        answer = str(solver.check())
        if answer == "unknown":
            return Invariant(None, solvers.why(solver.reason_unknown()))
        if answer == "unsat":
            return Invariant(None, "it says that the claim fails")
        return Invariant(_phi(z3, context, encoding, solver.model()))
    except z3.Z3Exception as error:
        return Invariant(None, solvers.why(solvers.first_line(error)))


def horn(encoding: Encoding, claim: Property) -> str:
    """Return the Horn clauses of a claim as SMT-LIB text; rigid constants become arguments."""
    over = (*encoding.rigid, *encoding.state)
    now = smtlib.apply("inv", [v.name for v in over])
    then = smtlib.apply("inv", [v.name for v in (*encoding.rigid, *encoding.next_state)])
    clauses = [
        "(set-logic HORN)\n",
        f"(declare-fun inv ({' '.join(v.sort for v in over)}) Bool)\n",
        _clause(over, _text(encoding.constraint, encoding.rigid_values(), encoding.init), now),
    ]
    step = (*encoding.rigid, *encoding.over_step)
    for formula in encoding.rules:
        moved = _text(encoding.transition(formula))
        clauses.append(_clause(step, f"{now} {moved}", then))
        if claim.kind is Kind.STEP:
            fails = _text(negate(encoding.holds_over(claim, formula.rule)))
            clauses.append(_clause(step, f"{now} {moved} {fails}", "false"))
    if claim.kind is not Kind.STEP:
        clauses.append(_clause(over, f"{now} {_text(negate(encoding.holds(claim)))}", "false"))
    return "".join(clauses)


def _clause(variables: Iterable[Variable], body: str, head: str) -> str:
    listed = " ".join(f"({v.name} {v.sort})" for v in variables)
    return f"(assert (forall ({listed}) (=> (and {body}) {head})))\n"


def _text(*parts: Bool) -> str:
    return " ".join(smtlib.text(part) for part in parts)


def _phi(z3: Any, context: Any, encoding: Encoding, model: Any) -> str:
    over = (*encoding.rigid, *encoding.state)
    named = [z3.Const(v.name, z3.IntSort(context) if v.sort == "Int" else z3.BoolSort(context))
             for v in over]  # fmt: skip
    inv = next(declared for declared in model.decls() if declared.name() == "inv")
    phi = z3.simplify(z3.substitute_vars(model[inv].else_value(), *named)).sexpr()
    return " ".join(str(phi).split())
