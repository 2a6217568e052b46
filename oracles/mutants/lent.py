"""Plays brought to a rule from where it would do other than it should.

A mutant may differ only where several rare things have come together, long before its rule is
due. So every state of every Play at hand is looked at as if the rule were taken there, all of
them at once; from those in which the mutant would differ a Play goes on as another one did,
from the rule that was due till the one that is wanted.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from ..ground import Move, Trace
from .columns import Columns
from .making import Mutant, Mutants

__all__ = ["Lent"]

# Reveals of the rule that are tried, places from which a Play is brought there, and ways: of
# each kind there are some, for one fits what a place holds where another does not.
_REVEALS, _PLACES, _WAYS, _OF_A_KIND = 10, 24, 60, 6


class Lent:
    """Brings Plays to rules by what other Plays did; ``known`` may grow in the meantime."""

    def __init__(
        self, mutants: Mutants, known: Sequence[Trace], numbers: random.Random
    ) -> None:
        self.mutants, self.ground, self.known = mutants, mutants.ground, known
        self._random = numbers
        self._found: dict[tuple[str, str], list[tuple[Move, ...]]] = {}

    def begun(self, mutant: Mutant) -> Iterator[Trace]:
        """Yield beginnings of Plays, up to a step by a mutant's rule where it may differ.

        Of a mutant that changes when a rule may come there are none.
        """
        own = [move for trace in self.known for move in trace.moves if move.rule == mutant.rule]
        if mutant.guard is not None or not own:
            return
        for move in self._random.sample(own, min(_REVEALS, len(own))):
            rows = self._rows(mutant, move.revealed)
            for row in self._random.sample(rows, min(_PLACES, len(rows))):
                trace, number = self._places[row]
                for along in self._ways(trace.rules[number], mutant.rule):
                    before = self.ground.along(trace.upto(number), along[:-1])
                    if before is None:
                        continue
                    for last in (along[-1], move):
                        if (begun := self.ground.longer(before, last)) is not None:
                            yield begun

    @cached_property
    def _places(self) -> list[tuple[Trace, int]]:
        """Where something is due: each state once."""
        found: dict[tuple[Any, ...], tuple[Trace, int]] = {}
        for trace in self.known:
            for number in range(len(trace.moves)):
                found.setdefault(tuple(trace.states[number].values()), (trace, number))
        return list(found.values())

    @cached_property
    def _held(self) -> Mapping[str, Any]:
        states = [trace.states[number] for trace, number in self._places]
        return {v.name: np.array([s[v.name] for s in states]) for v in self.ground.state}

    def _rows(self, mutant: Mutant, revealed: Mapping[str, Any]) -> list[int]:
        """Return where a mutant would do otherwise if its rule were taken with a reveal."""
        size = len(self._places)
        shown = {name: np.full(size, value) for name, value in revealed.items()}
        columns = Columns({**self._held, **shown}, size)
        rule = self.mutants.rules[mutant.rule]
        pairs = ((rule.updates[name], value) for name, value in mutant.updates.items())
        return sorted({row for old, new in pairs for row in columns.differ(old, new)})

    def _ways(self, first: str, last: str) -> list[tuple[Move, ...]]:
        """Return what Plays did from one rule to another, both included, short ways first.

        Ways by the same rules are of one kind.
        """
        if (first, last) in self._found:
            return self._found[first, last]
        found: dict[tuple[str, ...], list[tuple[Move, ...]]] = {}
        for trace in self._random.sample(self.known, len(self.known)):
            for number, rule in enumerate(trace.rules):
                if rule == first and last in trace.rules[number:]:
                    to = trace.rules.index(last, number) + 1
                    kind = found.setdefault(trace.rules[number:to], [])
                    if len(kind) < _OF_A_KIND:
                        kind.append(trace.moves[number:to])
        ways = [way for rules in sorted(found, key=len) for way in found[rules]]
        self._found[first, last] = ways[:_WAYS]
        return self._found[first, last]
