"""Synthesis: a Play for a target, by counts of rules, paths, and a solver for the reveals.

1. What is proved of a game says how often each rule must be taken for a Play to end in the
   target (``proofs.counting``): a full ladder passed its Extra Spin Box, so there are 7 spins.
   It also says what each part of the prize pays then, so that an amount alone is broken down,
   and a pot has a spin for each amount it takes. What needs the fewest steps comes first; where
   there is nothing, a proof is tried at once.
2. Paths take the rules so often, detours late (``proofs.paths``); spans dismiss some.
3. The reveals are left to a solver (``proofs.questions``). Reveals on which the target does not
   depend had best have their least value, which keeps scripts plain, and promises be kept.
4. After some paths in vain a proof that no Play pays the target is tried (``oracles.reach``).

What won and what lost, measured on 2 cores, seconds for one target:

    unrolling with the rule left open, integers                         about 10
    the same with bit-vectors                                           2 to 5
    paths with the fewest detours first, integers then bits             0.3 to 5
    counts first, one long-lived solver, cores instead of second tries  0.2 to 0.4
    any total, as the sums of parts that pay it, one after another      1 to 30, or not
    any total, broken down by the same counts                           0.3 to 1

All six ladders at the highest level were not found before; now they take 0.8.

Counting won most: nearly always the first path tried has a Play. Integers (z3's plain SMT core)
win where symbols are added up (Colour Collector: 0.01 s, bits not within 1 s); bits in z3's
incremental finite-domain solver win where sections of wheels are chosen (Diamond Riches: 0.05
to 0.1 s, integers 0.2 to over 3 s), so the easiest prize of an edition decides which is tried
first. Lost: folding terms against a target before each question (it costs what it saves),
z3's QF_LIA tactic (20 times slower than its plain core without folding), asking each prefix
whether it can be gone along (a core of the failed path tells the same for nothing).
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from ..models.algebra import Bool
from ..models.editions import Edition, default_readings
from ..models.play import Play
from ..models.setting import settle
from ..models.system import Property
from ..proofs.counting import Counting, proved_claims
from ..proofs.deadline import NEVER, Deadline, OutOfTime
from ..proofs.manifest import manifest_path
from ..proofs.paths import Paths
from ..proofs.questions import Questions
from ..proofs.units import Units, units_of
from ..proofs.verdict import Outcome, Verdict
from .amounts import Amounts
from .reach import indivisible, pays_never
from .searching import Search
from .sought import HARD, Effort, Finding
from .targets import Target, row_target

__all__ = ["Effort", "Finding", "Synthesis"]

# Counts of rules of which the easiest prize is looked for.
_FEW = 2
# Paths in vain after which a brief search ends: a hard one ends it at once.
_BRIEF = 3


class Synthesis:
    """Finds Plays of one edition under one set of readings; keeps what it learns of paths.

    What it finds for a target depends on the target and the seed, not on earlier targets.
    """

    def __init__(
        self,
        edition: Edition,
        readings: Mapping[str, str] | None = None,
        effort: Effort | None = None,
    ) -> None:
        """Settle the edition; readings that are not given are taken as their first choice.

        Raises KeyError for a reading that does not exist, ValueError for a choice that does
        not or where the readings do not fit together.
        """
        self.edition, self.game = edition, edition.game
        self.readings = default_readings(self.game.setting, readings)
        self.p, _, fits = settle(self.game.setting, edition.parameters, self.readings)
        if fits is not True:
            raise ValueError("these readings do not fit together")
        self.effort = effort or Effort()
        self.deadline = NEVER
        self.paths = Paths(self.game, self.p)
        self.amounts = Amounts(self.game, self.p, self.paths)
        claims = proved_claims(self.game, self.readings)
        self.unproved = bool(claims) and not manifest_path(self.game).exists()
        self.counting = self._counting(claims)
        shortest = next(self.counting.vectors(lambda s: True), {})
        self.ordinary = frozenset(rule for rule, times in shortest.items() if times)
        self.integers = self._integers_do()

    def _counting(self, claims: Sequence[Property]) -> Counting:
        return Counting(
            self.game, self.edition.parameters, self.readings, self.paths.graph, claims
        )

    @cached_property
    def guess(self) -> Counting:
        """The counts that are possible whatever the game claims of itself."""
        counting = self._counting(())
        counting.deadline = self.deadline
        return counting

    @cached_property
    def units(self) -> Units:
        """What divides each money counter, whatever the Play."""
        return units_of(self.game, self.p)

    def _integers_do(self) -> bool:
        """Return whether the easiest prize is found with integers, before bits are tried."""
        for counts in itertools.islice(self.counting.vectors(self._pays), _FEW):
            for path in itertools.islice(self.paths.taking(counts), 1):
                with Questions() as questions:
                    return questions.easy(path, self._pays(path.state))
        return True

    def _pays(self, s: Any) -> Bool:
        return self.game.goal.paid(self.p, s) > 0

    def find(
        self, target: Target, count: int = 1, seed: int = 0, seconds: float | None = None
    ) -> Finding:
        """Return ``count`` Plays that differ in substance, or what is known instead.

        A bare amount is looked for as each row of the table that pays it first, but briefly.
        ``seconds``, if given, can only leave it open whether there are more Plays.
        """
        plays: list[Play] = []
        self._until(Deadline.after(seconds))
        try:
            return self._find(target, count, seed, plays)
        except OutOfTime:
            return Finding(target, tuple(plays), False, remark="out of time")
        finally:
            self._until(NEVER)

    def _until(self, deadline: Deadline) -> None:
        self.deadline = self.counting.deadline = deadline
        if "guess" in self.__dict__:
            self.guess.deadline = deadline

    def _find(self, target: Target, count: int, seed: int, plays: list[Play]) -> Finding:
        seen: set[object] = set()
        if indivisible(self.game, target, self.p, self.units):  # no need to search first
            verdict = self.proof(target)
            if verdict.outcome is Outcome.PROVED:
                return Finding(target, (), False, verdict)
        if target.breakdown is None:
            brief = dataclasses.replace(self.effort, in_vain=_BRIEF, proves=False)
            for row in self.edition.prizes:
                if row.amount == target.amount:
                    one = row_target(row, self.game)
                    self._search(one, count, seed, brief, plays, seen)
        if seed and len(plays) < count:
            # Where a seed leads into what is hard, the plain order has the rest.
            easy = dataclasses.replace(self.effort, in_vain=HARD, proves=False)
            self._search(target, count, seed, easy, plays, seen)
        if len(plays) >= count:
            return Finding(target, tuple(plays), True)
        return self._search(target, count, 0, self.effort, plays, seen)

    def _search(
        self,
        target: Target,
        count: int,
        seed: int,
        effort: Effort,
        plays: list[Play],
        seen: set[object],
    ) -> Finding:
        """Search for one target; add to the Plays found, and to what was seen of them."""
        with Questions(seed, integers=self.integers, deadline=self.deadline) as questions:
            return Search(self, target, count, seed, questions, effort, plays, seen).run()

    def proof(self, target: Target) -> Verdict:
        """Return the verdict on the claim that no Play wins a target."""
        fixed = self.edition.parameters, self.readings, self.p
        return pays_never(self.game, target, *fixed, self.deadline)
