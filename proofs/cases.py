"""Cases: which sources of length have no limit, and the readings that are left."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..errors import BadInput
from ..models.algebra import Bool, Value, all_of, equal
from ..models.editions import has_edition, load_edition
from ..models.limits import limit_reading
from ..models.system import Game
from . import smtlib
from .encoding import encode
from .verdict import Cube

__all__ = [
    "Case",
    "limits_taken",
    "of_the_game",
    "others_taken",
    "ruled_out",
    "same",
    "taken",
    "users_of",
    "usual_values",
]


@dataclass(frozen=True)
class Case:
    """Which sources have no limit, and the readings that are not covered by a loop."""

    sources: tuple[str, ...]
    taken: Mapping[str, str]
    apart_from: tuple[Cube, ...]


def usual_values(game: Game) -> Mapping[str, Any]:
    """Return the values of the game's own edition; none where it has none that fits."""
    if not has_edition(game):
        return {}
    try:
        values: Mapping[str, Any] = load_edition(game).parameters
        return values
    except BadInput:  # a copy of the game, of another size
        return {}


def limits_taken(taken: Mapping[str, str], choice: str = "") -> dict[str, str]:
    """Return what is taken of whether limits bind, or those of one choice."""
    return {
        name: one
        for name, one in taken.items()
        if name.startswith(limit_reading("")) and (not choice or one == choice)
    }


def others_taken(readings: Mapping[str, str]) -> dict[str, str]:
    """Return what is taken of the readings of the game itself."""
    limits = limits_taken(readings)
    return {name: one for name, one in readings.items() if name not in limits}


def users_of(game: Game, limited: Game) -> dict[str, list[str]]:
    """Return, by source, the rules that use it; those that only start it afresh are none."""
    encoding = encode(limited)
    at = {variable.name: number for number, variable in enumerate(encoding.state)}
    return {
        limit.id: [
            formula.rule.id
            for formula in encoding.rules
            if not _idle(formula.updates[at[f"s.used.{limit.id}"]], f"s.used.{limit.id}")
        ]
        for limit in game.limits
    }


def _idle(update: Value, name: str) -> bool:
    return update == 0 if isinstance(update, int) else smtlib.is_variable(update, name)


def of_the_game(cube: Cube) -> Cube:
    """Return what a cube says of the readings of the game itself."""
    limits = limits_taken(dict(cube))
    return tuple(one for one in cube if one[0] not in limits)


def ruled_out(case: Case) -> tuple[Cube, ...]:
    """Return the readings under which a loop goes on by these sources, or by some of them."""
    covering = [
        cube for cube in case.apart_from if not any(set(o) < set(cube) for o in case.apart_from)
    ]
    return tuple(
        of_the_game(cube)
        for cube in covering
        if all(case.taken[name] == choice for name, choice in limits_taken(dict(cube)).items())
    )


def taken(p: Any, readings: Mapping[str, str]) -> Bool:
    """Return that readings are taken so."""
    return all_of(
        getattr(p, name.replace("-", "_")).is_(choice) for name, choice in readings.items()
    )


def same(one: Any, other: Any) -> Bool:
    """Return that values, or vectors of them, are equal."""
    if isinstance(one, tuple):
        return all_of(same(a, b) for a, b in zip(one, other, strict=True))
    return equal(one, other)
