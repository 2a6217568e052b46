"""How values are written for people."""

from __future__ import annotations

from ..models.algebra import Value
from ..models.money import pounds
from ..models.shape import Variable
from ..proofs.verdict import Cube
from .numbers import seconds, some

__all__ = ["implicant", "quantity", "quantity_range", "seconds", "some"]


def quantity(variable: Variable, value: Value) -> str:
    """Write the value of a variable in its unit."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if variable.unit == "pence" and isinstance(value, int):
        return pounds(value)
    return str(value)


def implicant(cube: Cube) -> str:
    """Write readings taken together.

    >>> implicant((("two-pairs", "both"), ("valuation", "at-end")))
    'two-pairs = both and valuation = at-end'
    """
    return " and ".join(f"{reading} = {choice}" for reading, choice in cube) or "every reading"


def quantity_range(low: int | None, high: int | None, unit: str) -> str:
    """Write a range in its unit.

    >>> quantity_range(1, 25, ""), quantity_range(1, None, "pence")
    ('1 to 25', 'at least £0.01')
    """
    write = pounds if unit == "pence" else str
    if low is None or high is None:
        return f"at least {write(low)}" if low is not None else "any"
    return f"{write(low)} to {write(high)}"
