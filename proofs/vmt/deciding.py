"""Decide the properties of a file, and re-check every answer before it is believed.

Properties are first tried together, as each may be what another needs. What is left is tried
one by one, with all that is known by then. An answer that does not stand up to its re-check is
no answer: the property stays undecided, and that is said.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from .. import solvers
from . import lines
from .answers import Answer, GaveUp, Safe, Unsafe
from .apart import DIED, Died, Slow, apart
from .certificate import Certificate, certify
from .file import Claim, VmtFile
from .lines import promising
from .race import Asked, race, warm_up
from .reader import read_vmt
from .script import Script
from .system import System, build
from .together import Together, together
from .trace import NoTrace, Trace, complete

__all__ = ["DOUBTED", "Checked", "Decision", "decide"]

DOUBTED = "NOT BELIEVED"
"""How a remark begins on an answer that does not stand up to its re-check."""

_NEARLY = 0.9
"""Of the time there was: who took no more did not fail for want of it."""

_LEAST = 1.0
"""Seconds for a check, however little time is left."""

_QUICK = 4.0
"""Seconds after which what should have been over in a moment is given up."""


@dataclass(frozen=True)
class Checked:
    """What a solver answered to one check of a certificate, in what time."""

    part: str
    solver: str
    answer: str
    reason: str
    seconds: float


@dataclass(frozen=True)
class Decision:
    """``safe`` with a certificate, ``unsafe`` with a trace, or ``undecided`` with a reason."""

    claim: Claim
    outcome: str
    method: str
    seconds: float
    certificate: Certificate | None = None
    checked: tuple[Checked, ...] = ()
    trace: Trace | None = None
    remarks: tuple[str, ...] = ()


@dataclass
class _Work:
    """A file at work: what has been decided, and what is known to hold."""

    file: VmtFile
    text: str
    system: System
    seconds: float
    jobs: int
    known: list[str] = field(default_factory=list)
    remarks: dict[int, tuple[str, ...]] = field(default_factory=dict)
    answers: dict[tuple[str, str], solvers.Result] = field(default_factory=dict)

    @cached_property
    def script(self) -> Script:
        """The file's texts, each made once."""
        return Script(self.file)

    def ask(self, solver: str, text: str, seconds: float) -> solvers.Result:
        """Ask a solver afresh, but no text twice: properties proved together share theirs.

        What ran out of time may be answered where there is more of it.
        """
        if (solver, text) in self.answers:
            return self.answers[solver, text]
        said = solvers.run(solver, text, steps=solvers.Steps(seconds=seconds))
        if said.answer != "unknown" or said.seconds < _NEARLY * seconds:
            self.answers[solver, text] = said
        return said


def decide(
    file: VmtFile, text: str, system: System, seconds: float, jobs: int
) -> Iterator[Decision]:
    """Yield the decision on each property as it falls; ``seconds`` are for each of them.

    Raises KeyboardInterrupt on Ctrl-C.
    """
    work = _Work(file, text, system, seconds, jobs)
    left = list(file.claims)
    if len(left) > 1:
        done = set()
        for decision in _all_together(work, left):
            done.add(decision.claim.number)
            yield decision
        left = [claim for claim in left if claim.number not in done]
    for claim in left:
        yield _alone(work, claim)


def quick(asked: Asked) -> Answer:
    """Try what is over in a moment. Raises Died, and KeyboardInterrupt on Ctrl-C."""
    answer: Answer = apart(_quick, asked, seconds=_QUICK)
    return answer


def _quick(asked: Asked) -> Answer:
    answer = lines.quick(build(read_vmt(asked.text, asked.source)), asked.numbers[0])
    return answer.told() if isinstance(answer, Safe) else answer


def _together(text: str, source: str, numbers: Sequence[int], seconds: float) -> Together:
    found = together(build(read_vmt(text, source)), numbers, seconds)
    return replace(found, safe={n: one.told() for n, one in found.safe.items()})


def _complete(
    text: str, source: str, number: int, answer: Unsafe, seconds: float
) -> Trace | str:
    try:
        return complete(build(read_vmt(text, source)), number, answer, seconds)
    except NoTrace as error:
        return str(error)


def _all_together(work: _Work, claims: Sequence[Claim]) -> Iterator[Decision]:
    began = time.perf_counter()
    seconds = work.seconds * min(len(claims), 4)
    numbers = [one.number for one in claims]
    try:
        file = work.file
        found = apart(_together, work.text, file.source, numbers, seconds, seconds=2 * seconds)
    except Died as error:
        remark = f"{DIED}: what tries all properties together: {error}"
        work.remarks |= dict.fromkeys(numbers, (remark,))
        return
    believed: tuple[tuple[str, Mapping[int, Answer]], ...] = (
        ("safe", found.safe),
        ("unsafe", found.broken),
    )
    for outcome, answers in believed:
        for claim in claims:
            if claim.number in answers:
                # What was spent on all together is not taken from the check of one.
                ends = time.perf_counter() + work.seconds
                decision = _believed(work, claim, answers[claim.number], began, ends)
                if decision.outcome == outcome:
                    yield decision
                work.remarks[claim.number] = decision.remarks
                began = time.perf_counter()


def _alone(work: _Work, claim: Claim) -> Decision:
    began = time.perf_counter()
    ends = began + work.seconds
    asked = Asked(work.text, work.file.source, (claim.number,), tuple(work.known))
    remarks = list(work.remarks.get(claim.number, ()))
    warm_up()
    try:
        answer = quick(asked)
    except Slow as error:
        answer = GaveUp("k-induction", str(error))
    except Died as error:
        remarks.append(f"{DIED}: k-induction: {error}")
        answer = GaveUp("k-induction", str(error))
    if not isinstance(answer, GaveUp):
        decision = _believed(work, claim, answer, began, ends)
        if decision.outcome != "undecided":
            return replace(decision, remarks=_loud(remarks))
        remarks += decision.remarks
    left = max(0.0, ends - time.perf_counter())
    running = race(asked, left, work.jobs, promising(work.system))
    try:
        for answer in running:
            if isinstance(answer, GaveUp):
                gave_up = f"{answer.method} gave up: {answer.reason}"
                remarks.append(f"{DIED}: {gave_up}" if answer.died else gave_up)
                continue
            decision = _believed(work, claim, answer, began, ends)
            if decision.outcome != "undecided":
                return replace(decision, remarks=_loud(remarks))
            remarks += decision.remarks
    finally:
        running.close()
    if time.perf_counter() >= ends:
        remarks.append(f"out of time: {work.seconds:g} s")
    taken = time.perf_counter() - began
    return Decision(claim, "undecided", "none", taken, remarks=tuple(remarks))


def _loud(remarks: Sequence[str]) -> tuple[str, ...]:
    return tuple(one for one in remarks if one.startswith((DOUBTED, DIED)))


def _believed(work: _Work, claim: Claim, answer: Answer, began: float, ends: float) -> Decision:
    """Return the decision that an answer makes, if it passes its re-check before ``ends``."""
    if isinstance(answer, Unsafe):
        trace = _trace(work, claim, answer)
        taken = time.perf_counter() - began
        if isinstance(trace, str):
            remark = f"{DOUBTED}: {answer.method} says unsafe, but {trace}"
            return Decision(claim, "undecided", "none", taken, remarks=(remark,))
        return Decision(claim, "unsafe", answer.method, taken, trace=trace)
    assert isinstance(answer, Safe)
    answer = answer.told()
    certificate = certify(
        work.file, claim, answer.k, answer.phi, answer.parts, script=work.script
    )
    checked = tuple(_checked(work, certificate, ends))
    taken = time.perf_counter() - began
    if fault := _fault(certificate, checked):
        remark = f"{DOUBTED}: {answer.method} says safe, but {fault}"
        return Decision(claim, "undecided", "none", taken, remarks=(remark,))
    if answer.k == 1 and answer.phi not in work.known:
        work.known.append(answer.phi)
    return Decision(claim, "safe", answer.method, taken, certificate, checked)


def _trace(work: _Work, claim: Claim, answer: Unsafe) -> Trace | str:
    """Return the run that an answer speaks of, or what is wrong with it."""
    file, seconds = work.file, work.seconds
    arguments = (work.text, file.source, claim.number, answer, seconds)
    try:
        trace: Trace | str = apart(_complete, *arguments, seconds=2 * seconds + _QUICK)
        return trace
    except Died as error:
        return f"it could not be re-checked: {error}"


def _checked(work: _Work, certificate: Certificate, ends: float) -> Iterator[Checked]:
    """Yield what every solver answers to every check.

    The first is given what time there is. What it has answered, those after it get a share of
    what is left to answer too: a check that only one of them could do is told as such.
    """
    first, *others = solvers.NAMES
    for check in certificate.checks:
        left = ends - time.perf_counter()
        said = work.ask(first, check.text, max(left, _LEAST))
        yield Checked(check.part, first, said.answer, said.reason, said.seconds)
    for place, check in enumerate(certificate.checks):
        for solver in others:
            left = (ends - time.perf_counter()) / (len(certificate.checks) - place)
            said = work.ask(solver, check.text, max(left, _LEAST))
            yield Checked(check.part, solver, said.answer, said.reason, said.seconds)


def _fault(certificate: Certificate, checked: Sequence[Checked]) -> str:
    """Return what is wrong with the answers to the checks, if anything is."""
    for check in certificate.checks:
        answers = {one.solver: one.answer for one in checked if one.part == check.part}
        for solver, answer in answers.items():
            if answer == "sat":
                return f"{solver} finds its {check.part} check to fail"
        if "unsat" not in answers.values():
            return f"no solver could answer its {check.part} check"
    return ""
