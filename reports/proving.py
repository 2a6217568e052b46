"""A run of ``playproof prove``: the requests as tasks, the verdicts beside what is expected."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console, Group, RenderableType
from rich.text import Text

from ..models.editions import load_edition
from ..models.files import write_whole
from ..models.registers import has_register, load_register
from ..models.system import Game, Property
from ..oracles.reachable import Reach
from ..proofs import depends
from ..proofs.budget import Budget
from ..proofs.campaign import Task, Work, run
from ..proofs.encoding import encode
from ..proofs.events import Listener
from ..proofs.filing import file_certificate, tidy
from ..proofs.manifest import Expected, expected_under, load_manifest
from ..proofs.solvers import NAMES, version
from ..proofs.verdict import Outcome
from . import json_out, tables
from .faults import Exit
from .judged import Judged, exit_code
from .progress import watching
from .request import Request, clash
from .show import plain
from .traces import write_traces

__all__ = ["Result", "prove_all"]


@dataclass(frozen=True)
class Result:
    """What a run found out, ready to be shown or written. ``seconds`` is what it took."""

    judged: tuple[Judged, ...]
    requests: tuple[Request, ...]
    seconds: float

    @property
    def exit_code(self) -> Exit:
        """The exit code that follows from the verdicts."""
        return exit_code(self.judged)

    def text(self) -> RenderableType:
        """Return the table, what it has no room for, and what every report states."""
        stated = [line for request in self.requests for line in _of_one_edition(request)]
        stated += [f"{game}: {line}" for game, said in self._limits().items() for line in said]
        stated += [
            f"{request.game.id}: no rule guarantees {promise.id}, scripts must keep it: "
            f"{promise.says}"
            for request in self.requests
            for promise in request.game.promises
        ]
        return Group(
            tables.verdicts(self.judged),
            *tables.remarks(self.judged),
            tables.summary(self.judged, self.seconds),
            *(Text(line, style="dim") for line in stated),
        )

    def json(self) -> str:
        """Return the same as JSON text."""
        return json_out.text(
            json_out.verdicts(
                self.judged,
                limits=self._limits(),
                promises={
                    request.game.id: {one.id: one.says for one in request.game.promises}
                    for request in self.requests
                },
                editions={
                    request.game.id: {"name": edition.name, "sha256": edition.hash}
                    for request in self.requests
                    if (edition := request.edition)
                },
                readings={r.game.id: dict(r.readings) for r in self.requests},
                versions={name: version(name) for name in NAMES},
                seconds=self.seconds,
            )
        )

    def write(self, out: Path) -> None:
        """Write certificates, Plays, ``verdicts.json`` and ``verdicts.txt`` to a folder."""
        for one in self.judged:
            file_certificate(one.verdict, out, one.claim.says, one.claim.clauses)
        for game in {one.verdict.game for one in self.judged}:
            tidy(out / game)
        write_traces(self.judged, out)
        write_whole(out / "verdicts.json", self.json())
        write_whole(out / "verdicts.txt", plain(self.text()))

    def _limits(self) -> dict[str, list[str]]:
        return {request.game.id: list(_limits(request.game)) for request in self.requests}


def prove_all(
    requests: Sequence[Request], jobs: int, timeout: float | None, console: Console
) -> Result:
    """Decide everything requested, with live progress on a terminal.

    ``timeout`` is in seconds for each property. Raises BadInput for readings that contradict
    one another, KeyboardInterrupt on Ctrl-C.
    """
    began = time.perf_counter()
    total = sum(len(request.claims) + len(request.reachable) for request in requests)
    with watching(console, total) as listener:
        judged = decide(requests, jobs=jobs, timeout=timeout, listener=listener)
    return Result(judged, tuple(requests), time.perf_counter() - began)


def decide(
    requests: Sequence[Request], *, jobs: int, timeout: float | None, listener: Listener
) -> tuple[Judged, ...]:
    """Decide every claim of every request, ``jobs`` at a time (``timeout`` in seconds each).

    Raises BadInput for readings that contradict one another: of nothing, all is true.
    """
    for request in requests:
        _possible(request)
    asked: list[tuple[Request, Property, Expected, Work]] = []
    for request in requests:
        asked += [*_to_prove(request), *_to_reach(request)]
    work = [one for *_, one in asked]
    verdicts = run(work, jobs=jobs, budget=Budget(seconds=timeout), listener=listener)
    return tuple(
        Judged(request.game, claim, verdict, expected)
        for (request, claim, expected, _), verdict in zip(asked, verdicts, strict=True)
    )


def _to_prove(request: Request) -> Iterator[tuple[Request, Property, Expected, Work]]:
    """Yield each claim about every Play, the verdict expected (a lemma: proved), and a task."""
    known = load_manifest(request.game)
    figures = request.edition.figures if request.edition else {}
    for claim in request.claims:
        expected = known.get(claim.id, Expected(Outcome.PROVED))
        yield (
            request,
            claim,
            expected_under(request.game, expected, request.readings),
            Task(
                request.reference,
                claim.id,
                request.parameters or {},
                request.readings,
                figures,
            ),
        )


def _to_reach(request: Request) -> Iterator[tuple[Request, Property, Expected, Work]]:
    """Yield each claim that a prize can be won, under the edition or the game's own."""
    known = load_manifest(request.game)
    for claim, kind in request.reachable.values():
        work = Reach(request.reference, claim.id, request.source, request.readings)
        yield request, claim, known[kind.id], work


def _of_one_edition(request: Request) -> Iterator[str]:
    """Yield under what prizes were found to be reachable, if any were looked for."""
    if request.reachable:
        edition = request.edition or load_edition(request.game)
        fixed = "".join(f", {id_} = {choice}" for id_, choice in request.readings.items())
        others = "that goes with it of every other" if fixed else "of every"
        yield (
            f"{request.game.id}: what is said to be reachable is so under edition "
            f"{edition.name!r}{fixed} and the first choice {others} reading."
        )


def _limits(game: Game) -> Iterator[str]:
    """Yield what every report of a game states: what its proofs cannot speak of."""
    if has_register(game.id):
        for clause in load_register(game.id).clauses:
            if clause.kind == "limit":
                yield f"{clause.id}: {clause.text}"


def _possible(request: Request) -> None:
    encoding = encode(request.game, request.parameters, request.readings)
    if depends.impossible(encoding, Budget().induction):
        raise clash(request.game, request.readings)
