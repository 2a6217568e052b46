"""Logs: what a build did, read from files of any kind as events, one by one.

A log is JSON Lines, plain or packed, or Parquet (see ``readers`` and ``parquet``); its events
are described in ``event``. Records of another form are turned into events by an adapter (see
``adapters``). Whatever cannot be read as an event is told as a finding with its place, and what
follows is read all the same.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import msgspec

from .adapters import Adapter, Refused, made
from .event import Event, Where
from .finding import Finding, Severity
from .parquet import REQUIRED, row_as_data
from .readers import BOM, Row, Source, read_rows

__all__ = ["DEEPEST", "Text", "events_in", "read_log", "read_texts"]

Text = tuple[str, int, bytes]
"""What should be an event: the file and line where it stands, and its JSON."""

DEEPEST = 100
"""How deep an event may be nested."""

_KINDS = {
    "int": "a whole number",
    "float": "a number with a point",
    "str": "text",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}
"""What JSON's values are called in messages, by what msgspec calls them."""

_UNDECODED = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


class _Strict(Event, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """An event that has no key which events do not have."""


_event = msgspec.json.Decoder(_Strict).decode
_anything = msgspec.json.Decoder().decode


def read_log(
    sources: Sequence[Source],
    tell: Callable[[Finding], None],
    adapter: Adapter | None = None,
    advance: Callable[[int], None] = lambda size: None,
) -> Iterator[tuple[Event, Where]]:
    """Yield the events of a log with their places, file after file.

    ``tell`` hears what is wrong, ``advance`` how many bytes more have been read. Raises
    BadInput as ``read_rows`` does.
    """
    return events_in(read_texts(sources, tell, adapter, advance), tell)


def read_texts(
    sources: Sequence[Source],
    tell: Callable[[Finding], None],
    adapter: Adapter | None = None,
    advance: Callable[[int], None] = lambda size: None,
) -> Iterator[Text]:
    """Yield what should be the events of a log, as JSON, as ``read_log`` reads them."""
    for source in sources:
        reading = _Reading(source.name, tell)
        rows = read_rows(source, reading.unreadable, advance)
        texts = reading.adapted(rows, adapter) if adapter else reading.plain(rows)
        empty = True
        for line, text in texts:
            empty = False
            yield source.name, line, text
        if empty and len(sources) > 1:  # of all files, whoever judges them says so
            tell(Finding("empty", "no event is in this file", Where(source.name)))


def events_in(
    texts: Iterable[Text], tell: Callable[[Finding], None]
) -> Iterator[tuple[Event, Where]]:
    """Yield the events that JSON holds, with their places; ``tell`` hears where it is none."""
    decoder = _Decoder(tell)
    for name, line, text in texts:
        event = decoder.event(name, line, text)
        if event is not None:
            yield event, Where(name, line)


class _Reading:
    """One file being read, by its name."""

    def __init__(self, name: str, tell: Callable[[Finding], None]) -> None:
        self._name = name
        self._tell = tell

    def unreadable(self, line: int, message: str, severity: Severity = Severity.ERROR) -> None:
        self._tell(Finding("unreadable", message, Where(self._name, line), severity=severity))

    def plain(self, rows: Iterator[Row]) -> Iterator[tuple[int, bytes]]:
        """Yield the lines of a log that is as ours are."""
        first = list(itertools.islice(rows, 2))
        if wrong := _no_log([row for _, row in first]):
            self.unreadable(0, wrong)
            return
        for line, row in itertools.chain(first, rows):
            text = row if isinstance(row, bytes) else self._row(line, row)
            if text:
                yield line, text

    def adapted(self, rows: Iterator[Row], adapter: Adapter) -> Iterator[tuple[int, bytes]]:
        """Yield the events that an adapter makes of records."""
        try:
            convert = adapter.begin()
        except Refused as error:
            self._refused(0, error)
            return
        line = 0
        for line, row in rows:
            for record in self._records(line, row):
                yield from self._made(line, made(convert, record))
        if hasattr(convert, "end"):
            yield from self._made(line, made(convert.end))

    def _made(self, line: int, events: Iterator[Any]) -> Iterator[tuple[int, bytes]]:
        try:
            for data in events:
                yield line, _encoded(data)
        except Refused as error:
            self._refused(line, error)

    def _refused(self, line: int, error: Refused) -> None:
        self._tell(Finding("adapter", str(error), Where(self._name, line)))

    def _records(self, line: int, row: bytes | dict[str, Any]) -> Iterable[Any]:
        """Return the records of a line: one, or those of a list."""
        if not isinstance(row, bytes):
            return [row]
        try:
            data = _anything(row.removeprefix(BOM))
        except _UNDECODED as error:
            self.unreadable(line, _not_json(row, error))
            return []
        return data if isinstance(data, list) else [data]

    def _row(self, line: int, row: dict[str, Any]) -> bytes:
        try:
            return msgspec.json.encode(row_as_data(row))
        except (ValueError, RecursionError) as error:
            self.unreadable(line, f"a column holds what is not JSON: {error}")
            return b""


class _Decoder:
    """Decodes events, and knows which unknown keys were told already."""

    def __init__(self, tell: Callable[[Finding], None]) -> None:
        self._tell = tell
        self._unknown: set[str] = set()

    def event(self, name: str, line: int, text: bytes) -> Event | None:
        """Return the event that JSON holds; None where it holds none, which is told."""
        try:
            event: Event | None = _event(text)
        except _UNDECODED:
            event = self._mended(Where(name, line), text)
        if text.count(b"{") + text.count(b"[") > DEEPEST and _deeper(event, DEEPEST):
            self._unreadable(Where(name, line), _too_deep())
            return None
        return event

    def _mended(self, where: Where, text: bytes) -> Event | None:
        """Return the event without its unknown keys; None, and told, for anything else."""
        try:
            data = _anything(text.removeprefix(BOM))
        except _UNDECODED as error:
            self._unreadable(where, _not_json(text, error))
            return None
        if isinstance(data, dict):
            known = Event.__struct_fields__
            for name in [name for name in data if name not in known]:
                del data[name]
                if name not in self._unknown:
                    self._unknown.add(name)
                    message = f"unknown key {name!r}, which is passed over here and from now on"
                    self._tell(Finding("format", message, where, severity=Severity.NOTE))
        try:
            return msgspec.convert(data, _Strict)
        except msgspec.ValidationError as error:
            self._tell(Finding("format", _expected(str(error)), where))
            return None

    def _unreadable(self, where: Where, message: str) -> None:
        self._tell(Finding("unreadable", message, where))


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
        _anything(row if isinstance(row, bytes) else b"")
    except _UNDECODED:
        return False
    return True


def _encoded(data: Any) -> bytes:
    try:
        return msgspec.json.encode(data)
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise Refused(f"the adapter made an event that JSON cannot hold: {error}") from None


def _deeper(value: Any, limit: int) -> bool:
    if isinstance(value, msgspec.Struct):
        value = [getattr(value, name) for name in value.__struct_fields__]
        limit += 1
    if isinstance(value, dict):
        value = value.values()
    elif not isinstance(value, list):
        return False
    return limit == 0 or any(_deeper(part, limit - 1) for part in value)


def _not_json(text: bytes, error: Exception) -> str:
    if isinstance(error, RecursionError):
        return _too_deep()
    try:
        text.decode()
    except UnicodeDecodeError as wrong:
        return f"not UTF-8 text (byte {wrong.start + 1})"
    if isinstance(error, msgspec.ValidationError):
        return "a number that is too large to be read"
    if number := re.search(rb"\b(NaN|Infinity)\b", text):
        return f"not JSON: {number[0].decode()} is no number there"
    reason = str(error).removeprefix("JSON is malformed: ")
    reason = "it breaks off" if reason == "Input data was truncated" else reason
    return f"not JSON: {reason}"


def _too_deep() -> str:
    return f"an event that is nested more than {DEEPEST} deep"


def _expected(reason: str) -> str:
    """Say in our words why JSON is not an event.

    >>> _expected("Expected `object | null`, got `array` - at `$.shows`")
    'shows: an object or null was expected, not a list'
    >>> _expected("Object missing required field `play`")
    'the key play is missing'
    """
    reason, _, path = reason.partition(" - at ")
    place = path.strip("`").removeprefix("$").removeprefix(".")
    if missing := re.fullmatch(r"Object missing required field `(\w+)`", reason):
        return f"{place}: the key {missing[1]} is missing".removeprefix(": ")
    if kinds := re.fullmatch(r"Expected `(.*)`, got `(.*)`", reason):
        wanted, got = (
            " or ".join(_KINDS.get(k, k) for k in s.split(" | ")) for s in kinds.groups()
        )
        return f"{place or 'an event'}: {wanted} was expected, not {got}"
    return f"{place}: {reason}".removeprefix(": ")
