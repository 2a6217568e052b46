"""A sample build of Colour Collector: what is tested, where Playproof is what tests.

Written from the game's Procedures and the reading of record alone, with nothing of Playproof in
it, so that it and the model are two answers to one question. Where the Procedures are open it
takes the first choice of each reading. Money is in pence.

    python colour_collector.py                a request a line on stdin, an answer a line back
    python colour_collector.py --http 8080    the same by POST (port 0: any free one)
    python colour_collector.py --fault ID     with one fault built in, see FAULTS
    python colour_collector.py --keep FOLDER  Plays are kept there, and outlive the process

Requests start a Play, take a step of it (the reveal is given, and the choice) or resume it. A
step that the rules do not allow is refused with {"error": why}, and changes nothing. It is all
one file, as builds are tested whole.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import quote

Json = dict[str, Any]

START_SPINS = 6
BOX_SIZE = 6  # of the Bonus Game Box, and of the Prize Game Box
TOP_LEVEL = 3
SEVEN = tuple("1234567")  # rows of the Prize Table; Bonus Prizes on show
AMOUNTS = (  # what each row pays, before boosters and at each level they lead to
    (500, 600, 800, 1000),
    (700, 800, 1000, 1500),
    (1000, 1200, 2000, 3000),
    (2000, 2500, 3000, 5000),
    (5000, 7500, 10000, 25000),
    (50000, 75000, 100000, 200000),
    (100000000, 100000000, 100000000, 100000000),
)
SPINS, PRIZE, SUPER, MEGA, FEW, MANY, PRIZE_SYMBOLS, ACTIVATE = range(1, 9)  # Bonus Prizes

NO_PANEL = [[0, 0]] * 7

READINGS = {
    "valuation": "at-end",
    "row-surplus": "dropped",
    "bonus-surplus": "queued",
    "booster-after-booster": "levels-add",
    "booster-scope": "whole-play",
    "first-round": "any",
    "award-order": "as-won",
    "win-with-double": "doubled",
    "pot-with-win": "included",
    "spent-award": "no-effect",
    "same-bonus-prize-again": "allowed",
}


class Refused(Exception):
    """A request that the rules, or the format, do not allow; the text says why."""


def whole(value: object, low: int, high: int | None, what: str) -> int:
    """Return a whole number of a request; Refused if it is none, or out of range."""
    if type(value) is not int:
        raise Refused(f"{what}: a whole number was expected, not {value!r}")
    if value < low or (high is not None and value > high):
        limit = f"at least {low}" if high is None else f"{low} to {high}"
        raise Refused(f"{what}: {value} is not {limit}")
    return value


def part(request: Json, name: str) -> Json:
    """Return an object within a request, empty if it is left out; Refused if it is none."""
    value = request.get(name, {})
    if not isinstance(value, dict):
        raise Refused(f"{name}: an object was expected, not {value!r}")
    return value


def table(reveal: Json, name: str, labels: tuple[str, ...], low: int = 0) -> list[int]:
    """Return the whole numbers that a reveal gives for each label; Refused if one is amiss."""
    given = reveal.get(name)
    if not isinstance(given, dict) or given.keys() != set(labels):
        raise Refused(f"{name}: a number was expected for each of {', '.join(labels)}")
    for label in labels:
        value = given[label]
        if type(value) is not int or value < low:
            whole(value, low, None, f"{name}.{label}")
    return [given[label] for label in labels]


LABELS = tuple(str(number) for number in range(1, 50))


def labelled(values: Iterable[Any]) -> Json:
    """Return values by their labels, which count from 1."""
    return dict(zip(LABELS, values, strict=False))


@dataclass(frozen=True)
class Edition:
    """What the Procedures leave open, as this build has it unless it is told otherwise."""

    row_boxes: tuple[int, ...] = (6, 7, 8, 9, 10, 11, 12)
    grid: int = 25
    prize_amounts: tuple[int, ...] = (
        *(500, 1000, 1200, 1500, 2000, 2500, 3000, 3500, 4000, 4500, 5000, 6000, 7500),
        *(10000, 15000, 25000, 50000, 100000, 150000, 250000, 500000),
    )
    few_least: int = 4
    few_most: int = 6
    many_least: int = 8
    many_most: int = 12

    @classmethod
    def read(cls, given: Json) -> Edition:
        """Return an edition as it stands in a request: each parameter with its value."""
        values: dict[str, Any] = {}
        for name, entry in part(given, "parameters").items():
            value = entry.get("value") if isinstance(entry, dict) else entry
            default = cls.__dataclass_fields__.get(name)
            if default is None:
                raise Refused(f"edition: {name!r} is no parameter of this game")
            if isinstance(default.default, tuple):
                numbers = value if isinstance(value, list) else [value]
                values[name] = tuple(whole(number, 1, None, name) for number in numbers)
            else:
                values[name] = whole(value, 1, None, name)
        edition = cls(**values)
        if len(edition.row_boxes) != 7:
            raise Refused("row_boxes: 7 numbers were expected")
        return edition


@dataclass
class State:
    """All that a Play has come to."""

    spins_left: int = START_SPINS
    rows: list[int] = field(default_factory=lambda: [0] * 7)
    bonus_box: int = 0
    bonus_games_owed: int = 0
    prize_box: int = 0
    level: int = 0
    panel: list[list[int]] = field(default_factory=list)  # kind, number; empty when it is down
    won: list[Json] = field(default_factory=list)  # awards of this Bonus Game, none in effect
    prize_pot: int = 0
    prize_game_prize: int = 0
    prize_game_played: bool = False
    finished: bool = False
    paid: int = 0


class Play:
    """One Play by the rules. What a fault changes is a method of its own."""

    reel: ClassVar[int] = 12

    def __init__(self, edition: Edition, outcome: Json) -> None:
        self.edition = edition
        self.outcome = outcome
        self.s = State()
        self.step = 0  # the last that was taken

    # What may come

    @property
    def main_game_over(self) -> bool:
        s = self.s
        return s.spins_left == 0 and not s.bonus_games_owed and not s.panel

    @property
    def prize_game_due(self) -> bool:
        s = self.s
        return self.main_game_over and s.prize_box == BOX_SIZE and not s.prize_game_played

    def take(self, event: object, reveal: Json, choice: Json) -> None:
        """Take a step; Refused, and nothing done, if it may not come now, or not like this."""
        if not isinstance(event, str) or event not in STEPS:
            raise Refused(f"{event!r} is no step of this game: {', '.join(STEPS)}")
        method, reveals, choices = STEPS[event]
        step: Callable[..., None] = getattr(self, method)
        for given, fields, what in ((reveal, reveals, "reveal"), (choice, choices, "choice")):
            if given.keys() != fields:
                raise Refused(f"the {what} of {event}: exactly {sorted(fields)} was expected")
        step(reveal, choice) if choices else step(reveal)

    def require(self, allowed: bool, why: str) -> None:
        if self.s.finished:
            raise Refused("the Play has ended")
        if not allowed:
            raise Refused(why)

    # Main Game

    def spin(self, reveal: Json) -> None:
        s = self.s
        self.require(not s.panel and not s.bonus_games_owed, "a Bonus Game is to be played")
        self.require(s.spins_left > 0, "no spin is left")
        symbols = table(reveal, "symbols", SEVEN)
        bonus = whole(reveal["bonus_symbols"], 0, None, "bonus_symbols")
        prize = whole(reveal["prize_symbols"], 0, None, "prize_symbols")
        whole(sum(symbols) + bonus + prize, 0, self.edition.grid, "symbols on the grid")
        s.spins_left -= 1
        self.fill_rows(symbols)
        self.fill_bonus_box(bonus)
        self.fill_prize_box(prize)

    def fill_rows(self, symbols: list[int]) -> None:
        boxes = self.edition.row_boxes
        self.s.rows = [
            min(b, r + n) for b, r, n in zip(boxes, self.s.rows, symbols, strict=True)
        ]

    def fill_bonus_box(self, symbols: int) -> None:
        unlocked, self.s.bonus_box = divmod(self.s.bonus_box + symbols, BOX_SIZE)
        self.s.bonus_games_owed += unlocked

    def fill_prize_box(self, symbols: int) -> None:
        self.s.prize_box = min(BOX_SIZE, self.s.prize_box + symbols)

    # Bonus Game

    def open_bonus_game(self, reveal: Json) -> None:
        s = self.s
        self.require(not s.panel and s.bonus_games_owed > 0, "no Bonus Game is to begin")
        kinds = table(reveal, "kinds", SEVEN, low=1)
        numbers = table(reveal, "numbers", SEVEN, low=1)
        edition = self.edition
        ranges = {
            SPINS: (1, 3),
            FEW: (edition.few_least, edition.few_most),
            MANY: (edition.many_least, edition.many_most),
            PRIZE_SYMBOLS: (1, 3),
        }
        for label, kind, number in zip(SEVEN, kinds, numbers, strict=True):
            whole(kind, SPINS, ACTIVATE, f"kinds.{label}")
            whole(number, *ranges.get(kind, (1, 1)), f"numbers.{label}")
        s.bonus_games_owed -= 1
        s.panel = [list(pair) for pair in zip(kinds, numbers, strict=True)]

    def right_answer(self, reveal: Json, choice: Json) -> None:
        box = self.round(reveal, choice, right=True)
        kind, number = self.s.panel[box - 1]
        symbols = table(reveal, "symbols", SEVEN)
        due = number if kind in (FEW, MANY) else 0
        self.require(sum(symbols) == due, f"{due} symbols were expected for the rows")
        self.award({"box": box, "kind": kind, "number": number, "symbols": symbols})

    def wrong_answer(self, reveal: Json, choice: Json) -> None:
        self.round(reveal, choice, right=False)
        symbols = table(reveal, "symbols", SEVEN)
        self.require(not any(symbols), "a wrong answer awards no symbols")
        self.end_bonus_game()

    def round(self, reveal: Json, choice: Json, *, right: bool) -> int:
        """Check a round of the Bonus Game; the answer is the Bonus Prize that comes up.

        The lottery has settled whether the round is right. The number that is shown follows
        the parity picked.
        """
        self.require(bool(self.s.panel), "no Bonus Game is being played")
        self.require(isinstance(choice["picked_odd"], bool), "picked_odd: true or false")
        if_odd = whole(reveal["number_if_odd"], 1, self.reel, "number_if_odd")
        if_even = whole(reveal["number_if_even"], 1, self.reel, "number_if_even")
        fits = if_odd % 2 == int(right) and if_even % 2 == int(not right)
        self.require(fits, f"{if_odd} for odd and {if_even} for even: not as was settled")
        return whole(reveal["box"], 1, 7, "box")

    def award(self, award: Json) -> None:
        self.s.won.append(award)

    def end_bonus_game(self) -> None:
        for award in self.s.won:
            self.grant(award["kind"], award["number"], award["symbols"])
        self.s.won = []
        self.s.panel = []

    def grant(self, kind: int, number: int, symbols: list[int]) -> None:
        """Bring one award into effect."""
        if kind == SPINS:
            self.add_spins(number)
        elif kind in (PRIZE, SUPER, MEGA):
            self.boost(kind)
        elif kind in (FEW, MANY):
            self.fill_rows(symbols)
        else:
            self.fill_prize_box(BOX_SIZE if kind == ACTIVATE else number)

    def add_spins(self, number: int) -> None:
        self.s.spins_left += number

    def boost(self, kind: int) -> None:
        lift = {PRIZE: 1, SUPER: 2, MEGA: TOP_LEVEL}[kind]
        self.s.level = min(TOP_LEVEL, self.s.level + lift)

    # Prize Game

    def prize_spin(self, reveal: Json) -> None:
        collected, wins, doubles = self.prize_grid(reveal)
        self.require(wins + doubles == 0, "a WIN ends the Prize Game")
        # A WIN or WIN X2 is on the grid still, in another colour.
        whole(sum(collected), 0, self.edition.grid - 1, "amounts of one colour")
        self.add_to_pot(collected)

    def win(self, reveal: Json) -> None:
        collected, wins, doubles = self.prize_grid(reveal)
        self.require(wins + doubles > 0, "the Prize Game goes on until a WIN or WIN X2")
        whole(sum(collected) + wins + doubles, 0, self.edition.grid, "squares of one colour")
        self.add_to_pot(collected)
        self.end_prize_game(doubles)

    def prize_grid(self, reveal: Json) -> tuple[list[int], int, int]:
        self.require(self.prize_game_due, "the Prize Game is not to be played now")
        tags = tuple(str(n) for n in range(1, len(self.edition.prize_amounts) + 1))
        wins = whole(reveal["wins"], 0, None, "wins")
        doubles = whole(reveal["double_wins"], 0, None, "double_wins")
        return table(reveal, "amounts", tags), wins, doubles

    def add_to_pot(self, collected: list[int]) -> None:
        amounts = zip(self.edition.prize_amounts, collected, strict=True)
        self.s.prize_pot += sum(amount * squares for amount, squares in amounts)

    def end_prize_game(self, doubles: int) -> None:
        self.s.prize_game_prize = self.s.prize_pot * (2 if doubles else 1)
        self.s.prize_game_played = True

    # The end

    def finish(self, reveal: Json) -> None:
        self.require(self.main_game_over, "the Main Game is not over")
        self.require(not self.prize_game_due, "the Prize Game is to be played")
        self.s.paid = self.total()
        self.s.finished = True

    def won(self) -> dict[str, int]:
        """Return what was won, part by part: each full row, and the Prize Game."""
        boxes = zip(self.s.rows, self.edition.row_boxes, strict=True)
        parts = {
            f"row-{number}": self.row_amount(number)
            for number, (filled, size) in enumerate(boxes, start=1)
            if filled >= size
        }
        if self.s.prize_game_prize:
            parts["Prize Game"] = self.s.prize_game_prize
        return parts

    def row_amount(self, number: int) -> int:
        return AMOUNTS[number - 1][self.s.level]

    def total(self) -> int:
        return sum(self.won().values())

    # What is shown, and kept

    def shows(self) -> Json:
        s = self.s
        kinds, numbers = zip(*(s.panel or NO_PANEL), strict=True)
        awarded = {award["box"] for award in s.won}
        return {
            "spins_left": s.spins_left,
            "rows": labelled(s.rows),
            "bonus_box": s.bonus_box,
            "bonus_games_owed": s.bonus_games_owed,
            "prize_box": s.prize_box,
            "level": s.level,
            "shown_kinds": labelled(kinds),
            "shown_numbers": labelled(numbers),
            "awarded": labelled([box in awarded for box in range(1, 8)]),
            "awards": len(s.won),
            "prize_pot": s.prize_pot,
            "prize_game_prize": s.prize_game_prize,
            "prize_game_played": s.prize_game_played,
            "paid": s.paid,
        }

    def save(self) -> str:
        """Return what a Play is resumed from."""
        return json.dumps(vars(self.s))

    def load(self, saved: str) -> None:
        self.s = State(**json.loads(saved))


ROUND = {"number_if_odd", "number_if_even", "box", "symbols"}
STEPS: Mapping[str, tuple[str, set[str], set[str]]] = {
    "spin": ("spin", {"symbols", "bonus_symbols", "prize_symbols"}, set()),
    "open-bonus-game": ("open_bonus_game", {"kinds", "numbers"}, set()),
    "right-answer": ("right_answer", ROUND, {"picked_odd"}),
    "wrong-answer": ("wrong_answer", ROUND, {"picked_odd"}),
    "prize-spin": ("prize_spin", {"amounts", "wins", "double_wins"}, set()),
    "win": ("win", {"amounts", "wins", "double_wins"}, set()),
    "finish": ("finish", set(), set()),
}
"""For each event the method, and what has to be revealed and chosen."""


# Faults: each is one small change, of a kind that has happened in games like this one.


class AwardsKept(Play):
    before: tuple[Json, ...] = ()

    def end_bonus_game(self) -> None:
        won = tuple(self.s.won)
        self.s.won = [*self.before, *won]
        super().end_bonus_game()
        self.before = won


class LevelKept(Play):
    last: ClassVar[int] = 0

    def __init__(self, edition: Edition, outcome: Json) -> None:
        super().__init__(edition, outcome)
        self.s.level = self.last

    def finish(self, reveal: Json) -> None:
        super().finish(reveal)
        type(self).last = self.s.level


class SurplusLost(Play):
    def fill_bonus_box(self, symbols: int) -> None:
        super().fill_bonus_box(min(symbols, BOX_SIZE - self.s.bonus_box))


class RowSpills(Play):
    def fill_rows(self, symbols: list[int]) -> None:
        given, boxes = list(symbols), self.edition.row_boxes
        for i in range(6):
            over = max(0, self.s.rows[i] + given[i] - boxes[i])
            given[i], given[i + 1] = given[i] - over, given[i + 1] + over
        super().fill_rows(given)


class RowWinsEarly(Play):
    def won(self) -> dict[str, int]:
        nearly = (max(1, size - 1) for size in self.edition.row_boxes)
        rows = zip(self.s.rows, nearly, strict=True)
        early = {
            f"row-{n}": self.row_amount(n) for n, (r, b) in enumerate(rows, start=1) if r >= b
        }
        return early | super().won()


class NoExtraSpins(Play):
    def add_spins(self, number: int) -> None:
        pass


class SpinsAtOnceToo(Play):
    def award(self, award: Json) -> None:
        super().award(award)
        if award["kind"] == SPINS:
            self.add_spins(award["number"])


class DoublesEach(Play):
    def end_prize_game(self, doubles: int) -> None:
        super().end_prize_game(doubles)
        self.s.prize_game_prize = self.s.prize_pot * 2**doubles


class DoublesLastOnly(Play):
    def win(self, reveal: Json) -> None:
        before = self.s.prize_pot
        super().win(reveal)
        if self.s.prize_game_prize > self.s.prize_pot:
            self.s.prize_game_prize -= before


class NoCapOnPrizeBox(Play):
    def fill_prize_box(self, symbols: int) -> None:
        self.s.prize_box += symbols

    @property
    def prize_game_due(self) -> bool:
        s = self.s
        return self.main_game_over and s.prize_box >= BOX_SIZE and not s.prize_game_played


class DoubleDoesNotEnd(Play):
    def end_prize_game(self, doubles: int) -> None:
        if doubles:
            self.s.prize_pot *= 2
        else:
            super().end_prize_game(doubles)


class SuperLiftsOne(Play):
    def boost(self, kind: int) -> None:
        super().boost(PRIZE if kind == SUPER else kind)


class FullRowNotBoosted(Play):
    """A row that stands full when a booster comes is boosted twice."""

    def boost(self, kind: int) -> None:
        full = self.s.rows[0] >= self.edition.row_boxes[0]
        super().boost(kind)
        if full:
            super().boost(PRIZE)


class PanelReversed(Play):
    def shows(self) -> Json:
        shown = super().shows()
        shown["shown_numbers"] = labelled(list(shown["shown_numbers"].values())[::-1])
        return shown


class NearMissIsFull(Play):
    def shows(self) -> Json:
        shown = super().shows()
        missing = zip(self.edition.row_boxes, self.s.rows, strict=True)
        gaps = {n: size - filled for n, (size, filled) in enumerate(missing) if filled < size}
        if self.s.finished and not self.s.paid and gaps:
            nearest = min(gaps, key=lambda n: gaps[n])
            shown["rows"][str(nearest + 1)] = self.edition.row_boxes[nearest]
        return shown


class PrizeGameAtOnce(Play):
    @property
    def prize_game_due(self) -> bool:
        s = self.s
        return s.prize_box == BOX_SIZE and not s.prize_game_played and not s.panel

    def spin(self, reveal: Json) -> None:
        self.require(not self.prize_game_due, "the Prize Game is to be played")
        super().spin(reveal)


class PrizeGameAgain(Play):
    def end_prize_game(self, doubles: int) -> None:
        super().end_prize_game(doubles)
        if doubles:
            self.s.prize_game_played = False


class AwardsNotSaved(Play):
    def load(self, saved: str) -> None:
        super().load(saved)
        self.s.won = []


class SpinsRewound(Play):
    def load(self, saved: str) -> None:
        super().load(saved)
        self.s.spins_left = min(START_SPINS, self.s.spins_left + 1)


class ReelStopsShort(Play):
    reel = 11


class PaysWholeTens(Play):
    def total(self) -> int:
        return super().total() // 1000 * 1000


class SmallPot(Play):
    def add_to_pot(self, collected: list[int]) -> None:
        super().add_to_pot(collected)
        self.s.prize_pot = (self.s.prize_pot + 2**15) % 2**16 - 2**15


class MixedLevels(Play):
    def row_amount(self, number: int) -> int:
        return AMOUNTS[3][3] if (number, self.s.level) == (4, 2) else super().row_amount(number)


class PrizeShownEarly(Play):
    def shows(self) -> Json:
        shown = super().shows()
        if self.s.prize_box == BOX_SIZE:
            shown["prize_game_prize"] = self.outcome.get("parts", {}).get("Prize Game", 0)
        return shown


@dataclass(frozen=True)
class Fault:
    """One fault: its class, what goes wrong, and the Play that has it."""

    kind: str
    says: str
    play: type[Play]


FAULTS = {
    "awards-kept": Fault("carry-over", "the next Bonus Game grants awards again", AwardsKept),
    "level-kept": Fault("carry-over", "the next Play begins at the level of this", LevelKept),
    "surplus-lost": Fault("overflow", "bonus symbols over six are lost", SurplusLost),
    "row-spills": Fault("overflow", "symbols over a full row fill the next", RowSpills),
    "row-wins-early": Fault("off-by-one", "a row wins with one box empty", RowWinsEarly),
    "no-extra-spins": Fault("award-missing", "extra spins won are not added", NoExtraSpins),
    "spins-twice": Fault("award-twice", "added when won, and at the end again", SpinsAtOnceToo),
    "doubles-each": Fault("multiplier", "each of two WIN X2 doubles", DoublesEach),
    "doubles-last": Fault("multiplier", "WIN X2 doubles the last spin alone", DoublesLastOnly),
    "no-cap": Fault("cap", "the Prize Game Box goes beyond six", NoCapOnPrizeBox),
    "goes-on": Fault("endless", "WIN X2 does not end the Prize Game", DoubleDoesNotEnd),
    "super-lifts-one": Fault("upgrade", "Super lifts one level, not two", SuperLiftsOne),
    "boosted-twice": Fault("upgrade", "twice, where the first row is full", FullRowNotBoosted),
    "panel-reversed": Fault("display", "numbers beside the wrong prizes", PanelReversed),
    "near-miss-full": Fault("accidental-win", "a losing Play shows a full row", NearMissIsFull),
    "prize-game-at-once": Fault("sub-game", "it interrupts the Main Game", PrizeGameAtOnce),
    "prize-game-again": Fault("sub-game", "WIN X2 leads to another one", PrizeGameAgain),
    "awards-not-saved": Fault("resume", "awards to come are forgotten", AwardsNotSaved),
    "spins-rewound": Fault("resume", "the last spin is given back", SpinsRewound),
    "reel-stops-short": Fault("unreachable", "12 never comes up", ReelStopsShort),
    "whole-tens": Fault("rounding", "the total is cut to whole tens of pounds", PaysWholeTens),
    "small-pot": Fault("overflow-int", "the pot is a signed number of 16 bits", SmallPot),
    "mixed-levels": Fault("table", "£50 where £30 belongs", MixedLevels),
    "prize-early": Fault("leak", "the Prize Game's prize shows beforehand", PrizeShownEarly),
}


class Build:
    """The Plays of one build, and its answers to requests."""

    def __init__(self, fault: str | None = None, folder: Path | None = None) -> None:
        """Begin with the Plays kept in a folder, if any, and a fault of FAULTS or none."""
        faulty = FAULTS[fault].play if fault else Play
        self._play: type[Play] = type("Played", (faulty,), {})  # what it keeps, it alone does
        self._folder = folder
        self._plays: dict[str, Play] = {}

    def answer(self, request: Json) -> Json:
        """Return the event that a request leads to, or {"error": why}."""
        try:
            number = request.get("play")
            if not isinstance(number, str):
                raise Refused("play: a Play Number was expected")
            do = request.get("do")
            if do == "start":
                return self._start(number, request)
            if number not in self._plays and not self._recall(number):
                raise Refused(f"no Play {number} was started")
            if do == "step":
                return self._step(number, request)
            if do == "resume":
                return self._resume(number, request)
            raise Refused(f"do: start, step or resume was expected, not {do!r}")
        except Refused as error:
            return {"error": str(error)}

    def _start(self, number: str, request: Json) -> Json:
        """Start a Play. Whoever drives the build sees to it that no two share a number."""
        if request.get("game") != "colour-collector":
            raise Refused(f"game: this is colour-collector, not {request.get('game')!r}")
        for reading, choice in part(request, "readings").items():
            if READINGS.get(reading) != choice:
                raise Refused(f"reading {reading} = {choice}: this build does not take it so")
        outcome = part(request, "outcome")
        play = self._plays[number] = self._play(Edition.read(part(request, "edition")), outcome)
        self._keep(number, play)
        return {
            "play": number,
            "step": 0,
            "event": "start",
            "format": "playproof-log",
            "version": 1,
            "game": "colour-collector",
            "readings": READINGS,
            "outcome": outcome,
            "shows": play.shows(),
        }

    def _step(self, number: str, request: Json) -> Json:
        play = self._plays[number]
        step = whole(request.get("step"), play.step + 1, play.step + 1, "step")
        event = request.get("event")
        reveal, choice = part(request, "reveal"), part(request, "choice")
        play.take(event, reveal, choice)
        play.step = step
        self._keep(number, play)
        answer = {"play": number, "step": step, "event": event, "reveal": reveal}
        if choice:
            answer["choice"] = choice
        if event == "finish":
            answer |= {"paid": play.s.paid, "won": play.won()}
        return answer | {"shows": play.shows()}

    def _resume(self, number: str, request: Json) -> Json:
        play = self._plays[number]
        step = whole(request.get("step"), play.step, play.step, "step")
        play.load(play.save())  # as if it had been put away until now
        return {"play": number, "step": step, "event": "resume", "shows": play.shows()}

    def _keep(self, number: str, play: Play) -> None:
        if self._folder:
            record = [vars(play.edition), play.outcome, play.step, play.save()]
            self._file(number).write_text(json.dumps(record), encoding="utf-8")

    def _recall(self, number: str) -> bool:
        """Take up a Play that an earlier process kept; false if there is none."""
        if not self._folder or not self._file(number).is_file():
            return False
        record = json.loads(self._file(number).read_text(encoding="utf-8"))
        edition, outcome, step, saved = record
        values = {k: tuple(v) if isinstance(v, list) else v for k, v in edition.items()}
        play = self._plays[number] = self._play(Edition(**values), outcome)
        play.load(saved)
        play.step = step
        return True

    def _file(self, number: str) -> Path:
        assert self._folder
        return self._folder / f"{quote(number, safe='')}.json"


def answer_text(build: Build, text: str | bytes) -> str:
    """Return the answer to a request as it comes over a line."""
    try:
        request = json.loads(text)
    except ValueError as error:
        return json.dumps({"error": f"not JSON: {error}"})
    if not isinstance(request, dict):
        return json.dumps({"error": "an object was expected"})
    return json.dumps(build.answer(request))


def serve_lines(build: Build) -> None:
    """Answer a request a line until the input ends."""
    for line in sys.stdin:
        if line.strip():
            sys.stdout.write(answer_text(build, line) + "\n")
            sys.stdout.flush()


def serve_http(build: Build, port: int) -> None:
    """Answer requests by POST, and say first at which address."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers.get("Content-Length", 0))
            body = answer_text(build, self.rfile.read(length)).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", port), Handler) as server:
        sys.stdout.write(f"http://127.0.0.1:{server.server_port}/\n")
        sys.stdout.flush()
        server.serve_forever()


def main() -> None:
    """Serve the build as the command line says."""
    parser = argparse.ArgumentParser(description="A sample build of Colour Collector.")
    parser.add_argument("--http", type=int, metavar="PORT", help="serve by POST, not on stdin")
    parser.add_argument("--fault", choices=sorted(FAULTS), help="build one fault in")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keep Plays there")
    arguments = parser.parse_args()
    build = Build(arguments.fault, arguments.keep)
    if arguments.http is None:
        serve_lines(build)
    else:
        serve_http(build, arguments.http)


answer = Build().answer  # a build to call as it is: request in, event out

if __name__ == "__main__":
    main()
