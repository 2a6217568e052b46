"""The games there are, by id; each is imported only when it is asked for."""

from __future__ import annotations

import importlib
from typing import Any

from .errors import BadInput, unknown
from .system import Game

__all__ = ["game_ids", "load_game"]

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
    game = _attribute(module, attribute)
    if not isinstance(game, Game):
        raise BadInput(f"game {reference!r}: a Game was expected, not {type(game).__name__}")
    return game


def _attribute(module: str, attribute: str) -> Any:
    try:
        loaded = importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module}.".startswith(f"{error.name}."):
            raise
        raise BadInput(f"no module {module!r}: is its folder on PYTHONPATH?") from None
    except (ValueError, TypeError):
        raise BadInput(f"{module!r} is not a module's name; write module:ATTRIBUTE") from None
    try:
        return getattr(loaded, attribute)
    except AttributeError:
        raise BadInput(f"module {module!r} has no {attribute!r}") from None
