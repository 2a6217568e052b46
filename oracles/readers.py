"""Where logs come from: files, folders, patterns or standard input, packed or not.

What a file is shows in its first bytes, not in its name: gzip, zstd, Parquet, or else plain
lines. Files are read piece by piece and never held whole. What is wrong with one is told, and
what could be read of it is given all the same.
"""

from __future__ import annotations

import glob
import importlib.util
import itertools
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from ..errors import BadInput
from .finding import Severity

__all__ = ["BOM", "LONGEST", "Row", "Source", "Tell", "find_sources", "read_rows"]

Row = tuple[int, bytes | dict[str, Any]]
"""Where a row stands (lines, or rows of a Parquet file, from 1), and what is there."""


class Tell(Protocol):
    """Hears of what is wrong: at which line (0: the file as a whole), what, how bad it is."""

    def __call__(
        self, line: int, message: str, severity: Severity = Severity.ERROR, /
    ) -> None: ...


BOM = b"\xef\xbb\xbf"
"""What some editors begin UTF-8 text with; it is passed over."""

LONGEST = 4 << 20
"""The longest line that is read, in bytes."""

_PIECE = 1 << 18
_PACKED = 1 << 10  # zstd turns a kilobyte into 32 megabytes at most, and all at once

_SUFFIXES = (".jsonl", ".ndjson", ".json", ".log", ".gz", ".zst", ".zstd", ".parquet")
_GZIP, _ZSTD, _PARQUET = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"PAR1"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_EXTRA = {"zstandard": "packed with zstd", "pyarrow": "Parquet"}


@dataclass(frozen=True)
class Source:
    """One file to read, or standard input; ``size`` is in bytes, 0 where nobody knows."""

    name: str
    path: Path | None
    size: int


def find_sources(paths: Sequence[str]) -> tuple[Source, ...]:
    """Return the files that paths name: files, folders, patterns, or ``-`` for standard input.

    A folder stands for the logs in it, at any depth, in order of their names. Raises BadInput
    for a path that leads to nothing or cannot be read, and for a kind of file that takes a
    package which is not installed.
    """
    found: dict[Path | None, Source] = {}
    for path in paths:
        for source in _named(path):
            found.setdefault(source.path and source.path.resolve(), source)
    for source in found.values():
        _check(source)
    return tuple(found.values())


def _named(path: str) -> list[Source]:
    if path == "-":
        return [Source("-", None, 0)]
    if not path:
        raise BadInput("a log was expected, not nothing")
    there = Path(path)
    if there.is_dir():
        inside = [each for each in sorted(there.rglob("*")) if _is_log(each, there)]
        if not inside:
            raise BadInput(f"{path}: no log in this folder: {', '.join(_SUFFIXES)}")
        return [_source(each) for each in inside]
    if not there.exists() and glob.has_magic(path):
        matching = [Path(name) for name in sorted(glob.glob(path, recursive=True))]
        if not matching:
            raise BadInput(f"{path}: no file is called like this")
        return [_source(each) for each in matching if not each.is_dir()]
    return [_source(there)]


def _is_log(path: Path, folder: Path) -> bool:
    hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
    return path.suffix.lower() in _SUFFIXES and path.is_file() and not hidden


def _source(path: Path) -> Source:
    try:
        return Source(str(path), path, path.stat().st_size)
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror}") from None


def _check(source: Source) -> None:
    """Raise BadInput for a file that cannot be opened, or that takes what is not installed."""
    if source.path is None or not source.path.is_file():
        return  # a pipe cannot be read twice
    try:
        with source.path.open("rb") as file:
            first = file.read(4)
    except OSError as error:
        raise BadInput(f"{source.name}: cannot be read: {error.strerror}") from None
    if _is_zstd(first):
        _needs("zstandard", source.name)
    elif first.startswith(_PARQUET):
        _needs("pyarrow", source.name)


def _is_zstd(first: bytes) -> bool:
    """Return whether data begins as zstd does, or with what zstd may be preceded by."""
    return first.startswith(_ZSTD) or (first[1:4] == b"\x2a\x4d\x18" and first[0] >> 4 == 5)


def _needs(package: str, name: str) -> None:
    if importlib.util.find_spec(package) is None:
        raise BadInput(
            f"{name} is {_EXTRA[package]}, which takes the package {package}: "
            f"pip install {package}"
        )


def read_rows(
    source: Source, tell: Tell, advance: Callable[[int], None] = lambda size: None
) -> Iterator[Row]:
    """Yield what stands on each line of a file, or in each row if it is a Parquet file.

    Lines are bytes without their end; empty ones are passed over and told once. ``advance``
    hears how many bytes more of the file have been read. Raises BadInput for standard input
    that takes a package which is not installed.
    """
    try:
        if source.path is None:
            yield from _rows(source, sys.stdin.buffer, tell, advance)
        else:
            with source.path.open("rb") as file:
                yield from _rows(source, file, tell, advance)
    except OSError as error:
        tell(0, f"could not be read to its end: {error.strerror or error}")


def _rows(
    source: Source, file: BinaryIO, tell: Tell, advance: Callable[[int], None]
) -> Iterator[Row]:
    pieces = _pieces(file, advance)
    first = b""
    while len(first) < 4 and (piece := next(pieces, b"")):  # a pipe may give less at a time
        first += piece
    if first.startswith(_PARQUET):
        if source.path is None or not source.path.is_file():
            tell(0, "a Parquet file is read from a file, not from a pipe")
            return
        from .parquet import parquet_rows

        yield from parquet_rows(source.path, tell)
        advance(source.size)
    elif first.startswith(_UTF16):
        tell(1, "this is UTF-16 text: UTF-8 was expected")
    else:
        try:
            yield from _lines(_unpacked(source, first, pieces), tell)
        except _Broken as error:  # the line that breaks off is lost
            tell(0, f"{error}; what came before is judged")


def _pieces(file: BinaryIO, advance: Callable[[int], None]) -> Iterator[bytes]:
    read = getattr(file, "read1", file.read)  # of a pipe, what there is already
    while piece := read(_PIECE):
        advance(len(piece))
        yield piece


class _Broken(Exception):
    """Packed data that cannot be unpacked any further."""


class _Unpacker(Protocol):
    """What zlib and zstandard have in common."""

    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, /) -> bytes: ...


def _unpacked(source: Source, first: bytes, pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the bytes of a file, unpacked if it is packed."""
    if first.startswith(_GZIP):
        yield from _unpack(first, pieces, lambda: zlib.decompressobj(31))
    elif _is_zstd(first):
        _needs("zstandard", source.name)
        import zstandard

        unpack = zstandard.ZstdDecompressor().decompressobj
        yield from _unpack(first, pieces, unpack)
    else:
        yield first.removeprefix(BOM)
        yield from pieces


def _unpack(
    first: bytes, pieces: Iterator[bytes], make: Callable[[], _Unpacker]
) -> Iterator[bytes]:
    """Yield what is packed in a file, which may be several packed one after another."""
    unpacker = make()
    for piece in itertools.chain([first], pieces):
        for at in range(0, len(piece), _PACKED):
            packed = piece[at : at + _PACKED]
            while packed:
                if unpacker.eof:
                    packed = packed.lstrip(b"\0")  # gzip may be filled up with these
                    unpacker = make() if packed else unpacker
                try:
                    plain = unpacker.decompress(packed) if packed else b""
                except Exception as error:  # each package has its own
                    raise _Broken(f"cannot be unpacked any further ({error})") from None
                packed = packed and unpacker.unused_data
                yield plain
    if not unpacker.eof:
        raise _Broken("is cut off: what is packed has no end")


def _lines(pieces: Iterator[bytes], tell: Tell) -> Iterator[Row]:
    """Yield the lines of a text that comes in pieces, by their number."""
    number, tail, dropping, empty = 0, b"", False, 0
    for piece in pieces:
        *whole, rest = piece.split(b"\n")
        if whole:
            whole[0] = tail + whole[0]
            tail = b""
            if dropping:  # the end of a line that is too long
                number += 1
                del whole[0]
                dropping = False
            for line in whole:
                number += 1
                if len(line) > LONGEST:
                    tell(number, _too_long())
                elif line and not line.isspace():
                    yield number, line
                else:
                    empty = empty or number
        tail = b"" if dropping else tail + rest
        if len(tail) > LONGEST:
            tell(number + 1, _too_long())
            tail, dropping = b"", True
    if tail and not tail.isspace():
        yield number + 1, tail
    if empty:
        tell(empty, "an empty line; such lines are passed over", Severity.NOTE)


def _too_long() -> str:
    limit = f"{LONGEST >> 20} MB"
    return f"a line of more than {limit}, which is not read: one record a line was expected"
