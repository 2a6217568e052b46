"""Following: which rule can come right after another, as far as the claims of a game tell."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import z3

from ..models.algebra import Bool, all_of, negate
from .deadline import answer_of
from .encoding import Encoding
from .finite import Integers, Translated
from .paths import limits

__all__ = ["Following"]

# Steps of z3 for one pair of rules; where they do not do, the one may follow the other.
_BUDGET = 100_000


class Following:
    """Whether a rule can come right after another, from a point for which the claims hold."""

    def __init__(self, encoding: Encoding, claims: Sequence[Bool]) -> None:
        self._encoding = encoding
        self._rules = {formula.rule.id: formula for formula in encoding.rules}
        scalars = (*encoding.state, *encoding.reveals)
        self._spans = {v.name: limits(v) for v in scalars}
        self._built = Integers(z3.Context())
        self._made = self._built.extended(
            Translated(), tuple(self._spans), (), claims, self._spans
        )
        self._solver = z3.SimpleSolver(ctx=self._built.context)
        self._solver.set(rlimit=_BUDGET)
        for condition in self._made.conditions:
            self._built.put(self._solver, condition)

    def may_follow(self, first: str, second: str) -> bool:
        """Return false where the second rule can never come right after the first."""
        one, other = self._rules[first], self._rules[second].rule
        game, p = self._encoding.game, self._encoding.p
        shape = game.reveal_shape(other)
        reveal = shape.build(lambda v: dataclasses.replace(v, name="next." + v.name).term())
        revealed = {"next." + v.name: limits(v) for v in shape.variables}
        fires = all_of(
            one.guard, negate(game.goal.ended(p, one.after.s)),
            other.guard(p, one.after.s, reveal),
        )  # fmt: skip
        made = self._built.extended(
            self._made, tuple(revealed), (), (fires,), {**self._spans, **revealed}
        )
        self._solver.push()
        for condition in made.conditions:
            self._built.put(self._solver, condition)
        answer = answer_of(self._solver)
        self._solver.pop()
        return bool(answer != z3.unsat)
