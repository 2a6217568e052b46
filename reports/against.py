"""Whether a proof is about the game it names: its statement compared with the models' own.

A folder can be consistent and yet be about something else. The game is encoded anew, under what
the proof says was fixed, and the system's text and the definitions of what is stated have to be
the same, word for word. What a method finds out for itself (a ranking function, a prize out of
reach) is decided anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..errors import BadInput
from ..models.editions import load_edition
from ..models.setting import figures_of
from ..models.system import Game, Kind, Property
from ..oracles.promises import KEPT, kept_by_targets
from ..oracles.reachable import decide as decide_reachable
from ..oracles.synthesis import Synthesis
from ..proofs import certificate, induction
from ..proofs.encoding import encode
from ..proofs.proof_format import Manifest, definitions, stated_names
from ..proofs.prover import prove
from ..proofs.statement import Proof
from ..proofs.verdict import Stated, Verdict
from ..proofs.workbench import Workbench
from .request import game_of

__all__ = ["Comparison", "compare"]

Texts = tuple[str, str, tuple[Stated, ...]]
"""A system's text, that of the claims, and what is stated."""


def compare(proofs: Sequence[Proof], references: Sequence[str]) -> dict[Path, str]:
    """Return, by folder, how proofs about these games differ from them; those that do.

    Raises BadInput for a game that is not there, or that no proof is about.
    """
    games = {game.id: game for game in map(game_of, references)}
    about = {proof.folder.manifest.game for proof in proofs}
    for id_ in games:
        if id_ not in about:
            raise BadInput(
                f"no proof here is about {id_}; there are: {', '.join(sorted(about))}"
            )
    comparisons = {id_: Comparison(game) for id_, game in games.items()}
    found: dict[Path, str] = {}
    for proof in proofs:
        comparison = comparisons.get(proof.folder.manifest.game)
        if comparison and (wrong := list(comparison.differences(proof))):
            found[proof.folder.path] = "; ".join(wrong)
    return found


class Comparison:
    """A game, encoded once for each way in which its proofs fix what it leaves open."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._benches: dict[str, Workbench] = {}

    def differences(self, proof: Proof) -> Iterator[str]:
        """Yield in words what a proof states otherwise than the game."""
        manifest = proof.folder.manifest
        yield from self._figures(manifest.fixed.get("figures", {}))
        try:
            made = self._texts(manifest)
        except (KeyError, TypeError, ValueError) as error:
            yield f"{self.game.id} cannot be encoded as it says: {error}"
            return
        if isinstance(made, str):
            yield made
            return
        system, claims, statement = made
        theirs = proof.folder.text(manifest.system)
        if theirs != system:
            first = _first_other(definitions(theirs), definitions(system))
            yield f"its system is not that of {self.game.id}: {first}"
        names = stated_names(system, [(one.id, one.kind) for one in statement])
        other = {n: t for n, t in definitions(claims).items() if n in names}
        own = {
            n: t
            for n, t in definitions(proof.folder.text(manifest.claims)).items()
            if n in names
        }
        if own != other:
            yield f"it claims something else: {_first_other(own, other)}"
        said = tuple(Stated(c.id, c.kind, c.says, tuple(c.clauses)) for c in proof.claims)
        if said != statement:
            yield "it says in words what it does not claim"

    def _figures(self, figures: Mapping[str, Any]) -> Iterator[str]:
        """Yield the figures that differ from the document's, those of an edition apart."""
        for name, shape in figures_of(self.game.setting).items():
            own = getattr(self.game.setting, name)
            if name not in figures:
                yield f"it does not say what {name} was"
            elif _frozen(figures[name]) != own and not shape.open:
                yield f"{name} was {figures[name]!r}, where {self.game.id} has {own!r}"

    def _texts(self, manifest: Manifest) -> Texts | str:
        """Return what the game's own proof would be about, or why there is no such proof."""
        bench = self._bench(manifest)
        game = bench.encoding.game
        claim = {one.id: one for one in game.properties}.get(manifest.property)
        readings = manifest.fixed.get("readings", {})
        if manifest.property.startswith(KEPT):
            return _of_promise(game, manifest.property)
        if claim is None:
            return _of(
                decide_reachable(Synthesis(load_edition(game), readings), manifest.property)
            )
        if claim.says != manifest.says:
            return f"{claim.id} says: {claim.says}"
        if list(claim.clauses) != manifest.clauses:
            return f"{claim.id} is about clauses {', '.join(claim.clauses)}"
        if claim.kind is Kind.GENERAL:
            return _of(prove(game, claim, bench=bench))
        return self._of_claim(bench, claim, manifest)

    def _of_claim(self, bench: Workbench, claim: Property, manifest: Manifest) -> Texts:
        stated = certificate.stated([claim])
        if manifest.conjuncts is not None:
            return bench.pieces, induction.definitions(bench, [claim]), stated
        cubes = [tuple(sorted(cube.items())) for cube in manifest.excluded]
        encoding = bench.encoding.without(cubes)
        made = certificate.whole(encoding, claim, manifest.k, "true", bench.system)
        return made.system, made.claims, stated

    def _bench(self, manifest: Manifest) -> Workbench:
        fixed = {what: _frozen_all(manifest.fixed.get(what, {})) for what in _FIXED}
        if (key := repr(fixed)) not in self._benches:
            own = figures_of(self.game.setting)
            figures = {name: one for name, one in fixed["figures"].items() if name in own}
            game = self.game.copy(**figures)
            encoding = encode(game, fixed["parameters"], fixed["readings"])
            self._benches[key] = Workbench(encoding)
        return self._benches[key]


_FIXED = ("figures", "parameters", "readings")


def _of_promise(game: Game, id_: str) -> Texts | str:
    """Return what is proved of how the game's own edition keeps a promise."""
    for kept in kept_by_targets(load_edition(game)):
        if kept.verdict and kept.verdict.property == id_:
            return _of(kept.verdict)
    return f"{id_} is about no promise that winning a prize of {game.id} keeps"


def _of(verdict: Verdict) -> Texts | str:
    made = verdict.certificate
    if made is None:
        return f"{verdict.property} is {verdict.outcome.value} now, and not by such a proof"
    return made.system, made.claims, made.statement


def _first_other(own: Mapping[str, str], other: Mapping[str, str]) -> str:
    """Return the first definition in which two texts differ, in words."""
    for name in [*own, *other]:
        if name not in other:
            return f"{name} is none of the game's"
        if name not in own:
            return f"{name} is missing"
        if own[name] != other[name]:
            return f"{name} is another"
    return "its constants are others"


def _frozen(value: Any) -> Any:
    """Return JSON's lists as the tuples they were."""
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def _frozen_all(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _frozen(value) for name, value in values.items()}
