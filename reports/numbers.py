"""How numbers are written for people, where no game is at hand."""

from __future__ import annotations

__all__ = ["seconds", "some"]


def seconds(time: float) -> str:
    """Write a time (seconds).

    >>> seconds(0.123), seconds(75.0)
    ('0.12 s', '75.0 s')
    """
    return f"{time:.2f} s" if time < 10 else f"{time:.1f} s"


def some(count: int, one: str, many: str = "") -> str:
    """Write a count with its noun.

    >>> some(1, "step"), some(3, "step"), some(2, "property", "properties")
    ('1 step', '3 steps', '2 properties')
    """
    return f"{count:,} {one if count == 1 else many or one + 's'}"
