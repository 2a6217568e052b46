"""The command ``playproof suite``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .faults import end_in_order_when_terminated, leave, told
from .options import Edition, FormatOption, HowResults, OneGame, Readings

__all__ = ["suite"]


def suite(
    game: OneGame,
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
    edition: Edition = None,
    reading: Readings = None,
    format_: FormatOption = HowResults.TEXT,
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
        if format_ is HowResults.JSON:
            write_json(result.json())
        else:
            show(result.text())
        leave(result.exit_code)
