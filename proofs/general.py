"""Claims about a system as a whole: which method decides which, by the claim's id.

A decider gets the workbench of the game, the claim, the budget and the listener, and returns
the verdict. What it proves, it proves as invariants and step properties of the game or of a
system derived from it, with certificates of the same form as any other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..models.system import Property
from .budget import Budget
from .choice_free import decide_choice_free
from .deterministic import decide_deterministic
from .events import Listener
from .layered import CLAIMS, decide_of_layer
from .never_stuck import decide_never_stuck
from .termination import decide_terminates
from .verdict import Verdict
from .workbench import Workbench

__all__ = ["DECIDERS", "decide"]

Decider = Callable[[Workbench, Property, Budget, Listener], Verdict]

DECIDERS: Mapping[str, Decider] = {
    "choice-free": decide_choice_free,
    "deterministic": decide_deterministic,
    "never-stuck": decide_never_stuck,
    "terminates": decide_terminates,
    **dict.fromkeys(CLAIMS, decide_of_layer),
}


def decide(bench: Workbench, claim: Property, budget: Budget, listener: Listener) -> Verdict:
    """Decide a general claim; KeyError for one that no method is known for."""
    return DECIDERS[claim.id](bench, claim, budget, listener)
