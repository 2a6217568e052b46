"""Whether the Plays of a reduced copy end, asked of its encoding, and after how many steps.

    ends          a Play of n steps exists, one of n + 1 does not:
                  start(x0) ∧ trans(x0, x1) ∧ … ∧ trans(xn, xn+1) has no solution
    goes on       in a Play of n steps, the last state was there before; in none of n − 1 a
                  state comes again

n is what the enumeration found: a solver is asked of these lengths only. That is complete for
a copy, which has few states; ranking functions, by which the games themselves are decided,
know nothing of what keeps a copy small. What only the tally counts does not tell states apart.
"""

from __future__ import annotations

from ..models.algebra import all_of, any_of, equal
from . import smtlib
from .bmc import Unrolling
from .budget import Budget
from .encoding import Encoding
from .findings import Finding
from .verdict import Outcome, Verdict

__all__ = ["ending"]

METHOD = "unrolling"


def ending(
    encoding: Encoding, finding: Finding, longest: int | None, budget: Budget
) -> tuple[Verdict, bool | None]:
    """Return what the encoding says of ``terminates``, and whether that is what was found.

    ``longest`` is the number of steps of a longest Play found; None where one goes on for ever.
    The remark of the verdict says what differs.
    """
    unrolled = _Unrolled(encoding, budget)
    steps = len(finding.steps) if longest is None else longest
    if longest is None:
        there, early = unrolled.comes_again(steps), unrolled.some_comes_again(steps - 1)
        outcome, before = Outcome.REFUTED, "a state comes again there after fewer steps"
        missing = f"no state comes again there after {steps} steps"
    else:
        there, early = unrolled.exists(steps), unrolled.exists(steps + 1)
        outcome, before = Outcome.PROVED, f"a Play of {steps + 1} steps is one there"
        missing = f"no Play of {steps} steps is one there"
    wrong = [missing] if there is False else []
    wrong += [before] if early is True else []
    known = None not in (there, early)
    if wrong or not known:
        outcome = Outcome.UNDECIDED
    said = "; ".join(wrong) if wrong or known else "a solver ran out of steps"
    verdict = Verdict(encoding.game.id, finding.property, outcome, METHOD, steps, remark=said)
    return verdict, False if wrong else True if known else None


class _Unrolled:
    """Plays of a given number of steps."""

    def __init__(self, encoding: Encoding, budget: Budget) -> None:
        self.encoding = encoding
        self.budget = budget
        shape = encoding.game.state_shape()
        self.state = encoding.state[: len(shape.variables)]

    def exists(self, steps: int) -> bool | None:
        return self._ask(steps, "true")

    def comes_again(self, steps: int) -> bool | None:
        """Return whether, in a Play of so many steps, the last state was there before."""
        return self._ask(steps, self._again(steps))

    def some_comes_again(self, steps: int) -> bool | None:
        """Return whether, in a Play of so many steps or fewer, a state comes again.

        A Play that comes back to a state can go on from there, so it has one of so many steps.
        """
        again = " ".join(self._again(at) for at in range(1, steps + 1))
        return self._ask(steps, f"(or false {again})")

    def _again(self, last: int) -> str:
        before = (
            all_of(equal(v.term(f"@{at}"), v.term(f"@{last}")) for v in self.state)
            for at in range(last)
        )
        return smtlib.text(any_of(before))

    def _ask(self, steps: int, question: str) -> bool | None:
        unrolled = Unrolling(self.encoding, self.budget.bmc)
        for _ in range(steps):
            unrolled.grow(self.encoding.game.rules)
        answer = unrolled.ask(question, ()).answer
        return {"sat": True, "unsat": False}.get(answer)
