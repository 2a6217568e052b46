"""Showing things: in colour on a terminal, as plain text elsewhere."""

from __future__ import annotations

import io
import os
import sys

from rich.console import Console, RenderableType

__all__ = ["WIDTH", "plain", "show"]

WIDTH = 100
"""Columns where nobody says how wide the output is: a pipe, a file."""


def show(shown: RenderableType) -> None:
    """Print to standard output."""
    if sys.stdout.isatty():
        Console(highlight=False).print(shown)
    else:
        sys.stdout.write(plain(shown, int(os.environ.get("COLUMNS", WIDTH))))


def plain(shown: RenderableType, width: int = WIDTH) -> str:
    """Return what would be printed as plain text, without blanks at the ends of lines."""
    text = io.StringIO()
    Console(file=text, width=width, highlight=False).print(shown)
    return "".join(f"{line.rstrip()}\n" for line in text.getvalue().splitlines())
