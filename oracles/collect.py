"""Collecting: Plays that reach the goals of a suite, and proofs for goals that none reaches.

    1. some prizes by synthesis, and Plays that wander, as long as they reach anything new
    2. every other prize by synthesis, or a proof that no Play wins it
    3. what no step can bring about, after all that is known: set aside
    4. what is left: Plays aimed at it, at first without a solver, and some more that wander
    5. what was set aside: a proof that no Play comes to it

Efforts are counted, not timed, so the same edition, readings and seed give the same Plays.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import TypeVar

from ..proofs.verdict import Outcome
from .aim import Aim
from .all_goals import goals_of, prizes_of
from .coverage import Coverage
from .goals import Again, Goal, Losing, Moment, Passage, Prize, Run
from .ground import Ground, Trace
from .learnt import learnt_from
from .marked import Marked
from .never import Claimed, Never, broken_by
from .possible import Excluded, Possible
from .synthesis import Synthesis
from .wander import Wander

__all__ = ["Collected", "Effort", "Tell", "collect", "untold"]

G = TypeVar("G", bound=Goal)
# Of so many prizes one is made first, so that Plays that wander know how some end.
_SOME = 5
# As many batches running that reach nothing new are enough.
_DRY = 2
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
) -> Collected:
    """Return Plays for the goals of a ground; ``tell`` is told what is at work."""
    return _Collecting(ground, seed, effort or Effort(), tell).run()


class _Collecting:
    def __init__(self, ground: Ground, seed: int, effort: Effort, tell: Tell) -> None:
        self.ground, self.effort, self._tell = ground, effort, tell
        self.wander = Wander(ground, seed)
        self.aim = Aim(ground, self.wander, seed)
        self.synthesis = Synthesis(ground.edition, ground.readings)
        self.goals: tuple[Goal, ...] = prizes_of(ground)
        self.traces: list[Trace] = []
        self.covers: list[frozenset[str]] = []
        self.times: Counter[str] = Counter()
        self.never: list[Claimed] = []
        self.why: dict[str, str] = {}
        self.excluded: dict[str, Excluded] = {}
        first = self._prizes(prizes_of(ground)[::_SOME])
        self.tell("what is always so")
        first += self.wander.batch(effort.batch, ())
        self.learnt = learnt_from(ground, first)
        self.goals = goals_of(ground, self.learnt.claims)
        self.coverage = Coverage(ground, self.goals)
        for trace in first:
            self._add(trace)

    def run(self) -> Collected:
        with closing(self.wander):
            self._batches(self.effort.batches)
            for trace in self._prizes([one for one in self._left() if isinstance(one, Prize)]):
                self._add(trace)
            self._set_aside()
            self._aimed(self.aim.quickly)
            self._batches(2)
            marked = self._past()
            for _ in range(self.effort.rounds):
                self._aimed(self.aim.at)
                self._batches(2)
        self._proofs(marked)
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

    def _add(self, trace: Trace) -> frozenset[str]:
        """Keep a Play if it reaches what too few reach; return what it reaches that is new."""
        reached = self.coverage.of(trace)
        new = frozenset(goal for goal in reached if not self.times[goal])
        if any(self.times[goal] < self.effort.kept for goal in reached):
            self.traces.append(trace)
            self.covers.append(reached)
            self.times.update(reached)
        return new

    def _prizes(self, goals: Sequence[Prize]) -> list[Trace]:
        """Return Plays that win prizes; note why there is none."""
        found: list[Trace] = []
        for goal in goals:
            self.tell(goal.id)
            finding = self.synthesis.find(goal.target)
            for play in finding.plays:
                trace = self.ground.traced(play)
                if self.ground.allowed(trace):
                    self.wander.learn(trace)
                    found.append(trace)
                else:
                    self.why[goal.id] = "the Play found breaks a promise, so it is no script"
            if finding.unreachable and finding.verdict is not None:
                says = f"No Play wins {goal.target}."
                self.never.append(Claimed((goal,), says, finding.verdict))
            elif not finding.plays:
                self.why[goal.id] = finding.remark
        return found

    def _batches(self, most: int) -> None:
        """Let Plays wander, until some batches running reach nothing new."""
        dry = 0
        for number in range(most):
            self.tell(f"wandering {number + 1}")
            begun = list(self.traces)
            new = sum(
                len(self._add(one)) for one in self.wander.batch(self.effort.batch, begun)
            )
            dry = 0 if new else dry + 1
            if dry == _DRY:
                return

    def _set_aside(self) -> None:
        """Set aside what no step or two can bring about."""
        self.tell("what is possible")
        with Possible(self.ground, self.learnt) as possible:
            for goal in self._left():
                if isinstance(goal, Moment | Passage):
                    excluded = possible.excluded(goal)
                    if excluded is not None:
                        self.excluded[goal.id] = excluded

    def _past(self) -> Marked:
        """Set aside what no step can bring about after what is so once a rule was taken."""
        self.tell("what is so once a rule was taken")
        taken = {rule for trace in self.traces for rule in trace.rules}
        past = [
            goal
            for goal in self._left()
            if isinstance(goal, Again | Losing) and goal.rule in taken
        ]
        rules = [*dict.fromkeys(goal.rule for goal in past)]
        marked = Marked(self.ground, self.learnt, rules, self.traces)
        with marked:
            for goal in past:
                needed = marked.needed_for(broken_by(self.ground, goal))
                if needed is not None:
                    self.excluded[goal.id] = Excluded(needed)
        return marked

    def _aimed(self, aim: Callable[[Goal, Sequence[Trace]], Iterator[Trace]]) -> None:
        for goal in self._left():
            if self.times[goal.id] or goal.id in self.excluded:
                continue
            self.tell(goal.id)
            for trace in aim(goal, self.traces):
                self._add(trace)
                if self.times[goal.id]:
                    break

    def _proofs(self, marked: Marked) -> None:
        prover = Never(self.ground, self.learnt)
        left = [goal for goal in self._left() if goal.id in self.excluded]
        ahead = [goal for goal in left if self.excluded[goal.id].ahead]
        kinds: dict[str, list[Goal]] = {}
        for goal in left:
            kinds.setdefault(goal.kind + ("-ahead" if goal in ahead else ""), []).append(goal)
        for kind, goals in kinds.items():
            self.tell(f"proof: {kind}")
            using = sorted({name for goal in goals for name in self.excluded[goal.id].needed})
            first = goals[0]
            if isinstance(first, Moment):
                claimed = prover.moments(kind, _only(Moment, goals), using)
            elif isinstance(first, Passage):
                pairs = _only(Passage, goals)
                prove = prover.pairs_ahead if first in ahead else prover.pairs
                claimed = prove(pairs, using)
            else:
                past = [goal for goal in goals if isinstance(goal, Again | Losing)]
                claimed = prover.past(kind, past, marked, using)
            if claimed.verdict.outcome is Outcome.PROVED:
                self.never.append(claimed)
            else:
                why = f"no Play was found, and no proof: {claimed.verdict.remark}"
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


def _only(kind: type[G], goals: Sequence[Goal]) -> list[G]:
    return [goal for goal in goals if isinstance(goal, kind)]
