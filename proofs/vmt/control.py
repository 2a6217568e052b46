"""The control flow within a problem: locations, and steps from loop head to loop head.

A program's counter is some Boolean state variables. What values they can take together, the
data apart, are the locations; what a step does between two of them is read off the transition
relation. Then only those locations are kept where a loop can be cut, where a run starts and
where the property says something: a step goes from one such to the next in one, over all that
lies between. Engines find much smaller invariants for that. A φ for it, k-inductive, is

    R(x) ∧ (cut(x) ⇒ φ(x))

for the problem itself, where R says that the location is one of those found, and cut that it
was kept. It is n-inductive if no path of k larger steps is longer than n steps: as many before
a kept location always hold k larger ones that lead there.

Beyer, Cimatti, Griggio, Keremoglu, Sebastiani: Software model checking via large-block
encoding, FMCAD 2009.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import networkx as nx

from .locations import Edge, Finder, Location, cube
from .problem import Problem, settled
from .terms import conjuncts, constants

__all__ = ["Blocks", "blocks"]

_MOST_PATHS = 400


Lengths = Mapping[Location, Mapping[Location, int]]
"""The most steps from each kept location to each that is the next kept one."""


@dataclass(frozen=True)
class Blocks:
    """The problem in larger steps, and what makes its φ one of the problem itself."""

    problem: Problem
    reached: Any
    cut: Any
    lengths: Lengths

    @property
    def stride(self) -> int:
        """The most steps that a larger one stands for."""
        return self.steps(1)

    def steps(self, k: int) -> int:
        """Return the most steps that up to ``k`` larger ones on end stand for."""
        longest = 1
        walks: Mapping[Location, int] = dict.fromkeys(self.lengths, 0)
        for _ in range(k):
            further: dict[Location, int] = {}
            for here, length in walks.items():
                for target, steps in self.lengths[here].items():
                    further[target] = max(further.get(target, 0), length + steps)
            walks = further
            longest = max(longest, *walks.values()) if walks else longest
        return longest

    def lift(self, phi: Any) -> Any:
        """Return the φ of the problem itself."""
        import z3

        return z3.And(self.reached, z3.Implies(self.cut, phi))


def blocks(problem: Problem, seconds: float = 4.0) -> Blocks | None:
    """Return a problem in larger steps, None where there is no control flow to speak of.

    ``seconds`` are of the processor: a race stops the clock for who is not at work.
    """
    import z3

    ends = time.process_time() + seconds
    told = {c.decl().name() for c in constants([problem.trans])}  # others come as they like
    bits = [
        place
        for place, (a, b) in enumerate(zip(problem.now, problem.then, strict=True))
        if z3.is_bool(a) and b.decl().name() in told
    ]
    if not bits or len(bits) == len(problem.now):
        return None
    finder = Finder(problem, bits)
    found = finder.explore(ends)
    if found is None:
        return None
    starts, edges = found
    locations = list(dict.fromkeys([*starts, *(edge.target for edge in edges)]))
    goods = {one: z3.simplify(finder.fixed(problem.good, one)) for one in locations}
    wrong = {one for one, good in goods.items() if z3.is_false(good)}
    edges = [edge for edge in edges if edge.origin not in wrong]
    reachable = _reachable(starts, edges)  # a run ends where it goes wrong: some are so no more
    locations = [one for one in locations if one in reachable]
    edges = [edge for edge in edges if edge.origin in reachable]
    after: dict[Location, list[Edge]] = {one: [] for one in locations}
    for edge in edges:
        after[edge.origin].append(edge)
    kept = {*starts, *(one for one in locations if not z3.is_true(goods[one]))}
    kept |= _loop_heads(starts, after)
    trans = None
    for more in (set(), _joins(edges)):  # where paths are too many, cut where they meet too
        if trans is None and len(kept | more) < len(locations):
            kept |= more
            trans = _Composer(problem, finder, after, kept, ends).trans()
    if trans is None:
        return None
    cut = z3.Or([finder.at(one) for one in locations if one in kept])
    reached = z3.Or([finder.at(one) for one in locations])
    fixed = {c.decl().name() for c in (*problem.now, *problem.then)}
    inputs = [c for c in constants([problem.init, trans]) if c.decl().name() not in fixed]
    return Blocks(
        replace(problem, trans=trans, inputs=tuple(inputs)), reached, cut, _lengths(kept, after)
    )


def _reachable(starts: Sequence[Location], edges: Sequence[Edge]) -> set[Location]:
    """Return the locations that edges lead to from a start."""
    graph: nx.DiGraph[Location] = nx.DiGraph((edge.origin, edge.target) for edge in edges)
    graph.add_nodes_from(starts)
    return set(starts).union(*(nx.descendants(graph, start) for start in starts))


def _loop_heads(
    starts: Sequence[Location], after: Mapping[Location, Sequence[Edge]]
) -> set[Location]:
    """Return the targets of backward edges of a depth-first walk."""
    heads: set[Location] = set()
    done: set[Location] = set()
    for start in starts:
        path: dict[Location, Iterator[Edge]] = {}
        if start not in done:
            path[start] = iter(after[start])
        while path:
            here = next(reversed(path))
            edge = next(path[here], None)
            if edge is None:
                done.add(here)
                del path[here]
            elif edge.target in path:
                heads.add(edge.target)
            elif edge.target not in done:
                path[edge.target] = iter(after[edge.target])
    return heads


def _joins(edges: Sequence[Edge]) -> set[Location]:
    """Return the locations that are reached from more than one."""
    origins: dict[Location, set[Location]] = {}
    for edge in edges:
        origins.setdefault(edge.target, set()).add(edge.origin)
    return {target for target, found in origins.items() if len(found) > 1}


def _lengths(kept: set[Location], after: Mapping[Location, Sequence[Edge]]) -> Lengths:
    """Return the lengths of the longest paths that meet no kept location between their ends."""
    known: dict[Location, dict[Location, int]] = {}

    def ahead(one: Location) -> dict[Location, int]:
        if one not in known:
            found = known[one] = {}
            for edge in after[one]:
                onward = {edge.target: 0} if edge.target in kept else ahead(edge.target)
                for target, steps in onward.items():
                    found[target] = max(found.get(target, 0), steps + 1)
        return known[one]

    return {one: ahead(one) for one in after if one in kept}


class _Composer:
    """Puts steps one behind another, from each kept location to the next."""

    def __init__(
        self,
        problem: Problem,
        finder: Finder,
        after: Mapping[Location, Sequence[Edge]],
        kept: set[Location],
        ends: float,
    ) -> None:
        import z3

        self.after, self.kept, self.ends = after, kept, ends
        self.finder = finder
        bits = {b.decl().name() for b in (*finder.now, *finder.then)}
        self.now = [a for a in problem.now if a.decl().name() not in bits]
        self.then = [b for b in problem.then if b.decl().name() not in bits]
        self.inputs = problem.inputs
        self.paths = 0
        self.made = 0
        self._z3 = z3

    def trans(self) -> Any | None:
        """Return the relation of the larger steps; None if there are too many paths."""
        z3 = self._z3
        parts = []
        for one in self.after:
            if one not in self.kept:
                continue
            for target, formula in self._from(one, []):
                self.paths += 1
                if self.paths > _MOST_PATHS or time.process_time() > self.ends:
                    return None
                then = cube(self.finder.then, target)
                parts.append(z3.And([self.finder.at(one), *formula, then]))
        return z3.Or(parts) if parts else z3.BoolVal(False)

    def _from(self, one: Location, before: list[Any]) -> Iterator[tuple[Location, list[Any]]]:
        """Yield every path on from a location, given what came before, as conjuncts.

        ``before`` ends in the plain state variables' names for the state at ``one``.
        """
        z3 = self._z3
        for edge in self.after[one]:
            formula, fresh = self._renamed(edge.formula)
            if edge.target in self.kept:
                parts = [*before, *conjuncts(formula)]
                yield edge.target, parts
                continue
            middle = [self._fresh(a) for a in self.now]
            names = {m.decl().name() for m in middle}
            moved = z3.substitute(formula, *zip(self.then, middle, strict=True))
            for target, rest in self._from(edge.target, []):
                later = [
                    z3.substitute(part, *zip(self.now, middle, strict=True)) for part in rest
                ]
                whole = settled([*conjuncts(moved), *later], names | fresh)
                if not any(z3.is_false(part) for part in whole):
                    yield target, [*before, *whole]

    def _renamed(self, formula: Any) -> tuple[Any, set[str]]:
        """Return a formula with inputs of its own."""
        z3 = self._z3
        used = {c.decl().name() for c in constants([formula])}
        pairs = [(w, self._fresh(w)) for w in self.inputs if w.decl().name() in used]
        fresh = {b.decl().name() for _, b in pairs}
        return (z3.substitute(formula, *pairs) if pairs else formula), fresh

    def _fresh(self, const: Any) -> Any:
        self.made += 1
        return self._z3.Const(f"{const.decl().name()}~{self.made}", const.sort())
