"""What there is of each game: counts of what its file holds."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from ..models.editions import has_edition, load_edition
from ..models.registers import has_register, load_register
from ..models.setting import parameters_of, readings_of
from ..models.system import Game, Kind

__all__ = ["Overview", "overview"]


@dataclass(frozen=True)
class Overview:
    """The size of a game. ``ways`` counts the combinations of all readings."""

    id: str
    title: str
    about: str
    clauses: int
    rules: int
    properties: int
    lemmas: int
    promises: int
    parameters: int
    readings: int
    ways: int
    prizes: int
    edition: str


def overview(game: Game) -> Overview:
    """Count what a game holds; what has no register or edition counts as none."""
    lemmas = sum(claim.kind is Kind.LEMMA for claim in game.properties)
    readings = readings_of(game.setting)
    edition = load_edition(game) if has_edition(game) else None
    return Overview(
        id=game.id,
        title=game.title,
        about=game.about,
        clauses=len(load_register(game.id).clauses) if has_register(game.id) else 0,
        rules=len(game.rules),
        properties=len(game.properties) - lemmas,
        lemmas=lemmas,
        promises=len(game.promises),
        parameters=len(parameters_of(game.setting)),
        readings=len(readings),
        ways=prod(len(shape.choices) for shape in readings.values()),
        prizes=len(edition.prizes) if edition else 0,
        edition=edition.name if edition else "",
    )
