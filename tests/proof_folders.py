"""Proof folders of a small game, and ways to tamper with them."""

from __future__ import annotations

import json
import re
import shutil
from hashlib import sha256
from pathlib import Path

from playproof.proofs import filing
from playproof.proofs.proof_format import fingerprint, sealed
from playproof.proofs.prover import prove

from .lucky_dip import LUCKY_DIP
from .small_systems import WAYS

PROVED = ("in-range", "stars-carry", "no-coin-lost", "draws-count-down")
"""By lemmas and alone, of states and of steps, except under a reading, and with a found φ."""

REFERENCE = "tests.lucky_dip:LUCKY_DIP"


def write(out: Path) -> Path:
    """Write the proofs of Lucky Dip, and one by 3-induction; return the folder."""
    for game, names in ((LUCKY_DIP, PROVED), (WAYS, ("c-is-not-seven",))):
        for name in names:
            claim = game.property(name)
            filing.file_certificate(prove(game, name), out, claim.says, claim.clauses)
    return out


def copy(folder: Path, to: Path) -> Path:
    """Return a copy of a folder, to tamper with."""
    return Path(shutil.copytree(folder, to / folder.name))


def manifest(folder: Path) -> dict:
    """Return the manifest of a property's folder."""
    return json.loads((folder / "manifest.json").read_text())


def file_of(folder: Path, kind: str) -> Path:
    """Return a property's first file of a kind: system, claims, base, step, property, lemma."""
    facts = manifest(folder)
    if kind in ("system", "claims"):
        return (folder / facts[kind]["file"]).resolve()
    names = [one["file"] for one in facts["checks"]]
    wanted = "../lemmas/" if kind == "lemma" else kind
    return (folder / next(name for name in names if name.startswith(wanted))).resolve()


def edit(path: Path, old: str, new: str, count: int = 1) -> None:
    """Replace text in a file, where it is."""
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, count))


def flip(path: Path, after: str = "(define-fun ") -> None:
    """Change one constant of a file: the first number in a definition."""
    text = path.read_text()
    found = re.compile(r"(?<=[ (])\d+(?=[ )\n])").search(text, text.index(after))
    assert found
    path.write_text(f"{text[: found.start()]}{int(found[0]) + 1}{text[found.end() :]}")


def repair(out: Path) -> None:
    """Make every hash that manifests hold the hash of what is there."""
    for path in out.glob("*/*/manifest.json"):
        facts = json.loads(path.read_text())
        for one in (facts["system"], facts["claims"], *facts["checks"]):
            one["sha256"] = sha256((path.parent / one["file"]).read_bytes()).hexdigest()
        facts["fingerprint"] = fingerprint(
            (path.parent / facts["system"]["file"]).read_text(),
            (path.parent / facts["claims"]["file"]).read_text(),
            [(one["id"], one["kind"]) for one in facts["statement"]],
            facts["excluded"],
        )
        del facts["seal"]
        path.write_text(json.dumps(sealed(facts), ensure_ascii=False))


def change(folder: Path, **fields: object) -> None:
    """Change fields of a property's manifest, and its hashes with them."""
    facts = manifest(folder) | {name.replace("_", "-"): v for name, v in fields.items()}
    (folder / "manifest.json").write_text(json.dumps(facts, ensure_ascii=False))
    repair(folder.parent.parent)
