"""Paths of rules: which rule may follow which, and what a Play along a path can look like.

A path fixes the sequence of rules; only the reveals are unknown. ``Paths`` walks a game under
a setting whose parameters and readings are all known and computes whatever follows from the
path at once: a phase, the spins left and every empty meter stay plain numbers, and guards that
are known to fail cut the walk without a solver. What is left goes to ``proofs.questions``.

How often each rule is taken is given (``proofs.counting`` tells), and paths are the orders that
the rule graph and the guards allow, depth first.
"""

from __future__ import annotations

import dataclasses
import itertools
import random
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

import networkx as nx

from ..models.algebra import Bool, Term, Value, negate
from ..models.shape import Shape, Variable
from ..models.system import Game, Rule, Step
from .spans import YES_OR_NO, Reader, Span, assume

__all__ = ["END", "START", "Path", "Paths", "Walker", "limits", "rule_graph"]

START, END = "start of the Play", "end of the Play"
# A reveal without an upper limit of its own is looked for up to here. This only narrows the
# search: what is found is replayed by the rules, and nothing is proved by not finding.
_MOST = 99

Spans = Mapping[str, Span]


@dataclass(frozen=True)
class Path:
    """A sequence of rules from the start, and the state it leads to.

    ``known`` are the spans of every unknown and of every defined name; ``unknowns`` are the
    scalars of the reveals, ``k.field`` at step k. ``definitions`` name what later steps use.
    All of it begins with what ``before`` has, the path that this one goes on from.
    """

    rules: tuple[str, ...]
    reveals: tuple[Any, ...]
    state: Any
    known: Spans
    unknowns: tuple[str, ...]
    definitions: tuple[tuple[str, Value], ...]
    guards: tuple[Bool, ...]
    before: Path | None = None
    ended: Bool = False

    def reader(self) -> Reader:
        """Return a reader of spans at the end of this path."""
        return Reader(self.known)

    def latest(self) -> dict[str, Value]:
        """Return what the last step defined."""
        own = f"{len(self.rules)}:"
        last = itertools.takewhile(
            lambda one: one[0].startswith(own), reversed(self.definitions)
        )
        return dict(last)

    def steps(self, values: Mapping[str, int]) -> tuple[Step, ...]:
        """Return the steps along this path with every unknown given its value."""
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
    first = walker.going_on(walker.start())
    anywhere = walker.going_on(walker.anywhere())
    for rule in game.rules:
        if first is not None and walker.may_take(first, rule):
            graph.add_edge(START, rule.id)
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

    Their order depends on the game, the setting and what is asked, never on earlier questions.
    """

    def __init__(self, game: Game, p: Any) -> None:
        self.game, self.p = game, p
        self.graph = rule_graph(game, p)
        self._walker = Walker(game, p)
        self._kept: dict[tuple[str, ...], Path | None] = {}

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

    def given(self, path: Path, values: Spans) -> Path | None:
        """Return a complete path with the values of some unknowns given; None if impossible.

        Whatever follows from them is computed at once, so that no solver has to.
        """
        walked: Path | None = self._walker.start()
        for rule in path.rules:
            going_on = walked and self._walker.going_on(walked)
            walked = going_on and self._walker.take(going_on, self.game.rule(rule), values)
        return walked and _at_the_end(walked)

    def taking(
        self, counts: Mapping[str, int], dead: Collection[tuple[str, ...]] = (), seed: int = 0
    ) -> Iterator[Path]:
        """Yield the complete paths that take each rule just so often.

        Each goes on with the rule it took last as long as it can, so that detours come late;
        a seed other than 0 breaks this order. Paths that begin with ``dead`` ones are left
        out: the caller adds to these as it learns of them.
        """
        tie = random.Random(seed) if seed else None
        branches = [iter([self._walker.start()])]  # no recursion: Plays have hundreds of steps
        while branches:
            path = next(branches[-1], None)
            if path is None:
                branches.pop()
                continue
            left = Counter(counts)
            left.subtract(path.rules)
            if left.total():
                branches.append(self._longer(path, left, dead, tie))
            elif (ended := _at_the_end(path)) is not None:
                yield ended

    def _longer(
        self,
        path: Path,
        left: Mapping[str, int],
        dead: Collection[tuple[str, ...]],
        tie: random.Random | None,
    ) -> Iterator[Path]:
        """Yield the paths one rule longer that are possible, until the path turns out dead."""
        last = path.rules[-1] if path.rules else START
        open_ = [rule for rule in self.graph.successors(last) if left[rule]]
        if tie:
            tie.shuffle(open_)
        else:
            open_.sort(key=lambda rule: rule != last)
        for rule in open_:
            if path.rules in dead:
                return
            longer = self.after(path, rule)
            if longer is not None:
                yield longer


class Walker:
    """Takes rules symbolically, one after another."""

    def __init__(self, game: Game, p: Any) -> None:
        self.game, self.p = game, p
        self.shape: Shape[Any] = game.state_shape()
        self.reveals = {rule.id: game.reveal_shape(rule) for rule in game.rules}

    def start(self) -> Path:
        return self._path((), (), self.game.initial(self.p), {}, (), (), ())

    def anywhere(self) -> Path:
        known = {"0." + v.name: limits(v) for v in self.shape.variables}
        state = self.shape.build(lambda v: dataclasses.replace(v, name="0." + v.name).term())
        return self._path((), (), state, known, tuple(known), (), ())

    def _path(self, *parts: Any, before: Path | None = None) -> Path:
        path = dataclasses.replace(Path(*parts), before=before)
        return dataclasses.replace(path, ended=self.game.goal.ended(self.p, path.state))

    def going_on(self, path: Path) -> Path | None:
        """Return a path narrowed to where the Play has not ended; None if it has."""
        if path.ended is False:
            return path
        narrowed = assume(path.known, negate(path.ended), path.latest())
        if narrowed is None:
            return None
        guards = (*path.guards, negate(path.ended))
        known = {**path.known, **narrowed}
        return dataclasses.replace(path, known=known, guards=guards, before=path)

    def may_take(self, path: Path, rule: Rule) -> bool:
        """Return whether a rule may fire where a path leads, as far as spans tell."""
        return self._fire(path, rule) is not None

    def _fire(
        self, path: Path, rule: Rule, given: Spans | None = None
    ) -> tuple[Any, Bool, dict[str, Span]] | None:
        prefix = f"{len(path.rules) + 1}."
        reveal = self.reveals[rule.id].build(lambda v: _unknown(prefix, v))
        known = dict(path.known)
        for variable in self.reveals[rule.id].variables:
            if not variable.choice:
                name = prefix + variable.name
                known[name] = (given or {}).get(name) or _bounded(variable)
        guard = rule.guard(self.p, path.state, reveal)
        narrowed = assume(known, guard, path.latest())
        if narrowed is None:
            return None
        known.update(narrowed)
        return reveal, guard, known

    def take(self, path: Path, rule: Rule, given: Spans | None = None) -> Path | None:
        """Return the path one rule longer; None if the rule cannot fire there.

        ``given`` are spans of unknowns, by name, to take instead of what is declared of them.
        """
        fired = self._fire(path, rule, given)
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
            before=path,
        )


def _at_the_end(path: Path) -> Path | None:
    """Return a path narrowed to where the Play has ended; None if it cannot have."""
    if path.reader().of(path.ended).only == 0:
        return None
    return dataclasses.replace(path, guards=(*path.guards, path.ended), before=path)


def _unknown(prefix: str, variable: Variable) -> Value:
    """Return the unknown of a reveal; a player's choice is taken at its least value."""
    if variable.choice:
        return False if variable.sort == "Bool" else variable.low or 0
    return dataclasses.replace(variable, name=prefix + variable.name).term()


def limits(variable: Variable) -> Span:
    """Return the values a variable can have by what is declared of it."""
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
