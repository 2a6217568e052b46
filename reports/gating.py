"""A run of ``playproof gate``: edition, proofs, suite, build and logs, checked one by one."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec
from rich.console import Console

from ..errors import BadInput
from ..files import output_folder, write_whole
from ..models.editions import Edition, default_readings, load_edition
from ..models.setting import settle
from ..oracles.finding import Finding
from ..oracles.gate import Gate
from ..oracles.run_results import GateResult, GateStage
from ..oracles.script import Made
from . import json_out, stages
from .faults import Exit
from .junit import junit
from .request import clash, game_of, readings_for
from .sarif import sarif
from .stages import Heard, Stage
from .words import seconds

__all__ = ["Gating", "run_gate"]

_REPORTS = ("gate.json", "gate.xml", "gate.sarif")


@dataclass(frozen=True)
class Gating:
    """What all parts of a run came to, ready to be shown or written."""

    gate: Gate
    edition: Edition
    readings: dict[str, str]
    stages: tuple[Stage, ...]

    @property
    def exit_code(self) -> Exit:
        """The exit code: what is wrong weighs more than what is open."""
        codes = {stage.code for stage in self.stages}
        order = (Exit.INTERRUPTED, Exit.WRONG, Exit.OPEN)
        return next((code for code in order if code in codes), Exit.FINE)

    @property
    def findings(self) -> list[Finding]:
        """The findings of all parts."""
        return [finding for stage in self.stages for finding in stage.findings]

    def summary(self) -> str:
        """Return what it came to, in a line."""
        words = {Exit.FINE: "passed", Exit.OPEN: "open: not everything was decided"}
        failed = [stage.name for stage in self.stages if stage.verdict == "failed"]
        said = words.get(self.exit_code, f"failed: {', '.join(failed)}")
        took = seconds(sum(stage.took for stage in self.stages))
        where = f"{stages.near(self.gate.out)}{os.sep}gate.json"
        return f"gate {said}. {took} in all; see {where}\n"

    def write(self) -> None:
        """Write ``gate.json``, ``gate.xml`` (JUnit) and ``gate.sarif``."""
        contents = (self.json(), self.junit(), self.sarif())
        for name, content in zip(_REPORTS, contents, strict=True):
            write_whole(self.gate.out / name, content)

    def json(self) -> str:
        """Return all of it as JSON; times stand apart, as they differ from run to run."""
        result = GateResult(
            format="playproof-gate",
            version=1,
            game=self.edition.game.id,
            edition=Made(self.edition.name, self.edition.hash),
            readings=self.readings,
            stages=[
                GateStage(one.name, one.verdict, one.says, one.data or msgspec.UNSET)
                for one in self.stages
            ],
            findings=self.findings,
            exit_code=int(self.exit_code),
            times={one.name: round(one.took, 3) for one in self.stages},
        )
        return json_out.text(msgspec.to_builtins(result))

    def junit(self) -> str:
        """Return all of it as JUnit XML: a suite for each thing that was judged."""
        return junit(
            self.findings,
            [file for stage in self.stages for file in stage.files],
            name="playproof gate",
            game=self.edition.game.id,
            properties=self._totals(),
        )

    def sarif(self) -> str:
        """Return all of it as SARIF."""
        return sarif(self.findings, self.edition.game, properties=self._totals())

    def _totals(self) -> dict[str, object]:
        said: dict[str, object] = {
            stage.name: f"{stage.verdict}: {stage.says}" for stage in self.stages
        }
        return said


def run_gate(
    gate: Gate, *, jobs: int, heard: Heard = lambda text: None, console: Console
) -> Gating:
    """Check all that a gate asks for, and write what was found; ``heard`` hears of it at once.

    ``jobs`` are processes that prove, and make a suite. What an earlier run wrote is removed
    first: should this one come to no end, nothing is there that looks like its own. Raises
    BadInput for whatever is not known, cannot be read, or does not fit together.
    """
    _remove_reports(output_folder(gate.out))
    game = game_of(gate.game)
    edition = load_edition(game, gate.edition)
    texts = [f"{id_}={choice}" for id_, choice in gate.readings.items()]
    taken = readings_for({gate.game: game}, texts)[gate.game]
    readings = default_readings(edition.game.setting, taken)
    if settle(edition.game.setting, edition.parameters, readings)[2] is not True:
        raise clash(edition.game, taken)
    stages.check_inputs(gate, edition, readings)
    done: list[Stage] = []
    parts: tuple[Callable[[], Stage], ...] = (
        lambda: stages.edition(gate, edition),
        lambda: stages.proofs(gate, texts, jobs, console),
        lambda: stages.suite(gate, texts, jobs, console),
        lambda: stages.drive(gate, readings, heard, console),
        lambda: stages.logs(gate, texts, heard, console),
    )
    for part in parts:
        began = time.perf_counter()
        done.append(replace(part(), took=time.perf_counter() - began))
        heard(done[-1].line())
    gating = Gating(gate, edition, readings, tuple(done))
    gating.write()
    return gating


def _remove_reports(folder: Path) -> None:
    for name in _REPORTS:
        try:
            (folder / name).unlink(missing_ok=True)
        except OSError as error:
            raise BadInput(f"{folder / name}: cannot be replaced: {error.strerror}") from None
