"""Certificates on disk: one folder for each property, written whole or not at all.

    <out>/<game>/<property>/manifest.json                       what is stated, with hashes
                            claims.smt2                         what is claimed, as formulas
                            base.smt2 step.smt2 property.smt2   the checks of what is stated
                            times.json                          what took how long
    <out>/<game>/lemmas/<lemma>-<part>-<hash>.smt2              those of lemmas, shared
    <out>/<game>/system-<hash>.smt2                             the game itself, shared

A file of checks holds one after another, each complete, with ``(reset)`` between them; every
answer must be ``unsat``. Each definition in them stands word for word in the system's file or
in ``claims.smt2``. The same verdict gives the same bytes, but for times.json.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from errno import ENOTDIR
from pathlib import Path
from typing import Any

from ..errors import BadInput
from ..files import write_whole
from . import solvers
from .proof_format import FORMAT, MANIFEST, definitions, digest, fingerprint, sealed
from .verdict import Certificate, Obligation, Verdict

__all__ = ["file_certificate", "tidy"]


def file_certificate(
    verdict: Verdict, out: Path, says: str = "", clauses: Sequence[str] = ()
) -> Path | None:
    """Write a verdict's certificate below ``out``; return its folder, None if it has none.

    ``says`` is the property in words. The files are written aside, then put in place of what
    was there; a folder of a property that is proved no more goes. Raises BadInput where the
    folder cannot be written.
    """
    certificate = verdict.certificate
    folder = out / verdict.game / verdict.property
    if certificate is None:
        if (folder / MANIFEST).is_file():
            shutil.rmtree(folder, ignore_errors=True)
        return None
    aside = folder.with_name(f".{folder.name}.{os.getpid()}.new")
    before = folder.with_name(f".{folder.name}.{os.getpid()}.old")
    files = _files(certificate)
    try:
        aside.mkdir(parents=True)
        for name, text in files.items():
            if name.startswith("../"):
                _shared(out / verdict.game / name.removeprefix("../"), text)
            else:
                (aside / name).write_bytes(text.encode())
        for name, facts in (
            (MANIFEST, _manifest(verdict, certificate, files, says, clauses)),
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


def tidy(game: Path) -> None:
    """Remove the shared files of a game's folder that no manifest in it speaks of any more."""
    named: set[str] = set()
    for path in game.glob(f"*/{MANIFEST}"):
        try:
            facts = json.loads(path.read_bytes())
            files = [facts["system"], *facts["checks"]]
            named |= {one["file"] for one in files}
        except (OSError, ValueError, LookupError, TypeError):
            return  # not ours to judge: the re-check says what is wrong with it
    for path in (*game.glob("system-*.smt2"), *game.glob("lemmas/*.smt2")):
        if f"../{path.relative_to(game).as_posix()}" not in named:
            path.unlink(missing_ok=True)
    with suppress(OSError):  # not there, or not empty
        (game / "lemmas").rmdir()


def _files(certificate: Certificate) -> dict[str, str]:
    """Return the text of each file, by its name from the property's folder."""
    system = certificate.system
    given = set(definitions(system).values())
    parts = {
        name: text
        for one in certificate.obligations
        for name, text in definitions(one.text).items()
        if text not in given
    }
    own = {**definitions(certificate.claims), **parts}
    return {
        f"../system-{digest(system)[:8]}.smt2": system,
        "claims.smt2": "".join(own.values()),
        **_checks(certificate),
    }


def _checks(certificate: Certificate) -> dict[str, str]:
    own = {one.id for one in certificate.statement}
    grouped: dict[tuple[str, str], list[Obligation]] = {}
    for obligation in certificate.obligations:
        about = "" if obligation.about in own else obligation.about
        grouped.setdefault((about, obligation.part), []).append(obligation)
    files = {}
    for (about, part), checks in grouped.items():
        text = "(reset)\n".join(f"; {check.name}\n{check.text}" for check in checks)
        lemma = f"../lemmas/{about}-{part}-{digest(text)[:8]}.smt2"
        files[lemma if about else f"{part}.smt2"] = text
    return files


def _shared(path: Path, text: str) -> None:
    """Write a file that other properties use too; its name says what is in it."""
    if path.exists() and path.read_bytes() == text.encode():
        return
    write_whole(path, text)


def _manifest(
    verdict: Verdict,
    certificate: Certificate,
    files: Mapping[str, str],
    says: str,
    clauses: Sequence[str],
) -> dict[str, Any]:
    (system, system_text), (claims, claims_text), *checks = files.items()
    statement = [asdict(one) for one in certificate.statement]
    excluded = [dict(cube) for cube in certificate.excluded]
    names = [(one.id, one.kind) for one in certificate.statement]
    answers: dict[str, dict[str, str]] = {one.name: {} for one in certificate.obligations}
    for answer in verdict.answers:
        solver = f"{answer.solver} {solvers.version(answer.solver)}"
        answers[answer.obligation][solver] = answer.answer
    return sealed(
        {
            "format": FORMAT,
            "game": verdict.game,
            "property": verdict.property,
            "says": says or " ".join(one.says for one in certificate.statement),
            "clauses": list(clauses),
            "outcome": verdict.outcome.value,
            "k": certificate.k,
            "conjuncts": certificate.conjuncts,
            "statement": statement,
            "excluded": excluded,
            "fails-under": [dict(cube) for cube in verdict.fails_under],
            "fixed": certificate.fixed,
            "fingerprint": fingerprint(system_text, claims_text, names, excluded),
            "system": {"file": system, "sha256": digest(system_text)},
            "claims": {"file": claims, "sha256": digest(claims_text)},
            "checks": [{"file": name, "sha256": digest(text)} for name, text in checks],
            "expect": "unsat",
            "answers": answers,
        }
    )


def _times(verdict: Verdict) -> dict[str, Any]:
    return {
        "seconds": verdict.seconds,
        "spent": dict(verdict.spent),
        "answers": [
            {"obligation": a.obligation, "solver": a.solver, "seconds": a.seconds}
            for a in verdict.answers
        ],
    }


def _json(value: dict[str, Any]) -> bytes:
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()
