"""Plays in which conditions come about: each a proof that something can happen.

Where a condition is met on a Play that is at hand, nothing is asked. What is left is looked for
along paths of rules: z3 chooses the setting and the reveals, and in the last step the rule.

    ranges ∧ x0 = start ∧ R1(x0, x1) ∧ … ∧ Rk(xk-1, xk) ∧ (some R)(xk, xk+1) ∧ condition

The paths are beginnings of Plays at hand, short ones first, one for each rule they end in and
how often it came in a row: what follows five picks differs from what follows three.

What is left once Plays have wandered is first claimed never to happen: by 1-induction with all
that the game's file claims; where that holds the condition is unreachable, for z3 and for a
second solver. What is neither found nor proved is budget exhausted, which is no answer.
"""

from __future__ import annotations

import dataclasses
import itertools
import time
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, cast

import z3

from ..models.algebra import Bool, Value, all_of, any_of, equal, negate, variables_of
from ..models.play import Play, replay
from ..models.setting import figures_of
from ..models.system import Point, Rule, Step
from . import induction, onward, smtlib
from .antecedents import Antecedent, never
from .bmc import Unrolling
from .encoding import NEXT, Encoding
from .evaluate import Evaluation, values_at
from .replays import Replays
from .sane import Found, GameSanity, Reached
from .solvers import Steps, read_model
from .walks import Wanted, finished, gone_on, varied, walks
from .workbench import Workbench

__all__ = ["Effort", "Reaching", "met_in"]


@dataclass(frozen=True)
class Effort:
    """How far to look.

    Plays walked, and the length of these and of paths; times in a row that count; how many
    conditions are few; settings and paths by way of changes; rounds of going on from where
    numbers changed, ways on from each such place and to it; paths with the setting open, and
    steps of z3 for each question there; steps for a proof.
    """

    walks: int = 5
    longest: int = 34
    run: int = 6
    few: int = 16
    settings: int = 2
    outlines: int = 30
    onward: int = 4
    tails: int = 30
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
        before: GameSanity | None = None,
    ) -> None:
        """Set up; ``proved`` are the ids of invariants and lemmas that are proved.

        ``seconds`` bounds the whole of it, and can only turn answers into no answer. ``before``
        is what was found earlier, and is kept.
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
        self._short: set[tuple[tuple[str, ...], str]] = set()
        self._until = None if seconds is None else time.perf_counter() + seconds
        self._replays = Replays(self.game)
        if before:
            self._remember(before)

    def run(self) -> tuple[Reached, ...]:
        """Look wherever there is to look; return what was found of every condition."""
        self.walk()
        self.insist(())
        return self.found()

    def walk(self) -> None:
        """Look in Plays that wander, and in what is near them: most comes about there."""
        if self._open:
            self._wander()
            self._vary(self._at_hand)
            known = len(self._at_hand)
            self._go_on()
            self._vary(self._at_hand[known:])

    def insist(self, plays: Iterable[Play]) -> None:
        """Look for what is left in other Plays at hand, on from there, and for proofs.

        Plays of a copy with other figures are left aside.
        """
        for play in self._alike(plays):
            if not self._open or self._out_of_time():
                break
            self._look(play)
        for condition in self._left():  # that takes less than to look everywhere in vain
            if self._is_never(condition):
                self._found[condition.id] = Reached(condition, Found.NO)
                self._open.remove(condition)
        self._go_onward()
        if len(self._open) <= self.effort.few:
            self._detour()
        self._follow()

    def found(self) -> tuple[Reached, ...]:
        """Return what was found of every condition so far, in the order they were given."""
        return tuple(
            self._found.get(one.id, Reached(one, Found.EXHAUSTED)) for one in self._conditions
        )

    def _remember(self, before: GameSanity) -> None:
        known = {one.condition.id: one for one in before.conditions()}
        for condition in self._conditions:
            one = known.get(condition.id)
            if one and one.found is not Found.EXHAUSTED:
                self._found[condition.id] = one
        self._open = [one for one in self._open if one.id not in self._found]
        self.plays = list(before.plays)
        for play in before.plays:
            self._keep(play)

    def _keep(self, play: Play) -> None:
        rules = _rules_of(play)
        self._at_hand.append(play)
        self._paths.update((rules[:n], None) for n in range(len(rules) + 1))

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
        points, known = self._replays.points(play), self._replays.look(play)
        met = met_in(self.encoding, play, self._open, points, known)
        self._keep(play)
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

    def _vary(self, plays: Sequence[Play]) -> None:
        """Take steps of Plays another way, so that something open comes about.

        A step with another reveal; a run of one rule and, after it, any step.
        """
        looked: set[object] = set()
        for window in (*_single(plays), *_runs(plays, self.effort.run)):
            play, numbers = window
            rules = [play.steps[number].rule for number in numbers]
            single = len(rules) == 1
            ends = [r for r in self._last_rules() if not single or r.id == rules[0]]
            before = frozenset(step.rule for step in play.steps[: numbers[0]])
            aim = (single, before, *(rules if single else rules[:-1]))
            if not self._open or self._out_of_time():
                return
            if aim not in looked and ends:
                looked.add(aim)
                self._try(play, numbers, ends)

    def _go_on(self) -> None:
        """For each rule that fired, go on from where it did: then things come again."""
        beginnings: dict[str, Play] = {}
        for play in sorted(self._at_hand, key=lambda play: len(play.steps)):
            for number, step in enumerate(play.steps, start=1):
                start = dataclasses.replace(play, steps=play.steps[:number])
                if step.rule not in beginnings or number < len(beginnings[step.rule].steps):
                    beginnings[step.rule] = start
        for play in beginnings.values():
            if not self._open or self._out_of_time():
                return
            self._look(gone_on(self.encoding, play, self._replays, longest=self.effort.longest))

    def _varied(
        self, play: Play, window: range, ends: Sequence[Rule], wanted: Wanted
    ) -> Iterator[Play]:
        return varied(self.encoding, play, window, ends, wanted, self._replays)

    def _try(self, play: Play, window: range, ends: Sequence[Rule]) -> None:
        wanted = self._wanted(play.setting)
        for other in self._varied(play, window, ends, wanted):
            if not self._look(other):
                raise RuntimeError(f"{self.game.id}: the rules do not confirm reveals")

    def _go_onward(self) -> None:
        """From where a number changed that a condition speaks of, go on to where it may hold.

        A second upgrade comes after a first: what is found in a round, the next goes on from.
        """
        for _ in range(self.effort.onward):
            known = len(self._at_hand)
            for condition in self._left():
                self._onward(condition)
            if len(self._at_hand) == known:
                return

    def _onward(self, condition: Antecedent) -> None:
        name, changing = self._rarest(condition)
        if not name:
            return
        for rule in changing:
            self._shorten_way(rule)
        rules = {rule for rule, _ in condition.cases if rule} or {r.id for r in self.game.rules}
        beginnings = onward.beginnings(
            self.encoding, name, changing, self._at_hand, self._replays
        )
        for play in beginnings.values():
            for way, window in self._ways(play, rules):
                self._meet(condition, way, window)
                if condition.id in self._found or self._out_of_time():
                    return
        for play in beginnings.values():
            self._change(name, changing, list(beginnings), play)

    def _ways(self, play: Play, rules: Collection[str]) -> Iterator[tuple[Play, range]]:
        """Yield ways to go on from a Play to some rules, with the numbers of the new steps."""
        first = onward.next_rules(self.encoding, play, self._replays)
        number = len(play.steps)
        tails = (
            tail
            for tail in onward.tails(self._at_hand, rules)
            if (first.intersection(tail[:1] or rules))
            and number + len(tail) < self.effort.longest
        )
        for tail in itertools.islice(tails, self.effort.tails):
            steps = (*play.steps, *(Step(rule, None) for rule in tail))
            yield Play(play.setting, steps), range(number, len(steps) + 1)

    def _shorten_way(self, rule: str) -> None:
        """Come to a rule from the start by the shortest way that any Play came to it."""
        for p in self._settings():
            for way, window in self._ways(Play(p, ()), (rule,)):
                if (key := (_rules_of(way), rule)) in self._short:
                    break
                ends = [self.game.rule(rule)]
                found = self._varied(way, window, ends, lambda *_: True)
                if play := next(found, None):
                    self._short.add(key)
                    self._look(play)
                    break

    def _change(
        self, name: str, rules: Collection[str], known: Sequence[Value], play: Play
    ) -> None:
        """Go on until some rules give a number a value that is not known."""

        def wanted(before: Any, step: Step, after: Any) -> Bool:
            value = values_at(self.encoding, play.setting, after)[name]
            return all_of(negate(equal(value, one)) for one in known)

        ends = [rule for rule in self.game.rules if rule.id in rules]
        for way, window in self._ways(play, rules):
            if self._out_of_time():
                return
            if changed := next(self._varied(way, window, ends, wanted), None):
                self._look(changed)
                return

    def _meet(self, condition: Antecedent, way: Play, window: range) -> None:
        """Meet a condition after a way, or, if it is one on the end, all else that it says."""
        if condition.of_steps:
            self._try(way, window, self._last_rules())
            return
        asked = onward.before_the_end(self.encoding, condition.cases[0][1])

        def wanted(before: Any, step: Step, after: Any) -> Bool:
            values = values_at(self.encoding, way.setting, after)
            return cast("Bool", Evaluation(values).of(asked))

        for play in self._varied(way, window, self.game.rules, wanted):
            self._look(
                finished(self.encoding, play, self._replays, longest=self.effort.longest)
            )
            return

    def _detour(self) -> None:
        """By way of what changes a number that a condition speaks of, then on to the rule.

        Of the numbers the one that fewest rules change; a condition on states is looked for on
        the way to the end of a Play.
        """
        to = self._shortest()
        ends = {play.steps[-1].rule for play in self._at_hand if play.steps}
        for condition in self._left():
            rules = [rule for rule, _ in condition.cases] if condition.of_steps else ends
            _, changing = self._rarest(condition)
            firsts = [to[rule] for rule in changing if rule in to]
            for rule in sorted(rule for rule in rules if rule in to):
                on = range(len(to[rule]))
                self._try_all(first + to[rule][start:-1] for first in firsts for start in on)

    def _rarest(self, condition: Antecedent) -> tuple[str, list[str]]:
        """Return the number it speaks of that fewest rules change, and these rules."""
        cases = [case for _, case in condition.cases]
        if not condition.of_steps:
            cases = [onward.before_the_end(self.encoding, case) for case in cases]
        spoken_of = variables_of(*cases)
        changing: dict[str, list[str]] = {}
        for formula in self.encoding.rules:
            for v, update in zip(self.encoding.state, formula.updates, strict=True):
                spoken = {v.name, v.name + NEXT} & spoken_of
                if spoken and not smtlib.is_variable(update, v.name):
                    changing.setdefault(v.name, []).append(formula.rule.id)
        return min(changing.items(), key=lambda one: len(one[1]), default=("", []))

    def _shortest(self) -> dict[str, tuple[str, ...]]:
        """Return the shortest path known to each rule."""
        return {path[-1]: path for path in sorted(self._paths, key=len, reverse=True) if path}

    def _try_all(self, paths: Iterable[tuple[str, ...]]) -> None:
        """Look for what is open in any step after each of these paths."""
        settings = self._settings()
        for path in paths:
            for p in settings:
                if not self._open or self._out_of_time():
                    return
                if len(path) >= self.effort.longest or (path, id(p)) in self._tried:
                    continue
                if len(self._tried) >= self.effort.outlines:
                    return
                self._tried.add((path, id(p)))
                steps = tuple(Step(rule, None) for rule in path)
                self._try(Play(p, steps), range(len(path) + 1), self._last_rules())

    def _settings(self) -> list[Any]:
        """Return a few settings of Plays at hand: that of the last one, then of the first."""
        different: dict[str, Any] = {}
        for play in self._at_hand:
            different.setdefault(repr(play.setting), play.setting)
        if not different:
            return []
        last, *others = reversed(different.values())
        return [last, *reversed(others)][: self.effort.settings]

    def _wanted(self, p: Any) -> Wanted:
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


def _single(plays: Sequence[Play]) -> Iterator[tuple[Play, range]]:
    """Yield the steps of Plays, early ones first."""
    for number in range(max((len(play.steps) for play in plays), default=0)):
        for play in plays:
            if number < len(play.steps):
                yield play, range(number, number + 1)


def _runs(plays: Sequence[Play], longest: int) -> Iterator[tuple[Play, range]]:
    """Yield runs of one rule in Plays, each with the step after it."""
    for play in plays:
        begin = 0
        for _, steps in itertools.groupby(step.rule for step in play.steps):
            end = begin + len(list(steps))
            if 1 < end - begin <= longest and end < len(play.steps):
                yield play, range(begin, end + 1)
            begin = end


def met_in(
    encoding: Encoding,
    play: Play,
    conditions: Sequence[Antecedent],
    replayed: Sequence[Point[Any, Any]] = (),
    known: int = 0,
) -> dict[str, int]:
    """Return the conditions, by id, that come about in a Play, and after which step first.

    The Play is replayed by the rules, if its points are not given: IllegalStep where they do
    not allow it. Of the first ``known`` points it is known that none comes about there.
    """
    met: dict[str, int] = {}
    points = replayed or list(replay(encoding.game, play))
    for number in range(known, len(points)):
        point = points[number]
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


def _rules_of(play: Play) -> tuple[str, ...]:
    return tuple(step.rule for step in play.steps)


def _end(path: Sequence[str]) -> tuple[str, int]:
    """Return the last rule of a path, and how often it came in a row."""
    if not path:
        return "", 0
    run = next((n for n, (a, b) in enumerate(pairwise(reversed(path)), 1) if a != b), None)
    return path[-1], run or len(path)
