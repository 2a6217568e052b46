"""Prizes that can be won, as claims: one property for each, under one edition.

Nothing is decided here (``oracles.reachable`` does that), and no solver is loaded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..models.algebra import Bool, any_of
from ..models.editions import Edition
from ..models.system import Kind, Property, Reachable
from .targets import Target, claimed, parse_target

__all__ = ["claims", "prizes"]


def prizes(edition: Edition) -> Mapping[str, tuple[str, ...]]:
    """Return what each reachability claim says can be won under an edition, by its id."""
    return {id_: won for _, members in claimed(edition) for id_, won in members.items()}


def claims(edition: Edition) -> dict[str, tuple[Property, Reachable]]:
    """Return the reachability claims of a game under an edition, by id.

    Each comes with what the game's file says of all its kind.
    """
    found = {}
    for kind, members in claimed(edition):
        for id_, won in members.items():
            targets = tuple(parse_target(one, edition) for one in won)
            says = f"{kind.says} Here: {', '.join(map(str, targets))}."
            claim = Property(
                id_, Kind.REACHABLE, kind.clauses, says, _any_won(edition, targets)
            )
            found[id_] = (claim, kind)
    return found


def _any_won(edition: Edition, targets: tuple[Target, ...]) -> Callable[..., Bool]:
    def holds(p: Any, s: Any, t: Any) -> Bool:
        return any_of(target.won(edition.game, p, s) for target in targets)

    return holds
