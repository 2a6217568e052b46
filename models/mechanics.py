"""Mechanics that many games share: meters, ladders, capped levels, countdowns, things laid out.

Each is a pure function on numbers or terms; none knows a game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from .algebra import Bool, Int, all_of, count_of, maximum, minimum, pick_by, total, where

__all__ = [
    "Filled",
    "Meter",
    "capped",
    "count_each",
    "countdown",
    "crossed",
    "dealt",
    "dealt_at",
    "ends_of",
    "fill",
    "meter",
    "place_of",
]


@dataclass(frozen=True)
class Meter:
    """What a meter holds after a step, and how many times it was filled by it."""

    left_over: Int
    unlocked: Int


def meter(pips: Int, size: int, most: int | None = None) -> Meter:
    """Fill a meter of ``size`` pips that empties when full; what is over carries on.

    ``most`` says how many pips there can be; the term is then free of division, which solvers
    are slow at.

    >>> meter(14, size=6)
    Meter(left_over=2, unlocked=2)
    """
    if most is None:
        return Meter(left_over=pips % size, unlocked=pips // size)
    unlocked = count_of(pips >= full for full in range(size, most + 1, size))
    return Meter(left_over=pips - size * unlocked, unlocked=unlocked)


@dataclass(frozen=True)
class Filled:
    """What a row, ladder or box holds after a step, and what happened on the way."""

    holds: Int
    surplus: Int
    completed: Bool


def fill(have: Int, got: Int, size: Int) -> Filled:
    """Fill a row, ladder or box that keeps what it has and holds no more than ``size``.

    ``completed`` is true only in the step that fills the last place.

    >>> fill(4, 3, size=6)
    Filled(holds=6, surplus=1, completed=True)
    """
    return Filled(
        holds=minimum(have + got, size),
        surplus=maximum(0, have + got - size),
        completed=crossed(have, have + got, size),
    )


def crossed(before: Int, after: Int, mark: Int) -> Bool:
    """Return whether a count reached or passed a mark in this step."""
    return all_of(before < mark, after >= mark)


def capped(level: Int, raised: Int, cap: Int) -> Int:
    """Raise a level, never above its cap."""
    return minimum(level + raised, cap)


def countdown(left: Int) -> Int:
    """Take one from a count, never below nothing."""
    return where(left > 0, left - 1, 0)


def dealt(numbers: Sequence[Int], size: int, rest: int = 0) -> list[Int]:
    """Return ``size`` places that things of several kinds are laid into, one after the other.

    ``numbers`` says how many there are of each kind. A place holds the number of its kind,
    which counts from 1, and ``rest`` where nothing is left to lay.

    >>> dealt([2, 0, 1], size=5)
    [1, 1, 3, 0, 0]
    """
    if all(isinstance(number, int) for number in numbers):  # the same, sooner
        pairs = enumerate(cast("Sequence[int]", numbers), start=1)
        laid: list[Int] = [kind for kind, number in pairs for _ in range(number)]
        return [*laid, *[rest] * (size - len(laid))][:size]
    ends = ends_of(numbers)
    return [dealt_at(ends, place, rest) for place in range(size)]


def dealt_at(ends: Sequence[Int], place: Int, rest: int = 0) -> Int:
    """Return the kind that ``dealt`` lays into a place, counted from 0.

    >>> [dealt_at(ends_of([2, 0, 1]), place) for place in range(5)]
    [1, 1, 3, 0, 0]
    """
    kinds = enumerate(ends, start=1)
    return pick_by([*((place < end, kind) for kind, end in kinds), (True, rest)])


def ends_of(numbers: Sequence[Int]) -> list[Int]:
    """Return where each kind ends that ``dealt`` lays: the place after its last one."""
    return [total(numbers[: kind + 1]) for kind in range(len(numbers))]


def count_each(values: Sequence[Int], kinds: Sequence[Int]) -> list[Int]:
    """Return how many of the values are each of these kinds.

    >>> count_each([1, 3, 1], kinds=[1, 2, 3])
    [2, 0, 1]
    """
    if all(isinstance(value, int) for value in values):
        return [_count(values, kind) for kind in kinds]
    return [count_of(value == kind for value in values) for kind in kinds]


def _count(values: Sequence[Int], kind: Int) -> Int:
    known = isinstance(kind, int)
    return values.count(kind) if known else count_of(value == kind for value in values)


def place_of(wanted: Int, values: Sequence[Int]) -> Int:
    """Return the first place, from 0, that holds a value; the last place if none does.

    >>> place_of(7, [5, 7, 7])
    1
    """
    return pick_by([(value == wanted, place) for place, value in enumerate(values)])
