"""Plays that bring together what others did apart, each kept for what no Play before came to.

Before a step by a rule every two fields of the state stand in some order: one is less, both are
equal, or it is more; and so does each with nothing. A Play after others is kept where a rule
is taken in an order that is new, or new where something of the same label (a row, a ladder) is
full. What is kept is varied and spliced in turn, so that what takes
several rare things at once (a full ladder, and then an upgrade) comes nearer step by step.

As coverage leads fuzzing: Zalewski, American fuzzy lop, 2013; Böhme, Pham & Roychoudhury:
Coverage-based greybox fuzzing as Markov chain, CCS 2016.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ..ground import Ground, Trace
from ..wander import Wander

__all__ = ["grown"]

# Plays made at most, and in one batch; batches in vain after which there are no more.
_MOST, _BATCH, _VAIN = 3000, 50, 4
_NEW = 4  # orders that are new, for which a Play is kept


class _Orders:
    """Which orders of two fields each rule was taken in, as such and where something is full.

    ``begun`` are Plays that show how much a field may hold. What is full is of one label, and
    so is one of the two fields at least.
    """

    def __init__(self, ground: Ground, begun: Sequence[Trace]) -> None:
        names = [v.name for v in ground.state]
        self._names = names
        self._rules = {rule: number for number, rule in enumerate(ground.formulas)}
        self._two = np.triu_indices(len(names) + 1, 1)
        self._seen = np.zeros((len(self._rules), len(self._two[0]), 3), dtype=bool)
        labels = [name.split(".", 2)[2:] for name in names]
        alike = [
            (full, one, other)
            for full, label in enumerate(labels)
            for one in range(len(names))
            for other in range(len(names))
            if label and labels[one] == label and full not in (one, other) and one != other
            if not labels[other] or (labels[other] == label and one < other)
        ]
        self._three = np.array(alike, dtype=np.int64).reshape(-1, 3).T
        self._seen_full = np.zeros((len(self._rules), len(alike), 3), dtype=bool)
        most = [self._held(trace).max(axis=0) for trace in begun if trace.moves]
        self._most = np.max(most, axis=0) if most else np.zeros(len(names) + 1, dtype=np.int64)

    def _held(self, trace: Trace) -> NDArray[np.int64]:
        rows = [[*(int(state[n]) for n in self._names), 0] for state in trace.states[:-1]]
        return np.array(rows, dtype=np.int64)

    def new(self, trace: Trace) -> int:
        """Return how many orders of a Play are new, and take them in."""
        if not trace.moves:
            return 0
        held = self._held(trace)
        rules = np.array([self._rules[rule] for rule in trace.rules])
        order = np.sign(held[:, self._two[0]] - held[:, self._two[1]]) + 1
        before = self._count(rules)
        self._seen[rules[:, None], np.arange(order.shape[1]), order] = True
        full, one, other = self._three
        steps, those = np.nonzero((held == self._most)[:, full] & (self._most[full] > 0))
        order = np.sign(held[steps, one[those]] - held[steps, other[those]]) + 1
        self._seen_full[rules[steps], those, order] = True
        return self._count(rules) - before

    def _count(self, rules: NDArray[np.int64]) -> int:
        """Return how many orders there were before steps by some rules."""
        some = np.unique(rules)
        return int(self._seen[some].sum()) + int(self._seen_full[some].sum())


def grown(wander: Wander, begun: Sequence[Trace]) -> Iterator[Trace]:
    """Yield Plays, made of those at hand and of one another, that come to something new."""
    orders = _Orders(wander.ground, begun)
    known = [*begun]
    for trace in known:
        orders.new(trace)
    vain = 0
    for _ in range(0, _MOST, _BATCH):
        found = [one for one in wander.batch(_BATCH, known) if orders.new(one) >= _NEW]
        known += found
        yield from found
        vain = 0 if found else vain + 1
        if vain == _VAIN:
            return
