"""The command ``playproof drive``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .faults import end_in_order_when_terminated, leave, told
from .options import Edition, FindingsFile, FindingsFormat, HowFindings, OneGame

__all__ = ["drive"]


def drive(
    game: OneGame,
    command: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[-- COMMAND...]",
            help="The build: a command that answers a line on its standard input with a line.",
        ),
    ] = None,
    suite: Annotated[
        Path, typer.Option(metavar="DIR", help="Scripts, as suite or script --out wrote them.")
    ] = Path("suite"),
    url: Annotated[
        str | None, typer.Option(metavar="URL", help="The build: an address asked by POST.")
    ] = None,
    callable_: Annotated[
        str | None,
        typer.Option(
            "--callable",
            metavar="MODULE:FUNCTION",
            help="The build: a Python function of a request, or a class that makes one.",
        ),
    ] = None,
    edition: Edition = None,
    strategies: Annotated[
        str, typer.Option(metavar="WAY,...", help="How the player chooses.")
    ] = "least,greatest,random",
    without: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CHECK",
            help="Leave out leak, resume, illegal, carry-over or limits: without all of them a "
            "script takes half as many requests.",
        ),
    ] = None,
    restart: Annotated[
        bool, typer.Option("--restart", help="Resume a Play in a new process after each step.")
    ] = False,
    timeout: Annotated[
        float, typer.Option(min=0.001, metavar="S", help="Seconds for each answer.")
    ] = 5.0,
    jobs: Annotated[
        int,
        typer.Option(
            "--jobs",
            "-j",
            min=1,
            metavar="N",
            help="Processes that drive, each with a build of its own; findings are the same.",
        ),
    ] = 1,
    format_: FindingsFormat = HowFindings.TEXT,
    out: FindingsFile = None,
    max_findings: Annotated[
        int, typer.Option(min=1, metavar="N", help="End after so many findings.")
    ] = 20,
) -> None:
    """Drive a build through a suite of scripts, and judge it as it goes."""
    with told():
        from rich.console import Console

        from ..oracles.builds import connect
        from .driving import drive_build
        from .findings_out import is_text, put
        from .judging import finding_text
        from .show import write

        end_in_order_when_terminated()
        text = is_text(format_, out)
        driving = drive_build(
            game,
            suite,
            connect(command or (), url, callable_),
            edition=edition,
            ways=[name.strip() for name in strategies.split(",")],
            without=without or (),
            restart=restart,
            timeout=timeout,
            most=max_findings,
            jobs=jobs,
            heard=lambda finding: write(finding_text(finding)) if text else None,
            console=Console(stderr=True),
        )
        put(driving, format_, out)
        leave(driving.exit_code)
