"""How often rules can be taken: inequalities that a solver proves, and what they allow in all.

    c(x) + m(R1) n(R1) + … + m(Rk) n(Rk)  <=  c(start),      c >= 0 in every state

c is a sum of counters that are never below 0, n(R) how often rule R was taken, m(R) what c
falls by at least whenever R is taken (below 0: it may rise). So the m(R) n(R) are c(start) at
most. By duality a sum of such inequalities, each so many times, bounds the number of all steps.

Each counter is taken by itself first. Then, for each rule, the sum is looked for that allows it
least often, given how often the others may be taken: a linear program over the steps seen,
refined by steps that do not fit, as in ``ranking``. Weights cost something, so that sums stay
small.

Alias, Darte, Feautrier, Gonnord, SAS 2010, for ranking functions as bounds of complexity.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import ge, mul

import z3

from ..models.algebra import Bool, Int, Value, total
from . import linear
from .combine import in_whole_numbers
from .deadline import NEVER, Deadline
from .encoding import Encoding
from .features import Feature, Sum, counting_together, scalars_of
from .samples import Sample, Sampler
from .solvers import Steps

__all__ = ["Inequality", "Search", "weighed"]

# What one time a counter costs, in steps; how many sums are tried for a rule.
_COST, _TRIES = 30, 20
_AS_MUCH_AS_MAY_BE = 10**9
# How many questions tell by how much a sum falls at least.
_QUESTIONS = 10


@dataclass(frozen=True)
class Inequality:
    """A sum, what it is at the start, and what it falls by at least in each rule named."""

    value: Sum
    start: int
    falls: Mapping[str, int]

    def holds(self, scalars: Mapping[str, Value], taken: Mapping[str, Int]) -> Bool:
        """Return whether it holds where rules were taken so often."""
        times = (n * taken[rule] for rule, n in self.falls.items())
        return total([self.value.of(scalars), *times]) <= self.start

    def __str__(self) -> str:
        """Return it in words, but for the sum itself, which is 0 at the end or more."""
        gives = [(-n, r) for r, n in self.falls.items() if n < 0]
        takes = [(n, r) for r, n in self.falls.items() if n > 0]
        right = [*([str(self.start)] if self.start or not gives else []), *map(_times, gives)]
        return f"{' + '.join(map(_times, takes))} <= {' + '.join(right)}"


def _times(part: tuple[int, str]) -> str:
    number, rule = part
    return rule if number == 1 else f"{number} × {rule}"


def weighed(
    found: Sequence[Inequality], wanted: Mapping[str, int], deadline: Deadline = NEVER
) -> tuple[Fraction, tuple[Fraction, ...]] | None:
    """Return the most that so many times the rules can come to, and how often each counts.

    None if nothing limits them. Raises OutOfTime.
    """
    weights = [f"w{n}" for n in range(len(found))]
    rows = [
        (
            linear.combination(
                (one.falls.get(rule, 0), w) for one, w in zip(found, weights, strict=True)
            ),
            ">=",
            times,
        )
        for rule, times in wanted.items()
    ]
    starts = [one.start for one in found]
    goal = linear.combination(zip(starts, weights, strict=True))
    chosen = linear.least(weights, rows, goal, z3.Context(), deadline)
    if chosen is None:
        return None
    times_each = tuple(chosen[one] for one in weights)
    return sum(map(mul, starts, times_each), Fraction(0)), times_each


def _no_less(step: tuple[int, ...], other: tuple[int, ...]) -> bool:
    return all(map(ge, step, other))


def _among_least(steps: set[tuple[int, ...]], step: tuple[int, ...]) -> set[tuple[int, ...]]:
    """Return the steps in which sums fall least, with one more: others say nothing more."""
    if any(_no_less(step, other) for other in steps):
        return steps
    return {other for other in steps if not _no_less(other, step)} | {step}


class Search:
    """The search for inequalities of an encoded game, in which ``given`` holds everywhere."""

    def __init__(
        self, encoding: Encoding, among: Sequence[Feature], sums: Sequence[Sum], given: Bool,
        budget: Steps, deadline: Deadline = NEVER,
    ) -> None:  # fmt: skip
        self._deadline = deadline
        self._rules = {
            formula.rule.id: Sampler(encoding, formula, among, given, budget, deadline)
            for formula in encoding.rules
        }
        first = encoding.game.initial(encoding.p)
        self._start = scalars_of(encoding.game, encoding.p, first)
        counters = dict.fromkeys([*sums, *counting_together(among)])
        at_start = [(one, one.of(self._start)) for one in counters]
        self._counters = [(one, n) for one, n in at_start if isinstance(n, int) and n >= 0]
        self._falls: dict[str, set[tuple[int, ...]]] = {rule: set() for rule in self._rules}
        self._unused: set[int] = set()
        self._most: dict[str, Fraction | None] = dict.fromkeys(self._rules)
        self._of: dict[str, list[Sample]] = {rule: [] for rule in self._rules}
        self._context = z3.Context()
        self._weights = [f"c{n}" for n in range(len(self._counters))]
        self._said: dict[tuple[int, ...], str] = {}
        self.found: list[Inequality] = []

    def first(self) -> Fraction | None:
        """Take each counter by itself; return how many steps that allows, if it limits them."""
        for n, (one, _) in enumerate(self._counters):
            if n not in self._unused and not self._take(one):
                self._unused.add(n)
        return self.most()

    def closer(self) -> Fraction | None:
        """Look for sums that allow a rule less often; return how many steps they allow."""
        for rule in self._rules:
            once = {one: int(one == rule) for one in self._rules}
            allowed = weighed(self.found, once, self._deadline)
            self._most[rule] = allowed[0] if allowed else None
        tried: list[tuple[int, ...]] = []
        for rule in self._rules:  # those that all inequalities treat alike need one look
            alike = tuple(one.falls.get(rule, 0) for one in self.found)
            if not any(alike[: len(other)] == other for other in tried):
                tried.append(alike)
                self._better(rule)
        return self.most()

    @property
    def samples(self) -> list[Sample]:
        """The steps seen."""
        return [step for steps in self._of.values() for step in steps]

    def most(self) -> Fraction | None:
        """Return how many steps the inequalities allow; None if nothing limits them."""
        found = weighed(self.found, dict.fromkeys(self._rules, 1), self._deadline)
        return found[0] if found else None

    def _better(self, rule: str) -> bool:
        """Find an inequality by which a rule may be taken less often than is known."""
        if self._most[rule] == 0:
            return False
        for _ in range(_TRIES):
            found = self._candidate(rule)
            if found is None:
                return False
            value, allowed, least = found
            most = self._most[rule]
            if most is not None and allowed >= most:
                return False
            fits = self._fits(value, rule, least)
            if fits is None:
                return False
            if fits:
                self._most[rule] = allowed
                return self._take(value)
        return False

    def _take(self, value: Sum) -> bool:
        """Keep the inequality of a sum, with what it falls by exactly, if that is found out."""
        start = value.of(self._start)
        assert isinstance(start, int)
        falls: dict[str, int] = {}
        for rule in self._rules:
            least = self._least_fall(rule, value)
            if least is None:
                return False
            falls[rule] = least
        if any(n > 0 for n in falls.values()):
            self.found.append(Inequality(value, start, {r: n for r, n in falls.items() if n}))
        return True

    def _candidate(self, target: str) -> tuple[Sum, Fraction, Mapping[str, int]] | None:
        """Return a sum that fits all steps seen, how often it allows the rule, its falls."""
        rises = {
            rule: f"rise{n}"
            for n, rule in enumerate(self._rules)
            if rule != target and self._most[rule] is not None
        }
        rows = [(self._weights[n], "<=", 0) for n in sorted(self._unused)]
        for rule, seen in self._falls.items():
            for step in sorted(seen, key=lambda one: (sum(one), one)):
                fall = self._fall(step)
                if rule in rises:
                    rows.append((f"(+ {fall} {rises[rule]})", ">=", 0))
                else:
                    rows.append((fall, ">=", int(rule == target)))
        starts = [n for _, n in self._counters]
        most = {rule: self._most[rule] or Fraction(0) for rule in rises}
        goal = linear.combination(
            [
                *((n + _COST, w) for n, w in zip(starts, self._weights, strict=True)),
                *((most[rule], one) for rule, one in rises.items()),
            ]
        )
        unknowns = [*self._weights, *rises.values()]
        found = linear.least(unknowns, rows, goal, self._context, self._deadline)
        if found is None:
            return None
        values = [found[one] for one in self._weights]
        allowed = sum(map(mul, starts, values), Fraction(0))
        allowed += sum((most[rule] * found[one] for rule, one in rises.items()), Fraction(0))
        by, value = in_whole_numbers([one for one, _ in self._counters], values)
        least = {rule: -math.floor(found[one] * by) for rule, one in rises.items()}
        falls = {rule: least.get(rule, by * (rule == target)) for rule in self._rules}
        return value, allowed, falls

    def _fall(self, step: tuple[int, ...]) -> str:
        """Return so many times each counter, together: made once, as that takes longest."""
        if step not in self._said:
            self._said[step] = linear.combination(zip(step, self._weights, strict=True))
        return self._said[step]

    def _fits(self, value: Sum, target: str, least: Mapping[str, int]) -> bool | None:
        """Return whether a sum falls as it should; steps that say no are kept.

        None if a solver gave up.
        """
        fits = True
        for rule in sorted(least, key=lambda rule: rule != target):
            step = self._rules[rule].worse(value, least[rule])
            if isinstance(step, str):
                return None
            if step is not None:
                self._learn(rule, step)
                fits = False
                if rule == target:
                    break
        return fits

    def _least_fall(self, rule: str, value: Sum) -> int | None:
        """Return what a sum falls by at least in every step of a rule, 0 if it has none.

        None if that is not found out in a few questions: it may rise without end.
        """
        if not self._rules[rule].moves(value):
            return 0
        falls = [-step.rise(value) for step in self._of[rule]]
        least = min(falls, default=_AS_MUCH_AS_MAY_BE)
        for _ in range(_QUESTIONS):
            step = self._rules[rule].worse(value, least)
            if step is None:
                return 0 if least == _AS_MUCH_AS_MAY_BE else least
            if isinstance(step, str):
                return None
            self._learn(rule, step)
            least = -step.rise(value)
        return None

    def _learn(self, rule: str, step: Sample) -> None:
        self._of[rule].append(step)
        falls = tuple(-step.rise(one) for one, _ in self._counters)
        self._falls[rule] = _among_least(self._falls[rule], falls)
        self._unused |= {
            n for n, (one, _) in enumerate(self._counters) if one.among(step.before) < 0
        }
