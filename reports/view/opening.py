"""What a file given to ``playproof view`` is, and the film of it: a script, or a log's Play."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from ...errors import BadInput
from ...models.editions import Edition, load_edition
from ...models.games import game_ids
from ...models.setting import readings_of
from ...models.system import Game
from ...oracles import script as scripts
from ...oracles.adapters import load_adapter
from ...oracles.finding import Finding, said
from ...oracles.log import read_log
from ...oracles.script import BrokenScript, Script
from ...oracles.sources import find_sources
from ..request import clash, game_of, readings_for
from .film import Film
from .picked import Events
from .played import film_of_script
from .recorded import film_of_log

__all__ = ["film_of_file"]

_HEAD = 1 << 16
_SCRIPT = re.compile(rb'\A(?:\xef\xbb\xbf)?\s*\{\s*"format"\s*:\s*"playproof-script"')
_SUITE = re.compile(rb'\A\s*\{\s*"format"\s*:\s*"playproof-suite')
_EARLY = 1000  # events of a log in which it has to say which game it is of


def film_of_file(
    path: str,
    *,
    game: str | None = None,
    edition: Path | None = None,
    readings: Sequence[str] = (),
    play: str | None = None,
    adapter: str | None = None,
) -> Film:
    """Return the film of a script, or of one Play of a log.

    ``game`` names a game of one's own, or that of a log which does not say. Raises BadInput for
    whatever cannot be read, is of another game or edition, or is not there.
    """
    head = _head(Path(path))
    if _SUITE.match(head):
        raise BadInput(f"{path}: the index of a suite; name one of the scripts beside it")
    if _SCRIPT.match(head):
        if play is not None or readings or adapter is not None:
            raise BadInput(f"{path} is a script: --play, --reading and --adapter are for logs")
        return _of_script(scripts.load(Path(path)), path, game, edition)
    return _of_log(path, game, edition, readings, play, adapter)


def _head(path: Path) -> bytes:
    if path.is_dir():
        raise BadInput(f"{path}: a folder; a script or a log was expected")
    if path.exists() and not path.is_file():
        raise BadInput(f"{path}: a file was expected, which can be read twice")
    try:
        with path.open("rb") as file:
            return file.read(_HEAD)
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror}") from None


def _of_script(script: Script, path: str, game: str | None, edition: Path | None) -> Film:
    known = _game(script.game, game, path)
    if known.id != script.game:
        raise BadInput(f"{path}: a script of {script.game!r}, not of {known.id!r}")
    loaded = load_edition(known, edition)
    if script.edition.hash != loaded.hash:
        raise BadInput(
            f"{path}: a script of edition {script.edition.name!r} "
            f"({script.edition.hash[:12]}…), not of {loaded.name!r} ({loaded.hash[:12]}…): "
            "give the one it was made with, --edition FILE"
        )
    ways = readings_of(loaded.game.setting)
    for name, choice in script.readings.items():
        if name not in ways or choice not in ways[name].choices:
            raise BadInput(f"{path}: {known.id} has no reading {name} = {said(choice)}")
    try:
        return film_of_script(script, loaded)
    except BrokenScript as error:
        raise BadInput(f"{path}: {error}") from None


def _of_log(
    path: str,
    game: str | None,
    edition: Path | None,
    readings: Sequence[str],
    play: str | None,
    adapter: str | None,
) -> Film:
    sources = find_sources([path])
    adapted: Any = None

    def log(tell: Callable[[Finding], None]) -> Events:
        return read_log(sources, tell, adapted)

    if game is None and adapter is not None:
        raise BadInput("--adapter takes --game as well: records of another form do not tell")
    known = _game(_said_game(log, path) if game is None else None, game, path)
    loaded: Edition = load_edition(known, edition)
    adapted = load_adapter(adapter, loaded) if adapter is not None else None
    taken = readings_for({known.id: known}, readings)[known.id]
    try:
        return film_of_log(log, loaded, taken, play)
    except ValueError:
        raise clash(loaded.game, taken) from None


def _said_game(log: Callable[[Callable[[Finding], None]], Events], path: str) -> str:
    """Return the game that a log says it is of, in one of its first events."""
    unread: list[Finding] = []

    def tell(finding: Finding) -> None:
        if not unread:
            unread.append(finding)

    for number, (event, _) in enumerate(log(tell)):
        if event.game is not None:
            return event.game
        if number > _EARLY:
            break
    if unread:
        line = unread[0]
        raise BadInput(f"{path}: neither a script nor a log: {line.where}: {line.message}")
    raise BadInput(f"{path}: does not say which game it is of; say so with --game GAME")


def _game(named: str | None, given: str | None, path: str) -> Game:
    """Return the game that was asked for, or else the one a file names.

    A file names games that come with Playproof, and never a module to be imported.
    """
    if given is not None:
        return game_of(given)
    if named not in game_ids():
        raise BadInput(
            f"{path}: of game {named!r}, which does not come with Playproof; a game of your "
            "own is named with --game module:ATTRIBUTE"
        )
    assert named is not None
    return game_of(named)
