"""``collects-what-it-shows`` and ``keeps-what-it-leaves``: claims about a game's screens.

A game reveals counts. Its layer, a system of its own, makes screens for counts, place by place,
with whatever a later screen needs where nothing is bound. The claims are proved of the layer,
for every parameter and reading of the game, by induction over the places, and carry over since
the layer takes any counts that the game may reveal, and more: it asks for room alone.

What layouts and builds show is compared with these claims screen by screen, by whoever judges
them; what is proved here is that the claims can always be met.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from ..errors import BadInput
from ..models.system import Game, Property
from .budget import Budget
from .encoding import encode
from .engines import Inquiry
from .events import Listener
from .verdict import Verdict
from .workbench import Workbench

__all__ = ["CLAIMS", "decide_of_layer", "layer_of"]

CLAIMS = ("collects-what-it-shows", "keeps-what-it-leaves")


def decide_of_layer(
    bench: Workbench, claim: Property, budget: Budget, listener: Listener
) -> Verdict:
    """Prove a claim about screens of the layer that makes them, or say how that fails.

    Raises BadInput for a game without a layer, or whose layer has no such property.
    """
    game = bench.encoding.game
    layer = layer_of(game)
    if claim.id not in {one.id for one in layer.properties}:
        raise BadInput(f"{game.id}: {claim.id} is no property of its layer {layer.id}")
    stated = dataclasses.replace(layer.property(claim.id), clauses=claim.clauses)
    encoding = encode(layer, bench.encoding.parameters, bench.encoding.readings)
    apart = Workbench(encoding, bench.answers)
    verdict = dataclasses.replace(Inquiry(apart, stated, budget, listener).run(), game=game.id)
    if not verdict.plays:
        return verdict
    ((play, _), *_) = verdict.plays
    steps = ", ".join(step.rule for step in play.steps)
    said = f"the layer {layer.id} breaks it: {steps}"
    return dataclasses.replace(verdict, plays=(), remark=said)


def layer_of(game: Game) -> Game:
    """Return the layer of a game, with its figures; BadInput where the game has none."""
    if game.layer is None:
        raise BadInput(f"{game.id} has no layer that makes its screens: its claims need one")
    values: dict[str, Any] = {
        field.name: getattr(game.setting, field.name)
        for field in dataclasses.fields(game.setting)
    }
    return dataclasses.replace(game.layer, setting=type(game.layer.setting)(**values))
