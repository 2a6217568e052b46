"""One Play, watched event by event beside the rules."""

from __future__ import annotations

from typing import Any, cast

from ..models.editions import Edition
from ..models.play import applicable
from ..models.system import Game, Point
from .event import FINISH, RESUME, Event, Where, flat
from .finding import Finding
from .summary import Summary

__all__ = ["Expected", "Watch"]


class Expected:
    """The rules of an edition, under one way to take every reading."""

    def __init__(self, edition: Edition, p: Any) -> None:
        self.edition = edition
        self.game: Game = edition.game
        self.p = p
        self.start = self.game.start(p)
        self.state = self.game.state_shape()
        self.parts = tuple(self.game.goal.parts(p, self.start.s))


class Watch:
    """A Play that is open: what is expected of it now, and what it did so far."""

    def __init__(
        self, expected: Expected, summary: Summary, start: Event, where: Where
    ) -> None:
        self.expected = expected
        self.summary = summary
        self.play = start.play
        self.point: Point[Any, Any] = expected.start
        self.step = 0
        self.over = False
        self.outcome = start.outcome
        summary.plays += 1
        self.at_start: list[Finding] = list(self._shown(start, where, "shows"))

    def see(self, event: Event, where: Where) -> list[Finding]:
        """Return what is wrong with the next event."""
        self.summary.events += 1
        if event.event == RESUME:
            return self._shown(event, where, "resume")
        found = self._take(event, where) + self._shown(event, where, "shows")
        if event.event == FINISH:
            self.over = True
            self.summary.finished += 1
            found += self._paid(event, where)
        return found

    def end(self) -> list[Finding]:
        """Return what is wrong if no event follows."""
        if self.over:
            return []
        return [Finding("no-finish", "the Play has no finish", play=self.play, step=self.step)]

    def _take(self, event: Event, where: Where) -> list[Finding]:
        game, p = self.expected.game, self.expected.p
        self.step = event.step
        try:
            rule = game.rule(event.event)
        except KeyError:
            message = f"{event.event!r} is no event of {game.id}"
            return [Finding("illegal", message, where, self.play, event.step)]
        given = dict(flat(event.reveal or {})) | dict(flat(event.choice or {}))
        shape = game.reveal_shape(rule)
        given |= {v.name: v.low or 0 for v in shape.variables if v.name not in given}
        reveal = shape.of(given)
        if rule not in applicable(game, p, self.point, reveal):
            message = f"{rule.id} may not come here"
            return [
                Finding(
                    "illegal", message, where, self.play, event.step, rule=rule.id,
                    clauses=rule.clauses,
                )
            ]  # fmt: skip
        self.point = game.after(p, self.point, rule, reveal)
        self.summary.rules[rule.id] += 1
        return []

    def _shown(self, event: Event, where: Where, code: str) -> list[Finding]:
        expected = self.expected.state.scalars(self.point.s)
        found = []
        for name, value in flat(event.shows or {}):
            right = expected.get(name)
            if name not in expected:
                found.append(
                    Finding(
                        "format", f"{name} is no field of the state", where, self.play,
                        event.step, name, value,
                    )
                )  # fmt: skip
            elif type(value) is not type(right) or value != right:
                message = f"{name} is shown as {value!r}; the rules give {right!r}"
                found.append(
                    Finding(code, message, where, self.play, event.step, name, value, right)
                )
        return found

    def _paid(self, event: Event, where: Where) -> list[Finding]:
        due = cast("int", self.expected.game.goal.paid(self.expected.p, self.point.s))
        if event.paid == due:
            return []
        message = f"{event.paid} pence were paid; the rules give {due} pence"
        return [Finding("paid", message, where, self.play, event.step, "paid", event.paid, due)]
