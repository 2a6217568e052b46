"""Sifting a shard: Plays that begin and end in it are judged apart, the rest is left.

This is what processes do side by side. A Play that is plainly right in every way is gone
through in one straight loop; any other is watched as the session would, by a court of its own,
and left to the session where that comes to depend on other Plays.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from .decode import Decoder
from .event import FINISH, START, Event, Where, nested
from .expected import Expected
from .finding import Finding
from .judge import Judge
from .log import Text, texts_in
from .moves import State
from .payment import Outcome, judge_outcome, rightly_paid
from .readers import Shard
from .session import number_of
from .settled import Limited, Settled, Sifted, Touched, Unexplained, scratch
from .summary import Summary
from .track import MOST_KEPT
from .typed import Typed
from .watch import Watch

__all__ = ["Sifter"]

_MOST_READINGS = 20
_MANY = 200


class _Group:
    """The events of one Play in a shard; ``odd`` where one was not quite as it should be.

    ``simple`` counts events that are structs of ``typed``.
    """

    __slots__ = ("events", "final", "odd", "place", "simple", "texts")

    def __init__(self) -> None:
        self.events: list[Any] = []
        self.texts: list[Text] = []
        self.simple = 0
        self.odd = False
        self.place = -1
        self.final: State | None = None


class Sifter:
    """Judges Plays of a shard apart, by the rules of a judge, which is left as it is."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._known: dict[tuple[tuple[str, Any], ...], Expected | None] = {}
        self._typed: Typed | None = None
        self._tried = self._simple = 0

    def sift(self, shard: Shard, steps: int) -> Sifted:
        """Return the Plays of a shard that can be judged apart, and the rest.

        So many ``steps`` a solver may take for it, at most.
        """
        groups: dict[str, _Group] = {}
        owners: list[_Group | None] = []
        texts: list[Text | Finding] = []
        told: list[Finding] = []
        decode = Decoder(told.append).event
        typed: Typed | None = None
        for text in texts_in(shard):
            texts.append(text)
            if isinstance(text, Finding):
                owners.append(None)
                continue
            event: Any = None
            if typed is not None:
                event = typed.event(text[1])
            elif len(texts) == _MANY:
                typed = self._quick()
            simple = event is not None
            if not simple:
                event = decode(shard.name, *text)
                if event is None:
                    owners.append(None)
                    told.clear()
                    continue
            group = groups.get(event.play)
            if group is None:
                group = groups[event.play] = _Group()
            group.events.append(event)
            group.texts.append(text)
            owners.append(group)
            if simple:
                group.simple += 1
            elif told:
                group.odd = True
                told.clear()
        if typed is not None:
            self._tried += len(texts)
            self._simple += sum(group.simple for group in groups.values())
        one = _Sifting(self._judge, typed, shard.name, steps)
        return self._sifted(one, groups, owners, texts)

    def _quick(self) -> Typed | None:
        """Return what decodes simple events; None where they have turned out to be few."""
        if self._tried > _MANY and self._simple < self._tried / 2:
            return None
        if self._typed is None:
            self._typed = Typed(self._judge.expected)
        return self._typed

    def _sifted(
        self,
        one: _Sifting,
        groups: Mapping[str, _Group],
        owners: Sequence[_Group | None],
        texts: Sequence[Text | Finding],
    ) -> Sifted:
        for group in groups.values():
            start = one.start(group)
            expected = None if start is None else self._expected(start)
            if (expected is None or not one.settles(group, expected)) and not one.more:
                one.more = any(map(self._shows_more, group.events))
            if one.more:
                break
        runs: list[tuple[int, int]] = []
        raw: list[Text | Finding] = []
        for owner, text in zip(owners, texts, strict=True):
            place = -1 if owner is None else owner.place
            if place < 0:
                raw.append(text)
            if runs and runs[-1][0] == place:
                runs[-1] = (place, runs[-1][1] + 1)
            else:
                runs.append((place, 1))
        settled = [group for group in groups.values() if group.place >= 0]
        finals, most_open = _ends(runs, settled)
        left = len(groups) - len(settled)
        total = one.summarised()
        return Sifted(one.plays, runs, raw, total, finals, most_open, one.more, one.steps, left)

    def _expected(self, start: Any) -> Expected | None:
        """Return the rules by which to judge a Play; None if it is not to be, or not here."""
        if self._judge.of_another(start) is not None:
            return None
        if not start.readings:
            return self._judge.expected
        try:
            given = tuple(start.readings.items())
            if given not in self._known:
                if len(self._known) >= _MOST_READINGS:
                    return None
                self._known[given] = self._of_readings(start.readings)
        except TypeError:  # a choice that is no text
            return None
        return self._known[given]

    def _of_readings(self, given: Mapping[str, Any]) -> Expected | None:
        taken = self._judge.readings_for(given)
        if isinstance(taken, Finding):
            return None
        if taken == self._judge.readings:
            return self._judge.expected
        return Expected(self._judge.edition, taken)

    def _shows_more(self, event: Any) -> bool:
        if not isinstance(event, Event) or event.shows is None:
            return False
        return _more(event.shows, self._fields)

    @property
    def _fields(self) -> Mapping[str, Any]:
        if not hasattr(self, "_nested"):
            self._nested = nested(dict.fromkeys(self._judge.expected.names, 0))
        return self._nested


class _Sifting:
    """The Plays of one shard that are settled so far, and the counts over them."""

    def __init__(self, judge: Judge, typed: Typed | None, name: str, steps: int) -> None:
        self._own = judge.expected
        self._typed = typed
        self._edition = judge.edition
        self._name = name
        self._most = steps
        self.steps = 0
        self._summary = Summary.of(judge.edition, judge.expected.parts)
        self._paths: Counter[tuple[str, ...]] = Counter()
        self.plays: list[Settled] = []
        self.more = False

    def start(self, group: _Group) -> Any:
        """Return the start of a Play; None where it begins with anything else, or is odd."""
        first = group.events[0]
        if group.odd:
            return None
        if isinstance(first, Event):
            return first if first.event == START else None
        return first if self._typed is not None and self._typed.starts(first) else None

    def settles(self, group: _Group, expected: Expected) -> bool:
        """Judge a Play apart, by these rules; False where that cannot be."""
        if len(group.events) > MOST_KEPT:
            return False
        settled = self._simply(group) if expected is self._own else None
        if settled is None:
            if group.simple:
                decode = Decoder(lambda finding: None).event
                group.events = [decode(self._name, *text) for text in group.texts]
                group.simple = 0
            if group.events[-1].event != FINISH:
                return False
            settled = self._straight(group, expected) or self._watched(group, expected)
        if settled is None:
            return False
        group.place = len(self.plays)
        self.plays.append(settled)
        return True

    def summarised(self) -> Summary:
        """Return the counts over the Plays that are settled."""
        for path, times in self._paths.items():
            for pair in zip(("", *path), path, strict=False):
                self._summary.steps[pair] += times
        return self._summary

    def _simply(self, group: _Group) -> Settled | None:
        """Judge a Play that is plainly right, and shows all there is; None for any other."""
        typed, expected = self._typed, self._own
        if typed is None or group.simple != len(group.events):
            return None
        start, *steps = group.events
        if (outcome := typed.outcome(start)) is None or not steps:
            return None
        state, step = typed.first, typed.step
        beginning = 0
        beginnings: list[int | None] = [0]
        path: list[str] = []
        for number, event in enumerate(steps, start=1):
            if event.step != number or typed.starts(event):
                return None
            if (taken := step(state, event)) is None:
                return None
            state = event.shows
            move, values = taken
            beginning = hash((beginning, move.number, values))
            beginnings.append(beginning)
            path.append(move.id)
        showing = len(steps) + (start.shows is not None)
        return self._ends(
            group, typed.tuple_of(state), expected, outcome, beginnings, path, showing
        )

    def _straight(self, group: _Group, expected: Expected) -> Settled | None:
        """Judge a Play that is plainly right in every way; None for any other."""
        start, *steps = group.events
        if (outcome := _begins(start, expected)) is None or not steps:
            return None
        state, moves, agrees = expected.start, expected.moves, expected.agrees
        showing = int(bool(start.shows))
        beginning = 0
        beginnings: list[int | None] = [0]
        path: list[str] = []
        for number, event in enumerate(steps, start=1):
            move = moves.get(event.event)
            if move is None or event.step != number or event.screen is not None:
                return None
            values = move.read(event.reveal, event.choice)
            after = None if values is None else move.step(state, values)
            if after is None:
                return None
            state = after
            if event.shows:
                if not agrees(event.shows, state):
                    return None
                showing += 1
            if (event.paid is not None or event.won is not None) and event is not steps[-1]:
                return None
            beginning = hash((beginning, move.number, values))
            beginnings.append(beginning)
            path.append(move.id)
        return self._ends(group, state, expected, outcome, beginnings, path, showing)

    def _ends(
        self,
        group: _Group,
        state: State,
        expected: Expected,
        outcome: Outcome,
        beginnings: Sequence[int | None],
        path: Sequence[str],
        showing: int,
    ) -> Settled | None:
        """Judge how a Play ends that was right so far, and count it if all is right."""
        ending = expected.ending(state)
        if FINISH not in path or path.index(FINISH) < len(path) - 1:
            return None
        if not rightly_paid(group.events[-1], outcome, ending):
            return None
        if not expected.plainly_kept(state):
            return None
        total = self._summary
        total.plays += 1
        total.finished += 1
        total.without_outcome += outcome.amount is None
        total.events += len(group.events)
        total.showing += showing
        total.pays(ending.paid, ending.won, ending.row)
        self._paths[tuple(path)] += 1
        group.final = state
        return self._settled(group, expected, outcome.amount, beginnings, None)

    def _watched(self, group: _Group, expected: Expected) -> Settled | None:
        """Watch a Play as the session would; None where other Plays have a say in it."""
        explainer = Unexplained()
        purse = Limited(self._most - self.steps)
        court, recorded = scratch(expected, self._edition, explainer, purse)
        beginnings: list[int | None] = []
        found: dict[int, list[Finding]] = {}
        places = zip(group.events, (line for line, _ in group.texts), strict=True)
        try:
            start, line = next(places)
            watch = Watch(court, start, Where(self._name, line))
            now = watch.at_start
            for number, (event, line) in enumerate(places, start=1):
                beginnings.append(recorded.noted[-1] if recorded.noted else None)
                recorded.noted.clear()
                if now:
                    found[number - 1] = now
                if watch.over or event.event == START:
                    return None
                now = watch.see(event, Where(self._name, line))
        except Touched:
            self.more = self.more or recorded.more
            return None
        beginnings.append(recorded.noted[-1] if recorded.noted else None)
        if now:
            found[len(group.events) - 1] = now
        self.more = self.more or recorded.more
        if not watch.over:
            return None
        court.summary.events += len(group.events)
        court.summary.showing += sum(bool(event.shows) for event in group.events)
        self._summary.add(court.summary)
        self.steps = self._most - purse.left
        group.final = explainer.previous
        return self._settled(group, expected, watch.outcome.amount, beginnings, found or None)

    def _settled(
        self,
        group: _Group,
        expected: Expected,
        amount: int | None,
        beginnings: Sequence[int | None],
        found: Mapping[int, list[Finding]] | None,
    ) -> Settled:
        start = group.events[0]
        number = number_of(start.play)
        line = group.texts[0][0]
        readings = None if expected is self._own else start.readings
        return Settled(start.play, number, line, readings, amount, beginnings, found)


def _begins(start: Event, expected: Expected) -> Outcome | None:
    """Return the outcome of a Play whose start is plainly right; None for any other."""
    if start.event != START or start.step != 0 or start.screen is not None:
        return None
    if start.shows and not expected.agrees(start.shows, expected.start):
        return None
    found: list[Finding] = []
    outcome = judge_outcome(start.outcome, expected.parts, expected.table, found)
    return None if found else outcome


def _ends(
    runs: Sequence[tuple[int, int]], settled: Sequence[_Group]
) -> tuple[dict[int, State], int]:
    """Return how Plays ended after which something else follows, and how many are open at most.

    What comes next may be in the shard, and not be settled, or in the next one.
    """
    left = [len(group.events) for group in settled]
    finals: dict[int, State] = {}
    latest = -1
    now = most = 0
    for place, count in runs:
        if place < 0:
            if latest >= 0:
                finals[latest] = settled[latest].final or ()
            continue
        now += left[place] == len(settled[place].events)
        most = max(most, now)
        left[place] -= count
        if not left[place]:
            now -= 1
            if settled[place].final is not None:
                latest = place
    if latest >= 0:
        finals[latest] = settled[latest].final or ()
    return finals, most


def _more(shown: Mapping[str, Any], fields: Mapping[str, Any]) -> bool:
    """Return whether more is shown than these fields."""
    for name, value in shown.items():
        inside = fields.get(name)
        if inside is None:
            return True
        if type(value) is not dict:
            if type(inside) is dict:
                return True
        elif value and (type(inside) is not dict or _more(value, inside)):
            return True
    return False
