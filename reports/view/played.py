"""Films of Plays that the rules replay: scripts, and Plays that show or break a property."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...models.algebra import Value
from ...models.editions import Edition, default_readings
from ...models.money import pounds
from ...models.play import Play, replay
from ...models.screen import START
from ...models.system import Game, Point, Step
from ...oracles import script as scripts
from ...oracles.event import Shown
from ...oracles.layouts import Layouts
from ...oracles.screens import Screens, Stepped
from ...oracles.script import Script
from ..words import quantity, some
from .film import Clauses, Film, Frame, Revealed, changes_of
from .stills import Stills

__all__ = ["film_of_play", "film_of_script", "taken"]

_MOST_DRAWN = 100
"""Screens are not made up for a Play of more steps: its page would grow too large."""


def film_of_script(script: Script, edition: Edition) -> Film:
    """Return the film of a script; one without a layout is given the first there is.

    Raises BrokenScript for a script that the rules, the edition or its target contradict.
    """
    scripts.check(script, edition)
    game = edition.game
    if script.layout is None and game.views:
        script = Layouts(edition).of(script)
    play, points = scripts.played(script, edition)
    screens = [script.screen, *(move.screen for move in script.steps)]
    facts = (
        ("edition", f"{script.edition.name} ({script.edition.hash[:12]}…)"),
        *taken(game, script.readings),
        ("wins", _won(script.prize.amount, script.prize.parts)),
    )
    title = f"{game.title}: {script.target.text}"
    frames = _frames(game, play, points, screens)
    return Film(title, f"A script of {some(len(play.steps), 'step')}", facts, frames)


def taken(game: Game, readings: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return as a fact which readings were taken other than by default, if any."""
    first = default_readings(game.setting)
    other = [f"{name} = {way}" for name, way in readings.items() if first.get(name) != way]
    return (("read otherwise", ", ".join(other)),) if other else ()


def film_of_play(
    game: Game,
    play: Play,
    title: str,
    subtitle: str = "",
    *,
    facts: Sequence[tuple[str, str]] = (),
    broken_after: int | None = None,
    breaks: str = "",
    points: Sequence[Point[Any, Any]] = (),
) -> Film:
    """Return the film of a Play, replayed by the rules; ``points`` are its own, if known.

    ``broken_after`` is the step (0: the start) that breaks what ``breaks`` says. Screens are
    made for it where the game has any, and it is not very long. Raises IllegalStep where the
    rules do not allow it.
    """
    points = points or list(replay(game, play))
    frames = _frames(
        game,
        play,
        points,
        _screens(game, play, points),
        {broken_after: breaks or "This breaks it."},
    )
    return Film(
        title, subtitle or f"A Play of {some(len(play.steps), 'step')}", tuple(facts), frames
    )


def _screens(game: Game, play: Play, points: Sequence[Point[Any, Any]]) -> list[Shown | None]:
    """Return a screen for each step of a Play; none at all where one does not fit the Play."""
    none: list[Shown | None] = [None] * len(points)
    if not game.views or len(points) > _MOST_DRAWN:
        return none
    shape = game.state_shape()
    states = [tuple(shape.scalars(point.s).values()) for point in points]
    steps: list[Stepped] = [(START, states[0], ())]
    for step, state in zip(play.steps, states, strict=False):
        steps.append((step.rule, state, tuple(_scalars(game, step).values())))
    screens = Screens(game, play.setting)
    made = screens.made(steps, "0")
    return none if any(screens.read_back(steps, made)) else made


def _frames(
    game: Game,
    play: Play,
    points: Sequence[Point[Any, Any]],
    screens: Sequence[Shown | None],
    broken: Mapping[int | None, str] | None = None,
) -> tuple[Frame, ...]:
    stills, clauses = Stills(game, play.setting), Clauses(game)
    shape = game.state_shape()
    states = [shape.scalars(point.s) for point in points]
    drawn = [stills.state(state) for state in states]
    start = Frame(
        0,
        START,
        says="The Play starts.",
        screen=stills.screen(START, states[0], screens[0]),
        state=drawn[0],
        broken=(broken or {}).get(0, ""),
    )
    frames = [start]
    for number, step in enumerate(play.steps, start=1):
        rule = game.rule(step.rule)
        before, after = states[number - 1], states[number]
        frames.append(
            Frame(
                number,
                rule.id,
                rule.says,
                clauses.of(rule.clauses),
                _revealed(game, step),
                stills.screen(rule.id, before, screens[number]),
                changes_of(shape.variables, [*before.values()], [*after.values()]),
                drawn[number],
                broken=(broken or {}).get(number, ""),
            )
        )
    return tuple(frames)


def _scalars(game: Game, step: Step) -> dict[str, Value]:
    return game.reveal_shape(game.rule(step.rule)).scalars(step.reveal)


def _revealed(game: Game, step: Step) -> tuple[Revealed, ...]:
    """Return what a step reveals, but what is 0 or no; what the player chooses is any."""
    variables = game.reveal_shape(game.rule(step.rule)).variables
    scalars = _scalars(game, step)
    return tuple(
        Revealed(one.name, one.meaning, quantity(one, scalars[one.name]), one.choice)
        for one in variables
        if scalars[one.name] or one.choice
    )


def _won(amount: int, parts: Mapping[str, int]) -> str:
    listed = ", ".join(f"{name} {pounds(won)}" for name, won in parts.items())
    return f"{pounds(amount)} ({listed})" if listed else pounds(amount)
