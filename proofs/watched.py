"""A game with somebody who looks at the screen and thinks of what might be revealed next.

    look+   changes nothing; its reveal holds two reveals of every kind there is

It may come at any moment, so that a step property of ``look+`` is a claim about every reachable
state and all that the lottery might do there, and a Play that breaks it ends with the reveals
in question. All else is as in the game, whose lemmas serve as they are.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..models.play import Play, applicable, replay
from ..models.system import Game, Point, Property, Reveal, Rule, Step

__all__ = ["LOOK", "Looked", "both_offers", "looked_at", "watched"]

LOOK = "look+"  # no rule of a game is called so: those are named after functions


@dataclass(frozen=True)
class Looked:
    """A Play to the state that was looked at, the state, and two reveals of every kind."""

    play: Play
    state: Any
    first: Mapping[type[Reveal], Any]
    second: Mapping[type[Reveal], Any]

    def firing(self, game: Game) -> list[Step]:
        """Return the steps that rules would take on the first reveals, in the game's order."""
        point: Point[Any, Any] = Point(self.state, None)
        return [
            Step(rule.id, reveal)
            for kind, reveal in self.first.items()
            for rule in applicable(game, self.play.setting, point, reveal)
            if rule.reveal is kind
        ]


def watched(game: Game, *claims: Property) -> Game:
    """Return the game with ``look+``; claims take the place of those of the same id."""

    def observe(p: Any, before: Point[Any, Any], step: Step, after: Any) -> Any:
        return before.t if step.rule == LOOK else game.observe(p, before, step, after)

    look = Rule(
        LOOK,
        _look(game),
        (),
        "Somebody looks at the screen and thinks of what might be revealed.",
        lambda p, s, r: True,
        lambda p, s, r: s,
    )
    named = {claim.id for claim in claims}
    others = tuple(claim for claim in game.properties if claim.id not in named)
    return dataclasses.replace(
        game, observe=observe, rules=(*game.rules, look), properties=(*others, *claims)
    )


def _offers(game: Game, reveal: Any, mark: str) -> dict[type[Reveal], Any]:
    return {
        kind: kind(
            **{
                field.name: getattr(reveal, _name(kind, field.name, mark))
                for field in _fields(kind)
            }
        )
        for kind in game.reveal_kinds()
    }


def both_offers(
    game: Game, reveal: Any
) -> tuple[dict[type[Reveal], Any], dict[type[Reveal], Any]]:
    """Return the two reveals of each kind that a look holds."""
    return _offers(game, reveal, FIRST), _offers(game, reveal, SECOND)


def looked_at(game: Game, play: Play) -> Looked:
    """Return what a Play of the watched game that ends with a look came to."""
    *steps, look = play.steps
    before = Play(play.setting, tuple(steps))
    *_, point = replay(game, before)
    return Looked(before, point.s, *both_offers(game, look.reveal))


MARKS = FIRST, SECOND = "one", "two"


def _look(game: Game) -> type[Reveal]:
    fields: list[tuple[str, Any, Any]] = [
        (
            _name(kind, field.name, mark),
            Any,
            dataclasses.field(metadata=field.metadata),
        )
        for mark in MARKS
        for kind in game.reveal_kinds()
        for field in _fields(kind)
    ]
    return dataclasses.make_dataclass("Look", fields, bases=(Reveal,), frozen=True)


def _fields(kind: Any) -> tuple[dataclasses.Field[Any], ...]:
    return dataclasses.fields(kind)


def _name(kind: type[Reveal], field: str, mark: str) -> str:
    return f"{mark}_{kind.__name__.lower()}_{field}"
