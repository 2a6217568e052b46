"""The command ``playproof print-run``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .faults import end_in_order_when_terminated, told
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

__all__ = ["print_run"]


def print_run(
    game: OneGame,
    plays: Annotated[int, typer.Option(min=1, metavar="N", help="How many Plays.")],
    out: Annotated[Path, typer.Option(metavar="FILE.parquet", help="Write the Plays here.")],
    seed: Annotated[int, typer.Option(min=0, metavar="S", help="Other Plays, shuffled.")] = 0,
    table: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Take this prize table: a document as text, or CSV or TSV."
        ),
    ] = None,
    layouts: Annotated[
        bool, typer.Option("--layouts", help="Say what the screen looks like, too (slow).")
    ] = False,
    edition: Edition = None,
    reading: Readings = None,
    jobs: Jobs = CORES,
    scheduler: Scheduler = None,
    format_: FormatOption = HowResults.TEXT,
) -> None:
    """Make a whole print run: predetermined Plays, each with a script, winners as audited."""
    with told():
        from rich.console import Console

        from .print_run import make_run
        from .show import show, write_json

        end_in_order_when_terminated()
        result = make_run(
            game,
            out,
            plays=plays,
            seed=seed,
            table=table,
            layouts=layouts,
            edition=edition,
            readings=reading or [],
            jobs=jobs,
            scheduler=scheduler,
            console=Console(stderr=True),
        )
        if format_ is HowResults.JSON:
            write_json(result.json())
        else:
            show(result.text())
