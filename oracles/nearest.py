"""The nearest explanation of a wrong value: what would have made it right.

Candidates are general, and none knows a game: the value kept from before, an effect taken
twice, another reading of an unclear clause, a part of the rule put differently, a sibling's
value, rounding, a number that wraps round. The first that gives exactly what was shown is the
explanation; what it points to is a guess, and is said as one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..models.algebra import Value
from ..models.setting import allowed, readings_of, settle
from ..models.system import Point
from .expected import Expected, Taken
from .otherwise import variants

__all__ = ["Case", "Explanation", "nearest"]

Scalars = Mapping[str, int | bool]

_MOST_STEPS = 60


@dataclass(frozen=True)
class Case:
    """A field that was shown wrong after the last step of a Play: scalars by name."""

    expected: Expected
    taken: Sequence[Taken]
    points: Sequence[Point[object, object]]
    shown: Scalars
    outcome: Sequence[int] = ()


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


def _state(case: Case, back: int = 0) -> Mapping[str, Value]:
    return case.expected.shape.scalars(case.points[-1 - back].s)


def _kept(case: Case) -> Candidates:
    """The field as it was before this step."""
    if len(case.points) < 2:
        return
    now, before = _state(case), _state(case, 1)
    start = case.expected.named(case.expected.start)
    reset = all(now[name] == start[name] for name in case.shown)
    less = all(now[name] <= before[name] for name in case.shown)  # type: ignore[operator]
    if reset:
        yield "if it kept what it had before this step", "carry-over", before
    fault = "award-twice" if less else "award-missing"
    yield "if this step had left it as it was", fault, before


def _twice(case: Case) -> Candidates:
    """The step taken once more."""
    if len(case.points) < 2:
        return
    expected = case.expected
    again = expected.after(expected.state_of(case.points[-1].s), case.taken[-1])
    yield "if this step had taken effect twice", "award-twice", expected.named(again)


def _early(case: Case) -> Candidates:
    """What the predetermined outcome will come to."""
    now = _state(case)
    for amount in case.outcome:
        if amount and all(not now[name] for name in case.shown):
            says = "of what the Play is to win, before it is won"
            yield says, "leak", dict.fromkeys(case.shown, amount)


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
            yield f"under the reading {reading} = {choice}", "", expected.shape.scalars(s)


def _parts(case: Case) -> Candidates:
    """A part of the rule put differently, where one scalar alone is wrong."""
    if len(case.points) < 2 or len(case.shown) != 1:
        return
    expected = case.expected
    (name,) = case.shown
    move, revealed = case.taken[-1]
    encoding = expected.encoding
    formula = encoding.rules[move.number]
    values: dict[str, Value] = {f"s.{one}": value for one, value in _state(case, 1).items()}
    of_reveal = encoding.reveal_variables(move.rule)
    values |= {v.name: value for v, value in zip(of_reveal, revealed, strict=True)}
    for one in variants(formula.updates[expected.place[name]], values, encoding):
        yield f"if {one.words}", one.fault, {name: one.value}


def _siblings(case: Case) -> Candidates:
    """The values of other labels of the same field."""
    now = _state(case)
    (field,) = {name.partition(".")[0] for name in case.shown}
    same = [name for name in now if name.startswith(f"{field}.")]
    if len(same) < 2:
        return
    turned = dict(zip(same, [now[name] for name in reversed(same)], strict=True))
    yield "with its labels the other way round", "display", turned
    for by in (1, -1):
        moved = [now[same[(place + by) % len(same)]] for place in range(len(same))]
        words = f"one label further {'on' if by < 0 else 'back'}"
        yield words, "display", dict(zip(same, moved, strict=True))
    if len(case.shown) > 1:
        right = sorted(int(now[name]) for name in case.shown)  # type: ignore[arg-type]
        if right == sorted(map(int, case.shown.values())):
            yield "with its labels in another order", "display", case.shown
        return
    (name,) = case.shown
    for other in same:
        if other != name and case.shown[name] not in (0, False):
            label = other.removeprefix(f"{field}.")
            yield f"for {label} instead", "display", {name: now[other]}


def _late(case: Case) -> Candidates:
    """The field some steps ago."""
    for back in range(2, min(len(case.points), 6)):
        yield f"{back} steps before", "display", _state(case, back)


def _numbers(case: Case) -> Candidates:
    """The right value, badly kept or written."""
    now = {name: value for name, value in _state(case).items() if name in case.shown}
    if any(isinstance(value, bool) for value in now.values()):
        return

    def of(change: Callable[[int], int]) -> Mapping[str, Value]:
        return {name: change(value) for name, value in now.items()}  # type: ignore[arg-type]

    for bits in (8, 15, 16, 31, 32, 63, 64):
        size = 1 << bits
        yield f"in an unsigned number of {bits} bits", "overflow-int", of(lambda n: n % size)  # noqa: B023
        signed = of(lambda n: (n + size // 2) % size - size // 2)  # noqa: B023
        yield f"in a signed number of {bits} bits", "overflow-int", signed
    yield "a hundredfold", "rounding", of(lambda n: n * 100)
    yield "a hundredth of it", "rounding", of(lambda n: n // 100)
    for unit in (10, 100, 500, 1000):
        yield f"rounded down to {unit}s", "rounding", of(lambda n: n // unit * unit)  # noqa: B023
        yield f"rounded up to {unit}s", "rounding", of(lambda n: -(-n // unit) * unit)  # noqa: B023
    yield "twice over", "multiplier", of(lambda n: n * 2)
    yield "one more than there is", "off-by-one", of(lambda n: n + 1)
    yield "one fewer than there is", "off-by-one", of(lambda n: n - 1)


def _reset(case: Case) -> Candidates:
    """The field as a Play starts with it."""
    yield "if it had been reset", "carry-over", case.expected.named(case.expected.start)


_ALL: Sequence[Callable[[Case], Candidates]] = (
    _early, _kept, _twice, _other_readings, _parts, _siblings, _numbers, _late, _reset,
)  # fmt: skip
