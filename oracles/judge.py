"""Judging recorded Plays: every event legal, every shown field as the rules give it.

A Play is watched event by event beside the rules; what the build shows is compared with the
state that the rules expect, and what it pays with the predetermined outcome, with what was
shown as won, and with the prize table. Many Plays may be open at once; a log is never held.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ..models.editions import Edition, default_readings
from ..models.setting import settle
from .event import Event, Where
from .finding import Finding
from .summary import Summary
from .watch import Expected, Watch

__all__ = ["Judge", "Watch"]


class Judge:
    """What a build of an edition has to do; ``readings`` not given are taken by default.

    Raises KeyError or ValueError for a reading or a choice that the game does not have.
    """

    def __init__(self, edition: Edition, readings: Mapping[str, str] | None = None) -> None:
        self.edition = edition
        self.readings = default_readings(edition.game.setting, readings)
        self._expected: dict[tuple[tuple[str, str], ...], Expected] = {}
        expected = self._expect(self.readings)
        assert isinstance(expected, Expected)
        self.summary = Summary.of(edition, expected.parts)

    def watch(self, start: Event, where: Where) -> Watch:
        """Watch a Play from its first event on; ``at_start`` has what is wrong with that."""
        return Watch(self._expect(self.readings), self.summary, start, where)

    def judge(self, events: Iterable[tuple[Event, Where]]) -> Iterator[Finding]:
        """Yield what is wrong with a log's Plays, however they are interleaved."""
        open_: dict[str, Watch] = {}
        ended: set[str] = set()
        for event, where in events:
            watch = open_.get(event.play)
            if watch is None:
                if event.play in ended:
                    continue
                watch = open_[event.play] = self.watch(event, where)
                yield from watch.at_start
                continue
            yield from watch.see(event, where)
            if watch.over:
                del open_[event.play]
                ended.add(event.play)
        for watch in open_.values():
            yield from watch.end()
        if not self.summary.plays:
            yield Finding("empty", "the log has no Play: nothing was judged")

    def _expect(self, readings: Mapping[str, str]) -> Expected:
        key = tuple(sorted(readings.items()))
        if key not in self._expected:
            p, _, fits = settle(self.edition.game.setting, self.edition.parameters, readings)
            if fits is not True:
                raise ValueError("these readings do not go together")
            self._expected[key] = Expected(self.edition, p)
        return self._expected[key]
