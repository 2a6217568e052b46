"""Mechanics that many games share: meters, ladders, capped levels, countdowns.

Each is a pure function on numbers or terms; none knows a game.
"""

from __future__ import annotations

from dataclasses import dataclass

from .algebra import Bool, Int, all_of, count_of, maximum, minimum, where

__all__ = ["Filled", "Meter", "capped", "countdown", "crossed", "fill", "meter"]


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
