"""A problem at the moments of an unrolling, as z3 terms: ``x`` at moment 3 is ``x@3``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..solvers import why
from .problem import Problem
from .terms import sorts_of

__all__ = ["Unrolling", "ask", "by_bits", "new_solver", "solver_of", "values_at"]


class Unrolling:
    """Formulas of a problem at a moment; constants are made once."""

    def __init__(self, problem: Problem, tag: str = "") -> None:
        self.problem = problem
        self._tag = tag
        self._made: dict[tuple[str, int], Any] = {}

    def _const(self, const: Any, moment: int) -> Any:
        import z3

        key = const.decl().name(), moment
        if key not in self._made:
            self._made[key] = z3.Const(f"{key[0]}@{self._tag}{moment}", const.sort())
        return self._made[key]

    def at(self, formula: Any, moment: int) -> Any:
        """Return a formula over state, inputs and next state as of a moment."""
        import z3

        problem = self.problem
        pairs = [(c, self._const(c, moment)) for c in (*problem.now, *problem.inputs)]
        pairs += [
            (b, self._const(a, moment + 1))
            for a, b in zip(problem.now, problem.then, strict=True)
        ]
        return z3.substitute(formula, *pairs) if pairs else formula

    def state(self, moment: int) -> list[Any]:
        """Return the state variables at a moment."""
        return [self._const(a, moment) for a in self.problem.now]


def values_at(unrolling: Unrolling, model: Any, last: int) -> list[Mapping[str, str]]:
    """Return the values of the state variables at moments 0 to ``last``, as SMT-LIB text."""
    return [
        {
            a.decl().name(): model.eval(b, model_completion=True).sexpr()
            for a, b in zip(unrolling.problem.now, unrolling.state(moment), strict=True)
        }
        for moment in range(last + 1)
    ]


def ask(solver: Any, *assumed: Any) -> Any:
    """Return a solver's answer. Raises KeyboardInterrupt if it was stopped by Ctrl-C."""
    import z3

    answer = solver.check(*assumed)
    if answer == z3.unknown:
        why(solver.reason_unknown())
    return answer


def new_solver(problem: Problem) -> Any:
    """Return an incremental solver: by bits where there are only bit-vectors and Booleans."""
    return solver_of(by_bits(problem))


def by_bits(problem: Problem) -> bool:
    """Say whether there are only bit-vectors and Booleans in a problem."""
    sorts: set[str] = set()
    for formula in (problem.init, problem.trans, problem.good):
        sorts |= sorts_of(formula)
    return sorts <= {"Bool", "BitVec"}


def solver_of(bits: bool) -> Any:
    """Return an incremental solver, by bits or not."""
    import z3

    return z3.SolverFor("QF_FD") if bits else z3.SimpleSolver()
