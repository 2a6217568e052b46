"""The command ``playproof view``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .faults import told
from .options import Edition, Readings

__all__ = ["view"]


def view(
    file: Annotated[str, typer.Argument(metavar="SCRIPT|LOG", help="A script, or a log.")],
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FILE.html", help="Write the page here.")
    ] = Path("play.html"),
    play: Annotated[
        str | None,
        typer.Option(
            metavar="NUMBER",
            help="The Play of a log; if not said, the first with a finding, else the first.",
        ),
    ] = None,
    game: Annotated[
        str | None,
        typer.Option(
            metavar="GAME", help="The game, where the file does not name one that is known."
        ),
    ] = None,
    edition: Edition = None,
    reading: Readings = None,
    adapter: Annotated[
        str | None,
        typer.Option(
            metavar="MODULE:FUNCTION",
            help="Turn a log's records into events with this function.",
        ),
    ] = None,
) -> None:
    """Draw a Play step by step, as a page for a browser; a log's beside what was expected."""
    with told():
        from ..files import write_whole
        from .show import write
        from .view.film import places_of
        from .view.opening import film_of_file
        from .view.page import page
        from .words import some

        film = film_of_file(
            file,
            game=game,
            edition=edition,
            readings=reading or [],
            play=play,
            adapter=adapter,
        )
        write_whole(out, page(film))
        wrong = f", wrong at {places_of(film.frames)}" if film.wrong else ""
        write(f"{film.title}: {some(film.steps, 'step')}{wrong}; see {out}\n")
