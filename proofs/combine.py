"""Sums of counters that fall in every step of one rule, and rise in no step that was seen.

What is summed counts down: none of it is ever below 0. A few counters that mend one another
are looked for first, the fewest that will do: a step that raises the sum is mended by a counter
that falls in it. Where that finds none, a linear program over the rationals says whether there
are coefficients at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any

import z3

from .features import Sum, added

if TYPE_CHECKING:
    from .ranking import Sample

__all__ = ["Program"]

# How many ways to put counters together are tried, for each number of them.
_TRIALS = 2000


class Program:
    """What is known of the sums of some counters from the steps that were seen."""

    def __init__(self, counters: Sequence[Sum], target: str) -> None:
        self.target = target
        self._counters = counters
        self._known: dict[str, int] = {}
        self._bounds: list[int] = []  # by step: how much a sum may rise in it at most
        self._rises: list[list[int]] = []  # by step: the rise of each counter
        context = z3.Context()
        self._terms = [z3.Real(f"c{number}", context) for number in range(len(counters))]
        self._solver = z3.SimpleSolver(ctx=context)
        for term in self._terms:
            self._solver.add(term >= 0)

    def learn(self, rule: str, steps: Sequence[Sample]) -> None:
        """Take account of the steps seen of a rule: those beyond what is known already."""
        for step in steps[self._known.get(rule, 0) :]:
            rises = [step.rise(one) for one in self._counters]
            bound = -1 if rule == self.target else 0
            self._rises.append(rises)
            self._bounds.append(bound)
            parts = [n * term for n, term in zip(rises, self._terms, strict=True) if n]
            self._solver.add(z3.Sum(parts) <= bound if parts else bound == 0)
        self._known[rule] = len(steps)

    def candidate(self, most: int, *, solve: bool) -> Sum | None:
        """Return a sum that fits all steps seen: of up to ``most`` counters, once each.

        If that does not do, ``solve`` finds one with any coefficients, or that there is none.
        """
        for number in range(2, most + 1):
            self._trials = _TRIALS
            chosen = self._mended([0] * len(self._bounds), (), number)
            if chosen is not None:
                return added((self._counters[one], 1) for one in chosen)
        return self._solved() if solve else None

    def _mended(
        self, rises: Sequence[int], chosen: tuple[int, ...], most: int
    ) -> tuple[int, ...] | None:
        """Return counters, some chosen already, whose sum fits; ``rises`` is theirs by step."""
        wrong = next((i for i, b in enumerate(self._bounds) if rises[i] > b), None)
        if wrong is None:
            return chosen or None
        if len(chosen) == most or not self._trials:
            return None
        self._trials -= 1
        for number in self._menders(rises, wrong):
            if number in chosen:
                continue
            now = [a + row[number] for a, row in zip(rises, self._rises, strict=True)]
            found = self._mended(now, (*chosen, number), most)
            if found is not None:
                return found
        return None

    def _menders(self, rises: Sequence[int], wrong: int) -> Iterator[int]:
        """Return the counters that fall in a step, those first that raise the sum least."""
        falling = [number for number, n in enumerate(self._rises[wrong]) if n < 0]

        def harm(number: int) -> int:
            return sum(
                a + row[number] > b
                for a, b, row in zip(rises, self._bounds, self._rises, strict=True)
            )

        return iter(sorted(falling, key=harm))

    def _solved(self) -> Sum | None:
        if self._solver.check() != z3.sat:
            return None
        model = self._solver.model()
        values = [_fraction(model.eval(term, True)) for term in self._terms]
        by = lcm(*(value.denominator for value in values))
        times = [int(value * by) for value in values]
        return added((one, n) for one, n in zip(self._counters, times, strict=True) if n)


def _fraction(value: Any) -> Fraction:
    return Fraction(value.numerator_as_long(), value.denominator_as_long())
