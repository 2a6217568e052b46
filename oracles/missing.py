"""Plays of which something was left out, and whether any legal Play fits what was seen.

    last state known ∧ one rule after the other ∧ everything that was revealed or shown

Each step is worked out with what is known of it; whatever is not is a constant that the solver
is free to choose. A step whose rule is known fires that rule, one that is missing altogether
any. Where everything shown pins the state down, the solver is asked, and the Play goes on from
there. It has so many of its own steps for a Play, and for a whole log (see ``purse``); where
they are not enough, that is said.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

from ..models.algebra import Bool, Term, Value, all_of, any_of, equal, variables_of
from ..models.shape import Variable
from ..proofs import smtlib
from ..proofs.encoding import RuleFormula
from ..proofs.evaluate import Evaluation
from .event import Where
from .expected import Expected
from .finding import Finding
from .moves import Move, State
from .purse import Purse

__all__ = ["Glimpse", "Stretch"]

_MOST_STEPS = 60


@dataclass(frozen=True)
class Glimpse:
    """What was seen of one step; ``move`` is None where not even its rule was.

    ``ended``: whether the Play is over after it; ``paid`` (pence) is what it paid.
    """

    step: int
    where: Where
    move: Move | None = None
    revealed: Mapping[str, int | bool] = field(default_factory=dict)
    shown: Mapping[str, int | bool] = field(default_factory=dict)
    ended: bool | None = None
    paid: int | None = None


class Stretch:
    """The part of a Play in which something is unknown, from the last state that was known."""

    def __init__(self, expected: Expected, state: State, purse: Purse) -> None:
        self._expected = expected
        self._purse = purse
        self._values: dict[str, Value] = dict(expected.named(state))
        self._variables: dict[str, Variable] = {}
        self._glimpses: list[Glimpse] = []
        self._claims: list[list[Bool]] = []
        self._steps = 0
        self._last: Glimpse | None = None

    def see(self, glimpse: Glimpse) -> None:
        """Add what was seen of the next step."""
        self._steps += 1
        self._last = glimpse
        if self._steps > _MOST_STEPS:
            return
        self._glimpses.append(glimpse)
        self._claims.append([])
        if glimpse.move is not None:
            formula = self._expected.encoding.rules[glimpse.move.number]
            guard, after = self._fired(formula, glimpse.revealed)
            self._claims[-1].append(guard)
            self._values = {name: self._plain(name, value) for name, value in after.items()}
        else:
            self._any_rule()
        self.show(glimpse.shown, glimpse.ended, glimpse.paid)

    def skip(self, step: int, number: int, where: Where) -> None:
        """Add steps of which nothing at all was seen, so many from one on."""
        if self._steps + number > _MOST_STEPS:
            self._steps += number
            return
        for one in range(step, step + number):
            self.see(Glimpse(one, where))

    def show(
        self,
        shown: Mapping[str, int | bool],
        ended: bool | None = None,
        paid: int | None = None,
    ) -> None:
        """Add what is shown, once more, after the last step, and whether that was the end."""
        if self._steps > _MOST_STEPS or not self._claims:
            return
        claims = self._claims[-1]
        claims += [equal(self._values[name], value) for name, value in shown.items()]
        self._values |= shown
        expected = self._expected
        goal, s = expected.game.goal, expected.shape.of(self._values)
        if ended is not None:
            claims.append(equal(goal.ended(expected.p, s), ended))
        if paid is not None:
            claims.append(equal(goal.paid(expected.p, s), paid))

    @property
    def state(self) -> State | None:
        """The state after the last step, where all that was seen leaves only one."""
        values = [self._values[name] for name in self._expected.names]
        if self._steps > _MOST_STEPS or any(isinstance(value, Term) for value in values):
            return None
        return cast("State", tuple(values))

    # One step after the other

    def _fired(
        self, formula: RuleFormula, revealed: Mapping[str, int | bool]
    ) -> tuple[Bool, dict[str, Value]]:
        """Return whether a rule fires now, and what each scalar is then."""
        values = {f"s.{name}": value for name, value in self._values.items()}
        for variable in self._expected.encoding.reveal_variables(formula.rule):
            name = variable.name.split(".", 2)[2]
            values[variable.name] = revealed.get(name, self._unknown(variable))
        evaluation = Evaluation(values)
        updates = zip(self._expected.names, formula.updates, strict=False)
        after = {name: evaluation.of(update) for name, update in updates}
        return cast("Bool", evaluation.of(formula.guard)), after

    def _any_rule(self) -> None:
        """Take a step by any rule whatever."""
        fired = [self._fired(one, {}) for one in self._expected.encoding.rules]
        before, after = self._values, {}
        for name, value in before.items():
            left_alone = all(values[name] is value for _, values in fired)
            after[name] = value if left_alone else self._new(name)
        self._values = after
        changed = [name for name in after if after[name] is not before[name]]
        cases = [
            all_of(guard, (equal(after[name], values[name]) for name in changed))
            for guard, values in fired
        ]
        self._claims[-1].append(any_of(cases))

    def _plain(self, name: str, value: Value) -> Value:
        """Return a value as a number or a name, so that formulas do not grow step by step."""
        if not isinstance(value, Term) or value.op == "var":
            return value
        new = self._new(name)
        self._claims[-1].append(equal(new, value))
        return new

    def _new(self, name: str) -> Value:
        variable = self._expected.shape.variables[self._expected.place[name]]
        return self._unknown(dataclasses.replace(variable, name=f"s.{name}"))

    def _unknown(self, variable: Variable) -> Value:
        named = dataclasses.replace(variable, name=f"{variable.name}@{len(self._claims)}")
        self._variables[named.name] = named
        return named.term()

    # Whether it fits

    def judge(self) -> Finding | None:
        """Return what is wrong, if no legal Play fits: at the first step up to which none does.

        Whether one fits may be left undecided, which is a finding too.
        """
        if self._steps > _MOST_STEPS:
            reason = f"{self._steps} steps with something unknown are more than {_MOST_STEPS}"
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
        where, step = (self._last.where, self._last.step) if self._last else (Where(""), None)
        message = f"whether any legal Play fits what was seen is not decided: {reason}"
        return Finding("undecided", message, where, step=step)

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
        fits = all_of(claim for claims in self._claims[:number] for claim in claims)
        if not isinstance(fits, Term):
            return "sat" if fits else "unsat", ""
        used = [self._variables[name] for name in sorted(variables_of(fits))]
        asked = f"(assert {smtlib.text(fits)})\n(check-sat)\n"
        text = f"(set-logic ALL)\n{smtlib.declare(used)}{asked}"
        return self._purse.ask(text)
