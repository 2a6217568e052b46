"""Which properties of the game a wrong value breaks, and so which clauses.

What was shown is put into the state that the rules give; the properties that hold of that state
and of the step to it, but no longer of this one, are broken. All that is known of the game is
its own properties.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..models.system import Game, Kind, Point, Property, Step
from .expected import Expected

__all__ = ["Moment", "broken", "broken_by", "clauses_of"]


@dataclass(frozen=True)
class Moment:
    """A point of a Play as the rules give it, and the step to it; none at the start."""

    game: Game
    p: Any
    after: Point[Any, Any]
    before: Point[Any, Any] | None = None
    step: Step | None = None


def broken(moment: Moment, shown: Mapping[str, int | bool]) -> tuple[Property, ...]:
    """Return the properties that break if some scalars of the state are as shown."""
    shape = moment.game.state_shape()
    s = shape.of({**shape.scalars(moment.after.s), **shown})
    instead = Point(s, moment.after.t)
    return tuple(
        claim
        for claim in moment.game.properties
        if _holds(claim, moment, instead) is False
        and _holds(claim, moment, moment.after) is True
    )


def broken_by(
    expected: Expected, before: Point[Any, Any], step: Step, after: Point[Any, Any]
) -> tuple[Property, ...]:
    """Return the properties that a step breaks, from a point where all of them held."""
    moment = Moment(expected.game, expected.p, after, before, step)
    earlier = Moment(expected.game, expected.p, before)
    return tuple(
        claim
        for claim in expected.game.properties
        if _holds(claim, moment, after) is False
        and _holds(claim, earlier, before) in (True, None)
    )


def clauses_of(
    game: Game, claims: Sequence[Property], rule: Sequence[str] = ()
) -> tuple[str, ...]:
    """Return the clauses that broken properties stand for, those of the rule (ids) first.

    A lemma without clauses stands for those of the properties that it helps to prove. Where no
    property is broken they are the rule's.
    """
    proving = {claim.id for claim in claims}
    helped = [one for one in game.properties if proving & set(one.using)]
    of_claims = _clauses(claims) or _clauses(helped)
    return tuple(one for one in of_claims if one in rule) or tuple(of_claims) or tuple(rule)


def _clauses(claims: Sequence[Property]) -> list[str]:
    return list(dict.fromkeys(clause for claim in claims for clause in claim.clauses))


def _holds(claim: Property, moment: Moment, after: Point[Any, Any]) -> object:
    """Return whether a property holds; None where it does not speak of this."""
    if claim.kind in (Kind.INVARIANT, Kind.LEMMA):
        return claim.holds(moment.p, after.s, after.t)
    if claim.kind is Kind.STEP and moment.before is not None:
        return claim.holds(moment.p, moment.before, moment.step, after)
    return None
