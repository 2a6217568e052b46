"""A bank of reveals: of every rule, those of Plays that wander, and single ones besides."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...models.shape import Variable
from ..aim import Aim
from ..goals import Losing
from ..ground import Ground, Trace
from ..wander import Wander
from .memory import Builder

__all__ = ["least", "put_bank", "values_of"]

# Plays that wander, and single steps by each rule, at random and as wished.
_WANDER, _STEPS, _WISHES = 160, 64, 48
# Plays made to have a rule that none of the others has.
_AIMED = 2
# Reveals by a rule that are enough; else those by others that reveal the same join them.
_ENOUGH = 8


def put_bank(
    into: Builder, ground: Ground, traces: Sequence[Trace], seed: int, width: int
) -> None:
    """Put in reveals by every rule: out of known Plays, and of others by the seed."""
    numbers = random.Random(f"bank {seed}")
    wander = Wander(ground, seed)
    known = list(traces)
    for trace in traces:
        wander.learn(trace)
    known += list(wander.batch(_WANDER, known))
    aim = Aim(ground, wander, seed)
    for rule in ground.game.rules:
        if not any(rule.id in trace.rules for trace in known):
            known += itertools.islice(aim.at(Losing(rule.id, "", rule.id), known), _AIMED)
    banks = []
    for rule in ground.game.rules:
        variables = ground.revealed[rule.id]
        taken = [
            (trace.states[step], move.revealed)
            for trace in known
            for step, move in enumerate(trace.moves)
            if move.rule == rule.id
        ]
        seen = [revealed for _, revealed in taken]
        if taken and variables:
            seen += _steps(wander, rule.id, [state for state, _ in taken], numbers)
        plain = tuple(least(v) for v in variables)
        banks.append([*dict.fromkeys(values_of(variables, one) for one in seen)] or [plain])
    wander.close()
    of_kind = [
        [
            row
            for rows, other in zip(banks, ground.game.rules, strict=True)
            if other.reveal is rule.reveal
            for row in rows
        ]
        for rule in ground.game.rules
    ]
    banks = [
        own if len(own) >= _ENOUGH else [*own, *others]
        for own, others in zip(banks, of_kind, strict=True)
    ]
    counts = [len(rows) for rows in banks]
    into.row("bank_first", [sum(counts[:rule]) for rule in range(len(counts))])
    into.row("bank_count", counts)
    into.table("bank", [row for rows in banks for row in rows], width)


def least(variable: Variable) -> int:
    """Return the least number there is of a scalar."""
    return 0 if variable.sort == "Bool" else variable.low or 0


def values_of(variables: Sequence[Variable], revealed: Mapping[str, Any]) -> tuple[int, ...]:
    """Return what is revealed in order; what is chosen is the least it may be."""
    return tuple(least(v) if v.choice else int(revealed[v.name]) for v in variables)


def _steps(
    wander: Wander, rule: str, states: Sequence[Mapping[str, Any]], numbers: random.Random
) -> Iterator[Mapping[str, Any]]:
    """Yield what a rule may reveal in some states: at random, and as near to what is wished.

    What is legal only where several numbers agree is hardly met at random: so wishes are, by
    a solver.
    """
    for number in range(_STEPS + _WISHES):
        state = numbers.choice(states)
        if number < _STEPS:
            move = wander.reveal(state, rule, numbers.choice((0.1, 0.2, 0.3, 0.5)))
        else:
            wished = {v.name: _wish(v, numbers) for v in wander.ground.revealed[rule]}
            move = wander.nearest(state, rule, wished)
        if move is not None:
            yield move.revealed


def _wish(variable: Variable, numbers: random.Random) -> int | bool:
    if variable.sort == "Bool":
        return numbers.random() < 0.5
    low = variable.low or 0
    if variable.high is not None:
        return numbers.randint(low, variable.high)
    return low if numbers.random() < 0.5 else low + numbers.randint(1, 6)
