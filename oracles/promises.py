"""Promises: sentences of a document that no rule guarantees, and how scripts keep them.

    theorem      no Play ends with the promise broken, proved by induction
    obligation   some Play does, and is shown: scripts have to keep it

That scripts keep an obligation has two parts. For some targets it follows from winning them:

    ended(x) ∧ x wins the target  ⇒  kept(x)        whatever the state x

That is an invariant of the game under the edition, with a certificate like any other: each rule
leads to states in which it holds. Of other targets it does not follow: there it is checked on
the end of every script, and one that breaks a promise is not written (``oracles.script``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..models.algebra import Bool, all_of, any_of, implies, negate
from ..models.editions import Edition, default_readings, has_edition, load_edition
from ..models.games import load_game
from ..models.setting import settle
from ..models.system import Kind, Promise, Property
from ..models.tomlfile import TomlFile
from ..proofs import smtlib, solvers
from ..proofs.budget import Budget
from ..proofs.encoding import encode
from ..proofs.engines import Inquiry
from ..proofs.events import Event, Listener, silent
from ..proofs.solvers import Steps
from ..proofs.verdict import Outcome, Verdict
from ..proofs.workbench import Workbench
from .targets import Target, claimed, parse_targets

__all__ = ["KEPT", "Keeping", "Kept", "kept_by_targets"]

KEPT = "kept-"
"""How the claim that a promise is kept is called: this, and then the promise."""

_STEPS = Steps(z3=2_000_000, cvc5=400_000)


@dataclass(frozen=True)
class Kept:
    """How the targets of an edition keep one promise.

    ``judges`` is false where the promise says nothing under this edition (a table that is
    missing). ``follows`` are targets whose win alone keeps it, as ``verdict`` proves;
    ``checked`` are the others, whose scripts are checked one by one.
    """

    promise: str
    judges: bool
    follows: tuple[str, ...] = ()
    checked: tuple[str, ...] = ()
    verdict: Verdict | None = None

    @property
    def solvers(self) -> tuple[str, ...]:
        """The solvers that confirmed it."""
        answers = self.verdict.answers if self.verdict else ()
        return tuple(dict.fromkeys(answer.solver for answer in answers))


@dataclass(frozen=True)
class Keeping:
    """How an edition's targets keep a game's promises, as work for ``proofs.campaign``.

    ``edition`` is a file as it was read; without one it is the game's own.
    """

    game: str
    edition: TomlFile | None = None
    property: str = "promises"
    weight: int = 1

    def decide(self, budget: Budget, tell: Listener, memory: object) -> object:
        """Prove it of each promise, and tell."""
        game = load_game(self.game)
        tell(Event("started", game.id, self.property))
        loaded = self.edition is not None or has_edition(game)
        kept = kept_by_targets(load_edition(game, self.edition)) if loaded else ()
        tell(Event("finished", game.id, self.property, "kept", sanity=kept))
        return kept


def kept_by_targets(edition: Edition) -> tuple[Kept, ...]:
    """Return for each promise of a game how the scripts of an edition's targets keep it."""
    game = edition.game
    readings = default_readings(game.setting)
    p, _, _ = settle(game.setting, edition.parameters, readings)
    listed = bool(edition.prizes or claimed(edition))
    targets = parse_targets("all", edition) if listed and game.promises else ()
    return tuple(_kept(edition, p, promise, targets) for promise in game.promises)


def _kept(edition: Edition, p: Any, promise: Promise, targets: Sequence[Target]) -> Kept:
    game = edition.game
    s, t = game.state_shape().terms("@s"), game.tally_shape().terms("@t")
    kept = promise.kept(p, s, t)
    if kept is True or not targets:
        return Kept(promise.id, judges=kept is not True)

    def follows(some: Sequence[Target]) -> bool:
        """Return whether it follows from winning any of these, in a solver's first opinion."""
        won = any_of(one.won(game, p, s) for one in some)
        broken: Bool = all_of(game.goal.ended(p, s), won, negate(kept))
        text = (
            "(set-logic ALL)\n"
            + smtlib.declare(game.state_shape().variables, "@s")
            + smtlib.declare(game.tally_shape().variables, "@t")
            + f"(assert {smtlib.text(broken)})\n(check-sat)\n"
        )
        return solvers.run("z3", text, steps=_STEPS).answer == "unsat"

    some = targets if follows(targets) else [one for one in targets if follows([one])]
    verdict = _proved(edition, promise, some) if some else None
    if verdict is None:  # no proof: check every script
        some = ()
    return Kept(
        promise.id,
        True,
        tuple(str(one) for one in some),
        tuple(str(one) for one in targets if one not in some),
        verdict,
    )


def _proved(edition: Edition, promise: Promise, targets: Sequence[Target]) -> Verdict | None:
    """Return the verdict that winning any of these targets keeps a promise, if it is proved."""
    game = edition.game

    def holds(p: Any, s: Any, t: Any) -> Bool:
        won = any_of(one.won(game, p, s) for one in targets)
        return implies(all_of(game.goal.ended(p, s), won), promise.kept(p, s, t))

    says = f"Where a Play ends with one of {len(targets)} prizes: {promise.says}"
    claim = Property(f"{KEPT}{promise.id}", Kind.INVARIANT, promise.clauses, says, holds)
    encoding = encode(game, edition.parameters, default_readings(game.setting))
    inquiry = Inquiry(Workbench(encoding), claim, Budget(), silent)
    proof = inquiry.induction(encoding, 1, [])
    verdict = inquiry.proved(encoding, proof) if proof else None
    return verdict if verdict and verdict.outcome is Outcome.PROVED else None
