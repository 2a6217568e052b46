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
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

import msgspec

from ..errors import BadInput
from ..files import output_folder, write_whole
from ..models.play import Replays
from ..proofs.filing import file_certificate
from . import script
from .collect import Collected, Effort, Tell, collect, untold
from .coverage import chosen
from .ground import Ground
from .never import Claimed
from .script import Script

__all__ = [
    "INDEX",
    "SIZES",
    "Aim",
    "Listed",
    "Loaded",
    "Made",
    "Proof",
    "Suite",
    "build",
    "load",
    "size_of",
]

INDEX = "suite.json"
# How many scripts reach each goal, where there are as many.
SIZES: Mapping[str, int] = {"small": 1, "normal": 2, "large": 5}
# As many of the scripts that reach a goal are named.
_NAMED = 3


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


def size_of(text: str) -> str | int:
    """Return a size as given: a name, or a number of scripts. BadInput if it is neither."""
    if text in SIZES:
        return text
    if text.isascii() and text.isdigit() and int(text):
        return int(text)
    raise BadInput(
        f"size {text!r}: one of {', '.join(SIZES)} was expected, or how many scripts there are "
        "to be, such as 40"
    )


def build(
    ground: Ground,
    out: Path,
    *,
    size: str | int = "normal",
    seed: int = 0,
    effort: Effort | None = None,
    tell: Tell = untold,
) -> Suite:
    """Make a suite, write it to a folder, and return what it is.

    Scripts of an earlier suite that are no more in it are removed, other files stay. Raises
    BadInput where the folder cannot be written to.
    """
    folder = output_folder(out)
    times = SIZES[size] if isinstance(size, str) else 1
    collected = collect(ground, seed, effort or Effort(kept=times), tell)
    picked = _picked(collected, size, times)
    files, scripts, replaying = [], [], Replays()
    numbers: Counter[str] = Counter()
    for number, credited in picked:
        trace = collected.traces[number]
        target = ground.target(trace.end)
        numbers[str(target)] += 1
        of_target = numbers[str(target)]
        made = script.make(
            ground.edition,
            target,
            ground.play(trace),
            number=of_target,
            seed=seed,
            replaying=replaying,
        )
        path = script.write(made, folder)
        digest = hashlib.sha256(script.encode(made)).hexdigest()
        files.append((path.name, collected.covers[number]))
        scripts.append(Listed(path.name, digest, str(target), len(made.steps), [*credited]))
    suite = Suite(
        format="playproof-suite",
        version=1,
        game=ground.game.id,
        edition=Made(ground.edition.name, ground.edition.hash),
        readings=dict(ground.readings),
        seed=seed,
        size=str(size),
        scripts=scripts,
        goals=_aims(collected, files, folder),
    )
    _tidy(folder, {one.file for one in scripts})
    data = msgspec.json.format(msgspec.json.encode(suite), indent=1) + b"\n"
    write_whole(folder / INDEX, data)
    return suite


def _picked(
    collected: Collected, size: str | int, times: int
) -> list[tuple[int, tuple[str, ...]]]:
    """Return the Plays (by number) that make the suite, with the goals each is there for."""
    covers = dict(enumerate(collected.covers))
    wanted = [goal.id for goal in collected.goals]

    def steps(number: int) -> int:
        return len(collected.traces[number].moves)

    picked = chosen(covers, steps, wanted, times)
    if isinstance(size, str):
        return picked
    others = covers.keys() - {number for number, _ in picked}
    return [*picked, *((number, ()) for number in sorted(others))][:size]


def _aims(
    collected: Collected, files: Sequence[tuple[str, frozenset[str]]], folder: Path
) -> list[Aim]:
    """Return what became of every goal, and file the proofs."""
    proofs: dict[str, Proof] = {}
    for claimed in collected.never:
        proof = _filed(claimed, folder)
        proofs |= {goal.id: proof for goal in claimed.goals}
    aims = []
    for goal in collected.goals:
        by = [file for file, reached in files if goal.id in reached]
        if by:
            aim = Aim(goal.id, goal.says, "covered", len(by), by[:_NAMED])
        elif goal.id in proofs:
            aim = Aim(goal.id, goal.says, "impossible", proof=proofs[goal.id])
        else:
            left_out = "left out: the suite was to have fewer scripts"
            reason = collected.why.get(goal.id, left_out)
            aim = Aim(goal.id, goal.says, "undecided", reason=reason)
        aims.append(aim)
    return aims


def _filed(claimed: Claimed, folder: Path) -> Proof:
    """Write the certificate of a proof, and return where it is."""
    proofs = folder / "proofs"
    path = file_certificate(claimed.verdict, proofs, claimed.says)
    solvers = dict.fromkeys(answer.solver for answer in claimed.verdict.answers)
    where = path.relative_to(folder).as_posix() if path else ""
    return Proof(claimed.verdict.method, where, [*solvers])


def _tidy(folder: Path, kept: set[str]) -> None:
    """Remove the scripts of an earlier suite that are not in this one."""
    try:
        before = load(folder).suite
    except BadInput:
        return
    for one in before.scripts:
        if one.file not in kept and Path(one.file).name == one.file:
            (folder / one.file).unlink(missing_ok=True)
