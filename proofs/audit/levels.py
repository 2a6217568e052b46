"""Amounts that a game can pay in each part of a prize, as far as its limits tell.

Worked out from the game's own formulas by spans: a row that is not filled pays nothing, and one
that is pays its amount at some level. What has no such list (a pot) may pay anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...models.money import pounds
from ...models.system import Game
from ..paths import Walker
from .flaws import Flaw
from .table import PrizeTable

__all__ = ["levels", "off_level"]


def levels(game: Game, p: Any) -> Mapping[str, frozenset[int] | None]:
    """Return the amounts (pence) of each part of a prize; None for a part that may be any."""
    anywhere = Walker(game, p).anywhere()
    reader = anywhere.reader()
    return {
        name: reader.of(won).few for name, won in game.goal.parts(p, anywhere.state).items()
    }


def off_level(table: PrizeTable, game: Game, p: Any) -> Iterator[Flaw]:
    """Yield the rows with an amount that no part of the game pays."""
    paid = levels(game, p)
    listed = frozenset[int]().union(*(few for few in paid.values() if few is not None))
    open_ = [name for name, few in paid.items() if few is None]
    for row in table.rows:
        parts = row.parts or ()
        amounts = [(one.amount, one.name) for one in parts] or [(row.amount, None)]
        for amount, name in amounts:
            if name is not None and _named(name, paid) in open_:
                continue
            allowed = listed if name is None else paid.get(_named(name, paid)) or frozenset()
            if name is None and not parts and open_:
                continue  # an amount alone may be of any part
            if amount not in allowed:
                of = f" of {name}" if name else ""
                message = f"{pounds(amount)}{of} is not among the game's amounts"
                yield Flaw("level", message, row.number, row.line)


def _named(name: str, parts: Mapping[str, object]) -> str:
    """Return the part that a name means, whatever its capitals."""
    return next((one for one in parts if one.lower() == name.lower()), name)
