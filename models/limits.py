"""A game in which every source of length can be limited: a game like any other.

    used.X          how much of source X has been used, part of the state
    limit.X         a parameter: how much of it there is
    limit-X         a reading: whether that limit binds (``limited``) or not (``unlimited``)

A rule fires only if the limits that bind are kept after it. With none that binds the Plays are
those of the game itself, so one system speaks of all ways to limit it.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from .algebra import Bool, Int, all_of, implies
from .play import Play
from .setting import Choice, figure, parameter, reading
from .shape import counts
from .system import Game, Kind, Limit, Point, Property, Rule, Step

__all__ = ["LIMITED", "UNLIMITED", "WITHIN_LIMITS", "limit_reading", "limited", "unlimited"]

LIMITED, UNLIMITED = "limited", "unlimited"
WITHIN_LIMITS = "within-limits"


def limit_reading(source: str) -> str:
    """Return the id of the reading that says whether a source is limited."""
    return f"limit-{source}"


def limited(game: Game, using: tuple[str, ...] = ()) -> Game:
    """Return a game whose sources of length can be limited.

    It has the lemma ``within-limits``, proved with ``using``, besides what the game has.
    """
    state = dataclasses.make_dataclass(
        f"Limited{game.state.__name__}",
        [("used", Any, counts("how much of a source of length was used", "sources"))],
        bases=(game.state,),
        frozen=True,
    )

    def plain(s: Any) -> Any:
        names = (field.name for field in dataclasses.fields(game.state))
        return game.state(**{name: getattr(s, name) for name in names})

    def counted(s: Any, used: list[Int]) -> Any:
        names = (field.name for field in dataclasses.fields(game.state))
        return state(**{name: getattr(s, name) for name in names}, used=tuple(used))

    def used_after(p: Any, s: Any, step: Step) -> list[Int]:
        before = plain(s)
        return [
            (0 if step.rule in limit.renewed else used) + limit.spent(p, before, step)
            for limit, used in zip(game.limits, s.used, strict=True)
        ]

    def bounded(rule: Rule) -> Rule:
        def when(p: Any, s: Any, r: Any) -> Bool:
            used = used_after(p, s, Step(rule.id, r))
            return all_of(rule.when(p, plain(s), r), _kept(game.limits, p, used))

        def effect(p: Any, s: Any, r: Any) -> Any:
            used = used_after(p, s, Step(rule.id, r))
            return counted(rule.effect(p, plain(s), r), used)

        return dataclasses.replace(rule, when=when, effect=effect)

    def observe(p: Any, before: Point[Any, Any], step: Step, after: Any) -> Any:
        return game.observe(p, Point(plain(before.s), before.t), step, plain(after))

    def within(p: Any, s: Any, t: Any) -> Bool:
        return all_of((used >= 0 for used in s.used), _kept(game.limits, p, s.used))

    says = "What was used of a source of length is within its limit, where that binds."
    lemma = Property(WITHIN_LIMITS, Kind.LEMMA, (), says, within, using)
    return dataclasses.replace(
        game,
        setting=_setting(game),
        state=state,
        initial=lambda p: counted(game.initial(p), [0 for _ in game.limits]),
        observe=observe,
        rules=tuple(bounded(rule) for rule in game.rules),
        properties=(*game.properties, lemma),
        limits=(),
    )


def unlimited(game: Game, play: Play) -> Play:
    """Return a Play of the limited game as one of the game itself."""
    names = (field.name for field in dataclasses.fields(game.setting))
    setting = type(game.setting)(**{name: getattr(play.setting, name) for name in names})
    return Play(setting, play.steps)


def _kept(limits: tuple[Limit, ...], p: Any, used: Any) -> Bool:
    return all_of(
        implies(_binds(p, limit), amount <= most)
        for limit, amount, most in zip(limits, used, p.limit, strict=True)
    )


def _binds(p: Any, limit: Limit) -> Bool:
    binds: Choice = getattr(p, limit_reading(limit.id).replace("-", "_"))
    return binds.is_(LIMITED)


def _setting(game: Game) -> Any:
    sources = tuple(limit.id for limit in game.limits)
    fields: list[tuple[str, Any, Any]] = [
        ("sources", tuple[str, ...], figure(sources, "sources of length", "")),
        ("limit", Any, parameter("how much of a source there is", 0, over="sources")),
    ]
    fields += [
        (
            limit_reading(limit.id).replace("-", "_"),
            Choice,
            reading(
                f"whether there is a limit on: {limit.says}",
                limit.clauses,
                limited="there is",
                unlimited="there is none",
            ),
        )
        for limit in game.limits
    ]
    base = type(game.setting)
    made = dataclasses.make_dataclass(
        f"Limited{base.__name__}", fields, bases=(base,), frozen=True
    )
    own = {field.name: getattr(game.setting, field.name) for field in dataclasses.fields(base)}
    return made(**own)
