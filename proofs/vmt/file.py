"""A VMT-LIB 2 file: its text, and what was read from it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ...errors import BadInput
from ..sexpr import List, SExpr

__all__ = ["LARGEST", "Claim", "Symbol", "VmtFile", "read_text"]

LARGEST = 20_000_000
"""Bytes of the largest file that is read; the public benchmarks have some thousand."""


@dataclass(frozen=True)
class Symbol:
    """A constant of the file, with its sort as SMT-LIB text."""

    name: str
    sort: str


@dataclass(frozen=True)
class Claim:
    """A property of the file: its number, and the name of the definition it stands in."""

    number: int
    name: str
    formula: SExpr
    line: int


@dataclass(frozen=True)
class VmtFile:
    """A system as it was written: ``definitions`` are define-fun commands over its symbols.

    ``states`` pairs each state variable with its next. Inputs that a property or init speaks
    of (``observed``) are among them, with a next variable that nothing binds: what may come at
    any time. ``init`` and ``trans`` are the marked formulas, which hold together.
    """

    source: str
    states: tuple[tuple[Symbol, Symbol], ...]
    inputs: tuple[Symbol, ...]
    definitions: tuple[List, ...]
    init: tuple[SExpr, ...]
    trans: tuple[SExpr, ...]
    claims: tuple[Claim, ...]
    observed: tuple[str, ...] = ()


def read_text(path: Path) -> str:
    """Return a file's text. Raises BadInput for one that is no text, or too large."""
    try:
        size = path.stat().st_size
        if size > LARGEST:
            raise BadInput(
                f"{path}: {size:,} bytes; files of more than {LARGEST:,} bytes are not read"
            )
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BadInput(f"{path}: not a text file (VMT-LIB 2 is text in UTF-8)") from None
