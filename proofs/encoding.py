"""A game as formulas: what is rigid, where it starts, what each rule does.

    ranges(p)                ranges of parameters and readings, and what else binds them
    init(p, x)               x is the start of a Play
    rule.R(p, x, r, x')      rule R takes x to x' on reveal r
    trans(p, x, r, x')       some rule does
    reading.I.C(p)           reading I is taken as C
    rigid(p)                 ranges(p), and none of the readings that are left out

``x`` is the state (``s.*``) with the observer's tally (``t.*``), ``r`` the reveals
(``r.spin.*``), ``p`` the rigid constants (``p.*``), and the next value of ``x`` ends in ``!``.
Every value of a rigid constant that is given is folded in.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..models.algebra import Bool, Value, all_of, equal, implies, negate
from ..models.setting import figures_of, readings_of, settle
from ..models.shape import Shape, Variable
from ..models.system import Game, Kind, Point, Property, Rule, Step
from . import smtlib
from .verdict import Cube

__all__ = ["Encoding", "encode"]

NEXT = "!"


@dataclass(frozen=True)
class RuleFormula:
    """A rule's transition: when it fires, and the next value of every variable.

    ``printed`` keeps the definitions that were made of it, each with what it is applied to.
    """

    rule: Rule
    guard: Bool
    updates: tuple[Value, ...]
    after: Point[Any, Any]
    printed: dict[str, tuple[str, tuple[str, ...]]] = dataclasses.field(
        default_factory=dict, compare=False, repr=False
    )


@dataclass(frozen=True)
class Encoding:
    """A game under a setting, as terms over named variables."""

    game: Game
    parameters: Mapping[str, Any]
    readings: Mapping[str, str]
    p: Any
    rigid: tuple[Variable, ...]
    constraint: Bool
    state: tuple[Variable, ...]
    reveals: tuple[Variable, ...]
    start: tuple[Value, ...]
    init: Bool
    rules: tuple[RuleFormula, ...]
    _shapes: tuple[Shape[Any], Shape[Any]]
    excluded: tuple[Cube, ...] = ()

    def without(self, cubes: Sequence[Cube]) -> Encoding:
        """Return this encoding with some readings left out of ``rigid``."""
        return dataclasses.replace(self, excluded=tuple(cubes))

    def cube(self, cube: Cube) -> Bool:
        """Return where the readings are taken as a cube says."""
        return all_of(
            getattr(self.p, reading.replace("-", "_")).is_(choice) for reading, choice in cube
        )

    def rigid_values(self) -> Bool:
        """Return ``rigid`` beyond ``ranges``: the readings that are left out."""
        return all_of(negate(self.cube(cube)) for cube in self.excluded)

    def choices(self) -> dict[str, Bool]:
        """Return where each open reading is taken in each way, named ``reading.I.C``."""
        return {
            f"reading.{reading}.{choice}": self.cube(((reading, choice),))
            for reading, shape in readings_of(self.p).items()
            if reading not in self.readings
            for choice in shape.choices
        }

    def left_out(self) -> tuple[str, ...]:
        """Return, as text over the names of ``choices``, that no excluded reading is taken."""
        return tuple(_none_of(cube) for cube in self.excluded)

    def fixed(self) -> dict[str, dict[str, Any]]:
        """Return what was fixed beforehand: figures, parameters, readings."""
        setting = self.game.setting
        return {
            "figures": {name: getattr(setting, name) for name in figures_of(setting)},
            "parameters": dict(self.parameters),
            "readings": dict(self.readings),
        }

    def point(self, suffix: str = "") -> Point[Any, Any]:
        """Return the unknown point whose variables end in a suffix."""
        state, tally = self._shapes
        return Point(
            state.build(lambda v: v.term(suffix, "s.")),
            tally.build(lambda v: v.term(suffix, "t.")),
        )

    def reveal(self, rule: Rule, suffix: str = "") -> Any:
        """Return the unknown reveal of a rule."""
        prefix = _reveal_prefix(rule)
        return self.game.reveal_shape(rule).build(lambda v: v.term(suffix, prefix))

    def reveal_variables(self, rule: Rule) -> tuple[Variable, ...]:
        """Return the variables of a rule's reveal, in the order of its shape."""
        return tuple(_of_reveal(rule, v) for v in self.game.reveal_shape(rule).variables)

    def holds(self, claim: Property, suffix: str = "") -> Bool:
        """Return an invariant (or lemma) as a term over the point with that suffix."""
        point = self.point(suffix)
        return claim.holds(self.p, point.s, point.t)

    def holds_over(self, claim: Property, rule: Rule, now: str = "", then: str = NEXT) -> Bool:
        """Return a step property over one rule, from one point to the next."""
        step = Step(rule.id, self.reveal(rule, now))
        return claim.holds(self.p, self.point(now), step, self.point(then))

    def transition(self, formula: RuleFormula) -> Bool:
        """Return ``rule.R`` as a term: the guard, and the next value of every variable."""
        after = [variable.term(NEXT) for variable in self.state]
        moved = [equal(n, u) for n, u in zip(after, formula.updates, strict=True)]
        return all_of(formula.guard, moved)

    def holds_everywhere(self, claim: Property) -> Bool:
        """Return a step property over whichever rule takes the point to the next."""
        if claim.kind is not Kind.STEP:
            raise ValueError(f"{claim.id} speaks of states, not of steps")
        return all_of(
            implies(self.transition(f), self.holds_over(claim, f.rule)) for f in self.rules
        )

    @property
    def next_state(self) -> tuple[Variable, ...]:
        """The state after a step, in the order of ``state``."""
        return _named(self.state, NEXT)

    @property
    def over_step(self) -> tuple[Variable, ...]:
        """What a step is over: the point, the reveals, the next point."""
        return (*self.state, *self.reveals, *self.next_state)

    def system(self) -> str:
        """Return the game as SMT-LIB: rigid constants, ``ranges``, ``init``, ``trans``."""
        parts = [
            "(set-logic ALL)\n",
            smtlib.declare(self.rigid),
            smtlib.define("ranges", (), self.constraint),
            *(smtlib.define(name, (), taken) for name, taken in self.choices().items()),
            smtlib.define("init", self.state, self.init),
        ]
        parts += [
            smtlib.define(f"rule.{f.rule.id}", self.over_step, self.transition(f))
            for f in self.rules
        ]
        names = [v.name for v in self.over_step]
        fired = " ".join(smtlib.apply(f"rule.{f.rule.id}", names) for f in self.rules)
        parts.append(smtlib.define_as("trans", self.over_step, f"(or {fired})"))
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
        dict(parameters or {}),
        dict(readings or {}),
        p,
        rigid,
        constraint,
        (*_prefixed(state.variables, "s."), *_prefixed(tally.variables, "t.")),
        tuple(_reveals(game)),
        (),
        True,
        (),
        (state, tally),
    )
    start = tuple(_scalars(blank, game.start(p)))
    here = blank.point()
    init = all_of(equal(v.term(), value) for v, value in zip(blank.state, start, strict=True))
    rules = tuple(_rule(blank, here, rule) for rule in game.rules)
    return dataclasses.replace(blank, start=start, init=init, rules=rules)


def _rule(encoding: Encoding, here: Point[Any, Any], rule: Rule) -> RuleFormula:
    game, p = encoding.game, encoding.p
    reveal = encoding.reveal(rule)
    guard = all_of(game.reveal_shape(rule).within_limits(reveal), rule.guard(p, here.s, reveal))
    after = game.after(p, here, rule, reveal)
    return RuleFormula(rule, guard, tuple(_scalars(encoding, after)), after)


def _scalars(encoding: Encoding, point: Point[Any, Any]) -> list[Value]:
    state, tally = encoding._shapes
    return [*state.scalars(point.s).values(), *tally.scalars(point.t).values()]


def _prefixed(variables: Sequence[Variable], prefix: str) -> list[Variable]:
    return [dataclasses.replace(v, name=prefix + v.name) for v in variables]


def _none_of(cube: Cube) -> str:
    taken = [f"reading.{reading}.{choice}" for reading, choice in cube]
    return f"(not (and {' '.join(taken)}))" if len(taken) > 1 else f"(not {taken[0]})"


def _named(variables: Sequence[Variable], suffix: str) -> tuple[Variable, ...]:
    return tuple(dataclasses.replace(v, name=v.name + suffix) for v in variables)


def _of_reveal(rule: Rule, variable: Variable) -> Variable:
    return dataclasses.replace(variable, name=_reveal_prefix(rule) + variable.name)


def _reveal_prefix(rule: Rule) -> str:
    return f"r.{rule.reveal.__name__.lower()}."


def _reveals(game: Game) -> list[Variable]:
    found: dict[str, Variable] = {}
    for rule in game.rules:
        for variable in game.reveal_shape(rule).variables:
            of = _of_reveal(rule, variable)
            found[of.name] = of
    return list(found.values())
