"""A game in MoXI, the Model Exchange Interlingua: one define-system and one check-system.

    :input    the rule that fires and what is revealed, at the state that it leads to
    :output   the game's state and what its observer counts
    :local    what is frozen (x' = x), and whether the last step kept a property of steps
    :query    one for each claim: satisfiable if, and only if, some Play breaks it

A checker of MoXI by the letter takes sums of two parts only, no primed variable outside
``:trans``, and no definition that reads a variable of the system; so all is one term, in which
what is used twice stands in ``let``.

Rozier, Dureja, Irfan, Johannsen, Nukala, Shankar, Tinelli, Vardi: MoXI: an intermediate
language for symbolic model checking, SPIN 2024.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...models.algebra import Value, negate
from ...models.shape import Variable
from ..encoding import NEXT
from . import words
from .logic import logic_of
from .symbols import Writer, plain_names
from .system import Case, Exported

__all__ = ["moxi"]


def moxi(system: Exported) -> str:
    """Return a system as the text of a MoXI file."""
    return "".join(f"{line}\n" for line in _Moxi(system).lines())


class _Moxi:
    def __init__(self, system: Exported) -> None:
        self.system = system
        self.local = (*system.frozen, *system.monitors)
        claims = [
            name for one in system.statements for name in (f"breaks.{one.name}", one.name)
        ]
        variables = [v.name for v in (*system.inputs, *system.state, *self.local)]
        self.names = plain_names([f"game.{system.game.id}", *variables, *claims])
        primed = {v.name: f"{self.names[v.name]}'" for v in system.inputs}
        primed |= {v.name + NEXT: f"{self.names[v.name]}'" for v in system.kept}
        self.here = Writer(self.names, binary=True)
        self.step = Writer({**self.names, **primed}, binary=True)

    def lines(self) -> Iterator[str]:
        system, name = self.system, self.names[f"game.{self.system.game.id}"]
        yield from words.heading(system, "MoXI")
        yield f"(set-logic {logic_of(system)})"
        for case in system.cases:
            yield from words.comment(f"Rule {case.number}, {case.id}: {case.says}", "  ")
        yield f"(define-system {name}"
        yield from self._variables(told=True)
        yield f"  :init {self.here.text(system.init())}"
        moved = system.step(lambda case: case.guard, _value)
        yield f"  :trans {self.step.text(moved)}"
        yield f"  :inv {self.here.text(system.encoding.constraint)}"
        yield ")"
        yield f"(check-system {name}"
        yield from self._variables()
        for one in system.statements:
            breaks, query = self.names[f"breaks.{one.name}"], self.names[one.name]
            yield from words.claim(one)
            yield f"  :reachable ({breaks} {self.here.text(negate(one.holds))})"
            yield f"  :query ({query} ({breaks}))"
        yield ")"

    def _variables(self, told: bool = False) -> Iterator[str]:
        for attribute, variables in (
            (":input", self.system.inputs),
            (":output", self.system.state),
            (":local", self.local),
        ):
            yield f"  {attribute} ("
            yield from self._declared(variables, told)
            yield "  )"

    def _declared(self, variables: Sequence[Variable], told: bool) -> Iterator[str]:
        for variable in variables:
            if told:
                yield from words.about(self.system, variable)
            yield f"    ({self.names[variable.name]} {variable.sort})"


def _value(case: Case, name: str) -> Value:
    return case.changes[name] if name in case.changes else case.kept[name]
