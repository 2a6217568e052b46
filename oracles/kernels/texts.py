"""Shards of JSON Lines gone through by kernels: what is plainly right in them, and the rest."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from ..decode import Decoder
from ..digests import number_of
from ..event import START, Event
from ..finding import Finding
from ..log import Text
from ..shards import Lines, line_ends
from ..summary import Summary
from .events import Columns, Judged, Plain, Rules
from .patterns import Pattern, learnt
from .payments import Payments

if TYPE_CHECKING:
    from ..judge import Judge

__all__ = ["Texts"]

_START = 255
_MOST_PATTERNS = 64
_LEARNT_FROM = 100  # lines of a shard, each time
_ROUNDS = 4

Array = Any


class _Read(NamedTuple):
    """Lines that were read: see ``lines.read_lines``."""

    lines: int
    records: Array
    ends: Array
    pattern: Array
    places: Array
    numbers: Array


class Texts:
    """Reads shards of one judge's log by the patterns that it learns from them."""

    def __init__(self, rules: Rules, judge: Judge) -> None:
        self._rules = rules
        self._judge = judge
        source = rules.source
        most = [
            max((r.size for r in each), default=0) for each in (source.reveals, source.choices)
        ]
        self._sizes = np.array([*most, source.state.size], np.int64)
        self._patterns: list[Pattern] = []
        self._payments = Payments(rules)
        self._made()

    def judged(
        self, shard: Lines
    ) -> tuple[Plain, Summary, Iterator[tuple[int, Text | Finding]]] | None:
        """Return the Plays that are plainly right, the counts over them, and the rest.

        None where hardly a line is like those seen before.
        """
        data = np.frombuffer(shard.data, np.uint8)
        read = self._read(data, shard.data)
        for _ in range(_ROUNDS):
            unlike = np.flatnonzero(read.pattern[: read.lines] < 0)
            if not len(unlike) or not self._learn(shard.data, read.ends[unlike[:_LEARNT_FROM]]):
                break
            read = self._read(data, shard.data)
        unlike = read.pattern[: read.lines] < 0
        if 2 * int(unlike.sum()) > read.lines:
            return None
        return self._of(shard, data, read, unlike)

    # Reading

    def _made(self) -> None:
        """Make arrays of the patterns there are."""
        pieces, texts, firsts = [], b"", [0]
        offsets = np.concatenate([[0], np.cumsum(self._sizes)])
        for pattern in self._patterns:
            for piece in pattern.pieces:
                field = piece.field
                place = (0, 0) if field is None else (
                    int(offsets[piece.record]) + field.offset, field.size
                )  # fmt: skip
                pieces.append((len(texts), len(piece.text), piece.follows, *place))
                texts += piece.text
            firsts.append(len(pieces))
        self._firsts = np.array(firsts, np.int64)
        self._pieces = np.array(pieces, np.int64).reshape(-1, 5)
        self._texts = np.frombuffer(texts + b"\0", np.uint8)
        self._kinds = np.array(
            [_START if one.rule is None else one.rule for one in self._patterns] + [0], np.uint8
        )
        self._chosen = np.array([one.chosen for one in self._patterns] + [False])
        self._shown = np.array([one.shown for one in self._patterns] + [False])
        masks = b"".join(one.mask for one in self._patterns) + b"\0"
        self._masks = np.frombuffer(masks, np.uint8)

    def _read(self, data: Array, text: bytes) -> _Read:
        most = line_ends(text, len(text)) + 1
        width = int(self._sizes.sum())
        records = np.zeros(most * width + len(self._rules.least), np.uint8)
        records[most * width :] = self._rules.least
        ends = np.zeros((most, 2), np.int64)
        pattern = np.full(most, -1, np.int64)
        places = np.zeros((most, 6), np.int64)
        numbers = np.zeros((most, 2), np.int64)
        count = self._rules.words.read_lines(
            data, self._firsts, self._pieces, self._texts, width, records, ends, pattern,
            places, numbers,
        )  # fmt: skip
        return _Read(count, records, ends, pattern, places, numbers)

    def _learn(self, data: bytes, ends: Array) -> bool:
        """Learn patterns from lines; return whether there are more now."""
        told: list[Finding] = []
        before = len(self._patterns)
        decode = Decoder(told.append).event
        for first, last in ends.tolist():
            if len(self._patterns) >= _MOST_PATTERNS:
                break
            text = data[first:last]
            if not text or text.isspace():
                continue
            event = decode("", 0, text)
            if event is not None and not told and self._own(event):
                pattern = learnt(text, event, self._rules)
                if pattern is not None and pattern not in self._patterns:
                    self._patterns.append(pattern)
            told.clear()
        if len(self._patterns) > before:
            self._made()
        return len(self._patterns) > before

    def _own(self, event: Event) -> bool:
        """Return whether an event is no start of a Play of other rules."""
        if event.event != START or self._judge.of_another(event) is not None:
            return event.event != START
        try:
            taken = self._judge.readings_for(event.readings or {})
        except TypeError:
            return False
        return taken == self._judge.readings

    # Judging

    def _of(
        self, shard: Lines, data: Array, read: _Read, unlike: Array
    ) -> tuple[Plain, Summary, Iterator[tuple[int, Text | Finding]]]:
        count = read.lines
        pattern = read.pattern[:count]
        plays = np.zeros(count, np.int32)
        numbers = np.zeros(count + 1, np.uint64)
        size = 1 << (2 * count + 2).bit_length()
        keys, values = np.zeros(size, np.int64), np.full(size, -1, np.int64)
        words = self._rules.words
        many = words.number_plays(data, pattern, read.places, keys, values, plays, numbers)
        like = np.flatnonzero(~unlike)
        judged = self._rules.judge(self._columns(read, like, plays, many))
        for line in np.flatnonzero(unlike):
            self._spoil(shard.data[slice(*read.ends[line])], keys, values, judged)
        starts = np.full(many, -1, np.int64)
        kinds = self._kinds[pattern[like]]
        begun = like[kinds == _START]
        starts[plays[begun]] = begun
        finishes = np.full(many, -1, np.int64)
        ended = like[kinds == self._rules.module.FINISH]
        finishes[plays[ended]] = ended
        amounts = self._payments.of(
            data, judged, read.places, read.numbers[:, 1], starts, finishes
        )
        showing = judged.events.shown_at >= 0
        summary = judged.counted(amounts, showing)

        def names(plays: Array) -> _Names:
            return _Names(data, read.places[starts[plays], :2])

        plain = judged.plain(numbers[:many], names, amounts)
        own = np.zeros(count, bool)
        own[like] = judged.right[plays[like]]
        before = np.concatenate([[0], np.cumsum(own)])
        rest = np.flatnonzero(~own)
        _finals(plain, judged, [*before[rest].tolist(), int(before[-1])])
        return plain, summary, _texts(shard, read.ends, rest, before)

    def _columns(self, read: _Read, like: Array, plays: Array, many: int) -> Columns:
        pattern = read.pattern[like]
        width = int(self._sizes.sum())
        first = like * width
        kinds = self._kinds[pattern]
        rules = np.where(kinds == _START, 0, kinds)
        records = read.records
        chosen_at = np.where(
            self._chosen[pattern],
            first + self._sizes[0],
            len(records) - len(self._rules.least) + self._rules.least_at[rules],
        )
        shown_at = np.where(self._shown[pattern], first + self._sizes[0] + self._sizes[1], -1)
        return Columns(
            many, kinds, plays[like], read.numbers[like, 0].copy(), first, chosen_at, shown_at,
            records, records, records, self._masks, pattern * int(self._sizes[2]),
        )  # fmt: skip

    def _spoil(self, text: bytes, keys: Array, values: Array, judged: Judged) -> None:
        """Leave the Play of a line that is like no other to others."""
        event = Decoder(lambda finding: None).event("", 0, text) if text.strip() else None
        if event is not None:
            number = np.uint64(number_of(event.play)).astype(np.int64)
            place = self._rules.words.place_in(keys, values, number)
            if values[place] >= 0:
                judged.right[values[place]] = False


def _finals(plain: Plain, judged: Judged, ends: list[int]) -> None:
    """Note how the Play ended that ended last in each run of events that are plainly right."""
    events = judged.events
    own = np.flatnonzero(judged.right[events.play])
    of_last = np.sort(plain.last)
    before = 0
    for end in ends:
        if end > before:
            place = int(np.searchsorted(of_last, end)) - 1
            if place >= 0 and of_last[place] >= before:
                plain.finals[end] = judged.final(int(events.play[own[of_last[place]]]))
        before = end


def _texts(
    shard: Lines, ends: Array, rest: Array, before: Array
) -> Iterator[tuple[int, Text | Finding]]:
    """Yield the lines that are not of plain Plays, with how many of those come before each."""
    done = 0
    for line in rest.tolist():
        first, last = ends[line].tolist()
        one = Lines(shard.name, shard.first + line, shard.data[first:last] + b"\n")
        gap, done = int(before[line]) - done, int(before[line])
        for text in one.rows():
            yield gap, cast("Text | Finding", text)


class _Names:
    """Play Numbers as bytes one after the other, without the rest of their shard."""

    def __init__(self, data: Array, places: Array) -> None:
        sizes = places[:, 1] - places[:, 0]
        self._ends = np.concatenate([[0], np.cumsum(sizes)])
        within = np.arange(self._ends[-1]) - np.repeat(self._ends[:-1], sizes)
        self._data: bytes = data[np.repeat(places[:, 0], sizes) + within].tobytes()

    def __getitem__(self, place: int) -> str:
        return str(self._data[self._ends[place] : self._ends[place + 1]], "ascii")
