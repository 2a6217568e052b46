"""Long Plays: steps by which what is left of steps falls as slowly as may be.

``left`` is a sum that falls by ``each`` at least in every step, and is never below 0: a Play in
which it falls by no more, down to 0, is a longest one. Some steps at a time are looked for in
which it does; first such that what can only be used up, and would be of no use at the end, is
used up early. What was done may be done again. Nothing promises that the Play is a longest one.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from functools import cache
from typing import Any

import z3

from ..models.play import Play
from ..models.system import Point, Step
from . import smtlib
from .bmc import Unrolling
from .deadline import NEVER, Deadline
from .encoding import Encoding
from .features import Sum, scalars_of
from .solvers import Steps, read_model

__all__ = ["long_play"]

# How many steps are looked for at a time, and where that led nowhere; how many steps done
# before may be done again at once.
_AHEAD, _FURTHER, _AGAIN = 8, 9, 24
# How often several steps ahead are asked for: that takes a second or two each.
_ASKED = 16
# How often more than before is to be used up.
_TRIES = 2
# Steps of z3 for one question: where they do not do, another is asked.
_BUDGET = 1_500_000


def long_play(
    encoding: Encoding, left: Sum, each: int, scarce: Sum, steps: Steps,
    deadline: Deadline = NEVER,
) -> Play:  # fmt: skip
    """Return a Play that is long, under an encoding whose values are all known.

    Raises OutOfTime.
    """
    return _Walk(encoding, left, each, scarce, steps, deadline).play()


class _Walk:
    def __init__(
        self, encoding: Encoding, left: Sum, each: int, scarce: Sum, steps: Steps,
        deadline: Deadline,
    ) -> None:  # fmt: skip
        self.game, self.p, self.left, self.each = encoding.game, encoding.p, left, each
        self._ahead = cache(
            lambda number: _Ahead(encoding, number, left, scarce, steps, deadline)
        )
        self._points = [self.game.start(self.p)]
        self._taken: list[Step] = []
        self._gone_back: set[int] = set()
        self._asked = 0
        self._used_up = False  # whether nothing more could be used up, but for repetitions

    def play(self) -> Play:
        """Go on until the Play has ended, or no step is legal."""
        while not self.game.goal.ended(self.p, self._points[-1].s):
            found = self._next()
            if found is None:
                break
            for step in found:
                self._take(step)
        return Play(self.p, tuple(self._taken))

    def _next(self) -> list[Step] | None:
        here, one = self._points[-1], self._ahead(1)
        return (
            self._scarcer()
            or self._again()
            or self._far(0, _AHEAD)
            or one.find(here, self.each, scarcer=True)
            or one.find(here, self.each)
            or self._back()
            or one.slowest(here)
        )

    def _scarcer(self) -> list[Step] | None:
        """Return steps that use up what is scarce; not asked again while steps are repeated."""
        if self._used_up:
            return None
        found = self._far(0, _AHEAD, scarcer=True)
        self._used_up = found is None
        return found

    def _far(self, back: int, number: int, *, scarcer: bool = False) -> list[Step] | None:
        """Return so many steps from where it was ``back`` steps ago, if one more is asked."""
        if self._asked == _ASKED:
            return None
        self._asked += 1
        return self._ahead(number).find(self._points[-1 - back], self.each, scarcer=scarcer)

    def _back(self) -> list[Step] | None:
        """Return other steps from a while ago, and forget the steps since."""
        if len(self._taken) < _AHEAD or len(self._taken) in self._gone_back:
            return None
        self._gone_back.add(len(self._taken))
        found = self._far(_AHEAD, _FURTHER)
        if found is not None:
            del self._taken[-_AHEAD:], self._points[-_AHEAD:]
        return found

    def _take(self, step: Step) -> None:
        rule = self.game.rule(step.rule)
        self._points.append(self.game.after(self.p, self._points[-1], rule, step.reveal))
        self._taken.append(step)

    def _again(self) -> list[Step] | None:
        """Return the most of the last steps that can be taken once more, none falling more."""
        for number in range(min(_AGAIN, len(self._taken)), 0, -1):
            point, steps = self._points[-1], self._taken[-number:]
            for step in steps:
                rule = self.game.rule(step.rule)
                if not rule.guard(self.p, point.s, step.reveal):
                    break
                after = self.game.after(self.p, point, rule, step.reveal)
                if self._of(point) - self._of(after) > self.each:
                    break
                point = after
            else:
                return steps
        self._used_up = False
        return None

    def _of(self, point: Point[Any, Any]) -> Any:
        return self.left.of(scalars_of(self.game, self.p, point.s))


class _Ahead:
    """A number of steps from any state whatever, asked for again and again."""

    def __init__(
        self, encoding: Encoding, number: int, left: Sum, scarce: Sum, steps: Steps,
        deadline: Deadline,
    ) -> None:  # fmt: skip
        game = encoding.game
        size = len(game.state_shape().variables)
        fewer = tuple(dataclasses.replace(f, updates=f.updates[:size]) for f in encoding.rules)
        anywhere = tuple(
            dataclasses.replace(v, name=f"any.{v.name}") for v in encoding.state[:size]
        )
        self._encoding = dataclasses.replace(
            encoding, rules=fewer, state=encoding.state[:size],
            rigid=(*encoding.rigid, *anywhere), start=tuple(v.term() for v in anywhere),
        )  # fmt: skip
        self._unrolled = Unrolling(self._encoding, steps)
        for _ in range(number):
            self._unrolled.grow(game.rules)
        self._number, self._left, self._scarce = number, left, scarce
        self._steps, self._deadline = steps, deadline
        then = scalars_of(game, encoding.p, encoding.point(f"@{number}").s)
        text = self._unrolled.text
        for name, value in (("left!", left), ("scarce!", scarce)):
            text += smtlib.define_as(name, (), smtlib.text(value.of(then)), "Int")
            text += f"(declare-const {name}! Int)\n(assert (= {name}! {name}))\n"
        self._context = z3.Context()
        # One term: a solver takes it at once, and many one by one.
        self._asserted = z3.And(z3.parse_smt2_string(text, ctx=self._context))

    def find(
        self, point: Point[Any, Any], each: int, *, scarcer: bool = False
    ) -> list[Step] | None:
        """Return so many steps by which what is left falls by no more than it has to.

        With ``scarcer`` they use up some of what is scarce. None if there are no such steps.
        """
        here = scalars_of(self._encoding.game, self._encoding.p, point.s)
        least = self._left.of(here) - each * self._number
        solver = self._solver(z3.Solver(ctx=self._context), point)
        solver.add(self._then("left") >= least)
        best: list[Step] | None = None
        most = self._scarce.of(here)
        if not scarcer:
            if self._deadline.check(solver) == z3.sat:
                best = self._read(solver.model())
            return best
        for _ in range(_TRIES):
            solver.add(self._then("scarce") < most)
            if self._deadline.check(solver) != z3.sat:
                break
            best = self._read(solver.model())
            most = solver.model().eval(self._then("scarce")).as_long()
        return best

    def slowest(self, point: Point[Any, Any]) -> list[Step] | None:
        """Return the steps by which what is left falls least; None if there are none."""
        solver = self._solver(z3.Optimize(ctx=self._context), point)
        solver.maximize(self._then("left"))
        if self._deadline.check(solver) != z3.sat:
            return None
        return self._read(solver.model())

    def _then(self, name: str) -> Any:
        return z3.Int(f"{name}!!", self._context)

    def _solver(self, solver: Any, point: Point[Any, Any]) -> Any:
        solver.set(rlimit=min(self._steps.z3, _BUDGET))
        solver.add(self._asserted)
        for name, value in self._encoding.game.state_shape().scalars(point.s).items():
            constant = f"any.s.{name}"
            solver.add(
                z3.Bool(constant, self._context) == value
                if isinstance(value, bool)
                else z3.Int(constant, self._context) == value
            )
        return solver

    def _read(self, model: Any) -> list[Step]:
        rules: Sequence[Any] = [self._encoding.game.rules] * self._number
        wanted = [*self._unrolled.wanted()]
        wanted += [f"fires.{rule.id}@{at}" for at in range(self._number) for rule in rules[at]]
        return list(self._unrolled.play(read_model(model, wanted), rules).steps)
