"""The command ``playproof report``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .faults import Exit, end_in_order_when_terminated, leave, told
from .options import CORES, Games, Jobs, as_folder

__all__ = ["report"]


def report(
    out: Annotated[
        Path, typer.Option(parser=as_folder, metavar="DIR", help="Write the reports here.")
    ],
    game: Games = None,
    from_: Annotated[
        Path | None,
        typer.Option(
            "--from",
            parser=as_folder,
            metavar="DIR",
            help="What prove --out wrote; else games are proved first, to DIR/proofs.",
        ),
    ] = None,
    scripts: Annotated[
        Path | None,
        typer.Option(
            parser=as_folder,
            metavar="DIR",
            help="Scripts or a suite, or a folder of such folders, to go with the report.",
        ),
    ] = None,
    mutants: Annotated[
        Path | None,
        typer.Option(parser=as_folder, metavar="DIR", help="What mutate --out wrote."),
    ] = None,
    edition: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Take this edition, not the default.")
    ] = None,
    pdf: Annotated[
        bool, typer.Option("--pdf", help="Write a PDF as well (pip install '.[pdf]').")
    ] = False,
    plays: Annotated[
        bool, typer.Option(help="Write a page for each Play, to step through it.")
    ] = True,
    jobs: Jobs = CORES,
) -> None:
    """Write the proof report of games: one HTML file each, to read, sign and repeat."""
    with told():
        from rich.text import Text

        from .html.writing import Asked, write_reports
        from .show import show

        end_in_order_when_terminated()
        results = from_ or _proved(game or [], edition, out / "proofs", jobs)
        asked = Asked(edition, scripts, mutants, pdf, plays)
        written = write_reports(game or [], results, out, asked, jobs)
        for one in written:
            show(Text("\n".join(one.lines())))
        codes = {one.exit_code for one in written}
        leave(next((c for c in (Exit.WRONG, Exit.OPEN) if c in codes), Exit.FINE))


def _proved(games: list[str], edition: Path | None, folder: Path, jobs: int) -> Path:
    """Prove games, under an edition's values where one is given, and return the folder."""
    from rich.console import Console

    from ..files import output_folder
    from .proving import prove_all
    from .request import choose

    requests = choose(games, [], [], edition)
    output_folder(folder)
    prove_all(requests, jobs, None, Console(stderr=True)).write(folder)
    return folder
