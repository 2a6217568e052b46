"""Plays that tell mutants apart, where no Play at hand does: made with a solver, near those.

    states[n - w] known ∧ R1 … Rw fire, reveals unknown ∧ the mutant differs in the last step

as for a goal that a suite has missed (``oracles.aim``). A step that a mutant accepts and the
rules refuse ends the search: nothing has to come after it. After any other the Play goes on
plainly, to an end that the table has and that keeps the promises.
"""

from __future__ import annotations

import dataclasses
import itertools
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from ...models.algebra import Bool, Value, all_of, any_of, equal, negate, same, variables_of
from ...models.editions import PrizeRow
from ...models.shape import Variable
from ...proofs.evaluate import Evaluation
from ..compiled import compiled
from ..ground import Move, Trace
from ..wander import Wander
from .making import Mutant, Mutants

__all__ = ["Found", "Search", "differs"]

T = TypeVar("T")

# Steps asked for again; places looked at and places at which a solver is asked, for each.
_WINDOWS, _PLACES, _ASKED = (1, 2, 3, 5), 160, (10, 6, 5, 4)
# Steps to the end, if all that follows is asked for again; places at which it is.
_TAIL, _TAILS = 7, 4
_BEYOND = 2  # a step that may not come may reveal so much more than any that may


@dataclass(frozen=True)
class Found:
    """A Play that tells a mutant apart, up to its end.

    ``refused`` is the step that the mutant accepts after ``step`` steps, where that is how.
    """

    trace: Trace
    step: int
    refused: Move | None = None


def differs(mutants: Mutants, mutant: Mutant) -> Bool:
    """Return when a mutant does in a step what the rules do not, as a term.

    It is about one rule: of a mutant that changes several, about the first.
    """
    rule = mutants.rules[mutant.rule]
    if mutant.guard is not None:
        return negate(same(rule.guard, mutant.guard))
    other = (negate(equal(rule.updates[n], value)) for n, value in mutant.updates.items())
    return all_of(rule.guard, any_of(other))


class Search:
    """Looks for Plays near those that are known. Close it when done, or use ``with``."""

    def __init__(self, mutants: Mutants, known: Sequence[Trace], seed: int = 0) -> None:
        self.mutants, self.ground = mutants, mutants.ground
        self.known = [*known]
        self.wander = Wander(self.ground, seed)
        for trace in known:
            self.wander.learn(trace)
        self._random = random.Random(f"search {seed}")
        self._rules = set(self.ground.formulas)
        self.beyond: Trace | None = None

    def __enter__(self) -> Search:
        return self

    def __exit__(self, *error: object) -> None:
        self.wander.close()

    def find(self, mutant: Mutant) -> Found | None:
        """Return a Play that tells a mutant apart.

        Where there is none, ``beyond`` may be the beginning of one that has no end which the
        prize table and the promises allow.
        """
        beyond: Trace | None = None
        for part in mutant.parts:
            if found := self._of_part(part):
                return found
            beyond = beyond or self.beyond
        self.beyond = beyond
        return None

    def _of_part(self, mutant: Mutant) -> Found | None:
        self.beyond = None
        rule = self.mutants.rules[mutant.rule]
        if mutant.guard is None:
            return self._by_step(mutant.rule, differs(self.mutants, mutant))
        refuses = all_of(rule.guard, negate(mutant.guard))
        accepts = all_of(negate(rule.guard), mutant.guard)
        return self._by_step(mutant.rule, refuses) or self._by_refusal(mutant.rule, accepts)

    def _by_step(self, rule: str, condition: Bool) -> Found | None:
        """Return a Play with a step by a rule as a condition says, if one is found."""
        if condition is False:
            return None
        met = compiled([condition])

        def told(trace: Trace) -> Found | None:
            for number, move in enumerate(trace.moves):
                if move.rule == rule and met({**trace.states[number], **move.revealed})[0]:
                    return Found(trace, number)
            return None

        found = self._near(rule, condition, told) or self._to_the_end(rule, condition, told)
        if found is not None:
            self.known.append(found.trace)
        return found

    def _near(
        self, rule: str, condition: Bool, told: Callable[[Trace], Found | None]
    ) -> Found | None:
        """Return a Play that goes on plainly after the step."""
        for trace, prefix, moves, _ in self._coming(
            rule, condition, self.ground.revealed[rule]
        ):
            begun = self.ground.along(trace.upto(prefix), moves)
            found = begun and self._ended(begun, told)
            if found:
                return found
        return None

    def _coming(
        self, rule: str, condition: Bool, variables: Sequence[Variable], anywhere: bool = False
    ) -> Iterator[tuple[Trace, int, list[Move], int]]:
        """Yield moves that come to a condition at a rule: the last of them is its step.

        Each comes with the Play they leave, after how many steps, and how many were asked for.
        """
        for window, asked in zip(_WINDOWS, _ASKED, strict=True):
            for trace, number in self._tried(rule, window, condition, anywhere):
                prefix, along, unknowns, wanted = self._wanted(
                    trace, number, window, rule, variables, condition
                )
                if wanted is False:
                    continue
                asked -= 1
                moves = self._asked(trace, prefix, along, unknowns, wanted, rule, variables)
                if moves is not None:
                    yield trace, prefix, moves, window
                if asked <= 0:
                    break

    def _to_the_end(
        self, rule: str, condition: Bool, told: Callable[[Trace], Found | None]
    ) -> Found | None:
        """Return a Play of which all that follows is asked for too, with its prize.

        … ∧ the mutant differs in the step ∧ the last state wins a row of the table
        """
        for window in _WINDOWS[:3]:
            asked = 0
            for trace, number in self._tried(rule, window, condition):
                first = number - window + 1
                if trace.rules[number] != rule or len(trace.moves) - first > _TAIL:
                    continue
                along = trace.rules[first:]
                unknowns, guards, seen, end = self.wander.unknown(trace, first, along)
                if len(seen) < len(along) or any(guard is False for guard in guards):
                    continue
                met = cast("Bool", Evaluation(seen[number - first]).of(condition))
                if met is False:
                    continue
                s = self.ground.state_of({v.name: end[v.name] for v in self.ground.state})
                for row in self._rows(trace):
                    wanted = all_of(guards, met, self.ground.wanted_end(s, row))
                    wishes = self.wander.wishes(trace, first)
                    values = (
                        None if wanted is False else self.wander.asked(unknowns, wanted, wishes)
                    )
                    if values is not None:
                        whole = self.wander.with_values(trace, first, along, values)
                        if whole and self.ground.allowed(whole) and (found := told(whole)):
                            return found
                asked += 1
                if asked == _TAILS:
                    break
        return None

    def _rows(self, trace: Trace) -> list[PrizeRow | None]:
        """Return what a Play that is changed a little may win: the nearest, and some more."""
        parts = self.ground.won_if_ended(trace.end) or {}
        near = self.ground.wins_near(parts)
        return [*near[:3], *self._random.sample(near, min(3, len(near)))]

    def _by_refusal(self, rule: str, condition: Bool) -> Found | None:
        """Return a Play with a place at which a step by a rule is wrongly accepted."""
        variables = tuple(_wider(v) for v in self.ground.revealed[rule])
        for trace, prefix, moves, window in self._coming(rule, condition, variables, True):
            before = self.ground.along(trace.upto(prefix), moves[:-1])
            if before and window == 1:
                return Found(trace, len(before.moves), moves[-1])
            found = before and self._ended(before, self._refusing(before, moves[-1]))
            if found:
                self.known.append(found.trace)
                return found
        return None

    def _tried(
        self, rule: str, window: int, condition: Bool, anywhere: bool = False
    ) -> Iterator[tuple[Trace, int]]:
        """Yield places at which a rule was taken, or might have been.

        Those come first that are unlike in which of the fields in question hold anything.
        """
        before = set(self.ground.graph.predecessors(rule))
        own, others = [], []
        for trace in self.known:
            for number, taken in enumerate(trace.rules):
                if number + 1 < window:
                    continue
                if taken == rule:
                    own.append((trace, number))
                elif anywhere or (window > 1 and trace.rules[number - 1] in before):
                    others.append((trace, number))
        about = sorted(n for n in variables_of(condition) if n.startswith("s."))
        for places in (own, others):
            few = self._random.sample(places, min(_PLACES, len(places)))
            yield from _varied(few, lambda at: _held(at[0].states[at[1]], about))

    def _wanted(
        self,
        trace: Trace,
        number: int,
        window: int,
        rule: str,
        variables: Sequence[Variable],
        condition: Bool,
    ) -> tuple[int, tuple[str, ...], list[Variable], Bool]:
        """Return from which step on what has to hold, the rules till then, the unknowns."""
        first = number - window + 1
        along = trace.rules[first:number]
        if along and self._random.random() < 0.5:  # or another rule just before it
            before = sorted(set(self.ground.graph.predecessors(rule)) & self._rules)
            along = (*along[:-1], self._random.choice(before)) if before else along
        unknowns, guards, _, state = self.wander.unknown(trace, first, along)
        values: dict[str, Value] = _Reading(state)
        own = [dataclasses.replace(v, name=f"last.{v.name}") for v in variables]
        for variable, named in zip(variables, own, strict=True):
            values[variable.name] = named.term()
        if any(guard is False for guard in guards):
            return first, along, [], False
        met = cast("Bool", Evaluation(values).of(condition))
        return first, along, [*unknowns, *own], all_of(guards, met)

    def _asked(
        self,
        trace: Trace,
        first: int,
        along: Sequence[str],
        unknowns: Sequence[Variable],
        wanted: Bool,
        rule: str,
        variables: Sequence[Variable],
    ) -> list[Move] | None:
        """Return the moves from a step on as a solver has them, None if it has none."""
        wishes = self.wander.wishes(trace, first)
        last = trace.moves[first + len(along)]
        if last.rule == rule:
            wishes |= {f"last.{name}": int(value) for name, value in last.revealed.items()}
        named = {variable.name for variable in unknowns}
        liked = {name: value for name, value in wishes.items() if name in named}
        if unknowns:
            values = self.wander.asked(unknowns, wanted, liked)
        else:
            values = {} if wanted is True else None
        if values is None:
            return None
        moves = [
            Move(one, {v.name: values[f"{n}.{v.name}"] for v in self.ground.revealed[one]})
            for n, one in enumerate(along, start=first)
        ]
        return [*moves, Move(rule, {v.name: values[f"last.{v.name}"] for v in variables})]

    def _refusing(self, before: Trace, move: Move) -> Callable[[Trace], Found | None]:
        """Return the Play with a step to refuse, as long as it begins as it did."""
        number = len(before.moves)
        return lambda trace: (
            Found(trace, number, move) if trace.moves[:number] == before.moves else None
        )

    def _ended(self, begun: Trace, told: Callable[[Trace], Found | None]) -> Found | None:
        """Return a Play gone on with to a good end, if it still tells the mutant apart."""
        for wild in (0, 0, 3, 8):
            whole = self.wander.play(begun, wild=wild)
            found = whole and told(whole)
            if found:
                return found
        self.beyond = begun
        return None


def _held(state: Mapping[str, Any], about: Sequence[str]) -> tuple[bool, ...]:
    return tuple([bool(state[name]) for name in about])


def _varied(places: Sequence[T], kind: Callable[[T], object]) -> Iterator[T]:
    """Yield one of each kind, then a second one of each, and so on."""
    kinds: dict[object, list[T]] = {}
    for place in places:
        kinds.setdefault(kind(place), []).append(place)
    for row in itertools.zip_longest(*kinds.values()):
        yield from (place for place in row if place is not None)


class _Reading(dict[str, Value]):
    """The values before a step, each read when it is asked for, and what it reveals."""

    def __init__(self, before: object) -> None:
        self._before = before

    def __missing__(self, name: str) -> Value:
        self[name] = value = cast("dict[str, Value]", self._before)[name]
        return value


def _wider(variable: Variable) -> Variable:
    if variable.sort == "Bool":
        return variable
    low = (variable.low or 0) - _BEYOND
    high = None if variable.high is None else variable.high + _BEYOND
    return dataclasses.replace(variable, low=low, high=high)
