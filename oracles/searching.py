"""One search for Plays that realise a target: counts of rules, paths for each, and reveals.

``oracles.synthesis`` says how it goes and why; it starts one or several for a target.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..models.algebra import Bool, all_of, any_of, equal, negate, same
from ..models.play import Play, replay
from ..proofs.counting import Counting, Outline
from ..proofs.flow import idle
from ..proofs.paths import Path
from ..proofs.questions import Questions
from ..proofs.spans import Span
from ..proofs.verdict import Outcome, Verdict
from .sought import HARD, Effort, Finding, exactly
from .targets import Target

if TYPE_CHECKING:
    from .synthesis import Synthesis

__all__ = ["Search"]

# Paths with Plays after which other counts of rules are looked at, and unknowns that a seed
# gives a random value.
_FEW, _SOME, _STRAYS = 2, 6, 4
# Amounts along a path from which on they are given, not preferred.
_MANY = 8


class Search:
    """One search, for one target."""

    def __init__(
        self,
        by: Synthesis,
        target: Target,
        count: int,
        seed: int,
        questions: Questions,
        effort: Effort,
        plays: list[Play],
        seen: set[object],
    ) -> None:
        self.by, self.target, self.count, self.seed = by, target, count, seed
        self.game, self.p, self.paths = by.game, by.p, by.paths
        self.questions = questions
        self.random = random.Random(seed)
        self.effort, self.plays, self.seen = effort, plays, seen
        self.dead: set[tuple[str, ...]] = set()
        self.vain = 0
        self.least = 0  # steps, as far as is known
        self.hard = False
        self.keeping = False  # whether only Plays that keep the promises will do
        self.verdict: Verdict | None = None

    def run(self) -> Finding:
        """Return what was found: Plays that keep the promises, else any.

        A proof is tried once, when the search has been in vain.
        """
        effort = self.effort
        small = self.target.amount <= effort.small
        patience = effort.before_proof if small else effort.before_long_proof
        if self.game.promises and self._keep_promises(min(patience, effort.guesses)):
            return self._finding()
        for _ in self._tries(self.by.counting):
            self.by.deadline.left()
            if self.complete:
                return self._finding()
            if not self.plays and (self.hard or self.vain >= patience):
                self._prove()
            if self.unreachable:
                return self._finding()
            if self.vain >= effort.in_vain:
                break
        if effort.proves and not self.plays and not self._prove() and self.by.unproved:
            # A game that does not keep its own claims may still pay the target.
            self.vain = 0
            for _ in self._tries(self.by.guess):
                if self.complete or self.hard or self.vain >= effort.guesses:
                    break
        return self._finding()

    def _keep_promises(self, patience: int) -> bool:
        """Return whether Plays that keep the promises are found: while not, it is brief."""
        self.keeping = True
        for _ in self._tries(self.by.counting):
            self.by.deadline.left()
            if self.complete or (self.hard and not self.plays):
                break
            if self.vain >= (self.effort.in_vain if self.plays else patience):
                break
        self.keeping, self.vain, self.hard, self.least = False, 0, False, 0
        return bool(self.plays)

    def _prove(self) -> bool:
        """Return whether it is proved that no Play wins the target; this is tried once."""
        if self.verdict is None and self.effort.proves:
            self.verdict = self.by.proof(self.target)
        return self.unreachable

    @property
    def unreachable(self) -> bool:
        """Whether it was proved that no Play wins the target."""
        return self.verdict is not None and self.verdict.outcome is Outcome.PROVED

    @property
    def complete(self) -> bool:
        """Whether there are as many Plays as were asked for."""
        return len(self.plays) >= self.count

    def _finding(self) -> Finding:
        verdict = None if self.plays else self.verdict
        remark = "" if self.complete or self.unreachable else self._remark()
        return Finding(self.target, tuple(self.plays), self.complete, verdict, remark)

    def _remark(self) -> str:
        """Return why there are not as many Plays as were asked for."""
        if self.least > self.effort.steps:
            return (
                f"it takes {self.least} steps at least, "
                f"and Plays of more than {self.effort.steps} are not looked for"
            )
        no_proof = self.verdict.remark if self.verdict is not None else ""
        found = "no more Plays were found" if self.plays else "no Play was found"
        sought = f"{found} among those of up to {self.effort.steps} steps that were tried"
        return "; ".join(filter(None, (sought, no_proof)))

    def _tries(self, counting: Counting) -> Iterator[None]:
        """Look for Plays, and yield after each path that was looked at.

        Where many Plays are asked for, each comes from another path at first, and few from
        paths that take rules equally often.
        """
        rules = list(counting.rules)
        if self.seed:
            self.random.shuffle(rules)
        outlines = self._short(counting.outlines(self._wanted, rules))
        kept: list[Outline] = []
        walks = []
        for outline in itertools.islice(outlines, self.effort.side_by_side):
            kept.append(outline)
            walks.append(self._with(outline, 1, _FEW))
            yield from itertools.islice(walks[-1], _SOME)
        for walk in walks:
            yield from walk
        for outline in outlines:
            kept.append(outline)
            yield from self._with(outline, 1, _FEW)
        for outline in kept * (bool(self.plays) or len(kept) == 1):
            yield from self._with(outline, self.count, self.effort.paths)

    def _wanted(self, s: Any) -> Bool:
        """Return whether a Play that ends in a state is looked for."""
        won = self.target.won(self.game, self.p, s)
        return all_of(won, self._promises(s)) if self.keeping else won

    def _short(self, outlines: Iterator[Outline]) -> Iterator[Outline]:
        """Yield the first outlines, up to one that takes too many steps: the rest take more."""
        for outline in itertools.islice(outlines, self.effort.counts):
            steps = sum(outline.counts.values())
            self.least = min(self.least or steps, steps)
            if steps > self.effort.steps:
                return
            yield outline

    def _with(self, outline: Outline, most: int, enough: int) -> Iterator[None]:
        """Look along the paths that an outline allows, until ``enough`` had Plays."""
        target = exactly(outline)
        paths = self.paths.taking(outline.counts, self.dead, self.seed)
        for path in itertools.islice(paths, self.effort.paths):
            if not target.may_be_won(self.game, path.reader(), self.p, path.state):
                continue
            found, self.hard = 0, False
            for play in self._along(path, outline, min(most, self.count - len(self.plays))):
                substance = self._substance(play)
                if substance not in self.seen and (not self.keeping or self._keeps(play)):
                    self.seen.add(substance)
                    self.plays.append(play)
                    found += 1
            self.vain = 0 if found else self.vain + (HARD if self.hard else 1)
            enough -= bool(found)
            yield
            if not enough:
                return

    def _along(self, path: Path, outline: Outline, most: int) -> Iterator[Play]:
        """Yield Plays along a path that win what is outlined and differ in what detours did."""
        shown = self.by.amounts.along(path, outline)
        if len(shown) > _MANY:
            spans = {name: Span.between(value, value) for name, value in shown.items()}
            path = self.paths.given(path, spans) or path
        won = exactly(outline).won(self.game, self.p, path.state)
        promises = self._promises(path.state)
        if self.keeping:
            won = all_of(won, promises)
        promised = tuple(one for one in promises if not isinstance(one, bool))
        preferred = {**self._preferred(path, won), **shown}
        differs: list[Bool] = []
        for left in range(most, 0, -1):
            question = (path, all_of(won, differs), preferred, promised)
            sure = bool(self.plays) or self.verdict is not None
            answer = self.questions.ask(*question, patient=sure)
            if not answer.decided and not sure and self.effort.proves and not self._prove():
                answer = self.questions.ask(*question)
            if answer.dead:
                self.dead.add(answer.dead)
            if answer.values is None:
                self.hard = answer.hard
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

    def _promises(self, s: Any) -> list[Bool]:
        """Return of each promise whether it is kept, which not every target allows.

        A promise is judged on the end state; what it asks of the tally is left to the Play.
        """
        none_seen = self.game.tally_shape().zero()
        return [one.kept(self.p, s, none_seen) for one in self.game.promises]

    def _keeps(self, play: Play) -> bool:
        """Return whether a Play keeps the promises."""
        end = list(replay(self.game, play))[-1]
        return all(one.kept(self.p, end.s, end.t) is True for one in self.game.promises)

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
