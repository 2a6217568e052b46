"""Ranking functions: why a Play ends, found by trial and counterexample.

    f = (f1, …, fn)   whole numbers, linear in the state, each with the rules it counts:
    rule R of fi:     fj(x') <= fj(x) for j < i,   fi(x') < fi(x),   fi(x) > 0

If a Play went on for ever, take the least i whose rules fire again and again: from some step on
fi never rises, falls each time and is positive each time, which cannot be. So every Play ends.

Components are found one by one: one that no rule left raises, that a chosen rule lowers, and
that is positive before it does. The rules that it counts are then done with. A candidate is the
solution of least weight of a linear program over the steps seen so far; a step that it does not
fit, which a solver finds, joins them. Where the program has no solution there is no such
component: the rules that are left when none of them can be counted may go on for ever.

Alias, Darte, Feautrier, Gonnord: Multi-dimensional rankings, program termination, and
complexity bounds of flowchart programs, SAS 2010. Counterexamples in place of Farkas' lemma as
in Gonnord, Monniaux, Radanne: Synthesis of ranking functions using extremal counterexamples,
PLDI 2015.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..models.algebra import Bool, all_of, implies
from ..models.system import Game, Kind, Point, Property, Step
from .combine import Program
from .deadline import NEVER, Deadline
from .encoding import Encoding
from .features import Feature, Sum, counting_down, scalars_of
from .samples import Sample, Sampler
from .solvers import Steps

__all__ = ["Component", "Ends", "Ranker", "Ranking", "falls"]


# How many sums are tried for one rule: each that does not do adds steps that say why.
_TRIES = 60
# So many to see that some rules cannot be taken again and again.
_BRIEF = 20


@dataclass(frozen=True)
class Component:
    """A whole number that falls in every step of some rules, and is positive before."""

    value: Sum
    rules: tuple[str, ...]


@dataclass(frozen=True)
class Ranking:
    """Components in order; ``left`` are the rules that none was found for."""

    components: tuple[Component, ...]
    left: tuple[str, ...] = ()
    reason: str = ""

    def falling_by(self, source: str) -> tuple[str, ...]:
        """Return the rules counted by components that a limit on a source is part of."""
        limit = f"p.limit.{source}"
        return tuple(
            rule
            for one in self.components
            if any(feature.scalar == limit for feature, _ in one.value.terms)
            for rule in one.rules
        )


class Ranker:
    """Looks for ranking functions of an encoded game with limits; keeps the steps it has seen.

    ``given`` is what holds of every point: claims that are proved. ``budget`` are the steps
    for each question. ``seen`` are steps that another found, which are steps here too.
    """

    def __init__(
        self, encoding: Encoding, among: Sequence[Feature], given: Bool, budget: Steps,
        seen: Mapping[str, Sequence[Sample]] | None = None, deadline: Deadline = NEVER,
    ) -> None:  # fmt: skip
        self.rules = {
            formula.rule.id: Sampler(
                encoding, formula, among, given, budget, deadline, of_all=True
            )
            for formula in encoding.rules
        }
        self.seen: dict[str, list[Sample]] = {rule: [] for rule in self.rules}
        self.reason = ""
        self._program = Program(tuple(counting_down(among)), deadline)
        for rule, steps in (seen or {}).items():
            for step in steps:
                self._learn(rule, step)

    def rank(self, rules: Sequence[str] = (), tries: int = _TRIES) -> Ranking:
        """Return a ranking function of Plays of some rules only, or of all if none is named.

        What it has no component for may go on for ever, or so many ``tries`` for a sum did
        not do.
        """
        left = list(rules or self.rules)
        components: list[Component] = []
        while left:
            found = self._component(left, tries)
            if found is None:
                break
            components.append(found)
            left = [rule for rule in left if rule not in found.rules]
        return Ranking(tuple(components), tuple(left), self.reason)

    def _component(self, left: Sequence[str], tries: int) -> Component | None:
        """Return a component for some rule that is left, one counter if that will do."""
        for target in left:
            for value in self._program.counters:
                moved = any(f in self.rules[target].changed for f, _ in value.terms)
                if moved and self._fits(value, target, left):
                    return self._made(value, target, left)
        for target in left:
            for _ in range(tries):
                found = self._program.least(target, left)
                if found is None or self.reason:
                    break
                if self._fits(found, target, left):
                    return self._made(found, target, left)
        return None

    def _made(self, value: Sum, target: str, left: Sequence[str]) -> Component:
        counted = [r for r in left if r == target or self._lowers(value, r)]
        return Component(value, tuple(counted))

    def _lowers(self, value: Sum, rule: str) -> bool:
        if any(step.rise(value) >= 0 for step in self.seen[rule]):
            return False
        return self.rules[rule].worse(value, 1, positive=True) is None

    def _fits(self, value: Sum, target: str, left: Sequence[str]) -> bool:
        """Return whether a sum is a component for a rule; steps that say no are kept."""
        for rule in left:
            if any(step.rise(value) > -(rule == target) for step in self.seen[rule]):
                return False
        fits = True
        for rule in sorted(left, key=lambda rule: rule != target):
            strict = rule == target
            step = self.rules[rule].worse(value, int(strict), positive=strict)
            if isinstance(step, str):
                self.reason = step
                return False
            if step is not None:
                self._learn(rule, step)
                fits = False
                if strict:
                    break
        return fits

    def _learn(self, rule: str, step: Sample) -> None:
        self.seen[rule].append(step)
        self._program.learn(rule, step)


class Ends:
    """Whether Plays of some rules alone end; then those of fewer do, and else of no more."""

    def __init__(self, ranker: Ranker) -> None:
        self._ranker = ranker
        self._known: dict[bool, list[frozenset[str]]] = {True: [], False: []}

    def __call__(self, rules: Sequence[str]) -> bool:
        asked = frozenset(rules)
        if any(asked <= more for more in self._known[True]):
            return True
        if any(fewer <= asked for fewer in self._known[False]):
            return False
        ends = not self._ranker.rank(tuple(dict.fromkeys(rules)), _BRIEF).left
        self._known[ends].append(asked)
        return ends


def falls(
    game: Game,
    id_: str,
    says: str,
    ranking: Ranking,
    under: Callable[[Any], Bool],
    using: tuple[str, ...],
) -> Property:
    """Return the step property of a game that a ranking function falls where ``under(p)``."""

    def holds(p: Any, before: Point[Any, Any], step: Step, after: Point[Any, Any]) -> Bool:
        here, then = (scalars_of(game, p, point.s) for point in (before, after))
        said: list[Bool] = []
        for component in ranking.components:
            now, next_ = component.value.of(here), component.value.of(then)
            if step.rule in component.rules:
                said += [now > 0, next_ < now]
                return implies(under(p), all_of(said))
            said.append(next_ <= now)
        return implies(under(p), False)

    return Property(id_, Kind.STEP, (), says, holds, using)
