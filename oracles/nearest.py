"""The nearest explanation of a wrong value: what would have made it right.

Candidates are general, and none knows a game: the value kept from before, an effect taken
twice, another reading of an unclear clause, a part of the rule put differently, a sibling's
value, rounding, a number that wraps round. The first that gives exactly what was shown is the
explanation; what it points to is a guess, and is said as one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import cast

from ..models.algebra import Value
from ..models.money import pounds
from ..models.setting import allowed, readings_of, settle
from ..models.system import Point
from .expected import Expected, Taken
from .moves import State
from .otherwise import variants

__all__ = ["Case", "Explanation", "nearest"]

Scalars = Mapping[str, int | bool]

_MOST_STEPS = 60
_TELLING = 100  # smaller numbers are equal by chance too often


@dataclass(frozen=True)
class Case:
    """A field that was shown wrong after the last step of a Play: scalars by name.

    ``points`` are those of the steps ``taken``, the start included; ``outcome`` the amounts of
    the predetermined outcome (pence); ``previous`` how some Play before this one ended.
    """

    expected: Expected
    taken: Sequence[Taken]
    points: Sequence[Point[object, object]]
    shown: Scalars
    outcome: Sequence[int] = ()
    previous: State | None = None


@dataclass(frozen=True)
class Explanation:
    """What would have been right, in words, and the class of fault that it looks like."""

    words: str
    fault: str


def nearest(case: Case) -> Explanation | None:
    """Return the first explanation that gives exactly what was shown; None if none does."""
    for candidates in _ALL:
        for words, fault, right in candidates(case):
            if all(right.get(name) == value for name, value in case.shown.items()):
                return Explanation(words, fault)
    return None


Candidates = Iterator[tuple[str, str, Mapping[str, Value | None]]]


def _state(case: Case, back: int = 0) -> Scalars:
    return cast("Scalars", case.expected.shape.scalars(case.points[-1 - back].s))


def _start(case: Case) -> Scalars:
    return case.expected.named(case.expected.start)


def _early(case: Case) -> Candidates:
    """What the predetermined outcome will come to."""
    now = _state(case)
    if any(now[name] for name in case.shown):
        return
    for amount in case.outcome:
        if amount:
            right = dict.fromkeys(case.shown, amount)
            yield "what the Play is to win, before it is won", "leak", right


def _left_over(case: Case) -> Candidates:
    """What the Play before ended with, at the start of this one."""
    if len(case.points) == 1 and case.previous is not None:
        ended = case.expected.named(case.previous)
        yield "right if it were kept from the end of the Play before", "carry-over", ended


def _kept(case: Case) -> Candidates:
    """The field as it was before this step."""
    if len(case.points) < 2:
        return
    now, before, start = _state(case), _state(case, 1), _start(case)
    if all(now[name] == start[name] for name in case.shown):
        yield "right if it had kept what it had before this step", "carry-over", before
    grows = all(now[name] > before[name] for name in case.shown)
    words = "right if this step had left it as it was"
    yield words, "award-missing" if grows else "", before


def _twice(case: Case) -> Candidates:
    """The step taken once more."""
    if len(case.points) < 2:
        return
    expected = case.expected
    again = expected.after(expected.state_of(case.points[-1].s), case.taken[-1])
    yield "right if this step had taken effect twice", "award-twice", expected.named(again)


def _other_readings(case: Case) -> Candidates:
    """The whole Play, one unclear clause taken otherwise."""
    expected, game = case.expected, case.expected.game
    if len(case.taken) > _MOST_STEPS:
        return
    steps = [expected.step_of(one) for one in case.taken]
    for reading, shape in readings_of(game.setting).items():
        for choice in shape.choices:
            readings = expected.readings | {reading: choice}
            if choice == expected.readings[reading] or not allowed(game.setting, readings):
                continue
            p, _, _ = settle(game.setting, expected.edition.parameters, readings)
            s = game.initial(p)
            for step in steps:
                s = game.rule(step.rule).effect(p, s, step.reveal)
            right = expected.shape.scalars(s)
            yield f"right under the reading {reading} = {choice}", "", right


def _parts(case: Case) -> Candidates:
    """A part of the rule put differently, where one scalar alone is wrong."""
    if len(case.points) < 2 or len(case.shown) != 1:
        return
    expected = case.expected
    (name,) = case.shown
    move, revealed = case.taken[-1]
    encoding = expected.encoding
    values: dict[str, Value] = {f"s.{one}": value for one, value in _state(case, 1).items()}
    of_reveal = encoding.reveal_variables(move.rule)
    values |= {v.name: value for v, value in zip(of_reveal, revealed, strict=True)}
    update = encoding.rules[move.number].updates[expected.place[name]]
    for one in variants(update, values, encoding):
        yield f"right if {one.words}", one.fault, {name: one.value}


def _labels(case: Case) -> Candidates:
    """The values of other labels of the same field."""
    now = _state(case)
    (field,) = {name.partition(".")[0] for name in case.shown}
    same = [name for name in now if name.startswith(f"{field}.")]
    values = [now[name] for name in same]
    if len(same) < 2:
        return
    if len(case.shown) > 1:
        turned = dict(zip(same, reversed(values), strict=True))
        yield "right with its labels the other way round", "display", turned
        for by, words in ((1, "back"), (-1, "on")):
            moved = [values[(place + by) % len(same)] for place in range(len(same))]
            right = dict(zip(same, moved, strict=True))
            yield f"right if each were one label further {words}", "display", right
        there = sorted(int(now[name]) for name in case.shown)
        if there == sorted(map(int, case.shown.values())):
            yield "right with its labels in another order", "display", case.shown
        return
    (name,) = case.shown
    if case.shown[name] < _TELLING:
        return
    for other in same:
        if other != name:
            label = other.partition(".")[2]
            yield f"right for {label}", "display", {name: now[other]}


def _numbers(case: Case) -> Candidates:
    """The right value, badly kept or written."""
    of_state = {v.name: v for v in case.expected.shape.variables}
    now = {name: value for name, value in _state(case).items() if name in case.shown}
    if any(isinstance(value, bool) for value in now.values()):
        return

    def of(change: Callable[[int], int | None]) -> Mapping[str, Value | None]:
        return {name: change(value) for name, value in now.items()}

    for bits in (8, 15, 16, 31, 32, 53, 63, 64):
        yield f"right in {bits} bits", "overflow-int", of(partial(_wrapped, bits=bits))
        signed = of(partial(_wrapped, bits=bits, low=-(1 << (bits - 1))))
        yield f"right in {bits} bits, one of them the sign", "overflow-int", signed
    yield "one more than is right", "off-by-one", of(lambda n: n + 1)
    yield "one fewer than is right", "off-by-one", of(lambda n: n - 1)
    yield "twice what is right", "multiplier", of(lambda n: n * 2)
    yield "half of what is right", "multiplier", of(lambda n: None if n % 2 else n // 2)
    yield "a hundred times what is right", "rounding", of(lambda n: n * 100)
    hundredth = of(lambda n: None if n % 100 else n // 100)
    yield "a hundredth of what is right", "rounding", hundredth
    if all(of_state[name].unit == "pence" for name in now):
        for unit in (10_000, 1000, 500, 100, 10):
            rounded = of(partial(_rounded, unit=unit))
            yield f"right if rounded down to whole {pounds(unit)}", "rounding", rounded
            rounded = of(partial(_rounded, unit=unit, up=True))
            yield f"right if rounded up to whole {pounds(unit)}", "rounding", rounded


def _wrapped(number: int, bits: int, low: int = 0) -> int:
    return (number - low) % (1 << bits) + low


def _rounded(number: int, unit: int, up: bool = False) -> int:
    return -(-number // unit) * unit if up else number // unit * unit


def _late(case: Case) -> Candidates:
    """The field some steps ago."""
    for back in range(2, min(len(case.points), 6)):
        yield f"right {back} steps before", "display", _state(case, back)


def _reset(case: Case) -> Candidates:
    """The field as a Play starts with it."""
    yield "right if it had been reset", "carry-over", _start(case)


_ALL: Sequence[Callable[[Case], Candidates]] = (
    _early, _left_over, _kept, _twice, _other_readings, _parts, _labels, _numbers, _late,
    _reset,
)  # fmt: skip
