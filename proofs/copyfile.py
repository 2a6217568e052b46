"""Files of reduced copies: how each is made, and what enumerating it must give.

    game = "lucky-dip"
    [common]                                # what all copies of the file share
    figures = { draws = 2 }
    parameters = { jar = 3, amount = 200 }
    [copies.dropped]
    about = "coins beyond the jar are dropped"
    readings = { coin-surplus = "dropped" }  # others: the first choice that goes with these
    [copies.dropped.pinned]
    states = [1, 20, 30]

``figures``, ``parameters``, ``readings``, ``reveals``, ``most`` and ``times`` are tables, in
``common`` or in a copy, whose entries come first; ``copies`` says what they mean. ``depth`` is
for a copy whose points never come to an end.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from ..errors import BadInput, unknown
from ..models.editions import default_readings
from ..models.setting import figures_of, parameters_of, readings_of
from ..models.shape import shape_of
from ..models.system import Game
from ..models.tomlfile import TomlFile, read_toml
from .copies import Copy, matching, setting_of

__all__ = ["copies_path", "load_copies"]

T = TypeVar("T")

_TABLES = ("figures", "parameters", "readings", "reveals", "most", "times")


def copies_path(game: Game) -> Path:
    """Return where the copies of a game stand, if it comes with Playproof."""
    return Path(__file__).parent / "copies" / f"{game.id}.toml"


def load_copies(game: Game, path: Path | None = None) -> tuple[Copy, ...]:
    """Return the copies of a game: those that come with Playproof, unless a file is given.

    Raises BadInput, which names file, line and key, for whatever is missing, not known or not
    well formed, and for a game that comes with no copies.
    """
    if path is None and not copies_path(game).is_file():
        raise BadInput(f"{game.id} comes with no reduced copies: give some with --copy FILE")
    file = read_toml(path or copies_path(game))
    file.only(file.tables, ("game", "common", "copies"), "key")
    file.needs(file.tables, ("game", "copies"), "key")
    if file.tables["game"] != game.id:
        raise file.error(f"copies of {file.tables['game']!r}, not of {game.id!r}", "game")
    tables = file.convert(file.tables["copies"], dict[str, dict[str, Any]], "copies", "copies")
    if not tables:
        raise file.error("no copy is described", "copies")
    common = file.convert(
        file.tables.get("common", {}), dict[str, dict[str, Any]], "common", "common"
    )
    file.only(common, _TABLES, "key", "common")
    return tuple(_copy(game, file, name, table, common) for name, table in tables.items())


def _copy(
    game: Game,
    file: TomlFile,
    name: str,
    table: Mapping[str, Any],
    common: Mapping[str, Mapping[str, Any]],
) -> Copy:
    keys = ("copies", name)
    file.only(dict(table), (*_TABLES, "about", "depth", "pinned"), "key", *keys)
    file.needs(dict(table), ("about",), "key", *keys)
    tables: dict[str, dict[str, Any]] = {}
    for one in _TABLES:
        own = file.convert(table.get(one, {}), dict[str, Any], f"{name}.{one}", *keys, one)
        tables[one] = {**common.get(one, {}), **own}
    known: Mapping[str, Mapping[str, object]] = {
        "figures": figures_of(game.setting),
        "parameters": parameters_of(game.setting),
        "readings": readings_of(game.setting),
    }
    for one, names in known.items():
        _known(file, keys, one, tables[one], names)
    for reading, choice in tables["readings"].items():
        choices = readings_of(game.setting)[reading].choices
        if choice not in choices:
            raise file.error(str(unknown(f"choice of {reading}", str(choice), choices)), *keys)
    figures = {one: _tuples(value) for one, value in tables["figures"].items()}
    sized = game.copy(**figures)
    fields = _reveal_fields(sized)
    counters = [variable.name for variable in sized.state_shape().variables]
    for one, names_of in (
        ("reveals", fields),
        ("most", counters),
        ("times", [*fields, *(rule.id for rule in game.rules)]),
    ):
        for wanted in tables[one]:
            if not matching(names_of, wanted):
                raise file.error(str(unknown(f"name in {one!r}", wanted, names_of)), *keys)
    copy = Copy(
        name,
        file.convert(table["about"], str, f"{name}.about", *keys, "about"),
        figures,
        {one: _tuples(value) for one, value in tables["parameters"].items()},
        default_readings(sized.setting, tables["readings"]),
        reveals={
            one: tuple(file.convert(v, list[int | bool], f"{name}.reveals.{one}", *keys))
            for one, v in tables["reveals"].items()
        },
        most=file.convert(tables["most"], dict[str, int], f"{name}.most", *keys),
        times=file.convert(tables["times"], dict[str, int], f"{name}.times", *keys),
        depth=_optional(file, table, "depth", int, keys),
        pinned=_optional(file, table, "pinned", dict[str, Any], keys),
    )
    _agree(file, sized, copy, keys)
    return copy


def _optional(
    file: TomlFile, table: Mapping[str, Any], key: str, to: type[T], keys: tuple[str, ...]
) -> T | None:
    return (
        file.convert(table[key], to, f"{keys[-1]}.{key}", *keys, key) if key in table else None
    )


def _known(
    file: TomlFile,
    keys: tuple[str, ...],
    what: str,
    given: Mapping[str, Any],
    names: Mapping[str, object],
) -> None:
    for name in given:
        if name not in names:
            raise file.error(str(unknown(what.removesuffix("s"), name, names)), *keys)


def _agree(file: TomlFile, game: Game, copy: Copy, keys: tuple[str, ...]) -> None:
    """Check the lengths of parameters, and that values and readings go together."""
    try:
        for name, shape in parameters_of(game.setting).items():
            if name in copy.parameters:
                _fits(name, copy.parameters[name], shape.over, game)
        setting_of(game, copy)
    except BadInput as error:
        raise file.error(str(error), *keys) from None


def _fits(name: str, value: Any, over: tuple[str, ...], game: Game) -> None:
    if not over:
        if not isinstance(value, int) or isinstance(value, bool):
            raise BadInput(f"{name}: a whole number was expected, not {value!r}")
        return
    labels = getattr(game.setting, over[0])
    if not isinstance(value, tuple) or len(value) != len(labels):
        raise BadInput(f"{name}: {len(labels)} values were expected ({over[0]})")
    for part in value:
        _fits(name, part, over[1:], game)


def _reveal_fields(game: Game) -> list[str]:
    kinds = dict.fromkeys(rule.reveal for rule in game.rules)
    return [
        f"{kind.__name__.lower()}.{variable.name}"
        for kind in kinds
        for variable in shape_of(kind, game.setting).variables
    ]


def _tuples(value: Any) -> Any:
    return tuple(_tuples(part) for part in value) if isinstance(value, list) else value
