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

import z3

from ..models.algebra import Bool, Int, all_of, implies
from ..models.system import Game, Kind, Point, Property, Step
from . import smtlib
from .combine import Program
from .encoding import Encoding, RuleFormula
from .features import Feature, Sum, counting_down, scalars_of
from .solvers import Steps

__all__ = ["Component", "Ranker", "Ranking", "Sample", "falls"]


# How many sums are tried for one rule: each that does not do adds steps that say why.
_TRIES = 60


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


@dataclass(frozen=True)
class Sample:
    """One step: the features before it, and how it changes them (0 where not named)."""

    before: Mapping[Feature, int]
    change: Mapping[Feature, int]

    def rise(self, value: Sum) -> int:
        """Return by how much the step raises a sum."""
        return sum(n * self.change.get(f, 0) for f, n in value.terms)


class Sampler:
    """The steps of one rule, where the claims hold: a solver that is asked again and again."""

    def __init__(
        self, encoding: Encoding, formula: RuleFormula, among: Sequence[Feature], given: Bool,
        budget: Steps,
    ) -> None:  # fmt: skip
        self._rule = formula.rule.id
        here = scalars_of(encoding.game, encoding.p, encoding.point().s)
        then = scalars_of(encoding.game, encoding.p, formula.after.s)
        changes = {feature: feature.of(then) - feature.of(here) for feature in among}
        self.changed = tuple(f for f, by in changes.items() if not _is_zero(by))
        self._moved = frozenset(self.changed)
        constants = (*encoding.rigid, *encoding.state, *encoding.reveals)
        asserted = all_of(encoding.constraint, encoding.rigid_values(), given, formula.guard)
        named = {("b", f): f.of(here) for f in among} | {
            ("d", f): changes[f] for f in self.changed
        }
        number = {feature: index for index, feature in enumerate(among)}
        self._context = z3.Context()
        self._solver = z3.SimpleSolver(ctx=self._context)
        self._solver.set(rlimit=budget.z3)
        if budget.seconds is not None:
            self._solver.set(timeout=max(1, int(budget.seconds * 1000)))
        text = smtlib.declare(constants) + f"(assert {smtlib.text(asserted)})\n"
        self._names = {key: f"{key[0]}!{number[key[1]]}" for key in named}
        for key, value in named.items():
            name = self._names[key]
            text += f"(declare-const {name} Int)\n(assert (= {name} {smtlib.text(value)}))\n"
        self._solver.from_string(text)
        self._terms = {key: z3.Int(name, self._context) for key, name in self._names.items()}

    def worse(self, value: Sum, least: int, *, positive: bool) -> Sample | str | None:
        """Return a step in which a sum falls by less than ``least``, or is not positive before.

        None if there is none; a reason if the solver gave up.
        """
        if least <= 0 and not positive and not any(f in self._moved for f, _ in value.terms):
            return None
        zero = z3.IntVal(0, self._context)
        falls = -sum(
            (n * self._terms["d", f] for f, n in value.terms if f in self._moved), zero
        )
        wrong = falls < least
        if positive:
            before = sum((n * self._terms["b", f] for f, n in value.terms), zero)
            wrong = z3.Or(wrong, before + value.constant < 1)
        self._solver.push()
        self._solver.add(wrong)
        answer = self._solver.check()
        found: Sample | str | None = None
        if answer == z3.sat:
            found = self._sample(self._solver.model())
        elif answer == z3.unknown:
            found = f"{self._rule}: {self._solver.reason_unknown()}"
        self._solver.pop()
        return found

    def _sample(self, model: Any) -> Sample:
        values = {
            key: model.eval(term, model_completion=True).as_long()
            for key, term in self._terms.items()
        }
        before = {feature: value for (kind, feature), value in values.items() if kind == "b"}
        changes = {feature: value for (kind, feature), value in values.items() if kind == "d"}
        return Sample(before, {feature: value for feature, value in changes.items() if value})


class Ranker:
    """Looks for ranking functions of an encoded game with limits; keeps the steps it has seen.

    ``given`` is what holds of every point: claims that are proved. ``budget`` are the steps
    for each question. ``seen`` are steps that another found, which are steps here too.
    """

    def __init__(
        self, encoding: Encoding, among: Sequence[Feature], given: Bool, budget: Steps,
        seen: Mapping[str, Sequence[Sample]] | None = None,
    ) -> None:  # fmt: skip
        self.rules = {
            formula.rule.id: Sampler(encoding, formula, among, given, budget)
            for formula in encoding.rules
        }
        self.seen: dict[str, list[Sample]] = {rule: [] for rule in self.rules}
        self.reason = ""
        self._program = Program(tuple(counting_down(among)))
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


def _is_zero(value: Int) -> bool:
    return isinstance(value, int) and value == 0
