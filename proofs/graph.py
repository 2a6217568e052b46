"""Formulas as graphs, without ``let``: whether a conjunction is that of some parts.

The same formula may be written with other names for what it shares, so formulas are compared as
graphs in which every subterm stands once. Nothing here is recursive: a text comes from anybody.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from .sexpr import Atom, List, SExpr, write

__all__ = ["same_conjuncts"]

Node = int
Names = Mapping[str, Node]


def same_conjuncts(whole: SExpr, parts: Iterable[SExpr]) -> bool:
    """Return whether the conjuncts of a formula are those of its parts, in order.

    >>> from .sexpr import read
    >>> whole, *parts = read("(let ((?1 (+ a b))) (and (< 0 ?1) (and p (= ?1 c)))) "
    ...                      "(< 0 (+ a b)) p (= (+ a b) c)", "demo")
    >>> same_conjuncts(whole, parts), same_conjuncts(whole, parts[:2])
    (True, False)
    """
    graph = _Graph()
    of_parts = [one for part in parts for one in graph.conjuncts(graph.node(part))]
    return graph.conjuncts(graph.node(whole)) == of_parts


class _Graph:
    """Every term met so far, each once: a symbol, or the nodes of its items."""

    def __init__(self) -> None:
        self.known: dict[Atom | tuple[Node, ...], Node] = {}
        self.items: list[Atom | tuple[Node, ...]] = []

    def node(self, expression: SExpr) -> Node:
        """Return the node of a term, with what ``let`` names put in its place."""
        done: list[Node] = []
        # To do: a term under names; a list of so many nodes; a let whose terms are done.
        todo: list[tuple[SExpr, Names] | int | tuple[list[str], SExpr, Names]] = [
            (expression, {})
        ]
        while todo:
            match todo.pop():
                case int(size):
                    items = tuple(done[len(done) - size :])
                    del done[len(done) - size :]
                    done.append(self._intern(items))
                case (names, body, outer):
                    bound = done[len(done) - len(names) :]
                    del done[len(done) - len(names) :]
                    todo.append((body, {**outer, **dict(zip(names, bound, strict=True))}))
                case (Atom() as atom, names):
                    done.append(
                        names[said] if (said := write(atom)) in names else self._intern(atom)
                    )
                case (List((Atom("let"), List(bindings), body)), names):
                    pairs = [one for one in bindings if isinstance(one, List)]
                    bound_names = [write(one.items[0]) for one in pairs]
                    todo.append((bound_names, body, names))
                    todo += [(one.items[-1], names) for one in reversed(pairs)]
                case (List(items), names):
                    todo.append(len(items))
                    todo += [(one, names) for one in reversed(items)]
        return done[0]

    def _intern(self, key: Atom | tuple[Node, ...]) -> Node:
        if key not in self.known:
            self.known[key] = len(self.items)
            self.items.append(key)
        return self.known[key]

    def conjuncts(self, root: Node) -> list[Node]:
        """Return the nodes of which a node is the conjunction, left to right."""
        found: list[Node] = []
        todo = [root]
        while todo:
            node = todo.pop()
            items = self.items[node]
            if isinstance(items, tuple) and items and self.items[items[0]] == Atom("and"):
                todo += reversed(items[1:])
            else:
                found.append(node)
        return found
