"""``playproof prove --vmt``: what it prints and writes, and its exit codes."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from hashlib import sha256
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from playproof.proofs import solvers
from playproof.reports.cli import app

ROOT = Path(__file__).parents[1]
FILES = Path(__file__).parent / "vmt"
SAFE, UNSAFE = str(FILES / "safe/helpers.vmt"), str(FILES / "unsafe/halves.vmt")
ENDLESS = """(declare-fun x () Int) (declare-fun y () Int)
(define-fun s () Int (! x :next xn)) (define-fun t () Int (! y :next yn))
(assert (! (and (= x 3) (= y 5)) :init true))
(assert (! (and (= xn (+ (* x x y) 7)) (= yn (- (* y y x) x))) :trans true))
(define-fun p () Bool (! (not (= (* x x x) (+ (* y y y) 17))) :invar-property 0))
"""


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["prove", *arguments], env={"COLUMNS": "120"})


def test_safe_and_unsafe_are_printed_with_what_shows_them():
    result = run("--vmt", SAFE, "--vmt", UNSAFE)

    assert result.exit_code == 1
    assert "0 px" in result.output
    assert "k = 1: z3, cvc5" in result.output
    assert "trace of 3 steps, re-checked" in result.output
    assert "3 safe, 1 unsafe." in result.output


def test_a_trace_is_told_step_by_step():
    told = run("--vmt", UNSAFE).output.split("a run that breaks it")[1].splitlines()

    # Which run it is, is up to what finds one first.
    shown = "\n".join(line.strip() for line in told[1:8])
    step = r"inputs  up = (true|false)\nr: 1 → \S+"
    assert re.match(rf"start\nr = 1\nstep 1\n{step}\nstep 2\ninputs  up = (true|false)", shown)
    assert told[-2].strip() == "this state breaks it"


def test_files_may_be_many_behind_one_option():
    assert run("--vmt", SAFE, str(FILES / "safe/needs_k.vmt")).exit_code == 0


def test_a_game_does_not_go_with_files():
    result = run("--vmt", SAFE, "colour-collector")

    assert result.exit_code == 2
    assert "colour-collector: no such file" in result.output


@pytest.mark.parametrize("option", [("--property", "x"), ("--witness",)])
def test_what_is_of_games_does_not_go_with_files(option: tuple[str, ...]):
    result = run("--vmt", SAFE, *option)

    assert result.exit_code == 2
    assert "not with --vmt" in result.output


@pytest.mark.parametrize("name", ["array", "truncated", "empty", "no_start"])
def test_bad_input_is_one_message(name: str):
    result = run("--vmt", SAFE, "--vmt", str(FILES / f"error/{name}.vmt"))

    assert result.exit_code == 2
    assert result.output.startswith("playproof: ")
    assert len(result.output.splitlines()) == 1


def test_that_no_step_is_possible_is_printed():
    result = run("--vmt", str(FILES / "safe/unused_step.vmt"))

    assert result.exit_code == 0
    assert "allows no step at all" in result.output


def test_what_is_undecided_is_said(tmp_path: Path):
    path = tmp_path / "endless.vmt"
    path.write_text(ENDLESS)
    result = run("--vmt", str(path), "--timeout", "1")

    assert result.exit_code == 3
    assert "out of time: 1 s" in result.output
    assert "1 undecided." in result.output


def test_certificates_and_traces_are_written(tmp_path: Path):
    assert run("--vmt", SAFE, "--vmt", UNSAFE, "--out", str(tmp_path)).exit_code == 1

    manifest = json.loads((tmp_path / "helpers/1/manifest.json").read_text("utf-8"))
    for check in manifest["checks"]:
        text = (tmp_path / "helpers/1" / check["file"]).read_bytes()
        assert sha256(text).hexdigest() == check["sha256"]
        assert solvers.run("cvc5", text.decode()).answer == "unsat"
    trace = json.loads((tmp_path / "halves/4/trace.itf.json").read_text("utf-8"))
    assert len(trace["states"]) == 4
    assert json.loads((tmp_path / "verdicts.json").read_text("utf-8"))["exit_code"] == 1


def test_json_says_the_same_but_for_times():
    once, again = (json.loads(run("--vmt", SAFE, "--format", "json").output) for _ in range(2))
    del once["times"], again["times"]

    assert once == again
    (file,) = once["files"]
    assert [one["verdict"] for one in file["properties"]] == ["safe"] * 3


@pytest.mark.slow
def test_ctrl_c_ends_all_that_is_at_work(tmp_path: Path):
    path = tmp_path / "endless.vmt"
    path.write_text(ENDLESS)
    process = subprocess.Popen(
        [sys.executable, "-m", "playproof", "prove", "--vmt", str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        start_new_session=True,
    )
    time.sleep(6)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)

    assert process.returncode == 130
    assert "interrupted" in errors
    assert "Traceback" not in errors
    for _ in range(50):
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)
    pytest.fail("a process is left")
