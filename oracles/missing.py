"""Plays of which something was left out, and whether any legal Play fits what was seen.

    start = the last state known ∧ steps of the rules ∧ everything that was revealed or shown

A step whose rule is known fires that rule; one that is missing altogether fires any. What was
not revealed is unknown, and so is what was not shown. The solver decides, within a number of
its own steps; where it does not, that is said.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..models.algebra import Bool, all_of, equal
from ..proofs import smtlib
from ..proofs.bmc import Unrolling
from ..proofs.encoding import Encoding
from ..proofs.solvers import Steps
from .event import Where
from .expected import Expected
from .finding import Finding
from .moves import Move, State

__all__ = ["BUDGET", "Glimpse", "Stretch"]

BUDGET = Steps(z3=30_000_000)
"""What one question may take: some seconds."""
_MOST_STEPS = 60


@dataclass(frozen=True)
class Glimpse:
    """What was seen of one step; ``move`` is None where not even its rule was.

    ``ended``: whether the Play is over after it; ``paid`` and ``won`` (pence) are what it paid.
    """

    step: int
    where: Where
    move: Move | None = None
    revealed: Mapping[str, int | bool] = field(default_factory=dict)
    shown: Mapping[str, int | bool] = field(default_factory=dict)
    ended: bool | None = None
    paid: int | None = None
    won: Mapping[str, int] | None = None


class Stretch:
    """The part of a Play in which something is unknown, from the last state that was known."""

    def __init__(self, expected: Expected, state: State, budget: Steps = BUDGET) -> None:
        self._expected = expected
        self._encoding = _from_state(expected, state)
        self._budget = budget
        self._glimpses: list[Glimpse] = []
        self._skipped = 0

    def see(self, glimpse: Glimpse) -> None:
        """Add what was seen of the next step."""
        self._glimpses.append(glimpse)

    def skip(self, step: int, number: int, where: Where) -> None:
        """Add steps of which nothing at all was seen, so many from one on."""
        self._skipped += number
        first = max(step, step + number - _MOST_STEPS)
        self._glimpses += [Glimpse(one, where) for one in range(first, step + number)]

    def show(
        self,
        shown: Mapping[str, int | bool],
        ended: bool | None = None,
        paid: int | None = None,
    ) -> None:
        """Add what is shown, once more, after the last step."""
        if self._glimpses:
            last = self._glimpses[-1]
            more = {**last.shown, **shown}
            self._glimpses[-1] = dataclasses.replace(last, shown=more, ended=ended, paid=paid)

    @property
    def shown(self) -> State | None:
        """The state after the last step, where all of it was shown."""
        shown = self._glimpses[-1].shown if self._glimpses else {}
        if len(shown) < len(self._expected.names):
            return None
        return tuple(shown[name] for name in self._expected.names)

    def judge(self) -> Finding | None:
        """Return what is wrong, if no legal Play fits: at the first step up to which none does.

        Whether one fits may be left undecided, which is a finding too.
        """
        if (steps := max(self._skipped, len(self._glimpses))) > _MOST_STEPS:
            reason = f"{steps} steps with something unknown are more than {_MOST_STEPS}"
            return self._undecided(reason)
        fitting, failing = 0, len(self._glimpses)
        answer, reason = self._ask(failing)
        if answer == "sat":
            return None
        if answer != "unsat":
            return self._undecided(reason)
        while failing - fitting > 1:
            middle = (fitting + failing) // 2
            answer, _ = self._ask(middle)
            if answer == "unsat":
                failing = middle
            else:  # where it is not decided, a later step is named: that none fits is certain
                fitting = middle
        return self._none_fits(self._glimpses[failing - 1])

    def _undecided(self, reason: str) -> Finding:
        last = self._glimpses[-1]
        message = f"whether any legal Play fits what was seen is not decided: {reason}"
        return Finding("undecided", message, last.where, step=last.step)

    def _none_fits(self, first: Glimpse) -> Finding:
        what = first.move.id if first.move else "a step of which nothing was seen"
        message = f"no legal Play fits what was seen up to here ({what})"
        finding = Finding("no-legal-play", message, first.where, step=first.step)
        if first.move is None:
            return finding
        rule = first.move.rule
        return dataclasses.replace(finding, rule=rule.id, clauses=rule.clauses)

    def _ask(self, number: int) -> tuple[str, str]:
        """Ask whether some legal Play fits the first glimpses."""
        unrolled = Unrolling(self._encoding, self._budget)
        seen: list[Bool] = []
        for moment, glimpse in enumerate(self._glimpses[:number]):
            move = glimpse.move
            unrolled.grow([move.rule] if move else self._expected.game.rules)
            seen += self._seen(glimpse, moment)
        result = unrolled.ask(smtlib.text(all_of(seen)), ())
        return result.answer, result.reason

    def _seen(self, glimpse: Glimpse, moment: int) -> list[Bool]:
        """Return what a glimpse says of the step at a moment and of the state after it."""
        encoding, expected = self._encoding, self._expected
        after = f"@{moment + 1}"
        s = _state(expected, after)
        scalars = expected.shape.scalars(s)
        seen = [equal(scalars[name], value) for name, value in glimpse.shown.items()]
        if glimpse.move:
            reveal = encoding.reveal(glimpse.move.rule, f"@{moment}")
            known = expected.game.reveal_shape(glimpse.move.rule).scalars(reveal)
            seen += [equal(known[name], value) for name, value in glimpse.revealed.items()]
        goal = expected.game.goal
        if glimpse.ended is not None:
            seen.append(equal(goal.ended(expected.p, s), glimpse.ended))
        if glimpse.paid is not None:
            seen.append(equal(goal.paid(expected.p, s), glimpse.paid))
        if glimpse.won is not None:
            parts = goal.parts(expected.p, s)
            seen += [equal(won, glimpse.won.get(name, 0)) for name, won in parts.items()]
        return seen


def _state(expected: Expected, suffix: str) -> Any:
    return expected.shape.build(
        lambda v: dataclasses.replace(v, name="s." + v.name).term(suffix)
    )


def _from_state(expected: Expected, state: State) -> Encoding:
    """Return the game's encoding without the tally, as begun from a state."""
    encoding, size = expected.encoding, len(expected.names)
    return dataclasses.replace(
        encoding,
        state=encoding.state[:size],
        start=tuple(state),
        rules=tuple(
            dataclasses.replace(formula, updates=formula.updates[:size])
            for formula in encoding.rules
        ),
    )
