"""Plays that bring together what others did apart, each kept for what no Play before came to.

Before a step by a rule every two fields of the state stand in some order: one is less, both are
equal, or it is more; and so does each with nothing. A Play after others is kept where a rule
is taken in an order that is new. What is kept is varied and spliced in turn, so that what takes
several rare things at once (a full ladder, and then an upgrade) comes nearer step by step.

As coverage leads fuzzing: Zalewski, American fuzzy lop, 2013; Böhme, Pham & Roychoudhury:
Coverage-based greybox fuzzing as Markov chain, CCS 2016.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ..ground import Ground, Trace
from ..wander import Wander

__all__ = ["grown"]

# Plays made at most, and in one batch; batches in vain after which there are no more.
_MOST, _BATCH, _VAIN = 6000, 50, 4
_NEW = 4  # orders that are new, for which a Play is kept


class _Orders:
    """Which orders of two fields each rule was taken in."""

    def __init__(self, ground: Ground) -> None:
        self._names = [v.name for v in ground.state]
        self._rules = {rule: number for number, rule in enumerate(ground.formulas)}
        self._one, self._other = np.triu_indices(len(self._names) + 1, 1)
        self._pairs = np.arange(len(self._one))
        self._seen = np.zeros((len(self._rules), len(self._one), 3), dtype=bool)

    def new(self, trace: Trace) -> int:
        """Return how many orders of a Play are new, and take them in."""
        if not trace.moves:
            return 0
        rows = [[*(int(state[n]) for n in self._names), 0] for state in trace.states[:-1]]
        held = np.array(rows, dtype=np.int64)
        order = np.sign(held[:, self._one] - held[:, self._other]) + 1
        rules = np.array([self._rules[rule] for rule in trace.rules])[:, None]
        before = int(self._seen.sum())
        self._seen[rules, self._pairs, order] = True
        return int(self._seen.sum()) - before


def grown(wander: Wander, begun: Sequence[Trace]) -> Iterator[Trace]:
    """Yield Plays, made of those at hand and of one another, that come to something new."""
    orders = _Orders(wander.ground)
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
