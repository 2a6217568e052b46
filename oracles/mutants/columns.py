"""Terms worked out for many steps at once: a column of values for every part.

A mutant shares nearly all of its terms with the rule that it changes, and equal terms are one
object (``Pool``), so only the few columns between the change and the whole are new.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ...models.algebra import Term, Value

__all__ = ["Columns"]

Column = NDArray[Any]

# Products up to this, and sums of many such, fit into 64 bits; others are worked out in full.
_FITS = 2.0**53


class Columns:
    """Values of unknowns in some steps, by name, and of whatever terms were asked for."""

    def __init__(self, known: Mapping[str, Sequence[Any] | Column], size: int) -> None:
        self.known = {name: _column(values) for name, values in known.items()}
        self.size = size
        self._kept: dict[int, tuple[Term, Column]] = {}

    def of(self, value: Value, *, keep: bool = False) -> Column:
        """Return what a value is in each step; ``keep`` remembers it, and all its parts.

        Terms that are kept are to stay in a pool. KeyError for an unknown without values.
        """
        return self._of(value, {}, keep)

    def differ(self, one: Value, other: Value) -> list[int]:
        """Return the steps (from 0) in which two values differ; the first one is kept."""
        unlike = self.of(one, keep=True) != self.of(other)
        return np.flatnonzero(unlike).tolist()

    def _of(self, value: object, now: dict[int, Column], keep: bool) -> Column:
        if not isinstance(value, Term):
            return np.full(self.size, cast("int", value))
        if id(value) in self._kept:
            return self._kept[id(value)][1]
        if id(value) in now:
            return now[id(value)]
        if value.op == "var":
            found = self.known[cast("str", value.args[0])]
        else:
            found = _OPERATIONS[value.op](*(self._of(a, now, keep) for a in value.args))
        if keep:
            self._kept[id(value)] = value, found
        else:
            now[id(value)] = found
        return found


def _column(values: Sequence[Any] | Column) -> Column:
    return np.array(values, dtype=None if len(values) else np.int64)


def _product(one: Column, other: Column) -> Column:
    if one.size and float(np.abs(one).max()) * float(np.abs(other).max()) > _FITS:
        one, other = one.astype(object), other.astype(object)
    return one * other


def _joined(operation: Callable[[Any, Any], Column]) -> Callable[..., Column]:
    return lambda *columns: reduce(operation, columns)


_OPERATIONS: Mapping[str, Callable[..., Column]] = {
    "ite": np.where,
    "+": _joined(np.add),
    "-": np.subtract,
    "*": _product,
    "div": np.floor_divide,
    "mod": np.mod,
    "<": np.less,
    "<=": np.less_equal,
    "=": np.equal,
    "not": np.logical_not,
    "and": _joined(np.logical_and),
    "or": _joined(np.logical_or),
}
