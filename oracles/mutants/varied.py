"""What a search for Plays looks at: places that are unlike, and values as they are needed."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar, cast

from ...models.algebra import Value
from ...models.shape import Variable

__all__ = ["Reading", "held", "varied", "wider"]

T = TypeVar("T")

_BEYOND = 2  # a step that may not come may reveal so much more than any that may


def held(state: Mapping[str, Any], about: Sequence[str]) -> tuple[bool, ...]:
    """Return which of some fields hold anything in a state."""
    return tuple([bool(state[name]) for name in about])


def varied(places: Sequence[T], kind: Callable[[T], object]) -> Iterator[T]:
    """Yield one of each kind, then a second one of each, and so on."""
    kinds: dict[object, list[T]] = {}
    for place in places:
        kinds.setdefault(kind(place), []).append(place)
    for row in itertools.zip_longest(*kinds.values()):
        yield from (place for place in row if place is not None)


class Reading(dict[str, Value]):
    """The values before a step, each read when it is asked for, and what it reveals."""

    def __init__(self, before: object) -> None:
        self._before = before

    def __missing__(self, name: str) -> Value:
        self[name] = value = cast("dict[str, Value]", self._before)[name]
        return value


def wider(variable: Variable) -> Variable:
    """Return a variable that may hold a little more and less than it should."""
    if variable.sort == "Bool":
        return variable
    low = (variable.low or 0) - _BEYOND
    high = None if variable.high is None else variable.high + _BEYOND
    return dataclasses.replace(variable, low=low, high=high)
