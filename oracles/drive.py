"""Driving a build: every script of a suite played by it, in several ways, judged as it goes.

A script is played once for each way to choose. Where that is well it is played again: with
another outcome predetermined, and must show the same until the end (``leak``); resumed after
every step, and must go on as if nothing had happened (``resume``); with steps between that the
rules do not allow, and must refuse them (``illegal``); and step by step in turn with the script
before it, neither of which may notice the other (``carry-over``). At the end it is asked for
what no script reveals at its least and greatest values.

What is found in a Play is looked into by playing it once more in another way, so that a finding
says what kind of fault it is: does the Play go right in a build that has played nothing before;
is the same shown where another outcome is predetermined?
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ..errors import BadInput, unknown
from ..models.editions import Edition
from ..models.money import pounds
from .builds import Build, Trouble
from .cases import Case
from .finding import Finding
from .judge import Judge
from .player import Course, Played, Player
from .variants import Variants
from .ways import WAYS

__all__ = ["CHECKS", "Driven", "Driver"]

CHECKS = {
    "leak": "with another outcome predetermined, the same is shown until the end",
    "resume": "resumed after every step, a Play goes on as if nothing had happened",
    "illegal": "what the rules do not allow is refused, and changes nothing",
    "carry-over": "two Plays in turn do not notice each other",
    "limits": "what no script reveals is taken at its least and greatest values",
}
"""What is done besides playing each script in each way."""

_NO_ANSWER = {"hang", "died", "rubbish", "flood"}
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
        judge = Judge(edition, _readings(edition, cases, readings), all_tell=True)
        self.expected = judge.expected
        self._variables = {id_: move.variables for id_, move in self.expected.moves.items()}
        self.variants = Variants(self.expected, cases)
        self.player = Player(build, judge, timeout, self.variants.instead)
        self.variants.check()
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
        before: Case | None = None
        well: list[Case] = []
        for case in self.cases:
            begun(case)
            findings = list(self._case(case, before))
            yield from findings
            told.driven += 1
            well += [] if findings else [case]
            before = case if before is None and not findings else None
            if not self.player.last and told.driven == _SILENT:
                told.stopped = f"it answered nothing to {self.player.plays} Plays"
                return
        if "limits" in self.checks:
            yield from self._forks(told, well)

    def _case(self, case: Case, before: Case | None) -> Iterator[Finding]:
        """Play a script in every way; the first finding ends it."""
        ways = self.ways if case.script.choices and self._chooses(case) else self.ways[:1]
        for way in ways:
            course = Course(case, case.asks(self._variables, way))
            played = self._run(course)
            if played.findings:
                yield from self._looked_into(course, played)
                return
        plain = Course(case, case.asks(self._variables, self._way(case)))
        for check in (self._leaks, self._resumes, self._refuses, self._beside):
            findings = check(plain, before)
            if not findings:
                continue
            if again := self._run(plain).findings:  # it was well when it was played first
                said = "in a build that has played this script before"
                findings = [_said(one, "carry-over", said) for one in again]
            yield from findings
            return

    def _chooses(self, case: Case) -> bool:
        return any(
            v.choice for id_ in set(case.rules) for v in self.expected.moves[id_].variables
        )

    def _way(self, case: Case) -> str:
        return self.ways[case.seed % len(self.ways)]

    def _run(self, course: Course) -> Played:
        played = self.player.run(course)
        for note in played.notes:
            self.notes.setdefault((note.code, note.rule, note.field), note)
        return played

    # ---- the same script played again

    def _leaks(self, course: Course, before: Case | None) -> list[Finding]:
        other = self._other_outcome(course.case)
        if "leak" not in self.checks or other is None:
            return []
        last = len(course.asks) - 1
        played = self._run(replace(course, outcome=other.outcome, last=last))
        return [_leak(one, other) for one in played.findings]

    def _resumes(self, course: Course, before: Case | None) -> list[Finding]:
        if "resume" not in self.checks:
            return []
        played = self._run(replace(course, resumed=True, restarted=self.restart))
        return [_said(one, "resume", "interrupted after every step") for one in played.findings]

    def _refuses(self, course: Course, before: Case | None) -> list[Finding]:
        if "illegal" not in self.checks:
            return []
        played = self._run(replace(course, probe=self.variants.probe))
        said = "after a step that it refused, as it should"
        return [
            one if one.code == "illegal" else _said(one, "illegal", said)
            for one in played.findings
        ]

    def _beside(self, course: Course, before: Case | None) -> list[Finding]:
        """Play a script and the one before it in turn, step by step."""
        if "carry-over" not in self.checks or before is None:
            return []
        asks = before.asks(self._variables, self._way(before))
        courses = [course, Course(before, asks)]
        plays = [self.player.open() for _ in courses]
        running = [self.player.play(*one) for one in zip(courses, plays, strict=True)]
        while running and not any(one.findings for one in plays):
            running = [one for one in running if next(one, running) is None]
        said = "played in turn with another Play"
        return [_said(one, "carry-over", said) for played in plays for one in played.findings]

    def _forks(self, told: Driven, well: Sequence[Case]) -> Iterator[Finding]:
        for fork in self.variants.forks(well):
            told.forks += 1
            course = Course(fork.case, fork.asks, last=len(fork.asks))
            played = self._run(course)
            if played.findings:
                for one in self._looked_into(course, played):
                    yield replace(one, message=f"{fork.says}: {one.message}")

    # ---- what kind of fault it is

    def _looked_into(self, course: Course, played: Played) -> Iterator[Finding]:
        first = played.findings[0]
        if first.code in _NO_ANSWER or played.lost:
            yield from played.findings
            return
        if self.player.build.can_restart and self.player.plays > 1:
            self.player.build.restart()
            if not self._run(course).findings:
                said = "in a build that has played another Play before"
                yield from (_said(one, "carry-over", said) for one in played.findings)
                return
        other = self._other_outcome(course.case)
        for one in played.findings:
            told = other and one.field and self._tells(course, one, other)
            yield _leak(one, other) if told and other else one

    def _tells(self, course: Course, finding: Finding, other: Case) -> bool:
        """Return whether what was shown wrongly depends on the predetermined outcome."""
        step = finding.step or 0
        if step == len(course.asks):
            return False
        played = self._run(replace(course, outcome=other.outcome, last=step))
        again = [one for one in played.findings if one.field == finding.field]
        if played.findings and not again:
            return False
        return not again or again[0].shown != finding.shown

    def _other_outcome(self, case: Case) -> Case | None:
        """Return the next script that wins something else."""
        amount = case.script.prize.amount
        after = (*self.cases[case.seed + 1 :], *self.cases[: case.seed])
        return next((one for one in after if one.script.prize.amount != amount), None)


def _readings(
    edition: Edition, cases: Sequence[Case], wanted: Mapping[str, str] | None
) -> dict[str, str]:
    """Return the readings that all scripts were made under, those ``wanted`` if any are."""
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


def _leak(finding: Finding, other: Case) -> Finding:
    amount = pounds(other.script.prize.amount)
    said = f"and something else where {amount} is predetermined: it tells the outcome"
    return replace(finding, code="leak", message=f"{finding.message}, {said}", fault="leak")


def _said(finding: Finding, code: str, said: str) -> Finding:
    if finding.code in _NO_ANSWER or finding.code == "answered-twice":
        return replace(finding, message=f"{said}: {finding.message}")
    fault = {"illegal": finding.fault}.get(code, code)
    return replace(finding, code=code, message=f"{said}: {finding.message}", fault=fault)
