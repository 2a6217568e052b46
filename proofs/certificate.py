"""Certificates: the pair (k, φ), and the three checks that make it a proof.

    base      rigid ∧ init(x0) ∧ trans(x0, x1) ∧ … ⇒ φ(x0) ∧ … ∧ φ(xk-1)
    step      rigid ∧ φ(x0) ∧ trans(x0, x1) ∧ φ(x1) ∧ … ∧ trans(xk-1, xk) ⇒ φ(xk)
    property  rigid ∧ φ(x) ⇒ holds(x), or for a step property
              rigid ∧ φ(x) ∧ trans(x, x') ⇒ holds(x, x')

Each is written as its negation, which no values satisfy: ``unsat`` is the right answer. Here
the system is taken whole, for k-induction and for a φ that a solver found; ``induction`` takes
1-induction with lemmas apart into smaller checks of the same kind.

What a certificate shows is that these three follow for the system as it is written in its text;
that the text says what the game's rules say is the encoder's part, tested by other means.

Mebsout, Tinelli: Proof certificates for SMT-based model checkers, FMCAD 2016.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..models.shape import Variable
from ..models.system import Kind, Property
from . import smtlib
from .encoding import Encoding
from .verdict import Certificate, Obligation, Stated

__all__ = ["at", "moves", "points", "stated", "whole"]


def stated(claims: Iterable[Property]) -> tuple[Stated, ...]:
    """Return claims as what a certificate states."""
    return tuple(
        Stated(
            claim.id,
            "step" if claim.kind is Kind.STEP else "invariant",
            claim.says,
            claim.clauses,
        )
        for claim in claims
    )


def at(variables: Iterable[Variable], moment: int) -> list[str]:
    """Return the names of variables at a moment of an unrolling: ``s.spins@3``."""
    return [f"{variable.name}@{moment}" for variable in variables]


def points(encoding: Encoding, moments: range) -> str:
    """Declare the points at these moments, and the reveals of the steps between them."""
    return "".join(
        smtlib.declare(encoding.state, f"@{moment}")
        + (smtlib.declare(encoding.reveals, f"@{moment}") if moment + 1 in moments else "")
        for moment in moments
    )


def moves(encoding: Encoding, moment: int) -> list[str]:
    """Return the arguments of a step from one moment to the next."""
    return [
        *at(encoding.state, moment),
        *at(encoding.reveals, moment),
        *at(encoding.state, moment + 1),
    ]


def whole(encoding: Encoding, claim: Property, k: int, phi: str, system: str) -> Certificate:
    """Return the certificate of a claim: φ is given as text over the state's variables.

    ``system`` is ``encoding.system()``. A check is the text of the system, then of the claim,
    then its closing lines.
    """
    opening = system + _claim(encoding, claim, phi)
    parts = (
        ("base", _base(encoding, k)),
        ("step", _step(encoding, k)),
        ("property", _property(encoding, claim)),
    )
    obligations = (Obligation(claim.id, part, "", opening + lines) for part, lines in parts)
    return Certificate(
        k,
        phi,
        system,
        tuple(obligations),
        stated([claim]),
        excluded=encoding.excluded,
        fixed=encoding.fixed(),
    )


def _claim(encoding: Encoding, claim: Property, phi: str) -> str:
    left_out = " ".join(encoding.left_out())
    if claim.kind is Kind.STEP:
        holds = smtlib.define("holds", encoding.over_step, encoding.holds_everywhere(claim))
    else:
        holds = smtlib.define("holds", encoding.state, encoding.holds(claim))
    return (
        smtlib.define_as("rigid", (), f"(and ranges true {left_out})")
        + smtlib.define_as("phi", encoding.state, phi)
        + holds
    )


def _base(encoding: Encoding, k: int) -> str:
    lines = [points(encoding, range(k)), "(assert rigid)\n"]
    lines.append(f"(assert {smtlib.apply('init', at(encoding.state, 0))})\n")
    lines += [
        f"(assert {smtlib.apply('trans', moves(encoding, moment))})\n"
        for moment in range(k - 1)
    ]
    kept = " ".join(smtlib.apply("phi", at(encoding.state, moment)) for moment in range(k))
    return "".join(lines) + f"(assert (not (and true {kept})))\n(check-sat)\n"


def _step(encoding: Encoding, k: int) -> str:
    lines = [points(encoding, range(k + 1)), "(assert rigid)\n"]
    for moment in range(k):
        lines.append(f"(assert {smtlib.apply('phi', at(encoding.state, moment))})\n")
        lines.append(f"(assert {smtlib.apply('trans', moves(encoding, moment))})\n")
    last = smtlib.apply("phi", at(encoding.state, k))
    return "".join(lines) + f"(assert (not {last}))\n(check-sat)\n"


def _property(encoding: Encoding, claim: Property) -> str:
    over_step = claim.kind is Kind.STEP
    holds = smtlib.apply("holds", moves(encoding, 0) if over_step else at(encoding.state, 0))
    lines = [points(encoding, range(2 if over_step else 1)), "(assert rigid)\n"]
    lines.append(f"(assert {smtlib.apply('phi', at(encoding.state, 0))})\n")
    if over_step:
        lines.append(f"(assert {smtlib.apply('trans', moves(encoding, 0))})\n")
    return "".join(lines) + f"(assert (not {holds}))\n(check-sat)\n"
