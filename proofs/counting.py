"""Counting: how often each rule must be taken for a Play to end in a given way.

Nothing is unrolled. A Play that ends in a point (s, t) meets the query

    claims(s, t)                  what is proved of every point of every Play
    end(s)                        what the Play is wanted to end in
    n(R) >= 0                     how often each rule R was taken
    flow(n)                       a walk in the rule graph takes the rules so often
    v = start(v) + sum of changes for each counter v: n(R) changes between the least and the
                                  greatest that R can bring about, all multiples of a step

so counts that no numbers go with are counts of no Play. This is the state equation of Petri
nets (Murata 1989) with Parikh images (Verma, Seidl & Schwentick 2005), and the claims in place
of invariants to be found. The converse does not hold: what passes may still be impossible.
"""

from __future__ import annotations

import dataclasses
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
    IntTerm,
    Term,
    all_of,
    any_of,
    equal,
    implies,
    int_variable,
    negate,
    total,
)
from ..models.system import Game, Kind, Property
from .encoding import Encoding, RuleFormula, encode
from .finite import Folder, Integers, Translated
from .manifest import expected_under, load_manifest, manifest_path
from .paths import END, START, limits
from .spans import Reader, Span, assume
from .verdict import Outcome

__all__ = ["Change", "Counting", "Counts", "proved_claims"]

Counts = Mapping[str, int]
# Steps of z3 for one question; where they do not do, the counts pass.
_BUDGET = 2_000_000
_EDGE_BUDGET = 100_000
# Past this distance from the best known the least number of steps is looked for by halves.
_CLOSE = 3


@dataclass(frozen=True)
class Change:
    """What one step can add to a counter: a multiple of ``step`` between two limits."""

    low: int | None
    high: int | None
    step: int

    def __or__(self, other: Change) -> Change:
        return Change(
            None if self.low is None or other.low is None else min(self.low, other.low),
            None if self.high is None or other.high is None else max(self.high, other.high),
            math.gcd(self.step, other.step),
        )

    def __add__(self, other: Change) -> Change:
        return Change(
            None if self.low is None or other.low is None else self.low + other.low,
            None if self.high is None or other.high is None else self.high + other.high,
            math.gcd(self.step, other.step),
        )

    @property
    def nothing(self) -> bool:
        """Whether the counter stays as it is."""
        return self.low == self.high == 0


NOTHING = Change(0, 0, 0)


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
    invariants and lemmas that hold.
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
        self._solver.set(rlimit=_BUDGET)
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
            if self._graph.has_edge(formula.rule.id, END):
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
        before = {
            rule: self._often(rule)
            - (self._taken(rule, END) if self._graph.has_edge(rule, END) else 0)
            for rule in self.rules
        }
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
        while True:
            self._solver.push()
            try:
                for condition in blocked:
                    self._assert(condition)
                least = self._least(rules, steps)
            finally:
                self._solver.pop()
            if least is None:
                return
            if self._parted(least):
                continue
            yield least
            blocked.append(any_of(negate(self._often(r) == n) for r, n in least.items()))

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
    def _after(self) -> _Following:
        return _Following(self.encoding, self._claims)

    def _ends(self, wanted: Callable[[Any], Bool]) -> Bool:
        """Return that the last step leads to a wanted state in which the Play has ended."""
        goal, p = self.encoding.game.goal, self.encoding.p
        return all_of(
            implies(
                self._taken(f.rule.id, END) >= 1,
                all_of(f.guard, goal.ended(p, f.after.s), wanted(f.after.s)),
            )
            for f in self.encoding.rules
            if self._graph.has_edge(f.rule.id, END)
        )

    def _least(self, rules: Sequence[str], steps: bool) -> Counts | None:
        found = self._ask()
        if found is None:
            return None
        for of in [self.rules] * steps + [(rule,) for rule in rules]:
            amount = total(self._often(rule) for rule in of)
            low, high = (sum(n[rule] for rule in of) for n in (self._floor, found))
            while low < high:
                middle = (low + high) // 2 if high - low > _CLOSE else high - 1
                self._solver.push()
                self._assert(amount <= middle)
                better = self._ask()
                self._solver.pop()
                if better is None:
                    low = middle + 1
                else:
                    found, high = better, sum(better[rule] for rule in of)
            self._assert(amount <= high)
        return found

    def _assert(self, condition: Bool) -> None:
        self._built.put(self._solver, self._built.truth(condition))

    def _ask(self) -> dict[str, int] | None:
        if self._solver.check() != z3.sat:
            return None
        model = self._solver.model()
        inputs = self._made.inputs
        return {r: self._built.read(model, inputs["n." + r]) for r in self.rules}


class _Following:
    """Whether a rule can come right after another, from a point for which the claims hold."""

    def __init__(self, encoding: Encoding, claims: Sequence[Bool]) -> None:
        self._encoding = encoding
        self._rules = {formula.rule.id: formula for formula in encoding.rules}
        scalars = (*encoding.state, *encoding.reveals)
        self._spans = {v.name: limits(v) for v in scalars}
        self._built = Integers(z3.Context())
        self._made = self._built.extended(
            Translated(), tuple(self._spans), (), claims, self._spans
        )
        self._solver = z3.SimpleSolver(ctx=self._built.context)
        self._solver.set(rlimit=_EDGE_BUDGET)
        for condition in self._made.conditions:
            self._built.put(self._solver, condition)

    def may_follow(self, first: str, second: str) -> bool:
        """Return false where the second rule can never come right after the first."""
        one, other = self._rules[first], self._rules[second].rule
        game, p = self._encoding.game, self._encoding.p
        shape = game.reveal_shape(other)
        reveal = shape.build(lambda v: dataclasses.replace(v, name="next." + v.name).term())
        revealed = {"next." + v.name: limits(v) for v in shape.variables}
        fires = all_of(
            one.guard, negate(game.goal.ended(p, one.after.s)),
            other.guard(p, one.after.s, reveal),
        )  # fmt: skip
        made = self._built.extended(
            self._made, tuple(revealed), (), (fires,), {**self._spans, **revealed}
        )
        self._solver.push()
        for condition in made.conditions:
            self._built.put(self._solver, condition)
        answer = self._solver.check()
        self._solver.pop()
        return bool(answer != z3.unsat)


def changes_of(
    encoding: Encoding, formula: RuleFormula, claims: Sequence[Bool] = ()
) -> dict[str, Change | None]:
    """Return what a rule can do to each counter it writes; None: anything.

    A counter that is not written is left at ``NOTHING``.
    """
    known = {v.name: limits(v) for v in (*encoding.state, *encoding.reveals)}
    narrowed = assume(known, all_of(formula.guard, claims))
    if narrowed is None:
        return {v.name: NOTHING for v in encoding.state}
    known.update(narrowed)
    changes: dict[str, Change | None] = {}
    for variable, update in zip(encoding.state, formula.updates, strict=True):
        if isinstance(update, Term) and update.op == "var" and update.args[0] == variable.name:
            changes[variable.name] = NOTHING
        elif variable.sort == "Bool":
            changes[variable.name] = None
        else:
            change = _change(update, variable.name, known)
            changes[variable.name] = change
    return changes


def _change(value: object, name: str, known: Mapping[str, Span]) -> Change | None:
    """Return the difference between a term and a variable; None if nothing is known."""
    if isinstance(value, Term):
        if value.op == "var" and value.args[0] == name:
            return NOTHING
        if value.op == "ite":
            return _either(value, name, known)
        if value.op == "+":
            inside = [arg for arg in value.args if _speaks(arg, name)]
            if len(inside) == 1:
                change = _change(inside[0], name, known)
                for arg in value.args:
                    if arg is not inside[0]:
                        change = change and change + _amount(arg, known)
                return change
        if (
            value.op == "-"
            and _speaks(value.args[0], name)
            and not _speaks(value.args[1], name)
        ):
            change = _change(value.args[0], name, known)
            less = _amount(value.args[1], known)
            return change and change + Change(
                None if less.high is None else -less.high,
                None if less.low is None else -less.low,
                less.step,
            )
    reader = Reader(known)
    span, now = reader.of(value), known[name]
    low = None if span.low is None or now.high is None else span.low - now.high
    high = None if span.high is None or now.low is None else span.high - now.low
    return None if low is None and high is None else Change(low, high, 1)


def _either(value: Term, name: str, known: Mapping[str, Span]) -> Change | None:
    condition, then, otherwise = value.args
    made: Change | None = NOTHING
    first = True
    for branch, holds in ((then, condition), (otherwise, negate(cast("Bool", condition)))):
        narrowed = assume(known, cast("Bool", holds))
        if narrowed is None:
            continue
        change = _change(branch, name, {**known, **narrowed})
        made = change if first else (made | change if made and change else None)
        first = False
    return made


def _amount(value: object, known: Mapping[str, Span]) -> Change:
    span = Reader(known).of(value)
    return Change(span.low, span.high, _step(value, known))


def _step(value: object, known: Mapping[str, Span]) -> int:
    """Return a number of which a term is always a multiple; 0 if it is always 0."""
    if not isinstance(value, Term):
        return abs(int(cast("int", value)))
    if value.op == "ite":
        return math.gcd(_step(value.args[1], known), _step(value.args[2], known))
    if value.op in ("+", "-"):
        return math.gcd(*(_step(arg, known) for arg in value.args))
    if value.op == "*":
        return math.prod(_step(arg, known) for arg in value.args)
    if value.op == "var":
        span = known.get(cast("str", value.args[0]))
        if span is not None and span.few is not None:
            return math.gcd(*span.few)
    return 1


def _speaks(value: object, name: str) -> bool:
    waiting, done = [value], set()
    while waiting:
        term = waiting.pop()
        if not isinstance(term, Term) or id(term) in done:
            continue
        done.add(id(term))
        if term.op == "var" and term.args[0] == name:
            return True
        waiting.extend(term.args)
    return False
