"""The engines, in a fixed order, on one property.

    1-induction with lemmas → BMC → k-induction → Spacer

The first that decides within its budget is recorded. Budgets are solver steps, so the answer
is the same on every machine; seconds, if given, can only turn it into ``undecided``. Where a
Play breaks the property, the readings that matter to it are left out, and it goes on.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ..models.play import Play
from ..models.system import Property
from . import bmc, certificate, confirm, depends, induction, spacer
from .budget import Budget
from .encoding import Encoding, encode
from .events import Event, Listener
from .shorten import shorten
from .solvers import Steps
from .verdict import Answer, Beside, Certificate, Cube, Outcome, Verdict
from .workbench import Workbench

__all__ = ["Inquiry", "Open", "Proof", "Refuted", "told"]


@dataclass
class Proof:
    """A certificate that z3 agrees with."""

    method: str
    certificate: Certificate
    answers: tuple[Answer, ...]


@dataclass
class Refuted:
    """A Play that breaks the property."""

    play: Play


@dataclass
class Open:
    """No Play of up to ``clear`` steps breaks it; ``exhausted`` unless a budget ran out."""

    clear: int
    exhausted: bool
    reasons: tuple[str, ...]


class Inquiry:
    """One property on its way to a verdict, with what was spent on it.

    ``run`` decides; what is overridden in it decides claims that these engines alone cannot.
    """

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
            found = self.decide(encoding, clear, plays)
            if isinstance(found, Proof):
                return self.proved(encoding, found, cubes, plays)
            if isinstance(found, Open):
                return self._open(found, cubes, plays)
            clear = len(found.play.steps)
            began = time.perf_counter()
            cube = self.readings_of(encoding, found.play)
            self.spent["z3"] += time.perf_counter() - began
            cubes.append(cube)
            plays.append(found.play)
            if not cube:
                return self._refuted(cubes, plays)

    def readings_of(self, encoding: Encoding, play: Play) -> Cube:
        """Return the readings that matter to a Play that breaks the property."""
        steps = self.steps(self.budget.induction)
        return depends.generalise(encoding, self.claim, play, steps)

    def decide(
        self, encoding: Encoding, clear: int, plays: Sequence[Play]
    ) -> Proof | Refuted | Open:
        """Ask the engines in order until one decides."""
        reasons: list[str] = []
        proof = self.induction(encoding, 1, reasons)
        if proof:
            return proof
        self.say("engine", "BMC")
        if plays:  # what broke it under other readings may do so here: one path is quick to try
            path = [step.rule for step in plays[-1].steps]
            again = bmc.search(
                encoding,
                self.claim,
                len(path),
                self.steps(self.budget.bmc),
                first=clear,
                along=path,
            )
            self.spent["z3"] += again.seconds
            if again.play:
                return Refuted(again.play)
        searched = self.search(encoding, clear)
        if searched.play:
            return Refuted(searched.play)
        if searched.reason:
            reasons.append(f"BMC at {searched.clear + 1} steps: {searched.reason}")
        for k in range(2, self.budget.k_most + 1):
            proof = self.induction(encoding, k, reasons)
            if proof:
                return proof
        proof = self._spacer(encoding, reasons)
        return proof or Open(searched.clear, not searched.reason, tuple(reasons))

    def search(self, encoding: Encoding, first: int) -> bmc.Found:
        """Look for a Play of at least ``first`` steps that breaks the property."""
        steps = self.steps(self.budget.bmc)
        found = bmc.search(encoding, self.claim, self.budget.depth, steps, first=first)
        self.spent["z3"] += found.seconds
        return found

    def induction(self, encoding: Encoding, k: int, reasons: list[str]) -> Proof | None:
        self.say("engine", f"{k}-induction")
        steps = self.steps(self.budget.induction)
        if k == 1:
            tried, answers = induction.attempt(self.bench, encoding, self.claim, steps)
        else:
            tried, answers = induction.attempt_longer(
                self.bench, encoding, self.claim, k, steps
            )
        self.spend(answers)
        if confirm.agreed(answers):
            return Proof(f"{k}-induction", tried, answers)
        last = answers[-1]
        if last.answer == "unknown":
            reasons.append(f"{k}-induction, {last.obligation}: {last.reason}")
        return None

    def _spacer(self, encoding: Encoding, reasons: list[str]) -> Proof | None:
        self.say("engine", "Spacer")
        began = time.perf_counter()
        found = spacer.find_invariant(
            encoding, self.claim, self.budget.spacer, self.seconds_left()
        )
        self.spent["z3"] += time.perf_counter() - began
        if found.phi is None:
            reasons.append(f"Spacer: {found.reason}")
            return None
        made = certificate.whole(encoding, self.claim, 1, found.phi, self.bench.system)
        steps = self.steps(self.budget.induction)
        _, answers = self.bench.check(made.obligations, "z3", steps)
        self.spend(answers)
        if confirm.agreed(answers):
            return Proof("Spacer", made, answers)
        reasons.append(f"Spacer: z3 does not confirm its φ ({confirm.objection(answers)})")
        return None

    def proved(
        self,
        encoding: Encoding,
        proof: Proof,
        cubes: Sequence[Cube] = (),
        plays: Sequence[Play] = (),
    ) -> Verdict:
        """Return the verdict that follows from a proof, once cvc5 agrees; else undecided."""
        made, answers = self._recheck(proof)
        if not confirm.confirmed(made, answers):
            remark = f"proved with z3, but not confirmed: {confirm.objection(answers)}"
            found = self._verdict(Outcome.UNDECIDED, proof.method, proof.certificate.k)
            return replace(found, answers=answers, remark=remark)
        self.say("rechecked", "cvc5")
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

    def _recheck(self, proof: Proof) -> tuple[Certificate, tuple[Answer, ...]]:
        """Ask cvc5 every obligation, and z3 again where some were taken apart for it."""
        self.say("rechecked", "z3")
        first, second = self.budget.induction, self.budget.recheck
        made, answers, later = confirm.confirm(
            self.bench,
            proof.certificate,
            proof.answers,
            self.steps(first),
            self.steps(second),
        )
        self.spend(later)
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
                return self.shown(play)
        encoding = encode(
            self.encoding.game,
            self.encoding.parameters,
            {**self.encoding.readings, **dict(cube)},
        )
        found = self.search(encoding, 0)
        if found.play is None:
            raise RuntimeError(f"{self.claim.id}: no Play under {_words(cube)}")
        return self.shown(found.play)

    def _refuted(self, cubes: Sequence[Cube], plays: Sequence[Play]) -> Verdict:
        shown = self.shown(plays[-1])
        found = self._verdict(Outcome.REFUTED, "BMC", len(shown[0].steps))
        return replace(found, plays=(shown,))

    def shown(self, play: Play) -> tuple[Play, int]:
        return shorten(self.encoding.game, self.claim, play)

    def _open(self, found: Open, cubes: list[Cube], plays: list[Play]) -> Verdict:
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
            plays=tuple(self.shown(play) for play in plays),
            remark="; ".join(remarks),
        )

    def _nothing_left(self, encoding: Encoding) -> bool:
        return depends.impossible(encoding, self.steps(self.budget.induction))

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

    def say(self, kind: str, detail: str) -> None:
        self.listener(Event(kind, self.encoding.game.id, self.claim.id, detail))

    def spend(self, answers: Sequence[Answer]) -> None:
        for answer in answers:
            self.spent[answer.solver] += answer.seconds

    def seconds_left(self) -> float | None:
        if self.budget.seconds is None:
            return None
        return max(0.001, self.budget.seconds - (time.perf_counter() - self.began))

    def steps(self, steps: Steps) -> Steps:
        left = self.seconds_left()
        return steps if left is None else replace(steps, seconds=left)


def _words(cube: Cube) -> str:
    return " and ".join(f"{name} = {choice}" for name, choice in cube) or "every reading"


def _assumed(encoding: Encoding) -> Iterator[str]:
    for name, choice in encoding.readings.items():
        yield f"{name} is taken as {choice}"
    for name in encoding.parameters:
        yield f"{name} has the value given"


def told(verdict: Verdict, plays: Sequence[Play], beside: Sequence[Beside] = ()) -> Verdict:
    """Return a verdict with Plays of a game in place of those of a system made from it."""
    refuted = verdict.outcome is Outcome.REFUTED
    return replace(
        verdict,
        depth=len(plays[0].steps) if refuted else verdict.depth,
        plays=tuple((play, len(play.steps)) for play in plays),
        beside=tuple(beside),
    )
