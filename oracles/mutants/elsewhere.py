"""Where else a step that may not come may be asked for, that a mutant wrongly accepts.

It was found where one Play stands. Another does as well where the rules refuse it too and the
mutant accepts it: so that no script is needed only to stand there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ..ground import Move, Trace
from .columns import Columns
from .deciding import Decided
from .making import Mutant, Mutants
from .steps import Place

__all__ = ["elsewhere"]

_STATES = 12  # of a Play that are looked at, spread over it


def elsewhere(
    mutants: Mutants, traces: Sequence[Trace], refused: Sequence[tuple[Mutant, Decided]]
) -> Iterator[tuple[Place, Mapping[str, Any]]]:
    """Yield more places for the refused steps of some mutants, with the state at each."""
    at = [
        (play, step)
        for play, trace in enumerate(traces)
        for step in range(0, len(trace.states), max(1, len(trace.states) // _STATES))
    ]
    states = [traces[play].states[step] for play, step in at]
    held = {v.name: np.array([s[v.name] for s in states]) for v in mutants.ground.state}
    of: dict[tuple[Any, ...], tuple[Move, list[Mutant]]] = {}
    for mutant, one in refused:
        move = one.refused
        part = mutant.of(move.rule) if move else None
        if move is not None and part is not None:
            key = (move.rule, *move.revealed.items())
            of.setdefault(key, (move, []))[1].append(part)
    for move, parts in of.values():
        shown = {name: np.full(len(states), value) for name, value in move.revealed.items()}
        columns = Columns({**held, **shown}, len(states))
        legal = columns.of(mutants.rules[move.rule].guard, keep=True)
        accepted = np.zeros(len(states), dtype=bool)
        for part in parts:
            if part.guard is not None:
                accepted |= columns.of(part.guard)
        seen: set[int] = set()
        for row in np.flatnonzero(accepted & ~legal).tolist():
            play, step = at[row]
            if play not in seen:
                seen.add(play)
                yield Place(play, step, move), states[row]
