"""Whether what is said of mutants is so: worked out anew, by other means than found it.

A Play that tells a mutant apart is replayed by the rules of the game themselves, and the step
in question is worked out from the mutant's terms, one by one. What is proved equal is run on
every Play there is, a suite's scripts among them, and on every step that another mutant wrongly
accepts. Where either fails, the fault is ours.
"""

from __future__ import annotations

from typing import Any, cast

from ...models.play import replay
from ...proofs.evaluate import Evaluation
from ..ground import Trace
from .deciding import Decided
from .making import Mutant
from .run import Run
from .steps import Place, Steps

__all__ = ["WrongAnswer", "check"]


class WrongAnswer(RuntimeError):
    """Something said of a mutant is not so: a fault of Playproof's, not of who asked."""


def check(run: Run) -> None:
    """Raise WrongAnswer for a mutant of which something is said that is not so."""
    killed: dict[int, list[tuple[Mutant, Decided]]] = {}
    equal: list[Mutant] = []
    for mutant in run.mutants.all:
        one = run.of(mutant)
        if one.outcome == "killed":
            killed.setdefault(one.play, []).append((mutant, one))
        elif one.outcome == "equal":
            equal.append(mutant)
    for number, those in sorted(killed.items()):
        _replayed(run, number, those)
    steps = Steps(run.mutants, [run.trace(number) for number in range(len(run.plays))])
    for _, one in (pair for those in killed.values() for pair in those):
        if one.refused is not None:
            state = run.trace(one.play).states[one.step]
            steps.note_refused(Place(0, one.step, one.refused), state)
    for mutant in equal:
        if steps.apart(mutant) is not None:
            raise WrongAnswer(f"{mutant.id} is proved equal, and a Play tells it apart")


def _replayed(run: Run, number: int, those: list[tuple[Mutant, Decided]]) -> None:
    """Replay a Play by the rules, and by each mutant that it tells apart."""
    ground, game = run.ground, run.ground.game
    play = ground.play(run.trace(number))
    points = list(replay(game, play))
    state_shape = game.state_shape()
    for whole, one in those:
        point = points[one.step]
        move = one.refused or run.plays[number][one.step]
        mutant = whole.of(move.rule)
        if mutant is None:
            raise WrongAnswer(
                f"{whole.id}: it does not change {move.rule}, which is to tell it"
            )
        rule = game.rule(move.rule)
        values = {f"s.{n}": value for n, value in state_shape.scalars(point.s).items()}
        known = Evaluation({**values, **move.revealed})
        if mutant.guard is not None:
            reveal = ground.play(Trace((move,), ())).steps[0].reveal
            within = game.reveal_shape(rule).within_limits(reveal) is True
            legal = within and rule.guard(ground.p, point.s, reveal) is True
            same = known.of(mutant.guard) is legal
        else:
            right = state_shape.scalars(points[one.step + 1].s)
            same = all(
                known.of(value) == cast("Any", right[name.removeprefix("s.")])
                for name, value in mutant.updates.items()
            )
        if same:
            raise WrongAnswer(f"{mutant.id}: replayed, its Play does not tell it apart")
