"""Logs as Parquet files: one row an event, a column for each of its fields.

``play``, ``step`` and ``event`` are columns that every log has. Those of a start (``game``,
``outcome``, …) and of a finish (``paid``, ``won``) are null elsewhere, or left out. Fields with
fields of their own (``reveal``, ``choice``, ``shows``, …) are structs, maps, or text that holds
JSON. What is null is unknown. A file of whole Plays, one row each, is told by its metadata (see
``kernels.layout``). All of this takes pyarrow.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from .event import Event, Where
from .finding import Finding
from .kernels.layout import Layout
from .kernels.plays import Plays, plays_shards
from .remote import parquet_file

__all__ = [
    "COLUMNS",
    "NESTED",
    "REQUIRED",
    "Batch",
    "log_to_parquet",
    "parquet_shards",
    "row_as_data",
]

COLUMNS = tuple(Event.__struct_fields__)
REQUIRED = ("play", "step", "event")
NESTED = ("reveal", "choice", "shows", "screen", "edition", "readings", "outcome", "won")

_BATCH = 1024
_SHARD = 8 * _BATCH  # rows


@dataclass(frozen=True)
class Batch:
    """Rows of a Parquet file, the first of which has the number ``first``."""

    name: str
    first: int
    batch: Any

    def rows(self) -> Iterator[tuple[int, dict[str, Any]] | Finding]:
        """Yield the rows; maps are objects."""
        number = self.first
        try:
            for at in range(0, self.batch.num_rows, _BATCH):
                for row in self.batch.slice(at, _BATCH).to_pylist(maps_as_pydicts="lossy"):
                    yield number, row
                    number += 1
        except (ValueError, OverflowError) as error:
            yield _unreadable(self.name, number, error)


def parquet_shards(name: str, path: Path) -> Iterator[Batch | Plays | Finding]:
    """Yield a Parquet file batch by batch, and what is wrong with the file."""
    import pyarrow.parquet

    first = 1
    try:
        with parquet_file(path) as file:
            layout = Layout.read(file.schema_arrow.metadata)
            if layout is not None:
                yield from plays_shards(name, path, layout)
                return
            for batch in file.iter_batches(_SHARD):
                yield Batch(name, first, batch)
                first += batch.num_rows
    except (pyarrow.ArrowException, OSError, ValueError, OverflowError) as error:
        yield _unreadable(name, first, error)


def _unreadable(name: str, row: int, error: Exception) -> Finding:
    reason = str(error).splitlines()[0] if str(error) else type(error).__name__
    message = f"this Parquet file cannot be read from row {row} on: {reason}"
    return Finding("unreadable", message, Where(name))


def row_as_data(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row as the object that a line of a log would hold.

    Raises msgspec.DecodeError for text, where an object is expected, that is no JSON.
    """
    data = {name: _known(value) for name, value in row.items() if value is not None}
    for name in NESTED:
        if isinstance(data.get(name), str | bytes):
            data[name] = msgspec.json.decode(data[name])
    return data


def log_to_parquet(events: Iterable[Event], path: Path) -> None:
    """Write events as a Parquet file; what has fields of its own as JSON."""
    import pyarrow
    import pyarrow.parquet

    kinds = {"step": pyarrow.int64(), "version": pyarrow.int64(), "paid": pyarrow.int64()}
    schema = pyarrow.schema([(name, kinds.get(name, pyarrow.string())) for name in COLUMNS])
    rows = iter(events)
    with pyarrow.parquet.ParquetWriter(path, schema) as writer:
        while batch := [_row(event) for event in islice(rows, _BATCH)]:
            writer.write_batch(pyarrow.RecordBatch.from_pylist(batch, schema))


def _row(event: Event) -> dict[str, Any]:
    data: dict[str, Any] = msgspec.to_builtins(event)
    return {
        name: msgspec.json.encode(value).decode() if name in NESTED else value
        for name, value in data.items()
    }


def _known(value: Any) -> Any:
    """Return a value without the fields of structs that are null."""
    if isinstance(value, dict):
        return {name: _known(part) for name, part in value.items() if part is not None}
    return value
