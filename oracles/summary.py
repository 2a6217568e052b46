"""What a log held: how many Plays, and which of all the rules, pairs and prizes were seen."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ..models.editions import Edition

__all__ = ["Summary"]


@dataclass
class Summary:
    """Counts over all Plays that were judged. What was never seen is listed, not left out.

    ``steps`` counts the rules that fired by the one before, "" at first; ``parts`` Plays by the
    part of a prize that they won, ``rows`` by the row of the prize table, by number: these two
    have all there are, also those with 0. ``showing`` counts events that show something of the
    state, ``amounts`` counts Plays by what they won (pence).
    """

    all_rules: tuple[str, ...]
    parts: dict[str, int]
    rows: dict[int, int]
    plays: int = 0
    finished: int = 0
    events: int = 0
    showing: int = 0
    resumed: int = 0
    promises_unknown: int = 0
    not_judged: int = 0
    without_outcome: int = 0
    with_unknowns: int = 0
    undecided: int = 0
    steps: Counter[tuple[str, str]] = field(default_factory=Counter)
    amounts: Counter[int] = field(default_factory=Counter)

    @classmethod
    def of(cls, edition: Edition, parts: Sequence[str]) -> Summary:
        """Return the summary of no Play at all."""
        return cls(
            all_rules=tuple(rule.id for rule in edition.game.rules),
            parts=dict.fromkeys(parts, 0),
            rows={row.number: 0 for row in edition.prizes},
        )

    @property
    def rules(self) -> dict[str, int]:
        """How often each rule of the game fired, also those that never did."""
        times = dict.fromkeys(self.all_rules, 0)
        for (_, rule), number in self.steps.items():
            times[rule] += number
        return times

    @property
    def pairs(self) -> Counter[tuple[str, str]]:
        """How often one rule fired right after another."""
        return Counter({pair: times for pair, times in self.steps.items() if pair[0]})

    def pays(self, paid: int, parts: Mapping[str, int], row: int | None) -> None:
        """Count what a Play wins (pence): in all, by part, and as a row of the table."""
        self.amounts[paid] += 1
        for name, won in parts.items():
            if won:
                self.parts[name] += 1
        if row is not None:
            self.rows[row] += 1

    def add(self, other: Summary) -> None:
        """Count what another summary of the same edition counted, too."""
        for field_ in dataclasses.fields(self):
            mine, theirs = getattr(self, field_.name), getattr(other, field_.name)
            if isinstance(mine, tuple):
                continue
            if isinstance(mine, dict):
                for key, times in theirs.items():
                    mine[key] = mine.get(key, 0) + times
            else:
                setattr(self, field_.name, mine + theirs)

    @property
    def never_seen(self) -> tuple[str, ...]:
        """The rules that no event was of."""
        return tuple(rule for rule, times in self.rules.items() if not times)

    @property
    def rows_never_seen(self) -> tuple[int, ...]:
        """The rows of the prize table that no Play won."""
        return tuple(row for row, times in self.rows.items() if not times)
