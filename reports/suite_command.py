"""The command ``playproof suite``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import BadInput
from .faults import end_in_order_when_terminated, leave, told
from .options import CORES, Edition, FormatOption, HowResults, Jobs, OneGame, Readings

if TYPE_CHECKING:
    from .completing import Completed
    from .suiting import Result

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
    mutation_complete: Annotated[
        bool,
        typer.Option(
            "--mutation-complete",
            help="Instead, the fewest scripts found that kill every mutant of the rules.",
        ),
    ] = False,
    begin_with: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="With --mutation-complete: begin with this suite's scripts.",
        ),
    ] = None,
    edition: Edition = None,
    reading: Readings = None,
    jobs: Jobs = CORES,
    format_: FormatOption = HowResults.TEXT,
) -> None:
    """Make scripts that cover a game: every rule, boundary, reading and prize there is."""
    with told():
        from rich.console import Console

        from ..oracles.suite_making import size_of
        from .show import show, write_json
        from .suiting import make_suite

        end_in_order_when_terminated()
        console = Console(stderr=True)
        if mutation_complete:
            from .completing import complete_all

            result: Completed | Result = complete_all(
                game,
                out,
                edition=edition,
                readings=reading or [],
                suite=begin_with,
                seed=seed,
                jobs=jobs,
                console=console,
            )
        elif begin_with is not None:
            raise BadInput("--begin-with goes with --mutation-complete only")
        else:
            result = make_suite(
                game,
                out,
                size=size_of(size),
                seed=seed,
                edition=edition,
                readings=reading or [],
                jobs=jobs,
                console=console,
            )
        if format_ is HowResults.JSON:
            write_json(result.json())
        else:
            show(result.text())
        leave(result.exit_code)
