"""The sample build of Colour Collector and the model are two answers to the same documents.

The build knows nothing of Playproof. They agree on scripts and on Plays at random, on what may
not come as on what is shown; and each fault that can be built in makes a difference.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tomllib
import urllib.request
from dataclasses import dataclass
from pathlib import Path

import pytest

from playproof.models.editions import default_readings, load_edition
from playproof.models.games import load_game
from playproof.models.play import applicable
from playproof.models.setting import settle
from playproof.oracles.script import encode, make
from playproof.oracles.synthesis import Synthesis
from playproof.oracles.targets import parse_target

from .builds.colour_collector import ACTIVATE, FAULTS, FEW, MANY, PRIZE_SYMBOLS, SPINS, Build

BUILD = Path(__file__).parent / "builds" / "colour_collector.py"
DEFAULT = load_edition(load_game("colour-collector"))
EDITION = tomllib.loads(DEFAULT.path.read_text(encoding="utf-8"))
READINGS = default_readings(DEFAULT.game.setting)
# Lone rows, sums, boosters of each level, amounts beyond 16 bits, the top prize.
ROWS = (1, 9, 14, 24, 28, 36, 56, 79, 86, 87, 93, 99)


# What a Play is, and how a build is driven through it


@dataclass(frozen=True)
class Step:
    """A step, and all that the model shows after it."""

    event: str
    reveal: dict
    choice: dict
    shows: dict


@dataclass(frozen=True)
class Played:
    """A Play that the model takes to its end."""

    outcome: dict
    start: dict
    steps: tuple[Step, ...]
    refused: int = 0  # steps out of turn or amiss that were tried on the way


def start(answer, number, outcome, edition=EDITION, **more):
    request = {"do": "start", "play": number, "game": "colour-collector"}
    return answer(
        request | {"edition": edition, "readings": READINGS, "outcome": outcome} | more
    )


def step(answer, number, at, event, reveal, choice):
    request = {"do": "step", "play": number, "step": at, "event": event}
    return answer(request | {"reveal": reveal, "choice": choice})


def difference(event, shows):
    """Say where a build shows other than the model, or nothing."""
    if "error" in event:
        return event["error"]
    for field, shown in event["shows"].items():
        if shown != shows[field]:
            return f"{field}: {shown}, not {shows[field]}"
    return None


def first_difference(answer, played, number, *, interrupted=False):
    """Drive a build through a Play; say where it first differs from the model, or nothing.

    Where it is interrupted, the Play is resumed after every step.
    """
    found = difference(start(answer, number, played.outcome), played.start)
    for at, taken in enumerate(played.steps, start=1):
        if found:
            return f"step {at - 1}: {found}"
        event = step(answer, number, at, taken.event, taken.reveal, taken.choice)
        found = difference(event, taken.shows)
        if interrupted and not found:
            resumed = answer({"do": "resume", "play": number, "step": at})
            found = difference(resumed, taken.shows)
    if not found and event["paid"] != played.outcome["amount"]:
        found = f"paid {event['paid']}"
    if not found and event["won"] != played.outcome["parts"]:
        found = f"won {event['won']}"
    return found


# Plays at random


class Model:
    """The rules as Playproof has them, on what a reveal is in files."""

    def __init__(self, edition=DEFAULT):
        self.game = edition.game
        self.p, _, _ = settle(edition.game.setting, edition.parameters, READINGS)
        self.point = self.game.start(self.p)

    def shows(self):
        shown = {}
        for name, value in self.game.state_shape().scalars(self.point.s).items():
            field, _, label = name.partition(".")
            if label:
                shown.setdefault(field, {})[label] = value
            else:
                shown[field] = value
        return shown

    def take(self, event, given):
        """Take a step and say whether it is legal."""
        rule = self.game.rule(event)
        flat = {
            (f"{field}.{label}" if label else field): number
            for field, value in given.items()
            for label, number in (value.items() if isinstance(value, dict) else [("", value)])
        }
        reveal = self.game.reveal_shape(rule).of(flat)
        legal = rule in applicable(self.game, self.p, self.point, reveal)
        if legal:
            self.point = self.game.after(self.p, self.point, rule, reveal)
        return legal


EVENTS = (
    *("spin", "open-bonus-game", "right-answer", "wrong-answer"),
    *("prize-spin", "win", "finish"),
)
FOUND = [(0, 0), (0, 0), (0, 2), (1, 0), (3, 0), (0, 1), (8, 4), (13, 0), (2, 7)]  # for boxes
POOR = [(0, 0), (0, 0), (0, 0), (0, 0), (1, 0), (0, 1)]


def spread(rng, labels, number):
    """Return a number of symbols spread over labels at random."""
    counts = dict.fromkeys(map(str, labels), 0)
    few = rng.sample(sorted(counts), rng.randint(1, min(4, len(counts))))
    for _ in range(number):
        counts[rng.choice(few)] += 1
    return counts


def propose(rng, event, shows, grid, tags, *, poor):
    """Return a reveal that is legal as far as its own numbers go, or nearly, and a choice."""
    if event == "spin":
        bonus, prize = rng.choice(POOR if poor else FOUND)
        most = 2 if poor else max(0, grid - bonus - prize)
        symbols = spread(
            rng, range(1, 8), rng.choice([0, 1, most // 2, most // 2, most, most + 1])
        )
        return {"symbols": symbols, "bonus_symbols": bonus, "prize_symbols": prize}, {}
    if event == "open-bonus-game":
        most = {SPINS: (1, 3), FEW: (4, 6), MANY: (8, 12), PRIZE_SYMBOLS: (1, 3)}
        kinds = {str(box): rng.randint(SPINS, ACTIVATE) for box in range(1, 8)}
        numbers = {box: rng.randint(*most.get(kind, (1, 1))) for box, kind in kinds.items()}
        return {"kinds": kinds, "numbers": numbers}, {}
    if event in ("right-answer", "wrong-answer"):
        box, right = str(rng.randint(1, 7)), event == "right-answer"
        award = right and shows["shown_kinds"][box] in (FEW, MANY)
        odd, even = rng.randrange(1, 12, 2), rng.randrange(2, 13, 2)
        return {
            "number_if_odd": odd if right else even,
            "number_if_even": even if right else odd,
            "box": int(box),
            "symbols": spread(rng, range(1, 8), shows["shown_numbers"][box] if award else 0),
        }, {"picked_odd": rng.random() < 0.5}
    if event in ("prize-spin", "win"):
        wins, doubles = (
            (0, 0) if event == "prize-spin" else rng.choice([(1, 0), (0, 1), (1, 2)])
        )
        most = grid - max(1, wins + doubles)
        amounts = spread(rng, range(1, tags + 1), rng.choice([0, 1, most // 2, most, most + 1]))
        return {"amounts": amounts, "wins": wins, "double_wins": doubles}, {}
    return {}, {}


def perturb(rng, reveal):
    """Return a reveal with one of its numbers changed: it may be legal still, or not."""
    changed = json.loads(json.dumps(reveal))
    if changed:
        field = rng.choice(sorted(changed))
        holder, key = changed, field
        if isinstance(changed[field], dict):
            holder, key = changed[field], rng.choice(sorted(changed[field]))
        holder[key] += rng.choice([-1, 1, 1, -3, 6, 25])
    return changed


def play_at_random(seed, edition=DEFAULT, given=EDITION):
    """Play to the end, build and model side by side, and return the Play.

    Some steps are out of turn and some reveals are amiss: both must refuse the same ones.
    """
    rng, model, answer = random.Random(seed), Model(edition), Build().answer
    grid, tags = edition.parameters["grid"], len(edition.parameters["prize_amounts"])
    begin = shows = model.shows()
    steps, refused, poor = [], 0, rng.random() < 0.3
    assert difference(start(answer, "P", {}, given), begin) is None
    while shows["phase"] != 3:
        event = rng.choice(EVENTS)
        reveal, choice = propose(rng, event, shows, grid, tags, poor=poor)
        if rng.random() < 0.3:
            reveal = perturb(rng, reveal)
        legal = model.take(event, reveal | choice)
        event_given = step(answer, "P", len(steps) + 1, event, reveal, choice)
        place = f"seed {seed}, step {len(steps) + 1}: {event} {reveal} after {shows}"
        assert legal == ("error" not in event_given), f"{place}: {event_given}"
        if not legal:
            refused += 1
            assert refused < 500, f"{place}: nothing comes after it"
            continue
        shows = model.shows()
        steps.append(Step(event, reveal, choice, shows))
        found = difference(event_given, shows)
        assert found is None, f"{place}: {found}"
    outcome = {"amount": shows["paid"], "parts": event_given["won"]}
    assert sum(outcome["parts"].values()) == outcome["amount"]
    return Played(outcome, begin, tuple(steps), refused)


# The Plays of these tests


def scripts():
    """Scripts as files hold them, with a parity picked for each round."""
    synthesis = Synthesis(DEFAULT)
    for row in ROWS:
        target = parse_target(f"row {row}", DEFAULT)
        (play,) = synthesis.find(target).plays
        script = json.loads(encode(make(DEFAULT, target, play)))
        assert script["readings"] == READINGS
        steps = tuple(
            Step(
                taken["rule"],
                taken["reveal"],
                {"picked_odd": at % 2 == 0} if taken["rule"].endswith("-answer") else {},
                taken["shows"],
            )
            for at, taken in enumerate(script["steps"])
        )
        yield f"row {row}", Played(script["prize"], script["start"], steps)


@pytest.fixture(scope="module")
def random_plays():
    """Plays at random, all by the default edition."""
    return [play_at_random(seed) for seed in range(40)]


@pytest.mark.slow
def test_the_build_plays_every_script_as_playproof_says():
    build = Build()
    found = {row: first_difference(build.answer, played, row) for row, played in scripts()}
    assert found == {f"row {row}": None for row in ROWS}


def test_the_build_goes_on_after_every_interruption(random_plays):
    build = Build()
    found = {first_difference(build.answer, one, "P", interrupted=True) for one in random_plays}
    assert found == {None}


def test_build_and_model_allow_and_show_the_same_at_random(random_plays):
    taken = {one.event for played in random_plays for one in played.steps}
    assert taken == set(EVENTS)
    assert sum(played.refused for played in random_plays) > 10 * len(random_plays)
    assert {played.outcome["amount"] == 0 for played in random_plays} == {True, False}


def test_build_and_model_leave_a_win_on_the_grid_of_the_prize_game():
    model, answer = Model(), Build().answer
    assert start(answer, "P", {})["step"] == 0
    nothing = {"symbols": dict.fromkeys("1234567", 0), "bonus_symbols": 0}
    for at in range(1, 7):
        reveal = nothing | {"prize_symbols": 1}
        assert model.take("spin", reveal)
        assert step(answer, "P", at, "spin", reveal, {})["step"] == at
    amounts = dict.fromkeys(map(str, range(1, 22)), 0) | {"1": DEFAULT.parameters["grid"]}
    reveal = {"amounts": amounts, "wins": 0, "double_wins": 0}
    assert "error" in step(answer, "P", 7, "prize-spin", reveal, {})
    assert not model.take("prize-spin", reveal)


def test_build_and_model_agree_under_another_edition(tmp_path):
    given = json.loads(json.dumps(EDITION))
    del given["prizes"]
    small = {"row_boxes": [1, 2, 3, 1, 2, 3, 25], "grid": 13, "prize_amounts": [1, 250, 99_999]}
    for name, value in small.items():
        given["parameters"][name]["value"] = value
    path = tmp_path / "small.toml"
    lines = ['game = "colour-collector"', 'name = "small"']
    for name, entry in given["parameters"].items():
        lines += [f"[parameters.{name}]", f"value = {entry['value']}", 'source = "a test"']
    path.write_text("\n".join(lines), encoding="utf-8")
    edition = load_edition(load_game("colour-collector"), path)
    assert all(play_at_random(seed, edition, given).steps for seed in range(15))


@pytest.mark.parametrize("fault", sorted(FAULTS))
def test_every_fault_shows_in_some_play(fault, random_plays):
    answer = Build(fault).answer
    assert any(first_difference(answer, one, "P", interrupted=True) for one in random_plays)


def test_there_is_a_fault_of_each_class_that_a_build_can_have():
    assert {fault.kind for fault in FAULTS.values()} == {
        *("carry-over", "overflow", "off-by-one", "award-missing", "award-twice", "multiplier"),
        *("cap", "endless", "upgrade", "display", "accidental-win", "sub-game", "resume"),
        *("unreachable", "rounding", "overflow-int", "table", "leak"),
    }


# What the build refuses, and how it is reached


@pytest.mark.parametrize(
    ("request_", "why"),
    [
        ({"do": "step", "play": "none", "step": 1}, "no Play none was started"),
        ({"do": "start", "play": 7}, "a Play Number was expected"),
        ({"do": "start", "play": "P", "game": "lucky-dip"}, "this is colour-collector"),
        ({"do": "stop", "play": "P-1"}, "start, step or resume was expected, not 'stop'"),
        ({"do": "resume", "play": "P-1", "step": 3}, "step: 3 is not 0 to 0"),
        ({"do": "step", "play": "P-1", "step": 2, "event": "finish"}, "step: 2 is not 1 to 1"),
        ({"do": "step", "play": "P-1", "step": 1, "event": "jump"}, "'jump' is no step"),
        ({"do": "step", "play": "P-1", "step": 1, "event": "finish"}, "Main Game is not over"),
        ({"do": "step", "play": "P-1", "step": 1, "event": "spin", "reveal": 3}, "an object"),
        ({"do": "step", "play": "P-1", "step": 1, "event": "spin"}, "the reveal of spin"),
    ],
)
def test_a_request_that_makes_no_sense_is_refused_with_the_reason(request_, why):
    build = Build()
    assert start(build.answer, "P-1", {})["event"] == "start"
    assert why in build.answer(request_)["error"]


def test_a_reading_that_the_build_does_not_take_is_refused():
    event = start(Build().answer, "P", {}, readings=READINGS | {"valuation": "at-fill"})
    assert event == {"error": "reading valuation = at-fill: this build does not take it so"}


def test_what_an_edition_may_not_say_is_refused():
    def refused(name, value):
        given = {"parameters": {name: {"value": value}}}
        return start(Build().answer, "P", {}, given)["error"]

    assert refused("squares", 25) == "edition: 'squares' is no parameter of this game"
    assert refused("grid", "25") == "grid: a whole number was expected, not '25'"
    assert refused("row_boxes", [6]) == "row_boxes: 7 numbers were expected"


def test_the_build_is_driven_over_lines(random_plays):
    with subprocess.Popen(
        [sys.executable, str(BUILD)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:

        def answer(request):
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
            return json.loads(process.stdout.readline())

        for number, one in enumerate(random_plays[:5]):
            assert first_difference(answer, one, f"P-{number}", interrupted=True) is None
        process.stdin.write("nonsense\n")
        process.stdin.flush()
        assert "not JSON" in json.loads(process.stdout.readline())["error"]
        process.stdin.close()
        assert process.wait(10) == 0


def test_the_build_is_driven_over_http_with_a_fault(random_plays):
    with subprocess.Popen(
        [sys.executable, str(BUILD), "--http", "0", "--fault", "whole-tens"],
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        address = process.stdout.readline().strip()

        def answer(request):
            body = json.dumps(request).encode()
            with urllib.request.urlopen(address, body, timeout=10) as reply:
                return json.load(reply)

        try:
            # A rest of tens of pounds is cut off, and nothing else is amiss.
            for one in random_plays[:8]:
                total, found = one.outcome["amount"], first_difference(answer, one, "P")
                cut = total // 1000 * 1000
                assert found == (None if cut == total else f"paid: {cut}, not {total}")
        finally:
            process.terminate()
