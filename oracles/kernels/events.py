"""Events of many Plays as columns, judged by kernels: which Plays are plainly right.

``Rules`` has the kernels of one judge, ``Columns`` the events of a shard as they take them,
``Plain`` what is told of the Plays that are plainly right: no more than their log needs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from types import ModuleType
from typing import Any

import numpy as np

from ..expected import Expected
from ..moves import State
from ..summary import Summary
from ..table import Ending
from .layout import Layout, layout_of
from .source import Source

__all__ = ["Columns", "Plain", "Rules", "read_only"]

_MOST_ENDINGS = 1 << 14
_NOT_SHOWN = -1

Array = Any


@dataclass
class Columns:
    """Events in the order of their log; ``play`` is the place of the Play of each.

    Records are in ``reveals``, ``choices`` and ``shows``, where the columns ending in ``_at``
    say; ``masks`` says which bytes of a shown state count.
    """

    plays: int
    kind: Array
    play: Array
    step: Array
    revealed_at: Array
    chosen_at: Array
    shown_at: Array
    reveals: Array
    choices: Array
    shows: Array
    masks: Array
    mask_at: Array

    def __post_init__(self) -> None:
        # What is read of a file cannot be written to, and numba tells the two apart.
        for name in ("reveals", "choices", "shows", "masks"):
            setattr(self, name, read_only(getattr(self, name)))


@dataclass(frozen=True)
class Plain:
    """Plays that are plainly right, in the order of their starts.

    ``beginnings`` and ``owners`` have for each event, in the order of the log, what its Play
    was like after it (see ``leak``), and its Play: None where one Play follows on another.
    ``first`` and ``last`` have the events of each Play that are its first and last. An amount
    is -1 where none is said. ``name`` gives a Play Number. ``finals`` has how the Play ended
    that ended last before so many events.
    """

    numbers: Array
    names: Any
    amounts: Array
    beginnings: Array
    owners: Array | None
    first: Array
    last: Array
    most_open: int
    finals: dict[int, State]

    def ended(self, first: int, last: int) -> Array:
        """Return the places of Plays that ended from one event to another, in that order."""
        ended = np.flatnonzero((self.last >= first) & (self.last < last))
        return ended[np.argsort(self.last[ended], kind="stable")]

    @property
    def events(self) -> int:
        """How many events these Plays have."""
        return len(self.beginnings)

    def owners_of(self, events: Array) -> Array:
        """Return the Play of each of some events."""
        if self.owners is not None:
            return self.owners[events]
        return np.searchsorted(self.first, events, side="right") - 1

    def name(self, place: int) -> str:
        """Return the Play Number of a Play."""
        return str(self.names[place])

    def amount(self, place: int) -> int | None:
        """Return the predetermined amount of a Play (pence); None where it is not said."""
        amount = int(self.amounts[place])
        return None if amount < 0 else amount


def read_only(array: Array) -> Array:
    """Return an array that cannot be written to, over the same bytes."""
    array = array.view()
    array.flags.writeable = False
    return array


class Rules:
    """The kernels of an edition, for one way to take every reading."""

    def __init__(
        self, source: Source, expected: Expected, module: ModuleType, words: ModuleType
    ) -> None:
        self.source = source
        self.expected = expected
        self.module = module
        self.words = words
        self.readings = np.array(source.taken(expected.readings) or [0], np.int64)
        self.start = np.frombuffer(source.state.pack(expected.start), np.uint8)
        anything = [source.any_choice(rule) for rule in source.rules]
        #: records of choices that stand for those left out, and where that of each rule is
        self.least = np.frombuffer(b"".join(anything) + b"\0", np.uint8)
        sizes = [0, *(len(one) for one in anything[:-1])]
        self.least_at = np.cumsum(np.array(sizes, np.int64))
        #: whether nothing depends on what a player chooses
        self.free = all(move.free for move in expected.moves.values())
        self._clear()

    def _clear(self) -> None:
        self._known = np.zeros((_MOST_ENDINGS, len(self.source.parts.fields) + 1), np.int64)
        self._slots = np.full(2 * _MOST_ENDINGS, -1, np.int64)
        self.endings: list[Ending] = []

    @cached_property
    def layout(self) -> Layout:
        """The layout of files of whole Plays that these kernels read."""
        return layout_of(self.source.edition, self.expected.readings)

    def no_steps(self) -> Array:
        """Return room for how often each rule comes after each other one, or at the start."""
        return np.zeros((len(self.source.rules) + 1, len(self.source.rules)), np.int64)

    def counted(self, right: Array, ended: Array, amounts: Array, pairs: Array) -> Summary:
        """Return the counts over Plays that are right, by how they ended, and their steps."""
        total = Summary.of(self.source.edition, self.expected.parts)
        total.plays = total.finished = int(right.sum())
        total.without_outcome = int((amounts[right] < 0).sum())
        names = ["", *self.source.rules]
        for before, rule in np.argwhere(pairs):
            total.steps[names[before], names[rule + 1]] += int(pairs[before, rule])
        times = np.bincount(ended[right], minlength=len(self.endings))
        for place in np.flatnonzero(times):
            _pays(total, self.endings[place], int(times[place]))
        return total

    def endings_by(self, judge: Callable[[Array, Array, int], int]) -> Array:
        """Have something judged that finds endings; return which of all are in the table.

        It gets the endings known by number, their slots, and how many there are; it returns
        how many there are then.
        """
        if len(self.endings) > _MOST_ENDINGS // 2:
            self._clear()
        count = judge(self._known, self._slots, len(self.endings))
        table = self.expected.table
        for place in range(len(self.endings), count):
            paid, *parts = map(int, self._known[place])
            named = dict(zip(self.expected.parts, parts, strict=True))
            self.endings.append(Ending(True, paid, named, table))
        sound = [e.row is not None or not e.paid or not table.rows for e in self.endings]
        return np.array(sound or [True])

    def judge(self, events: Columns) -> Judged:
        """Judge events; what they pay is for ``Judged`` to compare."""
        plays, number = events.plays, len(events.kind)
        states = np.zeros(plays * self.source.state.size, np.uint8)
        became = np.zeros(plays, np.uint8)
        beginnings = np.zeros(number, np.int64)
        ended = np.zeros(plays, np.int64)
        sound = self.endings_by(
            lambda known, slots, count: self.module.judge_events(
                events.kind, events.play, events.step, events.revealed_at, events.chosen_at,
                events.shown_at, events.reveals, events.choices, events.shows, events.masks,
                events.mask_at, self.start, self.readings, states, became,
                np.zeros(plays, np.int64), np.zeros(plays, np.int64), beginnings, known,
                slots, ended, count,
            )
        )  # fmt: skip
        right = (became == self.module.PLAIN) & sound[ended]
        return Judged(self, events, right, ended, beginnings, states)


@dataclass
class Judged:
    """What became of the Plays of some columns: ``right`` where all is plainly so.

    ``ended`` has the number of each Play's ending.
    """

    rules: Rules
    events: Columns
    right: Array
    ended: Array
    beginnings: Array
    states: Array

    def counted(self, amounts: Array, showing: Array) -> Summary:
        """Return the counts over Plays that are right; ``showing`` says which events show."""
        rules, events, right = self.rules, self.events, self.right
        pairs = rules.no_steps()
        latest = np.full(len(right), -1, np.int64)
        rules.module.count_steps(events.kind, events.play, right, latest, pairs)
        total = rules.counted(right, self.ended, amounts, pairs)
        own = right[events.play]
        total.events = int(own.sum())
        total.showing = int((showing & own).sum())
        return total

    def plain(self, numbers: Array, names: Callable[[Array], Any], amounts: Array) -> Plain:
        """Return what is told of the Plays that are right."""
        events, right = self.events, self.right
        own = np.flatnonzero(right[events.play])
        owners = events.play[own]
        first = np.full(len(right), -1, np.int64)
        last = np.zeros(len(right), np.int64)
        last[owners] = np.arange(len(own))
        first[owners[::-1]] = np.arange(len(own) - 1, -1, -1)
        plays = np.flatnonzero(right)
        plays = plays[np.argsort(first[plays], kind="stable")]
        place = np.zeros(len(right), np.int32)
        place[plays] = np.arange(len(plays))
        opened = np.zeros(len(own) + 1, np.int64)
        opened[first[plays]] += 1
        np.subtract.at(opened, last[plays] + 1, 1)
        return Plain(
            numbers[plays], names(plays), amounts[plays], self.beginnings[own], place[owners],
            first[plays], last[plays], int(np.cumsum(opened).max(initial=0)), {},
        )  # fmt: skip

    def final(self, play: int) -> State:
        """Return the state in which a Play ended."""
        size = self.rules.source.state.size
        return self.rules.source.state.unpack(self.states[play * size : (play + 1) * size])


def _pays(total: Summary, ending: Ending, times: int) -> None:
    """Count an ending so many times: see ``Summary.pays``."""
    total.amounts[ending.paid] += times
    for name in ending.won:
        total.parts[name] += times
    if ending.row is not None:
        total.rows[ending.row] += times
