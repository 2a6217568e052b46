"""The command ``playproof judge``."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from .faults import leave, told

__all__ = ["judge"]


class Format(Enum):
    """How findings are written."""

    TEXT = "text"
    JSON = "json"
    JUNIT = "junit"
    SARIF = "sarif"


def judge(
    game: Annotated[str, typer.Argument(help="A game by id (or module:ATTRIBUTE).")],
    log: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH",
            help="Logs: files, folders or patterns; - for standard input.",
        ),
    ],
    edition: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Take this edition, not the default.")
    ] = None,
    reading: Annotated[
        list[str] | None,
        typer.Option(metavar="ID=CHOICE", help="Take this reading, not the default."),
    ] = None,
    adapter: Annotated[
        str | None,
        typer.Option(
            metavar="MODULE:FUNCTION",
            help="Turn records into events with this function; book or book:FILE for books.",
        ),
    ] = None,
    format_: Annotated[
        Format, typer.Option("--format", help="How findings are written.")
    ] = Format.TEXT,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write findings here, and print them as text."),
    ] = None,
    max_findings: Annotated[
        int, typer.Option(min=1, metavar="N", help="Findings to show; all are counted.")
    ] = 100,
) -> None:
    """Judge the log of a build: every event, every field shown, and what was paid."""
    with told():
        from rich.console import Console

        from ..files import output_folder, write_whole
        from .judging import finding_text, judge_log
        from .show import write, write_json

        if out is not None and (out.is_file() or not out.exists()):
            output_folder(out.parent)  # better now than at the end of a long log
        text = out is not None or format_ is Format.TEXT
        judged = judge_log(
            game,
            log,
            edition=edition,
            readings=reading or [],
            adapter=adapter,
            most=max_findings,
            heard=lambda finding: write(finding_text(finding)) if text else None,
            console=Console(stderr=True),
        )
        written = {
            Format.TEXT: judged.text,
            Format.JSON: judged.json,
            Format.JUNIT: judged.junit,
            Format.SARIF: judged.sarif,
        }[format_]
        if out is not None:
            write_whole(out, written())
        if text:
            write(judged.summary())
        else:
            write_json(written())
        leave(judged.exit_code)
