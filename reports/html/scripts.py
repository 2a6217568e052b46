"""The scripts that go with a report: read from a folder and checked by the rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from ...errors import BadInput
from ...models.editions import Edition
from ...oracles import script

__all__ = ["Listed", "Scripts", "read_scripts"]

_INDEX = "suite.json"


@dataclass(frozen=True)
class Listed:
    """A script: the name and hash of its file, its prize and its rules."""

    file: str
    sha256: str
    target: str
    row: int | None
    rules: frozenset[str]


@dataclass(frozen=True)
class Scripts:
    """The scripts of one game; ``goals`` says what a suite covers, if there is one."""

    listed: tuple[Listed, ...]
    goals: Mapping[str, int]

    def of_row(self, row: int) -> tuple[Listed, ...]:
        """Return the scripts made for a row of the prize table."""
        return tuple(one for one in self.listed if one.row == row)

    def of_prize(self, target: str) -> tuple[Listed, ...]:
        """Return the scripts made for a prize, as people write it."""
        return tuple(one for one in self.listed if one.target == target)

    def taking(self, rules: Sequence[str]) -> tuple[Listed, ...]:
        """Return the scripts in which any of these rules fires."""
        return tuple(one for one in self.listed if one.rules.intersection(rules))


def read_scripts(folder: Path, edition: Edition) -> Scripts:
    """Return the scripts of an edition's game in a folder, or in folders of it.

    Each is checked by the rules. Raises BadInput, which names the file, for one that is wrong,
    that is of another edition, and for a folder that holds none of the game.
    """
    if not folder.is_dir():
        raise BadInput(
            f"{folder}: a folder of scripts was expected, as 'script --out' writes it"
        )
    places = [folder, *sorted(one for one in folder.iterdir() if one.is_dir())]
    listed: list[Listed] = []
    goals: dict[str, int] = {}
    for place in places:
        if (place / _INDEX).is_file():
            from ...oracles import suite  # it makes suites too, and takes long to load

            loaded = suite.load(place).suite
            if loaded.game != edition.game.id:
                continue
            for goal in loaded.goals:
                goals[goal.verdict] = goals.get(goal.verdict, 0) + 1
        listed += _scripts(place, edition)
    if not listed:
        raise BadInput(f"{folder}: holds no script of {edition.game.id}")
    return Scripts(tuple(listed), goals)


def _scripts(place: Path, edition: Edition) -> Iterator[Listed]:
    for path in sorted(place.glob("*.json")):
        if path.name == _INDEX:
            continue
        try:
            data = path.read_bytes()
        except OSError as error:
            raise BadInput(f"{path}: cannot be read: {error.strerror}") from None
        made = script.decode(data, str(path))
        if made.game != edition.game.id:
            continue
        try:
            script.check(made, edition)
        except script.BrokenScript as error:
            raise BadInput(f"{path}: {error}; make it again") from None
        rules = frozenset(made.covers.rules)
        hash_ = sha256(data).hexdigest()
        yield Listed(path.name, hash_, made.target.text, made.target.row, rules)
