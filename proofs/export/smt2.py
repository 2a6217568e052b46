"""A game in plain SMT-LIB 2.6: its definitions, and the questions that prove each claim.

    start            init(x) ∧ ¬ claim(x)
    after rule R     claim(x) ∧ lemmas(x) ∧ guard.R(x, r) ∧ ¬ claim(next.R(x, r))
    a claim of steps         lemmas(x) ∧ guard.R(x, r) ∧ ¬ claim.R(x, r, next.R(x, r))

Any solver of SMT-LIB can answer them. Where all answers to a claim's questions and to those of
the lemmas it names are ``unsat``, every Play keeps it; ``sat`` says that it does not follow by
this induction, as it cannot where some Play breaks it. Each question stands between push and
pop, and is announced by echo.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ...models.algebra import Bool, Value, any_of, variables_of
from ...models.shape import Variable
from ...models.system import Kind
from .. import smtlib
from ..encoding import NEXT
from ..induction import lemmas_of
from . import words
from .logic import logic_of
from .symbols import Writer, plain_names
from .system import Case, Exported, Statement

__all__ = ["smt2"]


def smt2(system: Exported) -> str:
    """Return a system and its claims as the text of an SMT-LIB 2 file."""
    return "".join(f"{line}\n" for line in _Smt2(system).lines())


class _Smt2:
    def __init__(self, system: Exported) -> None:
        self.system = system
        self.rules = system.cases[:-1]  # that a Play rests once it has ended changes nothing
        names = [v.name for v in (*system.frozen, *system.state, *system.inputs[1:])]
        names += [v.name + NEXT for v in system.state]
        names += [f"start.{v.name}" for v in system.state]
        for case in self.rules:
            names += [f"guard.{case.id}", *(f"next.{case.id}.{name}" for name in case.changes)]
        for one in system.statements:
            names += [one.name, *(f"{one.name}.{case.id}" for case in self.rules)]
        self.names = plain_names(["ranges", *names])
        self.writer = Writer(self.names)
        self.arguments: dict[str, tuple[str, ...]] = {}

    def lines(self) -> Iterator[str]:
        system = self.system
        yield from words.heading(system, "SMT-LIB 2")
        yield from words.comment(
            "Where the answers to a claim's questions, and to those of its lemmas, are all"
            " unsat, every Play keeps it."
        )
        yield f"(set-logic {logic_of(system)})"
        for title, variables in (
            ("Parameters and readings", system.frozen),
            ("The state, and what an observer counts", system.state),
            ("What is revealed", system.inputs[1:]),
        ):
            yield from words.title(title)
            for variable in variables:
                yield from words.about(system, variable)
                yield f"(declare-const {self.names[variable.name]} {variable.sort})"
        yield from words.title("What binds parameters and readings, and the start")
        yield self._define("ranges", (), system.encoding.constraint)
        yield "(assert ranges)"
        for v in system.state:
            yield self._define(f"start.{v.name}", (), system.start[v.name], v.sort)
        for case in self.rules:
            yield from self._rule(case)
        for one in system.statements:
            yield from self._claim(one)

    def _rule(self, case: Case) -> Iterator[str]:
        yield from words.title(f"Rule {case.number}, {case.id}: {case.says}")
        yield self._define(f"guard.{case.id}", (), case.guard)
        sorts = {v.name: v.sort for v in self.system.state}
        for name, value in case.changes.items():
            yield self._define(f"next.{case.id}.{name}", (), value, sorts[name])

    def _claim(self, one: Statement) -> Iterator[str]:
        yield ""
        yield from words.claim(one)
        given = [s for s in self.system.statements if s.claim in self._lemmas(one)]
        if given:
            yield from words.comment(
                f"proved with {', '.join(s.claim.id for s in given)}", "  "
            )
        for lemma in given:
            yield from self._stated(lemma)
        if one.claim.kind is Kind.STEP:
            for case in self.rules:
                yield from self._step_claim(one, case, given)
            return
        yield from self._stated(one)
        yield from self._ask(one, "at the start", [f"(not {self._at_start(one.name)})"])
        for case in self.rules:
            if any(name in case.changes for name in self.arguments[one.name]):
                after = f"(not {self._after(one.name, case)})"
                yield from self._ask(one, f"after {case.id}", [after], case, [*given, one])

    def _step_claim(
        self, one: Statement, case: Case, given: Sequence[Statement]
    ) -> Iterator[str]:
        kept = case.kept.get(f"ok.{one.claim.id}")
        if kept is None:
            return
        name = f"{one.name}.{case.id}"
        over = [replace(v, name=v.name + NEXT) for v in self.system.state]
        yield self._function(name, over, any_of(one.spared, kept))
        after = f"(not {self._after(name, case)})"
        yield from self._ask(one, f"in {case.id}", [after], case, given)

    def _stated(self, one: Statement) -> Iterator[str]:
        """Yield the definition of what a claim says of a state, unless it stands already."""
        if one.name not in self.arguments:
            yield self._function(one.name, self.system.state, one.holds)

    def _function(self, name: str, over: Sequence[Variable], body: Bool) -> str:
        used = variables_of(body)
        arguments = [v for v in over if v.name in used]
        self.arguments[name] = tuple(v.name.removesuffix(NEXT) for v in arguments)
        return self._define(name, arguments, body)

    def _define(
        self, name: str, over: Sequence[Variable], body: Value, sort: str = "Bool"
    ) -> str:
        arguments = [replace(v, name=self.names[v.name]) for v in over]
        text = self.writer.text(body)
        return smtlib.define_as(self.names[name], arguments, text, sort).rstrip("\n")

    def _ask(
        self,
        one: Statement,
        detail: str,
        lines: Sequence[str],
        case: Case | None = None,
        given: Sequence[Statement] = (),
    ) -> Iterator[str]:
        known = [self._here(statement.name) for statement in given]
        guard = [self.names[f"guard.{case.id}"]] if case else []
        yield f'(echo "{one.claim.id} {detail}")'
        yield "(push 1)"
        yield from (f"(assert {line})" for line in (*known, *guard, *lines))
        yield "(check-sat)"
        yield "(pop 1)"

    def _here(self, name: str) -> str:
        return self._applied(name, self.arguments[name])

    def _at_start(self, name: str) -> str:
        return self._applied(name, [f"start.{one}" for one in self.arguments[name]])

    def _after(self, name: str, case: Case) -> str:
        return self._applied(
            name,
            [
                f"next.{case.id}.{one}" if one in case.changes else one
                for one in self.arguments[name]
            ],
        )

    def _applied(self, name: str, arguments: Sequence[str]) -> str:
        return smtlib.apply(self.names[name], [self.names[one] for one in arguments])

    def _lemmas(self, one: Statement) -> tuple[object, ...]:
        return lemmas_of(self.system.game, one.claim)
