"""Collecting: Plays that reach the goals of a suite, and proofs for goals that none reaches.

    1. some prizes by synthesis, and Plays that wander, as long as they reach anything new
    2. every other prize by synthesis, or a proof that no Play wins it
    3. what no step can bring about, after all that is known: set aside
    4. what is left: Plays aimed at it, at first without a solver, and some more that wander
    5. what was set aside: a proof that no Play comes to it

Efforts are counted, not timed, so the same edition, readings and seed give the same Plays, with
any number of processes: each does a part (``oracles.parts``) with what was known when it was
given out, and parts are given out in the same order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from ..proofs.verdict import Outcome
from .abreast import abreast
from .all_goals import goals_of, prizes_of
from .coverage import Coverage
from .excluding import Excluding
from .goals import Goal, Passage, Prize, Run
from .ground import Ground, Trace
from .learnt import learnt_from
from .never import Claimed
from .parts import Aiming, Found, Wandering, Winning, Won
from .synthesis import Synthesis
from .wander import Wander

__all__ = ["Collected", "Effort", "Tell", "collect", "untold"]

Item = TypeVar("Item")
Result = TypeVar("Result")
# Of so many prizes one is made first, so that Plays that wander know how some end.
_SOME = 5
# Parts of a batch, and of the prizes; goals that are aimed at in one part.
_PARTS, _GOALS = 4, 3
# As many batches running that reach nothing new are enough.
_DRY = 2
# What is looked for at first, without asking a solver for it.
_QUICKLY = "quickly"
# Told what is at work, how many goals are decided, and how many there are.
Tell = Callable[[str, int, int], None]


def untold(what: str, decided: int, of: int) -> None:
    """Tell nobody."""


@dataclass(frozen=True)
class Effort:
    """How hard to look.

    Plays in a batch, batches, rounds of aiming, Plays kept of each goal.
    """

    batch: int = 120
    batches: int = 8
    rounds: int = 2
    kept: int = 2


@dataclass(frozen=True)
class Collected:
    """What was found: Plays with the goals each reaches, and why the other goals are not.

    ``never`` are the proofs; ``why`` gives, for each goal (id) that is neither, the reason.
    """

    ground: Ground
    goals: tuple[Goal, ...]
    traces: tuple[Trace, ...]
    covers: tuple[frozenset[str], ...]
    never: tuple[Claimed, ...]
    why: dict[str, str]


def collect(
    ground: Ground,
    seed: int = 0,
    effort: Effort | None = None,
    tell: Tell = untold,
    jobs: int = 1,
) -> Collected:
    """Return Plays for the goals of a ground, found by so many processes.

    ``tell`` is told what is at work.
    """
    return _Collecting(ground, seed, effort or Effort(), tell, jobs).run()


class _Collecting:
    def __init__(
        self, ground: Ground, seed: int, effort: Effort, tell: Tell, jobs: int
    ) -> None:
        self.ground, self.effort, self._tell, self.jobs = ground, effort, tell, jobs
        self.wander = Wander(ground, seed)
        self.synthesis = Synthesis(ground.edition, ground.readings)
        self.goals: tuple[Goal, ...] = prizes_of(ground)
        self.traces: list[Trace] = []
        self.covers: list[frozenset[str]] = []
        self.times: Counter[str] = Counter()
        self.never: list[Claimed] = []
        self.why: dict[str, str] = {}
        self.coverage: Coverage | None = None
        first = self._prizes(prizes_of(ground)[::_SOME])
        first += [trace for trace, _ in self._wandering("first", ())]
        self.tell("what is always so")
        learnt = learnt_from(ground, first)
        self.excluding = Excluding(ground, learnt)
        self.goals = goals_of(ground, learnt.claims)
        self.coverage = Coverage(ground, self.goals)
        for trace in first:
            self._add(trace)

    def run(self) -> Collected:
        self._batches("wandering", self.effort.batches)
        for trace in self._prizes([one for one in self._left() if isinstance(one, Prize)]):
            self._add(trace)
        self.tell("what is possible")
        self.excluding.set_aside(self._left())
        self._aimed(_QUICKLY)
        self._batches("after that", 2)
        self.tell("what is so once a rule was taken")
        self.excluding.past(self._left(), self.traces)
        for number in range(1, self.effort.rounds + 1):
            self._aimed(f"round {number}")
            self._batches(f"after round {number}", 2)
        self._proofs()
        for goal in self._left():
            self.why.setdefault(goal.id, "no Play was found that reaches it, and no proof")
        return Collected(
            self.ground,
            self.goals,
            tuple(self.traces),
            tuple(self.covers),
            tuple(self.never),
            self.why,
        )

    def tell(self, what: str) -> None:
        self._tell(what, len(self.goals) - len(self._left()), len(self.goals))

    def _left(self) -> list[Goal]:
        proved = {goal.id for claimed in self.never for goal in claimed.goals}
        return [g for g in self.goals if not self.times[g.id] and g.id not in proved]

    def _add(self, trace: Trace, reached: frozenset[str] | None = None) -> bool:
        """Keep a Play if it reaches what too few reach; return whether some of it is new."""
        if reached is None:
            assert self.coverage is not None, "there are goals by now"
            reached = self.coverage.of(trace)
        new = any(not self.times[goal] for goal in reached)
        if any(self.times[goal] < self.effort.kept for goal in reached):
            self.traces.append(trace)
            self.covers.append(reached)
            self.times.update(reached)
        return new

    def _learnt(
        self, parts: Iterable[list[Found]]
    ) -> Iterator[tuple[Trace, frozenset[str] | None]]:
        """Yield the Plays that parts of the search found, once they are learnt from."""
        for found in parts:
            for play, reached in found:
                trace = self.ground.unpacked(play)
                self.wander.learn(trace)
                yield trace, reached

    def _prizes(self, goals: Sequence[Prize]) -> list[Trace]:
        """Return Plays that win prizes; note why there is none."""
        found: list[Trace] = []
        size = -(-len(goals) // _PARTS) or 1
        parts = [Winning(goals[at : at + size]) for at in range(0, len(goals), size)]
        for part, won in zip(parts, self._abreast(self._won, self._told(parts)), strict=True):
            for goal, (plays, never, remark) in zip(part.goals, won, strict=True):
                for trace in map(self.ground.unpacked, plays):
                    self.wander.learn(trace)
                    found.append(trace)
                if never is not None:
                    says = f"No Play wins {goal.target}."
                    self.never.append(Claimed((goal,), says, never))
                elif not plays:
                    self.why[goal.id] = remark
        return found

    def _told(self, parts: Sequence[Winning]) -> Iterator[Winning]:
        for part in parts:
            self.tell(part.goals[0].id)
            yield part

    def _won(self, part: Winning) -> list[Won]:
        return part.done(self.ground, self.synthesis)

    def _batches(self, what: str, most: int) -> None:
        """Let Plays wander, until some batches running reach nothing new."""
        dry = 0
        for number in range(1, most + 1):
            self.tell(f"{what}, {number}")
            new = [self._add(*one) for one in self._wandering(f"{what} {number}", self.traces)]
            dry = 0 if any(new) else dry + 1
            if dry == _DRY:
                return

    def _wandering(
        self, what: str, begun: Sequence[Trace]
    ) -> Iterator[tuple[Trace, frozenset[str] | None]]:
        """Yield a batch of Plays that wander; the parts of it know nothing of each other."""
        plays, begun = -(-self.effort.batch // _PARTS), tuple(begun)
        apart = [self.wander.apart(f"{what} {part}") for part in range(_PARTS)]
        parts = [Wandering(wander, plays, begun) for wander in apart]
        return self._learnt(self._abreast(self._wandered, parts))

    def _wandered(self, part: Wandering) -> list[Found]:
        return part.done(self.ground, self.coverage)

    def _aimed(self, what: str) -> None:
        """Look for each goal that is left, a few in one part of the search."""
        for trace, reached in self._learnt(self._abreast(self._aims, self._aiming(what))):
            self._add(trace, reached)

    def _aiming(self, what: str) -> Iterator[Aiming]:
        """Yield goals to aim at, without those that were reached by then."""
        left = [goal for goal in self._left() if goal.id not in self.excluding.excluded]
        while left := [goal for goal in left if not self.times[goal.id]]:
            goals, left = left[:_GOALS], left[_GOALS:]
            self.tell(goals[0].id)
            few = {goal.id: self.times[goal.id] for goal in self.goals}
            yield Aiming(
                self.wander.apart(f"{what} {goals[0].id}"),
                goals,
                tuple(self.traces),
                frozenset(goal for goal, times in few.items() if times < self.effort.kept),
                frozenset(goal for goal, times in few.items() if not times),
                what == _QUICKLY,
            )

    def _aims(self, part: Aiming) -> list[Found]:
        assert self.coverage is not None, "there are goals by now"
        return part.done(self.ground, self.coverage)

    def _abreast(
        self, work: Callable[[Item], Result], items: Iterable[Item]
    ) -> Iterator[Result]:
        return abreast(work, items, self.jobs)

    def _proofs(self) -> None:
        """Have it proved of what was set aside that no Play comes to it, kind by kind."""
        kinds = self.excluding.kinds(self._left())

        def told() -> Iterator[Sequence[Goal]]:
            for goals in kinds:
                self.tell(f"proof: {goals[0].kind}")
                yield goals

        for goals, (says, verdict) in zip(
            kinds, self._abreast(self.excluding.proved, told()), strict=True
        ):
            if verdict.outcome is Outcome.PROVED:
                self.never.append(Claimed(tuple(goals), says, verdict))
            else:
                why = f"no Play was found, and no proof: {verdict.remark}"
                self.why.update({goal.id: why for goal in goals})
        self._runs()

    def _runs(self) -> None:
        """Count runs of a rule among what a proof is about, where the rule cannot run."""
        for number, claimed in enumerate(self.never):
            pairs = {(g.first, g.then) for g in claimed.goals if isinstance(g, Passage)}
            runs = [
                goal
                for goal in self._left()
                if isinstance(goal, Run) and (goal.rule, goal.rule) in pairs
            ]
            both = (*claimed.goals, *runs)
            self.never[number] = Claimed(both, claimed.says, claimed.verdict)
