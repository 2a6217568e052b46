"""Films of recorded Plays: what a build showed at each step, against what the rules give.

The log is judged as ``playproof judge`` judges it, up to the end of the Play looked for:
the one of a given number, or else the first in which something is wrong, or else the first.
Then its events are gone through once more, with the state that the rules expect after each.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...errors import BadInput
from ...models.algebra import Value
from ...models.editions import Edition, default_readings
from ...models.money import pounds
from ...models.setting import settle
from ...models.shape import Variable
from ...oracles.event import FINISH, RESUME, START, Event, Where, flat
from ...oracles.finding import Finding, Severity, said
from ...oracles.judge import Judge, Watch
from ..words import quantity, some
from .film import Change, Clauses, Difference, Film, Frame, Revealed, changes_of, places_of
from .picked import Log, cut, pick, segment
from .played import taken
from .stills import Stills

__all__ = ["Log", "film_of_log"]

_MOST = 1000
"""As many events of one Play are shown."""

_ROWS = 200  # things that come up, and findings, at one step


def film_of_log(
    log: Log,
    edition: Edition,
    readings: Mapping[str, str] | None = None,
    play: str | None = None,
) -> Film:
    """Return the film of one Play of a log.

    Raises BadInput where there is no such Play, or where it is of another game or edition;
    ValueError for readings that do not go together.
    """
    judge = Judge(edition, readings)
    picked = pick(log, judge, play)
    events, others = segment(picked)
    start, where = events[0]
    watch = judge.watch(start, where)
    if watch.refused:
        raise BadInput(f"{where}, Play {said(start.play)}: {watch.at_start[0].message}")
    recorder = _Recorder(edition, dict(judge.readings), start, picked.found)
    frames = recorder.frames(watch, events[:_MOST])
    general = [*picked.notes, *(_words(one) for one in recorder.left)]
    if len(events) > _MOST:
        general.append(f"Only the first {_MOST} of {len(events)} events are shown.")
    if others:
        general.append(f"{some(others, 'further Play')} of this log has the same Play Number.")
    wrong = places_of(frames)
    title = f"{edition.game.title}: Play {cut(start.play, 80)}"
    subtitle = f"A recorded Play, from {where}: " + (
        f"something is wrong at {wrong}" if wrong else "nothing is wrong with it"
    )
    return Film(title, subtitle, recorder.facts(), tuple(frames), tuple(general))


class _Recorder:
    """Makes the frames of one Play from its events."""

    def __init__(
        self, edition: Edition, readings: dict[str, str], start: Event, found: list[Finding]
    ) -> None:
        game = edition.game
        self._edition, self._start = edition, start
        given = start.readings if start.event == START and start.readings else {}
        self._readings = default_readings(game.setting, {**readings, **given})
        p, _, _ = settle(game.setting, edition.parameters, self._readings)
        self._stills, self._clauses = Stills(game, p), Clauses(game)
        self._variables = game.state_shape().variables
        self._rules = {rule.id: rule for rule in game.rules}
        self.left = list(found)

    def facts(self) -> tuple[tuple[str, str], ...]:
        """Return facts about the Play: its edition, readings, predetermined outcome."""
        game, outcome = self._edition.game, self._start.outcome
        name = f"{self._edition.name} ({self._edition.hash[:12]}…)"
        amount = (outcome or {}).get("amount")
        fixed = pounds(amount) if type(amount) is int else said(outcome or "not said")
        return (("edition", name), *taken(game, self._readings), ("predetermined", fixed))

    def frames(self, watch: Watch, events: Sequence[tuple[Event, Where]]) -> list[Frame]:
        """Return a frame for each event; what was found and belongs to none is left."""
        frames: list[Frame] = []
        before: tuple[Value, ...] | None = None
        for number, (event, where) in enumerate(events):
            found = list(watch.at_start) if number == 0 else watch.see(event, where)
            if number == len(events) - 1:
                found += watch.end()
            known = watch.state is not None and watch.step == event.step
            after = watch.state if known else None
            frames.append(self._frame(event, before, after, self._of(event, where, found)))
            before = after
        return frames

    def _of(self, event: Event, where: Where, found: list[Finding]) -> list[Finding]:
        """Return what was found at an event: now, and as the whole log was judged."""
        told = {one.message for one in found}
        here: list[Finding] = []
        others: list[Finding] = []
        for one in self.left:
            if one.message not in told:
                at_it = one.where == where and one.step == event.step
                (here if at_it else others).append(one)
        self.left = others
        return found + here

    def _frame(
        self,
        event: Event,
        before: tuple[Value, ...] | None,
        after: tuple[Value, ...] | None,
        found: list[Finding],
    ) -> Frame:
        rule = self._rules.get(event.event)
        wrong = [one for one in found if one.severity is Severity.ERROR]
        cited = [
            *(rule.clauses if rule else ()),
            *(id_ for one in wrong for id_ in one.clauses),
        ]
        state = None if after is None else self._named(after)
        shows = dict(flat(event.shows or {}))
        differences = tuple(self._differences(state, shows)) if state is not None else ()
        changes: tuple[Change, ...] = ()
        if before is not None and after is not None:
            changes = changes_of(self._variables, before, after)
        notes = [_words(one) for one in found if one.severity is not Severity.ERROR]
        if state is not None and (silent := sum(name not in shows for name in state)):
            notes.append(f"The build does not say what {silent} of {len(state)} fields show.")
        return Frame(
            event.step,
            cut(event.event, 80),
            rule.says
            if rule
            else _SAYS.get(event.event, "No rule of the game is called this."),
            self._clauses.of(dict.fromkeys(cited)),
            tuple(itertools.islice(self._revealed(event), _ROWS)),
            () if before is None and rule else self._screen(event, before, after),
            changes,
            None if state is None else self._stills.state(state),
            self._shown(state, shows, differences),
            differences,
            tuple(_words(one) for one in wrong[:_ROWS]),
            notes=tuple(notes[-_ROWS:]),
        )

    def _named(self, state: tuple[Value, ...]) -> dict[str, Value]:
        return {one.name: value for one, value in zip(self._variables, state, strict=True)}

    def _screen(self, event: Event, before: Any, after: Any) -> Any:
        state = after if event.event == START else before
        if state is None:
            return ()
        return self._stills.screen(event.event, self._named(state), event.screen)

    def _differences(
        self, state: Mapping[str, Value], shows: Mapping[str, Any]
    ) -> Iterator[Difference]:
        for one in self._variables:
            if one.name in shows and not _same(shows[one.name], state[one.name]):
                shown = shows[one.name]
                words = quantity(one, shown) if _fits(one, shown) else said(shown)
                yield Difference(one.name, words, quantity(one, state[one.name]))

    def _shown(
        self,
        state: Mapping[str, Value] | None,
        shows: Mapping[str, Any],
        differences: Sequence[Difference],
    ) -> Any:
        """Return what the build showed, drawn, where it is another state or the only one."""
        fit = {
            one.name: shows[one.name]
            for one in self._variables
            if one.name in shows and _fits(one, shows[one.name])
        }
        if state is not None and any(one.name in fit for one in differences):
            return self._stills.shown({**state, **fit})
        if state is None and len(fit) == len(self._variables):
            return self._stills.shown(fit)
        return None

    def _revealed(self, event: Event) -> Iterator[Revealed]:
        """Yield what an event says came up, was chosen or paid, but what is 0 or no."""
        rule = self._rules.get(event.event)
        known = self._edition.game.reveal_shape(rule).variables if rule else ()
        variables = {one.name: one for one in known}
        for given, chosen in ((event.reveal, False), (event.choice, True)):
            for name, value in flat(given or {}):
                if value or chosen:
                    one = variables.get(name)
                    words = quantity(one, value) if one and _fits(one, value) else said(value)
                    yield Revealed(cut(name), one.meaning if one else "", words, chosen)
        if event.paid is not None:
            paid = pounds(event.paid) if type(event.paid) is int else said(event.paid)
            yield Revealed("paid", "what the build says it paid", paid)
        for name, value in flat(event.won or {}):
            won = pounds(value) if type(value) is int else said(value)
            yield Revealed(cut(f"won.{name}"), "what the build says was won", won)


_SAYS = {
    START: "The Play starts.",
    RESUME: "The Play goes on after an interruption; the build shows where it stands.",
    FINISH: "The Play ends.",
}


def _same(shown: Any, right: Value) -> bool:
    return type(shown) is type(right) and bool(shown == right)


def _fits(variable: Variable, value: Any) -> bool:
    """Return whether a value could be a variable's: of its type, within its limits."""
    right = int if variable.sort == "Int" else bool
    return type(value) is right and variable.holds(value) is True


def _words(finding: Finding) -> str:
    """Return a finding in words, without its place, which its frame has."""
    return cut(dataclasses.replace(finding, where=Where(""), play="", step=None).text())
