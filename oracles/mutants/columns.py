"""Terms worked out for many steps at once: a column of values for every part.

A mutant shares nearly all of its terms with the rule that it changes, and equal terms are one
object (``Pool``), so only the few columns between the change and the whole are new.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any, cast

from ...models.algebra import Term, Value

__all__ = ["Columns"]

Column = Sequence[Any]


class Columns:
    """Values of unknowns in some steps, by name, and of whatever terms were asked for."""

    def __init__(self, known: Mapping[str, Column], size: int) -> None:
        self.known, self.size = known, size
        self._kept: dict[int, tuple[Term, Column]] = {}

    def of(self, value: Value, *, keep: bool = False) -> Column:
        """Return what a value is in each step; ``keep`` remembers it, and all its parts.

        Terms that are kept are to stay in a pool. KeyError for an unknown without values.
        """
        return self._of(value, {}, keep)

    def differ(self, one: Value, other: Value) -> list[int]:
        """Return the steps (from 0) in which two values differ; the first one is kept."""
        pairs = zip(self.of(one, keep=True), self.of(other), strict=True)
        return [number for number, (a, b) in enumerate(pairs) if a != b]

    def _of(self, value: object, now: dict[int, Column], keep: bool) -> Column:
        if not isinstance(value, Term):
            return [value] * self.size
        if id(value) in self._kept:
            return self._kept[id(value)][1]
        if id(value) in now:
            return now[id(value)]
        if value.op == "var":
            found: Column = self.known[cast("str", value.args[0])]
        else:
            found = _OPERATIONS[value.op](*(self._of(a, now, keep) for a in value.args))
        if keep:
            self._kept[id(value)] = value, found
        else:
            now[id(value)] = found
        return found


def _sums(*columns: Column) -> Column:
    if len(columns) == 2:
        return [a + b for a, b in zip(*columns, strict=True)]
    return [*map(sum, zip(*columns, strict=True))]


def _joined(operation: Callable[[Any, Any], Column]) -> Callable[..., Column]:
    return lambda *columns: reduce(operation, columns)


_OPERATIONS: Mapping[str, Callable[..., Column]] = {
    "ite": lambda c, a, b: [y if x else z for x, y, z in zip(c, a, b, strict=True)],
    "+": _sums,
    "-": lambda a, b: [x - y for x, y in zip(a, b, strict=True)],
    "*": lambda a, b: [x * y for x, y in zip(a, b, strict=True)],
    "div": lambda a, b: [x // y for x, y in zip(a, b, strict=True)],
    "mod": lambda a, b: [x % y for x, y in zip(a, b, strict=True)],
    "<": lambda a, b: [x < y for x, y in zip(a, b, strict=True)],
    "<=": lambda a, b: [x <= y for x, y in zip(a, b, strict=True)],
    "=": lambda a, b: [x == y for x, y in zip(a, b, strict=True)],
    "not": lambda a: [not x for x in a],
    "and": _joined(lambda a, b: [x and y for x, y in zip(a, b, strict=True)]),
    "or": _joined(lambda a, b: [x or y for x, y in zip(a, b, strict=True)]),
}
