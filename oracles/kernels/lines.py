"""Lines of JSON that look like lines seen before, read into records without decoding them.

A pattern (``patterns``) is what is the same in all such lines, with the values in between. What
does not fit it to the byte is left for others to read. Most lines differ in few values from the
line of their pattern before: what is the same is passed over many bytes at a time. numba
compiles this.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .rules_here import first_byte, load8
from .tables import place_in, text_number
from .values import LAST, OUTCOME, PLAY, value

__all__ = [
    "again",
    "alike",
    "alike_before",
    "fits",
    "number_plays",
    "read_lines",
]

Array = Any


def read_lines(
    data: Array,  # whole lines
    firsts: Array,  # of each pattern: its first piece, and where the last one ends
    pieces: Array,  # of each piece: its text, how long, what follows, to which place, how large
    texts: Array,
    width: int,  # of the records of a reveal, a choice and a state, one after the other
    records: Array,  # of each line
    ends: Array,  # of each line: where it begins and ends
    pattern: Array,  # of each line, -1 for none
    places: Array,  # of each line: from where to where its Play Number, outcome, parts won are
    numbers: Array,  # of each line: its step, and what is paid
) -> int:
    """Read lines; return how many there are."""
    at: Any = np.int64(0)  # a plain 0 has what takes it compiled twice
    line = latest = 0
    count = len(firsts) - 1
    after = np.zeros(count + 1, np.int64)
    before = np.full(count + 1, -1, np.int64)  # the line of each pattern that was read last
    spots = np.zeros((len(pieces), 2), np.int64)  # where in that line each value is
    while at < len(data):
        end = -1
        record = records[line * width : (line + 1) * width]
        first = after[latest]
        for offset in range(count):
            one = first + offset if first + offset < count else first + offset - count
            like = before[one]
            if like >= 0:
                for place in range(width):
                    record[place] = records[like * width + place]
                numbers[line, 0], numbers[line, 1] = numbers[like, 0], numbers[like, 1]
                end = again(
                    data, at, ends[like, 0], ends[like, 1], firsts[one], firsts[one + 1],
                    pieces, spots, record, numbers[line],
                )  # fmt: skip
                if end < -1:
                    before[one] = -1  # its spots are those of no line
            else:
                for place in range(width):
                    record[place] = 0
                numbers[line, 0] = numbers[line, 1] = 0  # not what another pattern left
                end = fits(
                    data, at, firsts[one], firsts[one + 1], pieces, texts, spots, record,
                    numbers[line],
                )  # fmt: skip
            if end >= 0:
                after[latest] = one
                latest = one
                pattern[line] = one
                before[one] = line
                for piece in range(firsts[one], firsts[one + 1]):
                    kind = pieces[piece, 2]
                    if kind == PLAY or kind >= OUTCOME:
                        place = 0 if kind == PLAY else 2 * (kind - OUTCOME) + 2
                        places[line, place] = at + spots[piece, 0]
                        places[line, place + 1] = at + spots[piece, 1]
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
    begun: int,
    first: int,
    last: int,
    pieces: Array,
    texts: Array,
    spots: Array,
    record: Array,
    numbers: Array,
) -> int:
    """Read a line by one pattern; return where it ends, -1 where it does not fit."""
    at = begun
    for piece in range(first, last):
        text, length, kind = pieces[piece, 0], pieces[piece, 1], pieces[piece, 2]
        if at + length > len(data):
            return -1
        for offset in range(length):
            if data[at + offset] != texts[text + offset]:
                return -1
        at += length
        spots[piece, 0] = at - begun
        if kind == LAST:
            spots[piece, 1] = at - begun
            return at if at == len(data) or data[at] == 10 else -1
        at = value(data, at, kind, pieces[piece, 3], pieces[piece, 4], record, numbers)
        if at < 0:
            return -1
        spots[piece, 1] = at - begun
    return -1


def again(
    data: Array,
    begun: int,
    like: int,
    like_end: int,
    first: int,
    last: int,
    pieces: Array,
    spots: Array,
    record: Array,
    numbers: Array,
) -> int:
    """Read a line by one before that has its pattern, whose record and numbers it gets.

    Return where it ends; -1 where it does not fit the pattern, -2 where, moreover, ``spots``
    are no longer those of the line before.
    """
    length = like_end - like
    same = shift = 0  # bytes of the line before that are passed; by how much more of this one
    off = -1
    piece = first
    while True:
        most = min(length - same, len(data) - begun - same - shift)
        same += alike(data, like + same, begun + same + shift, most)
        if same == length:
            break
        while piece < last and spots[piece, 1] < same:
            spots[piece, 0] += shift
            spots[piece, 1] += shift
            piece += 1
        if piece == last or spots[piece, 0] > same or pieces[piece, 2] == LAST:
            return off
        at = begun + spots[piece, 0] + shift
        at = value(
            data, at, pieces[piece, 2], pieces[piece, 3], pieces[piece, 4], record, numbers
        )
        if at < 0:
            return off
        same = spots[piece, 1]
        spots[piece, 0] += shift
        spots[piece, 1] = at - begun
        shift = at - begun - same
        if shift != 0:
            off = -2
        piece += 1
    end = begun + length + shift
    if end < len(data) and data[end] != 10:
        return off
    if shift != 0:
        for later in range(piece, last):
            spots[later, 0] += shift
            spots[later, 1] += shift
    return end


def alike(data: Array, one: int, other: int, most: int) -> int:
    """Return how many bytes are the same at two places, of so many."""
    count = 0
    while count + 8 <= most:
        differ = load8(data, one + count) ^ load8(data, other + count)
        if differ != np.uint64(0):
            return count + first_byte(differ)
        count += 8
    while count < most and data[one + count] == data[other + count]:
        count += 1
    return count


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


def alike_before(data: Array, texts: Array, numbers: Array) -> Array:
    """Return for each of many the first that has the same two texts and numbers.

    ``texts`` has where in ``data`` each text begins and ends. Where two differ that are taken
    for the same at first sight, the later one is its own.
    """
    size = 2
    while size < 2 * len(texts):
        size *= 2
    keys, values = np.zeros(size, np.int64), np.full(size, -1, np.int64)
    found = np.zeros(len(texts), np.int64)
    for at in range(len(texts)):
        one, other = texts[at, 0], texts[at, 2]
        mixed = text_number(data, one, texts[at, 1])
        mixed = mixed * np.uint64(31) + text_number(data, other, texts[at, 3])
        mixed = mixed * np.uint64(31) + np.uint64(numbers[at, 0])
        key = np.int64(mixed * np.uint64(31) + np.uint64(numbers[at, 1]))
        place = place_in(keys, values, key)
        if values[place] < 0:
            keys[place] = key
            values[place] = at
        like = values[place]
        first, second = texts[at, 1] - one, texts[at, 3] - other
        same = (
            numbers[like, 0] == numbers[at, 0]
            and numbers[like, 1] == numbers[at, 1]
            and texts[like, 1] - texts[like, 0] == first
            and texts[like, 3] - texts[like, 2] == second
            and alike(data, texts[like, 0], one, first) == first
            and alike(data, texts[like, 2], other, second) == second
        )
        found[at] = like if same else at
    return found
