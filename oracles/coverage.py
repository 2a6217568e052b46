"""Coverage: which goals a Play reaches, and few Plays that reach all that many do.

The few are chosen greedily: next comes always the Play that reaches most of what is left, the
shorter of two, the earlier of two alike (Chvátal 1979: no more than a logarithm from the best).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from ..models.algebra import Bool
from .compiled import compiled
from .goals import Again, Goal, Long, Losing, Moment, Passage, Prize, Run
from .ground import Ground, Trace
from .lengths import Length

__all__ = ["Coverage", "chosen"]


class Coverage:
    """Says of Plays which goals they reach."""

    def __init__(self, ground: Ground, goals: Sequence[Goal]) -> None:
        self.ground, self.goals = ground, goals
        cases: dict[str, list[tuple[Moment, Bool]]] = {}
        for goal in goals:
            if isinstance(goal, Moment):
                for rule, condition in goal.cases:
                    cases.setdefault(rule, []).append((goal, condition))
        self._moments = {rule: [goal.id for goal, _ in of] for rule, of in cases.items()}
        self._met = {
            rule: compiled([condition for _, condition in of]) for rule, of in cases.items()
        }
        self._pairs = {(g.first, g.then): g.id for g in goals if isinstance(g, Passage)}
        self._losing = {goal.rule: goal.id for goal in goals if isinstance(goal, Losing)}
        self._again = {goal.rule: goal.id for goal in goals if isinstance(goal, Again)}
        self._runs = [goal for goal in goals if isinstance(goal, Run)]
        self._long = [goal for goal in goals if isinstance(goal, Long)]
        self._lengths = {g.source: Length(ground, g.source) for g in self._long if g.source}
        self._prizes = {str(goal.target): goal for goal in goals if isinstance(goal, Prize)}

    def of(self, trace: Trace) -> frozenset[str]:
        """Return the goals (ids) that a Play reaches, ended or not."""
        found = self.on_the_way(trace, 0)
        ground, rules = self.ground, trace.rules
        for goal in self._long:
            if self._is_long(goal, trace):
                found.add(goal.id)
        if ground.ended(trace.end):
            if not ground.paid(trace.end):
                found.update(self._losing[rule] for rule in set(rules))
            prize = self._prizes.get(str(ground.target(trace.end)))
            if prize is not None:
                found.add(prize.id)
        return frozenset(found)

    def on_the_way(self, trace: Trace, first: int) -> set[str]:
        """Return what is reached from a step on (counted from 0), whatever comes after."""
        found: set[str] = set()
        rules = trace.rules
        for number in range(first, len(rules)):
            rule = rules[number]
            if rule in self._met:
                met = self._met[rule](trace.seen(number))
                found.update(
                    id_ for id_, is_ in zip(self._moments[rule], met, strict=True) if is_
                )
            if number:
                pair = self._pairs.get((rules[number - 1], rule))
                if pair:
                    found.add(pair)
                if rules[number - 1] != rule and rule in rules[: number - 1]:
                    found.add(self._again[rule])
                elif rules[number - 1] == rule:
                    found |= self._running(trace, number)
        return found

    def _running(self, trace: Trace, number: int) -> set[str]:
        before, now = trace.moves[number - 1].revealed, trace.moves[number].revealed
        return {
            goal.id
            for goal in self._runs
            if goal.rule == trace.moves[number].rule
            and goal.same is _alike(goal.field, before, now)
        }

    def _is_long(self, goal: Long, trace: Trace) -> bool:
        if not goal.source:
            return len(trace.moves) >= goal.most
        return self._lengths[goal.source].used(trace) > goal.most


def _alike(field: str, before: Mapping[str, object], now: Mapping[str, object]) -> bool:
    """Return whether two reveals have the same in a field."""

    def of(name: str) -> bool:
        return name.partition(".")[2].partition(".")[2].partition(".")[0] == field

    return all(now[name] == value for name, value in before.items() if of(name))


def chosen(
    covers: Mapping[int, frozenset[str]],
    cost: Callable[[int], int],
    wanted: Iterable[str],
    times: int = 1,
) -> list[tuple[int, tuple[str, ...]]]:
    """Return Plays (by number) that reach each wanted goal so often, if there are so many.

    Each comes with the goals, in their order, for which it was chosen.
    """
    order = list(dict.fromkeys(wanted))
    left = dict.fromkeys(order, times)
    picked: list[tuple[int, tuple[str, ...]]] = []
    open_ = dict(covers)
    gain = {one: len(goals & left.keys()) for one, goals in open_.items()}
    while open_:
        best = max(gain, key=lambda one: (gain[one], -cost(one), -one))
        # Gains only shrink: what was worked out before is an upper limit.
        new = sum(1 for goal in open_[best] if left.get(goal))
        if new < gain[best]:
            gain[best] = new
            continue
        if not new:
            break
        credited = tuple(goal for goal in order if left[goal] and goal in open_[best])
        for goal in credited:
            left[goal] -= 1
        picked.append((best, credited))
        del open_[best], gain[best]
    return picked
