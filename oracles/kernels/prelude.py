"""Words that compiled rules and loops are written in: numbers in records, hashes of tuples.

All of this is Python that numba compiles, and that runs as it is, only slowly. Arrays of bytes
are unsigned; numbers in them are signed. What is worked out modulo 2^64 is so on purpose.
"""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = [
    "large",
    "load1",
    "load2",
    "load4",
    "pick",
    "small",
    "store1",
    "store2",
    "store4",
    "tuple_begun",
    "tuple_ended",
    "tuple_with",
]

Bytes = Any

# Those of CPython's tuples (Objects/tupleobject.c, after xxHash) and of its numbers.
_PRIME_1 = np.uint64(11400714785074694791)
_PRIME_2 = np.uint64(14029467366897019727)
_PRIME_5 = np.uint64(2870177450012600261)
_LENGTH = np.uint64(2870177450012600261 ^ 3527539)
_NEVER = np.uint64(0xFFFFFFFFFFFFFFFF)
_INSTEAD = np.uint64(1546275796)
_LEFT, _RIGHT = np.uint64(31), np.uint64(33)
_MODULUS = np.uint64((1 << 61) - 1)
_ZERO = np.uint64(0)
_MINUS_TWO = np.uint64(0xFFFFFFFFFFFFFFFE)


def load1(data: Bytes, at: int) -> Any:
    """Return the number of one byte at a place."""
    return (np.int64(data[at]) ^ 0x80) - 0x80


def load2(data: Bytes, at: int) -> Any:
    """Return the number of two bytes at a place."""
    number = np.int64(data[at]) | (np.int64(data[at + 1]) << 8)
    return (number ^ 0x8000) - 0x8000


def load4(data: Bytes, at: int) -> Any:
    """Return the number of four bytes at a place."""
    low = np.int64(data[at]) | (np.int64(data[at + 1]) << 8)
    high = np.int64(data[at + 2]) | (np.int64(data[at + 3]) << 8)
    return ((low | (high << 16)) ^ 0x80000000) - 0x80000000


def store1(data: Bytes, at: int, number: Any) -> None:
    """Put a number that fits into one byte."""
    data[at] = np.uint8(number & 255)


def store2(data: Bytes, at: int, number: Any) -> None:
    """Put a number that fits into two bytes."""
    data[at] = np.uint8(number & 255)
    data[at + 1] = np.uint8((number >> 8) & 255)


def store4(data: Bytes, at: int, number: Any) -> None:
    """Put a number that fits into four bytes."""
    data[at] = np.uint8(number & 255)
    data[at + 1] = np.uint8((number >> 8) & 255)
    data[at + 2] = np.uint8((number >> 16) & 255)
    data[at + 3] = np.uint8((number >> 24) & 255)


def pick(condition: Any, one: Any, other: Any) -> Any:
    """Return one or the other."""
    if condition:
        return one
    return other


def small(number: Any) -> Any:
    """Return the hash of a number of at most 32 bits, as it goes into that of a tuple."""
    return _MINUS_TWO if number == -1 else np.uint64(number)


def large(number: Any) -> Any:
    """Return the hash of a number of 64 bits, as it goes into that of a tuple."""
    if number >= 0:
        return np.uint64(number) % _MODULUS
    left = (_ZERO - np.uint64(number)) % _MODULUS
    if left == np.uint64(1):
        left = np.uint64(2)
    return _ZERO - left


def tuple_begun() -> Any:
    """Return the hash of a tuple of which nothing is known yet."""
    return _PRIME_5


def tuple_with(so_far: Any, lane: Any) -> Any:
    """Return the hash of a tuple with the hash of one more part."""
    more = so_far + np.uint64(lane) * _PRIME_2
    return ((more << _LEFT) | (more >> _RIGHT)) * _PRIME_1


def tuple_ended(so_far: Any, length: int) -> Any:
    """Return the hash of a tuple that has so many parts."""
    ended = so_far + (np.uint64(length) ^ _LENGTH)
    return _INSTEAD if ended == _NEVER else ended
