"""Shards gone through by kernels first: what is plainly right in them, and what is left."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from ..finding import Finding
from ..log import Text, texts_in
from ..shards import Lines, Shard
from ..summary import Summary
from .plays import Part, Plays

if TYPE_CHECKING:
    from ..judge import Judge
    from .events import Plain, Rules
    from .texts import Texts

__all__ = ["Found", "Quickly"]


@dataclass(frozen=True)
class Found:
    """What is plainly right in a shard, the counts over it, and the rest.

    Each text of the rest has how many events of ``plain`` are between it and the one before.
    """

    plain: Plain
    summary: Summary
    rest: Iterable[tuple[int, Text | Finding]]


class Quickly:
    """Goes through shards by the kernels of a judge."""

    def __init__(self, rules: Rules, judge: Judge) -> None:
        self._rules = rules
        self._judge = judge

    @cached_property
    def _texts(self) -> Texts:
        from .texts import Texts

        return Texts(self._rules, self._judge)

    def __call__(self, shard: Shard) -> Found | None:
        """Return what is plainly right in a shard; None where nothing can be said of it."""
        if isinstance(shard, Plays):
            return self._of_plays(shard)
        if isinstance(shard, Lines):
            found = self._texts.judged(shard)
            return None if found is None else Found(*found)
        return None

    def _of_plays(self, shard: Plays) -> Found | None:
        from .whole import judged_plays

        if shard.layout != self._rules.layout:
            return None
        table = shard.batch()
        judged = judged_plays(self._rules, table)
        if judged is None:
            return None
        plain, summary, rows = judged

        def rest() -> Iterable[tuple[int, Text | Finding]]:
            for gap, row in rows:
                part = Part(shard.name, shard.first + row, shard.layout, table.slice(row, 1))
                for text in texts_in(part):
                    yield gap, text
                    gap = 0

        return Found(plain, summary, rest())
