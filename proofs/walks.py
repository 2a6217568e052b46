"""Plays to look at: legal ones, wandering where few have been.

A Play is walked by the concrete rules. At each step the rule taken least often so far goes
first, if it can fire; a small question to z3, about this one step, gives a reveal that is as
near to random wishes as the rule allows. The same seed gives the same Plays.

Nothing is proved by what is met on the way: it only saves asking for it.
"""

from __future__ import annotations

import dataclasses
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, cast

import z3

from ..models.algebra import Bool, Term, all_of, equal, negate
from ..models.play import Play
from ..models.shape import Variable
from ..models.system import Game, Point, Rule, Step
from .bmc import setting_of
from .encoding import Encoding
from .finite import Integers
from .paths import Path, limits
from .questions import Asker
from .replays import Replays
from .spans import assume

__all__ = ["Wanted", "finished", "gone_on", "varied", "walks"]

Wanted = Callable[[Point[Any, Any], Step, Point[Any, Any]], Bool]

# Steps of z3 for one reveal, and how far above its least value an unknown without an upper
# limit is wished for.
_BUDGET, _WIDE = 100_000, 9
# Reveals among which a plain walk has its choice.
_TRIES = 4


def walks(
    encoding: Encoding, number: int, *, seed: int = 0, wild: int = 14, longest: int = 40
) -> Iterator[Play]:
    """Yield so many Plays of an encoding, each under values of its own for what is open.

    After ``wild`` steps a Play goes on plainly, by reveals that change little, so that most
    come to their end. ``longest`` is in steps too.
    Fewer Plays only where no setting at all is found.
    """
    taken: Counter[str] = Counter()
    for one in range(number):
        with Walk(encoding, random.Random(f"{seed}/{one}"), taken) as walk:
            play = walk.play(wild, longest)
        if play is None:
            return
        yield play


def gone_on(
    encoding: Encoding, play: Play, replays: Replays | None = None, *, longest: int = 40
) -> Play:
    """Return a Play gone on with, wildly for half of the way."""
    with Walk(encoding, random.Random("gone on"), Counter(), replays) as walk:
        return walk.on(play, (len(play.steps) + longest) // 2, longest)


def finished(
    encoding: Encoding, play: Play, replays: Replays | None = None, *, longest: int = 80
) -> Play:
    """Return a Play gone on with plainly: to its end, if it comes to one in so many steps."""
    with Walk(encoding, random.Random("finished"), Counter(), replays) as walk:
        return walk.on(play, 0, longest)


def varied(
    encoding: Encoding,
    play: Play,
    window: range,
    rules: Sequence[Rule],
    wanted: Wanted,
    replays: Replays | None = None,
) -> Iterator[Play]:
    """Yield Plays that go another way for some steps, the last of which is as wanted.

    Up to the window (numbers of steps from 0) all is as in the Play; then the same rules come
    with any reveals, and in the last step any of ``rules``. ``wanted(before, step, after)`` is
    asked with the reveals unknown, again after each Play, until it cannot be had.
    """
    with Walk(encoding, random.Random("varied"), Counter(), replays) as walk:
        yield from walk.varied(play, window, rules, wanted)


class Walk:
    """One Play on its way, with a solver of its own. Close it when done, or use ``with``.

    ``replays`` has the beginnings of Plays that were replayed before.
    """

    def __init__(
        self,
        encoding: Encoding,
        chance: random.Random,
        taken: Counter[str],
        replays: Replays | None = None,
    ) -> None:
        self.encoding, self.game = encoding, encoding.game
        self.replays = replays or Replays(self.game)
        self.random, self.taken = chance, taken
        self.asker = Asker(Integers, z3.SimpleSolver, chance.randrange(1 << 16))
        self.seen: dict[str, list[int]] = {}
        self.plain = False

    def __enter__(self) -> Walk:
        return self

    def __exit__(self, *error: object) -> None:
        self.asker.close()

    def play(self, wild: int, longest: int) -> Play | None:
        values = self._values(self.encoding.rigid, "", self.encoding.constraint)
        if values is None:
            return None
        return self.on(Play(setting_of(self.encoding, values), ()), wild, longest)

    def on(self, play: Play, wild: int, longest: int) -> Play:
        p, steps = play.setting, list(play.steps)
        *_, point = self.replays.points(play)
        while len(steps) < longest and self.game.goal.ended(p, point.s) is not True:
            self.plain = len(steps) >= wild
            step = self._step(p, point)
            if step is None:
                break
            steps.append(step)
            self.taken[step.rule] += 1
            point = self.game.after(p, point, self.game.rule(step.rule), step.reveal)
        return Play(p, tuple(steps))

    def _step(self, p: Any, point: Point[Any, Any]) -> Step | None:
        """Return a step that can come here, by the rule that was taken least."""
        by_use = {r.id: (self.taken[r.id], self.random.random()) for r in self.game.rules}
        for rule in sorted(self.game.rules, key=lambda rule: by_use[rule.id]):
            tries = _TRIES if self.plain and self.game.reveal_shape(rule).variables else 1
            steps = [Step(rule.id, one) for one in self._reveals(p, point, rule, tries)]
            if steps:
                return min(steps, key=lambda step: self._changes(p, point, step))
        return None

    def _changes(self, p: Any, point: Point[Any, Any], step: Step) -> int:
        """Return how many numbers and flags of the state a step changes."""
        shape = self.game.state_shape()
        after = self.game.rule(step.rule).effect(p, point.s, step.reveal)
        was, is_ = shape.scalars(point.s), shape.scalars(after)
        return sum(negate(equal(was[name], is_[name])) is True for name in was)

    def _reveals(self, p: Any, point: Point[Any, Any], rule: Rule, tries: int) -> Iterator[Any]:
        """Yield reveals on which a rule fires here, one a try if one is found."""
        shape = self.game.reveal_shape(rule)
        prefix = f"{rule.id}."
        named = shape.build(lambda v: dataclasses.replace(v, name=prefix + v.name).term())
        guard = rule.guard(p, point.s, named)
        path = self._path(shape.variables, prefix, guard)
        for _ in range(tries if path is not None else 0):
            values = self._near(cast("Path", path), shape.variables, prefix)
            if values is not None:
                reveal = shape.of({v.name: values[v.name] for v in shape.variables})
                if rule.guard(p, point.s, reveal) is True:
                    yield reveal

    def varied(
        self,
        play: Play,
        window: range,
        rules: Sequence[Rule],
        wanted: Wanted,
    ) -> Iterator[Play]:
        p, before = play.setting, play.steps[: window[0]]
        *_, point = self.replays.points(Play(p, before))
        guards: list[Bool] = []
        unknown: list[Variable] = []
        steps: list[Step] = []
        for number in window[:-1]:
            rule = self.game.rule(play.steps[number].rule)
            step, named = self._unknown(number, rule)
            guards.append(rule.guard(p, point.s, step.reveal))
            if guards[-1] is False:
                return
            steps.append(step)
            unknown += named
            point = self.game.after(p, point, rule, step.reveal)
        for rule in rules:
            last, named = self._unknown(window[-1], rule)
            fires = rule.guard(p, point.s, last.reveal)
            if fires is False:
                continue
            after = self.game.after(p, point, rule, last.reveal)
            while True:
                condition = all_of(guards, fires, wanted(point, last, after))
                values = None
                if condition is not False:
                    values = self._values([*unknown, *named], "", condition)
                if values is None:
                    break
                known = [_with(self.game, step, values) for step in (*steps, last)]
                yield Play(p, (*before, *known))

    def _unknown(self, number: int, rule: Rule) -> tuple[Step, list[Variable]]:
        """Return a step whose reveal is unknown, and the unknowns."""
        shape = self.game.reveal_shape(rule)
        prefix = f"{number}.{rule.id}."
        named = [dataclasses.replace(v, name=prefix + v.name) for v in shape.variables]
        reveal = shape.of(
            {v.name: one.term() for v, one in zip(shape.variables, named, strict=True)}
        )
        return Step(rule.id, reveal), named

    def _values(
        self, variables: Sequence[Variable], prefix: str, condition: Bool
    ) -> dict[str, int | bool] | None:
        """Return values under which a condition holds, near to random ones; None if none."""
        path = self._path(variables, prefix, condition)
        return None if path is None else self._near(path, variables, prefix)

    def _path(self, variables: Sequence[Variable], prefix: str, condition: Bool) -> Path | None:
        """Return the question for values under which a condition holds; None if none can."""
        known = {prefix + v.name: limits(v) for v in variables}
        if condition is False or assume(known, condition) is None:
            return None
        guards = () if condition is True else (condition,)
        return Path((), (), None, known, tuple(known), (), guards)

    def _near(
        self, path: Path, variables: Sequence[Variable], prefix: str
    ) -> dict[str, int | bool] | None:
        """Return values that answer a question, near to random ones; None if there are none."""
        if not variables:
            return None if path.guards else {}
        wishes = {prefix + v.name: self._wish(prefix, v) for v in variables}
        answer = self.asker.ask(path, True, wishes, _BUDGET)
        if answer.values is None:
            return None
        values: dict[str, int | bool] = {}
        for variable in variables:
            number = answer.values[prefix + variable.name]
            self.seen.setdefault(prefix + variable.name.partition(".")[0], []).append(number)
            values[variable.name] = bool(number) if variable.sort == "Bool" else number
        return values

    def _wish(self, prefix: str, variable: Variable) -> int:
        """Return a random value: now and then the least, or one that came up before."""
        low = variable.low or 0
        if variable.sort == "Bool":
            return self.random.randrange(2)
        high = low + _WIDE if variable.high is None else variable.high
        before = self.seen.get(prefix + variable.name.partition(".")[0], [])
        kind = self.random.random()
        if before and kind < 0.4:
            return self.random.choice(before)
        return low if kind < 0.6 else self.random.randint(low, high)


def _with(game: Game, step: Step, values: Mapping[str, int | bool]) -> Step:
    """Return a step with every unknown of its reveal given its value."""
    shape = game.reveal_shape(game.rule(step.rule))
    names = {n: str(cast("Term", v).args[0]) for n, v in shape.scalars(step.reveal).items()}
    return Step(step.rule, shape.of({name: values[named] for name, named in names.items()}))
