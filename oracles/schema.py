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
from .keys import MEANINGS
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
    "drive-findings": "what playproof drive found",
    "gate": "gate.json: what playproof gate found",
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
    return {"$schema": _DIALECT, "$id": _id(name, made, game)} | made | {"title": title}


def _id(name: str, made: Schema, game: Game | None) -> str:
    """Return the name of a schema, with its version: what has none of its own has the log's."""
    said = made.get("properties", {}).get("version", {})
    version = said.get("const") or max(said.get("enum", [VERSION]))
    return f"urn:playproof:{name}:{version}{f':{game.id}' if game else ''}"


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


def _drive_findings(_: Game | None) -> Schema:
    from .run_results import DriveResult

    return _of([DriveResult])


def _gate(_: Game | None) -> Schema:
    from .run_results import DriveResult, GateResult

    made, parts = _of([GateResult]), _of([GateResult, DriveResult, Result])["$defs"]
    stage = parts["GateStage"]
    for name, kind in (("drive", "DriveResult"), ("logs", "Result")):
        result = {"result": {"$ref": f"#/$defs/{kind}"}}
        stage.setdefault("allOf", []).append(_when({"stage": name}, result))
    del parts["GateResult"]
    return made | {"$defs": parts}


_MAKERS: Mapping[str, Callable[[Game | None], Schema]] = {
    "script": _script,
    "log": _log,
    "state": _state,
    "suite": _suite,
    "drive": _drive,
    "findings": _findings,
    "drive-findings": _drive_findings,
    "gate": _gate,
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
        properties["game"] = {"const": game.id, "description": MEANINGS["game"]}
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
            part["properties"][name] = {"allOf": [value], "description": MEANINGS.get(name, "")}
        else:
            value["description"] = MEANINGS.get(name, "")
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
