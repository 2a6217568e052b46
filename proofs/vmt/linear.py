"""Linear terms over state variables, and the equations that points have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd, lcm
from typing import Any

__all__ = ["Hull", "Linear", "linear"]


@dataclass(frozen=True)
class Linear:
    """A sum of integer multiples of variables, without a constant; in order of names."""

    parts: tuple[tuple[str, int], ...]

    def value(self, point: Mapping[str, Fraction]) -> Fraction:
        """Return its value where the variables have these."""
        return sum((point[name] * times for name, times in self.parts), Fraction(0))

    def negated(self) -> Linear:
        """Return the same with every multiple negated."""
        return Linear(tuple((name, -times) for name, times in self.parts))


def linear(term: Any, names: frozenset[str]) -> tuple[Linear, Fraction] | None:
    """Return an arithmetic term as a linear one and a constant, None if it is another.

    Multiples are made whole numbers by a common factor, which the constant shares.
    """
    import z3

    found: dict[str, Fraction] = {}
    constant = Fraction(0)
    todo = [(term, Fraction(1))]
    while todo:
        one, times = todo.pop()
        kind = one.decl().kind()
        if z3.is_int_value(one) or z3.is_rational_value(one):
            constant += times * Fraction(
                one.as_fraction() if z3.is_real(one) else one.as_long()
            )
        elif kind == z3.Z3_OP_ADD:
            todo += [(part, times) for part in one.children()]
        elif kind == z3.Z3_OP_SUB:
            first, *rest = one.children()
            todo += [(first, times), *((part, -times) for part in rest)]
        elif kind == z3.Z3_OP_UMINUS:
            todo.append((one.arg(0), -times))
        elif kind == z3.Z3_OP_TO_REAL:
            todo.append((one.arg(0), times))
        elif kind == z3.Z3_OP_MUL and one.num_args() == 2 and _number(one.arg(0)) is not None:
            todo.append((one.arg(1), times * (_number(one.arg(0)) or 0)))
        elif kind == z3.Z3_OP_UNINTERPRETED and one.decl().name() in names:
            name = one.decl().name()
            found[name] = found.get(name, Fraction(0)) + times
        else:
            return None
    whole = {name: times for name, times in found.items() if times}
    if not whole:
        return None
    factor = lcm(*(times.denominator for times in whole.values()))
    shared = gcd(*(int(times * factor) for times in whole.values()))
    scale = Fraction(factor, shared)
    parts = tuple((name, int(whole[name] * scale)) for name in sorted(whole))
    return Linear(parts), constant * scale


def _number(term: Any) -> Fraction | None:
    import z3

    if z3.is_int_value(term):
        return Fraction(term.as_long())
    return Fraction(term.as_fraction()) if z3.is_rational_value(term) else None


@dataclass
class Hull:
    """The equations that hold at all points seen so far: there are fewer with every new one.

    Points are rows (1, values...), kept in reduced echelon form.
    """

    names: Sequence[str]
    rows: list[list[Fraction]] = field(default_factory=list)
    pivots: list[int] = field(default_factory=list)

    def join(self, point: Mapping[str, Fraction]) -> bool:
        """Take in a point; return whether it breaks an equation that held."""
        row = [Fraction(1), *(point[name] for name in self.names)]
        for pivot, known in zip(self.pivots, self.rows, strict=True):
            if row[pivot]:
                factor = row[pivot]
                row = [a - factor * b for a, b in zip(row, known, strict=True)]
        found = [place for place, value in enumerate(row) if value]
        if not found:
            return False
        pivot = found[0]
        row = [value / row[pivot] for value in row]
        for place, known in enumerate(self.rows):
            if known[pivot]:
                factor = known[pivot]
                self.rows[place] = [a - factor * b for a, b in zip(known, row, strict=True)]
        self.rows.append(row)
        self.pivots.append(pivot)
        return True

    def equations(self) -> list[tuple[Mapping[str, int], int]]:
        """Return equations ``sum of multiples = constant`` that imply all that hold."""
        width = len(self.names) + 1
        free = [place for place in range(width) if place not in self.pivots]
        found: list[tuple[Mapping[str, int], int]] = []
        for place in free:
            solution = [Fraction(0)] * width
            solution[place] = Fraction(1)
            for pivot, row in zip(self.pivots, self.rows, strict=True):
                solution[pivot] = -row[place]
            factor = lcm(*(value.denominator for value in solution))
            whole = [int(value * factor) for value in solution]
            multiples = {n: v for n, v in zip(self.names, whole[1:], strict=True) if v}
            found.append((multiples, -whole[0]))
        return found
