"""A run of ``playproof suite --mutation-complete``: the scripts that no mutant survives."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
from rich import box
from rich.console import Console, Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from ..oracles.mutants.complete import REFUSALS, Complete, complete
from ..oracles.mutants.table import Table, table_of
from .faults import Exit
from .mutating import asked_of, decided_of
from .words import seconds, some

__all__ = ["Completed", "complete_all"]


@dataclass(frozen=True)
class Completed:
    """A mutation-complete suite, in its folder, and the seconds it took."""

    made: Complete
    table: Table
    folder: Path
    seconds: float

    @property
    def exit_code(self) -> Exit:
        """The exit code: open where a mutant or a prize is undecided."""
        open_ = any(goal.verdict == "undecided" for goal in self.made.suite.goals)
        return Exit.OPEN if open_ else Exit.FINE

    def json(self) -> str:
        """Return what ``suite.json`` holds, the refusals, the gap, and what it took."""
        facts = {
            **msgspec.to_builtins(self.made.suite),
            "refusals": msgspec.to_builtins(self.made.refusals),
            "gap": self.made.gap,
            "times": {"seconds": round(self.seconds, 3)},
        }
        return msgspec.json.format(msgspec.json.encode(facts), indent=2).decode()

    def text(self) -> RenderableType:
        """Return how many scripts do, and what they leave."""
        suite, made = self.made.suite, self.made
        grid = Grid(box=box.SIMPLE_HEAD, pad_edge=False)
        grid.add_column("goals")
        verdicts = ("covered", "impossible", "undecided")
        for name in verdicts:
            grid.add_column(name, justify="right")
        for kind, counted in suite.count().items():
            grid.add_row(kind, *(str(counted.get(name, "")) for name in verdicts))
        steps = sum(one.steps for one in suite.scripts)
        fewest = (
            "No fewer of the Plays at hand do it."
            if not made.gap
            else f"Of the Plays at hand up to {made.gap} fewer might do."
        )
        return Group(
            grid,
            Text(
                f"{some(len(suite.scripts), 'script')} of {some(steps, 'step')} and "
                f"{some(len(made.refusals), 'step')} to refuse ({REFUSALS}) written to "
                f"{self.folder}. {fewest} {seconds(self.seconds)} in all."
            ),
        )


def complete_all(
    reference: str,
    out: Path,
    *,
    edition: Path | None,
    readings: Sequence[str],
    suite: Path | None = None,
    seed: int,
    jobs: int,
    console: Console,
) -> Completed:
    """Make the mutation-complete suite of a game in a folder.

    It begins with the scripts of a suite, if one is given, and with what ``mutate`` has kept in
    the folder. Raises BadInput as others do.
    """
    began = time.perf_counter()
    asked = asked_of(reference, edition, readings, None)
    run = decided_of(asked, suite, out, seed, jobs, console)
    made = complete(run, out, seed=seed)
    return Completed(made, table_of(run), out, time.perf_counter() - began)
