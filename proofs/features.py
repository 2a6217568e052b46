"""What ranking functions are made of: whole numbers read off a state, and sums of them.

    a counter                  its value
    a yes or no                1 or 0
    a counter compared         1 where ``v = c`` holds, else 0
    a counter short of a mark  1 where ``v < p`` holds, else 0 (p a parameter)
    a limit                    a rigid constant

Counters are compared with the numbers that some rule's condition compares them with (a phase,
above all). What changes by an unknown product is left out: it is not linear.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from ..models.algebra import Bool, Int, Term, Value, total, variables_of, where
from ..models.setting import parameter_scalars
from ..models.system import Game
from . import smtlib
from .encoding import Encoding

__all__ = [
    "Feature",
    "Sum",
    "added",
    "counting_down",
    "counting_together",
    "features",
    "finer",
    "scalars_of",
]

_STATE, _RIGID, _USED, _LIMIT = "s.", "p.", "s.used.", "p.limit."
# A counter of no more values than this is looked at value by value, like a phase.
_FEW = 4


@dataclass(frozen=True)
class Feature:
    """A whole number read off a state: a scalar (``s.spins_left``), or a condition on one."""

    scalar: str
    op: str = ""
    number: int = 0
    most: int | None = None
    mark: str = ""

    def of(self, scalars: Mapping[str, Value]) -> Int:
        """Return its value, on numbers or on terms."""
        value = scalars[self.scalar]
        if self.op == "=":
            return where(cast("Int", value) == self.number, 1, 0)
        if self.op == "<":
            return where(cast("Int", value) < cast("Int", scalars[self.mark]), 1, 0)
        if self.op == "left":
            left = cast("Int", scalars[self._limit]) - cast("Int", value)
            return where(cast("Int", scalars[self.mark]) == self.number, left, 0)
        if self.op == "true":
            return where(cast("Bool", value), 1, 0)
        return cast("Int", value)

    def scalars(self) -> set[str]:
        """Return the names of the scalars that it is read off."""
        return {self.scalar, self.mark}

    def __str__(self) -> str:
        name = self.scalar.removeprefix(_STATE).removeprefix(_RIGID)
        if self.op == "left":
            return (
                f"({self.limit} - {name} if {self.mark.removeprefix(_STATE)} = {self.number})"
            )
        if self.op == "<":
            return f"[{name} < {self.mark.removeprefix(_RIGID)}]"
        return f"[{name} = {self.number}]" if self.op == "=" else name

    @property
    def field(self) -> str:
        """The field of the state that it is read off."""
        return self.scalar.split(".")[1]

    @property
    def limit(self) -> Feature | None:
        """The limit of what this counts as used, if it does."""
        return Feature(self._limit) if self.scalar.startswith(_USED) else None

    @property
    def _limit(self) -> str:
        return _LIMIT + self.scalar.removeprefix(_USED)

    @property
    def rigid(self) -> bool:
        """Whether it is a limit, which never changes."""
        return self.scalar.startswith(_LIMIT)


@dataclass(frozen=True)
class Sum:
    """A constant and so many times each of some features."""

    terms: tuple[tuple[Feature, int], ...]
    constant: int = 0

    def of(self, scalars: Mapping[str, Value]) -> Int:
        """Return its value, on numbers or on terms."""
        return total([*(n * feature.of(scalars) for feature, n in self.terms), self.constant])

    def among(self, values: Mapping[Feature, int]) -> int:
        """Return its value, where those of the features are known."""
        return sum(n * values[feature] for feature, n in self.terms) + self.constant

    def __str__(self) -> str:
        parts = [(self.constant, "")] if self.constant or not self.terms else []
        parts += [(n, str(feature)) for feature, n in self.terms]
        parts.sort(key=lambda part: part[0] < 0)
        return " ".join(map(_signed, parts)).removeprefix("+ ")


def _signed(part: tuple[int, str]) -> str:
    number, name = part
    sign = "-" if number < 0 else "+"
    times = "" if abs(number) == 1 and name else str(abs(number))
    return f"{sign} {times}{' × ' if times and name else ''}{name}"


def scalars_of(game: Game, p: Any, s: Any) -> dict[str, Value]:
    """Return the scalars of a state, and the parameters, under the names features use."""
    state = game.state_shape().scalars(s)
    return {_STATE + name: value for name, value in state.items()} | parameter_scalars(p)


def features(encoding: Encoding) -> tuple[Feature, ...]:
    """Return the features of a game with limits, but for those that no rule changes.

    ``encoding`` leaves parameters open, so that it shows what is compared with them.
    """
    found: list[Feature] = []
    ended = encoding.game.goal.ended(encoding.p, encoding.point().s)
    phases = _compared(encoding, [*(f.guard for f in encoding.rules), ended])
    marks = _marks(encoding, [u for f in encoding.rules for u in f.updates])
    for position, variable in enumerate(encoding.state):
        updates = [
            formula.updates[position]
            for formula in encoding.rules
            if not smtlib.is_variable(formula.updates[position], variable.name)
        ]
        if not variable.name.startswith(_STATE) or not updates or not _linear(updates):
            continue
        if variable.unit == "pence":
            continue  # money counts no steps
        if variable.sort == "Bool":
            found.append(Feature(variable.name, "true", most=1))
            continue
        found.append(Feature(variable.name, most=variable.high))
        if variable.high is not None and variable.high <= _FEW:
            numbers = sorted(phases.get(variable.name, ()))
            found += [Feature(variable.name, "=", number, 1) for number in numbers]
        found += [
            Feature(variable.name, "<", most=1, mark=mark)
            for mark in sorted(marks.get(variable.name, ()))
        ]
    found += [Feature(v.name) for v in encoding.rigid if v.name.startswith(_LIMIT)]
    return tuple(found)


def finer(game: Game, among: Sequence[Feature]) -> tuple[Feature, ...]:
    """Return features with some by which steps can be counted more exactly.

    a counter at its most      1 where ``v = most`` holds, else 0
    a limit, while it counts   what is left of one that is counted anew, in one phase
    """
    full = [
        Feature(f.scalar, "=", f.most or 0, 1) for f in among if not f.op and (f.most or 0) > 1
    ]
    phases = [f for f in among if f.op == "="]
    left = [
        Feature(_USED + limit.id, "left", phase.number, mark=phase.scalar)
        for limit in game.limits
        if limit.renewed
        for phase in phases
    ]
    return tuple(dict.fromkeys([*among, *full, *left]))


def counting_down(among: Sequence[Feature]) -> Iterator[Sum]:
    """Yield each feature, and what is left of each up to its most or to its limit.

    Those of one vector (all ladders, say) come together too. None of them is below 0, as long
    as counters are in their ranges.
    """
    for feature in among:
        if not feature.rigid:
            yield from _both_ways([feature], among)
    for together in _vectors(among):
        if len(together) > 1:
            yield from _both_ways(together, among)


def counting_together(among: Sequence[Feature]) -> Iterator[Sum]:
    """Yield the same, but of a vector only all its features together."""
    for together in _vectors(among):
        yield from _both_ways(together, among)


def _vectors(among: Sequence[Feature]) -> Iterator[list[Feature]]:
    """Yield features that belong together: those of one vector, of the same kind."""
    found: dict[tuple[str, str, int], list[Feature]] = {}
    for feature in among:
        if not feature.rigid:
            field = feature.scalar if feature.limit else feature.field
            found.setdefault((field, feature.op, feature.number), []).append(feature)
    yield from found.values()


def _both_ways(together: Sequence[Feature], among: Sequence[Feature]) -> Iterator[Sum]:
    yield Sum(tuple((feature, 1) for feature in together))
    first = together[0]
    if first.most is not None:
        yield Sum(tuple((one, -1) for one in together), first.most * len(together))
    elif not first.op and (limit := first.limit) and limit in among:
        yield Sum(((limit, 1), (first, -1)))


def added(sums: Iterable[tuple[Sum, int]]) -> Sum:
    """Return so many times each of some sums, together."""
    terms: dict[Feature, int] = {}
    constant = 0
    for one, times in sums:
        constant += times * one.constant
        for feature, n in one.terms:
            terms[feature] = terms.get(feature, 0) + times * n
    return Sum(tuple((f, n) for f, n in terms.items() if n), constant)


def _compared(encoding: Encoding, values: Iterable[Value]) -> dict[str, set[int]]:
    """Return, by scalar of the state, the numbers that terms say it equals."""
    names = {v.name for v in encoding.state if v.sort == "Int"}
    found: dict[str, set[int]] = {}
    for term in _terms(values):
        if term.op == "=":
            for one, other in (term.args, term.args[::-1]):
                if _variable(one) in names and isinstance(other, int):
                    found.setdefault(_variable(one), set()).add(other)
    return found


def _marks(encoding: Encoding, values: Iterable[Value]) -> dict[str, set[str]]:
    """Return, by scalar of the state, the parameters that terms ask whether it is below."""
    names = {v.name for v in encoding.state if v.sort == "Int"}
    parameters = {v.name for v in encoding.rigid if not v.name.startswith(_LIMIT)}
    found: dict[str, set[str]] = {}
    for term in _terms(values):
        if term.op == "<":
            one, other = map(_variable, term.args)
            if one in names and other in parameters:
                found.setdefault(one, set()).add(other)
    return found


def _variable(value: object) -> str:
    return str(value.args[0]) if isinstance(value, Term) and value.op == "var" else ""


def _linear(values: Iterable[Value]) -> bool:
    return not any(
        term.op == "*" and all(variables_of(argument) for argument in term.args)
        for term in _terms(values)
    )


def _terms(values: Iterable[Value]) -> Iterator[Term]:
    """Yield every term that values are made of, once."""
    seen: set[int] = set()
    waiting: list[object] = list(values)
    while waiting:
        term = waiting.pop()
        if isinstance(term, Term) and id(term) not in seen:
            seen.add(id(term))
            waiting += term.args
            yield term
