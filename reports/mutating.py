"""A run of ``playproof mutate``: every small change of the rules, and who catches it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
from rich import box
from rich.console import Console, Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from ..files import output_folder, write_whole
from ..models.editions import load_edition
from ..models.tomlfile import read_toml
from ..oracles.cases import load_cases
from ..oracles.ground import Move
from ..oracles.mutants.begun import begin, scripted
from ..oracles.mutants.check import check
from ..oracles.mutants.deciding import Decided
from ..oracles.mutants.making import Mutant
from ..oracles.mutants.run import Asked, Run, decide_all
from ..oracles.mutants.table import Line, Table, faults_of, table_of
from .faults import Exit
from .mutants_file import FORMAT, Holes, Made, MutantData, MutantsFile, StepData, Times
from .progress import watching
from .request import clash, game_of, readings_for
from .words import seconds, some

__all__ = ["Result", "asked_of", "decided_of", "mutate_all"]

FILE = "mutants.json"
# Mutants of which nothing is decided that are told one by one.
_TOLD = 20


@dataclass(frozen=True)
class Result:
    """The mutants of one game, decided, and the seconds it took; ``suite`` says of which."""

    run: Run
    table: Table
    seconds: float
    suite: Path | None = None

    @property
    def exit_code(self) -> Exit:
        """The exit code: open where a mutant is undecided."""
        return Exit.OPEN if self.table.total.undecided else Exit.FINE

    def json(self) -> str:
        """Return every mutant with what became of it, and the tables."""
        return msgspec.json.format(msgspec.json.encode(self._file()), indent=1).decode() + "\n"

    def _file(self) -> MutantsFile:
        ground, table = self.run.ground, self.table
        return MutantsFile(
            FORMAT,
            1,
            ground.game.id,
            Made(ground.edition.name, ground.edition.hash),
            dict(ground.readings),
            list(self.run.checked),
            round(table.total.score, 2),
            table.total,
            dict(table.by_operator),
            dict(table.by_clause),
            dict(table.by_property),
            dict(faults_of(table)),
            Holes(list(table.properties_without), list(table.clauses_without)),
            [self._of(one, self.run.of(one)) for one in self.run.mutants.all],
            self._plays(),
            Times(round(self.seconds, 3)),
        )

    def _of(self, mutant: Mutant, one: Decided) -> MutantData:
        said = MutantData(
            mutant.id,
            mutant.rule,
            mutant.operator,
            list(mutant.clauses),
            mutant.says,
            one.outcome,
            [part.rule for part in mutant.also],
        )
        if one.outcome == "equal":
            proof = f"proofs/{self.run.ground.game.id}/{one.proof}"
            return msgspec.structs.replace(said, proof=proof)
        if one.outcome == "undecided":
            return msgspec.structs.replace(said, reason=one.reason)
        return msgspec.structs.replace(
            said,
            how=one.how,
            play=one.play,
            step=one.step + 1,
            refuted=list(one.refuted),
            accepts=_step(one.refused) if one.refused else None,
            beyond=one.beyond,
        )

    def _plays(self) -> dict[str, list[StepData]]:
        """Return the Plays that tell mutants apart, by number: rules with what they reveal."""
        numbers = sorted({one.play for one in self.run.decided.values() if one.play >= 0})
        return {str(number): [*map(_step, self.run.plays[number])] for number in numbers}

    def text(self) -> RenderableType:
        """Return the tables, the holes, and what is not decided one by one."""
        table, total = self.table, self.table.total
        parts: list[RenderableType] = [
            _grid("change", table.by_operator, total, self.suite is not None),
            _grid("clause", table.by_clause, None, self.suite is not None),
        ]
        if table.properties_without:
            parts.append(Text("No mutant breaks: " + ", ".join(table.properties_without) + "."))
        if table.clauses_without:
            parts.append(
                Text("No property breaks on any mutant of: " + ", ".join(table.clauses_without))
            )
        open_ = [one for one in self.run.mutants.all if self.run.of(one).outcome == "undecided"]
        for one in open_[:_TOLD]:
            parts.append(Text(f"{one.id}: {one.says}\n  undecided: {self.run.of(one).reason}"))
        if len(open_) > _TOLD:
            parts.append(Text(f"… and {len(open_) - _TOLD} more that are undecided"))
        if total.beyond:
            parts.append(
                Text(
                    f"{total.beyond} of those told apart are so only by Plays that break a "
                    "promise, or that no row of the prize table pays: no script can."
                )
            )
        parts.append(Text(self._sum()))
        return Group(*parts)

    def _sum(self) -> str:
        total = self.table.total
        proofs = f" (checked by {' and '.join(self.run.checked)})" if self.run.checked else ""
        suite = f" The suite in {self.suite} kills {total.by_suite}." if self.suite else ""
        return (
            f"{some(total.mutants, 'mutant')}: {total.killed} told apart, {total.equal} proved "
            f"equal{proofs}, {total.undecided} undecided. Score {total.score:.2f} % of those "
            f"not equal.{suite} {seconds(self.seconds)} in all."
        )


def mutate_all(
    reference: str,
    *,
    edition: Path | None,
    readings: Sequence[str],
    own: Path | None,
    suite: Path | None,
    out: Path | None,
    seed: int,
    jobs: int,
    console: Console,
    scheduler: str | None = None,
) -> Result:
    """Decide every mutant of a game, and write what became of them below ``out``.

    ``scheduler`` is the address of a Dask cluster to work on, in place of ``jobs`` processes.
    Raises BadInput for whatever is not known or does not fit together, and where the folder
    cannot be written to.
    """
    began = time.perf_counter()
    asked = asked_of(reference, edition, readings, own)
    run = decided_of(asked, suite, out, seed, jobs, console, scheduler)
    result = Result(run, table_of(run), time.perf_counter() - began, suite)
    if out is not None:
        write_whole(out / FILE, result.json())
    return result


def asked_of(
    reference: str, edition: Path | None, readings: Sequence[str], own: Path | None
) -> Asked:
    """Return what is asked for. Raises BadInput for what does not fit together."""
    game = game_of(reference)
    taken = readings_for({reference: game}, readings)[reference]
    file = read_toml(edition) if edition else None
    asked = Asked(reference, file, taken, read_toml(own) if own else None)
    try:
        ground = asked.ground()
    except ValueError:
        raise clash(load_edition(game, file).game, taken) from None
    if own is not None:
        asked.mutants(ground)  # what is wrong with a file is said first
    return asked


def decided_of(
    asked: Asked,
    suite: Path | None,
    out: Path | None,
    seed: int,
    jobs: int,
    console: Console,
    scheduler: str | None = None,
) -> Run:
    """Decide every mutant, and check what is said of each by other means."""
    ground = asked.ground()
    scripts = scripted(ground, load_cases(suite)) if suite else ()
    begun = begin(ground, scripts, seed, out and output_folder(out))
    with watching(console, len(ground.formulas)) as listener:
        run = decide_all(asked, begun, out, jobs=jobs, scheduler=scheduler, listener=listener)
    check(run)
    return run


def _step(move: Move) -> StepData:
    """Return a move with what it reveals by scalar, without the kind of reveal."""
    revealed = {name.split(".", 2)[2]: value for name, value in move.revealed.items()}
    return StepData(move.rule, revealed)


def _grid(what: str, lines: Any, total: Line | None, suite: bool) -> Grid:
    grid = Grid(box=box.SIMPLE_HEAD, pad_edge=False)
    grid.add_column(what)
    columns = ["mutants", "told apart", "by a property", "equal", "undecided"]
    if suite:
        columns.insert(2, "by the suite")
    for name in columns:
        grid.add_column(name, justify="right")
    rows = [*lines.items(), *([("all", total)] if total else [])]
    for name, line in rows:
        figures = [line.mutants, line.killed, line.by_property, line.equal, line.undecided]
        if suite:
            figures.insert(2, line.by_suite)
        grid.add_row(name, *(str(figure or "") for figure in figures))
    return grid
