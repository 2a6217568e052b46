"""A run of ``playproof judge``: a log judged as it is read, and what that came to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, TimeRemainingColumn

from ..models.editions import load_edition
from ..models.tomlfile import TomlFile, read_toml
from ..oracles.adapters import load_adapter
from ..oracles.bulk import judge_files
from ..oracles.finding import Finding, Severity
from ..oracles.judge import Judge
from ..oracles.result import Found, result
from ..oracles.sources import Source, find_sources
from . import json_out
from .faults import Exit
from .junit import junit
from .options import CORES
from .progress import bar_above
from .request import clash, game_of, readings_for
from .sarif import sarif
from .words import some

if TYPE_CHECKING:
    from ..oracles.elsewhere import Asked
    from ..proofs.cluster import Cluster

__all__ = ["Judged", "finding_text", "judge_log"]


@dataclass(frozen=True)
class Judged:
    """What judging a log came to, ready to be shown or written."""

    judge: Judge
    sources: tuple[Source, ...]
    found: Found
    interrupted: bool = False

    @property
    def exit_code(self) -> Exit:
        """The exit code: fine, wrong, or open where something was left undecided."""
        if self.interrupted:
            return Exit.INTERRUPTED
        if self.found.errors:
            return Exit.WRONG
        return Exit.OPEN if self.found.undecided else Exit.FINE

    def summary(self) -> str:
        """Return what was judged, out of all there is, and what was found, in a few lines."""
        return "".join(f"{line}\n" for line in self._lines())

    def text(self) -> str:
        """Return the findings that are kept, and the summary."""
        return "".join(map(finding_text, self.found.kept)) + self.summary()

    def _lines(self) -> Iterator[str]:
        total, found = self.judge.summary, self.found
        if left_out := found.left_out.total():
            yield f"… and {some(left_out, 'further finding')}: --max-findings shows more"
        if found.kept:
            yield ""
        if self.interrupted:
            yield "Interrupted; what was read until then:"
        read = some(len(self.sources), "file")
        yield (
            f"{some(total.plays, 'Play')} in {read}: {total.finished} finished, "
            f"{some(total.events, 'event')}, {total.resumed} resumed."
        )
        if total.showing < total.events:
            silent = total.events - total.showing
            yield f"{silent} of {some(total.events, 'event')} show nothing of the state."
        if total.not_judged:
            yield f"{total.not_judged} not judged to their end."
        if total.without_outcome:
            yield f"{total.without_outcome} whose predetermined outcome is not said."
        if total.promises_unknown:
            promises = some(total.promises_unknown, "promise")
            yield f"{promises} not judged, as something was left out before the end."
        if total.with_unknowns:
            yield (
                f"{total.with_unknowns} with something not shown; whether a legal Play fits is "
                f"undecided for {total.undecided}."
            )
        yield _out_of("rules", total.rules)
        yield _out_of("parts of a prize", total.parts)
        if total.rows:
            yield _out_of(
                "rows of the prize table", {f"{k:02}": n for k, n in total.rows.items()}
            )
        codes = ", ".join(f"{code} {times}" for code, times in sorted(found.codes.items()))
        said = [some(found.errors, "finding")]
        said += [some(found.notes, "note")] if found.notes else []
        said += [f"{found.undecided} undecided"] if found.undecided else []
        yield ", ".join(said) + (f" ({codes})" if codes else "") + "."

    def json(self) -> str:
        """Return all of it as JSON."""
        made = result(
            self.judge,
            self.found,
            self._names,
            exit_code=int(self.exit_code),
            interrupted=self.interrupted,
        )
        return json_out.text(msgspec.to_builtins(made))

    def junit(self) -> str:
        """Return all of it as JUnit XML."""
        return junit(
            self.found.kept,
            self._names,
            name="playproof judge",
            game=self.judge.edition.game.id,
            properties=self._totals(),
            left_out=self.found.left_out,
        )

    def sarif(self) -> str:
        """Return all of it as SARIF."""
        return sarif(
            self.found.kept,
            self.judge.edition.game,
            properties=self._totals(),
            complete=not self.interrupted,
        )

    @property
    def _names(self) -> list[str]:
        return [source.name for source in self.sources]

    def _totals(self) -> dict[str, object]:
        total, found = self.judge.summary, self.found
        return {
            "edition": self.judge.edition.name,
            "plays": total.plays,
            "finished": total.finished,
            "events": total.events,
            "findings": found.errors,
            "notes": found.notes,
            "undecided": found.undecided,
            "left out": found.left_out.total(),
            "rules never seen": ", ".join(total.never_seen),
        }


def judge_log(
    reference: str,
    paths: Sequence[str],
    *,
    edition: Path | None = None,
    readings: Sequence[str] = (),
    adapter: str | None = None,
    folder: Path | None = None,
    jobs: int = CORES,
    scheduler: str | None = None,
    most: int = 100,
    heard: Callable[[Finding], None] = lambda finding: None,
    console: Console,
) -> Judged:
    """Judge a log; ``heard`` hears of the first ``most`` findings as they come.

    An adapter is looked for in a ``folder``, the one we are in if left out. Judging takes so
    many processes as ``jobs`` says, if the log is not short, or the Dask cluster behind the
    address of a ``scheduler``; what is found does not depend on it. Ctrl-C ends it early, with
    what was found until then. Raises BadInput for whatever is not known, cannot be read at
    all, or does not fit together.
    """
    game = game_of(reference)
    taken = readings_for({reference: game}, readings)[reference]
    file = read_toml(edition) if edition else None
    loaded = load_edition(game, file)
    try:
        judge = Judge(loaded, taken)
    except ValueError:
        raise clash(loaded.game, taken) from None
    sources = find_sources(paths)
    adapted = load_adapter(adapter, loaded, folder) if adapter else None
    found = Found(most)

    def hear(finding: Finding) -> None:
        if found.hear(finding):
            heard(finding)

    try:
        with _watching(console, sum(source.size for source in sources)) as advance:
            asked = _asked(scheduler, reference, file, taken) if scheduler else None
            for finding in judge_files(
                judge,
                sources,
                adapted,
                jobs=jobs,
                advance=advance,
                lost=lambda: _lost(console),
                slow=lambda why: console.print(
                    f"playproof: {why}", style="yellow", markup=False
                ),
                cluster=asked,
            ):
                hear(finding)
    except KeyboardInterrupt:
        return Judged(judge, sources, found, interrupted=True)
    return Judged(judge, sources, found)


def _asked(
    scheduler: str, reference: str, edition: TomlFile | None, readings: Mapping[str, str]
) -> tuple[Cluster, Asked]:
    """Return a cluster, and the rules to judge by there."""
    from ..oracles.elsewhere import Asked  # imports much
    from ..proofs.cluster import Cluster

    return Cluster(scheduler), Asked(reference, edition, readings)


def finding_text(finding: Finding) -> str:
    """Return a finding for people, with what a terminal might act on made visible."""
    note = "note: " if finding.severity is Severity.NOTE else ""
    lines = (note + finding.text()).split("\n")
    return "".join(f"{''.join(map(_visible, line))}\n" for line in lines)


def _visible(character: str) -> str:
    return character if character.isprintable() else repr(character)[1:-1]


def _lost(console: Console) -> None:
    console.print(
        "playproof: a process was ended from outside, or cannot read the log; "
        "its part of it is judged here",
        style="yellow",
    )


@contextmanager
def _watching(console: Console, total: int) -> Iterator[Callable[[int], None]]:
    """Show on a terminal how far reading has come; on anything else keep silent."""
    if not console.is_terminal:
        yield lambda size: None
        return
    columns = (BarColumn(bar_width=24), DownloadColumn(), TimeRemainingColumn())
    with bar_above(console, *columns) as progress:
        bar = progress.add_task("", total=total or None)
        yield lambda size: progress.advance(bar, size)


def _out_of(what: str, times: Mapping[str, int]) -> str:
    """Say how many of all there are were seen, and which were not.

    >>> _out_of("rows", {"01": 1, "02": 0, "03": 0, "04": 0, "05": 1, "06": 0})
    'rows seen: 2 of 6; never: 02-04, 06'
    """
    runs: list[list[str]] = []
    before = True
    for name, count in times.items():
        if not count and not before and name.isdigit():
            runs[-1][1:] = [name]
        elif not count:
            runs.append([name])
        before = count > 0
    never = f"; never: {', '.join('-'.join(run) for run in runs)}" if runs else ""
    seen_ = sum(count > 0 for count in times.values())
    return f"{what} seen: {seen_} of {len(times)}{never}"
