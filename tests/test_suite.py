"""A suite covers all that a game's Plays can show, and proves that no Play shows the rest."""

from __future__ import annotations

import dataclasses
import io
import itertools
import json
import os
import re
import shutil
import signal
import time
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

from playproof.errors import BadInput
from playproof.models.editions import load_edition
from playproof.models.games import load_game
from playproof.oracles import suite_making
from playproof.oracles.all_goals import goals_of
from playproof.oracles.cases import Case
from playproof.oracles.collect import Effort, collect
from playproof.oracles.coverage import Coverage, chosen
from playproof.oracles.goals import Moment, Passage
from playproof.oracles.ground import Ground, Move
from playproof.oracles.learnt import learnt_from
from playproof.oracles.never import Never
from playproof.oracles.playing import BuildFails, Playing, connected
from playproof.oracles.script import check, played
from playproof.oracles.suite import load
from playproof.oracles.suite_making import SIZES, build, size_of
from playproof.proofs.recheck import Standing, read_proofs, recheck
from playproof.proofs.verdict import Outcome
from playproof.reports.cli import app
from playproof.reports.suiting import make_suite

from .goals_by_rules import reached
from .lucky_dip import LUCKY_DIP

GAME = dataclasses.replace(LUCKY_DIP, promises=())  # so that Plays may win nothing


@pytest.fixture(scope="module")
def edition():
    return load_edition(GAME, Path(__file__).with_name("lucky_dip.toml"))


@pytest.fixture(scope="module")
def folder(edition, tmp_path_factory):
    """The folder of a small suite of Lucky Dip."""
    folder = tmp_path_factory.mktemp("suite")
    build(Ground(edition), folder, size="small")
    return folder


@pytest.fixture(scope="module")
def coverage(edition):
    """What says which goals of that suite a Play reaches."""
    ground = Ground(edition)
    return Coverage(ground, collect(ground).goals)


def every_play(ground):
    """Yield every Play there is: three draws of nothing to five coins and to three stars."""
    draws = [
        Move("draw", {"r.draw.coins": coins, "r.draw.stars": stars})
        for coins in range(6)
        for stars in range(4)
    ]
    for three in itertools.product(draws, repeat=3):
        trace = ground.along(ground.start(), [*three, Move("finish", {})])
        if trace is not None:
            yield trace


# What is covered, and what is not


@pytest.mark.slow
def test_the_goals_covered_are_those_that_any_play_at_all_reaches(edition, folder, coverage):
    plays = every_play(Ground(edition))
    reached = {goal for trace in plays for goal in coverage.of(trace)}
    goals = {goal.id: goal.verdict for goal in load(folder).suite.goals}
    assert {id_ for id_, verdict in goals.items() if verdict == "covered"} == reached
    assert {v for id_, v in goals.items() if id_ not in reached} == {"impossible"}
    assert len(reached) > 40


def test_every_script_holds_and_reaches_what_it_is_there_for(edition, folder, coverage):
    loaded, ground = load(folder), Ground(edition)
    for listed, script in zip(loaded.suite.scripts, loaded.scripts.values(), strict=True):
        check(script, edition)
        moves = [
            Move(step.rule, {f"r.draw.{name}": value for name, value in step.reveal.items()})
            for step in script.steps
        ]
        assert set(listed.covers) <= coverage.of(ground.along(ground.start(), moves))
        assert listed.covers


def test_what_is_impossible_is_proved_by_files_that_are_checked_again(folder):
    goals = [goal for goal in load(folder).suite.goals if goal.verdict == "impossible"]
    certificates = {goal.proof.certificate for goal in goals}
    assert "pair:finish>draw" in {goal.id for goal in goals}
    stated = (folder / "proofs/lucky-dip/never-pair/manifest.json").read_bytes()
    assert "draw comes right after finish" in json.loads(stated)["says"]
    proofs = read_proofs(folder / "proofs")
    assert len(proofs) == len(certificates)
    assert {one.standing for one in recheck(proofs, jobs=1)} == {Standing.CONFIRMED}


def test_what_a_play_reaches_cannot_be_proved_impossible(edition):
    ground = Ground(edition)
    learnt = learnt_from(ground, [next(every_play(ground))])
    goals = {goal.id: goal for goal in goals_of(ground)}
    for id_ in ("pair:draw>finish", "boundary:draw:meter=2:one-over"):
        assert isinstance(goals[id_], Moment | Passage)
        never, goal = Never(ground, learnt), goals[id_]
        if isinstance(goal, Moment):
            claims = [never.moments("wrong", [goal], ())]
        else:
            claims = [never.pairs([goal], ()), never.pairs_ahead([goal], ())]
        assert {one.verdict.outcome for one in claims}.isdisjoint({Outcome.PROVED})


def test_what_plays_show_is_kept_only_where_every_step_keeps_it(edition):
    ground = Ground(edition)
    nothing = [Move("draw", {"r.draw.coins": 0, "r.draw.stars": 0})] * 3
    dull = ground.along(ground.start(), [*nothing, Move("finish", {})])
    learnt = learnt_from(
        ground, [dull]
    )  # no coin, no star, no prize: none of that is always so
    assert "Always: draws_left <= 3." in {claim.says for claim in learnt.claims}
    states = {tuple(s.items()) for trace in every_play(ground) for s in trace.states}
    for claim in learnt.claims:
        for state in states:
            plain = {name.removeprefix("s."): value for name, value in state}
            assert claim.holds(ground.p, GAME.state_shape().of(plain), None) is True


@pytest.mark.slow
def test_goals_are_read_off_the_rules_of_any_game():
    found = {}
    for game in ("colour-collector", "diamond-riches"):
        goals = goals_of(Ground(load_edition(load_game(game))))
        found[game] = {goal.id: goal.says for goal in goals}
    collector, riches = found.values()
    assert collector["boundary:spin:bonus_box=6:most"].endswith("30, the most there can be")
    assert {f"value:pick:icon:{icon}" for icon in range(1, 41)} <= riches.keys()
    for ladder, box in zip(("red", "yellow"), (4, 9), strict=True):
        assert f"boundary:mystery-fill:ladders.{ladder}={box}:exact" in riches
        assert f"near-miss:ladders.{ladder}=13" in riches
    readings = [id_ for id_ in (*collector, *riches) if id_.startswith("reading:")]
    assert len(readings) == 12 + 14


def test_a_suite_under_the_other_reading_proves_that_the_first_makes_no_difference(edition):
    # Coins that may not come cannot be dropped: only the reading taken refuses anything.
    collected = collect(Ground(edition, {"coin-surplus": "impossible"}))
    proved = {goal.id for claimed in collected.never for goal in claimed.goals}
    assert "reading:coin-surplus=dropped" in proved


# The same again, and other sizes


def contents(folder):
    files = (
        *folder.glob("*.json"),
        *folder.glob("proofs/*/*/*"),
        *folder.glob("proofs/*/*.s*"),
    )
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in files
        if path.name != "times.json" and path.is_file()
    }


def test_the_same_is_made_again_byte_for_byte(edition, folder, tmp_path):
    build(Ground(edition), tmp_path, size="small", jobs=2)
    assert contents(tmp_path) == contents(folder)
    other = build(Ground(edition), tmp_path, size="small", seed=1)
    assert contents(tmp_path) != contents(folder)
    assert {goal.verdict for goal in other.goals} == {"covered", "impossible"}


@pytest.mark.slow
def test_larger_sizes_reach_goals_more_often_and_a_number_is_kept_to(edition, folder, tmp_path):
    small = load(folder).suite
    large = build(Ground(edition), tmp_path, size="large")
    often = {goal.id: goal.scripts for goal in large.goals if goal.verdict == "covered"}
    assert len(large.scripts) > len(small.scripts)
    assert sum(often.values()) > sum(goal.scripts for goal in small.goals)
    assert min(often.values()) >= 1
    assert max(often.values()) >= SIZES["large"]
    four = build(Ground(edition), tmp_path, size=4)
    assert [*load(tmp_path).scripts] == [one.file for one in four.scripts]
    assert len(four.scripts) == len([*tmp_path.glob("*.json")]) - 1 == 4
    left = [goal for goal in four.goals if goal.verdict == "undecided"]
    assert {goal.reason for goal in left} == {"left out: the suite was to have fewer scripts"}


def test_few_plays_that_reach_all_are_chosen():
    covers = {0: frozenset("ab"), 1: frozenset("abc"), 2: frozenset("d"), 3: frozenset("cd")}
    steps = {0: 5, 1: 9, 2: 3, 3: 4}
    assert chosen(covers, steps.__getitem__, "abcd") == [(1, ("a", "b", "c")), (2, ("d",))]
    twice = chosen(covers, steps.__getitem__, "ad", times=2)
    assert {number for number, _ in twice} == {0, 1, 2, 3}


# While it is made

LITTLE = Effort(batch=20, batches=2, rounds=1, kept=1)


def test_what_is_at_work_is_shown_with_how_much_is_decided(tmp_path):
    shown = io.StringIO()
    terminal = Console(file=shown, force_terminal=True, width=120)
    made = make_suite(
        "tests.lucky_dip:LUCKY_DIP",
        tmp_path,
        size="small",
        seed=0,
        edition=Path(__file__).with_name("lucky_dip.toml"),
        readings=[],
        console=terminal,
    )
    assert made.exit_code == 0
    goals = len(made.suite.goals)
    assert re.search(rf"\d+/{goals}\b.*(wandering|what is|proof|scripts)", shown.getvalue())


def test_how_much_is_decided_only_grows_and_ends_with_all(edition):
    told = []

    def tell(what, decided, of):
        told.append((what, decided, of))

    collect(Ground(edition), effort=LITTLE, tell=tell)
    decided = [count for _, count, _ in told]
    assert decided == sorted(decided)
    stages = {what for what, *_ in told}
    assert {"what is always so", "what is possible", "proof: pair"} <= stages
    assert all(count <= of for _, count, of in told)
    assert told[-1][1] > told[-1][2] // 2


@pytest.mark.parametrize("at", ["proof: pair", "scripts"])
def test_an_interrupted_run_leaves_the_suite_that_was_there(edition, folder, tmp_path, at):
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    before = contents(tmp_path)

    def interrupted(what, decided, of):
        if what == at:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build(Ground(edition), tmp_path, effort=LITTLE, seed=3, tell=interrupted)
    assert contents(tmp_path) == before


def test_an_interruption_waits_until_the_suite_is_written(edition, tmp_path, monkeypatch):
    def written(script, folder, write=suite_making.script.write):
        if not [*folder.glob("*.json")]:
            signal.raise_signal(signal.SIGINT)
        return write(script, folder)

    monkeypatch.setattr(suite_making.script, "write", written)
    with pytest.raises(KeyboardInterrupt):
        build(Ground(edition), tmp_path, effort=LITTLE)
    assert load(tmp_path).scripts


def test_proofs_of_an_earlier_suite_that_this_one_lacks_are_removed(edition, tmp_path):
    build(Ground(edition, {"coin-surplus": "impossible"}), tmp_path, effort=LITTLE)
    first = {goal.proof.certificate for goal in load(tmp_path).suite.goals if goal.proof}
    assert "proofs/lucky-dip/never-reading" in first
    build(Ground(edition), tmp_path, effort=LITTLE)
    now = {goal.proof.certificate for goal in load(tmp_path).suite.goals if goal.proof}
    there = {path.parent.relative_to(tmp_path) for path in tmp_path.rglob("manifest.json")}
    assert {path.as_posix() for path in there} == now
    assert "proofs/lucky-dip/never-reading" not in now


# Builds


def model(edition, readings, jar_keeps=None):
    """A build of Lucky Dip that is the model itself, perhaps with other readings or a fault."""
    ground, plays = Ground(edition, readings), {}

    def answer(request):
        number, step = request["play"], request.get("step", 0)
        if request["do"] == "start":
            plays[number] = ground.start()
        elif request["do"] == "step":
            given = {f"r.draw.{name}": value for name, value in request["reveal"].items()}
            longer = ground.longer(plays[number], Move(request["event"], given))
            if longer is None:
                return {"error": "this may not come here"}
            plays[number] = longer
        shows = {name.removeprefix("s."): v for name, v in plays[number].end.items()}
        if jar_keeps is not None:
            shows["jar"] = min(shows["jar"], jar_keeps)
        do = request["do"]
        event = request["event"] if do == "step" else do
        said = {"play": number, "step": step, "event": event, "shows": shows}
        if event == "start":
            said |= {"format": "playproof-log", "version": 1, "game": "lucky-dip"}
            said |= {"readings": request["readings"], "outcome": request["outcome"]}
        if event == "finish":
            said |= {
                "paid": shows["paid"],
                "won": {"jar": shows["paid"]} if shows["paid"] else {},
            }
        return said

    return connected(answer)


def failures(edition, folder, build_):
    loaded, found = load(folder), {}
    playing = Playing(edition, loaded.suite.readings)
    for seed, (file, script) in enumerate(loaded.scripts.items()):
        try:
            playing.play(Case(folder / file, script, seed), build_)
        except BuildFails as failure:
            found[file] = str(failure)
    return found


def test_an_honest_build_passes_and_one_under_another_reading_does_not(edition, folder):
    goals = {goal.id: goal for goal in load(folder).suite.goals}
    assert failures(edition, folder, model(edition, {})) == {}
    other = failures(edition, folder, model(edition, {"coin-surplus": "impossible"}))
    assert set(goals["reading:coin-surplus=impossible"].by) <= other.keys()


def test_a_build_that_never_fills_the_jar_fails_where_the_jar_is_filled(edition, folder):
    goals = {goal.id: goal for goal in load(folder).suite.goals}
    found = failures(edition, folder, model(edition, {}, jar_keeps=3))
    assert set(goals["boundary:draw:jar=4:exact"].by) <= found.keys()
    assert all("jar is 3, not 4" in said or "jar" in said for said in found.values())


# What is wrong with a suite


def test_a_suite_that_is_not_there_or_was_changed_is_refused(edition, folder, tmp_path):
    with pytest.raises(BadInput, match="playproof suite GAME --out"):
        load(tmp_path)
    (tmp_path / "suite.json").write_text('{"format": "playproof-suite"}')
    with pytest.raises(BadInput, match="not a suite of version 1"):
        load(tmp_path)
    for path in folder.glob("*.json"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    one = tmp_path / load(tmp_path).suite.scripts[0].file
    one.write_bytes(one.read_bytes().replace(b'"seed": 0', b'"seed": 7'))
    with pytest.raises(BadInput, match=r"not the script that suite\.json lists"):
        load(tmp_path).scripts  # noqa: B018
    one.unlink()
    with pytest.raises(BadInput, match="cannot be read"):
        load(tmp_path).scripts  # noqa: B018


@pytest.mark.parametrize("text", ["huge", "0", "-3", "2.5", ""])
def test_a_size_that_is_none_is_refused_with_those_there_are(text):
    with pytest.raises(BadInput, match="small, normal, large"):
        size_of(text)


def test_the_command_tells_goals_by_kind_and_ends_with_what_is_open(edition, tmp_path):
    given = ["suite", "tests.lucky_dip:LUCKY_DIP", "--edition", str(edition.path)]
    done = CliRunner().invoke(app, [*given, "--out", str(tmp_path), "--size", "small"])
    assert done.exit_code == 0, done.output
    assert "boundary" in done.output
    assert "0 undecided" in done.output
    wrong = CliRunner().invoke(app, [*given, "--out", str(tmp_path), "--size", "huge"])
    assert wrong.exit_code == 2


def claims_that_fail(edition, folder):
    """Return what a suite says of its scripts that their own rules do not show."""
    loaded, ground = load(folder), Ground(edition)
    plays = {file: played(script, edition)[0] for file, script in loaded.scripts.items()}
    goals = goals_of(ground, learnt_from(ground, [*map(ground.traced, plays.values())]).claims)
    shown = {file: reached(ground, goals, play) for file, play in plays.items()}
    wrong = [
        (listed.file, goal)
        for listed in loaded.suite.scripts
        for goal in listed.covers
        if goal not in shown[listed.file]
    ]
    for goal in loaded.suite.goals:
        count = sum(goal.id in of for of in shown.values())
        if count != goal.scripts or any(goal.id not in shown[file] for file in goal.by):
            wrong.append((goal.id, count))
    return wrong


def test_every_claim_of_the_table_is_what_the_rules_show(edition, folder, tmp_path):
    assert claims_that_fail(edition, folder) == []
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    text = (tmp_path / "suite.json").read_text()
    suite = json.loads(text)
    suite["scripts"][0]["covers"].append("boundary:draw:jar=4:exact")
    suite["scripts"][1]["covers"].append("boundary:draw:jar=4:exact")
    suite["goals"][0]["scripts"] += 1
    (tmp_path / "suite.json").write_text(json.dumps(suite))
    assert claims_that_fail(edition, tmp_path)


@pytest.mark.bench
@pytest.mark.parametrize("game", ["colour-collector", "diamond-riches"])
def test_what_the_suite_of_a_whole_game_takes_and_leaves_open(game, tmp_path):
    began = time.perf_counter()
    made = build(Ground(load_edition(load_game(game))), tmp_path, jobs=os.cpu_count() or 1)
    took, scripts = time.perf_counter() - began, len(made.scripts)
    open_ = [goal.id for goal in made.goals if goal.verdict == "undecided"]
    said = f"{game}: {scripts} scripts in {took:.0f} s, {made.count()}, open: {open_}"
    print(said)  # noqa: T201
    assert open_ == []
    assert claims_that_fail(load_edition(load_game(game)), tmp_path) == []
