"""Which goals can be reached at all, after what is proved of every moment, in one step or two.

    claims(x) ∧ R(x, r, x') ∧ condition(x, r, x')                       a moment
    claims(x) ∧ R(x, r, x') ∧ ¬ ended(x') ∧ guard.R'(x', r')            a pair of rules

Where z3 finds no such step the goal is claimed to be out of reach (``oracles.never``); the
claims it needed for that come with the answer. Where there is one it may yet be that no Play
comes to such a state.
"""

from __future__ import annotations

import dataclasses

from ..models.algebra import all_of, negate
from ..proofs.paths import limits
from .goals import Moment, Passage
from .ground import Ground
from .learnt import Asking, Learnt

__all__ = ["Possible"]


class Possible:
    """Asks z3 about the goals of one ground. Close it when done, or use ``with``."""

    def __init__(self, ground: Ground, learnt: Learnt) -> None:
        self._ground = ground
        self._learnt = {claim.id for claim in learnt.claims}
        self._asking = Asking(ground.encoding, (*ground.claims, *learnt.claims))

    def __enter__(self) -> Possible:
        return self

    def __exit__(self, *error: object) -> None:
        self._asking.__exit__()

    def excluded(self, goal: Moment | Passage) -> tuple[str, ...] | None:
        """Return the claims (ids) that exclude a goal; None where it may be reached."""
        self._asking.needed.clear()
        if self._may_be(goal):
            return None
        if self._learnt & self._asking.needed:
            self._asking.needed.clear()
            self._asking.few = True
            self._may_be(goal)
            self._asking.few = False
        return tuple(sorted(self._asking.needed))

    def _may_be(self, goal: Moment | Passage) -> bool:
        return self._moment(goal) if isinstance(goal, Moment) else self._passage(goal)

    def _moment(self, goal: Moment) -> bool:
        for rule, condition in goal.cases:
            formula = self._ground.formulas[rule]
            met = self._asking.over_step(formula, condition)
            if self._asking.possible(all_of(formula.guard, met)):
                return True
        return False

    def _passage(self, goal: Passage) -> bool:
        one, other = (self._ground.formulas[name] for name in (goal.first, goal.then))
        game, p = self._ground.game, self._ground.p
        shape = game.reveal_shape(other.rule)
        reveal = shape.build(lambda v: dataclasses.replace(v, name="next." + v.name).term())
        fires = all_of(
            one.guard,
            negate(game.goal.ended(p, one.after.s)),
            shape.within_limits(reveal),
            other.rule.guard(p, one.after.s, reveal),
        )
        revealed = {"next." + v.name: limits(v) for v in shape.variables}
        return self._asking.possible(fires, revealed)
