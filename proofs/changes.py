"""Changes: what one step of a rule can add to a counter.

A change is read off the rule's update, given what its guard and the claims say. It errs on the
wide side only, as spans do (``proofs.spans``): the ends, a number that divides every change,
the very amounts where they are few, and the coins that make them up where they are many.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from ..models.algebra import Bool, Term, all_of, negate, variables_of
from .encoding import Encoding, RuleFormula
from .paths import limits
from .spans import Reader, Span, assume

__all__ = ["NOTHING", "Amounts", "Change", "changes_of"]

Amounts = frozenset[int]
# More amounts than this are given by their ends and divisor alone.
_MANY = 256


@dataclass(frozen=True)
class Change:
    """What one step can add to a counter: a multiple of ``step`` between two limits.

    ``amounts`` are the only ones possible, where they are known. ``coins`` are such that every
    change is a sum of some of them, each as often as it takes.
    """

    low: int | None
    high: int | None
    step: int
    amounts: Amounts | None = None
    coins: Amounts | None = None

    @staticmethod
    def among(amounts: Amounts) -> Change:
        """Return the change by one of these amounts, of which there is at least one."""
        coins = amounts - {0} if min(amounts) >= 0 else None
        return Change(min(amounts), max(amounts), math.gcd(*amounts), amounts, coins)

    def __or__(self, other: Change) -> Change:
        if self.amounts is not None and other.amounts is not None:
            both = self.amounts | other.amounts
            if len(both) <= _MANY:
                return Change.among(both)
        return Change(
            None if self.low is None or other.low is None else min(self.low, other.low),
            None if self.high is None or other.high is None else max(self.high, other.high),
            math.gcd(self.step, other.step),
            coins=_together(self.coins, other.coins),
        )

    def __add__(self, other: Change) -> Change:
        sums = _each(self.amounts, other.amounts, lambda a, b: a + b)
        if sums is not None:
            return Change.among(sums)
        return Change(
            None if self.low is None or other.low is None else self.low + other.low,
            None if self.high is None or other.high is None else self.high + other.high,
            math.gcd(self.step, other.step),
            coins=_together(self.coins, other.coins),
        )

    def __neg__(self) -> Change:
        if self.amounts is not None:
            return Change.among(frozenset(-one for one in self.amounts))
        return Change(
            None if self.high is None else -self.high,
            None if self.low is None else -self.low,
            self.step,
        )

    @property
    def nothing(self) -> bool:
        """Whether the counter stays as it is."""
        return self.low == self.high == 0


NOTHING = Change.among(frozenset({0}))


def changes_of(
    encoding: Encoding, formula: RuleFormula, claims: Sequence[Bool] = ()
) -> dict[str, Change | None]:
    """Return what a rule can do to each counter it writes; None: anything.

    A counter that is not written is left at ``NOTHING``.
    """
    known = {v.name: limits(v) for v in (*encoding.state, *encoding.reveals)}
    narrowed = assume(known, all_of(formula.guard, claims))
    if narrowed is None:
        return {v.name: NOTHING for v in encoding.state}
    known.update(narrowed)
    changes: dict[str, Change | None] = {}
    for variable, update in zip(encoding.state, formula.updates, strict=True):
        if variable.sort == "Bool":
            same = isinstance(update, Term) and update.op == "var"
            same = same and cast("Term", update).args[0] == variable.name
            changes[variable.name] = NOTHING if same else None
        else:
            changes[variable.name] = _change(update, variable.name, known)
    return changes


def _change(value: object, name: str, known: Mapping[str, Span]) -> Change | None:
    """Return the difference between a term and a variable; None if nothing is known."""
    if isinstance(value, Term):
        if value.op == "var" and value.args[0] == name:
            return NOTHING
        if value.op == "ite":
            return _either(value, name, known)
        if value.op == "+":
            inside = [arg for arg in value.args if _speaks(arg, name)]
            if len(inside) == 1:
                change = _change(inside[0], name, known)
                for arg in value.args:
                    if arg is not inside[0]:
                        change = change and change + _amount(arg, known)
                return change
        if (
            value.op == "-"
            and _speaks(value.args[0], name)
            and not _speaks(value.args[1], name)
        ):
            change = _change(value.args[0], name, known)
            return change and change + -_amount(value.args[1], known)
    reader = Reader(known)
    span, now = reader.of(value), known[name]
    low = None if span.low is None or now.high is None else span.low - now.high
    high = None if span.high is None or now.low is None else span.high - now.low
    return None if low is None and high is None else Change(low, high, 1)


def _either(value: Term, name: str, known: Mapping[str, Span]) -> Change | None:
    condition, then, otherwise = value.args
    made: Change | None = NOTHING
    first = True
    for branch, holds in ((then, condition), (otherwise, negate(cast("Bool", condition)))):
        narrowed = assume(known, cast("Bool", holds))
        if narrowed is None:
            continue
        change = _change(branch, name, {**known, **narrowed})
        made = change if first else (made | change if made and change else None)
        first = False
    return made


def _amount(value: object, known: Mapping[str, Span]) -> Change:
    """Return what a term that is added can be."""
    reader = Reader(known)
    amounts = _amounts(value, reader)
    if amounts is not None:
        return Change.among(amounts)
    span = reader.of(value)
    return Change(span.low, span.high, _step(value, known), coins=_coins(value, reader))


def _amounts(value: object, reader: Reader) -> Amounts | None:
    """Return every value that a term can have; None where there are too many."""
    if not isinstance(value, Term):
        return frozenset({int(cast("int", value))})
    span = reader.of(value)
    if span.few is not None:
        return span.few
    if value.op == "ite":
        then, otherwise = (_amounts(arg, reader) for arg in value.args[1:])
        if then is None or otherwise is None or len(then | otherwise) > _MANY:
            return None
        return then | otherwise
    if value.op not in _WORKED_OUT:
        return None
    first, *rest = (_amounts(arg, reader) for arg in value.args)
    for other in rest:
        first = _each(first, other, _WORKED_OUT[value.op])
    return first


def _coins(value: object, reader: Reader) -> Amounts | None:
    """Return coins that make up every value of a term; None where it may be negative."""
    span = reader.of(value)
    if span.low is None or span.low < 0:
        return None
    if span.few is not None:
        return span.few - {0}
    if isinstance(value, Term):
        parts = value.args[1:] if value.op == "ite" else value.args
        if value.op in ("ite", "+"):
            coins: Amounts | None = frozenset()
            for part in parts:
                coins = _together(coins, _coins(part, reader))
            return coins
        if value.op == "*":
            first, second = (_coins(part, reader) for part in parts)
            return _each(first, second, _WORKED_OUT["*"])
    return frozenset({1})


def _together(some: Amounts | None, others: Amounts | None) -> Amounts | None:
    return None if some is None or others is None else some | others


_WORKED_OUT: Mapping[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
}


def _each(
    some: Amounts | None, others: Amounts | None, work_out: Callable[[int, int], int]
) -> Amounts | None:
    if some is None or others is None or len(some) * len(others) > _MANY * 16:
        return None
    made = frozenset(work_out(*pair) for pair in itertools.product(some, others))
    return made if len(made) <= _MANY else None


def _step(value: object, known: Mapping[str, Span]) -> int:
    """Return a number of which a term is always a multiple; 0 if it is always 0."""
    if not isinstance(value, Term):
        return abs(int(cast("int", value)))
    if value.op == "ite":
        return math.gcd(_step(value.args[1], known), _step(value.args[2], known))
    if value.op in ("+", "-"):
        return math.gcd(*(_step(arg, known) for arg in value.args))
    if value.op == "*":
        return math.prod(_step(arg, known) for arg in value.args)
    if value.op == "var":
        span = known.get(cast("str", value.args[0]))
        if span is not None and span.few is not None:
            return math.gcd(*span.few)
    return 1


def _speaks(value: object, name: str) -> bool:
    return name in variables_of(value)
