"""Prizes that can be won: each claim decided by a Play, or by a proof that there is none.

Reachability is a matter of one edition and one way to take every reading (the first choices,
unless told). A claim is ``proved`` by a Play for each of its prizes, replayed by the rules;
``refuted`` where a prize is proved out of reach, and then the certificate says so.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ..models.algebra import Bool, any_of
from ..models.editions import Edition, default_readings, load_edition
from ..models.games import load_game
from ..models.play import Play
from ..models.setting import settle
from ..models.system import Kind, Property, Reachable
from ..proofs.events import Event, Listener
from ..proofs.prover import Budget
from ..proofs.verdict import Outcome, Verdict
from .synthesis import Synthesis
from .targets import Target, parse_target

__all__ = ["Reach", "claims", "decide", "prizes"]


def prizes(edition: Edition) -> Mapping[str, tuple[str, ...]]:
    """Return what each reachability claim says can be won under an edition, by its id."""
    return {id_: won for _, members in _members(edition) for id_, won in members.items()}


def claims(edition: Edition) -> dict[str, tuple[Property, Reachable]]:
    """Return the reachability claims of a game under an edition, by id.

    Each comes with what the game's file says of all its kind.
    """
    found = {}
    for kind, members in _members(edition):
        for id_, won in members.items():
            targets = tuple(parse_target(one, edition) for one in won)
            says = f"{kind.says} Here: {', '.join(map(str, targets))}."
            claim = Property(
                id_, Kind.REACHABLE, kind.clauses, says, _any_won(edition, targets)
            )
            found[id_] = (claim, kind)
    return found


def _members(edition: Edition) -> list[tuple[Reachable, Mapping[str, tuple[str, ...]]]]:
    setting = edition.game.setting
    p = settle(setting, edition.parameters, default_readings(setting))[0]
    rows = len(edition.prizes)
    return [(kind, kind.members(p, rows)) for kind in edition.game.reachable]


def _any_won(edition: Edition, targets: tuple[Target, ...]) -> Callable[..., Bool]:
    def holds(p: Any, s: Any, t: Any) -> Bool:
        return any_of(target.won(edition.game, p, s) for target in targets)

    return holds


@dataclass(frozen=True)
class Reach:
    """One reachability claim to decide, as work for ``proofs.campaign``.

    ``edition`` is a file; without one it is the edition that comes with the game.
    """

    game: str
    property: str
    edition: Path | None = None
    readings: Mapping[str, str] = field(default_factory=dict)

    def decide(self, budget: Budget, tell: Listener, memory: dict[Any, Any]) -> object:
        """Decide it with what is known of the game's paths already."""
        fixed = repr(("reach", self.game, self.edition, self.readings))
        if fixed not in memory:
            loaded = load_edition(load_game(self.game), self.edition)
            memory[fixed] = Synthesis(loaded, self.readings)
        synthesis: Synthesis = memory[fixed]
        game = synthesis.edition.game.id
        tell(Event("started", game, self.property))
        tell(Event("engine", game, self.property, "synthesis"))
        verdict = decide(synthesis, self.property)
        tell(Event("finished", game, self.property, verdict.outcome.value, verdict))
        return verdict


def decide(synthesis: Synthesis, id_: str) -> Verdict:
    """Return the verdict on one reachability claim; KeyError if the edition has none such."""
    began = time.perf_counter()
    edition = synthesis.edition
    found = Verdict(edition.game.id, id_, Outcome.PROVED, "synthesis", 0)
    plays: list[tuple[Play, int]] = []
    for text in prizes(edition)[id_]:
        target = parse_target(text, edition)
        finding = synthesis.find(target)
        plays += [(play, len(play.steps)) for play in finding.plays]
        if finding.plays:
            continue
        found = replace(
            found, outcome=Outcome.UNDECIDED, remark=f"no Play was found that wins {target}"
        )
        if finding.unreachable and finding.verdict is not None:
            found = replace(
                found,
                outcome=Outcome.REFUTED,
                method=finding.verdict.method,
                certificate=finding.verdict.certificate,
                answers=finding.verdict.answers,
                remark=f"no Play of any length wins {target}",
            )
        break
    seconds = time.perf_counter() - began
    return replace(
        found,
        depth=max((length for _, length in plays), default=0),
        plays=tuple(plays),
        assumptions=(
            f"edition {edition.name}",
            *(f"{name} is taken as {choice}" for name, choice in synthesis.readings.items()),
        ),
        seconds=seconds,
        spent=(("ours", seconds),),
    )
