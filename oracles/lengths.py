"""How much of a source of length Plays use: extra spins awarded, say, or answers in a row."""

from __future__ import annotations

from ..models.system import Step
from .compiled import Conditions, compiled
from .ground import Ground, Trace

__all__ = ["Length"]


class Length:
    """One source of length of a game; ``rules`` are those that may use it."""

    def __init__(self, ground: Ground, source: str) -> None:
        """StopIteration if the game names no such source."""
        limit = next(one for one in ground.game.limits if one.id == source)
        encoding = ground.encoding
        here = encoding.point().s
        self._renewed = limit.renewed
        self._spent: dict[str, Conditions] = {}
        for formula in encoding.rules:
            step = Step(formula.rule.id, encoding.reveal(formula.rule))
            spent = limit.spent(ground.p, here, step)
            if not (isinstance(spent, int) and spent == 0):
                self._spent[formula.rule.id] = compiled([spent])
        self.rules = tuple(self._spent)

    def used(self, trace: Trace) -> int:
        """Return how much of it a Play uses: the most between two renewals."""
        now, most = 0, 0
        for number, move in enumerate(trace.moves):
            if move.rule in self._renewed:
                now = 0
            if move.rule in self._spent:
                known = {**trace.states[number], **move.revealed}
                now += int(self._spent[move.rule](known)[0])
                most = max(most, now)
        return most
