"""What sanity found: a proof that cannot fail proves nothing, so each has to be able to.

Every answer is one of three. ``budget exhausted`` is no answer, and is never counted as a pass.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum

from ..models.play import Play
from .antecedents import Antecedent

__all__ = ["Found", "GameSanity", "Needs", "Reached", "Sanity"]


class Found(Enum):
    """Whether something was found to be so."""

    YES = "yes"
    NO = "no"
    EXHAUSTED = "budget exhausted"


@dataclass(frozen=True)
class Reached:
    """Whether a condition can come about: with the Play (by its number) and the step.

    A condition on states holds after that step (0: at the start), one on steps in it.
    ``NO`` says that it was proved never to come about, whatever is left open.
    """

    condition: Antecedent
    found: Found
    play: int | None = None
    step: int | None = None


@dataclass(frozen=True)
class Needs:
    """What the checks of a proof needed: enough, not always the least there is.

    ``rules`` gives by rule its ``guard`` and the variables whose updates were needed, ``start``
    the variables whose first values were, ``lemmas`` the claims that were assumed and needed.
    ``exhausted`` are checks whose core was not had within the budget: what they need is not in
    it.
    """

    rules: Mapping[str, tuple[str, ...]]
    start: tuple[str, ...]
    lemmas: tuple[str, ...]
    exhausted: tuple[str, ...] = ()


@dataclass(frozen=True)
class Sanity:
    """Of one property: whether it can be false at all, and there was anything to prove.

    ``falsifiable``: any values of the right sorts satisfy its negation. ``trivial``: it holds
    in every state within the limits of its fields (a step property: and for every rule that
    applies there), reachable or not. ``needs`` is there where it was proved.
    """

    falsifiable: Found
    trivial: Found
    needs: Needs | None = None
    seconds: float = 0.0


@dataclass(frozen=True)
class GameSanity:
    """Of one game: whether there is a start, every rule fires, antecedents come about.

    ``antecedents`` are by property. ``promises`` tell of each whether a Play ends with it
    broken (``NO``: a theorem of the mechanics), ``witnesses`` hold a good Play of each
    property, where they were asked for. Plays are given by their numbers in ``plays``.
    """

    game: str
    starts: Found
    rules: tuple[Reached, ...]
    antecedents: Mapping[str, tuple[Reached, ...]] = field(default_factory=dict)
    promises: tuple[Reached, ...] = ()
    witnesses: Mapping[str, Play] = field(default_factory=dict)
    plays: tuple[Play, ...] = ()
    seconds: float = 0.0

    def conditions(self) -> Iterator[Reached]:
        """Yield what was looked for, with what was found of it."""
        yield from self.rules
        yield from self.promises
        for reached in self.antecedents.values():
            yield from reached
