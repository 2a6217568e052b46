"""A good Play for a property that is proved: one in which what it speaks of comes about."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..models.play import Play, replay
from ..models.system import Property
from .antecedents import Antecedent, antecedents, rule_fires, rules_spoken_of
from .encoding import Encoding
from .reaching import met_in
from .walks import finished

__all__ = ["witness"]

_COMPLETED = 3


def witness(encoding: Encoding, claim: Property, plays: Iterable[Play]) -> Play | None:
    """Return the Play, of those there are, in which most conditions of a claim come about.

    Of equals one that comes to its end, and then the shortest. Where it does not end it is gone
    on with, if it can be. For a claim without conditions the rules it speaks of count.
    """
    conditions: Sequence[Antecedent] = antecedents(encoding, claim)
    if not conditions:
        spoken_of = rules_spoken_of(encoding, claim)
        conditions = [rule_fires(encoding.game, rule) for rule in spoken_of]

    def worth(play: Play) -> tuple[int, bool, int]:
        met = len(met_in(encoding, play, conditions))
        return met, _ended(encoding, play), -len(play.steps)

    ranked = sorted(plays, key=worth, reverse=True)
    for play in ranked[:_COMPLETED]:
        whole = finished(encoding, play)
        if _ended(encoding, whole):
            return whole
    return ranked[0] if ranked else None


def _ended(encoding: Encoding, play: Play) -> bool:
    *_, last = replay(encoding.game, play)
    return encoding.game.goal.ended(play.setting, last.s) is True
