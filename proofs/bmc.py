"""Bounded model checking: look for a Play of k steps that breaks the claim.

    ranges ∧ x0 = start ∧ steps x0 → x1 → … → xk ∧ ¬ claim(xk)

A step says which one rule fires, whose guard holds then, and gives every variable the value
that this rule gives it: a variable that a rule leaves alone is not mentioned for it, and one
that no rule changes is no new variable. That is half the work of a solver that is told each
rule's whole transition. k grows from 0, so the first Play found is a shortest one; every k is
asked afresh, as a solver that keeps what it learned simplifies less and took twice as long.

Biere, Cimatti, Clarke, Zhu: Symbolic model checking without BDDs, TACAS 1999.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..models.algebra import Value, variables_of
from ..models.play import Play, violated
from ..models.setting import settle
from ..models.shape import Variable
from ..models.system import Kind, Property, Rule, Step
from . import certificate, smtlib, solvers
from .encoding import Encoding, RuleFormula
from .solvers import Result, Steps, Values

__all__ = ["Found", "Unrolling", "reveal_of", "search", "setting_of"]


@dataclass(frozen=True)
class Found:
    """What a search came to: a Play that breaks the claim after so many steps, or none.

    ``clear`` is the number of steps up to which no Play breaks the claim (-1: not even the
    start is known); ``reason`` says why the search ended early, if it did.
    """

    play: Play | None
    clear: int
    reason: str = ""
    seconds: float = 0.0


class Unrolling:
    """The first k steps of every Play, as a text that grows with k."""

    def __init__(self, encoding: Encoding, steps: Steps) -> None:
        self.encoding = encoding
        self.depth = 0
        self.steps = steps
        self.seconds = 0.0
        self._constants = {v.name: v for v in (*encoding.state, *encoding.reveals)}
        self._arguments: dict[str, tuple[str, ...]] = {}
        self.text = (
            "(set-logic ALL)\n"
            + smtlib.declare(encoding.rigid)
            + smtlib.define("ranges", (), encoding.constraint)
            + "".join(self._definitions())
            + f"(assert ranges)(assert {smtlib.text(encoding.rigid_values())})\n"
            + "".join(
                smtlib.define_as(f"{v.name}@0", (), smtlib.text(value), v.sort)
                for v, value in zip(encoding.state, encoding.start, strict=True)
            )
        )

    def _definitions(self) -> Iterator[str]:
        """Yield every rule's guard, and the value of every variable that it changes."""
        for formula in self.encoding.rules:
            rule = formula.rule.id
            yield self._define(formula, f"guard.{rule}", "Bool", formula.guard)
            for v, update in zip(self.encoding.state, formula.updates, strict=True):
                if not smtlib.is_variable(update, v.name):
                    yield self._define(formula, f"next.{rule}.{v.name}", v.sort, update)

    def _define(self, formula: RuleFormula, name: str, sort: str, body: Value) -> str:
        if name not in formula.printed:  # the same for every unrolling of these rules
            used = variables_of(body)
            arguments = [v for v in self._constants.values() if v.name in used]
            text = smtlib.define_as(name, arguments, smtlib.text(body), sort)
            formula.printed[name] = (text, tuple(v.name for v in arguments))
        text, self._arguments[name] = formula.printed[name]
        return text

    def _applied(self, name: str, moment: int) -> str:
        return smtlib.apply(name, [f"{one}@{moment}" for one in self._arguments[name]])

    def grow(self, rules: Sequence[Rule]) -> None:
        """Add one step, in which exactly one of these rules fires."""
        moment = self.depth
        self.depth += 1
        lines = [smtlib.declare(self.encoding.reveals, f"@{moment}")]
        for number, rule in enumerate(rules):
            fires = _fires(rule, moment)
            guard = self._applied(f"guard.{rule.id}", moment)
            lines.append(f"(declare-const {fires} Bool)\n(assert (=> {fires} {guard}))\n")
            lines += [
                f"(assert (not (and {fires} {_fires(other, moment)})))\n"
                for other in rules[:number]
            ]
        any_rule = " ".join(_fires(rule, moment) for rule in rules)
        lines.append(f"(assert (or false {any_rule}))\n")
        lines += [self._moved(variable, rules, moment) for variable in self.encoding.state]
        self.text += "".join(lines)

    def _moved(self, variable: Variable, rules: Sequence[Rule], moment: int) -> str:
        """Return what a variable is after a step: as before, unless a rule changes it."""
        value = before = f"{variable.name}@{moment}"
        for rule in rules:
            changed = f"next.{rule.id}.{variable.name}"
            if changed in self._arguments:
                update = self._applied(changed, moment)
                value = f"(ite {_fires(rule, moment)} {update} {value})"
        after = f"{variable.name}@{moment + 1}"
        if value == before:
            return smtlib.define_as(after, (), before, variable.sort)
        return f"(declare-const {after} {variable.sort})\n(assert (= {after} {value}))\n"

    def ask(self, question: str, wanted: Sequence[str]) -> Result:
        """Return whether some Play of this length is as a question, a term, says."""
        text = f"{self.text}(assert {question})\n(check-sat)\n"
        result = solvers.run("z3", text, [*self.wanted(), *wanted], self.steps)
        self.seconds += result.seconds
        return result

    def wanted(self) -> list[str]:
        """Return the names whose values make a Play."""
        encoding = self.encoding
        names = [variable.name for variable in encoding.rigid]
        for moment in range(self.depth):
            names += certificate.at(encoding.reveals, moment)
        return names

    def play(self, values: Values, rules: Sequence[Sequence[Rule]]) -> Play:
        """Return the Play that values of ``wanted`` and of the rules' names describe."""
        encoding = self.encoding
        steps = []
        for moment, possible in enumerate(rules):
            rule = next(rule for rule in possible if values[_fires(rule, moment)])
            steps.append(Step(rule.id, reveal_of(encoding, rule, values, f"@{moment}")))
        return Play(setting_of(encoding, values), tuple(steps))


def setting_of(encoding: Encoding, values: Values) -> Any:
    """Return the setting in which every rigid constant has its value."""

    def value(variable: Variable) -> int | bool:
        return values[variable.name]

    setting, _, _ = settle(
        encoding.game.setting, encoding.parameters, encoding.readings, value=value
    )
    return setting


def search(
    encoding: Encoding,
    claim: Property,
    depth: int,
    steps: Steps,
    *,
    first: int = 0,
    along: Sequence[str] = (),
) -> Found:
    """Look for a Play of up to ``depth`` steps that breaks a claim, the shortest first.

    ``first`` skips the question for Plays known to be too short; ``along`` are the ids of the
    rules that fire first, in order. Raises RuntimeError if the rules do not confirm what was
    found.
    """
    game = encoding.game
    unrolled = Unrolling(encoding, steps)
    told: list[Sequence[Rule]] = []
    for moment in range(depth + 1):
        if moment:
            given = along[moment - 1 : moment]
            told.append(tuple(map(game.rule, given)) if given else game.rules)
            unrolled.grow(told[-1])
        if moment < first or (moment == 0 and claim.kind is Kind.STEP):
            continue
        fires = [_fires(rule, m) for m, rules in enumerate(told) for rule in rules]
        result = unrolled.ask(_broken(encoding, claim, told, moment), fires)
        if result.answer == "sat":
            play = unrolled.play(result.values, told)
            if violated(game, claim.id, play) is None:
                raise RuntimeError(f"{claim.id}: a solver's Play is not confirmed by the rules")
            return Found(play, moment - 1, "", unrolled.seconds)
        if result.answer != "unsat":
            return Found(None, moment - 1, result.reason, unrolled.seconds)
    return Found(None, depth, "", unrolled.seconds)


def _broken(
    encoding: Encoding, claim: Property, rules: Sequence[Sequence[Rule]], moment: int
) -> str:
    """Return, as text, that a claim fails at a moment (a step property: in the step to it)."""
    if claim.kind is not Kind.STEP:
        return f"(not {smtlib.text(encoding.holds(claim, f'@{moment}'))})"
    cases = []
    for rule in rules[-1]:
        holds = smtlib.text(encoding.holds_over(claim, rule, f"@{moment - 1}", f"@{moment}"))
        cases.append(f"(and {_fires(rule, moment - 1)} (not {holds}))")
    return f"(or false {' '.join(cases)})"


def _fires(rule: Rule, moment: int) -> str:
    return f"fires.{rule.id}@{moment}"


def reveal_of(encoding: Encoding, rule: Rule, values: Values, suffix: str = "") -> Any:
    """Return the reveal of a rule that values of its variables, with a suffix, describe."""
    prefix = f"r.{rule.reveal.__name__.lower()}."

    def value(variable: Variable) -> Value:
        given = values[f"{prefix}{variable.name}{suffix}"]
        return bool(given) if variable.sort == "Bool" else given  # 0 where it matters to none

    return encoding.game.reveal_shape(rule).build(value)
