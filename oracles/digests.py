"""A set of very many 64-bit numbers, in little room.

A log may hold millions of Plays, and each Play Number has to be known again. A set of Python's
takes some 90 bytes for each; here it is an array with gaps, 12 to 24 bytes for each.
"""

from __future__ import annotations

from array import array
from typing import Any

__all__ = ["Digests", "number_of"]

_FIRST = 1 << 10


class Digests:
    """A set of numbers below 2^64, spread evenly; nothing is ever taken out.

    >>> seen = Digests()
    >>> seen.add(7), 7 in seen, 8 in seen, len(seen)
    (None, True, False, 1)
    """

    def __init__(self) -> None:
        self._places = array("Q", bytes(8 * _FIRST))  # 0 is a gap
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def __contains__(self, number: int) -> bool:
        return self._places[self._place(number or 1)] != 0

    def add(self, number: int) -> None:
        """Put a number in; 0 counts as 1."""
        place = self._place(number or 1)
        if not self._places[place]:
            self._places[place] = number or 1
            self._count += 1
            if 3 * self._count > 2 * len(self._places):
                self._grow()

    def any_of(self, numbers: Any, words: Any) -> bool:
        """Return whether any of an array of numbers is here; ``words`` are compiled tables."""
        return bool(words.any_in(words.unsigned(self._places), numbers))

    def add_all(self, numbers: Any, words: Any) -> None:
        """Put an array of numbers in; ``words`` are compiled tables."""
        while 3 * (self._count + len(numbers)) > 2 * len(self._places):
            self._grow(words)
        self._count += int(words.put_in(words.unsigned(self._places), numbers))

    def _place(self, number: int) -> int:
        """Return where a number is, or would be."""
        places = self._places
        last = len(places) - 1
        place = number & last
        while (there := places[place]) and there != number:
            place = (place + 1) & last
        return place

    def _grow(self, words: Any = None) -> None:
        before = self._places
        self._places = places = array("Q", bytes(16 * len(before)))
        if words is not None:
            all_ = words.unsigned(before)
            words.put_in(words.unsigned(places), all_[all_ != 0])
            return
        for number in before:
            if number:
                places[self._place(number)] = number


_WORDS = 0x9E3779B97F4A7C15
_LAST = 0xD6E8FEB86659FD93
_ALL = (1 << 64) - 1


def number_of(play: str) -> int:
    """Return a number of 64 bits that stands for a Play Number.

    It mixes eight bytes at a time, so that compiled tables come to the same in no time.
    """
    data = play.encode()
    number = len(data)
    for at in range(0, len(data), 8):
        word = int.from_bytes(data[at : at + 8], "little")
        number = (number ^ word) * _WORDS & _ALL
        number ^= number >> 32
    number = number * _LAST & _ALL
    return number ^ (number >> 32)
