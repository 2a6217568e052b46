"""Promises: sentences of a document that no rule guarantees, and how scripts keep them.

    theorem      no Play ends with the promise broken, proved by induction
    obligation   some Play does, and is shown: scripts have to keep it

That scripts keep an obligation has two parts. For some targets it follows from winning them:

    limits(x) ∧ ended(x) ∧ x wins the target ∧ ¬ kept(x)        is unsatisfiable

for z3 and for cvc5, of whatever end state. Of other targets it does not: there it is checked on
the end of every script, and one that breaks a promise is not written (``oracles.script``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from ..models.algebra import Bool, all_of, any_of, negate
from ..models.editions import Edition, default_readings
from ..models.setting import settle
from ..models.system import Promise
from ..proofs import smtlib, solvers
from ..proofs.solvers import Steps
from .targets import Target, claimed, parse_targets

__all__ = ["Kept", "kept_by_targets"]

_STEPS = Steps(z3=2_000_000, cvc5=400_000)


@dataclass(frozen=True)
class Kept:
    """How the targets of an edition keep one promise.

    ``judges`` is false where the promise says nothing under this edition (a table that is
    missing). ``follows`` are targets whose win alone keeps it, confirmed by ``solvers`` on a
    text with that hash; ``checked`` are the others, whose scripts are checked one by one.
    """

    promise: str
    judges: bool
    follows: tuple[str, ...] = ()
    checked: tuple[str, ...] = ()
    solvers: tuple[str, ...] = ()
    sha256: str = ""


def kept_by_targets(edition: Edition) -> tuple[Kept, ...]:
    """Return for each promise of a game how the scripts of an edition's targets keep it."""
    game = edition.game
    readings = default_readings(game.setting)
    p, _, _ = settle(game.setting, edition.parameters, readings)
    listed = bool(edition.prizes or claimed(edition))
    targets = parse_targets("all", edition) if listed else ()
    return tuple(_kept(edition, p, promise, targets) for promise in game.promises)


def _kept(edition: Edition, p: Any, promise: Promise, targets: Sequence[Target]) -> Kept:
    game = edition.game
    s, t = game.state_shape().terms("@s"), game.tally_shape().terms("@t")
    kept = promise.kept(p, s, t)
    if kept is True or not targets:
        return Kept(promise.id, judges=kept is not True)
    limits = all_of(game.state_shape().within_limits(s), game.tally_shape().within_limits(t))
    broken = all_of(limits, game.goal.ended(p, s), negate(kept))

    def text(some: Sequence[Target]) -> str:
        condition: Bool = all_of(broken, any_of(one.won(game, p, s) for one in some))
        return (
            "(set-logic ALL)\n"
            + smtlib.declare(game.state_shape().variables, "@s")
            + smtlib.declare(game.tally_shape().variables, "@t")
            + f"(assert {smtlib.text(condition)})\n(check-sat)\n"
        )

    def never(solver: str, some: Sequence[Target]) -> bool:
        return solvers.run(solver, text(some), steps=_STEPS).answer == "unsat"

    follows = list(targets)
    if not never("z3", targets):
        follows = [one for one in targets if never("z3", [one])]
    agreed = tuple(name for name in ("z3", "cvc5") if follows and never(name, follows))
    if agreed != ("z3", "cvc5"):  # no second opinion, no proof: check every script
        follows = []
    return Kept(
        promise.id,
        True,
        tuple(str(one) for one in follows),
        tuple(str(one) for one in targets if one not in follows),
        agreed if follows else (),
        sha256(text(follows).encode()).hexdigest() if follows else "",
    )
