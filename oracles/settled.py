"""Plays that were judged apart from the rest of their log, and what is left of it.

Nothing here depends on what else the log holds: on that it depends only whether a Play Number
came twice, what Plays show that began alike, how much is explained, and what comes after a
Play's end. A Play that any of this would touch is not settled, but left to the session.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from ..models.editions import Edition
from .decode import Decoder
from .event import START, Where
from .expected import Expected
from .explain import Explains
from .finding import Finding
from .leak import Beginnings, Parted
from .log import Text, texts_in
from .moves import State
from .purse import OF_A_LOG, OF_A_PLAY, Purse
from .shards import Shard
from .summary import Summary
from .track import Court
from .watch import Watch

if TYPE_CHECKING:
    from .judge import Judge
    from .kernels.events import Plain

__all__ = [
    "PLAIN",
    "Limited",
    "Recorded",
    "Settled",
    "Sifted",
    "Unexplained",
    "scratch",
    "watched_again",
]


PLAIN = -2
"""Stands for events of Plays that kernels found to be plainly right."""


class Settled(NamedTuple):
    """A Play that was judged apart, from its start to its finish.

    ``number`` stands for its Play Number, ``line`` is that of its start, ``readings`` what that
    named. ``beginnings`` has what the Play was like after each of its events (see ``leak``),
    None where that is not known; ``found`` what is wrong, by the place of the event.
    """

    play: str
    number: int
    line: int
    readings: Mapping[str, Any] | None
    amount: int | None
    beginnings: Sequence[int | None]
    found: Mapping[int, list[Finding]] | None


@dataclass(frozen=True)
class Sifted:
    """What is left of a shard: Plays that are settled, and all else as it stands there.

    ``runs`` has what comes after what: a place in ``plays`` and how many events of it, or -1
    and how many of ``raw``, or ``PLAIN`` and how many events of ``plain``. ``summary`` counts
    over what is settled. ``finals`` has states in which Plays ended, by place, where that may
    matter to what comes next. So many Plays are open at a time as ``most_open`` says.
    ``steps`` is what a solver took for what is settled,
    ``left`` counts Plays that are not. All of it is to be judged line by line where it is
    ``unsifted``: a Play shows more than the game knows of, or it is not worth it.
    """

    plays: list[Settled]
    runs: list[tuple[int, int]]
    raw: list[Text | Finding]
    summary: Summary
    finals: dict[int, State]
    most_open: int = 0
    steps: int = 0
    left: int = 0
    unsifted: bool = False
    plain: Plain | None = None

    @classmethod
    def whole(cls, nothing: Summary) -> Sifted:
        """Return what is left of a shard that is to be judged line by line."""
        return cls([], [], [], nothing, {}, unsifted=True)


class Touched(Exception):
    """Raised where the judging of a Play comes to depend on the rest of its log."""


class Recorded(Beginnings):
    """Beginnings that compare nothing: they only note what is to be compared later."""

    def __init__(self) -> None:
        super().__init__()
        self.noted: list[int] = []
        self.more = False

    def parted(
        self, beginning: int, play: str, outcome: object, shown: Mapping[str, Any]
    ) -> Parted | None:
        """Note a beginning, and whether more was shown than the game knows of."""
        self.noted.append(beginning)
        self.more = self.more or bool(shown)
        return None


class Unexplained:
    """Stands where findings are explained: how much of that is done depends on the log."""

    previous: State | None = None

    def explain(self, found: Sequence[Finding], *context: Any, **named: Any) -> list[Finding]:
        """Return nothing for nothing. Raises Touched for anything else."""
        if found:
            raise Touched
        return []

    def illegal(self, finding: Finding, *context: Any, **named: Any) -> Finding:
        """Raise Touched."""
        raise Touched


class Limited(Purse):
    """The purse of Plays that are judged apart, of a log that has so many steps left."""

    def part(self, most: int = OF_A_PLAY) -> Purse:
        """Return the purse of one Play."""
        return _LimitedPart(most, self)


class _LimitedPart(Purse):
    """The purse of a Play; what it may spend must not depend on what other Plays spent."""

    def ask(self, text: str) -> tuple[str, str]:
        assert self._of is not None
        if self._of.left < OF_A_PLAY:
            raise Touched
        return super().ask(text)


class _Explained:
    """Explains nothing more: that was done when the Play was judged first."""

    previous: State | None = None

    def explain(self, found: Sequence[Finding], *context: Any, **named: Any) -> list[Finding]:
        return list(found)

    def illegal(self, finding: Finding, *context: Any, **named: Any) -> Finding:
        return finding


def scratch(
    expected: Expected, edition: Edition, explainer: Explains, purse: Purse
) -> tuple[Court, Recorded]:
    """Return a court for one Play, of which nothing is left behind elsewhere."""
    beginnings = Recorded()
    summary = Summary.of(edition, expected.parts)
    return Court(expected, summary, beginnings, explainer, purse), beginnings


def watched_again(shard: Shard, play: str, judge: Judge) -> Watch:
    """Return the watch over a Play as it was after its last event in a shard."""
    watch: Watch | None = None
    court: Court | None = None
    decoder = Decoder(lambda finding: None)
    for text in texts_in(shard):
        event = None if isinstance(text, Finding) else decoder.event(shard.name, *text)
        if event is None or event.play != play or isinstance(text, Finding):
            continue
        where = Where(shard.name, text[0])
        if watch is None or event.event == START:
            court = judge.court_known(event.readings)
            assert court is not None
            purse = Purse(OF_A_LOG)
            own, _ = scratch(court.expected, judge.edition, _Explained(), purse)
            watch = Watch(own, event, where)
        else:
            watch.see(event, where)
    assert watch is not None
    assert court is not None
    watch.goes_on_before(court)
    return watch
