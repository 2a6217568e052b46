"""Editions: concrete values for all that a game leaves open, each with its source.

An edition is a TOML file::

    game = "colour-collector"
    name = "default"
    about = "..."
    [parameters.row_boxes]
    value = [6, 7, 8, 9, 10, 11, 12]
    source = "assumed"
    [prizes]
    source = "Procedures"
    rows = [ { amount = 1500, parts = [500], prize_game = 1000, odds = 163 } ]

Money is in pence. ``[prizes]`` may be absent.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from ..errors import BadInput
from .setting import Setting, figures_of, parameters_of, read, readings_of, settle
from .shape import FieldShape
from .system import Game
from .tomlfile import TomlFile, read_toml

__all__ = ["Edition", "PrizeRow", "default_readings", "has_edition", "load_edition"]

_FOLDER = Path(__file__).parent / "editions"


@dataclass(frozen=True)
class PrizeRow:
    """One row of a prize table (pence): rows or ladders won, and the Prize Game's part.

    ``odds`` is x in "1 in x"; ``number`` counts from 1 in table order.
    """

    number: int
    amount: int
    parts: tuple[int, ...]
    prize_game: int
    odds: int


@dataclass(frozen=True)
class Edition:
    """A game with every parameter known.

    ``figures`` are the index sets that the edition sizes; ``game`` has them already. ``hash``
    is the SHA-256 of the file.
    """

    game: Game
    figures: Mapping[str, tuple[str, ...]]
    name: str
    about: str
    path: Path
    hash: str
    parameters: Mapping[str, Any]
    sources: Mapping[str, str]
    prizes: tuple[PrizeRow, ...]

    @cached_property
    def settled(self) -> Any:
        """The game's setting, with the first choice of every reading."""
        setting = self.game.setting
        return settle(setting, self.parameters, default_readings(setting))[0]


class _Value(msgspec.Struct, forbid_unknown_fields=True):
    value: Any
    source: str


class _Row(msgspec.Struct, forbid_unknown_fields=True):
    amount: int
    odds: int
    parts: list[int] = msgspec.field(default_factory=list)
    prize_game: int = 0


class _Prizes(msgspec.Struct, forbid_unknown_fields=True):
    source: str
    rows: list[dict[str, Any]]


def default_readings(
    setting: Setting, taken: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Return a choice of every reading: the first that goes with those taken already.

    Where none goes with them it is the first choice all the same, and the setting's constraint
    says so. Raises KeyError and ValueError for a taken reading or choice that does not exist.
    """
    chosen = dict(taken or {})
    settled = settle(setting, None, chosen)[0]
    for name, ways in readings_of(setting).items():
        if name not in chosen:
            ways_on = [read(settled, name, choice) for choice in ways.choices]
            fits = (one for one in ways_on if one.constraint() is not False)
            settled = next(fits, ways_on[0])
            chosen[name] = getattr(settled, name.replace("-", "_")).name
    return {name: chosen[name] for name in readings_of(setting)} | chosen


def load_edition(game: Game, source: TomlFile | Path | str | None = None) -> Edition:
    """Load an edition of a game, the default one unless a file is given, by path or as read.

    Raises BadInput, which names file, line and key, for whatever is missing, unknown, of the
    wrong type or length, out of range, or does not sum.
    """
    if not isinstance(source, TomlFile):
        source = read_toml(_default(game) if source is None else Path(source))
    file = source
    top = file.tables
    file.only(top, ("game", "name", "about", "parameters", "prizes"), "key")
    file.needs(top, ("game", "name", "parameters"), "key")
    if top["game"] != game.id:
        raise file.error(f"this edition is of {top['game']!r}, not of {game.id!r}", "game")
    values, sources = _parameters(file, game.setting)
    figures = _index_sets(file, game.setting, values)
    sized = game.copy(**figures)
    parameters = {
        name: _fitted(file, name, shape, values[name], sized.setting)
        for name, shape in parameters_of(sized.setting).items()
    }
    _agree(file, sized.setting, parameters)
    prizes = _prizes(file, sources) if "prizes" in top else ()
    return Edition(
        sized,
        figures,
        file.convert(top["name"], str, "name", "name"),
        file.convert(top.get("about", ""), str, "about", "about"),
        file.path,
        file.hash,
        parameters,
        sources,
        prizes,
    )


def has_edition(game: Game) -> bool:
    """Return whether a game comes with a default edition."""
    return (_FOLDER / f"{game.id}.toml").is_file()


def _default(game: Game) -> Path:
    if not has_edition(game):
        raise BadInput(f"{game.id} has no default edition: give one with --edition FILE")
    return _FOLDER / f"{game.id}.toml"


def _parameters(file: TomlFile, setting: Setting) -> tuple[dict[str, Any], dict[str, str]]:
    """Return what the file gives for each parameter, as lists, and its source."""
    shapes = parameters_of(setting)
    table = file.convert(
        file.tables["parameters"], dict[str, dict[str, Any]], "parameters", "parameters"
    )
    file.only(table, shapes, "parameter", "parameters")
    file.needs(table, shapes, "parameter", "parameters")
    values, sources = {}, {}
    for name, shape in shapes.items():
        keys = ("parameters", name)
        given = file.convert(table[name], _Value, f"parameters.{name}", *keys)
        if not given.source.strip():
            raise file.error(f"parameters.{name}.source: say where the value is from", *keys)
        nested: Any = int
        for _ in shape.over:
            nested = list[nested]
        place = f"parameters.{name}.value"
        values[name] = file.convert(given.value, nested, place, *keys, "value")
        sources[name] = given.source
    return values, sources


def _index_sets(
    file: TomlFile, setting: Setting, values: Mapping[str, Any]
) -> dict[str, tuple[str, ...]]:
    """Return the index sets whose size the edition chooses, by the values it lists."""
    open_ = {name for name, shape in figures_of(setting).items() if shape.open}
    chosen: dict[str, tuple[str, ...]] = {}
    for name, shape in parameters_of(setting).items():
        for depth, axis in enumerate(shape.over):
            if axis not in open_ or axis in chosen:
                continue
            size = _length(values[name], depth)
            if size == 0:
                place = f"parameters.{name}.value"
                raise file.error(f"{place}: at least one is needed", "parameters", name)
            if size != len(getattr(setting, axis)):
                chosen[axis] = tuple(str(number) for number in range(1, size + 1))
    return chosen


def _length(value: Any, depth: int) -> int:
    for _ in range(depth):
        value = value[0] if value else ()
    return len(value)


def _fitted(
    file: TomlFile, name: str, shape: FieldShape, value: Any, setting: Setting
) -> int | tuple[Any, ...]:
    """Return a parameter's value as tuples; BadInput if a length or a number does not fit."""

    def bound(limit: int | str | None) -> Any:
        return getattr(setting, limit) if isinstance(limit, str) else limit

    low, high = bound(shape.low), bound(shape.high)
    keys = ("parameters", name, "value")

    def fit(part: Any, axes: tuple[str, ...], place: str) -> Any:
        if axes:
            labels = getattr(setting, axes[0])
            if len(part) != len(labels):
                raise file.error(
                    f"{place}: {len(labels)} values were expected ({axes[0]}), not {len(part)}",
                    *keys,
                )
            return tuple(fit(one, axes[1:], f"{place}[{i}]") for i, one in enumerate(part))
        if (low is not None and part < low) or (high is not None and part > high):
            unit = f" {shape.unit}" if shape.unit else ""
            raise file.error(f"{place}: {part} is not {_range(low, high)}{unit}", *keys)
        return part

    fitted: int | tuple[Any, ...] = fit(value, shape.over, f"parameters.{name}.value")
    return fitted


def _range(low: int | None, high: int | None) -> str:
    if high is None:
        return f"at least {low}"
    return f"at most {high}" if low is None else f"between {low} and {high}"


def _agree(file: TomlFile, setting: Setting, parameters: Mapping[str, Any]) -> None:
    """Check what binds parameters together (under the default readings)."""
    _, _, fits = settle(setting, parameters, default_readings(setting))
    if fits is not True:
        rule = " ".join((type(setting).constraint.__doc__ or "").split())
        clash = _clashing(setting, parameters)
        which = ", ".join(clash) or "the parameters"
        raise file.error(
            f"{which}: values do not fit together: {rule}", "parameters", *clash[:1]
        )


def _clashing(setting: Setting, parameters: Mapping[str, Any]) -> list[str]:
    """Return the parameters of which any alone, given other values, might make all fit."""

    def may_fit(name: str) -> bool:
        others = {other: value for other, value in parameters.items() if other != name}
        return settle(setting, others, default_readings(setting))[2] is not False

    return [name for name in parameters if may_fit(name)]


def _prizes(file: TomlFile, sources: dict[str, str]) -> tuple[PrizeRow, ...]:
    given = file.convert(file.tables["prizes"], _Prizes, "prizes", "prizes")
    sources["prizes"] = given.source
    lines = _row_lines(file)
    rows: list[PrizeRow] = []
    seen: dict[tuple[object, ...], int] = {}
    for number, raw in enumerate(given.rows, start=1):
        line = lines[number - 1] if len(lines) == len(given.rows) else None
        place = f"prizes row {number:02}"
        row = file.convert(raw, _Row, place, at=line)
        if (
            row.odds < 1
            or row.amount < 1
            or row.prize_game < 0
            or min(row.parts, default=1) < 1
        ):
            raise file.error(f"{place}: amounts (pence) and odds must be positive", at=line)
        if (summed := sum(row.parts) + row.prize_game) != row.amount:
            message = (
                f"{place} does not sum: parts and prize_game are {summed} pence, "
                f"amount is {row.amount} pence"
            )
            raise file.error(message, at=line)
        key = (*sorted(row.parts), "Prize Game", row.prize_game)
        if key in seen:
            raise file.error(f"{place} repeats row {seen[key]:02}", at=line)
        seen[key] = number
        rows.append(PrizeRow(number, row.amount, tuple(row.parts), row.prize_game, row.odds))
    return tuple(rows)


def _row_lines(file: TomlFile) -> tuple[int, ...]:
    """Return the line on which each prize row gives its amount."""
    start = file.line("prizes") or 1
    lines = enumerate(file.text.splitlines()[start - 1 :], start=start)
    return tuple(
        number
        for number, line in lines
        for _ in re.finditer(r"\bamount\s*=", line.partition("#")[0])
    )
