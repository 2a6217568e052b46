"""Proofs that a target is out of reach: no Play of any length wins it.

    φ(s)   no ended Play wins the target, and every money counter v
           is one of a few sums V(v) or more than the target; where there are too many sums,
           it is a multiple of g(v)

g and V are guesses: start with what a counter holds at the start, ask which other value one
step from φ can bring about, add it, and go on until there is none (a congruence and a set of
values, as in Granger 1991, found by counterexamples). φ is then proved by 1-induction from
nothing else, and every obligation is checked by z3 and by a second solver.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from typing import Any, cast

import z3

from ..models.algebra import Bool, IntTerm, Value, all_of, any_of, negate
from ..models.system import Game, Kind, Property
from ..proofs.budget import Budget
from ..proofs.finite import Integers
from ..proofs.paths import Path, Walker
from ..proofs.prover import prove
from ..proofs.questions import Asker
from ..proofs.solvers import Steps
from ..proofs.spans import Reader, Span
from ..proofs.verdict import Outcome, Verdict
from .targets import Target

__all__ = ["pays_never"]

_GUESSES = 24
# Questions after which an invariant is given up: what is found by more is too long to check.
_QUESTIONS = 50
# Steps of z3 for each.
_BUDGET = 150_000


@dataclasses.dataclass
class _Guess:
    """What a money counter can hold: a few sums or past the limit, else multiples of a step.

    Not both: second solvers take long over divisions, and sums alone do where they are few.
    """

    sums: set[int]
    step: int

    def holds(self, value: Value, limit: int) -> Bool:
        number = cast("IntTerm", value)
        if len(self.sums) <= _GUESSES:
            return any_of(number > limit, (number == one for one in sorted(self.sums)))
        return all_of(number >= 0, number % max(self.step, 1) == 0)

    def learn(self, value: int, limit: int) -> None:
        self.step = math.gcd(self.step, value)
        if value <= limit:
            self.sums.add(value)


def pays_never(
    game: Game,
    target: Target,
    parameters: Mapping[str, Any],
    readings: Mapping[str, str],
    p: Any,
) -> Verdict:
    """Return the verdict on the claim that no Play wins a target.

    ``p`` is the setting that the parameters and readings make. ``proved`` comes with its
    certificate; ``undecided`` where this proof does not succeed, which says nothing of Plays.
    """
    guesses = _guess(game, p, target)
    identity = f"never-{target.amount}"
    if guesses is None:
        remark = "no invariant was found that excludes the target"
        return Verdict(game.id, identity, Outcome.UNDECIDED, "induction", 0, remark=remark)
    shape = game.state_shape()

    def holds(p: Any, s: Any, t: Any) -> Bool:
        scalars = shape.scalars(s)
        known = [guess.holds(scalars[name], target.amount) for name, guess in guesses.items()]
        return all_of(negate(_wins(game, target, p, s)), known)

    claim = Property(identity, Kind.INVARIANT, (), f"No Play wins {target}.", holds)
    wider = dataclasses.replace(game, properties=(claim,))
    budget = Budget(
        Steps(4_000_000), Steps(cvc5=400_000), Steps(1, 1), depth=0, k_most=1, spacer=1
    )
    return prove(wider, claim, parameters=parameters, readings=readings, budget=budget)


def _wins(game: Game, target: Target, p: Any, s: Any) -> Bool:
    return all_of(game.goal.ended(p, s), target.won(game, p, s))


def _guess(game: Game, p: Any, target: Target) -> dict[str, _Guess] | None:
    """Return guesses under which no rule leads to the target; None if some rule does."""
    asker = Asker(Integers, z3.SimpleSolver)
    try:
        return _guess_by(asker, game, p, target)
    finally:
        asker.close()


def _guess_by(asker: Asker, game: Game, p: Any, target: Target) -> dict[str, _Guess] | None:
    shape = game.state_shape()
    start = shape.scalars(game.initial(p))
    money = [variable.name for variable in shape.variables if variable.unit == "pence"]
    guesses = {
        name: _Guess({cast("int", start[name])}, cast("int", start[name])) for name in money
    }
    walker = Walker(game, p)
    here = walker.anywhere()
    steps = [step for rule in game.rules if (step := walker.take(here, rule)) is not None]
    limit = target.amount
    questions = 0
    while True:
        before = shape.scalars(here.state)
        given = [guess.holds(before[name], limit) for name, guess in guesses.items()]
        given.append(negate(_wins(game, target, p, here.state)))
        learnt = False
        for step in steps:
            while found := _new_value(
                asker, shape.scalars(step.state), before, guesses, step, given, limit
            ):
                name, value = found
                questions += 1
                if questions > _QUESTIONS:
                    return None
                guesses[name].learn(value, limit)
                learnt = True
                if len(guesses[name].sums) > _GUESSES + 8:
                    break
        if not learnt:
            break
    for step in steps:
        wins = all_of(given, _wins(game, target, p, step.state))
        answer = asker.ask(step, wins, {}, _BUDGET)
        if answer.values is not None or not answer.decided:
            return None
    return guesses


def _new_value(
    asker: Asker,
    after: Mapping[str, Value],
    before: Mapping[str, Value],
    guesses: Mapping[str, _Guess],
    step: Path,
    given: list[Bool],
    limit: int,
) -> tuple[str, int] | None:
    """Return a money counter and a value that a step gives it against the guesses so far."""
    changed = {name: value for name, value in after.items() if name in guesses}
    changed = {name: value for name, value in changed.items() if value is not before[name]}
    for name, value in changed.items():
        if not isinstance(value, IntTerm):
            if guesses[name].holds(value, limit) is not True:
                return name, cast("int", value)
            continue
        if len(guesses[name].sums) > _GUESSES + 8:
            continue
        against = negate(guesses[name].holds(value, limit))
        values = asker.ask(step, all_of(given, against), {}, _BUDGET).values
        if values is not None:
            return name, _value(step, value, values)
    return None


def _value(step: Path, value: Value, values: Mapping[str, int]) -> int:
    """Return what a term is, the unknowns being known."""
    spans = {name: Span.among([number]) for name, number in values.items()}
    reader = Reader(spans)
    for name, term in step.definitions:
        spans[name] = reader.of(term)
    return cast("int", reader.of(value).only)
