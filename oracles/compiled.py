"""Conditions on a step worked out on plain numbers, many at a time, given by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..models.algebra import Value, variables_of
from .straight import straight

__all__ = ["Conditions", "compiled"]

Conditions = Callable[[Mapping[str, Any]], tuple[Any, ...]]


def compiled(values: Sequence[Value]) -> Conditions:
    """Return a function from the values of unknowns, by name, to what the terms are then.

    >>> from ..models.algebra import int_variable
    >>> n = int_variable("n")
    >>> compiled([n > 2, n + 1])({"n": 2})
    (False, 3)
    """
    names = sorted(variables_of(*values))
    work_out = straight([names], values)
    return lambda known: work_out([known[name] for name in names])
