"""Plays with equal beginnings: what they show must not tell their outcomes apart.

What the game knows of is compared with the rules anyway; here it is about all else that a build
shows. A field that differs between Plays of one outcome, too, is noise, a time or a seed. One
that does not, and differs where the outcomes do, tells the outcome.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

import msgspec

__all__ = ["Beginnings", "Parted"]

_MOST = 100_000
_NOTHING: Mapping[str, bytes] = {}


@dataclass(frozen=True)
class Parted:
    """Fields that differ from what another Play showed which began alike.

    ``certain`` where Plays of one outcome were seen to agree on them.
    """

    other: str
    fields: tuple[str, ...]
    certain: bool


class Beginnings:
    """What was shown after each beginning of a Play, ``most`` of them at a time.

    A beginning is a number made of what was revealed and chosen so far. Where ``all_tell``,
    there is no noise: whatever differs is a leak, equal outcomes or not.
    """

    def __init__(self, most: int = _MOST, all_tell: bool = False) -> None:
        self._most = most
        self._all_tell = all_tell
        self._seen: dict[int, tuple[str, object, Mapping[str, bytes]]] = {}
        self.telling: set[int] = set()  # beginnings of which more was shown
        self._agreed: set[str] = set()
        self._noise: set[str] = set()

    def parted(
        self, beginning: int, play: str, outcome: object, shown: Mapping[str, Any]
    ) -> Parted | None:
        """Return how a Play differs from an earlier one with its outcome; None if not so.

        ``shown`` is what the game does not know of; ``outcome`` the predetermined amount.
        """
        earlier = self._seen.get(beginning)
        if earlier is None:
            digests = {name: _digest(value) for name, value in shown.items()}
            self._see(beginning, (play, outcome, digests))
            return None
        other, their_outcome, theirs = earlier
        if not shown and not theirs:
            return None
        ours = {name: _digest(value) for name, value in shown.items()}
        fields = [*dict.fromkeys([*ours, *theirs])]
        differ = {name for name in fields if ours.get(name) != theirs.get(name)}
        if self._all_tell:
            telling = [name for name in fields if name in differ]
            return Parted(other, tuple(telling), True) if telling else None
        if outcome is not None and outcome == their_outcome:
            self._noise |= differ
            self._agreed |= set(fields) - differ
            return None
        telling = [name for name in fields if name in differ and name not in self._noise]
        if not telling:
            return None
        return Parted(other, tuple(telling), self._agreed >= set(telling))

    def note(self, beginnings: Sequence[int | None], play: str, outcome: object) -> None:
        """Note beginnings of a Play (None: not known) of which nothing more was shown.

        They are not compared: none of them may be among ``telling``.
        """
        seen = self._seen
        for one in beginnings:
            if one not in seen and one is not None:
                self._see(one, (play, outcome, _NOTHING))

    def _see(self, beginning: int, by: tuple[str, object, Mapping[str, bytes]]) -> None:
        if len(self._seen) >= self._most:
            self._seen.clear()
            self.telling.clear()
        self._seen[beginning] = by
        if by[2]:
            self.telling.add(beginning)


def _digest(value: object) -> bytes:
    try:
        text = msgspec.json.encode(value, order="deterministic")
    except (TypeError, ValueError, OverflowError, RecursionError):
        text = b"?"  # what an adapter made that JSON has no word for
    return blake2b(text, digest_size=8).digest()
