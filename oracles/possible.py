"""Which goals can be reached at all, after what is proved of every moment, in one step or two.

    claims(x) ∧ R(x, r, x') ∧ condition(x, r, x')                       a moment
    claims(x) ∧ R(x, r, x') ∧ ¬ ended(x') ∧ guard.R'(x', r')            a pair of rules

Where z3 finds no such step the goal is claimed to be out of reach (``oracles.never``); the
claims it needed for that come with the answer. Where there is one it may yet be that no Play
comes to such a state.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import z3

from ..models.algebra import Bool, all_of, negate
from ..proofs.encoding import NEXT
from ..proofs.evaluate import Evaluation
from ..proofs.finite import Integers, Translated
from ..proofs.paths import limits
from ..proofs.spans import ANYTHING, YES_OR_NO
from .goals import Moment, Passage
from .ground import Ground

__all__ = ["Answer", "Possible"]

# Steps of z3 for one question; where they do not do, the goal counts as possible.
_BUDGET = 300_000


@dataclass(frozen=True)
class Answer:
    """Whether a goal may be reached; where not, the claims (ids) that exclude it."""

    may_be: bool
    needed: tuple[str, ...] = ()


class Possible:
    """Asks z3 about the goals of one ground. Close it when done, or use ``with``."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        # What a field of the state may hold is a matter of claims: limits are not assumed.
        self._spans = {
            v.name: ANYTHING if v.sort == "Int" else YES_OR_NO for v in ground.encoding.state
        }
        self._spans |= {v.name: limits(v) for v in ground.encoding.reveals}
        self._built = Integers(z3.Context())
        self._made = self._built.extended(Translated(), tuple(self._spans), (), (), self._spans)
        self._solver = z3.SimpleSolver(ctx=self._built.context)
        self._solver.set(rlimit=_BUDGET)
        for condition in self._made.conditions:
            self._built.put(self._solver, condition)
        self._literals: dict[z3.BoolRef, str] = {}
        for claim in ground.claims:
            holds = ground.encoding.holds(claim)
            if holds is not True:
                literal = z3.Bool(f"claim.{claim.id}", ctx=self._built.context)
                made = self._condition(holds)
                self._built.put(self._solver, self._built.implied(literal.as_ast(), made))
                self._literals[literal] = claim.id

    def __enter__(self) -> Possible:
        return self

    def __exit__(self, *error: object) -> None:
        self._built.release()

    def moment(self, goal: Moment) -> Answer:
        """Return whether the condition of a moment can come about."""
        needed: list[str] = []
        for rule, condition in goal.cases:
            formula = self._ground.formulas[rule]
            after = {
                v.name + NEXT: update
                for v, update in zip(self._ground.state, formula.updates, strict=False)
            }
            known = {v.name: v.term() for v in self._ground.encoding.state}
            known |= {v.name: v.term() for v in self._ground.encoding.reveals}
            met = Evaluation({**known, **after}).of(condition)
            answer = self._ask(all_of(formula.guard, met), {})  # type: ignore[arg-type]
            if answer.may_be:
                return answer
            needed += answer.needed
        return Answer(False, tuple(dict.fromkeys(needed)))

    def passage(self, goal: Passage) -> Answer:
        """Return whether one rule can come right after another."""
        one, other = (self._ground.formulas[name] for name in (goal.first, goal.then))
        game, p = self._ground.game, self._ground.p
        shape = game.reveal_shape(other.rule)
        reveal = shape.build(lambda v: dataclasses.replace(v, name="next." + v.name).term())
        revealed = {"next." + v.name: limits(v) for v in shape.variables}
        fires = all_of(
            one.guard,
            negate(game.goal.ended(p, one.after.s)),
            shape.within_limits(reveal),
            other.rule.guard(p, one.after.s, reveal),
        )
        return self._ask(fires, revealed)

    def _condition(self, condition: Bool) -> Sequence[Any]:
        made = self._built.extended(self._made, (), (), (condition,), self._spans)
        return made.conditions

    def _ask(self, condition: Bool, more: dict[str, Any]) -> Answer:
        if condition is False:
            return Answer(False)
        spans = {**self._spans, **more}
        made = self._built.extended(self._made, tuple(more), (), (condition,), spans)
        self._solver.push()
        for one in made.conditions:
            self._built.put(self._solver, one)
        answer = self._solver.check(*self._literals)
        core = self._solver.unsat_core() if answer == z3.unsat else []
        self._solver.pop()
        if answer != z3.unsat:
            return Answer(True)
        return Answer(False, tuple(self._literals[one] for one in core))
