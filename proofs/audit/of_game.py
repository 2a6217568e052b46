"""The prize table of an edition, with the headlines that its game states as figures."""

from __future__ import annotations

from fractions import Fraction

from ...models.editions import Edition, PrizeRow
from ...models.setting import figures_of
from .table import Headlines, Part, Printed, PrizeTable, Row

__all__ = ["headlines_of", "table_of"]


def headlines_of(edition: Edition) -> Headlines:
    """Return what a game states of its prize table.

    That is in its figures ``price`` (pence), ``overall_odds`` (x in "1 in x", in hundredths)
    and ``payout`` (in hundredths of a percent), as far as it has them.
    """
    setting = edition.game.setting
    known = {name: getattr(setting, name) for name in figures_of(setting)}

    def hundredths(name: str) -> Printed | None:
        if name not in known:
            return None
        value = Fraction(known[name], 100)
        return Printed(value, Fraction(1, 100), f"{float(value):.2f}")

    return Headlines(known.get("price"), hundredths("overall_odds"), hundredths("payout"))


def table_of(edition: Edition) -> PrizeTable:
    """Return the prize table of an edition; one without rows where it has none."""
    rows = tuple(_row(row) for row in edition.prizes)
    return PrizeTable(edition.game.id, rows, headlines_of(edition))


def _row(row: PrizeRow) -> Row:
    parts = [Part(amount) for amount in row.parts]
    if row.prize_game:
        parts.append(Part(row.prize_game, "Prize Game"))
    one_unnamed = len(parts) == 1 and parts[0].name is None
    odds = Printed(Fraction(row.odds), Fraction(1), f"{row.odds:,}")
    return Row(row.number, row.amount, () if one_unnamed else tuple(parts), odds)
