"""Verdicts as JSON: the same facts as the table, and the same bytes for the same answers.

Times, which differ from run to run, stand in one object of their own, ``times``.
"""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Mapping, Sequence
from typing import Any

from ..models.play import Replays
from ..proofs.verdict import Certificate, Verdict, WayOn
from . import trace
from .ending import ending_as_data
from .judged import Judged, not_covered
from .numbers import some

__all__ = ["text", "verdicts"]

FORMAT = "playproof-verdicts/1"


def verdicts(
    judged: Sequence[Judged],
    *,
    sanity: Mapping[str, Any],
    exit_code: int,
    limits: Mapping[str, Sequence[str]],
    promises: Mapping[str, Mapping[str, str]],
    editions: Mapping[str, Mapping[str, str]],
    readings: Mapping[str, Mapping[str, str]],
    versions: Mapping[str, str],
    seconds: float,
    date: str = "",
) -> dict[str, Any]:
    """Return all verdicts of a run as plain data.

    By game: ``sanity`` says what the verdicts are worth, ``limits`` are the sentences that
    every report states, ``promises`` what no rule guarantees, ``editions`` and ``readings``
    what was fixed. ``seconds`` is what the run took, ``date`` when it began.
    """
    replays = Replays()
    return {
        "format": FORMAT,
        "versions": dict(versions),
        "editions": {game: dict(edition) for game, edition in editions.items()},
        "readings": {game: dict(taken) for game, taken in readings.items()},
        "limits": {game: list(said) for game, said in limits.items()},
        "promises": {game: dict(kept) for game, kept in promises.items()},
        "verdicts": [_verdict(one, replays) for one in judged],
        "sanity": dict(sanity),
        "exit_code": exit_code,
        "times": {
            "total": round(seconds, 3),
            "date": date,
            "machine": _machine(),
            "verdicts": {
                f"{one.verdict.game}/{one.verdict.property}": _times(one.verdict)
                for one in judged
            },
        },
    }


def text(data: Mapping[str, Any]) -> str:
    """Return plain data as JSON text, keys in the order given."""
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def _verdict(one: Judged, replays: Replays) -> dict[str, Any]:
    verdict = one.verdict
    return {
        "game": verdict.game,
        "property": verdict.property,
        "says": one.claim.says,
        "clauses": list(one.claim.clauses),
        "verdict": verdict.outcome.value,
        "expected": one.expected.outcome.value,
        "as_expected": not one.surprise,
        "method": verdict.method,
        "depth": verdict.depth,
        "fails_under": [dict(cube) for cube in verdict.fails_under],
        "expected_to_fail_under": [dict(cube) for cube in one.expected.fails_under],
        "certificate": _certificate(verdict.certificate, verdict),
        "plays": [trace.as_data(one.game, play, at, replays) for play, at in verdict.plays],
        "beside": [trace.beside_as_data(one.game, beside) for beside in verdict.beside],
        "ways_on": [_way_on(one, way) for way in verdict.ways_on],
        "termination": verdict.termination and ending_as_data(one.game, verdict.termination),
        "assumptions": list(verdict.assumptions),
        "remark": verdict.remark,
        "does_not_cover": not_covered(verdict),
    }


def _way_on(one: Judged, way: WayOn) -> dict[str, Any]:
    fixed = None if way.fixed is None else trace.revealed_as_data(one.game, way.fixed)
    return {"id": way.id, "rules": list(way.rules), "says": way.says, "reveal": fixed}


def _certificate(certificate: Certificate | None, verdict: Verdict) -> dict[str, Any] | None:
    if certificate is None:
        return None
    answers: dict[str, dict[str, str]] = {one.name: {} for one in certificate.obligations}
    for answer in verdict.answers:
        answers[answer.obligation][answer.solver] = answer.answer
    return {"k": certificate.k, "obligations": answers}


def _machine() -> str:
    """Return on what a run was made: no names, nothing that tells whose it is."""
    cores = some(os.cpu_count() or 1, "core")
    python = platform.python_version()
    return f"{platform.system()}, {platform.machine()}, {cores}, Python {python}"


def _times(verdict: Verdict) -> dict[str, float]:
    spent = {who: round(seconds, 3) for who, seconds in verdict.spent}
    return {"seconds": round(verdict.seconds, 3), **spent}
