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

from .features import Sum, added

if TYPE_CHECKING:
    from .ranking import Sample

__all__ = ["Program"]


class Program:
    """What is known of the sums of some counters from the steps that were seen."""

    def __init__(self, counters: Sequence[Sum]) -> None:
        self.counters = tuple(counters)
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
        return self.sum(program.model()) if program.check() == z3.sat else None

    def sum(self, model: Any) -> Sum:
        """Return the sum that a solution stands for, in whole numbers."""
        values = [_fraction(model.eval(weight, True)) for weight in self._weights]
        by = lcm(*(value.denominator for value in values))
        pairs = zip(self.counters, values, strict=True)
        return added((one, int(value * by)) for one, value in pairs if value)


def _fraction(value: Any) -> Fraction:
    return Fraction(value.numerator_as_long(), value.denominator_as_long())
