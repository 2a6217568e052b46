"""Logs: what a build did, read from files of any kind as events, one by one.

A log is JSON Lines, plain or packed, or Parquet (see ``readers`` and ``parquet``); its events
are described in ``event``. Records of another form are turned into events by an adapter (see
``adapters``). Whatever cannot be read as an event is told as a finding with its place, and what
follows is read all the same.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from .adapters import Adapter, Refused, made
from .decode import DEEPEST, UNDECODED, Decoder, anything, not_json
from .event import Event, Where
from .finding import Finding
from .parquet import REQUIRED, row_as_data
from .readers import Pause, read_shards
from .shards import BOM, EMPTY, Row, Shard
from .sources import Source

__all__ = ["DEEPEST", "End", "Ready", "Text", "read_log", "read_parts", "texts_in"]

Text = tuple[int, bytes]
"""What should be an event: the line where it stands, and its JSON."""

_READY = 4000  # texts in a shard of what an adapter made
_MOST_REASONS = 1000


@dataclass(frozen=True)
class End:
    """The end of one of the files of a log; ``among`` others, or the only one."""

    name: str
    among: bool


@dataclass(frozen=True)
class Ready:
    """Events that an adapter made, and what is wrong where it did not."""

    name: str
    texts: list[Text | Finding]

    def rows(self) -> Iterator[Row | Finding]:
        """Yield them in order."""
        yield from self.texts


def read_log(
    sources: Sequence[Source],
    tell: Callable[[Finding], None],
    adapter: Adapter | None = None,
    advance: Callable[[int], None] = lambda size: None,
) -> Iterator[tuple[Event, Where]]:
    """Yield the events of a log with their places, file after file.

    ``tell`` hears what is wrong, ``advance`` how many bytes more have been read. Raises
    BadInput as ``read_shards`` does.
    """
    decoder, told = Decoder(tell), Told()
    for part in read_parts(sources, adapter, advance):
        if isinstance(part, Pause):
            continue
        if isinstance(part, Finding | End):
            for finding in told.of(part):
                tell(finding)
            continue
        for text in texts_in(part):
            if isinstance(text, Finding):
                for finding in told.of(text):
                    tell(finding)
                continue
            told.read()
            event = decoder.event(part.name, *text)
            if event is not None:
                yield event, Where(part.name, text[0])


def read_parts(
    sources: Sequence[Source],
    adapter: Adapter | None = None,
    advance: Callable[[int], None] = lambda size: None,
) -> Iterator[Shard | Finding | Pause | End]:
    """Yield a log in shards, file after file; Raises BadInput as ``read_shards`` does."""
    for source in sources:
        parts = read_shards(source, advance)
        yield from _adapted(source.name, parts, adapter) if adapter else _plain(parts)
        yield End(source.name, len(sources) > 1)


def texts_in(shard: Shard) -> Iterator[Text | Finding]:
    """Yield what should be the events of a shard, and what is wrong where there is none."""
    for row in shard.rows():
        if isinstance(row, Finding):
            yield row
        elif isinstance(row[1], bytes):
            yield row[0], row[1]
        else:
            try:
                yield row[0], msgspec.json.encode(row_as_data(row[1]))
            except (ValueError, RecursionError) as error:
                message = f"a column holds what is not JSON: {error}"
                yield Finding("unreadable", message, Where(shard.name, row[0]))


class Told:
    """Knows what was told of a file already, and whether anything was read of it."""

    def __init__(self) -> None:
        self._empty_line = False
        self._texts = 0

    def read(self, texts: int = 1) -> None:
        """Note that so many texts were read."""
        self._texts += texts

    def of(self, part: Finding | End) -> Iterator[Finding]:
        """Yield what is to be told of the file."""
        if isinstance(part, End):
            if part.among and not self._texts:  # of all files, whoever judges them says so
                yield Finding("empty", "no event is in this file", Where(part.name))
            self._texts, self._empty_line = 0, False
        elif part.message != EMPTY:
            yield part
        elif not self._empty_line:
            self._empty_line = True
            yield part


def _plain(
    parts: Iterator[Shard | Finding | Pause],
) -> Iterator[Shard | Finding | Pause]:
    """Yield the shards of a file that is as ours are; nothing of any other."""
    for part in parts:
        if not isinstance(part, Finding | Pause):
            if wrong := _no_log(_first(part)):
                yield Finding("unreadable", wrong, Where(part.name))
                return
            yield part
            break
        yield part
    yield from parts


def _adapted(
    name: str, parts: Iterator[Shard | Finding | Pause], adapter: Adapter
) -> Iterator[Shard | Finding | Pause]:
    """Yield the events that an adapter makes of records.

    Why it refuses one is said once, and at the end of the file of how many more it is true.
    """
    try:
        convert = adapter.begin()
    except Refused as error:
        yield Finding("adapter", str(error), Where(name))
        return
    again: Counter[str] = Counter()
    ready: list[Text | Finding] = []
    line = 0

    def refused(text: Text | Finding) -> bool:
        if not isinstance(text, Finding) or text.code != "adapter":
            return False
        new = text.message not in again and len(again) < _MOST_REASONS
        again[text.message] += not new
        return not new

    for part in parts:
        if isinstance(part, Finding | Pause):
            if ready:
                yield Ready(name, ready)
                ready = []
            yield part
            continue
        for row in part.rows():
            if isinstance(row, Finding):
                ready.append(row)
                continue
            line = row[0]
            ready += [one for one in _converted(name, convert, row) if not refused(one)]
            if len(ready) >= _READY:
                yield Ready(name, ready)
                ready = []
    if hasattr(convert, "end"):
        ready += [one for one in _made(name, line, convert.end) if not refused(one)]
    for message, times in again.items():
        if times:
            also = f"so it was with {times} further record{'s' * (times > 1)}: {message}"
            ready.append(Finding("adapter", also, Where(name, line)))
    if ready:
        yield Ready(name, ready)


def _converted(name: str, convert: Callable[..., Any], row: Row) -> Iterator[Text | Finding]:
    """Yield what an adapter makes of a row: of one record, or of those of a list."""
    line, data = row
    if isinstance(data, bytes):
        try:
            data = anything(data.removeprefix(BOM))
        except UNDECODED as error:
            assert isinstance(row[1], bytes)
            yield Finding("unreadable", not_json(row[1], error), Where(name, line))
            return
    for record in data if isinstance(data, list) else [data]:
        yield from _made(name, line, convert, record)


def _made(
    name: str, line: int, convert: Callable[..., Any], *record: Any
) -> Iterator[Text | Finding]:
    try:
        for data in made(convert, *record):
            yield line, _encoded(data)
    except Refused as error:
        yield Finding("adapter", str(error), Where(name, line))


def _first(shard: Shard) -> list[bytes | dict[str, Any]]:
    rows = (row[1] for row in shard.rows() if not isinstance(row, Finding))
    return list(itertools.islice(rows, 2))


def _no_log(first: Sequence[bytes | dict[str, Any]]) -> str:
    """Say why a file cannot be a log by its first two rows; nothing if it can be."""
    if not first:
        return ""
    if isinstance(first[0], bytes):
        many = first[0].strip() in (b"{", b"[") and not any(map(_is_json, first))
        return "JSON over many lines: one object on each line was expected" if many else ""
    if not first[0].keys() >= set(REQUIRED):
        found = ", ".join(first[0]) or "none"
        needed = ", ".join(REQUIRED)
        return f"a Parquet file with the columns {needed} was expected; its columns are {found}"
    return ""


def _is_json(row: bytes | dict[str, Any]) -> bool:
    try:
        anything(row if isinstance(row, bytes) else b"")
    except UNDECODED:
        return False
    return True


def _encoded(data: Any) -> bytes:
    try:
        return msgspec.json.encode(data)
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise Refused(f"the adapter made an event that JSON cannot hold: {error}") from None
