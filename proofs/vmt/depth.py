"""How deep terms are once definitions stand for their bodies."""

from __future__ import annotations

from collections.abc import Mapping

from ..sexpr import Atom, SExpr

__all__ = ["DEEPEST", "depth"]

DEEPEST = 20_000
"""Lists in one another: solvers take a deeper term for minutes, beyond any time limit."""


def depth(term: SExpr, known: Mapping[str, int]) -> int:
    """Return how many lists in one another a term is, with ``known`` depths of defined names.

    A bound variable with the name of a definition counts as that: never too little.
    """
    deepest = 0
    todo = [(term, 0)]
    while todo:
        one, outer = todo.pop()
        if isinstance(one, Atom):
            deepest = max(deepest, outer + known.get(one.text, 0))
        else:
            deepest = max(deepest, outer + 1)
            todo += [(part, outer + 1) for part in one.items]
    return deepest
