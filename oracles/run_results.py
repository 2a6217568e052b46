"""What driving a build came to, and what a gate came to, as they stand in files.

They are what ``drive --format json`` prints and what ``gate.json`` holds: versioned, and the
same bytes for the same input, but for ``times``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from ..models.editions import Edition
from .drive import Driven
from .finding import Finding
from .script import Made

__all__ = ["DriveResult", "GateResult", "GateStage", "drive_result"]


class DriveResult(msgspec.Struct, frozen=True, omit_defaults=True):
    """What driving a build through a suite came to; ``times`` are in seconds."""

    format: Literal["playproof-drive-findings"]
    version: Literal[1]
    game: str
    edition: Made
    readings: dict[str, str]
    suite: str
    build: str
    strategies: list[str]
    checks: list[str]
    scripts: int
    driven: int
    plays: int
    requests: int
    resumes: int
    illegal_steps: int
    values_at_limits: int
    rules_never_taken: list[str]
    fields_never_shown: list[str]
    ended_early: str
    findings: list[Finding]
    exit_code: int
    times: dict[str, float] | msgspec.UnsetType = msgspec.UNSET


class GateStage(msgspec.Struct, frozen=True, omit_defaults=True):
    """One part of a gate; ``result`` is what its own command gives as JSON, if it was run."""

    stage: Literal["edition", "proofs", "suite", "drive", "logs"]
    verdict: Literal["passed", "failed", "open", "left out"]
    says: str
    result: dict[str, Any] | msgspec.UnsetType = msgspec.UNSET


class GateResult(msgspec.Struct, frozen=True):
    """What a gate came to; ``findings`` are those of all its parts, ``times`` in seconds."""

    format: Literal["playproof-gate"]
    version: Literal[1]
    game: str
    edition: Made
    readings: dict[str, str]
    stages: list[GateStage]
    findings: list[Finding]
    exit_code: int
    times: dict[str, float]


def drive_result(
    driven: Driven,
    edition: Edition,
    readings: Mapping[str, str],
    *,
    suite: Path,
    build: str,
    ways: Sequence[str],
    checks: Sequence[str],
    exit_code: int,
) -> DriveResult:
    """Return what driving came to, as it stands in a file, without its times."""
    return DriveResult(
        format="playproof-drive-findings",
        version=1,
        game=edition.game.id,
        edition=Made(edition.name, edition.hash),
        readings=dict(readings),
        suite=str(suite),
        build=build,
        strategies=list(ways),
        checks=list(checks),
        scripts=driven.scripts,
        driven=driven.driven,
        plays=driven.plays,
        requests=driven.asked,
        resumes=driven.resumes,
        illegal_steps=driven.probes,
        values_at_limits=driven.forks,
        rules_never_taken=list(driven.never_taken),
        fields_never_shown=list(driven.never_shown),
        ended_early=driven.stopped,
        findings=[*driven.findings, *driven.notes],
        exit_code=exit_code,
    )
