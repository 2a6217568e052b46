"""Suites: a folder of scripts, and ``suite.json``, which says what they cover.

    suite.json                   the scripts with their hashes, and every goal there is
    row-14_15.00_5+10pg.json …   the scripts (``oracles.script``)
    proofs/GAME/never-pair/ …    certificates that goals are out of reach (for ``recheck``)

A goal is ``covered`` by scripts, ``impossible`` with a proof, or ``undecided`` with the reason.
The same edition, readings, seed and size give the same bytes, but for what proofs took.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

import msgspec

from ..errors import BadInput
from . import script
from .script import Script

__all__ = ["INDEX", "REFUSALS", "Aim", "Listed", "Loaded", "Made", "Proof", "Suite", "load"]

INDEX = "suite.json"
REFUSALS = "refusals.json"
"""What a build has to refuse on the way (``oracles.refusals``); not every suite says."""


class Made(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The edition a suite was made for; ``hash`` is the SHA-256 of its file."""

    name: str
    hash: str


class Listed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A script of the suite; ``covers`` are the goals (ids) for which it is in it."""

    file: str
    sha256: str
    target: str
    steps: int
    covers: list[str]


class Proof(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A proof that no Play reaches a goal: its folder, and the solvers that checked it."""

    method: str
    certificate: str
    checked: list[str]


class Aim(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A goal; ``by`` names the first scripts that reach it, ``scripts`` says how many do."""

    id: str
    says: str
    verdict: Literal["covered", "impossible", "undecided"]
    scripts: int = 0
    by: list[str] = []
    proof: Proof | None = None
    reason: str = ""


class Suite(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What ``suite.json`` holds. Money is in pence."""

    format: Literal["playproof-suite"]
    version: Literal[1]
    game: str
    edition: Made
    readings: dict[str, str]
    seed: int
    size: str
    scripts: list[Listed]
    goals: list[Aim]

    def count(self) -> dict[str, dict[str, int]]:
        """Return how many goals of each kind have which verdict, kinds in their order."""
        found: dict[str, Counter[str]] = {}
        for goal in self.goals:
            found.setdefault(goal.id.partition(":")[0], Counter())[goal.verdict] += 1
        return {kind: dict(verdicts) for kind, verdicts in found.items()}


@dataclass(frozen=True)
class Loaded:
    """A suite in its folder."""

    folder: Path
    suite: Suite

    @cached_property
    def scripts(self) -> Mapping[str, Script]:
        """The scripts by file, in the suite's order; BadInput for one that was changed."""
        return {one.file: self._script(one) for one in self.suite.scripts}

    def _script(self, listed: Listed) -> Script:
        path = self.folder / listed.file
        try:
            data = path.read_bytes()
        except OSError as error:
            raise BadInput(f"{path}: cannot be read: {error.strerror}") from None
        if hashlib.sha256(data).hexdigest() != listed.sha256:
            raise BadInput(
                f"{path}: not the script that {INDEX} lists (its SHA-256 is another one); "
                "make the suite again"
            )
        return script.decode(data, str(path))


def load(folder: Path) -> Loaded:
    """Return the suite in a folder; BadInput if there is none, or it cannot be read."""
    path = folder / INDEX
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BadInput(
            f"{path}: cannot be read: {error.strerror}; "
            f"playproof suite GAME --out {folder} makes a suite"
        ) from None
    try:
        return Loaded(folder, msgspec.json.decode(data, type=Suite))
    except msgspec.DecodeError as error:
        raise BadInput(f"{path}: not a suite of version 1: {error}") from None
