"""What a term is once its unknowns have values: numbers, or other terms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from ..models.algebra import (
    Bool,
    Int,
    Term,
    Value,
    all_of,
    any_of,
    implies,
    made,
    negate,
    where,
)
from ..models.setting import Choice, parameters_of, readings_of
from ..models.system import Point, Step
from .encoding import NEXT, Encoding

__all__ = ["Evaluation", "values_at"]


class Evaluation:
    """Works terms out under one set of values, each shared part once.

    ``instead`` has parts of terms, by identity, that are taken to be something else. Raises
    KeyError for an unknown that has no value.
    """

    def __init__(
        self, values: Mapping[str, Value], instead: Sequence[tuple[Term, Value]] = ()
    ) -> None:
        self.values = values
        self._done: dict[int, tuple[Term, Value]] = {id(one[0]): one for one in instead}

    @property
    def parts(self) -> tuple[tuple[Term, Value], ...]:
        """The parts that mattered so far, each with what it is, those inside others first."""
        return tuple(self._done.values())

    def of(self, value: Value) -> Value:
        """Return what a value is: plain where all that matters to it has a plain value."""
        if not isinstance(value, Term):
            return value
        if id(value) not in self._done:
            self._done[id(value)] = (value, self._work_out(value))
        return self._done[id(value)][1]

    def _work_out(self, term: Term) -> Value:
        if term.op == "var":
            return self.values[cast("str", term.args[0])]
        if term.op in ("and", "or"):
            return self._junction(term)
        first, *rest = (cast("Value", argument) for argument in term.args)
        if term.op == "ite":
            condition = self.of(first)
            if isinstance(condition, bool):
                return self.of(rest[0] if condition else rest[1])
            return where(cast("Bool", condition), self.of(rest[0]), self.of(rest[1]))
        return made(term.op, self.of(first), *map(self.of, rest))

    def _junction(self, term: Term) -> Value:
        """Return a conjunction or disjunction; what comes after what decides it is left."""
        parts: list[Bool] = []
        for argument in term.args:
            part = cast("Bool", self.of(cast("Value", argument)))
            if part is (term.op == "or"):
                return part
            parts.append(part)
        if term.op == "and":
            return all_of(parts)
        return implies(negate(parts[0]), parts[1]) if len(parts) == 2 else any_of(parts)


def values_at(
    encoding: Encoding,
    p: Any,
    here: Point[Any, Any],
    step: Step | None = None,
    after: Point[Any, Any] | None = None,
) -> dict[str, Value]:
    """Return the values of an encoding's unknowns: setting, point, and what follows it."""
    values = dict(_setting(encoding, p))
    values.update(_point(encoding, here, ""))
    if step is not None:
        shape = encoding.game.reveal_shape(encoding.game.rule(step.rule))
        prefix = f"r.{type(step.reveal).__name__.lower()}."
        values.update({prefix + n: v for n, v in shape.scalars(step.reveal).items()})
    if after is not None:
        values.update(_point(encoding, after, NEXT))
    return values


def _point(encoding: Encoding, point: Point[Any, Any], suffix: str) -> dict[str, Value]:
    game = encoding.game
    state = game.state_shape().scalars(point.s)
    tally = game.tally_shape().scalars(point.t)
    return {f"s.{name}{suffix}": value for name, value in state.items()} | {
        f"t.{name}{suffix}": value for name, value in tally.items()
    }


def _setting(encoding: Encoding, p: Any) -> Iterator[tuple[str, Value]]:
    """Yield the value of every rigid constant, in the order in which they are laid out."""
    flat: list[Int] = []
    base = encoding.game.setting
    for name in parameters_of(base):
        if name not in encoding.parameters:
            flat += _spread(getattr(p, name))
    for name in readings_of(base):
        if name not in encoding.readings:
            choice: Choice = getattr(p, name.replace("-", "_"))
            flat.append(choice.index)
    for variable, value in zip(encoding.rigid, flat, strict=True):
        yield variable.name, value


def _spread(value: Any) -> Iterator[Int]:
    if isinstance(value, tuple | list):
        for part in value:
            yield from _spread(part)
    else:
        yield value
