"""A run of ``playproof script``: targets, the Plays found for them, the scripts written."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from rich import box
from rich.console import Console, Group, RenderableType
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table
from rich.text import Text

from ..models.editions import Edition, default_readings, load_edition
from ..models.setting import settle
from ..models.system import Game
from ..oracles.synthesis import Finding, Synthesis
from ..oracles.targets import Target, parse_targets
from ..proofs.verdict import Outcome, Verdict
from .faults import Exit
from .request import clash, game_of, readings_for
from .tables import paragraphs
from .trace import lines
from .words import seconds, some

__all__ = ["Result", "make_all"]


@dataclass(frozen=True)
class Made:
    """What was found for one target, and the seconds it took."""

    finding: Finding
    seconds: float

    @property
    def exit_code(self) -> Exit:
        """The exit code: fine, wrong where proved unreachable, open where not decided."""
        if self.finding.unreachable:
            return Exit.WRONG
        return Exit.FINE if self.finding.complete else Exit.OPEN


@dataclass(frozen=True)
class Result:
    """What a run found, ready to be shown or written. ``seconds`` is what it took."""

    edition: Edition
    readings: Mapping[str, str]
    seed: int
    made: tuple[Made, ...]
    seconds: float

    @property
    def exit_code(self) -> Exit:
        """The exit code of the run: unreachable weighs more than undecided."""
        codes = {one.exit_code for one in self.made}
        return next((c for c in (Exit.WRONG, Exit.OPEN) if c in codes), Exit.FINE)

    def text(self) -> RenderableType:
        """Return the table of targets, and the Plays themselves where there is one target."""
        parts: list[RenderableType] = [_table(self.made)]
        if len(self.made) == 1:
            parts += _plays(self.edition.game, self.made[0].finding)
        found = sum(len(one.finding.plays) for one in self.made)
        open_ = sum(one.exit_code is Exit.OPEN for one in self.made)
        never = sum(one.exit_code is Exit.WRONG for one in self.made)
        said = [some(found, "script")]
        said += [f"{never} unreachable"] if never else []
        said += [f"{open_} undecided"] if open_ else []
        parts.append(Text(f"{', '.join(said)}. {seconds(self.seconds)} in all."))
        return Group(*parts)


def make_all(
    reference: str,
    prize: str,
    *,
    count: int,
    seed: int,
    edition: Path | None,
    readings: Sequence[str],
    console: Console,
) -> Result:
    """Find ``count`` Plays for every target that ``prize`` names.

    Raises BadInput for whatever is not known or does not fit together.
    """
    began = time.perf_counter()
    game = game_of(reference)
    taken = readings_for({reference: game}, readings)[reference]
    loaded = load_edition(game, edition)
    _fit(loaded, taken)
    targets = parse_targets(prize, loaded)
    synthesis = Synthesis(loaded, taken)
    made = []
    with _watching(console, len(targets)) as tell:
        for target in targets:
            tell(target)
            started = time.perf_counter()
            finding = synthesis.find(target, count, seed)
            made.append(Made(finding, time.perf_counter() - started))
    took = time.perf_counter() - began
    return Result(loaded, synthesis.readings, seed, tuple(made), took)


def _fit(edition: Edition, taken: Mapping[str, str]) -> None:
    setting = edition.game.setting
    readings = {**default_readings(setting), **taken}
    if settle(setting, edition.parameters, readings)[2] is not True:
        raise clash(edition.game)


@contextmanager
def _watching(console: Console, total: int) -> Iterator[Callable[[Target], None]]:
    """Show on a terminal which target is at work; on anything else keep silent."""
    if not console.is_terminal:
        yield lambda target: None
        return
    columns = (BarColumn(bar_width=24), MofNCompleteColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=console, transient=True) as progress:
        bar = progress.add_task("", total=total)
        done = itertools.count()
        yield lambda target: progress.update(
            bar, completed=next(done), description=escape(str(target))
        )


def _table(made: Sequence[Made]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("row", justify="right")
    table.add_column("prize")
    table.add_column("found", no_wrap=True)
    table.add_column("steps", justify="right")
    table.add_column("time", justify="right", no_wrap=True)
    for one in made:
        target, plays = one.finding.target, one.finding.plays
        table.add_row(
            f"{target.row:02}" if target.row else "",
            Text(str(target)),
            _found(one.finding),
            ", ".join(str(len(play.steps)) for play in plays),
            seconds(one.seconds),
        )
    return table


def _found(finding: Finding) -> Text:
    if finding.unreachable:
        return Text("proved unreachable", style="red")
    scripts = some(len(finding.plays), "script") if finding.plays else "nothing"
    if finding.complete:
        return Text(scripts, style="green")
    return Text(f"{scripts}, undecided whether more", style="magenta")


def _plays(game: Game, finding: Finding) -> Iterator[RenderableType]:
    if finding.verdict is not None:
        yield Text(f"{_proof(finding.target, finding.verdict)}\n")
    for play in finding.plays:
        yield from paragraphs(lines(game, play))
        yield Text()


def _proof(target: Target, verdict: Verdict) -> str:
    if verdict.outcome is not Outcome.PROVED:
        return f"Whether any Play pays {target} is not decided: {verdict.remark}"
    solvers = dict.fromkeys(answer.solver for answer in verdict.answers)
    checked = f"proved by {verdict.method}, checked by {', '.join(solvers)}"
    return f"No Play of any length pays {target}: {checked}."
