"""The command ``playproof gate``."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from .faults import end_in_order_when_terminated, leave, told

__all__ = ["gate"]


def gate(
    config: Annotated[
        Path, typer.Option(metavar="FILE", help="What is to be checked, see the README.")
    ] = Path("playproof.toml"),
    jobs: Annotated[int, typer.Option(min=1, metavar="N", help="Processes that prove.")] = (
        os.cpu_count() or 1
    ),
) -> None:
    """Check edition, proofs, build and logs in one run, for CI."""
    with told():
        from rich.console import Console

        from ..oracles.gate import load_gate
        from .gating import run_gate
        from .show import write

        end_in_order_when_terminated()
        gating = run_gate(
            load_gate(config), jobs=jobs, heard=write, console=Console(stderr=True)
        )
        write(gating.summary())
        leave(gating.exit_code)
