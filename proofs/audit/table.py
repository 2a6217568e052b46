"""Prize tables as they are printed: rows, headlines, and what could not be read of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

__all__ = ["Headlines", "Part", "Printed", "PrizeTable", "Row", "Unread"]


@dataclass(frozen=True)
class Printed:
    """A number as printed: its value, the unit of its last digit, and where it stands."""

    value: Fraction
    unit: Fraction
    text: str
    line: int | None = None

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Part:
    """A part of a breakdown (pence), with what it is called, if anything."""

    amount: int
    name: str | None = None


@dataclass(frozen=True)
class Row:
    """One row: its amount (pence), breakdown, odds (x in "1 in x") and winners, as printed.

    ``number`` counts from 1 in table order, ``line`` in the file.
    """

    number: int
    amount: int
    parts: tuple[Part, ...] = ()
    odds: Printed | None = None
    winners: int | None = None
    line: int | None = None
    text: str = ""


@dataclass(frozen=True)
class Headlines:
    """What is stated of a whole table: price (pence), overall odds, payout (percent).

    ``pool`` is the number of Plays that the winners are counted in, where it is stated.
    """

    price: int | None = None
    odds: Printed | None = None
    payout: Printed | None = None
    pool: int | None = None

    def over(self, other: Headlines) -> Headlines:
        """Return these headlines, and the other ones where these say nothing."""
        told = {name: value for name, value in vars(self).items() if value is not None}
        return replace(other, **told)


@dataclass(frozen=True)
class Unread:
    """A line that looks as if it belonged to the table, and why it could not be read."""

    line: int
    text: str
    why: str


@dataclass(frozen=True)
class PrizeTable:
    """A table and its headlines; ``notes`` say what had to be decided in reading it.

    ``begun`` is the line in which the table of a file begins; None where it has none.
    """

    name: str
    rows: tuple[Row, ...]
    headlines: Headlines
    unread: tuple[Unread, ...] = ()
    notes: tuple[str, ...] = ()
    begun: int | None = None
