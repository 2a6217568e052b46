"""Steps that a build must refuse: what the rules do not allow, tried where a Play stands.

A script says only what may come. That nothing else may come shows when it is asked for: another
rule than the one that is due, or a reveal that is not legal now. Whether one may come is for
the rules to say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any

from ..models.shape import Variable
from .cases import Ask, Case
from .event import flat
from .expected import Expected
from .moves import Move, State, Values
from .ways import choices

__all__ = ["Probe", "Probes"]

_POOL = 12  # reveals of a rule, from the scripts, that are tried out of turn
_LOOKS = 8  # steps that are thought of at most, for one that is tried
_SKIPPED = 7  # so many further on another portion of a suite begins

_CHANGES: Mapping[str, Sequence[Callable[[Variable, Any], Any]]] = {
    "Bool": (lambda variable, value: not value,),
    "Int": (
        lambda variable, value: value - 1,
        lambda variable, value: value + 1,
        lambda variable, value: variable.low,
        lambda variable, value: _plus(variable.low, -1),
        lambda variable, value: variable.high,
        lambda variable, value: _plus(variable.high, 1),
    ),
}
"""Other values for one that is revealed; None where there is no limit."""


@dataclass(frozen=True)
class Probe:
    """A step that the rules do not allow here.

    ``differs`` says in words what is wrong with it: all that it reveals, if that is empty.
    """

    rule: str
    reveal: dict[str, Any]
    choice: dict[str, Any]
    differs: str = ""

    @property
    def says(self) -> str:
        """What is wrong with it, in words."""
        return self.differs or "with " + ", ".join(f"{n} = {v}" for n, v in flat(self.reveal))


@dataclass(frozen=True, eq=False, slots=True)
class _Option:
    """Something to try where a rule is due: a move, and what it reveals.

    ``made`` makes that out of what is due, and how often it was made before, and says whether
    it can come in no state at all; ``shown`` gives it as files have it. ``place`` is where the
    one value stands that it changes, None where it is another reveal.
    """

    move: Move
    made: Callable[[Values, int], tuple[Values, bool]]
    shown: Callable[[Ask, Values, int], dict[str, Any]]
    place: int | None = None


class Probes:
    """Steps to be refused, those least often tried first; equal suites, equal ones."""

    def __init__(self, expected: Expected, cases: Sequence[Case]) -> None:
        self._moves = expected.moves
        variables = {id_: move.variables for id_, move in self._moves.items()}
        self._least = {id_: choices(variables, (id_,), "least")[0] for id_ in self._moves}
        self._pool: dict[str, dict[Values, dict[str, Any]]] = {id_: {} for id_ in self._moves}
        for case in cases:
            for one in case.script.steps:
                pool = self._pool[one.rule]
                if len(pool) < _POOL:
                    values = self._values(one.rule, one.reveal, self._least[one.rule])
                    pool.setdefault(values, one.reveal)
        self._try_nothing(0)

    def anew(self, portion: int) -> Probes:
        """Return the same, none tried yet; each portion of a suite begins with others."""
        other = copy(self)
        other._try_nothing(portion)
        return other

    def _try_nothing(self, portion: int) -> None:
        self._first = portion * _SKIPPED
        self._turns: dict[str, _Turns] = {}
        self._tried: dict[tuple[_Option, bool], int] = {}

    def probe(self, state: State, due: Ask) -> Probe | None:
        """Return a step that may not come in a state, where ``due`` may; None for none.

        Of some that were looked at least often, the one that was tried least often; rather one
        that could come in another state than one that never can.
        """
        if due.event not in self._turns:
            options = [*self._others(due.event, same=True), *self._changed(due.event)]
            self._turns[due.event] = _Turns(options, self._first)
        best: tuple[tuple[int, bool], _Option, Values, int] | None = None
        values = self._values(due.event, due.reveal, due.choice)
        tried = self._tried.get
        for option, time in self._turns[due.event].next(_LOOKS):
            if best is not None and best[0] <= (
                min(tried((option, False), 0), tried((option, True), 0)),
                False,
            ):
                continue  # whatever it makes was tried as often
            other, never = option.made(values, time)
            key = tried((option, never), 0), never
            if (best is None or key < best[0]) and option.move.step(state, other) is None:
                best = key, option, other, time
                if key == (0, False):
                    break
        if best is None:
            return None
        (times, never), option, other, time = best
        self._tried[option, never] = times + 1
        return self._said(due, option, other, time)

    def instead(self, state: State, due: Ask) -> Iterator[Probe]:
        """Yield a step of each other rule, where ``due`` may come and they may not."""
        values = self._values(due.event, due.reveal, due.choice)
        for option in self._others(due.event, same=False):
            other, _ = option.made(values, 0)
            if option.move.step(state, other) is None:
                yield self._said(due, option, other, 0)

    def _values(self, rule: str, reveal: dict[str, Any], choice: dict[str, Any]) -> Values:
        """Return what a step reveals, and what is chosen, in the order of its variables."""
        move = self._moves[rule]
        values = move.read(reveal, choice)
        if values is None:
            scalars = dict(flat(reveal)) | dict(flat(choice))
            values = tuple([scalars[one.name] for one in move.variables])
        return values

    def _others(self, due: str, *, same: bool) -> Iterator[_Option]:
        """Yield what scripts reveal of other rules; with ``same`` of the rule due as well."""
        for rule, pool in self._pool.items():
            move = self._moves[rule]
            if pool and rule != due:
                yield _Option(move, _out_of([*pool]), _as_in([*pool.values()]))
            elif pool and same:
                chosen = {at for at, one in enumerate(move.variables) if one.choice}
                yield _Option(move, _out_of([*pool], chosen), _as_in([*pool.values()]))

    def _changed(self, due: str) -> Iterator[_Option]:
        """Yield changes of one value that the rule which is due reveals."""
        move = self._moves[due]
        for place, one in enumerate(move.variables):
            for changed in () if one.choice else _CHANGES[one.sort]:
                if changed(one, 0) is not None:
                    made, shown = _changing(place, one, changed), _with(place, one.name)
                    yield _Option(move, made, shown, place)

    def _said(self, due: Ask, option: _Option, values: Values, time: int) -> Probe:
        """Return a step as it is tried, and in words."""
        rule, reveal = option.move.id, option.shown(due, values, time)
        if rule != due.event:
            return Probe(rule, reveal, self._least[rule], f"where {due.event} is due")
        if option.place is None:
            return Probe(rule, reveal, due.choice)
        name, value = option.move.variables[option.place].name, values[option.place]
        return Probe(rule, reveal, due.choice, f"with {name} = {value}")


class _Turns:
    """What may be tried where a rule is due, in turn: each is looked at as often as any."""

    def __init__(self, options: Sequence[_Option], first: int = 0) -> None:
        self._options = options
        self._next = first

    def next(self, most: int) -> Iterator[tuple[_Option, int]]:
        """Yield the next ones, so many at most, and how often they were looked at before."""
        for _ in range(min(most, len(self._options))):
            time, place = divmod(self._next, len(self._options))
            self._next += 1
            yield self._options[place], time


def _plus(limit: int | None, more: int) -> int | None:
    return None if limit is None else limit + more


def _out_of(
    pool: Sequence[Values], kept: frozenset[int] | set[int] = frozenset()
) -> Callable[[Values, int], tuple[Values, bool]]:
    """Return what takes one out of a pool; at the places ``kept`` what is due stays."""

    def made(values: Values, time: int) -> tuple[Values, bool]:
        other = pool[time % len(pool)]
        if kept:
            other = tuple([values[at] if at in kept else one for at, one in enumerate(other)])
        return other, False

    return made


def _changing(
    place: int, variable: Variable, changed: Callable[[Variable, Any], Any]
) -> Callable[[Values, int], tuple[Values, bool]]:
    """Return what changes one value of what is due."""
    low, high = variable.low, variable.high

    def made(values: Values, _: int) -> tuple[Values, bool]:
        value = changed(variable, values[place])
        beyond = (low is not None and value < low) or (high is not None and value > high)
        return (*values[:place], value, *values[place + 1 :]), beyond

    return made


def _as_in(reveals: Sequence[dict[str, Any]]) -> Callable[[Ask, Values, int], dict[str, Any]]:
    """Return what shows one out of a pool."""
    return lambda due, values, time: reveals[time % len(reveals)]


def _with(place: int, name: str) -> Callable[[Ask, Values, int], dict[str, Any]]:
    """Return what shows a reveal that is changed in one value."""
    path = name.split(".")
    return lambda due, values, _: _replaced(due.reveal, path, values[place])


def _replaced(shown: dict[str, Any], path: Sequence[str], value: Any) -> dict[str, Any]:
    first, rest = path[0], path[1:]
    return shown | {first: _replaced(shown[first], rest, value) if rest else value}
