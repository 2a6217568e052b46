"""The gate: one run over edition, proofs, suite, build and logs, with one exit code."""

from __future__ import annotations

import json
import re
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from typer.testing import CliRunner

from playproof.errors import BadInput
from playproof.oracles.gate import load_gate
from playproof.reports.cli import app

ROOT = Path(__file__).parents[1]
SUITE = ROOT / "tests" / "suites" / "colour-collector"
BUILD = ROOT / "tests" / "builds" / "colour_collector.py"
HONEST = f'command = ["{sys.executable}", "-S", "{BUILD}"]'
CALLED = 'callable = "tests.builds.colour_collector:answer"'


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(ROOT))
    return tmp_path


def write(text, name="playproof.toml"):
    Path(name).write_text(text, encoding="utf-8")
    return Path(name)


def run(text, *more):
    write(text)
    return CliRunner().invoke(app, ["gate", "--jobs", "1", *more])


def gate(build=CALLED, more=""):
    return (
        f'game = "colour-collector"\nprove = false\nsuite = "{SUITE}"\n{more}\n'
        f"[build]\n{build}\n"
    )


def written():
    out = Path("out/gate")
    facts = json.loads((out / "gate.json").read_text("utf-8"))
    cases = ET.parse(out / "gate.xml").getroot()
    sarif = json.loads((out / "gate.sarif").read_text("utf-8"))
    return facts, cases, sarif["runs"][0]


def test_an_honest_build_passes():
    ran = run(gate())
    facts, cases, sarif = written()

    assert ran.exit_code == facts["exit_code"] == 0, ran.output
    assert ran.stdout.splitlines()[-1].startswith("gate passed. ")
    assert cases.get("failures") == cases.get("errors") == "0"
    assert int(cases.get("tests")) == 1 + len(list(SUITE.glob("*.json")))
    assert sarif["results"] == []
    verdicts = {stage["stage"]: stage["verdict"] for stage in facts["stages"]}
    assert verdicts == {
        "edition": "passed",
        "proofs": "left out",
        "suite": "passed",
        "drive": "passed",
        "logs": "left out",
    }


def test_a_faulty_build_fails_and_all_that_is_written_names_the_clause():
    ran = run(gate(f'{HONEST[:-1]}, "--fault", "doubles-last"]'))
    facts, cases, sarif = written()

    assert ran.exit_code == facts["exit_code"] == 1
    assert "gate failed: drive. " in ran.stdout
    assert "clause CC-45" in ran.stdout
    assert all("CC-45" in finding["clauses"] for finding in facts["findings"])
    assert all("CC-45" in failure.text for failure in cases.iter("failure"))
    assert {result["ruleId"] for result in sarif["results"]} == {"CC-45"}
    places = [one["physicalLocation"] for r in sarif["results"] for one in r["locations"]]
    assert all("suites/colour-collector/" in one["artifactLocation"]["uri"] for one in places)
    assert all(one["region"]["startLine"] > 1 for one in places)


@pytest.mark.slow
def test_what_is_written_is_the_same_in_every_run_but_for_times():
    def once():
        run(gate(f'{HONEST[:-1]}, "--fault", "doubles-last"]\nmax_findings = 2'))
        facts, _, sarif = written()
        assert facts.pop("times")
        return facts, sarif

    assert once() == once()


def test_logs_are_judged_too():
    events = [
        {"play": "P", "step": 0, "event": "start", "outcome": {"amount": 0}},
        {"play": "P", "step": 1, "event": "finish", "reveal": {}, "paid": 500},
    ]
    Path("plays.jsonl").write_text("".join(json.dumps(one) + "\n" for one in events))
    ran = run('game = "colour-collector"\nprove = false\nlogs = ["plays.jsonl"]\n')
    facts, cases, _ = written()

    assert ran.exit_code == 1
    assert "gate failed: logs. " in ran.stdout
    assert {finding["where"]["file"] for finding in facts["findings"]} == {"plays.jsonl"}
    assert "plays.jsonl" in {suite.get("name") for suite in cases}


def test_proofs_are_checked_again_and_a_changed_one_fails(proofs):
    text = f'game = "tests.lucky_dip:LUCKY_DIP"\nedition = "dip.toml"\nprove = "{proofs}"\n'
    edition()
    ran = run(text)
    assert ran.exit_code == 0, ran.output
    assert "2 of 2 proofs confirmed" in ran.stdout


@pytest.mark.slow
def test_a_verdict_that_is_not_the_expected_one_fails():
    edition()
    ran = run('game = "tests.lucky_dip:LUCKY_DIP"\nedition = "dip.toml"\n')
    facts, cases, sarif = written()

    assert ran.exit_code == 1
    assert "gate failed: proofs. " in ran.stdout
    assert [one["properties"] for one in facts["findings"]] == [
        ["never-full"],
        ["no-coin-lost"],
    ]
    finding = facts["findings"][0]
    assert finding["code"] == "proof"
    assert finding["where"]["file"] == "out/gate/proofs/lucky-dip/never-full"
    assert (Path("out/gate/proofs/verdicts.json")).is_file()
    assert cases.get("failures") == "2"
    assert sarif["results"][0]["ruleId"] == "LD-2"


def edition():
    write(
        'game = "lucky-dip"\nname = "tests"\n'
        '[parameters.jar]\nvalue = 4\nsource = "a test"\n'
        '[parameters.amount]\nvalue = 500\nsource = "a test"\n',
        "dip.toml",
    )


@pytest.fixture(scope="module")
def proofs(tmp_path_factory):
    from playproof.proofs.filing import file_certificate
    from playproof.proofs.prover import prove

    from .lucky_dip import LUCKY_DIP

    made = tmp_path_factory.mktemp("proofs")
    for name in ("in-range", "stars-carry"):
        claim = LUCKY_DIP.property(name)
        file_certificate(prove(LUCKY_DIP, claim), made, claim.says, claim.clauses)
    return made


# What is asked for


def test_paths_begin_at_the_file(tmp_path):
    (tmp_path / "ci").mkdir()
    found = load_gate(write(gate(more='edition = "e.toml"\nlogs = ["l/*.gz"]'), "ci/p.toml"))
    assert found.edition == Path("ci/e.toml")
    assert found.logs == ("ci/l/*.gz",)
    assert found.out == Path("ci/out/gate")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("suite = 'x'", "p.toml: key 'game' is missing"),
        ("game = 'g'\nlog = []", "line 2: unknown key 'log'; did you mean logs?"),
        ("game = 7", "line 1: game: expected text, got a whole number"),
        ("game = 'g'\nprove = 1", "line 2: prove: true, false or a folder was expected, not 1"),
        ("game = 'g'\nprove = false", "nothing is to be checked"),
        ("game = 'g'\nadapter = 'book'", "line 2: adapter: there are no logs for it"),
        ("game = 'g'\n[build]\n", "line 2: build: one of command, url and callable, not none"),
        ("game = 'g'\n[build]\nurl='u'\ncallable='c'", "not url and callable"),
        (
            "game = 'g'\n[build]\ncomand=[]",
            "line 3: unknown key 'comand'; did you mean command",
        ),
        ("game = 'g'\n[build]\nurl='u'\ntimeout = 0", "line 4: build.timeout: more than 0"),
        (
            "game = 'g'\n[build]\nurl='u'\nwithout=['x']",
            "line 4: build.without: 'x'; there are",
        ),
        (
            "game = 'g'\n[build]\nurl='u'\nstrategies=[]",
            "line 4: build.strategies: one of least",
        ),
        ("game = 'g'\n[readings]\nvaluation = 1", "readings"),
        ("game = ", "not TOML"),
    ],
)
def test_a_file_that_is_wrong_is_told_with_its_line(text, says):
    with pytest.raises(BadInput) as error:
        load_gate(write(text, "p.toml"))
    assert says in str(error.value)
    assert str(error.value).startswith("p.toml")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "says"),
    [
        (gate('command = ["no-such-build"]'), "'no-such-build' cannot be started"),
        (gate(more='edition = "none.toml"'), "none.toml: cannot be read"),
        (gate(more="[readings]\nvaluation = 'at-fill'"), "made under other readings"),
        (gate(more="[readings]\nvaluation = 'never'"), "'never'"),
        (gate().replace("colour-collector", "color-collector", 1), "did you mean colour"),
    ],
)
def test_what_cannot_be_run_is_bad_input(text, says):
    ran = run(text)
    assert ran.exit_code == 2
    assert says in ran.stderr


def test_a_missing_file_is_bad_input():
    ran = CliRunner().invoke(app, ["gate"])
    assert ran.exit_code == 2
    assert "playproof.toml: cannot be read" in ran.stderr


def test_the_readme_quotes_a_file_that_passes():
    readme = (ROOT / "README.md").read_text("utf-8")
    (quoted,) = re.findall(r"^```toml\n(.*?)^```", readme, re.MULTILINE | re.DOTALL)
    assert quoted == (ROOT / "tests" / "playproof.toml").read_text("utf-8")


@pytest.mark.slow
def test_a_suite_that_is_missing_is_made_for_any_game():
    edition()
    text = 'game = "tests.lucky_dip:LUCKY_DIP"\nedition = "dip.toml"\nprove = false\n'
    ran = run(text + '[build]\ncallable = "tests.builds.lucky_dip:answer"\n')
    assert ran.exit_code == 0, ran.output
    assert ", made now; " in ran.stdout
    assert (Path("suite") / "suite.json").is_file()

    again = run(text + '[build]\ncallable = "tests.builds.lucky_dip:answer"\n')
    assert "made now" not in again.stdout
    assert " covered" in again.stdout
