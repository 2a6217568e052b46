"""``playproof drive``: what it prints and writes, and how it ends."""

from __future__ import annotations

import json
import subprocess
import sys
import xml.etree.ElementTree as ET
from contextlib import contextmanager
from pathlib import Path

import pytest
from typer.testing import CliRunner

from playproof.reports.cli import app

ROOT = Path(__file__).parents[1]
SUITE = "tests/suites/colour-collector"
BUILD = "tests/builds/colour_collector.py"
PYTHON = [sys.executable, "-S", BUILD]
HONEST = ["--callable", "tests.builds.colour_collector:answer"]
FEW = ["--without", "limits", "--without", "illegal", "--without", "leak"]


@pytest.fixture(autouse=True)
def here(monkeypatch):
    monkeypatch.chdir(ROOT)


def drive(*arguments, suite=SUITE):
    command = ["drive", "colour-collector", "--suite", str(suite), *arguments]
    return CliRunner().invoke(app, command)


@contextmanager
def served(*options):
    """Serve the sample build over HTTP."""
    command = [*PYTHON, "--http", "0", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


def test_an_honest_build_ends_with_0_and_what_was_asked_of_it():
    ran = drive(*HONEST)
    assert (ran.exit_code, ran.stderr) == (0, "")
    first, second, rules, fields, last = ran.stdout.splitlines()
    assert first.startswith("7 of 7 scripts driven (choices least, greatest, random): ")
    assert second.startswith("resumed 88 times, ")
    assert rules == "rules taken: 7 of 7"
    assert fields.startswith("fields of the state shown: 14 of 25; never: phase, ")
    assert last.startswith("0 findings. ")


def test_what_was_not_checked_is_said():
    ran = drive(*HONEST, *FEW, "--strategies", "least")
    assert "(choices least)" in ran.stdout
    assert "Not checked: leak, illegal, limits.\n" in ran.stdout


def test_a_faulty_build_ends_with_1_and_each_finding_names_rule_and_clause():
    ran = drive("--max-findings", "1", "--", *PYTHON, "--fault", "doubles-last")
    assert ran.exit_code == 1
    assert ran.stdout.startswith(f"{SUITE}/pot-doubled.json:")
    assert "  breaks: rule win; doubled-once; clause CC-45\n" in ran.stdout
    assert "Ended early: 1 finding asked for at most." in ran.stdout


def test_a_build_over_http_is_driven_too():
    with served("--fault", "whole-tens") as url:
        ran = drive("--url", url, "--max-findings", "1", *FEW, "--strategies", "least")
    assert ran.exit_code == 1
    assert "£0 was paid; the rules give £6" in ran.stdout


def test_json_says_the_same_in_every_run_but_for_times():
    def once():
        command = ["--format", "json", "--max-findings", "2", "--"]
        ran = drive(*command, *PYTHON, "--fault", "doubles-last")
        assert ran.exit_code == 1
        facts = json.loads(ran.stdout)
        assert facts.pop("times")
        return facts

    facts = once()
    assert (facts["format"], facts["version"]) == ("playproof-drive-findings", 1)
    assert facts["exit_code"] == 1
    assert facts["findings"][0]["clauses"] == ["CC-45"]
    assert once() == facts


@pytest.mark.parametrize("form", ["junit", "sarif"])
def test_findings_are_written_for_ci(form, tmp_path):
    out = tmp_path / "found"
    command = ["--format", form, "--out", str(out), "--max-findings", "1", "--"]
    ran = drive(*command, *PYTHON, "--fault", "doubles-last")
    assert ran.exit_code == 1
    assert "1 finding (shows 1)." in ran.stdout
    if form == "junit":
        (failure,) = ET.parse(out).getroot().iter("failure")
        assert "CC-45" in failure.text
    else:
        (result,) = json.loads(out.read_text("utf-8"))["runs"][0]["results"]
        assert result["ruleId"] == "CC-45"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "no build is named"),
        ([*HONEST, "--url", "http://localhost:1"], "more than one build is named"),
        ([*HONEST, "--strategies", "last"], "unknown strategy 'last'"),
        ([*HONEST, "--without", "leaks"], "did you mean leak?"),
        ([*HONEST, "--restart"], "that takes a command"),
        ([*HONEST, "--timeout", "nan"], "--timeout"),
        (
            [*HONEST, "--timeout", "1e9"],
            "timeout: 1e+09 seconds; more than 0 were expected, and",
        ),
        (["--callable", "tests.builds.colour_collector:answers"], "has no 'answers'"),
        (["--url", "http://127.0.0.1:1/"], "nothing answers there"),
        (["--", "no-such-build"], "cannot be started"),
    ],
)
def test_what_cannot_be_driven_is_bad_input(arguments, says):
    ran = drive(*arguments)
    assert ran.exit_code == 2
    assert says in ran.stderr


def test_a_suite_that_is_not_there_is_bad_input(tmp_path):
    ran = drive(*HONEST, suite=tmp_path / "none")
    assert ran.exit_code == 2
    assert "playproof suite GAME --out" in ran.stderr


def test_a_script_that_is_none_is_bad_input(tmp_path):
    (tmp_path / "a.json").write_text("{}")
    ran = drive(*HONEST, suite=tmp_path)
    assert ran.exit_code == 2
    assert "a.json: not a script" in ran.stderr
