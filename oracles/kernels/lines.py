"""Lines of JSON that look like lines seen before, read into records without decoding them.

A pattern (``patterns``) is what is the same in all such lines, with the values in between. What
does not fit it to the byte is left for others to read. numba compiles this.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .tables import place_in, text_number

__all__ = [
    "FLAG",
    "LAST",
    "NUMBER",
    "OUTCOME",
    "PAID",
    "PLAY",
    "STEP",
    "WON",
    "fits",
    "number_plays",
    "object_end",
    "read_lines",
    "whole_number",
]

# What follows a piece of a pattern that is the same in all lines.
LAST, NUMBER, FLAG, PLAY, STEP, PAID, OUTCOME, WON = 0, 1, 2, 3, 4, 5, 6, 7

Array = Any


def read_lines(
    data: Array,  # whole lines
    firsts: Array,  # of each pattern: its first piece, and where the last one ends
    pieces: Array,  # of each piece: its text, how long, what follows, to which place, how large
    texts: Array,
    sizes: Array,  # of the records of a reveal, a choice, a state: at most
    records: Array,  # for each line a record of each, one after the other
    ends: Array,  # of each line: where it begins and ends
    pattern: Array,  # of each line, -1 for none
    places: Array,  # of each line: from where to where its Play Number, outcome, parts won are
    numbers: Array,  # of each line: its step, and what is paid
) -> int:
    """Read lines; return how many there are."""
    at = line = 0
    latest = 0
    count = len(firsts) - 1
    width = sizes[0] + sizes[1] + sizes[2]
    after = np.zeros(count + 1, np.int64)
    while at < len(data):
        end = -1
        record = records[line * width : (line + 1) * width]
        first = after[latest]
        for offset in range(count):
            one = first + offset if first + offset < count else first + offset - count
            end = fits(
                data, at, firsts[one], firsts[one + 1], pieces, texts, sizes, record,
                places[line], numbers[line],
            )  # fmt: skip
            if end >= 0:
                after[latest] = one
                latest = one
                pattern[line] = one
                break
        if end < 0:
            pattern[line] = -1
            end = at
            while end < len(data) and data[end] != 10:
                end += 1
        ends[line, 0] = at
        ends[line, 1] = end
        line += 1
        at = end + 1
    return line


def fits(
    data: Array,
    at: int,
    first: int,
    last: int,
    pieces: Array,
    texts: Array,
    sizes: Array,
    record: Array,
    places: Array,
    numbers: Array,
) -> int:
    """Read a line by one pattern; return where it ends, -1 where it does not fit."""
    size = len(data)
    for piece in range(first, last):
        text, length, kind = pieces[piece, 0], pieces[piece, 1], pieces[piece, 2]
        if at + length > size:
            return -1
        for offset in range(length):
            if data[at + offset] != texts[text + offset]:
                return -1
        at += length
        if kind == LAST:
            return at if at == size or data[at] == 10 else -1
        if at >= size:
            return -1
        if kind == NUMBER:
            number, at = whole_number(data, at)
            if at < 0:
                return -1
            place, bytes_ = pieces[piece, 3], pieces[piece, 4]
            most = 1 << (8 * bytes_ - 1)
            if number >= most or number < -most:
                return -1
            for offset in range(bytes_):
                record[place + offset] = np.uint8((number >> (8 * offset)) & 255)
        elif kind == FLAG:
            if at + 5 > size:
                return -1
            if data[at] == 116 and data[at + 1] == 114 and data[at + 2] == 117:
                if data[at + 3] != 101:
                    return -1
                record[pieces[piece, 3]] = 1
                at += 4
            elif data[at] == 102 and data[at + 1] == 97 and data[at + 2] == 108:
                if data[at + 3] != 115 or data[at + 4] != 101:
                    return -1
                record[pieces[piece, 3]] = 0
                at += 5
            else:
                return -1
        elif kind == PLAY:
            begun = at
            while at < size and data[at] != 34:
                if data[at] < 32 or data[at] > 126 or data[at] == 92:
                    return -1
                at += 1
            if at == begun or at - begun > 1000 or at >= size:
                return -1
            places[0], places[1] = begun, at
        elif kind in (STEP, PAID):
            number, at = whole_number(data, at)
            if at < 0 or number < 0:
                return -1
            numbers[kind - STEP] = number
        else:
            begun = at
            at = object_end(data, at)
            if at < 0:
                return -1
            place = 2 * (kind - OUTCOME) + 2
            places[place], places[place + 1] = begun, at
    return -1


def whole_number(data: Array, at: int) -> tuple[int, int]:
    """Return the number at a place and where it ends; -1 for that where none is there.

    None is there either where it is written in another way, or has more than 15 digits.
    """
    size = len(data)
    negative = data[at] == 45
    if negative:
        at += 1
    begun = at
    number: Any = 0
    while at < size and 48 <= data[at] <= 57:
        number = number * 10 + np.int64(data[at] - 48)
        at += 1
        if at - begun > 15:
            return 0, -1
    if at == begun or (data[begun] == 48 and (at - begun > 1 or negative)):
        return 0, -1
    return -number if negative else number, at


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


def number_plays(
    data: Array,
    pattern: Array,
    places: Array,
    keys: Array,
    values: Array,
    plays: Array,
    numbers: Array,
) -> int:
    """Number the Plays of lines in the order of their first ones; return how many there are.

    ``keys`` and ``values`` are a map with room enough, from what stands for Play Numbers.
    """
    count = 0
    for line in range(len(pattern)):
        if pattern[line] < 0:
            continue
        number = text_number(data, places[line, 0], places[line, 1])
        place = place_in(keys, values, np.int64(number))
        if values[place] < 0:
            keys[place] = np.int64(number)
            values[place] = count
            numbers[count] = number
            count += 1
        plays[line] = values[place]
    return count
