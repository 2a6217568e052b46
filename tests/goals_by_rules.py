"""Which goals a Play reaches, as its own rules have it: slow, plain, and by other means.

Suites look at Plays by formulas that were made into Python. Here every goal is asked of a Play
that the concrete rules replay, step by step.
"""

from __future__ import annotations

import itertools

from playproof.models.play import replay
from playproof.oracles.goals import Again, Long, Losing, Moment, Passage, Prize, Run
from playproof.proofs.evaluate import Evaluation, values_at


def reached(ground, goals, play):
    """Return the ids of the goals that a Play reaches."""
    game, p = ground.game, ground.p
    points = list(replay(game, play))
    rules = [step.rule for step in play.steps]
    works = [
        Evaluation(values_at(ground.encoding, p, before, step, after))
        for before, step, after in zip(points, play.steps, points[1:], strict=False)
    ]
    end = points[-1].s
    ended = game.goal.ended(p, end) is True

    def is_reached(goal):
        if isinstance(goal, Moment):
            cases = dict(goal.cases)
            return any(
                rule in cases and work.of(cases[rule]) is True
                for rule, work in zip(rules, works, strict=True)
            )
        if isinstance(goal, Passage):
            return (goal.first, goal.then) in itertools.pairwise(rules)
        if isinstance(goal, Prize):
            return ended and goal.target.won(game, p, end) is True
        if isinstance(goal, Losing):
            return ended and goal.rule in rules and game.goal.paid(p, end) == 0
        if isinstance(goal, Again):
            places = [n for n, rule in enumerate(rules) if rule == goal.rule]
            return any(two - one > 1 for one, two in itertools.pairwise(places))
        if isinstance(goal, Run):
            shown = [getattr(step.reveal, goal.field, None) for step in play.steps]
            return any(
                rules[n] == rules[n + 1] == goal.rule
                and (shown[n] == shown[n + 1]) is goal.same
                for n in range(len(rules) - 1)
            )
        assert isinstance(goal, Long)
        if not goal.source:
            return len(rules) >= goal.most
        limit = next(one for one in game.limits if one.id == goal.source)
        used, most = 0, 0
        for point, step in zip(points, play.steps, strict=False):
            used = 0 if step.rule in limit.renewed else used
            used += limit.spent(p, point.s, step)
            most = max(most, used)
        return most > goal.most

    return {goal.id for goal in goals if is_reached(goal)}
