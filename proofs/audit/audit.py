"""The audit of one prize table: whether its rows and its headlines can all be right.

A naive audit adds up 1/odds. That fails tables that are right, for printed odds are rounded:
one in six may stand for anything up to one in five and a bit. So whole winner counts are looked
for that give every printed figure at once, in the smallest pool of Plays that the rarest prize
allows. Where there are none in any pool, a minimal set of figures that conflict is the answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from fractions import Fraction

from .counts import (
    MANY,
    Conflict,
    Demands,
    Undecided,
    conflict,
    intervals,
    least,
    possible,
    span,
)
from .flaws import Flaw, flaws_of
from .rounding import WAYS, Bounds, Range, Rounding, of_amount, of_odds, ways
from .table import PrizeTable, Row

__all__ = ["Audit", "Naive", "Outcome", "Suspect", "audit"]

# Multiples of the rarest prize's odds that are tried as the pool, and the least odds from which
# on these tell of one.
_POOLS, _RARE = 5, 1000
# Shares of all Plays are counted in so many parts, their bounds widened to whole parts.
_SHARES = 10**12
# Rows that are named as likely to be wrong.
_NAMED = 5
# Rows of a table up to which the range of every row is worked out.
_MANY = 400


class Outcome(Enum):
    """What an audit comes to."""

    CONSISTENT = "consistent"
    INCONSISTENT = "inconsistent"
    UNDER_DETERMINED = "under-determined"
    NO_TABLE = "no table"


@dataclass(frozen=True)
class Naive:
    """What adding up the printed odds gives: overall odds (x in 1 in x), payout (percent)."""

    odds: Fraction | None
    payout: Fraction | None


@dataclass(frozen=True)
class Suspect:
    """A figure without which all the rest agrees, in some way of rounding: what it has to be.

    Of a ``row``, or of the overall odds where there is none, it is x in "1 in x"; of the
    ``payout`` percent. ``most`` is None where there is no end to it.
    """

    row: Row | None
    printed: Fraction
    least: Fraction
    most: Fraction | None
    payout: bool = False

    @property
    def off(self) -> Fraction:
        """How far the printed figure is from what it would have to be, as a factor."""
        if self.printed < self.least:
            return self.least / self.printed if self.printed else Fraction(10**18)
        if self.most is not None and self.printed > self.most:
            return self.printed / self.most
        return Fraction(1)


@dataclass(frozen=True)
class Audit:
    """What was found of a table.

    ``pools`` are the pools that were tried and fit, the smallest first, to which ``rounding``
    (of rows, of overall odds, of the payout), the least ``counts`` and the ``ranges`` of counts
    belong. ``own`` are the counts that a row's odds alone allow. ``binding`` is the row that
    headlines bind most.
    """

    table: PrizeTable
    outcome: Outcome
    naive: Naive
    flaws: tuple[Flaw, ...] = ()
    missing: tuple[str, ...] = ()
    why: str = ""
    pools: tuple[int, ...] = ()
    rounding: tuple[Rounding, Rounding, Rounding] | None = None
    counts: tuple[int, ...] = ()
    ranges: tuple[tuple[int, int], ...] = ()
    own: tuple[tuple[int, int], ...] = ()
    binding: Row | None = None
    conflict: Conflict | None = None
    suspects: tuple[Suspect, ...] = field(default=())

    @property
    def sound(self) -> bool:
        """Whether the table is consistent and nothing else is wrong with it."""
        return self.outcome is Outcome.CONSISTENT and not self.flaws


@dataclass(frozen=True)
class _Fit:
    """A pool in which the table is consistent, and how its figures are rounded."""

    pool: int
    rounding: tuple[Rounding, Rounding, Rounding]
    demands: Demands


def audit(table: PrizeTable) -> Audit:
    """Return what there is to say of a prize table."""
    found = Audit(table, Outcome.NO_TABLE, _naive(table), flaws_of(table), _missing(table))
    if not table.rows:
        return replace(found, why=_without_rows(table))
    try:
        likely = _likely(table)
        pools = list(_pools(table)) if likely else []
        fits = [fit for pool in pools if (fit := _fit(table, pool, likely)) is not None]
        if fits:
            return _consistent(found, fits)
        return _inconsistent(found)
    except Undecided:
        why = "z3 did not decide it within its budget"
        return replace(found, outcome=Outcome.UNDER_DETERMINED, why=why)


def _without_rows(table: PrizeTable) -> str:
    if table.begun:
        return f"no row of the table that begins in line {table.begun} can be read"
    return "there is no prize table to audit"


def _naive(table: PrizeTable) -> Naive:
    odds = [row.odds.value for row in table.rows if row.odds is not None]
    if not odds or len(odds) < len(table.rows):
        return Naive(None, None)
    payout = None
    if table.headlines.price:
        paid = sum(row.amount / x for row, x in zip(table.rows, odds, strict=True))
        payout = Fraction(paid) / table.headlines.price * 100
    return Naive(1 / sum((1 / x for x in odds), Fraction(0)), payout)


def _missing(table: PrizeTable) -> tuple[str, ...]:
    """Return what an audit needs and the table does not have, in words."""
    stated = table.headlines
    told = {"price": stated.price, "overall odds": stated.odds, "payout": stated.payout}
    missing = [f"the {name}" for name, value in told.items() if value is None]
    without = [row for row in table.rows if row.odds is None and row.winners is None]
    if without:
        missing.append(
            "odds and winners of " + ", ".join(f"row {row.number}" for row in without)
        )
    return tuple(missing)


def _pools(table: PrizeTable) -> Iterator[int]:
    """Yield the pool that is stated, or those that the rarest prize tells of."""
    if table.headlines.pool is not None:
        yield table.headlines.pool
        return
    rare = [row for row in table.rows if row.odds is not None]
    rarest = max(rare, key=lambda row: row.odds.value if row.odds else 0, default=None)
    if rarest is None or rarest.odds is None or rarest.odds.value < _RARE:
        return
    if rarest.odds.value.denominator != 1:
        return
    odds = int(rarest.odds.value)
    if rarest.winners is not None:
        yield odds * rarest.winners
    else:
        yield from (odds * times for times in range(1, _POOLS + 1))


def _likely(table: PrizeTable) -> list[Rounding]:
    """Return the ways of rounding under which the figures agree at least as shares."""
    counted = any(row.winners is not None for row in table.rows)
    return [way for way in WAYS if counted or possible(_demands(table, None, _any(way)))]


def _fit(table: PrizeTable, pool: int, likely: Sequence[Rounding]) -> _Fit | None:
    """Return how all figures fit together in a pool; None if they do not."""
    for rounding in likely:
        for overall, payout in ways(rounding):
            each = (rounding, overall, payout)
            demands = _demands(table, pool, each)
            if possible(demands):
                return _Fit(pool, each, demands)
    return None


def _any(rounding: Rounding) -> tuple[Rounding, Rounding, Rounding]:
    """Return that rows are rounded in a way, and headlines in whatever way."""
    return rounding, Rounding.ANY, Rounding.ANY


def _demands(
    table: PrizeTable, pool: int | None, rounding: tuple[Rounding, Rounding, Rounding]
) -> Demands:
    """Return what the figures demand of a pool; without one of shares of all Plays."""
    of_rows, overall, payout = rounding
    plays = Fraction(_SHARES if pool is None else pool)

    def range_(bounds: Bounds) -> Range:
        return bounds.around() if pool is None else bounds.whole()

    def of_row(row: Row) -> Range:
        if row.winners is not None and pool is not None:  # a count says more than odds do
            return row.winners, row.winners
        return (
            (0, int(plays)) if row.odds is None else range_(of_odds(row.odds, plays, of_rows))
        )

    stated = table.headlines
    if stated.odds is None:  # no more win than there are
        winners: Range = 0, int(plays)
    else:
        winners = range_(of_odds(stated.odds, plays, overall))
    paid = (
        range_(of_amount(stated.payout, plays, stated.price, payout))
        if stated.payout is not None and stated.price is not None
        else None
    )
    amounts = tuple(row.amount for row in table.rows)
    return Demands(amounts, tuple(map(of_row, table.rows)), winners, paid, pool is not None)


def _consistent(found: Audit, fits: Sequence[_Fit]) -> Audit:
    first = fits[0]
    counts = least(first.demands)
    assert counts is not None, "there are counts that fit"
    own = tuple((low, first.pool if high is None else high) for low, high in first.demands.rows)
    ranges = intervals(first.demands, first.pool) if len(counts) <= _MANY else ()
    open_ = found.missing
    return replace(
        found,
        outcome=Outcome.UNDER_DETERMINED if open_ else Outcome.CONSISTENT,
        why=f"not stated: {'; '.join(open_)}" if open_ else "",
        pools=tuple(fit.pool for fit in fits),
        rounding=first.rounding,
        counts=counts,
        ranges=ranges,
        own=own,
        binding=_binding(found.table.rows, own, ranges),
    )


def _binding(
    rows: Sequence[Row], own: Sequence[tuple[int, int]], ranges: Sequence[tuple[int, int]]
) -> Row | None:
    """Return the row whose winners the headlines bind most; None where they bind none."""
    lost = [
        (high - low) - (most - least_)
        for (low, high), (least_, most) in zip(own, ranges, strict=False)
    ]
    if not lost or not max(lost):
        return None
    return rows[lost.index(max(lost))]


def _inconsistent(found: Audit) -> Audit:
    """Return why nothing fits: for the pool that is stated, else for whatever pool."""
    table, pool = found.table, found.table.headlines.pool
    tried: dict[Rounding, Demands] = {}
    for rounding in WAYS:
        demands = _demands(table, pool, _any(rounding))
        if possible(demands):
            why = (
                "the figures agree as shares of all Plays; the odds tell of no pool in which "
                "winners are whole numbers, and none is stated"
            )
            return replace(found, outcome=Outcome.UNDER_DETERMINED, why=why)
        tried[rounding] = demands
    rounding = min(tried, key=lambda one: tried[one].hopeless)
    plays = Fraction(pool or _SHARES)
    many = len(table.rows) > MANY
    causes = {way: conflict(demands) for way, demands in tried.items()}
    ways_ = sorted(WAYS, key=lambda way: way is not rounding)
    return replace(
        found,
        outcome=Outcome.INCONSISTENT,
        why=f"of more than {MANY:,} rows it is not looked for which conflict" if many else "",
        rounding=_any(rounding),
        pools=(pool,) if pool is not None else (),
        conflict=causes[rounding],
        suspects=_once(
            one for way in ways_ for one in _suspects(table, tried[way], causes[way], plays)
        ),
    )


def _once(suspects: Iterable[Suspect]) -> tuple[Suspect, ...]:
    """Return each figure once, as the first way of rounding has it that clears all others."""
    first: dict[tuple[int, bool], Suspect] = {}
    for one in suspects:
        first.setdefault((one.row.number if one.row else 0, one.payout), one)
    return tuple(first.values())


def _suspects(
    table: PrizeTable, demands: Demands, cause: Conflict, plays: Fraction
) -> tuple[Suspect, ...]:
    """Return the figures without which all else agrees, the nearest to being right first.

    Such a figure is in every conflict, and so in this one. Of very many rows none is named.
    """
    if len(table.rows) > MANY:
        return ()
    return tuple(sorted(_each_suspect(table, demands, cause, plays), key=lambda one: one.off))


def _each_suspect(
    table: PrizeTable, demands: Demands, cause: Conflict, plays: Fraction
) -> Iterator[Suspect]:
    stated = table.headlines
    if stated.odds is not None and possible(replace(demands, winners=None)):
        low, high = span(demands, "winners")
        yield Suspect(None, stated.odds.value, plays / (high or plays), _odds(plays, low))
    if stated.payout and stated.price and possible(replace(demands, paid=None)):
        low, high = span(demands, "paid")
        whole = plays * stated.price / 100
        most = None if high is None else high / whole
        yield Suspect(None, stated.payout.value, low / whole, most, payout=True)
    near = sorted(cause.rows, key=lambda number: _off(demands, number))
    for number in near[:_NAMED]:
        odds = table.rows[number].odds
        if odds is not None and possible(demands.without_row(number)):
            low, high = span(demands, f"row {number}")
            least_odds = plays / min(high or plays, plays)
            yield Suspect(table.rows[number], odds.value, least_odds, _odds(plays, low))


def _off(demands: Demands, row: int) -> Fraction:
    """Return by what factor a row's winners have to differ from what they may be, at least.

    Each sum by itself says how many are left for the row once all others have what they may.
    """
    need_low, need_high = Fraction(0), Fraction(10**18)
    sums = ((demands.winners, [1] * len(demands.rows)), (demands.paid, demands.amounts))
    for wanted, times in sums:
        if wanted is None:
            continue
        others = [
            (low * by, None if high is None else high * by)
            for n, ((low, high), by) in enumerate(zip(demands.rows, times, strict=True))
            if n != row
        ]
        if wanted[1] is not None:
            most = wanted[1] - sum(low for low, _ in others)
            need_high = min(need_high, Fraction(most, times[row]))
        if all(high is not None for _, high in others):
            fewest = wanted[0] - sum(high or 0 for _, high in others)
            need_low = max(need_low, Fraction(fewest, times[row]))
    low, high = demands.rows[row]
    if need_low > need_high or need_high <= 0:
        return Fraction(10**18)  # no number of winners of this row alone helps
    if high is not None and need_low > high:
        return need_low / max(high, 1)
    return max(Fraction(low), Fraction(1)) / need_high if need_high < low else Fraction(1)


def _odds(plays: Fraction, winners: Fraction) -> Fraction | None:
    return plays / winners if winners > 0 else None
