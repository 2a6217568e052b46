"""JSON Schemas of the formats that builds and studios write or read.

Each is made from what reads or writes the format. With a game, what a step reveals and what is
shown is spelled out, field by field; without one they are any objects.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from ..errors import BadInput, unknown
from ..models.screen import START as AT_START
from ..models.setting import parameters_of
from ..models.shape import FieldShape
from ..models.system import Game
from .event import FINISH, FORMAT, RESUME, START, VERSION, Event
from .result import Result
from .script import Script

__all__ = ["FORMATS", "schema"]

Schema = dict[str, Any]

FORMATS = {
    "script": "a script: what is revealed in one Play, and what a build must show",
    "log": "one line of a log: an event of a Play",
    "state": "the state that a build shows, or is expected to show",
    "suite": "suite.json: the scripts of a suite, and what they cover",
    "drive": "one line between a driver and a build: a request or its answer",
    "findings": "what playproof judge found",
}
"""The formats there are, by name."""

_DIALECT = "https://json-schema.org/draft/2020-12/schema"


class Start(msgspec.Struct, tag_field="do", tag="start"):
    """Start a Play, whose outcome is fixed. The answer is its event start."""

    play: str
    game: str
    edition: dict[str, Any]
    readings: dict[str, str]
    outcome: dict[str, Any]


class Step(msgspec.Struct, tag_field="do", tag="step"):
    """Take a step of a Play, with this reveal. The answer is its event."""

    play: str
    step: int
    event: str
    reveal: dict[str, Any]
    choice: dict[str, Any]
    screen: dict[str, Any] | None = None


class Resume(msgspec.Struct, tag_field="do", tag="resume"):
    """Take a Play up again after a step. The answer is an event resume."""

    play: str
    step: int


class Refusal(msgspec.Struct):
    """The answer to what a build does not do."""

    error: str


_SAYS = {
    "game": "the id of the game",
    "edition": "the edition: its name, and its hash, the SHA-256 of its file",
    "readings": "how each unclear clause is read: the choice by the id of the reading",
    "play": "the Play Number; no two Plays share one",
    "step": "steps of a Play are counted from 1; its start is 0",
    "event": "start, resume, or the id of the rule whose step this is; finish is the last one",
    "reveal": "what is revealed at this step, by field",
    "choice": "what the player chose, by field",
    "shows": "the state that is shown after it, or any part of it; what is left out is unknown",
    "screen": "what the screen looks like at this step, or any part of it",
    "outcome": "what the Play was predetermined to win (pence), and each part that wins",
    "paid": "what was paid (pence)",
    "won": "what was shown as won (pence), by part",
    "error": "why",
    "rule": "the id of the rule",
    "start": "the state as the Play starts",
    "steps": "the steps in order",
    "target": "the prize that the script is for",
    "number": "scripts of one target are counted from 1",
    "seed": "what the script was made from, besides its target",
    "layout": "what its screens were made from; a script without screens has none",
    "prize": "what the Play wins (pence): in all, and each part that wins",
    "choices": "what the player chooses, which the script leaves out: as rule.field",
    "promises": "whether each promise of the game is kept",
    "covers": "what the script exercises, or the goals for which it is in a suite",
    "sha256": "the SHA-256 of the script's file",
    "size": "how large the suite was to be: small, normal, large, or so many scripts",
    "scripts": "the scripts, or how many of them reach a goal",
    "goals": "all that the scripts have to show, and what became of it",
    "id": "the id of the goal, which begins with its kind",
    "says": "the goal in words",
    "verdict": "whether scripts reach it, none can, or that is not decided",
    "by": "the first scripts that reach it",
    "proof": "the proof that no Play reaches it",
    "reason": "why it is not decided",
    "method": "how it was proved",
    "certificate": "the folder of the proof, for playproof recheck",
    "checked": "the solvers that checked it",
    "money": "the unit of all amounts",
    "name": "what it is called",
    "hash": "the SHA-256 of the edition's file",
    "text": "in words",
    "amount": "in pence",
    "breakdown": "what the amount has to be made of; null for anything",
    "row": "the row of the prize table; null for none",
    "parts": "what wins, by part",
    "rules": "each rule, and how often it is taken",
    "changes": "the fields that each rule changes",
    "read": "the files that were read",
    "found": "findings by what they come to",
    "findings": "the findings, up to the limit that was asked for",
    "seen": "what the log held",
    "interrupted": "whether reading ended early",
    "exit_code": "the exit code of the command",
    "errors": "findings that fail a build",
    "notes": "findings that are only worth knowing",
    "undecided": "what was left undecided",
    "left_out": "findings beyond the limit, which are counted and not listed",
    "codes": "how many findings there are of each kind",
    "plays": "Plays that were started",
    "finished": "Plays that came to their end",
    "not_judged": "Plays that were not judged to their end",
    "with_unknowns": "Plays of which something was not shown",
    "promises_unknown": "Plays of which it is not known whether they keep the promises",
    "events": "events after the start",
    "resumed": "events resume",
    "pairs": "how often one rule came right after another",
    "rows": "how often each row of the prize table was won",
    "amounts": "how often each amount (pence) was won",
    "first": "the first rule",
    "then": "the rule right after it",
    "times": "how often",
    "code": "the kind of finding",
    "message": "what is wrong, in words",
    "where": "the file and line; line 0 is the file as a whole",
    "file": "the file, - for standard input",
    "line": "the line, counted from 1",
    "field": "the field that is wrong",
    "shown": "what is shown there",
    "expected": "what the rules give",
    "clauses": "the clauses that are broken",
    "properties": "the properties that are broken",
    "nearest": "what would make it right, in words",
    "fault": "the class of fault that this looks like",
    "severity": "error, or note for what is only worth knowing",
    "do": "what to do",
    "format": "the name of the format",
    "version": "the version of the format; it changes where an older reader could go wrong",
}
"""What each key of any format means."""


def schema(name: str, game: Game | None = None) -> Schema:
    """Return the JSON Schema of a format, of a game or of all games.

    Raises BadInput for a format there is none of, and for a state without a game.
    """
    if name not in FORMATS:
        raise unknown("format", name, FORMATS)
    if name == "state" and game is None:
        raise BadInput("a state is of one game: playproof schema state GAME")
    made = _MAKERS[name](game)
    title = f"{FORMATS[name]}{f' of {game.id}' if game else ''}"
    return {"$schema": _DIALECT} | made | {"title": title}


def _script(game: Game | None) -> Schema:
    made = _of([Script])
    if game:
        move = made["$defs"]["Move"]
        move["properties"]["rule"]["enum"] = [rule.id for rule in game.rules]
        move["properties"]["shows"] = made["properties"]["start"] = _fields(game, game.state)
        made["properties"] |= _screen(game, AT_START, whole=True)
        for rule in game.rules:
            reveal = {"reveal": _reveal(game, rule.id, chosen=False)}
            screen = _screen(game, rule.id, whole=True)
            move.setdefault("allOf", []).append(_when({"rule": rule.id}, reveal | screen))
    return made


def _log(game: Game | None) -> Schema:
    return _event(game)


def _state(game: Game | None) -> Schema:
    assert game is not None
    return _fields(game, game.state)


def _suite(_: Game | None) -> Schema:
    from .suite import Suite  # takes solvers

    return _of([Suite])


def _drive(game: Game | None) -> Schema:
    made = _of([Start, Step, Resume, Refusal])
    if game:
        step = made["$defs"]["Step"]
        step["properties"]["event"]["enum"] = [rule.id for rule in game.rules]
        step["allOf"] = [_revealing(game, rule.id) for rule in game.rules]
    made["$defs"]["Event"] = _event(game) | {"not": {"required": ["do"]}}
    requests = [{"$ref": f"#/$defs/{name}"} for name in ("Start", "Step", "Resume")]
    answers = [{"$ref": f"#/$defs/{name}"} for name in ("Event", "Refusal")]
    made["$defs"]["request"] = {"title": "a request", "oneOf": requests}
    made["$defs"]["answer"] = {"title": "the answer to a request", "oneOf": answers}
    made["oneOf"] = [{"$ref": "#/$defs/request"}, {"$ref": "#/$defs/answer"}]
    return made


def _findings(_: Game | None) -> Schema:
    return _of([Result])


_MAKERS: Mapping[str, Callable[[Game | None], Schema]] = {
    "script": _script,
    "log": _log,
    "state": _state,
    "suite": _suite,
    "drive": _drive,
    "findings": _findings,
}


def _event(game: Game | None) -> Schema:
    """Return the schema of an event: what each kind of it has to have."""
    made = _of([Event])
    properties = made["properties"]
    properties["format"] |= {"const": FORMAT}
    properties["version"] |= {"const": VERSION}
    properties["paid"] |= {"type": "integer", "minimum": 0}
    properties["step"] |= {"minimum": 0}
    for name in ("format", "version"):
        properties[name].pop("anyOf", None)
    made["allOf"] = [
        _when(
            {"event": START}, {"step": {"const": 0}}, ["format", "version", "game", "outcome"]
        ),
        _when({"event": RESUME}, {}, ["shows"]),
        _when({"event": FINISH}, {}, ["paid"]),
    ]
    if game:
        properties["game"] = {"const": game.id, "description": _SAYS["game"]}
        properties["event"]["enum"] = [START, RESUME, *(rule.id for rule in game.rules)]
        properties["shows"] = _fields(game, game.state, partly=True)
        made["allOf"].append(_when({"event": START}, _screen(game, AT_START)))
        made["allOf"] += [_revealing(game, rule.id) for rule in game.rules]
    return made


def _revealing(game: Game, rule: str) -> Schema:
    """Return what holds of a step of a rule: what it reveals, and what the player chooses."""
    parts = {
        "reveal": _reveal(game, rule, chosen=False),
        "choice": _reveal(game, rule, chosen=True),
    }
    return _when({"event": rule}, parts | _screen(game, rule))


def _screen(game: Game, rule: str, *, whole: bool = False) -> Schema:
    view = game.view(rule)
    return {"screen": _fields(game, view.screen, partly=not whole)} if view else {}


def _reveal(game: Game, rule: str, *, chosen: bool) -> Schema:
    return _fields(game, game.rule(rule).reveal, lambda shape: shape.choice is chosen)


def _when(given: Mapping[str, str], then: Schema, required: Iterable[str] = ()) -> Schema:
    condition = {name: {"const": value} for name, value in given.items()}
    return {
        "if": {"properties": condition, "required": list(condition)},
        "then": {"properties": then, "required": list(required)},
    }


def _of(types: list[type]) -> Schema:
    """Return the schema of what msgspec reads or writes, with what every key means."""
    _, parts = msgspec.json.schema_components(types, ref_template="#/$defs/{name}")
    defs = {name: _described(part) for name, part in sorted(parts.items())}
    if len(types) > 1:
        return {"$defs": defs}
    top = defs.pop(types[0].__name__)
    return top | ({"$defs": defs} if defs else {})


def _described(part: Schema) -> Schema:
    for name, value in part.get("properties", {}).items():
        if "$ref" in value:
            part["properties"][name] = {"allOf": [value], "description": _SAYS.get(name, "")}
        else:
            value["description"] = _SAYS.get(name, "")
            value.pop("default", None)
    return part


def _fields(
    game: Game,
    kind: type,
    wanted: Callable[[FieldShape], bool] = lambda shape: True,
    *,
    partly: bool = False,
) -> Schema:
    """Return the schema of what is declared with counts and flags: all of it, or any part."""
    shapes = {f.name: f.metadata["shape"] for f in dataclasses.fields(kind)}
    properties = {
        n: _field(game, shape, partly) for n, shape in shapes.items() if wanted(shape)
    }
    made: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return made if partly else made | {"required": list(properties)}


def _as_many(game: Game, axis: str) -> bool:
    """Return whether there are as many of an index set whatever an edition's parameters are."""
    shapes = parameters_of(game.setting).items()
    least = {name: shape.low for name, shape in shapes if not shape.over}
    other = dataclasses.replace(game.setting, **least)
    return bool(getattr(other, axis) == getattr(game.setting, axis))


def _field(game: Game, shape: FieldShape, partly: bool, depth: int = 0) -> Schema:
    unit = f" ({shape.unit})" if shape.unit else ""
    if depth < len(shape.over):
        labels = getattr(game.setting, shape.over[depth])
        part = _field(game, shape, partly, depth + 1)
        part.pop("description", None)
        made: Schema = {
            "type": "object",
            "properties": dict.fromkeys(labels, part),
            "additionalProperties": False,
        }
        if not partly and _as_many(game, shape.over[depth]):
            made["required"] = list(labels)
    elif shape.sort == "Bool":
        made = {"type": "boolean"}
    else:
        made = {"type": "integer"}
        for key, limit in (("minimum", shape.low), ("maximum", shape.high)):
            if limit is not None:
                made[key] = getattr(game.setting, limit) if isinstance(limit, str) else limit
    return made | {"description": f"{shape.meaning}{unit}"}
