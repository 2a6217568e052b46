"""Driving a build: every script of a suite played by it, in several ways, judged as it goes.

A script is played once for each way to choose. In one of these ways the Play is resumed after
every step, and must go on as if nothing had happened (``resume``). In another it is played
again, with another outcome predetermined, and must show the same until the end (``leak``), and
with steps between that the rules do not allow, which it must refuse (``illegal``). These two go
on step by step in turn, and may not notice each other (``carry-over``). At the end the build is
asked for what no script reveals at its least and greatest values (``limits``).

So a script takes few Plays. What is found in one of them is looked into by others, in which one
thing only is done differently (``diagnosis``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ..errors import BadInput, unknown
from ..models.editions import Edition
from .builds import Build, Trouble
from .cases import Case
from .course import Course, Played
from .diagnosis import Diagnosis
from .finding import Finding
from .forks import Forks
from .judge import Judge
from .player import Player
from .probes import Probes
from .refusals import Refusal, probes_of
from .ways import WAYS

__all__ = ["CHECKS", "Driven", "Driver", "check_timeout", "readings_of"]

CHECKS = {
    "leak": "with another outcome predetermined, the same is shown until the end",
    "resume": "resumed after every step, a Play goes on as if nothing had happened",
    "illegal": "what the rules do not allow is refused, and changes nothing",
    "carry-over": "two Plays in turn do not notice each other",
    "limits": "what no script reveals is taken at its least and greatest values",
}
"""What is done besides playing each script in each way."""

_LONGEST = 86_400  # seconds for an answer

_SILENT = 3
"""So many Plays without one answer, from the first on, and the build is given up."""


@dataclass
class Driven:
    """What a run found; ``notes`` are told once each, and fail no build.

    ``stopped`` says why it ended before all scripts were driven.
    """

    scripts: int
    findings: list[Finding] = field(default_factory=list)
    notes: list[Finding] = field(default_factory=list)
    driven: int = 0
    plays: int = 0
    asked: int = 0
    resumes: int = 0
    probes: int = 0
    forks: int = 0
    never_taken: tuple[str, ...] = ()
    never_shown: tuple[str, ...] = ()
    stopped: str = ""


class Driver:
    """Drives a build through the scripts of a suite, of one edition and one set of readings.

    ``timeout`` is in seconds for each answer; ``most`` findings end a run. Raises BadInput
    where there is no script, or one that is not of this edition or of these readings.
    """

    def __init__(
        self,
        build: Build,
        edition: Edition,
        cases: Sequence[Case],
        *,
        readings: Mapping[str, str] | None = None,
        ways: Sequence[str] = WAYS,
        without: Sequence[str] = (),
        refusals: Sequence[Refusal] = (),
        restart: bool = False,
        timeout: float = 5.0,
        most: int = 20,
    ) -> None:
        for name in without:
            if name not in CHECKS:
                raise unknown("check", name, CHECKS)
        if restart and not build.can_restart:
            raise BadInput(f"{build.name} cannot be started anew: that takes a command")
        self.cases = cases
        self.ways = ways
        self.checks = [name for name in CHECKS if name not in without]
        self.restart = restart
        self.most = most
        check_timeout(timeout)
        judge = Judge(edition, readings_of(edition, cases, readings), all_tell=True)
        self.expected = judge.expected
        self._variables = {id_: move.variables for id_, move in self.expected.moves.items()}
        self._choosing = {
            id_ for id_, found in self._variables.items() if any(one.choice for one in found)
        }
        self.forks = Forks(self.expected, cases)
        self.forks.check()
        self.probes = Probes(self.expected, cases)
        self.refused = probes_of(refusals, cases, self.expected)
        self.player = Player(build, judge, timeout, self.probes.instead)
        self.diagnosis = Diagnosis(self.player, self._other_outcome)
        self.notes: dict[tuple[str, str, str], Finding] = {}

    def drive(
        self,
        begun: Callable[[Case], None] = lambda case: None,
        heard: Callable[[Finding], None] = lambda finding: None,
    ) -> Driven:
        """Drive the build through all scripts.

        ``begun`` hears of each script as it is begun, ``heard`` of each finding. Raises
        BadInput where there is no build at all.
        """
        told = Driven(len(self.cases))
        try:
            for finding in self._all(told, begun):
                told.findings.append(finding)
                heard(finding)
                if len(told.findings) >= self.most:
                    told.stopped = (
                        f"{self.most} finding{'s' * (self.most > 1)} asked for at most"
                    )
                    break
            self.player.build.close()
        except Trouble as trouble:
            code = "answered-twice" if trouble.code == "twice" else trouble.code
            told.findings.append(Finding(code, f"at its end: {trouble}"))
            heard(told.findings[-1])
        finally:
            self.player.build.restart()
        self._count(told)
        if self.player.taken and not self.player.shows:
            message = "it shows nothing after any step, so that nothing could be judged"
            told.findings.append(Finding("format", message, field="shows"))
            heard(told.findings[-1])
        return told

    def _count(self, told: Driven) -> None:
        player = self.player
        fields = dict.fromkeys(name.partition(".")[0] for name in self.expected.names)
        told.notes = list(self.notes.values())
        told.findings = [
            replace(one, fault="unreachable")
            if one.code == "refused" and one.rule in player.taken and not one.properties
            else one
            for one in told.findings
        ]
        told.plays, told.asked = player.plays, player.asked
        told.resumes, told.probes = player.resumes, player.probes
        told.never_taken = tuple(r for r in self.expected.moves if r not in player.taken)
        told.never_shown = tuple(name for name in fields if name not in player.shows)

    def _all(self, told: Driven, begun: Callable[[Case], None]) -> Iterator[Finding]:
        well: list[Case] = []
        for case in self.cases:
            begun(case)
            findings = list(self._case(case))
            yield from findings
            told.driven += 1
            well += [] if findings else [case]
            if not self.player.last and told.driven == _SILENT:
                told.stopped = f"it answered nothing to {self.player.plays} Plays"
                return
        if "limits" in self.checks:
            yield from self._forks(told, well)

    def _case(self, case: Case) -> Iterator[Finding]:
        """Play a script in every way, then with more that is checked; a finding ends it."""
        well, *others = self._courses(case)
        checked = self._checked(well, others)
        for course in (well, *others):
            played = self._run(course)
            if played.findings:
                yield from self.diagnosis.of_plain(course, played)
                return
        for courses in checked:
            in_turn = len(courses) > 1
            plays = self._in_turn(courses) if in_turn else [self._run(courses[0])]
            for course, played in zip(courses, plays, strict=True):
                if played.findings:
                    yield from self.diagnosis.of_checked(course, played, well, in_turn=in_turn)
                    return
                if played.declined and course.probe:  # it went no further: try it by itself
                    checked.append([replace(well, probe=course.probe)])

    def _courses(self, case: Case) -> list[Course]:
        """Return a Play for each way to choose, one if nothing is chosen.

        The order is another one for the next script, so that each way is checked in each way.
        """
        at = case.seed % len(self.ways)
        ways = (*self.ways[at:], *self.ways[:at])
        chosen = ways if not self._choosing.isdisjoint(case.rules) else ways[:1]
        return [Course(case, case.asks(self._variables, way)) for way in chosen]

    def _checked(self, first: Course, others: list[Course]) -> list[list[Course]]:
        """Return the Plays in which more is checked, those together that go on in turn.

        One of the other ways to choose is left to them.
        """
        more: list[Course] = []
        if "resume" in self.checks:
            resumed = others.pop(0) if others else first
            more.append(replace(resumed, resumed=True, restarted=self.restart))
        told = self._other_outcome(first.case) if "leak" in self.checks else None
        probe = self.probes.probe if "illegal" in self.checks else None
        if told or probe:
            more.append(replace(first, probe=probe).telling(told))
        refused = self.refused.get(first.case.path.name) if "illegal" in self.checks else None
        alone = [[replace(first, refused=refused)]] if refused else []
        if "carry-over" not in self.checks:
            return [*([course] for course in more), *alone]
        if self.restart and more and more[0].restarted:
            alone.insert(0, [more.pop(0)])
        together = [*more, *[first] * (2 - len(more))]
        return [*alone, together]

    def _run(self, course: Course) -> Played:
        return self._noted(self.player.run(course))

    def _in_turn(self, courses: Sequence[Course]) -> list[Played]:
        """Play in turn, step by step; the second begins when the first is half over."""
        half = len(courses[0].asks) // 2
        plays = [self.player.open() for _ in courses]
        going = [
            (half * place, self.player.play(*one))
            for place, one in enumerate(zip(courses, plays, strict=True))
        ]
        turn = 0
        while going and not any(played.findings for played in plays):
            going = [one for one in going if turn < one[0] or next(one[1], one) is None]
            turn += 1
        return [self._noted(played) for played in plays]

    def _noted(self, played: Played) -> Played:
        for note in played.notes:
            self.notes.setdefault((note.code, note.rule, note.field), note)
        return played

    def _forks(self, told: Driven, well: Sequence[Case]) -> Iterator[Finding]:
        for fork in self.forks.forks(well):
            told.forks += 1
            course = Course(fork.case, fork.asks, last=len(fork.asks))
            played = self._run(course)
            if played.findings:
                for one in self.diagnosis.of_plain(course, played):
                    yield replace(one, message=f"{fork.says}: {one.message}")

    def _other_outcome(self, case: Case) -> Case | None:
        """Return the next script that wins something else."""
        amount, count = case.script.prize.amount, len(self.cases)
        after = (self.cases[(case.seed + more) % count] for more in range(1, count))
        return next((one for one in after if one.script.prize.amount != amount), None)


def check_timeout(seconds: float) -> float:
    """Return the time for an answer; BadInput if it is none that anybody would wait."""
    if not 0 < seconds <= _LONGEST:
        raise BadInput(
            f"timeout: {seconds:g} seconds; more than 0 were expected, and {_LONGEST} at most"
        )
    return seconds


def readings_of(
    edition: Edition, cases: Sequence[Case], wanted: Mapping[str, str] | None
) -> dict[str, str]:
    """Return the readings that all scripts were made under, those ``wanted`` if any are.

    Raises BadInput where there is no script, or one of another game, edition or readings.
    """
    if not cases:
        raise BadInput("the suite has no script: nothing would be driven")
    taken = dict(wanted or cases[0].script.readings)
    for case in cases:
        script = case.script
        if script.game != edition.game.id:
            raise BadInput(f"{case.path}: a script of {script.game}, not of {edition.game.id}")
        if script.edition.hash != edition.hash:
            raise BadInput(
                f"{case.path}: made for edition {script.edition.name!r} with another content "
                f"(SHA-256 {script.edition.hash[:16]}…, not {edition.hash[:16]}…)"
            )
        if script.readings != taken:
            others = "those asked for" if wanted else f"those of {cases[0].path}"
            raise BadInput(f"{case.path}: made under other readings than {others}")
    return taken
