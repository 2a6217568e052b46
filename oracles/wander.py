"""Wandering: random Plays that are legal, end, and win what the table has.

A Play wanders for some steps and then goes on plainly, to its end. Each step takes a rule that
is due for it and a reveal that the rule allows: one that came up before, changed a little, or a
random one, tried until one is legal; where none is, a solver is asked once. A step after which
what is won could be no beginning of a row of the table is not taken.

A prize that the table lacks, such as a random pot, is put right at the end: the last reveals
are asked for again, as near to what they were as the table and the promises allow.
"""

from __future__ import annotations

import dataclasses
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import networkx as nx
import z3

from ..models.algebra import Bool, Value, all_of
from ..models.shape import Variable
from ..proofs.encoding import NEXT
from ..proofs.evaluate import Evaluation
from ..proofs.finite import Integers
from ..proofs.paths import END, Path, limits
from ..proofs.questions import Asker
from ..proofs.spans import Span
from .ground import Ground, Move, Trace

__all__ = ["Wander"]

# Reveals tried for one step; reveals kept of a rule; steps of z3 for one question.
_TRIES, _POOL, _BUDGET = 14, 96, 60_000
# Steps before the end that are asked for again, to put a prize right.
_WINDOWS = (2, 3, 5, 8)
_LONGEST = 90
_LATE = 40
# As many questions go to one solver: it is slow to make, and slows down as it learns.
_QUESTIONS = 8


class Wander:
    """Makes Plays at random. Equal seeds make equal Plays, in the order they are asked for."""

    def __init__(self, ground: Ground, seed: int = 0) -> None:
        self.ground = ground
        self.random = random.Random(f"wander {seed}")
        self.taken: Counter[tuple[str, str]] = Counter()
        self._pool: dict[str, list[Mapping[str, Any]]] = {}
        self._asker: Asker | None = None
        self._asked = 0
        to_end = nx.single_source_shortest_path_length(ground.graph.reverse(copy=False), END)
        self._distance = {rule: to_end.get(rule, len(to_end)) for rule in ground.formulas}
        self._refused: set[tuple[int, ...]] = set()
        self._symbols = {
            rule: {v.name: v.term() for v in variables}
            for rule, variables in ground.revealed.items()
        }

    def close(self) -> None:
        """Let go of what a solver holds; it can go on all the same."""
        if self._asker is not None:
            self._asker.close()
            self._asker = None

    def learn(self, trace: Trace) -> None:
        """Keep the reveals of a Play, to be used again."""
        for move in trace.moves:
            self._keep(move)
        self.taken.update(zip(trace.rules, trace.rules[1:], strict=False))

    def play(self, begun: Trace | None = None, wild: int | None = None) -> Trace | None:
        """Return a Play, perhaps gone on with from a beginning; None if it came to no good end.

        ``wild`` is for how many steps it wanders.
        """
        trace = begun or self.ground.start()
        if wild is None:
            wild = self.random.choice((0, 2, 4, 6, 8, 12, 16, 24, 32))
        rich = self.random.choice((0.15, 0.3, 0.3, 0.5, 0.8))
        until = len(trace.moves) + wild
        while not self.ground.ended(trace.end):
            if len(trace.moves) > until + _LONGEST:
                return None
            longer = self._wild(trace, rich) if len(trace.moves) < until else None
            if longer is None:
                until = min(until, len(trace.moves))
                longer = self._plain(trace)
            if longer is None:
                return None
            trace = longer
        return self._good(trace)

    def _good(self, trace: Trace) -> Trace | None:
        if not self.ground.allowed(trace):
            mended = self._mended(trace)
            if mended is None:
                return None
            trace = mended
        self.learn(trace)
        return trace

    # Steps.

    def _wild(self, trace: Trace, rich: float) -> Trace | None:
        """Return the Play one step longer, by a rule that came seldom after the last one."""
        last = trace.rules[-1] if trace.moves else ""
        rules = [r for r in self.ground.formulas if self._may(last, r)]
        rank = {r: (self.taken[last, r] + 1) * self.random.random() ** 2 for r in rules}
        for rule in sorted(rules, key=rank.__getitem__):
            for _ in range(3):
                move = self.reveal(trace.end, rule, rich)
                if move is None:
                    break
                longer = self.ground.longer(trace, move)
                if longer is not None and self.in_reach(longer.end):
                    self.taken[last, rule] += 1
                    return longer
        return None

    def _plain(self, trace: Trace) -> Trace | None:
        """Return the Play one step longer, by a rule near the end and a reveal of little."""
        last = trace.rules[-1] if trace.moves else ""
        rules = [r for r in self.ground.formulas if self._may(last, r)]
        for rule in sorted(rules, key=lambda r: self._distance[r]):
            found = [self._least(trace.end, rule)]
            if not found[0]:
                found = [self.reveal(trace.end, rule, 0.1) for _ in range(4)]
            longer = [
                after
                for move in found
                if move is not None
                for after in [self.ground.longer(trace, move)]
                if after is not None
            ]
            if longer:
                return min(longer, key=lambda one: _changes(trace.end, one.end))
        return None

    def _may(self, last: str, rule: str) -> bool:
        return not last or self.ground.graph.has_edge(last, rule)

    def in_reach(self, state: Mapping[str, Any]) -> bool:
        """Return whether what is won so far may become a row of the table."""
        parts = self.ground.won_if_ended(state)
        return parts is None or self.ground.may_become(parts)

    def _least(self, state: Mapping[str, Any], rule: str) -> Move | None:
        least = {v.name: _low(v) for v in self.ground.revealed[rule]}
        move = Move(rule, least)
        return move if self.ground.take(state, move) is not None else None

    def reveal(self, state: Mapping[str, Any], rule: str, rich: float = 0.3) -> Move | None:
        """Return a random legal move by a rule; None if none is found."""
        variables = self.ground.revealed[rule]
        if not variables:
            move = Move(rule, {})
            return move if self.ground.take(state, move) is not None else None
        guard: Bool | None = None
        for number in range(_TRIES):
            move = Move(rule, self._proposed(rule, rich))
            if self.ground.take(state, move) is not None:
                self._keep(move)
                return move
            if number == 3:  # by now it is worth a look whether anything can come
                guard = self.guard(state, rule)
                if guard is False:
                    return None
        wishes = {name: int(value) for name, value in self._proposed(rule, rich).items()}
        values = self.asked(variables, guard if guard is not None else True, wishes)
        if values is None:
            return None
        move = Move(rule, values)
        if self.ground.take(state, move) is None:
            return None
        self._keep(move)
        return move

    def nearest(
        self, state: Mapping[str, Any], rule: str, wished: Mapping[str, Any]
    ) -> Move | None:
        """Return the legal move by a rule that is as wished, or near to it, if any is found."""
        move = Move(rule, dict(wished))
        if self.ground.take(state, move) is not None:
            return move
        wishes = {name: int(value) for name, value in wished.items()}
        variables = self.ground.revealed[rule]
        values = self.asked(variables, self.guard(state, rule), wishes) if variables else None
        move = Move(rule, values or {})
        return move if values and self.ground.take(state, move) is not None else None

    def guard(self, state: Mapping[str, Value], rule: str) -> Bool:
        """Return when a rule fires in a state, as a term over what it reveals."""
        values = {**state, **self._symbols[rule]}
        condition = Evaluation(values).of(self.ground.formulas[rule].guard)
        assert not isinstance(condition, int) or isinstance(condition, bool)
        return condition  # type: ignore[return-value]

    def _proposed(self, rule: str, rich: float) -> dict[str, Any]:
        variables = self.ground.revealed[rule]
        pool = self._pool.get(rule)
        if pool and self.random.random() < 0.6:
            values = dict(self.random.choice(pool))
            for _ in range(self.random.choice((0, 1, 1, 2, 3))):
                self._changed(values, variables)
            return values
        return {v.name: self._value(v, rich) for v in variables}

    def _changed(self, values: dict[str, Any], variables: Sequence[Variable]) -> None:
        """Change one value, or take from one what another of its field gets."""
        one = self.random.choice(variables)
        field = one.name.split(".")[:3]
        alike = [v for v in variables if v.name.split(".")[:3] == field and v is not one]
        if alike and one.sort == "Int" and self.random.random() < 0.6:
            other = self.random.choice(alike)
            if self.random.random() < 0.5:
                values[one.name], values[other.name] = values[other.name], values[one.name]
            elif values[one.name] > (one.low or 0):
                much = self.random.randint(1, values[one.name] - (one.low or 0))
                values[one.name] -= much
                values[other.name] += much
            return
        values[one.name] = self._value(one, 0.7)

    def _value(self, variable: Variable, rich: float) -> Any:
        if variable.sort == "Bool":
            return self.random.random() < 0.5
        low = variable.low or 0
        if variable.high is not None:
            if self.random.random() < 0.1:
                return self.random.choice((low, variable.high))
            return self.random.randint(low, variable.high)
        if self.random.random() > rich:
            return low
        return low + self.random.choice((1, 1, 1, 2, 2, 3, 4, 5, 6, 8, 12))

    def _keep(self, move: Move) -> None:
        pool = self._pool.setdefault(move.rule, [])
        if len(pool) < _POOL:
            pool.append(move.revealed)
        else:
            pool[self.random.randrange(_POOL)] = move.revealed

    # Questions.

    def asked(
        self, variables: Sequence[Variable], condition: Bool, wishes: Mapping[str, int]
    ) -> dict[str, Any] | None:
        """Return values that meet a condition, near to what is wished, if any are found."""
        known = {v.name: _bounded(v) for v in variables}
        guards = () if condition is True else (condition,)
        path = Path((), (), None, known, tuple(known), (), guards)
        if self._asker is None or self._asked == _QUESTIONS:
            self.close()
            self._asker, self._asked = Asker(Integers, z3.SimpleSolver), 0
        self._asked += 1
        answer = self._asker.ask(path, True, wishes, _BUDGET)
        if answer.values is None:
            return None
        return {
            v.name: bool(answer.values[v.name]) if v.sort == "Bool" else answer.values[v.name]
            for v in variables
        }

    def unknown(
        self, trace: Trace, first: int, rules: Sequence[str]
    ) -> tuple[list[Variable], list[Bool], list[Mapping[str, Value]], Mapping[str, Value]]:
        """Return some rules taken with unknown reveals, from a step of a Play on.

        Given are the unknowns, the guards, the values in each step, and the last state.
        """
        state: Mapping[str, Value] = trace.states[first]
        unknowns: list[Variable] = []
        guards: list[Bool] = []
        seen: list[Mapping[str, Value]] = []
        for number, rule in enumerate(rules, start=first):
            own = [
                dataclasses.replace(v, name=f"{number}.{v.name}")
                for v in self.ground.revealed[rule]
            ]
            values = _Both(state, {})
            for variable, named in zip(self.ground.revealed[rule], own, strict=True):
                values[variable.name] = named.term()
            unknowns += own
            formula = self.ground.formulas[rule]
            work = Evaluation(values)
            guards.append(work.of(formula.guard))  # type: ignore[arg-type]
            state = _Later(self.ground.updates[rule], work)
            seen.append(_Both(values, state))
            if guards[-1] is False:
                break
        return unknowns, guards, seen, state

    def with_values(
        self, trace: Trace, first: int, rules: Sequence[str], values: Mapping[str, Any]
    ) -> Trace | None:
        """Return a Play gone on with from a step on by rules whose reveals are known now."""
        moves = [
            Move(rule, {v.name: values[f"{n}.{v.name}"] for v in self.ground.revealed[rule]})
            for n, rule in enumerate(rules, start=first)
        ]
        return self.ground.along(trace.upto(first), moves)

    def wishes(self, trace: Trace, first: int) -> dict[str, int]:
        """Return what a Play reveals from a step on, by the names that ``unknown`` gives."""
        return {
            f"{number}.{name}": int(value)
            for number in range(first, len(trace.moves))
            for name, value in trace.moves[number].revealed.items()
        }

    def _mended(self, trace: Trace) -> Trace | None:
        """Return a Play with other last reveals that wins a row of the table, if any is."""
        length = len(trace.moves)
        before = self.ground.won_if_ended(trace.end)
        if before is None:
            return None
        wanted = self.ground.wins_near(before)
        for window in _WINDOWS[: 4 if wanted else 0]:
            first = max(0, length - window)
            unknowns, guards, _, state = self.unknown(trace, first, trace.rules[first:])
            if not unknowns:
                continue
            row = wanted[0] if window < _WINDOWS[-2] else self.random.choice(wanted)
            plain = {v.name: state[v.name] for v in self.ground.state}
            end = self.ground.wanted_end(self.ground.state_of(plain), row)
            condition = all_of(guards, end)
            wishes = self.wishes(trace, first)
            values = None if condition is False else self.asked(unknowns, condition, wishes)
            if values is not None:
                mended = self.with_values(trace, first, trace.rules[first:], values)
                if mended is not None and self.ground.allowed(mended):
                    return mended
        return None

    def batch(self, number: int, begun: Sequence[Trace]) -> Iterator[Trace]:
        """Yield up to so many Plays: from the start, from where others have been, varied.

        Of the others those that came last are taken more often.
        """
        for _ in range(number):
            kind = self.random.random()
            if not begun or kind < 0.2:
                trace = self.play()
            else:
                late = begun[-_LATE:] if self.random.random() < 0.5 else begun
                other = self.random.choice(late)
                number_ = self.random.randrange(len(other.moves))
                if kind < 0.6:
                    trace = self.play(other.upto(number_))
                else:
                    trace = self.varied(other, number_)
            if trace is not None:
                yield trace

    def varied(self, trace: Trace, number: int) -> Trace | None:
        """Return a Play with another reveal at a step, gone on with alike as far as it can."""
        rich = self.random.choice((0.2, 0.5))
        now = trace.upto(number)
        move = self.reveal(now.end, trace.rules[number], rich)
        longer = move and self.ground.longer(now, move)
        if not longer:
            return None
        for following in trace.moves[number + 1 :]:
            same = self.ground.longer(longer, following)
            if same is None or not self.in_reach(same.end):
                break
            longer = same
        return self._good(longer) if self.ground.ended(longer.end) else self.play(longer, 0)


class _Later(dict[str, Value]):
    """The values after a step, each worked out when it is asked for."""

    def __init__(self, updates: Mapping[str, Value], work: Evaluation) -> None:
        self._updates, self._work = updates, work

    def __missing__(self, name: str) -> Value:
        self[name] = value = self._work.of(self._updates[name])
        return value


class _Both(dict[str, Value]):
    """What is revealed, and the values before and after a step."""

    def __init__(self, before: Mapping[str, Value], after: Mapping[str, Value]) -> None:
        self._before, self._after = before, after

    def __missing__(self, name: str) -> Value:
        if name.endswith(NEXT):
            return self._after[name.removesuffix(NEXT)]
        return self._before[name]


def _low(variable: Variable) -> Any:
    return False if variable.sort == "Bool" else variable.low or 0


def _bounded(variable: Variable) -> Span:
    span = limits(variable)
    if span.low is not None and span.high is not None:
        return span
    low = span.low or 0
    return Span.between(low, low + 99)


def _changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> int:
    return sum(after[name] != value for name, value in before.items())
