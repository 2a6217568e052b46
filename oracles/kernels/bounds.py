"""Between what numbers a term stays, so that machine numbers cannot overflow unseen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ...models.algebra import Term, Value

__all__ = ["Bounds", "TooLarge", "bounds_of"]

Bounds = tuple[int, int]

_LEAST, _MOST = -(1 << 63), (1 << 63) - 1


class TooLarge(ValueError):
    """A part of a term may be no number of 64 bits."""


def bounds_of(root: Value, known: Mapping[str, Bounds]) -> Bounds:
    """Return between what a term stays while its unknowns stay between what is given.

    So does every part of it stay within 64 bits: TooLarge is raised where one may not. A yes
    or no is between 0 and 1. KeyError for an unknown that is not given.

    >>> from ...models.algebra import int_variable
    >>> bounds_of(int_variable("n") * 3 - 1, {"n": (0, 127)})
    (-1, 380)
    """
    found: dict[int, Bounds] = {}
    waiting: list[Any] = [root]
    while waiting:
        term = waiting[-1]
        if not isinstance(term, Term) or id(term) in found:
            waiting.pop()
            continue
        parts = [one for one in term.args if isinstance(one, Term) and id(one) not in found]
        if parts:
            waiting += parts
            continue
        waiting.pop()
        found[id(term)] = _of(term, found, known)
    return found[id(root)] if isinstance(root, Term) else _constant(root)


def _of(term: Term, found: Mapping[int, Bounds], known: Mapping[str, Bounds]) -> Bounds:
    if term.op == "var":
        return known[str(term.args[0])]
    parts = [found[id(a)] if isinstance(a, Term) else _constant(a) for a in term.args]
    least, most = _OPERATIONS.get(term.op, _yes_or_no)(*parts)
    if least < _LEAST or most > _MOST:
        raise TooLarge(f"{term.op} may come to between {least} and {most}")
    return least, most


def _constant(value: Any) -> Bounds:
    if not _LEAST <= value <= _MOST:
        raise TooLarge(f"{value} is no number of 64 bits")
    return int(value), int(value)


def _yes_or_no(*parts: Bounds) -> Bounds:
    return 0, 1


def _sum(*parts: Bounds) -> Bounds:
    least = most = lowest = highest = 0
    for part in parts:  # added from left to right: what comes in between counts as well
        least, most = least + part[0], most + part[1]
        lowest, highest = min(lowest, least), max(highest, most)
    if lowest < _LEAST or highest > _MOST:
        raise TooLarge(f"a sum may come to between {lowest} and {highest}")
    return least, most


def _product(one: Bounds, other: Bounds) -> Bounds:
    ends = [a * b for a in one for b in other]
    return min(ends), max(ends)


def _quotient(one: Bounds, by: Bounds) -> Bounds:
    return one[0] // by[0], one[1] // by[0]


_OPERATIONS: Mapping[str, Callable[..., Bounds]] = {
    "+": _sum,
    "-": lambda one, other: (one[0] - other[1], one[1] - other[0]),
    "*": _product,
    "div": _quotient,
    "mod": lambda one, by: (0, by[0] - 1),
    "ite": lambda _, one, other: (min(one[0], other[0]), max(one[1], other[1])),
}
