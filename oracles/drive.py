"""Driving a build: every script of a suite played by it, in several ways, judged as it goes.

A script is played once for each way to choose. In one of these ways the Play is resumed after
every step, and must go on as if nothing had happened (``resume``). In another it is played
again, with another outcome predetermined, and must show the same until the end (``leak``), and
with steps between that the rules do not allow, which it must refuse (``illegal``). These two go
on step by step in turn, and may not notice each other (``carry-over``). At the end the build is
asked for what no script reveals at its least and greatest values (``limits``).

So a script takes few Plays. What is found in one of them is looked into by others, in which one
thing only is done differently (``diagnosis``). A long suite is driven in portions, each by a
build of its own, so that several processes come to the same findings as one.
"""

from __future__ import annotations

import gc
import signal
import sys
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from itertools import pairwise
from types import FrameType

from ..errors import BadInput, unknown
from ..models.editions import Edition
from .abreast import abreast
from .builds import Build
from .cases import Case
from .finding import Finding
from .forks import Forks
from .judge import Judge
from .portion import Done, Plan, Portion, Tally
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

_OBJECTS = 50_000  # made since, before those are looked for that hold each other

_PORTION = 64
"""Scripts that one build is driven through at most, before another one goes on."""


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

    ``timeout`` is in seconds for each answer; ``most`` findings end a run. ``jobs`` processes
    drive, each with a build of its own; what is found does not depend on how many. Raises
    BadInput where there is no script, or one that is not of this edition or of these readings.
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
        jobs: int = 1,
    ) -> None:
        for name in without:
            if name not in CHECKS:
                raise unknown("check", name, CHECKS)
        if restart and not build.can_restart:
            raise BadInput(f"{build.name} cannot be started anew: that takes a command")
        self.checks = [name for name in CHECKS if name not in without]
        self._most, self._jobs = most, jobs
        check_timeout(timeout)
        judge = Judge(edition, readings_of(edition, cases, readings), all_tell=True)
        self._expected = judge.expected
        forks = Forks(judge.expected, cases)
        forks.check()
        refused = probes_of(refusals, cases, judge.expected)
        probes = Probes(judge.expected, cases)
        self._plan = Plan(
            build, judge, cases, ways, self.checks, restart, timeout, forks, probes, refused
        )

    def drive(
        self,
        begun: Callable[[Case], None] = lambda case: None,
        heard: Callable[[Finding], None] = lambda finding: None,
    ) -> Driven:
        """Drive the build through all scripts.

        ``begun`` hears of each script as it is begun, ``heard`` of each finding; where several
        processes drive, of those of a portion at its end. Raises BadInput where there is no
        build at all.
        """
        told = Driven(len(self._plan.cases))
        tallies: list[Tally] = []
        with _rings_let_be(), closing(self._portions(told, begun, heard)) as portions:
            for done in portions:
                tallies.append(_added(told, done, self._most))
                if told.stopped:
                    break
        self._count(told, tallies)
        if any(tally.taken for tally in tallies) and not any(tally.shows for tally in tallies):
            message = "it shows nothing after any step, so that nothing could be judged"
            told.findings.append(Finding("format", message, field="shows"))
            heard(told.findings[-1])
        return told

    def _portions(
        self, told: Driven, begun: Callable[[Case], None], heard: Callable[[Finding], None]
    ) -> Generator[Done, None, None]:
        """Yield what each portion came to, in order, and what came of values at limits."""
        plan, portions = self._plan, _portions(self._plan.cases)
        limits: list[Case] | None = [] if "limits" in self.checks else None
        if len(portions) == 1:
            portion = Portion(plan, 0)
            yield portion.drive(
                plan.cases, most=self._most, limits=limits, begun=begun, heard=heard
            )
            return
        alone = self._jobs == 1

        def drive(number: int) -> Done:
            portion, most = Portion(plan, number), self._most
            if alone:
                most -= len(told.findings)
                return portion.drive(portions[number], most=most, begun=begun, heard=heard)
            with _ended_in_order():
                return portion.drive(portions[number], most=most)

        well: list[Case] = []
        with closing(abreast(drive, range(len(portions)), self._jobs)) as coming:
            for number, done in enumerate(coming):
                if not alone:
                    begun(portions[number][-1])
                    for finding, _ in done.findings[: self._most - len(told.findings)]:
                        heard(finding)
                well += done.well
                yield done
        if limits is not None:
            most = self._most - len(told.findings)
            yield Portion(plan, len(portions)).drive((), most=most, limits=well, heard=heard)

    def _count(self, told: Driven, tallies: Sequence[Tally]) -> None:
        taken = frozenset[str]().union(*(tally.taken for tally in tallies))
        shows = frozenset[str]().union(*(tally.shows for tally in tallies))
        notes: dict[tuple[str, str, str], Finding] = {}
        for tally in tallies:
            for note in tally.notes:
                notes.setdefault((note.code, note.rule, note.field), note)
            told.driven += tally.driven
            told.plays += tally.plays
            told.asked += tally.asked
            told.resumes += tally.resumes
            told.probes += tally.probes
            told.forks += tally.forks
        told.notes = list(notes.values())
        told.findings = [
            replace(one, fault="unreachable")
            if one.code == "refused" and one.rule in taken and not one.properties
            else one
            for one in told.findings
        ]
        expected = self._expected
        fields = dict.fromkeys(name.partition(".")[0] for name in expected.names)
        told.never_taken = tuple(rule for rule in expected.moves if rule not in taken)
        told.never_shown = tuple(name for name in fields if name not in shows)


def _portions(cases: Sequence[Case]) -> list[Sequence[Case]]:
    """Return the scripts in portions of nearly equal size; equal suites, equal ones.

    Of more than one portion there is an even number, so that two processes end together.
    """
    count = -(-len(cases) // _PORTION)
    count += count % 2 if count > 1 else 0
    ends = [len(cases) * number // count for number in range(count + 1)]
    return [cases[first:last] for first, last in pairwise(ends)]


def _added(told: Driven, done: Done, most: int) -> Tally:
    """Add what a portion found, up to ``most`` findings; return what had been done by then."""
    room = most - len(told.findings)
    told.findings += [finding for finding, _ in done.findings[:room]]
    told.stopped = done.stopped
    if len(done.findings) >= room:
        told.stopped = f"{most} finding{'s' * (most > 1)} asked for at most"
        return done.findings[room - 1][1]
    return done.tally


@contextmanager
def _rings_let_be() -> Iterator[None]:
    """Look less often for objects that only hold each other: answers are none of them."""
    before = gc.get_threshold()
    gc.set_threshold(_OBJECTS, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


@contextmanager
def _ended_in_order() -> Iterator[None]:
    """Have SIGTERM end a process as an exit does: what it has started is ended as well."""

    def end(_: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    except KeyboardInterrupt:
        sys.exit(143)
    finally:
        signal.signal(signal.SIGTERM, before)


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
