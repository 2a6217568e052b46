"""Beginnings of Plays by the hundred thousand, for ``leak``: which were seen, and of whom."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from types import ModuleType
from typing import Any

import numpy as np

from .events import Plain

__all__ = ["Many"]

_FEW = 1000
_OF_OTHERS = 1 << 62

By = tuple[str, int | None]


class Many:
    """Numbers of beginnings, and the Play and its outcome (pence) that each was seen of first.

    Those of ``others`` are known here, too, though not by whom. ``words`` are compiled tables.
    """

    def __init__(self, words: ModuleType, most: int, others: Iterable[int]) -> None:
        self._words = words
        self._most = most
        size = 1 << (2 * most).bit_length()
        self._keys = np.zeros(size, np.int64)
        self._values = np.full(size, -1, np.int64)
        self._named: dict[int, By] = {}
        self._firsts: list[int] = []
        self._parts: list[tuple[Plain, Any]] = []
        self.count = 0
        for one in others:
            self.put(one)

    def __contains__(self, beginning: int) -> bool:
        return bool(self._values[self._place(beginning)] >= 0)

    def put(self, beginning: int) -> None:
        """Note a beginning that others know of."""
        place = self._place(beginning)
        self.count += int(self._values[place] < 0)
        self._keys[place], self._values[place] = beginning, _OF_OTHERS

    def find(self, beginning: int) -> By | None:
        """Return by whom a beginning was seen first; None where it was not, or by others."""
        value = int(self._values[self._place(beginning)])
        if value < 0 or value == _OF_OTHERS:
            return None
        if value in self._named:
            return self._named[value]
        part = bisect_right(self._firsts, value) - 1
        plain, owners = self._parts[part]
        return _by(plain, owners[value - self._firsts[part]])

    def note(self, plain: Plain, first: int, last: int) -> int:
        """Note beginnings of Plays from one event on; return up to which there was room."""
        fresh = np.zeros(last - first, np.int64)
        before = self.count
        reached, self.count = self._words.note(
            self._keys, self._values, plain.beginnings[:last], first, fresh, before, self._most
        )
        owners = plain.owners_of(fresh[: self.count - before])
        if len(owners) < _FEW:
            for value, owner in enumerate(owners, start=before):
                self._named[value] = _by(plain, owner)
        else:
            self._firsts.append(before)
            self._parts.append((plain, owners))
        return int(reached)

    def clear(self) -> None:
        """Forget all beginnings."""
        self._values.fill(-1)
        self._named.clear()
        self._firsts.clear()
        self._parts.clear()
        self.count = 0

    def _place(self, beginning: int) -> int:
        return int(self._words.place_in(self._keys, self._values, beginning))


def _by(plain: Plain, owner: int) -> By:
    return plain.name(owner), plain.amount(owner)
