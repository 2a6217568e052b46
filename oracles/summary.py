"""What a log held: how many Plays, and which of all the rules, pairs and prizes were seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from ..models.editions import Edition

__all__ = ["Summary"]


@dataclass
class Summary:
    """Counts over all Plays that were judged. What was never seen is listed, not left out.

    ``rules`` has every rule of the game, also those with 0 events; ``parts`` every part of a
    prize; ``rows`` every row of the prize table by its number. ``amounts`` counts the Prize
    Amounts (pence) that were paid.
    """

    rules: dict[str, int]
    parts: dict[str, int]
    rows: dict[int, int]
    plays: int = 0
    finished: int = 0
    events: int = 0
    resumed: int = 0
    not_judged: int = 0
    with_unknowns: int = 0
    undecided: int = 0
    findings: int = 0
    pairs: Counter[tuple[str, str]] = field(default_factory=Counter)
    amounts: Counter[int] = field(default_factory=Counter)

    @classmethod
    def of(cls, edition: Edition, parts: Sequence[str]) -> Summary:
        """Return the summary of no Play at all."""
        return cls(
            rules={rule.id: 0 for rule in edition.game.rules},
            parts=dict.fromkeys(parts, 0),
            rows={row.number: 0 for row in edition.prizes},
        )

    @property
    def never_seen(self) -> tuple[str, ...]:
        """The rules that no event was of."""
        return tuple(rule for rule, times in self.rules.items() if not times)

    @property
    def rows_never_seen(self) -> tuple[int, ...]:
        """The rows of the prize table that no Play won."""
        return tuple(row for row, times in self.rows.items() if not times)
