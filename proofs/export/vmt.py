"""A game in VMT-LIB 2: SMT-LIB commands whose annotations say what the system is.

    (! x :next x_next)          a state variable, frozen ones too: x_next = x
    (! … :init true)            the start
    (! … :trans true)           a step; what is declared and has no next is an input
    (! … :invar-property N)     a claim about every reachable state

Only the commands that VMT-LIB names are used: set-logic, declare-fun, define-fun.

Cimatti, Griggio, Tonetta: The VMT-LIB language and tools, SMT workshop 2022.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...models.algebra import Value, all_of, bool_variable
from ...models.shape import Variable
from ..encoding import NEXT
from . import words
from .logic import logic_of
from .symbols import Writer, plain_names
from .system import Case, Exported

__all__ = ["vmt"]


def vmt(system: Exported) -> str:
    """Return a system as the text of a VMT-LIB 2 file."""
    return "".join(f"{line}\n" for line in _Vmt(system).lines())


class _Vmt:
    def __init__(self, system: Exported) -> None:
        self.system = system
        self.sorts = {v.name: v.sort for v in system.kept}
        names = [v.name for v in (*system.kept, *system.inputs)]
        names += [v.name + NEXT for v in system.kept]
        names += [_pair(v) for v in system.kept]
        for case in system.cases:
            names.append(_guard(case))
            names += [_next(case, name) for name in (*case.changes, *case.kept)]
        names += [one.name for one in system.statements]
        self.names = plain_names([*names, "ranges", "initial", "transition"])
        self.writer = Writer(self.names)

    def lines(self) -> Iterator[str]:
        system = self.system
        yield from words.heading(system, "VMT-LIB 2")
        yield f"(set-logic {logic_of(system)})"
        for title, variables in (
            ("Parameters and readings: no step changes them", system.frozen),
            ("The state, and what an observer counts", system.state),
            ("Whether the last step kept each property that speaks of steps", system.monitors),
        ):
            yield from words.title(title)
            for variable in variables:
                yield from self._state(variable)
        yield from words.title("What a step is: the rule that fires, and what is revealed")
        for variable in system.inputs:
            yield from words.about(system, variable)
            yield f"(declare-fun {self.names[variable.name]} () {variable.sort})"
        for case in system.cases:
            yield from self._rule(case)
        yield from words.title(
            "What binds parameters and readings, at the start and at each step"
        )
        yield self._define("ranges", "Bool", system.encoding.constraint)
        yield from words.title("The start")
        bound = bool_variable("ranges")
        yield self._define("initial", "Bool", all_of(bound, system.init()), ":init true")
        yield from words.title("A step")
        # What binds the frozen variables holds anyway; said again, it need not be found.
        moved = system.step(lambda case: bool_variable(_guard(case)), self._value)
        yield self._define("transition", "Bool", all_of(bound, moved), ":trans true")
        yield from words.title("What is claimed of every state that can be reached")
        for one in system.statements:
            yield from words.claim(one)
            marked = f":invar-property {one.number}"
            yield self._define(one.name, "Bool", one.holds, marked)

    def _state(self, variable: Variable) -> Iterator[str]:
        name, after = self.names[variable.name], self.names[variable.name + NEXT]
        yield from words.about(self.system, variable)
        yield f"(declare-fun {name} () {variable.sort})"
        yield f"(declare-fun {after} () {variable.sort})"
        pair = self.names[_pair(variable)]
        yield f"(define-fun {pair} () {variable.sort} (! {name} :next {after}))"

    def _rule(self, case: Case) -> Iterator[str]:
        yield from words.title(f"Rule {case.number}, {case.id}: {case.says}")
        yield self._define(_guard(case), "Bool", case.guard)
        for name, value in (*case.changes.items(), *case.kept.items()):
            yield self._define(_next(case, name), self.sorts[name], value)

    def _value(self, case: Case, name: str) -> Value:
        return Variable(_next(case, name), self.sorts[name], "").term()

    def _define(self, name: str, sort: str, body: Value, marked: str = "") -> str:
        text = self.writer.text(body)
        if marked:
            text = f"(! {text} {marked})"
        return f"(define-fun {self.names[name]} () {sort} {text})"


def _pair(variable: Variable) -> str:
    return f"sv.{variable.name}"


def _guard(case: Case) -> str:
    return f"guard.{case.id}"


def _next(case: Case, name: str) -> str:
    return f"next.{case.id}.{name}"
