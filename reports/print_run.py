"""A run of ``playproof print-run``: what was made, counted row by row beside the audit."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from ..errors import BadInput
from ..files import output_folder
from ..models.editions import Edition, default_readings, load_edition
from ..models.money import pounds
from ..models.setting import settle
from ..oracles.printrun.winners import winners_of
from ..proofs.cluster import Cluster
from . import json_out
from .progress import counting_bar
from .request import clash, game_of, readings_for
from .words import seconds, some

__all__ = ["Result", "make_run"]

FORMAT = "playproof-print-run/1"


@dataclass(frozen=True)
class Result:
    """A run that was made (``oracles.printrun.run.Made``), where it is, and what it took.

    ``compiled`` says whether machine code dealt the Plays.
    """

    edition: Edition
    made: Any
    out: Path
    seconds: float
    compiled: bool

    def json(self) -> str:
        """Return the summary as JSON; what it took is under ``times``."""
        made, winners = self.made, self.made.winners
        rows = [
            {
                "row": target.row or number,
                "prize": str(target),
                "amount": target.amount,
                "plays": self._plays(number),
                "winners": count,
                "audited": audited,
            }
            for number, (target, count, audited) in enumerate(
                zip(winners.targets, winners.winners, winners.audited, strict=True), start=1
            )
        ]
        return json_out.text(
            {
                "format": FORMAT,
                "game": self.edition.game.id,
                "edition": {"name": self.edition.name, "hash": self.edition.hash},
                "plays": made.tally.plays,
                "losing": self._plays(0),
                "rows": rows,
                "empty_rows": [row["row"] for row in rows if not row["plays"]],
                "audited_pool": winners.pool,
                "paid": made.tally.paid,
                "unlike_all_others": made.distinct,
                "lengths": made.tally.lengths,
                "events": made.tally.events,
                "plays_with": made.tally.plays_with,
                "changes": made.tally.effects,
                "times": {"seconds": round(self.seconds, 3)},
            }
        )

    def text(self) -> RenderableType:
        """Return the summary: rows, rules with what they changed, and the rest in words."""
        return Group(self._rows(), self._rules(), Text("\n".join(self._lines())))

    def _plays(self, target: int) -> int:
        return int(self.made.tally.targets.get(str(target), 0))

    def _rows(self) -> Table:
        winners = self.made.winners
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        for name in ("row", "prize", "Plays", "1 in", f"audited, of {winners.pool:,}"):
            table.add_column(name, justify="left" if name == "prize" else "right")
        for number, (target, audited) in enumerate(
            zip(winners.targets, winners.audited, strict=True), start=1
        ):
            count = self._plays(number)
            odds = f"{winners.plays / count:,.2f}" if count else "–"
            row = f"{target.row or number:02}"
            table.add_row(row, Text(str(target)), f"{count:,}", odds, f"{audited:,}")
        table.add_row("", "none", f"{self._plays(0):,}", "", f"{self._losing_audited():,}")
        return table

    def _losing_audited(self) -> int:
        return int(self.made.winners.pool - sum(self.made.winners.audited))

    def _rules(self) -> Table:
        tally = self.made.tally
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        table.add_column("rule")
        table.add_column("events", justify="right")
        table.add_column("in Plays", justify="right")
        table.add_column("of which so many changed")
        for rule, times in tally.events.items():
            some_ = tally.effects.get(rule, {})
            changed = [f"{name} {n:,}" for name, n in some_.items() if n < times]
            row = (rule, f"{times:,}", f"{tally.plays_with[rule]:,}")
            table.add_row(*row, Text(", ".join(changed)))
        return table

    def _lines(self) -> Iterator[str]:
        made, tally = self.made, self.made.tally
        winners = made.winners
        won = tally.plays - self._plays(0)
        overall = f"1 in {tally.plays / won:.2f}" if won else "none"
        payout = ""
        if winners.price:
            share = 100 * tally.paid / (winners.price * tally.plays)
            payout = f", a payout of {share:.2f} %"
        yield (
            f"{some(tally.plays, 'Play')}: {won:,} win ({overall} overall), "
            f"{pounds(tally.paid)} is paid{payout}."
        )
        if winners.plays == winners.pool:
            yield "Winners are those that the audit solved for, row by row."
        else:
            yield (
                f"Winners are those of the audit's {winners.pool:,} Plays in proportion, by "
                "largest remainder."
            )
        if winners.empty:
            pairs = zip(winners.targets, winners.winners, strict=True)
            rows = [
                f"{target.row or number:02} {target}"
                for number, (target, count) in enumerate(pairs, start=1)
                if not count
            ]
            yield f"{some(len(rows), 'row')} left empty: {', '.join(rows)}."
        yield f"Lengths, in events: {_spread(tally.lengths)}."
        yield (
            f"{100 * made.distinct / tally.plays:.2f} % of the Plays ({made.distinct:,}) "
            "differ from every other in what they reveal."
        )
        if made.kept:
            yield f"{some(made.kept, 'part')} of an interrupted run was gone on from."
        if not self.compiled:
            yield "Without numba this takes a hundredfold: pip install '.[fast]'."
        yield f"Written to {self.out}. {seconds(self.seconds)} in all."


def _spread(lengths: dict[str, int]) -> str:
    """Return least, greatest, middle and mean of counted numbers."""
    total = sum(lengths.values())
    ordered = sorted((int(length), count) for length, count in lengths.items())
    passed, middle = 0, 0
    for length, count in ordered:
        passed += count
        if 2 * passed >= total:
            middle = length
            break
    mean = sum(length * count for length, count in ordered) / total
    least, most = ordered[0][0], ordered[-1][0]
    return f"{least} to {most}, half of them up to {middle}, {mean:.2f} on average"


def make_run(
    reference: str,
    out: Path,
    *,
    plays: int,
    seed: int,
    table: Path | None,
    layouts: bool,
    edition: Path | None,
    readings: Sequence[str],
    jobs: int,
    scheduler: str | None = None,
    console: Console,
) -> Result:
    """Make a run and write it to a file, in so many processes, or on a Dask cluster.

    Raises BadInput for whatever is wrong with what is asked for.
    """
    began = time.perf_counter()
    game = game_of(reference)
    taken = readings_for({reference: game}, readings)[reference]
    loaded = load_edition(game, edition)
    chosen = default_readings(loaded.game.setting, taken)
    if settle(loaded.game.setting, loaded.parameters, chosen)[2] is not True:
        raise clash(loaded.game, taken)
    if out.is_dir():
        raise BadInput(f"--out {out}: this is a folder; a file of Parquet was expected")
    if out.suffix.lower() != ".parquet":
        raise BadInput(f"--out {out}: a file that ends in .parquet was expected")
    try:
        import pyarrow  # noqa: F401
    except ModuleNotFoundError:
        raise BadInput("a print run is a Parquet file: pip install '.[fast]'") from None
    from ..oracles.printrun.dealer import compiles
    from ..oracles.printrun.run import Telling, make

    winners = winners_of(loaded, plays, table)
    output_folder(out.parent)
    with ExitStack() as open_:
        cluster = open_.enter_context(Cluster(scheduler)) if scheduler else None
        found, shards = open_.enter_context(_watching(console, len(winners.targets)))
        made = make(
            loaded,
            chosen,
            winners,
            out,
            seed=seed,
            jobs=jobs,
            layouts=layouts,
            cluster=cluster,
            telling=Telling(found, shards, lambda: _lost(console)),
        )
    return Result(loaded, made, out, time.perf_counter() - began, compiles())


def _lost(console: Console) -> None:
    console.print("a process was ended from outside: what it was at is done again")


@contextmanager
def _watching(console: Console, prizes: int) -> Iterator[tuple[Any, Any]]:
    """Show on a terminal how far it has come; on anything else keep silent."""
    if not console.is_terminal:
        yield (lambda target: None), (lambda done, count: None)
        return
    with counting_bar(console) as progress:
        bar = progress.add_task("a Play for each prize", total=prizes)
        yield (
            lambda target: progress.advance(bar),
            lambda done, count: progress.update(
                bar, description="Plays", completed=done, total=count
            ),
        )
