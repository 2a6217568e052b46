"""A run of ``playproof prove``: the requests as tasks, the verdicts beside what is expected."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console, Group, RenderableType
from rich.text import Text

from ..files import write_whole
from ..models.editions import has_edition, load_edition
from ..models.registers import has_register, load_register
from ..models.system import Game, Kind, Property
from ..oracles.promises import Kept, kept_by_targets
from ..oracles.reachable import Reach
from ..proofs import depends, induction
from ..proofs.antecedents import antecedents
from ..proofs.budget import Budget
from ..proofs.campaign import Task, Work, run
from ..proofs.encoding import encode
from ..proofs.events import Event, Listener
from ..proofs.filing import file_certificate, tidy
from ..proofs.manifest import Expected, claims_of, expected_under, load_manifest
from ..proofs.sane import GameSanity, Sanity
from ..proofs.sanity import GameCheck
from ..proofs.solvers import NAMES, version
from ..proofs.verdict import Outcome
from . import json_out, tables
from .faults import Exit
from .judged import Judged, exit_code
from .progress import watching
from .request import Request, clash
from .sanity import GameReport, report
from .show import plain
from .traces import write_traces

__all__ = ["Result", "decide", "look", "prove_all"]

# As many Plays that are known already are looked at for what comes about in them.
_PLAYS = 24


@dataclass(frozen=True)
class Result:
    """What a run found out, ready to be shown or written. ``seconds`` is what it took."""

    judged: tuple[Judged, ...]
    requests: tuple[Request, ...]
    sanity: tuple[GameReport, ...]
    seconds: float

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
    began = time.perf_counter()
    total = sum(len(request.claims) + len(request.reachable) + 1 for request in requests)
    with watching(console, total) as listener:
        judged = decide(requests, jobs=jobs, timeout=timeout, listener=listener)
        sanity = look(
            requests, judged, jobs=jobs, timeout=timeout, listener=listener, witness=witness
        )
    return Result(judged, tuple(requests), sanity, time.perf_counter() - began)


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
    sanity: dict[tuple[str, str], Sanity] = {}

    def hear(event: Event) -> None:
        if isinstance(event.sanity, Sanity):
            sanity[event.game, event.property] = event.sanity
        listener(event)

    verdicts = run(work, jobs=jobs, budget=Budget(seconds=timeout), listener=hear)
    return tuple(
        Judged(request.game, claim, verdict, expected, sanity.get((request.game.id, claim.id)))
        for (request, claim, expected, _), verdict in zip(asked, verdicts, strict=True)
    )


def look(
    requests: Sequence[Request],
    judged: Sequence[Judged],
    *,
    jobs: int,
    timeout: float | None,
    listener: Listener,
    witness: bool = False,
) -> tuple[GameReport, ...]:
    """Return the sanity of each request's verdicts: whether what they speak of can come about.

    ``timeout`` is in seconds for each game; ``witness`` asks for a good Play of each property.
    """
    checks: dict[str, GameCheck] = {}
    for request in requests:
        ours = [one for one in judged if one.game is request.game]
        if check := _check(request, ours, witness):
            checks[request.game.id] = check
    budget = Budget(seconds=timeout)
    results = run(list(checks.values()), jobs=jobs, budget=budget, listener=listener)
    found = dict(zip(checks, results, strict=True))
    return tuple(
        report(
            request.game,
            (one for one in judged if one.game is request.game),
            known if isinstance(known := found.get(request.game.id), GameSanity) else None,
            fixed=bool(request.readings or request.edition),
            kept=_kept(request) if _is_whole(request, judged) else (),
        )
        for request in requests
    )


def _is_whole(request: Request, judged: Sequence[Judged]) -> bool:
    """Return whether every property of a game was decided."""
    decided = {one.claim.id for one in judged if one.game is request.game}
    return {claim.id for claim in claims_of(request.game)} <= decided


def _kept(request: Request) -> tuple[Kept, ...]:
    """Return how scripts of the request's edition, or the game's own, keep its promises."""
    edition = request.edition
    if edition is None and has_edition(request.game):
        edition = load_edition(request.game)
    return kept_by_targets(edition) if edition and request.game.promises else ()


def _conditions(request: Request, formulas: Sequence[Judged]) -> bool:
    """Return whether any of these claims has a condition."""
    encoding = encode(request.game, request.parameters, request.readings)
    return any(antecedents(encoding, one.claim) for one in formulas)


def _check(request: Request, judged: Sequence[Judged], witness: bool) -> GameCheck | None:
    """Return what to look for in a game: all of it, or what the properties asked speak of."""
    game = request.game
    formulas = [one for one in judged if one.sanity]
    if not formulas:
        return None
    whole = _is_whole(request, judged)
    if not whole and not witness and not _conditions(request, formulas):
        return None  # nothing to look for
    proved = [
        one.claim
        for one in formulas
        if one.verdict.outcome is Outcome.PROVED and one.claim.kind is not Kind.STEP
    ]
    lemmas = {
        lemma.id
        for one in formulas
        if one.verdict.outcome is Outcome.PROVED
        for lemma in induction.lemmas_of(game, one.claim)
    }
    known = lemmas | {claim.id for claim in proved}
    plays = [play for one in judged for play, _ in one.verdict.plays]
    return GameCheck(
        request.reference,
        tuple(one.claim.id for one in formulas),
        None if whole else (),
        tuple(claim.id for claim in game.properties if claim.id in known),
        tuple(plays[:: 1 + len(plays) // _PLAYS]),
        witnesses=witness,
        parameters=request.parameters or {},
        readings=request.readings,
        figures=request.edition.figures if request.edition else {},
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
