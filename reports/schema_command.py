"""The command ``playproof schema``."""

from __future__ import annotations

from typing import Annotated

import typer

from .faults import told
from .options import Edition

__all__ = ["schema"]


def schema(
    name: Annotated[
        str,
        typer.Argument(
            help="A format: script, log, state, suite, drive, findings, drive-findings, gate, "
            "verdicts, mutants."
        ),
    ],
    game: Annotated[
        str | None,
        typer.Argument(help="A game by id (or module:ATTRIBUTE), to spell out its fields."),
    ] = None,
    edition: Edition = None,
    example: Annotated[
        bool, typer.Option("--example", help="Print a worked example instead.")
    ] = False,
) -> None:
    """Print the JSON Schema of a format, or an example of it."""
    with told():
        from .schemas import example_text, schema_text
        from .show import write_json

        write_json((example_text if example else schema_text)(name, game, edition))
