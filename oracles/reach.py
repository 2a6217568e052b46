"""Proofs that a target is out of reach: no Play of any length wins it.

    φ(s)   no ended Play wins the target, and every money counter v
           is one of a few sums V(v) or more than the target,
           or else all of them are multiples of unit(v), and some are such sums too

Units are read off the rules (``proofs.units``): nothing pays £7.77 where all pay whole pounds.
V is guessed: start with what a counter holds at the start, ask which other value one step from
φ can bring about, add it, and go on until there is none, or there are too many, so that its
unit alone must do (a set of values found by counterexamples). φ is then proved by 1-induction
from nothing else, and every obligation is checked by z3 and by a second solver.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterator, Mapping
from typing import Any, cast

import z3

from ..models.algebra import Bool, IntTerm, Value, all_of, any_of, int_variable, negate
from ..models.system import Game, Kind, Property
from ..proofs.budget import Budget
from ..proofs.deadline import NEVER, Deadline
from ..proofs.finite import Integers
from ..proofs.paths import Path, Walker
from ..proofs.prover import prove
from ..proofs.questions import Asker
from ..proofs.solvers import Steps
from ..proofs.spans import ANYTHING, Reader, Span
from ..proofs.units import Units, divisor, units_of, with_units
from ..proofs.verdict import Outcome, Verdict
from .script import file_name
from .targets import Target

__all__ = ["indivisible", "pays_never"]

# Sums of a counter, and in all: what is found by more is too long to check.
_GUESSES, _QUESTIONS = 24, 100
# Steps of z3 for each question.
_BUDGET = 150_000


def pays_never(
    game: Game,
    target: Target,
    parameters: Mapping[str, Any],
    readings: Mapping[str, str],
    p: Any,
    deadline: Deadline = NEVER,
) -> Verdict:
    """Return the verdict on the claim that no Play wins a target.

    ``p`` is the setting that the parameters and readings make. ``proved`` comes with its
    certificate; ``undecided`` where this proof does not succeed, which says nothing of Plays.
    Raises OutOfTime where the deadline passes before there is a guess to prove.
    """
    units = units_of(game, p)
    sums = (
        {} if indivisible(game, target, p, units) else _guess(game, p, target, units, deadline)
    )
    identity = "never-" + file_name(target).removesuffix(".json")
    if sums is None:
        remark = "no invariant was found that excludes the target"
        return Verdict(game.id, identity, Outcome.UNDECIDED, "induction", 0, remark=remark)
    measured, multiples = with_units(game, units)
    shape = game.state_shape()

    def holds(p: Any, s: Any, t: Any) -> Bool:
        scalars = shape.scalars(s)
        few = (_among(scalars[name], held, target.amount) for name, held in sums.items())
        units_kept = multiples(s, t).values() if len(sums) < len(units) else ()
        return all_of(negate(_wins(game, target, p, s)), few, units_kept)

    claim = Property(identity, Kind.INVARIANT, (), f"No Play wins {target}.", holds)
    wider = dataclasses.replace(measured, properties=(claim,))
    budget = Budget(
        Steps(4_000_000), Steps(cvc5=400_000), Steps(1, 1), depth=0, k_most=1, spacer=1,
        seconds=deadline.left(),
    )  # fmt: skip
    found = prove(wider, claim, parameters=parameters, readings=readings, budget=budget)
    if found.outcome is Outcome.PROVED:
        return found
    remark = "an invariant that excludes the target is not confirmed"
    if found.outcome is Outcome.UNDECIDED and found.remark:
        remark += f" ({found.remark})"
    return dataclasses.replace(found, outcome=Outcome.UNDECIDED, plays=(), remark=remark)


_Sums = dict[str, set[int]]
"""What a money counter can hold up to the target, where these are few."""


def indivisible(game: Game, target: Target, p: Any, units: Units) -> bool:
    """Return whether the units alone exclude a target: it is no multiple of what is paid."""
    s = game.state_shape().terms()
    parts = game.goal.parts(p, s)
    paid = [(game.goal.paid(p, s), target.amount)]
    for part in target.breakdown or ():
        if part.name is not None and part.amount is not None:
            paid.append((parts[part.name], part.amount))
    found = [(divisor(won, units), amount) for won, amount in paid]
    return any(amount % unit if unit else amount for unit, amount in found)


def _guess(
    game: Game, p: Any, target: Target, units: Units, deadline: Deadline
) -> _Sums | None:
    asker = Asker(Integers, z3.SimpleSolver, deadline=deadline)
    try:
        return _Guessing(game, p, target, units, asker).run()
    finally:
        asker.close()


def _among(value: Value, sums: Collection[int], limit: int) -> Bool:
    number = cast("IntTerm", value)
    return any_of(number > limit, (number == one for one in sorted(sums)))


def _wins(game: Game, target: Target, p: Any, s: Any) -> Bool:
    return all_of(game.goal.ended(p, s), target.won(game, p, s))


class _Guessing:
    """The search for sums under which no rule leads to a target."""

    def __init__(self, game: Game, p: Any, target: Target, units: Units, asker: Asker) -> None:
        self.game, self.p, self.target, self.asker = game, p, target, asker
        self.shape = game.state_shape()
        start = self.shape.scalars(game.initial(p))
        self.sums: _Sums = {name: {cast("int", start[name])} for name in units}
        walker = Walker(game, p)
        here = walker.anywhere()
        self.before = self.shape.scalars(here.state)
        ghosts = {name: int_variable(f"units.{name}") for name in units}
        self.multiples = {
            name: cast("IntTerm", self.before[name]) == unit * ghosts[name]
            for name, unit in units.items()
        }
        free = {f"units.{name}": ANYTHING for name in units}
        here = dataclasses.replace(
            here, known={**here.known, **free}, unknowns=(*here.unknowns, *free)
        )
        self.unwon = negate(_wins(game, target, p, here.state))
        taken = (walker.take(here, rule) for rule in game.rules)
        self.steps = [step for step in taken if step is not None]

    def run(self) -> _Sums | None:
        """Return the sums; None if some rule leads to the target all the same."""
        for _ in range(_QUESTIONS):
            new = next(self._new_values(), None)
            if new is None:
                return None if self._may_win() else self.sums
            name, value = new
            if value is None or len(self.sums[name]) == _GUESSES:
                del self.sums[name]  # its unit alone must do
            else:
                self.sums[name].add(value)
        return None

    def _given(self) -> Bool:
        known = self.sums.items()
        few = (_among(self.before[name], sums, self.target.amount) for name, sums in known)
        all_few = len(self.sums) == len(self.multiples)
        return all_of(self.unwon, few, () if all_few else self.multiples.values())

    def _new_values(self) -> Iterator[tuple[str, int | None]]:
        """Yield money counters, each with a value that a step gives it against the guesses.

        Without a value it is not known whether there is one.
        """
        given = self._given()
        for step in self.steps:
            after = self.shape.scalars(step.state)
            for name, sums in self.sums.items():
                value = after[name]
                holds = _among(value, sums, self.target.amount)
                if value is self.before[name] or holds is True:
                    continue
                if not isinstance(value, IntTerm):
                    yield name, cast("int", value)
                    continue
                question = all_of(given, negate(holds))
                answer = self.asker.ask(step, question, {}, _BUDGET)
                if answer.values is not None:
                    yield name, _value(step, value, answer.values)
                elif not answer.decided:
                    yield name, None

    def _may_win(self) -> bool:
        given = self._given()
        for step in self.steps:
            wins = all_of(given, _wins(self.game, self.target, self.p, step.state))
            answer = self.asker.ask(step, wins, {}, _BUDGET)
            if answer.values is not None or not answer.decided:
                return True
        return False


def _value(step: Path, value: Value, values: Mapping[str, int]) -> int:
    """Return what a term is, the unknowns being known."""
    spans = {name: Span.among([number]) for name, number in values.items()}
    reader = Reader(spans)
    for name, term in step.definitions:
        spans[name] = reader.of(term)
    return cast("int", reader.of(value).only)
