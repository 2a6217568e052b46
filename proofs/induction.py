"""Induction with lemmas, and k-induction.

    φ = the claim ∧ every lemma it uses, and those they use
    1-induction   init ⇒ φ,  φ(x) ∧ trans(x, x') ⇒ φ(x'),  φ ⇒ the claim
    k-induction   the same with k steps running that keep φ; k grows until it holds

A step property is no part of φ: it has to follow from φ and one step.

Sheeran, Singh, Stålmarck: Checking safety properties using induction and a SAT-solver,
FMCAD 2000. The simple-path condition is not used: it makes the method complete for finite
systems only, and these are not finite.
"""

from __future__ import annotations

from ..models.algebra import Bool, all_of
from ..models.system import Game, Kind, Property
from . import certificate, smtlib
from .encoding import Encoding
from .solvers import Steps
from .verdict import Answer, Certificate

__all__ = ["attempt", "lemmas_of", "strengthening"]


def lemmas_of(game: Game, claim: Property) -> tuple[Property, ...]:
    """Return every property that a claim is proved with, in the game's order.

    Raises ValueError for a lemma that does not exist, or that speaks of steps.
    """
    found: dict[str, Property] = {}
    waiting = list(claim.using)
    while waiting:
        name = waiting.pop()
        if name == claim.id or name in found:
            continue
        try:
            lemma = game.property(name)
        except KeyError:
            raise ValueError(f"{claim.id} uses {name!r}, which {game.id} lacks") from None
        if lemma.kind is Kind.STEP:
            raise ValueError(f"{claim.id} uses {name!r}, which speaks of steps, not of states")
        found[name] = lemma
        waiting += lemma.using
    return tuple(lemma for lemma in game.properties if lemma.id in found)


def strengthening(encoding: Encoding, claim: Property) -> Bool:
    """Return φ for induction: the claim, if it speaks of states, and all its lemmas."""
    claims = [*lemmas_of(encoding.game, claim)]
    if claim.kind is not Kind.STEP:
        claims.append(claim)
    return all_of(encoding.holds(one) for one in claims)


def attempt(
    encoding: Encoding, claim: Property, k: int, system: str, steps: Steps
) -> tuple[Certificate, tuple[Answer, ...]]:
    """Try to prove a claim by k-induction with its lemmas.

    Returns the certificate and z3's answers to its obligations, up to the first that is not
    ``unsat``; the attempt has succeeded if all are.
    """
    phi = smtlib.text(strengthening(encoding, claim))
    tried = certificate.build(encoding, claim, k, phi, system)
    return tried, certificate.check(tried, "z3", steps)
