"""The Plays of a Parquet file as columns: those that are plainly right told from the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..summary import Summary
from .events import Columns, Plain, Rules, read_only

if TYPE_CHECKING:
    from ...models.editions import Edition

__all__ = ["judged_plays"]

_START = 255

Array = Any


class Unlike(Exception):
    """A part of a file that is not as its layout says: it is judged event by event."""


def judged_plays(
    rules: Rules, edition: Edition, batch: Any
) -> tuple[Plain, Summary, list[tuple[int, int]]] | None:
    """Return the Plays of a batch that are plainly right, the counts over them, and the rest.

    The rest is the rows of other Plays (from 0), each with how many events of plain ones come
    before it and after the one before. None where nothing can be said of it.
    """
    try:
        return _judged(rules, edition, batch)
    except Unlike:
        return None


def _judged(
    rules: Rules, edition: Edition, batch: Any
) -> tuple[Plain, Summary, list[tuple[int, int]]]:
    table = _Table(batch)
    events, ends = table.bytes("events")
    reveals, reveal_ends = table.bytes("reveals")
    steps = np.diff(ends)
    if len(events) and events.max(initial=0) >= len(rules.source.rules):
        raise Unlike
    columns, odd = _columns(rules, table, events, ends, reveals, reveal_ends)
    judged = rules.judge(columns)
    right = judged.right & ~odd
    amounts, paid = table.numbers("amount"), judged.paid()
    right &= (amounts == paid) & (table.numbers("paid") == paid)
    _outcomes(rules, table, judged.ended, amounts, right)
    shown_last(rules, table, columns, judged.states, ends, right)
    if "screens" in table.names:
        right &= table.nulls("screens")
    plays, numbers = table.numbered(rules)
    right &= ~_again(numbers)
    judged.right = right
    summary = judged.counted(edition, amounts, table.showing(columns, ends))
    plain = judged.plain(numbers, lambda places: plays[places], amounts)
    rest = np.flatnonzero(~right)
    before = np.concatenate([[0], np.cumsum(np.where(right, steps + 1, 0))])
    gaps = np.diff(before[rest], prepend=0)
    for row, at in zip(rest, before[rest], strict=True):
        if at and row and right[row - 1]:
            plain.finals[int(at)] = judged.final(int(row) - 1)
    if right.any():
        plain.finals[int(before[-1])] = judged.final(int(np.flatnonzero(right)[-1]))
    return plain, summary, [*zip(gaps.tolist(), rest.tolist(), strict=True)]


def _columns(
    rules: Rules, table: _Table, events: Array, ends: Array, reveals: Array, reveal_ends: Array
) -> tuple[Columns, Array]:
    """Return the events as columns, and which Plays do not fit together."""
    count, total = table.rows, len(events)
    steps = np.diff(ends)
    at = ends[:-1] + np.arange(count)  # of each start, among all events
    play = np.repeat(np.arange(count, dtype=np.int32), steps + 1)
    kind = np.full(total + count, _START, np.uint8)
    own = np.ones(total + count, bool)
    own[at] = False
    kind[own] = events
    step = np.arange(total + count, dtype=np.int64) - np.repeat(at, steps + 1)
    source = rules.source
    sizes = np.array([record.size for record in source.reveals], np.int64)
    revealed_at, odd = _places(events, own, sizes, ends, reveal_ends)
    if "choices" in table.names:
        choices, choice_ends = table.bytes("choices")
        choice_sizes = np.array([record.size for record in source.choices], np.int64)
        chosen_at, wrong = _places(events, own, choice_sizes, ends, choice_ends)
        odd |= wrong
    else:
        if not rules.free:
            raise Unlike
        choices = rules.least
        chosen_at = np.zeros(total + count, np.int64)
        chosen_at[own] = rules.least_at[events]
    size = source.state.size
    if "shows" in table.names:
        shows, show_ends = table.bytes("shows")
        odd |= np.diff(show_ends) != (steps + 1) * size
        shown_at = np.repeat(show_ends[:-1], steps + 1) + step * size
        shown_at[np.repeat(odd, steps + 1)] = -1
    else:
        shows = np.zeros(1, np.uint8)
        shown_at = np.full(total + count, -1, np.int64)
    masks = np.full(size, 255, np.uint8)
    revealed_at[np.repeat(odd, steps + 1)] = 0
    chosen_at[np.repeat(odd, steps + 1)] = 0
    kind[np.repeat(odd, steps + 1)] = _START  # no record of them is read
    mask_at = np.zeros(total + count, np.int64)
    return Columns(
        count, kind, play, step, revealed_at, chosen_at, shown_at, reveals, choices, shows,
        masks, mask_at,
    ), odd  # fmt: skip


def _places(
    events: Array, own: Array, sizes: Array, ends: Array, bytes_: Array
) -> tuple[Array, Array]:
    """Return where the record of each event is, and which Plays have too much or too little."""
    taken = np.concatenate([[0], np.cumsum(sizes[events])])
    odd = np.diff(bytes_) != taken[ends[1:]] - taken[ends[:-1]]
    steps = np.diff(ends)
    first = np.repeat(bytes_[:-1] - taken[ends[:-1]], steps)
    places = np.zeros(len(own), np.int64)
    places[own] = taken[:-1] + first
    return places, odd


def _outcomes(rules: Rules, table: _Table, ended: Array, amounts: Array, right: Array) -> None:
    """Compare the parts of what is predetermined and shown as won with what the rules give."""
    size = len(rules.source.parts.fields)
    given = rules.parts[:, 1:][ended] if len(rules.parts) else np.zeros((len(ended), size))
    for name in ("parts", "won"):
        if name in table.names:
            said = table.fixed(name, rules.source.parts.size).view("<i4")
            right &= (said == given).all(axis=1)
    if "parts" in table.names:
        right &= given.sum(axis=1) == amounts
    if "row" in table.names and rules.expected.table.rows:
        rows = table.numbers("row", np.int16).astype(np.int64)
        pays = np.full(max(rules.expected.table.rows) + 2, -1, np.int64)
        for number, row in rules.expected.table.rows.items():
            pays[number] = row.amount
        known = (rows > 0) & (rows < len(pays))
        right &= (rows == 0) | (known & (pays[np.where(known, rows, 0)] == amounts))


def shown_last(
    rules: Rules, table: _Table, columns: Columns, states: Array, ends: Array, right: Array
) -> None:
    """Compare the state that a Play ends in with what is shown as final."""
    if "final" in table.names:
        size = rules.source.state.size
        final = table.fixed("final", size)
        right &= (final == states.reshape(-1, size)).all(axis=1)


def _again(numbers: Array) -> Array:
    """Return which numbers are there more than once."""
    order = np.argsort(numbers, kind="stable")
    same = numbers[order[1:]] == numbers[order[:-1]]
    again = np.zeros(len(numbers), bool)
    again[order[1:][same]] = True
    again[order[:-1][same]] = True
    return again


class _Table:
    """The columns of a batch as arrays. Raises Unlike where one is of another kind."""

    def __init__(self, table: Any) -> None:
        table = table.combine_chunks()
        self._columns = {name: table.column(name) for name in table.column_names}
        self.names = set(self._columns)
        self.rows = table.num_rows
        if not {"play", "amount", "events", "reveals", "paid"} <= self.names:
            raise Unlike

    def _column(self, name: str, nullable: bool = False) -> Any:
        column = self._columns[name]
        if column.null_count and not nullable:
            raise Unlike
        return column.chunk(0) if column.num_chunks else column.combine_chunks()

    def bytes(self, name: str) -> tuple[Array, Array]:
        """Return the bytes of a column of bytes, and where each row's begin and end."""
        import pyarrow as pa

        column = self._column(name)
        if column.type != pa.binary() or not len(column):
            raise Unlike
        _, offsets, data = column.buffers()
        ends = np.frombuffer(offsets, np.int32)[column.offset : column.offset + len(column) + 1]
        found = np.frombuffer(data, np.uint8) if data and data.size else np.zeros(1, np.uint8)
        return found[ends[0] : ends[-1]], (ends - ends[0]).astype(np.int64)

    def fixed(self, name: str, size: int) -> Array:
        """Return a column of records, each a row of bytes."""
        import pyarrow as pa

        column = self._column(name)
        if column.type != pa.binary(size):
            raise Unlike
        data = np.frombuffer(column.buffers()[1], np.uint8)
        first = column.offset * size
        return data[first : first + len(column) * size].reshape(-1, size)

    def numbers(self, name: str, kind: Any = np.int64) -> Array:
        """Return a column of numbers."""
        values = self._column(name).to_numpy(zero_copy_only=False)
        if values.dtype != kind:
            raise Unlike
        return values

    def nulls(self, name: str) -> Array:
        """Return where a column is null."""
        return self._column(name, nullable=True).is_null().to_numpy(zero_copy_only=False)

    def showing(self, columns: Columns, ends: Array) -> Array:
        """Return which events show something of the state."""
        shown = columns.shown_at >= 0
        if "final" in self.names:
            shown[ends[1:] + np.arange(self.rows)] = True
        return shown

    def numbered(self, rules: Rules) -> tuple[Any, Array]:
        """Return the Play Numbers, and the numbers that stand for them."""
        import pyarrow as pa

        column = self._column("play")
        if column.type == pa.int64():
            column = column.cast(pa.string())
            whole = self._column("play").to_numpy(zero_copy_only=False)
        elif column.type == pa.string():
            whole = None
        else:
            raise Unlike
        _, offsets, data = column.buffers()
        ends = np.frombuffer(offsets, np.int32)[column.offset : column.offset + len(column) + 1]
        found = np.frombuffer(data, np.uint8) if data and data.size else np.zeros(1, np.uint8)
        lengths = np.diff(ends)
        if lengths.min(initial=1) < 1 or lengths.max(initial=1) > 1000:
            raise Unlike
        numbers = rules.words.text_numbers(read_only(found), ends.astype(np.int64))
        return whole if whole is not None else Names(column), numbers


class Names:
    """Play Numbers that are text."""

    def __init__(self, column: Any) -> None:
        self._column = column

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, np.ndarray):
            return Names(self._column.take(place))
        return self._column[int(place)].as_py()
