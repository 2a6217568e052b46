"""``deterministic``: exactly one rule applies to each reachable state and legal reveal.

Whether a rule R fires is ``R(s, r)``, and r, r' are reveals within their limits. For every
reachable state s that φ describes:

    at most one    ¬ (Q(s, r) ∧ R(s, r))      two rules Q, R for one kind of reveal
                   ¬ (Q(s, q) ∧ R(s, r))      for two kinds: the state says what comes next
    at least one   (R1 ∨ … ∨ Rn)(s, r)  ∧  r' is legal in s  ⇒  (R1 ∨ … ∨ Rn)(s, r')

The last says, of the rules for one kind of reveal, that where one legal reveal of the kind is
taken every legal one is. That needs no quantifier, and it is all there is to say: a kind of
which no reveal is taken is not awaited in that state, and that some kind is, until the end, is
what ``never-stuck`` says.

A proof of it counts only if a broken game is found out: one in which every rule has a double,
so that two apply to whatever is revealed first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ..models.algebra import Bool, all_of, any_of, negate
from ..models.play import Play
from ..models.system import Game, Kind, Point, Property, Step
from . import bmc, smtlib, solvers
from .budget import Budget
from .encoding import Encoding, encode
from .engines import Inquiry, told
from .events import Listener
from .solvers import Steps
from .verdict import Beside, Outcome, Verdict
from .watched import LOOK, Looked, both_offers, looked_at, watched
from .workbench import Workbench

__all__ = ["decide_deterministic", "one_rule_applies"]


def decide_deterministic(
    bench: Workbench, claim: Property, budget: Budget, listener: Listener
) -> Verdict:
    """Prove that one rule applies, or show a state and reveals for which two or none do."""
    encoding = bench.encoding
    stated = one_rule_applies(encoding.game, claim)
    game = watched(encoding.game, stated)
    apart = Workbench(encode(game, encoding.parameters, encoding.readings), bench.answers)
    inquiry = Inquiry(apart, stated, budget, listener)
    verdict = inquiry.run()
    shown = [_shown(encoding.game, play) for play, _ in verdict.plays]
    verdict = told(verdict, [play for play, _ in shown], [beside for _, beside in shown])
    if verdict.certificate is None:
        return verdict
    double = _double_found(encoding, claim, apart.encoding, inquiry.steps(budget.induction))
    if double is None:
        said = "not counted as proved: rules that all have doubles are not found out"
        return replace(verdict, outcome=Outcome.UNDECIDED, certificate=None, remark=said)
    return replace(verdict, remark=f"a double of {double} is found out at the start")


def one_rule_applies(game: Game, claim: Property) -> Property:
    """Return the claim, as a step property of the watched game."""

    def holds(p: Any, before: Point[Any, Any], step: Step, after: Point[Any, Any]) -> Bool:
        if step.rule != LOOK:
            return True
        first, second = both_offers(game, step.reveal)
        fires = [rule.guard(p, before.s, first[rule.reveal]) for rule in game.rules]
        two = (all_of(one, any_of(fires[:n])) for n, one in enumerate(fires))
        return negate(any_of(two, _gaps(game, p, before.s, first, second)))

    return replace(claim, kind=Kind.STEP, holds=holds)


def _gaps(
    game: Game, p: Any, s: Any, first: dict[Any, Any], second: dict[Any, Any]
) -> Iterator[Bool]:
    for kind in game.reveal_kinds():
        rules = [rule for rule in game.rules if rule.reveal is kind]
        taken = any_of(rule.guard(p, s, first[kind]) for rule in rules)
        applies = any_of(rule.when(p, s, second[kind]) for rule in rules)
        yield all_of(taken, second[kind].legal(p, s), negate(applies))


def _double_found(
    encoding: Encoding, claim: Property, look: Encoding, steps: Steps
) -> str | None:
    """Return a rule whose double is found out at the start, where all rules have one."""
    game, rule = encoding.game, look.game.rule(LOOK)
    doubles = tuple(replace(rule, id=f"{rule.id}+double") for rule in game.rules)
    doubled = replace(game, rules=(*game.rules, *doubles))
    start, reveal = game.start(encoding.p), look.reveal(rule)
    broken = one_rule_applies(doubled, claim)
    question = all_of(
        encoding.constraint,
        look.game.reveal_shape(rule).within_limits(reveal),
        negate(broken.holds(encoding.p, start, Step(LOOK, reveal), start)),
    )
    variables = (*encoding.rigid, *look.reveal_variables(rule))
    text = f"(set-logic ALL)\n{smtlib.declare(variables)}(assert {smtlib.text(question)})\n"
    result = solvers.run("z3", text + "(check-sat)\n", [v.name for v in variables], steps)
    if result.answer != "sat":
        return None
    p = bmc.setting_of(encoding, result.values)
    reveals = bmc.reveal_of(look, rule, result.values)
    looked = Looked(Play(p, ()), game.start(p).s, *both_offers(game, reveals))
    firing = [step.rule for step in looked.firing(doubled)]
    return firing[0] if len(firing) > 1 else None


def _shown(game: Game, play: Play) -> tuple[Play, Beside]:
    """Return two Plays whose last steps are two rules on what may come in one state.

    Where none but one rule fires, the second Play lacks its last step: a reveal is refused.
    """
    looked = looked_at(game, play)
    ends = [
        replace(looked.play, steps=(*looked.play.steps, step)) for step in looked.firing(game)
    ]
    if len(ends) > 1:
        return ends[0], Beside(ends[1])
    step = ends[0].steps[-1]
    return ends[0], Beside(looked.play, looked.second[game.rule(step.rule).reveal])
