"""The Plays of a log that ended last, by their numbers, and where each was judged.

Very many of them end at once, and hardly ever is one of them asked for: until then they are
held by where their names are, and have none.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from .digests import number_of

if TYPE_CHECKING:
    from .kernels.events import Plain
    from .shards import Shard
    from .watch import Watch

__all__ = ["Ended"]


class _Many(NamedTuple):
    """Plays that are plainly right, in the order of their ends."""

    plain: Plain
    places: Any
    shard: Shard

    def has(self, number: int) -> bool:
        return bool((self.plain.numbers[self.places] == number).any())


class _One(NamedTuple):
    """A Play, and the number that stands for its own."""

    play: str
    number: int
    held: Watch | Shard


class Ended:
    """So many Plays at ``most``: where one more comes, that which ended first is let go of.

    What is held of a Play is the watch over it, or the shard in which it was judged apart.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._named: dict[str, Watch | Shard] = {}
        self._later: deque[_Many | _One] = deque()  # than all that are named
        self._count = 0  # of these

    def __iter__(self) -> Iterator[str]:
        self._name()
        return iter(self._named)

    def get(self, play: str) -> Watch | Shard | None:
        """Return what is held of a Play; None where it did not end, or not of late."""
        self._name()
        return self._named.get(play)

    def put(self, play: str, held: Watch | Shard) -> None:
        """Note a Play that ended; one that is here already keeps its place."""
        if self._later and play not in self._named:
            number = number_of(play)
            if not any(_has(one, number) for one in self._later):
                self._later.append(_One(play, number, held))
                self._count += 1
                self._make_room()
                return
            self._name()
        self._named[play] = held
        self._make_room()

    def put_all(self, plain: Plain, first: int, last: int, shard: Shard) -> None:
        """Note those that ended from one event of theirs to another; none of them is here."""
        places = plain.ended(first, last)[-self._most :]
        if len(places):
            self._later.append(_Many(plain, places, shard))
            self._count += len(places)
            self._make_room()

    def _make_room(self) -> None:
        over = len(self._named) + self._count - self._most
        while over > 0 and self._named:
            del self._named[next(iter(self._named))]
            over -= 1
        while over > 0:
            first = self._later.popleft()
            size = 1 if isinstance(first, _One) else len(first.places)
            if size > over and isinstance(first, _Many):
                self._later.appendleft(first._replace(places=first.places[over:]))
            self._count -= min(size, over)
            over -= size

    def _name(self) -> None:
        """Give all of them their names."""
        for one in self._later:
            if isinstance(one, _One):
                self._named[one.play] = one.held
            else:
                for place in one.places.tolist():
                    self._named[one.plain.name(place)] = one.shard
        self._later.clear()
        self._count = 0


def _has(one: _Many | _One, number: int) -> bool:
    return one.number == number if isinstance(one, _One) else one.has(number)
