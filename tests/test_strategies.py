"""Hypothesis strategies give legal Plays that shrink, and a machine that drives a build."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis.stateful import run_state_machine_as_test
from hypothesis.vendor.pretty import pretty

from playproof.models.editions import load_edition
from playproof.models.games import load_game
from playproof.models.play import replay
from playproof.oracles.playing import BuildFails
from playproof.oracles.script import check
from playproof.oracles.strategies import _ground, _traces, build_machine, plays, scripts

from .builds.colour_collector import Build

QUICK = settings(
    max_examples=12,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.generate, Phase.shrink),
)
COLLECTOR = load_edition(load_game("colour-collector"))


@QUICK
@given(plays("colour-collector"))
def test_plays_are_legal_end_and_keep_every_promise(play):
    *_, point = replay(COLLECTOR.game, play)
    assert COLLECTOR.game.goal.ended(play.setting, point.s)
    for promise in COLLECTOR.game.promises:
        assert promise.kept(play.setting, point.s, point.t)


@QUICK
@given(scripts("diamond-riches", readings={"valuation": "at-fill"}))
def test_scripts_hold_under_the_readings_asked_for(script):
    check(script, load_edition(load_game("diamond-riches")))
    assert script.readings["valuation"] == "at-fill"


def test_a_play_shrinks_to_what_is_asked_of_it():
    play = find(
        plays("colour-collector"),
        lambda play: any(step.rule == "open-bonus-game" for step in play.steps),
        settings=settings(QUICK, max_examples=400),
    )
    symbols = [sum(s.reveal.symbols) for s in play.steps if s.rule == "spin"]
    assert [step.rule for step in play.steps].count("open-bonus-game") == 1
    assert sum(symbols) == 0
    assert len(play.steps) == 9  # six spins, the game opened, one wrong answer, the end


@pytest.mark.slow
def test_the_machine_finds_nothing_in_an_honest_build():
    machine = build_machine("colour-collector", Build().answer)
    run_state_machine_as_test(machine, settings=settings(QUICK, stateful_step_count=12))


@pytest.mark.parametrize(
    ("fault", "said"),
    [("spins-rewound", "spins_left is shown as 6"), ("no-cap", "prize_box is ")],
)
def test_the_machine_finds_a_fault_and_says_what_is_wrong(fault, said):
    machine = build_machine("colour-collector", Build(fault).answer)
    quick = settings(QUICK, max_examples=100, stateful_step_count=20, phases=[Phase.generate])
    with pytest.raises(BuildFails, match=said):
        run_state_machine_as_test(machine, settings=quick)


def test_the_machine_ends_with_the_first_finding():
    """Making it the shortest there is takes minutes: who wants that says so."""
    chosen = build_machine("colour-collector", Build().answer).TestCase.settings
    assert Phase.shrink not in chosen.phases
    assert Phase.explain not in chosen.phases
    assert not chosen.report_multiple_bugs


def test_a_play_is_shown_by_what_happens_in_it():
    drawn = _traces(_ground("colour-collector", None, None))
    play = find(drawn, lambda play: True, settings=QUICK)
    assert pretty(play) == repr(play)
    assert pretty(play).startswith("<spin")
    assert len(pretty(play)) < 200
