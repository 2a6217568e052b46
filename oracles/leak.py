"""Plays with equal beginnings: what they show must not tell their outcomes apart.

What the game knows of is compared with the rules anyway; here it is about all else that a build
shows. A field that differs between Plays of one outcome, too, is noise, a time or a seed. One
that does not, and differs where the outcomes do, tells the outcome.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from types import ModuleType
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from .kernels.beginnings import Many
    from .kernels.events import Plain

__all__ = ["Beginnings", "Parted"]

_MOST = 100_000
_NOTHING: Mapping[str, bytes] = {}

_By = tuple[str, object, Mapping[str, bytes]]


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
        self._seen: dict[int, _By] = {}
        self.telling: set[int] = set()  # beginnings of which more was shown
        self._agreed: set[str] = set()
        self._noise: set[str] = set()
        self._many: Many | None = None

    def parted(
        self, beginning: int, play: str, outcome: object, shown: Mapping[str, Any]
    ) -> Parted | None:
        """Return how a Play differs from an earlier one with its outcome; None if not so.

        ``shown`` is what the game does not know of; ``outcome`` the predetermined amount.
        """
        earlier = self._earlier(beginning)
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
        seen, many = self._seen, self._many
        for one in beginnings:
            if one not in seen and one is not None and (many is None or one not in many):
                self._see(one, (play, outcome, _NOTHING))

    def note_all(self, plain: Plain, first: int, last: int, words: ModuleType) -> None:
        """Note those of very many Plays, from one event to another, as ``note`` does."""
        if self._many is None:
            from .kernels.beginnings import Many

            self._many = Many(words, self._most, self._seen)
        while (first := self._many.note(plain, first, last)) < last:
            self._clear()

    def _earlier(self, beginning: int) -> _By | None:
        earlier = self._seen.get(beginning)
        if earlier is None and self._many is not None:
            found = self._many.find(beginning)
            return None if found is None else (*found, _NOTHING)
        return earlier

    def _see(self, beginning: int, by: _By) -> None:
        if (len(self._seen) if self._many is None else self._many.count) >= self._most:
            self._clear()
        self._seen[beginning] = by
        if by[2]:
            self.telling.add(beginning)
        if self._many is not None:
            self._many.put(beginning)

    def _clear(self) -> None:
        self._seen.clear()
        self.telling.clear()
        if self._many is not None:
            self._many.clear()


def _digest(value: object) -> bytes:
    try:
        text = msgspec.json.encode(value, order="deterministic")
    except (TypeError, ValueError, OverflowError, RecursionError):
        text = b"?"  # what an adapter made that JSON has no word for
    return blake2b(text, digest_size=8).digest()
