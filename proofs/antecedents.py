"""The conditions under which a claim says something: where none can come about, it is vacuous.

    implies(A, B)                     A is an antecedent
    implies(A, implies(B, C))         A, and A ∧ B
    all_of(…, implies(A, B), …)       A
    if step.by(rule): …               that the rule fires

A step property is written rule by rule, but often with one helper for all: a condition on the
states alone is the same condition whichever rule fires, and may come about under any of them.

Beer, Ben-David, Eisner, Rodeh: Efficient detection of vacuity in temporal model checking, 2001.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, cast

from ..models.algebra import Bool, BoolTerm, Implication, Value, all_of, negate
from ..models.system import Game, Kind, Point, Promise, Property, Step
from .encoding import Encoding
from .evaluate import Evaluation, values_at
from .infix import infix

__all__ = [
    "Antecedent",
    "antecedents",
    "never",
    "promise_broken",
    "rule_fires",
    "rules_spoken_of",
]


@dataclass(frozen=True)
class Antecedent:
    """A condition, and the rules in whose steps it is one (none: a condition on states).

    ``number`` counts from 1 in the order of the claim; ``cases`` gives the condition by rule
    (by "" for one on states), as a term over an encoding's unknowns.
    """

    claim: str
    number: int
    shown: str
    cases: tuple[tuple[str, Bool], ...]

    @property
    def of_steps(self) -> bool:
        """Whether it is a condition on steps."""
        return bool(self.cases[0][0])

    @property
    def id(self) -> str:
        """What it is called where it has to be told from others."""
        return f"{self.claim}#{self.number or self.cases[0][0]}"


def antecedents(encoding: Encoding, claim: Property) -> tuple[Antecedent, ...]:
    """Return the antecedents of an invariant or a step property, in the order it is written."""
    found: dict[str, list[tuple[str, Bool]]] = {}
    if claim.kind is Kind.STEP:
        for formula in encoding.rules:
            for condition in _conditions(encoding.holds_over(claim, formula.rule), ()):
                _note(found, encoding, formula.rule.id, condition)
    else:
        for condition in _conditions(encoding.holds(claim), ()):
            _note(found, encoding, "", condition)
    return tuple(
        Antecedent(claim.id, number, shown, tuple(cases))
        for number, (shown, cases) in enumerate(found.items(), start=1)
    )


def rules_spoken_of(encoding: Encoding, claim: Property) -> tuple[str, ...]:
    """Return the rules of which a step property says anything but ``True``."""
    if claim.kind is not Kind.STEP:
        return ()
    return tuple(
        f.rule.id for f in encoding.rules if encoding.holds_over(claim, f.rule) is not True
    )


def rule_fires(game: Game, rule: str) -> Antecedent:
    """Return the condition that a rule fires."""
    return Antecedent("", 0, f"{game.rule(rule).id} fires", ((rule, True),))


def promise_broken(encoding: Encoding, promise: Promise) -> Antecedent | None:
    """Return the condition that a Play ends with a promise broken; None where it cannot be."""
    point = encoding.point()
    ended = encoding.game.goal.ended(encoding.p, point.s)
    broken = all_of(ended, negate(promise.kept(encoding.p, point.s, point.t)))
    if broken is False:
        return None
    return Antecedent(promise.id, 0, f"{promise.id} is broken", (("", broken),))


def never(encoding: Encoding, antecedent: Antecedent, using: tuple[str, ...] = ()) -> Property:
    """Return the claim that an antecedent never comes about: to refute it is to reach it."""
    cases = dict(antecedent.cases)

    def in_step(p: Any, before: Any, step: Step, after: Any) -> Bool:
        if step.rule not in cases:
            return True
        values = values_at(encoding, p, before, step, after)
        return negate(cast("Bool", Evaluation(values).of(cases[step.rule])))

    def in_state(p: Any, s: Any, t: Any) -> Bool:
        values = values_at(encoding, p, Point(s, t))
        return negate(cast("Bool", Evaluation(values).of(cases[""])))

    kind = Kind.STEP if antecedent.of_steps else Kind.INVARIANT
    holds: Callable[..., Bool] = in_step if antecedent.of_steps else in_state
    name = f"never-{antecedent.claim}-{antecedent.number}"
    if not antecedent.number:
        name = f"never-{antecedent.claim}{antecedent.cases[0][0]}"
    return Property(name, kind, (), f"Never: {antecedent.shown}.", holds, using)


def _note(
    found: dict[str, list[tuple[str, Bool]]], encoding: Encoding, rule: str, condition: Bool
) -> None:
    cases = found.setdefault(infix(condition, encoding), [])
    if rule not in dict(cases):
        cases.append((rule, condition))


def _conditions(claimed: Value, above: tuple[Bool, ...]) -> Iterator[Bool]:
    if isinstance(claimed, Implication):
        here = (*above, claimed.condition)
        yield all_of(here)
        yield from _conditions(claimed.consequence, here)
    elif isinstance(claimed, BoolTerm) and claimed.op == "and":
        for part in claimed.args:
            yield from _conditions(cast("Value", part), above)
