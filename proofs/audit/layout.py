"""Tables of any layout, made alike: the amount first, tabs between cells, figures as usual.

A heading that names its columns says which of them is the amount, and which number the rows.
Only what is between cells is changed, and how a figure is written, never a figure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .figures import MONEY

__all__ = ["Line", "column", "heading", "laid_out"]

_SEPARATORS = (r"\t+", r"\s*\|\s*", r"\s*;\s*", r"\s{2,}")
_RULED = re.compile(r"[\s|:;+=_-]*")
_LEADERS = re.compile(r"\s*(?:\.{4,}|(?:\. ){3,}\.?)\s*|\s\.{3}\s+")
_SPACED = re.compile(r"(£?\s?\d{1,3})((?: \d{3})+)(?=\s*(?:\(|$))")
_AMOUNT = re.compile(rf"\s*{MONEY}", re.IGNORECASE)
_FURTHER = 3  # lines without a cell that may stand among the rows of a table


@dataclass(frozen=True)
class Line:
    """A line of a document: its number, how it is laid out here, and as it stands there."""

    number: int
    text: str
    said: str


def laid_out(lines: Sequence[Line]) -> list[Line]:
    """Return lines with those of tables that have a heading laid out alike."""
    made: list[Line] = []
    table: tuple[str, list[str], int] | None = None
    missed = 0
    for line in lines:
        text = _LEADERS.sub("\t", line.text)
        if found := heading(text):
            table, missed = found, 0
        elif table is not None and text.strip():
            cells = _parted(text, table[0], len(table[1]))
            if _RULED.fullmatch(text):
                text = ""
            elif len(cells) == len(table[1]) and _AMOUNT.match(cells[table[2]]):
                missed = 0
            else:
                missed += len(cells) != len(table[1])
                table = None if missed > _FURTHER else table
        if table is not None and len(cells := _parted(text, table[0], len(table[1]))) == len(
            table[1]
        ):
            text = "\t".join(_ordered([_joined(one) for one in cells], *table[1:]))
        made.append(Line(line.number, text, line.said))
    return made


def column(title: str) -> str | None:
    """Return what a column is by its title: odds, breakdown and so on; None for none."""
    for kind, words in (
        ("breakdown", r"\bbreakdown\b|\bmade (?:up )?of\b|\bparts\b|\bhow\b.*\bwon\b"),
        ("odds", r"\bodds\b|\b1[\s-]in\b|\bchances?\b|\bprobability\b"),
        ("winners", r"\bwinn(?:ers|ing)\b|\bnumber\b|\bno\.? of\b|\bcount\b|\bprizes\b"),
        ("tier", r"\btier\b|\blevel\b|\brank\b|\brow\b|#|^\s*no\.?\s*$"),
        ("amount", r"\bprize\b|\bamount\b|\bwin\b|\bvalue\b|\baward\b"),
    ):
        if re.search(words, title, re.IGNORECASE):
            return kind
    return None


def heading(text: str) -> tuple[str, list[str], int] | None:
    """Return how a heading parts its cells, what its columns are, and which is the amount."""
    if re.search(MONEY, text, re.IGNORECASE) or len(text) > 300:
        return None
    for separator in _SEPARATORS:
        cells = _cells(text, separator)
        if len(cells) < 2:
            continue
        kinds = [column(one) or "other" for one in cells]
        if kinds.count("amount") == 1 and {"odds", "winners"}.intersection(kinds):
            return separator, kinds, kinds.index("amount")
    return None


def _cells(text: str, separator: str) -> list[str]:
    edges = "|;" if "|" in separator or ";" in separator else ""
    inside = text.strip().strip(edges).strip()
    return re.split(separator, inside)


def _parted(text: str, separator: str, wanted: int) -> list[str]:
    """Return the cells of a row, with those that are empty where a tab stands for each."""
    cells = _cells(text, separator)
    each = [one.strip() for one in text.strip().split("\t")]
    return each if len(cells) != wanted == len(each) else cells


def _ordered(cells: Sequence[str], kinds: Sequence[str], amount: int) -> Iterator[str]:
    parts = "".join(
        f" ({cell})"
        for cell, kind in zip(cells, kinds, strict=True)
        if kind == "breakdown" and cell
    )
    yield cells[amount] + parts
    yield from (
        cell or "-"
        for n, (cell, kind) in enumerate(zip(cells, kinds, strict=True))
        if n != amount and kind not in ("tier", "breakdown")
    )


def _joined(cell: str) -> str:
    """Return a cell with its groups of digits joined: no other figure can stand in it.

    >>> _joined("£25 000 (£5 000)"), _joined("1 in 3 250")
    ('£25,000 (£5 000)', '1 in 3,250')
    """
    return _SPACED.sub(lambda found: found[1] + found[2].replace(" ", ","), cell.strip())
