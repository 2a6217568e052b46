"""One Play, watched event by event beside the rules."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ..models.system import Point
from .event import FINISH, RESUME, START, Event, Where
from .fields import Seen, read_reveal, read_shows
from .finding import Finding
from .illegal import may_come
from .missing import Glimpse, Stretch
from .moves import Move, State, Values
from .order import Order, Turn
from .payment import Outcome, judge_outcome, judge_payment
from .table import Ending
from .track import Court, Once, Track

__all__ = ["Watch"]


class Watch:
    """A Play that is open: what is expected of it now, and what was wrong so far.

    ``at_start`` holds what is wrong with the event that the Play began with. A Play may be
    ``refused``, for being of another game or edition: it is over then, and not judged.
    """

    def __init__(
        self, court: Court, start: Event, where: Where, refused: Finding | None = None
    ) -> None:
        self.play = start.play
        self.over = self.refused = refused is not None
        self._court = court
        self._expected = court.expected
        self._where = where
        self._order = Order()
        self._once = Once()
        self._stretch: Stretch | None = None
        self._purse = court.purse.part()
        found: list[Finding] = []
        given = start.outcome if start.event == START else None
        self._outcome = judge_outcome(given, court.expected.parts, court.expected.table, found)
        self._track = Track(court, self.play, self._outcome, self._once)
        court.summary.plays += 1
        court.summary.without_outcome += self._outcome.amount is None
        if refused is not None:
            court.summary.not_judged += 1
            found = [refused]
        elif start.event == START:
            found += self._begin(start)
        else:
            message = f"the Play begins with {start.event}; start was expected"
            found.append(Finding("order", message))
        self.at_start = self._placed(found, start, where)
        if start.event == FINISH and refused is None:
            self.at_start += self._placed(self._finish_alone(start), start, where)
        elif start.event != START:
            self.at_start += self.see(start, where)

    @property
    def step(self) -> int:
        """The number of the last step."""
        return self._order.step

    @property
    def outcome(self) -> Outcome:
        """The predetermined outcome, as far as it is known."""
        return self._outcome

    @property
    def state(self) -> State | None:
        """The state that the rules expect now; None while it is not known."""
        return self._track.state

    @property
    def point(self) -> Point[Any, Any]:
        """The state that the rules expect now, with the tally; LookupError if not known."""
        return self._track.point

    def goes_on_before(self, court: Court) -> None:
        """Go on before another court, by the same rules."""
        self._court = court
        self._track.goes_on_before(court)

    def see(self, event: Event, where: Where) -> list[Finding]:
        """Return what is wrong with the next event of the Play."""
        self._where = where
        track, order = self._track, self._order
        if self.over or event.step != order.step + 1 or order.ahead or event.event == RESUME:
            return self._out_of_order(event, where)
        order.step = event.step
        before = track.state
        if not track.goes_well(event):
            return self._placed(self._take(event), event, where)
        if event.event == FINISH:
            self.over = True
            self._court.summary.finished += 1
        if event.screen is None and not track.screens:
            return []
        move = self._expected.moves[event.event]
        return self._placed(track.judge_screen(event, before, move), event, where)

    def end(self) -> list[Finding]:
        """Return what is wrong if no event follows."""
        if self.over:
            return []
        found = self._take_all(*self._order.give_up())
        if self.over:
            return found
        ending = self._settle() if self._stretch else []
        message = "the Play has no finish"
        if self.state is not None:
            rules = may_come(self._expected, self.state)
            message += f"; what may come is {' or '.join(rules)}" if rules else ""
        ending.append(Finding("no-finish", message))
        return found + self._placed(ending, Event(self.play, self.step, ""), self._where)

    # One event after the other

    def _begin(self, start: Event) -> list[Finding]:
        found: list[Finding] = []
        if start.step != 0:
            found.append(Finding("order", f"start is step {start.step}; it is step 0"))
        found += self._track.judge_shown(start, "shows")
        return found + self._track.judge_screen(start, self.state, None)

    def _take(self, event: Event) -> list[Finding]:
        """Take the step that comes next."""
        found: list[Finding] = []
        move = self._expected.moves.get(event.event)
        if move is None and event.event != FINISH:
            self._track.in_doubt = True
            names = ", ".join(self._expected.moves)
            message = f"{event.event!r} is no event of {self._expected.game.id}: {names}"
            return [Finding("illegal", message)]
        before = self.state
        if move is not None and self.state is not None:
            values = move.read(event.reveal, event.choice)
            if values is None:
                values = self._read(move, event, found)
            if values is not None:
                found += self._track.move(self.state, move, values)
            else:
                self._begin_stretch()
        if self.state is not None:
            found += self._track.judge_shown(event, "shows")
        elif self._stretch is not None:
            found += self._glimpse(self._stretch, event, move)
        found += self._track.judge_screen(event, before, move)
        if event.event == FINISH:
            self.over = True
            for one in self._finish(event):
                if one.code == "paid":
                    said = self._expected.paid, one.shown  # by a field that is shown wrong, too
                    found = [each for each in found if (each.field, each.shown) != said]
                    found += self._track.explained([one])
                else:
                    found.append(one)
        elif event.paid is not None or event.won is not None:
            message = f"{event.event} says what is paid or won; finish alone does"
            found += self._once("paid early", Finding("format", message, field="paid"))
        return found

    def _read(self, move: Move, event: Event, found: list[Finding]) -> Values | None:
        """Return what is revealed, as far as it matters; None where that is not known."""
        seen = read_reveal(move, event)
        for amiss in seen.amiss:
            found += self._once((move.id, amiss.field), amiss)
        if any(move.variables[place].name not in seen.values for place in move.decisive):
            return None
        return move.filled(seen.values)

    def _finish(self, event: Event) -> Iterator[Finding]:
        """Judge what is paid, and what had to be kept by the end."""
        expected, court = self._expected, self._court
        court.summary.finished += 1
        ending: Ending | None = None
        if self.state is not None:
            ending = expected.ending(self.state)
            if not ending.ended:
                if FINISH not in expected.moves:
                    rules = " or ".join(may_come(expected, self.state))
                    message = f"the Play finishes and is not over; what may come is {rules}"
                    yield Finding("illegal", message)
                ending = None
        yield from judge_payment(event, self._outcome, ending, expected.parts, expected.table)
        if ending is not None and self.state is not None:
            self._track.ends(ending)
            for promise, kept in expected.promises(self.state, self._track.taken):
                if kept is None:
                    court.summary.promises_unknown += 1
                elif not kept:
                    message = f"the promise {promise.id} is broken: {promise.says}"
                    yield Finding("promise", message, clauses=promise.clauses)

    # What comes out of order

    def _finish_alone(self, event: Event) -> Iterator[Finding]:
        """Judge what is paid in a Play that begins with its end: it is wrong anyhow."""
        # A log that runs backwards is full of them: no solver is asked whether a Play fits.
        self.over, self._track.state = True, None
        if FINISH in self._expected.moves:
            self._track.record(self._expected.moves[FINISH], None)
        self._court.summary.with_unknowns += 1
        self._court.summary.undecided += 1
        yield from self._finish(event)

    def _out_of_order(self, event: Event, where: Where) -> list[Finding]:
        if self.refused:
            return []
        if event.event == RESUME:
            return self._placed(self._resume(event), event, where)
        if self.over:
            message = f"{event.event} comes after the end of its Play"
            found = self._once("over", Finding("after-finish", message))
            return self._placed(found, event, where)
        return self._take_all(*self._order.sort(event, where))

    def _take_all(self, found: list[Finding], turns: Sequence[Turn]) -> list[Finding]:
        """Take steps in order; what came in those that are missing is not known."""
        for turn in turns:
            if self.over:
                break
            if turn.missing:
                if self.state is not None:
                    self._begin_stretch()
                if self._stretch is not None:
                    first = turn.event.step - turn.missing
                    self._stretch.skip(first, turn.missing, turn.where)
            self._where = turn.where
            found += self._placed(self._take(turn.event), turn.event, turn.where)
        return found

    def _resume(self, event: Event) -> list[Finding]:
        """Judge what is shown where a Play goes on."""
        self._court.summary.resumed += 1
        if self._order.ahead:
            return []
        found = []
        if event.step != self.step:
            message = f"the Play goes on after step {event.step}; its last was step {self.step}"
            found.append(Finding("resume", message, shown=event.step, expected=self.step))
        if self.state is not None:
            found += self._track.judge_shown(event, "resume")
        elif self._stretch is not None:
            self._stretch.show(read_shows(self._expected, event.shows).values)
        return found

    # What is not known

    def _begin_stretch(self) -> None:
        """From here on the state is not known."""
        assert self.state is not None
        self._court.summary.with_unknowns += len(self._once("unknown", Finding("", "")))
        self._stretch = Stretch(self._expected, self.state, self._purse)
        self._track.state = None

    def _glimpse(self, stretch: Stretch, event: Event, move: Move | None) -> list[Finding]:
        """Note what is seen of a step; judge where the state is seen in full, or at the end."""
        shown = read_shows(self._expected, event.shows)
        revealed = read_reveal(move, event) if move else Seen()
        found: list[Finding] = []
        for amiss in (*revealed.amiss, *shown.amiss):
            found += self._once((event.event, amiss.field), amiss)
        finish = event.event == FINISH
        paid = event.paid if finish and type(event.paid) is int else None
        if move is not None:
            self._track.record(move, None)
            stretch.see(
                Glimpse(
                    event.step, self._where, move, revealed.values, shown.values,
                    finish or None, paid,
                )
            )  # fmt: skip
        else:
            stretch.show(shown.values, finish or None, paid)
        return found + (self._settle() if finish or stretch.state is not None else [])

    def _settle(self) -> list[Finding]:
        """Ask whether a legal Play fits what was seen; go on from what is shown, if so."""
        stretch, self._stretch = self._stretch, None
        assert stretch is not None
        finding = stretch.judge()
        if finding is None:
            self._track.state = stretch.state
            return []
        self._court.summary.undecided += finding.code == "undecided"
        return [dataclasses.replace(finding, play=self.play)]

    def _placed(self, found: Iterable[Finding], event: Event, where: Where) -> list[Finding]:
        return [
            one
            if one.play
            else dataclasses.replace(one, where=where, play=self.play, step=event.step)
            for one in found
        ]
