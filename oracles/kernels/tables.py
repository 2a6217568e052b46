"""Sets of numbers in arrays, filled many at a time; numba compiles this."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["any_in", "note", "place_in", "put_in", "signed", "text_number", "text_numbers"]

Array = Any


def signed(number: Any) -> Any:
    """Return a number as one with a sign."""
    return np.int64(number)


def any_in(places: Array, numbers: Array) -> bool:
    """Return whether any number is in a set: an array with gaps, which are 0 (``Digests``)."""
    last = np.uint64(len(places) - 1)
    for at in range(len(numbers)):
        number = numbers[at] if numbers[at] != np.uint64(0) else np.uint64(1)
        place = number & last
        while places[place] != np.uint64(0):
            if places[place] == number:
                return True
            place = (place + np.uint64(1)) & last
    return False


def put_in(places: Array, numbers: Array) -> int:
    """Put numbers into such a set, which has room for them; return how many are new."""
    last = np.uint64(len(places) - 1)
    new = 0
    for at in range(len(numbers)):
        number = numbers[at] if numbers[at] != np.uint64(0) else np.uint64(1)
        place = number & last
        while places[place] != np.uint64(0) and places[place] != number:
            place = (place + np.uint64(1)) & last
        new += places[place] == np.uint64(0)
        places[place] = number
    return new


def place_in(keys: Array, values: Array, key: Any) -> int:
    """Return where a key is, or would be, in a map: arrays with gaps, where a value is -1."""
    last = np.uint64(len(keys) - 1)
    mixed = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
    place = (mixed >> np.uint64(32)) & last
    while values[place] >= 0 and keys[place] != key:
        place = (place + np.uint64(1)) & last
    found: int = signed(place)
    return found


def note(
    keys: Array, values: Array, noted: Array, first: int, fresh: Array, count: int, most: int
) -> tuple[int, int]:
    """Put what is new among ``noted``, from ``first`` on, into such a map, from ``count`` on.

    ``fresh`` is to have where each of these was. Return how far that went, before there would
    be more than ``most``, and how many there are.
    """
    before = count
    for at in range(first, len(noted)):
        place = place_in(keys, values, noted[at])
        if values[place] < 0:
            if count >= most:
                return at, count
            keys[place] = noted[at]
            values[place] = count
            fresh[count - before] = at
            count += 1
    return len(noted), count


def text_number(data: Array, first: int, last: int) -> Any:
    """Return the number that stands for a text, from its bytes: see ``digests``."""
    number = np.uint64(last - first)
    at = first
    while at < last:
        word = np.uint64(0)
        for place in range(min(8, last - at)):
            word |= np.uint64(data[at + place]) << np.uint64(8 * place)
        number = (number ^ word) * np.uint64(0x9E3779B97F4A7C15)
        number ^= number >> np.uint64(32)
        at += 8
    number *= np.uint64(0xD6E8FEB86659FD93)
    return number ^ (number >> np.uint64(32))


def text_numbers(data: Array, ends: Array) -> Array:
    """Return the numbers that stand for texts, by where in ``data`` each begins and ends."""
    numbers = np.zeros(len(ends) - 1, np.uint64)
    for at in range(len(numbers)):
        numbers[at] = text_number(data, ends[at], ends[at + 1])
    return numbers
