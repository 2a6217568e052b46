"""Prizes that can be won: each claim decided by a Play, or by a proof that there is none.

Reachability is a matter of one edition and one way to take every reading (the first choices,
unless told). A claim is ``proved`` by a Play for each of its prizes, replayed by the rules;
``refuted`` where a prize is proved out of reach, and then the certificate says so.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ..models.editions import load_edition
from ..models.games import load_game
from ..models.play import Play
from ..models.tomlfile import TomlFile
from ..proofs.budget import Budget
from ..proofs.campaign import Memory
from ..proofs.events import Event, Listener
from ..proofs.verdict import Outcome, Verdict
from .claims import prizes
from .synthesis import Synthesis
from .targets import parse_target

__all__ = ["Reach", "decide"]


@dataclass(frozen=True)
class Reach:
    """One reachability claim to decide, as work for ``proofs.campaign``.

    ``edition`` is a file as it was read, for a pipe is read but once, and a file may change
    meanwhile; without one it is the edition that comes with the game.
    """

    game: str
    property: str
    edition: TomlFile | None = None
    readings: Mapping[str, str] = field(default_factory=dict)
    weight: int = 0

    def decide(self, budget: Budget, tell: Listener, memory: Memory) -> object:
        """Decide it with what is known of the game's paths already."""
        file = self.edition.hash if self.edition else None
        fixed = repr(("reach", self.game, file, self.readings))
        if fixed not in memory.kept:
            loaded = load_edition(load_game(self.game), self.edition)
            memory.kept[fixed] = Synthesis(loaded, self.readings)
        synthesis: Synthesis = memory.kept[fixed]
        game = synthesis.edition.game.id
        tell(Event("started", game, self.property))
        tell(Event("engine", game, self.property, "synthesis"))
        verdict = decide(synthesis, self.property, budget.seconds)
        tell(Event("finished", game, self.property, verdict.outcome.value, verdict))
        return verdict


def decide(synthesis: Synthesis, id_: str, timeout: float | None = None) -> Verdict:
    """Return the verdict on one reachability claim; KeyError if the edition has none such.

    ``timeout`` (seconds, for the whole claim) can only turn it into ``undecided``.
    """
    began = time.perf_counter()
    edition = synthesis.edition
    found = Verdict(edition.game.id, id_, Outcome.PROVED, "synthesis", 0)
    plays: list[tuple[Play, int]] = []
    for text in prizes(edition)[id_]:
        target = parse_target(text, edition)
        left = timeout and timeout - (time.perf_counter() - began)
        finding = synthesis.find(target, seconds=left)
        plays += [(play, len(play.steps)) for play in finding.plays]
        if finding.plays:
            continue
        found = replace(
            found,
            outcome=Outcome.UNDECIDED,
            remark=f"no Play was found that wins {target}: {finding.remark}",
        )
        if finding.unreachable and finding.verdict is not None:
            found = replace(
                found,
                outcome=Outcome.REFUTED,
                method=finding.verdict.method,
                certificate=finding.verdict.certificate,
                answers=finding.verdict.answers,
                spent=finding.verdict.spent,
                remark=f"no Play of any length wins {target}",
            )
        break
    seconds = time.perf_counter() - began
    solving = tuple((who, spent) for who, spent in found.spent if who != "ours")
    return replace(
        found,
        depth=max((length for _, length in plays), default=0),
        plays=tuple(plays),
        assumptions=(
            f"edition {edition.name}",
            *(f"{name} is taken as {choice}" for name, choice in synthesis.readings.items()),
        ),
        seconds=seconds,
        spent=(("ours", seconds - sum(spent for _, spent in solving)), *solving),
    )
