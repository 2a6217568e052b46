"""Winner counts that fit every row and both headlines: found, bounded, or proved not to exist.

The unknowns are whole winner counts of a pool of Plays, or shares of all Plays where there may
be any pool; all else is linear, so z3 decides it exactly. A conflict is a minimal set: an
unsatisfiable core, from which nothing can be left out (deletion filtering, Chinneck & Dravnieks
1991).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import z3

from ..deadline import answer_of
from .rounding import Range
from .shares import Shares

__all__ = [
    "MANY",
    "Conflict",
    "Demands",
    "Undecided",
    "conflict",
    "intervals",
    "least",
    "possible",
    "span",
]

# Rows up to which the least is looked for: conflicts, counts.
MANY = 1_000
# z3's resource units for one check.
_BUDGET = 20_000_000


class Undecided(Exception):
    """The solver's budget ran out."""


@dataclass(frozen=True)
class Demands:
    """What is asked of the winners of each row: ranges, and those of sums over all rows.

    ``paid`` is the range of the sum of winners times amount (pence). ``whole`` says whether
    winners are counted; else any numbers will do, as for shares of all Plays.
    """

    amounts: tuple[int, ...]
    rows: tuple[Range, ...]
    winners: Range | None
    paid: Range | None
    whole: bool = True

    def without_row(self, row: int) -> Demands:
        """Return the same demands but for one row, which may have any number of winners."""
        return replace(self, rows=(*self.rows[:row], (0, None), *self.rows[row + 1 :]))

    @property
    def hopeless(self) -> int:
        """How many of the rows have no number of winners by themselves."""
        return sum(high is not None and low > high for low, high in self.rows)


@dataclass(frozen=True)
class Conflict:
    """Demands that cannot all be met, none of which can be left out: row indexes, headlines."""

    rows: tuple[int, ...]
    headlines: tuple[str, ...]


class _Solver:
    """A solver with each demand under a literal of its own."""

    def __init__(self, demands: Demands) -> None:
        self.context = z3.Context()
        self.solver = z3.SolverFor("QF_LIA" if demands.whole else "QF_LRA", ctx=self.context)
        self.solver.set("rlimit", _BUDGET)
        self.counts = variables(demands, self.context)
        self.literals: dict[str, Any] = {}
        for count in self.counts:
            self.solver.add(count >= 0)
        for name, term, wanted in demanded(demands, self.counts):
            literal = self.literals[name] = z3.Bool(f"demand {name}", self.context)
            self.solver.add(z3.Implies(literal, z3.And(*within(term, wanted), self.context)))

    def check(self, *more: Any) -> bool:
        """Return whether all demands, and some more, can be met. Raises Undecided."""
        return self.decide([*self.literals.values(), *more])

    def decide(self, assumed: Sequence[Any]) -> bool:
        """Return whether what is assumed can be. Raises Undecided."""
        answer = answer_of(self.solver, *assumed)
        if answer == z3.unknown:
            raise Undecided
        return bool(answer == z3.sat)

    def values(self) -> list[int]:
        """Return the winners of each row, as last found."""
        model = self.solver.model()
        return [model.eval(one, model_completion=True).as_long() for one in self.counts]

    @contextmanager
    def also(self, *conditions: Any) -> Iterator[None]:
        """Assert conditions for a while."""
        self.solver.push()
        try:
            self.solver.add(*conditions)
            yield
        finally:
            self.solver.pop()


def variables(demands: Demands, context: z3.Context) -> list[Any]:
    """Return an unknown for the winners of each row."""
    make = z3.Int if demands.whole else z3.Real
    return [make(f"row.{n}", context) for n in range(len(demands.rows))]


def demanded(demands: Demands, counts: Sequence[Any]) -> Iterator[tuple[str, Any, Range]]:
    """Yield each demand: what it is called, the term it is about, the range of that."""
    for n, (count, wanted) in enumerate(zip(counts, demands.rows, strict=True)):
        yield f"row {n}", count, wanted
    if demands.winners is not None:
        yield "winners", z3.Sum(counts), demands.winners
    if demands.paid is not None:
        paid = [n * one for n, one in zip(demands.amounts, counts, strict=True)]
        yield "paid", z3.Sum(paid), demands.paid


def within(term: Any, wanted: Range) -> Iterator[Any]:
    """Yield that a term is in a range."""
    low, high = wanted
    yield term >= low
    if high is not None:
        yield term <= high


def possible(demands: Demands) -> bool:
    """Return whether all demands can be met. Raises Undecided."""
    if demands.hopeless:
        return False
    # Parts of winners are a quick test: nearly all that fails fails there.
    if not shares_of(demands).possible():
        return False
    return not demands.whole or _Solver(demands).check()


def shares_of(demands: Demands) -> Shares:
    """Return the same demands where parts of winners are allowed."""
    return Shares(demands.amounts, demands.rows, demands.winners, demands.paid)


def least(demands: Demands) -> tuple[int, ...] | None:
    """Return the lexicographically least counts that meet all demands; None if there are none.

    Rows are taken in table order, whole runs of them at their least where that goes. Of more
    than ``MANY`` rows they are some counts that meet all demands, not the least.
    """
    by = _Solver(demands)
    if not by.check():
        return None
    if len(by.counts) > MANY:
        return tuple(by.values())
    found, at, run = by.values(), 0, len(by.counts)
    lows = [max(0, low) for low, _ in demands.rows]
    while at < len(by.counts):
        run = min(run, len(by.counts) - at)
        chosen = range(at, at + run)
        with by.also(*(by.counts[n] == lows[n] for n in chosen)):
            fits = by.check()
            if fits:
                found = by.values()
        if fits:
            by.solver.add(*(by.counts[n] == lows[n] for n in chosen))
            at, run = at + run, run * 2
        elif run > 1:
            run //= 2
        else:
            low = _least_of(by, at, lows[at] + 1, found[at])
            by.solver.add(by.counts[at] == low)
            if not by.check():
                raise Undecided  # cannot be: a model with this value was found
            found = by.values()
            at += 1
    return tuple(found)


def _least_of(by: _Solver, row: int, low: int, high: int) -> int:
    """Return a row's least count, which is no more than ``high``."""
    while low < high:
        middle = (low + high) // 2
        with by.also(by.counts[row] <= middle):
            if by.check():
                high = by.values()[row]
            else:
                low = middle + 1
    return high


def _most_of(by: _Solver, row: int, low: int, high: int) -> int:
    """Return a row's greatest count, which is no less than ``low``."""
    while low < high:
        middle = (low + high + 1) // 2
        with by.also(by.counts[row] >= middle):
            if by.check():
                low = by.values()[row]
            else:
                high = middle - 1
    return low


def intervals(demands: Demands, plays: int) -> tuple[tuple[int, int], ...]:
    """Return the least and the greatest count of each row where all demands are met.

    There have to be counts that meet them. ``plays`` bounds those that no demand bounds.
    """
    by = _Solver(demands)
    if not by.check():
        raise ValueError("no counts meet these demands")
    first = by.values()
    lows, highs = list(first), list(first)

    def seen() -> None:
        for n, value in enumerate(by.values()):
            lows[n], highs[n] = min(lows[n], value), max(highs[n], value)

    found = []
    for n, (given_low, given_high) in enumerate(demands.rows):
        low, high = max(given_low, 0), plays if given_high is None else given_high
        for end in (low, high):
            if lows[n] > low if end == low else highs[n] < high:
                with by.also(by.counts[n] == end):
                    if by.check():
                        seen()
        least_ = lows[n] if lows[n] == low else _least_of(by, n, low + 1, lows[n])
        most = highs[n] if highs[n] == high else _most_of(by, n, highs[n], high - 1)
        found.append((least_, most))
    return tuple(found)


def conflict(demands: Demands) -> Conflict:
    """Return demands that cannot all be met, none of which can be left out.

    Of more than ``MANY`` rows all are kept, but for headlines. Raises ValueError if all of them
    can be met, Undecided where the budget ran out.
    """
    shares = shares_of(demands)
    if not shares.possible():
        few = len(demands.rows) <= MANY
        rows, sums = shares.least_conflict(range(len(demands.rows)) if few else ())
        if not (demands.whole and few):
            return Conflict(rows if few else tuple(range(len(demands.rows))), sums)
        by = _Solver(demands)  # fewer may conflict where winners are whole
        core = [*(f"row {n}" for n in rows), *sums]
    else:
        by = _Solver(demands)
        if by.check():
            raise ValueError("these demands can be met")
        names = {str(literal): name for name, literal in by.literals.items()}
        core = [names[str(one)] for one in by.solver.unsat_core()]
    for name in sorted(core, key=lambda one: one.startswith("row"), reverse=True):
        left = [one for one in core if one != name]
        if not by.decide([by.literals[one] for one in left]):
            core = left
    numbers = sorted(int(name.partition(" ")[2]) for name in core if name.startswith("row"))
    return Conflict(tuple(numbers), tuple(n for n in ("winners", "paid") if n in core))


def span(demands: Demands, name: str) -> tuple[Fraction, Fraction | None]:
    """Return what the winners of ``row N``, or all ``winners``, or ``paid``, are between.

    All demands but this one are met, parts of winners being allowed. None is no end.
    """
    context = z3.Context()
    counts = variables(replace(demands, whole=False), context)
    terms = {one: (term, wanted) for one, term, wanted in demanded(demands, counts)}
    ends: list[Fraction | None] = []
    for way in ("minimize", "maximize"):
        by = z3.Optimize(ctx=context)
        by.set("rlimit", _BUDGET)
        by.add(*(count >= 0 for count in counts))
        for one, (term, wanted) in terms.items():
            if one != name:
                by.add(*within(term, wanted))
        goal = getattr(by, way)(terms[name][0])
        if answer_of(by) != z3.sat:
            raise Undecided
        end = goal.value()
        known = z3.is_rational_value(end) or z3.is_int_value(end)
        ends.append(Fraction(str(end)) if known else None)
    low, high = ends
    return low or Fraction(0), high
