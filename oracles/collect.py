"""Collecting: Plays that reach the goals of a suite, and proofs for goals that none reaches.

    1. every prize by synthesis, or a proof that no Play wins it
    2. Plays that wander, as long as they reach anything new
    3. what is left, and possible in a step or two: Plays aimed at it, and some more that wander
    4. what is not possible in a step or two: a proof that no Play comes to it

Efforts are counted, not timed, so the same edition, readings and seed give the same Plays.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from ..proofs.verdict import Outcome
from .aim import Aim
from .coverage import Coverage
from .goals import Again, Goal, Losing, Moment, Passage, Prize, Run, goals_of
from .ground import Ground, Trace
from .learnt import Learnt
from .never import Claimed, Never
from .possible import Possible
from .synthesis import Synthesis
from .wander import Wander

__all__ = ["Collected", "Effort", "collect"]


@dataclass(frozen=True)
class Effort:
    """How hard to look.

    Plays in a batch, batches, rounds of aiming, Plays kept of each goal, Plays looked at for a
    guess of what is so after a rule.
    """

    batch: int = 120
    batches: int = 8
    rounds: int = 2
    kept: int = 2
    guessed: int = 12


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
    tell: Callable[[str], None] = lambda what: None,
) -> Collected:
    """Return Plays for the goals of a ground; ``tell`` is told what is at work."""
    return _Collecting(ground, seed, effort or Effort(), tell).run()


class _Collecting:
    def __init__(
        self, ground: Ground, seed: int, effort: Effort, tell: Callable[[str], None]
    ) -> None:
        self.ground, self.seed, self.effort, self.tell = ground, seed, effort, tell
        self.wander = Wander(ground, seed)
        tell("what is always so")
        first = list(self.wander.batch(effort.batch, ()))
        self.learnt = Learnt(ground, first)
        self.goals = goals_of(ground, self.learnt.claims)
        self.coverage = Coverage(ground, self.goals)
        self.aim = Aim(ground, self.wander, seed)
        self.first = first
        self.traces: list[Trace] = []
        self.covers: list[frozenset[str]] = []
        self.times: Counter[str] = Counter()
        self.never: list[Claimed] = []
        self.why: dict[str, str] = {}
        self.impossible: dict[str, tuple[str, ...]] = {}

    def run(self) -> Collected:
        self._prizes()
        for trace in self.first:
            self._add(trace)
        self._batches(self.effort.batches)
        self._sort_out()
        for _ in range(self.effort.rounds):
            self._aimed()
            self._batches(2)
        self.wander.close()
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

    def _left(self) -> list[Goal]:
        proved = {goal.id for claimed in self.never for goal in claimed.goals}
        return [g for g in self.goals if not self.times[g.id] and g.id not in proved]

    def _add(self, trace: Trace) -> frozenset[str]:
        """Keep a Play if it reaches what too few reach; return what it reaches that is new."""
        reached = self.coverage.of(trace)
        new = frozenset(goal for goal in reached if not self.times[goal])
        if any(self.times[goal] < self.effort.kept for goal in reached):
            self.traces.append(trace)
            self.covers.append(reached)
            self.times.update(reached)
        return new

    def _prizes(self) -> None:
        wanted = [goal for goal in self.goals if isinstance(goal, Prize)]
        synthesis = Synthesis(self.ground.edition, self.ground.readings)
        for goal in wanted:
            self.tell(goal.id)
            finding = synthesis.find(goal.target)
            for play in finding.plays:
                trace = self.ground.traced(play)
                if self.ground.allowed(trace):
                    self.wander.learn(trace)
                    self._add(trace)
                else:
                    self.why[goal.id] = "the Play found breaks a promise, so it is no script"
            if finding.unreachable and finding.verdict is not None:
                says = f"No Play wins {goal.target}."
                self.never.append(Claimed((goal,), says, finding.verdict))
            elif not finding.plays:
                self.why[goal.id] = finding.remark

    def _batches(self, most: int) -> None:
        for number in range(most):
            self.tell(f"wandering {number + 1}")
            begun = list(self.traces)
            new = 0
            for trace in self.wander.batch(self.effort.batch, begun):
                new += len(self._add(trace))
            if not new:
                return

    def _sort_out(self) -> None:
        """Tell what may be reached in a step or two from what may not."""
        self.tell("what is possible")
        with Possible(self.ground, self.learnt) as possible:
            for goal in self._left():
                if isinstance(goal, Moment | Passage):
                    needed = possible.excluded(goal)
                    if needed is not None:
                        self.impossible[goal.id] = needed

    def _aimed(self) -> None:
        for goal in self._left():
            if self.times[goal.id] or goal.id in self.impossible:
                continue
            self.tell(goal.id)
            for trace in self.aim.at(goal, self.traces):
                self._add(trace)
                if self.times[goal.id]:
                    break

    def _proofs(self) -> None:
        prover = Never(self.ground, self.learnt)
        left = [goal for goal in self._left() if goal.id in self.impossible]
        for kind, goals in _by_kind(left).items():
            using = {name for goal in goals for name in self.impossible[goal.id]}
            self._prove(prover, kind, goals, tuple(sorted(using)))
        self._past(prover)
        never = {goal.id for claimed in self.never for goal in claimed.goals}
        for goal in self._left():
            if isinstance(goal, Run) and f"pair:{goal.rule}>{goal.rule}" in never:
                claimed = next(
                    one
                    for one in self.never
                    if any(g.id == f"pair:{goal.rule}>{goal.rule}" for g in one.goals)
                )
                self._replace(claimed, goal)

    def _past(self, prover: Never) -> None:
        """Prove that rules come once, or in no losing Play, where no Play shows otherwise."""
        for goal in self._left():
            if not isinstance(goal, Again | Losing):
                continue
            with_it = [t for t in self.traces if goal.rule in t.rules][: self.effort.guessed]
            if not with_it:
                continue
            self.tell(f"proof: {goal.id}")
            plays = [self.ground.play(trace) for trace in with_it]
            prove = prover.once if isinstance(goal, Again) else prover.wins
            claimed = prove(goal, plays)  # type: ignore[arg-type]
            if claimed is not None and claimed.verdict.outcome is Outcome.PROVED:
                self.never.append(claimed)

    def _replace(self, claimed: Claimed, goal: Goal) -> None:
        """Count a goal, of which a pair of rules is a part, among what a proof is about."""
        at = next(n for n, one in enumerate(self.never) if one.verdict is claimed.verdict)
        old = self.never[at]
        self.never[at] = Claimed((*old.goals, goal), old.says, old.verdict)

    def _prove(
        self,
        prover: Never,
        kind: str,
        goals: Sequence[Moment | Passage],
        using: tuple[str, ...],
    ) -> None:
        self.tell(f"proof: {kind}")
        claimed = prover.prove(kind, goals, using)
        if claimed.verdict.outcome is Outcome.PROVED:
            self.never.append(claimed)
        else:
            for goal in goals:
                self.why[goal.id] = f"no Play was found, and no proof: {claimed.verdict.remark}"


def _by_kind(goals: Iterable[Goal]) -> dict[str, list[Moment | Passage]]:
    found: dict[str, list[Moment | Passage]] = {}
    for goal in goals:
        if isinstance(goal, Moment | Passage):
            found.setdefault(goal.kind, []).append(goal)
    return found
