"""Questions on paths: which reveals take a Play along one to a wanted end.

Numbers are integers first: that takes 0.01 s where symbols are counted and added up, and does
not end where sections of a wheel are chosen. Bit-vectors of just enough bits take 0.1 s there.

One solver serves all paths of a target. A step is translated once and asserted under a literal
of its own; a question assumes the literals of a path. Where there is no answer, the core of
assumptions tells whether it is the wanted end that fails, what was merely preferred, or the
path itself, and from which step on: then no longer path from there need be looked at
(conflict-driven backjumping; for assumptions see Eén & Sörensson 2003).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import z3

from ..models.algebra import Bool
from .deadline import NEVER, Deadline
from .finite import Backend, Bits, Integers, Translated
from .paths import Path

__all__ = ["Answer", "Asker", "Questions"]

# Preferences that clash are dropped as often as this, then all that are left are.
_ROUNDS = 4
# Steps of z3 of the first try; a path of as many rules as this gets twice as many, and so on.
FIRST = 50_000
_LONG = 24


@dataclass(frozen=True)
class Answer:
    """Values of the unknowns, or why there are none.

    ``dead`` are the first rules of the path where these alone are impossible. ``decided`` is
    false where the budget ran out, ``hard`` is true where the first tries did not do.
    """

    values: Mapping[str, int] | None = None
    dead: tuple[str, ...] | None = None
    decided: bool = True
    hard: bool = False


class Questions:
    """Asks z3 about the paths of one game, towards one target. Close it when done."""

    def __init__(
        self, seed: int = 0, *, integers: bool = True, deadline: Deadline = NEVER
    ) -> None:
        """``integers`` says whether integers are worth a first try."""
        self._integers = Asker(Integers, z3.SimpleSolver, seed, deadline)
        self._bits = Asker(Bits, _bit_solver, seed, deadline)
        # A further try goes on with what the last one has learned, and often ends where one
        # try of as many steps as both does not.
        bits_first = [*[(self._bits, 2_500_000)] * 3, (self._integers, 500_000)]
        integers_first = [
            (self._integers, FIRST), (self._integers, 300_000), (self._bits, 1_000_000),
        ]  # fmt: skip
        self._tries = [*(integers_first if integers else bits_first), (self._bits, 5_000_000)]
        self._brief = 1 if integers else 3
        self._hard = 2 if integers else 3

    def __enter__(self) -> Questions:
        return self

    def __exit__(self, *error: object) -> None:
        self._integers.close()
        self._bits.close()

    def ask(
        self,
        path: Path,
        wanted: Bool,
        preferred: Mapping[str, int] | None = None,
        hoped: Sequence[Bool] = (),
        *,
        patient: bool = True,
    ) -> Answer:
        """Return reveals along a path under which what is wanted holds.

        ``preferred`` values of unknowns, and conditions that are ``hoped`` for, are kept as
        far as they can be. Without ``patient`` only the first tries are made.
        Raises OutOfTime once the deadline has passed.
        """
        for number, (asker, budget) in enumerate(
            self._tries[: None if patient else self._brief]
        ):
            allowed = budget * (1 + len(path.rules) // _LONG)
            answer = asker.ask(path, wanted, preferred or {}, allowed, hoped)
            if answer.decided:
                return dataclasses.replace(answer, hard=number >= self._hard)
        return Answer(decided=False, hard=True)

    def easy(self, path: Path, wanted: Bool) -> bool:
        """Return whether integers alone answer a question at the first try."""
        return self._integers.ask(path, wanted, {}, FIRST).decided


def _bit_solver(ctx: z3.Context) -> z3.Solver:
    return z3.SolverFor("QF_FD", ctx=ctx)


class Asker:
    """One way to write numbers, and its solver."""

    def __init__(
        self,
        kind: type[Backend],
        solver: Callable[..., z3.Solver],
        seed: int = 0,
        deadline: Deadline = NEVER,
    ) -> None:
        self._kind, self._seed, self._make, self._deadline = kind, seed, solver, deadline
        self._literals = 0
        self._steps: dict[int, _Step] = {}

    def close(self) -> None:
        """Let go of all terms."""
        self._steps.clear()
        if "_backend" in self.__dict__:
            self._backend.release()

    @cached_property
    def _backend(self) -> Backend:
        return self._kind(z3.Context())

    @cached_property
    def _solver(self) -> z3.Solver:
        solver = self._make(ctx=self._backend.context)
        solver.set("random_seed", self._seed)
        return solver

    def ask(
        self,
        path: Path,
        wanted: Bool,
        preferred: Mapping[str, int],
        budget: int,
        hoped: Sequence[Bool] = (),
    ) -> Answer:
        """Return the answer to ``Questions.ask`` within a budget of z3's resource units."""
        self._solver.set("rlimit", budget)
        backend = self._backend
        step = self._step(path)
        made = backend.extended(step.made, (), (), (wanted,), path.known)
        goal = self._guarded(made.conditions)
        liked = [self._guarded([backend.has(*one)]) for one in preferred.items()]
        liked += [self._guarded([backend.truth(condition)]) for condition in hoped]
        for left in range(_ROUNDS, -1, -1):
            answer = self._deadline.check(self._solver, *step.literals, goal, *liked)
            if answer == z3.sat:
                model = self._solver.model()
                return Answer({n: backend.read(model, i) for n, i in made.inputs.items()})
            if answer != z3.unsat:
                return Answer(decided=False)
            core = set(self._solver.unsat_core())
            clash = core.intersection(liked)
            if not clash:
                break
            liked = [one for one in liked if left > 1 and one not in clash]
        if goal in core:
            return Answer()
        deepest = max((step.literals[one] for one in core), default=0)
        return Answer(dead=path.rules[:deepest])

    def _step(self, path: Path) -> _Step:
        """Return what z3 has of a path; each of its steps is asserted once."""
        new: list[Path] = []
        one: Path | None = path
        while one and id(one) not in self._steps:  # no recursion: there may be hundreds
            new.append(one)
            one = one.before
        step = self._steps[id(one)] if one else _Step(_NOWHERE, Translated(), {})
        for longer in reversed(new):
            step = self._steps[id(longer)] = self._longer(step, longer)
        return step

    def _longer(self, step: _Step, path: Path) -> _Step:
        had = step.path
        made = self._backend.extended(
            step.made,
            path.unknowns[len(had.unknowns) :],
            path.definitions[len(had.definitions) :],
            path.guards[len(had.guards) :],
            path.known,
        )
        literals = dict(step.literals)
        if made.conditions:
            literals[self._guarded(made.conditions)] = len(path.rules)
        return _Step(path, made, literals)

    def _guarded(self, conditions: Sequence[Any]) -> z3.BoolRef:
        """Return a new literal that implies the conditions."""
        self._literals += 1
        literal = z3.Bool(f"literal.{self._literals}", ctx=self._backend.context)
        implied = self._backend.implied(literal.as_ast(), conditions)
        self._backend.put(self._solver, implied)
        return literal


_NOWHERE = Path((), (), None, {}, (), (), ())


@dataclass(frozen=True)
class _Step:
    """A path (kept, as its id says nothing once it is gone), its terms and its literals.

    Each literal comes with the number of steps that it is about.
    """

    path: Path
    made: Translated
    literals: Mapping[z3.BoolRef, int]
