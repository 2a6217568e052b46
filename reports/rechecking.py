"""A run of ``playproof recheck``: what each proof states, who confirmed it, and in what time.

Nothing here imports the models, so that proofs are checked where there are none; only
``--against`` needs them, and ``against`` is imported for it alone.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.progress import Progress
from rich.table import Table
from rich.text import Text

from ..errors import BadInput
from ..files import write_whole
from ..proofs import solvers
from ..proofs.proof_objects import ProofObject, proof_objects
from ..proofs.recheck import Rechecked, Standing, read_proofs, recheck
from ..proofs.solvers import Result, Steps
from ..proofs.statement import Proof
from .faults import Exit
from .numbers import seconds, some

__all__ = ["Report", "recheck_all"]

FORMAT = "playproof-recheck/1"

_STYLE = {
    Standing.CONFIRMED: "green",
    Standing.REFUSED: "red",
    Standing.UNDECIDED: "magenta",
}


@dataclass(frozen=True)
class Report:
    """What a run found out. ``took`` is in seconds; ``objects`` are by the text proved."""

    found: tuple[Rechecked, ...]
    took: float
    objects: dict[str, ProofObject]

    @property
    def exit_code(self) -> Exit:
        """The exit code: a proof that is wrong weighs more than one that is open."""
        standings = {one.standing for one in self.found}
        if Standing.REFUSED in standings:
            return Exit.WRONG
        return Exit.OPEN if Standing.UNDECIDED in standings else Exit.FINE

    def text(self) -> RenderableType:
        """Return the table of proofs, what each states, and what was wrong with any."""
        return Group(
            self._table(),
            *(line for one in self.found for line in _statement(one)),
            Text(),
            *self._closing(),
        )

    def _table(self) -> Table:
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        table.add_column("proof", no_wrap=True)
        table.add_column("verdict", no_wrap=True)
        table.add_column("checks", justify="right", no_wrap=True)
        for solver in _installed():
            table.add_column(solver, no_wrap=True)
        table.add_column("statement", no_wrap=True)
        game = ""
        for one in self.found:
            manifest = one.proof.folder.manifest
            if manifest.game != game:
                game = manifest.game
                table.add_row(Text(game, style="bold"))
            table.add_row(
                Text(f"  {manifest.property}"),
                Text(one.standing.value, style=_STYLE[one.standing]),
                Text(str(len(one.proof.asked))),
                *(Text(_said_by(one, solver)) for solver in _installed()),
                Text(manifest.fingerprint[:16]),
            )
            if other := _stated_instead(one):
                table.add_row(Text(f"    states {', '.join(other)}", style="dim"))
        return table

    def _closing(self) -> Iterator[Text]:
        counts = Counter(one.standing for one in self.found)
        said = ", ".join(f"{counts[s]} {s.value}" for s in Standing if counts[s])
        asked = {id(o.result): o.result for one in self.found for o in one.opinions}
        took: dict[str, list[float]] = {name: [] for name in _installed()}
        for result in asked.values():
            took[result.solver].append(result.seconds)
        shares = ", ".join(
            f"{name} {solvers.version(name)} {seconds(sum(times))} "
            f"for {some(len(times), 'check')}"
            for name, times in took.items()
        )
        yield Text(f"{said}. {seconds(self.took)} in all; at work: {shares}.")
        missing = [name for name in solvers.EVERY if not solvers.version(name)]
        if missing:
            yield Text(f"Not installed, so not asked: {', '.join(missing)}.", style="dim")
        texts = {asked.text for one in self.found for asked in one.proof.asked}
        if self.objects:
            holes = sum(one.holes for one in self.objects.values())
            open_ = sum(bool(one.holes) for one in self.objects.values())
            yield Text(
                f"{some(len(self.objects), 'proof')} by cvc5 stored, "
                f"{open_} of them with holes ({some(holes, 'hole')} in all); "
                f"{some(len(texts - self.objects.keys()), 'check')} without one."
            )

    def json(self) -> str:
        """Return the same as JSON text; times stand apart, as they differ from run to run."""
        facts = {
            "format": FORMAT,
            "solvers": {name: solvers.version(name) or None for name in solvers.EVERY},
            "proofs": [self._proof(one) for one in self.found],
            "times": {"seconds": round(self.took, 3), "proofs": list(map(_times, self.found))},
        }
        return json.dumps(facts, indent=2, ensure_ascii=False) + "\n"

    def _proof(self, one: Rechecked) -> dict[str, Any]:
        manifest = one.proof.folder.manifest
        answers: dict[str, dict[str, dict[str, str]]] = {}
        for opinion in one.opinions:
            answer = {"answer": opinion.result.answer, "reason": opinion.result.reason}
            answers.setdefault(opinion.check, {})[opinion.result.solver] = answer
        checks: list[dict[str, Any]] = [
            {"check": asked.name, "answers": answers[asked.name]} for asked in one.proof.asked
        ]
        for check, asked in zip(checks, one.proof.asked, strict=True):
            if asked.text in self.objects:
                made = self.objects[asked.text]
                check["proof"] = {"file": made.file, "steps": made.steps, "holes": made.holes}
        return {
            "game": manifest.game,
            "property": manifest.property,
            "says": manifest.says,
            "clauses": manifest.clauses,
            "statement": [
                {"id": c.id, "kind": c.kind, "says": c.says, "clauses": c.clauses}
                for c in one.proof.claims
            ],
            "states_property": not _stated_instead(one),
            "outcome": manifest.outcome,
            "excluded": manifest.excluded,
            "fails_under": manifest.fails_under,
            "fixed": {
                what: manifest.fixed.get(what, {}) for what in ("parameters", "readings")
            },
            "k": manifest.k,
            "fingerprint": manifest.fingerprint,
            "verdict": one.standing.value,
            "remark": one.remark,
            "start": {result.solver: result.answer for result in one.start},
            "checks": checks,
        }


def recheck_all(
    path: Path,
    console: Console,
    *,
    against: Sequence[str] = (),
    objects: Path | None = None,
    jobs: int = 1,
    timeout: float | None = None,
) -> Report:
    """Check every proof of a folder again, compare it with games, store cvc5's proofs.

    ``timeout`` is in seconds for each check. ``objects`` is where cvc5's proofs go.
    Raises BadInput for a folder that is changed or no proof, and for a game that no proof is
    about; KeyboardInterrupt on Ctrl-C.
    """
    began = time.perf_counter()
    if objects is not None and objects.resolve().is_relative_to(path.resolve()):
        raise BadInput(f"{objects}: proofs are stored elsewhere than in the folder they prove")
    proofs = read_proofs(path)
    differing = _differences(proofs, against)
    total = len({text for proof in proofs for text in (proof.start, *_texts(proof))})
    with _watching(console, total * len(_installed())) as heard:
        found = recheck(proofs, jobs=jobs, steps=Steps(seconds=timeout), heard=heard)
    found = tuple(
        replace(one, standing=Standing.REFUSED, remark=differing[one.proof.folder.path])
        if one.proof.folder.path in differing
        else one
        for one in found
    )
    made: dict[str, ProofObject] = {}
    if objects is not None:
        made = proof_objects(proofs, jobs=jobs)
        for one in made.values():
            write_whole(objects / one.file, one.content)
        write_whole(objects / "index.json", _index(proofs, made))
    return Report(found, time.perf_counter() - began, made)


def _differences(proofs: Sequence[Proof], against: Sequence[str]) -> dict[Path, str]:
    """Return, by folder, how a proof's statement differs from the games' own."""
    if not against:
        return {}
    try:
        from .against import compare
    except ImportError as error:
        raise BadInput(
            f"--against needs the models, and they cannot be imported here: {error}"
        ) from None
    return compare(proofs, against)


def _index(proofs: Sequence[Proof], made: Mapping[str, ProofObject]) -> str:
    """Return which file proves which check, as JSON text."""
    entries = [
        {
            "game": proof.folder.manifest.game,
            "property": proof.folder.manifest.property,
            "check": asked.name,
            "file": made[asked.text].file if asked.text in made else None,
            "holes": made[asked.text].holes if asked.text in made else None,
        }
        for proof in proofs
        for asked in proof.asked
    ]
    return json.dumps(entries, indent=2, ensure_ascii=False) + "\n"


class _watching:
    """Show on a terminal how many checks were answered."""

    def __init__(self, console: Console, total: int) -> None:
        self.progress = Progress(
            console=console, transient=True, disable=not console.is_terminal
        )
        self.total = total

    def __enter__(self) -> Callable[[Result], None]:
        self.progress.start()
        task = self.progress.add_task("checks", total=self.total)
        return lambda result: self.progress.advance(task)

    def __exit__(self, *_: object) -> None:
        self.progress.stop()


def _texts(proof: Proof) -> list[str]:
    return [one.text for one in proof.asked]


def _installed() -> list[str]:
    return [name for name in solvers.EVERY if solvers.version(name)]


def _said_by(one: Rechecked, solver: str) -> str:
    """Return what a solver answered to the checks of a proof, and the time it took."""
    results = [o.result for o in one.opinions if o.result.solver == solver]
    counts = Counter(result.answer for result in results)
    said = ", ".join(f"{count} {answer}" for answer, count in sorted(counts.items()))
    return f"{said}, {seconds(sum(result.seconds for result in results))}"


def _statement(one: Rechecked) -> Iterator[RenderableType]:
    """Yield what a proof states in words, and what became of it if it is not confirmed."""
    manifest = one.proof.folder.manifest
    yield Text(f"{one.proof.folder.name}", style="bold")
    other = _stated_instead(one)
    said = dict.fromkeys([manifest.says, *(claim.says for claim in one.proof.claims)])
    lines = [*said]
    if other:
        about = f"{manifest.property} is {manifest.outcome} ({manifest.says})"
        lines = [f"{claim.id}: {claim.says}" for claim in one.proof.claims]
        lines.append(f"That by this {about} is not checked here; --against says what it takes.")
    for cube in manifest.fails_under:
        taken = " and ".join(f"{name} = {choice}" for name, choice in sorted(cube.items()))
        lines.append(f"except under {taken}")
    for name, choice in manifest.fixed.get("readings", {}).items():
        lines.append(f"where {name} is taken as {choice}")
    if given := manifest.fixed.get("parameters", {}):
        lines.append(f"for these values alone: {json.dumps(given)}")
    if one.remark:
        lines.append(f"{one.standing.value}: {one.remark}")
    for line in lines:
        yield Padding(Text(line), (0, 0, 0, 2))


def _stated_instead(one: Rechecked) -> list[str]:
    """Return what a proof states where that is not the property it is filed under."""
    stated = [claim.id for claim in one.proof.claims]
    return [] if one.proof.folder.manifest.property in stated else stated


def _times(one: Rechecked) -> dict[str, Any]:
    checks: dict[str, dict[str, float]] = {}
    for opinion in one.opinions:
        took = round(opinion.result.seconds, 3)
        checks.setdefault(opinion.check, {})[opinion.result.solver] = took
    manifest = one.proof.folder.manifest
    return {"game": manifest.game, "property": manifest.property, "checks": checks}
