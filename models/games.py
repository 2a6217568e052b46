"""The games there are, by id; each is imported only when it is asked for."""

from __future__ import annotations

import importlib
import traceback
from collections import Counter
from typing import Any

from ..errors import BadInput, unknown
from .system import Game, Kind

__all__ = ["game_ids", "load_attribute", "load_game"]

_GAMES = {
    "colour-collector": "playproof.models.colour_collector_properties:COLOUR_COLLECTOR",
    "diamond-riches": "playproof.models.diamond_riches_properties:DIAMOND_RICHES",
}


def game_ids() -> tuple[str, ...]:
    """Return the ids of the games that come with Playproof."""
    return tuple(_GAMES)


def load_game(reference: str) -> Game:
    """Return a game by its id, or any other by ``module:ATTRIBUTE``.

    Raises BadInput, which names the nearest ids, if there is no such game.
    """
    if ":" not in reference:
        if reference not in _GAMES:
            raise unknown("game", reference, game_ids())
        return load_game(_GAMES[reference])
    module, _, attribute = reference.partition(":")
    game = load_attribute(module, attribute)
    if not isinstance(game, Game):
        raise BadInput(f"game {reference!r}: a Game was expected, not {type(game).__name__}")
    _fits_together(reference, game)
    return game


def _fits_together(reference: str, game: Game) -> None:
    """Raise BadInput for an id that two parts share, and for a lemma that is none."""
    ids = {
        "rule": [one.id for one in game.rules],
        "property": [one.id for one in game.properties],
        "promise": [one.id for one in game.promises],
    }
    for kind, all_ in ids.items():
        times = Counter(all_)
        if twice := [id_ for id_, count in times.items() if count > 1]:
            raise BadInput(f"game {reference!r}: two are called {kind} {twice[0]!r}")
    kinds = {one.id: one.kind for one in game.properties}
    for claim in game.properties:
        for name in claim.using:
            if name not in kinds:
                raise BadInput(
                    f"game {reference!r}: {claim.id} uses {name!r}, which is none of its "
                    "properties"
                )
            if kinds[name] not in (Kind.INVARIANT, Kind.LEMMA):
                raise BadInput(
                    f"game {reference!r}: {claim.id} uses {name!r}, which does not speak of "
                    "states: an invariant or a lemma was expected"
                )


def load_attribute(module: str, attribute: str) -> Any:
    """Return what a module calls by a name.

    Raises BadInput, with the line that is to blame, if there is no such module or name, or the
    module cannot be loaded.
    """
    if not all(part.isidentifier() for part in module.split(".")):
        raise BadInput(f"{module!r} is not a module's name; write module:ATTRIBUTE")
    try:
        loaded = importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module}.".startswith(f"{error.name}."):
            raise _failed(module, error) from error
        raise BadInput(f"no module {module!r}: is its folder on PYTHONPATH?") from None
    except Exception as error:  # whatever a file of somebody's own may raise
        raise _failed(module, error) from error
    try:
        return getattr(loaded, attribute)
    except AttributeError:
        raise BadInput(f"module {module!r} has no {attribute!r}") from None


def _failed(module: str, error: Exception) -> BadInput:
    """Return the error for a module that cannot be loaded, with the line that is to blame."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    place, said = f"{last.filename}:{last.lineno}", f"{type(error).__name__}: {error}"
    if isinstance(error, SyntaxError):
        place, said = f"{error.filename}:{error.lineno}", f"SyntaxError: {error.msg}"
    elif isinstance(error, ModuleNotFoundError):
        place = module  # the last line is the importer's
    return BadInput(f"module {module!r} cannot be loaded: {place}: {said}")
