"""Steps whose reveals are not known yet, and a solver that says what they may be.

states[n] known ∧ R1 … Rw fire, reveals unknown ∧ a condition on all that is seen
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, cast

import z3

from ..models.algebra import Bool, Value
from ..models.shape import Variable
from ..proofs.encoding import NEXT
from ..proofs.evaluate import Evaluation
from ..proofs.finite import Integers
from ..proofs.paths import Path, limits
from ..proofs.questions import Asker
from ..proofs.spans import Span
from .ground import Ground, Move, Trace

__all__ = ["Unknown"]

# Steps of z3 for one question.
_BUDGET = 60_000
# As many questions go to one solver: it is slow to make, and slows down as it learns.
_QUESTIONS = 8


class Unknown:
    """Asks a solver for the reveals of some steps."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self._asker: Asker | None = None
        self._asked = 0
        self._unknowns: dict[tuple[int, str], _Renamed] = {}

    def part(self) -> None:
        """Have a copy ask a solver of its own."""
        self._asker, self._asked = None, 0

    def close(self) -> None:
        """Let go of what a solver holds; it can go on all the same."""
        if self._asker is not None:
            self._asker.close()
            self._asker = None

    def asked(
        self, variables: Sequence[Variable], condition: Bool, wishes: Mapping[str, int]
    ) -> dict[str, Any] | None:
        """Return values that meet a condition, near to what is wished, if any are found."""
        known = {v.name: _bounded(v) for v in variables}
        guards = () if condition is True else (condition,)
        path = Path((), (), None, known, tuple(known), (), guards)
        if self._asker is None or self._asked == _QUESTIONS:
            self.close()
            self._asker, self._asked = Asker(Integers, z3.SimpleSolver), 0
        self._asked += 1
        answer = self._asker.ask(path, True, wishes, _BUDGET)
        if answer.values is None:
            return None
        return {
            v.name: bool(answer.values[v.name]) if v.sort == "Bool" else answer.values[v.name]
            for v in variables
        }

    def unknown(
        self, trace: Trace, first: int, rules: Sequence[str]
    ) -> tuple[list[Variable], list[Bool], list[Mapping[str, Value]], Mapping[str, Value]]:
        """Return some rules taken with unknown reveals, from a step of a Play on.

        Given are the unknowns, the guards, the values in each step, and the last state.
        """
        state: Mapping[str, Value] = trace.states[first]
        unknowns: list[Variable] = []
        guards: list[Bool] = []
        seen: list[Mapping[str, Value]] = []
        for number, rule in enumerate(rules, start=first):
            own = self._unknowns_of(number, rule)
            values = _Both(state, {})
            values.update(own.terms)
            unknowns += own.variables
            formula = self.ground.formulas[rule]
            work = Evaluation(values)
            guards.append(cast("Bool", work.of(formula.guard)))
            state = _Later(self.ground.updates[rule], work)
            seen.append(_Both(values, state))
            if guards[-1] is False:
                break
        return unknowns, guards, seen, state

    def _unknowns_of(self, number: int, rule: str) -> _Renamed:
        """Return what a rule reveals as unknowns of a step, the same ones each time."""
        if (number, rule) not in self._unknowns:
            revealed = self.ground.revealed[rule]
            own = [dataclasses.replace(v, name=f"{number}.{v.name}") for v in revealed]
            terms = {v.name: one.term() for v, one in zip(revealed, own, strict=True)}
            self._unknowns[number, rule] = _Renamed(own, terms)
        return self._unknowns[number, rule]

    def with_values(
        self, trace: Trace, first: int, rules: Sequence[str], values: Mapping[str, Any]
    ) -> Trace | None:
        """Return a Play gone on with from a step on by rules whose reveals are known now."""
        moves = [
            Move(rule, {v.name: values[f"{n}.{v.name}"] for v in self.ground.revealed[rule]})
            for n, rule in enumerate(rules, start=first)
        ]
        return self.ground.along(trace.upto(first), moves)

    def wishes(self, trace: Trace, first: int) -> dict[str, int]:
        """Return what a Play reveals from a step on, by the names that ``unknown`` gives."""
        return {
            f"{number}.{name}": int(value)
            for number in range(first, len(trace.moves))
            for name, value in trace.moves[number].revealed.items()
        }

    def wishes_of(
        self, trace: Trace, first: int, unknowns: Sequence[Variable]
    ) -> dict[str, int]:
        """Return what a Play reveals of some unknowns from a step on, as ``wishes`` does."""
        named = {variable.name for variable in unknowns}
        wishes = self.wishes(trace, first)
        return {name: value for name, value in wishes.items() if name in named}


class _Renamed(NamedTuple):
    """The unknowns of a step, and the terms of them by the names that a rule has for them."""

    variables: list[Variable]
    terms: Mapping[str, Value]


class _Later(dict[str, Value]):
    """The values after a step, each worked out when it is asked for."""

    def __init__(self, updates: Mapping[str, Value], work: Evaluation) -> None:
        self._updates, self._work = updates, work

    def __missing__(self, name: str) -> Value:
        self[name] = value = self._work.of(self._updates[name])
        return value


class _Both(dict[str, Value]):
    """What is revealed, and the values before and after a step."""

    def __init__(self, before: Mapping[str, Value], after: Mapping[str, Value]) -> None:
        self._before, self._after = before, after

    def __missing__(self, name: str) -> Value:
        if name.endswith(NEXT):
            return self._after[name.removesuffix(NEXT)]
        return self._before[name]


def _bounded(variable: Variable) -> Span:
    span = limits(variable)
    if span.low is not None and span.high is not None:
        return span
    low = span.low or 0
    return Span.between(low, low + 99)
