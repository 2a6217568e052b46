"""The parts of a gate, each checked by what its own command does: edition, proofs and so on.

Whatever is wrong becomes a finding, so that the terminal, JUnit, SARIF and JSON say the same.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from rich.console import Console

from ..models.editions import Edition
from ..models.games import game_ids
from ..oracles.adapters import load_adapter
from ..oracles.builds import Build, connect
from ..oracles.cases import load_cases
from ..oracles.drive import readings_of
from ..oracles.event import Where
from ..oracles.finding import Finding
from ..oracles.gate import BuildUnderTest, Gate
from ..oracles.sources import find_sources
from ..oracles.suite import INDEX, load
from ..oracles.ways import WAYS
from ..proofs import verdict
from ..proofs.audit.audit import Outcome, audit
from ..proofs.audit.of_game import table_of
from ..proofs.recheck import Standing
from .auditing import Audited, audit_of
from .driving import drive_build
from .faults import Exit
from .judging import finding_text, judge_log
from .proving import prove_all
from .rechecking import recheck_all
from .request import choose
from .suiting import make_suite
from .words import some

__all__ = [
    "Heard",
    "Stage",
    "check_inputs",
    "drive",
    "edition",
    "logs",
    "near",
    "proofs",
    "suite",
]

Heard = Callable[[str], None]


@dataclass(frozen=True)
class Stage:
    """One part of a run: what was checked in words, and what it came to.

    ``code`` is None for a part that was left out. ``files`` are what was judged, as findings
    name them; ``data`` is what the part's own command gives as JSON. ``took`` is in seconds.
    """

    name: Literal["edition", "proofs", "suite", "drive", "logs"]
    says: str
    code: Exit | None
    findings: tuple[Finding, ...] = ()
    files: tuple[str, ...] = ()
    data: dict[str, Any] = field(default_factory=dict)
    took: float = 0.0

    @property
    def verdict(self) -> Literal["passed", "failed", "open", "left out"]:
        """What it came to, in a word."""
        if self.code is None:
            return "left out"
        if self.code is Exit.FINE:
            return "passed"
        return "open" if self.code is Exit.OPEN else "failed"

    def line(self) -> str:
        """Return the part in a line."""
        return f"{self.name:8} {self.verdict:8} {self.says}\n"


def edition(gate: Gate, edition: Edition) -> Stage:
    """Audit the prize table; all else loading the edition has checked already."""
    place = near(edition.path) if gate.edition else f"{edition.game.id}, {edition.name} edition"
    said = f"{edition.name!r}: {some(len(edition.parameters), 'parameter')} in range"
    if not edition.prizes:
        return Stage("edition", f"{said}; no prize table", Exit.FINE, files=(place,))
    known = gate.game in game_ids()
    audited = (
        audit_of(gate.game, edition=gate.edition)
        if known
        else Audited(audit(table_of(edition)))
    )
    found = audited.found
    wrong = [f"row {one.row or '?'}: {one.message}" for one in found.flaws]
    if found.outcome is not Outcome.CONSISTENT:
        wrong.append(f"the prize table is {found.outcome.value}: {found.why}".rstrip(": "))
    open_ = audited.exit_code is Exit.OPEN
    findings = tuple(
        Finding("undecided" if open_ else "table", one, Where(place)) for one in wrong
    )
    said += f"; {some(len(edition.prizes), 'row')}: {found.outcome.value}"
    data = json.loads(audited.json())
    return Stage("edition", said, audited.exit_code, findings, (place,), data)


def proofs(gate: Gate, readings: Sequence[str], jobs: int, console: Console) -> Stage:
    """Prove the rules, or check again what was proved; ``jobs`` are processes."""
    if gate.prove is False:
        return Stage("proofs", "prove = false", None)
    if isinstance(gate.prove, Path):
        return _rechecked(gate, gate.prove, jobs, console)
    result = prove_all(choose([gate.game], [], readings, gate.edition), jobs, None, console)
    folder = gate.out / "proofs"
    result.write(folder)
    findings, files = [], []
    for one in result.judged:
        place = near(folder / one.verdict.game / one.verdict.property)
        files.append(place)
        if one.surprise:
            open_ = one.verdict.outcome in (verdict.Outcome.UNDECIDED, verdict.Outcome.BOUNDED)
            message = f"{one.claim.id} ({one.claim.says}) {one.surprise}"
            findings.append(_proof(message, place, one.claim.id, one.claim.clauses, open_))
    for report in result.sanity:
        findings += [_proof(fault, near(folder)) for fault in report.faults()]
    expected = len(files) - len(findings)
    said = f"{expected} of {some(len(files), 'verdict')} as expected, in {near(folder)}"
    return Stage("proofs", said, result.exit_code, tuple(findings), tuple(files))


def _rechecked(gate: Gate, folder: Path, jobs: int, console: Console) -> Stage:
    report = recheck_all(folder, console, against=[gate.game], jobs=jobs)
    findings, files = [], []
    for one in report.found:
        manifest, place = one.proof.folder.manifest, near(one.proof.folder.path)
        files.append(place)
        if one.standing is not Standing.CONFIRMED:
            message = f"{one.proof.folder.name} is {one.standing.value}: {one.remark}"
            open_ = one.standing is Standing.UNDECIDED
            clauses = tuple(manifest.clauses)
            findings.append(_proof(message, place, manifest.property, clauses, open_))
    said = f"{len(files) - len(findings)} of {some(len(files), 'proof')} confirmed"
    said += f", in {near(folder)}, and about this game"
    return Stage("proofs", said, report.exit_code, tuple(findings), tuple(files))


def _proof(
    message: str,
    place: str,
    property_: str = "",
    clauses: tuple[str, ...] = (),
    open_: bool = False,
) -> Finding:
    code = "undecided" if open_ else "proof"
    properties = (property_,) if property_ else ()
    return Finding(code, message, Where(place), clauses=clauses, properties=properties)


def check_inputs(gate: Gate, edition: Edition, readings: Mapping[str, str]) -> None:
    """Raise BadInput for what is not there or does not fit, before anything takes its time.

    That is a suite of another edition, a callable, a log or an adapter that is missing.
    """
    if gate.build is not None:
        _connected(gate, gate.build).restart()
        if any(gate.suite.glob("*.json")):
            readings_of(edition, load_cases(gate.suite), readings)
    find_sources(gate.logs)
    if gate.adapter:
        load_adapter(gate.adapter, edition, gate.folder)


def suite(gate: Gate, readings: Sequence[str], jobs: int, console: Console) -> Stage:
    """Make the suite where it is missing, with so many processes; say what it covers."""
    if gate.build is None:
        return Stage("suite", "there is no build to be driven", None)
    made = not any(gate.suite.glob("*.json"))
    if made:
        make_suite(
            gate.game,
            gate.suite,
            size="normal",
            seed=0,
            edition=gate.edition,
            readings=readings,
            jobs=jobs,
            console=console,
        )
    said = f"{some(len(load_cases(gate.suite)), 'script')} in {near(gate.suite)}"
    if not (gate.suite / INDEX).is_file():
        return Stage("suite", f"{said}; what they cover is not known", Exit.FINE)
    goals = Counter(goal.verdict for goal in load(gate.suite).suite.goals)
    covered = ", ".join(f"{count} {verdict}" for verdict, count in sorted(goals.items()))
    said += f"{', made now' if made else ''}; {some(goals.total(), 'goal')}: {covered}"
    return Stage("suite", said, Exit.FINE)


def drive(gate: Gate, readings: Mapping[str, str], heard: Heard, console: Console) -> Stage:
    """Drive the build through the suite; ``heard`` hears of findings as they come."""
    build = gate.build
    if build is None:
        return Stage("drive", "no [build] is named", None)
    driving = drive_build(
        gate.game,
        gate.suite,
        _connected(gate, build),
        edition=gate.edition,
        readings=readings,
        ways=build.strategies or WAYS,
        without=build.without or (),
        restart=build.restart,
        timeout=build.timeout,
        most=build.max_findings,
        jobs=build.jobs,
        heard=lambda finding: heard(finding_text(finding)),
        console=console,
    )
    done = driving.driven
    said = (
        f"{done.driven} of {some(done.scripts, 'script')}, {some(done.plays, 'Play')}, "
        f"{some(done.asked, 'request')}: {some(len(done.findings), 'finding')}"
    )
    files = tuple(str(case.path) for case in driving.cases[: done.driven])
    return Stage(
        "drive", said, driving.exit_code, (*done.findings, *done.notes), files, driving.data()
    )


def _connected(gate: Gate, build: BuildUnderTest) -> Build:
    return connect(build.command or (), build.url, build.callable, folder=gate.folder)


def logs(gate: Gate, readings: Sequence[str], heard: Heard, console: Console) -> Stage:
    """Judge the logs; ``heard`` hears of findings as they come."""
    if not gate.logs:
        return Stage("logs", "no logs are named", None)
    judged = judge_log(
        gate.game,
        gate.logs,
        edition=gate.edition,
        readings=readings,
        adapter=gate.adapter,
        folder=gate.folder,
        heard=lambda finding: heard(finding_text(finding)),
        console=console,
    )
    found, total = judged.found, judged.judge.summary
    said = (
        f"{some(total.plays, 'Play')} in {some(len(judged.sources), 'file')}: "
        f"{some(found.errors, 'finding')}"
    )
    files = tuple(source.name for source in judged.sources)
    data = json.loads(judged.json())
    return Stage("logs", said, judged.exit_code, tuple(found.kept), files, data)


def near(path: Path) -> str:
    """Return a path as seen from the folder we are in, where it is below that."""
    near = os.path.relpath(path)
    return str(path) if near.startswith(os.pardir) else near
