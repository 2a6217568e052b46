"""Where a change lies: the least parts such that, if these are equal, all is.

    old = f(g(a), h(g(a)))      new = f(g(b), h(g(b)))      g(a) = g(b)  ⇒  old = new

Two terms that differ in one place hold a chain of such pairs, from the place itself up to the
whole: those that every way down to a difference goes through, its dominators. To prove a small
pair equal takes a solver far less than the whole does.

Lengauer & Tarjan: A fast algorithm for finding dominators in a flowgraph, TOPLAS 1979.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

import networkx as nx

from ...models.algebra import Term, Value

__all__ = ["narrowed"]

_WHOLE, _PLACE = "whole", "place"


def narrowed(pairs: Iterable[tuple[Value, Value]]) -> list[tuple[Value, Value]]:
    """Return pairs of parts, the least first: if the two of any are equal, all pairs are.

    Equal terms are one object (``Pool``). Of pairs that differ all over there are none.
    """
    graph: nx.DiGraph[object] = nx.DiGraph()
    known: dict[object, tuple[Value, Value]] = {}
    waiting: list[tuple[object, tuple[Value, Value]]] = [(_WHOLE, pair) for pair in pairs]
    while waiting:
        above, (old, new) = waiting.pop()
        node = (_key(old), _key(new))
        seen = node in known
        graph.add_edge(above, node)
        if seen:
            continue
        known[node] = old, new
        below = _differing(old, new)
        if not below:
            graph.add_edge(node, _PLACE)
        waiting += [(node, pair) for pair in below]
    if _PLACE not in graph:
        return []
    over = nx.immediate_dominators(graph, _WHOLE)
    found = []
    node = over[_PLACE]
    while node != _WHOLE:
        found.append(known[node])
        node = over[node]
    return found


def _differing(old: Value, new: Value) -> list[tuple[Value, Value]]:
    """Return the parts in which two terms of one operation differ; none where that does."""
    if not (isinstance(old, Term) and isinstance(new, Term)):
        return []
    if old.op != new.op or old.op == "var" or len(old.args) != len(new.args):
        return []
    both = cast("Iterable[tuple[Value, Value]]", zip(old.args, new.args, strict=True))
    return [(a, b) for a, b in both if _key(a) != _key(b)]


def _key(value: object) -> object:
    return id(value) if isinstance(value, Term) else (type(value).__name__, value)
