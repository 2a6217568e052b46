"""How states, reveals and settings are laid out: dataclass fields as named variables.

A field says what it counts and between what limits. A vector runs over an index set, a tuple
of labels that the game's setting holds (``over="rows"``), so that a copy of a game with three
rows is the same file with another setting. ``Shape`` turns an instance into named scalars and
back: ``boxes.gold`` is the scalar of field ``boxes`` at label ``gold``.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

from .algebra import Bool, Value, all_of, bool_variable, int_variable

__all__ = [
    "FieldShape",
    "Shape",
    "Variable",
    "count",
    "counts",
    "flag",
    "flags",
    "lay_out",
    "nest",
    "shape_of",
    "spread",
]

T = TypeVar("T")
Limit = int | str | None
Axes = tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class FieldShape:
    """What a field of a state, reveal or setting is."""

    meaning: str
    sort: str
    low: Limit = None
    high: Limit = None
    over: tuple[str, ...] = ()
    unit: str = ""
    choice: bool = False


@dataclass(frozen=True)
class Variable:
    """One scalar: its name, sort (``Int`` or ``Bool``), limits and meaning."""

    name: str
    sort: str
    meaning: str
    low: int | None = None
    high: int | None = None
    unit: str = ""
    choice: bool = False

    def term(self, suffix: str = "", prefix: str = "") -> Value:
        """Return the unknown of this name."""
        make: Callable[[str], Value] = int_variable if self.sort == "Int" else bool_variable
        return make(f"{prefix}{self.name}{suffix}")

    def holds(self, value: Value) -> Bool:
        """Return whether a value is within the limits."""
        if type(value) is int and self.sort == "Int":  # nearly always, in a replay
            low, high = self.low, self.high
            return (low is None or value >= low) and (high is None or value <= high)
        if self.sort == "Bool" or isinstance(value, bool):
            return True
        above: Bool = True if self.low is None else value >= self.low  # type: ignore[operator]
        below: Bool = True if self.high is None else value <= self.high  # type: ignore[operator]
        return all_of(above, below)


def count(
    meaning: str,
    low: Limit = 0,
    high: Limit = None,
    *,
    unit: str = "",
    choice: bool = False,
) -> Any:
    """Declare a whole number; a limit may be the name of a figure of the setting.

    ``unit`` is ``"pence"`` for money. ``choice`` marks what the player decides.
    """
    return _field(FieldShape(meaning, "Int", low, high, (), unit, choice))


def counts(
    meaning: str,
    over: str | tuple[str, ...],
    low: Limit = 0,
    high: Limit = None,
    *,
    unit: str = "",
    choice: bool = False,
) -> Any:
    """Declare a whole number for every label of one index set, or of two (a table)."""
    return _field(FieldShape(meaning, "Int", low, high, _axes(over), unit, choice))


def flag(meaning: str, *, choice: bool = False) -> Any:
    """Declare a yes or no."""
    return _field(FieldShape(meaning, "Bool", choice=choice))


def flags(meaning: str, over: str | tuple[str, ...]) -> Any:
    """Declare a yes or no for every label of an index set."""
    return _field(FieldShape(meaning, "Bool", over=_axes(over)))


def _axes(over: str | tuple[str, ...]) -> tuple[str, ...]:
    return (over,) if isinstance(over, str) else over


def _field(shape: FieldShape, **more: Any) -> Any:
    return dataclasses.field(metadata={"shape": shape, **more})


@dataclass(frozen=True)
class Shape(Generic[T]):
    """The layout of one dataclass under one setting."""

    type: type[T]
    variables: tuple[Variable, ...]
    _fields: tuple[tuple[str, Axes], ...]

    def build(self, value: Callable[[Variable], Value]) -> T:
        """Return an instance with each scalar as ``value`` says."""
        scalars = [value(variable) for variable in self.variables]
        fields: dict[str, Any] = {}
        at = 0
        for name, axes in self._fields:
            if not axes:
                fields[name], at = scalars[at], at + 1
            elif len(axes) == 1:
                at, start = at + len(axes[0]), at
                fields[name] = tuple(scalars[start:at])
            else:
                size = math.prod(map(len, axes))
                fields[name], at = nest(axes, iter(scalars[at : at + size])), at + size
        return self.type(**fields)

    def of(self, values: Mapping[str, Value]) -> T:
        """Return the instance with these values; KeyError names a missing one."""
        return self.build(lambda variable: values[variable.name])

    def terms(self, suffix: str = "") -> T:
        """Return the instance of unknowns, each named as its variable plus a suffix."""
        return self.build(lambda variable: variable.term(suffix))

    def zero(self) -> T:
        """Return the instance that holds 0 and False everywhere."""
        return self.build(lambda variable: 0 if variable.sort == "Int" else False)

    def scalars(self, instance: T) -> dict[str, Value]:
        """Return the scalars of an instance by name, in the order of ``variables``."""
        return dict(zip(self._names, self._flat(instance), strict=True))

    def within_limits(self, instance: T) -> Bool:
        """Return whether every scalar is within its declared limits."""
        flat = zip(self.variables, self._flat(instance), strict=True)
        return all_of(variable.holds(value) for variable, value in flat)

    def _flat(self, instance: T) -> list[Value]:
        flat: list[Value] = []
        for name, axes in self._fields:
            value = getattr(instance, name)
            if not axes:
                flat.append(value)
            elif len(axes) == 1 and len(value) == len(axes[0]):
                flat.extend(value)
            else:
                flat.extend(spread(axes, value, name))
        return flat

    @cached_property
    def _names(self) -> tuple[str, ...]:
        return tuple(variable.name for variable in self.variables)


def shape_of(type_: type[T], setting: object) -> Shape[T]:
    """Lay out a dataclass under a setting, which gives index sets and named limits.

    Raises TypeError for a field that was not declared with ``count``, ``flag`` and the like.
    """
    variables: list[Variable] = []
    fields = []
    for field in dataclasses.fields(type_):  # type: ignore[arg-type]
        shape = field.metadata.get("shape")
        if shape is None:
            raise TypeError(f"{type_.__name__}.{field.name}: declare it with count() or flag()")
        scalars, axes = lay_out(field.name, shape, setting)
        variables += scalars
        fields.append((field.name, axes))
    return Shape(type_, tuple(variables), tuple(fields))


def lay_out(name: str, shape: FieldShape, setting: object) -> tuple[list[Variable], Axes]:
    """Return the scalars of one field under a setting, and the labels they run over."""
    axes = tuple(tuple(getattr(setting, axis)) for axis in shape.over)
    low, high = _limit(shape.low, setting), _limit(shape.high, setting)
    return [
        Variable(
            name=".".join((name, *label)),
            sort=shape.sort,
            meaning=shape.meaning,
            low=low,
            high=high,
            unit=shape.unit,
            choice=shape.choice,
        )
        for label in itertools.product(*axes)
    ], axes


def nest(axes: Axes, scalars: Iterator[Value]) -> Any:
    """Return the scalars as a value of a field: one, a tuple, or a tuple of tuples."""
    if not axes:
        return next(scalars)
    return tuple(nest(axes[1:], scalars) for _ in axes[0])


def _limit(limit: Limit, setting: object) -> int | None:
    if not isinstance(limit, str):
        return limit
    value = getattr(setting, limit)
    if not isinstance(value, int):
        raise TypeError(f"limit {limit!r} must name a figure, a number known in advance")
    return value


def spread(axes: Axes, value: Any, name: str) -> Iterator[Value]:
    """Yield the scalars of a field's value, in order. Raises ValueError if there are others."""
    if not axes:
        yield value
        return
    if len(value) != len(axes[0]):
        raise ValueError(f"{name} holds {len(value)} values where {len(axes[0])} are laid out")
    for part in value:
        yield from spread(axes[1:], part, name)
