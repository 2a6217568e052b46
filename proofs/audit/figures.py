"""Figures as documents print them, read exactly: money, odds, percentages, breakdowns.

Tolerant of layout, strict about digits: a separator in the wrong place is no number.
"""

from __future__ import annotations

import re
import unicodedata
from fractions import Fraction
from html import unescape

from .table import Part, Printed

__all__ = [
    "MONEY",
    "NUMBER",
    "Unreadable",
    "a_price",
    "breakdown",
    "money",
    "odds_of",
    "plain",
    "plays_of",
    "printed",
    "whole",
]

NUMBER = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d,])|\d+(?:\.\d+)?(?![\d,]*\d)"
MONEY = rf"£\s?(?:{NUMBER})(?:\s?(?:million|m)\b)?|\d+p\b"

_MONEY = re.compile(MONEY, re.IGNORECASE)
_LONGEST = 100  # characters of a figure; no prize table has a longer one
_MOST_TIMES = 1_000
# A space that keeps a number on its line, between groups of digits.
_THOUSANDS = re.compile(r"(?<=\d)[\u00a0\u2009\u202f](?=\d{3}(?!\d))")
# Other ways to write the same.
_WAYS = (
    (re.compile(r"\bGBP\s?(?=\d)", re.IGNORECASE), "£"),
    (re.compile(r"(?<![£\d.,])(\d[\d,.]*) (?:pounds|GBP)\b", re.IGNORECASE), r"£\1"),
    (re.compile(r"(?<=\d)\s?per\s?cent\b", re.IGNORECASE), "%"),
    (re.compile(r"\b1-in-(?=\d)", re.IGNORECASE), "1 in "),
    (re.compile(r"\bone in (?=\d)", re.IGNORECASE), "1 in "),
    (
        re.compile(
            r"(?:\b(?:approx(?:imately|\.)?|about|circa)|~|≈)\s*(?=1\s*(?:in\b|:))", re.I
        ),
        "",
    ),
)
_NOTES = re.compile(r"[*†‡§¶]+|\[\d+\]")


class Unreadable(ValueError):
    """A figure that cannot be read; the message says which and why."""


def plain(text: str) -> str:
    r"""Return a line with usual spaces, dashes and digits, and without marks of footnotes.

    >>> plain("£1,000\u00a0(£5 + £995)*\t1\u2009in 3")
    '£1,000 (£5 + £995)\t1 in 3'
    >>> plain("&pound;1\u202f000&nbsp;(&#163;5 &plus; &#163;995)")
    '£1,000 (£5 + £995)'
    """
    text = " ".join(unescape(text).splitlines())
    text = _THOUSANDS.sub(",", text)
    text = "".join(c for c in text if not _marks_a_note(c))
    text = unicodedata.normalize("NFKC", text)
    text = _NOTES.sub("", re.sub(r"[‐‑–—−]", "-", text)).rstrip()
    for written, usual in _WAYS:
        text = written.sub(usual, text)
    return text


def _marks_a_note(char: str) -> bool:
    """Return whether it is a raised or circled number; a fraction like ½ is a figure."""
    number = unicodedata.category(char) == "No"
    return number and not unicodedata.decomposition(char).startswith("<fraction>")


def printed(text: str, line: int | None = None) -> Printed:
    """Read a number, with the unit of its last digit.

    >>> printed("3,250").unit, printed("2.77").unit
    (Fraction(1, 1), Fraction(1, 100))

    Raises Unreadable.
    """
    text = text.strip()
    if len(text) > _LONGEST:
        raise Unreadable(f"{text[:20]!r}… is a number of {len(text):,} characters")
    if not re.fullmatch(NUMBER, text):
        raise Unreadable(f"{text!r} is no number as one is written")
    digits = text.replace(",", "")
    decimals = len(digits.partition(".")[2])
    return Printed(Fraction(digits), Fraction(1, 10**decimals), text, line)


def whole(text: str) -> int:
    """Read a whole number. Raises Unreadable.

    >>> whole("6,500,000")
    6500000
    """
    number = printed(text).value
    if number.denominator != 1:
        raise Unreadable(f"{text.strip()!r} is no whole number")
    return int(number)


def money(text: str) -> int:
    """Read an amount, in pence. Raises Unreadable.

    >>> money("£1,000,000"), money("£1 million"), money("50p"), money("£2.50")
    (100000000, 100000000, 50, 250)
    """
    text = text.strip()
    if not _MONEY.fullmatch(text):
        raise Unreadable(f"{text!r} is no amount of money as one is written")
    if text[-1] in "pP":
        return int(printed(text[:-1]).value)
    digits = re.match(r"£\s?([\d.,]+)", text)
    assert digits is not None, "an amount has digits"
    number, millions = printed(digits[1]), re.search(r"m", text, re.IGNORECASE)
    if number.unit < Fraction(1, 100) and not millions:
        raise Unreadable(f"{text!r} has more than two places after its point")
    pence = number.value * (100_000_000 if millions else 100)
    if pence.denominator != 1:
        raise Unreadable(f"{text!r} is no whole number of pence")
    return int(pence)


def odds_of(text: str, line: int | None = None) -> Printed:
    """Read x in "1 in x". Raises Unreadable, for less than 1 as well: none is ever that likely.

    >>> odds_of("2.77").value
    Fraction(277, 100)
    """
    odds = printed(text, line)
    if odds.value < 1:
        raise Unreadable(f"odds of 1 in {odds} are less than 1")
    return odds


def a_price(text: str) -> int:
    """Read the price of a Play, in pence. Raises Unreadable, for nothing as well."""
    pence = money(text)
    if not pence:
        raise Unreadable("a price of nothing")
    return pence


def plays_of(text: str) -> int:
    """Read the number of Plays that winners are counted in. Raises Unreadable, for 0 too."""
    plays = whole(text)
    if not plays:
        raise Unreadable("a pool of no Plays")
    return plays


def breakdown(text: str) -> tuple[Part, ...]:
    """Read what is in brackets after an amount. Raises Unreadable.

    >>> breakdown("£5 + £10 Prize Game")
    (Part(amount=500, name=None), Part(amount=1000, name='Prize Game'))
    """
    parts: list[Part] = []
    for piece in re.split(r"\s*\+\s*|\s+and\s+", text.strip()):
        times = re.match(r"(\d+)\s?[x×]\s?(?=£)", piece)
        rest = piece[times.end() :] if times else piece
        found = _MONEY.match(rest)
        if found is None:
            raise Unreadable(f"{piece!r} is no part of a breakdown: an amount was expected")
        name = rest[found.end() :].strip() or None
        one = Part(money(found[0]), name)
        many = whole(times[1]) if times else 1
        if many > _MOST_TIMES:
            raise Unreadable(
                f"{piece!r}: one part of a breakdown more than {_MOST_TIMES:,} times"
            )
        parts += [one] * many
    return tuple(parts)
