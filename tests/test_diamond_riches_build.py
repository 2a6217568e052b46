"""A build of Diamond Riches, written from the Procedures alone, agrees with the model."""

from __future__ import annotations

import json
import re
import subprocess
import urllib.request
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from playproof.oracles.script import encode, make
from playproof.oracles.synthesis import Synthesis
from playproof.oracles.targets import parse_target

from .diamond_riches_build import (
    BUILD,
    EDITION,
    Asked,
    Build,
    difference,
    random_edition,
    random_play,
    running,
    scripted,
)
from .node import NODE, NONE

pytestmark = pytest.mark.skipif(NODE is None, reason=NONE)
PRIZES = ("£2,000 (purple)", "£6 (red)", "£100 (Prize Game)")
CLASSES = {
    "carry-over", "overflow", "off-by-one", "award-missing", "award-twice", "multiplier", "cap",
    "endless", "upgrade", "display", "accidental-win", "sub-game", "resume", "unreachable",
    "rounding", "overflow-int", "leak",
}  # fmt: skip
"""What goes wrong in games like this one; tables apart, as this game's is missing."""


@pytest.fixture(scope="module")
def honest() -> Iterator[Build]:
    with running() as build:
        yield build


@pytest.fixture(scope="module")
def plays() -> list[list[Asked]]:
    return [random_play(seed) for seed in range(28)]


def faults() -> list[dict[str, str]]:
    listed = subprocess.run(
        [str(NODE), str(BUILD), "--faults"], capture_output=True, text=True, check=True
    )
    table: list[dict[str, str]] = json.loads(listed.stdout)
    return table


@pytest.fixture(scope="module")
def riches() -> Synthesis:
    return Synthesis(EDITION)


@pytest.mark.parametrize("prize", PRIZES)
def test_a_script_is_what_the_build_shows_step_by_step(
    honest: Build, riches: Synthesis, prize: str
) -> None:
    target = parse_target(prize, EDITION)
    (play,) = riches.find(target).plays
    asked = scripted(prize, json.loads(encode(make(EDITION, target, play))))
    assert len(asked) > 8
    assert difference(honest, asked) is None


def test_plays_that_the_model_allows_are_what_the_build_shows(
    honest: Build, plays: list[list[Asked]]
) -> None:
    asked = [one for play in plays for one in play]
    assert sum(one.shows is None for one in asked) > 500, "steps that both have to refuse"
    assert [difference(honest, play) for play in plays] == [None] * len(plays)


@settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 2**32))
def test_they_agree_whatever_the_values_of_the_edition(honest: Build, seed: int) -> None:
    assert difference(honest, random_play(seed, random_edition(Random(seed)))) is None


def test_random_plays_have_every_event(plays: list[list[Asked]]) -> None:
    events = {one.request.get("event") for play in plays for one in play if one.shows}
    assert {event for event in events if event} == {
        "spin", "open-bonus-game", "pick", "extra-diamonds", "multi-fill", "mystery-fill",
        "double-spins", "upgrade-multiplier", "upgrade-prizes", "max-prizes",
        "prize-game-icons", "activate-prize-game", "leave-bonus-game", "open-prize-game",
        "prize-spin", "finish",
    }  # fmt: skip


@pytest.mark.slow
def test_every_fault_is_noticed(plays: list[list[Asked]]) -> None:
    unnoticed = []
    for fault in faults():
        with running("--fault", fault["id"]) as build:
            if not any(difference(build, play) for play in plays):
                unnoticed.append(fault["id"])
    assert unnoticed == []


def test_there_are_faults_of_every_class() -> None:
    assert {fault["class"] for fault in faults()} == CLASSES


def step(number: int, event: str, **more: Any) -> dict[str, Any]:
    return {"do": "step", "play": "P", "step": number, "event": event} | more


SPUN = {"segment": 0, "multiplier": 5, "bonus_segment": 1}
CLOSED = {"icons": {f"active-{n}": 0 for n in range(1, 5)}}
OPEN = (
    step(1, "spin", reveal=SPUN),
    step(2, "open-bonus-game", reveal=CLOSED),
    step(3, "pick", reveal={"icon": 3}, choice={"tile": 7}),
)


@pytest.mark.parametrize(
    ("request_", "error"),
    [
        (step(4, "pick", reveal={"icon": 3}, choice={"tile": 7}), "tile 7 is open already"),
        (step(4, "pick", reveal={"icon": 3}), "tile should be a whole number from 1 to 20"),
        (
            step(4, "pick", reveal={"icon": True}, choice={"tile": 8}),
            "icon should be .* not true",
        ),
        (step(4, "spin", reveal=SPUN), "spin may not come here: pick is due"),
        (step(4, "spun", reveal=SPUN), "there is no event 'spun'"),
        (step(3, "pick", reveal={"icon": 3}, choice={"tile": 8}), "step should be 4, not 3"),
        (step(4, "pick", reveal={"ikon": 3}, choice={"tile": 8}), "reveal.ikon is unknown"),
        (step(4, "pick", play="Q"), 'Play "Q" was not started here'),
        ({"do": "resume", "play": "P", "step": 2}, "step should be 3, not 2"),
        ({"do": "start", "play": "R", "game": "dip"}, "a build of diamond-riches"),
        ({"do": "start", "play": "R"}, "'edition.parameters' should hold"),
        ({"do": "start", "play": "R", "readings": {"valuation": "at-fill"}}, "at-fill: at-end"),
        (
            {"do": "start", "play": "R", "readings": {"value": "now"}},
            "readings.value is unknown",
        ),
        ({"do": "stop", "play": "P"}, "'do' should be start, step or resume"),
    ],
)
def test_what_may_not_come_is_refused_with_a_reason(
    honest: Build, plays: list[list[Asked]], request_: dict[str, Any], error: str
) -> None:
    honest.answer(dict(plays[0][0].request) | {"play": "P"})
    for earlier in OPEN:
        assert "shows" in honest.answer(earlier)
    assert re.search(error, honest.answer(request_)["error"])

    after = honest.answer(step(4, "pick", reveal={"icon": 3}, choice={"tile": 8}))
    assert after["shows"]["picks_left"] == 3, "a refused step leaves the Play as it was"


def test_the_last_answer_says_what_was_won(honest: Build, plays: list[list[Asked]]) -> None:
    for play in plays[:10]:
        *_, last = [honest.answer(one.request) for one in play if one.shows]
        assert last["event"] == "finish"
        assert last["paid"] == last["shows"]["paid"] == sum(last["won"].values())


def test_it_answers_over_http_as_well(plays: list[list[Asked]]) -> None:
    with subprocess.Popen(
        [str(NODE), str(BUILD), "--http", "0"], stderr=subprocess.PIPE, text=True
    ) as server:
        try:
            assert server.stderr
            address = server.stderr.readline().split()[-1]
            with running() as build:
                for one in plays[0]:
                    asked = urllib.request.Request(address, json.dumps(one.request).encode())
                    with urllib.request.urlopen(asked, timeout=10) as answer:
                        assert json.load(answer) == build.answer(one.request)
        finally:
            server.terminate()


def test_a_fault_that_there_is_not_is_refused() -> None:
    run = subprocess.run(
        [str(NODE), str(BUILD), "--fault", "none"], capture_output=True, text=True, check=False
    )
    assert run.returncode == 2
    assert run.stderr.startswith("diamond-riches: there is no fault 'none': there are meter-")
