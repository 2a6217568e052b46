"""A run of ``playproof prove``: the requests as tasks, the verdicts beside what is expected."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.text import Text

from ..files import write_whole
from ..models.editions import load_edition
from ..models.registers import has_register, load_register
from ..models.system import Game, Kind, Property
from ..oracles.promises import Kept
from ..oracles.reachable import Reach
from ..proofs import depends
from ..proofs.budget import Budget
from ..proofs.campaign import Task, Work
from ..proofs.cluster import campaign_on
from ..proofs.encoding import encode
from ..proofs.events import Event, Listener
from ..proofs.filing import file_certificate, tidy
from ..proofs.manifest import Expected, expected_under, load_manifest
from ..proofs.sane import GameSanity, Sanity
from ..proofs.solvers import NAMES, version
from ..proofs.verdict import Outcome
from . import json_out, tables
from .faults import Exit
from .judged import Judged, exit_code
from .looking import Looking, looking
from .progress import watching
from .request import Request, clash
from .sanity import GameReport, report
from .show import plain
from .traces import write_traces
from .verdict_files import junit_of_verdicts, sarif_of_verdicts

__all__ = ["Result", "prove_all"]

# The weight of claims about a game as a whole, which take longest.
_LONG = 2


@dataclass(frozen=True)
class Result:
    """What a run found out, ready to be shown or written.

    ``seconds`` is what it took, ``date`` when it began (UTC).
    """

    judged: tuple[Judged, ...]
    requests: tuple[Request, ...]
    sanity: tuple[GameReport, ...]
    seconds: float
    date: str = ""

    @property
    def exit_code(self) -> Exit:
        """The exit code that follows from the verdicts, and from whether they mean anything."""
        if any(True for one in self.sanity for _ in one.faults()):
            return Exit.WRONG
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
            *tables.paragraphs(line for one in self.sanity for line in one.lines()),
            tables.summary(self.judged, self.seconds),
            *(Text(line, style="dim") for line in stated),
        )

    def json(self) -> str:
        """Return the same as JSON text."""
        sanity = {one.game.id: one.data() for one in self.sanity}
        return json_out.text(
            json_out.verdicts(
                self.judged,
                sanity=sanity,
                exit_code=int(self.exit_code),
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
                date=self.date,
            )
        )

    def junit(self) -> str:
        """Return the same as JUnit XML."""
        return junit_of_verdicts(self.judged, self._faults(), self._facts())

    def sarif(self) -> str:
        """Return the same as SARIF."""
        return sarif_of_verdicts(self.judged, self._faults(), self._facts())

    def _faults(self) -> dict[str, list[str]]:
        return {one.game.id: list(one.faults()) for one in self.sanity}

    def _facts(self) -> dict[str, str]:
        fixed = {f"edition of {r.game.id}": r.edition.name for r in self.requests if r.edition}
        read = {
            f"readings of {request.game.id}": ", ".join(map("=".join, request.readings.items()))
            for request in self.requests
            if request.readings
        }
        return {name: version(name) for name in NAMES} | fixed | read

    def write(self, out: Path) -> None:
        """Write certificates, Plays and the verdicts, as ``verdicts.json`` and the like."""
        for one in self.judged:
            file_certificate(one.verdict, out, one.claim.says, one.claim.clauses)
        for verdict in (kept.verdict for one in self.sanity for kept in one.kept):
            if verdict is not None:
                file_certificate(verdict, out)
        for game in {one.verdict.game for one in self.judged}:
            tidy(out / game)
        write_traces(self.judged, out)
        write_whole(out / "verdicts.json", self.json())
        write_whole(out / "verdicts.xml", self.junit())
        write_whole(out / "verdicts.sarif", self.sarif())
        write_whole(out / "verdicts.txt", plain(self.text()))

    def _limits(self) -> dict[str, list[str]]:
        return {request.game.id: list(_limits(request.game)) for request in self.requests}


def prove_all(
    requests: Sequence[Request],
    jobs: int,
    timeout: float | None,
    console: Console,
    witness: bool = False,
    scheduler: str | None = None,
) -> Result:
    """Decide everything requested, with live progress on a terminal.

    ``timeout`` is in seconds for each property; ``witness`` asks for a good Play of each;
    ``scheduler`` is the address of a Dask cluster to work on, in place of ``jobs`` processes.
    Raises BadInput for readings that contradict one another, KeyboardInterrupt on Ctrl-C.
    """
    began, date = time.perf_counter(), datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    for request in requests:
        _possible(request)
    beside = [looking(request, witness) for request in requests]
    total = sum(len(request.claims) + len(request.reachable) for request in requests)
    total += sum(len(one.work) for one in beside) + len(requests)
    with watching(console, total) as listener:
        campaign = campaign_on(scheduler, jobs, Budget(seconds=timeout))
        judged, sanity = _Deciding(requests, beside, listener).by(campaign)
    return Result(judged, tuple(requests), sanity, time.perf_counter() - began, date)


class _Deciding:
    """Every claim of every request, and what is looked for beside them and after them."""

    def __init__(
        self, requests: Sequence[Request], beside: Sequence[Looking], listener: Listener
    ) -> None:
        self.requests, self.beside, self.listener = requests, beside, listener
        self.asked = [one for r in requests for one in (*_to_prove(r), *_to_reach(r))]
        self.work: list[Work] = [work for *_, work in self.asked]
        self.owners = [request for request, *_ in self.asked]
        for each in beside:
            self.work += each.work
            self.owners += [each.request for _ in each.work]
        self.came: dict[int, Any] = {}
        self.sanity: dict[tuple[str, str], Sanity] = {}
        self.late: list[Request] = []

    def by(
        self, campaign: Callable[..., tuple[Any, ...]]
    ) -> tuple[tuple[Judged, ...], tuple[GameReport, ...]]:
        """Return what is judged, and the sanity of each request."""
        results = campaign(self.work, listener=self._hear, then=self._then)
        later = results[len(self.work) :]
        judged = tuple(one for request in self.requests for one in self._judged(request))
        return judged, tuple(self._report(each, later) for each in self.beside)

    def _hear(self, event: Event) -> None:
        if isinstance(event.sanity, Sanity):
            self.sanity[event.game, event.property] = event.sanity
        self.listener(event)

    def _then(self, number: int, result: object) -> Sequence[Work]:
        """Return what is left to look for in a game, once there are all its verdicts."""
        if number >= len(self.work):
            return ()
        self.came[number] = result
        request = self.owners[number]
        if not all(n in self.came for n, by in enumerate(self.owners) if by is request):
            return ()
        (each,) = (one for one in self.beside if one.request is request)
        left = each.rest(self._found(each)[0], self._judged(request))
        self.late += [request] if left else []
        return (left,) if left else ()

    def _judged(self, request: Request) -> tuple[Judged, ...]:
        return tuple(
            Judged(
                by.game,
                claim,
                self.came[number],
                expected,
                self.sanity.get((by.game.id, claim.id)),
            )
            for number, (by, claim, expected, _) in enumerate(self.asked)
            if by is request
        )

    def _found(self, each: Looking) -> tuple[GameSanity | None, tuple[Kept, ...]]:
        return each.found(
            self.came[number]
            for number in range(len(self.asked), len(self.work))
            if self.owners[number] is each.request
        )

    def _report(self, each: Looking, later: Sequence[object]) -> GameReport:
        request, (found, kept) = each.request, self._found(each)
        of_all = dict(zip(map(id, self.late), later, strict=True)).get(id(request))
        return report(
            request.game,
            self._judged(request),
            of_all if isinstance(of_all, GameSanity) else found,
            fixed=bool(request.readings or request.edition),
            kept=kept,
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
                weight=_LONG if claim.kind is Kind.GENERAL else 0,
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
