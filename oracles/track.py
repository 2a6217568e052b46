"""Where a Play stands by the rules, and what a build shows beside it."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

from ..models.screen import START as SCREEN_AT_START
from ..models.system import Point
from .event import FINISH, RESUME, START, Event
from .expected import Expected, Taken
from .explain import Explains
from .fields import differences, read_reveal, read_shows
from .finding import Finding, Severity, said
from .flaws import of_flaws
from .illegal import why_not
from .leak import Beginnings
from .moves import Move, State, Values
from .payment import Outcome, rightly_paid
from .purse import Purse
from .screens import Seen as Screens
from .summary import Summary
from .table import Ending

__all__ = ["MOST_KEPT", "Court", "Once", "Track"]

MOST_KEPT = 5_000
"""So many steps of a Play are remembered; of a longer one less is explained."""


@dataclass(frozen=True)
class Court:
    """What the Plays of one judge share: the rules, and what was seen so far."""

    expected: Expected
    summary: Summary
    beginnings: Beginnings
    explainer: Explains
    purse: Purse


class Once:
    """Lets findings through the first time that they are about something."""

    def __init__(self) -> None:
        self._told: set[Hashable] = set()

    def __call__(self, about: Hashable, *found: Finding) -> list[Finding]:
        """Return findings the first time that it is asked about this, nothing after that."""
        if about in self._told:
            return []
        self._told.add(about)
        return list(found)


class Track:
    """A Play by the rules: the steps taken, and the state that they lead to.

    ``state`` is None where it is not known; ``taken`` are the steps up to it, None where not
    all of them are known, or they are very many.
    """

    def __init__(self, court: Court, play: str, outcome: Outcome, once: Once) -> None:
        self.state: State | None = court.expected.start
        self.taken: list[Taken] | None = []
        self.screens: Screens = {}
        self.in_doubt = False  # since a step that was not legal
        self._court = court
        self._expected = court.expected
        self._play = play
        self._outcome = outcome
        self._once = once
        self._last: Move | None = None
        self._wrong: set[str] = set()
        self._beginning = 0
        self._parted = False

    def goes_on_before(self, court: Court) -> None:
        """Go on before another court, by the same rules."""
        self._court = court

    @property
    def point(self) -> Point[Any, Any]:
        """The state with the tally; LookupError where it is not known."""
        if self.state is None or self.taken is None:
            raise LookupError(f"Play {self._play}: something was left out, or it is too long")
        return self._expected.points(self.taken)[-1]

    def goes_well(self, event: Event) -> bool:
        """Take a step that is plainly right in every way; False, and nothing done, for others.

        This is what nearly all events of a sound build go through, and so made to be quick.
        """
        state, taken = self.state, self.taken
        if state is None or taken is None or self._wrong or self.in_doubt:
            return False
        expected = self._expected
        move = expected.moves.get(event.event)
        if move is None or len(taken) >= MOST_KEPT:
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
        amount = self._outcome.amount
        if not self._parted and court.beginnings.parted(beginning, self._play, amount, {}):
            return False
        self.state = after
        court.summary.steps[self._last.id if self._last else "", move.id] += 1
        self._last = move
        taken.append((move, values))
        self._beginning = beginning
        if event.event == FINISH:
            self.ends(ending)
        return True

    def ends(self, ending: Ending) -> None:
        """Count how the Play ended."""
        self._court.explainer.previous = self.state
        self._court.summary.pays(ending.paid, ending.won, ending.row)

    def move(self, state: State, move: Move, values: Values) -> list[Finding]:
        """Take a step from a known state, what is revealed being known as well."""
        after = move.step(state, values)
        if after is not None:
            self.state = after
            self.record(move, values)
            return []
        illegal = why_not(self._expected, state, move, values)
        if illegal is None:
            raise RuntimeError(f"{move.id}: the function made of it and the rule do not agree")
        if self.in_doubt:
            return self._lose()
        self.in_doubt = True
        before = None if self.taken is None else tuple(self.taken)
        if not illegal.out_of_turn:  # out of turn nothing happens, as far as the rules go
            self.state = self._expected.after(state, (move, values))
            self.record(move, values)
        message = f"{move.id} may not come here: {illegal.words}"
        found = Finding("illegal", message, rule=move.id, clauses=move.rule.clauses)
        return [self._court.explainer.illegal(found, self._expected, before, (move, values))]

    def record(self, move: Move, values: Values | None) -> None:
        """Note a step; ``values`` is None where not all that it revealed is known."""
        self._court.summary.steps[self._last.id if self._last else "", move.id] += 1
        self._last = move
        if values is None or self.taken is None or len(self.taken) >= MOST_KEPT:
            self.taken = None
        else:
            self.taken.append((move, values))
            self._beginning = hash((self._beginning, move.number, values))

    def judge_shown(self, event: Event, code: str) -> list[Finding]:
        """Compare what is shown with the state, which is known."""
        assert self.state is not None
        shows, told = event.shows, code == RESUME
        if not shows or (not self._wrong and self._expected.agrees(shows, self.state)):
            return [] if told or self._parted else self._leak({})
        seen = read_shows(self._expected, shows)
        found, wrong = differences(self._expected, self.state, seen, self._wrong, code)
        if wrong and self.in_doubt:
            return self._lose()
        self._wrong = (self._wrong - seen.values.keys()) | wrong
        if not wrong and not seen.amiss:
            self._expected.lay_out(shows)
            self.in_doubt = False
        found = self.explained(found)
        for amiss in seen.amiss:
            found += self._once(("shows", amiss.field), amiss)
        return found if told or self._parted else found + self._leak(seen.extra)

    def explained(self, found: list[Finding]) -> list[Finding]:
        """Return findings with what they break, and what nearly fits."""
        if not found:
            return found
        outcome = (self._outcome.amount or 0, *(self._outcome.parts or {}).values())
        rule = self._last.rule if self._last else None
        return self._court.explainer.explain(found, self._expected, rule, self.taken, outcome)

    def _lose(self) -> list[Finding]:
        """Lose track of the state: the build goes on from a step that was not legal.

        What follows from that is not said again. What the Play pays is judged all the same.
        """
        self.state = None
        return []

    def judge_screen(
        self, event: Event, before: State | None, move: Move | None
    ) -> list[Finding]:
        """Judge the screen of a step that was taken from a state, None where not known."""
        if before is None or self.in_doubt or (move is None and event.event != START):
            self.screens.clear()
            return []
        rule: str = SCREEN_AT_START
        reveal: Values = ()
        if move is not None:
            known = read_reveal(move, event).values
            rule, reveal = move.id, tuple(known.get(v.name) for v in move.variables)
        flaws = self._expected.screens.judged(rule, before, reveal, event.screen, self.screens)
        return [
            one
            for finding in of_flaws(flaws, move.id if move else "")
            for one in self._once(("screen", finding.properties), finding)
        ]

    def _leak(self, extra: dict[str, Any]) -> list[Finding]:
        """Compare what the game does not know of with Plays that began alike."""
        if self.taken is None:
            return []
        parted = self._court.beginnings.parted(
            self._beginning, self._play, self._outcome.amount, extra
        )
        if parted is None:
            return []
        self._parted = True
        shown = {name: extra[name] for name in parted.fields if name in extra}
        message = (
            f"shows {said(shown) or 'no ' + ', '.join(parted.fields)}; Play {parted.other} "
            "does not, though both had the same reveals and choices so far"
        )
        severity = Severity.ERROR if parted.certain else Severity.NOTE
        return [Finding("leak", message, field=parted.fields[0], severity=severity)]
