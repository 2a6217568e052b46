"""Headlines as documents state them: price, overall odds, payout, and the Plays in all.

Every statement of a line counts, and each is read by itself: what cannot be read is told, and
so is what differs from what was stated before. A figure is taken whole, with its sign, and with
all that goes on from it as digits do, so that no piece of a number passes for another one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from .figures import Unreadable, a_price, odds_of, plays_of, printed
from .layout import Line
from .table import Headlines, Printed, Unread

__all__ = ["headlines_in"]

# A figure, right or wrong: its sign, and all digits and separators.
_SIGN = r"(?:\bminus\s+|(?<!\w)-)?"
_DIGITS = r"\d(?:[\d.,]*\d)?"
_FIGURE = rf"{_SIGN}{_DIGITS}"
_MONEY = rf"{_SIGN}£\s?-?{_DIGITS}(?:\s?(?:million|m)\b)?|{_SIGN}\d+p\b"
# Not of the payout: a share of it, and what goes back to others than those who play.
_SHARE = r"(?!\s+of\s+(?:\w+\s+){0,2}payout)"
_TO_OTHERS = r"(?!\s+to\s+(?:the\s+)?(?:good|charit|retail|societ|communit|state|treasury))"


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


_PRICE = _pattern(
    rf"\bprice\b[^£\d]{{0,40}}?({_MONEY})|\bplay\b[^£\d.]{{0,40}}?\bcosts?\s+({_MONEY})"
)
# What is played for may be a prize as well: it counts in a line that states no price.
_PLAYED_FOR = _pattern(
    rf"\bto play\b.{{0,200}}?\bfor\s+({_MONEY})|\bplay\b[^£\d.]{{0,40}}?\bfor\s+({_MONEY})"
)
_OVERALL = _pattern(
    rf"\b1\s+in\s+({_FIGURE})\s+overall\b|\boverall\b[^.%]{{0,200}}?\b1\s+in\s+({_FIGURE})"
)
_PAYOUT = _pattern(
    rf"\b(?:payout|return{_TO_OTHERS})\b[^%]{{0,80}}?({_FIGURE})\s?%{_SHARE}"
    rf"|(?<![\d.,])({_FIGURE})\s?%{_SHARE}[^.%]{{0,60}}?\bpayout\b"
    r"(?!\s*(?:is\b|[:=]|(?:of\s+)?\d))"
)
_POOL = _pattern(
    r"\b(?:total|number of)\s+(?:plays|tickets|cards)\b(?!\s+(?:per|an?|each|every|in)\b)"
    rf"[^\d]{{0,20}}?({_FIGURE})"
)
# What goes on before or after a number as digits do: 6 500 000, 7⁄8, 70-75, 70 to 75, 6m.
_LEFT = re.compile(r"\d[\d.,]*(?:[.,⁄-]|\s?%?\s+to\s+)$|\bbetween\s+£?$", re.IGNORECASE)
_LEFT_GROUPS = re.compile(r"(?<![\d.,])(?:\d{1,3} )(?:\d{3} )*$")
_RIGHT = re.compile(
    r"(?:[.,⁄-]\d[\d.,]*|e\d+| \d{3}(?!\d)|\s?(?:thousand|million|billion|bn|[mk])\b)+"
    r"|\s?%?\s+to\s+\d[\d.,]*(?=\s?%)",
    re.IGNORECASE,
)
_NEAR = 100  # characters before a number that may go on in it
_SENTENCE = re.compile(r"(?<!approx)(?<!\bca)[.!?]\s", re.IGNORECASE)


def headlines_in(lines: Iterable[Line]) -> tuple[Headlines, tuple[Unread, ...]]:
    """Return what lines state of a whole table, and what of it is unreadable or differs."""
    first: dict[str, tuple[Any, Line]] = {}
    unreadable: list[Unread] = []
    differing: list[Unread] = []
    for line in lines:
        said = line.said.strip()
        for name, found, read in _stated(line):
            try:
                value = read(_whole_number(found))
            except Unreadable as error:
                unreadable.append(Unread(line.number, said, str(error)))
                continue
            other, place = first.setdefault(name, (value, line))
            if _value(value) != _value(other):
                here = place.number == line.number
                than = f"another {name} than line {place.number} does"
                why = f"states {f'more than one {name}' if here else than}"
                differing.append(Unread(line.number, said, why))
    told = {name: value for name, (value, _) in first.items()}
    return Headlines(**told), tuple(dict.fromkeys((*unreadable, *differing)))


def _value(of: object) -> object:
    return of.value if isinstance(of, Printed) else of


def _stated(line: Line) -> Iterator[tuple[str, re.Match[str], Callable[[str], object]]]:
    """Yield what each statement of a line is of, what was found, and how it is read."""
    text, at = line.text, line.number
    for found in list(_all(_PRICE, text)) or _all(_PLAYED_FOR, text):
        yield "price", found, a_price
    for found in _all(_OVERALL, text):
        yield "odds", found, lambda number: odds_of(number, at)
    for found in _all(_PAYOUT, text):
        yield "payout", found, lambda number: printed(number, at)
    for found in _all(_POOL, text):
        yield "pool", found, plays_of


def _all(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Yield what is found of a pattern; all but the first have to stand in one sentence."""
    found = pattern.search(text)
    if found is None:
        return
    yield found
    at = found.end()
    while found := pattern.search(text, at):
        broken = _SENTENCE.search(text, found.start(), found.end())
        if broken is None:
            yield found
        at = (broken or found).end()


def _whole_number(found: re.Match[str]) -> str:
    """Return the number that was found. Raises Unreadable where it is a piece of another."""
    group = next(n for n, one in enumerate(found.groups(), start=1) if one is not None)
    start, end = found.span(group)
    number = found[group]
    before = found.string[max(0, start - _NEAR) : start]
    left = _LEFT.search(before)
    if left is None and re.match(r"\d{3}(?!\d)", number):
        left = _LEFT_GROUPS.search(before)
    right = _RIGHT.match(found.string, end)
    if left or right:
        said = f"{left[0] if left else ''}{number}{right[0] if right else ''}"
        raise Unreadable(f"{said!r} is no number as one is written")
    return number
