"""Verdicts: what was found out of a property, how, and how far it reaches.

A verdict is a value. Engines return it; the command line and the reports show it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from ..models.play import Play
from ..models.system import Reveal

__all__ = [
    "Answer",
    "Beside",
    "Certificate",
    "Cube",
    "Endless",
    "Longest",
    "Obligation",
    "Outcome",
    "Ranked",
    "Stated",
    "Termination",
    "Verdict",
    "WayOn",
]

Cube = tuple[tuple[str, str], ...]
"""Some readings, each with the choice taken: ``(("two-pairs", "both"),)``."""


class Outcome(Enum):
    """What was found out. Only ``PROVED`` says that every Play keeps the property."""

    PROVED = "proved"
    REFUTED = "refuted"
    DEPENDS = "depends"
    BOUNDED = "bounded"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Answer:
    """What one solver answered to one obligation: ``unsat`` where it agrees."""

    obligation: str
    solver: str
    answer: str
    seconds: float
    reason: str = ""


@dataclass(frozen=True)
class Obligation:
    """One check of a certificate: a complete SMT-LIB 2 text whose answer must be ``unsat``.

    ``about`` is the property or lemma it belongs to, ``part`` is ``base``, ``step`` or
    ``property``, and ``detail`` says which rules it covers, "" for all.
    """

    about: str
    part: str
    detail: str
    text: str

    @property
    def name(self) -> str:
        """What it is called: ``step stars-carry (draw)``."""
        return f"{self.part} {self.about}" + (f" ({self.detail})" if self.detail else "")


@dataclass(frozen=True)
class Stated:
    """One claim that a certificate proves; ``kind`` is ``invariant`` or ``step``."""

    id: str
    kind: str
    says: str
    clauses: tuple[str, ...] = ()


@dataclass(frozen=True)
class Certificate:
    """The pair (k, φ) and what is to be checked of it.

    The start satisfies φ, φ is preserved (k steps running), φ implies what is stated: every one
    of ``statement``. For k = 1 with lemmas φ is a conjunction of claims by name, ``conjuncts``,
    checked claim by claim and rule by rule; else ``conjuncts`` is None, and ``phi`` is a
    formula. ``system`` is the whole game as text: every definition in an obligation that is
    none of the claims' own stands there word for word. ``claims`` defines what is stated and φ.
    ``excluded`` are readings that are left out. ``fixed`` holds the ``figures``, ``parameters``
    and ``readings`` it was encoded under.
    """

    k: int
    phi: str
    system: str
    obligations: tuple[Obligation, ...]
    statement: tuple[Stated, ...]
    claims: str
    conjuncts: tuple[str, ...] | None = None
    excluded: tuple[Cube, ...] = ()
    fixed: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True)
class Beside:
    """What a Play is to be compared with, where two together break a claim.

    ``refused`` is what was revealed next, and was legal beside it, but no rule takes here.
    """

    play: Play
    refused: Reveal | None = None


@dataclass(frozen=True)
class WayOn:
    """A reveal that is legal in some states, by which no Play gets stuck in them.

    ``fixed`` is the reveal; None where it depends on the state as ``says`` tells.
    """

    id: str
    rules: tuple[str, ...]
    says: str
    fixed: Reveal | None = None


@dataclass(frozen=True)
class Endless:
    """A way for a Play to go on for ever: by ``sources`` of length alone, under some readings.

    The steps of ``play`` after ``start`` can be taken again and again. After them the state is
    what it was, but for the scalars that are ``growing``; where there are such, ``region`` is
    the set of states, as conditions in words, that the steps lead back into for ever.
    """

    sources: tuple[str, ...]
    under: Cube
    play: Play
    start: int
    growing: tuple[str, ...] = ()
    region: tuple[str, ...] = ()


@dataclass(frozen=True)
class Ranked:
    """A ranking function, each component with the rules it counts, in words and in order.

    It holds where all sources but those ``unlimited`` are, except under ``apart_from``.
    """

    unlimited: tuple[str, ...]
    components: tuple[tuple[str, tuple[str, ...]], ...]
    apart_from: tuple[Cube, ...] = ()


@dataclass(frozen=True)
class Longest:
    """How many steps a Play can take within limits (source and figure), under some readings.

    ``at_most`` is proved, by inequalities between how often rules are taken (in words); None if
    that was not found. ``play`` takes as many steps as is known that one can.
    """

    limits: tuple[tuple[str, int], ...]
    under: Cube
    at_most: int | None
    inequalities: tuple[str, ...]
    play: Play


@dataclass(frozen=True)
class Termination:
    """How Plays go on for ever, if they do, and why they end where limits keep them from it.

    ``longest`` says how many steps they take at most within limits, where that was found out.
    """

    endless: tuple[Endless, ...]
    ranked: tuple[Ranked, ...]
    longest: Longest | None = None


@dataclass(frozen=True)
class Verdict:
    """The answer for one property of one game.

    ``method`` names the engine that decided; ``depth`` is k for an induction, the number of
    steps for a refutation or a bound. ``fails_under`` holds the prime implicants of a verdict
    that depends on readings: each a set of ``(reading, choice)`` under which some parameter
    values break the property. ``plays`` are Plays that break it, one for each prime implicant
    (one for a refutation), each with the step after which it is broken (0: the start);
    ``beside`` are the Plays to compare them with, one for each, where it takes two. ``ways_on``
    are the reveals of which one is legal in each unfinished state, where that was proved.
    ``termination`` tells why Plays end, or how they do not, where that was asked.
    ``assumptions`` are what was fixed or left out, in words. ``seconds``, ``spent`` (seconds by
    solver, ``ours`` for the rest) and the answers' times are the only parts that differ from
    run to run.
    """

    game: str
    property: str
    outcome: Outcome
    method: str
    depth: int
    certificate: Certificate | None = None
    answers: tuple[Answer, ...] = ()
    fails_under: tuple[Cube, ...] = ()
    plays: tuple[tuple[Play, int], ...] = ()
    beside: tuple[Beside, ...] = ()
    ways_on: tuple[WayOn, ...] = ()
    termination: Termination | None = None
    assumptions: tuple[str, ...] = ()
    remark: str = ""
    seconds: float = 0.0
    spent: tuple[tuple[str, float], ...] = ()
