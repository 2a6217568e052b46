"""The Plays of a Parquet file as columns: those that are plainly right told from the rest."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..moves import State
from ..summary import Summary
from .events import Plain, Rules, read_only

__all__ = ["judged_plays"]

Array = Any


class Unlike(Exception):
    """A part of a file that is not as its layout says: it is judged event by event."""


def judged_plays(
    rules: Rules, batch: Any
) -> tuple[Plain, Summary, list[tuple[int, int]]] | None:
    """Return the Plays of a batch that are plainly right, the counts over them, and the rest.

    The rest is the rows of other Plays (from 0), each with how many events of plain ones come
    before it and after the one before. None where nothing can be said of it.
    """
    try:
        return _judged(rules, batch)
    except Unlike:
        return None


def _judged(rules: Rules, batch: Any) -> tuple[Plain, Summary, list[tuple[int, int]]]:
    table = _Table(batch)
    codes, ends = map(read_only, table.bytes("events"))
    if len(codes) and codes.max(initial=0) >= len(rules.source.rules):
        raise Unlike
    steps = np.diff(ends)
    shown = "shows" in table.names
    amounts = table.numbers("amount")
    beginnings = np.zeros(len(codes) + table.rows, np.int64)
    states = np.zeros(table.rows * rules.source.state.size, np.uint8)
    ended = np.zeros(table.rows, np.int64)
    right = np.zeros(table.rows, bool)
    given = _given(rules, table, codes, ends, amounts)
    sound = rules.endings_by(
        lambda known, slots, count: rules.module.judge_plays(
            *given, known, slots, ended, beginnings, states, right, count
        )
    )
    right &= sound[ended]
    _rows(rules, table, amounts, right)
    if "screens" in table.names:
        right &= table.nulls("screens")
    plays, numbers = table.numbered(rules)
    right &= ~_again(numbers)
    pairs = rules.no_steps()
    rules.module.count_plays(codes, ends, right, pairs)
    summary = rules.counted(right, ended, amounts, pairs)
    summary.events = int((steps + 1)[right].sum())
    if shown or "final" in table.names:
        summary.showing = summary.events if shown else int(right.sum())
    rows = np.flatnonzero(right)
    last = np.cumsum((steps + 1)[rows])
    first = last - (steps + 1)[rows]
    own = beginnings if len(rows) == table.rows else beginnings[np.repeat(right, steps + 1)]
    plain = Plain(
        numbers[rows], plays[rows], amounts[rows], own, None, first, last - 1,
        int(len(rows) > 0), {},
    )  # fmt: skip
    rest = np.flatnonzero(~right)
    before = np.concatenate([[0], np.cumsum(np.where(right, steps + 1, 0))])
    gaps = np.diff(before[rest], prepend=0)

    def final(row: int) -> State:
        size = rules.source.state.size
        return rules.source.state.unpack(states[row * size : (row + 1) * size].tobytes())

    for row, at in zip(rest, before[rest], strict=True):
        if at and row and right[row - 1]:
            plain.finals[int(at)] = final(int(row) - 1)
    if len(rows):
        plain.finals[int(before[-1])] = final(int(rows[-1]))
    return plain, summary, [*zip(gaps.tolist(), rest.tolist(), strict=True)]


def _given(
    rules: Rules, table: _Table, codes: Array, ends: Array, amounts: Array
) -> tuple[Array, ...]:
    """Return what a table says of its Plays, as ``judge_plays`` takes it."""
    nothing, none = np.zeros(0, np.uint8), np.zeros(0, np.int64)
    names, sizes = table.names, rules.source
    if "choices" in names:
        chosen = table.bytes("choices")
    elif rules.free:
        chosen = rules.least, none
    else:
        raise Unlike
    final = table.fixed("final", sizes.state.size) if "final" in names else nothing
    parts, won = (
        table.fixed(name, sizes.parts.size).view("<i4") if name in names else none.astype("<i4")
        for name in ("parts", "won")
    )
    shows = table.bytes("shows") if "shows" in names else (nothing, none)
    return (
        codes, ends,
        *map(read_only, (*table.bytes("reveals"), *chosen, rules.least_at)),
        *map(read_only, (*shows, final.reshape(-1), rules.start)), rules.readings,
        *map(read_only, (amounts, table.numbers("paid"), parts.reshape(-1), won.reshape(-1))),
    )  # fmt: skip


def _rows(rules: Rules, table: _Table, amounts: Array, right: Array) -> None:
    """Compare what is predetermined with the row of the prize table that is named."""
    if "row" in table.names and rules.expected.table.rows:
        rows = table.numbers("row", np.int16).astype(np.int64)
        pays = np.full(max(rules.expected.table.rows) + 2, -1, np.int64)
        for number, row in rules.expected.table.rows.items():
            pays[number] = row.amount
        known = (rows > 0) & (rows < len(pays))
        right &= (rows == 0) | (known & (pays[np.where(known, rows, 0)] == amounts))


def _again(numbers: Array) -> Array:
    """Return which numbers are there more than once."""
    sorted_ = np.sort(numbers)
    if not (sorted_[1:] == sorted_[:-1]).any():
        return np.zeros(len(numbers), bool)
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
