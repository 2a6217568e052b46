"""What the user asked for: games, properties, readings and an edition, checked by name."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..errors import BadInput, unknown
from ..models.editions import Edition, has_edition, load_edition
from ..models.games import game_ids, load_game
from ..models.setting import Setting, parameters_of, readings_of
from ..models.system import Game, Property, Reachable
from ..models.tomlfile import TomlFile, read_toml
from ..oracles.claims import claims
from ..proofs.manifest import claims_of

__all__ = ["Request", "choose", "clash", "game_of", "readings_for"]


@dataclass(frozen=True)
class Request:
    """One game, the claims to decide, and what is fixed of what the game leaves open.

    ``reachable`` are claims of one edition: the one given, or else the game's own. ``source``
    is the file of the one given, as it was read.
    """

    reference: str
    game: Game
    claims: tuple[Property, ...]
    reachable: Mapping[str, tuple[Property, Reachable]] = field(default_factory=dict)
    readings: Mapping[str, str] = field(default_factory=dict)
    edition: Edition | None = None
    source: TomlFile | None = None

    @property
    def parameters(self) -> Mapping[str, Any] | None:
        """The edition's values; none without an edition: every parameter stays open."""
        return self.edition.parameters if self.edition else None


def choose(
    references: Sequence[str],
    properties: Sequence[str],
    readings: Sequence[str],
    edition: Path | None,
) -> tuple[Request, ...]:
    """Return a request for each game that was asked for, or for all.

    A property or reading must exist in at least one of the games; where it does not, that
    game is left out, or left as it is. Raises BadInput for any name that nothing bears.
    """
    if edition is not None and len(set(references)) > 1:
        raise BadInput(f"{edition}: an edition is of one game; name that game alone")
    file = read_toml(edition) if edition is not None else None
    chosen = list(dict.fromkeys(references)) or _all(file)
    games = {reference: game_of(reference) for reference in chosen}
    loaded = {r: load_edition(g, file) for r, g in games.items()} if file else {}
    games |= {reference: one.game for reference, one in loaded.items()}
    prizes = {r: _reachable(g, loaded.get(r)) for r, g in games.items()}
    for id_ in properties:
        known = [claim.id for game in games.values() for claim in game.properties]
        known += [claim for found in prizes.values() for claim in found]
        if id_ not in known:
            what = f"property of {_names(games)}"
            raise unknown(what, id_, dict.fromkeys(known), "explain GAME lists all")
    taken = readings_for(games, readings)
    requests = []
    for reference, game in games.items():
        proofs, reachable = claims_of(game), prizes[reference]
        if properties:
            proofs = tuple(claim for claim in game.properties if claim.id in properties)
            reachable = {id_: reachable[id_] for id_ in reachable if id_ in properties}
        if proofs or reachable:
            fixed = taken[reference], loaded.get(reference), file
            requests.append(Request(reference, game, proofs, reachable, *fixed))
    return tuple(requests)


def game_of(reference: str) -> Game:
    """Return a game; a user's own (``module:ATTRIBUTE``) is looked for here as well."""
    if ":" in reference and "" not in sys.path:
        sys.path.insert(0, "")
    return load_game(reference)


def readings_for(games: Mapping[str, Game], texts: Sequence[str]) -> dict[str, dict[str, str]]:
    """Return, for each game, the readings taken; texts are ``ID=CHOICE``.

    Raises BadInput for a text of another form, a reading that no game has, a choice that a
    reading has not, and a reading taken in two ways.
    """
    taken: dict[str, dict[str, str]] = {reference: {} for reference in games}
    for text in texts:
        id_, equals, choice = (part.strip() for part in text.partition("="))
        if not equals or not id_ or not choice:
            raise BadInput(f"reading {text!r}: write it as ID=CHOICE, e.g. valuation=at-fill")
        having = {r: g for r, g in games.items() if id_ in readings_of(g.setting)}
        if not having:
            known = [name for game in games.values() for name in readings_of(game.setting)]
            raise unknown(f"reading of {_names(games)}", id_, dict.fromkeys(known))
        for reference, game in having.items():
            choices = readings_of(game.setting)[id_].choices
            if choice not in choices:
                raise unknown(f"choice of reading {id_}", choice, choices)
            if taken[reference].setdefault(id_, choice) != choice:
                raise BadInput(
                    f"reading {id_} is taken as {taken[reference][id_]} and {choice}"
                )
    return taken


def clash(game: Game, readings: Mapping[str, str]) -> BadInput:
    """Return the error for readings that a game does not allow together."""
    given = ", ".join(f"{id_}={choice}" for id_, choice in readings.items())
    taken = given or "what is left open"
    constraint = type(game.setting).constraint
    said = " ".join((constraint.__doc__ or "").split())
    if constraint is Setting.constraint or not said:
        bounded = ", ".join(parameters_of(game.setting))
        said = f"{constraint.__qualname__}, and the limits of each parameter ({bounded})"
    return BadInput(f"{game.id}: {taken} cannot be taken together. What must hold: {said}")


def _all(file: TomlFile | None) -> list[str]:
    """Return all games, or the one that an edition says it is of."""
    if file is None:
        return list(game_ids())
    file.needs(file.tables, ("game",), "key")
    return [file.convert(file.tables["game"], str, "game", "game")]


def _reachable(game: Game, edition: Edition | None) -> Mapping[str, tuple[Property, Reachable]]:
    """Return what is claimed to be reachable under an edition; nothing where there is none."""
    if not game.reachable or not (edition or has_edition(game)):
        return {}
    return claims(edition or load_edition(game))


def _names(games: Mapping[str, Game]) -> str:
    return " or ".join(game.id for game in games.values())
