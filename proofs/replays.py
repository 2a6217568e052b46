"""Plays replayed by the concrete rules, what they have in common only once.

Many Plays that are looked at begin alike: one is another taken another way from some step on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ..models.play import IllegalStep, Play, take
from ..models.system import Game, Point, Step

__all__ = ["Replays"]


@dataclass
class _Moment:
    """A point, and those that follow it, by the step that was taken."""

    point: Point[Any, Any]
    following: dict[Step, _Moment] = field(default_factory=dict)
    looked_at: bool = False


class Replays:
    """The Plays of one game that were replayed."""

    def __init__(self, game: Game) -> None:
        self.game = game
        # By identity: a setting is large, and Plays that begin alike share theirs.
        self._starts: dict[int, tuple[Any, _Moment]] = {}

    def points(self, play: Play) -> list[Point[Any, Any]]:
        """Return every point of a Play, the start included.

        Raises IllegalStep, naming the step (counted from 1), where the rules do not allow it.
        """
        return [moment.point for moment in self._moments(play)]

    def look(self, play: Play) -> int:
        """Return how many points from the start were looked at before; now all of it was."""
        moments = self._moments(play)
        new = [number for number, moment in enumerate(moments) if not moment.looked_at]
        for number in new:
            moments[number].looked_at = True
        return new[0] if new else len(moments)

    def _moments(self, play: Play) -> Sequence[_Moment]:
        p = play.setting
        if id(p) not in self._starts:
            self._starts[id(p)] = (p, _Moment(self.game.start(p)))
        _, moment = self._starts[id(p)]
        found = [moment]
        for number, step in enumerate(play.steps, start=1):
            if step not in moment.following:
                try:
                    point = take(self.game, p, moment.point, step)
                except IllegalStep as error:
                    raise IllegalStep(f"step {number}: {error}") from None
                moment.following[step] = _Moment(point)
            moment = moment.following[step]
            found.append(moment)
        return found
