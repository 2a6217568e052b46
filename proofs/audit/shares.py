"""Whether demands can be met where parts of winners are allowed: exactly, and without a solver.

Only two sums bind the rows together. For so many winners in all, the most is paid where they
win the largest prizes that there is room for, and the least where they win the smallest; both
grow with the number of winners. So the numbers of winners that pay enough begin somewhere, and
those that do not pay too much end somewhere (the fractional knapsack of Dantzig 1957).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from .rounding import Range

__all__ = ["Shares"]

End = Fraction | int | None


class Shares:
    """Rows with what their winners may be, and the sums over them; rows may be let go of.

    ``amounts`` are pence, all positive. A row that is let go of may have any number of winners.
    """

    def __init__(
        self,
        amounts: Sequence[int],
        rows: Sequence[Range],
        winners: Range | None,
        paid: Range | None,
    ) -> None:
        self.amounts = amounts
        self.winners, self.paid = winners, paid
        self.lows: list[int] = [max(low, 0) for low, _ in rows]
        self.highs: list[int | None] = [high for _, high in rows]
        self._rising = sorted(range(len(rows)), key=amounts.__getitem__)

    def possible(self) -> bool:
        """Return whether all demands can be met."""
        least, most = self.range_of_winners()
        return most is None or least <= most

    def range_of_winners(self) -> tuple[Fraction | int, End]:
        """Return between what the winners in all are; an empty range where nothing fits."""
        if any(h is not None and low > h for low, h in zip(self.lows, self.highs, strict=True)):
            return 1, 0
        fewest, most = self.winners or (0, None)
        least: Fraction | int = max(sum(self.lows), fewest)
        ends: list[Fraction | int] = [] if most is None else [most]
        if None not in self.highs:
            ends.append(sum(high for high in self.highs if high is not None))
        if self.paid is not None:
            at_least, at_most = self.paid
            if at_most is not None and at_least > at_most:
                return 1, 0
            enough, too_much = self._enough(at_least), self._too_much(at_most)
            if enough is None or (too_much is not None and too_much < 0):
                return 1, 0
            least = max(least, enough)
            ends += [] if too_much is None else [too_much]
        return least, min(ends, default=None)

    def let_go(self, row: int) -> None:
        """Let one row have any number of winners."""
        self.lows[row], self.highs[row] = 0, None

    def least_conflict(self, rows: Iterable[int]) -> tuple[tuple[int, ...], tuple[str, ...]]:
        """Return which rows and sums conflict: of ``rows`` and the sums none can be left out.

        There has to be a conflict. All others stay as they are.
        """
        kept = []
        for row in rows:
            before = self.lows[row], self.highs[row]
            self.let_go(row)
            if self.possible():
                self.lows[row], self.highs[row] = before
                kept.append(row)
        for name in ("winners", "paid"):
            wanted = getattr(self, name)
            setattr(self, name, None)
            if self.possible():
                setattr(self, name, wanted)
        sums = tuple(n for n in ("winners", "paid") if getattr(self, n) is not None)
        return tuple(kept), sums

    def _enough(self, wanted: int) -> Fraction | int | None:
        """Return the fewest winners that are paid so much; None where no number is."""
        left = wanted - sum(a * n for a, n in zip(self.amounts, self.lows, strict=True))
        number = sum(self.lows)
        for row in reversed(self._rising):
            if left <= 0:
                return number
            high = self.highs[row]
            if high is None or (high - self.lows[row]) * self.amounts[row] >= left:
                return number + Fraction(left, self.amounts[row])
            left -= (high - self.lows[row]) * self.amounts[row]
            number += high - self.lows[row]
        return number if left <= 0 else None

    def _too_much(self, wanted: int | None) -> Fraction | int | None:
        """Return the most winners that are paid no more; -1 where all are paid more."""
        if wanted is None:
            return None
        left = wanted - sum(a * n for a, n in zip(self.amounts, self.lows, strict=True))
        number = sum(self.lows)
        if left < 0:
            return -1
        for row in self._rising:
            high = self.highs[row]
            if high is None or (high - self.lows[row]) * self.amounts[row] >= left:
                return number + Fraction(left, self.amounts[row])
            left -= (high - self.lows[row]) * self.amounts[row]
            number += high - self.lows[row]
        return number
