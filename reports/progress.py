"""Live progress: what is being proved at this moment, and how far the whole has come."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TextColumn,
    TimeElapsedColumn,
)

from ..proofs.events import Event, Listener, silent

__all__ = ["bar_above", "counting_bar", "watching"]


def bar_above(console: Console, *columns: ProgressColumn) -> Progress:
    """Return a bar on the console, beside which results may be printed while it is there.

    They would get in its way on one terminal, but go elsewhere as they are.
    """
    both = sys.stdout is not None and sys.stdout.isatty()
    return Progress(*columns, console=console, transient=True, redirect_stdout=both)


@contextmanager
def watching(console: Console, total: int) -> Iterator[Listener]:
    """Show events on a terminal while they come; on anything else keep silent."""
    if not console.is_terminal:
        yield silent
        return
    with counting_bar(console) as progress:
        bar = progress.add_task("", total=total)
        at_work: dict[tuple[str, str], str] = {}

        def listen(event: Event) -> None:
            claim = (event.game, event.property)
            if event.kind == "finished":
                at_work.pop(claim, None)
                progress.advance(bar)
            else:
                at_work[claim] = _doing(event)
            shown = ", ".join(f"{name} {doing}" for (_, name), doing in at_work.items())
            progress.update(bar, description=shown)

        yield listen


def _doing(event: Event) -> str:
    if event.kind == "engine":
        return f"({event.detail})"
    return f"(checked by {event.detail})" if event.kind == "rechecked" else "(…)"


def counting_bar(console: Console) -> Progress:
    """Return a bar that says how many are done, in what time, and what is at work."""
    columns = (
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.description}", markup=False),
    )
    return Progress(*columns, console=console, transient=True)
