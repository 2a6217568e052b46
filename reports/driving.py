"""A run of ``playproof drive``: a build played through a suite, and what that came to."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn

from ..models.editions import Edition, load_edition
from ..oracles.builds import Build
from ..oracles.cases import Case, load_cases
from ..oracles.drive import CHECKS, Driven, Driver
from ..oracles.finding import Finding
from ..oracles.refusals import load_refusals
from ..oracles.run_results import drive_result
from ..oracles.ways import WAYS, check_ways
from . import json_out
from .faults import Exit
from .judging import finding_text
from .junit import junit
from .progress import bar_above
from .request import game_of
from .sarif import sarif
from .words import seconds, some

__all__ = ["Driving", "drive_build"]


@dataclass(frozen=True)
class Driving:
    """What driving a build came to, ready to be shown or written; ``took`` is in seconds."""

    edition: Edition
    build: str
    suite: Path
    cases: Sequence[Case]
    ways: tuple[str, ...]
    checks: tuple[str, ...]
    driven: Driven
    took: float

    @property
    def exit_code(self) -> Exit:
        """The exit code: wrong where anything was found."""
        return Exit.WRONG if self.driven.findings else Exit.FINE

    def summary(self) -> str:
        """Return what was asked of the build, out of all there is, and what was found."""
        return "".join(f"{line}\n" for line in self._lines())

    def text(self) -> str:
        """Return the findings and the summary."""
        return "".join(map(finding_text, self._told)) + self.summary()

    @property
    def _told(self) -> list[Finding]:
        return [*self.driven.findings, *self.driven.notes]

    def _lines(self) -> Iterator[str]:
        done = self.driven
        if done.findings:
            yield ""
        ways = f"choices {', '.join(self.ways)}"
        yield (
            f"{done.driven} of {some(done.scripts, 'script')} driven ({ways}): "
            f"{some(done.plays, 'Play')}, {some(done.asked, 'request')}."
        )
        more = {
            "resume": f"resumed {some(done.resumes, 'time')}",
            "illegal": f"{some(done.probes, 'illegal step')} tried",
            "limits": f"{some(done.forks, 'value')} at a limit that no script has",
        }
        said = [words for check, words in more.items() if check in self.checks]
        left_out = [check for check in CHECKS if check not in self.checks]
        if said:
            yield f"{', '.join(said)}."
        if left_out:
            yield f"Not checked: {', '.join(left_out)}."
        total = len(self.edition.game.rules)
        yield _never("rules taken", total - len(done.never_taken), total, done.never_taken)
        fields = len({name.partition(".")[0] for name in self._fields()})
        shown = fields - len(done.never_shown)
        yield _never("fields of the state shown", shown, fields, done.never_shown)
        if done.stopped:
            yield f"Ended early: {done.stopped}."
        codes = Counter(finding.code for finding in done.findings)
        listed = ", ".join(f"{code} {times}" for code, times in sorted(codes.items()))
        found = some(len(done.findings), "finding")
        found += f", {some(len(done.notes), 'note')}" if done.notes else ""
        yield f"{found}{f' ({listed})' if listed else ''}. {seconds(self.took)} in all."

    def _fields(self) -> list[str]:
        return [variable.name for variable in self.edition.game.state_shape().variables]

    def json(self) -> str:
        """Return all of it as JSON; the time stands apart, as it differs from run to run."""
        return json_out.text(self.data() | {"times": {"seconds": round(self.took, 3)}})

    def data(self) -> dict[str, Any]:
        """Return all of it but the time as plain data."""
        result = drive_result(
            self.driven,
            self.edition,
            self.cases[0].script.readings,
            suite=self.suite,
            build=self.build,
            ways=self.ways,
            checks=self.checks,
            exit_code=int(self.exit_code),
        )
        data: dict[str, Any] = msgspec.to_builtins(result)
        return data

    def junit(self) -> str:
        """Return all of it as JUnit XML: a suite for each script."""
        return junit(
            self._told,
            [str(case.path) for case in self.cases[: self.driven.driven or None]],
            name="playproof drive",
            game=self.edition.game.id,
            properties=self._totals(),
        )

    def sarif(self) -> str:
        """Return all of it as SARIF."""
        return sarif(
            self._told,
            self.edition.game,
            properties=self._totals(),
            complete=not self.driven.stopped,
        )

    def _totals(self) -> dict[str, object]:
        done = self.driven
        return {
            "build": self.build,
            "edition": self.edition.name,
            "scripts": done.scripts,
            "driven": done.driven,
            "plays": done.plays,
            "requests": done.asked,
            "findings": len(done.findings),
            "rules never taken": ", ".join(done.never_taken),
            "fields never shown": ", ".join(done.never_shown),
            "ended early": done.stopped,
        }


def drive_build(
    reference: str,
    suite: Path,
    build: Build,
    *,
    edition: Path | None = None,
    readings: Mapping[str, str] | None = None,
    ways: Sequence[str] = WAYS,
    without: Sequence[str] = (),
    restart: bool = False,
    timeout: float = 5.0,
    most: int = 20,
    jobs: int = 1,
    heard: Callable[[Finding], None] = lambda finding: None,
    console: Console,
) -> Driving:
    """Drive a build through a suite; ``heard`` hears of findings as they come.

    ``readings`` are those that the suite has to be made under, where that matters. ``timeout``
    is in seconds for each answer; after ``most`` findings the run ends. ``jobs`` processes
    drive, each with a build of its own. Raises BadInput for whatever is not known, cannot be
    read, or does not fit together.
    """
    loaded = load_edition(game_of(reference), edition)
    cases = load_cases(suite)
    chosen = check_ways(ways)
    driver = Driver(
        build,
        loaded,
        cases,
        readings=readings,
        ways=chosen,
        without=without,
        refusals=load_refusals(suite),
        restart=restart,
        timeout=timeout,
        most=most,
        jobs=jobs,
    )
    began = time.perf_counter()
    with _watching(console, len(cases)) as tell:
        driven = driver.drive(tell, heard)
    took = time.perf_counter() - began
    checks = tuple(driver.checks)
    return Driving(loaded, build.name, suite, cases, chosen, checks, driven, took)


def _never(what: str, seen: int, total: int, never: Sequence[str]) -> str:
    named = f"; never: {', '.join(never)}" if never else ""
    return f"{what}: {seen} of {total}{named}"


@contextmanager
def _watching(console: Console, total: int) -> Iterator[Callable[[Case], None]]:
    """Show on a terminal which script is being driven; on anything else keep silent."""
    if not console.is_terminal:
        yield lambda case: None
        return
    columns = (BarColumn(bar_width=24), MofNCompleteColumn(), TextColumn("{task.description}"))
    with bar_above(console, *columns) as progress:
        bar = progress.add_task("", total=total)

        def tell(case: Case) -> None:
            progress.update(bar, completed=case.seed, description=escape(case.name))

        yield tell
