"""Plays by the concrete rules: what may come next, and what a Play looks like step by step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from .system import Game, Point, Rule, Step

__all__ = ["IllegalStep", "Play", "Replays", "applicable", "replay", "take"]


class IllegalStep(ValueError):
    """A step of a Play that the rules do not allow."""


@dataclass(frozen=True)
class Play:
    """A setting with every value known, and the steps taken under it from the start."""

    setting: Any
    steps: tuple[Step, ...]


def applicable(game: Game, p: Any, point: Point[Any, Any], reveal: Any) -> tuple[Rule, ...]:
    """Return the rules that fire on this reveal in this state; none if it is illegal."""
    return tuple(
        rule
        for rule in game.rules
        if isinstance(reveal, rule.reveal)
        and game.reveal_shape(rule).within_limits(reveal) is True
        and rule.guard(p, point.s, reveal) is True
    )


def take(game: Game, p: Any, point: Point[Any, Any], step: Step) -> Point[Any, Any]:
    """Return the point after a step.

    Raises IllegalStep if the step's rule does not fire on its reveal in this state.
    """
    rule = game.rule(step.rule)
    if rule not in applicable(game, p, point, step.reveal):
        raise IllegalStep(f"{step.rule} may not come here with {step.reveal}")
    return game.after(p, point, rule, step.reveal)


def replay(game: Game, play: Play) -> Iterator[Point[Any, Any]]:
    """Yield every point of a Play, the start included.

    Raises IllegalStep, naming the step (counted from 1), where the rules do not allow it.
    """
    point = game.start(play.setting)
    yield point
    for number, step in enumerate(play.steps, start=1):
        try:
            point = take(game, play.setting, point, step)
        except IllegalStep as error:
            raise IllegalStep(f"step {number}: {error}") from None
        yield point


class Replays:
    """Replays Plays as ``replay`` does; what some begin with alike is worked out once."""

    def __init__(self) -> None:
        self._starts: list[tuple[Game, Any, _Reached]] = []

    def __call__(self, game: Game, play: Play) -> Iterator[Point[Any, Any]]:
        """Yield every point of a Play; raises IllegalStep as ``replay`` does."""
        at = self._start(game, play.setting)
        yield at.point
        for number, step in enumerate(play.steps, start=1):
            if step not in at.after:
                try:
                    at.after[step] = _Reached(take(game, play.setting, at.point, step))
                except IllegalStep as error:
                    raise IllegalStep(f"step {number}: {error}") from None
            at = at.after[step]
            yield at.point

    def _start(self, game: Game, setting: Any) -> _Reached:
        for of, under, start in self._starts:
            if of is game and under == setting:
                return start
        self._starts.append((game, setting, _Reached(game.start(setting))))
        return self._starts[-1][2]


@dataclass(frozen=True, eq=False)
class _Reached:
    """A point, and those that steps led to from there."""

    point: Point[Any, Any]
    after: dict[Step, _Reached] = field(default_factory=dict)


def violated(game: Game, property_id: str, play: Play) -> int | None:
    """Return the step after which a property fails on a Play (0: at the start), or None."""
    from .system import Kind

    claim = game.property(property_id)
    points: Sequence[Point[Any, Any]] = list(replay(game, play))
    for number, point in enumerate(points):
        if claim.kind is Kind.STEP:
            if number and not claim.holds(
                play.setting, points[number - 1], play.steps[number - 1], point
            ):
                return number
        elif not claim.holds(play.setting, point.s, point.t):
            return number
    return None
