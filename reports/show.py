"""Showing things: in colour on a terminal, as plain text elsewhere."""

from __future__ import annotations

import io
import os
import sys

from rich.console import Console, RenderableType

from ..errors import BadInput
from .faults import let_go_of_output

__all__ = ["WIDTH", "plain", "show", "write", "write_json"]

WIDTH = 100
"""Columns where nobody says how wide the output is: a pipe, a file."""

_LEAST = 40


def show(shown: RenderableType) -> None:
    """Print to standard output; BadInput if it cannot be written."""
    if sys.stdout is not None and sys.stdout.isatty():
        Console(highlight=False).print(shown)
    else:
        write(plain(shown, _columns()))


def write_json(text: str) -> None:
    """Print JSON to standard output, in UTF-8 whatever else is; BadInput if it cannot be."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    write(text)


def plain(shown: RenderableType, width: int = WIDTH) -> str:
    """Return what would be printed as plain text, without blanks at the ends of lines."""
    text = io.StringIO()
    Console(file=text, width=width, highlight=False).print(shown)
    return "".join(f"{line.rstrip()}\n" for line in text.getvalue().splitlines())


def write(text: str) -> None:
    """Write a text to standard output as it is; BadInput if it cannot be written."""
    if sys.stdout is None:  # closed by whoever started us
        return
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        let_go_of_output()
        raise BadInput(f"standard output: cannot be written: {error.strerror}") from None


def _columns() -> int:
    """Return how wide COLUMNS says the output is, where that makes sense."""
    try:
        columns = int(os.environ.get("COLUMNS", ""))
    except ValueError:
        return WIDTH
    return max(columns, _LEAST) if columns > 0 else WIDTH
