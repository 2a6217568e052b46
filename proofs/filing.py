"""Certificates on disk: one folder for each property, written whole or not at all.

    <out>/<game>/<property>/base.smt2 step.smt2 property.smt2   the checks, each complete
                            manifest.json                       what they are, with hashes
                            times.json                          what took how long

Every check is ``system`` + ``claim`` + its closing lines; the manifest gives the hash of each
of these parts and where they end, so that it can be seen from the files alone that the checks
speak of one system and one claim. The same verdict gives the same bytes, but for times.json.
"""

from __future__ import annotations

import json
import os
import shutil
from hashlib import sha256
from pathlib import Path
from typing import Any

from ..models.errors import BadInput
from . import solvers
from .verdict import Certificate, Verdict

__all__ = ["FORMAT", "file_certificate"]

FORMAT = 1


def file_certificate(verdict: Verdict, out: Path) -> Path | None:
    """Write a verdict's certificate below ``out``; return its folder, None if it has none.

    The files are written aside, then put in place of what was there. Raises BadInput where the
    folder cannot be written.
    """
    if verdict.certificate is None:
        return None
    folder = out / verdict.game / verdict.property
    aside = folder.with_name(f".{folder.name}.{os.getpid()}.new")
    before = folder.with_name(f".{folder.name}.{os.getpid()}.old")
    try:
        aside.mkdir(parents=True)
        for name, text in _files(verdict, verdict.certificate).items():
            (aside / name).write_bytes(text.encode())
        if folder.exists():
            folder.rename(before)
        aside.rename(folder)
    except OSError as error:
        raise BadInput(f"{folder}: cannot be written: {error.strerror}") from None
    finally:
        shutil.rmtree(aside, ignore_errors=True)
        shutil.rmtree(before, ignore_errors=True)
    return folder


def _files(verdict: Verdict, certificate: Certificate) -> dict[str, str]:
    files = {f"{name}.smt2": text for name, text in certificate.texts().items()}
    return {
        **files,
        "manifest.json": _json(_manifest(verdict, certificate)),
        "times.json": _json(
            {
                "seconds": verdict.seconds,
                "spent": dict(verdict.spent),
                "answers": [
                    {"obligation": a.obligation, "solver": a.solver, "seconds": a.seconds}
                    for a in verdict.answers
                ],
            }
        ),
    }


def _manifest(verdict: Verdict, certificate: Certificate) -> dict[str, Any]:
    system, claim = certificate.system.encode(), certificate.claim.encode()
    return {
        "format": FORMAT,
        "game": verdict.game,
        "property": verdict.property,
        "outcome": verdict.outcome.value,
        "method": verdict.method,
        "k": certificate.k,
        "phi": certificate.phi,
        "assumptions": list(verdict.assumptions),
        "fails-under": [dict(cube) for cube in verdict.fails_under],
        "system": {"bytes": len(system), "sha256": sha256(system).hexdigest()},
        "claim": {"bytes": len(claim), "sha256": sha256(claim).hexdigest()},
        "obligations": [
            {
                "file": f"{name}.smt2",
                "sha256": sha256(text.encode()).hexdigest(),
                "expect": "unsat",
                "answers": {
                    f"{answer.solver} {solvers.version(answer.solver)}": answer.answer
                    for answer in verdict.answers
                    if answer.obligation == name
                },
            }
            for name, text in certificate.texts().items()
        ],
    }


def _json(value: dict[str, Any]) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
