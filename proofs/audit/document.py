"""Reading a Game Procedures document, as plain text: headlines and prize table.

A row is a line that begins with an amount, perhaps a breakdown in brackets, and then odds. What
stands among the rows, or begins with an amount right after them, and is no row is told with its
line. Nothing is guessed: where two lines state different headlines, both are told.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from ...errors import BadInput
from .figures import MONEY, Unreadable, breakdown, money, odds_of, plain, whole
from .headlines import headlines_in
from .layout import Line, column, laid_out
from .table import Headlines, Printed, PrizeTable, Row, Unread
from .whole import amount_first, whole_rows

__all__ = ["read_document", "text_of"]

_ROW = re.compile(rf"\s*({MONEY})\s*(?:\(([^()]*)\))?(?=[\s|:]|$)", re.IGNORECASE)
_BEGINS = re.compile(r"\s*[^\w\s£]{0,3}(?:£\s?\d\S*|\d+p\b)", re.IGNORECASE)
_ODDS = re.compile(r"(?:1\s*(?:in|:|/)\s*)?(\S+)$", re.IGNORECASE)
# As many bytes are read of a file: a table of 5,000 rows has some 150,000.
_MOST = 5_000_000
# Lines among the rows of a table that do not end it.
_GAP = 4


def text_of(path: Path) -> tuple[str, tuple[str, ...]]:
    """Return a file's text, and what had to be decided to read it.

    Raises BadInput if it cannot be read or is no text.
    """
    if path.is_dir():
        raise BadInput(f"{path}: a folder; a document or a table was expected")
    if path.exists() and not path.is_file():
        raise BadInput(f"{path}: a file was expected, not a pipe or a device")
    try:
        with path.open("rb") as file:
            data = file.read(_MOST + 1)
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror}") from None
    if len(data) > _MOST:
        raise BadInput(f"{path}: has more than {_MOST:,} bytes: no prize table is that long")
    if not data.strip():
        raise BadInput(f"{path}: the file is empty; a document or a table was expected")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        encodings = ["utf-16"]
    else:
        encodings = ["utf-8-sig", "cp1252"]
    for encoding in encodings:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" in text:
            break
        return text, () if encoding == "utf-8-sig" else (f"read as {encoding}, not as UTF-8",)
    raise BadInput(f"{path}: no text that can be read; save the document as UTF-8")


def read_document(
    text: str, name: str, *, table: int | None = None, notes: Sequence[str] = ()
) -> PrizeTable:
    """Read a document; ``table`` chooses among several tables, counted from 1.

    Raises BadInput where there are several and none is chosen, or not so many.
    """
    read = ((n, plain(one)) for n, one in enumerate(text.splitlines(), start=1))
    laid = laid_out(whole_rows([Line(n, one, one) for n, one in read]))
    lines = [amount_first(one) for one in laid]
    tables = list(_tables(lines))
    headlines, doubts = headlines_in(one for one in lines if not _is_row(one.text))
    if table is not None and not 1 <= table <= len(tables):
        raise BadInput(
            f"{name}: there is no table {table}: {len(tables) or 'none'} "
            f"{'was' if len(tables) < 2 else 'were'} found"
        )
    if table is None and len(tables) > 1:
        places = ", ".join(f"lines {one[0].number} to {one[-1].number}" for one in tables)
        raise BadInput(f"{name}: {len(tables)} prize tables ({places}): choose with --table N")
    chosen = tables[(table or 1) - 1] if tables else []
    rows, unread = _rows(chosen, _columns(lines, chosen))
    begun = chosen[0].number if chosen else None
    if not chosen and headlines == Headlines() and not doubts:
        said = "1 line" if len(lines) == 1 else f"{len(lines):,} lines"
        raise BadInput(
            f"{name}: neither a prize table nor a headline was found in "
            f"{said}; a Game Procedures document was expected, with rows like "
            "“£10 (£5 + £5)  1 in 1,000”, or a table as CSV, its first line naming the columns"
        )
    return PrizeTable(name, rows, headlines, (*doubts, *unread), tuple(notes), begun)


def _tables(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Yield the lines of each table: from its first row to the last line that is like one."""
    kept: list[Line] = []
    last = rows = gap = 0
    for line in lines:
        if not line.text.strip():
            continue
        if _like_a_row(line.text):
            kept.append(line)
            last, rows, gap = len(kept), rows + _is_row(line.text), 0
        elif kept and gap < _GAP and len(line.text) < 120:
            kept.append(line)
            gap += 1
        elif kept:
            if rows > 1:
                yield kept[:last]
            kept, last, rows, gap = [], 0, 0, 0
    if rows > 1:
        yield kept[:last]


def _like_a_row(text: str) -> bool:
    found = _ROW.match(text) or _BEGINS.match(text)
    return found is not None and len(text[found.end() :].split()) < 8


def _is_row(text: str) -> bool:
    found = _ROW.match(text)
    return found is not None and bool(re.search(r"\d\s*$", text[found.end() :]))


def _columns(lines: Sequence[Line], chosen: Sequence[Line]) -> list[str]:
    """Return what the columns after the amount are: odds, winners or something else."""
    if not chosen:
        return []
    above = [one for one in lines if chosen[0].number - 6 <= one.number < chosen[0].number]
    for line in reversed(above):
        columns = [one for one in re.split(r"\t+|\s{2,}|\|", line.text.strip()) if one.strip()]
        named = [column(one) for one in columns[1:] if column(one) != "breakdown"]
        if any(named):
            return [one or "other" for one in named]
    return ["odds"]


def _rows(
    lines: Iterable[Line], columns: Sequence[str]
) -> tuple[tuple[Row, ...], tuple[Unread, ...]]:
    rows: list[Row] = []
    unread: list[Unread] = []
    for line in lines:
        try:
            row = _row(line, columns)
        except Unreadable as error:
            unread.append(Unread(line.number, line.said.strip(), str(error)))
        else:
            rows.append(replace(row, number=len(rows) + 1))
    return tuple(rows), tuple(unread)


def _row(line: Line, columns: Sequence[str]) -> Row:
    found = _ROW.match(line.text)
    if found is None:
        raise Unreadable("a row was expected: an amount, and its odds")
    amount = money(found[1])
    parts = breakdown(found[2]) if found[2] is not None else ()
    rest = re.sub(r"^-\s+", "", line.text[found.end() :].lstrip(" \t|:")).rstrip(" \t|")
    cells = [one.strip() for one in re.split(r"\t+|\s{2,}|\|", rest) if one.strip()]
    if len(cells) == 1 and len(columns) > 1:
        cells = re.sub(r"1\s*(?:in|:|/)\s*", "1:", cells[0], flags=re.IGNORECASE).split()
    if len(cells) != len(columns):
        raise Unreadable(
            f"{len(columns)} {'figure' if len(columns) == 1 else 'figures'} after the amount "
            f"({', '.join(columns)}) expected, not {len(cells)}"
        )
    odds: Printed | None = None
    winners: int | None = None
    for kind, cell in zip(columns, cells, strict=True):
        if kind == "odds":
            number = _ODDS.match(cell)
            odds = odds_of(number[1] if number else cell, line.number)
        elif kind == "winners":
            winners = whole(cell)
    if amount == 0:
        raise Unreadable("a prize of nothing")
    return Row(0, amount, parts, odds, winners, line.number, line.said.strip())
