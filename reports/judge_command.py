"""The command ``playproof judge``."""

from __future__ import annotations

from typing import Annotated

import typer

from .faults import leave, told
from .options import (
    CORES,
    Edition,
    FindingsFile,
    FindingsFormat,
    HowFindings,
    Jobs,
    OneGame,
    Readings,
    Scheduler,
)

__all__ = ["judge"]


def judge(
    game: OneGame,
    log: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH",
            help="Logs: files, folders or patterns; - for standard input.",
        ),
    ],
    edition: Edition = None,
    reading: Readings = None,
    adapter: Annotated[
        str | None,
        typer.Option(
            metavar="MODULE:FUNCTION",
            help="Turn records into events with this function; book or book:FILE for books.",
        ),
    ] = None,
    format_: FindingsFormat = HowFindings.TEXT,
    out: FindingsFile = None,
    max_findings: Annotated[
        int, typer.Option(min=1, metavar="N", help="Findings to show; all are counted.")
    ] = 100,
    jobs: Jobs = CORES,
    scheduler: Scheduler = None,
) -> None:
    """Judge the log of a build: every event, every field shown, and what was paid."""
    with told():
        from rich.console import Console

        from ..files import output_folder
        from .findings_out import is_text, put
        from .judging import finding_text, judge_log
        from .show import write

        if out is not None and (out.is_file() or not out.exists()):
            output_folder(out.parent)  # better now than at the end of a long log
        text = is_text(format_, out)
        judged = judge_log(
            game,
            log,
            edition=edition,
            readings=reading or [],
            adapter=adapter,
            jobs=jobs,
            scheduler=scheduler,
            most=max_findings,
            heard=lambda finding: write(finding_text(finding)) if text else None,
            console=Console(stderr=True),
        )
        put(judged, format_, out)
        leave(judged.exit_code)
