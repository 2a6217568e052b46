"""Check proofs again from their files alone, with every solver there is.

Nothing here imports the models: what is checked is what the files say. A proof is

    confirmed   by every solver that answered, and by two of them where two are installed
    refused     if a solver finds values where there must be none, or nothing to start with
    undecided   if not enough solvers answered

Files that were changed, or that do not fit together, are no proof: BadInput.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from ..errors import BadInput
from . import solvers
from .asking import Asker, Question, ask, ask_all
from .folder import folders
from .obligations import Asked
from .solvers import Result, Steps
from .statement import Library, Proof

__all__ = ["Opinion", "Rechecked", "Standing", "judge", "read_proofs", "recheck"]


class Standing(Enum):
    """What became of a proof that was checked again."""

    CONFIRMED = "confirmed"
    REFUSED = "refused"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Opinion:
    """What a solver answered to one check of a proof."""

    check: str
    result: Result


@dataclass(frozen=True)
class Rechecked:
    """A proof with all answers to its checks, and what follows; ``remark`` says why not.

    ``start`` are the answers to whether there is any start: ``sat`` is right.
    """

    proof: Proof
    standing: Standing
    remark: str
    opinions: tuple[Opinion, ...]
    start: tuple[Result, ...]


def read_proofs(path: Path) -> tuple[Proof, ...]:
    """Return the proofs of a folder, once every file is intact and all checks are as they must.

    Raises BadInput, naming every one, for proofs that are not.
    """
    library = Library()
    proofs: list[Proof] = []
    wrong: list[str] = []
    with _nothing_collected():
        for folder in folders(path):
            try:
                proofs.append(library.proof(folder))
            except BadInput as error:
                wrong.append(str(error))
    if wrong:
        raise BadInput("\n  ".join(["this proof is refused:", *wrong]))
    return tuple(proofs)


@contextmanager
def _nothing_collected() -> Iterator[None]:
    """Keep Python from looking for cycles: what is read has none, and takes a quarter less."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def recheck(
    proofs: Sequence[Proof],
    *,
    jobs: int = os.cpu_count() or 1,
    steps: Steps | None = None,
    asker: Asker = ask,
    heard: Callable[[Result], None] = lambda result: None,
) -> tuple[Rechecked, ...]:
    """Ask every solver that is installed every check, each text once, and judge each proof.

    Raises BadInput where no solver is installed, KeyboardInterrupt on Ctrl-C.
    """
    installed = [name for name in solvers.EVERY if solvers.version(name)]
    if not installed:
        raise BadInput(f"no solver is installed: one of {', '.join(solvers.EVERY)} is needed")
    texts = [text for proof in proofs for text in (proof.start, *_texts(proof.asked))]
    questions = [(solver, text) for text in dict.fromkeys(texts) for solver in installed]
    answers = ask_all(questions, steps or Steps(), jobs=jobs, asker=asker, heard=heard)
    return tuple(judge(proof, installed, answers) for proof in proofs)


def judge(
    proof: Proof, installed: Sequence[str], answers: Mapping[Question, Result]
) -> Rechecked:
    """Return what follows for a proof from the answers to its checks."""
    opinions = tuple(
        Opinion(one.name, answers[solver, one.text])
        for one in proof.asked
        for solver in installed
    )
    start = tuple(answers[solver, proof.start] for solver in installed)
    needed = min(2, len(installed))
    standing, remark = _of_start(start)
    if standing is Standing.CONFIRMED:
        standing, remark = _of_checks(proof.asked, opinions, needed)
    return Rechecked(proof, standing, remark, opinions, start)


def _of_start(results: Sequence[Result]) -> tuple[Standing, str]:
    said = {result.answer for result in results}
    if "unsat" in said:
        return (
            Standing.REFUSED,
            "what is assumed contradicts itself, so that all follows from it",
        )
    if "sat" not in said:
        return Standing.UNDECIDED, f"whether there is a start at all: {_reasons(results)}"
    return Standing.CONFIRMED, ""


def _of_checks(
    asked: Sequence[Asked], opinions: Sequence[Opinion], needed: int
) -> tuple[Standing, str]:
    standing, remark = Standing.CONFIRMED, ""
    for check in asked:
        results = [one.result for one in opinions if one.check == check.name]
        against = [result.solver for result in results if result.answer == "sat"]
        agreed = sum(result.answer == "unsat" for result in results)
        if against:
            others = ", but others say it does" if agreed else ""
            who = " and ".join(against)
            return Standing.REFUSED, f"{check.name} does not hold, by {who}{others}"
        if agreed < needed and standing is Standing.CONFIRMED:
            standing = Standing.UNDECIDED
            remark = f"{check.name}: {_reasons(results)}"
    return standing, remark


def _reasons(results: Sequence[Result]) -> str:
    """Return who did not answer, and why."""
    return "; ".join(
        f"{result.solver} answers {result.answer}"
        + (f" ({result.reason})" if result.reason else "")
        for result in results
        if result.answer not in ("sat", "unsat")
    )


def _texts(asked: Sequence[Asked]) -> list[str]:
    return [one.text for one in asked]
