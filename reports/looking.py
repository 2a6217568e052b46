"""What is looked for beside the verdicts of one request: conditions that come about, promises.

What needs no verdict is looked for while properties are proved, so that no process is idle; the
rest, from the Plays that came of it and with the invariants that were proved, afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ..models.editions import has_edition
from ..models.system import Kind
from ..oracles.promises import Keeping, Kept
from ..proofs import induction
from ..proofs.antecedents import antecedents
from ..proofs.campaign import Work
from ..proofs.encoding import encode
from ..proofs.manifest import claims_of
from ..proofs.sane import Found, GameSanity
from ..proofs.sanity import GameCheck, judged_kinds
from ..proofs.verdict import Outcome
from .judged import Judged
from .request import Request

__all__ = ["Looking", "looking"]

# As many Plays that are known already are looked at for what comes about in them.
_PLAYS = 24


@dataclass(frozen=True)
class Looking:
    """What to look for beside one request's verdicts, none of it for want of conditions."""

    request: Request
    search: GameCheck | None
    keeping: Keeping | None

    @property
    def work(self) -> tuple[Work, ...]:
        """What can be done before there are verdicts."""
        return tuple(one for one in (self.search, self.keeping) if one is not None)

    def found(self, results: Iterator[object]) -> tuple[GameSanity | None, tuple[Kept, ...]]:
        """Return what this work came to, taken from results in its order."""
        known = next(results) if self.search else None
        kept = next(results) if self.keeping else ()
        return (
            known if isinstance(known, GameSanity) else None,
            kept if isinstance(kept, tuple) else (),
        )

    def rest(self, found: GameSanity | None, judged: Sequence[Judged]) -> GameCheck | None:
        """Return what is left to look for once there are verdicts; None where nothing is."""
        if self.search is None or found is None:
            return None
        open_ = any(one.found is Found.EXHAUSTED for one in found.conditions())
        if not open_ and not self.search.witnesses:
            return None
        proved = [one for one in judged if one.verdict.outcome is Outcome.PROVED]
        known = {one.claim.id for one in proved if one.claim.kind in _OF_STATES}
        for one in proved:
            if one.claim.kind in judged_kinds:
                known |= {it.id for it in induction.lemmas_of(one.game, one.claim)}
        plays = [play for one in judged for play, _ in one.verdict.plays]
        return replace(
            self.search,
            proved=tuple(c.id for c in self.request.game.properties if c.id in known),
            plays=tuple(plays[:: 1 + len(plays) // _PLAYS]),
            before=found,
            brief=False,
        )


_OF_STATES = (Kind.INVARIANT, Kind.LEMMA)


def looking(request: Request, witness: bool) -> Looking:
    """Return what to look for in a game: all of it, or what the properties asked speak of."""
    game = request.game
    formulas = [claim for claim in request.claims if claim.kind in judged_kinds]
    decided = {claim.id for claim in request.claims}
    whole = {claim.id for claim in claims_of(game)} <= decided
    encoding = encode(game, request.parameters, request.readings)
    search = None
    if formulas and (whole or witness or any(antecedents(encoding, one) for one in formulas)):
        search = GameCheck(
            request.reference,
            tuple(claim.id for claim in formulas),
            None if whole else (),
            witnesses=witness,
            brief=True,
            parameters=request.parameters or {},
            readings=request.readings,
            figures=request.edition.figures if request.edition else {},
        )
    keeps = whole and bool(game.promises) and (request.edition or has_edition(game))
    return Looking(
        request, search, Keeping(request.reference, request.source) if keeps else None
    )
