"""The command line: ``playproof games``, ``prove``, ``script``, ``explain``.

Whatever is heavy (solvers, games) is imported inside the commands, so that ``--help`` is quick.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from .faults import told

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["main"]

WIDTH = 100  # columns where nobody says how wide the output is: a pipe, a file

app = typer.Typer(
    help="Prove the rules of instant-win games, and make the scripts that test their builds.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def main() -> None:
    """Run the command line."""
    with told():
        app()


@app.callback()
def version_option(
    version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False,
) -> None:
    """Prove the rules of instant-win games, and make the scripts that test their builds."""


@app.command()
def games() -> None:
    """Show the games there are and how much there is of each."""
    with told():
        from ..models.games import game_ids, load_game
        from . import tables
        from .overview import overview

        _console().print(tables.games(overview(load_game(id_)) for id_ in game_ids()))


def _console(*, stderr: bool = False) -> Console:
    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    known = stream.isatty() or "COLUMNS" in os.environ
    return Console(stderr=stderr, width=None if known else WIDTH, highlight=False)


if __name__ == "__main__":
    main()
