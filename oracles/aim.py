"""Aiming: a Play that reaches a goal which wandering Plays have missed.

A Play that came near is taken up to some steps before the place, and these steps are asked for
again: the same rules, their reveals unknown, so that the goal is reached in the last of them.
From there the Play goes on plainly, to an end that the table has.

    states[n - w] known ∧ R1 … Rw fire, reveals unknown ∧ condition(last step)

Near is where the rule in question was taken, or another that came where it might have come.
Before a solver is asked, Plays that come near are changed until they reach the goal
(``oracles.climb``).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import cast

from ..models.algebra import Bool, all_of, any_of
from ..models.shape import Variable
from ..proofs.encoding import NEXT
from ..proofs.evaluate import Evaluation
from .asks import asks_of_state
from .climb import Climb, places_of
from .goals import Again, Goal, Long, Losing, Moment, Passage
from .ground import Ground, Trace
from .lengths import Length
from .wander import Wander

__all__ = ["Aim"]

# Steps asked for again; places of Plays that are looked at, and at which a solver is asked.
_WINDOWS, _PLACES, _ASKED = (1, 2, 3, 5, 7), 60, 8
# Steps of a Play that are its last: with the end, one question is about all of them.
_LAST = 3
# Times that Plays are gone on with after a rule, and for how many steps they wander then.
_ONWARD, _WILD = 2, 20
# Times that the Plays which have most of a rule are given more of it.
_MORE = 4
# Changes tried before a solver is asked; afterwards as many again, so many times.
_TRIES, _HARDER = 600, 4
# Beginnings that reach a goal of which whole Plays are made.
_WHOLE = 5

Place = tuple[Trace, int]


class Aim:
    """Finds Plays that reach one goal, from Plays that are known."""

    def __init__(self, ground: Ground, wander: Wander, seed: int | str) -> None:
        self.ground, self.wander = ground, wander
        self.random = random.Random(f"aim {seed}")
        self.climb = Climb(ground, wander, seed)

    def quickly(self, goal: Goal, known: Sequence[Trace]) -> Iterator[Trace]:
        """Yield whole Plays that may reach a goal, made without asking a solver for it."""
        if isinstance(goal, Losing):
            yield from self._onward(goal.rule, known, wild=0, fits=self._wins_nothing)
        elif isinstance(goal, Again):
            yield from self._onward(goal.rule, known, wild=_WILD)
        else:
            yield from self._climbed(goal, known, _TRIES)

    def at(self, goal: Goal, known: Sequence[Trace]) -> Iterator[Trace]:
        """Yield whole Plays made to reach a goal; whether they do is for the caller to see."""
        yield from self.quickly(goal, known)
        if isinstance(goal, Losing):
            yield from self._reached((goal.rule,), True, known, fits=self._wins_nothing)
        elif isinstance(goal, Again):
            yield from self._reached((goal.rule,), True, known, fits=_came_before(goal.rule))
        elif isinstance(goal, Long) and goal.source:
            yield from self._longer(goal.source, known)
        elif isinstance(goal, Passage):
            yield from self._reached((goal.first, goal.then), True, known)
        elif isinstance(goal, Moment):
            for rule, condition in goal.cases:
                yield from self._reached((rule,), condition, known)
                yield from self._to_the_end(rule, condition, known)
        yield from self._climbed(goal, known, _HARDER * _TRIES)

    def _climbed(self, goal: Goal, known: Sequence[Trace], tries: int) -> Iterator[Trace]:
        """Yield Plays of which a step was changed until it was as a goal has it."""
        if isinstance(goal, Moment):
            for rule, condition in goal.cases:
                found = self.climb.reaching(rule, condition, known, tries)
                for reached in islice(found, _WHOLE):
                    yield from self._whole(reached)
        elif isinstance(goal, Passage):
            ground = self.ground
            after = ground.encoding.point(NEXT).s
            asked = asks_of_state(ground.game, ground.p, after, goal.then)
            found = self.climb.reaching(goal.first, asked, known, tries)
            for before in islice(found, _WHOLE):
                move = self.wander.reveal(before.end, goal.then)
                longer = None if move is None else ground.longer(before, move)
                if longer is not None:
                    yield from self._whole(longer)
        elif isinstance(goal, Long) and goal.source:
            yield from self._used_more(goal, known, tries)

    def _whole(self, begun: Trace) -> Iterator[Trace]:
        whole = self.wander.play(begun, wild=0, kept=len(begun.moves))
        if whole is None:  # its last steps may show the same in another way
            whole = self.wander.play(begun, wild=0)
        if whole is not None:
            yield whole

    def _used_more(self, goal: Long, known: Sequence[Trace], tries: int) -> Iterator[Trace]:
        """Yield Plays changed until they use more of a source of length than usual."""
        length = Length(self.ground, goal.source)
        for rule in length.rules:
            places = places_of(rule, known)
            if places:
                apart = partial(_short_of, length, goal.most)
                for reached in self.climb.nearing(places, apart, known, tries):
                    yield from self._whole(reached)

    def _longer(self, source: str, known: Sequence[Trace]) -> Iterator[Trace]:
        """Yield Plays that use a source of length once more, from those that use it most."""
        for rule in Length(self.ground, source).rules:
            yield from self._once_more(rule, list(known))

    def _once_more(self, rule: str, known: list[Trace]) -> Iterator[Trace]:
        """Yield Plays with a rule once more than in those that have most of it."""
        for _ in range(_MORE):
            known.sort(key=lambda trace: -trace.rules.count(rule))
            for whole in self._reached((rule,), True, known[:_ASKED], _came_before(rule)):
                known.append(whole)
                yield whole

    def _wins_nothing(self, trace: Trace, number: int) -> bool:
        won = self.ground.won_if_ended(trace.states[number])
        return won is None or not any(won.values())

    def _onward(
        self,
        rule: str,
        known: Sequence[Trace],
        wild: int,
        fits: Callable[[Trace, int], bool] = lambda trace, number: True,
    ) -> Iterator[Trace]:
        """Yield Plays gone on with after a rule."""
        for _ in range(_ONWARD):
            for trace, number in self._places(known, rule, others=False, fits=fits)[:_ASKED]:
                whole = self.wander.play(trace.upto(number + 1), wild=wild)
                if whole is not None:
                    yield whole

    def _reached(
        self,
        rules: tuple[str, ...],
        condition: Bool,
        known: Sequence[Trace],
        fits: Callable[[Trace, int], bool] = lambda trace, number: True,
    ) -> Iterator[Trace]:
        """Yield Plays in which rules come one after another, the last as a condition says."""
        for window in _WINDOWS:
            places = self._places(known, rules[0], others=window > 1, fits=fits)
            asked = 0
            for trace, number in places:
                wanted = self._wanted(trace, number, rules, condition, window)
                if wanted is None:
                    continue
                reached = self._reach(trace, number - window + 1, *wanted)
                if reached is not None:
                    yield from self._whole(reached)
                asked += 1
                if asked == _ASKED:
                    break

    def _to_the_end(
        self, rule: str, condition: Bool, known: Sequence[Trace]
    ) -> Iterator[Trace]:
        """Yield Plays whose last steps are as a condition says, and win what the table has.

        What such a step reveals is often all that is won, so both are asked for together.
        """
        ground = self.ground
        for window in _WINDOWS:
            places = self._places(known, rule, others=False, fits=_is_last)
            for trace, number in places[:_ASKED]:
                first = number - window + 1
                along = trace.rules[max(0, first) :]
                unknowns, guards, seen, state = self.wander.unknown(trace, max(0, first), along)
                if first < 0 or len(seen) < len(along):
                    continue
                met = cast("Bool", Evaluation(seen[window - 1]).of(condition))
                end = ground.state_of({v.name: state[v.name] for v in ground.state})
                rows = ground.wins_near(ground.won(trace.end))
                well = any_of(ground.wanted_end(end, row) for row in rows)
                wanted = all_of(guards, met, well)
                if wanted is False:
                    continue
                reached = self._reach(trace, first, along, unknowns, wanted)
                if reached is not None:
                    yield from self._whole(reached)

    def _places(
        self,
        known: Sequence[Trace],
        rule: str,
        others: bool,
        fits: Callable[[Trace, int], bool],
    ) -> list[Place]:
        """Return places at which a rule was taken or, with ``others``, might have been."""
        before = set(self.ground.graph.predecessors(rule))
        places = [
            (trace, number)
            for trace in known
            for number, taken in enumerate(trace.rules)
            if (taken == rule or (others and number and trace.rules[number - 1] in before))
            and fits(trace, number)
        ]
        own = [place for place in places if place[0].rules[place[1]] == rule]
        few = self.random.sample(own, min(_PLACES // 2, len(own)))
        return [*few, *self.random.sample(places, min(_PLACES // 2, len(places)))]

    def _wanted(
        self, trace: Trace, number: int, rules: Sequence[str], condition: Bool, window: int
    ) -> tuple[tuple[str, ...], list[Variable], Bool] | None:
        """Return the rules from some steps before on, their unknowns, and what has to hold."""
        first = number - window + 1
        if first < 0:
            return None
        along = (*trace.rules[first:number], *rules)
        unknowns, guards, seen, _ = self.wander.unknown(trace, first, along)
        if len(seen) < len(along) or guards[-1] is False:
            return None
        met = cast("Bool", Evaluation(seen[-1]).of(condition))
        wanted = all_of(guards, met)
        return None if wanted is False else (along, unknowns, wanted)

    def _reach(
        self,
        trace: Trace,
        first: int,
        along: Sequence[str],
        unknowns: Sequence[Variable],
        wanted: Bool,
    ) -> Trace | None:
        """Return the Play up to the goal, with the last steps as a solver has them."""
        liked = self.wander.wishes_of(trace, first, unknowns)
        values = self.wander.asked(unknowns, wanted, liked)
        if values is None:
            return None
        return self.wander.with_values(trace, first, along, values)


def _is_last(trace: Trace, number: int) -> bool:
    """Return whether a place is as near to the end as what is asked for again may be."""
    return len(trace.moves) - number <= _LAST


def _short_of(length: Length, most: int, trace: Trace, number: int) -> int:
    """Return how much less than more than so much a Play uses up to a step."""
    return max(0, most + 1 - length.used(trace.upto(number + 1)))


def _came_before(rule: str) -> Callable[[Trace, int], bool]:
    """Return whether a rule came before a place, and others since."""
    return lambda trace, number: rule in trace.rules[: max(0, number - 1)]
