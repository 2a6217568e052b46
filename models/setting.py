"""What a game's document states, and what it leaves open.

A setting is a frozen dataclass with three kinds of field:

* a **figure** is stated by the document: a number or an index set, known in advance. A reduced
  copy of a game is the same game with other figures.
* a **parameter** is not stated: a rigid unknown with a range. Proofs hold for all its values;
  an edition gives one.
* a **reading** is one way to take an ambiguous clause: a rigid unknown over named choices, the
  first of which is the default.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from .algebra import Bool, Int, Value, all_of, any_of
from .shape import FieldShape, Limit, Variable, lay_out, nest, spread

__all__ = [
    "Choice",
    "Setting",
    "allowed",
    "figure",
    "figures_of",
    "parameter",
    "parameter_clauses_of",
    "parameter_scalars",
    "parameters_of",
    "read",
    "reading",
    "readings_of",
    "settle",
]

S = TypeVar("S", bound="Setting")


@dataclass(frozen=True)
class Choice:
    """How one reading is taken: an index into its choices, known or not."""

    index: Int
    choices: tuple[str, ...]

    def is_(self, *names: str) -> Bool:
        """Return whether the reading is one of the named choices.

        Raises ValueError for a name that is no choice of this reading.
        """
        for name in names:
            if name not in self.choices:
                raise ValueError(f"{name!r} is not among {', '.join(self.choices)}")
        return any_of(self.index == self.choices.index(name) for name in names)

    @property
    def name(self) -> str:
        """The name of the choice, once it is known."""
        if not isinstance(self.index, int):
            raise ValueError("this reading is open")
        return self.choices[self.index]


@dataclass(frozen=True)
class FigureShape:
    """What a figure is, and the clause that states it."""

    meaning: str
    clause: str
    open: bool = False


@dataclass(frozen=True)
class ReadingShape:
    """An ambiguous clause, and the ways to take it."""

    choices: tuple[str, ...]
    meaning: str
    clauses: tuple[str, ...]
    says: tuple[str, ...]

    def index(self, choice: str) -> int:
        """Return the number of a choice, from 0; ValueError if there is none of that name."""
        if choice not in self.choices:
            raise ValueError(f"{choice!r} is not among {', '.join(self.choices)}")
        return self.choices.index(choice)


@dataclass(frozen=True)
class Setting:
    """Base of every game's setting."""

    def constraint(self) -> Bool:
        """Return what else binds parameters and readings; nothing, unless overridden."""
        return True


def figure(value: Any, meaning: str, clause: str, *, open_: bool = False) -> Any:
    """Declare a figure that the document states (``clause`` says where).

    ``open_`` marks an index set whose size an edition chooses by the values it lists.
    """
    return dataclasses.field(
        default=value, metadata={"figure": FigureShape(meaning, clause, open_)}
    )


def parameter(
    meaning: str,
    low: Limit,
    high: Limit = None,
    *,
    over: str | tuple[str, ...] = (),
    unit: str = "",
    clauses: tuple[str, ...] = (),
) -> Any:
    """Declare a figure that the document leaves open, with its range."""
    axes = (over,) if isinstance(over, str) else over
    shape = FieldShape(meaning, "Int", low, high, axes, unit)
    return dataclasses.field(default=None, metadata={"parameter": shape, "clauses": clauses})


def reading(meaning: str, clauses: tuple[str, ...], **says: str) -> Any:
    """Declare an ambiguous clause: each keyword is a choice (``at_end`` for ``at-end``).

    The first choice is the default; its text says in plain words how the clause is taken.
    """
    choices = tuple(name.replace("_", "-") for name in says)
    shape = ReadingShape(choices, meaning, clauses, tuple(says.values()))
    return dataclasses.field(default=None, metadata={"reading": shape})


def figures_of(setting: type[Setting] | Setting) -> dict[str, FigureShape]:
    """Return the figures a setting states, by name."""
    return {
        field.name: field.metadata["figure"]
        for field in dataclasses.fields(setting)
        if "figure" in field.metadata
    }


def parameters_of(setting: type[Setting] | Setting) -> dict[str, FieldShape]:
    """Return the parameters a setting declares, by name."""
    return {
        field.name: field.metadata["parameter"]
        for field in dataclasses.fields(setting)
        if "parameter" in field.metadata
    }


def parameter_scalars(setting: Setting, prefix: str = "p.") -> dict[str, Value]:
    """Return every value of a setting's parameters, by the name that ``settle`` gives it."""
    found: dict[str, Value] = {}
    for name, shape in parameters_of(setting).items():
        scalars, axes = lay_out(prefix + name, shape, setting)
        values = spread(axes, getattr(setting, name), name)
        found |= {one.name: value for one, value in zip(scalars, values, strict=True)}
    return found


def parameter_clauses_of(setting: type[Setting] | Setting) -> dict[str, tuple[str, ...]]:
    """Return the ids of the clauses that leave each parameter open."""
    return {
        field.name: field.metadata["clauses"]
        for field in dataclasses.fields(setting)
        if "parameter" in field.metadata
    }


def readings_of(setting: type[Setting] | Setting) -> dict[str, ReadingShape]:
    """Return the readings a setting declares, by name with dashes."""
    return {
        field.name.replace("_", "-"): field.metadata["reading"]
        for field in dataclasses.fields(setting)
        if "reading" in field.metadata
    }


def settle(
    base: S,
    parameters: Mapping[str, Any] | None = None,
    readings: Mapping[str, str] | None = None,
    *,
    prefix: str = "p.",
    value: Callable[[Variable], Value] | None = None,
) -> tuple[S, tuple[Variable, ...], Bool]:
    """Fill in a setting: what is given is fixed, all else stays an unknown.

    Returns the setting, the variables of what is still open, and the constraint on them
    (ranges and ``Setting.constraint``). ``value`` may give the open values instead of terms.
    Raises KeyError for a parameter or reading that does not exist.
    """
    given, taken = dict(parameters or {}), dict(readings or {})
    open_: list[Variable] = []
    filled: dict[str, Any] = {}
    limits: list[Bool] = []

    def unknown(variable: Variable) -> Value:
        open_.append(variable)
        made = value(variable) if value else variable.term()
        limits.append(variable.holds(made))
        return made

    for name, shape in parameters_of(base).items():
        if name in given:
            filled[name] = given.pop(name)
        else:
            scalars, axes = lay_out(prefix + name, shape, base)
            filled[name] = nest(axes, map(unknown, scalars))
    for name, ways in readings_of(base).items():
        last = len(ways.choices) - 1
        index: Value = (
            ways.index(taken.pop(name))
            if name in taken
            else unknown(Variable(prefix + name, "Int", ways.meaning, 0, last))
        )
        filled[name.replace("-", "_")] = Choice(cast("Int", index), ways.choices)
    if given or taken:
        raise KeyError(", ".join([*given, *taken]))
    setting = dataclasses.replace(base, **filled)
    return setting, tuple(open_), all_of(limits, setting.constraint())


def read(setting: S, reading: str, choice: str) -> S:
    """Return a setting with one reading taken in one way; ValueError for no such choice."""
    ways = readings_of(setting)[reading]
    taken = Choice(ways.index(choice), ways.choices)
    return dataclasses.replace(setting, **{reading.replace("-", "_"): taken})


def allowed(setting: Setting, readings: Mapping[str, str]) -> bool:
    """Return whether readings may be taken together, as far as they tell without a solver."""
    return settle(setting, None, readings)[2] is not False
