"""A claim about a game as constrained Horn clauses, in SMT-LIB 2.

    ranges(p) ∧ x = start                      ⇒  reached(p, x)
    reached(p, x) ∧ guard.R ∧ x' = next.R      ⇒  reached(p, x')     for each rule R
    reached(p, x) ∧ ¬ claim(x)                 ⇒  false
    reached(p, x) ∧ guard.R ∧ ¬ claim(x, x')   ⇒  false              for a claim about steps

``sat`` says that the claim holds in every Play: there is a ``reached`` that satisfies all of
the clauses. ``unsat`` says that some Play breaks it. What a rule does not change is the same
variable on both sides. What binds the frozen variables, and the lemmas that the claim is proved
with, are claimed in clauses of their own: they hold, so that they may stay, which guides a
solver, or be taken out. Together the claims about states are a solution where the claim holds
by induction.

Bjørner, Gurfinkel, McMillan, Rybalchenko: Horn clause solvers for program verification, 2015.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ...models.algebra import Bool, all_of, any_of, equal, negate, variables_of
from ...models.shape import Variable
from ...models.system import Kind
from .. import smtlib
from ..encoding import NEXT
from ..induction import lemmas_of
from . import words
from .symbols import Writer, plain_names
from .system import Case, Exported, Statement

__all__ = ["horn"]

REACHED = "reached"


def horn(system: Exported, statement: Statement) -> str:
    """Return one claim of a system, with the lemmas it is proved with, as Horn clauses."""
    return "".join(f"{line}\n" for line in _Horn(system).lines(statement))


class _Horn:
    def __init__(self, system: Exported) -> None:
        self.system = system
        self.over = (*system.frozen, *system.state)
        self.rules = system.cases[:-1]  # that a Play rests once it has ended reaches nothing
        names = [v.name for v in (*self.over, *system.inputs)]
        names += [v.name + NEXT for v in system.state]
        self.names = plain_names([REACHED, *names])
        self.writer = Writer(self.names)

    def lines(self, statement: Statement) -> Iterator[str]:
        system = self.system
        yield from words.heading(system, "SMT-LIB 2, as constrained Horn clauses")
        yield from words.comment("sat: every Play keeps the claim. unsat: some Play breaks it.")
        yield "(set-logic HORN)"
        yield from words.title(f"{REACHED}: the values that some Play comes to, in this order")
        for variable in self.over:
            yield from words.about(system, variable)
        sorts = " ".join(v.sort for v in self.over)
        yield f"(declare-fun {REACHED} ({sorts}) Bool)"
        yield from words.title("The start")
        begins = [equal(v.term(), system.start[v.name]) for v in system.state]
        conditions = [system.encoding.constraint, *begins]
        yield self._clause(self.writer, self.over, [], conditions, self._reached())
        for case in self.rules:
            yield from words.title(f"Rule {case.number}, {case.id}: {case.says}")
            yield self._over_step(case, self._reached(case), [])
        yield from words.title("What is claimed")
        yield from self._claimed(statement)
        yield from words.comment("What binds parameters and readings holds throughout.")
        unbound = [negate(system.encoding.constraint)]
        yield self._clause(self.writer, self.over, [self._reached()], unbound, "false")
        helping = {lemma.id for lemma in lemmas_of(system.game, statement.claim)}
        for one in system.statements:
            if one.claim.id in helping:
                yield from self._claimed(one)
        yield "(check-sat)"

    def _claimed(self, statement: Statement) -> Iterator[str]:
        yield from words.claim(statement)
        if statement.claim.kind is not Kind.STEP:
            broken = [negate(statement.holds)]
            yield self._clause(self.writer, self.over, [self._reached()], broken, "false")
            return
        monitor = f"ok.{statement.claim.id}"
        for case in self.rules:
            if monitor in case.kept:
                kept = any_of(statement.spared, case.kept[monitor])
                yield self._over_step(case, "false", [negate(kept)])

    def _over_step(self, case: Case, head: str, also: Sequence[Bool]) -> str:
        """Return the clause that a rule's step from what is reached leads to ``head``."""
        changed = [v for v in self.system.state if v.name in case.changes]
        same = {v.name + NEXT: self.names[v.name] for v in self.system.state}
        same |= {v.name + NEXT: self.names[v.name + NEXT] for v in changed}
        moved = [equal(v.term(NEXT), case.changes[v.name]) for v in changed]
        conditions = [case.guard, *moved, *also]
        used = variables_of(*conditions)
        revealed = [v for v in self.system.inputs if v.name in used]
        after = [replace(v, name=v.name + NEXT) for v in changed]
        variables = (*self.over, *revealed, *after)
        writer = Writer({**self.names, **same})
        return self._clause(writer, variables, [self._reached()], conditions, head)

    def _reached(self, case: Case | None = None) -> str:
        """Return that the values here are reached, or those after a rule."""
        changes = case.changes if case else {}
        names = [v.name + NEXT if v.name in changes else v.name for v in self.over]
        return smtlib.apply(REACHED, [self.names[name] for name in names])

    def _clause(
        self,
        writer: Writer,
        variables: Sequence[Variable],
        reached: Sequence[str],
        conditions: Sequence[Bool],
        head: str,
    ) -> str:
        listed = " ".join(f"({self.names[v.name]} {v.sort})" for v in variables)
        body = " ".join([*reached, writer.text(all_of(conditions))])
        return f"(assert (forall ({listed}) (=> (and {body}) {head})))"
