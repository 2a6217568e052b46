"""Money, an integer number of pence everywhere, as people write it."""

from __future__ import annotations

__all__ = ["pounds"]


def pounds(pence: int) -> str:
    """Write an amount (pence) in pounds.

    >>> pounds(100_000_000), pounds(1550), pounds(-5)
    ('£1,000,000', '£15.50', '-£0.05')
    """
    whole, rest = divmod(abs(pence), 100)
    sign = "-" if pence < 0 else ""
    return f"{sign}£{whole:,}" + (f".{rest:02}" if rest else "")
