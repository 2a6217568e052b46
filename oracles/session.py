"""The Plays of one log, told apart by their numbers, however they are interleaved.

Most Plays of a log need no more of the others than to know that none had their number. These
may be judged apart (see ``sift``), and are only noted here, in their place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import ModuleType
from typing import TYPE_CHECKING

from .digests import Digests, number_of
from .ended import Ended
from .event import START, Event, Where
from .finding import Finding
from .purse import OF_A_PLAY
from .settled import Settled, Sifted, watched_again
from .watch import Watch

if TYPE_CHECKING:
    from .judge import Judge
    from .kernels.events import Plain
    from .shards import Shard

__all__ = ["Session"]

_MOST_OPEN = 10_000
_MOST_ENDED = 1_000
_MOST_TOLD = 1_000


class Session:
    """The Plays of one log: those open, those just ended, and the numbers of all others.

    Of those just ended that were judged apart only the shard is held where they stand.
    """

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._summary = judge.summary
        self._open: dict[str, Watch] = {}
        self._ended = Ended(_MOST_ENDED)
        self._seen = Digests()
        self._left_out = Digests()
        self._told: set[str] = set()
        self._file = ""  # in which the first Play is
        self.words: ModuleType | None = None  # compiled tables

    def see(self, event: Event, where: Where) -> Iterable[Finding]:
        """Return what is wrong with an event."""
        self._summary.events += 1
        self._summary.showing += bool(event.shows)
        watch = self._open.get(event.play)
        if watch is None or event.event == START:
            return self._begin(event, where)
        found = watch.see(event, where)
        if watch.over:
            self._close(watch)
        return found

    def end(self) -> Iterator[Finding]:
        """Yield what is wrong where no event follows."""
        for watch in self._open.values():
            yield from watch.end()
        if not self._seen:
            yield Finding("empty", "no Play was there to be judged")
        elif not self._summary.showing and self._summary.not_judged < self._summary.plays:
            message = "no event shows anything of the state: what was shown is not judged"
            yield Finding("undecided", message, Where(self._file))

    # Plays that were judged apart

    def takes(self, sifted: Sifted) -> bool:
        """Return whether what was judged apart is so in this log, too.

        It is not where something was shown that the game does not know of, which is to be
        compared with other Plays, where so many are open that one has to be ended, and where
        a solver may have taken all its steps for this log.
        """
        most = OF_A_PLAY * (sifted.left + 1)
        if sifted.steps and sifted.steps + most > self._judge.purse.left:
            return False
        most_open = sifted.most_open + (sifted.plain.most_open if sifted.plain else 0)
        if sifted.unsifted or len(self._open) + len(sifted.raw) + most_open > _MOST_OPEN:
            return False
        if sifted.plain is not None and not self._takes_plain(sifted.plain):
            return False
        for settled in sifted.plays:
            court = self._judge.court_known(settled.readings)
            if court is None:
                return False
            telling = court.beginnings.telling
            if telling and not telling.isdisjoint(settled.beginnings):
                return False
        return True

    def begin(self, settled: Settled, name: str) -> list[Finding]:
        """Note that a Play began that was judged apart; return what is wrong with that."""
        found = []
        if settled.number in self._seen:
            self._open.pop(settled.play, None)
            found = [_second(settled.play, 0, Where(name, settled.line))]
        self._seen.add(settled.number)
        self._file = self._file or name
        return found

    def close(self, settled: Settled, shard: Shard) -> None:
        """Note that a Play ended that was judged apart, in a shard."""
        self._ended.put(settled.play, shard)

    def note_plain(self, plain: Plain, first: int, last: int, shard: Shard) -> None:
        """Note Plays that are plainly right, from one of their events to another."""
        if self.words is None:
            raise RuntimeError("without compiled tables there are no such Plays")
        begun = plain.first.searchsorted([first, last])
        self._seen.add_all(plain.numbers[begun[0] : begun[1]], self.words)
        self._file = self._file or shard.name
        self._ended.put_all(plain, first, last, shard)

    def _takes_plain(self, plain: Plain) -> bool:
        telling = self._judge.own.beginnings.telling
        if telling and not telling.isdisjoint(plain.beginnings.tolist()):
            return False
        return self.words is not None and not self._seen.any_of(plain.numbers, self.words)

    # Plays that are judged here

    def _begin(self, event: Event, where: Where) -> Iterator[Finding]:
        number = number_of(event.play)
        if event.event != START and number in self._left_out:
            return
        if number in self._seen:
            if event.event != START:
                yield from self._late(event, where)
                return
            self._open.pop(event.play, None)
            yield _second(event.play, event.step, where)
        self._seen.add(number)
        self._file = self._file or where.file
        watch = self._judge.watch(event, where)
        if watch.refused:
            self._left_out.add(number)
            yield from self._first(watch.at_start)
            return
        yield from watch.at_start
        self._open[event.play] = watch
        if watch.over:
            self._close(watch)
        if len(self._open) > _MOST_OPEN:
            oldest = self._open.pop(next(iter(self._open)))
            self._left_out.add(number_of(oldest.play))
            yield from oldest.end()

    def _late(self, event: Event, where: Where) -> Iterable[Finding]:
        """Return what is wrong with an event whose Play is over."""
        watch = self._ended.get(event.play)
        if watch is not None:
            if not isinstance(watch, Watch):
                watch = watched_again(watch, event.play, self._judge)
                self._ended.put(event.play, watch)
            return watch.see(event, where)
        self._left_out.add(number_of(event.play))
        message = f"{event.event} comes after the end of its Play"
        return [Finding("after-finish", message, where, event.play, event.step)]

    def _close(self, watch: Watch) -> None:
        del self._open[watch.play]
        self._ended.put(watch.play, watch)

    def _first(self, found: Iterable[Finding]) -> Iterator[Finding]:
        """Yield what was not said of an earlier Play already."""
        for one in found:
            if one.message not in self._told:
                if len(self._told) < _MOST_TOLD:
                    self._told.add(one.message)
                yield one


def _second(play: str, step: int, where: Where) -> Finding:
    message = "a second Play has this Play Number; it is judged by itself"
    return Finding("twice", message, where, play, step)
