"""Games in which the player's choice decides: what comes up is fixed before it is made."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from playproof.models.algebra import Bool, Int, all_of, any_of, negate, pick, same, total, where
from playproof.models.colour_collector import (
    BONUS,
    FEW,
    MANY,
    Collector,
    highlighted,
    may_be_won,
    odd,
    right_answer,
    wrong_answer,
)
from playproof.models.colour_collector import State as Collected
from playproof.models.diamond_riches import Pick, Riches
from playproof.models.diamond_riches import State as Climbed
from playproof.models.diamond_riches import pick as pick_icon
from playproof.models.shape import count, counts, flag
from playproof.models.system import Reveal

from .colour_collector_broken import SMALL as SMALL_COLLECTOR
from .diamond_riches_broken import ONE_SPIN


@dataclass(frozen=True)
class OneNumber(Reveal):
    """A round whose number is fixed before odd or even is picked."""

    picked_odd: Bool = flag("whether odd was picked, not even", choice=True)
    number: Int = count("the number that comes up", 1, "reel")
    box: Int = count("which Bonus Prize on show is highlighted", 1, "on_show")
    symbols: Sequence[Int] = counts("symbols for a row, where that is won", "rows")

    def legal(self, p: Collector, s: Collected) -> Bool:
        kind, number = highlighted(s, self)  # type: ignore[arg-type]
        symbols = where(any_of(kind == FEW, kind == MANY), number, 0)
        return all_of(total(self.symbols) == symbols, may_be_won(p, s, kind))

    def right(self, p: Collector) -> Bool:
        return same(self.picked_odd, odd(p, self.number))


def _on_one_number(rule: Any, when: Any) -> Any:
    return dataclasses.replace(rule, reveal=OneNumber, when=when)


NUMBER_FIRST = SMALL_COLLECTOR.with_rule(
    _on_one_number(right_answer, lambda p, s, r: all_of(s.phase == BONUS, r.right(p)))
).with_rule(
    _on_one_number(wrong_answer, lambda p, s, r: all_of(s.phase == BONUS, negate(r.right(p))))
)
"""Colour Collector with one number a round, for whichever parity is picked."""


@dataclass(frozen=True)
class FixedTiles(Reveal):
    """A pick from tiles whose icons are fixed before it."""

    icons: Sequence[Int] = counts("icon below a tile", "places", 1, "last_icon")
    tile: Int = count("tile taken", 1, "tiles", choice=True)

    def legal(self, p: Riches, s: Climbed) -> Bool:
        return self.taken(p).legal(p, s)

    def taken(self, p: Riches) -> Pick:
        """Return the pick that this tile makes of it."""
        return Pick(icon=pick(self.icons, self.tile, first=1), tile=self.tile)


@dataclass(frozen=True)
class RichesWithTiles(Riches):
    """Diamond Riches with a place for each tile."""

    @property
    def places(self) -> tuple[str, ...]:
        """The tiles by number."""
        return tuple(str(tile) for tile in range(1, self.tiles + 1))


TILES_FIRST = (
    dataclasses.replace(
        ONE_SPIN,
        setting=RichesWithTiles(
            **{f.name: getattr(ONE_SPIN.setting, f.name) for f in dataclasses.fields(Riches)}
        ),
    )
    .copy(tiles=2)
    .with_rule(
        dataclasses.replace(
            pick_icon,
            reveal=FixedTiles,
            effect=lambda p, s, r: pick_icon.effect(p, s, r.taken(p)),
        )
    )
)
"""Diamond Riches with two tiles to pick from, whose icons are fixed."""
