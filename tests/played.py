"""Plays as logs have them: the events of a sound build, and one thing changed in them."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from playproof.models.editions import Edition, PrizeRow, default_readings, load_edition
from playproof.models.games import load_game
from playproof.models.play import Play, replay
from playproof.models.setting import settle
from playproof.models.system import Nothing, Step
from playproof.oracles.event import FINISH, FORMAT, START, VERSION, Event, Where, nested
from playproof.oracles.finding import Finding
from playproof.oracles.judge import Judge
from playproof.oracles.screens import Screens

from . import colour_collector_plays as cc
from .diamond_riches_plays import made
from .lucky_dip import LUCKY_DIP, Draw

Log = list[tuple[Event, Where]]

DIP = Edition(
    game=LUCKY_DIP,
    figures={},
    name="test",
    about="",
    path=Path("test.toml"),
    hash="0" * 64,
    parameters={"jar": 6, "amount": 500},
    sources={},
    prizes=tuple(
        PrizeRow(number, amount, (amount,), 0, 10)
        for number, amount in enumerate((500, 1000, 2000), start=1)
    ),
)


def dip(*draws: tuple[int, int]) -> tuple[Step, ...]:
    """Return a Play of Lucky Dip by its draws (coins, stars), to its end."""
    steps = [Step("draw", Draw(coins, stars)) for coins, stars in draws]
    return (*steps, Step("finish", Nothing()))


@cache
def played(name: str) -> tuple[Edition, tuple[Step, ...]]:
    """Return an edition, and the steps of a Play of it by its name: see ``PLAYED``."""
    return PLAYED[name]()


def _prize_game() -> tuple[Edition, tuple[Step, ...]]:
    spins = [cc.spin(row_1=4, prize=1), cc.spin(row_1=3, prize=5), *[cc.spin(row_3=1)] * 4]
    return cc.EDITION, (*spins, cc.prize_spin({1000: 1}, wins=1), cc.FINISH)


def _bonus_game() -> tuple[Edition, tuple[Step, ...]]:
    game = cc.bonus_game((cc.SUPER, 1), (cc.FEW, 4))
    spins = [cc.spin(bonus=4, row_1=1), cc.spin(bonus=4, row_2=3), *game]
    return cc.EDITION, (*spins, *[cc.spin(row_1=1, row_5=2)] * 4, cc.FINISH)


def _riches() -> tuple[Edition, tuple[Step, ...]]:
    edition = load_edition(load_game("diamond-riches"))
    game, rng = edition.game, Random(7)
    p, _, _ = settle(game.setting, edition.parameters, default_readings(game.setting))
    point, steps = game.start(p), []
    while game.goal.ended(p, point.s) is not True:
        (rule,) = [rule for rule in game.rules if rule.when(p, point.s, Nothing()) is True]
        reveal = made(rng, p, point.s, rule, 0)
        if rule.guard(p, point.s, reveal) is True:
            steps.append(Step(rule.id, reveal))
            point = game.after(p, point, rule, reveal)
    return edition, tuple(steps)


PLAYED = {"prize-game": _prize_game, "bonus-game": _bonus_game, "riches": _riches}
"""Plays of the games: one of Colour Collector that wins £15 (£5 + £10 Prize Game), one with a
Bonus Game, and one of Diamond Riches."""


def log(
    edition: Edition,
    steps: Sequence[Step],
    play: str = "P-1",
    readings: Mapping[str, str] | None = None,
    file: str = "log.jsonl",
) -> Log:
    """Return what a sound build logs of a Play."""
    game = edition.game
    readings = default_readings(game.setting, readings)
    p, _, _ = settle(game.setting, edition.parameters, readings)
    points = list(replay(game, Play(p, tuple(steps))))
    shape = game.state_shape()
    shows = [nested(shape.scalars(point.s)) for point in points]
    end = points[-1].s
    amount = game.goal.paid(p, end)
    won = {name: part for name, part in game.goal.parts(p, end).items() if part}
    events = [
        Event(
            play, 0, START, shows=shows[0], format=FORMAT, version=VERSION, game=game.id,
            edition={"name": edition.name, "hash": edition.hash}, readings=dict(readings),
            outcome={"amount": amount, "parts": won},
        )
    ]  # fmt: skip
    for number, step in enumerate(steps, start=1):
        shape_ = game.reveal_shape(game.rule(step.rule))
        scalars = shape_.scalars(step.reveal)
        chosen = {v.name for v in shape_.variables if v.choice}
        events.append(
            Event(
                play, number, step.rule,
                reveal=nested({n: v for n, v in scalars.items() if n not in chosen}),
                choice=nested({n: v for n, v in scalars.items() if n in chosen}) or None,
                shows=shows[number],
                paid=amount if step.rule == FINISH else None,
                won=won if step.rule == FINISH else None,
            )
        )  # fmt: skip
    return [(event, Where(file, line)) for line, event in enumerate(events, start=1)]


def judged(
    edition: Edition, events: Iterable[tuple[Event, Where]], judge: Judge | None = None
) -> list[Finding]:
    """Return what a judge finds in a log: a new one unless one is given."""
    return list((judge or Judge(edition)).judge(events))


def changed(events: Log, step: int, **to: Any) -> Log:
    """Return a log with one event changed: a value, or a function of a copy of the old one."""

    def new(event: Event, name: str, value: Any) -> Any:
        return value(copy.deepcopy(getattr(event, name))) if callable(value) else value

    return [
        (msgspec.structs.replace(e, **{n: new(e, n, v) for n, v in to.items()}), where)
        if e.step == step
        else (e, where)
        for e, where in events
    ]


def put(path: str, value: Any) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """Return a change of one scalar, by its name as in findings."""

    def change(shown: dict[str, Any]) -> dict[str, Any]:
        *above, last = path.split(".")
        at = shown
        for label in above:
            at = at[label]
        at[last] = value
        return shown

    return change


def without(*fields: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """Return a change that leaves fields out."""
    return lambda shown: {name: value for name, value in shown.items() if name not in fields}


def codes(found: Iterable[Finding]) -> list[tuple[str, int | None]]:
    """Return findings as (code, step)."""
    return [(one.code, one.step) for one in found]


def with_screens(edition: Edition, steps: Sequence[Step], events: Log) -> Log:
    """Return a log with what the screen shows in every step that has one."""
    game = edition.game
    p, _, _ = settle(game.setting, edition.parameters, default_readings(game.setting))
    states = [
        tuple(game.state_shape().scalars(point.s).values())
        for point in replay(game, Play(p, tuple(steps)))
    ]
    stepped: list[Any] = [(START, states[0], ())]
    for step, before in zip(steps, states, strict=False):
        reveal = game.reveal_shape(game.rule(step.rule)).scalars(step.reveal)
        stepped.append((step.rule, before, tuple(reveal.values())))
    screens = Screens(game, p).made(stepped, "1")
    return [
        (msgspec.structs.replace(event, screen=screen), where)
        for (event, where), screen in zip(events, screens, strict=True)
    ]
