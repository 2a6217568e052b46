"""Whether a ranking function says anything: a step that changed nothing has to break it.

    some x, r:   φ(x) ∧ R(x, r) ∧ ¬ falls(x, r, x)      for some rule R

Where no rule can be taken, whatever is said of the steps holds, and nothing was proved.
"""

from __future__ import annotations

from ..models.algebra import Bool, all_of, negate
from ..models.system import Property
from . import smtlib, solvers
from .encoding import Encoding
from .solvers import Steps

__all__ = ["idle_step_found"]


def idle_step_found(
    encoding: Encoding, claim: Property, given: Bool, steps: Steps
) -> str | None:
    """Return a rule that breaks a step property where it changes nothing; None if none does.

    ``given`` is what holds of every point.
    """
    constants = (*encoding.rigid, *encoding.state, *encoding.reveals)
    opening = f"(set-logic ALL)\n{smtlib.declare(constants)}"
    for formula in encoding.rules:
        kept = encoding.holds_over(claim, formula.rule, then="")
        asked = all_of(
            encoding.constraint, encoding.rigid_values(), given, formula.guard, negate(kept)
        )
        text = f"{opening}(assert {smtlib.text(asked)})\n(check-sat)\n"
        if solvers.run("z3", text, steps=steps).answer == "sat":
            return formula.rule.id
    return None
