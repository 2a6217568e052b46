"""Reveals that the rules allow: at random, or as near to a wish as a solver can find.

A reveal is one that came up before, changed a little, or a random one, tried until one is
legal; where none is, a solver is asked once.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any, cast

from ..models.algebra import Bool, Value
from ..models.shape import Variable
from ..proofs.evaluate import Evaluation
from .asks import asks_of_state
from .compiled import compiled
from .ground import Ground, Move
from .unknown import Unknown

__all__ = ["Reveals"]

# Reveals tried for one step; reveals kept of a rule.
_TRIES, _POOL = 30, 96


class Reveals(Unknown):
    """Finds reveals for the rules of one ground, the same ones for the same random numbers."""

    def __init__(self, ground: Ground, numbers: random.Random) -> None:
        super().__init__(ground)
        self.random = numbers
        self._pool: dict[str, list[Mapping[str, Any]]] = {}
        self._symbols = {
            rule: {v.name: v.term() for v in variables}
            for rule, variables in ground.revealed.items()
        }
        here = ground.encoding.point().s
        self._asks = {
            rule: compiled([asks_of_state(ground.game, ground.p, here, rule)])
            for rule in ground.formulas
        }

    def part_from(self, numbers: random.Random) -> None:
        """Go on with other random numbers, and share nothing that changes any more."""
        super().part()
        self.random = numbers
        self._pool = {rule: [*kept] for rule, kept in self._pool.items()}

    def least(self, state: Mapping[str, Any], rule: str) -> Move | None:
        """Return the move by a rule that reveals the least of everything, if it is legal."""
        least = {v.name: _low(v) for v in self.ground.revealed[rule]}
        move = Move(rule, least)
        return move if self.ground.take(state, move) is not None else None

    def reveal(self, state: Mapping[str, Any], rule: str, rich: float = 0.3) -> Move | None:
        """Return a random legal move by a rule; None if none is found."""
        if not self.may_fire(state, rule):
            return None
        variables = self.ground.revealed[rule]
        found = self.tried(state, rule, rich)
        if found is not None or not variables:
            return found
        guard = self.guard(state, rule)
        if guard is False:
            return None
        wished = self._proposed(rule, rich, _shown(state))
        wishes = {name: int(value) for name, value in wished.items()}
        values = self.asked(variables, guard, wishes)
        if values is None:
            return None
        move = Move(rule, values)
        if self.ground.take(state, move) is None:
            return None
        self.keep(move)
        return move

    def tried(self, state: Mapping[str, Any], rule: str, rich: float = 0.3) -> Move | None:
        """Return a random legal move by a rule, as ``reveal`` does, without asking a solver."""
        some = bool(self.ground.revealed[rule])
        shown = _shown(state)
        for _ in range(_TRIES if some else 1):
            move = Move(rule, self._proposed(rule, rich, shown) if some else {})
            if self.ground.take(state, move) is not None:
                self.keep(move)
                return move
        return None

    def may_fire(self, state: Mapping[str, Any], rule: str) -> bool:
        """Return whether a state is as a rule asks, whatever is revealed."""
        return bool(self._asks[rule](state)[0])

    def nearest(
        self, state: Mapping[str, Any], rule: str, wished: Mapping[str, Any]
    ) -> Move | None:
        """Return the legal move by a rule that is as wished, or near to it, if any is found."""
        move = Move(rule, dict(wished))
        if self.ground.take(state, move) is not None:
            return move
        wishes = {name: int(value) for name, value in wished.items()}
        variables = self.ground.revealed[rule]
        values = self.asked(variables, self.guard(state, rule), wishes) if variables else None
        move = Move(rule, values or {})
        return move if values and self.ground.take(state, move) is not None else None

    def guard(self, state: Mapping[str, Value], rule: str) -> Bool:
        """Return when a rule fires in a state, as a term over what it reveals."""
        values = {**state, **self._symbols[rule]}
        return cast("Bool", Evaluation(values).of(self.ground.formulas[rule].guard))

    def _proposed(self, rule: str, rich: float, shown: Sequence[int]) -> dict[str, Any]:
        variables = self.ground.revealed[rule]
        pool = self._pool.get(rule)
        if pool and self.random.random() < 0.6:
            values = dict(self.random.choice(pool))
            for _ in range(self.random.choice((0, 1, 1, 2, 3))):
                self._changed(values, variables, shown)
            return values
        return {v.name: self._value(v, rich, shown) for v in variables}

    def _changed(
        self, values: dict[str, Any], variables: Sequence[Variable], shown: Sequence[int]
    ) -> None:
        """Change one value, or take from one what another of its field gets."""
        one = self.random.choice(variables)
        field = one.name.split(".")[:3]
        alike = [v for v in variables if v.name.split(".")[:3] == field and v is not one]
        if alike and one.sort == "Int" and self.random.random() < 0.6:
            other = self.random.choice(alike)
            if self.random.random() < 0.5:
                values[one.name], values[other.name] = values[other.name], values[one.name]
            elif values[one.name] > (one.low or 0):
                much = self.random.randint(1, values[one.name] - (one.low or 0))
                values[one.name] -= much
                values[other.name] += much
            return
        values[one.name] = self._value(one, 0.7, shown)

    def _value(self, variable: Variable, rich: float, shown: Sequence[int]) -> Any:
        """Return a random value; often one that is shown already, as it may have to match."""
        if variable.sort == "Bool":
            return self.random.random() < 0.5
        low = variable.low or 0
        if variable.high is not None:
            if self.random.random() < 0.25:
                fit = [value for value in shown if low <= value <= variable.high]
                if fit:
                    return self.random.choice(fit)
            if self.random.random() < 0.1:
                return self.random.choice((low, variable.high))
            return self.random.randint(low, variable.high)
        if self.random.random() > rich:
            return low
        return low + self.random.choice((1, 1, 1, 2, 2, 3, 4, 5, 6, 8, 12))

    def keep(self, move: Move) -> None:
        """Keep a reveal, to be used again."""
        pool = self._pool.setdefault(move.rule, [])
        if len(pool) < _POOL:
            pool.append(move.revealed)
        else:
            pool[self.random.randrange(_POOL)] = move.revealed


def _shown(state: Mapping[str, Any]) -> list[int]:
    """Return the numbers above 1 in a state."""
    return sorted({value for value in state.values() if value is not True and value > 1})


def _low(variable: Variable) -> Any:
    return False if variable.sort == "Bool" else variable.low or 0
