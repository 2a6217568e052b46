"""Certificates on disk: one folder for each property, written whole or not at all.

    <out>/<game>/<property>/base.smt2 step.smt2 property.smt2   the checks of the property
                            manifest.json                       what they are, with hashes
                            times.json                          what took how long
    <out>/<game>/lemmas/<lemma>-<part>-<hash>.smt2              those of lemmas, shared
    <out>/<game>/system-<hash>.smt2                             the game itself, shared

A file holds one check after another, each complete, with ``(reset)`` between them; every answer
must be ``unsat``. The definitions of the game in them stand word for word in the system's file.
The same verdict gives the same bytes, but for times.json.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from errno import ENOTDIR
from hashlib import sha256
from pathlib import Path
from typing import Any

from ..models.errors import BadInput
from ..models.files import write_whole
from . import solvers
from .verdict import Certificate, Obligation, Verdict

__all__ = ["FORMAT", "file_certificate"]

FORMAT = 1


def file_certificate(verdict: Verdict, out: Path) -> Path | None:
    """Write a verdict's certificate below ``out``; return its folder, None if it has none.

    The files are written aside, then put in place of what was there. Raises BadInput where the
    folder cannot be written.
    """
    certificate = verdict.certificate
    if certificate is None:
        return None
    folder = out / verdict.game / verdict.property
    aside = folder.with_name(f".{folder.name}.{os.getpid()}.new")
    before = folder.with_name(f".{folder.name}.{os.getpid()}.old")
    system = f"system-{_hash(certificate.system)[:8]}.smt2"
    files = {f"../{system}": certificate.system, **_checks(verdict.property, certificate)}
    try:
        aside.mkdir(parents=True)
        for name, text in files.items():
            if name.startswith("../"):
                _shared(out / verdict.game / name.removeprefix("../"), text)
            else:
                (aside / name).write_bytes(text.encode())
        for name, facts in (
            ("manifest.json", _manifest(verdict, certificate, files)),
            ("times.json", _times(verdict)),
        ):
            (aside / name).write_bytes(_json(facts))
        if folder.exists():
            if not folder.is_dir():  # somebody else's file: it stays
                raise NotADirectoryError(ENOTDIR, os.strerror(ENOTDIR))
            folder.rename(before)
        aside.rename(folder)
    except OSError as error:
        raise BadInput(f"{folder}: cannot be written: {error.strerror}") from None
    finally:
        shutil.rmtree(aside, ignore_errors=True)
        shutil.rmtree(before, ignore_errors=True)
    return folder


def _checks(own: str, certificate: Certificate) -> dict[str, str]:
    """Return the text of each file of checks, by its name from the property's folder."""
    grouped: dict[tuple[str, str], list[Obligation]] = {}
    for obligation in certificate.obligations:
        grouped.setdefault((obligation.about, obligation.part), []).append(obligation)
    files = {}
    for (about, part), checks in grouped.items():
        text = "(reset)\n".join(f"; {check.name}\n{check.text}" for check in checks)
        lemma = f"../lemmas/{about}-{part}-{_hash(text)[:8]}.smt2"
        files[f"{part}.smt2" if about == own else lemma] = text
    return files


def _shared(path: Path, text: str) -> None:
    """Write a file that other properties use too; its name says what is in it."""
    if path.exists() and path.read_bytes() == text.encode():
        return
    write_whole(path, text)


def _manifest(
    verdict: Verdict, certificate: Certificate, files: Mapping[str, str]
) -> dict[str, Any]:
    system, *checks = files
    answers: dict[str, dict[str, str]] = {}
    for answer in verdict.answers:
        solver = f"{answer.solver} {solvers.version(answer.solver)}"
        answers.setdefault(answer.obligation, {})[solver] = answer.answer
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
        "system": {"file": system, "sha256": _hash(files[system])},
        "checks": [{"file": name, "sha256": _hash(files[name])} for name in checks],
        "expect": "unsat",
        "answers": answers,
    }


def _times(verdict: Verdict) -> dict[str, Any]:
    return {
        "seconds": verdict.seconds,
        "spent": dict(verdict.spent),
        "answers": [
            {"obligation": a.obligation, "solver": a.solver, "seconds": a.seconds}
            for a in verdict.answers
        ],
    }


def _hash(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def _json(value: dict[str, Any]) -> bytes:
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()
