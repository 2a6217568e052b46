"""Make a Play that breaks a property as short and plain as the property allows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import cast

from ..models.play import IllegalStep, Play, violated
from ..models.system import Game, Property, Step

__all__ = ["shorten"]


def shorten(
    game: Game, claim: Property, play: Play, also: Callable[[Play], bool] = lambda play: True
) -> tuple[Play, int]:
    """Return a Play that breaks a claim in its last step, and the number of that step.

    Steps that can go are dropped, and counts revealed are lowered to the least allowed where
    the rest still breaks the claim, and is as ``also`` wants it; every candidate is replayed by
    the rules. Raises ValueError if the Play does not break the claim.
    """
    best = _cut(game, claim, play)
    if best is None:
        raise ValueError(f"the Play does not break {claim.id}")
    improved = True
    while improved:
        improved = False
        for candidate in _plainer(game, best):
            cut = _cut(game, claim, candidate)
            if cut is not None and _size(game, cut) < _size(game, best) and also(cut):
                best, improved = cut, True
                break
    return best, len(best.steps)


def _cut(game: Game, claim: Property, play: Play) -> Play | None:
    try:
        at = violated(game, claim.id, play)
    except IllegalStep:
        return None
    return None if at is None else replace(play, steps=play.steps[:at])


def _size(game: Game, play: Play) -> tuple[int, int]:
    revealed = sum(
        abs(cast("int", value))
        for step in play.steps
        for value in game.reveal_shape(game.rule(step.rule)).scalars(step.reveal).values()
    )
    return len(play.steps), revealed


def _plainer(game: Game, play: Play) -> Iterator[Play]:
    """Yield the Play with one step fewer, then with one revealed value lowered."""
    steps = play.steps
    for index in range(len(steps)):
        yield replace(play, steps=steps[:index] + steps[index + 1 :])
    for index, step in enumerate(steps):
        shape = game.reveal_shape(game.rule(step.rule))
        values = shape.scalars(step.reveal)
        for variable in shape.variables:
            value = values[variable.name]
            least = (variable.low or 0) if variable.sort == "Int" else False
            if value != least:
                plain = shape.of({**values, variable.name: least})
                changed = Step(step.rule, plain)
                yield replace(play, steps=(*steps[:index], changed, *steps[index + 1 :]))
