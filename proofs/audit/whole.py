"""Rows put together from how documents break and turn them: one row, one line, amount first.

A bracket that is not closed goes on in the next line; where each cell has a line of its own two
are a row; odds may stand before the amount, bullets and numbers before both. Pages repeat the
heading of a table, after lines of their own. No figure is changed, and no line left out that
has one which may be of a row.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from .figures import MONEY, NUMBER
from .layout import Line, heading

__all__ = ["amount_first", "whole_rows"]

_IN = rf"1\s*(?:in|:|/)\s*(?:{NUMBER})"
_BRACKETS = r"(?:\s*\([^()]*\))?"
_AMOUNT_ALONE = re.compile(rf"\s*(?:{MONEY}){_BRACKETS}\s*", re.IGNORECASE)
_ODDS_ALONE = re.compile(rf"\s*{_IN}\s*", re.IGNORECASE)
_TURNED = re.compile(rf"\s*({_IN})\s+((?:{MONEY}){_BRACKETS})\s*", re.IGNORECASE)
_OPEN = re.compile(rf"\s*(?:{MONEY})\s*\([^()]*", re.IGNORECASE)
_MARK = re.compile(r"^\s*(?:[•·●▪‣o-]|\d{1,4}[.)])\s+(?=£\s?\d)")
_SUM = rf"(?:{MONEY})(?:\s*\+\s*(?:{MONEY}))+"
_EQUALS = (
    (re.compile(rf"^(\s*(?:{MONEY}))\s*=\s*({_SUM})", re.IGNORECASE), r"\1 (\2)"),
    (re.compile(rf"^\s*({_SUM})\s*=\s*({MONEY})", re.IGNORECASE), r"\2 (\1)"),
)
_OF_ROW = re.compile(r"£|\d+p\b|\b1\s*(?:in|:|/)", re.IGNORECASE)
_FURNITURE = 4  # lines between the rows of two pages, but for the heading


def whole_rows(lines: Sequence[Line]) -> list[Line]:
    """Return lines with each row in one of them; those that went into another are empty."""
    made = [replace(one, text=_as_usual(one.text)) for one in lines]
    full = [n for n, line in enumerate(made) if line.text.strip()]
    for this, after in pairwise(full):
        one, other = made[this].text, made[after].text
        if _OPEN.fullmatch(one) and re.match(r"[^()]*\)", other):
            joined = f"{one.rstrip()} {other.strip()}"
        elif _AMOUNT_ALONE.fullmatch(one) and _ODDS_ALONE.fullmatch(other):
            joined = f"{one.rstrip()}\t{other.strip()}"
        else:
            continue
        said = f"{made[this].said.rstrip()} {made[after].said.strip()}"
        made[this] = replace(made[this], text=joined, said=said)
        made[after] = replace(made[after], text="")
    _without_breaks(made)
    return made


def amount_first(line: Line) -> Line:
    """Return a line with the amount before the odds, where no heading said which is which."""
    found = _TURNED.fullmatch(line.text)
    return line if found is None else replace(line, text=f"{found[2]}\t{found[1]}")


def _as_usual(text: str) -> str:
    """Return a line without a mark before its amount, and with a sum in brackets after it."""
    text = _MARK.sub("", text)
    for written, usual in _EQUALS:
        text = written.sub(usual, text)
    return text


def _without_breaks(lines: list[Line]) -> None:
    """Empty the headings that are repeated, and what stands between pages before them."""
    first = ""
    between: list[int] = []
    for n, line in enumerate(lines):
        text = " ".join(line.text.split())
        if not text:
            continue
        if first and text == first:
            for place in (*between, n) if len(between) <= _FURNITURE else ():
                lines[place] = replace(lines[place], text="")
            between = []
        elif heading(line.text) is not None:
            first, between = text, []
        elif _OF_ROW.search(text):
            between = []
        else:
            between.append(n)
