"""Driving a build: an honest one passes, and whatever goes wrong is told for what it is."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import msgspec
import pytest

from playproof.errors import BadInput
from playproof.models.editions import load_edition
from playproof.models.games import load_game
from playproof.oracles import script
from playproof.oracles.builds import CallableBuild, CommandBuild, HttpBuild
from playproof.oracles.cases import Case, load_cases
from playproof.oracles.drive import CHECKS, Driver
from playproof.oracles.playing import BuildFails, Playing
from playproof.oracles.portion import Portion
from playproof.oracles.ways import choices

from .builds.colour_collector import Build

SUITES = Path(__file__).parent / "suites"
GAME = "colour-collector"
EDITION = load_edition(load_game(GAME))
BUILD = Path(__file__).parent / "builds" / "colour_collector.py"
ALL = load_cases(SUITES / GAME)


def some(count, *rules):
    """Return the shortest scripts in which all these rules are taken."""
    having = [case for case in ALL if set(rules) <= set(case.rules)]
    assert len(having) >= count
    having.sort(key=lambda case: len(case.rules))
    return [Case(case.path, case.script, n) for n, case in enumerate(having[:count])]


BONUS = some(2, "right-answer", "wrong-answer")


def build_of(change=None, fault=None):
    """Return a build: the honest one, or one whose answers are changed by ``change``."""

    class Changed:
        def __init__(self):
            self.build = Build(fault)
            self.asked = 0

        def __call__(self, request):
            self.asked += 1
            answer = self.build.answer(request)
            return change(self, request, answer) if change else answer

    return CallableBuild("a build", Changed)


def driven(change=None, cases=BONUS, build=None, **more):
    return Driver(build or build_of(change), EDITION, cases, **more).drive()


def codes(told):
    return {finding.code for finding in told.findings}


def only(told, code):
    """Return the first finding; all of them are of this kind."""
    assert codes(told) == {code}, [finding.text() for finding in told.findings]
    return told.findings[0]


# How it goes


def test_an_honest_build_passes_and_all_that_was_asked_is_counted():
    asked = Counter()

    def count(build, request, answer):
        asked[request["do"], "error" in answer] += 1
        return answer

    told = driven(count)
    assert told.findings == []
    assert (told.driven, told.scripts, told.stopped) == (2, 2, "")
    assert told.plays == asked["start", False]
    assert told.asked == asked.total()
    assert told.resumes == asked["resume", False] == sum(len(c.rules) + 1 for c in BONUS)
    assert told.probes == asked["step", True] > 0
    assert "prize-spin" in told.never_taken
    assert "filled_at" in told.never_shown


def test_a_script_takes_few_plays_and_each_way_to_choose_is_among_them():
    """Two as they are; one that is interrupted, one with steps to be refused, in turn."""
    chosen = Counter()

    def note(build, request, answer):
        if request["do"] == "step" and "error" not in answer:
            chosen[request["play"], request["choice"].get("picked_odd")] += 1
        return answer

    told = driven(note, BONUS[:1], without=["limits"])
    assert told.plays == 4
    by_play = [{odd for one, odd in chosen if one == play} - {None} for play, _ in chosen]
    assert {True} in by_play
    assert {False} in by_play


def test_a_build_that_declines_another_outcome_is_still_asked_for_illegal_steps():
    def strict(build, request, answer):
        """Refuse a Play whose outcome is not the one that its first spins lead to."""
        build.told = getattr(build, "told", {})
        if request["do"] == "start":
            build.told[request["play"]] = request["outcome"]["amount"]
        own = BONUS[0].outcome["amount"]
        if request.get("step", 0) > 1 and build.told[request["play"]] != own:
            return {"error": "this cannot be won any more"}
        lax = request["do"] == "step" and "error" in answer and request["step"] > 2
        names = ("play", "step", "event", "reveal", "choice")
        return {name: request[name] for name in names} if lax else answer

    cases = [BONUS[0], Case(ALL[0].path, ALL[0].script, 1)]
    assert cases[0].outcome["amount"] != cases[1].outcome["amount"]
    finding = driven(strict, cases, most=1).findings[0]
    assert (finding.code, finding.where.file) == ("illegal", str(BONUS[0].path))


def test_each_check_can_be_left_out():
    told = driven(without=list(CHECKS))
    assert (told.resumes, told.probes, told.forks) == (0, 0, 0)
    assert told.plays == 3 * len(BONUS)


def test_choices_are_made_in_each_way_and_a_script_without_any_is_played_once():
    picked = Counter()

    def note(build, request, answer):
        picked[request.get("choice", {}).get("picked_odd")] += 1
        return answer

    driven(note, ways=["least"], without=list(CHECKS))
    assert picked[True] == 0 < picked[False]
    assert driven(cases=some(1, "win")[:1], without=list(CHECKS)).plays in (1, 3)
    plain = [case for case in ALL if not any("answer" in rule for rule in case.rules)]
    assert driven(cases=[Case(plain[0].path, plain[0].script)], without=list(CHECKS)).plays == 1


def test_no_tile_is_taken_twice_in_a_row_of_picks():
    moves = load_game("diamond-riches")
    variables = {rule.id: moves.reveal_shape(rule).variables for rule in moves.rules}
    rules = ["spin", "open-bonus-game", *["pick"] * 5, "open-bonus-game", *["pick"] * 5]

    def tiles(way, seed=0):
        made = choices(variables, rules, way, seed)
        return [choice["tile"] for choice in made if choice]

    assert tiles("least") == [1, 2, 3, 4, 5] * 2
    assert tiles("greatest") == [20, 19, 18, 17, 16] * 2
    random = tiles("random")
    assert random == tiles("random") != tiles("random", seed=1)
    assert len(set(random[:5])) == len(set(random[5:])) == 5


def test_the_same_suite_gives_the_same_findings():
    wrong = [driven(build=build_of(fault="spins-twice")).findings for _ in range(2)]
    assert wrong[0] == wrong[1] != []


# Side by side


def long_suite(count):
    """Return a suite of so many scripts, the same ones over and over."""
    return [Case(one.path, one.script, n) for n, one in enumerate((ALL * count)[:count])]


@pytest.fixture
def in_portions(monkeypatch):
    """Drive suites in portions of 5 scripts at most."""
    monkeypatch.setattr("playproof.oracles.drive._PORTION", 5)


@pytest.mark.usefixtures("in_portions")
@pytest.mark.parametrize(
    ("fault", "most", "found"),
    [(None, 20, 0), ("spins-twice", 2, 2), ("spins-twice", 20, 5), ("spins-rewound", 1, 1)],
)
def test_any_number_of_processes_comes_to_the_same(fault, most, found):
    one, two = (
        driven(build=build_of(fault=fault), cases=long_suite(14), most=most, jobs=jobs)
        for jobs in (1, 2)
    )
    assert one == two
    assert len(one.findings) == found
    assert (one.driven == 14) is not bool(one.stopped)


@pytest.mark.usefixtures("in_portions")
def test_findings_are_heard_in_order_of_the_suite_whoever_finds_them():
    heard, begun = [], []
    suite = long_suite(14)
    driver = Driver(build_of(fault="spins-twice"), EDITION, suite, most=3, jobs=2)
    told = driver.drive(begun.append, heard.append)
    assert heard == told.findings
    assert {finding.play[:3] for finding in heard} == {"D-1", "D-3"}
    assert begun == [suite[2], suite[6], suite[9], suite[13]]


@pytest.mark.usefixtures("in_portions")
def test_a_portion_begins_with_a_build_of_its_own():
    """What a build kept from scripts of another portion would depend on who drove those."""
    begun = []

    def count(build, request, answer):
        build.begun = getattr(build, "begun", 0) + (request["do"] == "start")
        begun.append(build.begun)
        return answer

    suite = long_suite(14)
    told = driven(count, cases=suite, ways=["least"], without=list(CHECKS))
    assert (told.plays, max(begun)) == (14, 4)


@pytest.mark.usefixtures("in_portions")
def test_what_a_portion_is_asked_and_told_is_the_same_whatever_was_driven_before():
    """The build shows more to one portion: Plays that began alike in another do not count."""
    sent = []

    def note(build, request, answer):
        sent.append(json.dumps(request))
        more = {"more": True} if request["play"].startswith("D-1") else {}
        return answer | {"shows": answer["shows"] | more} if "shows" in answer else answer

    driver = Driver(build_of(note), EDITION, long_suite(14), without=["limits"])
    alone = Portion(driver._plan, 1).drive(driver._plan.cases[3:7], most=20)
    asked, sent[:] = sent[:], []
    told = driver.drive()
    at = sent.index(asked[0])
    assert sent[at : at + len(asked)] == asked
    assert alone.findings == told.findings == []


@pytest.mark.usefixtures("in_portions")
def test_processes_that_are_not_needed_any_more_end_what_they_have_started(tmp_path):
    """A build that hangs in the second portion, when the first has found enough."""
    build = tmp_path / "build.py"
    build.write_text(
        "import os, sys, time, json\n"
        "for line in sys.stdin:\n"
        "    if int(json.loads(line)['play'][2:]) > 100000:\n"
        f"        open(r'{tmp_path}/' + str(os.getpid()), 'w').close()\n"
        "        time.sleep(60)\n"
        "    while not any(name.isdigit() for name in os.listdir(r'" + str(tmp_path) + "')):\n"
        "        time.sleep(0.01)\n"
        "    print('{}', flush=True)\n"
    )
    command = CommandBuild([sys.executable, "-S", str(build)])
    told = driven(build=command, cases=long_suite(10), most=1, jobs=2, timeout=30)
    assert len(told.findings) == 1
    hanging = [int(path.name) for path in tmp_path.iterdir() if path.name.isdigit()]
    assert hanging
    for process in hanging:
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)


# What is wrong


def at_step(step, code):
    """Return a change that misbehaves at a step of any Play."""

    def change(build, request, answer):
        return code(build, request, answer) if request.get("step") == step else answer

    return change


def test_a_wrong_field_is_told_with_its_place_and_what_it_breaks():
    finding = driven(build=build_of(fault="spins-twice")).findings[0]
    assert (finding.code, finding.field) == ("shows", "spins_left")
    assert "CC-27" in finding.clauses
    line = Path(finding.where.file).read_text("utf-8").splitlines()[finding.where.line - 1]
    assert line.strip() == f'"rule": "{finding.rule}",'


def test_a_build_that_refuses_a_legal_step_is_told_so():
    refuses = at_step(2, lambda build, request, answer: {"error": "not today"})
    finding = only(driven(refuses, without=["illegal"]), "refused")
    assert finding.message == "it refuses spin, which the rules allow: 'not today'"
    assert finding.step == 2


def test_a_build_that_answers_something_else_is_told_so():
    other = at_step(2, lambda build, request, answer: answer | {"step": 7})
    assert "its step is 7, not 2" in only(driven(other), "echo").message
    lies = at_step(2, lambda build, request, answer: answer | {"reveal": {"symbols": 1}})
    assert (
        "repeats the reveal other than"
        in only(driven(lies, without=["illegal"]), "echo").message
    )


def test_a_build_that_lags_behind_has_answered_once_more():
    def lags(build, request, answer):
        before, build.before = getattr(build, "before", None), answer
        return before if request.get("step") == 3 and before else answer

    assert only(driven(lags, without=list(CHECKS)), "answered-twice").step == 3


@pytest.mark.parametrize("field", ["shows", "screen", "won"])
def test_what_is_no_object_where_one_belongs_is_told(field):
    odd = at_step(1, lambda build, request, answer: answer | {field: [1]})
    assert only(driven(odd, without=["illegal"]), "format").field == field


def test_a_build_that_shows_nothing_does_not_pass():
    told = driven(lambda build, request, answer: {**answer, "shows": None})
    assert "it shows nothing after any step" in only(told, "format").message


def test_a_build_that_does_not_go_on_as_it_was_left_is_told_so():
    told = driven(build=build_of(fault="spins-rewound"))
    finding = only(told, "resume")
    assert finding.message.startswith("interrupted after every step: spins_left is shown as 6")
    assert finding.fault == "resume"


def test_a_test_that_fails_only_when_interrupted_says_so():
    playing = Playing.of(BONUS[0].script)
    playing.play(BONUS[0], build_of())
    with pytest.raises(BuildFails, match="interrupted after every step: spins_left") as failed:
        playing.play(BONUS[0], build_of(fault="spins-rewound"))
    assert failed.value.findings[0].fault == "resume"
    refuses = at_step(2, lambda build, request, answer: {"error": "not today"})
    with pytest.raises(BuildFails, match="step 2: it refuses spin"):
        playing.play(BONUS[0], build_of(refuses))


def test_what_the_rules_do_not_know_has_to_be_the_same_after_an_interruption():
    def fades(build, request, answer):
        if "shows" in answer:
            answer["shows"]["music"] = "off" if request["do"] == "resume" else "on"
        return answer

    found = codes(driven(fades))
    assert "resume" in found


def test_a_field_that_tells_the_outcome_is_a_leak_though_the_rules_do_not_know_it():
    def tells(build, request, answer):
        if request["do"] == "start":
            build.outcomes = getattr(build, "outcomes", {})
            build.outcomes[request["play"]] = request["outcome"]["amount"]
        if "shows" in answer:
            answer["shows"]["music"] = "loud" if build.outcomes[request["play"]] else "soft"
        return answer

    rich, poor = some(1, "right-answer")[0], next(c for c in ALL if not c.outcome["amount"])
    cases = [Case(rich.path, rich.script, 0), Case(poor.path, poor.script, 1)]
    assert "leak" in codes(driven(tells, cases))
    assert "leak" not in codes(driven(tells, cases[:1]))  # nothing else to be won: no telling


def test_a_field_of_the_rules_that_tells_the_outcome_is_a_leak():
    finding = only(driven(build=build_of(fault="prize-early"), cases=some(2, "win")), "leak")
    assert "something else where £" in finding.message
    assert finding.field == "prize_game_prize"


def test_a_build_that_takes_what_is_not_allowed_is_told_so_with_the_clause():
    def lax(build, request, answer):
        if request["do"] == "step" and "error" in answer:
            return {key: request[key] for key in ("play", "step", "event", "reveal", "choice")}
        return answer

    finding = only(driven(lax), "illegal")
    assert finding.message.startswith(f"it takes {finding.rule} ")
    assert "which the rules do not allow" in finding.message
    assert finding.clauses


def test_a_refusal_that_changes_something_is_told():
    def forgets(build, request, answer):
        if "error" in answer:
            build.build._plays[request["play"]].s.spins_left += 1
        return answer

    finding = only(driven(forgets), "illegal")
    assert finding.message.startswith("after a step that it refused, as it should: spins_left")


def test_plays_that_notice_each_other_are_told():
    def mixes(build, request, answer):
        """Show what the Play that was asked before this one shows."""
        other, build.play = getattr(build, "play", None), request["play"]
        if other and other != request["play"] and request["do"] == "step":
            answer["shows"] = build.build._plays[other].shows()
        return answer

    finding = only(driven(mixes, without=["illegal"]), "carry-over")
    assert finding.message.startswith("played in turn with another Play: ")


def test_a_play_that_is_wrong_only_after_another_one_is_told():
    def keeps(build, request, answer):
        """Begin each Play but the first with a spin more."""
        build.starts = getattr(build, "starts", 0) + (request["do"] == "start")
        if request["do"] == "start" and build.starts > 1:
            play = build.build._plays[request["play"]]
            play.s.spins_left += 1
            answer["shows"] = play.shows()
        return answer

    finding = only(driven(keeps, ways=["least"]), "carry-over")
    assert finding.message.startswith("in a build that has played this script before: ")
    assert finding.step == 0


def test_so_is_what_is_left_over_from_another_play():
    def keeps(build, request, answer):
        """Begin each Play with the Bonus Game Box as the last one left it."""
        if request["do"] == "start":
            play = build.build._plays[request["play"]]
            play.s.bonus_box = getattr(build, "box", 0)
            answer["shows"] = play.shows()
        elif "shows" in answer:
            build.box = answer["shows"]["bonus_box"]
        return answer

    finding = only(driven(keeps, ALL), "carry-over")
    assert "played another Play before: bonus_box is shown as" in finding.message


def test_what_no_script_reveals_is_asked_for():
    def has_six_boxes(build, request, answer):
        return {"error": "no box 7"} if request.get("reveal", {}).get("box") == 7 else answer

    finding = only(driven(has_six_boxes, without=["illegal"]), "refused")
    assert " with box = 7 at step " in finding.message
    assert finding.fault == "unreachable"


def test_what_a_build_takes_instead_of_a_legal_step_is_found_out():
    finding = only(driven(build=build_of(fault="prize-game-at-once"), cases=ALL), "refused")
    assert "It takes prize-spin instead, which they do not allow" in finding.message
    assert "prize-game-after-main" in finding.properties


# Builds that do not answer


def hangs(build, request, answer):
    time.sleep(5)


@pytest.mark.parametrize(
    ("code", "change"),
    [
        ("hang", hangs),
        ("died", lambda build, request, answer: 1 / 0),
        ("rubbish", lambda build, request, answer: [answer]),
        ("flood", lambda build, request, answer: answer | {"x": "x" * 2_000_000}),
    ],
)
def test_the_run_goes_on_with_the_next_script(code, change):
    told = driven(at_step(3, change), timeout=0.1)
    finding = only(told, code)
    assert told.driven == len(told.findings) == len(BONUS)
    assert finding.step == 3
    assert finding.message.endswith("the last good answer was to step 2")


def test_a_build_that_hangs_only_when_interrupted_is_told_so_and_the_run_goes_on():
    def stalls(build, request, answer):
        return hangs(build, request, answer) if request["do"] == "resume" else answer

    told = driven(stalls, timeout=0.1, without=["limits"])
    finding = only(told, "hang")
    assert told.driven == len(told.findings) == len(BONUS)
    assert finding.message.startswith(
        "interrupted after every step, played in turn with another Play: asked for resume: "
        "no answer in 0.1 s"
    )
    assert finding.message.endswith("the last good answer was to step 0")


def test_a_process_is_started_anew_and_the_run_goes_on():
    bad = str(BUILD.parent / "bad.py")
    told = driven(build=CommandBuild([sys.executable, "-S", bad, "dies"]))
    assert codes(told) == {"echo"}  # it answers, but not with what was asked
    assert told.driven == 2


def test_a_build_that_never_answers_is_given_up():
    cases = [Case(case.path, case.script, n) for n, case in enumerate(ALL[:6])]
    told = driven(lambda build, request, answer: 1 / 0, cases)
    assert told.driven == 3
    assert told.stopped == "it answered nothing to 3 Plays"
    assert only(told, "died").message.endswith("it never began")


def test_a_run_ends_after_as_many_findings_as_were_asked_for():
    told = driven(at_step(1, hangs), timeout=0.05, most=1)
    assert (told.driven, told.stopped) == (0, "1 finding asked for at most")


def test_a_word_after_the_last_answer_is_heard(tmp_path):
    file = tmp_path / "talks.py"
    file.write_text(
        f"import sys; sys.path.insert(0, {str(BUILD.parent)!r})\n"
        "from colour_collector import Build, serve_lines\n"
        "serve_lines(Build())\nprint('{}')\n"
    )
    told = driven(build=CommandBuild([sys.executable, str(file)]), cases=BONUS[:1])
    assert only(told, "answered-twice").message.startswith("at its end: ")


# New processes


@pytest.mark.parametrize(("keep", "found"), [(True, set()), (False, {"resume"})])
def test_a_play_goes_on_in_a_new_process_where_it_is_kept(keep, found, tmp_path):
    options = ["--keep", str(tmp_path)] if keep else []
    build = CommandBuild([sys.executable, "-S", str(BUILD), *options])
    without = [check for check in CHECKS if check != "resume"]
    told = driven(build=build, cases=BONUS[:1], ways=["least"], without=without, restart=True)
    assert codes(told) == found


@pytest.mark.slow
def test_plays_go_on_in_turn_beside_one_that_goes_on_in_new_processes(tmp_path):
    build = CommandBuild([sys.executable, "-S", str(BUILD), "--keep", str(tmp_path)])
    told = driven(build=build, cases=BONUS[:1], without=["limits"], restart=True)
    assert told.findings == []
    assert told.plays == 2 + 1 + 2  # in two ways, in the third anew each time, and two in turn
    assert told.probes > 5


# What is given


def changed(case, **more):
    return Case(case.path, msgspec.structs.replace(case.script, **more), case.seed)


@pytest.mark.parametrize(
    ("cases", "more", "says"),
    [
        ([], {}, "the suite has no script"),
        ([changed(BONUS[0], game="lucky-dip")], {}, "a script of lucky-dip"),
        (
            [changed(BONUS[0], edition=script.Made("mine", "0" * 64))],
            {},
            "made for edition 'mine'",
        ),
        ([BONUS[0], changed(BONUS[1], readings={})], {}, "made under other readings than"),
        (BONUS, {"readings": {"valuation": "at-fill"}}, "other readings than those asked for"),
        ([changed(BONUS[0], start={})], {}, "the start is followed by another state"),
        (
            [changed(BONUS[0], steps=BONUS[0].script.steps[1:])],
            {},
            "by the rules, .* a build cannot be judged by this script",
        ),
        (BONUS, {"without": ["resumes"]}, "did you mean resume?"),
    ],
)
def test_a_suite_that_does_not_fit_is_bad_input(cases, more, says):
    with pytest.raises(BadInput, match=says):
        Driver(build_of(), EDITION, cases, **more)


def test_only_a_process_can_be_started_anew():
    with pytest.raises(BadInput, match="that takes a command"):
        Driver(CallableBuild("f", Build().answer), EDITION, BONUS, restart=True)


def test_a_folder_without_scripts_is_bad_input(tmp_path):
    with pytest.raises(BadInput, match="no script in it"):
        load_cases(tmp_path)
    with pytest.raises(BadInput, match="no folder"):
        load_cases(tmp_path / "none")


@pytest.mark.bench
def test_how_many_scripts_a_second():
    """Seconds are those of the clock: a build that is a process works at the same time.

    Making the driver, which plays each script by the rules, is among them.
    """
    command = [sys.executable, "-S", str(BUILD)]
    cases = long_suite(280)
    with subprocess.Popen(
        [*command, "--http", "0"], stdout=subprocess.PIPE, text=True
    ) as served:
        builds = {
            "in process": build_of(),
            "stdin": CommandBuild(command),
            "HTTP": HttpBuild(served.stdout.readline().strip()),
        }
        for name, build in builds.items():
            for checks, without in (("each way", list(CHECKS)), ("every check", [])):
                for jobs in (1, 2):
                    began = time.perf_counter()
                    told = driven(build=build, cases=cases, without=without, jobs=jobs)
                    took = time.perf_counter() - began
                    assert told.findings == []
                    sys.stdout.write(
                        f"\n{name}, {checks}, jobs {jobs}: {told.driven / took:.0f} scripts/s, "
                        f"{told.plays / took:.0f} Plays/s, {told.asked / took:.0f} requests/s"
                    )
        served.terminate()


def test_requests_are_as_the_format_says():
    """The first lines a build is sent, in full."""
    sent = []

    def note(build, request, answer):
        sent.append(json.loads(json.dumps(request)))
        return answer

    driven(note, BONUS[:1], ways=["least"], without=list(CHECKS))
    start, step, *_ = sent
    assert list(start) == ["do", "game", "edition", "readings", "play", "outcome"]
    assert list(start["edition"]) == ["name", "hash", "parameters"]
    assert start["outcome"]["amount"] == BONUS[0].script.prize.amount
    assert list(step) == ["do", "play", "step", "event", "reveal", "choice"]
    assert (step["do"], step["step"]) == ("step", 1)
