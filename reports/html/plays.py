"""Plays read back from results: built anew, replayed by the rules, and told in words.

A report shows no Play that the rules, as they are here, do not allow.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from ...errors import BadInput
from ...models.money import pounds
from ...models.play import IllegalStep, Play, replay
from ...models.setting import figures_of, parameters_of, settle
from ...models.shape import FieldShape, Variable
from ...models.system import Game, Point, Step
from ...proofs.paths import END, START
from ..numbers import some
from ..trace import narrate
from ..words import quantity
from .stored import PlayData

__all__ = ["Line", "Player", "Told", "shown"]


@dataclass(frozen=True)
class Line:
    """One step in words: its number, its rule, what was revealed and what changed."""

    number: int
    rule: str
    reveals: str
    changes: str


@dataclass(frozen=True)
class Told:
    """A Play in words. ``mark`` is the step it is shown for, 0 for the start, None for none.

    ``id`` is its place in the report; ``under`` says what was taken; ``breaks`` is whether that
    step breaks a property, ``ended`` whether it is a Play to its end.
    """

    id: str
    title: str
    under: tuple[str, ...]
    lines: tuple[Line, ...]
    mark: int | None
    marked: str
    data: PlayData
    breaks: bool = False
    ended: bool = False

    @property
    def ways(self) -> Iterator[tuple[str, str]]:
        """Which rule follows which in it, from its start, and to its end if it comes there."""
        rules = [START, *(line.rule for line in self.lines)]
        return pairwise([*rules, END] if self.ended else rules)

    @property
    def size(self) -> str:
        """How many steps it has, in words."""
        return some(len(self.lines), "step")


class Player:
    """Builds and tells the Plays of one game; ``path`` is the file they are from.

    ``usual`` are the parameters and readings that need not be mentioned, and their name.
    """

    def __init__(
        self,
        game: Game,
        path: object,
        usual: tuple[str, Mapping[str, Any], Mapping[str, str]] | None,
    ) -> None:
        self.game = game
        self._path = path
        self._usual = usual
        self._built: dict[int, tuple[Game, Play, list[Point[Any, Any]]]] = {}

    def play(self, data: PlayData, place: str) -> tuple[Game, Play, list[Point[Any, Any]]]:
        """Return a Play, the game (with the figures it has there), and every point of it.

        Raises BadInput, which names the place, where the rules do not allow it.
        """
        if id(data) not in self._built:  # results are kept, so an id is one Play's
            self._built[id(data)] = self._replayed(data, place)
        return self._built[id(data)]

    def _replayed(self, data: PlayData, place: str) -> tuple[Game, Play, list[Point[Any, Any]]]:
        try:
            game = _sized(self.game, data.parameters)
            p, open_, fits = settle(game.setting, _frozen(data.parameters), data.readings)
            if open_ or fits is not True:
                raise BadInput(self._wrong(place, "its parameters and readings do not fit"))
            steps = tuple(_step(game, one.rule, one.reveal) for one in data.steps)
            play = Play(p, steps)
            return game, play, list(replay(game, play))
        except IllegalStep as error:
            raise BadInput(self._wrong(place, str(error))) from None
        except (KeyError, ValueError, TypeError, IndexError) as error:
            raise BadInput(self._wrong(place, f"{type(error).__name__}: {error}")) from None

    def tell(
        self,
        data: PlayData,
        id_: str,
        title: str,
        mark: int | None = None,
        marked: str = "",
        *,
        breaks: bool = False,
    ) -> Told:
        """Return a Play in words; BadInput where the rules do not allow it."""
        game, play, points = self.play(data, title)
        lines = tuple(
            Line(
                one.number,
                one.rule,
                ", ".join(
                    f"{v.name} {quantity(v, value)}{' (chosen)' if v.choice else ''}"
                    for v, value in one.revealed
                ),
                ", ".join(
                    f"{c.variable.name} {quantity(c.variable, c.before)} → "
                    f"{quantity(c.variable, c.after)}"
                    for c in one.changes
                ),
            )
            for one in narrate(game, play, points)
        )
        under = tuple(self._under(game, data))
        ended = game.goal.ended(play.setting, points[-1].s) is True
        return Told(id_, title, under, lines, mark, marked, data, breaks, ended)

    def _under(self, game: Game, data: PlayData) -> list[str]:
        said = []
        name, parameters, readings = self._usual or ("", {}, {})
        if self._usual and _frozen(data.parameters) == dict(parameters):
            said.append(f"edition {name!r}")
        else:
            units = {n: shape.unit for n, shape in parameters_of(game.setting).items()}
            for id_, value in data.parameters.items():
                said.append(f"{id_} = {shown(value, units.get(id_, ''))}")
        others = [
            f"{id_} = {way}" for id_, way in data.readings.items() if readings.get(id_) != way
        ]
        if readings and not others:
            said.append("the first choice of every reading")
        elif readings and len(others) < len(data.readings):
            said += [*others, "the first choice of every other reading"]
        else:
            said += others
        return said

    def _wrong(self, place: str, why: str) -> str:
        return (
            f"{self._path}: {place}: the rules of {self.game.id}, as they are here, do not "
            f"allow this Play: {why}. One of the two was changed: prove it again"
        )


def shown(value: Any, unit: str) -> str:
    """Write a parameter's value in its unit; a list of lists keeps its brackets."""
    if isinstance(value, list | tuple):
        inner = ", ".join(shown(part, unit) for part in value)
        return f"[{inner}]"
    return pounds(value) if unit == "pence" else str(value)


def _step(game: Game, rule: str, revealed: Mapping[str, Any]) -> Step:
    """Return a step; what the file leaves out is 0 or no."""
    shape = game.reveal_shape(game.rule(rule))
    known = {variable.name: variable.sort for variable in shape.variables}
    if odd := [name for name in revealed if name not in known]:
        raise ValueError(f"{rule} does not reveal {', '.join(odd)}")
    for name, value in revealed.items():
        if type(value) is not (int if known[name] == "Int" else bool):
            raise ValueError(f"{name} of {rule} is {value!r}, which is no {known[name]}")

    def taken(v: Variable) -> Any:
        least = v.low or 0 if v.choice else 0  # whatever the player chooses decides nothing
        return revealed.get(v.name, least if v.sort == "Int" else False)

    reveal = shape.build(taken)
    return Step(rule, reveal)


def _frozen(parameters: Mapping[str, Any]) -> dict[str, Any]:
    def freeze(value: Any) -> Any:
        return tuple(map(freeze, value)) if isinstance(value, list) else value

    return {name: freeze(value) for name, value in parameters.items()}


def _sized(game: Game, parameters: Mapping[str, Any]) -> Game:
    """Return a game with the index sets as long as the values that parameters list for them."""
    open_ = {name for name, one in figures_of(game.setting).items() if one.open}
    figures: dict[str, tuple[str, ...]] = {}
    for name, shape in parameters_of(game.setting).items():
        for axis, size in _sizes(shape, parameters[name]):
            if axis in open_ and size != len(getattr(game.setting, axis)):
                figures[axis] = tuple(str(number) for number in range(1, size + 1))
    sized = game.copy(**figures) if figures else game
    for name, shape in parameters_of(sized.setting).items():
        for axis, size in _sizes(shape, parameters[name]):
            if size != (expected := len(getattr(sized.setting, axis))):
                raise ValueError(f"{name} lists {size} values for {axis}, not {expected}")
    if unknown := parameters.keys() - parameters_of(game.setting).keys():
        raise ValueError(f"there is no parameter {', '.join(sorted(unknown))}")
    return sized


def _sizes(shape: FieldShape, value: Any) -> list[tuple[str, int]]:
    sizes = []
    for axis in shape.over:
        if not isinstance(value, list):
            raise ValueError(f"a list was expected for {axis}, not {value!r}")
        sizes.append((axis, len(value)))
        value = value[0] if value else []
    return sizes
