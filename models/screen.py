"""Screens: what a step looks like, and what a bystander reads off it.

Rules count; a screen shows. A screen is a dataclass of numbers and flags, declared like a state
with ``count`` and ``counts``, with three functions in the words of ``algebra``:

* ``counted``: what the screen reveals. A step *collects what it shows* if that is its reveal,
  as far as a screen can tell (``told``).
* ``kept``: the screen with everything in the place where the state, or the screen before it,
  says it has to be. A step *keeps what it leaves* if that changes nothing.
* ``made``: a screen for a reveal, before a screen that is to follow it. Where something is free
  (which square, which colour) a ``Taste`` decides. Every screen that is made is read back. That
  there is one for whatever is revealed is proved where a game has a layer (``Game.layer``).

A screen's fields may be unknown, one by one: what depends on them is then unknown too.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self, TypeVar

from .algebra import Bool

if TYPE_CHECKING:
    from .system import Reveal

__all__ = ["START", "Need", "Screen", "Seeded", "Taste", "View"]

V = TypeVar("V")

START = "start"
"""What takes the place of a rule's id for the screen a Play starts with."""


class Taste:
    """How a screen is made where nothing binds it: the plainest way there is."""

    def order(self, size: int, last: Sequence[Bool] | None = None) -> Sequence[int]:
        """Return the places 0 .. size-1 in the order in which they are filled.

        Those marked ``last`` come last. Where nothing else is known, place 0 is one of them.
        """
        return range(size) if last is None else [*range(1, size), 0]

    def one_of(self, values: Sequence[V]) -> V:
        """Return one of these values."""
        return values[0]


class Seeded(Taste):
    """A taste that varies with a seed, and is the same for the same seed."""

    def __init__(self, seed: str) -> None:
        self._random = random.Random(seed)

    def order(self, size: int, last: Sequence[Bool] | None = None) -> Sequence[int]:
        """Return the places in any order, those marked ``last`` at the end."""
        order = list(range(size))
        self._random.shuffle(order)
        return order if last is None else sorted(order, key=lambda place: last[place] is True)

    def one_of(self, values: Sequence[V]) -> V:
        """Return any of these values."""
        return values[int(self._random.random() * len(values))]


@dataclass(frozen=True)
class Need:
    """What has to hold of a screen beyond its fields' limits, and which field is to blame."""

    field: str
    holds: Bool
    says: str
    clauses: tuple[str, ...]


class Screen(ABC):
    """Base of every screen. ``rule`` is the id of the rule whose step it shows."""

    @abstractmethod
    def counted(self, rule: str, p: Any, s: Any) -> Reveal:
        """Return what this screen reveals in the state before the step.

        What the player chooses is not read off it, and may be anything.
        """

    @staticmethod
    def told(p: Any, reveal: Any) -> Any:
        """Return a reveal as far as a screen tells it: what looks alike is counted as one."""
        return reveal

    def kept(self, rule: str, p: Any, s: Any, earlier: Self | None) -> Self:
        """Return this screen with everything as it has to be where it is bound.

        ``earlier`` is the last screen of this view, if there is one that binds it.
        """
        return self

    def needs(self, rule: str, p: Any, s: Any) -> Sequence[Need]:
        """Return what else has to hold of the screen by itself."""
        return ()

    def picture(self, p: Any) -> Sequence[str]:
        """Return lines of text that picture the screen, none where nothing is gained by it."""
        return ()

    @staticmethod
    def continues(rule: str, p: Any, s: Any) -> Bool:
        """Return whether an earlier screen of this view binds the one of a step."""
        return True

    @classmethod
    @abstractmethod
    def made(
        cls, rule: str, p: Any, s: Any, reveal: Any, following: Self | None, taste: Taste
    ) -> Self:
        """Return a screen that shows a reveal, and that ``following`` may come after."""


@dataclass(frozen=True)
class View:
    """One kind of screen: the rules whose steps have it (by id), and what it answers to.

    ``collects`` and ``keeps`` are the clauses that a screen breaks which shows other than its
    step reveals, or which changes what has to stay.
    """

    id: str
    screen: type[Screen]
    rules: tuple[str, ...]
    says: str
    collects: tuple[str, ...]
    keeps: tuple[str, ...] = ()

    @property
    def binds(self) -> bool:
        """Whether anything on this screen is bound by the state or by an earlier screen."""
        return self.screen.kept is not Screen.kept
