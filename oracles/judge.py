"""Judging recorded Plays: every event legal, every shown field as the rules give it.

A Play is watched event by event beside the rules (``watch``); what the build shows is compared
with the state that the rules expect, and what it pays with the predetermined outcome, with what
was shown as won, and with the prize table. Plays may be interleaved; a log is never held.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from typing import Any

from ..models.editions import Edition, default_readings
from ..models.setting import allowed, readings_of
from .event import FORMAT, START, VERSION, Event, Where
from .expected import Expected
from .explain import Explainer
from .finding import Finding, plain, said
from .leak import Beginnings
from .purse import OF_A_LOG, Purse
from .session import Session
from .summary import Summary
from .track import Court
from .watch import Watch

__all__ = ["Judge", "Summary", "Watch"]

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
        self._see_nothing()

    def anew(self) -> Judge:
        """Return a judge by the same rules who has seen nothing yet."""
        other = copy(self)
        other._see_nothing()
        return other

    def _see_nothing(self) -> None:
        self.summary = Summary.of(self.edition, self.expected.parts)
        self._explainer = Explainer()
        self.purse = Purse(OF_A_LOG)
        self._own = self._made(self.expected)
        self._courts = {_key(self.readings): self._own}
        self._by_readings: dict[tuple[tuple[str, str], ...], Court | Finding] = {}

    def watch(self, start: Event, where: Where) -> Watch:
        """Watch a Play from its first event on; ``at_start`` has what is wrong with that.

        A Play of another game or edition is not judged: ``over`` is true from the start.
        """
        court, wrong = self.court(start)
        return Watch(court, start, where, wrong)

    def judge(self, events: Iterable[tuple[Event, Where]]) -> Iterator[Finding]:
        """Yield what is wrong with a log's Plays, however they are interleaved.

        Of very many Plays that are open at once the one begun first is ended. ``bulk`` does the
        same with files and several processes.
        """
        session = Session(self)
        for event, where in events:
            found = session.see(event, where)
            if found:
                yield from found
        yield from session.end()

    def court(self, start: Event) -> tuple[Court, Finding | None]:
        """Return the court for a Play, and why it cannot be judged, if it cannot."""
        if start.event != START:
            return self._own, None
        wrong = self.of_another(start)
        if wrong or not start.readings:
            return self._own, wrong
        try:
            given = tuple(start.readings.items())
            found = self._by_readings.get(given)
        except TypeError:  # a choice that is a list or an object
            no_text = self.readings_for(start.readings)
            assert isinstance(no_text, Finding)
            return self._own, no_text
        if found is None:
            readings = self.readings_for(start.readings)
            found = readings if isinstance(readings, Finding) else self._by(readings)
            if len(self._by_readings) >= _MOST_TOLD:
                self._by_readings.clear()
            self._by_readings[given] = found
        return (self._own, found) if isinstance(found, Finding) else (found, None)

    @property
    def own(self) -> Court:
        """The court for Plays that name no readings, or those that this judge takes."""
        return self._own

    def court_known(self, given: Mapping[str, Any] | None) -> Court | None:
        """Return the court for readings that a log names; None if no Play came with them."""
        if not given:
            return self._own
        key = tuple(given.items())
        found = self._by_readings.get(key)
        if found is None and self.readings_for(given) == self.readings:
            found = self._by_readings[key] = self._own
        return found if isinstance(found, Court) else None

    def of_another(self, start: Event) -> Finding | None:
        """Return what says that a Play is of another format, game or edition."""
        return _of_another(start, self.edition)

    def readings_for(self, given: Mapping[str, Any]) -> dict[str, str] | Finding:
        """Return the readings by which to judge a log that names some, or what is wrong."""
        for name, choice in given.items():
            if not isinstance(choice, str):
                message = f"reading {name} = {said(choice)}: the name of a choice was expected"
                return Finding("readings", message, field="readings", shown=plain(choice))
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
        return readings

    def _by(self, readings: Mapping[str, str]) -> Court:
        """Return the court by some readings; those of a log by others still go on."""
        key = _key(readings)
        if key not in self._courts:
            if len(self._courts) >= _MOST_COURTS:
                self._courts = {_key(self.readings): self._own}
                self._by_readings.clear()
            self._courts[key] = self._made(Expected(self.edition, readings))
        return self._courts[key]

    def _made(self, expected: Expected) -> Court:
        return Court(
            expected,
            self.summary,
            Beginnings(all_tell=self._all_tell),
            self._explainer,
            self.purse,
        )


def _key(readings: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(readings.items()))


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
