"""What a rule asks of the state alone, whatever is revealed."""

from __future__ import annotations

import dataclasses
from typing import Any

from ..models.algebra import Bool, BoolTerm, all_of, conjuncts, negate, variables_of
from ..models.system import Game

__all__ = ["asks_of_state"]

# How the unknowns of a reveal to come are named.
_COMING = "coming."


def asks_of_state(game: Game, p: Any, s: Any, rule: str) -> Bool:
    """Return what has to hold of a state before a rule, whatever is revealed.

    It is necessary, not sufficient: where reveals have to fit a state there may be none.
    """
    then = game.rule(rule)
    reveal = game.reveal_shape(then).build(
        lambda v: dataclasses.replace(v, name=_COMING + v.name).term()
    )
    return all_of(
        negate(game.goal.ended(p, s)),
        (one for one in conjuncts(then.guard(p, s, reveal)) if not _is_coming(one)),
    )


def _is_coming(condition: Bool) -> bool:
    return isinstance(condition, BoolTerm) and any(
        name.startswith(_COMING) for name in variables_of(condition)
    )
