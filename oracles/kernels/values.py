"""Values in lines of JSON, as they stand there: numbers, flags, and texts up to their ends.

What is written in an unusual way is left for others to read. numba compiles this.
"""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = [
    "FLAG",
    "LAST",
    "NUMBER",
    "OUTCOME",
    "PAID",
    "PLAY",
    "STEP",
    "WON",
    "flag",
    "object_end",
    "text_end",
    "value",
    "whole_number",
]

# What follows a piece of a pattern that is the same in all lines.
LAST, NUMBER, FLAG, PLAY, STEP, PAID, OUTCOME, WON = 0, 1, 2, 3, 4, 5, 6, 7

Array = Any


def value(
    data: Array, at: int, kind: int, place: int, size: int, record: Array, numbers: Array
) -> int:
    """Read a value; return where it ends, -1 where none of its kind is.

    A number goes to a place of the record, with so many bytes, a flag with one; a step and
    what is paid go to ``numbers``.
    """
    if at >= len(data):
        return -1
    if kind == NUMBER:
        number, at = whole_number(data, at)
        most = 1 << (8 * size - 1)
        if at < 0 or number >= most or number < -most:
            return -1
        for offset in range(size):
            record[place + offset] = np.uint8((number >> (8 * offset)) & 255)
        return at
    if kind == FLAG:
        said, at = flag(data, at)
        record[place] = said
        return at
    if kind == PLAY:
        return text_end(data, at)
    if kind in (OUTCOME, WON):
        return object_end(data, at)
    number, at = whole_number(data, at)
    if at < 0 or number < 0:
        return -1
    numbers[kind - STEP] = number
    return at


def whole_number(data: Array, at: int) -> tuple[int, int]:
    """Return the number at a place and where it ends; -1 for that where none is there.

    None is there either where it is written in another way, or has more than 15 digits.
    """
    size = len(data)
    number: Any = np.int64(data[at]) - 48
    if at + 1 < size and 0 <= number <= 9 and not 48 <= data[at + 1] <= 57:
        return number, at + 1
    negative = data[at] == 45
    if negative:
        at += 1
    begun = at
    number = 0
    while at < size and 48 <= data[at] <= 57:
        number = number * 10 + np.int64(data[at] - 48)
        at += 1
        if at - begun > 15:
            return 0, -1
    if at == begun or (data[begun] == 48 and (at - begun > 1 or negative)):
        return 0, -1
    return -number if negative else number, at


def flag(data: Array, at: int) -> tuple[int, int]:
    """Return the flag at a place and where it ends; -1 for that where none is there."""
    if at + 5 > len(data):
        return 0, -1
    if data[at] == 116 and data[at + 1] == 114 and data[at + 2] == 117:
        return 1, at + 4 if data[at + 3] == 101 else -1
    if data[at] == 102 and data[at + 1] == 97 and data[at + 2] == 108:
        return 0, at + 5 if data[at + 3] == 115 and data[at + 4] == 101 else -1
    return 0, -1


def text_end(data: Array, at: int) -> int:
    """Return where the text at a place ends; -1 where it is empty, odd, or very long."""
    begun = at
    last = min(len(data), at + 1001)
    while at < last and data[at] != 34:
        if data[at] < 32 or data[at] > 126 or data[at] == 92:
            return -1
        at += 1
    return at if begun < at < last else -1


def object_end(data: Array, at: int) -> int:
    """Return where the object at a place ends; -1 where none is, or an odd one."""
    if data[at] != 123:
        return -1
    depth = 0
    quoted = False
    last = min(len(data), at + 4000)
    while at < last:
        one = data[at]
        if one < 32 or one > 126 or one == 92:
            return -1
        if one == 34:
            quoted = not quoted
        elif not quoted and one == 123:
            depth += 1
        elif not quoted and one == 125:
            depth -= 1
            if depth == 0:
                return at + 1
        at += 1
    return -1
