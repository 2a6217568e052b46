"""Prove a property of a game, or find the Play that breaks it: the engines in a fixed order.

    1-induction with lemmas → BMC → k-induction → Spacer

The first that decides within its budget is recorded. Budgets are solver steps, so the answer
is the same on every machine; seconds, if given, can only turn it into ``undecided``. A proof
is believed once every obligation was checked from its text by z3 and by a second solver, a
Play once the concrete rules have replayed it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..models.play import Play
from ..models.system import Game, Kind, Property
from . import bmc, certificate, confirm, depends, general, induction, spacer
from .budget import Budget
from .encoding import Encoding, encode
from .events import Event, Listener, silent
from .shorten import shorten
from .solvers import Steps
from .verdict import Answer, Certificate, Cube, Outcome, Verdict
from .workbench import Workbench

__all__ = ["prove"]


def prove(
    game: Game,
    claim: Property | str,
    *,
    parameters: Mapping[str, Any] | None = None,
    readings: Mapping[str, str] | None = None,
    budget: Budget | None = None,
    listener: Listener = silent,
    bench: Workbench | None = None,
) -> Verdict:
    """Decide one property; what is not given stays open and is covered by the answer.

    ``bench`` may hand in a ``Workbench`` for this game, these parameters and readings, so that
    many properties share what was done before.
    Raises KeyError for a property, parameter or reading that does not exist; ValueError for a
    lemma that does not. Trouble with solvers is part of the verdict.
    """
    one = game.property(claim) if isinstance(claim, str) else claim
    at = bench or Workbench(encode(game, parameters, readings))
    listener(Event("started", game.id, one.id))
    if one.kind is Kind.GENERAL:
        verdict = general.decide(at, one, budget or Budget(), listener)
    else:
        verdict = _Task(at, one, budget or Budget(), listener).run()
    listener(Event("finished", game.id, one.id, verdict.outcome.value, verdict))
    return verdict


@dataclass
class _Proof:
    method: str
    certificate: Certificate
    answers: tuple[Answer, ...]


@dataclass
class _Refuted:
    play: Play


@dataclass
class _Open:
    clear: int
    exhausted: bool
    reasons: tuple[str, ...]


class _Task:
    """One property on its way to a verdict, with what was spent on it."""

    def __init__(
        self, bench: Workbench, claim: Property, budget: Budget, listener: Listener
    ) -> None:
        self.bench = bench
        self.encoding = bench.encoding
        self.claim = claim
        self.budget = budget
        self.listener = listener
        self.began = time.perf_counter()
        self.spent = {"z3": 0.0, "cvc5": 0.0}

    def run(self) -> Verdict:
        cubes: list[Cube] = []
        plays: list[Play] = []
        clear = 0
        while True:
            encoding = self.encoding.without(cubes)
            if cubes and self._nothing_left(encoding):
                return self._refuted(cubes, plays)
            found = self._decide(encoding, clear, plays)
            if isinstance(found, _Proof):
                return self._proved(encoding, found, cubes, plays)
            if isinstance(found, _Open):
                return self._open(found, cubes, plays)
            clear = len(found.play.steps)
            cube = self._timed(
                lambda e=encoding, f=found: depends.generalise(  # type: ignore[misc]
                    e, self.claim, f.play, self._steps(self.budget.induction)
                )
            )
            cubes.append(cube)
            plays.append(found.play)
            if not cube:
                return self._refuted(cubes, plays)

    def _decide(
        self, encoding: Encoding, clear: int, plays: Sequence[Play]
    ) -> _Proof | _Refuted | _Open:
        """Ask the engines in order until one decides."""
        reasons: list[str] = []
        proof = self._induction(encoding, 1, reasons)
        if proof:
            return proof
        self._say("engine", "BMC")
        if plays:  # what broke it under other readings may do so here: one path is quick to try
            path = [step.rule for step in plays[-1].steps]
            again = bmc.search(
                encoding,
                self.claim,
                len(path),
                self._steps(self.budget.bmc),
                first=clear,
                along=path,
            )
            self.spent["z3"] += again.seconds
            if again.play:
                return _Refuted(again.play)
        searched = bmc.search(
            encoding,
            self.claim,
            self.budget.depth,
            self._steps(self.budget.bmc),
            first=clear,
        )
        self.spent["z3"] += searched.seconds
        if searched.play:
            return _Refuted(searched.play)
        if searched.reason:
            reasons.append(f"BMC at {searched.clear + 1} steps: {searched.reason}")
        for k in range(2, self.budget.k_most + 1):
            proof = self._induction(encoding, k, reasons)
            if proof:
                return proof
        proof = self._spacer(encoding, reasons)
        return proof or _Open(searched.clear, not searched.reason, tuple(reasons))

    def _induction(self, encoding: Encoding, k: int, reasons: list[str]) -> _Proof | None:
        self._say("engine", f"{k}-induction")
        steps = self._steps(self.budget.induction)
        if k == 1:
            tried, answers = induction.attempt(self.bench, encoding, self.claim, steps)
        else:
            tried, answers = induction.attempt_longer(
                self.bench, encoding, self.claim, k, steps
            )
        self._spend(answers)
        if confirm.agreed(answers):
            return _Proof(f"{k}-induction", tried, answers)
        last = answers[-1]
        if last.answer == "unknown":
            reasons.append(f"{k}-induction, {last.obligation}: {last.reason}")
        return None

    def _spacer(self, encoding: Encoding, reasons: list[str]) -> _Proof | None:
        self._say("engine", "Spacer")
        began = time.perf_counter()
        found = spacer.find_invariant(
            encoding, self.claim, self.budget.spacer, self._seconds_left()
        )
        self.spent["z3"] += time.perf_counter() - began
        if found.phi is None:
            reasons.append(f"Spacer: {found.reason}")
            return None
        made = certificate.whole(encoding, self.claim, 1, found.phi, self.bench.system)
        steps = self._steps(self.budget.induction)
        _, answers = self.bench.check(made.obligations, "z3", steps)
        self._spend(answers)
        if confirm.agreed(answers):
            return _Proof("Spacer", made, answers)
        reasons.append(f"Spacer: z3 does not confirm its φ ({confirm.objection(answers)})")
        return None

    def _proved(
        self, encoding: Encoding, proof: _Proof, cubes: list[Cube], plays: list[Play]
    ) -> Verdict:
        made, answers = self._recheck(proof)
        if not confirm.confirmed(made, answers):
            remark = f"proved with z3, but not confirmed: {confirm.objection(answers)}"
            found = self._verdict(Outcome.UNDECIDED, proof.method, proof.certificate.k)
            return replace(found, answers=answers, remark=remark)
        self._say("rechecked", "cvc5")
        found = self._verdict(Outcome.PROVED, proof.method, proof.certificate.k)
        found = replace(found, certificate=made, answers=answers)
        if not cubes:
            return found
        implicants = depends.primes(self.encoding, cubes, self.budget.induction)
        if implicants == ((),):
            return self._refuted(cubes, plays)
        left_out = "; ".join(_words(cube) for cube in implicants)
        return replace(
            found,
            outcome=Outcome.DEPENDS,
            method=f"BMC, {proof.method}",
            fails_under=implicants,
            plays=self._one_each(implicants, plays),
            assumptions=(*found.assumptions, f"proved except under: {left_out}"),
        )

    def _recheck(self, proof: _Proof) -> tuple[Certificate, tuple[Answer, ...]]:
        """Ask cvc5 every obligation, and z3 again where some were taken apart for it."""
        self._say("rechecked", "z3")
        first, second = self.budget.induction, self.budget.recheck
        made, answers, later = confirm.confirm(
            self.bench,
            proof.certificate,
            proof.answers,
            self._steps(first),
            self._steps(second),
        )
        self._spend(later)
        return made, answers

    def _one_each(
        self, implicants: Sequence[Cube], plays: Sequence[Play]
    ) -> tuple[tuple[Play, int], ...]:
        """Return a Play for each implicant, looked for anew where none is at hand."""
        return tuple(self._play_under(cube, plays) for cube in implicants)

    def _play_under(self, cube: Cube, plays: Sequence[Play]) -> tuple[Play, int]:
        for play in plays:
            if all(
                getattr(play.setting, name.replace("-", "_")).name == choice
                for name, choice in cube
            ):
                return self._shown(play)
        encoding = encode(
            self.encoding.game,
            self.encoding.parameters,
            {**self.encoding.readings, **dict(cube)},
        )
        steps = self._steps(self.budget.bmc)
        found = bmc.search(encoding, self.claim, self.budget.depth, steps)
        self.spent["z3"] += found.seconds
        if found.play is None:
            raise RuntimeError(f"{self.claim.id}: no Play under {_words(cube)}")
        return self._shown(found.play)

    def _refuted(self, cubes: list[Cube], plays: list[Play]) -> Verdict:
        shown = self._shown(plays[-1])
        found = self._verdict(Outcome.REFUTED, "BMC", len(shown[0].steps))
        return replace(found, plays=(shown,))

    def _shown(self, play: Play) -> tuple[Play, int]:
        return shorten(self.encoding.game, self.claim, play)

    def _open(self, found: _Open, cubes: list[Cube], plays: list[Play]) -> Verdict:
        outcome = Outcome.BOUNDED if found.exhausted and not cubes else Outcome.UNDECIDED
        remarks = list(found.reasons)
        if cubes:
            known = "; ".join(_words(cube) for cube in cubes)
            remarks.insert(0, f"fails under {known}; what happens otherwise is not decided")
        if not found.exhausted:
            remarks.insert(0, f"budget exhausted; no Play of up to {found.clear} steps")
        verdict = self._verdict(outcome, "BMC", max(found.clear, 0))
        return replace(
            verdict,
            fails_under=tuple(cubes),
            plays=tuple(self._shown(play) for play in plays),
            remark="; ".join(remarks),
        )

    def _nothing_left(self, encoding: Encoding) -> bool:
        return depends.impossible(encoding, self._steps(self.budget.induction))

    def _verdict(self, outcome: Outcome, method: str, depth: int) -> Verdict:
        seconds = time.perf_counter() - self.began
        ours = seconds - sum(self.spent.values())
        return Verdict(
            self.encoding.game.id,
            self.claim.id,
            outcome,
            method,
            depth,
            assumptions=tuple(_assumed(self.encoding)),
            seconds=seconds,
            spent=(("ours", ours), *self.spent.items()),
        )

    def _say(self, kind: str, detail: str) -> None:
        self.listener(Event(kind, self.encoding.game.id, self.claim.id, detail))

    def _spend(self, answers: Sequence[Answer]) -> None:
        for answer in answers:
            self.spent[answer.solver] += answer.seconds

    def _timed(self, work: Callable[[], Cube]) -> Cube:
        began = time.perf_counter()
        try:
            return work()
        finally:
            self.spent["z3"] += time.perf_counter() - began

    def _seconds_left(self) -> float | None:
        if self.budget.seconds is None:
            return None
        return max(0.001, self.budget.seconds - (time.perf_counter() - self.began))

    def _steps(self, steps: Steps) -> Steps:
        left = self._seconds_left()
        return steps if left is None else replace(steps, seconds=left)


def _words(cube: Cube) -> str:
    return " and ".join(f"{name} = {choice}" for name, choice in cube) or "every reading"


def _assumed(encoding: Encoding) -> Iterator[str]:
    for name, choice in encoding.readings.items():
        yield f"{name} is taken as {choice}"
    for name in encoding.parameters:
        yield f"{name} has the value given"
