"""Files of logs, packed or not, cut into shards: pieces that can be judged one by one.

What a file is shows in its first bytes, not in its name: gzip, zstd, Parquet, or else plain
lines. Files are read piece by piece and never held whole. What is wrong with one is a finding,
and what could be read of it is given all the same.
"""

from __future__ import annotations

import itertools
import select
import sys
import zlib
from collections.abc import Callable, Iterator
from io import BufferedIOBase
from typing import BinaryIO, Protocol

from .finding import Finding
from .remote import is_here
from .shards import BOM, LONGEST, Lines, Shard, line_ends, too_long, unreadable
from .sources import PARQUET, Source, is_zstd, needs
from .stretches import stretches

__all__ = ["PAUSE", "Pause", "read_shards"]

_SHARD = 4 << 20  # bytes: so much that few Plays begin in one shard and end in another
_HELD = 2 << 20  # bytes: the same where all of it is in memory, here and in who works on it
_STRETCHES = 32  # of a file, before they become larger
_LARGEST = 5 << 20  # bytes
_PIECE = 1 << 18
_PACKED = 1 << 10  # zstd turns a kilobyte into 32 megabytes at most, and all at once

_GZIP = b"\x1f\x8b"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


class Pause:
    """Comes where nothing more can be read at the moment, and waiting for it begins."""


PAUSE = Pause()


def read_shards(
    source: Source, advance: Callable[[int], None] = lambda size: None
) -> Iterator[Shard | Finding | Pause]:
    """Yield a file in shards, one after the other, and what is wrong with it as a whole.

    ``advance`` hears how many bytes more of the file have been read. Raises BadInput for
    standard input that takes a package which is not installed.
    """
    try:
        if source.path is None:
            yield from _shards(source, sys.stdin.buffer, advance)
        else:
            with source.path.open("rb") as file:
                yield from _shards(source, file, advance)
    except OSError as error:
        said = f"could not be read to its end: {error.strerror or error}"
        yield unreadable(source.name, 0, said)


def _shards(
    source: Source, file: BinaryIO, advance: Callable[[int], None]
) -> Iterator[Shard | Finding | Pause]:
    comes = source.path is None or not source.path.is_file()  # as somebody writes it
    pieces = _pieces(file, advance, comes)
    first = b""
    for piece in pieces:
        first += piece
        if len(first) >= 4:
            break
    if first.startswith(PARQUET):
        if source.path is None or comes:
            said = "a Parquet file is read from a file, not from a pipe"
            yield unreadable(source.name, 0, said)
            return
        from .parquet import parquet_shards

        yield from parquet_shards(source.name, source.path)
        advance(source.size)
    elif first.startswith(_UTF16):
        yield unreadable(source.name, 1, "this is UTF-16 text: UTF-8 was expected")
    elif (
        source.path is not None
        and not comes
        and source.size > _SHARD
        and isinstance(file, BufferedIOBase)
        and is_here(source.path)
        and not _is_packed(first)
    ):
        yield from stretches(
            source.name, source.path.absolute(), file, advance, _stretch(source.size)
        )
    else:
        try:
            yield from _cut(source.name, _unpacked(source, first, pieces))
        except _Broken as error:  # the line that breaks off is lost
            yield unreadable(source.name, 0, f"{error}; what came before is judged")


def _stretch(size: int) -> int:
    """Return how large stretches of a file of so many bytes should be."""
    return min(max(_SHARD, size // _STRETCHES), _LARGEST)


def _is_packed(first: bytes) -> bool:
    return first.startswith(_GZIP) or is_zstd(first)


def _pieces(file: BinaryIO, advance: Callable[[int], None], comes: bool) -> Iterator[bytes]:
    """Yield what is read, and nothing (b"") before waiting for more."""
    read = getattr(file, "read1", file.read)  # of a pipe, what there is already
    while True:
        if comes and not _more(file):
            yield b""
        piece = read(_PIECE)
        if not piece:
            return
        advance(len(piece))
        yield piece


def _more(file: BinaryIO) -> bool:
    """Return whether more can be read at once."""
    try:
        return bool(select.select([file], [], [], 0)[0])
    except (OSError, ValueError, TypeError):  # nothing that can be asked: do not wait for more
        return True


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
    elif is_zstd(first):
        needs("zstandard", source.name)
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
        if not piece:
            yield b""
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
                if plain:
                    yield plain
    if not unpacker.eof:
        raise _Broken("is cut off: what is packed has no end")


def _cut(name: str, pieces: Iterator[bytes]) -> Iterator[Lines | Finding | Pause]:
    """Cut a text at the ends of lines; a line that is too long is told, and not held.

    What was read before the pieces break off is given before that is raised, but for a line
    without its end.
    """
    least = min(_SHARD, _HELD)
    number, held, size, enough, dropping = 1, [b""], 0, least, False
    try:
        for piece in pieces:
            rest = piece
            if dropping:
                _, end, rest = piece.partition(b"\n")
                dropping = not end
                number += bool(end)
            held.append(rest)
            size += len(rest)
            if piece and size < enough:
                continue
            data = b"".join(held)
            del held
            if at := data.rfind(b"\n") + 1:
                shard, data = Lines(name, number, data[:at]), data[at:]
                number += line_ends(shard.data, at)
                yield shard
                del shard
            if len(data) > LONGEST:
                yield unreadable(name, number, too_long())
                data, dropping = b"", True
            held, size = [data], len(data)
            del data
            enough = max(least, size + _PIECE)
            if not piece:
                yield PAUSE
    except (_Broken, OSError):
        data = b"".join(held)
        if at := data.rfind(b"\n") + 1:
            yield Lines(name, number, data[:at])
        raise
    if data := b"".join(held):
        yield Lines(name, number, data)
