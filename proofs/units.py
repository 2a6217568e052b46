"""Units: what divides every value of a money counter, and the same money counted in it.

    unit(v)    divides the start of v, and whatever a rule gives v where every counter is a
               multiple of its unit: found by going round the rules until none changes
               (congruences as in Granger 1991, of a remainder of 0)
    u(v)       v counted in its unit: a ghost, which the observer keeps and no rule reads

    v = unit(v) * u(v)    of every counter is inductive

Solvers confirm these equations at once, the ghosts following the very cases of the rules. That
``v`` leaves no remainder says the same, but takes second solvers too long.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping
from typing import Any, cast

from ..models.algebra import Bool, Int, IntTerm, Term, Value, all_of, total, where
from ..models.shape import count
from ..models.system import Game, Point, Step

__all__ = ["Units", "divisor", "units_of", "with_units"]

Units = Mapping[str, int]
"""The unit (pence) of each money counter by its name; 0 for one that is always 0."""


def units_of(game: Game, p: Any) -> Units:
    """Return the unit of every money counter under a setting that is known."""
    shape = game.state_shape()
    start = shape.scalars(game.initial(p))
    units = {
        variable.name: abs(cast("int", start[variable.name]))
        for variable in shape.variables
        if variable.unit == "pence"
    }
    before = shape.terms()
    after = [
        shape.scalars(rule.effect(p, before, game.reveal_shape(rule).terms("@")))
        for rule in game.rules
    ]
    while True:
        wider = {
            name: math.gcd(unit, *(divisor(values[name], units) for values in after))
            for name, unit in units.items()
        }
        if wider == units:
            return units
        units = wider


def divisor(value: Value, units: Units) -> int:
    """Return a number that divides a term, if each counter is a multiple of its unit."""
    if not isinstance(value, Term):
        return abs(int(value))
    args = cast("tuple[Value, ...]", value.args)
    if value.op == "var":
        return units.get(cast("str", value.args[0]), 1)
    if value.op == "ite":
        return math.gcd(divisor(args[1], units), divisor(args[2], units))
    if value.op in ("+", "-"):
        return math.gcd(*(divisor(arg, units) for arg in args))
    if value.op == "*":
        return math.prod(divisor(arg, units) for arg in args)
    return 1


def with_units(
    game: Game, units: Units
) -> tuple[Game, Callable[[Any, Any], Mapping[str, Bool]]]:
    """Return a game whose observer counts money in units too, and what holds of it then.

    The function takes a state and a tally to ``v = unit(v) * u(v)``, by the name of ``v``.
    """
    shape = game.state_shape()
    ghosts = {name: f"units_{number}" for number, name in enumerate(units, start=1)}
    fields = [
        (ghost, Int, count(f"{name} in units of {units[name]} pence"))
        for name, ghost in ghosts.items()
    ]
    made = dataclasses.make_dataclass("Tally", fields, bases=(game.tally,), frozen=True)

    def observe(p: Any, before: Point[Any, Any], step: Step, after: Any) -> Any:
        had = shape.scalars(before.s)
        shares = {
            term.args[0]: (units[name], getattr(before.t, ghosts[name]))
            for name in units
            if isinstance(term := had[name], Term)
        }
        now = shape.scalars(after)
        seen = game.observe(p, before, step, after)
        kept = {one.name: getattr(seen, one.name) for one in dataclasses.fields(game.tally)}
        return made(**kept, **{
            ghosts[name]: _divided(now[name], unit, shares) if unit else 0
            for name, unit in units.items()
        })  # fmt: skip

    def holds(s: Any, t: Any) -> Mapping[str, Bool]:
        values = shape.scalars(s)
        return {
            name: all_of(cast("Int", values[name]) == unit * getattr(t, ghosts[name]))
            for name, unit in units.items()
        }

    return dataclasses.replace(game, tally=made, observe=observe), holds


def _divided(value: Value, by: int, shares: Mapping[object, tuple[int, Int]]) -> Int:
    """Return a term divided by a number that divides it; ``shares`` are units and ghosts."""
    if not isinstance(value, Term):
        return int(value) // by
    args = cast("tuple[Any, ...]", value.args)
    if value.op == "var" and args[0] in shares:
        unit, ghost = shares[args[0]]
        return (unit // by) * ghost
    if value.op == "ite":
        return where(args[0], _divided(args[1], by, shares), _divided(args[2], by, shares))
    if value.op == "+":
        return total(_divided(arg, by, shares) for arg in args)
    if value.op == "-":
        return _divided(args[0], by, shares) - _divided(args[1], by, shares)
    if value.op == "*" and isinstance(args[0], int):
        common = math.gcd(args[0], by)
        rest = by // common
        other = args[1] if rest == 1 else _divided(args[1], rest, shares)
        return (args[0] // common) * other
    if by == 1:
        return cast("IntTerm", value)
    raise ValueError(f"{value} cannot be divided by {by} term by term")
