"""One Play, watched event by event beside the rules."""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..models.screen import START as SCREEN_AT_START
from ..models.system import Point
from .event import FINISH, RESUME, START, Event, Where
from .expected import Expected, Taken
from .explain import Explainer
from .fields import Seen, differences, read_reveal, read_shows
from .finding import Finding
from .flaws import of_flaws
from .illegal import may_come, why_not
from .leak import Beginnings
from .missing import Glimpse, Stretch
from .moves import Move, State, Values
from .order import Order, Turn
from .payment import judge_outcome, judge_payment, rightly_paid
from .screens import Seen as ScreensSeen
from .summary import Summary
from .table import Ending

__all__ = ["Court", "Watch"]

_MOST_KEPT = 5_000


@dataclass(frozen=True)
class Court:
    """What the Plays of one judge share: the rules, the table, and what was seen so far."""

    expected: Expected
    summary: Summary
    beginnings: Beginnings
    explainer: Explainer


class Watch:
    """A Play that is open: what is expected of it now, and what was wrong so far.

    ``state`` is None while it is not known, because something was left out; ``at_start`` holds
    what is wrong with the event that the Play began with.
    """

    def __init__(self, court: Court, start: Event, where: Where) -> None:
        self.play = start.play
        self.over = False
        self.refused = False
        self.state: State | None = court.expected.start
        self._court = court
        self._expected = court.expected
        self._where = where
        self._last: Move | None = None
        self._taken: list[Taken] | None = []  # None: not all of it is known, or it is too long
        self._order = Order()
        self._stretch: Stretch | None = None
        self._wrong: set[str] = set()
        self._told: set[Hashable] = set()
        self._in_doubt = False  # since a step that was not legal
        self._beginning = 0
        self._parted = False
        self._screens: ScreensSeen = {}
        court.summary.plays += 1
        found: list[Finding] = []
        given = start.outcome if start.event == START else None
        self._outcome = judge_outcome(given, court.expected.parts, court.expected.table, found)
        if start.event == START:
            if start.step != 0:
                found.append(Finding("order", f"start is step {start.step}; it is step 0"))
            found += self._judge_shown(start, "shows")
            found += self._judge_screen(start, self.state, None)
        else:
            message = f"the Play begins with {start.event}; start was expected"
            found.append(Finding("order", message))
        self.at_start = self._placed(found, start, where)
        if start.event != START:
            self.at_start += self.see(start, where)

    def refuse(self, wrong: Finding, where: Where) -> None:
        """Leave the Play out: it is of another game or edition, or its readings are unknown."""
        self.over = self.refused = True
        self.state = None
        self._court.summary.not_judged += 1
        self.at_start = self._placed([wrong], Event(self.play, 0, START), where)

    @property
    def step(self) -> int:
        """The number of the last step."""
        return self._order.step

    @property
    def point(self) -> Point[Any, Any]:
        """The state that the rules expect now, with the tally; LookupError if not known."""
        if self.state is None or self._taken is None:
            raise LookupError(f"Play {self.play}: something was left out, or it is too long")
        return self._expected.points(self._taken)[-1]

    def see(self, event: Event, where: Where) -> list[Finding]:
        """Return what is wrong with the next event of the Play."""
        self._where = where
        before = self.state
        if self._goes_well(event):
            if event.screen is None and not self._screens:
                return []
            found = self._judge_screen(event, before, self._last)
            return self._placed(found, event, where)
        if self.refused:
            return []
        if event.event == RESUME:
            found = self._resume(event)
        elif self.over or event.step != self.step + 1 or self._order.ahead:
            return self._out_of_order(event, where)
        else:
            self._order.step = event.step
            found = self._take(event)
        return self._placed(found, event, where) if found else found

    def _goes_well(self, event: Event) -> bool:
        """Take a step that is plainly right in every way; False, and nothing done, for others.

        This is what nearly all events of a sound build go through, and so made to be quick.
        """
        state, taken = self.state, self._taken
        if state is None or taken is None or self._wrong or self._in_doubt or self._order.ahead:
            return False
        expected = self._expected
        move = expected.moves.get(event.event)
        if move is None or event.step != self.step + 1 or self.over or len(taken) >= _MOST_KEPT:
            return False
        values = move.read(event.reveal, event.choice)
        after = None if values is None else move.step(state, values)
        if values is None or after is None:
            return False
        if event.shows and not expected.agrees(event.shows, after):
            return False
        if event.event == FINISH:
            ending = expected.ending(after)
            if not (
                rightly_paid(event, self._outcome, ending) and expected.plainly_kept(after)
            ):
                return False
        elif event.paid is not None or event.won is not None:
            return False
        beginning = hash((self._beginning, move.number, values))
        court = self._court
        if not self._parted and court.beginnings.parted(beginning, self.play, {}) is not None:
            return False
        self._order.step = event.step
        self.state = after
        court.summary.steps[self._last.id if self._last else "", move.id] += 1
        self._last = move
        taken.append((move, values))
        self._beginning = beginning
        if event.event == FINISH:
            self._end_well(ending)
        return True

    def _end_well(self, ending: Ending) -> None:
        self.over = True
        self._court.summary.finished += 1
        self._court.explainer.previous = self.state
        self._court.summary.pays(ending.paid, ending.won, ending.row)

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

    def _take(self, event: Event) -> list[Finding]:
        """Take the step that comes next."""
        found: list[Finding] = []
        move = self._expected.moves.get(event.event)
        if move is None and event.event != FINISH:
            self._in_doubt = True
            names = ", ".join(self._expected.moves)
            message = f"{event.event!r} is no event of {self._expected.game.id}: {names}"
            return [Finding("illegal", message)]
        before = self.state
        if move is not None and self.state is not None:
            values = move.read(event.reveal, event.choice)
            if values is None:
                values = self._read(move, event, found)
            if values is not None:
                found += self._move(self.state, move, values)
            else:
                self._begin_stretch()
        if self.state is not None:
            found += self._judge_shown(event, "shows")
        elif self._stretch is not None:
            found += self._glimpse(self._stretch, event, move)
        found += self._judge_screen(event, before, move)
        if event.event == FINISH:
            self.over = True
            for one in self._finish(event):
                if one.code == "paid":
                    found = [each for each in found if not self._says(each, one)]
                    found += self._explained([one])
                else:
                    found.append(one)
        elif event.paid is not None or event.won is not None:
            message = f"{event.event} says what is paid or won; finish alone does"
            found += self._once("paid early", [Finding("format", message, field="paid")])
        return found

    def _read(self, move: Move, event: Event, found: list[Finding]) -> Values | None:
        """Return what is revealed, as far as it matters; None where that is not known."""
        seen = read_reveal(move, event)
        for amiss in seen.amiss:
            found += self._once((move.id, amiss.field), [amiss])
        if any(move.variables[place].name not in seen.values for place in move.decisive):
            return None
        return move.filled(seen.values)

    def _move(self, state: State, move: Move, values: Values) -> list[Finding]:
        """Take a step from a known state, what is revealed being known as well."""
        after = move.step(state, values)
        if after is not None:
            self.state = after
            self._record(move, values)
            return []
        illegal = why_not(self._expected, state, move, values)
        if illegal is None:
            raise RuntimeError(f"{move.id}: the function made of it and the rule do not agree")
        if self._in_doubt:
            return self._lose()
        self._in_doubt = True
        before = None if self._taken is None else tuple(self._taken)
        if not illegal.out_of_turn:  # out of turn nothing happens, as far as the rules go
            self.state = self._expected.after(state, (move, values))
            self._record(move, values)
        message = f"{move.id} may not come here: {illegal.words}"
        found = Finding("illegal", message, rule=move.id, clauses=move.rule.clauses)
        return [self._court.explainer.illegal(found, self._expected, before, (move, values))]

    def _record(self, move: Move, values: Values | None) -> None:
        self._court.summary.steps[self._last.id if self._last else "", move.id] += 1
        self._last = move
        if values is None or self._taken is None or len(self._taken) >= _MOST_KEPT:
            self._taken = None
        else:
            self._taken.append((move, values))
            self._beginning = hash((self._beginning, move.number, values))

    def _judge_shown(self, event: Event, code: str) -> list[Finding]:
        """Compare what is shown with the state, which is known."""
        assert self.state is not None
        shows, told = event.shows, code == "resume"
        if not shows or (not self._wrong and self._expected.agrees(shows, self.state)):
            return [] if told or self._parted else self._leak({})
        seen = read_shows(self._expected, shows)
        found, wrong = differences(self._expected, self.state, seen, self._wrong, code)
        if wrong and self._in_doubt:
            return self._lose()
        self._wrong = (self._wrong - seen.values.keys()) | wrong
        if not wrong and not seen.amiss:
            self._expected.lay_out(shows)
            self._in_doubt = False
        found = self._explained(found)
        for amiss in seen.amiss:
            found += self._once(("shows", amiss.field), [amiss])
        return found if told or self._parted else found + self._leak(seen.extra)

    def _says(self, shown: Finding, paid: Finding) -> bool:
        """Return whether a field that is shown wrong says what was paid, as another does."""
        return shown.field == self._expected.paid and shown.shown == paid.shown

    def _explained(self, found: list[Finding]) -> list[Finding]:
        if not found:
            return found
        outcome = (self._outcome.amount or 0, *(self._outcome.parts or {}).values())
        return self._court.explainer.explain(found, self._expected, self._taken, outcome)

    def _lose(self) -> list[Finding]:
        """Lose track of the state: the build goes on from a step that was not legal.

        What follows from that is not said again. What the Play pays is judged all the same.
        """
        self.state = None
        return []

    def _judge_screen(
        self, event: Event, before: State | None, move: Move | None
    ) -> list[Finding]:
        """Judge the screen of a step that was taken from a state, None where not known."""
        if before is None or self._in_doubt or (move is None and event.event != START):
            self._screens.clear()
            return []
        rule: str = SCREEN_AT_START
        reveal: tuple[Any, ...] = ()
        if move is not None:
            known = read_reveal(move, event).values
            rule, reveal = move.id, tuple(known.get(v.name) for v in move.variables)
        flaws = self._expected.screens.judged(rule, before, reveal, event.screen, self._screens)
        return [
            one
            for finding in of_flaws(flaws, move.id if move else "")
            for one in self._once(("screen", finding.properties), [finding])
        ]

    def _leak(self, extra: dict[str, Any]) -> list[Finding]:
        """Compare what the game does not know of with Plays that began alike."""
        if self._taken is None:
            return []
        other = self._court.beginnings.parted(self._beginning, self.play, extra)
        if other is None:
            return []
        self._parted = True
        what = ", ".join(f"{name} = {value!r}" for name, value in extra.items())
        message = (
            f"shows {what or 'nothing but the state'}; Play {other} shows something else, "
            "though both had the same reveals and choices so far"
        )
        return [Finding("leak", message, field=next(iter(extra), ""))]

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
            court.explainer.previous = self.state
            court.summary.pays(ending.paid, ending.won, ending.row)
            for promise, kept in expected.promises(self.state, self._taken):
                if kept is None:
                    court.summary.promises_unknown += 1
                elif not kept:
                    message = f"the promise {promise.id} is broken: {promise.says}"
                    yield Finding("promise", message, clauses=promise.clauses)

    # What comes out of order

    def _out_of_order(self, event: Event, where: Where) -> list[Finding]:
        if self.over:
            message = f"{event.event} comes after the end of its Play"
            found = self._once("over", [Finding("after-finish", message)])
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
            found += self._judge_shown(event, "resume")
        elif self._stretch is not None:
            self._stretch.show(read_shows(self._expected, event.shows).values)
        return found

    # What is not known

    def _begin_stretch(self) -> None:
        """From here on the state is not known."""
        assert self.state is not None
        self._court.summary.with_unknowns += len(self._once("unknown", [Finding("", "")]))
        self._stretch = Stretch(self._expected, self.state)
        self.state = None

    def _glimpse(self, stretch: Stretch, event: Event, move: Move | None) -> list[Finding]:
        """Note what is seen of a step; judge where the state is seen in full, or at the end."""
        shown = read_shows(self._expected, event.shows)
        revealed = read_reveal(move, event) if move else Seen()
        found: list[Finding] = []
        for amiss in (*revealed.amiss, *shown.amiss):
            found += self._once((event.event, amiss.field), [amiss])
        finish = event.event == FINISH
        paid = event.paid if finish and type(event.paid) is int else None
        if move is not None:
            self._record(move, None)
            stretch.see(
                Glimpse(
                    event.step, self._where, move, revealed.values, shown.values,
                    finish or None, paid,
                )
            )  # fmt: skip
        else:
            stretch.show(shown.values)
        return found + (self._settle() if finish or stretch.shown else [])

    def _settle(self) -> list[Finding]:
        """Ask whether a legal Play fits what was seen; go on from what is shown, if so."""
        stretch, self._stretch = self._stretch, None
        assert stretch is not None
        finding = stretch.judge()
        if finding is None:
            self.state = stretch.shown
            return []
        self._court.summary.undecided += finding.code == "undecided"
        return [dataclasses.replace(finding, play=self.play)]

    # Saying it

    def _once(self, key: Hashable, found: list[Finding]) -> list[Finding]:
        """Return findings the first time that this is asked, nothing after that."""
        if key in self._told:
            return []
        self._told.add(key)
        return found

    def _placed(self, found: Iterable[Finding], event: Event, where: Where) -> list[Finding]:
        return [
            one
            if one.play
            else dataclasses.replace(one, where=where, play=self.play, step=event.step)
            for one in found
        ]
