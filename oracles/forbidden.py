"""What is wrong with a step that may not come: in words, by property and by clause."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..models.system import Kind, Point, Step
from .event import flat
from .expected import Expected
from .illegal import why_not
from .moves import State
from .probes import Probe

__all__ = ["Forbidden", "forbidden"]


@dataclass(frozen=True)
class Forbidden:
    """Why a step may not come, and the ids of the properties and clauses that it breaks."""

    words: str
    properties: tuple[str, ...]
    clauses: tuple[str, ...]


def forbidden(
    expected: Expected, state: State, point: Callable[[], Point[Any, Any]], probe: Probe
) -> Forbidden:
    """Return what is wrong with a step in a state; ``point`` gives the state with the tally."""
    move = expected.moves[probe.rule]
    scalars = dict(flat(probe.reveal)) | dict(flat(probe.choice))
    values = tuple(scalars[one.name] for one in move.variables)
    illegal = why_not(expected, state, move, values)
    broken = _broken(expected, point, Step(probe.rule, expected.step_of((move, values)).reveal))
    clauses = [clause for id_ in broken for clause in expected.game.property(id_).clauses]
    by_clause = tuple(dict.fromkeys(clauses or move.rule.clauses))
    return Forbidden(illegal.words if illegal else "", broken, by_clause)


def _broken(
    expected: Expected, point: Callable[[], Point[Any, Any]], step: Step
) -> tuple[str, ...]:
    """Return the properties that break where a step is taken that may not be."""
    game, p = expected.game, expected.p
    try:
        here = point()
        after = game.after(p, here, game.rule(step.rule), step.reveal)
        return tuple(
            claim.id
            for claim in game.properties
            if (claim.kind is Kind.STEP and claim.holds(p, here, step, after) is False)
            or (claim.kind is Kind.INVARIANT and claim.holds(p, after.s, after.t) is False)
        )
    except (ArithmeticError, LookupError, TypeError, ValueError):
        return ()  # the rule makes no sense of what is not legal
