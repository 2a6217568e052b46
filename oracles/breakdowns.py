"""What a bare amount may be made of: rows of the table, then sums of what parts can pay.

A solver finds a Play for a breakdown far sooner than for an amount alone, which leaves it the
sums to try as well.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from ..models.editions import Edition
from ..models.system import Game
from ..proofs.paths import Walker
from .targets import Component, Target, row_target

__all__ = ["of_parts", "of_table"]

# How many parts of few amounts are put together.
_TOGETHER = 3


def of_table(edition: Edition, target: Target) -> Iterator[Target]:
    """Yield the rows of the prize table that pay a bare target."""
    for row in edition.prizes:
        if row.amount == target.amount:
            yield row_target(row, edition.game)


def of_parts(game: Game, p: Any, target: Target) -> Iterator[Target]:
    """Yield breakdowns of a bare target, those of few parts first.

    Parts that can pay a few amounts only (rows, ladders) pay one of them each; what is left is
    paid by a part that can pay any amount (a pot).
    """
    few, any_amount = _parts(game, p)
    for size in range(_TOGETHER + 1):
        for names in itertools.combinations(few, size):
            for amounts in itertools.product(*(few[name] for name in names)):
                left = target.amount - sum(amounts)
                paid = [Component(*pair) for pair in zip(names, amounts, strict=True)]
                if left == 0 and paid:
                    yield Target(target.amount, tuple(paid))
                if left > 0 and size < _TOGETHER:
                    for name in any_amount:
                        yield Target(target.amount, (*paid, Component(name, left)))


def _parts(game: Game, p: Any) -> tuple[dict[str, list[int]], list[str]]:
    """Return the amounts (pence) of each part that pays a few only, and the other parts."""
    walker = Walker(game, p)
    here = walker.anywhere()
    few: dict[str, set[int]] = {}
    any_amount: set[str] = set()
    for rule in game.rules:
        after = walker.take(here, rule)
        if after is None or not after.reader().of(after.ended).holds(1):
            continue
        for name, won in game.goal.parts(p, after.state).items():
            span = after.reader().of(won)
            if span.few is None:
                any_amount.add(name)
            else:
                few.setdefault(name, set()).update(span.few - {0})
    return (
        {name: sorted(few[name]) for name in few if name not in any_amount},
        sorted(any_amount),
    )
