"""What is wrong with single rows of a prize table, whatever its headlines say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from ...models.money import pounds
from .rounding import WAYS, Rounding, of_odds
from .table import PrizeTable, Row

__all__ = ["CODES", "Flaw", "flaws_of"]

CODES = {
    "unread": "a line that could not be read",
    "sum": "a breakdown that does not sum to its amount",
    "duplicate": "a row that stands there twice",
    "odds-and-winners": "winners that contradict the printed odds",
    "level": "an amount that the game cannot pay",
    "unreachable": "a row that no Play wins",
    "undecided": "a row of which it is not known whether a Play wins it",
}


@dataclass(frozen=True)
class Flaw:
    """One thing that is wrong: its code, what it is in words, the row and the line."""

    code: str
    message: str
    row: int | None = None
    line: int | None = None


def flaws_of(table: PrizeTable) -> tuple[Flaw, ...]:
    """Return the flaws of a table, by what they are."""
    return (*_unread(table), *_sums(table), *_twice(table), *_counts(table))


def _unread(table: PrizeTable) -> Iterator[Flaw]:
    for one in table.unread:
        yield Flaw("unread", f"{one.text!r}: {one.why}", line=one.line)


def _sums(table: PrizeTable) -> Iterator[Flaw]:
    for row in table.rows:
        summed = sum(part.amount for part in row.parts)
        if row.parts and summed != row.amount:
            message = f"the parts sum to {pounds(summed)}, the row says {pounds(row.amount)}"
            yield Flaw("sum", message, row.number, row.line)


def _twice(table: PrizeTable) -> Iterator[Flaw]:
    seen: dict[object, Row] = {}
    for row in table.rows:
        parts = Counter((part.amount, (part.name or "").lower()) for part in row.parts)
        if not parts:
            parts = Counter([(row.amount, "")])
        key = (row.amount, frozenset(parts.items()))
        if key in seen:
            first = seen[key]
            at = f", line {first.line}" if first.line else ""
            message = f"the same prize as row {first.number}{at}"
            yield Flaw("duplicate", message, row.number, row.line)
        seen.setdefault(key, row)


def _counts(table: PrizeTable) -> Iterator[Flaw]:
    """Yield rows whose winners are not those that their odds allow, however rounded.

    All rows are rounded in one way: that which fits most of them.
    """
    pool = table.headlines.pool
    both = [row for row in table.rows if row.odds is not None and row.winners is not None]
    if pool is None or not both:
        return
    wrong = {way: [row for row in both if not _fits(row, pool, way)] for way in WAYS}
    way = min(WAYS, key=lambda one: len(wrong[one]))
    for row in wrong[way]:
        assert row.odds is not None, "only rows with odds are looked at"
        low, high = of_odds(row.odds, Fraction(pool), way).whole()
        message = (
            f"{row.winners:,} {'winner' if row.winners == 1 else 'winners'} in {pool:,} "
            f"{'Play' if pool == 1 else 'Plays'}, where 1 in {row.odds} (rounded "
            f"{way.value}, as most rows) takes {low:,} to {high:,}"
        )
        yield Flaw("odds-and-winners", message, row.number, row.line)


def _fits(row: Row, pool: int, way: Rounding) -> bool:
    assert row.odds is not None, "only rows with odds are looked at"
    assert row.winners is not None, "only rows with winners are looked at"
    low, high = of_odds(row.odds, Fraction(pool), way).whole()
    return low <= row.winners and (high is None or row.winners <= high)
