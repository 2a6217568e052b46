"""A plain file cut into stretches of whole lines, of which only the places are held."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from io import BufferedIOBase
from pathlib import Path

from .finding import Finding
from .shards import BOM, LONGEST, Stretch, line_ends, too_long, unreadable

__all__ = ["stretches"]

_PIECE = 1 << 18


def stretches(
    name: str, path: Path, file: BufferedIOBase, advance: Callable[[int], None], size: int
) -> Iterator[Stretch | Finding]:
    """Yield a file in stretches of some ``size`` in bytes, and each line that is too long.

    ``advance`` hears how many bytes more have been read.
    """
    held = bytearray(size)
    file.seek(0)
    begins = len(BOM) if file.read(len(BOM)) == BOM else 0
    number, known = 1, 0
    while True:
        file.seek(begins)
        count = _filled(file, held)
        end = count if count < len(held) else held.rfind(b"\n", 0, count) + 1
        if not count:
            return
        if end:
            yield Stretch(name, number, path, begins, end)
            number += line_ends(held, end)
        elif len(held) > LONGEST:
            yield unreadable(name, number, too_long())
            end = _line_length(file, begins)
            number += 1
        else:
            held = bytearray(LONGEST + 1)
            continue
        begins += end
        if len(held) != size:
            held = bytearray(size)
        advance(begins - known)
        known = begins


def _filled(file: BufferedIOBase, held: bytearray) -> int:
    """Read into what there is; return how many bytes that are: fewer at the end alone."""
    count = 0
    with memoryview(held) as view:
        while read := file.readinto(view[count:]):
            count += read
    return count


def _line_length(file: BufferedIOBase, begins: int) -> int:
    """Return the bytes of the line that begins at a place, its end included."""
    file.seek(begins)
    length = 0
    while piece := file.read(_PIECE):
        if at := piece.find(b"\n") + 1:
            return length + at
        length += len(piece)
    return length
