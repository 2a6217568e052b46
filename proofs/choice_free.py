"""``choice-free``: two Plays with the same reveals show the same prize, whatever is chosen.

What is proved is more: over two copies of the game, a and b, with the same reveals,

    a and b agree on all that decides the prize and the course of the Play, at every step,
    and what is revealed and legal for one choice is legal for every other.

What decides them is the cone of influence: what the prize, the end and the guards of the rules
speak of, and all that these depend on, step by step. What the screen shows of a choice and no
rule reads is not in it. The claim is an invariant of the product, proved by 1-induction.

It is refuted by two Plays with the same reveals and other choices that show different prizes,
or of which only one can go on. They are looked for from where the copies come apart; where
none is found the verdict is ``undecided``, as to depend on a choice and to pay the same is no
contradiction, and the Plays shown are those that come apart.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

from ..models.algebra import Bool, all_of, any_of, equal, implies, negate, variables_of
from ..models.play import Play
from ..models.setting import readings_of
from ..models.system import Kind, Property
from . import bmc, induction
from .budget import Budget
from .encoding import Encoding, encode
from .engines import Inquiry, told
from .events import Listener
from .product import Product, copies, product
from .shorten import shorten
from .verdict import Beside, Outcome, Verdict
from .workbench import Workbench

__all__ = ["decide_choice_free", "same_course", "what_decides"]


def decide_choice_free(
    bench: Workbench, claim: Property, budget: Budget, listener: Listener
) -> Verdict:
    """Prove that choices decide nothing, or show two Plays that differ by them."""
    encoding = bench.encoding
    both = same_course(encoding, claim)
    stated = both.game.property(claim.id)
    doubled = encode(both.game, encoding.parameters, encoding.readings)
    inquiry = Inquiry(Workbench(doubled, bench.answers), stated, budget, listener)
    verdict = inquiry.run()
    apart = [play for play, _ in verdict.plays]
    found = [_differing(encoding, claim, both, play, inquiry) for play in apart]
    pairs = [pair or both.plays(play) for pair, play in zip(found, apart, strict=True)]
    verdict = told(verdict, [play for play, _ in pairs], [beside for _, beside in pairs])
    if verdict.certificate and not verdict.remark:
        verdict = replace(verdict, remark=_chosen(encoding))
    if None not in found:
        return verdict
    said = (
        f"Plays come apart, but none of up to {budget.depth} steps that pay different prizes, "
        "or of which one alone can go on"
    )
    return replace(verdict, outcome=Outcome.UNDECIDED, certificate=None, remark=said)


def _chosen(encoding: Encoding) -> str:
    """Return in words what is left to the player, whom the claim is about."""
    kinds: tuple[Any, ...] = encoding.game.reveal_kinds()
    chosen = [
        f"{field.name.replace('_', ' ')} ({kind.__name__})"
        for kind in kinds
        for field in fields(kind)
        if field.metadata["shape"].choice
    ]
    if not chosen:
        return "nothing in a reveal is left to the player, so there is nothing to decide"
    return f"left to the player: {', '.join(chosen)}"


def same_course(encoding: Encoding, claim: Property) -> Product:
    """Return the product with the claim that the copies agree, and neither is left behind."""
    game = encoding.game
    differ = _differ(encoding)

    def holds(p: Any, x: Any, t: Any) -> Bool:
        return negate(any_of(differ(*copies(game, x)), x.apart))

    stated = replace(claim, kind=Kind.INVARIANT, holds=holds)
    return product(game, stated, induction.lemmas_of(game, claim))


def _differ(encoding: Encoding) -> Callable[[Any, Any], Bool]:
    deciding = what_decides(encoding)
    shape = encoding.game.state_shape()

    def differ(one: Any, other: Any) -> Bool:
        a, b = shape.scalars(one), shape.scalars(other)
        return any_of(negate(equal(a[name], b[name])) for name in deciding)

    return differ


def what_decides(encoding: Encoding) -> tuple[str, ...]:
    """Return what the prize, the end and the rules' guards depend on, in the state's order."""
    game, p = encoding.game, encoding.p
    here = encoding.point()
    asked = [game.goal.ended(p, here.s), game.goal.paid(p, here.s)]
    waiting = [*asked, *(formula.guard for formula in encoding.rules)]
    known: set[str] = set()
    while waiting:
        new = variables_of(*waiting) - known
        known |= new
        waiting = [
            update
            for formula in encoding.rules
            for variable, update in zip(encoding.state, formula.updates, strict=True)
            if variable.name in new
        ]
    return tuple(v.name for v in game.state_shape().variables if f"s.{v.name}" in known)


def _differing(
    encoding: Encoding, claim: Property, both: Product, play: Play, inquiry: Inquiry
) -> tuple[Play, Beside] | None:
    """Return two Plays that a choice makes different, given one of both copies coming apart."""
    if play.steps[-1].rule not in both.pairs:  # one of them cannot go on
        return both.plays(play)
    readings = {
        name: getattr(play.setting, name.replace("-", "_")).name
        for name in readings_of(play.setting)
    }
    steps, depth = inquiry.steps(inquiry.budget.bmc), inquiry.budget.depth
    opening = [step.rule for step in play.steps]  # how they came apart is the first to try
    for pair in (_same_prize(encoding, claim), _neither_left_behind(encoding, claim)):
        stated = pair.game.property(claim.id)
        doubled = encode(pair.game, encoding.parameters, readings)
        for along in (opening, ()):
            found = bmc.search(
                doubled, stated, depth, steps, first=len(play.steps), along=along
            )
            if found.play is not None:
                return pair.plays(shorten(pair.game, stated, found.play)[0])
    return None


def _neither_left_behind(encoding: Encoding, claim: Property) -> Product:
    """Return the product with the claim that what one copy can take, the other can as well."""

    def holds(p: Any, x: Any, t: Any) -> Bool:
        return negate(x.apart)

    return product(encoding.game, replace(claim, kind=Kind.INVARIANT, holds=holds))


def _same_prize(encoding: Encoding, claim: Property) -> Product:
    """Return the product, with moves of one copy alone, with the claim that both pay the same.

    A copy moves alone only once the copies differ in what decides the prize.
    """
    game = encoding.game

    def holds(p: Any, x: Any, t: Any) -> Bool:
        a, b = copies(game, x)
        return implies(
            all_of(game.goal.ended(p, a), game.goal.ended(p, b)),
            equal(game.goal.paid(p, a), game.goal.paid(p, b)),
        )

    return product(
        game, replace(claim, kind=Kind.INVARIANT, holds=holds), alone=_differ(encoding)
    )
