"""The prize table of an edition, and how a Play stands beside it."""

from __future__ import annotations

from collections.abc import Mapping

from ..models.editions import Edition

__all__ = ["Ending", "Table"]

Amounts = Mapping[str, int]


class Table:
    """An edition's prize table, by what a prize is made of."""

    def __init__(self, edition: Edition) -> None:
        self._named = edition.game.goal.named
        self.amounts = frozenset(row.amount for row in edition.prizes)
        self.rows = {row.number: row for row in edition.prizes}
        self._rows = {
            (tuple(sorted(row.parts)), row.prize_game): row.number for row in edition.prizes
        }

    def row(self, parts: Amounts) -> int | None:
        """Return the number of the row that a prize is, by its parts (pence); None if none."""
        bare = sorted(won for name, won in parts.items() if won and name not in self._named)
        named = sum(parts.get(name, 0) for name in self._named)
        return self._rows.get((tuple(bare), named))


class Ending:
    """How a Play stands: whether it is over, what it pays (pence), what for, in which row.

    ``parts`` has every part of a prize there is, ``won`` those that won something; ``row`` is
    the number of the row of the table, None if it is none.
    """

    __slots__ = ("ended", "paid", "parts", "row", "table", "won")

    def __init__(self, ended: bool, paid: int, parts: Amounts, table: Table) -> None:
        self.ended = ended
        self.paid = paid
        self.parts = parts
        self.table = table
        self.won = {name: won for name, won in parts.items() if won}
        self.row = table.row(parts) if paid else None
