"""Steps of a rule that a solver finds, and what they change of the features of a state."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import z3

from ..models.algebra import Bool, Term, Value, all_of
from . import smtlib
from .deadline import NEVER, Deadline
from .encoding import Encoding, RuleFormula
from .features import Feature, Sum, scalars_of
from .solvers import Steps

__all__ = ["Sample", "Sampler"]

_NUMBER = re.compile(r"\(- \d+\)|(?<=\s)\d+")
_VALUE = re.compile(r"\(define-fun feature!(\d+) \(\) Int\s+(\(- \d+\)|\d+)\)")


@dataclass(frozen=True)
class Sample:
    """One step: the features before it, and how it changes them (0 where not named)."""

    before: Mapping[Feature, int]
    change: Mapping[Feature, int]

    def rise(self, value: Sum) -> int:
        """Return by how much the step raises a sum."""
        return sum(n * self.change.get(f, 0) for f, n in value.terms)


class Sampler:
    """The steps of one rule, where the claims hold: a solver that is asked again and again.

    The solver is told of a feature only where a question is about it; with ``of_all``, of every
    feature, which makes steps that differ in more, and questions harder.
    """

    def __init__(
        self, encoding: Encoding, formula: RuleFormula, among: Sequence[Feature], given: Bool,
        budget: Steps, deadline: Deadline = NEVER, *, of_all: bool = False,
    ) -> None:  # fmt: skip
        self._rule, self._deadline = formula.rule.id, deadline
        here = scalars_of(encoding.game, encoding.p, encoding.point().s)
        then = scalars_of(encoding.game, encoding.p, formula.after.s)
        changed = {name for name, value in here.items() if not _same(value, then[name])}
        self.changed = tuple(f for f in among if f.scalars() & changed)
        self._moved = frozenset(self.changed)
        constants = (*encoding.rigid, *encoding.state, *encoding.reveals)
        asserted = all_of(encoding.constraint, encoding.rigid_values(), given, formula.guard)
        named = {("b", f): f.of(here) for f in among}
        named |= {("d", f): f.of(then) - f.of(here) for f in self.changed}
        self._number = {key: number for number, key in enumerate(named)}
        told = [smtlib.text(one) for one in named.values()]
        text = smtlib.declare(constants) + f"(assert {smtlib.text(asserted)})\n"
        self._context = z3.Context()
        self._solver = z3.SimpleSolver(ctx=self._context)
        self._solver.set(rlimit=budget.z3)
        self._together: Any = None
        if of_all:
            text += "".join(
                f"(declare-const feature!{n} Int)\n(assert (= feature!{n} {one}))\n"
                for n, one in enumerate(told)
            )
            self._solver.from_string(text)
            return
        fields = "".join(f" (feature!{n} Int)" for n in range(len(told)))
        text += f"(declare-datatypes ((Features 0)) (((features{fields}))))\n"
        text += "(declare-const features! Features)\n"
        text += f"(assert (= features! {smtlib.apply('features', told)}))\n"
        first, second = z3.parse_smt2_string(text, ctx=self._context)
        self._solver.add(first)
        self._together = second.arg(1)

    def _term(self, kind: str, feature: Feature) -> Any:
        """Return a feature before the step, kind ``b``, or how it changes, ``d``."""
        number = self._number[kind, feature]
        if self._together is None:
            return z3.Int(f"feature!{number}", self._context)
        return self._together.arg(number)

    def moves(self, value: Sum) -> bool:
        """Return whether the rule changes anything that a sum is of."""
        return any(feature in self._moved for feature, _ in value.terms)

    def worse(self, value: Sum, least: int, *, positive: bool = False) -> Sample | str | None:
        """Return a step in which a sum falls by less than ``least``, or is not positive before.

        None if there is none; a reason if the solver gave up. Raises OutOfTime.
        """
        if least <= 0 and not positive and not self.moves(value):
            return None
        zero = z3.IntVal(0, self._context)
        moving = ((f, n) for f, n in value.terms if f in self._moved)
        falls = -sum((n * self._term("d", f) for f, n in moving), zero)
        wrong = falls < least
        if positive:
            before = sum((n * self._term("b", f) for f, n in value.terms), zero)
            wrong = z3.Or(wrong, before + value.constant < 1)
        self._solver.push()
        self._solver.add(wrong)
        answer = self._deadline.check(self._solver)
        found: Sample | str | None = None
        if answer == z3.sat:
            found = self._sample(self._solver.model())
        elif answer == z3.unknown:
            found = f"{self._rule}: {self._solver.reason_unknown()}"
        self._solver.pop()
        return found

    def _sample(self, model: Any) -> Sample:
        if self._together is None:  # what is said of a constant that may be anything: nothing
            found = {int(n): number for n, number in _VALUE.findall(model.sexpr())}
            told = [found.get(n, "0") for n in range(len(self._number))]
        else:
            told = _NUMBER.findall(model.eval(self._together, True).sexpr())
        values = dict(zip(self._number, map(_number, told), strict=True))
        before = {feature: value for (kind, feature), value in values.items() if kind == "b"}
        changes = {feature: value for (kind, feature), value in values.items() if kind == "d"}
        return Sample(before, {feature: value for feature, value in changes.items() if value})


def _number(said: str) -> int:
    return int(said.strip("()").replace(" ", ""))


def _same(one: Value, other: Value) -> bool:
    """Return whether a rule leaves a scalar alone, as its text shows."""
    if one is other:
        return True
    if isinstance(one, Term) and one.op == "var":
        return smtlib.is_variable(other, str(one.args[0]))
    return smtlib.text(one) == smtlib.text(other)
