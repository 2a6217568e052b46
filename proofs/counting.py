"""Counting: how often each rule must be taken for a Play to end in a given way.

Nothing is unrolled. A Play that ends in a point (s, t) meets the query

    claims(s, t)                  what is proved of every point of every Play
    end(s)                        what the Play is wanted to end in
    n(R) >= 0                     how often each rule R was taken
    flow(n)                       a walk in the rule graph takes the rules so often
    v = start(v) + sum of changes for each counter v: n(R) changes between the least and the
                                  greatest that R can bring about, all multiples of a step

so counts that no numbers go with are counts of no Play. Where a rule adds one of a few amounts,
a value that no such sum comes to (``proofs.sums``) is ruled out once it is met. This is the
state equation of Petri nets (Murata 1989) with Parikh images (Verma, Seidl & Schwentick 2005),
and the claims in place of invariants to be found. The converse does not hold: what passes may
still be impossible.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import networkx as nx
import z3

from ..models.algebra import (
    Bool,
    Int,
    IntTerm,
    all_of,
    any_of,
    equal,
    implies,
    int_variable,
    negate,
    total,
    variables_of,
)
from ..models.system import Game, Kind, Property
from .changes import changes_of
from .deadline import NEVER
from .encoding import encode
from .finite import Folder, Integers, Translated
from .following import Following
from .manifest import expected_under, load_manifest, manifest_path
from .paths import END, START, limits
from .spans import Reader, Span, assume
from .sums import Sums, sums_of
from .verdict import Outcome

__all__ = ["Counting", "Counts", "Outline", "proved_claims"]

Counts = Mapping[str, int]
_Model = Callable[[str], int]
# Steps of z3 for one question; where they do not do, the counts pass.
_BUDGET = 2_000_000
# Past this distance from the best known the least number of steps is looked for by halves.
_CLOSE = 3
# By so much more than the least the first questions allow.
_MORE = (1, 2, 4, 8, 16)


@dataclass(frozen=True)
class Outline:
    """How often a Play takes each rule, and what each part of its prize pays (pence).

    ``amounts`` gives, for some counters and the rule that changes them, by how much it does
    each time, in any order.
    """

    counts: Counts
    parts: Mapping[str, int]
    amounts: Mapping[str, Mapping[str, tuple[int, ...]]]


def proved_claims(game: Game, readings: Mapping[str, str]) -> tuple[Property, ...]:
    """Return lemmas, and the invariants that the game's manifest says are proved.

    Without a manifest of its own nothing is known of a game's invariants.
    """
    known = manifest_path(game).exists()
    manifest = load_manifest(game) if known else {}

    def holds(claim: Property) -> bool:
        if claim.kind is Kind.LEMMA or claim.id not in manifest:
            return claim.kind is Kind.LEMMA
        expected = expected_under(game, manifest[claim.id], readings)
        return claim.kind is Kind.INVARIANT and expected.outcome is Outcome.PROVED

    return tuple(claim for claim in game.properties if holds(claim))


class Counting:
    """What the claims of a game, its rule graph and its counters say of its Plays.

    ``graph`` says which rule may follow which, from ``START`` to ``END``; ``claims`` are
    invariants and lemmas that hold. ``deadline`` may be set for the questions to come, which
    raise OutOfTime then.
    """

    def __init__(
        self,
        game: Game,
        parameters: Mapping[str, Any],
        readings: Mapping[str, str],
        graph: nx.DiGraph[str],
        claims: Sequence[Property],
    ) -> None:
        self.encoding = encode(game, parameters, readings)
        self.rules = tuple(sorted(rule.id for rule in game.rules))
        self._graph = graph
        self.deadline = NEVER
        self._last = frozenset(rule for rule, _ in graph.in_edges(END))
        self._sums: dict[str, Sums] = {}
        self._learnt: list[Bool] = []
        self._kept = self._literals = 0
        self._claims = tuple(self.encoding.holds(claim) for claim in claims)
        self._spans = self._before_end()
        conditions: list[Bool] = [*self._claims, *self._flow(), *self._changes()]
        fold = Folder(Reader(self._spans))
        folded = [cast("Bool", fold.of(condition)) for condition in conditions]
        self._built = Integers(z3.Context())
        self._made = self._built.extended(
            Translated(), tuple(self._spans), (), folded, self._spans
        )
        self._solver = z3.SimpleSolver(ctx=self._built.context)
        # z3's older simplex takes half the time of its newer one on these questions.
        self._solver.set("rlimit", _BUDGET)
        self._solver.set("arith.solver", 2)
        for condition in self._made.conditions:
            self._built.put(self._solver, condition)
        self._edges: dict[tuple[str, str], bool] = {}
        # What every Play takes, whatever it ends in: no lower number need be asked for.
        self._floor = dict.fromkeys(self.rules, 0)
        for rule in self.rules:
            least = next(self.vectors(lambda s: True, (rule,), steps=False), None)
            self._floor[rule] = least[rule] if least else 0

    def _before_end(self) -> dict[str, Span]:
        """Return what every scalar can be before a step that may end a Play."""
        scalars = (*self.encoding.state, *self.encoding.reveals)
        known = {v.name: limits(v) for v in scalars}
        either: dict[str, Span] = {}
        for formula in self.encoding.rules:
            if formula.rule.id in self._last:
                narrowed = assume(known, all_of(formula.guard, self._claims))
                for name, span in {**known, **(narrowed or {})}.items():
                    either[name] = either[name] | span if name in either else span
        return either

    def _unknown(self, name: str, low: int | None = 0) -> IntTerm:
        self._spans.setdefault(name, Span.between(low, None))
        return int_variable(name)

    def _often(self, rule: str) -> IntTerm:
        return self._unknown("n." + rule)

    def _taken(self, rule: str, following: str) -> IntTerm:
        return self._unknown(f"f.{rule}>{following}")

    def _flow(self) -> Iterator[Bool]:
        """Yield that the edges taken make one walk from the start to the end.

        A rule that is taken has a depth, which is more than that of a rule it followed: so
        there are no rounds apart from the walk.
        """
        for node in self._graph.nodes:
            into = total(self._taken(*edge) for edge in self._graph.in_edges(node))
            out = total(self._taken(*edge) for edge in self._graph.out_edges(node))
            times = 1 if node in (START, END) else self._often(node)
            if node != START:
                yield into == times
            if node != END:
                yield out == times
        for node in self.rules:
            deep = self._unknown("d." + node)
            yield implies(
                self._often(node) >= 1,
                any_of(
                    all_of(self._taken(before, node) >= 1, deep > self._unknown("d." + before))
                    for before in self._graph.predecessors(node)
                    if before != node
                ),
            )

    def _changes(self) -> Iterator[Bool]:
        """Yield what each counter is before the last step, from how often rules were taken."""
        before = {rule: self._times_before_last(rule) for rule in self.rules}
        changes = {
            f.rule.id: changes_of(self.encoding, f, self._claims) for f in self.encoding.rules
        }
        for variable, start in zip(self.encoding.state, self.encoding.start, strict=True):
            writers = {rule: of[variable.name] for rule, of in changes.items()}
            known = [
                (change, before[rule])
                for rule, change in writers.items()
                if change is not None and not change.nothing
            ]
            sums = sums_of(start, writers) if isinstance(start, int) else None
            if sums is not None:
                self._sums[variable.name] = sums
            now = variable.term()
            written = [before[r] for r, change in writers.items() if change is None]
            times: Bool = total([*written, *(n for _, n in known)]) >= 1
            yield any_of(equal(now, start), times)
            if written or variable.sort == "Bool":
                continue
            gained = cast("IntTerm", now) - cast("int", start)
            if all(change.low is not None for change, _ in known):
                yield gained >= total(cast("int", change.low) * n for change, n in known)
            if all(change.high is not None for change, _ in known):
                yield gained <= total(cast("int", change.high) * n for change, n in known)
            step = math.gcd(*(change.step for change, _ in known))
            if step > 1:
                yield gained == step * self._unknown("k." + variable.name, None)

    def vectors(
        self,
        wanted: Callable[[Any], Bool],
        tie: Sequence[str] | None = None,
        *,
        steps: bool = True,
    ) -> Iterator[Counts]:
        """Yield how often each rule may be taken by Plays that end in a wanted state.

        Those with the fewest steps come first, of these the one that takes the first rules of
        ``tie`` least often, or without ``steps`` just that one.
        """
        rules = tie or self.rules
        blocked: list[Bool] = [self._ends(wanted)]
        while (least := self._first(blocked, rules, steps, False)) is not None:
            yield least.counts
            blocked.append(self._other_counts(least.counts))

    def outlines(
        self, wanted: Callable[[Any], Bool], tie: Sequence[str] | None = None
    ) -> Iterator[Outline]:
        """Yield outlines of Plays that end in a wanted state, in the order of ``vectors``.

        Of those with the same counts, the one whose first parts pay least comes first.
        """
        blocked: list[Bool] = [self._ends(wanted)]
        while (least := self._first(blocked, tie or self.rules, True, True)) is not None:
            yield least
            parts = [negate(self._pays(*part, exactly=True)) for part in least.parts.items()]
            blocked.append(any_of(self._other_counts(least.counts), parts))

    def _first(
        self, conditions: Sequence[Bool], rules: Sequence[str], steps: bool, parts: bool
    ) -> Outline | None:
        """Return the outline that comes first of those that meet conditions; None if none."""
        while True:
            for lemma in self._learnt[self._kept :]:
                self._assert(lemma)
            self._kept = len(self._learnt)
            self._solver.push()
            try:
                for condition in conditions:
                    self._assert(condition)
                least = self._least(rules, steps)
                paid = self._least_parts() if least is not None and parts else {}
                split = self._split() if least is not None and parts else {}
            finally:
                self._solver.pop()
            if least is None:
                return None
            if not self._parted(least):
                return Outline(least, paid, split)

    def _other_counts(self, counts: Counts) -> Bool:
        return any_of(negate(self._often(rule) == n) for rule, n in counts.items())

    def _parted(self, counts: Counts) -> bool:
        """Rule out the edges between rules taken that the claims exclude; return if any was."""
        rules = [rule for rule, times in counts.items() if times]
        new = [
            edge
            for edge in itertools.product(rules, rules)
            if self._graph.has_edge(*edge) and edge not in self._edges
        ]
        for edge in new:
            self._edges[edge] = self._after.may_follow(*edge)
            if not self._edges[edge]:
                self._assert(self._taken(*edge) == 0)
        return not all(self._edges[edge] for edge in new)

    @cached_property
    def _after(self) -> Following:
        return Following(self.encoding, self._claims)

    def _ends(self, wanted: Callable[[Any], Bool]) -> Bool:
        """Return that the last step leads to a wanted state in which the Play has ended."""
        goal, p = self.encoding.game.goal, self.encoding.p
        return all_of(
            implies(
                self._taken(f.rule.id, END) >= 1,
                all_of(f.guard, goal.ended(p, f.after.s), wanted(f.after.s)),
            )
            for f in self.encoding.rules
            if f.rule.id in self._last
        )

    def _pays(self, part: str, amount: int, *, exactly: bool) -> Bool:
        """Return that a part of the prize pays an amount, or no more than it."""
        goal, p = self.encoding.game.goal, self.encoding.p

        def paid(s: Any) -> Bool:
            won = goal.parts(p, s)[part]
            return won == amount if exactly else won <= amount

        return self._ends(paid)

    def _least(self, rules: Sequence[str], steps: bool) -> Counts | None:
        """Return counts with the fewest steps, of these with the least of the first rules."""
        found: Counts | None = None
        for of in [self.rules] * steps + [(rule,) for rule in rules]:
            amount = total(self._often(rule) for rule in of)
            low = sum(self._floor[rule] for rule in of)
            if found is None:
                found, low = self._some(amount, low)
            if found is None:
                return None
            high = sum(found[rule] for rule in of)
            while low < high:
                middle = (low + high) // 2 if high - low > _CLOSE else high - 1
                model = self._ask(amount <= middle)
                if model is None:
                    low = middle + 1
                else:
                    found = self._counts(model)
                    high = sum(found[rule] for rule in of)
            self._assert(amount <= high)
        return found

    def _some(self, amount: Int, low: int) -> tuple[Counts | None, int]:
        """Return counts with a small amount, and what the amount is at least.

        Twice as much more is allowed each time: what has to be small is found sooner.
        """
        for more in _MORE:
            model = self._ask(amount <= low + more)
            if model is not None:
                return self._counts(model), low
            low += more + 1
        model = self._ask()
        return model and self._counts(model), low

    def _least_parts(self) -> dict[str, int]:
        """Return what each part pays, the first ones as little as they can."""
        model = self._ask()
        assert model is not None, "counts were found just now"
        paid = self._parts(model)
        for part in paid:
            while paid[part] and (
                less := self._ask(self._pays(part, paid[part] - 1, exactly=False))
            ):
                paid = self._parts(less)
            self._assert(self._pays(part, paid[part], exactly=False))
        return paid

    def _split(self) -> dict[str, Mapping[str, tuple[int, ...]]]:
        """Return the amounts that counters are made up of, each counter as low as it can be."""
        model = self._ask()
        assert model is not None, "counts and parts were found just now"
        for name in self._sums:
            while less := self._ask(int_variable(name) < model(name)):
                model = less
            self._assert(int_variable(name) <= model(name))
        return {
            name: sums.split(
                model(name), {rule: self._taken_before(rule, model) for rule in sums.adds}
            )
            for name, sums in self._sums.items()
        }

    def _counts(self, model: _Model) -> dict[str, int]:
        return {rule: model("n." + rule) for rule in self.rules}

    def _parts(self, model: _Model) -> dict[str, int]:
        """Return what each part of the prize pays where a model's Play ends."""
        goal, p = self.encoding.game.goal, self.encoding.p
        for formula in self.encoding.rules:
            if formula.rule.id not in self._last:
                continue
            if model(f"f.{formula.rule.id}>{END}"):
                parts = goal.parts(p, formula.after.s)
                known = {
                    name: Span.among([model(name)]) for name in variables_of(*parts.values())
                }
                reader = Reader(known)
                return {name: cast("int", reader.of(won).only) for name, won in parts.items()}
        raise AssertionError("some rule ends every Play")

    def _assert(self, condition: Bool) -> None:
        self._built.put(self._solver, self._built.truth(condition))

    def _ask(self, assumed: Bool = True) -> _Model | None:
        """Return a model of what is asserted, and of what is assumed just here."""
        literals = []
        if assumed is not True:
            self._literals += 1
            literals.append(z3.Bool(f"literal.{self._literals}", ctx=self._built.context))
            implied = self._built.implied(literals[0].as_ast(), [self._built.truth(assumed)])
            self._built.put(self._solver, implied)
        while self.deadline.check(self._solver, *literals) == z3.sat:
            found = self._solver.model()

            def model(name: str, found: z3.ModelRef = found) -> int:
                return self._built.read(found, self._made.inputs[name])

            lemmas = (self._no_sum(name, model) for name in self._sums)
            learnt = [lemma for lemma in lemmas if lemma is not None]
            if not learnt:
                return model
            self._learnt += learnt
            for lemma in learnt:
                self._assert(lemma)
        return None

    def _no_sum(self, name: str, model: _Model) -> Bool | None:
        """Return why a counter cannot have the value of a model; None where it can."""
        sums, value, now = self._sums[name], model(name), int_variable(name)
        times = {rule: self._times_before_last(rule) for rule in sums.adds}
        taken = {rule: self._taken_before(rule, model) for rule in sums.adds}
        return sums.refusal(now, value, times, taken)

    def _taken_before(self, rule: str, model: _Model) -> int:
        last = model(f"f.{rule}>{END}") if rule in self._last else 0
        return model("n." + rule) - last

    def _times_before_last(self, rule: str) -> Int:
        """Return how often a rule was taken before the last step of the Play."""
        return self._often(rule) - (self._taken(rule, END) if rule in self._last else 0)
