"""Steps of Plays, by rule, on which mutants are run: those that came, and those refused.

A mutant that does in every step what the rule does has shown no difference. The first step in
which it does not comes after the very same states, so one look at each step decides whether a
Play tells the two apart, however long it is.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from ...models.algebra import Bool, Term
from ...models.shape import Variable
from ..compiled import compiled
from ..ground import Move, Trace
from .columns import Columns
from .making import Mutant, Mutants

__all__ = ["Apart", "Place", "Steps"]

_POOL, _TRIED = 40, 4


@dataclass(frozen=True)
class Place:
    """A step of a Play, counted from 0; ``refused`` is one that may not come there instead."""

    play: int
    step: int
    refused: Move | None = None


@dataclass(frozen=True)
class Apart:
    """Where a mutant is told apart: what is different, and the places, one of each Play.

    ``how`` is ``shows`` (another state), ``refuses`` (a step that is legal) or ``accepts``
    (one that is not).
    """

    how: str
    places: tuple[Place, ...]

    @property
    def plays(self) -> frozenset[int]:
        """The Plays that tell the mutant apart."""
        return frozenset(place.play for place in self.places)


class _Table:
    """Steps by one rule as columns; equal steps of several Plays are one."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names
        self.rows: dict[tuple[Any, ...], list[Place]] = {}
        self._columns: Columns | None = None

    def add(self, values: Mapping[str, Any], place: Place) -> None:
        row = tuple([values[name] for name in self.names])
        self.rows.setdefault(row, []).append(place)
        self._columns = None

    @property
    def columns(self) -> Columns:
        if self._columns is None:
            by_name = zip(*self.rows, strict=True) if self.rows else ((),) * len(self.names)
            known = dict(zip(self.names, by_name, strict=True))
            self._columns = Columns(known, len(self.rows))
            self._places = list(self.rows.values())
        return self._columns

    def places(self, rows: Iterable[int]) -> Iterator[Place]:
        for row in rows:
            yield from self._places[row]


class Steps:
    """The steps of some Plays of a ground, and steps that it refuses on the way.

    ``only`` names the rules whose steps are looked at; all without it.
    """

    def __init__(
        self,
        mutants: Mutants,
        traces: Sequence[Trace],
        seed: int = 0,
        only: Collection[str] | None = None,
    ) -> None:
        self.mutants, self.ground = mutants, mutants.ground
        self.traces: list[Trace] = []
        self._random = random.Random(f"steps {seed}")
        rules = [rule for rule in mutants.rules if only is None or rule in only]
        self._came = {rule: _Table(self._names(rule)) for rule in rules}
        self._refused = {rule: _Table(self._names(rule)) for rule in rules}
        self._pool: dict[str, list[Move]] = {rule: [] for rule in rules}
        self._nearly = {rule: _nearly(mutants.rules[rule].guard) for rule in rules}
        self._looked_at: set[tuple[Any, ...]] = set()
        self.add(traces)

    def _names(self, rule: str) -> list[str]:
        return [v.name for v in (*self.ground.state, *self.ground.revealed[rule])]

    def add(self, traces: Sequence[Trace]) -> None:
        """Look at more Plays."""
        for trace in traces:
            play = len(self.traces)
            self.traces.append(trace)
            for number, move in enumerate(trace.moves):
                if move.rule not in self._came:
                    continue
                known = {**trace.states[number], **move.revealed}
                self._came[move.rule].add(known, Place(play, number))
                if len(pool := self._pool[move.rule]) < _POOL:
                    pool.append(move)

    def refuse(self, traces: Iterable[int] | None = None) -> None:
        """Try in the states of Plays (all, if none are named) what may not come there."""
        for play in range(len(self.traces)) if traces is None else traces:
            for number, state in enumerate(self.traces[play].states):
                key = tuple(state.values())
                if key not in self._looked_at:
                    self._looked_at.add(key)
                    for move in self._unlikely(state):
                        if self._nearly[move.rule]({**state, **move.revealed}):
                            self.note_refused(Place(play, number, move), state)

    def note_refused(self, place: Place, state: Mapping[str, Any]) -> None:
        """Take in a step that may not come at a place."""
        move = place.refused
        assert move is not None
        self._refused[move.rule].add({**state, **move.revealed}, place)

    def _unlikely(self, state: Mapping[str, Any]) -> Iterator[Move]:
        for rule in self._refused:
            variables = self.ground.revealed[rule]
            given = [v for v in variables if not v.choice]
            if not variables:
                yield Move(rule, {})
                continue
            pool = self._pool[rule]
            for _ in range(_TRIED if pool and given else 0):
                move = self._random.choice(pool)
                changed = self._random.choice(given)
                value = self._other(changed, move.revealed[changed.name])
                yield Move(rule, {**move.revealed, changed.name: value})

    def _other(self, variable: Variable, value: Any) -> Any:
        if variable.sort == "Bool":
            return not value
        beyond = [v for v in (variable.low, variable.high) if v is not None]
        near = [value - 1, value + 1, *(v + by for v in beyond for by in (-1, 0, 1))]
        return self._random.choice(near)

    def apart(self, mutant: Mutant) -> Apart | None:
        """Return where a mutant is told apart in the Plays looked at, None if nowhere.

        A step that is to be refused is looked at only where no other step tells it apart.
        """
        found = [apart for part in mutant.parts if (apart := self._apart(part))]
        those = [one for one in found if one.how != "accepts"] or found
        if len(those) < 2:
            return those[0] if those else None
        return Apart(those[0].how, _one_of_each(place for one in those for place in one.places))

    def _apart(self, mutant: Mutant) -> Apart | None:
        rule = self.mutants.rules[mutant.rule]
        came, refused = self._came[mutant.rule], self._refused[mutant.rule]
        if mutant.guard is not None:
            if rows := came.columns.differ(True, mutant.guard):
                return Apart("refuses", _one_of_each(came.places(rows)))
            if rows := refused.columns.differ(False, mutant.guard):
                return Apart("accepts", _one_of_each(refused.places(rows)))
            return None
        rows_ = {
            row
            for name, value in mutant.updates.items()
            for row in came.columns.differ(rule.updates[name], value)
        }
        return Apart("shows", _one_of_each(came.places(sorted(rows_)))) if rows_ else None

    def count(self) -> tuple[int, int]:
        """Return how many different steps came, and how many were refused."""
        tables = self._came, self._refused
        came, refused = (sum(len(t.rows) for t in by.values()) for by in tables)
        return came, refused


def _nearly(guard: Bool) -> Callable[[Mapping[str, Any]], bool]:
    """Return whether all but one of the conditions of a guard hold: a change may let it by."""
    joined = isinstance(guard, Term) and guard.op == "and"
    conditions = guard.args if isinstance(guard, Term) and joined else (guard,)
    work_out = compiled(cast("Any", conditions))
    return lambda known: work_out(known).count(False) == 1


def _one_of_each(places: Iterable[Place]) -> tuple[Place, ...]:
    """Return the first place of each Play, Plays in order."""
    found: dict[int, Place] = {}
    for place in places:
        if place.play not in found or place.step < found[place.play].step:
            found[place.play] = place
    return tuple(found[play] for play in sorted(found))
