"""What the rules of an edition expect, ready to run beside many Plays.

Each rule is traced once and written out as a function, and so is what a Play pays. Where these
say that something is wrong, it is worked out anew by the rules themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from operator import itemgetter
from typing import Any, cast

from ..models.algebra import Bool, all_of, variables_of
from ..models.editions import Edition
from ..models.system import Point, Promise, Step
from ..proofs.encoding import Encoding, encode
from ..proofs.smtlib import is_variable
from .event import Shown, flat, nested
from .moves import Move, State, Values, reader
from .screens import Screens
from .straight import straight
from .table import Ending, Table

__all__ = ["Expected", "Taken"]

Taken = tuple[Move, Values]
"""A step of a Play: what happened, and what was revealed."""

_MOST_LAYOUTS = 256
_MOST_ENDINGS = 20_000


class Expected:
    """The rules of an edition, under one way to take every reading."""

    def __init__(self, edition: Edition, readings: Mapping[str, str]) -> None:
        self.edition = edition
        self.game = game = edition.game
        self.readings = dict(readings)
        self.encoding: Encoding = encode(game, edition.parameters, readings)
        self.p: Any = self.encoding.p
        self.shape = game.state_shape()
        self.names = tuple(variable.name for variable in self.shape.variables)
        self.place = {name: number for number, name in enumerate(self.names)}
        self.start = cast("State", self.encoding.start[: len(self.names)])
        self.moves = {
            formula.rule.id: Move(number, self.encoding, formula)
            for number, formula in enumerate(self.encoding.rules)
        }
        here = self.encoding.point()
        goal = game.goal
        parts = goal.parts(self.p, here.s)
        self.parts = tuple(parts)
        paid = goal.paid(self.p, here.s)
        #: the scalar that holds what is paid, if one does
        self.paid = next((n for n in self.names if is_variable(paid, f"s.{n}")), None)
        ending = [goal.ended(self.p, here.s), paid, *parts.values()]
        self._ending = straight([self._scalars], ending)
        self.table = Table(edition)
        self._endings: dict[tuple[Any, ...], Ending] = {}
        kept = [promise.kept(self.p, here.s, here.t) for promise in game.promises]
        self._kept = [self._of_state(one) for one in kept]
        self._all_kept = self._of_state(all_of(kept))
        self._whole = reader(self.names)
        self._types = tuple(map(type, self.start))
        self._layouts: dict[tuple[str, ...], Callable[[Shown, State], bool]] = {}
        self._latest: Callable[[Shown, State], bool] = lambda shows, state: False
        self._laid_out = 0

    @cached_property
    def screens(self) -> Screens:
        """What a screen has to show."""
        return Screens(self.game, self.p)

    @cached_property
    def _scalars(self) -> list[str]:
        return [f"s.{name}" for name in self.names]

    def _of_state(self, condition: Bool) -> Callable[[State], Any] | None:
        """Return a condition as a function of the state; None if it takes the tally too."""
        quick = variables_of(condition) <= set(self._scalars)
        return straight([self._scalars], [condition]) if quick else None

    def plainly_kept(self, state: State) -> bool:
        """Return whether all promises are kept; False also where it takes the whole Play."""
        return self._all_kept is not None and self._all_kept(state)[0] is True

    def promises(
        self, state: State, taken: Sequence[Taken] | None
    ) -> Iterator[tuple[Promise, bool | None]]:
        """Yield each promise with whether a Play that ended keeps it; None if not known.

        ``taken`` are its steps, None where not all of them are known.
        """
        for promise, quick in zip(self.game.promises, self._kept, strict=True):
            if quick is not None:
                yield promise, quick(state)[0]
            elif taken is not None:
                end = self.points(taken)[-1]
                yield promise, promise.kept(self.p, end.s, end.t) is True
            else:
                yield promise, None

    def ending(self, state: State) -> Ending:
        """Return how a Play stands in a state."""
        values = self._ending(state)
        ending = self._endings.get(values)
        if ending is None:
            if len(self._endings) >= _MOST_ENDINGS:
                self._endings.clear()
            ended, paid, *parts = values
            of_parts = dict(zip(self.parts, parts, strict=True))
            ending = self._endings[values] = Ending(ended, paid, of_parts, self.table)
        return ending

    def agrees(self, shows: Shown, state: State) -> bool:
        """Return whether all that is shown is right; False also where that is not known yet."""
        if self._latest(shows, state):
            return True
        layout = self._layouts.get(tuple(shows))
        if layout is None or layout is self._latest:
            return False
        self._latest = layout
        return layout(shows, state)

    def is_all(self, shows: Shown, state: State) -> bool:
        """Return whether this is what files show of a state: all of it, and nothing else."""
        try:
            values = self._whole(shows)
        except (KeyError, TypeError):
            return False
        return values == state and tuple(map(type, values)) == self._types

    def lay_out(self, shows: Shown) -> None:
        """Learn a layout that a build shows, all of it fields of the state, to compare with."""
        if self._laid_out >= _MOST_LAYOUTS:
            return
        self._laid_out += 1
        names = [name for name, _ in flat(shows)]
        read, places = reader(names), [self.place[name] for name in names]
        taken = itemgetter(*places) if len(places) > 1 else None
        types = tuple(type(self.start[place]) for place in places)
        whole = places == list(range(len(self.names)))

        def agrees(shows: Shown, state: State) -> bool:
            try:
                values = read(shows)
            except (KeyError, TypeError):
                return False
            if whole:
                right = state
            else:
                right = taken(state) if taken else tuple([state[place] for place in places])
            # To Python 1, 1.0 and True are equal.
            return values == right and tuple(map(type, values)) == types

        self._layouts[tuple(shows)] = self._latest = agrees

    def named(self, state: State) -> dict[str, int | bool]:
        """Return a state by scalar."""
        return dict(zip(self.names, state, strict=True))

    def shown(self, state: State) -> Shown:
        """Return a state as files show it."""
        return nested(self.named(state))

    def after(self, state: State, taken: Taken) -> State:
        """Return the state after a step by the rule itself, whether or not it may come."""
        step = self.step_of(taken)
        s = self.shape.of(self.named(state))
        return self.state_of(self.game.rule(step.rule).effect(self.p, s, step.reveal))

    def points(self, taken: Sequence[Taken]) -> list[Point[Any, Any]]:
        """Return every point of a Play, the start included, by the rules themselves."""
        points = [self.game.start(self.p)]
        for one in taken:
            rule, reveal = one[0].rule, self.step_of(one).reveal
            points.append(self.game.after(self.p, points[-1], rule, reveal))
        return points

    def step_of(self, taken: Taken) -> Step:
        """Return a step as the rules know it."""
        move, values = taken
        shape = self.game.reveal_shape(move.rule)
        named = {v.name: value for v, value in zip(move.variables, values, strict=True)}
        return Step(move.id, shape.of(named))

    def state_of(self, s: Any) -> State:
        """Return a state of the rules as a tuple."""
        return tuple(cast("Mapping[str, int | bool]", self.shape.scalars(s)).values())
