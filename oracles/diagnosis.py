"""What kind of fault it is that a Play of a build showed: found out by playing it again.

A Play is played once more with one thing only done differently: in a build that has played
nothing before, with another outcome predetermined, interrupted, or alone. What makes the
difference is the kind of fault.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from ..models.money import pounds
from .cases import Case
from .course import Course, Played
from .finding import Finding
from .player import Player

__all__ = ["Diagnosis", "as_played", "by_check"]

_NO_ANSWER = {"hang", "died", "rubbish", "flood", "answered-twice"}

_IN_TURN = "played in turn with another Play"

_SAID = {
    "leak": "with another outcome predetermined",
    "resume": "interrupted after every step",
    "illegal": "after a step that it refused, as it should",
}


class Diagnosis:
    """Finds out by more Plays what kind of fault a finding is of.

    ``other_outcome`` gives a script that wins something else, if there is one.
    """

    def __init__(self, player: Player, other_outcome: Callable[[Case], Case | None]) -> None:
        self._player = player
        self._other_outcome = other_outcome

    def of_plain(self, course: Course, played: Played) -> Iterator[Finding]:
        """Yield what was found in a Play in which nothing more was checked."""
        if played.lost:
            yield from played.findings
            return
        if self._player.build.can_restart and self._player.plays > 1:
            self._player.build.restart()
            if not self._again(course):
                said = "in a build that has played another Play before"
                yield from (_as(one, "carry-over", said) for one in played.findings)
                return
        other = self._other_outcome(course.case)
        for one in played.findings:
            tells = other and one.field and self._tells(course, one, other)
            yield _leak(one, other) if tells and other else one

    def of_checked(
        self, course: Course, played: Played, well: Course, *, in_turn: bool
    ) -> Iterator[Finding]:
        """Yield what was found in a Play in which more was checked, by the check that fails.

        ``well`` is a Play of the same script that went well before; ``in_turn`` is whether
        another Play went on meanwhile.
        """
        found, checks = played.findings, course.by_check()
        if found[0].code == "illegal":
            yield from found
            return
        if found[0].code in _NO_ANSWER:
            yield from (as_played(one, course, in_turn=in_turn) for one in found)
            return
        if again := self._again(well):
            said = "in a build that has played this script before"
            yield from (_as(one, "carry-over", said) for one in again)
            return
        plain = course.plain()
        if plain != well:  # it has another way to choose
            alone = self._player.run(plain)
            if alone.findings:
                yield from self.of_plain(plain, alone)
                return
        for check, only in checks.items():
            if again := self._again(only.trying(played.tried)):
                yield from (by_check(one, check, only) for one in again)
                return
        if in_turn and (plain == course or not self._again(course.trying(played.tried))):
            yield from (_as(one, "carry-over", _IN_TURN) for one in found)
            return
        yield from (as_played(one, course) for one in found)

    def _again(self, course: Course) -> list[Finding]:
        return self._player.run(course).findings

    def _tells(self, course: Course, finding: Finding, other: Case) -> bool:
        """Return whether what was shown wrongly depends on the predetermined outcome."""
        step = finding.step or 0
        if step == len(course.asks):
            return False
        played = self._player.run(course.telling(other, step))
        again = [one for one in played.findings if one.field == finding.field]
        if played.findings and not again:
            return False
        return not again or again[0].shown != finding.shown


def as_played(finding: Finding, course: Course, *, in_turn: bool = False) -> Finding:
    """Return a finding that says in which Play it came about, if that was no plain one."""
    done = [_SAID[check] for check in course.by_check()] + [_IN_TURN] * in_turn
    said = f"{', '.join(done)}: " if done else ""
    return replace(finding, message=f"{said}{finding.message}")


def by_check(finding: Finding, check: str, course: Course) -> Finding:
    """Return a finding of a Play in which one thing was checked as one of that kind."""
    if check == "leak" and course.told is not None:
        return _leak(finding, course.told)
    if check == "illegal":
        return replace(_as(finding, "illegal", _SAID["illegal"]), fault=finding.fault)
    return _as(finding, check, _SAID[check])


def _leak(finding: Finding, other: Case) -> Finding:
    amount = pounds(other.script.prize.amount)
    said = f"and something else where {amount} is predetermined: it tells the outcome"
    return replace(finding, code="leak", message=f"{finding.message}, {said}", fault="leak")


def _as(finding: Finding, code: str, said: str) -> Finding:
    """Return a finding as one of another kind, and when it comes about in words."""
    message = f"{said}: {finding.message}"
    if finding.code in _NO_ANSWER:
        return replace(finding, message=message)
    return replace(finding, code=code, message=message, fault=code)
