"""Making a suite: Plays are collected, few are chosen, and all is written at once.

The same edition, readings, seed and size give the same bytes, but for what proofs took.
"""

from __future__ import annotations

import hashlib
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import msgspec

from ..errors import BadInput
from ..files import output_folder, undisturbed, write_whole
from ..models.play import Replays
from ..proofs.filing import file_certificate
from . import script
from .abreast import abreast
from .collect import Collected, Effort, Tell, collect, untold
from .coverage import chosen
from .ground import Ground, Trace
from .never import Claimed
from .script import Script
from .suite import INDEX, Aim, Listed, Made, Proof, Suite, load
from .targets import Target

__all__ = ["SIZES", "Scripted", "build", "scripted", "size_of"]

# How many scripts reach each goal, where there are as many.
SIZES: Mapping[str, int] = {"small": 1, "normal": 2, "large": 5}
# Scripts that are made in one go.
_PART = 24
# As many of the scripts that reach a goal are named.
_NAMED = 3

# A Play, what it wins, and the how manieth it is that wins this.
_Numbered = tuple[Trace, Target, int]


@dataclass(frozen=True)
class Scripted:
    """A script of a suite and its Play; the goals (ids) it reaches, and is there for."""

    file: str
    script: Script
    trace: Trace
    reaches: frozenset[str]
    credited: tuple[str, ...]


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
    jobs: int = 1,
) -> Suite:
    """Make a suite with so many processes, write it to a folder, and return what it is.

    Nothing is written before all is made, and Ctrl-C does not stop the writing. Scripts and
    proofs of an earlier suite that are no more in it are removed, other files stay. Raises
    BadInput where the folder cannot be written to.
    """
    folder = output_folder(out)
    times = SIZES[size] if isinstance(size, str) else 1
    collected = collect(ground, seed, effort or Effort(kept=times), tell, jobs)
    made = scripted(collected, size, seed, tell, jobs)
    listed = [
        Listed(
            one.file,
            hashlib.sha256(script.encode(one.script)).hexdigest(),
            one.script.target.text,
            len(one.script.steps),
            [*one.credited],
        )
        for one in made
    ]
    with undisturbed():
        for one in made:
            script.write(one.script, folder)
        suite = Suite(
            format="playproof-suite",
            version=1,
            game=ground.game.id,
            edition=Made(ground.edition.name, ground.edition.hash),
            readings=dict(ground.readings),
            seed=seed,
            size=str(size),
            scripts=listed,
            goals=_aims(collected, made, folder),
        )
        _tidy(folder, suite)
        data = msgspec.json.format(msgspec.json.encode(suite), indent=1) + b"\n"
        write_whole(folder / INDEX, data)
    return suite


def scripted(
    collected: Collected,
    size: str | int = "normal",
    seed: int = 0,
    tell: Tell = untold,
    jobs: int = 1,
) -> tuple[Scripted, ...]:
    """Return the scripts of a suite, each with the Play it holds, replayed by the rules."""
    ground, replaying = collected.ground, Replays()
    picked = _picked(collected, size)
    numbered: list[_Numbered] = []
    numbers: Counter[str] = Counter()
    for number, _ in picked:
        target = ground.target(collected.traces[number].end)
        numbers[str(target)] += 1
        numbered.append((collected.traces[number], target, numbers[str(target)]))

    def made(part: Sequence[_Numbered]) -> list[Script]:
        return [
            script.make(
                ground.edition,
                target,
                ground.play(trace),
                number=number,
                seed=seed,
                replaying=replaying,
            )
            for trace, target, number in part
        ]

    def parts() -> Iterator[Sequence[_Numbered]]:
        for at in range(0, len(numbered), _PART):
            tell("scripts", at, len(numbered))
            yield numbered[at : at + _PART]

    scripts = chain.from_iterable(abreast(made, parts(), jobs))
    return tuple(
        Scripted(
            script.file_name(target, times),
            one,
            trace,
            collected.covers[number],
            credited,
        )
        for one, (trace, target, times), (number, credited) in zip(
            scripts, numbered, picked, strict=True
        )
    )


def _picked(collected: Collected, size: str | int) -> list[tuple[int, tuple[str, ...]]]:
    """Return the Plays (by number) that make the suite, with the goals each is there for."""
    times = SIZES[size] if isinstance(size, str) else 1
    covers = dict(enumerate(collected.covers))
    wanted = [goal.id for goal in collected.goals]

    def steps(number: int) -> int:
        return len(collected.traces[number].moves)

    picked = chosen(covers, steps, wanted, times)
    if isinstance(size, str):
        return picked
    others = covers.keys() - {number for number, _ in picked}
    return [*picked, *((number, ()) for number in sorted(others))][:size]


def _aims(collected: Collected, made: Sequence[Scripted], folder: Path) -> list[Aim]:
    """Return what became of every goal, and file the proofs."""
    proofs: dict[str, Proof] = {}
    for claimed in collected.never:
        proof = _filed(claimed, folder)
        proofs |= {goal.id: proof for goal in claimed.goals}
    aims = []
    for goal in collected.goals:
        by = [one.file for one in made if goal.id in one.reaches]
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


def _tidy(folder: Path, suite: Suite) -> None:
    """Remove the scripts and proofs of an earlier suite that are not in this one."""
    try:
        before = load(folder).suite
    except BadInput:
        return
    kept = {one.file for one in suite.scripts}
    for one in before.scripts:
        if one.file not in kept and Path(one.file).name == one.file:
            (folder / one.file).unlink(missing_ok=True)
    proofs = {goal.proof.certificate for goal in suite.goals if goal.proof is not None}
    for goal in before.goals:
        if goal.proof is None or goal.proof.certificate in proofs:
            continue
        path = folder / goal.proof.certificate
        if path.parent.parent == folder / "proofs" and ".." not in path.parts:
            shutil.rmtree(path, ignore_errors=True)
