"""Cubes: sets of literals over formulas that are known by number."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

__all__ = ["Cube", "Goal", "Names"]

Cube = frozenset[int]
"""Literals over predicates: ``n`` for the n-th from 1, ``-n`` for its negation."""


@dataclass(frozen=True)
class Goal:
    """A cube to be shown out of reach; ``then`` is what it leads to."""

    cube: Cube
    then: Goal | None

    def way(self) -> list[Cube]:
        """Return the cubes from here on."""
        cubes = []
        step: Goal | None = self
        while step is not None:
            cubes.append(step.cube)
            step = step.then
        return cubes


class Names:
    """Formulas by number from 1, and their negations; each is made once."""

    def __init__(self) -> None:
        self.pairs: list[tuple[Any, Any]] = []
        self.numbers: dict[int, int] = {}

    def add(self, one: Any) -> int:
        """Take in a formula; return its number."""
        import z3

        number = len(self.pairs) + 1
        self.pairs.append((one, z3.Not(one)))
        for literal, sign in zip(self.pairs[-1], (1, -1), strict=True):
            self.numbers[literal.get_id()] = sign * number
        return number

    def literals(self, cube: Iterable[int]) -> list[Any]:
        """Return the formulas of literals."""
        return [self.pairs[abs(n) - 1][n < 0] for n in sorted(cube, key=abs)]

    def cube(self, model: Any) -> Cube:
        """Return which formulas a model makes true, and which not."""
        import z3

        return frozenset(
            number if z3.is_true(model.eval(one, model_completion=True)) else -number
            for number, (one, _) in enumerate(self.pairs, start=1)
        )

    def core(self, solver: Any) -> Cube:
        """Return the literals of an unsat core."""
        found = (self.numbers.get(one.get_id()) for one in solver.unsat_core())
        return frozenset(n for n in found if n is not None)
