"""Stills: the panels of one state or screen, as the game draws it or else field by field."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any

from ...models.algebra import Value
from ...models.drawing import Boxes, Fact, Lines, Panel, Piece
from ...models.shape import Shape, Variable, shape_of
from ...models.system import Game
from ...oracles.event import flat
from ..words import quantity

__all__ = ["Stills"]

_MOST_BOXES = 40


class Stills:
    """Draws the states and screens of a game under a setting with every value known."""

    def __init__(self, game: Game, p: Any) -> None:
        self.game, self.p = game, p
        self.shape = game.state_shape()
        self._screens = {view.id: shape_of(view.screen, p) for view in game.views}

    def state(self, values: Mapping[str, Value]) -> tuple[Panel, ...]:
        """Return the panels of a state, given by scalar, all within their limits."""
        if self.game.drawing is None:
            return field_by_field(self.shape, values)
        return tuple(self.game.drawing.state(self.p, self.shape.of(values)))

    def shown(self, values: Mapping[str, Value]) -> tuple[Panel, ...]:
        """Return the panels of a state that a build showed, which no Play need ever come to."""
        try:
            return self.state(values)
        except (ArithmeticError, LookupError, TypeError, ValueError):
            return field_by_field(self.shape, values)

    def screen(
        self, rule: str, before: Mapping[str, Value], screen: Mapping[str, Any] | None
    ) -> tuple[Panel, ...]:
        """Return the panels of a step's screen, as files have it, from the state before it.

        There are none where there is no screen, or where part of it is missing or is no such
        thing: that is a finding, and no picture.
        """
        view = self.game.view(rule)
        if view is None or screen is None:
            return ()
        shape, given = self._screens[view.id], dict(flat(screen))
        known = all(
            type(given.get(one.name)) is (int if one.sort == "Int" else bool)
            and one.holds(given[one.name]) is True
            for one in shape.variables
        )
        if not known:
            return ()
        there = shape.of(given)
        if self.game.drawing is None:
            lines = tuple(there.picture(self.p))
            return (Panel(view.says, (Lines(view.id, lines),)),) if lines else ()
        try:
            return tuple(self.game.drawing.screen(self.p, self.shape.of(before), there))
        except LookupError:
            return ()


def field_by_field(shape: Shape[Any], values: Mapping[str, Value]) -> tuple[Panel, ...]:
    """Return a panel for the plain fields, and one for each vector."""
    plain: list[Piece] = []
    panels: list[Panel] = []
    for name, group in groupby(shape.variables, lambda one: one.name.partition(".")[0]):
        variables = list(group)
        if variables[0].name == name:
            plain.append(_piece(variables[0], values[name], variables[0].meaning))
        else:
            labels = (one.name.partition(".")[2] for one in variables)
            pairs = zip(variables, labels, strict=True)
            pieces = tuple(_piece(one, values[one.name], label) for one, label in pairs)
            panels.append(Panel(variables[0].meaning, pieces))
    return (*_panel("State", plain), *panels)


def _panel(title: str, pieces: list[Piece]) -> Iterator[Panel]:
    if pieces:
        yield Panel(title, tuple(pieces))


def _piece(variable: Variable, value: Value, label: str) -> Piece:
    """Return boxes for a counter whose range is known and small, the value for any other."""
    counts = variable.sort == "Int" and variable.low == 0 and not variable.unit
    if counts and variable.high is not None and 1 < variable.high <= _MOST_BOXES:
        assert isinstance(value, int)
        return Boxes(label, value, variable.high, (variable.name,))
    return Fact(label, quantity(variable, value), (variable.name,))
