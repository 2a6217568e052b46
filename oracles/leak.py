"""Plays with equal beginnings: what they show has to be equal until they part.

What the game knows of is compared with the rules anyway; here it is about all else that a build
shows, which may tell an outcome too early.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from typing import Any

import msgspec

__all__ = ["Beginnings"]

_MOST = 100_000
_NOTHING = b""


class Beginnings:
    """What was shown after each beginning of a Play, the latest ``most`` of them.

    A beginning is a number made of what was revealed and chosen so far.
    """

    def __init__(self, most: int = _MOST) -> None:
        self._most = most
        self._seen: dict[int, tuple[bytes, str]] = {}

    def parted(self, beginning: int, play: str, shown: Mapping[str, Any]) -> str | None:
        """Return another Play that began alike and showed something else; None if none did."""
        digest = _digest(shown) if shown else _NOTHING
        earlier = self._seen.get(beginning)
        if earlier is None:
            if len(self._seen) >= self._most:
                self._seen.clear()
            self._seen[beginning] = (digest, play)
            return None
        return earlier[1] if earlier[0] != digest else None


def _digest(shown: Mapping[str, Any]) -> bytes:
    try:
        text = msgspec.json.encode(shown, order="deterministic")
    except (TypeError, ValueError, OverflowError, RecursionError):
        text = b"?"  # what an adapter made that JSON has no word for
    return blake2b(text, digest_size=8).digest()
