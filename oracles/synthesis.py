"""Synthesis: a Play for a target, by paths of rules and a solver for the reveals.

1. The plain Play (no detours) says which fields would have to differ (``proofs.flow``), and so
   which rules a path must take.
2. Paths with these rules come in order of fewest detours (``proofs.paths``). Spans dismiss most
   that cannot pay the target.
3. The reveals are left to a solver (``proofs.finite``). Reveals on which the target does not
   depend are first held to their least value, which also keeps scripts plain.
4. After a few paths in vain a proof that no Play pays the target is tried (``oracles.reach``).

Measured on 2 cores for one target: unrolling with the rule left open took about 10 s over
integers and 2 to 5 s over bit-vectors. On a folded path integers take 0.02 to 0.2 s, bits
about twice that, but on the longest paths (six ladders at the highest level) integers take
more than 4 s and bits under 1 s; so both are used, in this order, with a budget on the first.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..models.algebra import Bool, all_of, any_of, negate, same
from ..models.editions import Edition, default_readings
from ..models.play import Play, replay
from ..models.setting import settle
from ..models.system import Property
from ..proofs.counting import Counting, Counts, proved_claims
from ..proofs.encoding import equal
from ..proofs.flow import idle
from ..proofs.paths import Path, Paths
from ..proofs.questions import Questions
from ..proofs.spans import assume
from ..proofs.verdict import Outcome, Verdict
from .reach import pays_never
from .targets import Target

__all__ = ["Effort", "Finding", "Synthesis"]

# Paths with Plays after which other counts of rules are looked at, and unknowns that a seed
# gives a random value.
_FEW, _STRAYS = 2, 4
# As many paths in vain does one count for, once z3 found the target hard.
_HARD = 16


@dataclass(frozen=True)
class Finding:
    """Plays that realise a target, or why there are none.

    ``verdict`` is there where a proof was tried: ``proved`` says that no Play of any length
    pays the target. ``complete`` is false where fewer Plays were found than asked for.
    """

    target: Target
    plays: tuple[Play, ...]
    complete: bool
    verdict: Verdict | None = None

    @property
    def unreachable(self) -> bool:
        """Whether it is proved that no Play pays the target."""
        return self.verdict is not None and self.verdict.outcome is Outcome.PROVED


@dataclass(frozen=True)
class Effort:
    """How far to search: counts of rules, paths for each, and paths in vain before a proof.

    The proof takes long for targets that many sums of amounts come up to, so it waits longer
    where the target is not ``small`` (pence).

    Counted, not timed, so that the same question always has the same answer.
    """

    counts: int = 16
    paths: int = 12
    in_vain: int = 48
    guesses: int = 8
    before_proof: int = 8
    before_long_proof: int = 24
    small: int = 501


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
        self.readings = {**default_readings(self.game.setting), **(readings or {})}
        self.p, _, fits = settle(self.game.setting, edition.parameters, self.readings)
        if fits is not True:
            raise ValueError("these readings do not fit together")
        self.effort = effort or Effort()
        self.paths = Paths(self.game, self.p)
        self.counting = self._counting(proved_claims(self.game, self.readings))
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
        return self._counting(())

    def _integers_do(self) -> bool:
        """Return whether the easiest prize is found with integers, before bits are tried."""
        for counts in itertools.islice(self.counting.vectors(self._pays), _FEW):
            for path in itertools.islice(self.paths.taking(counts), 1):
                with Questions() as questions:
                    return questions.easy(path, self._pays(path.state))
        return True

    def _pays(self, s: Any) -> Bool:
        return self.game.goal.paid(self.p, s) > 0

    def find(self, target: Target, count: int = 1, seed: int = 0) -> Finding:
        """Return ``count`` Plays that differ in substance, or what is known instead."""
        with Questions(seed, integers=self.integers) as questions:
            return _Search(self, target, count, seed, questions).run()

    def proof(self, target: Target) -> Verdict:
        """Return the verdict on the claim that no Play wins a target."""
        return pays_never(self.game, target, self.edition.parameters, self.readings, self.p)


class _Search:
    """One search, for one target."""

    def __init__(
        self, by: Synthesis, target: Target, count: int, seed: int, questions: Questions
    ) -> None:
        self.by, self.target, self.count, self.seed = by, target, count, seed
        self.game, self.p, self.paths = by.game, by.p, by.paths
        self.questions = questions
        self.random = random.Random(seed)
        self.plays: list[Play] = []
        self.seen: set[object] = set()
        self.dead: set[tuple[str, ...]] = set()
        self.vain = 0
        self.hard = False

    def run(self) -> Finding:
        """Return what was found. A proof is tried once, when the search has been in vain."""
        effort = self.by.effort
        small = self.target.amount <= effort.small
        patience = effort.before_proof if small else effort.before_long_proof
        verdict: Verdict | None = None
        for _ in self._tries(self.by.counting):
            if self.complete:
                return self._finding(None)
            if not self.plays and verdict is None and (self.hard or self.vain >= patience):
                verdict = self.by.proof(self.target)
                if verdict.outcome is Outcome.PROVED:
                    return self._finding(verdict)
            if self.vain >= effort.in_vain:
                break
        if self.plays:
            return self._finding(None)
        verdict = verdict or self.by.proof(self.target)
        if verdict.outcome is not Outcome.PROVED:
            # A game that does not keep its own claims may still pay the target.
            self.vain = 0
            for _ in self._tries(self.by.guess):
                if self.complete or self.hard or self.vain >= effort.guesses:
                    break
        return self._finding(None if self.plays else verdict)

    @property
    def complete(self) -> bool:
        """Whether there are as many Plays as were asked for."""
        return len(self.plays) >= self.count

    def _finding(self, verdict: Verdict | None) -> Finding:
        return Finding(self.target, tuple(self.plays), self.complete, verdict)

    def _tries(self, counting: Counting) -> Iterator[None]:
        """Look for Plays, and yield after each path that was looked at.

        Where many Plays are asked for, each comes from another path at first, and few from
        paths that take rules equally often.
        """
        rules = list(counting.rules)
        if self.seed:
            self.random.shuffle(rules)
        kept: list[Counts] = []
        vectors = counting.vectors(lambda s: self.target.won(self.game, self.p, s), rules)
        for counts in itertools.islice(vectors, self.by.effort.counts):
            kept.append(counts)
            yield from self._with(counts, 1, _FEW)
        for counts in kept * (bool(self.plays) or len(kept) == 1):
            yield from self._with(counts, self.count, self.by.effort.paths)

    def _with(self, counts: Counts, most: int, enough: int) -> Iterator[None]:
        """Look along the paths that take each rule so often, until ``enough`` had Plays."""
        paths = self.paths.taking(counts, self.dead, self.seed)
        for path in itertools.islice(paths, self.by.effort.paths):
            if not self.target.may_be_won(self.game, path.reader(), self.p, path.state):
                continue
            found = 0
            for play in self._along(path, min(most, self.count - len(self.plays))):
                substance = self._substance(play)
                if substance not in self.seen:
                    self.seen.add(substance)
                    self.plays.append(play)
                    found += 1
            self.vain = 0 if found else self.vain + (_HARD if self.hard else 1)
            enough -= bool(found)
            yield
            if not enough:
                return

    def _along(self, path: Path, most: int) -> Iterator[Play]:
        """Yield Plays along a path that differ in what they win or in what a detour did."""
        won = all_of(self.target.won(self.game, self.p, path.state), self._promised(path))
        preferred = self._preferred(path, won)
        differs: list[Bool] = []
        for left in range(most, 0, -1):
            answer = self.questions.ask(path, all_of(won, differs), preferred)
            if answer.dead:
                self.dead.add(answer.dead)
            if answer.values is None:
                self.hard = self.hard or answer.hard
                return
            play = Play(self.p, path.steps(answer.values))
            yield play
            if left == 1:
                return
            differs.append(self._otherwise(path, play))

    def _preferred(self, path: Path, won: Bool) -> dict[str, int]:
        """Return values that reveals had best have: the least where a target needs none.

        With a seed other than 0 some get a random value instead, so that scripts differ.
        """
        preferred = {}
        names = idle(path, [won], self.by.ordinary)
        for name in names:
            low = path.known[name].low
            if low is not None:
                preferred[name] = low
        if self.seed:
            for name in self.random.sample(path.unknowns, min(_STRAYS, len(path.unknowns))):
                span = path.known[name]
                if span.low is not None and span.high is not None:
                    preferred[name] = self.random.randint(span.low, span.high)
        return preferred

    def _promised(self, path: Path) -> Bool:
        """Return that the promises are kept which a Play that wins the target can keep.

        A promise is judged on the end state; what it asks of the tally is left to the script.
        """
        won = self.target.won(self.game, self.p, path.state)
        none_seen = self.game.tally_shape().zero()
        kept = [one.kept(self.p, path.state, none_seen) for one in self.game.promises]
        return all_of(one for one in kept if assume(path.known, all_of(won, one)) is not None)

    def _marks(self, rules: tuple[str, ...]) -> list[int]:
        """Return the steps after which a detour has done what it does."""
        return [
            step
            for step, rule in enumerate(rules, start=1)
            if rule not in self.by.ordinary and (step == len(rules) or rules[step] != rule)
        ]

    def _substance(self, play: Play) -> object:
        """Return what makes Plays differ: order of rules, changes by detours, what was won."""
        points = list(replay(self.game, play))
        rules = tuple(step.rule for step in play.steps)
        parts = self.game.goal.parts(self.p, points[-1].s)
        changed = tuple(
            tuple(self._changes(points[step - 1].s, points[step].s).items())
            for step in self._marks(rules)
        )
        return (rules, tuple(parts.items()), changed)

    def _changes(self, before: Any, after: Any) -> dict[str, Bool]:
        """Return of each field that is no money whether a step changed it."""
        shape = self.game.state_shape()
        then, now = shape.scalars(before), shape.scalars(after)
        changed: dict[str, list[Bool]] = {}
        for variable in shape.variables:
            if variable.unit != "pence":
                a, b = then[variable.name], now[variable.name]
                field = variable.name.partition(".")[0]
                changed.setdefault(field, []).append(negate(equal(a, b)))
        return {field: any_of(conditions) for field, conditions in changed.items()}

    def _otherwise(self, path: Path, play: Play) -> Bool:
        """Return the condition that a Play along this path differs in substance from one."""
        points = list(replay(self.game, play))
        parts = self.game.goal.parts(self.p, path.state)
        won = self.game.goal.parts(self.p, points[-1].s)
        alike = [equal(parts[name], won[name]) for name in parts]
        for step in self._marks(path.rules):
            before, after = (self.paths.follow(path.rules[:n]) for n in (step - 1, step))
            assert before is not None, "a part of a path that has been walked"
            assert after is not None, "a part of a path that has been walked"
            open_ = self._changes(before.state, after.state)
            shown = self._changes(points[step - 1].s, points[step].s)
            alike += [same(open_[field], shown[field]) for field in open_]
        return negate(all_of(alike))
