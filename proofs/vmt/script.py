"""A VMT file as SMT-LIB text: as it was written, or at the moments of an unrolling.

At moment 3, ``x`` is called ``m3.x`` and its next variable ``m4.x``; so is every definition
of the file. Names that begin with ``.`` or ``@``, which SMT-LIB reserves, do so no more. The
text is made by renaming symbols alone: no solver has a hand in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property

from ..sexpr import Atom, List, SExpr, atoms, read, symbol, write
from .file import Symbol, VmtFile

__all__ = ["Script", "conjunction", "logic"]


def logic(file: VmtFile) -> str:
    """Return the line that sets the logic.

    Where Real is the only kind of number, ``(= x 0)`` is allowed by those of Real alone.
    """
    sorts = {symbol.sort for symbol in _symbols(file)}
    only_real = "Real" in sorts and "Int" not in sorts and not any("_" in s for s in sorts)
    return f"(set-logic {'QF_NRA' if only_real else 'ALL'})\n"


def conjunction(formulas: Iterable[SExpr]) -> SExpr:
    """Return ``(and true a b ...)``, which any number of formulas makes."""
    return List((Atom("and"), Atom("true"), *formulas))


class Script:
    """The texts of one file. Each method returns whole lines of SMT-LIB 2.

    What is asked for again is not made again: the checks of many properties differ in little.
    """

    def __init__(self, file: VmtFile) -> None:
        self.file = file
        self.init = conjunction(file.init)
        self.trans = conjunction(file.trans)
        self._made: dict[tuple[object, ...], str] = {}

    def _once(self, *key: object, make: Callable[[], str]) -> str:
        if key not in self._made:
            self._made[key] = make()
        return self._made[key]

    @cached_property
    def _names(self) -> tuple[frozenset[str], frozenset[str], Mapping[str, str]]:
        """Return state variables, what else there is at one moment, and nexts by name."""
        states = frozenset(now.name for now, _ in self.file.states)
        inputs = {symbol.name for symbol in self.file.inputs}
        here = frozenset(inputs | self._functions.keys())
        return states, here, {then.name: now.name for now, then in self.file.states}

    @cached_property
    def _functions(self) -> Mapping[str, List]:
        return {
            one.items[1].text: one
            for one in self.file.definitions
            if one.head == "define-fun" and isinstance(one.items[1], Atom)
        }

    def opening(self) -> str:
        """Set the logic and define the sorts."""
        sorts = (one for one in self.file.definitions if one.head == "define-sort")
        return logic(self.file) + "".join(f"{write(one)}\n" for one in sorts)

    def states(self, moment: int) -> str:
        """Declare the state variables at a moment."""
        return "".join(
            f"(declare-fun {self.name(now, moment)} () {now.sort})\n"
            for now, _ in self.file.states
        )

    def moment(self, moment: int, used: Iterable[SExpr]) -> str:
        """Declare the inputs at a moment, and define what these terms use, there.

        The states at this moment and the next must have been declared.
        """
        needed = self._used(used)
        return self._once("moment", moment, needed, make=lambda: self._all(moment, needed))

    def _all(self, moment: int, needed: frozenset[str]) -> str:
        inputs = (
            f"(declare-fun {self.name(one, moment)} () {one.sort})\n"
            for one in self.file.inputs
        )
        functions = (
            f"{self.write(one, moment)}\n"
            for name, one in self._functions.items()
            if name in needed
        )
        return "".join((*inputs, *functions))

    def _used(self, terms: Iterable[SExpr]) -> frozenset[str]:
        """Return the names of the definitions that terms use, also by way of others."""
        found: set[str] = set()
        todo = [self._calls_of(term) for term in terms]
        while todo:
            names = todo.pop() - found
            found |= names
            todo += [self._calls[name] for name in names]
        return frozenset(found)

    @cached_property
    def _calls(self) -> Mapping[str, frozenset[str]]:
        return {name: self._calls_of(one.items[4]) for name, one in self._functions.items()}

    def _calls_of(self, term: SExpr) -> frozenset[str]:
        return frozenset({one.text for one in atoms(term)} & self._functions.keys())

    def name(self, symbol: Symbol, moment: int) -> str:
        """Return what a symbol is called at a moment, as it must be written."""
        return write(self._at(Atom(symbol.name), moment))

    def write(self, term: SExpr, moment: int) -> str:
        """Return a term of the file at a moment."""
        return write(self._renamed(term, moment))

    def start(self) -> str:
        """Return the formula of the initial states, at moment 0."""
        return self._once("init", make=lambda: self.write(self.init, 0))

    def step(self, moment: int) -> str:
        """Return the formula of a step, at a moment."""
        return self._once("trans", moment, make=lambda: self.write(self.trans, moment))

    def write_text(self, term: str, moment: int) -> str:
        """Return a term over the state's variables, given as text, at a moment."""
        return self._once(term, moment, make=lambda: self._reread(term, moment))

    def _reread(self, term: str, moment: int) -> str:
        (found,) = read(term, "a formula")
        return self.write(found, moment)

    def _renamed(self, term: SExpr, moment: int) -> SExpr:
        top: list[SExpr] = []
        todo: list[tuple[SExpr, list[SExpr], list[SExpr] | None]] = [(term, top, None)]
        while todo:
            one, into, done = todo.pop()
            if isinstance(one, Atom):
                into.append(self._at(one, moment))
            elif done is None:
                parts: list[SExpr] = []
                todo.append((one, into, parts))
                todo.extend((part, parts, None) for part in reversed(one.items))
            else:
                into.append(List(tuple(done), one.line))
        return top[0]

    def _at(self, atom: Atom, moment: int) -> Atom:
        states, here, nexts = self._names
        if atom.text in nexts:
            name = f"m{moment + 1}.{nexts[atom.text]}"
        elif atom.text in states or atom.text in here:
            name = f"m{moment}.{atom.text}"
        elif atom.text.startswith((".", "@")):
            name = f"l{atom.text}"  # bound by a let, or an argument
        else:
            return atom
        return symbol(name)


def _symbols(file: VmtFile) -> list[Symbol]:
    return [*(symbol for pair in file.states for symbol in pair), *file.inputs]
