"""The command ``playproof audit``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .faults import leave, told
from .options import FormatOption, HowResults

__all__ = ["audit"]


def audit(
    what: Annotated[
        str,
        typer.Argument(
            metavar="FILE|GAME",
            help="A Game Procedures document as text, a table as CSV or TSV, or a game by id.",
        ),
    ],
    game: Annotated[
        str | None, typer.Option(metavar="GAME", help="Compare a file with this game.")
    ] = None,
    edition: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Take this edition of the game.")
    ] = None,
    table: Annotated[
        int | None, typer.Option(metavar="N", help="The N-th table of a document.")
    ] = None,
    price: Annotated[str | None, typer.Option(help="Price of a Play: £5.")] = None,
    odds: Annotated[str | None, typer.Option(help="Overall odds: 2.77.")] = None,
    payout: Annotated[str | None, typer.Option(help="Payout in percent: 73.50.")] = None,
    pool: Annotated[str | None, typer.Option(help="Plays in all: 6,500,000.")] = None,
    plays: Annotated[
        bool, typer.Option("--plays", help="Win each row by a Play of the game.")
    ] = False,
    timeout: Annotated[
        float | None, typer.Option(min=0.001, metavar="S", help="Seconds for each such row.")
    ] = None,
    counts: Annotated[
        bool, typer.Option("--counts", help="Show the winners of every row.")
    ] = False,
    format_: FormatOption = HowResults.TEXT,
) -> None:
    """Check a prize table: whether its rows and its headlines can all be right."""
    with told():
        from .auditing import Stated, audit_of
        from .show import show, write_json

        result = audit_of(
            what,
            game=game,
            edition=edition,
            table=table,
            stated=Stated(price, odds, payout, pool),
            plays=plays,
            seconds=timeout,
        )
        if format_ is HowResults.JSON:
            write_json(result.json())
        else:
            show(result.text(counts=counts))
        leave(result.exit_code)
