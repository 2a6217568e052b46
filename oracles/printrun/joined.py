"""Parquet files of one schema joined into one, row groups and all, without decoding a page.

The footer of a Parquet file says where in it everything begins. Row groups are copied as they
stand, and the places in their footers moved along. Footers are in Thrift's compact protocol,
which is read and written here as far as that takes: a struct is its fields by number.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, BinaryIO

__all__ = ["join"]

_MAGIC = b"PAR1"
_TRUE, _FALSE, _BYTE, _I16, _I32, _I64, _DOUBLE, _BINARY, _LIST, _SET, _MAP, _STRUCT = range(
    1, 13
)

# Fields of the footer, of a row group, of a column, and of what is said of a column.
_ROWS, _GROUPS = 3, 4
_COLUMNS, _GROUP_BEGINS, _ORDINAL = 1, 5, 7
_COLUMN_PLACES, _COLUMN_SAID = (2, 4, 6), 3
_SAID_PLACES = (9, 10, 11, 14)

Value = tuple[int, Any]
"""A value with its type."""


def join(shards: Sequence[Path], out: BinaryIO) -> None:
    """Write one Parquet file of the row groups of several, in order.

    Raises ValueError for a file that is no Parquet file, OSError if one cannot be read or
    ``out`` written.
    """
    footer: dict[int, Value] = {}
    out.write(_MAGIC)
    place = len(_MAGIC)
    for shard in shards:
        with shard.open("rb") as file:
            said, size = _footer(file, shard)
            file.seek(len(_MAGIC))
            _copy(file, out, size)
        _move(said, place - len(_MAGIC))
        place += size
        footer = _added(footer, said)
    written = bytearray()
    _write_struct(footer, written)
    out.write(written)
    out.write(len(written).to_bytes(4, "little"))
    out.write(_MAGIC)


def _footer(file: BinaryIO, path: Path) -> tuple[dict[int, Value], int]:
    """Return the footer of a file, and how many bytes of row groups there are before it."""
    end = file.seek(0, 2)
    if end < 12:
        raise ValueError(f"{path} is no Parquet file")
    file.seek(end - 8)
    tail = file.read(8)
    size = int.from_bytes(tail[:4], "little")
    if tail[4:] != _MAGIC or size + 12 > end:
        raise ValueError(f"{path} is no Parquet file")
    file.seek(end - 8 - size)
    return _Reader(file.read(size)).struct(), end - 8 - size - len(_MAGIC)


def _copy(source: BinaryIO, target: BinaryIO, size: int) -> None:
    while size:
        data = source.read(min(size, 1 << 20))
        if not data:
            raise ValueError("a Parquet file that ends before its footer")
        target.write(data)
        size -= len(data)


def _move(footer: dict[int, Value], by: int) -> None:
    """Move every place that a footer names."""
    for group in _items(footer, _GROUPS):
        _shift(group, (_GROUP_BEGINS,), by)
        for column in _items(group, _COLUMNS):
            _shift(column, _COLUMN_PLACES, by)
            _shift(column[_COLUMN_SAID][1], _SAID_PLACES, by)


def _shift(of: dict[int, Value], fields: Sequence[int], by: int) -> None:
    for field in fields:
        if field in of and of[field][1] > 0:  # 0 stands for nowhere
            of[field] = (of[field][0], of[field][1] + by)


def _items(of: dict[int, Value], field: int) -> Any:
    return of[field][1][1]


def _added(footer: dict[int, Value], more: dict[int, Value]) -> dict[int, Value]:
    """Return a footer that has the row groups of another one as well."""
    if not footer:
        return more
    kind, groups = footer[_GROUPS][1]
    for number, group in enumerate(_items(more, _GROUPS), start=len(groups)):
        if _ORDINAL in group:
            group[_ORDINAL] = (_I16, number)
        groups.append(group)
    footer[_GROUPS] = (_LIST, (kind, groups))
    footer[_ROWS] = (_I64, footer[_ROWS][1] + more[_ROWS][1])
    return footer


class _Reader:
    """Reads values of Thrift's compact protocol."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0

    def struct(self) -> dict[int, Value]:
        """Return a struct: its values by field."""
        fields: dict[int, Value] = {}
        last = 0
        while head := self._byte():
            kind = head & 15
            last = last + (head >> 4) if head >> 4 else _unzigzag(self._varint())
            value = kind == _TRUE if kind in (_TRUE, _FALSE) else self._value(kind)
            fields[last] = (kind, value)
        return fields

    def _value(self, kind: int) -> Any:
        if kind in (_TRUE, _FALSE, _BYTE):
            return self._byte()
        if kind in (_I16, _I32, _I64):
            return _unzigzag(self._varint())
        if kind == _DOUBLE:
            return self._bytes(8)
        if kind == _BINARY:
            return self._bytes(self._varint())
        if kind in (_LIST, _SET):
            head = self._byte()
            size = self._varint() if head >> 4 == 15 else head >> 4
            return head & 15, [self._value(head & 15) for _ in range(size)]
        if kind == _STRUCT:
            return self.struct()
        raise ValueError(f"a footer with Thrift type {kind}, which no Parquet footer has")

    def _byte(self) -> int:
        self._at += 1
        return self._data[self._at - 1]

    def _bytes(self, size: int) -> bytes:
        self._at += size
        return self._data[self._at - size : self._at]

    def _varint(self) -> int:
        value = shift = 0
        while True:
            byte = self._byte()
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value


def _write_struct(fields: dict[int, Value], out: bytearray) -> None:
    last = 0
    for field, (kind, value) in fields.items():
        if 0 < field - last < 16:
            out.append((field - last) << 4 | kind)
        else:
            out.append(kind)
            _write_varint(_zigzag(field), out)
        last = field
        if kind not in (_TRUE, _FALSE):
            _write(kind, value, out)
    out.append(0)


def _write(kind: int, value: Any, out: bytearray) -> None:
    if kind in (_TRUE, _FALSE, _BYTE):
        out.append(value)
    elif kind in (_I16, _I32, _I64):
        _write_varint(_zigzag(value), out)
    elif kind == _DOUBLE:
        out += value
    elif kind == _BINARY:
        _write_varint(len(value), out)
        out += value
    elif kind == _STRUCT:
        _write_struct(value, out)
    else:
        of, items = value
        if len(items) < 15:
            out.append(len(items) << 4 | of)
        else:
            out.append(0xF0 | of)
            _write_varint(len(items), out)
        for item in items:
            _write(of, item, out)


def _write_varint(value: int, out: bytearray) -> None:
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)


def _zigzag(value: int) -> int:
    return value << 1 if value >= 0 else (-value << 1) - 1


def _unzigzag(value: int) -> int:
    return value >> 1 if not value & 1 else -(value >> 1) - 1
