"""Plays in which conditions come about: each a proof that something can happen.

Where a condition is met on a Play that is at hand, nothing is asked. What is left is looked for
along paths of rules: z3 chooses the setting and the reveals, and in the last step the rule.

    ranges ∧ x0 = start ∧ R1(x0, x1) ∧ … ∧ Rk(xk-1, xk) ∧ (some R)(xk, xk+1) ∧ condition

The paths are beginnings of Plays at hand, short ones first, one for each rule they end in and
how often it came in a row: what follows five picks differs from what follows three.

What is still left is claimed never to happen: by 1-induction with all that the game's file
claims; where that holds the condition is unreachable, for z3 and for a second solver. All else
is budget exhausted, which is no answer.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, cast

import z3

from ..models.algebra import Bool, Value, any_of, variables_of
from ..models.play import Play, replay
from ..models.setting import figures_of
from ..models.system import Rule, Step
from . import induction, smtlib
from .antecedents import Antecedent, never
from .bmc import Unrolling
from .encoding import NEXT, Encoding
from .evaluate import Evaluation, values_at
from .sane import Found, Reached
from .solvers import Steps, read_model
from .walks import varied, walks
from .workbench import Workbench

__all__ = ["Effort", "Reaching", "met_in"]


@dataclass(frozen=True)
class Effort:
    """How far to look.

    Plays walked, and the length of these and of paths; settings given along paths, times in a
    row that count, rounds of this, how many conditions are few, paths tried in all; paths with
    the setting open, and steps of z3 for each question there; steps for a proof.
    """

    walks: int = 4
    longest: int = 32
    settings: int = 3
    run: int = 6
    rounds: int = 3
    few: int = 16
    outlines: int = 150
    paths: int = 6
    along: int = 4_000_000
    proof: Steps = dataclasses.field(default_factory=lambda: Steps(2_000_000, 400_000))


class Reaching:
    """Looks for all conditions of one game together, as one Play often meets many."""

    def __init__(
        self,
        bench: Workbench,
        conditions: Sequence[Antecedent],
        *,
        proved: tuple[str, ...] = (),
        effort: Effort | None = None,
        seconds: float | None = None,
    ) -> None:
        """Set up; ``proved`` are the ids of invariants and lemmas that are proved.

        ``seconds`` bounds the whole of it, and can only turn answers into no answer.
        """
        self.bench, self.encoding = bench, bench.encoding
        self.game = bench.encoding.game
        self.proved = proved
        self.effort = effort or Effort()
        self.plays: list[Play] = []
        self._open = list(conditions)
        self._conditions = tuple(conditions)
        self._found: dict[str, Reached] = {}
        self._at_hand: list[Play] = []
        self._tried: set[tuple[tuple[str, ...], int]] = set()
        self._paths: dict[tuple[str, ...], None] = {}
        self._until = None if seconds is None else time.perf_counter() + seconds

    def run(
        self, at_hand: Iterable[Play] = (), more: Iterable[Play] = ()
    ) -> tuple[Reached, ...]:
        """Return what was found of every condition, in the order they were given.

        ``at_hand`` are Plays that cost nothing; ``more`` are made only as long as they are
        needed. Plays of a copy with other figures are left aside.
        """
        for play in self._alike(at_hand):
            self._look(play)
        if self._open:
            self._wander()
            self._aim()
        for play in self._alike(more):
            if not self._open or self._out_of_time():
                break
            self._look(play)
        self._aim()
        for condition in self._left():
            if self._is_never(condition):
                self._found[condition.id] = Reached(condition, Found.NO)
                self._open.remove(condition)
        self._follow()
        return tuple(
            self._found.get(one.id, Reached(one, Found.EXHAUSTED)) for one in self._conditions
        )

    def _left(self) -> Iterator[Antecedent]:
        for condition in list(self._open):
            if self._out_of_time():
                return
            if condition.id not in self._found:
                yield condition

    def _out_of_time(self) -> bool:
        return self._until is not None and time.perf_counter() >= self._until

    def _alike(self, plays: Iterable[Play]) -> Iterator[Play]:
        ours = self.game.setting
        for play in plays:
            if all(getattr(play.setting, f) == getattr(ours, f) for f in figures_of(ours)):
                yield play

    # Plays at hand

    def _look(self, play: Play) -> bool:
        """Note what comes about in a Play; return whether anything new does."""
        met = met_in(self.encoding, play, self._open)
        rules = tuple(step.rule for step in play.steps)
        self._at_hand.append(play)
        self._paths.update((rules[:n], None) for n in range(len(rules) + 1))
        if not met:
            return False
        longest = max(met.values())
        self.plays.append(dataclasses.replace(play, steps=play.steps[:longest]))
        for condition in self._open:
            if condition.id in met:
                where = len(self.plays) - 1, met[condition.id]
                self._found[condition.id] = Reached(condition, Found.YES, *where)
        self._open = [one for one in self._open if one.id not in met]
        return True

    def _wander(self) -> None:
        for play in walks(self.encoding, self.effort.walks, longest=self.effort.longest):
            self._look(play)
            if not self._open or self._out_of_time():
                return

    def _aim(self) -> None:
        """Go along paths with all reveals open, under the settings of Plays at hand.

        First beginnings of Plays, one for each rule they end in and its times in a row, then
        any rule. What is left after that is few: then by way of rules that change a number
        which a condition speaks of, and from there on as to a rule in question.
        """
        for _ in range(self.effort.rounds):
            known = len(self.plays)
            self._try_all(self._ends().values())
            if len(self.plays) == known:
                break
        to = self._shortest()
        if len(self._open) <= self.effort.few:
            for rule in self._last_rules():
                if rule.id in to:
                    self._try_all(self._by_way_of_change(rule.id, to))

    def _shortest(self) -> dict[str, tuple[str, ...]]:
        """Return the shortest path known to each rule."""
        return {path[-1]: path for path in sorted(self._paths, key=len, reverse=True) if path}

    def _ends(self) -> dict[tuple[str, int], tuple[str, ...]]:
        """Return the shortest path known to each rule and number of times in a row."""
        paths = sorted(self._paths, key=lambda path: (len(path), path), reverse=True)
        return {_end(path): path for path in paths if _end(path)[1] <= self.effort.run}

    def _by_way_of_change(
        self, rule: str, to: Mapping[str, tuple[str, ...]]
    ) -> Iterator[tuple[str, ...]]:
        """Yield paths to what changes something of interest, then on to before a rule."""
        spoken_of = variables_of(*(case for one in self._open for _, case in one.cases))
        changing = [
            formula.rule.id
            for formula in self.encoding.rules
            if any(
                {v.name, v.name + NEXT} & spoken_of and not smtlib.is_variable(update, v.name)
                for v, update in zip(self.encoding.state, formula.updates, strict=True)
            )
        ]
        for first in changing:
            if first in to:
                for start in range(len(to[rule])):
                    yield to[first] + to[rule][start:-1]

    def _try_all(self, paths: Iterable[tuple[str, ...]]) -> None:
        """Look for what is open in any step after each of these paths."""
        for path in paths:
            for p in self._settings():
                if not self._open or self._out_of_time():
                    return
                if len(path) >= self.effort.longest or (path, id(p)) in self._tried:
                    continue
                if len(self._tried) >= self.effort.outlines:
                    return
                self._tried.add((path, id(p)))
                steps = tuple(Step(rule, None) for rule in path)
                whole = range(len(path) + 1)
                wanted, last = self._wanted(p), self._last_rules()
                for play in varied(self.encoding, Play(p, steps), whole, last, wanted):
                    if not self._look(play):
                        raise RuntimeError(f"{self.game.id}: the rules do not confirm reveals")

    def _settings(self) -> list[Any]:
        """Return a few settings of Plays at hand."""
        return list({id(p.setting): p.setting for p in self._at_hand}.values())[
            : self.effort.settings
        ]

    def _wanted(self, p: Any) -> Callable[[Any, Step, Any], Bool]:
        """Return what is wanted of a step: that something open comes about in it or after."""

        def wanted(before: Any, step: Step, after: Any) -> Bool:
            of_step = Evaluation(values_at(self.encoding, p, before, step, after))
            of_state = Evaluation(values_at(self.encoding, p, after))
            some: list[Bool] = []
            for condition in self._open:
                case = dict(condition.cases).get(step.rule if condition.of_steps else "")
                if case is not None:
                    read = of_step if condition.of_steps else of_state
                    some.append(cast("Bool", read.of(case)))
            return any_of(some)

        return wanted

    # Paths

    def _follow(self) -> None:
        """Look along beginnings of Plays, one for each rule they end in and its run."""
        tried: set[tuple[str, int]] = set()
        for _ in range(self.effort.paths):
            path = next((p for p in self._short_first() if _end(p) not in tried), None)
            if path is None or not self._open or self._out_of_time():
                return
            tried.add(_end(path))
            for play in self._along(path):
                self._look(play)

    def _short_first(self) -> list[tuple[str, ...]]:
        return sorted(self._paths, key=lambda path: (_end(path)[1], len(path), path))

    def _along(self, path: Sequence[str]) -> Iterator[Play]:
        """Yield Plays along a path and one step more that meet what is still open."""
        unrolled = Unrolling(self.encoding, Steps())
        told: list[Sequence[Rule]] = [(self.game.rule(rule),) for rule in path]
        told.append(self._last_rules())
        for rules in told:
            unrolled.grow(rules)
        asked = {f"goal.{n}": one for n, one in enumerate(self._open)}
        text = unrolled.text + "".join(
            f"(declare-const {name} Bool)\n(assert (=> {name} {self._text(one, len(path))}))\n"
            for name, one in asked.items()
        )
        context = z3.Context()
        solver = z3.Solver(ctx=context)
        solver.set("rlimit", self.effort.along)
        solver.from_string(text)
        names = unrolled.wanted() + [f"fires.{r.id}@{len(path)}" for r in told[-1]]
        names += [f"fires.{rule}@{n}" for n, rule in enumerate(path)]
        while not self._out_of_time():
            pending = [z3.Bool(n, context) for n, one in asked.items() if one in self._open]
            if not pending:
                return
            solver.push()
            solver.add(z3.Or(pending))
            answer = solver.check()
            values = read_model(solver.model(), names) if answer == z3.sat else None
            solver.pop()
            if values is None:
                return
            before = len(self._open)
            yield unrolled.play(values, told)
            if len(self._open) == before:
                raise RuntimeError(f"{self.game.id}: the rules do not confirm what z3 found")

    def _last_rules(self) -> Sequence[Rule]:
        """Return the rules in whose steps, or after which, something open may come about."""
        if any(not one.of_steps for one in self._open):
            return self.game.rules
        wanted = {rule for one in self._open for rule, _ in one.cases}
        return [rule for rule in self.game.rules if rule.id in wanted]

    def _text(self, condition: Antecedent, moment: int) -> str:
        """Return a condition on the last step of an unrolling, or on what it leads to."""
        if not condition.of_steps:
            values = self._names(moment + 1, moment + 1)
            return smtlib.text(Evaluation(values).of(condition.cases[0][1]))
        evaluation = Evaluation(self._names(moment, moment + 1))
        cases = " ".join(
            f"(and fires.{rule}@{moment} {smtlib.text(evaluation.of(case))})"
            for rule, case in condition.cases
        )
        return f"(or false {cases})"

    def _names(self, now: int, then: int) -> dict[str, Value]:
        encoding = self.encoding
        names = {v.name: v.term() for v in encoding.rigid}
        names |= {v.name: v.term(f"@{now}") for v in (*encoding.state, *encoding.reveals)}
        after = zip(encoding.next_state, encoding.state, strict=True)
        return names | {new.name: v.term(f"@{then}") for new, v in after}

    # Proofs

    def _is_never(self, condition: Antecedent) -> bool:
        """Return whether it is proved that a condition never comes about."""
        claim = never(self.encoding, condition, self.proved)
        steps = self.effort.proof
        if self._until is not None:
            left = max(0.001, self._until - time.perf_counter())
            steps = dataclasses.replace(steps, seconds=left)
        return induction.follows(self.bench, self.encoding, claim, steps)


def met_in(encoding: Encoding, play: Play, conditions: Sequence[Antecedent]) -> dict[str, int]:
    """Return the conditions, by id, that come about in a Play, and after which step first.

    The Play is replayed by the rules: IllegalStep where they do not allow it.
    """
    met: dict[str, int] = {}
    points = list(replay(encoding.game, play))
    for number, point in enumerate(points):
        of_state = Evaluation(values_at(encoding, play.setting, point))
        step = play.steps[number - 1] if number else None
        before = points[number - 1] if number else point
        of_step = Evaluation(
            values_at(encoding, play.setting, before, step, point) if step else {}
        )
        for condition in conditions:
            if condition.id in met or (condition.of_steps and not step):
                continue
            case = dict(condition.cases).get(step.rule if condition.of_steps and step else "")
            read = of_step if condition.of_steps else of_state
            if case is not None and read.of(case) is True:
                met[condition.id] = number
    return met


def _end(path: Sequence[str]) -> tuple[str, int]:
    """Return the last rule of a path, and how often it came in a row."""
    if not path:
        return "", 0
    run = next((n for n, (a, b) in enumerate(pairwise(reversed(path)), 1) if a != b), None)
    return path[-1], run or len(path)
