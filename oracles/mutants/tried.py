"""Plays that tell mutants apart, found by trying many steps at once, without a solver.

    places    where a rule may be taken: in known Plays, and in Plays that go on as another did
    steps     what may be revealed there, at random; as columns (``columns``), so that every
              mutant is run on all of them at once
    Plays     of the steps that tell most mutants apart, each gone on with to a good end

A step that may not come needs no Play of its own: it is tried where known Plays stand.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ...models.shape import Variable
from ..ground import Move, Trace
from ..wander import Wander
from .columns import Columns
from .making import Mutant, Mutants

__all__ = ["Tried"]

# Places of one round, reveals tried at each, and steps that another Play may lend.
_PLACES, _REVEALS, _LENT = 120, 3, 9
_REFUSED = 500  # steps of one round that may not come
_ENDS = (0, 0, 3)  # how long a Play wanders on before it goes to its end


class Tried:
    """Tries steps by one rule, near Plays that are known; ``wander`` makes what is random."""

    def __init__(self, mutants: Mutants, rule: str, wander: Wander, seed: int = 0) -> None:
        self.mutants, self.ground, self.rule, self.wander = (
            mutants,
            mutants.ground,
            rule,
            wander,
        )
        self._random = random.Random(f"tried {rule} {seed}")
        self._variables = self.ground.revealed[rule]

    def plays(self, left: Sequence[Mutant], known: Sequence[Trace]) -> Iterator[Trace]:
        """Yield Plays with a step that tells some mutants apart, most of them first.

        A mutant that one of them tells apart is looked for no more.
        """
        steps = list(self._steps(known))
        told = self._told(left, steps)
        while told:
            best = max(told, key=lambda number: (len(told[number]), -number))
            apart = told.pop(best)
            whole = self._ended(*steps[best])
            if whole is not None:
                yield whole
                told = {n: rest for n, of in told.items() if (rest := of - apart)}

    def refused(
        self, left: Sequence[Mutant], known: Sequence[Trace]
    ) -> Iterator[tuple[Mutant, int, int, Move]]:
        """Yield mutants that accept what may not come: with the Play, the step, the move."""
        parts = [(one, part) for one in left if (part := one.of(self.rule))]
        guards = [(one, part.guard) for one, part in parts if part.guard is not None]
        if not guards:
            return
        tried = [step for step in self._refused(known) if not self._legal(*step, known)]
        columns = self._columns((known[play].states[step], move) for play, step, move in tried)
        for mutant, guard in guards:
            rows = columns.differ(False, guard)
            if rows:
                yield mutant, *tried[rows[0]]

    # Steps that may come.

    def _steps(self, known: Sequence[Trace]) -> Iterator[tuple[Trace, Move]]:
        seen: set[tuple[Any, ...]] = set()
        for begun in self._places(known):
            for _ in range(_REVEALS if self._variables else 1):
                rich = self._random.choice((0.2, 0.4, 0.8))
                move = self.wander.tried(begun.end, self.rule, rich)
                if move is None:
                    break
                key = (*begun.end.values(), *move.revealed.values())
                if key not in seen:
                    seen.add(key)
                    yield begun, move

    def _places(self, known: Sequence[Trace]) -> Iterator[Trace]:
        own = [(t, n) for t in known for n, rule in enumerate(t.rules) if rule == self.rule]
        for _ in range(_PLACES if own else 0):
            trace, number = self._random.choice(own)
            if self._random.random() < 0.5:
                begun: Trace | None = trace.upto(number)
            else:
                begun = self._lent(trace, number, self._random.choice(known))
            if begun is not None and self.wander.may_fire(begun.end, self.rule):
                yield begun

    def _lent(self, lender: Trace, number: int, trace: Trace) -> Trace | None:
        """Return a Play that goes on as another one did till it took the rule."""
        first = max(0, number - self._random.randint(0, _LENT))
        same = [n for n, rule in enumerate(trace.rules) if rule == lender.rules[first]]
        if not same:
            return None
        begun = trace.upto(self._random.choice(same))
        return self.ground.along(begun, lender.moves[first:number])

    def _told(
        self, left: Sequence[Mutant], steps: Sequence[tuple[Trace, Move]]
    ) -> dict[int, set[str]]:
        """Return by step which mutants (digests) it tells apart."""
        columns = self._columns((begun.end, move) for begun, move in steps)
        rule = self.mutants.rules[self.rule]
        told: dict[int, set[str]] = {}
        for mutant in left:
            part = mutant.of(self.rule)
            if part is None:
                continue
            if part.guard is not None:
                rows = set(columns.differ(True, part.guard))
            else:
                pairs = ((rule.updates[name], value) for name, value in part.updates.items())
                rows = {row for old, new in pairs for row in columns.differ(old, new)}
            for row in rows:
                told.setdefault(row, set()).add(mutant.digest)
        return told

    def _ended(self, begun: Trace, move: Move) -> Trace | None:
        longer = self.ground.longer(begun, move)
        if longer is None:
            return None
        for wild in _ENDS:
            whole = self.wander.play(longer, wild=wild, kept=len(longer.moves))
            if whole is not None:
                return whole
        return None

    # Steps that may not come.

    def _refused(self, known: Sequence[Trace]) -> Iterator[tuple[int, int, Move]]:
        every = [(p, n) for p, trace in enumerate(known) for n in range(len(trace.states))]
        own = [at for at in every if (*known[at[0]].rules, "")[at[1]] == self.rule]
        for count in range(_REFUSED if own else 0):
            play, step = self._random.choice(own)
            revealed = self._otherwise(known[play].moves[step].revealed)
            if count % 3:
                play, step = self._random.choice(every)
            yield play, step, Move(self.rule, revealed)

    def _otherwise(self, revealed: Any) -> dict[str, Any]:
        values = dict(revealed)
        given = [v for v in self._variables if not v.choice]
        for _ in range(self._random.choice((0, 1, 1, 1, 2)) if given else 0):
            one = self._random.choice(given)
            values[one.name] = self._other(one, values[one.name])
        return values

    def _other(self, variable: Variable, value: Any) -> Any:
        if variable.sort == "Bool":
            return not value
        limits = [v for v in (variable.low, variable.high) if v is not None]
        near = [value - 1, value + 1, *(v + by for v in limits for by in (-1, 0, 1))]
        return self._random.choice(near)

    def _legal(self, play: int, step: int, move: Move, known: Sequence[Trace]) -> bool:
        return self.ground.take(known[play].states[step], move) is not None

    def _columns(self, steps: Iterable[tuple[Any, Move]]) -> Columns:
        names = [v.name for v in (*self.ground.state, *self._variables)]
        rows = [{**state, **move.revealed} for state, move in steps]
        return Columns({name: [row[name] for row in rows] for name in names}, len(rows))
