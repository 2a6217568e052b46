"""Results held against the game as it is here: claims word for word, Plays by their effect.

A proof must be about this game, and a Play must show what it is said to show. What a method
finds out for itself (a ranking function, a way on) is decided anew by ``recheck --against``
alone, for that takes a proof.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...errors import BadInput
from ...models.editions import Edition
from ...models.play import violated
from ...models.system import Game, Kind, Property
from ...oracles.claims import claims
from ...proofs.manifest import Expected, claims_of, expected_under, load_manifest
from ...proofs.statement import Proof
from ...proofs.verdict import Outcome
from ..against import Comparison
from .plays import Player
from .stored import Results, VerdictData

__all__ = ["check", "missing"]

# As many differences are named.
_NAMED = 5


def check(results: Results, game: Game, edition: Edition | None, player: Player) -> None:
    """Raise BadInput, naming the first differences, where results are not about this game."""
    known = {claim.id: claim for claim in game.properties}
    of_edition = claims(edition) if edition else {}
    reachable = {id_: one for id_, (one, _) in of_edition.items()}
    kinds = {id_: kind.id for id_, (_, kind) in of_edition.items()}
    wrong = [
        difference
        for one in results.verdicts
        if (difference := _difference(one, known, reachable, player))
    ]
    wrong += _unexpected(results, game, kinds)
    comparison = Comparison(game)
    for id_, folder in results.folders.items():
        claim = known.get(id_)
        if claim is not None and claim.kind is not Kind.GENERAL:
            wrong += [f"{id_}: {why}" for why in comparison.differences(Proof(folder, (), ""))]
    if wrong:
        more = [f"and {len(wrong) - _NAMED} more"] if len(wrong) > _NAMED else []
        where = f"{results.path}: these results are not about {game.id} as it is here"
        said = f"{where}; prove it again:"
        raise BadInput("\n  ".join([said, *wrong[:_NAMED], *more]))


def _difference(
    one: VerdictData,
    known: Mapping[str, Property],
    reachable: Mapping[str, Property],
    player: Player,
) -> str:
    """Return how a verdict differs from what the game claims, "" where it does not."""
    claim = known.get(one.claim) or reachable.get(one.claim)
    if claim is None:
        return f"{one.claim}: is no property of it, nor a prize of its edition"
    if (claim.says, list(claim.clauses)) != (one.says, one.clauses):
        return f"{one.claim}: it says: {claim.says} ({', '.join(claim.clauses)})"
    if one.verdict not in _needed(one, claim):
        return f"{one.claim}: is {one.verdict}, it says, but nothing there shows it"
    for data in one.plays:
        game, play, points = player.play(data, one.claim)
        if claim.kind is Kind.REACHABLE:
            end = points[-1]
            if claim.holds(play.setting, end.s, end.t) is not True:
                return f"{one.claim}: a Play of it does not win what it says"
        elif claim.kind is not Kind.GENERAL:
            after = violated(game, claim.id, play)
            if after is None or after != data.broken_after_step:
                return f"{one.claim}: its Play does not break it after the step it says"
    return ""


def _unexpected(results: Results, game: Game, kinds: Mapping[str, str]) -> Iterator[str]:
    """Yield the verdicts of which another is expected than they say.

    ``kinds`` are the ids under which the manifest has the claims that prizes can be won.
    """
    known = load_manifest(game)
    for one in results.verdicts:
        expected = known.get(kinds.get(one.claim, one.claim))
        if expected is None:  # a lemma: it is proved
            expected = Expected(Outcome.PROVED)
        expected = expected_under(game, expected, results.readings)
        cubes = {tuple(sorted(cube.items())) for cube in one.fails_under}
        fits = one.verdict == expected.outcome.value and cubes == set(expected.fails_under)
        if (one.expected, one.as_expected) != (expected.outcome.value, fits):
            yield (
                f"{one.claim}: {expected.outcome.value} is expected, so {one.verdict} is "
                f"{'' if fits else 'not '}as expected"
            )


def _needed(one: VerdictData, claim: Property) -> Iterator[str]:
    """Yield the verdicts for which there is all that they need."""
    certified = one.certificate is not None and bool(one.solvers)
    endless = one.termination is not None and bool(one.termination.endless)
    yield from ("bounded", "undecided")
    if claim.kind is Kind.REACHABLE:
        yield "proved" if one.plays else "refuted" if certified else "undecided"
        return
    if certified and not (one.plays or one.fails_under or endless):
        yield "proved"
    if certified and one.fails_under and len(one.plays) == len(one.fails_under):
        yield "depends"
    if (one.plays or endless) and not one.fails_under:
        yield "refuted"


def missing(results: Results, game: Game) -> tuple[str, ...]:
    """Return the properties of a game that the results say nothing of."""
    decided = {one.claim for one in results.verdicts}
    return tuple(claim.id for claim in claims_of(game) if claim.id not in decided)
