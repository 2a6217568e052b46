"""Sanity as work for a campaign: of one property beside its proof, of one game as a whole.

A property is looked at by the worker that proved it, while its checks are at hand. Whether
things come about is looked for once for a game, as one Play often meets many conditions.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..models.play import Play
from ..models.system import Kind, Property
from . import cores, triviality
from .antecedents import Antecedent, antecedents, promise_broken, rule_fires
from .budget import Budget
from .events import Event, Listener
from .reaching import Reaching
from .sane import Found, GameSanity, Sanity
from .solvers import Steps
from .verdict import Outcome, Verdict
from .walks import walks
from .witness import witness
from .workbench import Workbench

__all__ = ["GameCheck", "check_game", "check_property", "judged_kinds"]

judged_kinds = (Kind.INVARIANT, Kind.STEP, Kind.LEMMA)
"""The kinds of claim that are formulas, of which sanity can be asked."""


def check_property(
    bench: Workbench, claim: Property, verdict: Verdict, seconds: float | None = None
) -> Sanity | None:
    """Return what sanity finds of a property beside its verdict; None where it is no formula.

    ``seconds`` bounds it; what is not done by then is ``budget exhausted``.
    """
    if claim.kind not in judged_kinds:
        return None
    began = time.perf_counter()

    def within(steps: Steps) -> Steps:
        if seconds is None:
            return steps
        return replace(steps, seconds=max(0.001, seconds - (time.perf_counter() - began)))

    encoding = bench.encoding
    falsifiable = triviality.falsifiable(encoding, claim, within(triviality.BUDGET))
    trivial = triviality.trivial(encoding, claim, within(triviality.BUDGET))
    needs = None
    if verdict.certificate and verdict.outcome in (Outcome.PROVED, Outcome.DEPENDS):
        steps = within(cores.BUDGET)
        needs = cores.needs_of(bench, verdict.certificate.obligations, steps)
    return Sanity(falsifiable, trivial, needs, time.perf_counter() - began)


def check_game(
    bench: Workbench,
    claims: Sequence[Property],
    *,
    rules: Sequence[str] | None = None,
    proved: tuple[str, ...] = (),
    plays: Sequence[Play] = (),
    witnesses: bool = False,
    seconds: float | None = None,
    before: GameSanity | None = None,
    brief: bool = False,
) -> GameSanity:
    """Return whether a Play can start, rules fire and antecedents come about.

    ``rules`` are ids, None for all of the game. ``proved`` are invariants and lemmas that are
    proved; ``plays`` are known Plays. A ``brief`` look is for what is found without these;
    what it found is ``before`` for the rest.
    """
    began = time.perf_counter()
    encoding = bench.encoding
    named = [rule.id for rule in encoding.game.rules] if rules is None else rules
    fires = [rule_fires(encoding.game, rule) for rule in named]
    by_claim = {
        claim.id: antecedents(encoding, claim) for claim in claims if claim.kind in judged_kinds
    }
    starts = triviality.starts(encoding, replace(triviality.BUDGET, seconds=seconds))
    broken = [b for one in encoding.game.promises if (b := promise_broken(encoding, one))]
    broken = broken if rules is None else []
    asked: list[Antecedent] = [
        *fires,
        *broken,
        *(one for each in by_claim.values() for one in each),
    ]
    left = None if seconds is None else max(0.001, seconds - (time.perf_counter() - began))
    reaching = Reaching(bench, asked, proved=proved, seconds=left, before=before)
    if before is None:
        reaching.walk()
    if not brief:
        reaching.insist(plays)
    found = {one.condition.id: one for one in reaching.found()}
    return GameSanity(
        encoding.game.id,
        starts,
        tuple(found[one.id] for one in fires),
        {id_: tuple(found[one.id] for one in each) for id_, each in by_claim.items()},
        tuple(found[one.id] for one in broken),
        _witnesses(bench, claims, (*reaching.plays, *plays)) if witnesses else {},
        tuple(reaching.plays),
        time.perf_counter() - began + (before.seconds if before else 0.0),
    )


def _witnesses(
    bench: Workbench, claims: Sequence[Property], plays: Sequence[Play]
) -> dict[str, Play]:
    known = list(plays) or list(walks(bench.encoding, 1))
    found = {claim.id: witness(bench.encoding, claim, known) for claim in claims}
    return {id_: play for id_, play in found.items() if play is not None}


@dataclass(frozen=True)
class GameCheck:
    """The sanity of one game as work for ``proofs.campaign``: see ``check_game``."""

    game: str
    claims: tuple[str, ...]
    rules: tuple[str, ...] | None = None
    proved: tuple[str, ...] = ()
    plays: tuple[Play, ...] = ()
    witnesses: bool = False
    before: GameSanity | None = None
    brief: bool = False
    parameters: Mapping[str, Any] = field(default_factory=dict)
    readings: Mapping[str, str] = field(default_factory=dict)
    figures: Mapping[str, Any] = field(default_factory=dict)
    property: str = "sanity"
    weight: int = 1

    def decide(self, budget: Budget, tell: Listener, memory: Any) -> object:
        """Look for it all, and tell."""
        bench = memory.bench(self.game, self.parameters, self.readings, self.figures)
        game = bench.encoding.game
        tell(Event("started", game.id, self.property))
        tell(Event("engine", game.id, self.property, "looking for Plays"))
        found = check_game(
            bench,
            [game.property(id_) for id_ in self.claims],
            rules=self.rules,
            proved=self.proved,
            plays=self.plays,
            witnesses=self.witnesses,
            seconds=budget.seconds,
            before=self.before,
            brief=self.brief,
        )
        tell(Event("finished", game.id, self.property, Found.YES.value, sanity=found))
        return found
