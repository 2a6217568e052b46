"""What Plays show to be so at every moment, kept only where every step provably keeps it.

A guess is a term over the state (and what was seen). It holds at every moment of the Plays at
hand; a guess that some step may break is dropped, until every step keeps all that are left:

    claims(x) ∧ guesses(x) ∧ R(x, r, x')  ⇒  guesses(x')        for every rule R

Flanagan & Leino: Houdini, an annotation assistant for ESC/Java, FME 2001; the guesses are as
those of Ernst et al.: Dynamically discovering likely program invariants, ICSE 1999.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

import z3

from ..models.algebra import Bool, IntTerm, Value, all_of, any_of, implies, negate
from ..models.shape import Variable
from ..models.system import Kind, Property
from ..proofs.encoding import NEXT, Encoding, RuleFormula
from ..proofs.evaluate import Evaluation
from ..proofs.finite import Integers, Translated
from ..proofs.infix import infix
from ..proofs.paths import limits
from ..proofs.spans import ANYTHING, YES_OR_NO
from .ground import Ground, Trace

__all__ = ["Asking", "Learnt", "kept"]

# Steps of z3 for one question; a field of few values tells what part of a Play it is.
_BUDGET, _FEW = 500_000, 4
# What no Play showed to be more than this is guessed never to be more than it showed.
_SMALL = 8


class Asking:
    """Asks z3 about one step from a point for which claims hold, and notes which it needed.

    Close it when done, or use ``with``.
    """

    def __init__(self, encoding: Encoding, claims: Sequence[Property]) -> None:
        self.encoding = encoding
        # What a field of the state may hold is a matter of claims: limits are not assumed.
        self._spans = {
            v.name: ANYTHING if v.sort == "Int" else YES_OR_NO for v in encoding.state
        }
        self._spans |= {v.name: limits(v) for v in encoding.reveals}
        self._built = Integers(z3.Context())
        self._made = self._built.extended(Translated(), tuple(self._spans), (), (), self._spans)
        self._solver = z3.SimpleSolver(ctx=self._built.context)
        self._solver.set("rlimit", _BUDGET)
        for condition in self._made.conditions:
            self._built.put(self._solver, condition)
        self._literals: dict[z3.BoolRef, str] = {}
        for claim in claims:
            holds = encoding.holds(claim)
            if holds is not True:
                literal = z3.Bool(f"claim.{claim.id}", ctx=self._built.context)
                made = self._conditions(holds, {})
                self._built.put(self._solver, self._built.implied(literal.as_ast(), made))
                self._literals[literal] = claim.id
        self.needed: set[str] = set()
        self.few = False  # whether it is worth the time that what is needed is little

    def __enter__(self) -> Asking:
        return self

    def __exit__(self, *error: object) -> None:
        self._built.release()

    def now(self) -> dict[str, Value]:
        """Return the unknowns of a point and of what is revealed, by name."""
        return {v.name: v.term() for v in (*self.encoding.state, *self.encoding.reveals)}

    def then(self, formula: RuleFormula) -> dict[str, Value]:
        """Return what a rule makes of a point, by the names of unknowns."""
        names = (variable.name for variable in self.encoding.state)
        return dict(zip(names, formula.updates, strict=True))

    def over_step(self, formula: RuleFormula, condition: Bool) -> Bool:
        """Return a condition on a step, its next values worked out."""
        after = {name + NEXT: value for name, value in self.then(formula).items()}
        return cast("Bool", Evaluation({**self.now(), **after}).of(condition))

    def possible(self, condition: Bool, more: Mapping[str, Any] | None = None) -> bool:
        """Return whether a condition may come about; note the claims where it may not.

        ``more`` are the spans of unknowns of its own.
        """
        return self._example(condition, more or {}) is not None

    def _example(self, condition: Bool, more: Mapping[str, Any]) -> Mapping[str, Value] | None:
        """Return values for which a condition holds, none if it is not decided."""
        if condition is False:
            return None
        self._solver.push()
        for one in self._conditions(condition, more):
            self._built.put(self._solver, one)
        answer = self._solver.check(*self._literals)
        found: Mapping[str, Value] | None = {}
        if answer == z3.unsat:
            if self.few:
                self._solver.set("core.minimize", True)
                self._solver.check(*self._literals)
                self._solver.set("core.minimize", False)
            self.needed |= {self._literals[one] for one in self._solver.unsat_core()}
            found = None
        elif answer == z3.sat:
            model = self._solver.model()
            found = {
                name: self._value(name, self._built.read(model, made))
                for name, made in self._made.inputs.items()
            }
        self._solver.pop()
        return found

    def broken(self, guesses: Sequence[Bool], formula: RuleFormula) -> list[Bool]:
        """Return guesses that a step by a rule may break; all of them where z3 gives up."""
        after = Evaluation({**self.now(), **self.then(formula)})
        kept = all_of(cast("Bool", after.of(one)) for one in guesses)
        example = self._example(all_of(formula.guard, guesses, negate(kept)), {})
        if example is None:
            return []
        if not example:
            return list(guesses)
        values = Evaluation(example)
        then = {name: values.of(value) for name, value in self.then(formula).items()}
        return [one for one in guesses if Evaluation(then).of(one) is not True]

    def _conditions(self, condition: Bool, more: Mapping[str, Any]) -> Sequence[Any]:
        spans = {**self._spans, **more}
        made = self._built.extended(self._made, tuple(more), (), (condition,), spans)
        return made.conditions

    def _value(self, name: str, number: int) -> Value:
        return bool(number) if self._spans[name] is YES_OR_NO else number


def kept(asking: Asking, guesses: Sequence[Bool]) -> tuple[Bool, ...]:
    """Return the guesses that every step keeps, given those that are kept."""
    left = list(guesses)
    waiting = list(asking.encoding.rules)
    while waiting and left:
        broken = {id(one) for one in asking.broken(left, waiting[0])}
        if broken:
            left = [one for one in left if id(one) not in broken]
            waiting = [*waiting[:1], *(f for f in asking.encoding.rules if f != waiting[0])]
        else:
            waiting.pop(0)
    return tuple(left)


class Learnt:
    """What Plays show to be so and every step keeps: a lemma for each guess.

    A proof takes those that it needs, and those that they need (``closed``), no others.
    """

    def __init__(self, ground: Ground, traces: Sequence[Trace]) -> None:
        self._ground, self._before = ground, ground.claims
        with Asking(ground.encoding, ground.claims) as asking:
            self._guesses = kept(asking, list(_guessed(ground, traces)))
        self.claims = tuple(
            self._lemma(number, guess) for number, guess in enumerate(self._guesses, start=1)
        )
        self._closed: dict[str, Property] = {}

    def _lemma(self, number: int, guess: Bool) -> Property:
        shape = self._ground.game.state_shape()

        def holds(p: Any, s: Any, t: Any) -> Bool:
            scalars = {f"s.{name}": value for name, value in shape.scalars(s).items()}
            return cast("Bool", Evaluation(scalars).of(guess))

        says = f"Always: {infix(guess, self._ground.encoding)}."
        return Property(f"so-{number:03}", Kind.LEMMA, (), says, holds)

    def closed(self, names: Iterable[str]) -> tuple[Property, ...]:
        """Return the lemmas of these names, others left aside, and all that they need."""
        number = {claim.id: n for n, claim in enumerate(self.claims)}
        waiting = [name for name in names if name in number]
        found: dict[str, Property] = {}
        with Asking(self._ground.encoding, (*self._before, *self.claims)) as asking:
            asking.few = True
            while waiting:
                name = waiting.pop()
                if name in found:
                    continue
                if name not in self._closed:
                    asking.needed.clear()
                    for formula in asking.encoding.rules:
                        asking.broken([self._guesses[number[name]]], formula)
                    using = tuple(sorted(asking.needed - {name}))
                    claim = self.claims[number[name]]
                    self._closed[name] = dataclasses.replace(claim, using=using)
                found[name] = self._closed[name]
                waiting += [other for other in found[name].using if other in number]
        return tuple(found[name] for name in sorted(found))


def _guessed(ground: Ground, traces: Sequence[Trace]) -> Iterator[Bool]:
    """Yield guesses: of what is owed once at most, and of every counter if nothing is claimed.

    What is owed once at most is so apart from other things, and not in every part of a Play.
    """
    states = [state for trace in traces for state in trace.states]
    counters = [v for v in ground.state if v.sort == "Int" and v.unit != "pence"]
    seen = {v.name: {state[v.name] for state in states} for v in counters}
    if not ground.claims:
        for counter in counters:
            count, held = cast("IntTerm", counter.term()), seen[counter.name]
            yield count >= min(held)
            if max(held) <= _SMALL:
                yield count <= max(held)
    once = [v for v in counters if v.high is None and seen[v.name] == {0, 1}]
    terms = {v.name: cast("IntTerm", v.term()) for v in once}
    for one in terms.values():
        yield one <= 1
    for (name, one), (other_name, other) in itertools.combinations(terms.items(), 2):
        if not any(state[name] and state[other_name] for state in states):
            yield any_of(one == 0, other == 0)
    for part in filter(_is_part, ground.state):
        is_part = cast("IntTerm", part.term())
        for value in sorted(seen[part.name]):
            here = [state for state in states if state[part.name] == value]
            for name, one in terms.items():
                if not any(state[name] for state in here):
                    yield implies(is_part == value, one == 0)


def _is_part(variable: Variable) -> bool:
    """Return whether a field tells by its few values what part of a Play it is."""
    if variable.sort == "Bool" or variable.low is None or variable.high is None:
        return False
    return variable.name.count(".") == 1 and 1 < variable.high - variable.low < _FEW
