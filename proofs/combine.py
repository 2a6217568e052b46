"""Sums of counters that fall in every step of one rule, and rise in no step that was seen.

What is summed counts down: none of it is ever below 0. Of the sums that fit, a linear program
gives one of least weight, which is of few counters.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING

import z3

from . import linear
from .deadline import NEVER, Deadline
from .features import Sum, added

if TYPE_CHECKING:
    from .samples import Sample

__all__ = ["Program", "in_whole_numbers"]


class Program:
    """What is known of the sums of some counters from the steps that were seen."""

    def __init__(self, counters: Sequence[Sum], deadline: Deadline = NEVER) -> None:
        self.counters, self._deadline = tuple(counters), deadline
        self._context = z3.Context()
        self._weights = [f"c{n}" for n in range(len(counters))]
        self._rises: dict[str, list[str]] = {}  # by rule: how much the sum rises in each step
        self._unused: set[str] = set()

    def learn(self, rule: str, step: Sample) -> None:
        """Take account of a step of a rule."""
        pairs = list(zip(self.counters, self._weights, strict=True))
        rises = linear.combination((step.rise(one), weight) for one, weight in pairs)
        self._rises.setdefault(rule, []).append(rises)
        # What is below 0 does not count down after all.
        self._unused |= {weight for one, weight in pairs if one.among(step.before) < 0}

    def least(self, target: str, rules: Sequence[str]) -> Sum | None:
        """Return the sum of least weight that fits the steps of some rules; None if none does.

        Steps of the target lower it by at least 1.
        """
        rows = [(weight, "<=", 0) for weight in sorted(self._unused)]
        rows += [
            (rises, "<=", -(rule == target))
            for rule in rules
            for rises in self._rises.get(rule, [])
        ]
        goal = linear.combination((1, weight) for weight in self._weights)
        found = linear.least(self._weights, rows, goal, self._context, self._deadline)
        if found is None:
            return None
        return in_whole_numbers(self.counters, [found[one] for one in self._weights])[1]


def in_whole_numbers(sums: Sequence[Sum], times: Sequence[Fraction]) -> tuple[int, Sum]:
    """Return so many times each of some sums, together, and the number that makes it whole."""
    by = lcm(*(one.denominator for one in times))
    return by, added((one, int(n * by)) for one, n in zip(sums, times, strict=True) if n)
