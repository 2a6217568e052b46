"""Moves that come to a condition at a rule, made with a solver near Plays that are known.

states[n - w] known ∧ R1 … Rw fire, reveals unknown ∧ the condition holds in the last step
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterator, Sequence
from typing import cast

from ...models.algebra import Bool, Value, all_of, variables_of
from ...models.shape import Variable
from ...proofs.evaluate import Evaluation
from ..ground import Move, Trace
from ..wander import Wander
from .varied import Reading, held, varied

__all__ = ["WINDOWS", "Coming"]

# Steps asked for again; places looked at and places at which a solver is asked, for each.
WINDOWS = (1, 2, 3, 5)
_PLACES, _ASKED = 160, (10, 6, 5, 4)


class Coming:
    """Comes to conditions near Plays; ``known`` may grow in the meantime."""

    def __init__(self, wander: Wander, known: Sequence[Trace], numbers: random.Random) -> None:
        self.wander, self.ground, self.known = wander, wander.ground, known
        self._random = numbers
        self._rules = set(self.ground.formulas)

    def moves(
        self, rule: str, condition: Bool, variables: Sequence[Variable], anywhere: bool = False
    ) -> Iterator[tuple[Trace, int, list[Move], int]]:
        """Yield moves that come to a condition at a rule: the last of them is its step.

        Each comes with the Play they leave, after how many steps, and how many were asked for.
        """
        for window, asked in zip(WINDOWS, _ASKED, strict=True):
            for trace, number in self.places(rule, window, condition, anywhere):
                prefix, along, unknowns, wanted = self._wanted(
                    trace, number, window, rule, variables, condition
                )
                if wanted is False:
                    continue
                asked -= 1
                moves = self._asked(trace, prefix, along, unknowns, wanted, rule, variables)
                if moves is not None:
                    yield trace, prefix, moves, window
                if asked <= 0:
                    break

    def places(
        self, rule: str, window: int, condition: Bool, anywhere: bool = False
    ) -> Iterator[tuple[Trace, int]]:
        """Yield places at which a rule was taken, or might have been.

        Those come first that are unlike in which of the fields in question hold anything.
        """
        before = set(self.ground.graph.predecessors(rule))
        own, others = [], []
        for trace in self.known:
            for number, taken in enumerate(trace.rules):
                if number + 1 < window:
                    continue
                if taken == rule:
                    own.append((trace, number))
                elif anywhere or (window > 1 and trace.rules[number - 1] in before):
                    others.append((trace, number))
        about = sorted(n for n in variables_of(condition) if n.startswith("s."))
        for places in (own, others):
            few = self._random.sample(places, min(_PLACES, len(places)))
            yield from varied(few, lambda at: held(at[0].states[at[1]], about))

    def _wanted(
        self,
        trace: Trace,
        number: int,
        window: int,
        rule: str,
        variables: Sequence[Variable],
        condition: Bool,
    ) -> tuple[int, tuple[str, ...], list[Variable], Bool]:
        """Return from which step on what has to hold, the rules till then, the unknowns."""
        first = number - window + 1
        along = trace.rules[first:number]
        if along and self._random.random() < 0.5:  # or another rule just before it
            before = sorted(set(self.ground.graph.predecessors(rule)) & self._rules)
            along = (*along[:-1], self._random.choice(before)) if before else along
        unknowns, guards, _, state = self.wander.unknown(trace, first, along)
        values: dict[str, Value] = Reading(state)
        own = [dataclasses.replace(v, name=f"last.{v.name}") for v in variables]
        for variable, named in zip(variables, own, strict=True):
            values[variable.name] = named.term()
        if any(guard is False for guard in guards):
            return first, along, [], False
        met = cast("Bool", Evaluation(values).of(condition))
        return first, along, [*unknowns, *own], all_of(guards, met)

    def _asked(
        self,
        trace: Trace,
        first: int,
        along: Sequence[str],
        unknowns: Sequence[Variable],
        wanted: Bool,
        rule: str,
        variables: Sequence[Variable],
    ) -> list[Move] | None:
        """Return the moves from a step on as a solver has them, None if it has none."""
        liked = self.wander.wishes_of(trace, first, unknowns)
        last = trace.moves[first + len(along)]
        if last.rule == rule:
            liked |= {f"last.{name}": int(value) for name, value in last.revealed.items()}
        if unknowns:
            values = self.wander.asked(unknowns, wanted, liked)
        else:
            values = {} if wanted is True else None
        if values is None:
            return None
        moves = [
            Move(one, {v.name: values[f"{n}.{v.name}"] for v in self.ground.revealed[one]})
            for n, one in enumerate(along, start=first)
        ]
        return [*moves, Move(rule, {v.name: values[f"last.{v.name}"] for v in variables})]
