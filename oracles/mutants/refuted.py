"""Which properties of a game a mutant breaks, seen on the Plays that tell it apart.

What a mutant makes of a step, and of the steps of the Play after it as far as they may still
come, is put to every invariant and step property: one that holds of the rules there and
not of the mutant is refuted on it. Of the claims about the system as a whole two show in one
state: ``deterministic``, where two rules take one reveal, and ``never-stuck``, where none of
the reveals that are written down as a way on is taken any more.

What is not listed may still be broken in some other Play: this is a list of what was seen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from ...models.algebra import Bool, Value
from ...models.system import Kind, Point, Step
from ...proofs.encoding import NEXT
from ..compiled import compiled
from ..ground import Move, Trace
from .making import Mutant, Mutants
from .steps import Apart, Place

__all__ = ["Refuted"]

Values = Mapping[str, Any]
_PLACES = 3  # of one mutant that are looked at


class Refuted:
    """Says which properties (ids) mutants break; what a step is put to is made once."""

    def __init__(self, mutants: Mutants) -> None:
        self.mutants, self.ground = mutants, mutants.ground
        game = self.ground.game
        self.general = {one.id for one in game.properties if one.kind is Kind.GENERAL}
        self.claims = [o for o in game.properties if o.kind in (Kind.INVARIANT, Kind.STEP)]
        self._tallied: dict[int, tuple[Trace, list[Values]]] = {}
        self._of_rule = cache(self._put_to)

    def of(self, mutant: Mutant, apart: Apart, traces: Sequence[Trace]) -> tuple[str, ...]:
        """Return the properties that are refuted on a mutant, in the game's order."""
        found: set[str] = set()
        other = _Otherwise(mutant)
        for place in apart.places[:_PLACES]:
            trace = traces[place.play]
            if apart.how == "shows":
                found |= self._shown(mutant, other, trace, place.step)
            elif apart.how == "refuses":
                found |= self._stuck(mutant, other, trace.states[place.step])
            else:
                found |= self._accepted(trace, place)
        return tuple(one.id for one in self.ground.game.properties if one.id in found)

    def _shown(self, mutant: Mutant, other: _Otherwise, trace: Trace, step: int) -> set[str]:
        found: set[str] = set()
        state, tally = trace.states[step], self._tallies(trace)[step]
        right = trace.states[step + 1]
        for number in range(step, len(trace.moves)):
            move = trace.moves[number]
            after = self.ground.take(state, move)
            if after is None:
                break
            if mutant.of(move.rule):
                after |= other[move.rule]({**state, **move.revealed})
            tally, broken = self._broken(move, state, tally, after)
            if broken and number == step:  # a claim that fails of the rules too says nothing
                broken -= self._broken(move, state, self._tallies(trace)[step], right)[1]
            found |= broken
            state = after
            if found or self.ground.ended(state):
                break
        return found

    def _accepted(self, trace: Trace, place: Place) -> set[str]:
        move, state = place.refused, trace.states[place.step]
        assert move is not None
        updates = self.mutants.rules[move.rule].updates
        after = dict(
            zip(updates, compiled([*updates.values()])({**state, **move.revealed}), strict=True)
        )
        found = self._broken(move, state, self._tallies(trace)[place.step], after)[1]
        if "deterministic" in self.general and self._two_apply(move, state, trace, place.step):
            found |= {"deterministic"}
        return found

    def _two_apply(self, move: Move, state: Values, trace: Trace, step: int) -> bool:
        """Return whether another rule takes what is revealed, or is awaited in its place."""
        game = self.ground.game
        kind = game.rule(move.rule).reveal
        if step < len(trace.moves) and game.rule(trace.rules[step]).reveal is not kind:
            return True
        others = [rule for rule in game.rules if rule.reveal is kind and rule.id != move.rule]
        doubles = (Move(rule.id, move.revealed) for rule in others)
        return any(self.ground.take(state, double) is not None for double in doubles)

    def _stuck(self, mutant: Mutant, other: _Otherwise, state: Values) -> set[str]:
        if "never-stuck" not in self.general or self.ground.ended(state):
            return set()
        for move in self._ways_on(state):
            if self.ground.take(state, move) is not None:
                known = {**state, **move.revealed}
                if not mutant.of(move.rule) or other[move.rule](known)[_GUARD]:
                    return set()
        return {"never-stuck"}

    def _ways_on(self, state: Values) -> Iterator[Move]:
        """Yield the moves that are written down as ways on from a state."""
        game = self.ground.game
        s = self.ground.state_of(state)
        for rule in game.rules:
            if not self.ground.revealed[rule.id]:
                yield Move(rule.id, {})
            for witness in game.witnesses:
                if witness.reveal is rule.reveal:
                    prefix = f"r.{rule.reveal.__name__.lower()}."
                    for reveal in witness.make(self.ground.p, s):
                        scalars = game.reveal_shape(rule).scalars(reveal)
                        yield Move(rule.id, {prefix + n: v for n, v in scalars.items()})

    # What properties say of a step.

    def _broken(
        self, move: Move, state: Values, tally: Values, after: Values
    ) -> tuple[Values, set[str]]:
        """Return the tally after a step, and the properties that the step breaks."""
        names, seen, ids, work_out = self._of_rule(move.rule)
        then = {name + NEXT: value for name, value in after.items()}
        values = work_out({**state, **tally, **move.revealed, **then})
        holds = zip(ids, values[len(seen) :], strict=True)
        now = dict(zip(names, values[: len(seen)], strict=True))
        return now, {id_ for id_, is_so in holds if not is_so}

    def _put_to(self, rule: str) -> tuple[list[str], list[Value], list[str], Any]:
        encoding, game = self.ground.encoding, self.ground.game
        formula = self.ground.formulas[rule]
        here, after = encoding.point(), encoding.point(NEXT)
        step = Step(rule, encoding.reveal(formula.rule))
        seen = game.observe(self.ground.p, here, step, after.s)
        shape = game.tally_shape()
        scalars = shape.scalars(seen)
        names = [f"t.{name}" for name in scalars]
        then = Point(after.s, seen)
        ids: list[str] = []
        claims: list[Bool] = []
        for claim in self.claims:
            if claim.kind is Kind.STEP:
                says = claim.holds(self.ground.p, here, step, then)
            else:
                says = claim.holds(self.ground.p, then.s, then.t)
            if says is not True:
                ids.append(claim.id)
                claims.append(says)
        values = [*scalars.values()]
        return names, values, ids, compiled([*values, *claims])

    def _tallies(self, trace: Trace) -> list[Values]:
        """Return what a bystander has counted before each step of a Play, and at its end."""
        if id(trace) not in self._tallied:
            zero = self.ground.game.tally_shape()
            found: list[Values] = [
                {f"t.{name}": value for name, value in zero.scalars(zero.zero()).items()}
            ]
            for number, move in enumerate(trace.moves):
                state, after = trace.states[number], trace.states[number + 1]
                found.append(self._broken(move, state, found[-1], after)[0])
            self._tallied[id(trace)] = trace, found
        return self._tallied[id(trace)][1]


_GUARD = "guard"


class _Otherwise(dict[str, Callable[[Values], dict[str, Any]]]):
    """By rule, functions to what a mutant makes of a step otherwise; each made once needed."""

    def __init__(self, mutant: Mutant) -> None:
        self._mutant = mutant

    def __missing__(self, rule: str) -> Callable[[Values], dict[str, Any]]:
        part = self._mutant.of(rule)
        assert part is not None, "a rule that it changes"
        self[rule] = _compiled(part)
        return self[rule]


def _compiled(mutant: Mutant) -> Callable[[Values], dict[str, Any]]:
    """Return a function to what one changed rule makes of a step, its guard among it."""
    named: dict[str, Value] = dict(mutant.updates)
    if mutant.guard is not None:
        named[_GUARD] = mutant.guard
    work_out = compiled([*named.values()])
    return lambda known: dict(zip(named, work_out(known), strict=True))
