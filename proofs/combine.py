"""Sums of counters that fall in every step of one rule, and rise in no step that was seen.

What is summed counts down: none of it is ever below 0. Of the sums that fit, a linear program
gives one of least weight, which is of few counters.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any

import z3

from .deadline import NEVER, Deadline
from .features import Sum, added

if TYPE_CHECKING:
    from .samples import Sample

__all__ = ["Program", "in_whole_numbers", "solved"]


class Program:
    """What is known of the sums of some counters from the steps that were seen."""

    def __init__(self, counters: Sequence[Sum], deadline: Deadline = NEVER) -> None:
        self.counters, self._deadline = tuple(counters), deadline
        self._context = z3.Context()
        self._weights = [z3.Real(f"c{n}", self._context) for n in range(len(counters))]
        self._rises: dict[str, list[Any]] = {}  # by rule: how much the sum rises in each step
        self._unused: list[Any] = []

    def learn(self, rule: str, step: Sample) -> None:
        """Take account of a step of a rule."""
        pairs = zip(self.counters, self._weights, strict=True)
        parts = [rise * weight for one, weight in pairs if (rise := step.rise(one))]
        rises = z3.Sum(parts) if parts else z3.RealVal(0, self._context)
        self._rises.setdefault(rule, []).append(rises)
        self._unused += [
            weight == 0
            for one, weight in zip(self.counters, self._weights, strict=True)
            if one.among(step.before) < 0  # it does not count down after all
        ]

    def least(self, target: str, rules: Sequence[str]) -> Sum | None:
        """Return the sum of least weight that fits the steps of some rules; None if none does.

        Steps of the target lower it by at least 1.
        """
        program = z3.Optimize(ctx=self._context)
        program.add(self._unused)
        program.add([weight >= 0 for weight in self._weights])
        for rule in rules:
            most = -1 if rule == target else 0
            program.add([rises <= most for rises in self._rises.get(rule, [])])
        program.minimize(z3.Sum(self._weights))
        answer = self._deadline.check(program)
        return self.sum(program.model()) if answer == z3.sat else None

    def sum(self, model: Any) -> Sum:
        """Return the sum that a solution stands for, in whole numbers."""
        values = [solved(model, weight) for weight in self._weights]
        return in_whole_numbers(self.counters, values)[1]


def in_whole_numbers(sums: Sequence[Sum], times: Sequence[Fraction]) -> tuple[int, Sum]:
    """Return so many times each of some sums, together, and the number that makes it whole."""
    by = lcm(*(one.denominator for one in times))
    return by, added((one, int(n * by)) for one, n in zip(sums, times, strict=True) if n)


def solved(model: Any, term: Any) -> Fraction:
    """Return the value of a term in a solution."""
    value = model.eval(term, True)
    if z3.is_int_value(value):
        return Fraction(value.as_long())
    return Fraction(value.numerator_as_long(), value.denominator_as_long())
