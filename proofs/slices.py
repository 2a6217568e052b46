"""A game as many small SMT-LIB definitions, of which a check takes the few that it needs.

    range.N                  one of the conditions that bind parameters and readings
    reading.I.C              whether reading I is taken as C
    start.X                  the value of X at the start of a Play
    guard.R                  whether rule R fires on the reveal
    next.R.X                 the value of X after rule R
    claim.L(x)               what lemma or invariant L says of a point
    claim.P.R(x')            what step property P says where rule R leads from x to x'

The point ``x``, the reveals and the rigid constants are constants of the text; only claims take
arguments, so that they can be asked of ``start.*`` and ``next.R.*``. A check is a run of these
definitions, as they stand in the whole system's text, and closing lines. Small checks are what
makes the second solver quick: cvc5 took 20 s and more on all rules at once, where each rule
alone takes milliseconds.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import cast

from ..models.algebra import BoolTerm, Value, variables_of
from ..models.shape import Variable
from ..models.system import Property, Rule
from . import smtlib
from .encoding import NEXT, Encoding

__all__ = ["Slices"]


@dataclass(frozen=True)
class Piece:
    """One definition: its text, the constants it names, and what it is applied to."""

    text: str
    uses: frozenset[str]
    arguments: tuple[str, ...] = ()
    suffix: str = ""
    trivial: bool = False


class Slices:
    """The definitions of one encoding, each made when it is first needed."""

    def __init__(self, encoding: Encoding) -> None:
        self.encoding = encoding
        self._pieces: dict[str, Piece] = {}
        self._bodies: dict[str, Value] = {}
        self._ranges: list[str] = []
        for number, body in enumerate(_conjuncts(encoding.constraint), start=1):
            if body is not True:
                self._ranges.append(f"range.{number}")
                self._pieces[f"range.{number}"] = _piece(f"range.{number}", "Bool", body)
        self._choices = encoding.choices()
        self._names = [v.name for v in encoding.state]
        self._of_rule = {f.rule.id: f for f in encoding.rules}
        constants = (*encoding.rigid, *encoding.state, *encoding.reveals)
        self._constants = {v.name: v for v in constants}

    def system(self) -> str:
        """Return every definition of the game, none of what is claimed of it."""
        names = [*self._ranges, *self._choices]
        names += [f"start.{name}" for name in self._names]
        for rule in self._of_rule:
            names += [f"guard.{rule}", *(f"next.{rule}.{name}" for name in self._names)]
        return (
            "(set-logic ALL)\n"
            + _named("rigid", self.encoding.rigid)
            + _named("state", self.encoding.state)
            + _named("reveals", self.encoding.reveals)
            + smtlib.declare(self._constants.values())
            + "".join(self.piece(name).text for name in names)
        )

    def text(self, names: Iterable[str], closing: str) -> str:
        """Return a complete check: declarations, the named definitions, closing lines.

        It assumes the ranges of the rigid constants it speaks of, and no others.
        """
        pieces = {name: self.piece(name) for name in names}
        used = {c for piece in pieces.values() for c in (*piece.uses, *piece.arguments)}
        binding = [name for name in self._ranges if used & self.piece(name).uses]
        pieces = {name: self.piece(name) for name in binding} | pieces
        used |= {constant for name in binding for constant in pieces[name].uses}
        declared = [v for name, v in self._constants.items() if name in used]
        return (
            "(set-logic ALL)\n"
            + smtlib.declare(declared)
            + "".join(piece.text for piece in pieces.values())
            + "".join(f"(assert {name})\n" for name in binding)
            + closing
        )

    def piece(self, name: str) -> Piece:
        """Return the definition of that name; KeyError if the system has none."""
        if name not in self._pieces:
            self._pieces[name] = self._make(name)
        return self._pieces[name]

    def claim(self, claim: Property, rule: Rule | None = None) -> str:
        """Return the name of what a property claims (a step property: of one rule)."""
        name = f"claim.{claim.id}" if rule is None else f"claim.{claim.id}.{rule.id}"
        if name not in self._pieces:
            suffix = NEXT if rule else ""
            if rule is None:
                body: Value = self.encoding.holds(claim)
            else:
                body = self.encoding.holds_over(claim, rule)
            self._add_claim(name, body, suffix)
        return name

    def _add_claim(self, name: str, body: Value, suffix: str) -> None:
        used = variables_of(body)
        over = [v for v in self.encoding.state if v.name + suffix in used]
        arguments = [_suffixed(v, suffix) for v in over]
        self._bodies[name] = body
        self._pieces[name] = Piece(
            smtlib.define(name, arguments, body),
            used - {v.name for v in arguments},
            tuple(v.name for v in over),
            suffix,
            body is True,
        )

    def parts(self, name: str) -> list[str]:
        """Return the names of a claim's conjuncts, each a claim; none if it has but one."""
        bodies = _conjuncts(self._bodies[name])
        if len(bodies) < 2:
            return []
        whole = self.piece(name)
        for number, body in enumerate(bodies, start=1):
            self._add_claim(f"{name}.{number}", body, whole.suffix)
        return [f"{name}.{number}" for number in range(1, len(bodies) + 1)]

    def here(self, name: str) -> str:
        """Return a claim of the current point."""
        return smtlib.apply(name, self.piece(name).arguments)

    def after(self, name: str, rule: str) -> tuple[str, list[str]]:
        """Return a claim of the point after a rule, and the definitions it needs."""
        return self._applied(name, f"next.{rule}.")

    def at_start(self, name: str) -> tuple[str, list[str]]:
        """Return a claim of the start, and the definitions it needs."""
        return self._applied(name, "start.")

    def unchanged(self, name: str, rule: str) -> bool:
        """Return whether a rule changes nothing that a claim speaks of."""
        formula = self._of_rule[rule]
        arguments = set(self.piece(name).arguments)
        return all(
            smtlib.is_variable(update, variable.name)
            for variable, update in zip(self.encoding.state, formula.updates, strict=True)
            if variable.name in arguments
        )

    def _applied(self, name: str, prefix: str) -> tuple[str, list[str]]:
        needed = [prefix + argument for argument in self.piece(name).arguments]
        return smtlib.apply(name, needed), needed

    def _make(self, name: str) -> Piece:
        kind, _, rest = name.partition(".")
        if kind == "reading":
            return _piece(name, "Bool", self._choices[name])
        if kind == "start":
            return self._value(name, rest, self.encoding.start)
        if kind == "guard":
            return _piece(name, "Bool", self._of_rule[rest].guard)
        if kind == "next":
            rule, _, variable = rest.partition(".")
            return self._value(name, variable, self._of_rule[rule].updates)
        raise KeyError(name)

    def _value(self, name: str, variable: str, values: Sequence[Value]) -> Piece:
        position = self._names.index(variable)
        return _piece(name, self.encoding.state[position].sort, values[position])


def _named(role: str, variables: Sequence[Variable]) -> str:
    """Return which constants are what: those of a role, as an attribute of the text."""
    return f'(set-info :{role} "{" ".join(v.name for v in variables)}")\n'


def _piece(name: str, sort: str, body: Value) -> Piece:
    return Piece(smtlib.define_as(name, (), smtlib.text(body), sort), variables_of(body))


def _suffixed(variable: Variable, suffix: str) -> Variable:
    return dataclasses.replace(variable, name=variable.name + suffix)


def _conjuncts(value: object) -> list[Value]:
    if isinstance(value, BoolTerm) and value.op == "and":
        return [part for argument in value.args for part in _conjuncts(argument)]
    return [cast("Value", value)]
