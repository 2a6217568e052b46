"""The locations of a control flow, and what steps do between them: asked for one by one."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .problem import Problem
from .unrolling import by_bits, solver_of

__all__ = ["Edge", "Finder", "Location", "cube"]

_MOST_LOCATIONS = 300

Location = tuple[bool, ...]


@dataclass(frozen=True)
class Edge:
    """What a step does from one location to another: a formula without the control bits."""

    origin: Location
    target: Location
    formula: Any


class Finder:
    """Finds locations by asking a solver for one after another."""

    def __init__(self, problem: Problem, bits: Sequence[int]) -> None:
        self.problem = problem
        self.now = [problem.now[place] for place in bits]
        self.then = [problem.then[place] for place in bits]

    def at(self, location: Location) -> Any:
        """Say that the control is at a location."""
        return cube(self.now, location)

    def fixed(self, formula: Any, location: Location) -> Any:
        """Return a formula with the control bits filled in."""
        return _filled(formula, self.now, location)

    def explore(self, ends: float) -> tuple[list[Location], list[Edge]] | None:
        """Return where runs start, and all edges; None if there are too many, or no time."""
        import z3

        bits = by_bits(self.problem)
        begin = solver_of(bits)
        begin.add(self.problem.init)
        starts = self._all(begin, self.now, ends)
        if starts is None:
            return None
        edges: list[Edge] = []
        seen, todo = set(starts), list(starts)
        while todo:
            origin = todo.pop(0)
            onward = z3.simplify(self.fixed(self.problem.trans, origin))
            step = solver_of(bits)
            step.add(onward)
            targets = self._all(step, self.then, ends)
            if targets is None or len(seen) > _MOST_LOCATIONS:
                return None
            for target in targets:
                formula = z3.simplify(_filled(onward, self.then, target))
                edges.append(Edge(origin, target, formula))
                if target not in seen:
                    seen.add(target)
                    todo.append(target)
        return starts, edges

    def _all(self, solver: Any, bits: Sequence[Any], ends: float) -> list[Location] | None:
        import z3

        found: list[Location] = []
        solver.push()
        while time.process_time() < ends and len(found) <= _MOST_LOCATIONS:
            answer = solver.check()
            if answer != z3.sat:
                solver.pop()
                return found if answer == z3.unsat else None
            model = solver.model()
            values = tuple(z3.is_true(model.eval(b, model_completion=True)) for b in bits)
            found.append(values)
            solver.add(z3.Not(cube(bits, values)))
        solver.pop()
        return None


def _filled(formula: Any, bits: Sequence[Any], values: Location) -> Any:
    import z3

    pairs = [(bit, z3.BoolVal(value)) for bit, value in zip(bits, values, strict=True)]
    return z3.substitute(formula, *pairs) if pairs else formula


def cube(bits: Sequence[Any], values: Location) -> Any:
    """Say that bits have these values."""
    import z3

    return z3.And([b if v else z3.Not(b) for b, v in zip(bits, values, strict=True)])
