"""A Play told step by step: the rule, what was revealed, what changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from ..models.algebra import Value
from ..models.money import pounds
from ..models.play import Play, Replays, replay
from ..models.setting import parameters_of, readings_of
from ..models.shape import Shape, Variable, shape_of
from ..models.system import Game, Point
from ..proofs.verdict import Beside, WayOn
from .words import quantity, some

__all__ = [
    "Moment",
    "as_data",
    "beside_as_data",
    "lines",
    "lines_beside",
    "narrate",
    "revealed_as_data",
    "setting_of",
    "way_on",
]


@dataclass(frozen=True)
class Change:
    """One number or flag of the state that a step changed."""

    variable: Variable
    before: Value
    after: Value


@dataclass(frozen=True)
class Moment:
    """One step of a Play, counted from 1. ``revealed`` leaves out what is 0 or no."""

    number: int
    rule: str
    says: str
    revealed: tuple[tuple[Variable, Value], ...]
    changes: tuple[Change, ...]
    tally: tuple[tuple[Variable, Value], ...]


def narrate(
    game: Game, play: Play, points: Sequence[Point[Any, Any]] | None = None
) -> tuple[Moment, ...]:
    """Tell a Play, replayed by the concrete rules; IllegalStep if they do not allow it.

    ``points`` are those of the Play, where it was replayed already.
    """
    state, tally = game.state_shape(), game.tally_shape()
    points = points or list(replay(game, play))
    moments = []
    for number, (step, (before, after)) in enumerate(
        zip(play.steps, pairwise(points), strict=True), start=1
    ):
        rule = game.rule(step.rule)
        was, now = state.scalars(before.s), state.scalars(after.s)
        changes = [
            Change(variable, was[variable.name], now[variable.name])
            for variable in state.variables
            if was[variable.name] != now[variable.name]
        ]
        revealed = _present(shape_of(rule.reveal, game.setting), step.reveal)
        counted = _present(tally, after.t)
        moments.append(Moment(number, rule.id, rule.says, revealed, tuple(changes), counted))
    return tuple(moments)


def setting_of(setting: Any) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the parameters (lists and numbers, money in pence) and readings of a setting."""
    parameters = {name: _listed(getattr(setting, name)) for name in parameters_of(setting)}
    readings = {
        name: getattr(setting, name.replace("-", "_")).name for name in readings_of(setting)
    }
    return parameters, readings


def lines(
    game: Game,
    play: Play,
    broken_after: int | None = None,
    pictures: Sequence[Sequence[str]] = (),
) -> Iterator[str]:
    """Yield the lines of a Play; ``broken_after`` marks the step that breaks a property.

    ``pictures`` has, for each step, the lines that picture its screen.
    """
    parameters, readings = setting_of(play.setting)
    yield f"A Play of {some(len(play.steps), 'step')}"
    if parameters:
        units = {name: shape.unit for name, shape in parameters_of(play.setting).items()}
        shown = (f"{name} = {_shown(value, units[name])}" for name, value in parameters.items())
        yield f"  under  {'; '.join(shown)}"
    if readings:
        yield f"  read   {'; '.join(f'{name} = {way}' for name, way in readings.items())}"
    if broken_after == 0:
        yield "  the start breaks it"
    yield from _moments(game, play, broken_after, pictures)


def lines_beside(game: Game, beside: Beside) -> Iterator[str]:
    """Yield the lines of what a Play is compared with, under the same setting."""
    yield f"beside a Play of {some(len(beside.play.steps), 'step')}"
    yield from _moments(game, beside.play)
    if beside.refused is not None:
        shape = shape_of(type(beside.refused), game.setting)
        yield f"     no rule takes  {_values(_present(shape, beside.refused)) or 'what comes'}"


def way_on(game: Game, way: WayOn) -> str:
    """Return in words what may come in states in which a way on is legal."""
    if way.fixed is None:
        return way.says
    shape = shape_of(type(way.fixed), game.setting)
    return f"{way.says}, {_values(_present(shape, way.fixed)) or 'all 0 or no'}"


def _moments(
    game: Game,
    play: Play,
    broken_after: int | None = None,
    pictures: Sequence[Sequence[str]] = (),
) -> Iterator[str]:
    for moment in narrate(game, play):
        yield f"  {moment.number}. {moment.rule}"
        for line in pictures[moment.number - 1] if pictures else ():
            yield f"       {line}"
        if moment.revealed:
            yield f"       reveals  {_values(moment.revealed)}"
        for change in moment.changes:
            before = quantity(change.variable, change.before)
            after = quantity(change.variable, change.after)
            yield f"       {change.variable.name}: {before} → {after}"
        if moment.number == broken_after:
            if moment.tally:
                yield f"       counted so far  {_values(moment.tally)}"
            yield "       this step breaks it"


def beside_as_data(game: Game, beside: Beside) -> Mapping[str, Any]:
    """Return what a Play is compared with as plain data, with what is refused at its end."""
    refused = beside.refused
    return {
        **as_data(game, beside.play),
        "refused": None if refused is None else revealed_as_data(game, refused),
    }


def revealed_as_data(game: Game, reveal: Any) -> dict[str, Any]:
    """Return what was revealed as plain data, but what is 0 or no."""
    shape = shape_of(type(reveal), game.setting)
    return {variable.name: value for variable, value in _present(shape, reveal)}


def as_data(
    game: Game, play: Play, broken_after: int | None = None, replays: Replays | None = None
) -> Mapping[str, Any]:
    """Return a Play as plain data for JSON (money in pence).

    ``replays`` remember what Plays told before have in common with it.
    """
    points = list(replays(game, play)) if replays else None
    parameters, readings = setting_of(play.setting)
    return {
        "parameters": parameters,
        "readings": readings,
        "broken_after_step": broken_after,
        "steps": [
            {
                "step": moment.number,
                "rule": moment.rule,
                "reveal": {variable.name: value for variable, value in moment.revealed},
                "changes": {c.variable.name: [c.before, c.after] for c in moment.changes},
                "counted": {variable.name: value for variable, value in moment.tally},
            }
            for moment in narrate(game, play, points)
        ],
    }


def _present(shape: Shape[Any], instance: Any) -> tuple[tuple[Variable, Value], ...]:
    scalars = shape.scalars(instance)
    return tuple((v, scalars[v.name]) for v in shape.variables if scalars[v.name])


def _values(pairs: Iterable[tuple[Variable, Value]]) -> str:
    return ", ".join(
        f"{variable.name} {quantity(variable, value)}{' (chosen)' if variable.choice else ''}"
        for variable, value in pairs
    )


def _shown(value: Any, unit: str) -> str:
    if isinstance(value, list):
        return f"[{', '.join(_shown(part, unit) for part in value)}]"
    return pounds(value) if unit == "pence" else str(value)


def _listed(value: Any) -> Any:
    return [_listed(part) for part in value] if isinstance(value, tuple) else value
