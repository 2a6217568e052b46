"""The command ``playproof suite``."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from .faults import end_in_order_when_terminated, leave, told

__all__ = ["suite"]


class Format(Enum):
    """How results are written to standard output."""

    TEXT = "text"
    JSON = "json"


def suite(
    game: Annotated[str, typer.Argument(help="A game by id (or module:ATTRIBUTE).")],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Write scripts and proofs here.")],
    size: Annotated[
        str,
        typer.Option(
            metavar="SIZE",
            help="small, normal or large: 1, 2 or 5 scripts a goal; or how many.",
        ),
    ] = "normal",
    seed: Annotated[
        int, typer.Option(metavar="S", help="Other scripts; the same seed, the same ones.")
    ] = 0,
    edition: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Take this edition, not the default.")
    ] = None,
    reading: Annotated[
        list[str] | None,
        typer.Option(metavar="ID=CHOICE", help="Take this reading, not the default."),
    ] = None,
    format_: Annotated[
        Format, typer.Option("--format", help="How the result is printed.")
    ] = Format.TEXT,
) -> None:
    """Make scripts that cover a game: every rule, boundary, reading and prize there is."""
    with told():
        from rich.console import Console

        from ..oracles.suite import size_of
        from .show import show, write_json
        from .suiting import make_suite

        end_in_order_when_terminated()
        result = make_suite(
            game,
            out,
            size=size_of(size),
            seed=seed,
            edition=edition,
            readings=reading or [],
            console=Console(stderr=True),
        )
        if format_ is Format.JSON:
            write_json(result.json())
        else:
            show(result.text())
        leave(result.exit_code)
