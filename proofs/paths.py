"""Paths of rules: which rule may follow which, and what a Play along a path can look like.

A path fixes the sequence of rules; only the reveals are unknown. ``Paths`` walks a game under
a setting whose parameters and readings are all known and computes whatever follows from the
path at once: a phase, the spins left and every empty meter stay plain numbers, and guards that
are known to fail cut the walk without a solver. What is left goes to ``proofs.finite``.

Paths come in order of fewest detours (limited discrepancy search, Harvey & Ginsberg 1995). A
detour is a step that does not take the rule nearest to the end of the Play; coming back to
rules that were taken as often before, in another order, counts as one more. Where a target
needs certain rules, these are no detours, and the distance to them in the rule graph guides
the search (A*, Hart, Nilsson & Raphael 1968).
"""

from __future__ import annotations

import dataclasses
import heapq
import itertools
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import networkx as nx

from ..models.algebra import Bool, Term, Value, negate
from ..models.shape import Shape, Variable
from ..models.system import Game, Rule, Step
from .finite import Query, restricted, solve
from .spans import YES_OR_NO, Reader, Span, assume

__all__ = ["END", "Path", "Paths", "Walker", "rule_graph"]

END = "end of the Play"
# A reveal without an upper limit of its own is looked for up to here. This only narrows the
# search: what is found is replayed by the rules, and nothing is proved by not finding.
_MOST = 99
_LONGEST = 200
# What a detour costs in the order of paths, and what taking the same rule once more costs.
_DETOUR, _AGAIN = 8, 1

Spans = Mapping[str, Span]


@dataclass(frozen=True)
class Path:
    """A sequence of rules from the start, and the state it leads to.

    ``known`` are the spans of every unknown and of every defined name; ``unknowns`` are the
    scalars of the reveals, ``k.field`` at step k. ``definitions`` name what later steps use.
    """

    rules: tuple[str, ...]
    reveals: tuple[Any, ...]
    state: Any
    known: Spans
    unknowns: tuple[str, ...]
    definitions: tuple[tuple[str, Value], ...]
    guards: tuple[Bool, ...]
    ended: Bool = False

    def reader(self) -> Reader:
        """Return a reader of spans at the end of this path."""
        return Reader(self.known)

    def query(self, *conditions: Bool) -> Query:
        """Return the question whether some reveals along this path meet the conditions."""
        constraints = (*self.guards, *conditions)
        return Query(self.unknowns, self.definitions, constraints, self.known)

    def solve(
        self, *conditions: Bool, seed: int = 0, held: Spans | None = None
    ) -> tuple[Step, ...] | bool:
        """Return steps along this path under which the conditions hold.

        False if there are none, True if the budget ran out. ``held`` narrows unknowns.
        """
        query = self.query(*conditions)
        values = solve(restricted(query, held) if held else query, seed=seed)
        if isinstance(values, bool):
            return values
        return tuple(
            Step(rule, _concrete(reveal, values))
            for rule, reveal in zip(self.rules, self.reveals, strict=True)
        )


def rule_graph(game: Game, p: Any) -> nx.DiGraph[str]:
    """Return the graph of which rule may follow which, and which may end a Play.

    An edge is left out only where it is impossible from whatever state within its limits.
    """
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(rule.id for rule in game.rules)
    walker = Walker(game, p)
    anywhere = walker.going_on(walker.anywhere())
    for rule in game.rules:
        after = anywhere and walker.take(anywhere, rule)
        if after is None:
            continue
        if after.reader().of(after.ended).holds(1):
            graph.add_edge(rule.id, END)
        open_ = walker.going_on(after)
        for following in game.rules:
            if open_ is not None and walker.may_take(open_, following):
                graph.add_edge(rule.id, following.id)
    return graph


@dataclass(frozen=True)
class _Waiting:
    """A path not walked to its end yet: the path before it, and the rule that comes next."""

    before: Path
    rule: str
    cost: int
    detours: tuple[int, ...]
    missing: tuple[frozenset[str], ...]


class Paths:
    """The paths of a game under a known setting, found as they are asked for and kept.

    Their order depends on the game, the setting and what is asked, never on earlier questions.
    """

    def __init__(self, game: Game, p: Any) -> None:
        self.game, self.p = game, p
        self.graph = rule_graph(game, p)
        self._far = self._distances(frozenset([END]))
        self._walker = Walker(game, p)
        self._kept: dict[tuple[str, ...], Path | None] = {}
        self._next: dict[tuple[str, ...], tuple[tuple[str, int], ...]] = {}

    def _distances(self, targets: frozenset[str]) -> dict[str, int]:
        """Return how many steps a rule is from any of the targets, where they are in reach."""
        reverse = self.graph.reverse(copy=False)
        present = [target for target in targets if target in reverse]
        if not present:
            return {}
        return dict(nx.multi_source_dijkstra_path_length(reverse, set(present), weight=None))

    def after(self, path: Path, rule: str) -> Path | None:
        """Return a path one rule longer; None if the rule cannot fire there."""
        rules = (*path.rules, rule)
        if rules not in self._kept:
            going_on = self._walker.going_on(path)
            self._kept[rules] = going_on and self._walker.take(going_on, self.game.rule(rule))
        return self._kept[rules]

    def follow(self, rules: Iterable[str]) -> Path | None:
        """Return the path along these rules from the start; None if it is impossible."""
        path: Path | None = self._walker.start()
        for rule in rules:
            path = path and self.after(path, rule)
        return path

    def search(
        self,
        wanted: Sequence[frozenset[str]] = (),
        seed: int = 0,
    ) -> Iterator[Path]:
        """Yield complete paths, those with the fewest detours first.

        ``wanted`` are sets of rules, of each of which a path must take one: they are no
        detours, and paths that lead to them come first. A seed other than 0 breaks ties
        otherwise.
        """
        tie = random.Random(seed)
        near = {group: self._distances(group) for group in wanted}
        seen: Counter[tuple[Any, ...]] = Counter()
        waiting: list[tuple[tuple[Any, ...], int, _Waiting]] = []
        serial = itertools.count()

        def put(path: Path, cost: int, detours: tuple[int, ...], missing: Any) -> None:
            for rule, usual in self._successors(path):
                price = 0 if any(rule in group for group in missing) else usual
                still = tuple(group for group in missing if rule not in group)
                away = [near[group].get(rule) for group in still]
                if None in away:
                    continue
                counts = (rule, *sorted(Counter((*path.rules, rule)).items()))
                again = seen[counts] * _DETOUR
                seen[counts] += 1
                length = len(path.rules) + 1
                went = (*detours, length) if price else detours
                total_cost = cost + price + again
                order = (
                    total_cost + sum(cast("list[int]", away)),
                    *((-length, tie.random()) if seed else (went, -length)),
                )
                entry = _Waiting(path, rule, total_cost, went, still)
                heapq.heappush(waiting, (order, next(serial), entry))

        put(self._walker.start(), 0, (), tuple(wanted))
        while waiting:
            _, _, entry = heapq.heappop(waiting)
            path = self.after(entry.before, entry.rule)
            if path is None:
                continue
            ended = path.reader().of(path.ended).only
            if ended != 0 and not entry.missing:
                yield dataclasses.replace(path, guards=(*path.guards, path.ended))
            if ended != 1 and len(path.rules) < _LONGEST:
                put(path, entry.cost, entry.detours, entry.missing)

    def _successors(self, path: Path) -> tuple[tuple[str, int], ...]:
        """Return the rules that may come next, nearest to the end first, with their price."""
        if path.rules not in self._next:
            self._next[path.rules] = tuple(self._open_rules(path))
        return self._next[path.rules]

    def _open_rules(self, path: Path) -> Iterator[tuple[str, int]]:
        going_on = self._walker.going_on(path)
        if going_on is None:
            return
        last = path.rules[-1] if path.rules else None
        nearest = True
        far = len(self.game.rules)
        for rule in sorted(self.game.rules, key=lambda rule: self._far.get(rule.id, far)):
            if last is not None and not self.graph.has_edge(last, rule.id):
                continue
            if self._walker.may_take(going_on, rule):
                usual = _AGAIN if rule.id == last else _DETOUR
                yield rule.id, 0 if nearest else usual
                nearest = False


class Walker:
    """Takes rules symbolically, one after another."""

    def __init__(self, game: Game, p: Any) -> None:
        self.game, self.p = game, p
        self.shape: Shape[Any] = game.state_shape()
        self.reveals = {rule.id: game.reveal_shape(rule) for rule in game.rules}

    def start(self) -> Path:
        return self._path((), (), self.game.initial(self.p), {}, (), (), ())

    def anywhere(self) -> Path:
        known = {"0." + v.name: _limits(v) for v in self.shape.variables}
        state = self.shape.build(lambda v: dataclasses.replace(v, name="0." + v.name).term())
        return self._path((), (), state, known, tuple(known), (), ())

    def _path(self, *parts: Any) -> Path:
        path = Path(*parts)
        return dataclasses.replace(path, ended=self.game.goal.ended(self.p, path.state))

    def going_on(self, path: Path) -> Path | None:
        """Return a path narrowed to where the Play has not ended; None if it has."""
        if path.ended is False:
            return path
        narrowed = assume(path.known, negate(path.ended))
        if narrowed is None:
            return None
        guards = (*path.guards, negate(path.ended))
        return dataclasses.replace(path, known={**path.known, **narrowed}, guards=guards)

    def may_take(self, path: Path, rule: Rule) -> bool:
        """Return whether a rule may fire where a path leads, as far as spans tell."""
        return self._fire(path, rule) is not None

    def _fire(self, path: Path, rule: Rule) -> tuple[Any, Bool, dict[str, Span]] | None:
        prefix = f"{len(path.rules) + 1}."
        reveal = self.reveals[rule.id].build(lambda v: _unknown(prefix, v))
        known = dict(path.known)
        for variable in self.reveals[rule.id].variables:
            if not variable.choice:
                known[prefix + variable.name] = _bounded(variable)
        guard = rule.guard(self.p, path.state, reveal)
        narrowed = assume(known, guard)
        if narrowed is None:
            return None
        known.update(narrowed)
        return reveal, guard, known

    def take(self, path: Path, rule: Rule) -> Path | None:
        """Return the path one rule longer; None if the rule cannot fire there."""
        fired = self._fire(path, rule)
        if fired is None:
            return None
        reveal, guard, known = fired
        step = len(path.rules) + 1
        shape = self.reveals[rule.id]
        state = self.shape.of(_settled(self.shape.scalars(path.state), known))
        seen = shape.of(_settled(shape.scalars(reveal), known))
        after = self.shape.scalars(rule.effect(self.p, state, seen))
        reader = Reader(known)
        spans, definitions, scalars = dict(known), list(path.definitions), {}
        for name, value in after.items():
            scalars[name] = value
            if not isinstance(value, Term):
                continue
            span = reader.of(value)
            if span.only is not None:
                scalars[name] = _plain(value, span.only)
            elif value.op != "var":
                named = f"{step}:{name}"
                spans[named] = span
                definitions.append((named, value))
                scalars[name] = type(value)("var", (named,))
        unknowns = [f"{step}.{v.name}" for v in shape.variables if not v.choice]
        return self._path(
            (*path.rules, rule.id),
            (*path.reveals, reveal),
            self.shape.of(scalars),
            spans,
            (*path.unknowns, *unknowns),
            tuple(definitions),
            path.guards if guard is True else (*path.guards, guard),
        )


def _unknown(prefix: str, variable: Variable) -> Value:
    """Return the unknown of a reveal; a player's choice is taken at its least value."""
    if variable.choice:
        return False if variable.sort == "Bool" else variable.low or 0
    return dataclasses.replace(variable, name=prefix + variable.name).term()


def _limits(variable: Variable) -> Span:
    if variable.sort == "Bool":
        return YES_OR_NO
    return Span.between(variable.low, variable.high)


def _bounded(variable: Variable) -> Span:
    if variable.sort == "Bool":
        return YES_OR_NO
    low = variable.low or 0 if variable.low is not None or variable.high is None else -_MOST
    high = variable.high if variable.high is not None else low + _MOST
    return Span.between(low, high)


def _settled(scalars: dict[str, Value], known: Spans) -> dict[str, Value]:
    """Return scalars with every unknown that has one value left replaced by it."""
    settled = dict(scalars)
    for name, value in scalars.items():
        if isinstance(value, Term) and value.op == "var":
            only = known[cast("str", value.args[0])].only
            if only is not None:
                settled[name] = _plain(value, only)
    return settled


def _plain(value: Term, number: int) -> Value:
    from ..models.algebra import BoolTerm

    return bool(number) if isinstance(value, BoolTerm) else number


def _concrete(reveal: Any, values: Mapping[str, int]) -> Any:
    """Return a reveal with every unknown given its value."""

    def settle(part: Any) -> Any:
        if isinstance(part, tuple):
            return tuple(settle(one) for one in part)
        if isinstance(part, Term):
            return _plain(part, values[cast("str", part.args[0])])
        return part

    fields = {f.name: settle(getattr(reveal, f.name)) for f in dataclasses.fields(reveal)}
    return type(reveal)(**fields)
