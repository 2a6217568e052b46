"""The strongest inductive invariant of given shapes, by solving one query after another.

For every case (a location, say, or none apart) it keeps what holds at all states met so far:
linear equations, also modulo 2, bounds on sums, facts. A solver is asked for a step out of what
is described, and where it leads is taken in, until there is no such step: then the description
is an inductive invariant, whatever the shapes. Bounds grow along a finite list, so it ends.

Reps, Sagiv, Yorsh: Symbolic implementation of the best transformer, VMCAI 2004;
Karr: Affine relationships among variables of a program, 1976;
Flanagan, Leino: Houdini, an annotation assistant for ESC/Java, FME 2001.
"""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from .linear import Hull
from .problem import Problem
from .templates import Templates
from .words import WordHull

__all__ = ["invariant"]

_HELD = 4.0
"""How much longer than its own time a line of attack may take, as it is held in between."""


def invariant(
    problem: Problem,
    shapes: Templates,
    cases: Sequence[Any],
    known: Sequence[Any] = (),
    seconds: float = 5.0,
) -> list[Any] | None:
    """Return an inductive invariant as conjuncts, None if time runs out first.

    ``seconds`` are of the processor.

    ``cases`` are formulas over the state: each way they can hold or not has a description.
    """
    import z3

    ends = time.process_time() + seconds
    table = _Table(problem, shapes, cases)
    begin, step = z3.SimpleSolver(), z3.SimpleSolver()
    begin.add(problem.init, *known)
    step.add(problem.trans, *known, *map(problem.next, known))
    start, before = _Said(table, begin, table.now), _Said(table, step, table.now)
    after = _Said(table, step, table.then)
    for solver, inside, outside in ((begin, None, start), (step, before, after)):
        while True:
            left = ends - time.process_time()
            if left <= 0:
                return None
            solver.set("timeout", max(1, int(left * _HELD * 1000)))
            assumed = [inside.inside()] if inside else []
            answer = solver.check(*assumed, *outside.outside())
            if answer == z3.unsat:
                break
            if answer != z3.sat:
                return None
            table.join(solver.model(), outside.over)
    return table.formulas()


class _Over:
    """The shapes over the state's variables, or over their nexts: each term is made once."""

    def __init__(
        self,
        problem: Problem,
        shapes: Templates,
        cases: Sequence[Any],
        variables: Sequence[Any],
    ) -> None:
        import z3

        pairs = list(zip(problem.now, variables, strict=True))
        self.variables = variables
        self.by_name = {a.decl().name(): b for a, b in pairs}
        self.sums = [_sum(one.parts, self.by_name) for one in shapes.sums]
        self.facts = [z3.substitute(one, *pairs) if pairs else one for one in shapes.facts]
        self.cases = [z3.substitute(one, *pairs) if pairs else one for one in cases]
        self._bounds = [z3.IntVal(int(one // 1)) for one in shapes.bounds]
        self._reals = [z3.RealVal(str(one)) for one in shapes.bounds]
        self._made: dict[tuple[int, int], Any] = {}

    def bound(self, place: int, at: int) -> Any:
        """Say that a sum is within a bound."""
        import z3

        if (place, at) not in self._made:
            term = self.sums[place]
            bound = self._bounds[at] if z3.is_int(term) else self._reals[at]
            self._made[place, at] = term <= bound
        return self._made[place, at]


class _Table:
    """What is said of each case so far."""

    def __init__(self, problem: Problem, shapes: Templates, cases: Sequence[Any]) -> None:
        self.shapes = shapes
        names = [a.decl().name() for a in problem.now]
        self.numbers = [names.index(a.decl().name()) for a in shapes.numbers]
        self.words = [names.index(a.decl().name()) for a in shapes.words]
        self.now = _Over(problem, shapes, cases, problem.now)
        self.then = _Over(problem, shapes, cases, problem.then)
        self.known: dict[tuple[bool, ...], _Here] = {}

    def join(self, model: Any, over: _Over) -> None:
        """Take in the state that a model gives to the variables of ``over``."""
        import z3

        values = [model.eval(a, model_completion=True) for a in over.variables]
        key = tuple(z3.is_true(model.eval(one, model_completion=True)) for one in over.cases)
        point = {
            a.decl().name(): _fraction(values[place])
            for a, place in zip(self.shapes.numbers, self.numbers, strict=True)
        }
        words = {
            a.decl().name(): values[place].as_long()
            for a, place in zip(self.shapes.words, self.words, strict=True)
        }
        if key not in self.known:
            self.known[key] = _Here(self.shapes)
        self.known[key].join(point, words, model, over)

    def at(self, key: tuple[bool, ...], over: _Over) -> Any:
        """Say that the cases of ``over`` hold or not as in the key."""
        import z3

        return z3.And([b if v else z3.Not(b) for b, v in zip(over.cases, key, strict=True)])

    def formulas(self) -> list[Any]:
        """Return all that is said, as conjuncts."""
        import z3

        if not self.now.cases:
            return [one for here in self.known.values() for one in here.formulas(self.now)]
        parts = [z3.Or([self.at(key, self.now) for key in self.known])]
        for key, here in self.known.items():
            there = self.at(key, self.now)
            parts += [z3.Implies(there, one) for one in here.formulas(self.now)]
        return parts


class _Here:
    """What holds at all states met in one case. ``version`` counts its changes."""

    def __init__(self, shapes: Templates) -> None:
        self.shapes = shapes
        self.hull = Hull([a.decl().name() for a in shapes.numbers])
        whole = [a.decl().name() for a in shapes.numbers if a.is_int()]
        self.parity = WordHull(whole, 1) if shapes.parity and whole else None
        sizes = {a.decl().name(): a.size() for a in shapes.words}
        self.words = [
            WordHull([name for name in sizes if sizes[name] == size], size)
            for size in sorted(set(sizes.values()))
        ]
        self.bounds: dict[int, int] = dict.fromkeys(range(len(shapes.sums)), -1)
        self.facts = list(range(len(shapes.facts)))
        self.version = 0

    def join(
        self,
        point: Mapping[str, Fraction],
        words: Mapping[str, int],
        model: Any,
        over: _Over,
    ) -> None:
        """Take in a state: its numbers, its words, and a model of its facts."""
        import z3

        self.version += 1
        if point:
            self.hull.join(point)
        for hull in self.words:
            hull.join(words)
        if self.parity is not None:
            self.parity.join({name: int(point[name]) for name in self.parity.names})
        bounds = self.shapes.bounds
        for place in list(self.bounds):
            value = self.shapes.sums[place].value(point)
            at = bisect_left(bounds, value)
            if at == len(bounds):
                del self.bounds[place]
            else:
                self.bounds[place] = max(at, self.bounds[place])
        self.facts = [
            fact
            for fact in self.facts
            if z3.is_true(model.eval(over.facts[fact], model_completion=True))
        ]

    def formulas(self, over: _Over) -> list[Any]:
        """Return what holds, as formulas over the state."""
        found: list[Any] = []
        for multiples, constant in self.hull.equations() if self.hull.names else []:
            if multiples:
                found.append(_sum(multiples.items(), over.by_name) == constant)
        for words in self.words:
            for multiples, constant in words.equations:
                found.append(_equation(multiples, constant, over.by_name))
        for odd, constant in self.parity.equations if self.parity else []:
            found.append(_sum(odd.items(), over.by_name) % 2 == constant)
        found += [over.bound(place, at) for place, at in self.bounds.items()]
        return [*found, *(over.facts[fact] for fact in self.facts)]


def _sum(parts: Any, by_name: Mapping[str, Any]) -> Any:
    import z3

    terms = [by_name[name] if n == 1 else n * by_name[name] for name, n in parts]
    return z3.Sum(terms) if len(terms) > 1 else terms[0]


def _equation(multiples: Mapping[str, int], constant: int, by_name: Mapping[str, Any]) -> Any:
    """Return an equation of words, with what is negative on the other side."""
    left = [(name, times) for name, times in multiples.items() if times > 0]
    right = [(name, -times) for name, times in multiples.items() if times < 0]
    if not left:
        return _sum(right, by_name) == -constant
    if not right:
        return _sum(left, by_name) == constant
    return _sum(left, by_name) == _sum(right, by_name) + constant


def _fraction(value: Any) -> Fraction:
    import z3

    if z3.is_int_value(value):
        return Fraction(value.as_long())
    if z3.is_rational_value(value):
        return Fraction(value.numerator_as_long(), value.denominator_as_long())
    return Fraction(str(value.approx(20).as_fraction()))  # irrational: near enough to try


class _Said:
    """What the table says, as it stands, to one solver: a switch for each case."""

    def __init__(self, table: _Table, solver: Any, over: _Over) -> None:
        self.table, self.solver, self.over = table, solver, over
        self._switches: dict[tuple[bool, ...], tuple[int, Any]] = {}

    def _switch(self, formula: Any) -> Any:
        import z3

        switch = z3.FreshBool("said")
        self.solver.add(z3.Or(z3.Not(switch), formula))
        return switch

    def _of_each(self, negated: bool) -> list[Any]:
        import z3

        for key, here in self.table.known.items():
            if key in self._switches and self._switches[key][0] == here.version:
                continue
            said = z3.And([self.table.at(key, self.over), *here.formulas(self.over)])
            switch = self._switch(z3.Not(said) if negated else said)
            self._switches[key] = here.version, switch
        return [switch for _, switch in self._switches.values()]

    def inside(self) -> Any:
        """Return a switch for: the state is among those described."""
        import z3

        return self._switch(z3.Or(self._of_each(negated=False)))

    def outside(self) -> list[Any]:
        """Return switches for: the state is none of those described."""
        return self._of_each(negated=True)
