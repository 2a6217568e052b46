"""Judging one Play apart from the rest of its log, in the quickest way that will do.

A Play that is plainly right in every way is gone through in one straight loop; any other is
watched as the session would, by a court of its own, and left to the session where that comes to
depend on other Plays.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from .decode import Decoder
from .digests import number_of
from .event import FINISH, START, Event, Where
from .expected import Expected
from .finding import Finding
from .judge import Judge
from .log import Text
from .moves import State
from .payment import Outcome, judge_outcome, rightly_paid
from .settled import Limited, Settled, Touched, Unexplained, scratch
from .summary import Summary
from .track import MOST_KEPT
from .typed import Typed
from .watch import Watch

__all__ = ["Apart", "Group"]


class Group:
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


class Apart:
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

    def start(self, group: Group) -> Any:
        """Return the start of a Play; None where it begins with anything else, or is odd."""
        first = group.events[0]
        if group.odd:
            return None
        if isinstance(first, Event):
            return first if first.event == START else None
        return first if self._typed is not None and self._typed.starts(first) else None

    def settles(self, group: Group, expected: Expected) -> bool:
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

    def _simply(self, group: Group) -> Settled | None:
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

    def _straight(self, group: Group, expected: Expected) -> Settled | None:
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
        group: Group,
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

    def _watched(self, group: Group, expected: Expected) -> Settled | None:
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
        group: Group,
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
