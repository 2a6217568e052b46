"""The format of a proof folder: what its manifest says, its hashes and its fingerprint.

Who writes proofs and who checks them share this, and nothing else but how texts are laid out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from types import MappingProxyType
from typing import Any

import msgspec

__all__ = [
    "FORMAT",
    "MANIFEST",
    "Claim",
    "File",
    "Manifest",
    "definitions",
    "digest",
    "fingerprint",
    "sealed",
    "stated_names",
]

FORMAT = 2
MANIFEST = "manifest.json"

_DEFINITION = re.compile(r"^\(define-fun (\S+) .*\n  .*\n", re.MULTILINE)


class File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file by its name from the property's folder, and its SHA-256."""

    file: str
    sha256: str


class Claim(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One claim that is stated: ``kind`` is ``invariant`` or ``step``."""

    id: str
    kind: str
    says: str
    clauses: list[str]


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """What a folder states, and the files that prove it.

    ``conjuncts`` are the claims whose conjunction is φ; without them φ is the formula ``phi``
    in the claims. ``excluded`` are the readings under which nothing is stated, each ``{reading:
    choice}``; ``fails-under`` says the same in the fewest words. ``fixed`` is what the system
    was made with, ``answers`` what solvers said then.
    """

    format: int
    game: str
    property: str
    says: str
    clauses: list[str]
    outcome: str
    k: int
    conjuncts: list[str] | None
    statement: list[Claim]
    excluded: list[dict[str, str]]
    fails_under: list[dict[str, str]]
    fixed: dict[str, dict[str, Any]]
    fingerprint: str
    system: File
    claims: File
    checks: list[File]
    expect: str
    answers: dict[str, dict[str, str]]
    seal: str


def digest(text: str) -> str:
    """Return the SHA-256 of a text."""
    return sha256(text.encode()).hexdigest()


@lru_cache(maxsize=16)
def definitions(text: str) -> Mapping[str, str]:
    """Return the definitions of a text as it is written here: two lines for each, by name."""
    return MappingProxyType({found[1]: found[0] for found in _DEFINITION.finditer(text)})


def stated_names(system: str, statement: Iterable[tuple[str, str]]) -> set[str]:
    """Return the names under which a claims' text may define what is stated."""
    rules = [name.removeprefix("guard.") for name in definitions(system)]
    names = {"rigid", "holds"}
    for id_, kind in statement:
        of_rules = (f"claim.{id_}.{rule}" for rule in rules)
        names |= set(of_rules) if kind == "step" else {f"claim.{id_}"}
    return names


def fingerprint(
    system: str,
    claims: str,
    statement: Iterable[tuple[str, str]],
    excluded: Sequence[Mapping[str, str]],
) -> str:
    """Return what two folders have in common that state the same of the same system.

    It is the SHA-256 of the system's text, the definitions of what is stated (ids with kinds),
    and the readings left out. How it is proved is no part of it.
    """
    names = stated_names(system, statement)
    stated = sorted(text for name, text in definitions(claims).items() if name in names)
    left_out = sorted(sorted(cube.items()) for cube in excluded)
    return digest(json.dumps([digest(system), stated, left_out]))


def sealed(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return a manifest's facts with their seal."""
    return {**facts, "seal": digest(json.dumps(facts, sort_keys=True, ensure_ascii=False))}
