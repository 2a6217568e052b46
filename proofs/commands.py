"""The texts of a proof folder as commands: the few that a proof may hold, and no others.

    (set-logic ALL) (set-info ...) (declare-const c S) (define-fun f (...) S t) (assert t)
    (check-sat) (reset)          S is Int or Bool

Each begins on a line of its own. The same definitions stand in many checks, so each is read
once however often it is met: ten megabytes of checks hold few commands that differ.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ..errors import BadInput
from .sexpr import Atom, List, SExpr, atoms, read, write

__all__ = ["Assert", "Check", "Command", "Declare", "Define", "Reader", "Said"]

_SORTS = ("Int", "Bool")
_CORE = "let and or not => xor ite = distinct < <= > >= + - * div mod abs true false"
_OPERATORS = frozenset(_CORE.split(" "))
_NO_NAME = re.compile(r"\d+|\?\d+")  # a number; what a let names here


@dataclass(frozen=True)
class Command:
    """A command as text on one line, so that layout and comments make no difference."""

    text: str


@dataclass(frozen=True)
class Declare(Command):
    """A constant and its sort."""

    name: str
    sort: str


@dataclass(frozen=True)
class Define(Command):
    """A definition: its parameters with their sorts, its sort, its body.

    ``names`` are those in the body, but for its parameters, operators, numbers and what a
    ``let`` names ``?1``.
    """

    name: str
    parameters: tuple[tuple[str, str], ...]
    sort: str
    body: SExpr
    names: frozenset[str]


@dataclass(frozen=True)
class Assert(Command):
    """An assertion: the term as it is, and as text; ``names`` as of a definition."""

    term: SExpr
    said: str
    names: frozenset[str]


@dataclass(frozen=True, slots=True)
class Said:
    """A command at its place in a file."""

    command: Command
    source: str
    line: int

    @property
    def place(self) -> str:
        """The file and the line."""
        return f"{self.source}:{self.line}"


@dataclass(frozen=True)
class Check:
    """One check of a file: what a solver gets, its commands, and where it stands."""

    text: str
    commands: tuple[Said, ...]
    place: str


class Reader:
    """Reads texts into commands; remembers the commands it has met."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[tuple[Command, int], ...]] = {}

    def commands(self, text: str, source: str) -> list[Said]:
        """Return the commands of a text; BadInput, with the line, for any that has no place."""
        return [said for _, all_ in self._pieces(text, source) for said in all_]

    def checks(self, text: str, source: str) -> list[Check]:
        """Return the checks of a file, that is the runs of commands between ``(reset)``."""
        found: list[Check] = []
        pieces: list[str] = []
        commands: list[Said] = []

        def close() -> None:
            if not commands:
                raise BadInput(f"{source}: is empty, or asks nothing before a (reset)")
            check = "\n".join(pieces).rstrip() + "\n"
            found.append(Check(check, tuple(commands), commands[0].place))

        for piece, said in self._pieces(text, source):
            if any(one.command.text == "(reset)" for one in said):
                if len(said) > 1:
                    raise BadInput(f"{said[0].place}: (reset) stands on a line of its own")
                close()
                pieces, commands = [], []
            elif said:  # else a comment
                pieces.append(piece)
                commands += said
        close()
        return found

    def _pieces(self, text: str, source: str) -> Iterator[tuple[str, list[Said]]]:
        """Yield what begins with a line's ``(``, and the commands in it.

        Each piece is read on its own: a piece in which something is left open is refused.
        """
        line = 1
        for piece in re.split(r"\n(?=\()", text):
            if piece not in self._known:
                self._known[piece] = self._read(piece, text, source, line)
            yield (
                piece,
                [Said(one, source, line + below) for one, below in self._known[piece]],
            )
            line += piece.count("\n") + 1

    def _read(
        self, piece: str, text: str, source: str, line: int
    ) -> tuple[tuple[Command, int], ...]:
        try:
            expressions = read(piece, source)
        except BadInput:
            read(text, source)  # says what is wrong with its line in the file
            where = f"{source}:{line}"
            raise BadInput(
                f"{where}: a command begins where a line begins, its other lines not with '('"
            ) from None
        return tuple(
            (_command(one, f"{source}:{line + one.line - 1}"), one.line - 1)
            for one in expressions
        )


def _command(expression: SExpr, place: str) -> Command:
    if not isinstance(expression, List):
        raise BadInput(f"{place}: a command was expected, not {_short(expression)}")
    text, items = write(expression), expression.items
    if text in ("(set-logic ALL)", "(check-sat)", "(reset)"):
        return Command(text)
    match items:
        case (Atom("set-info"), Atom(), Atom()):
            return Command(text)
        case (Atom("declare-const"), Atom(name), sort):
            return Declare(text, _own(name, place), _sort(sort, place))
        case (Atom("define-fun"), Atom(name), List(parameters), sort, body):
            listed = tuple(_parameter(one, place) for one in parameters)
            name = _own(name, place)
            names = _names(body).difference(own for own, _ in listed)
            return Define(text, name, listed, _sort(sort, place), body, names)
        case (Atom("assert"), term):
            return Assert(text, term, write(term), _names(term))
    raise BadInput(
        f"{place}: {_short(expression)} has no place in a proof: it may say set-logic ALL, "
        "set-info, declare-const, define-fun, assert and check-sat"
    )


def _names(expression: SExpr) -> frozenset[str]:
    named = frozenset(atom.text for atom in atoms(expression)) - _OPERATORS
    return frozenset(name for name in named if not _NO_NAME.fullmatch(name))


def _parameter(expression: SExpr, place: str) -> tuple[str, str]:
    match expression:
        case List((Atom(name), sort)):
            return _own(name, place), _sort(sort, place)
    raise BadInput(f"{place}: (NAME SORT) was expected, not {_short(expression)}")


def _own(name: str, place: str) -> str:
    """Return a name that is not the logic's own, nor what a ``let`` names here."""
    if name in _OPERATORS or _NO_NAME.fullmatch(name):
        raise BadInput(f"{place}: nothing may be named {name}")
    return name


def _sort(expression: SExpr, place: str) -> str:
    said = write(expression)
    if said not in _SORTS:
        raise BadInput(f"{place}: sort {_short(expression)}: Int or Bool was expected")
    return said


def _short(expression: SExpr) -> str:
    said = write(expression)
    return said if len(said) <= 60 else f"{said[:57]}..."
