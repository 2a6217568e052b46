"""Claims about a system as a whole: which method decides which, by the claim's id.

A decider gets the workbench of the game, the claim, the budget and the listener, and returns
the verdict. What it proves, it proves as invariants and step properties of the game or of a
system derived from it, with certificates of the same form as any other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..models.system import Property
from .budget import Budget
from .events import Listener
from .verdict import Verdict
from .workbench import Workbench

__all__ = ["DECIDERS", "decide"]

Decider = Callable[[Workbench, Property, Budget, Listener], Verdict]

DECIDERS: Mapping[str, Decider] = {}


def decide(bench: Workbench, claim: Property, budget: Budget, listener: Listener) -> Verdict:
    """Decide a general claim; KeyError for one that no method is known for."""
    return DECIDERS[claim.id](bench, claim, budget, listener)
