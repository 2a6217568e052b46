"""The mutants that go with a report, as ``playproof mutate --out`` wrote them."""

from __future__ import annotations

import gzip
import zlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from ...errors import BadInput
from ...models.editions import Edition
from ...oracles.mutants.table import Line
from ..mutants_file import FORMAT, MutantData, MutantsFile, StepData
from .stored import Moment, PlayData

__all__ = ["Line", "Mutants", "does", "read_mutants"]

_FILE = "mutants.json"
_UNREADABLE = (OSError, EOFError, zlib.error)
_VERSION = (FORMAT, 1)
_BEST = {"shows": 0, "accepts": 1, "refuses": 2}


class _Head(msgspec.Struct, frozen=True):
    format: str
    version: int


@dataclass(frozen=True)
class Mutants:
    """The mutants of one game, and the Plays that tell them apart, by number."""

    total: Line
    clauses: Mapping[str, Line]
    mutants: tuple[MutantData, ...]
    plays: Mapping[int, PlayData]

    def breaking(self, property_: str) -> tuple[MutantData, ...]:
        """Return the mutants seen to break a property, those easiest to show first."""
        found = [one for one in self.mutants if property_ in one.refuted]
        return tuple(sorted(found, key=lambda one: _BEST.get(one.how, len(_BEST))))


def does(one: MutantData) -> str:
    """Return what a mutant does otherwise than the rules, in the Play that tells it apart."""
    if one.how == "refuses":
        return f"it refuses step {one.step}, which may come"
    if one.how == "accepts" and one.accepts is not None:
        revealed = ", ".join(f"{n} {value}" for n, value in one.accepts.reveal.items() if value)
        given = f" with {revealed}" if revealed else ""
        taken = f"{one.accepts.rule}{given}"
        return f"in place of step {one.step} it takes {taken}, which may not come"
    return f"step {one.step} leads to something else"


def read_mutants(path: Path, edition: Edition) -> Mutants:
    """Return the mutants of an edition's game in a file, in a folder, or in a folder of it.

    The file may be packed with gzip, and is then named ``mutants.json.gz``.

    Raises BadInput where there are none, where they are of another format, game or edition,
    and where the file does not agree with itself.
    """
    game = edition.game.id
    names = (_FILE, f"{_FILE}.gz")
    places = [path, *(folder / name for folder in (path, path / game) for name in names)]
    file = next((one for one in places if one.is_file()), None)
    if file is None:
        raise BadInput(
            f"{path}: holds no {_FILE} of {game}: playproof mutate {game} --out DIR makes it"
        )
    try:
        data = file.read_bytes()
        if file.suffix == ".gz":
            data = gzip.decompress(data)
        head = msgspec.json.decode(data, type=_Head)
        _same(file, "format", (head.format, head.version), _VERSION)
        stored = msgspec.json.decode(data, type=MutantsFile)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, *_UNREADABLE) as error:
        raise BadInput(
            f"{file}: is not what 'playproof mutate --out' writes: {error}"
        ) from None
    _same(file, "game", stored.game, game)
    _same(file, "edition", stored.edition.hash, edition.hash)
    counted = Counter(one.outcome for one in stored.mutants)
    _same(file, "number of mutants", stored.total.mutants, len(stored.mutants))
    for outcome in ("killed", "equal", "undecided"):
        _same(file, f"number {outcome}", getattr(stored.total, outcome), counted[outcome])
    plays = {
        int(number): _play(edition, stored, steps) for number, steps in stored.plays.items()
    }
    for one in stored.mutants:
        if one.outcome == "killed" and one.play not in plays:
            raise BadInput(f"{file}: {one.id}: there is no Play {one.play}, which shows it")
    return Mutants(stored.total, stored.clauses, tuple(stored.mutants), plays)


def _same(file: Path, what: str, given: object, wanted: object) -> None:
    if given != wanted:
        raise BadInput(f"{file}: its {what} is {given!r}, where {wanted!r} was expected")


def _play(edition: Edition, stored: MutantsFile, steps: list[StepData]) -> PlayData:
    parameters = {name: _listed(value) for name, value in edition.parameters.items()}
    return PlayData(parameters, stored.readings, [Moment(s.rule, s.reveal) for s in steps])


def _listed(value: Any) -> Any:
    return [_listed(part) for part in value] if isinstance(value, tuple) else value
