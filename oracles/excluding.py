"""Goals that no Play comes to: set aside where no step can bring them about, then proved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from ..proofs.verdict import Verdict
from .goals import Again, Goal, Losing, Moment, Passage
from .ground import Ground, Trace
from .learnt import Learnt
from .marked import Marked
from .never import Claimed, Never, broken_by
from .possible import Excluded, Possible

__all__ = ["Excluding"]

G = TypeVar("G", bound=Goal)


class Excluding:
    """Sets goals of one ground aside; ``excluded`` says by id what each is excluded by."""

    def __init__(self, ground: Ground, learnt: Learnt) -> None:
        self.ground, self.learnt = ground, learnt
        self.excluded: dict[str, Excluded] = {}
        self._never = Never(ground, learnt)
        self._marked: Marked | None = None

    def set_aside(self, goals: Sequence[Goal]) -> None:
        """Set aside what no step or two can bring about."""
        with Possible(self.ground, self.learnt) as possible:
            for goal in goals:
                if isinstance(goal, Moment | Passage):
                    excluded = possible.excluded(goal)
                    if excluded is not None:
                        self.excluded[goal.id] = excluded

    def past(self, goals: Sequence[Goal], traces: Sequence[Trace]) -> None:
        """Set aside what no step can bring about after what is so once a rule was taken."""
        taken = {rule for trace in traces for rule in trace.rules}
        past = [
            goal for goal in goals if isinstance(goal, Again | Losing) and goal.rule in taken
        ]
        rules = [*dict.fromkeys(goal.rule for goal in past)]
        self._marked = Marked(self.ground, self.learnt, rules, traces)
        with self._marked as marked:
            for goal in past:
                needed = marked.needed_for(broken_by(self.ground, goal))
                if needed is not None:
                    self.excluded[goal.id] = Excluded(needed)

    def kinds(self, goals: Sequence[Goal]) -> list[list[Goal]]:
        """Return those that were set aside, as they are proved: some of one kind together."""
        kinds: dict[tuple[str, bool], list[Goal]] = {}
        for goal in goals:
            if goal.id in self.excluded:
                ahead = self.excluded[goal.id].ahead
                kinds.setdefault((goal.kind, ahead), []).append(goal)
        return [*kinds.values()]

    def proved(self, goals: Sequence[Goal]) -> tuple[str, Verdict]:
        """Return the claim in words that none of some goals comes about, and its verdict."""
        claimed = self._claimed(goals)
        return claimed.says, claimed.verdict

    def _claimed(self, goals: Sequence[Goal]) -> Claimed:
        using = sorted({name for goal in goals for name in self.excluded[goal.id].needed})
        first = goals[0]
        if isinstance(first, Moment):
            return self._never.moments(first.kind, _only(Moment, goals), using)
        if isinstance(first, Passage):
            ahead = self.excluded[first.id].ahead
            prove = self._never.pairs_ahead if ahead else self._never.pairs
            return prove(_only(Passage, goals), using)
        past = [goal for goal in goals if isinstance(goal, Again | Losing)]
        assert self._marked is not None, "what set them aside"
        return self._never.past(first.kind, past, self._marked, using)


def _only(kind: type[G], goals: Sequence[Goal]) -> list[G]:
    return [goal for goal in goals if isinstance(goal, kind)]
