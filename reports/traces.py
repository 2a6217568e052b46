"""The Plays that break properties, as files that viewers of counterexamples read.

    <out>/plays/<game>/<property>/play-1.itf.json    one for each way in which it fails
                                  beside-1.itf.json  a Play to compare with, where it takes two

They lie apart from the proofs: in the folder of a proof there is nothing but what its manifest
lists.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ..files import write_whole
from ..proofs import itf
from ..proofs.verdict import Outcome
from . import json_out
from .judged import Judged

__all__ = ["write_traces"]

_BROKEN = (Outcome.REFUTED, Outcome.DEPENDS)


def write_traces(judged: Iterable[Judged], out: Path) -> None:
    """Write the Plays of verdicts below ``out``, in place of those of an earlier run.

    Raises BadInput where they cannot be written.
    """
    for one in judged:
        verdict = one.verdict
        folder = out / "plays" / verdict.game / verdict.property
        for old in folder.glob("*.itf.json"):
            old.unlink()
        if verdict.outcome not in _BROKEN:
            continue
        for number, (play, after) in enumerate(verdict.plays, start=1):
            told = itf.trace(one.game, play, one.claim, after)
            write_whole(folder / f"play-{number}.itf.json", json_out.text(told))
        for number, other in enumerate(verdict.beside, start=1):
            told = itf.trace(one.game, other.play, one.claim)
            write_whole(folder / f"beside-{number}.itf.json", json_out.text(told))
