"""What a printed number can stand for, by the way it was rounded: exact bounds."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from .table import Printed

__all__ = ["WAYS", "Bounds", "Range", "Rounding", "of_amount", "of_odds"]


Range = tuple[int, int | None]
"""The least and the greatest of some whole numbers; None where there is no greatest."""


class Rounding(Enum):
    """How a number was brought to the digits printed; ``ANY`` of these ways."""

    NEAREST = "to nearest"
    UP = "up"
    DOWN = "down"
    ANY = "up, down or to nearest"


WAYS = (Rounding.NEAREST, Rounding.UP, Rounding.DOWN)
"""The ways in which the rows of a table may be rounded, the usual one first."""


@dataclass(frozen=True)
class Bounds:
    """What a number is between: the ends belong to it where they are ``closed``."""

    low: Fraction
    high: Fraction | None
    low_closed: bool = True
    high_closed: bool = True

    def whole(self) -> Range:
        """Return the least and the greatest whole number within; None without an end."""
        low = math.ceil(self.low)
        if not self.low_closed and low == self.low:
            low += 1
        if self.high is None:
            return low, None
        high = math.floor(self.high)
        if not self.high_closed and high == self.high:
            high -= 1
        return low, high

    def around(self) -> Range:
        """Return whole ends that are not within: what lies in these bounds lies in those."""
        return math.floor(self.low), None if self.high is None else math.ceil(self.high)


def _before_rounding(number: Printed, rounding: Rounding) -> Bounds:
    """Return what a number was before it was rounded. A half goes either way."""
    x, u = number.value, number.unit
    if rounding is Rounding.NEAREST:
        return Bounds(x - u / 2, x + u / 2)
    if rounding is Rounding.UP:
        return Bounds(x - u, x, low_closed=False)
    if rounding is Rounding.DOWN:
        return Bounds(x, x + u, high_closed=False)
    return Bounds(x - u, x + u, low_closed=False, high_closed=False)


def of_odds(odds: Printed, plays: Fraction, rounding: Rounding) -> Bounds:
    """Return how many of so many Plays win at odds of 1 in what is printed.

    With one Play it is the share of them.
    """
    x = _before_rounding(odds, rounding)
    assert x.high is not None, "a printed number has both ends"
    least = max(x.low, Fraction(1))  # no more win than there are
    return Bounds(plays / x.high, plays / least, x.high_closed, x.low_closed or least > x.low)


def of_amount(percent: Printed, plays: Fraction, price: int, rounding: Rounding) -> Bounds:
    """Return what is paid on so many Plays (pence) at a payout printed in percent."""
    x = _before_rounding(percent, rounding)
    assert x.high is not None, "a printed number has both ends"
    of_one = plays * price / 100
    return Bounds(x.low * of_one, x.high * of_one, x.low_closed, x.high_closed)


def ways(of_rows: Rounding) -> Iterator[tuple[Rounding, Rounding]]:
    """Yield how overall odds and payout may be rounded, likely ways first."""
    yield of_rows, Rounding.NEAREST
    if of_rows is not Rounding.NEAREST:
        yield Rounding.NEAREST, Rounding.NEAREST
    yield Rounding.ANY, Rounding.ANY
