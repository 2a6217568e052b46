"""Certificates: the pair (k, φ), and the three checks that make it a proof.

    base      the start, and what follows it, satisfies φ k states running
    step      φ is preserved, from k states running to the next
    property  φ implies what is claimed of a state, or of a step

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
from . import smtlib, unrolling
from .encoding import Encoding
from .unrolling import Unrolling
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
    return unrolling.at(_sorted(variables), moment)


def points(encoding: Encoding, moments: range) -> str:
    """Declare the points at these moments, and the reveals of the steps between them."""
    return _unrolling(encoding).points(moments)


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
    claims = _claim(encoding, claim, phi)
    lines = _unrolling(encoding)
    parts = (
        ("base", lines.base(k)),
        ("step", lines.step(k)),
        ("property", lines.property(claim.kind is Kind.STEP)),
    )
    obligations = (
        Obligation(claim.id, part, "", system + claims + closing) for part, closing in parts
    )
    return Certificate(
        k,
        phi,
        system,
        tuple(obligations),
        stated([claim]),
        claims,
        excluded=encoding.excluded,
        fixed=encoding.fixed(),
    )


def _claim(encoding: Encoding, claim: Property, phi: str) -> str:
    left_out = "".join(f" {line}" for line in encoding.left_out())
    if claim.kind is Kind.STEP:
        holds = smtlib.define("holds", encoding.over_step, encoding.holds_everywhere(claim))
    else:
        holds = smtlib.define("holds", encoding.state, encoding.holds(claim))
    return (
        smtlib.define_as("rigid", (), f"(and ranges true{left_out})")
        + smtlib.define_as("phi", encoding.state, phi)
        + holds
    )


def _unrolling(encoding: Encoding) -> Unrolling:
    return Unrolling(_sorted(encoding.state), _sorted(encoding.reveals))


def _sorted(variables: Iterable[Variable]) -> list[tuple[str, str]]:
    return [(variable.name, variable.sort) for variable in variables]
