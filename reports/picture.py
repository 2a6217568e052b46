"""The README's picture of a run: ``python -m playproof.reports.picture FILE.svg``."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path

from rich.console import Console

from ..files import write_whole
from .proving import prove_all
from .request import choose

__all__ = ["picture"]

GAME, PROPERTY = "diamond-riches", "one-bonus-per-game"


def picture() -> str:
    """Run one command and return its terminal as SVG."""
    console = Console(record=True, file=io.StringIO(), width=96, force_terminal=True)
    console.print(f"$ playproof prove {GAME} --property {PROPERTY}", highlight=False)
    result = prove_all(
        choose([GAME], [PROPERTY], [], None), os.cpu_count() or 1, None, Console(quiet=True)
    )
    console.print(result.text())
    return console.export_svg(title="playproof", font_aspect_ratio=0.61)


if __name__ == "__main__":
    write_whole(Path(sys.argv[1]), picture())
