"""How far plain numbers are from meeting a condition: 0 where they meet it, else more.

    a <= b      a - b, if that is more than 0        a = b      the difference
    all of      the sum                              any of     the least
    if c then x else y, where it is compared: the nearer of c and x, and of not c and y

The distance is a term like the condition, so it is worked out as quickly. What steps are near
a goal is where to change something (Korel: Automated software test data generation, 1990).
"""

from __future__ import annotations

from typing import cast

from ..models.algebra import (
    Bool,
    Int,
    IntTerm,
    Value,
    made,
    maximum,
    minimum,
    negate,
    total,
    where,
)

__all__ = ["distance"]

# No part of a condition counts for more; and choices inside choices that are looked into.
_FAR, _DEEP = 40, 4


def distance(condition: Bool, deep: int = _DEEP) -> Int:
    """Return how far unknowns are from a condition, as a term.

    >>> from ..models.algebra import all_of, int_variable
    >>> from .compiled import compiled
    >>> n, m = int_variable("n"), int_variable("m")
    >>> compiled([distance(all_of(n >= 3, m == 9))])({"n": 1, "m": 10})
    (3,)
    """
    if isinstance(condition, bool):
        return 0 if condition else _FAR
    if condition.op == "not":
        return _refused(cast("Bool", condition.args[0]), deep)
    parts = cast("tuple[Value, ...]", condition.args)
    if condition.op == "and":
        return total(distance(cast("Bool", one), deep) for one in parts)
    if condition.op == "or":
        return minimum(*(distance(cast("Bool", one), deep) for one in parts))
    if condition.op == "ite":
        either = [cast("Bool", one) for one in parts]
        return _either(either[0], distance(either[1], deep), distance(either[2], deep), deep)
    if condition.op in ("<", "<=", "="):
        return _compared(condition.op, *parts, deep=deep)
    return where(condition, 0, _FAR)


def _refused(condition: Bool, deep: int) -> Int:
    """Return how far unknowns are from not meeting a condition."""
    if isinstance(condition, bool):
        return _FAR if condition else 0
    parts = cast("tuple[Value, ...]", condition.args)
    if condition.op in ("and", "or"):
        refused = [negate(cast("Bool", one)) for one in parts]
        apart = [distance(one, deep) for one in refused]
        return minimum(*apart) if condition.op == "and" else total(apart)
    if condition.op == "ite":
        either = [cast("Bool", one) for one in parts]
        return _either(either[0], _refused(either[1], deep), _refused(either[2], deep), deep)
    if condition.op == "<":
        return _compared("<=", parts[1], parts[0], deep=deep)
    if condition.op == "<=":
        return _compared("<", parts[1], parts[0], deep=deep)
    if condition.op == "=":
        return _compared("!=", *parts, deep=deep)
    return where(condition, _FAR, 0)


def _compared(op: str, left: Value, right: Value, *, deep: int) -> Int:
    for one, other, turned in ((left, right, False), (right, left, True)):
        if deep and isinstance(one, IntTerm) and one.op == "ite":
            condition, then, otherwise = cast("tuple[Bool, Value, Value]", one.args)
            ways = [(other, way) if turned else (way, other) for way in (then, otherwise)]
            first, second = (_compared(op, *way, deep=deep - 1) for way in ways)
            return _either(condition, first, second, deep)
    if op == "!=":
        same = cast("Bool", made("=", left, right))
        return _FAR if same is True else where(same, 1, 0)
    if isinstance(left, bool) or not isinstance(left, int | IntTerm):
        return where(cast("Bool", made(op, left, right)), 0, 1)
    much = cast("Int", made("-", left, right))
    if op == "<":
        much = much + 1
    if op == "=":
        much = maximum(much, -much)
    return minimum(maximum(much, 0), _FAR)


def _either(condition: Bool, then: Int, otherwise: Int, deep: int) -> Int:
    """Return the nearer of two ways: the condition and one distance, or neither and another."""
    yes, no = distance(condition, deep - 1), _refused(condition, deep - 1)
    return minimum(total((yes, then)), total((no, otherwise)))
