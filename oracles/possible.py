"""Which goals can be reached at all, after what is proved of every moment, in one step or two.

    claims(x) ∧ R(x, r, x') ∧ condition(x, r, x')                       a moment
    claims(x) ∧ R(x, r, x') ∧ asks_of_state.R'(x')                      a pair of rules
    claims(x) ∧ R(x, r, x') ∧ ¬ ended(x') ∧ guard.R'(x', r')            the same, looking ahead

Where z3 finds no such step the goal is claimed to be out of reach (``oracles.never``); the
claims it needed for that come with the answer. Where there is one it may yet be that no Play
comes to such a state.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ..models.algebra import Bool, all_of, negate
from ..proofs.paths import limits
from .asks import asks_of_state
from .goals import Moment, Passage
from .ground import Ground
from .learnt import Learnt
from .onestep import Asking

__all__ = ["Excluded", "Possible"]

# What may come about: conditions, each with the spans of the unknowns that only it has.
Questions = Iterable[tuple[Bool, Mapping[str, Any]]]


@dataclass(frozen=True)
class Excluded:
    """The claims (ids) that exclude a goal; ``ahead``: only with what is revealed next."""

    needed: tuple[str, ...]
    ahead: bool = False


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

    def excluded(self, goal: Moment | Passage) -> Excluded | None:
        """Return what excludes a goal; None where it may be reached."""
        if isinstance(goal, Moment):
            needed = self._needed(lambda: self._moment(goal))
            return None if needed is None else Excluded(needed)
        needed = self._needed(lambda: self._state_alone(goal))
        if needed is not None:
            return Excluded(needed)
        needed = self._needed(lambda: self._looking_ahead(goal))
        return None if needed is None else Excluded(needed, ahead=True)

    def _needed(self, questions: Callable[[], Questions]) -> tuple[str, ...] | None:
        """Return the claims for which none of some conditions may come about, if so."""
        self._asking.needed.clear()
        if any(self._asking.possible(*one) for one in questions()):
            return None
        if self._learnt & (self._asking.needed - self._asking.liked):
            self._asking.needed.clear()
            self._asking.few = True
            for one in questions():
                self._asking.possible(*one)
            self._asking.few = False
        self._asking.liked |= self._asking.needed
        return tuple(sorted(self._asking.needed))

    def _moment(self, goal: Moment) -> Questions:
        for rule, condition in goal.cases:
            formula = self._ground.formulas[rule]
            yield all_of(formula.guard, self._asking.over_step(formula, condition)), {}

    def _state_alone(self, goal: Passage) -> Questions:
        first, game, p = self._ground.formulas[goal.first], self._ground.game, self._ground.p
        yield all_of(first.guard, asks_of_state(game, p, first.after.s, goal.then)), {}

    def _looking_ahead(self, goal: Passage) -> Questions:
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
        yield fires, {"next." + v.name: limits(v) for v in shape.variables}
