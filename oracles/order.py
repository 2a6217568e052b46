"""The steps of a Play in their order, though they come twice, late, or not at all."""

from __future__ import annotations

from dataclasses import dataclass

from .event import FINISH, Event, Where
from .finding import Finding

__all__ = ["Order", "Turn"]

_MOST_AHEAD = 200


@dataclass(frozen=True)
class Turn:
    """A step whose turn it is; ``missing`` counts the steps before it that never came."""

    event: Event
    where: Where
    missing: int = 0


class Order:
    """Holds back steps that came too early, until those before them came or the Play ends.

    ``step`` is the number of the last step whose turn it was.
    """

    def __init__(self) -> None:
        self.step = 0
        self.ahead: dict[int, tuple[Event, Where]] = {}
        self._told: set[str] = set()

    def sort(self, event: Event, where: Where) -> tuple[list[Finding], list[Turn]]:
        """Return what is wrong with the place of an event, and the steps whose turn it is."""
        number = event.step
        if number <= self.step or number in self.ahead:
            said = f"step {number} comes again ({event.event}), and is left out"
            return self._say("again", said, event, where), []
        if number > self.step + 1:
            self.ahead[number] = (event, where)
            whole = event.event == FINISH or len(self.ahead) > _MOST_AHEAD
            return self.give_up() if whole else ([], [])
        found: list[Finding] = []
        if self.ahead:
            said = f"step {number} comes after step {max(self.ahead)}"
            found = self._say("late", said, event, where)
        self.ahead[number] = (event, where)
        turns: list[Turn] = []
        while (following := self.ahead.pop(self.step + 1, None)) is not None:
            self.step += 1
            turns.append(Turn(*following))
        return found, turns

    def give_up(self) -> tuple[list[Finding], list[Turn]]:
        """Return that steps are missing, and all those that were held back."""
        found: list[Finding] = []
        turns: list[Turn] = []
        for number in sorted(self.ahead):
            event, where = self.ahead.pop(number)
            first, missing = self.step + 1, number - self.step - 1
            if missing:
                which = (
                    f"step {first} is" if missing == 1 else f"steps {first} to {number - 1} are"
                )
                found += self._say(f"missing {first}", f"{which} missing", event, where)
            turns.append(Turn(event, where, missing))
            self.step = number
        return found, turns

    def _say(self, key: str, words: str, event: Event, where: Where) -> list[Finding]:
        if key in self._told:
            return []
        self._told.add(key)
        return [Finding("order", words, where, event.play, event.step)]
