"""Proofs that a target is out of reach: no Play of any length pays it.

    never(s)   an ended Play does not win the target

is proved by induction with the game's own invariants and with what is found here: for every
money counter a congruence (every value is a multiple of g above its start) and, below the
target, the few sums it can hold. Both are guesses, made by asking which values one step adds
until none is new; the prover and its second solver decide.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from ..models.algebra import Bool, negate, all_of
from ..models.system import Game, Kind, Property
from ..proofs.prover import Budget, prove
from ..proofs.verdict import Verdict
from .targets import Target

__all__ = ["pays_never"]


def pays_never(
    game: Game, target: Target, parameters: Mapping[str, Any], readings: Mapping[str, str]
) -> Verdict:
    """Return the verdict on the claim that no Play wins a target."""

    def holds(p: Any, s: Any, t: Any) -> Bool:
        return negate(all_of(game.goal.ended(p, s), target.won(game, p, s)))

    helpers = tuple(one.id for one in game.properties if one.kind is not Kind.STEP)
    claim = Property(
        "never-paid", Kind.INVARIANT, (), f"No Play wins {target} alone.", holds, helpers
    )
    wider = dataclasses.replace(game, properties=(*game.properties, claim))
    budget = Budget(depth=0, k_most=1, spacer=1)
    return prove(wider, claim, parameters=parameters, readings=readings, budget=budget)
