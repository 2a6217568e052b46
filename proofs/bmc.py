"""Bounded model checking: look for a Play of k steps that breaks the claim.

    rigid ∧ init(x0) ∧ trans(x0, x1) ∧ … ∧ trans(xk-1, xk) ∧ ¬ claim(xk)

k grows from 0, so the first Play found is a shortest one. Every k is asked afresh: a solver
that keeps what it learned simplifies less, and took twice as long here. Each step says which
rule fires, so that a Play can be read off; ``along`` fixes the rules of the first steps.

Biere, Cimatti, Clarke, Zhu: Symbolic model checking without BDDs, TACAS 1999.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..models.play import Play, violated
from ..models.setting import settle
from ..models.shape import Variable
from ..models.system import Kind, Property, Rule, Step
from . import certificate, smtlib, solvers
from .encoding import Encoding
from .solvers import Result, Steps, Values

__all__ = ["Found", "Unrolling", "search"]


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

    def __init__(self, encoding: Encoding, system: str, steps: Steps) -> None:
        self.encoding = encoding
        self.depth = 0
        self.steps = steps
        self.seconds = 0.0
        self.text = (
            system
            + smtlib.declare(encoding.state, "@0")
            + f"(assert ranges)(assert {smtlib.text(encoding.rigid_values())})\n"
            + f"(assert {smtlib.apply('init', certificate.at(encoding.state, 0))})\n"
        )

    def grow(self, rules: Sequence[Rule]) -> None:
        """Add one step, in which one of these rules fires."""
        encoding, moment = self.encoding, self.depth
        self.depth += 1
        text = smtlib.declare(encoding.reveals, f"@{moment}")
        text += smtlib.declare(encoding.state, f"@{moment + 1}")
        over = certificate.moves(encoding, moment)
        for rule in rules:
            fires = _fires(rule, moment)
            text += f"(declare-const {fires} Bool)\n"
            text += f"(assert (=> {fires} {smtlib.apply(f'rule.{rule.id}', over)}))\n"
        any_rule = " ".join(_fires(rule, moment) for rule in rules)
        self.text += f"{text}(assert (or false {any_rule}))\n"

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
            steps.append(Step(rule.id, _reveal(encoding, rule, moment, values)))
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
    system: str,
    steps: Steps,
    *,
    first: int = 0,
    along: Sequence[str] | None = None,
) -> Found:
    """Look for a Play of up to ``depth`` steps that breaks a claim, the shortest first.

    ``first`` skips the question for Plays known to be too short; ``along`` are the ids of the
    rules that fire, in order. Raises RuntimeError if the rules do not confirm what was found.
    """
    game = encoding.game
    unrolled = Unrolling(encoding, system, steps)
    told: list[Sequence[Rule]] = []
    for moment in range(depth + 1):
        if moment:
            if along is not None and moment > len(along):
                return Found(None, moment - 1, "", unrolled.seconds)
            told.append(game.rules if along is None else (game.rule(along[moment - 1]),))
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


def _reveal(encoding: Encoding, rule: Rule, moment: int, values: Values) -> Any:
    prefix = f"r.{rule.reveal.__name__.lower()}."
    shape = encoding.game.reveal_shape(rule)
    return shape.build(lambda variable: values[f"{prefix}{variable.name}@{moment}"])
