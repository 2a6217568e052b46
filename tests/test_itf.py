"""Traces are what the Informal Trace Format says they are, and say what the Play did."""

import json
import re
from fractions import Fraction

import pytest
from typer.testing import CliRunner

from playproof.models.play import IllegalStep, Play, replay
from playproof.models.system import Step
from playproof.proofs import itf
from playproof.proofs.prover import prove
from playproof.reports.cli import app

from .lucky_dip import LUCKY_DIP, Draw
from .small_systems import WAYS


def faults_of(trace):
    """Yield what is wrong with a trace, by the rules of the format."""
    for key in trace.keys() - {"#meta", "params", "vars", "states", "loop"}:
        yield f"the format has no {key}"
    names = trace["vars"]
    if not all(isinstance(name, str) and not name.startswith("#") for name in names):
        yield "vars are no plain names"
    for index, state in enumerate(trace["states"]):
        expected = {"#meta", *names, *(trace.get("params", []) if index == 0 else [])}
        if state.keys() != expected:
            yield f"state {index} sets {state.keys() ^ expected} or does not"
        if state["#meta"].get("index") != index:
            yield f"state {index} says it is {state['#meta'].get('index')}"
        for name in state.keys() - {"#meta"}:
            yield from (f"state {index}, {name}: {what}" for what in _wrong(state[name]))
    if "loop" in trace and trace["loop"] not in range(len(trace["states"])):
        yield "the loop goes back to no state"


def _wrong(value):
    if isinstance(value, bool | str):
        return
    if isinstance(value, list):
        for part in value:
            yield from _wrong(part)
    elif isinstance(value, dict) and list(value) == ["#bigint"]:
        if not re.fullmatch(r"-?[0-9]+", value["#bigint"]):
            yield "no whole number"
    elif isinstance(value, dict) and list(value) == ["#map"]:
        for pair in value["#map"]:
            if len(pair) != 2:
                yield "no pair"
            for part in pair:
                yield from _wrong(part)
    else:
        yield f"no expression: {value!r}"


@pytest.fixture(scope="module")
def refuted():
    """A Play that fills the jar, though a claim says that none does."""
    verdict = prove(LUCKY_DIP, "never-full")
    play, after = verdict.plays[0]
    return play, after, itf.trace(LUCKY_DIP, play, LUCKY_DIP.property("never-full"), after)


def test_a_play_is_a_trace_by_the_rules_of_the_format(refuted):
    _, _, trace = refuted

    assert list(faults_of(json.loads(json.dumps(trace)))) == []


def test_it_names_the_rules_the_property_and_its_clauses(refuted):
    play, after, trace = refuted
    meta = trace["#meta"]

    assert meta["game"] == "lucky-dip"
    assert meta["property"] == "never-full"
    assert meta["clauses"] == ["LD-2"]
    assert meta["broken-after-step"] == after
    assert meta["rules"] == [step.rule for step in play.steps]
    assert [state["rule"] for state in trace["states"]] == ["start", *meta["rules"]]
    assert [state["#meta"]["rule"] for state in trace["states"]] == ["start", *meta["rules"]]


def test_it_holds_every_state_of_the_play(refuted):
    play, _, trace = refuted

    for state, point in zip(trace["states"], replay(LUCKY_DIP, play), strict=True):
        assert state["s.jar"] == {"#bigint": str(point.s.jar)}
        assert state["s.over"] is point.s.over
        assert state["t.draws"] == {"#bigint": str(point.t.draws)}


def test_it_holds_what_was_revealed_and_what_is_rigid(refuted):
    play, _, trace = refuted
    first, second = trace["states"][:2]

    assert trace["params"] == ["p.jar", "p.amount", "p.coin-surplus"]
    assert first["p.jar"] == {"#bigint": str(play.setting.jar)}
    assert first["p.coin-surplus"] == play.setting.coin_surplus.name
    assert first["reveal"] == {"#map": []}
    assert ["coins", {"#bigint": str(play.steps[0].reveal.coins)}] in second["reveal"]["#map"]


def test_a_play_that_repeats_says_where_it_goes_back_to():
    setting = prove(WAYS, "two-ways-to-fail").plays[0][0].setting
    turn = WAYS.rule("rotate").reveal
    rotating = Play(setting, (Step("rotate", turn(0)),) * 3)

    trace = itf.trace(WAYS, rotating, loop=0)

    assert list(faults_of(trace)) == []
    assert trace["loop"] == 0
    assert "property" not in trace["#meta"]
    here, back = trace["states"][0], trace["states"][-1]
    assert {n: v for n, v in here.items() if n.startswith("s.")} == {
        n: v for n, v in back.items() if n.startswith("s.")
    }


def test_a_play_that_the_rules_do_not_allow_is_no_trace(refuted):
    play, _, _ = refuted
    wrong = Play(play.setting, (Step("draw", Draw(coins=9, stars=0)),))

    with pytest.raises(IllegalStep, match="step 1: draw may not come here"):
        itf.trace(LUCKY_DIP, wrong)


def test_numbers_are_written_alike_whatever_their_size():
    assert itf.expression(3) == {"#bigint": "3"}
    assert itf.expression(-(2**70)) == {"#bigint": str(-(2**70))}
    assert itf.expression(Fraction(1, 3)) == "1/3"
    assert itf.expression(True) is True


def test_what_has_no_form_is_refused():
    with pytest.raises(TypeError, match=r"no form for 1\.5 \(float\)"):
        itf.document(["x"], [{"x": 1.5}])
    with pytest.raises(ValueError, match="state 1 has no value for y"):
        itf.document(["x", "y"], [{"x": 1, "y": 2}, {"x": 1}])
    with pytest.raises(ValueError, match="there is no state 1 to go back to"):
        itf.document(["x"], [{"x": 1}], loop=1)
    with pytest.raises(ValueError, match="names that begin with #"):
        itf.document(["#x"], [])


def test_faults_of_a_trace_are_seen(refuted):
    _, _, trace = refuted
    first, *others = trace["states"]

    def changed(**more):
        return list(faults_of({**trace, "states": [{**first, **more}, *others]}))

    assert changed(rule=3)
    assert changed(rule={"#bigint": "3.5"})
    assert changed(more="a")
    assert changed(**{"#meta": {"index": 7}})
    assert list(faults_of({**trace, "loop": len(others) + 1}))
    assert list(faults_of({**trace, "more": 1}))


def test_a_run_writes_the_plays_that_break_properties(tmp_path):
    dip = f"{LUCKY_DIP.initial.__module__}:LUCKY_DIP"
    asked = ["--property", "never-full", "--property", "no-coin-lost", "--property", "in-range"]
    stale = tmp_path / "plays" / "lucky-dip" / "in-range" / "play-1.itf.json"
    stale.parent.mkdir(parents=True)
    stale.write_text("{}")

    CliRunner().invoke(app, ["prove", dip, *asked, "--jobs", "1", "--out", str(tmp_path)])
    written = sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*.itf.json"))

    assert [str(path) for path in written] == [
        "plays/lucky-dip/never-full/play-1.itf.json",
        "plays/lucky-dip/no-coin-lost/play-1.itf.json",
    ]
    for path in written:
        trace = json.loads((tmp_path / path).read_text())
        assert list(faults_of(trace)) == []
        assert trace["#meta"]["property"] == path.parts[2]
