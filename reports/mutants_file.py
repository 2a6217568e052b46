"""``mutants.json``: what became of every mutant of a game, and its published schema."""

from __future__ import annotations

from typing import Any, Final, Literal

import msgspec

from ..oracles.mutants.table import Line

__all__ = [
    "FORMAT",
    "Holes",
    "Made",
    "MutantData",
    "MutantsFile",
    "StepData",
    "Times",
    "mutants_schema",
]

FORMAT: Final = "playproof-mutants"
_DIALECT = "https://json-schema.org/draft/2020-12/schema"


class StepData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A step of a Play: its rule, and what it reveals by name."""

    rule: str
    reveal: dict[str, bool | int]


class MutantData(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A mutant: what it changes (``also`` in other rules), in words, and what became of it.

    ``killed``: after ``step`` steps of ``play`` it shows something else, refuses the step, or
    accepts one that may not come; ``refuted`` are the properties seen to be broken, ``beyond``
    says that no script can tell it. ``equal``: ``proof`` is the folder of the certificate.
    ``undecided``: ``reason`` says why.
    """

    id: str
    rule: str
    operator: str
    clauses: list[str]
    says: str
    outcome: Literal["killed", "equal", "undecided"]
    also: list[str] = []
    how: Literal["", "shows", "refuses", "accepts"] = ""
    play: int = -1
    step: int = 0
    refuted: list[str] = []
    accepts: StepData | None = None
    beyond: bool = False
    proof: str = ""
    reason: str = ""


class Made(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The edition that the mutants are of."""

    name: str
    hash: str


class Holes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Properties that no mutant breaks; clauses on whose mutants no property breaks."""

    properties: list[str]
    clauses: list[str]


class Times(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The seconds that the run took."""

    seconds: float


class MutantsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All of it: tables by kind of change, by clause and by property, mutants, and Plays.

    ``score`` is the share of mutants told apart among those not equal, in percent; ``plays``
    are those that tell mutants apart, by number.
    """

    format: Literal["playproof-mutants"]
    version: Literal[1]
    game: str
    edition: Made
    readings: dict[str, str]
    checked: list[str]
    score: float
    total: Line
    operators: dict[str, Line]
    clauses: dict[str, Line]
    properties: dict[str, int]
    faults: dict[str, int]
    holes: Holes
    mutants: list[MutantData]
    plays: dict[str, list[StepData]]
    times: Times


def mutants_schema() -> dict[str, Any]:
    """Return the JSON Schema of what ``playproof mutate`` found."""
    _, parts = msgspec.json.schema_components([MutantsFile], ref_template="#/$defs/{name}")
    defs = {name: parts[name] for name in sorted(parts) if name != "MutantsFile"}
    title = "what playproof mutate found"
    return {"$schema": _DIALECT, **parts["MutantsFile"], "title": title, "$defs": defs}
