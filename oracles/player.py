"""One Play of a build, asked for step by step and judged answer by answer."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn

from ..models.system import Kind, Step
from .builds import Build, Trouble
from .cases import Ask, Case
from .event import FORMAT, RESUME, START, VERSION, Event, Where, flat
from .finding import Finding, Severity
from .illegal import why_not
from .judge import Judge, Watch
from .moves import State
from .variants import Probe

__all__ = ["Course", "Played", "Player"]

Shown = Mapping[str, Any]

_CODES = {"twice": "answered-twice"}
_SHORT = 120


@dataclass(frozen=True)
class Course:
    """How a Play is to go.

    ``outcome`` is told instead of the script's. ``resumed``: the Play is to go on after every
    step (``restarted``: in a new process). ``probe`` makes a step to try that is not allowed.
    ``last`` is the last step that is asked for, None where the Play is to come to its end.
    """

    case: Case
    asks: Sequence[Ask]
    outcome: Shown | None = None
    resumed: bool = False
    restarted: bool = False
    probe: Callable[[State, Ask], Probe | None] | None = None
    last: int | None = None


@dataclass
class Played:
    """What became of a Play: what was found, and what was shown after each step.

    ``notes`` are findings that end no Play. ``lost``: the build was started anew, so that no
    other Play of it goes on.
    """

    number: str
    findings: list[Finding] = field(default_factory=list)
    notes: list[Finding] = field(default_factory=list)
    shown: list[tuple[Any, Any]] = field(default_factory=list)
    lost: bool = False


class Player:
    """Plays with one build, and counts of what was asked of it.

    ``instead`` makes steps to try where a build refuses one that the rules allow.
    """

    def __init__(
        self,
        build: Build,
        judge: Judge,
        timeout: float,
        instead: Callable[[State, Ask], Iterable[Probe]] | None = None,
    ) -> None:
        self.build = build
        self.judge = judge
        self.expected = judge.expected
        self.timeout = timeout
        self.instead = instead
        self.plays = self.asked = self.probes = self.resumes = 0
        self.taken: set[str] = set()
        self.shows: set[str] = set()
        self.last: dict[str, Any] = {}
        edition = judge.edition
        self.beginning = {
            "do": "start",
            "game": edition.game.id,
            "edition": {
                "name": edition.name,
                "hash": edition.hash,
                "parameters": dict(edition.parameters),
            },
            "readings": dict(judge.readings),
        }

    def run(self, course: Course) -> Played:
        """Play to the end, or to the first step at which something is found."""
        played = self.open()
        for _ in self.play(course, played):
            pass
        return played

    def open(self) -> Played:
        """Return a new Play, before its start."""
        self.plays += 1
        return Played(f"D-{self.plays:06}")

    def play(self, course: Course, played: Played) -> Generator[None, None, None]:
        """Play, stopping after each step; what becomes of it is added to ``played``."""
        asking = _Asking(self, course, played)
        try:
            yield from asking.steps()
        except _StopPlay as stop:
            played.findings += stop.findings
        except Trouble as trouble:
            played.findings.append(asking.troubled(trouble))
            played.lost = True
            self.build.restart()


class _StopPlay(Exception):
    """The Play is not to go on; ``findings`` say why, if anything is wrong."""

    def __init__(self, findings: Sequence[Finding] = ()) -> None:
        super().__init__()
        self.findings = findings


class _Asking:
    """A Play that is being asked for: where it stands, and what is expected of it."""

    def __init__(self, player: Player, course: Course, played: Played) -> None:
        self.player = player
        self.course = course
        self.played = played
        self.step = 0
        self.now = START

    def steps(self) -> Generator[None, None, None]:
        course = self.course
        self._begin(dict(course.outcome or course.case.outcome))
        self._maybe_resume()
        yield
        for number, one in enumerate(course.asks[: course.last], start=1):
            self.step = number
            if course.probe and self.watch.state is not None:
                self._try(course.probe(self.watch.state, one))
            self._take(one)
            self._maybe_resume()
            yield
        if course.last is None:
            self._stop_if(self.watch.end())

    def troubled(self, trouble: Trouble) -> Finding:
        """Return the finding for a build that did not answer properly."""
        good = self.step if self.now == RESUME else self.step - 1
        last = f"the last good answer was to step {good}" if good >= 0 else "it never began"
        code = _CODES.get(trouble.code, trouble.code)
        return self._finding(code, f"asked for {self.now}: {trouble}; {last}")

    def _begin(self, outcome: dict[str, Any]) -> None:
        player, case = self.player, self.course.case
        request = player.beginning | {"play": self.played.number, "outcome": outcome}
        answer = self._ask(_with_screen(request, case.screen))
        self._must_fit(answer, {"outcome": outcome, "game": request["game"]})
        event = self._event(
            answer,
            format=FORMAT,
            version=VERSION,
            game=request["game"],
            readings=request["readings"],
            outcome=case.outcome,
        )
        self.watch: Watch = player.judge.watch(event, self._where())
        self._stop_if(self.watch.at_start)
        self._keep(answer)

    def _take(self, one: Ask) -> None:
        self.now = one.event
        request = self._request(one.event, one.reveal, one.choice)
        answer = self._ask(_with_screen(request, one.screen))
        if "error" in answer:
            if self.course.outcome is not None:
                raise _StopPlay  # it may know that this outcome cannot be won any more
            self._refused(answer, one)
        self._must_fit(answer, {"reveal": one.reveal, "choice": one.choice})
        event = self._event(answer, reveal=one.reveal, choice=one.choice)
        self._stop_if(self.watch.see(event, self._where()))
        self.player.taken.add(one.event)
        self._keep(answer)

    def _maybe_resume(self) -> None:
        if not self.course.resumed:
            return
        self.player.resumes += 1
        self.now = RESUME
        if self.course.restarted:
            self.player.build.restart()
        answer = self._ask({"do": "resume", "play": self.played.number, "step": self.step})
        self._must_fit(answer, {})
        self._stop_if(self.watch.see(self._event(answer), self._where()))
        names = ", ".join(_differing(answer.get("shows"), self.played.shown[-1][0]))
        if names:
            self._stop("resume", f"resumed after step {self.step}, {names} is not as it was")

    def _try(self, probe: Probe | None) -> None:
        """Ask for a step that the rules do not allow: it has to be refused."""
        if probe is None:
            return
        self.player.probes += 1
        self.now = probe.rule
        answer = self._ask(self._request(probe.rule, probe.reveal, probe.choice))
        if "error" in answer:
            return
        why, broken, clauses = self._why_not(probe)
        self._stop(
            "illegal",
            f"it takes {probe.rule} {probe.says}, which the rules do not allow: {why}",
            clauses=clauses,
            properties=broken,
        )

    def _refused(self, answer: dict[str, Any], one: Ask) -> NoReturn:
        """Stop at the refusal of a legal step; look for what the build would take instead."""
        refusal = f"it refuses {one.event}, which the rules allow: {_short(answer['error'])}"
        rule = self.player.expected.moves[one.event].rule
        refused = self._finding("refused", refusal, clauses=rule.clauses)
        state, instead = self.watch.state, self.player.instead
        for probe in instead(state, one) if instead and state is not None else ():
            try:
                answer = self._ask(self._request(probe.rule, probe.reveal, probe.choice))
            except Trouble:
                self.played.lost = True
                self.player.build.restart()
                break
            if "error" not in answer:
                why, broken, clauses = self._why_not(probe)
                refusal += f". It takes {probe.rule} instead, which they do not allow: {why}"
                refused = replace(refused, message=refusal, properties=broken, clauses=clauses)
                break
        raise _StopPlay([refused])

    def _why_not(self, probe: Probe) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
        """Return why a step may not come, in words, by property and by clause."""
        expected, state = self.player.expected, self.watch.state
        assert state is not None
        move = expected.moves[probe.rule]
        scalars = dict(flat(probe.reveal)) | dict(flat(probe.choice))
        values = tuple(scalars[one.name] for one in move.variables)
        illegal = why_not(expected, state, move, values)
        broken = self._broken(Step(probe.rule, expected.step_of((move, values)).reveal))
        clauses = [c for id_ in broken for c in expected.game.property(id_).clauses]
        by_clause = tuple(dict.fromkeys(clauses or move.rule.clauses))
        return illegal.words if illegal else "", broken, by_clause

    def _broken(self, step: Step) -> tuple[str, ...]:
        """Return the properties that break where a step is taken that may not be."""
        game, p, point = self.player.expected.game, self.player.expected.p, self.watch.point
        try:
            after = game.after(p, point, game.rule(step.rule), step.reveal)
            return tuple(
                claim.id
                for claim in game.properties
                if (
                    (claim.kind is Kind.STEP and claim.holds(p, point, step, after) is False)
                    or (
                        claim.kind is Kind.INVARIANT
                        and claim.holds(p, after.s, after.t) is False
                    )
                )
            )
        except (ArithmeticError, LookupError, TypeError, ValueError):
            return ()  # the rule makes no sense of what is not legal

    def _request(self, event: str, reveal: Shown, choice: Shown) -> dict[str, Any]:
        return {
            "do": "step",
            "play": self.played.number,
            "step": self.step,
            "event": event,
            "reveal": reveal,
            "choice": choice,
        }

    def _ask(self, request: dict[str, Any]) -> dict[str, Any]:
        self.player.asked += 1
        return self.player.build.ask(request, self.player.timeout)

    def _must_fit(self, answer: dict[str, Any], given: Shown) -> None:
        """Stop unless this is the event that was asked for, with what was given for it."""
        if "error" in answer:
            message = f"it refuses {self.now}: {_short(answer['error'])}"
            self._stop("resume" if self.now == RESUME else "refused", message)
        player, before = self.player, self.player.last
        player.last = answer
        asked = {"play": self.played.number, "step": self.step, "event": self.now}
        for name, value in asked.items():
            if answer.get(name) != value:
                self._stop(
                    "answered-twice" if answer == before else "echo",
                    f"the answer to {self.now} of step {self.step} is one to something else: "
                    f"its {name} is {_short(answer.get(name))}, not {value!r}",
                    field=name,
                )
        for name, value in given.items():
            if answer.get(name, value) != value:
                self._stop(
                    "echo",
                    f"the answer repeats the {name} other than it was given",
                    field=name,
                    shown=answer[name],
                    expected=value,
                )

    def _event(self, answer: dict[str, Any], **given: Any) -> Event:
        for name in ("shows", "screen", "won"):
            if not isinstance(answer.get(name), dict | None):
                said = _short(answer[name])
                self._stop("format", f"{name} is {said}: an object was expected", field=name)
        return Event(
            play=self.played.number,
            step=self.step,
            event=self.now,
            shows=answer.get("shows"),
            screen=answer.get("screen"),
            paid=answer.get("paid"),
            won=answer.get("won"),
            **given,
        )

    def _keep(self, answer: dict[str, Any]) -> None:
        self.played.shown.append((answer.get("shows"), answer.get("screen")))
        self.player.shows.update(answer.get("shows") or ())

    def _where(self) -> Where:
        return self.course.case.where(self.step)

    def _stop_if(self, findings: Sequence[Finding]) -> None:
        """Stop where anything is wrong; notes are kept."""
        wrong = [one for one in findings if one.severity is Severity.ERROR]
        self.played.notes += [one for one in findings if one.severity is Severity.NOTE]
        if wrong:
            raise _StopPlay(wrong)

    def _stop(self, code: str, message: str, **more: Any) -> NoReturn:
        raise _StopPlay([self._finding(code, message, **more)])

    def _finding(self, code: str, message: str, **more: Any) -> Finding:
        rule = self.now if self.now in self.player.expected.moves else ""
        return Finding(
            code, message, self._where(), self.played.number, self.step, rule=rule, **more
        )


def _with_screen(request: dict[str, Any], screen: Shown | None) -> dict[str, Any]:
    return request if screen is None else request | {"screen": screen}


def _differing(one: Shown | None, other: Shown | None) -> list[str]:
    """Return the fields that two screens have both and show differently."""
    one, other = one or {}, other or {}
    return [name for name in one if name in other and one[name] != other[name]]


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _SHORT else f"{text[:_SHORT]}…"
