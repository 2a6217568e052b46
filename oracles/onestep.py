"""Questions about one step from any state for which claims hold.

    claims(x) ∧ condition(x, r)                                     may this come about?
    claims(x) ∧ guesses(x) ∧ R(x, r, x')  ⇒  guesses(x')            does every rule R keep them?

The claims that an answer needed are noted. Guesses that some step may break are dropped until
every step keeps all that are left (Flanagan & Leino: Houdini, an annotation assistant for
ESC/Java, FME 2001).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, cast

import z3

from ..models.algebra import Bool, Value, all_of, negate
from ..models.system import Property
from ..proofs.deadline import answer_of
from ..proofs.encoding import NEXT, Encoding, RuleFormula
from ..proofs.evaluate import Evaluation
from ..proofs.finite import Integers, Translated
from ..proofs.paths import limits
from ..proofs.spans import ANYTHING, YES_OR_NO

__all__ = ["Asking", "kept"]

# Steps of z3 for one question.
_BUDGET = 500_000


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
        self.allow(_BUDGET)
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
        # One for all of them, as most questions are about: z3 takes long over many.
        self._all = z3.Bool("claims", ctx=self._built.context)
        each = [literal.as_ast() for literal in self._literals]
        self._built.put(self._solver, self._built.implied(self._all.as_ast(), each))
        self.needed: set[str] = set()
        self.few = False  # whether it is worth the time that what is needed is little
        self.liked: set[str] = set()  # claims that had best do, before others are looked at

    def __enter__(self) -> Asking:
        return self

    def __exit__(self, *error: object) -> None:
        self._built.release()

    def allow(self, steps: int = _BUDGET) -> None:
        """Have each question from now on take so many steps of z3 at most."""
        self._solver.set("rlimit", steps)

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
        with self._asserted(condition, more or {}):
            return bool(self._check() != z3.unsat)

    def example(self, condition: Bool, noting: bool = True) -> Mapping[str, Value] | None:
        """Return values for which a condition holds: None if there are none, {} if open."""
        with self._asserted(condition, {}):
            answer = self._check(noting)
            if answer == z3.unsat:
                return None
            if answer != z3.sat:
                return {}
            model = self._solver.model()
            return {
                name: self._value(name, self._built.read(model, made))
                for name, made in self._made.inputs.items()
            }

    @contextmanager
    def _asserted(self, condition: Bool, more: Mapping[str, Any]) -> Iterator[None]:
        self._solver.push()
        try:
            for one in self._conditions(condition, more):
                self._built.put(self._solver, one)
            yield
        finally:
            self._solver.pop()

    def _check(self, noting: bool = True) -> z3.CheckSatResult:
        """Ask, with the claims that are liked if they do, and note those that were needed."""
        liked = [one for one, name in self._literals.items() if name in self.liked]
        if liked and answer_of(self._solver, *liked) == z3.unsat:
            self._note()
            return z3.unsat
        answer = answer_of(self._solver, self._all)
        if answer != z3.unsat or not noting:
            return answer
        self._solver.set("core.minimize", self.few)
        answer_of(self._solver, *self._literals)
        self._solver.set("core.minimize", False)
        self._note()
        return answer

    def _note(self) -> None:
        self.needed |= {self._literals[one] for one in self._solver.unsat_core()}

    def broken(
        self, guesses: Sequence[Bool], formula: RuleFormula, noting: bool = True
    ) -> list[Bool]:
        """Return guesses that a step by a rule may break, or of which z3 gives up."""
        after = Evaluation({**self.now(), **self.then(formula)})
        then = {id(one): cast("Bool", after.of(one)) for one in guesses}
        given = all_of(formula.guard, guesses)
        waiting: list[list[Bool]] = [list(guesses)]
        found: dict[int, Bool] = {}
        while waiting:
            some = [one for one in waiting.pop() if id(one) not in found]
            if not some:
                continue
            broken = negate(all_of(then[id(one)] for one in some))
            example = self.example(all_of(given, broken), noting)
            if example:
                values = Evaluation(example)
                here = {name: values.of(value) for name, value in self.then(formula).items()}
                holds = Evaluation(here)
                found |= {id(one): one for one in guesses if holds.of(one) is not True}
                waiting.append(some)
            elif example is not None and len(some) > 1:
                half = len(some) // 2
                waiting += [some[half:], some[:half]]
            elif example is not None:
                found[id(some[0])] = some[0]
        return [one for one in guesses if id(one) in found]

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
        broken = {id(one) for one in asking.broken(left, waiting[0], noting=False)}
        if broken:
            left = [one for one in left if id(one) not in broken]
            waiting = [*waiting[:1], *(f for f in asking.encoding.rules if f != waiting[0])]
        else:
            waiting.pop(0)
    return tuple(left)
