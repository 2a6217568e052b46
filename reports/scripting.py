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

from ..files import output_folder
from ..models.editions import Edition, default_readings, load_edition
from ..models.setting import settle
from ..models.system import Game
from ..oracles import script
from ..oracles.layouts import Layouts
from ..oracles.screens import Screens
from ..oracles.script import BrokenScript, Script
from ..oracles.synthesis import Finding, Synthesis
from ..oracles.targets import Target, parse_targets
from ..proofs.filing import file_certificate
from ..proofs.verdict import Verdict
from .faults import Exit
from .request import clash, game_of, readings_for
from .tables import paragraphs
from .trace import lines
from .words import seconds, some

__all__ = ["Result", "make_all"]


@dataclass(frozen=True)
class Made:
    """What was found for one target, its scripts, and the seconds it took."""

    finding: Finding
    scripts: tuple[Script, ...]
    seconds: float

    @property
    def unkept(self) -> tuple[str, ...]:
        """The promises that a script does not keep."""
        broken = [
            name for one in self.scripts for name, kept in one.promises.items() if not kept
        ]
        return tuple(dict.fromkeys(broken))

    @property
    def exit_code(self) -> Exit:
        """The exit code: fine, wrong where proved unreachable, open where not decided."""
        if self.finding.unreachable:
            return Exit.WRONG
        return Exit.FINE if self.finding.complete else Exit.OPEN


@dataclass(frozen=True)
class Result:
    """What a run found, ready to be shown or written. ``seconds`` is what it took."""

    game: Game
    made: tuple[Made, ...]
    seconds: float

    @property
    def exit_code(self) -> Exit:
        """The exit code of the run: unreachable weighs more than undecided."""
        codes = {one.exit_code for one in self.made}
        return next((c for c in (Exit.WRONG, Exit.OPEN) if c in codes), Exit.FINE)

    def text(self, out: Path | None = None) -> RenderableType:
        """Return the table of targets, and the Plays themselves where there is one target.

        ``out`` is where the scripts were written to.
        """
        parts: list[RenderableType] = [_table(self.made)]
        if len(self.made) == 1:
            parts += _plays(self.game, self.made[0])
        else:
            parts += [_open(one.finding) for one in self.made if one.exit_code is Exit.OPEN]
        found = sum(len(one.scripts) for one in self.made)
        open_ = sum(one.exit_code is Exit.OPEN for one in self.made)
        never = sum(one.exit_code is Exit.WRONG for one in self.made)
        where = f" written to {out}" if out else ""
        said = [f"{some(found, 'script')}{where}"]
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
    layout: int | None = None,
    timeout: float | None = None,
    out: Path | None = None,
    console: Console,
) -> Result:
    """Find ``count`` Plays for every target that ``prize`` names, each in ``timeout`` seconds.

    ``layout`` is the seed of a layout that scripts get, None for none. What is found of a
    target, scripts or a proof that there are none, is written to the folder ``out`` at once.
    Raises BadInput for whatever is not known or does not fit together, and where the folder
    cannot be written to.
    """
    began = time.perf_counter()
    game = game_of(reference)
    taken = readings_for({reference: game}, readings)[reference]
    loaded = load_edition(game, edition)
    _fit(loaded, taken)
    targets = parse_targets(prize, loaded)
    synthesis = Synthesis(loaded, taken)
    layouts = None if layout is None else Layouts(loaded)
    if out is not None:
        output_folder(out)
    made = []
    with _watching(console, len(targets)) as tell:
        for target in targets:
            tell(target)
            started = time.perf_counter()
            finding = synthesis.find(target, count, seed, timeout)
            scripts = _scripts(loaded, finding, seed)
            if layouts is not None and layout is not None:
                scripts = tuple(layouts.of(one, layout) for one in scripts)
            if out is not None:
                _write(finding, scripts, out)
            made.append(Made(finding, scripts, time.perf_counter() - started))
    return Result(loaded.game, tuple(made), time.perf_counter() - began)


def _scripts(edition: Edition, finding: Finding, seed: int) -> tuple[Script, ...]:
    """Return the scripts of Plays, each replayed by the concrete rules."""
    try:
        return tuple(
            script.make(edition, finding.target, play, number=number, seed=seed)
            for number, play in enumerate(finding.plays, start=1)
        )
    except BrokenScript as error:  # nothing the user gave is wrong with it
        raise RuntimeError(f"a script for {finding.target} does not hold: {error}") from error


def _write(finding: Finding, scripts: Sequence[Script], out: Path) -> None:
    for one in scripts:
        script.write(one, out)
    if finding.unreachable and finding.verdict is not None:
        file_certificate(finding.verdict, out, f"No Play wins {finding.target}.")


def _fit(edition: Edition, taken: Mapping[str, str]) -> None:
    setting = edition.game.setting
    readings = default_readings(setting, taken)
    if settle(setting, edition.parameters, readings)[2] is not True:
        raise clash(edition.game, taken)


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
        target = one.finding.target
        table.add_row(
            f"{target.row:02}" if target.row else "",
            Text(str(target)),
            _found(one),
            ", ".join(str(len(made.steps)) for made in one.scripts),
            seconds(one.seconds),
        )
    return table


def _found(made: Made) -> Text:
    if made.finding.unreachable:
        return Text("proved unreachable", style="red")
    found = some(len(made.scripts), "script") if made.scripts else "nothing"
    shown = Text(found, style="green" if made.finding.complete else "magenta")
    if not made.finding.complete:
        shown.append(", undecided whether more")
    if made.unkept:
        shown.append(f", not keeping {', '.join(made.unkept)}", style="yellow")
    return shown


def _plays(game: Game, made: Made) -> Iterator[RenderableType]:
    if made.finding.unreachable and made.finding.verdict is not None:
        yield Text(f"{_proof(made.finding.target, made.finding.verdict)}\n")
    if made.exit_code is Exit.OPEN:
        yield _open(made.finding)
    for play, one in zip(made.finding.plays, made.scripts, strict=True):
        screens = Screens(game, play.setting)
        pictures = [screens.picture(move.rule, move.screen) for move in one.steps]
        yield from paragraphs(lines(game, play, pictures=pictures))
        yield Text()


def _open(finding: Finding) -> Text:
    more = "more Plays pay" if finding.plays else "any Play pays"
    return Text(f"Whether {more} {finding.target} is not decided: {finding.remark}.\n")


def _proof(target: Target, verdict: Verdict) -> str:
    solvers = dict.fromkeys(answer.solver for answer in verdict.answers)
    checked = f"proved by {verdict.method}, checked by {', '.join(solvers)}"
    return f"No Play of any length pays {target}: {checked}."
