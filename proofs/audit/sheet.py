"""Reading a prize table from CSV or TSV: one row a tier, the columns named in the first row."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator

from ...errors import BadInput
from .figures import Unreadable, breakdown, money, odds_of, plain, plays_of, whole
from .table import Headlines, Printed, PrizeTable, Row, Unread

__all__ = ["looks_like_a_sheet", "read_sheet"]

_NAMES = {
    "amount": r"(?:prize\s*)?(?:amount|value|prize)s?|prize tiers?",
    "tier": r"tiers?",
    "breakdown": r"breakdown|parts|made of",
    "odds": r"(?:approx\.?\s*)?odds.*|1 in x?",
    "winners": r"winners?.*|count|(?:number|no\.?) of (?:prizes|winners).*|prizes",
    "pool": r"(?:total )?(?:tickets|plays|pool)",
}

_TITLES = 5  # lines among which the one is that names the columns


def looks_like_a_sheet(text: str) -> bool:
    """Return whether a text's first line names the columns of a table."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    cells = re.split(r"[\t,;]", first)
    return len(cells) > 1 and _has_columns(_names(cells))


def read_sheet(text: str, name: str) -> PrizeTable:
    """Read a table. Raises BadInput where it has no columns that can be used."""
    at, first = _heading(text)
    delimiter = next((one for one in "\t;," if one in first), ",")
    lines = csv.reader(io.StringIO(text), delimiter=delimiter)
    names: list[str | None] = []
    rows: list[Row] = []
    unread: list[Unread] = []
    pools: dict[int, int] = {}
    for cells in _read(lines, name):
        if not any(cell.strip() for cell in cells):
            continue
        if not names:
            if lines.line_num >= at:
                names = _names(cells)
                _usable(name, cells, names, lines.line_num)
            continue
        number = lines.line_num
        try:
            row, pool = _row(cells, names, len(rows) + 1, number)
        except Unreadable as error:
            unread.append(Unread(number, delimiter.join(cells), str(error)))
            continue
        rows.append(row)
        if pool is not None:
            pools.setdefault(pool, number)
    for pool, number in list(pools.items())[1:]:
        why = f"a pool of {pool:,}, and another one above"
        unread.append(Unread(number, "", why))
    headlines = Headlines(pool=next(iter(pools), None))
    begun = at if rows or unread else None
    return PrizeTable(name, tuple(rows), headlines, tuple(unread), begun=begun)


def _read(lines: Iterator[list[str]], name: str) -> Iterator[list[str]]:
    try:
        yield from lines
    except csv.Error as error:
        raise BadInput(f"{name}: no table as CSV has them: {error}") from None


def _heading(text: str) -> tuple[int, str]:
    """Return the line that names the columns and its number: it may stand below a title."""
    lines = [(n, one) for n, one in enumerate(text.splitlines(), start=1) if one.strip()]
    return next(
        (one for one in lines[:_TITLES] if looks_like_a_sheet(one[1])),
        lines[0] if lines else (1, ""),
    )


def _usable(name: str, cells: list[str], names: list[str | None], line: int) -> None:
    if not _has_columns(names):
        raise BadInput(
            f"{name}: the first row names no columns that can be used: {', '.join(cells)}; a "
            "header was expected, with a prize (or amount, or tier) and its odds or winners, "
            "as in: prize,odds,winners,tickets"
        )
    for wanted in names:
        if wanted is not None and names.count(wanted) > 1:
            raise BadInput(
                f"{name}, line {line}: two columns are the {wanted}: {', '.join(cells)}"
            )


def _has_columns(names: list[str | None]) -> bool:
    return "amount" in names and bool({"odds", "winners"} & set(names))


def _names(cells: list[str]) -> list[str | None]:
    """Return what columns are; a tier is the amount where no other column is."""
    names = [_name(cell) for cell in cells]
    tier = None if "amount" in names else "amount"
    return [tier if one == "tier" else one for one in names]


def _name(cell: str) -> str | None:
    heading = plain(cell).strip().lower()
    return next((name for name, one in _NAMES.items() if re.fullmatch(one, heading)), None)


def _row(
    cells: list[str], names: list[str | None], number: int, line: int
) -> tuple[Row, int | None]:
    if len(cells) != len(names):
        raise Unreadable(f"{len(names)} columns were expected, not {len(cells)}")
    given = {name: plain(cell).strip() for name, cell in zip(names, cells, strict=True) if name}
    amount = given.get("amount", "")
    inside = re.fullmatch(r"(.*?)\s*\(([^()]*)\)", amount)
    parts = given.get("breakdown") or (inside[2] if inside else "")
    odds: Printed | None = None
    if text := given.get("odds"):
        odds = odds_of(re.sub(r"^1\s*(?:in|:|/)\s*", "", text, flags=re.IGNORECASE), line)
    row = Row(
        number,
        _amount(inside[1] if inside else amount),
        breakdown(parts) if parts else (),
        odds,
        whole(given["winners"]) if given.get("winners") else None,
        line,
        amount,
    )
    return row, plays_of(given["pool"]) if given.get("pool") else None


def _amount(text: str) -> int:
    """Read an amount, also without its sign: pounds."""
    pence = money(text if text.startswith("£") or text.endswith(("p", "P")) else f"£{text}")
    if not pence:
        raise Unreadable("a prize of nothing")
    return pence
