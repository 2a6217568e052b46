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
from .figures import (
    MONEY,
    NUMBER,
    Unreadable,
    a_price,
    breakdown,
    money,
    odds_of,
    plain,
    plays_of,
    printed,
    whole,
)
from .layout import Line, column, laid_out
from .table import Headlines, Printed, PrizeTable, Row, Unread
from .whole import amount_first, whole_rows

__all__ = ["read_document", "text_of"]

_ROW = re.compile(rf"\s*({MONEY})\s*(?:\(([^()]*)\))?(?=[\s|:]|$)", re.IGNORECASE)
_BEGINS = re.compile(r"\s*[^\w\s£]{0,3}(?:£\s?\d\S*|\d+p\b)", re.IGNORECASE)
_ODDS = re.compile(r"(?:1\s*(?:in|:|/)\s*)?(\S+)$", re.IGNORECASE)
_PRICE = re.compile(
    rf"\bprice\b[^£\d]{{0,40}}({MONEY})|\bto play\b.{{0,200}}\bfor\s+({MONEY})"
    rf"|\bplay\b[^£\d.]{{0,40}}\b(?:costs?|for)\s+({MONEY})",
    re.IGNORECASE,
)
_OVERALL = (
    re.compile(rf"\b1\s+in\s+({NUMBER})\s+overall\b", re.IGNORECASE),
    re.compile(rf"\boverall\b[^.%]{{0,200}}?\b1\s+in\s+({NUMBER})", re.IGNORECASE),
)
_PAYOUT = re.compile(
    rf"\b(?:payout|return)\b[^%]{{0,80}}?({NUMBER})\s?%|({NUMBER})\s?%[^.%]{{0,60}}\bpayout\b",
    re.IGNORECASE,
)
_POOL = re.compile(
    rf"\b(?:total|number of)\s+(?:plays|tickets|cards)\b[^\d]{{0,20}}({NUMBER})", re.IGNORECASE
)
# What goes on before or after a number as digits do: 6 500 000, 73,50, 1.000.000.
_LEFT = re.compile(r"\d[\d.,]*[.,]$")
_LEFT_GROUPS = re.compile(r"(?<![\d.,])(?:\d{1,3} )(?:\d{3} )*$")
_RIGHT = re.compile(r"(?:[.,]\d+| \d{3}(?!\d))+")
# As many bytes are read of a file: a table of 5,000 rows has some 150,000.
_MOST = 5_000_000
# Lines among the rows of a table that do not end it.
_GAP = 4


def text_of(path: Path) -> tuple[str, tuple[str, ...]]:
    """Return a file's text, and what had to be decided to read it.

    Raises BadInput if it cannot be read or is no text.
    """
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
    headlines, doubts = _headlines(lines)
    if table is not None and not 1 <= table <= len(tables):
        raise BadInput(f"{name}: there is no table {table}: {len(tables)} were found")
    if table is None and len(tables) > 1:
        places = ", ".join(f"lines {one[0].number} to {one[-1].number}" for one in tables)
        raise BadInput(f"{name}: {len(tables)} prize tables ({places}): choose with --table N")
    chosen = tables[(table or 1) - 1] if tables else []
    rows, unread = _rows(chosen, _columns(lines, chosen))
    begun = chosen[0].number if chosen else None
    if not chosen and headlines == Headlines() and not doubts:
        raise BadInput(
            f"{name}: neither a prize table nor a headline was found in "
            f"{len(lines):,} lines; a Game Procedures document was expected, with rows like "
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


def _headlines(lines: Sequence[Line]) -> tuple[Headlines, tuple[Unread, ...]]:
    """Return what the document states of the whole table, and what it states twice."""
    stated: dict[str, list[tuple[object, Line]]] = {}
    doubts: list[Unread] = []
    for line in lines:
        if _is_row(line.text):
            continue
        try:
            for name, value in _stated(line):
                stated.setdefault(name, []).append((value, line))
        except Unreadable as error:
            doubts.append(Unread(line.number, line.said.strip(), str(error)))
    for name, values in stated.items():
        first = values[0][0]
        for value, line in values[1:]:
            if _value(value) != _value(first):
                why = f"states another {name} than line {values[0][1].number} does"
                doubts.append(Unread(line.number, line.said.strip(), why))
    told = {name: values[0][0] for name, values in stated.items()}
    return Headlines(**told), tuple(doubts)  # type: ignore[arg-type]


def _value(of: object) -> object:
    return of.value if isinstance(of, Printed) else of


def _stated(line: Line) -> Iterator[tuple[str, object]]:
    text = line.text
    if found := _PRICE.search(text):
        yield "price", a_price(_whole_number(found))
    for pattern in _OVERALL:
        if found := pattern.search(text):
            yield "odds", odds_of(_whole_number(found), line.number)
            break
    if found := _PAYOUT.search(text):
        yield "payout", printed(_whole_number(found), line.number)
    if found := _POOL.search(text):
        yield "pool", plays_of(_whole_number(found))


def _whole_number(found: re.Match[str]) -> str:
    """Return the number that was found. Raises Unreadable where it is a piece of another."""
    group = next(n for n, one in enumerate(found.groups(), start=1) if one is not None)
    start, end = found.span(group)
    number = found[group]
    before = found.string[:start]
    left = _LEFT.search(before)
    if left is None and re.match(r"\d{3}(?!\d)", number):
        left = _LEFT_GROUPS.search(before)
    right = _RIGHT.match(found.string, end)
    if left or right:
        said = f"{left[0] if left else ''}{number}{right[0] if right else ''}"
        raise Unreadable(f"{said!r} is no number as one is written")
    return number
