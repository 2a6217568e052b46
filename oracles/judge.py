"""Judging recorded Plays: every event legal, every shown field as the rules give it.

A Play is watched event by event beside the rules (``watch``); what the build shows is compared
with the state that the rules expect, and what it pays with the predetermined outcome, with what
was shown as won, and with the prize table. Plays may be interleaved; a log is never held.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b
from typing import Any

from ..models.editions import Edition, default_readings
from ..models.setting import allowed, readings_of
from .event import FORMAT, START, VERSION, Event, Where
from .expected import Expected
from .explain import Explainer
from .finding import Finding, plain, said
from .leak import Beginnings
from .summary import Summary
from .track import Court
from .watch import Watch

__all__ = ["Judge", "Summary", "Watch"]

_MOST_OPEN = 10_000
_MOST_ENDED = 1_000
_MOST_COURTS = 50
_MOST_TOLD = 1_000


class Judge:
    """What a build of an edition has to do; a reading that is not given is taken by default.

    A log that names its readings is judged by those, but for what was given here: a log that
    says otherwise is not judged. Raises ValueError for a reading or a choice that the game does
    not have, or readings that do not go together. With ``all_tell`` Plays that began alike have
    to show all the same, whatever the outcomes that the log gives them.
    """

    def __init__(
        self,
        edition: Edition,
        readings: Mapping[str, str] | None = None,
        *,
        all_tell: bool = False,
    ) -> None:
        self.edition = edition
        self._all_tell = all_tell
        self.readings = default_readings(edition.game.setting, readings)
        self._taken = dict(readings or {})
        if wrong := _wrong_readings(edition, self.readings):
            raise ValueError(wrong)
        self.expected = Expected(edition, self.readings)
        self.summary = Summary.of(edition, self.expected.parts)
        self._explainer = Explainer()
        self._own = self._made(self.expected)
        self._courts = {tuple(sorted(self.readings.items())): self._own}
        self._by_readings: dict[tuple[tuple[str, str], ...], Court | Finding] = {}

    def watch(self, start: Event, where: Where) -> Watch:
        """Watch a Play from its first event on; ``at_start`` has what is wrong with that.

        A Play of another game or edition is not judged: ``over`` is true from the start.
        """
        court, wrong = self._court(start)
        return Watch(court, start, where, wrong)

    def judge(self, events: Iterable[tuple[Event, Where]]) -> Iterator[Finding]:
        """Yield what is wrong with a log's Plays, however they are interleaved.

        Of ``_MOST_OPEN`` Plays and more that are open at once the one begun first is ended.
        """
        session = _Session(self)
        for event, where in events:
            found = session.see(event, where)
            if found:
                yield from found
        yield from session.end()

    def _court(self, start: Event) -> tuple[Court, Finding | None]:
        """Return the court for a Play, and why it cannot be judged, if it cannot."""
        if start.event != START:
            return self._own, None
        wrong = _of_another(start, self.edition)
        if wrong or not start.readings:
            return self._own, wrong
        for name, choice in start.readings.items():
            if not isinstance(choice, str):
                message = f"reading {name} = {said(choice)}: the name of a choice was expected"
                shown = plain(choice)
                return self._own, Finding("readings", message, field="readings", shown=shown)
        found = self._by_readings.get(given := tuple(start.readings.items()))
        if found is None:
            found = self._of_readings(start.readings)
            if len(self._by_readings) >= _MOST_TOLD:
                self._by_readings.clear()
            self._by_readings[given] = found
        return (self._own, found) if isinstance(found, Finding) else (found, None)

    def _of_readings(self, given: Mapping[str, Any]) -> Court | Finding:
        """Return the court by the readings that a log names, or what is wrong with them."""
        for name, choice in self._taken.items():
            if given.get(name, choice) != choice:
                message = f"a log with {name} = {said(given[name])}, to be judged with {choice}"
                return Finding(
                    "readings", message, field=f"readings.{name}",
                    shown=plain(given[name]), expected=choice,
                )  # fmt: skip
        try:
            readings = default_readings(self.edition.game.setting, {**self._taken, **given})
        except (KeyError, ValueError, TypeError):
            readings = dict(given)
        if wrong := _wrong_readings(self.edition, readings):
            return Finding("readings", wrong, field="readings", shown=plain(dict(given)))
        key = tuple(sorted(readings.items()))
        if key not in self._courts:
            if len(self._courts) >= _MOST_COURTS:
                self._courts.clear()
                self._by_readings.clear()
            self._courts[key] = self._made(Expected(self.edition, readings))
        return self._courts[key]

    def _made(self, expected: Expected) -> Court:
        return Court(
            expected, self.summary, Beginnings(all_tell=self._all_tell), self._explainer
        )


class _Session:
    """The Plays of one log: those open, those just ended, and the numbers of all others."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._summary = judge.summary
        self._open: dict[str, Watch] = {}
        self._ended: dict[str, Watch] = {}
        self._seen: set[int] = set()
        self._left_out: set[int] = set()
        self._told: set[str] = set()

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

    def _begin(self, event: Event, where: Where) -> Iterator[Finding]:
        number = _digest(event.play)
        if event.event != START and number in self._left_out:
            return
        if number in self._seen:
            if event.event != START:
                yield from self._late(event, where)
                return
            self._open.pop(event.play, None)
            message = "a second Play has this Play Number; it is judged by itself"
            yield Finding("twice", message, where, event.play, event.step)
        self._seen.add(number)
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
            self._left_out.add(_digest(oldest.play))
            yield from oldest.end()

    def _late(self, event: Event, where: Where) -> Iterable[Finding]:
        """Return what is wrong with an event whose Play is over."""
        if (watch := self._ended.get(event.play)) is not None:
            return watch.see(event, where)
        self._left_out.add(_digest(event.play))
        message = f"{event.event} comes after the end of its Play"
        return [Finding("after-finish", message, where, event.play, event.step)]

    def _close(self, watch: Watch) -> None:
        del self._open[watch.play]
        self._ended[watch.play] = watch
        if len(self._ended) > _MOST_ENDED:
            del self._ended[next(iter(self._ended))]

    def _first(self, found: Iterable[Finding]) -> Iterator[Finding]:
        """Yield what was not said of an earlier Play already."""
        for one in found:
            if one.message not in self._told:
                if len(self._told) < _MOST_TOLD:
                    self._told.add(one.message)
                yield one


def _digest(play: str) -> int:
    return int.from_bytes(blake2b(play.encode(), digest_size=8).digest())


def _of_another(start: Event, edition: Edition) -> Finding | None:
    """Return what says that a Play is of another format, game or edition."""
    game = edition.game
    if start.format not in (None, FORMAT) or start.version not in (None, VERSION):
        given_as = f"format {start.format!r}, version {start.version!r}"
        message = f"{given_as}: {FORMAT!r}, version {VERSION} was expected"
        return Finding("format", message, field="format", shown=start.format)
    if start.game not in (None, game.id):
        message = f"a log of {start.game!r}, judged by the rules of {game.id!r}"
        return Finding("game", message, field="game", shown=start.game, expected=game.id)
    given = start.edition or {}
    hash_ = given.get("hash")
    if hash_ is None and given.get("name") not in (None, edition.name):
        message = (
            f"a log of edition {said(given.get('name'))}, without its hash, judged by "
            f"{edition.name!r}: give the edition it was made with"
        )
        shown = plain(given.get("name"))
        return Finding(
            "edition", message, field="edition.name", shown=shown, expected=edition.name
        )
    if hash_ not in (None, edition.hash):
        message = (
            f"a log of edition {said(given.get('name'))} (hash {str(hash_)[:12]}…), judged by "
            f"{edition.name!r} ({edition.hash[:12]}…): give the edition it was made with"
        )
        return Finding(
            "edition", message, field="edition.hash", shown=plain(hash_), expected=edition.hash
        )
    return None


def _wrong_readings(edition: Edition, readings: Mapping[str, Any]) -> str:
    """Return what is wrong with readings, in words; nothing if they are in order."""
    known = readings_of(edition.game.setting)
    for name, choice in readings.items():
        if name not in known:
            return f"{edition.game.id} has no reading {name!r}: {', '.join(known)}"
        if choice not in known[name].choices:
            ways = " or ".join(known[name].choices)
            return f"reading {name} = {said(choice)}: {ways} was expected"
    return (
        "" if allowed(edition.game.setting, readings) else "these readings do not go together"
    )
