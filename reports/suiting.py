"""A run of ``playproof suite``: what the scripts cover, what nothing can, and what is open."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec
from rich import box
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from ..models.editions import load_edition
from ..oracles.collect import Tell, untold
from ..oracles.ground import Ground
from ..oracles.suite import INDEX, Suite
from ..oracles.suite_making import build
from .faults import Exit
from .progress import counting_bar
from .request import clash, game_of, readings_for
from .words import seconds, some

__all__ = ["Result", "make_suite"]

# Goals of which nothing is decided that are told one by one.
_TOLD = 20


@dataclass(frozen=True)
class Result:
    """A suite that was made, where it is, and the seconds it took."""

    suite: Suite
    folder: Path
    seconds: float

    @property
    def exit_code(self) -> Exit:
        """The exit code: open where a goal is undecided."""
        open_ = any(goal.verdict == "undecided" for goal in self.suite.goals)
        return Exit.OPEN if open_ else Exit.FINE

    def json(self) -> str:
        """Return what ``suite.json`` holds, and what it took."""
        facts = msgspec.to_builtins(self.suite)
        said = msgspec.json.encode({**facts, "times": {"seconds": round(self.seconds, 3)}})
        return msgspec.json.format(said, indent=2).decode()

    def text(self) -> RenderableType:
        """Return the table of goals by kind, and what is not decided one by one."""
        suite = self.suite
        parts: list[RenderableType] = [_table(suite)]
        open_ = [goal for goal in suite.goals if goal.verdict == "undecided"]
        for goal in open_[:_TOLD]:
            parts.append(Text(f"{goal.id}: {goal.says}\n  undecided: {goal.reason}"))
        if len(open_) > _TOLD:
            parts.append(Text(f"… and {len(open_) - _TOLD} more that are undecided"))
        steps = sum(one.steps for one in suite.scripts)
        covered = sum(goal.verdict == "covered" for goal in suite.goals)
        never = sum(goal.verdict == "impossible" for goal in suite.goals)
        parts.append(
            Text(
                f"{some(len(suite.scripts), 'script')} of {some(steps, 'step')} written to "
                f"{self.folder}. {some(len(suite.goals), 'goal')}: {covered} covered, {never} "
                f"proved impossible, {len(open_)} undecided, each in {INDEX}. "
                f"{seconds(self.seconds)} in all."
            )
        )
        return Group(*parts)


def make_suite(
    reference: str,
    out: Path,
    *,
    size: str | int,
    seed: int,
    edition: Path | None,
    readings: Sequence[str],
    jobs: int = 1,
    console: Console,
) -> Result:
    """Make a suite of a game in a folder, with so many processes.

    Raises BadInput for whatever is not known or does not fit together, and where the folder
    cannot be written to.
    """
    began = time.perf_counter()
    game = game_of(reference)
    taken = readings_for({reference: game}, readings)[reference]
    loaded = load_edition(game, edition)
    try:
        ground = Ground(loaded, taken)
    except ValueError:
        raise clash(loaded.game, taken) from None
    with _watching(console) as tell:
        suite = build(ground, out, size=size, seed=seed, tell=tell, jobs=jobs)
    return Result(suite, out, time.perf_counter() - began)


@contextmanager
def _watching(console: Console) -> Iterator[Tell]:
    """Show on a terminal what is at work, and how many goals are decided; else keep silent."""
    if not console.is_terminal:
        yield untold
        return
    with counting_bar(console) as progress:
        bar = progress.add_task("", total=None)

        def tell(what: str, decided: int, of: int) -> None:
            progress.update(bar, description=what, completed=decided, total=of)

        yield tell


def _table(suite: Suite) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("goals")
    for name in ("covered", "impossible", "undecided"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("proof")
    for kind, counted in suite.count().items():
        proofs = {
            goal.proof.certificate
            for goal in suite.goals
            if goal.proof is not None and goal.id.startswith(f"{kind}:")
        }
        table.add_row(
            kind,
            *(str(counted.get(name, "")) for name in ("covered", "impossible", "undecided")),
            ", ".join(sorted(proofs)),
        )
    return table
