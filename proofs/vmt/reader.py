"""Read a VMT-LIB 2 file: what its annotations say is the system, in plain SMT-LIB commands.

Only annotated terms count: ``(! x :next y)`` pairs a state variable with its value after a
step, ``:init`` and ``:trans`` mark formulas that hold together, ``:invar-property N`` one that
should hold in every reachable state. Symbols that are declared and in no pair are inputs. What
is read is kept as it was written, without its annotations, so that any solver can be given it.

Cimatti, Griggio, Tonetta: The VMT-LIB language and tools, SMT workshop 2022.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ...errors import BadInput
from ..sexpr import Atom, List, SExpr, atoms, read, symbol, write
from .annotations import Mark, strip
from .depth import DEEPEST, depth
from .file import Claim, Symbol, VmtFile
from .sorts import Sorts

__all__ = ["read_vmt"]

_IGNORED = frozenset({"set-logic", "set-option", "set-info"})
_NUMBER = re.compile(r"[0-9]{1,18}")
_KNOWN = (
    "declare-fun, declare-const, define-fun, define-const, define-sort, assert, set-logic, "
    "set-option, set-info"
)


def read_vmt(text: str, source: str) -> VmtFile:
    """Read a text; ``source`` is its name in messages.

    Raises BadInput, with the line, for all that is wrong with it.
    """
    commands = read(text, source, DEEPEST)
    if not commands:
        raise BadInput(f"{source}: nothing in it; a VMT-LIB 2 file was expected")
    reader = _Reader(source, Sorts(source))
    for command in commands:
        if not isinstance(command, List) or not command.head:
            raise BadInput(f"{source}:{command.line}: a command like (define-fun ...) expected")
        if command.head == "exit":
            break
        reader.take(command)
    return reader.file()


@dataclass
class _Reader:
    """What has been read so far, command by command."""

    source: str
    sorts: Sorts
    declared: dict[str, Symbol] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    definitions: list[List] = field(default_factory=list)
    depths: dict[str, int] = field(default_factory=dict)
    marks: list[Mark] = field(default_factory=list)
    named: dict[str, SExpr] = field(default_factory=dict)

    def take(self, command: List) -> None:
        match command.head:
            case name if name in _IGNORED:
                return
            case "declare-fun":
                self._declare(command, *self._parts(command, 4, "(declare-fun NAME () SORT)"))
            case "declare-const":
                const, sort = self._parts(command, 3, "(declare-const NAME SORT)")
                self._declare(command, const, List(()), sort)
            case "define-fun":
                parts = self._parts(command, 5, "(define-fun NAME (ARGUMENTS) SORT TERM)")
                self._define(command, *parts)
            case "define-const":
                const, sort, term = self._parts(command, 4, "(define-const NAME SORT TERM)")
                self._define(command, const, List(()), sort, term)
            case "define-sort":
                self.sorts.define(*self._parts(command, 4, "(define-sort NAME (...) SORT)"))
            case "assert":
                (term,) = self._parts(command, 2, "(assert TERM)")
                self._strip(term, "")
            case head:
                raise BadInput(
                    f"{self.source}:{command.line}: command {head} is not supported in a "
                    f"VMT-LIB 2 file; there are: {_KNOWN}"
                )

    def _parts(self, command: List, count: int, form: str) -> tuple[SExpr, ...]:
        if len(command.items) != count:
            raise BadInput(
                f"{self.source}:{command.line}: {command.head} with {len(command.items) - 1} "
                f"parts; expected {form}"
            )
        return command.items[1:]

    def _name(self, name: SExpr) -> str:
        if not isinstance(name, Atom):
            raise BadInput(f"{self.source}:{name.line}: a name was expected, not a list")
        if not name.quoted and (name.text[:1] in '":#' or name.text[:1].isdigit()):
            raise BadInput(f"{self.source}:{name.line}: {name.text} is not a name")
        return name.text

    def _declare(self, command: List, name: SExpr, arguments: SExpr, sort: SExpr) -> None:
        if not isinstance(arguments, List) or arguments.items:
            raise BadInput(
                f"{self.source}:{command.line}: {self._name(name)} takes arguments: "
                "uninterpreted functions are not supported, only constants"
            )
        self._add(self._name(name), self.sorts.text(sort), command.line)

    def _add(self, name: str, sort: str, line: int) -> None:
        if name in self.declared or name in self.named:
            raise BadInput(f"{self.source}:{line}: {name} is declared a second time")
        self.declared[name] = Symbol(name, sort)

    def _define(
        self, command: List, name: SExpr, arguments: SExpr, sort: SExpr, term: SExpr
    ) -> None:
        own = self._name(name)
        if own in self.named:
            raise BadInput(f"{self.source}:{command.line}: {own} is defined, but names a term")
        self.sorts.text(sort)
        for argument in arguments.items if isinstance(arguments, List) else ():
            if isinstance(argument, List) and len(argument.items) == 2:
                self.sorts.text(argument.items[1])
        body, found = self._strip(term, own)
        if found and isinstance(arguments, List) and arguments.items:
            raise BadInput(
                f"{self.source}:{found[0].line}: {found[0].kind} inside {own}, which takes "
                "arguments: of which state would it speak?"
            )
        if isinstance(body, Atom):
            self.aliases[own] = body.text
        self.depths[own] = depth(body, self.depths)
        if self.depths[own] > DEEPEST:
            raise BadInput(
                f"{self.source}:{command.line}: {own} is more than {DEEPEST:,} terms deep, "
                "by the definitions in it: no solver takes that in time"
            )
        head = Atom("define-fun", command.line)
        self.definitions.append(List((head, name, arguments, sort, body), command.line))

    def _strip(self, term: SExpr, owner: str) -> tuple[SExpr, list[Mark]]:
        bare, found = strip(term, self.source, owner)
        if self.named or any(mark.kind == ":named" for mark in found):
            for mark in found:
                if mark.kind == ":named":
                    self._call(mark)
            bare = self._spelled(bare)
            found = [replace(mark, term=self._spelled(mark.term)) for mark in found]
        found = [mark for mark in found if mark.kind != ":named"]
        self.marks += found
        return bare, found

    def _call(self, mark: Mark) -> None:
        """Note what a name stands for."""
        name = self._name(mark.value or mark.term)
        if name in self.declared or name in self.named or name in self._defined():
            raise BadInput(f"{self.source}:{mark.line}: {name} is named a second time")
        self.named[name] = self._spelled(mark.term)

    def _defined(self) -> set[str]:
        return {self._name(one.items[1]) for one in self.definitions}

    def _spelled(self, term: SExpr) -> SExpr:
        """Return a term with what the names in it stand for, bound by a let."""
        used = sorted({atom.text for atom in atoms(term)} & self.named.keys())
        if not used:
            return term
        if isinstance(term, Atom):
            return self.named[term.text]
        pairs = tuple(List((symbol(name), self.named[name])) for name in used)
        return List((Atom("let"), List(pairs), term), term.line)

    def file(self) -> VmtFile:
        """Return what was read. Raises BadInput for what does not make a system."""
        states = self._pairs()
        paired = {symbol.name for pair in states for symbol in pair}
        claims = self._claims()
        inputs = [one for one in self.declared.values() if one.name not in paired]
        starts = [mark.term for mark in self.marks if mark.kind == ":init"]
        seen = self._mentioned([*(claim.formula for claim in claims), *starts])
        shown = [one for one in inputs if one.name in seen]
        return VmtFile(
            source=self.source,
            states=(*states, *((one, self._unbound(one)) for one in shown)),
            inputs=tuple(one for one in inputs if one.name not in seen),
            observed=tuple(one.name for one in shown),
            definitions=(*self.sorts.commands, *self.definitions),
            init=tuple(mark.term for mark in self.marks if mark.kind == ":init"),
            trans=tuple(mark.term for mark in self.marks if mark.kind == ":trans"),
            claims=claims,
        )

    def _mentioned(self, formulas: list[SExpr]) -> set[str]:
        """Return the names in formulas, also by way of definitions."""
        bodies = {one.items[1]: one.items[4] for one in self.definitions}
        seen: set[str] = set()
        todo = list(formulas)
        while todo:
            for atom in atoms(todo.pop()):
                if atom.text not in seen:
                    seen.add(atom.text)
                    if atom in bodies:
                        todo.append(bodies[atom])
        return seen

    def _unbound(self, symbol: Symbol) -> Symbol:
        """Return a next variable for an input: a name that the file does not use."""
        name = f"{symbol.name}.next"
        used = self.declared.keys() | {write(one.items[1]) for one in self.definitions}
        while name in used:
            name += "'"
        self.declared[name] = Symbol(name, symbol.sort)
        return self.declared[name]

    def _pairs(self) -> tuple[tuple[Symbol, Symbol], ...]:
        following: dict[str, str] = {}
        for mark in self.marks:
            if mark.kind != ":next":
                continue
            if mark.value is None:
                raise BadInput(
                    f"{self.source}:{mark.line}: :next needs a variable, as in :next y"
                )
            now, then = self._symbol(mark), self._name(mark.value)
            if now == then:
                raise BadInput(f"{self.source}:{mark.line}: {now} is its own next variable")
            if following.setdefault(now, then) != then:
                raise BadInput(
                    f"{self.source}:{mark.line}: {now} has two next variables, "
                    f"{following[now]} and {then}"
                )
            if then not in self.declared:
                self._add(then, self.declared[now].sort, mark.line)
            if self.declared[then].sort != self.declared[now].sort:
                raise BadInput(
                    f"{self.source}:{mark.line}: {now} is of sort {self.declared[now].sort}, "
                    f"its next variable {then} of sort {self.declared[then].sort}"
                )
        self._apart(following)
        return tuple((self.declared[a], self.declared[b]) for a, b in following.items())

    def _symbol(self, mark: Mark) -> str:
        name = mark.term.text if isinstance(mark.term, Atom) else ""
        while name in self.aliases and name not in self.declared:
            name = self.aliases[name]
        if name not in self.declared:
            raise BadInput(
                f"{self.source}:{mark.line}: :next belongs to a declared constant, "
                "not to another term"
            )
        return name

    def _apart(self, following: Mapping[str, str]) -> None:
        """Raise BadInput for a variable that is both a state's and a next, or two states'."""
        of: dict[str, str] = {}
        for now, then in following.items():
            if then in following:
                raise BadInput(
                    f"{self.source}: {then} is the next variable of {now}, and has one itself"
                )
            if of.setdefault(then, now) != now:
                raise BadInput(
                    f"{self.source}: {then} is the next variable of both {of[then]} and {now}"
                )

    def _claims(self) -> tuple[Claim, ...]:
        claims: dict[int, Claim] = {}
        for mark in self.marks:
            if mark.kind != ":invar-property":
                continue
            text = mark.value.text if isinstance(mark.value, Atom) else ""
            if not _NUMBER.fullmatch(text):
                raise BadInput(
                    f"{self.source}:{mark.line}: :invar-property needs a number, as in "
                    ":invar-property 0"
                )
            number = int(text)
            claim = Claim(number, mark.owner or f"property {number}", mark.term, mark.line)
            if number in claims and claims[number].formula != claim.formula:
                raise BadInput(
                    f"{self.source}:{mark.line}: a second property has the number {number}; "
                    f"the first is on line {claims[number].line}"
                )
            claims.setdefault(number, claim)
        if not claims:
            live = [mark for mark in self.marks if mark.kind == ":live-property"]
            raise BadInput(
                f"{self.source}:{live[0].line}: :live-property is not supported, only "
                ":invar-property"
                if live
                else f"{self.source}: no property: no term is marked with :invar-property"
            )
        return tuple(claims[number] for number in sorted(claims))
