"""Climbing: from steps that come near a goal to one that reaches it, by small changes.

Of all known steps by a rule those nearest to a condition are kept (``oracles.near``). Again and
again one of them is changed: its own reveal, that of a step before it, or what came before it,
by some steps less, or more as another Play has them. What comes nearer is kept in its turn. No
solver is asked, so that hundreds of changes take as long as one question.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import cast

from ..models.algebra import Bool
from ..proofs.encoding import NEXT
from ..proofs.evaluate import Evaluation
from .compiled import compiled
from .ground import Ground, Move, Trace
from .near import distance
from .wander import Wander

__all__ = ["Climb", "places_of"]

# Steps that are looked at, and those nearest that are kept.
_PLACES, _NEAREST = 400, 12
# A search ends early after one such part of it in which nothing came nearer.
_STALE = 3
# Steps before a place that may be changed, and steps that come from another Play.
_BEFORE, _BORROWED = 12, 14

Place = tuple[Trace, int]


class Climb:
    """Changes Plays until a step is as a condition says."""

    def __init__(self, ground: Ground, wander: Wander, seed: int | str) -> None:
        self.ground, self.wander = ground, wander
        self.random = random.Random(f"climb {seed}")

    def reaching(
        self, rule: str, condition: Bool, known: Sequence[Trace], tries: int
    ) -> Iterator[Trace]:
        """Yield beginnings of Plays whose last step is by a rule and meets a condition."""
        places = places_of(rule, known)
        if places:
            yield from self.nearing(places, self._apart(rule, condition), known, tries)

    def nearing(
        self,
        places: Sequence[Place],
        apart: Callable[[Trace, int], int],
        known: Sequence[Trace],
        tries: int,
    ) -> Iterator[Trace]:
        """Yield beginnings of Plays whose last step is at no distance any more.

        The search begins at places: Plays, and steps of them by one rule (counted from 0).
        """
        some = self.random.sample(places, min(_PLACES, len(places)))
        near = sorted(
            (apart(trace, number), at, trace.upto(number + 1))
            for at, (trace, number) in enumerate(some)
        )[:_NEAREST]
        nearest, since = near[0][0], 0
        for number in range(tries):
            if near[0][0] < nearest:
                nearest, since = near[0][0], number
            elif number - since > tries // _STALE:
                return
            if near[0][0] == 0:
                yield near.pop(0)[2]
                if not near:
                    return
                continue
            old, other = (near[self._low(len(near))][2] for _ in range(2))
            if self.random.random() < 0.5:
                other = self.random.choice(known)
            new = self._changed(old, other, places)
            if new is None:
                continue
            far = apart(new, len(new.moves) - 1)
            if far <= near[-1][0] and self.wander.in_reach(new.end):
                near.append((far, len(some) + number, new))
                near.sort(key=lambda one: (one[0], -one[1]))
                del near[_NEAREST:]

    def _apart(self, rule: str, condition: Bool) -> Callable[[Trace, int], int]:
        """Return how far a step is from a condition on it, what it leads to worked out."""
        values = {v.name: v.term() for v in (*self.ground.state, *self.ground.revealed[rule])}
        values |= {name + NEXT: value for name, value in self.ground.updates[rule].items()}
        met = cast("Bool", Evaluation(values).of(condition))
        far = compiled([distance(met)])

        def apart(trace: Trace, number: int) -> int:
            return int(far({**trace.states[number], **trace.moves[number].revealed})[0])

        return apart

    def _low(self, most: int) -> int:
        """Return a random number below a limit, low ones more often."""
        return min(self.random.randrange(most), self.random.randrange(most))

    def _changed(self, trace: Trace, other: Trace, places: Sequence[Place]) -> Trace | None:
        """Return a beginning that ends by the same rule and is otherwise, if it is legal."""
        last = len(trace.moves) - 1
        kind = self.random.random()
        if kind < 0.25:
            return self._revealed(trace, last)
        if kind < 0.45:
            return self._revealed(trace, max(0, last - self.random.randrange(_BEFORE)))
        if kind < 0.55:
            first, then = sorted(self.random.randrange(last + 1) for _ in range(2))
            if trace.rules[first] != trace.rules[then]:
                return None
            return self._along(trace.upto(first), trace.moves[then:])
        if kind < 0.8:
            return self._inserted(trace, other)
        donor, place = self.random.choice(places)
        first = max(0, place - self.random.randrange(_BORROWED))
        host = trace if self.random.random() < 0.5 else other
        joins = _where(host, donor.rules[first])
        if not joins:
            return None
        begun = host.upto(self.random.choice(joins))
        return self._along(begun, donor.moves[first : place + 1])

    def _inserted(self, trace: Trace, other: Trace) -> Trace | None:
        """Return the same with what another did from a rule until it came again."""
        number = self.random.randrange(len(trace.moves))
        starts = _where(other, trace.rules[number])
        if len(starts) < 2:
            return None
        at = self.random.randrange(len(starts) - 1)
        more = other.moves[starts[at] : starts[min(at + 1 + self._low(3), len(starts) - 1)]]
        begun = self._along(trace.upto(number), more)
        return begun and self._along(begun, trace.moves[number:])

    def _revealed(self, trace: Trace, number: int) -> Trace | None:
        """Return the same with another reveal at a step."""
        begun = trace.upto(number)
        rich = self.random.choice((0.2, 0.5))
        move = self.wander.tried(begun.end, trace.rules[number], rich)
        longer = None if move is None else self.ground.longer(begun, move)
        return longer and self._along(longer, trace.moves[number + 1 :])

    def _along(self, begun: Trace, moves: Sequence[Move]) -> Trace | None:
        """Return a Play gone on with by moves; those that may not come are left out."""
        for move in moves[:-1]:
            begun = self.ground.longer(begun, move) or begun
        return self.ground.longer(begun, moves[-1]) if moves else begun


def _where(trace: Trace, rule: str) -> list[int]:
    return [number for number, taken in enumerate(trace.rules) if taken == rule]


def places_of(rule: str, known: Sequence[Trace]) -> list[tuple[Trace, int]]:
    """Return where a rule is taken: each Play with the number of steps before it."""
    return [
        (trace, number)
        for trace in known
        for number, taken in enumerate(trace.rules)
        if taken == rule
    ]
