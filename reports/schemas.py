"""What ``playproof schema`` prints: the schema of a format, or an example of it."""

from __future__ import annotations

import json
from pathlib import Path

from ..errors import BadInput, unknown
from ..models.editions import has_edition, load_edition
from ..models.games import game_ids
from ..oracles.examples import example, losing_script
from ..oracles.schema import FORMATS, schema
from . import json_out
from .mutants_file import mutants_schema
from .request import game_of
from .verdict_schema import verdicts_schema

__all__ = ["example_text", "schema_text"]

_VERDICTS = "verdicts"
_MADE = {_VERDICTS: verdicts_schema, "mutants": mutants_schema}
_BY_LINE = ("log", "drive")


def schema_text(name: str, reference: str | None, edition: Path | None) -> str:
    """Return the JSON Schema of a format; BadInput for what there is not."""
    if name in _MADE:
        return json_out.text(_MADE[name]())
    if name not in FORMATS:
        raise unknown("format", name, (*FORMATS, *_MADE))
    if reference is None:
        return json_out.text(schema(name))
    game = game_of(reference)
    if edition is not None or has_edition(game):
        game = load_edition(game, edition).game
    return json_out.text(schema(name, game))


def example_text(name: str, reference: str | None, edition: Path | None) -> str:
    """Return an example of a format, of a game or else of the first there is."""
    if name in _MADE:
        command = "prove" if name == _VERDICTS else "mutate"
        raise BadInput(
            f"an example of {name} is what playproof {command} GAME --format json prints"
        )
    if name not in FORMATS:
        raise unknown("format", name, (*FORMATS, *_MADE))
    loaded = load_edition(game_of(reference or game_ids()[0]), edition)
    made = example(name, loaded, losing_script(loaded))
    if name in _BY_LINE:
        return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in made)
    return json_out.text(made[0])
