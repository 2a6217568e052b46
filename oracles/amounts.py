"""Amounts: reveals that change a counter by what an outline says, one step after another.

Which amounts a pot is made of is known before a path is asked about (``proofs.sums``). What is
left is what shows each of them: a section of the wheel and a multiplier, say. That is a small
question of its own, the same for each step of a rule, and its answer spares the solver the sum.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from ..models.algebra import Int, variables_of
from ..models.system import Game, Point, Step
from ..proofs.counting import Outline
from ..proofs.finite import Query, solve
from ..proofs.paths import Path, Paths

__all__ = ["Amounts"]

Shown = Mapping[str, int]


class Amounts:
    """Finds what shows an amount; keeps what it found, by rule, counter and amount."""

    def __init__(self, game: Game, p: Any, paths: Paths) -> None:
        self.game, self.p, self.paths = game, p, paths
        self._nothing = game.tally_shape().zero()
        self._kept: dict[tuple[str, str, int], Shown] = {}

    def along(self, path: Path, outline: Outline) -> dict[str, int]:
        """Return values of unknowns of a path that bring about the amounts outlined."""
        found: dict[str, int] = {}
        for counter, made in outline.amounts.items():
            left = {rule: list(reversed(amounts)) for rule, amounts in made.items()}
            for step, rule in enumerate(path.rules, start=1):
                if left.get(rule):
                    shown = self._shown(path, step, counter, left[rule].pop())
                    found |= {f"{step}.{field}": value for field, value in shown.items()}
        return found

    def _shown(self, path: Path, step: int, counter: str, amount: int) -> Shown:
        """Return what a step has to reveal to change a counter so; nothing if unknown."""
        key = (path.rules[step - 1], counter, amount)
        if key not in self._kept:
            self._kept[key] = self._solved(path, step, counter, amount)
        return self._kept[key]

    def _solved(self, path: Path, step: int, counter: str, amount: int) -> Shown:
        before, after = (self.paths.follow(path.rules[:n]) for n in (step - 1, step))
        assert before is not None, "a part of a path that has been walked"
        assert after is not None, "a part of a path that has been walked"
        change = self._change(counter, before.state, path, step, after.state)
        names = tuple(sorted(variables_of(change)))
        own = {name for name in path.unknowns if name.startswith(f"{step}.")}
        if isinstance(change, int) or not own.issuperset(names):
            return {}
        guards = [one for one in after.guards if own.issuperset(variables_of(one))]
        answer = solve(Query(names, (), (change == amount, *guards), after.known), bits=False)
        if isinstance(answer, bool):
            return {}
        return {name.partition(".")[2]: answer[name] for name in names}

    def _change(self, counter: str, s: Any, path: Path, step: int, after: Any) -> Int:
        """Return the difference that a step makes to a counter of the state or the tally."""
        taken = Step(path.rules[step - 1], path.reveals[step - 1])
        t = self.game.observe(self.p, Point(s, self._nothing), taken, after)
        kind, _, scalar = counter.partition(".")
        if kind == "t":
            return cast("Int", self.game.tally_shape().scalars(t)[scalar])
        then, now = (self.game.state_shape().scalars(one)[scalar] for one in (s, after))
        return cast("Int", now) - cast("Int", then)
