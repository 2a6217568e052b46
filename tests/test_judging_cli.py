"""``playproof judge``: what it prints and writes, and its exit codes."""

import contextlib
import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner

from playproof.models.editions import load_edition
from playproof.models.games import load_game
from playproof.oracles.event import Event, Where
from playproof.oracles.examples import log_of
from playproof.oracles.finding import Finding, Severity
from playproof.oracles.judge import Judge
from playproof.oracles.log import read_log
from playproof.oracles.result import Found, Result
from playproof.oracles.script import make
from playproof.oracles.synthesis import Synthesis
from playproof.oracles.targets import parse_target
from playproof.reports.cli import app
from playproof.reports.junit import junit
from playproof.reports.sarif import sarif

from .builds.colour_collector import Build

ROOT = Path(__file__).parents[1]
COLLECTOR = load_edition(load_game("colour-collector"))


def run(*arguments, **more):
    return CliRunner().invoke(app, ["judge", *map(str, arguments)], **more)


def judge(*arguments, **more):
    return run("colour-collector", *arguments, **more)


def with_one_wrong(log):
    """Return a log in which the fourth line shows one spin too many."""
    lines = log.splitlines(keepends=True)
    event = json.loads(lines[3])
    event["shows"]["spins_left"] += 1
    lines[3] = json.dumps(event).encode() + b"\n"
    return b"".join(lines)


@pytest.fixture(scope="module")
def right():
    """The log of a Play that wins £15 with the Prize Game."""
    target = parse_target("£15 (£5 + £10 Prize Game)", COLLECTOR)
    found = Synthesis(COLLECTOR, {}).find(target)
    events = log_of(make(COLLECTOR, target, found.plays[0]), "P-1")
    return b"".join(msgspec.json.encode(event) + b"\n" for event in events)


@pytest.fixture
def log(tmp_path, monkeypatch):
    """Makes logs in the folder that is worked in."""
    monkeypatch.chdir(tmp_path)

    def made(data, name="log.jsonl"):
        (tmp_path / name).write_bytes(data)
        return name

    return made


# ---- What it comes to ------------------------------------------------------------------------


def test_a_right_log_is_fine_and_what_was_not_seen_is_named(log, right):
    ran = judge(log(right))

    assert ran.exit_code == 0
    assert ran.output == (
        "1 Play in 1 file: 1 finished, 9 events, 0 resumed.\n"
        "rules seen: 3 of 7; never: open-bonus-game, right-answer, wrong-answer, prize-spin\n"
        "parts of a prize seen: 2 of 8; never: row-2, row-3, row-4, row-5, row-6, row-7\n"
        "rows of the prize table seen: 1 of 99; never: 01-13, 15-99\n"
        "0 findings.\n"
    )


def test_a_wrong_field_is_found_with_its_place_and_the_rest_is_judged(log, right):
    ran = judge(log(with_one_wrong(right) + right.replace(b"P-1", b"P-2")))

    assert ran.exit_code == 1
    assert ran.output.startswith("log.jsonl:4, Play P-1, step 3: spins_left ")
    assert "2 Plays in 1 file: 2 finished" in ran.output
    assert "1 finding (shows 1).\n" in ran.output


def test_broken_lines_are_findings_and_the_rest_is_judged(log, right):
    ran = judge(log(right + b"{\n" + right.replace(b"P-1", b"P-2")))

    assert ran.exit_code == 1
    assert ran.output.startswith("log.jsonl:10: not JSON: it breaks off\n")
    assert "2 Plays in 1 file: 2 finished" in ran.output


def test_notes_alone_fail_nothing(log, right):
    ran = judge(log(right.replace(b'"play"', b'"time":1,"play"')))

    assert ran.exit_code == 0
    assert ran.output.startswith("note: log.jsonl:1: unknown key 'time'")
    assert "0 findings, 1 note (format 1).\n" in ran.output


def test_an_empty_log_is_a_finding(log):
    ran = judge(log(b""))

    assert ran.exit_code == 1
    assert "rules seen: 0 of 7; never: spin, " in ran.output
    assert "1 finding (empty 1).\n" in ran.output


def test_a_log_that_shows_nothing_is_not_green(log, right):
    events = [json.loads(line) for line in right.splitlines()]
    bare = [{name: value for name, value in one.items() if name != "shows"} for one in events]
    ran = judge(log(b"".join(json.dumps(one).encode() + b"\n" for one in bare)))

    assert ran.exit_code == 3
    assert ran.output.startswith("log.jsonl: no event shows anything of the state: what was")
    assert "9 of 9 events show nothing of the state." in ran.output


def test_what_is_left_undecided_alone_is_neither_fine_nor_wrong(log, right, monkeypatch):
    def undecided(judge, sources, *_, **__):
        assert len(list(read_log(sources, pytest.fail))) == 9
        yield Finding("undecided", "whether a legal Play fits was not decided", play="P-1")

    monkeypatch.setattr("playproof.reports.judging.judge_files", undecided)
    ran = judge(log(right))

    assert ran.exit_code == 3
    assert "0 findings, 1 undecided (undecided 1)." in ran.output


def test_all_findings_are_counted_and_the_first_are_shown(log, right):
    lines = right + b"{\n" * 50
    ran = judge(log(lines), "--max-findings", 3)

    assert ran.output.count("not JSON") == 3
    assert "… and 47 further findings: --max-findings shows more\n" in ran.output
    assert "50 findings (unreadable 50).\n" in ran.output


def test_several_files_are_judged_as_one_log(log, right):
    lines = right.splitlines(keepends=True)
    log(b"".join(lines[:5]), "a.jsonl")
    log(b"".join(lines[5:]), "b.jsonl")
    ran = judge("a.jsonl", "b.jsonl")

    assert ran.exit_code == 0
    assert "1 Play in 2 files: 1 finished" in ran.output


def test_standard_input_is_judged(right):
    ran = subprocess.run(
        [sys.executable, "-m", "playproof", "judge", "colour-collector", "-"],
        input=with_one_wrong(right),
        capture_output=True,
        cwd=ROOT,
        check=False,
    )

    assert ran.returncode == 1
    assert ran.stdout.startswith(b"-:4, Play P-1, step 3: spins_left")
    assert ran.stderr == b""


def test_editions_readings_and_adapters_are_taken(log, right, tmp_path):
    text = COLLECTOR.path.read_text("utf-8").replace("value = 25", "value = 24")
    (tmp_path / "own.toml").write_text(text, "utf-8")
    (tmp_path / "ours.py").write_text(
        "def adapt(record):\n    yield {**record['event'], 'play': 'A-1'}\n"
    )
    wrapped = b"".join(b'{"event": %s}\n' % line for line in right.splitlines())
    assert judge(log(wrapped), "--adapter", "ours:adapt").exit_code == 0
    assert judge(log(wrapped)).exit_code == 1

    other_edition = judge(log(right), "--edition", "own.toml")
    assert other_edition.exit_code == 1
    assert "edition" in other_edition.output

    unclear = re.sub(rb'"readings":\{.*?\},', b"", right)
    assert judge(log(unclear)).exit_code == 0
    strict = judge(log(unclear), "--reading", "row-surplus=impossible")
    assert strict.exit_code == 1
    assert "spin may not come here" in strict.output
    assert "(readings 1)" in judge(log(right), "--reading", "row-surplus=impossible").output


def test_what_a_log_says_does_not_act_on_a_terminal(log, right):
    ran = judge(log(with_one_wrong(right).replace(b"P-1", b"P-\\u001b[31m\\u202e1")))

    assert "Play P-\\x1b[31m\\u202e1, step 3" in ran.output
    assert "\x1b" not in ran.output


def test_the_example_is_what_a_build_with_a_fault_writes():
    """The README's log is the sample build's own, and what it finds is not there without."""
    lines = (ROOT / "tests" / "builds" / "surplus-lost.jsonl").read_text("utf-8").splitlines()
    events = [json.loads(line) for line in lines]
    requests = [
        {"choice": {}} | event | {"do": do}
        for do, event in zip(["start", *["step"] * 9], events, strict=True)
    ]
    build, right = Build("surplus-lost"), Build()
    told = [right.answer(request) for request in requests]

    assert [build.answer(request) for request in requests] == events
    assert [one["shows"]["bonus_box"] for one in told[:3]] == [0, 4, 3]
    events_ = ((msgspec.convert(one, Event), Where("log", n)) for n, one in enumerate(told))
    assert list(Judge(COLLECTOR).judge(events_)) == []


# ---- What it writes --------------------------------------------------------------------------


def test_json_is_what_its_schema_says_and_the_same_each_time(log, right):
    name = log(with_one_wrong(right))
    ran = judge(name, "--format", "json")

    assert ran.exit_code == 1
    result = msgspec.json.decode(ran.output, type=Result)
    assert (result.exit_code, result.found.errors, result.read) == (1, 1, ["log.jsonl"])
    assert result.seen.rules["spin"] == 6
    assert result.findings[0].where == Where("log.jsonl", 4)
    assert judge(name, "--format", "json").output == ran.output


def test_findings_are_written_to_a_file_and_told_as_text(log, right, tmp_path):
    name = log(with_one_wrong(right))
    for format_ in ("text", "json", "junit", "sarif"):
        ran = judge(name, "--format", format_, "--out", f"out/{format_}")

        assert ran.exit_code == 1
        assert ran.output == judge(name).output
    assert (tmp_path / "out" / "text").read_text("utf-8") == judge(name).output
    printed = judge(name, "--format", "sarif").output
    assert (tmp_path / "out" / "sarif").read_text("utf-8") == printed


def test_junit_has_a_case_for_each_file_and_each_play_that_fails(log, right):
    log(right, "a.jsonl")
    log(with_one_wrong(right).replace(b"P-1", b"P-2") + b"{\n", "b.jsonl")
    ran = judge("a.jsonl", "b.jsonl", "--format", "junit")
    root = ET.fromstring(ran.output)

    assert root.attrib == {
        "name": "playproof judge", "tests": "3", "failures": "1", "errors": "1",
    }  # fmt: skip
    first, second = root.findall("testsuite")
    assert [case.get("name") for case in first.findall("testcase")] == ["a.jsonl"]
    assert [case.get("name") for case in second.findall("testcase")] == ["b.jsonl", "Play P-2"]
    (failure,) = second.iter("failure")
    assert failure.get("type") == "shows"
    assert "b.jsonl:4, Play P-2, step 3" in failure.text
    (error,) = second.iter("error")
    assert "not JSON" in error.get("message")
    totals = {one.get("name"): one.get("value") for one in first.iter("property")}
    assert (totals["plays"], totals["findings"]) == ("2", "2")


def test_junit_of_a_list_that_is_cut_short_does_not_look_right(log, right):
    log(right + b"{\n", "a.jsonl")
    log(right.replace(b"P-1", b"P-2") + b"{\n{\n", "b.jsonl")
    ran = judge("a.jsonl", "b.jsonl", "--format", "junit", "--max-findings", 1)
    second = ET.fromstring(ran.output).findall("testsuite")[1]

    assert second.get("failures") == "1"
    assert next(second.iter("failure")).get("message") == "2 further findings not listed"


def test_junit_holds_what_xml_cannot():
    finding = Finding("shows", "a \x00 & <b> \ud83d \U0001f600", Where("a.jsonl", 1), "P\x1b")
    text = junit([finding], ["a.jsonl"], name="n", game="g", properties={})
    told = next(ET.fromstring(text).iter("failure"))

    assert told.get("message") == "a \\x00 & <b> \\ud83d \U0001f600"


def in_sarif(log_, code):
    """Return the results of a SARIF log that has one run, once its shape is right."""
    assert log_["version"] == "2.1.0"
    assert log_["$schema"].endswith("sarif-2.1.0.json")
    (one,) = log_["runs"]
    assert one["invocations"] == [{"executionSuccessful": True}]
    rules = one["tool"]["driver"]["rules"]
    for result in one["results"]:
        assert result["level"] in ("error", "note")
        assert result["message"]["text"]
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    assert all(rule["shortDescription"]["text"] != rule["id"] for rule in rules)
    return one["results"]


def test_sarif_names_file_line_and_the_clause_in_its_own_words(log, right):
    ran = judge(log(with_one_wrong(right), "my log.jsonl"), "--format", "sarif")
    (result,) = in_sarif(json.loads(ran.output), 1)

    place = result["locations"][0]["physicalLocation"]
    assert place == {
        "artifactLocation": {"uri": "my%20log.jsonl"},
        "region": {"startLine": 4},
    }
    assert result["properties"]["play"] == "P-1"
    assert result["properties"]["field"] == "spins_left"


def test_sarif_calls_a_finding_by_its_clause_else_its_property_else_its_kind():
    wrong = Finding("shows", "x", clauses=("CC-21",), properties=("overflow-carries",))
    findings = [
        wrong,
        Finding("shows", "x", properties=("overflow-carries",)),
        Finding("format", "x", Where("-", 3), severity=Severity.NOTE),
    ]
    made = json.loads(sarif(findings, COLLECTOR.game, properties={}))
    results = in_sarif(made, 1)

    assert [one["ruleId"] for one in results] == ["CC-21", "overflow-carries", "format"]
    assert [one["level"] for one in results] == ["error", "error", "note"]
    assert "locations" not in results[2]  # standard input is no file
    says = made["runs"][0]["tool"]["driver"]["rules"][0]["shortDescription"]["text"]
    assert "emptied box" in says


def test_findings_are_kept_up_to_a_limit_and_counted_beyond_it():
    found = Found(2)
    kept = [found.hear(Finding("shows", str(n), Where("ab"[n % 2]))) for n in range(5)]

    assert kept == [True, True, False, False, False]
    assert (found.errors, dict(found.left_out)) == (5, {"a": 2, "b": 1})


# ---- How it ends -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["colour-colector", "log.jsonl"], "did you mean colour-collector"),
        (["colour-collector", "none.jsonl"], "none.jsonl: cannot be read: No such file"),
        (["colour-collector", "log.jsonl", "--edition", "none"], "none: cannot be read"),
        (["colour-collector", "log.jsonl", "--reading", "x=y"], "unknown reading"),
        (["colour-collector", "log.jsonl", "--adapter", "x"], "write it as module:function"),
        (["colour-collector", "log.jsonl", "--max-findings", "0"], "--max-findings"),
        (["colour-collector", "log.jsonl", "--format", "xml"], "--format"),
        (["colour-collector"], "Missing argument"),
        (
            [
                "diamond-riches", "log.jsonl",
                "--reading", "prize-game-repeat=each-time",
                "--reading", "prize-meter-after=stays-full",
            ],
            "cannot be taken together",
        ),
    ],
)  # fmt: skip
def test_bad_input_is_said_in_a_sentence(arguments, said, log, right):
    log(right)
    ran = run(*arguments)

    assert ran.exit_code == 2
    assert said in ran.output


def started(*arguments, **more):
    return subprocess.Popen(
        [sys.executable, "-m", "playproof", "judge", "colour-collector", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        start_new_session=True,
        **more,
    )


def test_ctrl_c_ends_it_with_what_was_judged_until_then(right):
    with started("-", stdin=subprocess.PIPE) as process:
        process.stdin.write(with_one_wrong(right))
        process.stdin.flush()
        first = process.stdout.readline()  # it has come to the finding
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)

    assert process.returncode == 130
    assert first.startswith(b"-:4, Play P-1")
    assert b"Interrupted; what was read until then:\n1 Play in 1 file" in out
    assert b"1 finding (shows 1)." in out
    assert b"Traceback" not in err


@pytest.fixture
def long_log(tmp_path, right):
    """A log of 20 MB, which takes several processes, with something wrong at its end."""
    path = tmp_path / "long.jsonl"
    with path.open("wb") as file:
        for number in range(2_500):
            file.write(right.replace(b"P-1", b"P-%d" % number))
        file.write(with_one_wrong(right).replace(b"P-1", b"P-last"))
    return path


def workers_of(process):
    """Return the processes that a command has started, as soon as there are any."""
    children = f"/proc/{process.pid}/task/{process.pid}/children"
    for _ in range(600):
        if found := Path(children).read_text("ascii").split():
            return [int(one) for one in found]
        time.sleep(0.05)
    raise AssertionError("no process was started")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="processes are asked of Linux")
def test_ctrl_c_ends_all_processes(long_log):
    with started(str(long_log), "--jobs", "2") as process:
        workers = workers_of(process)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to all of them
        out, err = process.communicate(timeout=60)

    assert process.returncode == 130
    assert b"Interrupted; what was read until then:\n" in out
    assert err == b""
    assert not any(Path(f"/proc/{one}").exists() for one in workers)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="processes are asked of Linux")
def test_a_worker_that_is_killed_changes_nothing(long_log):
    with started(str(long_log), "--jobs", "2") as process:
        os.kill(workers_of(process)[0], signal.SIGKILL)
        out, err = process.communicate(timeout=120)
    alone = run("colour-collector", long_log, "--jobs", 1)

    assert process.returncode == alone.exit_code == 1
    assert out.decode() == alone.output
    assert b"Play P-last, step 3: spins_left" in out
    assert err.count(b"a process was ended from outside") == 1
    assert b"Traceback" not in err


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="processes are asked of Linux")
def test_workers_end_with_the_process_that_they_serve(long_log):
    with started(str(long_log), "--jobs", "2") as process:
        workers = workers_of(process)
        process.kill()
        process.wait(timeout=20)
    for _ in range(200):
        if not any(Path(f"/proc/{one}").exists() for one in workers):
            break
        time.sleep(0.1)

    assert not any(Path(f"/proc/{one}").exists() for one in workers)


def test_findings_go_where_output_goes_while_progress_is_on_the_terminal(log, right):
    name = log(b"".join(b"{\n" + right for _ in range(200)))
    terminal, end = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "playproof", "judge", "colour-collector", name],
        stdout=subprocess.PIPE,
        stderr=end,
        env=os.environ | {"TERM": "xterm"},
    ) as process:
        os.close(end)
        shown = b""
        with contextlib.suppress(OSError):  # Linux says so where the other end is closed
            while piece := os.read(terminal, 4096):
                shown += piece
        out = process.stdout.read()
    os.close(terminal)

    assert out.startswith(b"log.jsonl:1: not JSON")
    assert b"findings (" in out
    assert b"MB" in shown or b"kB" in shown
    assert b"not JSON" not in shown


@pytest.mark.slow
def test_a_reader_that_goes_away_ends_it(tmp_path):
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"{}\n" * 100_000)
    with started(str(path), "--max-findings", "100000") as process:
        process.stdout.readline()
        process.stdout.close()
        process.wait(timeout=30)
        err = process.stderr.read()

    assert process.returncode == 141
    assert err == b""


def test_a_full_disk_is_said(log, right):
    if not os.path.exists("/dev/full"):
        pytest.skip("there is no /dev/full to write to")
    ran = judge(log(right), "--out", "/dev/full", "--format", "json")

    assert ran.exit_code == 2
    assert "/dev/full: cannot be written: No space left" in ran.output


# ---- How well --------------------------------------------------------------------------------


@pytest.mark.bench
def test_what_a_gigabyte_takes(tmp_path, right):
    path = tmp_path / "big.jsonl"
    with path.open("wb") as file:
        for number in range(10**9 // len(right)):
            file.write(right.replace(b"P-1", b"%d" % number))
    script = (
        "import re, sys\nfrom playproof.reports.cli import app\n"
        "try:\n    app(['judge', 'colour-collector', sys.argv[1]])\n"
        "finally:\n    print(*re.findall(r'VmHWM.*', open('/proc/self/status').read()))\n"
    )
    began = time.perf_counter()
    ran = subprocess.run(
        [sys.executable, "-c", script, str(path)], capture_output=True, text=True, check=True
    )
    seconds = time.perf_counter() - began
    plays = int(re.match(r"[\d,]+", ran.stdout)[0].replace(",", ""))
    print(f"\n{plays} Plays in {seconds:.0f} s: {plays / seconds:.0f} a second")  # noqa: T201
    print(ran.stdout)  # noqa: T201

    assert plays == 10**9 // len(right)
