"""Read and write s-expressions, the form of every SMT-LIB text.

A text comes from anybody: its nesting may be deep and its end missing, so nothing here is
recursive, and what cannot be read is named with its line.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field

from ..errors import BadInput

__all__ = ["Atom", "List", "SExpr", "atoms", "read", "symbol", "write"]

_WORDS = "! _ as let exists forall match par BINARY DECIMAL HEXADECIMAL NUMERAL STRING"
_RESERVED = frozenset(_WORDS.split(" "))
_SIMPLE = re.compile(r"[A-Za-z~!@$%^&*_\-+=<>.?/][0-9A-Za-z~!@$%^&*_\-+=<>.?/]*")
_TOKEN = re.compile(
    r"""[ ]*(?:
    (?P<plain>[^\s();|"\x00-\x1f\x7f]+)
    |(?P<open>\()
    |(?P<close>\))
    |(?P<space>\s+|;[^\n]*|\Z)
    |\|(?P<quoted>[^|\\]*)\|
    |(?P<string>"[^"]*(?:""[^"]*)*"))""",
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Atom:
    """A symbol, keyword, number or string, and the line it stands on.

    ``quoted`` only where a symbol cannot be written without bars, so that ``|n|`` equals ``n``
    while ``|5|`` is not the number. A string's text keeps its double quotes.
    """

    text: str
    line: int = field(default=0, compare=False)
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class List:
    """What stands between two parentheses, and the line of the first."""

    items: tuple[SExpr, ...]
    line: int = field(default=0, compare=False)

    @property
    def head(self) -> str:
        """The text of the first item if that is a plain atom, else nothing."""
        first = self.items[0] if self.items else None
        return first.text if isinstance(first, Atom) and not first.quoted else ""


SExpr = Atom | List


def read(text: str, source: str, deepest: int = sys.maxsize) -> tuple[SExpr, ...]:
    """Return the expressions of a text, in order; ``source`` is its name in messages.

    Raises BadInput, with the line, for parentheses, bars or quotes that do not match, and for
    more than ``deepest`` lists in one another.

    >>> [one.head for one in read("(assert (> |n| 0)) (check-sat)", "demo")]
    ['assert', 'check-sat']
    """
    whole: list[SExpr] = []
    current = whole
    outer: list[tuple[list[SExpr], int]] = []
    line, at, end = 1, 0, len(text)
    match = _TOKEN.match
    while at < end:
        token = match(text, at)
        if token is None:
            raise BadInput(f"{source}:{line}: {_unreadable(text, at)}")
        at = token.end()
        kind = token.lastgroup
        if kind == "plain":
            current.append(Atom(token["plain"], line))
        elif kind == "open":
            outer.append((current, line))
            current = []
            if len(outer) > deepest:
                raise BadInput(
                    f"{source}:{line}: more than {deepest:,} parentheses open, the first "
                    f"of them since line {outer[0][1]}; give parts of it names by define-fun"
                )
        elif kind == "close":
            if not outer:
                raise BadInput(f"{source}:{line}: ')' closes nothing; is a '(' missing before?")
            inner = current
            current, began = outer.pop()
            current.append(List(tuple(inner), began))
        elif kind == "space":
            line += token[0].count("\n")
        elif kind == "quoted":
            name = token["quoted"]
            current.append(Atom(name, line, not _plain(name)))
            line += name.count("\n")
        else:
            said = token["string"]
            current.append(Atom(said, line))
            line += said.count("\n")
    if outer:
        raise BadInput(
            f"{source}:{outer[0][1]}: '(' is never closed: the file ends on line {line}"
            " before it does; is it cut short?"
        )
    return tuple(whole)


def _plain(name: str) -> bool:
    return bool(_SIMPLE.fullmatch(name)) and name not in _RESERVED


def _unreadable(text: str, at: int) -> str:
    at += len(text[at:]) - len(text[at:].lstrip(" "))
    if text[at] in '|"':
        what = "quoted symbol" if text[at] == "|" else "string"
        return f"{text[at]} begins a {what} that does not end as it should"
    return f"character {text[at]!r} has no place in an SMT-LIB text"


def write(expression: SExpr) -> str:
    """Return an expression as text on one line, symbols in bars where they need them.

    >>> write(read("( and |a b|  |c| )", "demo")[0])
    '(and |a b| c)'
    """
    parts: list[str] = []
    todo: list[SExpr | str] = [expression]
    while todo:
        one = todo.pop()
        if isinstance(one, str):
            parts.append(one)
        elif isinstance(one, Atom):
            parts.append(f"|{one.text}|" if one.quoted else one.text)
        else:
            parts.append("(")
            todo.append(")")
            for place in range(len(one.items) - 1, -1, -1):
                todo.append(one.items[place])
                if place:
                    todo.append(" ")
    return "".join(parts)


def symbol(name: str) -> Atom:
    """Return the symbol of a name, in bars only where it needs them."""
    return Atom(name, 0, not _plain(name))


def atoms(expression: SExpr) -> Iterator[Atom]:
    """Yield every atom of an expression, from left to right."""
    todo = [expression]
    while todo:
        one = todo.pop()
        if isinstance(one, Atom):
            yield one
        else:
            todo.extend(reversed(one.items))
