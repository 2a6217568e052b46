"""A film: a Play as the viewer shows it, a frame for the start and one for each step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from ...models.algebra import Value
from ...models.drawing import Panel
from ...models.registers import has_register, load_register
from ...models.screen import START
from ...models.shape import Variable
from ...models.system import Game
from ..words import quantity, some

__all__ = [
    "Change",
    "Clauses",
    "Difference",
    "Film",
    "Frame",
    "Revealed",
    "changes_of",
    "places_of",
]


@dataclass(frozen=True)
class Revealed:
    """Something that came up: its name, what it is, its value; whether the player chose it."""

    name: str
    meaning: str
    value: str
    chosen: bool = False


@dataclass(frozen=True)
class Change:
    """A scalar of the state that a step changed."""

    name: str
    meaning: str
    before: str
    after: str


@dataclass(frozen=True)
class Difference:
    """A scalar that a build showed other than the rules give it."""

    name: str
    shown: str
    expected: str


@dataclass(frozen=True)
class Frame:
    """One moment of a Play: what came up, what it did, and how things stand after it.

    ``number`` is the step, 0 for the start. ``state`` is by the rules, None where that is not
    known; ``shown`` is what a build showed instead, None where that is the same. ``clauses``
    are ids with their texts. ``broken`` says what this moment breaks, "" for nothing.
    """

    number: int
    name: str
    says: str = ""
    clauses: tuple[tuple[str, str], ...] = ()
    revealed: tuple[Revealed, ...] = ()
    screen: tuple[Panel, ...] = ()
    changes: tuple[Change, ...] = ()
    state: tuple[Panel, ...] | None = None
    shown: tuple[Panel, ...] | None = None
    differences: tuple[Difference, ...] = ()
    findings: tuple[str, ...] = ()
    broken: str = ""
    notes: tuple[str, ...] = ()

    @property
    def panels(self) -> tuple[Panel, ...]:
        """All that is drawn of this moment."""
        return (*self.screen, *(self.state or ()), *(self.shown or ()))

    @property
    def wrong(self) -> bool:
        """Whether anything is wrong at this moment."""
        return bool(self.findings or self.differences or self.broken)


@dataclass(frozen=True)
class Film:
    """A Play: its title, facts about it (label and text), and its frames in order."""

    title: str
    subtitle: str
    facts: tuple[tuple[str, str], ...]
    frames: tuple[Frame, ...]
    findings: tuple[str, ...] = field(default=())

    @property
    def wrong(self) -> int:
        """How many frames have something wrong."""
        return sum(frame.wrong for frame in self.frames)

    @property
    def steps(self) -> int:
        """How many frames are steps: all but that of the start, which a log may lack."""
        return sum(frame.name != START for frame in self.frames)


def places_of(frames: Iterable[Frame]) -> str:
    """Return at how many of some frames something is wrong, in words; "" for none."""
    wrong = [frame.name for frame in frames if frame.wrong]
    steps = len(wrong) - wrong.count(START)
    said = ("the start" if START in wrong else "", some(steps, "step") if steps else "")
    return " and ".join(filter(None, said))


class Clauses:
    """The clauses of a game's register, by id; of a game without one only ids are known."""

    def __init__(self, game: Game) -> None:
        self._texts = _texts(game.id)

    def of(self, ids: Iterable[str]) -> tuple[tuple[str, str], ...]:
        """Return ids with their texts, "" where there is none."""
        return tuple((id_, self._texts.get(id_, "")) for id_ in ids)


@cache
def _texts(game: str) -> Mapping[str, str]:
    known = load_register(game).clauses if has_register(game) else ()
    return {clause.id: clause.text for clause in known}


def changes_of(
    variables: Sequence[Variable], before: Sequence[Value], after: Sequence[Value]
) -> tuple[Change, ...]:
    """Return what changed between two states, given by scalar in the order of the variables."""
    return tuple(
        Change(one.name, one.meaning, quantity(one, was), quantity(one, now))
        for one, was, now in zip(variables, before, after, strict=True)
        if was != now
    )
