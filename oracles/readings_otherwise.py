"""Goals of readings: that a reading taken otherwise makes a difference to a step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..models.algebra import Bool, any_of, equal, negate
from ..models.editions import default_readings
from ..models.setting import allowed, readings_of, settle
from ..models.uses import asked_for
from ..proofs.smtlib import text
from .goals import Goal, Moment
from .ground import Ground

__all__ = ["readings_otherwise", "taken_otherwise"]


def readings_otherwise(ground: Ground) -> Iterator[Goal]:
    """Yield a goal for each other way to take a reading."""
    asking = asked_for(ground.game).rules
    for reading, shape in readings_of(ground.game.setting).items():
        for choice in shape.choices:
            if choice == ground.readings[reading]:
                continue
            taken = taken_otherwise(ground, reading, choice)
            if taken is None:
                continue
            others = {k: v for k, v in taken.items() if v != ground.readings[k]}
            also = "".join(f", {k} = {v}" for k, v in others.items() if k != reading)
            yield Moment(
                f"reading:{reading}={choice}",
                f"{reading} = {choice}{also} would refuse the step, or show something else",
                tuple(_differs(ground, taken, asking)),
            )


def taken_otherwise(ground: Ground, reading: str, choice: str) -> dict[str, str] | None:
    """Return the readings with one taken otherwise, and as few more as have to be then."""
    setting = ground.game.setting
    taken = {**ground.readings, reading: choice}
    if allowed(setting, taken):
        return taken
    for other, shape in readings_of(setting).items():
        for way in shape.choices:
            if other != reading and allowed(setting, {**taken, other: way}):
                return {**taken, other: way}
    free = default_readings(setting, {reading: choice})
    return free if allowed(setting, free) else None


def _differs(
    ground: Ground, taken: Mapping[str, str], asking: Mapping[str, frozenset[str]]
) -> Iterator[tuple[str, Bool]]:
    """Yield, by rule, that a step is refused or shows something else under other readings."""
    other, _, _ = settle(ground.game.setting, ground.edition.parameters, taken)
    here = ground.encoding.point().s
    shape = ground.game.state_shape()
    names = {name.replace("-", "_") for name in taken if taken[name] != ground.readings[name]}
    for rule, mine in ground.formulas.items():
        if not names & asking[rule]:
            continue
        reveal = ground.encoding.reveal(mine.rule)
        own, its = (mine.rule.guard(p, here, reveal) for p in (ground.p, other))
        conditions: list[Bool] = [] if text(own) == text(its) else [negate(its)]
        updates = shape.scalars(mine.rule.effect(other, here, reveal)).values()
        for one, two in zip(mine.updates, updates, strict=False):
            if text(one) != text(two):
                conditions.append(negate(equal(one, two)))
        if conditions:
            yield rule, any_of(conditions)
