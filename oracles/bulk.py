"""Judging files: shards are sifted side by side, what is left of them is judged in order.

The findings are those that one judge has who reads the log line by line, byte for byte and in
the same order, however many processes there are. Neither shards nor Plays are held for longer
than they are needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from .adapters import Adapter
from .decode import Decoder
from .event import Where
from .finding import Finding
from .judge import Judge
from .kernels.ready import fast_rules
from .log import End, Text, Told, read_parts, texts_in
from .readers import Pause
from .session import Session
from .settled import PLAIN, Sifted
from .shards import Shard
from .sift import Sifter
from .sources import Source
from .workers import Workers

if TYPE_CHECKING:
    from ..proofs.cluster import Cluster
    from .elsewhere import Asked, Elsewhere

__all__ = ["judge_files"]


def judge_files(
    judge: Judge,
    sources: Sequence[Source],
    adapter: Adapter | None = None,
    *,
    jobs: int = 1,
    advance: Callable[[int], None] = lambda size: None,
    lost: Callable[[], None] = lambda: None,
    slow: Callable[[str], None] = lambda why: None,
    cluster: tuple[Cluster, Asked] | None = None,
) -> Iterator[Finding]:
    """Yield what is wrong with a log, in so many processes, or on a cluster if there is one.

    ``advance`` hears how many bytes more have been read, ``lost`` that a process was ended from
    outside, which changes nothing but the time it takes, ``slow`` why a long log takes longer
    than it would have to. Raises BadInput as ``read_parts``.
    """
    log = _Log(judge)
    rules = fast_rules(judge, sources, slow) if adapter is None else None
    if rules is not None:
        log.session.words = rules.words
    sift = Sifter(judge, rules).sift
    with _workers(sift, judge, jobs, lost, cluster, rules is not None) as workers:
        for part, sifted in workers.each(read_parts(sources, adapter, advance)):
            if isinstance(part, Pause):
                continue
            if isinstance(part, Finding | End):
                yield from log.told.of(part)
            elif sifted is not None:
                yield from log.take(part, sifted)
    yield from log.session.end()


def _workers(
    sift: Callable[[Shard, int], Sifted],
    judge: Judge,
    jobs: int,
    lost: Callable[[], None],
    cluster: tuple[Cluster, Asked] | None,
    fast: bool,
) -> Workers | Elsewhere:
    """Return who works on the shards."""

    def left() -> int:
        return judge.purse.left

    if cluster is None:
        return Workers(sift, left, jobs, lost)
    from .elsewhere import Elsewhere  # imports much

    workers, asked = cluster
    return Elsewhere(workers, replace(asked, fast=fast), sift, left, lost)


class _Log:
    """A log as it is judged, shard after shard."""

    def __init__(self, judge: Judge) -> None:
        self.session = Session(judge)
        self.told = Told()
        self._judge = judge
        self._heard: list[Finding] = []
        self._decode = Decoder(self._heard.append).event

    def take(self, shard: Shard, sifted: Sifted) -> Iterator[Finding]:
        """Yield what is wrong in a shard that was sifted."""
        if not self.session.takes(sifted):
            for text in texts_in(shard):
                yield from self._judged(shard.name, text)
            return
        self._judge.summary.add(sifted.summary)
        self._judge.purse.spend(sifted.steps)
        self.told.read(len(sifted.plays) + (sifted.plain is not None))
        raw = iter(sifted.raw)
        done = [0] * len(sifted.plays)
        plain = 0
        for place, count in sifted.runs:
            if place == PLAIN:
                self._plain(shard, sifted, plain, plain + count)
                plain += count
                continue
            if place < 0:
                for _, text in zip(range(count), raw, strict=False):
                    yield from self._judged(shard.name, text)
                continue
            first, last = done[place], done[place] + count
            done[place] = last
            yield from self._settled(shard, sifted, place, first, last)

    def _settled(
        self, shard: Shard, sifted: Sifted, place: int, first: int, last: int
    ) -> Iterator[Finding]:
        """Note some events of a Play that was judged apart; yield what was wrong with them."""
        settled = sifted.plays[place]
        if not first:
            yield from self.session.begin(settled, shard.name)
        court = self._judge.court_known(settled.readings)
        assert court is not None
        court.beginnings.note(settled.beginnings[first:last], settled.play, settled.amount)
        if settled.found:
            for number in range(first, last):
                yield from settled.found.get(number, ())
        if last == len(settled.beginnings):
            self.session.close(settled, shard)
            if (final := sifted.finals.get(place)) is not None:
                court.explainer.previous = final

    def _plain(self, shard: Shard, sifted: Sifted, first: int, last: int) -> None:
        """Note some events of Plays that are plainly right."""
        plain, words, court = sifted.plain, self.session.words, self._judge.own
        assert plain is not None
        assert words is not None
        self.session.note_plain(plain, first, last, shard)
        court.beginnings.note_all(plain, first, last, words)
        if (final := plain.finals.get(last)) is not None:
            court.explainer.previous = final

    def _judged(self, name: str, text: Text | Finding) -> Iterator[Finding]:
        """Yield what is wrong with one event."""
        if isinstance(text, Finding):
            yield from self.told.of(text)
            return
        self.told.read()
        event = self._decode(name, *text)
        if self._heard:
            yield from self._heard
            self._heard.clear()
        if event is not None:
            yield from self.session.see(event, Where(name, text[0]))
