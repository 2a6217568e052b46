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
from .request import game_of
from .verdict_schema import verdicts_schema

__all__ = ["example_text", "schema_text"]

_VERDICTS = "verdicts"
_BY_LINE = ("log", "drive")


def schema_text(name: str, reference: str | None, edition: Path | None) -> str:
    """Return the JSON Schema of a format; BadInput for what there is not."""
    if name == _VERDICTS:
        return json_out.text(verdicts_schema())
    if name not in FORMATS:
        raise unknown("format", name, (*FORMATS, _VERDICTS))
    if reference is None:
        return json_out.text(schema(name))
    game = game_of(reference)
    if edition is not None or has_edition(game):
        game = load_edition(game, edition).game
    return json_out.text(schema(name, game))


def example_text(name: str, reference: str | None, edition: Path | None) -> str:
    """Return an example of a format, of a game or else of the first there is."""
    if name == _VERDICTS:
        raise BadInput(
            "an example of verdicts is what playproof prove GAME --format json prints"
        )
    if name not in FORMATS:
        raise unknown("format", name, (*FORMATS, _VERDICTS))
    loaded = load_edition(game_of(reference or game_ids()[0]), edition)
    made = example(name, loaded, losing_script(loaded))
    if name in _BY_LINE:
        return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in made)
    return json_out.text(made[0])
