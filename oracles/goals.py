"""What a suite has to show of a game, all of it read off the game: nothing is listed by hand.

    prize      every prize that the table or the game's file names is won, and nothing else is
    rule       every rule is taken
    pair       every rule comes right after every other that it can come after
    boundary   what is filled: from empty, one short, exact, one over, full already, the most
    value      every value that a reveal can have, where there are few; none, one and more else
    effect     every rule changes every field that it can change
    level      a field of few values goes from each to each other by every rule that can do so
    reading    every reading taken otherwise makes a difference
    losing     Plays that win nothing, plain and with every rule in them
    near-miss  Plays that win nothing and end one short of filling something
    again      a rule comes again after others have come: two sub-games of one kind
    run        a rule comes twice running with the same, and with another, thing revealed
    long       Plays of many steps, and every source of length beyond its usual limit

A ``Moment`` is a condition on a step, written over an encoding's unknowns, so it is seen on
numbers, asked of a solver, and claimed never to come about, all by the same formula.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..models.algebra import Bool
from .targets import Target

__all__ = ["Again", "Goal", "Long", "Losing", "Moment", "Passage", "Prize", "Run"]


@dataclass(frozen=True)
class Goal:
    """Something that the Plays of a suite have to show; ``id`` begins with its kind."""

    id: str
    says: str

    @property
    def kind(self) -> str:
        """The kind of goal."""
        return self.id.partition(":")[0]


@dataclass(frozen=True)
class Prize(Goal):
    """A prize is won, and nothing else."""

    target: Target


@dataclass(frozen=True)
class Moment(Goal):
    """A step as a condition says: by rule, a term over an encoding's unknowns."""

    cases: tuple[tuple[str, Bool], ...]


@dataclass(frozen=True)
class Passage(Goal):
    """One rule right after another."""

    first: str
    then: str


@dataclass(frozen=True)
class Losing(Goal):
    """A Play that wins nothing in which a rule is taken."""

    rule: str


@dataclass(frozen=True)
class Again(Goal):
    """A rule comes again after others have come."""

    rule: str


@dataclass(frozen=True)
class Run(Goal):
    """A rule comes twice running, and reveals in a field the same again or something else."""

    rule: str
    field: str
    same: bool


@dataclass(frozen=True)
class Long(Goal):
    """A Play of so many steps; with a ``source``, one that uses more of it than ``most``."""

    most: int
    source: str = ""
