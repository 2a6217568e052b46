"""A game that counts how often each rule was taken: what a bystander sees, and no more."""

from __future__ import annotations

import dataclasses
from typing import Any

from .setting import figure
from .shape import counts
from .system import Game, Point, Step

__all__ = ["counted"]


def counted(game: Game) -> Game:
    """Return a game whose tally counts, besides, how often each rule was taken (``taken``)."""
    rules = tuple(rule.id for rule in game.rules)
    base = type(game.setting)
    setting = dataclasses.make_dataclass(
        f"Counted{base.__name__}",
        [("rules", tuple[str, ...], figure(rules, "the rules of the game", ""))],
        bases=(base,),
        frozen=True,
    )
    own = {one.name: getattr(game.setting, one.name) for one in dataclasses.fields(base)}
    tally = dataclasses.make_dataclass(
        f"Counted{game.tally.__name__}",
        [("taken", Any, counts("how often a rule was taken", "rules"))],
        bases=(game.tally,),
        frozen=True,
    )

    def plain(t: Any) -> Any:
        return game.tally(
            **{f.name: getattr(t, f.name) for f in dataclasses.fields(game.tally)}
        )

    def observe(p: Any, before: Point[Any, Any], step: Step, after: Any) -> Any:
        t = game.observe(p, Point(before.s, plain(before.t)), step, after)
        seen = {f.name: getattr(t, f.name) for f in dataclasses.fields(game.tally)}
        taken = tuple(
            times + 1 if rule == step.rule else times
            for rule, times in zip(rules, before.t.taken, strict=True)
        )
        return tally(**seen, taken=taken)

    return dataclasses.replace(game, setting=setting(**own), tally=tally, observe=observe)
