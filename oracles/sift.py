"""Sifting a shard: Plays that begin and end in it are judged apart, the rest is left.

This is what processes do side by side. It is worth it where most Plays are in order: where
hardly any is, shards are passed over.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .apart import Apart, Group
from .decode import Decoder
from .event import Event, nested
from .expected import Expected
from .finding import Finding
from .judge import Judge
from .kernels.quickly import Found, Quickly
from .log import Text, texts_in
from .moves import State
from .settled import PLAIN, Sifted
from .shards import Shard, Stretch
from .typed import Typed

if TYPE_CHECKING:
    from .kernels.events import Rules

__all__ = ["Sifter"]

_MOST_READINGS = 20
_MANY = 200  # events, before structs are made for simple ones
_ENOUGH = 20  # Plays of a shard
_BARREN = 4  # shards that are passed over after one of which hardly a Play was settled


class Sifter:
    """Judges Plays of a shard apart, by the rules of a judge, which is left as it is."""

    def __init__(self, judge: Judge, rules: Rules | None = None) -> None:
        self._judge = judge
        self._quickly = Quickly(rules, judge) if rules is not None else None
        self._known: dict[tuple[tuple[str, Any], ...], Expected | None] = {}
        self._typed: Typed | None = None
        self._tried = self._simple = 0
        self._passing_over = 0

    def sift(self, shard: Shard, steps: int) -> Sifted:
        """Return the Plays of a shard that can be judged apart, and the rest.

        So many ``steps`` a solver may take for it, at most.
        """
        if self._passing_over:
            self._passing_over -= 1
            return Sifted.whole(Apart(self._judge, None, shard.name, 0).summarised())
        if isinstance(shard, Stretch):
            shard = shard.lines
        groups: dict[str, Group] = {}
        owners: list[Group | None] = []
        texts: list[Text | Finding] = []
        told: list[Finding] = []
        gaps: list[int] = []
        decode = Decoder(told.append).event
        typed: Typed | None = None
        plain = self._quickly(shard) if self._quickly is not None else None
        rest = plain.rest if plain is not None else ((0, text) for text in texts_in(shard))
        for gap, text in rest:
            texts.append(text)
            gaps.append(gap)
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
                group = groups[event.play] = Group()
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
        one = Apart(self._judge, typed, shard.name, steps)
        return self._sifted(one, groups, owners, texts, gaps, plain)

    def _quick(self) -> Typed | None:
        """Return what decodes simple events; None where they have turned out to be few."""
        if self._tried > _MANY and self._simple < self._tried / 2:
            return None
        if self._typed is None:
            self._typed = Typed(self._judge.expected)
        return self._typed

    def _sifted(
        self,
        one: Apart,
        groups: Mapping[str, Group],
        owners: Sequence[Group | None],
        texts: Sequence[Text | Finding],
        gaps: Sequence[int],
        plain: Found | None,
    ) -> Sifted:
        for group in groups.values():
            start = one.start(group)
            expected = None if start is None else self._expected(start)
            if (expected is None or not one.settles(group, expected)) and not one.more:
                one.more = any(map(self._shows_more, group.events))
            if one.more:
                return Sifted.whole(one.summarised())
        runs: list[tuple[int, int]] = []
        raw: list[Text | Finding] = []
        left_over = plain.plain.events if plain is not None else 0
        for owner, text, gap in zip(owners, texts, gaps, strict=True):
            if gap:
                runs.append((PLAIN, gap))
                left_over -= gap
            place = -1 if owner is None else owner.place
            if place < 0:
                raw.append(text)
            if runs and runs[-1][0] == place:
                runs[-1] = (place, runs[-1][1] + 1)
            else:
                runs.append((place, 1))
        if left_over:
            runs.append((PLAIN, left_over))
        settled = [group for group in groups.values() if group.place >= 0]
        finals, most_open = _ends(runs, settled)
        plays = len(plain.plain.numbers) if plain is not None else 0
        if len(groups) >= _ENOUGH and plays + len(settled) < (plays + len(groups)) / 10:
            self._passing_over = _BARREN  # most of it would be judged twice
        left = len(groups) - len(settled)
        total = one.summarised()
        if plain is None:
            return Sifted(one.plays, runs, raw, total, finals, most_open, one.steps, left)
        total.add(plain.summary)
        return Sifted(
            one.plays, runs, raw, total, finals, most_open, one.steps, left, plain=plain.plain
        )

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


def _ends(
    runs: Sequence[tuple[int, int]], settled: Sequence[Group]
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
