"""Sums: what a counter can come to by so many changes of a few amounts each.

Three spins of a wheel that shows £5, £10 or £50 make £65, and nothing else between £60 and
£70. A spin that collects any number of £5 and £12 makes £17, but never £11. Which sums there
are is worked out by adding amounts to all sums so far at once, each sum one bit of a number
(the coin problem, by the dynamic programming of Bellman 1957).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from functools import cached_property

from ..models.algebra import Bool, Int, IntTerm, any_of, negate
from .changes import Amounts, Change

__all__ = ["Sums", "sums_of"]

# Sums of more units are not worked out, nor are sums of more changes counted: these may be
# possible.
_BITS = 4_000_000
_MOST = 1024


class Sums:
    """What one counter can come to: its start, and what each rule that changes it may add."""

    def __init__(self, start: int, adds: Mapping[str, Change]) -> None:
        """``adds`` has the rules that change the counter, by known amounts or coins."""
        self.start, self.adds = start, adds
        self._powers: dict[str, list[int]] = {rule: [1] for rule in adds}

    @cached_property
    def _unit(self) -> int:
        return math.gcd(*(change.step for change in self.adds.values()))

    def possible(self, value: int, times: Mapping[str, int]) -> bool:
        """Return whether the counter can be ``value`` once each rule was taken so often."""
        units, rest = divmod(value - self.start, self._unit)
        if rest or units < 0:
            return False
        if units > _BITS:
            return True
        if units > self._reach(times):
            return False
        made, coins = 1, set[int]()
        for rule, change in self.adds.items():
            if change.amounts is not None and times[rule] <= _MOST:
                made = self._with(made, rule, times[rule])
            elif times[rule]:
                coins.update(self._in_units(change.coins))
        return bool(_paid_with(made, sorted(coins), units) >> units & 1)

    def _reach(self, times: Mapping[str, int]) -> float:
        """Return what the counter may gain at most, in units, if rules are taken so often."""
        reach = 0
        for rule, change in self.adds.items():
            if change.amounts is None or times[rule] > _MOST:
                if times[rule]:
                    return math.inf
            else:
                reach += times[rule] * (max(change.amounts) // self._unit)
        return reach

    def refusal(
        self, now: IntTerm, value: int, often: Mapping[str, Int], times: Mapping[str, int]
    ) -> Bool | None:
        """Return why the counter is not ``value`` where rules are taken so many times.

        It is said of any number of times, ``often``, as far as it can be. None where the
        value is possible.
        """
        if self.possible(value, times):
            return None
        if not self.possible(value, dict.fromkeys(times, _MOST + 1)):
            return now != value
        counted = [rule for rule in times if self.adds[rule].amounts is not None]
        others: list[Bool] = []
        for rule, n in times.items():
            if rule not in counted:
                others.append(often[rule] < 1 if n else often[rule] >= 1)
            elif len(counted) > 1:
                others.append(negate(often[rule] == n))
            else:
                fewest, most = self._in_vain(value, times, rule)
                others += [often[rule] < fewest, often[rule] > most]
        return any_of(now != value, others)

    def _in_vain(self, value: int, times: Mapping[str, int], rule: str) -> tuple[int, int]:
        """Return a range of impossible numbers of times around the given one of a rule.

        It goes up to twice as often: to know of more takes longer than to ask again.
        """
        few = many = times[rule]
        while few and not self.possible(value, {**times, rule: few - 1}):
            few -= 1
        while many < min(2 * times[rule] + 16, _MOST) and not self.possible(
            value, {**times, rule: many + 1}
        ):
            many += 1
        return few, many

    def split(self, value: int, times: Mapping[str, int]) -> Mapping[str, tuple[int, ...]]:
        """Return amounts, greatest first, that make up a possible value; nothing where unknown.

        They are those of the one rule that changes the counter, as many as it is taken.
        """
        if len(self.adds) != 1 or not self.possible(value, times):
            return {}
        ((rule, change),) = self.adds.items()
        if change.amounts is None or times[rule] > _MOST:
            return {}
        left, units, found = (
            (value - self.start) // self._unit,
            self._in_units(change.amounts),
            [],
        )
        for powers in reversed(self._powers[rule][: times[rule]]):
            found.append(max(one for one in units if one <= left and powers >> left - one & 1))
            left -= found[-1]
        return {rule: tuple(one * self._unit for one in found)}

    def _with(self, sums: int, rule: str, times: int) -> int:
        """Return sums, bit n for n units, with a rule's amounts added so often."""
        units = self._in_units(self.adds[rule].amounts)
        if sums != 1:
            for _ in range(times):
                sums = _added(sums, units)
            return sums
        powers = self._powers[rule]
        while len(powers) <= times:
            powers.append(_added(powers[-1], units))
        return powers[times]

    def _in_units(self, amounts: Amounts | None) -> list[int]:
        return sorted(one // self._unit for one in amounts or ())


def sums_of(start: int, changes: Mapping[str, Change | None]) -> Sums | None:
    """Return the sums of a counter, or None where its changes say no more than their ends do.

    ``changes`` are those of each rule.
    """
    adds: dict[str, Change] = {}
    for rule, change in changes.items():
        if change is None or change.coins is None:
            return None
        if not change.nothing:
            adds[rule] = change
    return Sums(start, adds) if any(map(_has_gaps, adds.values())) else None


def _has_gaps(change: Change) -> bool:
    """Return whether some multiple of the step between the ends is no amount."""
    if change.amounts is None:
        return min(change.coins or {change.step}) > change.step
    reach = max(change.amounts) - min(change.amounts)
    return change.step > 0 and len(change.amounts) <= reach // change.step


def _paid_with(sums: int, coins: Iterable[int], most: int) -> int:
    """Return sums up to ``most`` with any number of coins added."""
    mask = (1 << most + 1) - 1
    made = sums & mask
    for coin in coins:
        more = coin
        while more <= most:  # 1, then 2, then 4 of it on top of what there is
            made |= made << more & mask
            more *= 2
    return made


def _added(sums: int, amounts: Iterable[int]) -> int:
    made = 0
    for amount in amounts:
        made |= sums << amount
    return made
