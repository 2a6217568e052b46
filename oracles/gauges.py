"""Gauges: what a rule fills, and up to what size.

A row, a ladder, a meter or a box is filled where a rule compares what it holds and what comes
with a number, or divides that by one:

    have + got <= 13        fill(have, got, 13)
    pips // 5,  pips >= 5   meter(pips, 5)
    have + got >= box       crossed(have, have + got, box)

The sum on one side is the gauge, the number its size. Nothing is declared for this.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

from ..models.algebra import (
    Bool,
    Int,
    IntTerm,
    Term,
    Value,
    all_of,
    total,
)
from ..models.shape import Variable
from ..proofs.paths import limits
from ..proofs.spans import Reader, assume
from .ground import Ground

__all__ = ["Gauge", "gauges_of"]


@dataclass(frozen=True)
class Gauge:
    """What a rule fills: a counter of the state, its sum with what comes, and its size.

    ``most`` is the greatest sum that the rule can make, as far as is known; None: no limit.
    """

    rule: str
    variable: Variable
    sum: Int
    size: int
    most: int | None

    @property
    def name(self) -> str:
        """The name of the counter."""
        return self.variable.name.removeprefix("s.")

    def boundaries(self) -> Iterator[tuple[str, str, Bool]]:
        """Yield each boundary: its name, in words, and as a condition on a step."""
        have, size = cast("IntTerm", self.variable.term()), self.size
        coming = not (isinstance(self.sum, Term) and self.sum.op == "var")
        if not coming:
            yield "one-short", f"is at {size - 1}, one short of {size}", have == size - 1
            yield "exact", f"is at {size}", have == size
            return
        of = f"of {size}"
        yield "empty", "is filled from empty", all_of(have == 0, self.sum > 0)
        yield "one-short", f"comes to {size - 1}, one short {of}", self.sum == size - 1
        yield "exact", f"comes to {size} exactly", all_of(have < size, self.sum == size)
        yield "one-over", f"comes to one more than {size}", self.sum == size + 1
        yield (
            "full",
            f"was full at {size} and more comes",
            all_of(have >= size, self.sum > have),
        )
        if self.most is not None and self.most > size + 1:
            says = f"comes to {self.most}, the most there can be"
            yield "most", says, self.sum == self.most


def gauges_of(ground: Ground, known: Bool) -> tuple[Gauge, ...]:
    """Return what every rule fills, in the order of the rules and the state's fields.

    ``known`` is what is proved of every moment.
    """
    return tuple(gauge for rule in ground.formulas for gauge in _of_rule(ground, rule, known))


def _of_rule(ground: Ground, rule: str, proved: Bool) -> Iterator[Gauge]:
    formula = ground.formulas[rule]
    updates = formula.updates[: len(ground.state)]
    counted = {
        variable.name: variable
        for variable, update in zip(ground.state, updates, strict=True)
        if variable.sort == "Int" and variable.unit != "pence" and not _kept(variable, update)
    }
    found: dict[tuple[str, int], Int] = {}
    for left, right in _compared(updates):
        parts, size = _sum(left, right, counted)
        if size < 2 or any(part.op == "neg" for part in parts):
            continue
        for part in parts:
            name = part.args[0] if part.op == "var" else None
            if name in counted:
                known = found.get((name, size))
                whole = total(parts)
                if known is None or _parts(known) < len(parts):
                    found[name, size] = whole
    reader = _reader(ground, rule, proved)
    order = {name: number for number, name in enumerate(counted)}
    for name, size in sorted(found, key=lambda one: (order[one[0]], one[1])):
        whole = found[name, size]
        yield Gauge(rule, counted[name], whole, size, reader.of(whole).high)


def _kept(variable: Variable, update: Value) -> bool:
    return isinstance(update, Term) and update.op == "var" and update.args[0] == variable.name


def _parts(value: Int) -> int:
    return len(value.args) if isinstance(value, IntTerm) and value.op == "+" else 1


def _compared(values: tuple[Value, ...]) -> Iterator[tuple[object, object]]:
    """Yield the two sides of every comparison, and what is divided with what it is by."""
    seen: set[int] = set()
    waiting: list[object] = list(reversed(values))
    while waiting:
        term = waiting.pop()
        if not isinstance(term, Term) or id(term) in seen:
            continue
        seen.add(id(term))
        waiting += reversed(term.args)
        if term.op in ("<", "<=", "div", "mod"):
            yield term.args[0], term.args[1]


def _sum(
    left: object, right: object, counted: dict[str, Variable]
) -> tuple[list[IntTerm], int]:
    """Return the sum that is compared with a number, and the number; 0 if there is none."""
    positive: list[IntTerm] = []
    negative: list[IntTerm] = []
    constant = 0
    waiting: list[tuple[object, int]] = [(left, 1), (right, -1)]
    while waiting:
        value, sign = waiting.pop(0)
        if isinstance(value, int):
            constant -= sign * value
        elif isinstance(value, IntTerm) and value.op == "+":
            waiting = [(part, sign) for part in value.args] + waiting
        elif isinstance(value, IntTerm) and value.op == "-":
            waiting = [(value.args[0], sign), (value.args[1], -sign), *waiting]
        elif isinstance(value, IntTerm):
            (positive if sign > 0 else negative).append(value)
    if negative and not positive:
        positive, negative, constant = negative, positive, -constant
    return (positive, constant) if positive and not negative else ([], 0)


def _reader(ground: Ground, rule: str, proved: Bool) -> Reader:
    """Return a reader of what terms can be where a rule fires, after what is proved."""
    known = {v.name: limits(v) for v in (*ground.encoding.state, *ground.encoding.reveals)}
    narrowed = assume(known, all_of(ground.formulas[rule].guard, proved))
    return Reader({**known, **(narrowed or {})})
