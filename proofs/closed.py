"""Closed sets: states from which the end can be put off for ever, though none comes again.

    R(x)  ⇒  the steps of a loop are legal from x, one after the other, none of the states on
             the way has ended, and R holds after them

R says of some scalars of the state what they are, or what they are at least. The reveals of the
loop are the same each time. That it is closed is an invariant like any other: it holds of every
state whatever. A Play that comes to R shows that it is not empty.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from ..models.algebra import Bool, Int, Value, all_of, equal, implies, negate, variables_of
from ..models.system import Game, Step
from . import smtlib, solvers
from .encoding import Encoding
from .solvers import Steps

__all__ = ["Region", "closed", "find_region", "goes_on"]


@dataclass(frozen=True)
class Region:
    """Conditions on scalars of the state: equal to a value, or, where one grows, no less."""

    conditions: tuple[tuple[str, str, Value], ...]

    def holds(self, scalars: Mapping[str, Value]) -> Bool:
        """Return whether a state is in it."""
        return all_of(
            equal(scalars[name], value)
            if op == "="
            else cast("Int", scalars[name]) >= cast("int", value)
            for name, op, value in self.conditions
        )

    def words(self) -> tuple[str, ...]:
        """Return its conditions as they are shown."""
        return tuple(f"{name} {op} {_shown(value)}" for name, op, value in self.conditions)

    def without(self, name: str) -> Region:
        """Return the region with one condition fewer."""
        return Region(tuple(one for one in self.conditions if one[0] != name))


def goes_on(game: Game, p: Any, s: Any, steps: Sequence[Step]) -> tuple[Bool, Any]:
    """Return whether steps are legal from a state, none of those on the way ended; the last."""
    legal: list[Bool] = []
    for step in steps:
        rule = game.rule(step.rule)
        legal += [
            negate(game.goal.ended(p, s)),
            game.reveal_shape(rule).within_limits(step.reveal),
            rule.guard(p, s, step.reveal),
        ]
        s = rule.effect(p, s, step.reveal)
    return all_of(legal, negate(game.goal.ended(p, s))), s


def closed(game: Game, region: Region, steps: Sequence[Step], p: Any, s: Any) -> Bool:
    """Return that from a state of a region steps lead back into it."""
    shape = game.state_shape()
    legal, after = goes_on(game, p, s, steps)
    return implies(
        region.holds(shape.scalars(s)), all_of(legal, region.holds(shape.scalars(after)))
    )


def find_region(
    encoding: Encoding, start: Any, growing: Sequence[str], loop: Sequence[Step], steps: Steps
) -> Region | None:
    """Return a region with a state in it that steps lead back into, with no condition to spare.

    ``start`` is the state, ``growing`` the scalars that grow. None if there is no such region.
    """
    game = encoding.game
    values = game.state_shape().scalars(start)
    needed = _needed(encoding, loop)
    region = Region(
        tuple(
            (name, ">=" if name in growing else "=", value)
            for name, value in values.items()
            if name in needed
        )
    )
    if not _is_closed(encoding, region, loop, steps):
        return None
    for name, _, _ in region.conditions:
        fewer = region.without(name)
        if _is_closed(encoding, fewer, loop, steps):
            region = fewer
    return region


def _needed(encoding: Encoding, loop: Sequence[Step]) -> set[str]:
    """Return the scalars that whether the loop is legal depends on, also in later rounds."""
    game, p = encoding.game, encoding.p
    here = encoding.point().s
    legal, after = goes_on(game, p, here, loop)
    updates = game.state_shape().scalars(after)
    found: set[str] = set()
    waiting = set(variables_of(legal))
    while waiting:
        name = waiting.pop()
        plain = name.removeprefix("s.")
        if name in found or plain == name:
            continue
        found.add(name)
        waiting |= variables_of(updates[plain])
    return {name.removeprefix("s.") for name in found}


def _is_closed(encoding: Encoding, region: Region, loop: Sequence[Step], steps: Steps) -> bool:
    claim = closed(encoding.game, region, loop, encoding.p, encoding.point().s)
    asked = all_of(encoding.constraint, encoding.rigid_values(), negate(claim))
    declared = smtlib.declare((*encoding.rigid, *encoding.state))
    text = f"(set-logic ALL)\n{declared}(assert {smtlib.text(asked)})\n(check-sat)\n"
    return solvers.run("z3", text, steps=steps).answer == "unsat"


def _shown(value: Value) -> str:
    return str(value) if not isinstance(value, bool) else "yes" if value else "no"
