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
from .features import Feature, Sum, counting_down, features, scalars_of

__all__ = ["BRIEF", "QUICK", "THOROUGH", "Component", "Ranker", "Ranking", "falls"]


@dataclass(frozen=True)
class Effort:
    """How hard to look: so many counters in a sum, so many tries, or for any sum there is."""

    counters: int
    tries: int
    solve: bool


BRIEF = Effort(counters=2, tries=6, solve=False)
QUICK = Effort(counters=4, tries=12, solve=False)
THOROUGH = Effort(counters=8, tries=100, solve=True)


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
        budget: int,
    ) -> None:  # fmt: skip
        self._rule = formula.rule.id
        here = scalars_of(encoding.game, encoding.p, encoding.point().s)
        then = scalars_of(encoding.game, encoding.p, formula.after.s)
        changes = {feature: feature.of(then) - feature.of(here) for feature in among}
        self.changed = tuple(f for f, by in changes.items() if not _is_zero(by))
        constants = (*encoding.rigid, *encoding.state, *encoding.reveals)
        asserted = all_of(encoding.constraint, encoding.rigid_values(), given, formula.guard)
        named = {("b", f): f.of(here) for f in among} | {
            ("d", f): changes[f] for f in self.changed
        }
        number = {feature: index for index, feature in enumerate(among)}
        self._context = z3.Context()
        self._solver = z3.SimpleSolver(ctx=self._context)
        self._solver.set(rlimit=budget)
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
        zero = z3.IntVal(0, self._context)
        falls = -sum(
            (n * self._terms["d", f] for f, n in value.terms if f in self.changed), zero
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

    ``given`` is what holds of every point: claims that are proved. ``budget`` is in z3's steps
    for each question.
    """

    def __init__(self, encoding: Encoding, given: Bool, budget: int) -> None:
        among = features(encoding)
        self.rules = {
            formula.rule.id: Sampler(encoding, formula, among, given, budget)
            for formula in encoding.rules
        }
        self.left = list(self.rules)
        self.reason = ""
        self.seen: dict[str, list[Sample]] = {rule: [] for rule in self.rules}
        self._counts_down = tuple(counting_down(among))

    def rank(self, rules: Sequence[str] = (), effort: Effort = QUICK) -> Ranking:
        """Return a ranking function of Plays that take only some rules; all, if none is named.

        What it has no component for may go on for ever, or there is no linear one.
        """
        self.effort = effort
        self.left = list(rules or self.rules)
        self.reason = ""
        components: list[Component] = []
        while self.left:
            found = self.component()
            if found is None:
                break
            components.append(found)
            self.left = [rule for rule in self.left if rule not in found.rules]
        return Ranking(tuple(components), tuple(self.left), self.reason)

    def core(self, rules: Sequence[str]) -> tuple[str, ...]:
        """Return some of these rules that have no ranking function, none of them to spare."""
        kept = list(self.rank(rules, BRIEF).left)
        size = len(kept) // 2
        while size:  # by halves, quarters, and so on: as in delta debugging
            for start in range(0, len(kept), size):
                others = kept[:start] + kept[start + size :]
                fewer = self.rank(others, QUICK).left if others else ()
                if fewer:
                    kept = list(fewer)
                    break
            else:
                size //= 2
            size = min(size, len(kept) // 2)
        return tuple(kept)

    def component(self) -> Component | None:
        """Return a component for some rule that is left, one counter if that will do."""
        for target in self.left:
            for value in self._moved((target,)):
                if self._fits(value, target):
                    return self._made(value, target)
        for target in self.left:
            found = self._sum(target)
            if found is not None:
                return self._made(found, target)
        return None

    def _made(self, value: Sum, target: str) -> Component:
        counted = [r for r in self.left if r == target or self._lowers(value, r)]
        return Component(value, tuple(counted))

    def _moved(self, rules: Sequence[str]) -> list[Sum]:
        changed = {f for rule in rules for f in self.rules[rule].changed}
        return [one for one in self._counts_down if any(f in changed for f, _ in one.terms)]

    def _sum(self, target: str) -> Sum | None:
        """Return a sum that a rule lowers and that no rule left raises."""
        counters: list[Sum] = []
        for _ in range(self.effort.tries):
            if self.reason:
                return None
            if counters != (left := self._moved(self.left)):  # some can be negative after all
                counters, program = left, Program(left, target)
            for rule in self.left:
                program.learn(rule, self.seen[rule])
            value = program.candidate(self.effort.counters, solve=self.effort.solve)
            if value is None or self._fits(value, target):
                return value
        self.reason = f"no end of sums to try for {target}" if self.effort.solve else ""
        return None

    def _fits(self, value: Sum, target: str) -> bool:
        """Return whether a sum is a component for a rule; a step that says no is kept."""
        if any(step.rise(value) > 0 for rule in self.left for step in self.seen[rule]):
            return False
        if any(step.rise(value) >= 0 for step in self.seen[target]):
            return False
        for rule in sorted(self.left, key=lambda rule: rule != target):
            strict = rule == target
            step = self.rules[rule].worse(value, int(strict), positive=strict)
            if isinstance(step, str):
                self.reason = step
                return False
            if step is not None:
                self.seen[rule].append(step)
                self._counts_down = tuple(
                    one for one in self._counts_down if one.among(step.before) >= 0
                )
                return False
        return True

    def _lowers(self, value: Sum, rule: str) -> bool:
        return self.rules[rule].worse(value, 1, positive=True) is None


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
