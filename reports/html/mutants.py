"""The mutants that go with a report, as ``playproof mutate --out`` wrote them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from ...errors import BadInput
from ...models.editions import Edition
from .stored import Moment, PlayData

__all__ = ["Line", "Mutant", "Mutants", "read_mutants"]

_FILE = "mutants.json"
_FORMAT = ("playproof-mutants", 1)


class Line(msgspec.Struct, frozen=True):
    """How many mutants there are of something, and what became of them."""

    mutants: int
    killed: int
    equal: int
    undecided: int


class Mutant(msgspec.Struct, frozen=True):
    """A changed rule; ``play`` and ``step`` are where it shows, ``refuted`` what it breaks."""

    id: str
    rule: str
    says: str
    outcome: str
    play: int = -1
    step: int = 0
    refuted: list[str] = []


class _Edition(msgspec.Struct, frozen=True):
    name: str
    hash: str


class _Step(msgspec.Struct, frozen=True):
    rule: str
    reveal: dict[str, Any]


class _Stored(msgspec.Struct, frozen=True):
    format: str
    version: int
    game: str
    edition: _Edition
    readings: dict[str, str]
    total: Line
    clauses: dict[str, Line]
    mutants: list[Mutant]
    plays: dict[str, list[_Step]]


@dataclass(frozen=True)
class Mutants:
    """The mutants of one game, and the Plays that tell them apart, by number."""

    total: Line
    clauses: Mapping[str, Line]
    mutants: tuple[Mutant, ...]
    plays: Mapping[int, PlayData]

    def breaking(self, property_: str) -> tuple[Mutant, ...]:
        """Return the mutants that are seen to break a property."""
        return tuple(one for one in self.mutants if property_ in one.refuted)


def read_mutants(path: Path, edition: Edition) -> Mutants:
    """Return the mutants of an edition's game in a file, in a folder, or in a folder of it.

    Raises BadInput where there are none, or they are of another format, game or edition.
    """
    game = edition.game.id
    places = [path, path / _FILE, path / game / _FILE]
    file = next((one for one in places if one.is_file()), None)
    if file is None:
        raise BadInput(
            f"{path}: holds no {_FILE} of {game}: playproof mutate {game} --out DIR makes it"
        )
    try:
        stored = msgspec.json.decode(file.read_bytes(), type=_Stored)
    except (msgspec.DecodeError, OSError) as error:
        raise BadInput(
            f"{file}: is not what 'playproof mutate --out' writes: {error}"
        ) from None
    found = {
        "format": ((stored.format, stored.version), _FORMAT),
        "game": (stored.game, game),
        "edition": (stored.edition.hash, edition.hash),
    }
    for what, (given, wanted) in found.items():
        if given != wanted:
            raise BadInput(f"{file}: its {what} is {given!r}, where {wanted!r} was expected")
    parameters = {name: _listed(value) for name, value in edition.parameters.items()}
    plays = {
        int(number): PlayData(
            parameters,
            stored.readings,
            [Moment(one.rule, dict(_flat(one.reveal))) for one in steps],
        )
        for number, steps in stored.plays.items()
    }
    for one in stored.mutants:
        if one.outcome == "killed" and one.play not in plays:
            raise BadInput(f"{file}: {one.id}: there is no Play {one.play}, which shows it")
    return Mutants(stored.total, stored.clauses, tuple(stored.mutants), plays)


def _flat(nested: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in nested.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{above}{name}.")
        else:
            yield f"{above}{name}", value


def _listed(value: Any) -> Any:
    return [_listed(part) for part in value] if isinstance(value, tuple) else value
