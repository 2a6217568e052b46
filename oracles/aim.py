"""Aiming: a Play that reaches a goal which wandering Plays have missed.

A Play that came near is taken up to some steps before the place, and these steps are asked for
again: the same rules, their reveals unknown, so that the goal is reached in the last of them.
From there the Play goes on plainly, to an end that the table has.

    states[n - w] known ∧ R1 … Rw fire, reveals unknown ∧ condition(last step)
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from ..models.algebra import Bool, all_of
from ..proofs.evaluate import Evaluation
from .coverage import Coverage
from .goals import Goal, Moment, Passage
from .ground import Ground, Trace
from .wander import Wander

__all__ = ["Aim"]

# Steps asked for again, and places of Plays where this is tried.
_WINDOWS, _PLACES = (1, 2, 4, 6), 10


class Aim:
    """Finds Plays that reach one goal, from Plays that are known."""

    def __init__(self, ground: Ground, wander: Wander, coverage: Coverage, seed: int) -> None:
        self.ground, self.wander, self.coverage = ground, wander, coverage
        self.random = random.Random(f"aim {seed}")

    def at(self, goal: Goal, known: Sequence[Trace]) -> Iterator[Trace]:
        """Yield whole Plays made to reach a goal; whether they do is for the caller to see."""
        cases = list(self._cases(goal))
        for window in _WINDOWS:
            for rules, condition in cases:
                for trace, number in self._places(known, rules[0]):
                    reached = self._reach(trace, number, rules, condition, window)
                    if reached is None:
                        continue
                    whole = self.wander.play(reached, wild=0)
                    if whole is not None:
                        yield whole

    def _cases(self, goal: Goal) -> Iterator[tuple[tuple[str, ...], Bool]]:
        if isinstance(goal, Moment):
            for rule, condition in goal.cases:
                yield (rule,), condition
        elif isinstance(goal, Passage):
            yield (goal.first, goal.then), True

    def _places(self, known: Sequence[Trace], rule: str) -> list[tuple[Trace, int]]:
        """Return places at which a rule was taken, some at random."""
        places = [
            (trace, number)
            for trace in known
            for number, taken in enumerate(trace.rules)
            if taken == rule
        ]
        return self.random.sample(places, min(_PLACES, len(places)))

    def _reach(
        self, trace: Trace, number: int, rules: Sequence[str], condition: Bool, window: int
    ) -> Trace | None:
        """Return the Play up to the goal, with the steps before it asked for again."""
        first = number - window + 1
        if first < 0:
            return None
        along = (*trace.rules[first:number], *rules)
        unknowns, guards, seen, _ = self.wander.unknown(trace, first, along)
        if len(seen) < len(along) or guards[-1] is False:
            return None
        met = Evaluation(seen[-1]).of(condition)
        wanted = all_of(guards, met)  # type: ignore[arg-type]
        if wanted is False:
            return None
        wishes = self.wander.wishes(trace, first)
        named = {variable.name for variable in unknowns}
        liked = {name: value for name, value in wishes.items() if name in named}
        values = self.wander.asked(unknowns, wanted, liked)
        if values is None:
            return None
        return self.wander.with_values(trace, first, along, values)
