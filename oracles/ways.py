"""Ways to choose: how a player decides where the rules leave it to the player.

A Play must not depend on it, so a script is played in several ways. Within a run of steps of
one rule no value comes twice, while there are others: a tile that is open cannot be taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from ..errors import unknown
from ..models.shape import Variable
from .event import nested

__all__ = ["WAYS", "check_ways", "choices"]

WAYS = ("least", "greatest", "random")
"""The least value there is, the greatest, or one at random (the same ones in every run)."""

_MANY = 1000  # values of a choice without an upper limit

Choice = dict[str, Any]


def check_ways(names: Sequence[str]) -> tuple[str, ...]:
    """Return these ways, each once; BadInput for a name that is none."""
    for name in names:
        if name not in WAYS:
            raise unknown("strategy", name, WAYS)
    return tuple(dict.fromkeys(names))


def choices(
    variables: Mapping[str, Sequence[Variable]], rules: Sequence[str], way: str, seed: int = 0
) -> tuple[Choice, ...]:
    """Return what the player chooses at each step, given the rule of each; mostly nothing.

    ``variables`` are what each rule reveals, and what is chosen. ``seed`` makes other ones of
    the way ``random``.
    """
    rng = Random(f"{seed} {way}" if way == "random" else 0)
    return tuple(_in_order(variables, rules, way, rng))


def _in_order(
    variables: Mapping[str, Sequence[Variable]], rules: Sequence[str], way: str, rng: Random
) -> Iterator[Choice]:
    taken: dict[str, list[int]] = {}
    left_open: dict[str, list[Variable]] = {}
    before = ""
    for id_ in rules:
        if id_ != before:
            taken, before = {}, id_
        if id_ not in left_open:
            left_open[id_] = [variable for variable in variables[id_] if variable.choice]
        chosen = {v.name: _one(v, way, rng, taken) for v in left_open[id_]}
        yield nested(chosen) if chosen else {}


def _one(variable: Variable, way: str, rng: Random, taken: dict[str, list[int]]) -> int | bool:
    if variable.sort == "Bool":
        return rng.random() < 0.5 if way == "random" else way == "greatest"
    low = variable.low or 0
    values = range(low, (low + _MANY if variable.high is None else variable.high) + 1)
    used = taken.setdefault(variable.name, [])
    if len(used) == len(values):
        used.clear()
    if way == "random":
        value = rng.choice([value for value in values if value not in used])
    else:
        ordered = values if way == "least" else reversed(values)
        value = next(value for value in ordered if value not in used)
    used.append(value)
    return value
