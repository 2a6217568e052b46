"""What judging a log came to: findings, counted and kept up to a limit, and what was seen.

``Result`` is what ``judge --format json`` prints: versioned, and the same bytes for the same
input.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import msgspec

from .finding import Finding, Severity
from .judge import Judge
from .script import Made
from .summary import Summary

__all__ = ["Counts", "Found", "Pair", "Result", "Seen", "result"]

UNDECIDED = "undecided"


@dataclass
class Found:
    """Findings as they come: all are counted, the first ``most`` are kept.

    ``left_out`` says how many of each file were not kept.
    """

    most: int
    kept: list[Finding] = field(default_factory=list)
    codes: Counter[str] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)
    errors: int = 0
    notes: int = 0
    undecided: int = 0

    def hear(self, finding: Finding) -> bool:
        """Count a finding, and return whether it is kept."""
        self.codes[finding.code] += 1
        if finding.code == UNDECIDED:
            self.undecided += 1
        elif finding.severity is Severity.NOTE:
            self.notes += 1
        else:
            self.errors += 1
        if len(self.kept) >= self.most:
            self.left_out[finding.where.file] += 1
            return False
        self.kept.append(finding)
        return True


class Counts(msgspec.Struct, frozen=True):
    """Findings by what they come to, also those that are left out of the list."""

    errors: int
    notes: int
    undecided: int
    left_out: int
    codes: dict[str, int]


class Pair(msgspec.Struct, frozen=True):
    """How often one rule came right after another."""

    first: str
    then: str
    times: int


class Seen(msgspec.Struct, frozen=True):
    """What the log held, out of all there is: a rule, part or row that never came has 0."""

    plays: int
    finished: int
    not_judged: int
    with_unknowns: int
    events: int
    showing: int
    resumed: int
    rules: dict[str, int]
    pairs: list[Pair]
    parts: dict[str, int]
    rows: dict[str, int]
    amounts: dict[str, int]


class Result(msgspec.Struct, frozen=True):
    """What judging a log came to."""

    format: Literal["playproof-findings"]
    version: Literal[1]
    game: str
    edition: Made
    readings: dict[str, str]
    read: list[str]
    found: Counts
    findings: list[Finding]
    seen: Seen
    interrupted: bool
    exit_code: int


def result(
    judge: Judge,
    found: Found,
    read: Sequence[str],
    *,
    exit_code: int,
    interrupted: bool = False,
) -> Result:
    """Return what judging came to, as it stands in a file. ``read`` are the names of files."""
    return Result(
        format="playproof-findings",
        version=1,
        game=judge.edition.game.id,
        edition=Made(judge.edition.name, judge.edition.hash),
        readings=dict(judge.readings),
        read=list(read),
        found=_counts(found),
        findings=list(found.kept),
        seen=_seen(judge.summary),
        interrupted=interrupted,
        exit_code=exit_code,
    )


def _counts(found: Found) -> Counts:
    codes = dict(sorted(found.codes.items()))
    return Counts(found.errors, found.notes, found.undecided, found.left_out.total(), codes)


def _seen(summary: Summary) -> Seen:
    return Seen(
        plays=summary.plays,
        finished=summary.finished,
        not_judged=summary.not_judged,
        with_unknowns=summary.with_unknowns,
        events=summary.events,
        showing=summary.showing,
        resumed=summary.resumed,
        rules=dict(summary.rules),
        pairs=[Pair(*pair, times) for pair, times in sorted(summary.pairs.items())],
        parts=dict(summary.parts),
        rows={str(row): times for row, times in summary.rows.items()},
        amounts={str(amount): times for amount, times in sorted(summary.amounts.items())},
    )
