"""Loops that go on for ever: under which readings, and what has to be proved of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..models.algebra import Bool, all_of, equal, implies, negate
from ..models.editions import default_readings
from ..models.limits import UNLIMITED, unlimited
from ..models.play import Play, replay
from ..models.setting import parameters_of, readings_of, settle
from ..models.system import Game, Kind, Property, Step
from . import depends
from .cases import Case, limits_taken, of_the_game, same, taken
from .closed import Region, closed, find_region, goes_on
from .encoding import Encoding, encode
from .lasso import Loop
from .solvers import Steps
from .verdict import Cube, Endless

__all__ = ["Continuing", "Found"]


@dataclass(frozen=True)
class Found:
    """A loop that goes on for ever where a cube holds; ``claim`` says that, if it has to."""

    endless: Endless
    cube: Cube
    claim: Property | None


@dataclass(frozen=True)
class Continuing:
    """Whether loops of the ``limited`` game go on for ever in the game itself.

    ``encoding`` is of the game; ``steps`` are those for one question.
    """

    game: Game
    limited: Game
    encoding: Encoding
    steps: Steps

    def endless(self, case: Case, loop: Loop, number: int) -> Found | None:
        """Return a loop with the readings that matter; None if it does not go on for ever.

        ``number`` tells its claim from others.
        """
        play, start = loop.play, loop.start
        around = play.steps[start:]
        points = list(replay(self.limited, play))
        if any(self.game.goal.ended(play.setting, point.s) for point in points):
            return None
        shape = self.game.state_shape()
        before, after = (shape.scalars(points[at].s) for at in (start, len(play.steps)))
        growing = tuple(name for name in before if before[name] != after[name])
        region: Region | None = None
        chosen: Mapping[str, Any] = {}
        if growing:
            for chosen in ({}, self._values_of(play)):
                region = self._region(play, chosen, points[start].s, growing, around)
                if region is not None:
                    break
            else:
                return None
        fixed = {**self.encoding.readings, **limits_taken(case.taken, UNLIMITED)}
        rest = encode(self.limited, self.encoding.parameters, fixed).without(case.apart_from)

        def kept(p: Any) -> Bool:
            return negate(self._goes_on(p, play, start, region, rest.point().s))

        matter = depends.generalise_by(
            rest, kept, play.setting, self.steps,
            rest.state if region else (),
        )  # fmt: skip
        cube = tuple(sorted({**dict(matter), **limits_taken(fixed)}.items()))
        claim = None
        if region is not None:
            claim = self._closed(number, region, around, of_the_game(cube), chosen)
        plain = self._as_usual(case, unlimited(self.game, play), of_the_game(cube))
        list(replay(self.game, plain))
        told = Endless(
            case.sources, of_the_game(cube), plain, start, growing,
            region.words() if region else (),
        )  # fmt: skip
        return Found(told, cube, claim)

    def _as_usual(self, case: Case, play: Play, cube: Cube) -> Play:
        """Return a Play under default readings, where it is one under all that matter not."""
        usual = {**default_readings(self.game.setting), **dict(cube), **self.encoding.readings}
        values = {
            name: getattr(play.setting, name) for name in parameters_of(self.game.setting)
        }
        known = {**usual, **case.taken}
        if any(all(known[name] == choice for name, choice in o) for o in case.apart_from):
            return play  # another loop goes on there: this one need not
        setting, _, fits = settle(self.game.setting, values, usual)
        return replace(play, setting=setting) if fits is True else play

    def _values_of(self, play: Play) -> dict[str, Any]:
        return {
            name: getattr(play.setting, name)
            for name in parameters_of(self.game.setting)
            if name not in self.encoding.parameters
        }

    def _region(
        self, play: Play, chosen: Mapping[str, Any], start: Any, growing: Sequence[str],
        around: Sequence[Step],
    ) -> Region | None:  # fmt: skip
        """Return a closed set under the readings of a Play; ``chosen`` values are as in it."""
        readings = {
            name: getattr(play.setting, name.replace("-", "_")).name
            for name in readings_of(self.game.setting)
        }
        encoding = encode(self.game, {**self.encoding.parameters, **chosen}, readings)
        steps = self.steps
        return find_region(encoding, start, growing, around, steps)

    def _goes_on(self, p: Any, play: Play, start: int, region: Region | None, x: Any) -> Bool:
        """Return that a Play goes on for ever: from ``x`` on too, any state of the region."""
        legal, before = goes_on(self.limited, p, self.limited.initial(p), play.steps[:start])
        around = play.steps[start:]
        again, after = goes_on(self.limited, p, before, around)
        scalars = self.game.state_shape().scalars
        was, now = scalars(before), scalars(after)
        if region is None:
            return all_of(legal, again, (equal(was[name], now[name]) for name in was))
        return all_of(legal, again, region.holds(was), closed(self.game, region, around, p, x))

    def _closed(
        self, number: int, region: Region, around: Sequence[Step], cube: Cube,
        chosen: Mapping[str, Any],
    ) -> Property:  # fmt: skip
        """Return the claim that a region is closed, under some readings and values."""

        def holds(p: Any, s: Any, t: Any) -> Bool:
            values = (same(getattr(p, name), value) for name, value in chosen.items())
            under = all_of(taken(p, dict(cube)), values)
            return implies(under, closed(self.game, region, around, p, s))

        says = f"From {' and '.join(region.words())} the same steps lead back there."
        return Property(f"goes-on-{number}", Kind.INVARIANT, (), says, holds)
