"""Logs as Parquet files: one row an event, a column for each of its fields.

``play``, ``step`` and ``event`` are columns that every log has. Those of a start (``game``,
``outcome``, …) and of a finish (``paid``, ``won``) are null elsewhere, or left out. Fields with
fields of their own (``reveal``, ``choice``, ``shows``, …) are structs, maps, or text that holds
JSON. What is null is unknown. All of this takes pyarrow.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from .event import Event

__all__ = ["COLUMNS", "NESTED", "REQUIRED", "log_to_parquet", "parquet_rows", "row_as_data"]

COLUMNS = tuple(Event.__struct_fields__)
REQUIRED = ("play", "step", "event")
NESTED = ("reveal", "choice", "shows", "screen", "edition", "readings", "outcome", "won")

_BATCH = 1024


def parquet_rows(path: Path, tell: Any) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the rows of a Parquet file, counted from 1, batch by batch; maps are objects.

    ``tell`` hears what is wrong with the file, and with which row.
    """
    import pyarrow.parquet

    number = 0
    try:
        with pyarrow.parquet.ParquetFile(path, memory_map=True, pre_buffer=False) as file:
            for batch in file.iter_batches(_BATCH):
                for row in batch.to_pylist(maps_as_pydicts="lossy"):
                    number += 1
                    yield number, row
    except (pyarrow.ArrowException, OSError, ValueError, OverflowError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        tell(0, f"this Parquet file cannot be read from row {number + 1} on: {reason}")


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
