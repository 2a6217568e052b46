"""Property-directed reachability over the truth values of given predicates (IC3).

Frames F0 = init, F1, F2, … say what holds after so many steps at most; each is a set of clauses
over the predicates. From states that break the property it goes back step by step: what cannot
be reached is put into a clause, as short as a core allows, and clauses are carried forward for
as long as steps keep them. Where two frames are the same, that is the invariant.

Where the predicates are the bits of all there is, this is exact. Otherwise a way back to the
start may be one of the abstraction alone; it is looked at with the values as they are, and if
it is none, what separates its steps is added to the predicates (implicit abstraction).

Bradley: SAT-based model checking without unrolling, VMCAI 2011;
Eén, Mishchenko, Brayton: Efficient implementation of property directed reachability, 2011;
Cimatti, Griggio, Mover, Tonetta: IC3 modulo theories via implicit predicate abstraction, 2014.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from heapq import heappop, heappush
from typing import Any

from .answers import Answer, GaveUp, Safe, Unsafe
from .cubes import Cube, Goal, Names
from .problem import Problem
from .unrolling import Unrolling, new_solver, values_at

__all__ = ["Way", "ic3"]

Way = Sequence[Any]
"""Formulas over the state, one for each moment of a run that there is none of."""


def ic3(
    problem: Problem,
    predicates: Iterable[Any],
    known: Sequence[Any] = (),
    separate: Callable[[Way], list[Any]] | None = None,
) -> Answer:
    """Prove or refute by IC3 over predicates; the property's atoms have to be among them.

    ``separate`` returns new predicates for a way that is none; without it, predicates must be
    exact. ``known`` are inductive invariants.
    """
    search = _Search(problem, list(predicates), known, separate)
    try:
        return search.run()
    except _Unknown as error:
        return GaveUp("IC3", str(error))


class _Unknown(Exception):
    """A solver cannot say."""


class _Search:
    """The frames, and the solvers that know them."""

    def __init__(
        self,
        problem: Problem,
        predicates: list[Any],
        known: Sequence[Any],
        separate: Callable[[Way], list[Any]] | None,
    ) -> None:
        import z3

        self.problem, self.known, self.separate = problem, known, separate
        self.predicates = Names()
        self.now = Names()
        self.then = Names()
        self.levels: list[list[Cube]] = [[]]
        self.acts: list[Any] = []
        self.lifts = separate is None
        self.lift = new_solver(problem)
        self.lift.add(z3.Not(z3.And([problem.trans, problem.good])))
        self.start, self.step = new_solver(problem), new_solver(problem)
        self.start.add(problem.init, *known)
        self.step.add(problem.trans, problem.good, *known, *map(problem.next, known))
        self.first = z3.Bool("first@")
        self.step.add(z3.Implies(self.first, problem.init))
        self.broken = z3.Bool("broken@")
        self.step.add(z3.Implies(self.broken, z3.Not(problem.next(problem.good))))
        self._meet(predicates)
        self._frame()

    def _meet(self, predicates: Iterable[Any]) -> bool:
        """Take in predicates; return whether any is new."""
        import z3

        met = False
        for one in predicates:
            if one.get_id() in self.predicates.numbers:
                continue
            met = True
            number = self.predicates.add(one)
            now, then = z3.Bool(f"is@{number}"), z3.Bool(f"will@{number}")
            self.now.add(now)
            self.then.add(then)
            self.start.add(now == one)
            self.step.add(now == one, then == self.problem.next(one))
            self.lift.add(now == one)
        return met

    def _frame(self) -> None:
        import z3

        self.acts.append(z3.Bool(f"level@{len(self.acts)}"))
        if len(self.levels) < len(self.acts):
            self.levels.append([])

    def _within(self, level: int) -> list[Any]:
        """Return switches for: the state is one of frame ``level``."""
        return [self.first] if level == 0 else self.acts[level:]

    def _ask(self, solver: Any, *assumed: Any) -> bool:
        import z3

        answer = solver.check(*assumed)
        if answer == z3.unknown:
            raise _Unknown(solver.reason_unknown())
        return bool(answer == z3.sat)

    def run(self) -> Answer:
        import z3

        bad = z3.Not(self.problem.good)
        self.start.push()
        self.start.add(bad)
        wrong = self._ask(self.start)
        if wrong:
            return self._refuted(0) or GaveUp("IC3", "a start that breaks it is none")
        self.start.pop()
        while True:
            top = len(self.acts) - 1
            while self._ask(self.step, *self._within(top), self.broken):
                model = self.step.model()
                after = self.then.cube(model)
                here = self._before(model)
                goal = Goal(here, Goal(after, None))
                lost = self._block(goal, top)
                if lost is not None:
                    found = self._look(lost)
                    if found is not None:
                        return found
            self._frame()
            proof = self._carry()
            if proof is not None:
                return Safe("IC3", 1, proof)

    def _block(self, goal: Goal, level: int) -> Goal | None:
        """Block a cube at a level, and all that leads to it; return a way from the start."""
        order = 0
        todo: list[tuple[int, int, Goal]] = [(level, order, goal)]
        while todo:
            level, _, goal = heappop(todo)
            if level == 0 or self._starts(goal.cube):
                return goal
            if self._blocked(goal.cube, level):
                continue
            core = self._unreached(goal.cube, level)
            if core is not None:
                cube = self._shorter(core, goal.cube, level)
                while (
                    level < len(self.acts) - 1 and self._unreached(cube, level + 1) is not None
                ):
                    level += 1
                self._learn(cube, level)
                if level < len(self.acts) - 1:
                    order += 1
                    heappush(todo, (level + 1, order, goal))
                continue
            before = self._before(self.step.model())
            order += 1
            heappush(todo, (level - 1, order, Goal(before, goal)))
            heappush(todo, (level, order, goal))
        return None

    def _starts(self, cube: Cube) -> bool:
        return self._ask(self.start, *self.now.literals(cube))

    def _blocked(self, cube: Cube, level: int) -> bool:
        return any(one <= cube for at in self.levels[level:] for one in at)

    def _unreached(self, cube: Cube, level: int) -> Cube | None:
        """Return the part of a cube that frame ``level - 1`` does not step into.

        None if it does; then the solver has the step.
        """
        import z3

        switch = z3.FreshBool("not")
        self.step.add(z3.Or(z3.Not(switch), *self.now.literals(-n for n in cube)))
        after = self.then.literals(cube)
        reached = self._ask(self.step, *self._within(level - 1), switch, *after)
        found = None
        if not reached:
            found = self.then.core(self.step)
            self.step.add(z3.Not(switch))
        return found

    def _apart(self, part: Cube, whole: Cube) -> Cube:
        """Return a part of a cube, with what keeps it apart from the start."""
        if not self._starts(part):
            return part
        self._ask(self.start, *self.now.literals(whole))
        return part | self.now.core(self.start)

    def _shorter(self, core: Cube, whole: Cube, level: int) -> Cube:
        """Drop literals for as long as what is left is neither reached nor a start."""
        cube = self._apart(core, whole)
        needed: set[int] = set()
        for literal in sorted(cube, key=abs, reverse=True):
            if literal in needed or literal not in cube or len(cube) == 1:
                continue
            less = cube - {literal}
            if self._starts(less):
                continue
            found = self._unreached(less, level)
            if found is None:
                needed.add(literal)
            else:
                cube = self._apart(found, less)
        return cube

    def _learn(self, cube: Cube, level: int) -> None:
        import z3

        for at in range(1, level + 1):
            self.levels[at] = [one for one in self.levels[at] if not cube <= one]
        self.levels[level].append(cube)
        clause = self.now.literals(-n for n in cube)
        self.step.add(z3.Or(z3.Not(self.acts[level]), *clause))

    def _carry(self) -> Any | None:
        """Carry clauses forward; return the invariant if two frames are the same."""
        import z3

        for level in range(1, len(self.acts) - 1):
            for cube in list(self.levels[level]):
                after = self.then.literals(cube)
                if not self._ask(self.step, *self._within(level), *after):
                    self._learn(cube, level + 1)
            if not self.levels[level]:
                cubes = [one for at in self.levels[level + 1 :] for one in at]
                clauses = [self._clause(cube) for cube in cubes]
                return z3.simplify(z3.And([self.problem.good, *clauses, *self.known]))
        return None

    def _clause(self, cube: Cube) -> Any:
        import z3

        return z3.Or(self.predicates.literals(-n for n in cube))

    def _before(self, model: Any) -> Cube:
        """Return the state that a step is from, with what does not matter to it left out.

        Only where predicates are exact can it be known what matters.
        """
        here = self.now.cube(model)
        if not self.lifts:
            return here
        fixed = (*self.problem.inputs, *self.problem.then)
        self.lift.push()
        self.lift.add(*(one == model.eval(one, model_completion=True) for one in fixed))
        if not self._ask(self.lift, *self.now.literals(here)):
            here = self.now.core(self.lift)
        self.lift.pop()
        return here

    def _look(self, goal: Goal) -> Answer | None:
        """Look at a way that the predicates allow: a run is returned, else learnt from."""
        import z3

        way = [z3.And(self.predicates.literals(cube)) for cube in goal.way()]
        answer = self._refuted(len(way) - 1)
        if answer is not None:
            return answer
        if self.separate is None:
            if not self.lifts:
                return GaveUp("IC3", "a way that is none, though predicates are exact")
            self.lifts = False
            return None
        if not self._meet(self.separate(way)):
            return GaveUp("IC3", "no predicates tell a way from a run")
        return None

    def _refuted(self, steps: int) -> Answer | None:
        """Return a run of so many steps that breaks the property, if there is one."""
        import z3

        runs = Unrolling(self.problem)
        solver = new_solver(self.problem)
        solver.add(runs.at(z3.And([self.problem.init, *self.known]), 0))
        for moment in range(steps):
            solver.add(runs.at(self.problem.trans, moment))
        solver.add(z3.Not(runs.at(self.problem.good, steps)))
        if not self._ask(solver):
            return None
        return Unsafe("IC3", tuple(values_at(runs, solver.model(), steps)))
