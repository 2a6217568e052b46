"""Prove a property of a game, or find the Play that breaks it.

A proof is believed once every obligation was checked from its text by z3 and by a second
solver, a Play once the concrete rules have replayed it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..models.system import Game, Kind, Property
from . import general
from .budget import Budget
from .encoding import encode
from .engines import Inquiry
from .events import Event, Listener, silent
from .verdict import Verdict
from .workbench import Workbench

__all__ = ["prove"]


def prove(
    game: Game,
    claim: Property | str,
    *,
    parameters: Mapping[str, Any] | None = None,
    readings: Mapping[str, str] | None = None,
    budget: Budget | None = None,
    listener: Listener = silent,
    bench: Workbench | None = None,
) -> Verdict:
    """Decide one property; what is not given stays open and is covered by the answer.

    ``bench`` may hand in a ``Workbench`` for this game, these parameters and readings, so that
    many properties share what was done before.
    Raises KeyError for a property, parameter or reading that does not exist; ValueError for a
    lemma that does not. Trouble with solvers is part of the verdict.
    """
    one = game.property(claim) if isinstance(claim, str) else claim
    at = bench or Workbench(encode(game, parameters, readings))
    listener(Event("started", game.id, one.id))
    if one.kind is Kind.GENERAL:
        verdict = general.decide(at, one, budget or Budget(), listener)
    else:
        verdict = Inquiry(at, one, budget or Budget(), listener).run()
    listener(Event("finished", game.id, one.id, verdict.outcome.value, verdict))
    return verdict
