"""Arguments and options that several commands share: each is said once."""

from __future__ import annotations

import os
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

__all__ = [
    "CORES", "Edition", "EditionOrAny", "FindingsFile", "FindingsFormat", "FormatOption",
    "Games", "HowFindings", "HowResults", "Jobs", "OneGame", "Readings", "ReadingsOrAny",
    "Scheduler", "as_folder",
]  # fmt: skip


class HowResults(Enum):
    """How results are written to standard output."""

    TEXT = "text"
    JSON = "json"


class HowFindings(Enum):
    """How findings are written."""

    TEXT = "text"
    JSON = "json"
    JUNIT = "junit"
    SARIF = "sarif"


def as_folder(text: str) -> Path:
    """Return a folder that was asked for; nothing is none."""
    if not text:  # an unset variable, not the folder we are in
        raise typer.BadParameter("a folder was expected, not nothing")
    return Path(text)


CORES = os.cpu_count() or 1

OneGame = Annotated[str, typer.Argument(help="A game by id (or module:ATTRIBUTE).")]
Games = Annotated[
    list[str] | None, typer.Argument(help="Games by id (or module:ATTRIBUTE); all if none.")
]
Edition = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Take this edition, not the default.")
]
EditionOrAny = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Take parameters from this file, not any in range."),
]
Readings = Annotated[
    list[str] | None,
    typer.Option(metavar="ID=CHOICE", help="Take this reading, not the default."),
]
ReadingsOrAny = Annotated[
    list[str] | None, typer.Option(metavar="ID=CHOICE", help="Take this reading, not any.")
]
Jobs = Annotated[int, typer.Option(min=1, metavar="N", help="Processes at work.")]
Scheduler = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="Work on this Dask cluster, not in processes here."),
]
FormatOption = Annotated[
    HowResults, typer.Option("--format", help="How the result is printed.")
]
FindingsFormat = Annotated[
    HowFindings, typer.Option("--format", help="How findings are written.")
]
FindingsFile = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Write findings here, and print them as text."),
]
