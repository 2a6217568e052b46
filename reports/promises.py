"""The table of promises: theorem of the mechanics, or obligation on scripts, and kept how."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from ..models.play import Play
from ..models.system import Promise
from ..oracles.promises import Kept
from ..proofs.sane import Found, GameSanity
from .words import some

__all__ = ["PromiseReport", "promises_of"]


@dataclass(frozen=True)
class PromiseReport:
    """What was found of one promise; ``broken`` whether a Play ends with it broken."""

    promise: Promise
    broken: Found | None
    play: int | None
    breaks: Play | None
    kept: Kept | None

    @property
    def standing(self) -> str:
        """What it is: a theorem, an obligation, or nothing that could be judged."""
        if self.broken is None:
            return "judges nothing here: what it speaks of is missing"
        return {
            Found.NO: "theorem of the mechanics",
            Found.YES: "obligation on scripts",
            Found.EXHAUSTED: "budget exhausted: no Play found that breaks it, and no proof",
        }[self.broken]

    def lines(self) -> Iterator[str]:
        """Yield it in short."""
        clauses = ", ".join(self.promise.clauses)
        yield f"  {self.promise.id} ({clauses}): {self.standing}"
        if self.breaks is not None:
            yield f"    broken by a Play: {_rules(self.breaks)}"
        if self.kept and self.kept.judges:
            if self.kept.follows:
                number = some(len(self.kept.follows), "target")
                agreed = ", ".join(self.kept.solvers)
                yield f"    scripts keep it: {number} cannot be won otherwise ({agreed})"
            if self.kept.checked:
                number = some(len(self.kept.checked), "target")
                yield f"    {number}: checked on each script, else it is not written"

    def data(self) -> dict[str, Any]:
        """Return all of it as plain data."""
        return {
            "says": self.promise.says,
            "clauses": list(self.promise.clauses),
            "standing": self.standing,
            "broken_by_play": self.play,
            "kept_by_targets": list(self.kept.follows) if self.kept else [],
            "checked_on_scripts_of": list(self.kept.checked) if self.kept else [],
            "solvers": list(self.kept.solvers) if self.kept else [],
            "certificate": (v.property if self.kept and (v := self.kept.verdict) else None),
        }


def promises_of(
    promises: Sequence[Promise], found: GameSanity, kept: Sequence[Kept]
) -> tuple[PromiseReport, ...]:
    """Return what was found of each promise of a game."""
    reached = {one.condition.claim: one for one in found.promises}
    by_target = {one.promise: one for one in kept}
    made = []
    for promise in promises:
        one = reached.get(promise.id)
        number = one.play if one else None
        breaks = None
        if one and number is not None:
            play = found.plays[number]
            breaks = Play(play.setting, play.steps[: one.step])
        made.append(
            PromiseReport(
                promise, one.found if one else None, number, breaks, by_target.get(promise.id)
            )
        )
    return tuple(made)


def _rules(play: Play) -> str:
    runs = [(rule, len(list(same))) for rule, same in groupby(s.rule for s in play.steps)]
    return ", ".join(rule if times == 1 else f"{rule} × {times}" for rule, times in runs)
