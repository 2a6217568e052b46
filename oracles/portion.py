"""A portion of a suite, driven from a clean start: nothing that was driven before matters.

Each script is played in every way to choose, then with more that is checked; what is found is
looked into by other Plays (``diagnosis``). Plays of different portions have different numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from .builds import Build, Trouble
from .cases import Case
from .course import Course, Played
from .diagnosis import Diagnosis
from .finding import Finding
from .forks import Forks
from .judge import Judge
from .player import Player
from .probes import Probe, Probes

__all__ = ["Done", "Plan", "Portion", "Tally"]

Begun = Callable[[Case], None]
Heard = Callable[[Finding], None]

_SILENT = 3
"""So many scripts without one answer, from the first on, and the build is given up."""

_APART = 100_000
"""By so much the numbers of Plays of one portion are higher than those of the one before."""


@dataclass(frozen=True)
class Plan:
    """How a suite is driven: what all portions of it share."""

    build: Build
    judge: Judge
    cases: Sequence[Case]
    ways: Sequence[str]
    checks: Sequence[str]
    restart: bool
    timeout: float
    forks: Forks
    probes: Probes
    refused: Mapping[str, Mapping[int, Sequence[Probe]]]

    @cached_property
    def choosing(self) -> frozenset[str]:
        """The rules at which the player chooses something."""
        return frozenset(
            id_
            for id_, move in self.judge.expected.moves.items()
            if any(one.choice for one in move.variables)
        )

    def other_outcome(self, case: Case) -> Case | None:
        """Return the next script that wins something else."""
        amount, count = case.script.prize.amount, len(self.cases)
        after = (self.cases[(case.seed + more) % count] for more in range(1, count))
        return next((one for one in after if one.script.prize.amount != amount), None)


@dataclass(frozen=True)
class Tally:
    """What was done so far: how often, which rules were taken, and what was shown."""

    driven: int
    plays: int
    asked: int
    resumes: int
    probes: int
    forks: int
    taken: frozenset[str]
    shows: frozenset[str]
    notes: tuple[Finding, ...]


@dataclass
class Done:
    """What driving a portion came to: each finding with what had been done by then.

    ``well`` are the scripts in which nothing was found; ``stopped`` says why it ended early.
    """

    tally: Tally
    findings: list[tuple[Finding, Tally]] = field(default_factory=list)
    well: list[Case] = field(default_factory=list)
    stopped: str = ""


class Portion:
    """Drives a build through some scripts of a suite, or tries values at their limits.

    ``number`` is which portion it is, from 0.
    """

    def __init__(self, plan: Plan, number: int) -> None:
        self._plan = plan
        judge = plan.judge.anew()
        self._variables = {id_: m.variables for id_, m in judge.expected.moves.items()}
        self._probes = plan.probes.anew(number)
        self._player = Player(
            plan.build, judge, plan.timeout, self._probes.instead, number * _APART
        )
        self._diagnosis = Diagnosis(self._player, plan.other_outcome)
        self._notes: dict[tuple[str, str, str], Finding] = {}
        self._driven = self._forks = 0

    def drive(
        self,
        cases: Sequence[Case],
        *,
        most: int,
        limits: Sequence[Case] | None = None,
        begun: Begun = lambda case: None,
        heard: Heard = lambda finding: None,
    ) -> Done:
        """Drive the build through scripts until ``most`` findings.

        Values at limits are tried at the end if ``limits`` says so, in those scripts and in
        these as far as they went well. ``begun`` hears of each script as it is begun,
        ``heard`` of each finding. Raises BadInput where there is no build at all.
        """
        done = Done(self._tally())

        def found(finding: Finding) -> None:
            done.findings.append((finding, self._tally()))
            heard(finding)

        try:
            for finding in self._all(done, cases, limits, begun):
                found(finding)
                if len(done.findings) >= most:
                    return done
            self._plan.build.close()
        except Trouble as trouble:
            code = "answered-twice" if trouble.code == "twice" else trouble.code
            found(Finding(code, f"at its end: {trouble}"))
        finally:
            self._plan.build.restart()
        done.tally = self._tally()
        return done

    def _tally(self) -> Tally:
        player = self._player
        return Tally(
            self._driven, player.plays, player.asked, player.resumes, player.probes,
            self._forks, frozenset(player.taken), frozenset(player.shows),
            tuple(self._notes.values()),
        )  # fmt: skip

    def _all(
        self, done: Done, cases: Sequence[Case], limits: Sequence[Case] | None, begun: Begun
    ) -> Iterator[Finding]:
        for case in cases:
            begun(case)
            findings = list(self._case(case))
            yield from findings
            self._driven += 1
            done.well += [] if findings else [case]
            if not self._player.last and self._driven == _SILENT:
                done.stopped = f"it answered nothing to {self._player.plays} Plays"
                return
        if limits is not None:
            yield from self._at_limits([*limits, *done.well])

    def _case(self, case: Case) -> Iterator[Finding]:
        """Play a script in every way, then with more that is checked; a finding ends it."""
        well, *others = self._courses(case)
        checked = self._checked(well, others)
        for course in (well, *others):
            played = self._run(course)
            if played.findings:
                yield from self._diagnosis.of_plain(course, played)
                return
        for courses in checked:
            in_turn = len(courses) > 1
            plays = self._in_turn(courses) if in_turn else [self._run(courses[0])]
            for course, played in zip(courses, plays, strict=True):
                if played.findings:
                    yield from self._diagnosis.of_checked(course, played, well, in_turn=in_turn)
                    return
                if played.declined and course.probe:  # it went no further: try it by itself
                    checked.append([replace(well, probe=course.probe)])

    def _courses(self, case: Case) -> list[Course]:
        """Return a Play for each way to choose, one if nothing is chosen.

        The order is another one for the next script, so that each way is checked in each way.
        """
        ways, at = self._plan.ways, case.seed % len(self._plan.ways)
        ways = (*ways[at:], *ways[:at])
        chosen = ways if not self._plan.choosing.isdisjoint(case.rules) else ways[:1]
        return [Course(case, case.asks(self._variables, way)) for way in chosen]

    def _checked(self, first: Course, others: list[Course]) -> list[list[Course]]:
        """Return the Plays in which more is checked, those together that go on in turn.

        One of the other ways to choose is left to them.
        """
        plan, checks = self._plan, self._plan.checks
        more: list[Course] = []
        if "resume" in checks:
            resumed = others.pop(0) if others else first
            more.append(replace(resumed, resumed=True, restarted=plan.restart))
        told = plan.other_outcome(first.case) if "leak" in checks else None
        probe = self._probes.probe if "illegal" in checks else None
        if told or probe:
            more.append(replace(first, probe=probe).telling(told))
        refused = plan.refused.get(first.case.path.name) if "illegal" in checks else None
        alone = [[replace(first, refused=refused)]] if refused else []
        if "carry-over" not in checks:
            return [*([course] for course in more), *alone]
        if plan.restart and more and more[0].restarted:
            alone.insert(0, [more.pop(0)])
        together = [*more, *[first] * (2 - len(more))]
        return [*alone, together]

    def _run(self, course: Course) -> Played:
        return self._noted(self._player.run(course))

    def _in_turn(self, courses: Sequence[Course]) -> list[Played]:
        """Play in turn, step by step; the second begins when the first is half over."""
        half = len(courses[0].asks) // 2
        plays = [self._player.open() for _ in courses]
        going = [
            (half * place, self._player.play(*one))
            for place, one in enumerate(zip(courses, plays, strict=True))
        ]
        turn = 0
        while going and not any(played.findings for played in plays):
            going = [one for one in going if turn < one[0] or next(one[1], one) is None]
            turn += 1
        return [self._noted(played) for played in plays]

    def _noted(self, played: Played) -> Played:
        for note in played.notes:
            self._notes.setdefault((note.code, note.rule, note.field), note)
        return played

    def _at_limits(self, among: Sequence[Case]) -> Iterator[Finding]:
        for fork in self._plan.forks.forks(among):
            self._forks += 1
            course = Course(fork.case, fork.asks, last=len(fork.asks))
            played = self._run(course)
            if played.findings:
                for one in self._diagnosis.of_plain(course, played):
                    yield replace(one, message=f"{fork.says}: {one.message}")
