"""What Plays in lines pay: predetermined, shown as won, paid; looked at once for all alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from ..decode import UNDECODED, keys_in
from ..event import FINISH, Event
from ..finding import Finding
from ..payment import judge_outcome, rightly_paid

if TYPE_CHECKING:
    from .events import Judged, Rules

__all__ = ["Payments"]

_MOST = 20_000
_WRONG = -2

Array = Any


class Payments:
    """Judges payments by the rules; remembers what it was asked."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._known: dict[tuple[Any, ...], int | None] = {}

    def of(
        self,
        data: Array,
        judged: Judged,
        places: Array,
        paid: Array,
        starts: Array,
        finishes: Array,
    ) -> Array:
        """Return the predetermined amounts; a Play with a wrong payment is right no longer.

        ``starts`` and ``finishes`` have the line of each Play; ``places`` where in ``data``
        the outcome of a line and the parts won are.
        """
        amounts = np.full(len(starts), -1, np.int64)
        plays = np.flatnonzero(judged.right)
        texts = np.hstack([places[starts[plays], 2:4], places[finishes[plays], 4:6]])
        numbers = np.stack([paid[finishes[plays]], judged.ended[plays]], axis=1)
        like = self._rules.words.alike_before(data, texts, numbers)
        found = np.zeros(len(plays), np.int64)
        for place in np.flatnonzero(like == np.arange(len(plays))).tolist():
            begun, ended, won, won_end = texts[place].tolist()
            key = (
                data[begun:ended].tobytes(), data[won:won_end].tobytes(),
                *numbers[place].tolist(),
            )  # fmt: skip
            if key not in self._known:
                if len(self._known) > _MOST:
                    self._known.clear()
                self._known[key] = self._payment(*key)
            amount = self._known[key]
            found[place] = _WRONG if amount is None else amount
        found = found[like]
        amounts[plays] = np.maximum(found, -1)
        judged.right[plays[found == _WRONG]] = False
        return amounts

    def _payment(self, outcome: bytes, won: bytes, paid: int, ended: int) -> int | None:
        """Return the predetermined amount, -1 where none is said; None if anything is wrong."""
        try:
            given = msgspec.json.decode(outcome) if outcome else None
            shown = msgspec.json.decode(won) if won else None
        except UNDECODED:
            return None
        for text, said in ((outcome, given), (won, shown)):
            if said is not None and text.count(b":") != keys_in(said):
                return None
        expected = self._rules.expected
        found: list[Finding] = []
        if given is not None and not given.keys() <= {"amount", "parts", "row"}:
            return None
        right = judge_outcome(given, expected.parts, expected.table, found)
        finish = Event("", 0, FINISH, paid=paid, won=shown)
        if found or not rightly_paid(finish, right, self._rules.endings[ended]):
            return None
        return -1 if right.amount is None else right.amount
