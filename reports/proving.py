"""A run of ``playproof prove``: the requests as tasks, the verdicts beside what is expected."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
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
from ..proofs.campaign import Task, Work, run
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
) -> Result:
    """Decide everything requested, with live progress on a terminal.

    ``timeout`` is in seconds for each property; ``witness`` asks for a good Play of each.
    Raises BadInput for readings that contradict one another, KeyboardInterrupt on Ctrl-C.
    """
    began, date = time.perf_counter(), datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    for request in requests:
        _possible(request)
    beside = [looking(request, witness) for request in requests]
    total = sum(len(request.claims) + len(request.reachable) for request in requests)
    total += sum(len(one.work) for one in beside) + len(requests)
    campaign = partial(run, jobs=jobs, budget=Budget(seconds=timeout))
    with watching(console, total) as listener:
        judged, found = _decide(requests, beside, campaign, listener)
        sanity = _look(found, judged, campaign, listener)
    return Result(judged, tuple(requests), sanity, time.perf_counter() - began, date)


_Campaign = Callable[..., tuple[Any, ...]]
_Beside = tuple[Looking, GameSanity | None, tuple[Kept, ...]]


def _decide(
    requests: Sequence[Request],
    beside: Sequence[Looking],
    campaign: _Campaign,
    listener: Listener,
) -> tuple[tuple[Judged, ...], tuple[_Beside, ...]]:
    """Decide every claim of every request; look, meanwhile, for what needs no verdict."""
    asked: list[tuple[Request, Property, Expected, Work]] = []
    for request in requests:
        asked += [*_to_prove(request), *_to_reach(request)]
    work = [*(one for *_, one in asked), *(one for each in beside for one in each.work)]
    sanity: dict[tuple[str, str], Sanity] = {}

    def hear(event: Event) -> None:
        if isinstance(event.sanity, Sanity):
            sanity[event.game, event.property] = event.sanity
        listener(event)

    results = iter(campaign(work, listener=hear))
    judged = tuple(
        Judged(game, claim, next(results), expected, sanity.get((game.id, claim.id)))
        for game, claim, expected in ((r.game, c, e) for r, c, e, _ in asked)
    )
    return judged, tuple((one, *one.found(results)) for one in beside)


def _look(
    beside: Sequence[_Beside],
    judged: Sequence[Judged],
    campaign: _Campaign,
    listener: Listener,
) -> tuple[GameReport, ...]:
    """Return the sanity of each request: whether what its verdicts speak of can come about."""
    left = {
        one.request.game.id: work
        for one, found, _ in beside
        if (work := one.rest(found, [each for each in judged if each.game is one.request.game]))
    }
    results = dict(zip(left, campaign(list(left.values()), listener=listener), strict=True))
    return tuple(
        report(
            one.request.game,
            (each for each in judged if each.game is one.request.game),
            later
            if isinstance(later := results.get(one.request.game.id), GameSanity)
            else found,
            fixed=bool(one.request.readings or one.request.edition),
            kept=kept,
        )
        for one, found, kept in beside
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
