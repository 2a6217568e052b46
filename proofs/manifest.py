"""The verdicts that are expected: one TOML table for each property of a game.

    [single-prize]
    verdict = "proved"

    [one-bonus-per-game]
    verdict = "depends"
    fails-under = [ { two-pairs = "both" } ]

It is checked both ways: a property without an entry and an entry without a property are
errors. Claims that prizes can be reached have one entry together, under the id that stands for
them all (``row-NN-reachable``). Where readings are fixed, what is expected follows from it: a
reading that a failure depended on is settled then. ``vacuous = [ "…" ]`` lists conditions of a
claim, as ``prove`` shows them, that never come about: any other makes the run fail.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import unknown
from ..models.setting import allowed, readings_of
from ..models.system import Game, Kind, Property
from ..models.tomlfile import TomlFile, read_toml
from .verdict import Cube, Outcome, Verdict

__all__ = [
    "Expected",
    "claims_of",
    "expected_under",
    "load_manifest",
    "manifest_path",
    "surprise",
]


@dataclass(frozen=True)
class Expected:
    """The verdict a property should get, and the readings a failure should depend on.

    ``vacuous`` are conditions of it, as sanity shows them, that are known never to come about.
    """

    outcome: Outcome
    fails_under: tuple[Cube, ...] = ()
    vacuous: tuple[str, ...] = ()


def claims_of(game: Game) -> tuple[Property, ...]:
    """Return the properties that get a verdict of their own: all but the lemmas."""
    return tuple(claim for claim in game.properties if claim.kind is not Kind.LEMMA)


def manifest_path(game: Game) -> Path:
    """Return where the manifest of a game is, if it comes with Playproof."""
    return Path(__file__).parent / "manifests" / f"{game.id}.toml"


def load_manifest(game: Game, path: Path | None = None) -> Mapping[str, Expected]:
    """Return what is expected of every property of a game, by id.

    Without a path it is the manifest that comes with Playproof; a game that has none is
    expected to be proved throughout. Raises BadInput, with file and line, for an entry that is
    missing, not known or not well formed.
    """
    claims = [claim.id for claim in claims_of(game)] + [kind.id for kind in game.reachable]
    own = manifest_path(game)
    if path is None and not own.exists():
        return {name: Expected(Outcome.PROVED) for name in claims}
    file = read_toml(path or own)
    file.only(file.tables, claims, "property")
    file.needs(file.tables, claims, "property")
    return {name: _expected(game, file, name) for name in claims}


def expected_under(game: Game, expected: Expected, readings: Mapping[str, str]) -> Expected:
    """Return what is expected once some readings are fixed."""
    if not readings or expected.outcome is not Outcome.DEPENDS:
        return expected
    left = {
        cube
        for given in expected.fails_under
        if (cube := _specialised(game, given, readings)) is not None
    }
    least = tuple(sorted(c for c in left if not any(set(o) < set(c) for o in left)))
    if not least:
        return Expected(Outcome.PROVED)
    return Expected(Outcome.REFUTED) if least == ((),) else Expected(Outcome.DEPENDS, least)


def surprise(verdict: Verdict, expected: Expected) -> str:
    """Return in words how a verdict differs from what was expected; "" if it does not."""
    if verdict.outcome is not expected.outcome:
        return f"{verdict.outcome.value}, where {expected.outcome.value} was expected"
    if set(verdict.fails_under) != set(expected.fails_under):
        found, wanted = _listed(verdict.fails_under), _listed(expected.fails_under)
        return f"fails under {found}, where {wanted} was expected"
    return ""


def _expected(game: Game, file: TomlFile, name: str) -> Expected:
    table = file.convert(file.tables[name], dict[str, Any], name, name)
    file.only(table, ("verdict", "fails-under", "vacuous"), "key", name)
    file.needs(table, ("verdict",), "key", name)
    outcomes = {outcome.value: outcome for outcome in Outcome}
    if table["verdict"] not in outcomes:
        raise file.error(
            str(unknown("verdict", str(table["verdict"]), outcomes)), name, "verdict"
        )
    outcome = outcomes[table["verdict"]]
    raw = file.convert(
        table.get("fails-under", []), list[dict[str, str]], "fails-under", name, "fails-under"
    )
    if (outcome is Outcome.DEPENDS) != bool(raw):
        raise file.error("fails-under belongs to the verdict depends, and to no other", name)
    known = readings_of(game.setting)
    for cube in raw:
        for reading, choice in cube.items():
            if reading not in known:
                raise file.error(str(unknown("reading", reading, known)), name, "fails-under")
            choices = known[reading].choices
            if choice not in choices:
                wrong = unknown(f"choice of {reading}", choice, choices)
                raise file.error(str(wrong), name, "fails-under")
    vacuous = file.convert(table.get("vacuous", []), list[str], "vacuous", name, "vacuous")
    cubes = sorted(tuple(sorted(cube.items())) for cube in raw)
    return Expected(outcome, tuple(cubes), tuple(vacuous))


def _specialised(game: Game, cube: Cube, readings: Mapping[str, str]) -> Cube | None:
    """Return what is left of a cube once readings are fixed; None if nothing is."""
    taken = dict(cube)
    if any(taken.get(name, choice) != choice for name, choice in readings.items()):
        return None
    if not allowed(game.setting, {**readings, **taken}):
        return None
    left = {name: choice for name, choice in taken.items() if name not in readings}
    for name in list(left):
        rest = {**readings, **{n: c for n, c in left.items() if n != name}}
        others = set(readings_of(game.setting)[name].choices) - {left[name]}
        if not any(allowed(game.setting, {**rest, name: other}) for other in others):
            del left[name]
    return tuple(sorted(left.items()))


def _listed(cubes: Iterable[Cube]) -> str:
    shown = [" and ".join(f"{n} = {c}" for n, c in cube) for cube in sorted(cubes)]
    return "; ".join(shown) or "no reading"
