"""Shards: pieces of a log, of whole lines or rows, that can be judged one by one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from ..errors import BadInput
from .event import Where
from .finding import Finding, Severity

__all__ = [
    "BOM",
    "EMPTY",
    "LONGEST",
    "Lines",
    "Row",
    "Shard",
    "Stretch",
    "line_ends",
    "too_long",
    "unreadable",
]

Row = tuple[int, bytes | dict[str, Any]]
"""Where a row stands (lines, or rows of a Parquet file, from 1), and what is there."""

BOM = b"\xef\xbb\xbf"
"""What some editors begin UTF-8 text with; it is passed over."""

LONGEST = 4 << 20
"""The longest line that is read, in bytes."""

_MANY = 1 << 18  # bytes in which numpy counts sooner, once it is there
_LINE_END = 10

EMPTY = "an empty line; such lines are passed over"
"""What is said of the first empty line of a file."""


class Shard(Protocol):
    """A part of a file: whole lines or rows, in order."""

    @property
    def name(self) -> str:
        """The name of the file."""

    def rows(self) -> Iterator[Row | Finding]:
        """Yield what stands in it row by row, and what is wrong where it is no row."""


@dataclass(frozen=True)
class Lines:
    """Whole lines of a file, the first of which has the number ``first``."""

    name: str
    first: int
    data: bytes

    def rows(self) -> Iterator[Row | Finding]:
        """Yield the lines without their ends; the first of those that are empty is told."""
        empty = False
        lines = self.data.split(b"\n")
        if not lines[-1]:
            lines.pop()  # what follows the last end
        for number, line in enumerate(lines, start=self.first):
            if len(line) > LONGEST:
                yield unreadable(self.name, number, too_long())
            elif line and not line.isspace():
                yield number, line
            elif not empty:
                empty = True
                yield unreadable(self.name, number, EMPTY, Severity.NOTE)


@dataclass(frozen=True)
class Stretch:
    """Whole lines of a file, the first of which has the number ``first``, by their place.

    Whoever works on them reads them: nothing of them has to be held or sent. Bytes are counted
    from 0. Reading raises BadInput where the file is not as it was.
    """

    name: str
    first: int
    path: Path
    begins: int
    size: int

    @property
    def lines(self) -> Lines:
        """The lines themselves."""
        try:
            with self.path.open("rb", buffering=0) as file:
                file.seek(self.begins)
                data = file.read(self.size) or b""
        except OSError as error:
            raise BadInput(f"{self.name}: cannot be read: {error.strerror}") from None
        if len(data) != self.size:
            raise BadInput(
                f"{self.name} has become shorter while it was judged: judge it again when "
                "nobody writes it anew"
            )
        return Lines(self.name, self.first, data)

    def rows(self) -> Iterator[Row | Finding]:
        """Yield the lines, as ``Lines`` does."""
        return self.lines.rows()


def line_ends(data: bytes | bytearray, size: int) -> int:
    """Return how many lines end in the first so many bytes."""
    if size < _MANY:
        return data.count(b"\n", 0, size)
    import numpy as np

    numbers = np.frombuffer(data, np.uint8, size)
    return sum(
        int(np.count_nonzero(numbers[at : at + _MANY] == _LINE_END))
        for at in range(0, size, _MANY)
    )


def unreadable(
    name: str, line: int, message: str, severity: Severity = Severity.ERROR
) -> Finding:
    """Return the finding that something cannot be read, at a line."""
    return Finding("unreadable", message, Where(name, line), severity=severity)


def too_long() -> str:
    """Say that a line is too long."""
    limit = f"{LONGEST >> 20} MB"
    return f"a line of more than {limit}, which is not read: one record a line was expected"
