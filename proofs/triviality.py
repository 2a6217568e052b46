"""Whether a property could fail at all, and whether there was anything to prove.

    tautology   ¬ holds(p, x, r, x') has no values of the right sorts
    trivial     ranges(p) ∧ limits(x) ∧ ¬ holds(p, x) has none; a step property: for no R
                ranges(p) ∧ limits(x) ∧ guard.R(p, x, r) ∧ x' = next.R ∧ ¬ holds(p, x, r, x')

A trivial property is no fault: the limits of fields or a rule's own guard may say all there is
to say. It is marked, since its proof needs nothing of how states are reached.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import cast

from ..models.algebra import Bool, Value, all_of, negate, variables_of
from ..models.shape import Variable
from ..models.system import Kind, Property
from . import smtlib, solvers
from .encoding import NEXT, Encoding, RuleFormula
from .evaluate import Evaluation
from .sane import Found
from .solvers import Steps

__all__ = ["BUDGET", "falsifiable", "starts", "trivial"]

BUDGET = Steps(z3=2_000_000)
"""Steps of z3 for one question."""


def starts(encoding: Encoding, steps: Steps = BUDGET) -> Found:
    """Return whether a Play can start: some setting allows a start within its limits."""
    within = (v.holds(value) for v, value in zip(encoding.state, encoding.start, strict=True))
    return _some(encoding, [all_of(encoding.constraint, within)], steps)


def falsifiable(encoding: Encoding, claim: Property, steps: Steps = BUDGET) -> Found:
    """Return whether any values of the right sorts, possible or not, make a claim false."""
    return _some(encoding, (negate(says) for _, says in _said(encoding, claim)), steps)


def trivial(encoding: Encoding, claim: Property, steps: Steps = BUDGET) -> Found:
    """Return whether a claim holds in all states within their limits, whatever rule applies."""
    within = all_of(encoding.constraint, (v.holds(v.term()) for v in encoding.state))

    def broken() -> Iterator[Bool]:
        for formula, says in _said(encoding, claim):
            fires = formula.guard if formula else True
            yield all_of(within, fires, negate(_after(encoding, formula, says)))

    found = _some(encoding, broken(), steps)
    return {Found.YES: Found.NO, Found.NO: Found.YES}.get(found, found)


def _said(encoding: Encoding, claim: Property) -> Iterator[tuple[RuleFormula | None, Bool]]:
    """Yield what a claim says, of a step property rule by rule."""
    if claim.kind is Kind.STEP:
        for formula in encoding.rules:
            yield formula, encoding.holds_over(claim, formula.rule)
    else:
        yield None, encoding.holds(claim)


def _after(encoding: Encoding, formula: RuleFormula | None, says: Bool) -> Bool:
    """Return what is said of a step with the rule's own values for what comes after it."""
    if formula is None:
        return says
    values: dict[str, Value] = {
        v.name: v.term() for v in (*encoding.rigid, *encoding.state, *encoding.reveals)
    }
    for variable, update in zip(encoding.state, formula.updates, strict=True):
        values[variable.name + NEXT] = update
    return cast("Bool", Evaluation(values).of(says))


def _some(encoding: Encoding, conditions: Iterable[Bool], steps: Steps) -> Found:
    """Return whether one of several conditions can be satisfied."""
    known = {v.name: v for v in (*encoding.rigid, *encoding.over_step)}
    found = Found.NO
    for condition in conditions:
        answer = _ask(known, condition, steps)
        if answer == "sat":
            return Found.YES
        if answer != "unsat":
            found = Found.EXHAUSTED
    return found


def _ask(known: dict[str, Variable], condition: Bool, steps: Steps) -> str:
    if isinstance(condition, bool):
        return "sat" if condition else "unsat"
    used = variables_of(condition)
    declared = [known[name] for name in known if name in used]
    text = f"(set-logic ALL)\n{smtlib.declare(declared)}(assert {smtlib.text(condition)})\n"
    return solvers.run("z3", text + "(check-sat)\n", steps=steps).answer
