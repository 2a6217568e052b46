"""Paths of rules: which rule may follow which, and what a Play along a path can look like.

A path fixes the sequence of rules; only the reveals are unknown. ``Paths`` walks a game under
a setting whose parameters and readings are all known and computes whatever follows from the
path at once: a phase, the spins left and every empty meter stay plain numbers, and guards that
are known to fail cut the walk without a solver. What is left goes to ``proofs.finite``.

Paths come in order of fewest detours (limited discrepancy search, Harvey & Ginsberg 1995). A
detour is a step that does not take the rule nearest to the end of the Play; coming back to
rules that were taken as often before, in another order, counts as one more.
"""

from __future__ import annotations

import dataclasses
import heapq
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

import networkx as nx

from ..models.algebra import Bool, Term, Value, all_of, negate
from ..models.shape import Shape, Variable
from ..models.system import Game, Rule, Step
from .finite import Query, solve
from .spans import YES_OR_NO, Reader, Span, assume

__all__ = ["END", "Path", "Paths", "rule_graph"]

END = "end of the Play"
# A reveal without an upper limit of its own is looked for up to here. This only narrows the
# search: what is found is replayed by the rules, and nothing is proved by not finding.
_MOST = 99
_LONGEST = 200

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
    detours: tuple[int, ...] = ()
    cost: int = 0
    ended: Bool = False

    def reader(self) -> Reader:
        """Return a reader of spans at the end of this path."""
        return Reader(self.known)

    def solve(
        self, *conditions: Bool, seed: int = 0, budget: int = 5_000_000
    ) -> tuple[Step, ...] | bool:
        """Return steps along this path under which the conditions hold.

        False if there are none, True if the budget (z3's resource units) ran out.
        """
        query = Query(self.unknowns, self.definitions, (*self.guards, *conditions), self.known)
        values = solve(query, seed=seed, budget=budget)
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
    walker = _Walker(game, p)
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


class Paths:
    """The paths of a game under a known setting, found as they are asked for and kept.

    The order depends on the game and the setting alone, never on what was asked before.
    """

    def __init__(self, game: Game, p: Any) -> None:
        self.game, self.p = game, p
        self.graph = rule_graph(game, p)
        distances = nx.single_source_shortest_path_length(self.graph.reverse(copy=False), END)
        self._far = {rule.id: distances.get(rule.id, len(game.rules)) for rule in game.rules}
        self._walker = _Walker(game, p)
        self._found: list[Path] = []
        self._search = self._walk()
        self._feasible: dict[tuple[str, ...], bool] = {}

    def __iter__(self) -> Iterator[Path]:
        """Yield complete paths, those with the fewest detours first."""
        number = 0
        while True:
            while number >= len(self._found):
                path = next(self._search, None)
                if path is None:
                    return
                self._found.append(path)
            yield self._found[number]
            number += 1

    def follow(self, rules: tuple[str, ...]) -> Path | None:
        """Return the path along these rules from the start; None if it is impossible."""
        path: Path | None = self._walker.start()
        for rule in rules:
            going_on = path and self._walker.going_on(path)
            path = going_on and self._walker.take(going_on, self.game.rule(rule))
            if path is None:
                return None
        return path

    def feasible(self, path: Path) -> bool:
        """Return whether some Play goes along a path; the first dead end on it is kept."""
        if path.rules not in self._feasible:
            self._feasible[path.rules] = path.solve() is not False
        return self._feasible[path.rules]

    def _walk(self) -> Iterator[Path]:
        start = self._walker.start()
        serial = 0
        waiting: list[tuple[tuple[Any, ...], int, Path]] = [((), serial, start)]
        seen: Counter[tuple[Any, ...]] = Counter()
        while waiting:
            _, _, path = heapq.heappop(waiting)
            only = path.reader().of(path.ended).only
            if only != 0 and path.rules:
                yield dataclasses.replace(path, guards=(*path.guards, path.ended))
            if only == 1 or len(path.rules) >= _LONGEST:
                continue
            going_on = self._walker.going_on(path)
            if going_on is None:
                continue
            for after in self._successors(going_on):
                counts = (after.rules[-1], *sorted(Counter(after.rules).items()))
                cost = after.cost + seen[counts]
                seen[counts] += 1
                after = dataclasses.replace(after, cost=cost)
                serial += 1
                order = (cost, after.detours, -len(after.rules))
                heapq.heappush(waiting, (order, serial, after))

    def _successors(self, path: Path) -> Iterator[Path]:
        nearest = True
        for rule in sorted(self.game.rules, key=lambda rule: self._far[rule.id]):
            if path.rules and not self.graph.has_edge(path.rules[-1], rule.id):
                continue
            after = self._walker.take(path, rule)
            if after is None:
                continue
            if nearest:
                yield after
            else:
                detours = (*path.detours, len(after.rules))
                yield dataclasses.replace(after, detours=detours, cost=path.cost + 1)
            nearest = False


class _Walker:
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
        made = self._path(
            (*path.rules, rule.id),
            (*path.reveals, reveal),
            self.shape.of(scalars),
            spans,
            (*path.unknowns, *unknowns),
            tuple(definitions),
            path.guards if guard is True else (*path.guards, guard),
        )
        return dataclasses.replace(made, detours=path.detours, cost=path.cost)


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
