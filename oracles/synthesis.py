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
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from ..models.algebra import Bool, BoolTerm, Int, Value, all_of, any_of, negate, same
from ..models.editions import Edition, default_readings
from ..models.play import Play, replay
from ..models.setting import settle
from ..proofs.flow import Flow, plain
from ..proofs.paths import Path, Paths
from ..proofs.spans import assume
from ..proofs.verdict import Outcome, Verdict
from .reach import pays_never
from .targets import Target

__all__ = ["Finding", "Synthesis"]


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
    """How far to search: paths walked, paths given to a solver, and those before a proof.

    The proof takes long for targets that many sums of amounts come up to, so it waits longer
    where the target is not ``small`` (pence).

    Counted, not timed, so that the same question always has the same answer.
    """

    paths: int = 600
    solved: int = 60
    before_proof: int = 2
    before_long_proof: int = 10
    small: int = 501
    in_vain: int = 25


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
        self.flow = Flow(self.game, self.p)
        self.plain = next(self.paths.search())

    def find(self, target: Target, count: int = 1, seed: int = 0) -> Finding:
        """Return ``count`` Plays that differ in substance, or what is known instead."""
        plays: list[Play] = []
        seen: set[object] = set()
        verdict: Verdict | None = None
        wanted = self._wanted(target)
        if wanted is None:
            verdict = self._proof(target)
            if verdict.outcome is Outcome.PROVED:
                return Finding(target, (), False, verdict)
            wanted = ()
        vain = solved = 0
        small = target.amount <= self.effort.small
        patience = self.effort.before_proof if small else self.effort.before_long_proof
        search = self.paths.search(wanted, seed)
        for path in itertools.islice(search, self.effort.paths):
            if not target.may_be_won(self.game, path.reader(), self.p, path.state):
                continue
            solved += 1
            found = 0
            for play, substance in self._along(path, target, seed, count - len(plays)):
                if substance not in seen:
                    seen.add(substance)
                    plays.append(play)
                    found += 1
            if len(plays) >= count:
                return Finding(target, tuple(plays[:count]), True)
            vain = 0 if found else vain + 1
            if not plays and verdict is None and solved >= patience:
                verdict = self._proof(target)
                if verdict.outcome is Outcome.PROVED:
                    return Finding(target, (), False, verdict)
            if solved >= self.effort.solved + 4 * count or vain >= self.effort.in_vain:
                break
        if not plays and verdict is None:
            verdict = self._proof(target)
        return Finding(target, tuple(plays), False, None if plays else verdict)

    def _proof(self, target: Target) -> Verdict:
        return pays_never(self.game, target, self.edition.parameters, self.readings, self.p)

    def _wanted(self, target: Target) -> tuple[frozenset[str], ...] | None:
        """Return the rules a target needs beyond the plain Play; None if nothing will do."""
        path = self.plain
        if target.may_be_won(self.game, path.reader(), self.p, path.state):
            return ()
        before = self.paths.follow(path.rules[:-1])
        assert before is not None, "the plain path has just been walked"
        return self.flow.needed(
            before,
            path.rules[-1],
            lambda reader, state: target.may_be_won(self.game, reader, self.p, state),
        )

    def _along(
        self, path: Path, target: Target, seed: int, most: int
    ) -> Iterator[tuple[Play, object]]:
        """Yield Plays along a path that differ in what they win or in what a detour did."""
        won = all_of(target.won(self.game, self.p, path.state), self._promised(path, target))
        held = plain(path, [won], frozenset(self.plain.rules))
        differs: list[Bool] = []
        for _ in range(most):
            steps = path.solve(won, *differs, seed=seed, held=held)
            if steps is False and held:
                held = {}
                steps = path.solve(won, *differs, seed=seed)
            if isinstance(steps, bool):
                return
            play = Play(self.p, steps)
            substance = self._substance(play)
            yield play, substance
            differs.append(self._otherwise(path, play))

    def _promised(self, path: Path, target: Target) -> Bool:
        """Return that the promises are kept which a Play that wins the target can keep.

        A promise is judged on the end state; what it asks of the tally is left to the script.
        """
        won = target.won(self.game, self.p, path.state)
        none_seen = self.game.tally_shape().zero()
        kept = [one.kept(self.p, path.state, none_seen) for one in self.game.promises]
        return all_of(one for one in kept if assume(path.known, all_of(won, one)) is not None)

    def _marks(self, rules: tuple[str, ...]) -> list[int]:
        """Return the steps after which a detour has done what it does."""
        ordinary = set(self.plain.rules)
        return [
            step
            for step, rule in enumerate(rules, start=1)
            if rule not in ordinary and (step == len(rules) or rules[step] != rule)
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
                changed.setdefault(field, []).append(negate(_equal(a, b)))
        return {field: any_of(conditions) for field, conditions in changed.items()}

    def _otherwise(self, path: Path, play: Play) -> Bool:
        """Return the condition that a Play along this path differs in substance from one."""
        points = list(replay(self.game, play))
        parts = self.game.goal.parts(self.p, path.state)
        won = self.game.goal.parts(self.p, points[-1].s)
        alike = [_equal(parts[name], won[name]) for name in parts]
        for step in self._marks(path.rules):
            before, after = (self.paths.follow(path.rules[:n]) for n in (step - 1, step))
            assert before is not None, "a part of a path that has been walked"
            assert after is not None, "a part of a path that has been walked"
            open_ = self._changes(before.state, after.state)
            shown = self._changes(points[step - 1].s, points[step].s)
            alike += [same(open_[field], shown[field]) for field in open_]
        return negate(all_of(alike))


def _equal(a: Value, b: Value) -> Bool:
    if isinstance(a, bool | BoolTerm):
        return same(a, cast("Bool", b))
    return a == cast("Int", b)
