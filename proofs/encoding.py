"""A game as formulas: what is rigid, where it starts, what each rule does.

    rigid(p)                 ranges of parameters and readings
    init(p, x)               x is the start of a Play
    rule.R(p, x, r, x')      rule R takes x to x' on reveal r

``x`` is the state (``s.*``) with the observer's tally (``t.*``), ``r`` the reveals
(``r.spin.*``), ``p`` the rigid constants (``p.*``), and the next value of ``x`` ends in ``!``.
Every value of a rigid constant that is given is folded in.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from ..models.algebra import Bool, BoolTerm, Int, Value, all_of, any_of, negate, same
from ..models.setting import settle
from ..models.shape import Shape, Variable
from ..models.system import Game, Kind, Point, Property, Rule, Step
from . import smtlib

__all__ = ["Encoding", "encode"]

NEXT = "!"


@dataclass(frozen=True)
class RuleFormula:
    """A rule's transition: when it fires, and the next value of every variable."""

    rule: Rule
    guard: Bool
    updates: tuple[Value, ...]
    after: Point[Any, Any]


@dataclass(frozen=True)
class Encoding:
    """A game under a setting, as terms over named variables."""

    game: Game
    p: Any
    rigid: tuple[Variable, ...]
    constraint: Bool
    state: tuple[Variable, ...]
    reveals: tuple[Variable, ...]
    init: Bool
    rules: tuple[RuleFormula, ...]
    _shapes: tuple[Shape[Any], Shape[Any]]

    def point(self, suffix: str = "") -> Point[Any, Any]:
        """Return the unknown point whose variables end in a suffix."""
        state, tally = self._shapes
        return Point(
            state.build(lambda v: dataclasses.replace(v, name="s." + v.name).term(suffix)),
            tally.build(lambda v: dataclasses.replace(v, name="t." + v.name).term(suffix)),
        )

    def reveal(self, rule: Rule) -> Any:
        """Return the unknown reveal of a rule."""
        return self.game.reveal_shape(rule).build(lambda v: _of_reveal(rule, v).term())

    def holds(self, claim: Property, suffix: str = "") -> Bool:
        """Return an invariant (or lemma) as a term over the current point."""
        point = self.point(suffix)
        return claim.holds(self.p, point.s, point.t)

    def holds_over(self, claim: Property, rule: Rule) -> Bool:
        """Return a step property over one rule, from the current point to the next."""
        step = Step(rule.id, self.reveal(rule))
        return claim.holds(self.p, self.point(), step, self.point(NEXT))

    def transition(self, formula: RuleFormula) -> Bool:
        """Return ``rule.R`` as a term: the guard, and the next value of every variable."""
        after = [variable.term(NEXT) for variable in self.state]
        moved = [_equal(n, u) for n, u in zip(after, formula.updates, strict=True)]
        return all_of(formula.guard, moved)

    def violated(self, claim: Property) -> Bool:
        """Return where a step property fails: some rule fires and the claim does not hold."""
        if claim.kind is not Kind.STEP:
            raise ValueError(f"{claim.id} speaks of states, not of steps")
        return any_of(
            all_of(self.transition(f), negate(self.holds_over(claim, f.rule)))
            for f in self.rules
        )

    def definitions(self) -> str:
        """Return the system as SMT-LIB: constants, ``rigid``, ``init``, every rule, ``trans``."""
        now, then = self.state, _named(self.state, NEXT)
        parts = [
            smtlib.declare(self.rigid),
            smtlib.define("rigid", (), self.constraint),
            smtlib.define("init", now, self.init),
        ]
        parts += [
            smtlib.define(f"rule.{f.rule.id}", (*now, *self.reveals, *then), self.transition(f))
            for f in self.rules
        ]
        names = " ".join(v.name for v in (*now, *self.reveals, *then))
        fired = " ".join(f"(rule.{f.rule.id} {names})" for f in self.rules)
        listed = " ".join(f"({v.name} {v.sort})" for v in (*now, *self.reveals, *then))
        parts.append(f"(define-fun trans ({listed}) Bool\n  (or {fired}))\n")
        return "".join(parts)


def encode(
    game: Game,
    parameters: Mapping[str, Any] | None = None,
    readings: Mapping[str, str] | None = None,
) -> Encoding:
    """Encode a game; parameters and readings that are not given stay unknown."""
    p, rigid, constraint = settle(game.setting, parameters, readings)
    state, tally = game.state_shape(), game.tally_shape()
    blank = Encoding(
        game,
        p,
        rigid,
        constraint,
        (*_prefixed(state.variables, "s."), *_prefixed(tally.variables, "t.")),
        tuple(_reveals(game)),
        True,
        (),
        (state, tally),
    )
    start = game.start(p)
    here = blank.point()
    init = all_of(
        _equal(variable.term(), value)
        for variable, value in zip(blank.state, _scalars(blank, start), strict=True)
    )
    rules = tuple(_rule(blank, here, rule) for rule in game.rules)
    return dataclasses.replace(blank, init=init, rules=rules)


def _rule(encoding: Encoding, here: Point[Any, Any], rule: Rule) -> RuleFormula:
    game, p = encoding.game, encoding.p
    reveal = encoding.reveal(rule)
    guard = all_of(game.reveal_shape(rule).within_limits(reveal), rule.guard(p, here.s, reveal))
    after = game.after(p, here, rule, reveal)
    return RuleFormula(rule, guard, tuple(_scalars(encoding, after)), after)


def _scalars(encoding: Encoding, point: Point[Any, Any]) -> list[Value]:
    state, tally = encoding._shapes
    return [*state.scalars(point.s).values(), *tally.scalars(point.t).values()]


def _equal(a: Value, b: Value) -> Bool:
    if isinstance(a, bool | BoolTerm):
        return same(a, cast("Bool", b))
    return a == cast("Int", b)


def _prefixed(variables: Sequence[Variable], prefix: str) -> list[Variable]:
    return [dataclasses.replace(v, name=prefix + v.name) for v in variables]


def _named(variables: Sequence[Variable], suffix: str) -> tuple[Variable, ...]:
    return tuple(dataclasses.replace(v, name=v.name + suffix) for v in variables)


def _of_reveal(rule: Rule, variable: Variable) -> Variable:
    name = f"r.{rule.reveal.__name__.lower()}.{variable.name}"
    return dataclasses.replace(variable, name=name)


def _reveals(game: Game) -> list[Variable]:
    found: dict[str, Variable] = {}
    for rule in game.rules:
        for variable in game.reveal_shape(rule).variables:
            of = _of_reveal(rule, variable)
            found[of.name] = of
    return list(found.values())
