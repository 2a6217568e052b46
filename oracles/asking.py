"""One Play of a build, asked for step by step and judged answer by answer."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn

import msgspec

from .builds import Trouble
from .cases import Ask
from .course import Course, Played
from .event import FORMAT, RESUME, START, VERSION, Event, Where
from .finding import Finding, Severity
from .forbidden import Forbidden, forbidden
from .judge import Watch
from .probes import Probe

if TYPE_CHECKING:
    from .player import Player

__all__ = ["Asking", "StopPlay"]

Shown = dict[str, Any]

_CODES = {"twice": "answered-twice"}
_SHORT = 120
_OBJECTS = ("shows", "screen", "won")


class StopPlay(Exception):
    """The Play is not to go on; ``findings`` say why, if anything is wrong."""

    def __init__(self, findings: Sequence[Finding] = ()) -> None:
        super().__init__()
        self.findings = findings


class Asking:
    """A Play that is being asked for: where it stands, and what is expected of it."""

    def __init__(self, player: Player, course: Course, played: Played) -> None:
        self.player = player
        self.course = course
        self.played = played
        self.step = 0
        self.now = START
        self.shown: Any = None  # after the last step

    def steps(self) -> Generator[None, None, None]:
        course = self.course
        self._begin(course.outcome)
        if course.resumed:
            self._resume()
        yield
        for number, one in enumerate(course.asks[: course.last], start=1):
            self.step = number
            if course.probe and self.watch.state is not None:
                probe = course.probe(self.watch.state, one)
                self.played.tried.append(probe)
                if probe is not None:
                    self._try(probe)
            for refused in course.refused.get(number - 1, ()):
                self._try(refused)
            self._take(one)
            if course.resumed:
                self._resume()
            yield
        if course.last is None:
            self.step = len(course.asks) + 1
            for refused in course.refused.get(len(course.asks), ()):
                self._try(refused)
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
        event = msgspec.structs.replace(
            self._event(answer),
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
        name, reveal, choice, screen = one
        self.now = name
        request = self._request(name, reveal, choice)
        answer = self._ask(request if screen is None else _with_screen(request, screen))
        if "error" in answer:
            if self.course.told is not None:
                self.played.declined = True  # it may know that this cannot be won any more
                raise StopPlay
            self._refused(answer, one)
        self._must_fit(answer, {"reveal": reveal, "choice": choice})
        if found := self.watch.see(self._event(answer, reveal, choice), self._where()):
            self._stop_if(found)
        self.player.taken.add(name)
        self._keep(answer)

    def _resume(self) -> None:
        """Have the Play go on as if it had been interrupted: it has to show the same."""
        self.player.resumes += 1
        self.now = RESUME
        if self.course.restarted:
            self.player.build.restart()
        answer = self._ask({"do": "resume", "play": self.played.number, "step": self.step})
        self._must_fit(answer, {})
        self._stop_if(self.watch.see(self._event(answer), self._where()))
        names = ", ".join(_differing(answer.get("shows"), self.shown))
        if names:
            self._stop("resume", f"resumed after step {self.step}, {names} is not as it was")

    def _try(self, probe: Probe) -> None:
        """Ask for a step that the rules do not allow: it has to be refused."""
        self.player.probes += 1
        self.now = probe.rule
        answer = self._ask(self._request(probe.rule, probe.reveal, probe.choice))
        if "error" in answer:
            return
        wrong = self._forbidden(probe)
        self._stop(
            "illegal",
            f"it takes {probe.rule} {probe.says}, which the rules do not allow: {wrong.words}",
            clauses=wrong.clauses,
            properties=wrong.properties,
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
                wrong = self._forbidden(probe)
                message = (
                    f"{refusal}. It takes {probe.rule} instead, which they do not allow: "
                    f"{wrong.words}"
                )
                clauses, properties = wrong.clauses, wrong.properties
                refused = replace(
                    refused, message=message, properties=properties, clauses=clauses
                )
                break
        raise StopPlay([refused])

    def _forbidden(self, probe: Probe) -> Forbidden:
        watch = self.watch
        assert watch.state is not None
        return forbidden(self.player.expected, watch.state, lambda: watch.point, probe)

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
        player, before = self.player, self.player.last
        player.last = answer
        said = answer.get
        if (
            "error" in answer
            or said("play") != self.played.number
            or said("step") != self.step
            or said("event") != self.now
        ):
            self._is_another(answer, before)
        for name, value in given.items():
            if said(name, value) != value:
                self._stop(
                    "echo",
                    f"the answer repeats the {name} other than it was given",
                    field=name,
                    shown=answer[name],
                    expected=value,
                )
        for name in _OBJECTS:
            value = said(name)
            if value is not None and type(value) is not dict:
                message = f"{name} is {_short(value)}: an object was expected"
                self._stop("format", message, field=name)

    def _is_another(self, answer: dict[str, Any], before: dict[str, Any]) -> NoReturn:
        """Stop at an answer that is a refusal, or one to something else."""
        if "error" in answer:
            message = f"it refuses {self.now}: {_short(answer['error'])}"
            self._stop("resume" if self.now == RESUME else "refused", message)
        asked = {"play": self.played.number, "step": self.step, "event": self.now}
        name = next(name for name, value in asked.items() if answer.get(name) != value)
        self._stop(
            "answered-twice" if answer == before else "echo",
            f"the answer to {self.now} of step {self.step} is one to something else: "
            f"its {name} is {_short(answer.get(name))}, not {asked[name]!r}",
            field=name,
        )

    def _event(
        self, answer: dict[str, Any], reveal: Shown | None = None, choice: Shown | None = None
    ) -> Event:
        said, number = answer.get, self.played.number
        shows, screen = said("shows"), said("screen")
        if "paid" in answer or "won" in answer:
            paid, won = said("paid"), said("won")
            return Event(
                number, self.step, self.now, reveal, choice, shows, screen, paid=paid, won=won
            )
        return Event(number, self.step, self.now, reveal, choice, shows, screen)

    def _keep(self, answer: dict[str, Any]) -> None:
        self.shown = shows = answer.get("shows")
        if shows and not shows.keys() <= self.player.shows:
            self.player.shows.update(shows)

    def _where(self) -> Where:
        return self.course.case.where(self.step)

    def _stop_if(self, findings: Sequence[Finding]) -> None:
        """Stop where anything is wrong; notes are kept."""
        if not findings:
            return
        wrong = [one for one in findings if one.severity is Severity.ERROR]
        self.played.notes += [one for one in findings if one.severity is Severity.NOTE]
        if wrong:
            raise StopPlay(wrong)

    def _stop(self, code: str, message: str, **more: Any) -> NoReturn:
        raise StopPlay([self._finding(code, message, **more)])

    def _finding(self, code: str, message: str, **more: Any) -> Finding:
        rule = self.now if self.now in self.player.expected.moves else ""
        return Finding(
            code, message, self._where(), self.played.number, self.step, rule=rule, **more
        )


def _with_screen(request: dict[str, Any], screen: Mapping[str, Any] | None) -> dict[str, Any]:
    return request if screen is None else request | {"screen": screen}


def _differing(one: Shown | None, other: Shown | None) -> list[str]:
    """Return the fields that two screens have both and show differently."""
    if one == other:
        return []
    one, other = one or {}, other or {}
    return [name for name in one if name in other and one[name] != other[name]]


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _SHORT else f"{text[:_SHORT]}…"
