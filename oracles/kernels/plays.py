"""Files of whole Plays (``layout``) as parts of a log: one row group, one shard.

A shard knows where it is, and is read by whoever works on it. Row by row it gives the events
that its Plays are, as any other log would.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from ..event import FINISH, FORMAT, START, VERSION, Where, nested
from ..finding import Finding
from ..remote import parquet_file
from .layout import Layout

__all__ = ["Part", "Plays", "plays_shards"]

_LARGEST = 256 << 20  # bytes of a row group that is read at once
_ROWS = 1 << 14


@dataclass(frozen=True)
class Part:
    """Some rows, the first of which is row ``first``."""

    name: str
    first: int
    layout: Layout
    table: Any

    def rows(self) -> Iterator[tuple[int, dict[str, Any]] | Finding]:
        """Yield the events of each Play, as rows of a log are, each in the row of its Play."""
        table = self.table
        for at in range(0, table.num_rows, 1024):
            for place, row in enumerate(table.slice(at, 1024).to_pylist(), self.first + at):
                yield from events_of(self.name, place, row, self.layout)


@dataclass(frozen=True)
class Plays:
    """The Plays of one row group, or of a part of it, the first in row ``first``."""

    name: str
    path: Path
    group: int
    first: int
    layout: Layout
    part: Any = None

    def batch(self) -> Any:
        """Return the rows as a table of pyarrow. Raises what pyarrow does."""
        if self.part is not None:
            return self.part
        with parquet_file(self.path) as file:
            return file.read_row_group(self.group, use_threads=False)

    def rows(self) -> Iterator[tuple[int, dict[str, Any]] | Finding]:
        """Yield the events of each Play, as rows of a log are, each in the row of its Play."""
        yield from Part(self.name, self.first, self.layout, self.batch()).rows()


def events_of(
    name: str, place: int, row: dict[str, Any], layout: Layout
) -> Iterator[tuple[int, dict[str, Any]] | Finding]:
    """Yield the events of the Play in a row; what is wrong with it where it is none."""
    try:
        events = list(_events(row, layout))
    except (ValueError, TypeError, KeyError) as error:
        message = f"a Play that cannot be read: {error}"
        yield Finding("unreadable", message, Where(name, place))
        return
    for event in events:
        yield place, {key: value for key, value in event.items() if value is not None}


def _events(row: dict[str, Any], layout: Layout) -> Iterator[dict[str, Any]]:
    play = None if row.get("play") is None else str(row["play"])
    rules = [layout.rules[code] for code in row["events"] or b""]
    reveals = _each(layout.reveals, rules, row["reveals"] or b"", "reveals")
    chosen = row.get("choices")
    choices = [None] * len(rules) if chosen is None else list(
        _each(layout.choices, rules, chosen, "choices")
    )  # fmt: skip
    shows = _shown(row, layout, len(rules))
    screens = _screens(row, len(rules))
    yield {
        "play": play, "step": 0, "event": START, "format": FORMAT, "version": VERSION,
        "game": layout.game, "edition": dict(layout.edition), "readings": dict(layout.readings),
        "outcome": _outcome(row, layout), "shows": shows[0], "screen": screens[0],
    }  # fmt: skip
    for step, (rule, reveal) in enumerate(zip(rules, reveals, strict=True), start=1):
        event = {
            "play": play, "step": step, "event": rule, "reveal": reveal,
            "choice": choices[step - 1] or None, "shows": shows[step], "screen": screens[step],
        }  # fmt: skip
        if rule == FINISH:
            event |= {"paid": row["paid"], "won": _amounts(row.get("won"), layout)}
        yield event


def _each(records: Any, rules: list[str], data: bytes, what: str) -> Iterator[dict[str, Any]]:
    at = 0
    made = []
    for rule in rules:
        record = records[rule]
        values = record.unpack(data, at)
        made.append(nested({f.name: v for f, v in zip(record.fields, values, strict=True)}))
        at += record.size
    if at != len(data):
        raise ValueError(f"its {what} have {len(data)} bytes; {at} were expected")
    yield from made


def _shown(row: dict[str, Any], layout: Layout, steps: int) -> list[dict[str, Any] | None]:
    size = layout.state.size
    named = [field.name for field in layout.state.fields]
    shown: list[dict[str, Any] | None] = [None] * (steps + 1)
    data, final = row.get("shows"), row.get("final")
    if data is not None:
        if len(data) != size * (steps + 1):
            wanted = size * (steps + 1)
            raise ValueError(f"its states have {len(data)} bytes; {wanted} were expected")
        for step in range(steps + 1):
            values = layout.state.unpack(data, size * step)
            shown[step] = nested(dict(zip(named, values, strict=True)))
    if final is not None:
        end = nested(dict(zip(named, layout.state.unpack(final), strict=True)))
        if shown[steps] not in (None, end):
            raise ValueError("its final state is not what it shows last")
        shown[steps] = end
    return shown


def _screens(row: dict[str, Any], steps: int) -> list[Any]:
    if row.get("screens") is None:
        return [None] * (steps + 1)
    screens = msgspec.json.decode(row["screens"])
    if not isinstance(screens, list) or len(screens) != steps + 1:
        raise ValueError(f"its screens are no list of {steps + 1}")
    return screens


def _outcome(row: dict[str, Any], layout: Layout) -> dict[str, Any]:
    outcome = {"amount": row["amount"], "parts": _amounts(row.get("parts"), layout)}
    if row.get("row"):
        outcome["row"] = row["row"]
    return {name: value for name, value in outcome.items() if value is not None}


def _amounts(data: bytes | None, layout: Layout) -> dict[str, int] | None:
    if data is None:
        return None
    named = zip(layout.parts.fields, layout.parts.unpack(data), strict=True)
    return {field.name: value for field, value in named if value}


def plays_shards(name: str, path: Path, layout: Layout) -> Iterator[Plays | Finding]:
    """Yield a file of whole Plays in shards, and what is wrong with the file."""
    import pyarrow

    first = 1
    path = path.absolute()  # who works on a shard may be in another folder
    with parquet_file(path) as file:
        for group in range(file.num_row_groups):
            meta = file.metadata.row_group(group)
            if meta.total_byte_size <= _LARGEST:
                yield Plays(name, path, group, first, layout)
                first += meta.num_rows
                continue
            for batch in file.iter_batches(_ROWS, row_groups=[group], use_threads=False):
                table = pyarrow.Table.from_batches([batch])
                yield Plays(name, path, group, first, layout, table)
                first += batch.num_rows
