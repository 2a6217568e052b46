"""Verdicts: what was found out of a property, how, and how far it reaches.

A verdict is a value. Engines return it; the command line and the reports show it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from ..models.play import Play

__all__ = ["Answer", "Certificate", "Cube", "Outcome", "Verdict"]

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
class Certificate:
    """The pair (k, φ) and what is to be checked of it, in SMT-LIB 2.

    ``system`` defines the game (``ranges``, ``init``, ``trans``), ``claim`` what is claimed of
    it (``rigid``, ``phi``, ``holds``), and ``obligations`` are the closing lines of each check
    by name: the start satisfies φ, φ is preserved (k steps running), φ implies the property.
    A check is the text ``system + claim + lines``, and must be answered ``unsat``.
    """

    k: int
    phi: str
    system: str
    claim: str
    obligations: tuple[tuple[str, str], ...]

    def texts(self) -> dict[str, str]:
        """Return the whole text of each obligation by name."""
        return {name: self.system + self.claim + lines for name, lines in self.obligations}


@dataclass(frozen=True)
class Verdict:
    """The answer for one property of one game.

    ``method`` names the engine that decided; ``depth`` is k for an induction, the number of
    steps for a refutation or a bound. ``fails_under`` holds the prime implicants of a verdict
    that depends on readings: each a set of ``(reading, choice)`` under which some parameter
    values break the property. ``plays`` are Plays that break it, one for each prime implicant
    (one for a refutation), each with the step after which it is broken (0: the start).
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
    assumptions: tuple[str, ...] = ()
    remark: str = ""
    seconds: float = 0.0
    spent: tuple[tuple[str, float], ...] = ()
