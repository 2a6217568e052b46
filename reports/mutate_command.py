"""The command ``playproof mutate``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .faults import end_in_order_when_terminated, leave, told
from .options import (
    CORES,
    Edition,
    FormatOption,
    HowResults,
    Jobs,
    OneGame,
    Readings,
    Scheduler,
)

__all__ = ["mutate"]


def mutate(
    game: OneGame,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Write results and proofs here; go on from there."),
    ] = None,
    suite: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Say what this suite's scripts kill.")
    ] = None,
    mutants: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Add mutants of one's own (TOML).")
    ] = None,
    seed: Annotated[int, typer.Option(metavar="S", help="Other Plays to begin with.")] = 0,
    edition: Edition = None,
    reading: Readings = None,
    jobs: Jobs = CORES,
    scheduler: Scheduler = None,
    format_: FormatOption = HowResults.TEXT,
) -> None:
    """Change the rules in every small way: each change is told apart or proved to be none."""
    with told():
        from rich.console import Console

        from .mutating import mutate_all
        from .show import show, write_json

        end_in_order_when_terminated()
        result = mutate_all(
            game,
            edition=edition,
            readings=reading or [],
            own=mutants,
            suite=suite,
            out=out,
            seed=seed,
            jobs=jobs,
            console=Console(stderr=True),
            scheduler=scheduler,
        )
        if format_ is HowResults.JSON:
            write_json(result.json())
        else:
            show(result.text())
        leave(result.exit_code)
