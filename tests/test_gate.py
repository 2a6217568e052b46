"""The gate: one run over edition, proofs, suite, build and logs, with one exit code."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from hashlib import sha256
from pathlib import Path

import pytest
from typer.testing import CliRunner

from playproof.errors import BadInput
from playproof.oracles.gate import load_gate
from playproof.reports import stages
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


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (("url", "callable = 'no_such_build:answer' #"), "no module 'no_such_build'"),
        (("[build]", "logs = ['none.jsonl']\n[build]"), "none.jsonl: cannot be read"),
        (("[build]", "logs = ['*.none']\n[build]"), "*.none: no file is called like this"),
        (
            ("[build]", "logs = ['playproof.toml']\nadapter = 'none:records'\n[build]"),
            "no module 'none'",
        ),
    ],
)
def test_what_is_missing_is_found_before_anything_is_run(change, says, monkeypatch):
    """A build is not driven for minutes, and rules are not proved, for nothing."""
    monkeypatch.setattr(stages, "edition", pytest.fail)
    text = "game = 'colour-collector'\nprove = false\n[build]\nurl = 'http://127.0.0.1:9'\n"
    ran = run(text.replace(*change))
    assert ran.exit_code == 2, ran.output
    assert says in ran.stderr


@pytest.mark.parametrize("adapter", ["book:names.toml", "own_adapter_of_ci:events"])
def test_an_adapter_is_looked_for_where_the_file_is(adapter):
    Path("ci").mkdir()
    write('[events]\nthe_end = "finish"\n', "ci/names.toml")
    write("def events(book):\n    return []\n", "ci/own_adapter_of_ci.py")
    book = {"id": 7, "events": [{"index": 0, "type": "the_end"}], "payoutMultiplier": 100}
    write(json.dumps(book) + "\n", "ci/books.jsonl")
    said = f'logs = ["books.jsonl"]\nadapter = "{adapter}"\n'
    write('game = "colour-collector"\nprove = false\n' + said, "ci/playproof.toml")
    ran = CliRunner().invoke(app, ["gate", "--config", "ci/playproof.toml"])
    assert ran.exit_code == 1, ran.output
    code = "illegal" if adapter.startswith("book") else "empty"
    found = json.loads(Path("ci/out/gate/gate.json").read_text("utf-8"))["findings"]
    assert code in {finding["code"] for finding in found}


def test_proofs_are_checked_again_and_a_changed_one_fails(proofs):
    text = f'game = "tests.lucky_dip:LUCKY_DIP"\nedition = "dip.toml"\nprove = "{proofs}"\n'
    edition()
    ran = run(text)
    assert ran.exit_code == 0, ran.output
    assert "2 of 2 proofs confirmed" in ran.stdout

    changed = shutil.copytree(proofs, "changed")
    file = next(Path(changed).glob("**/in-range/base.smt2"))
    file.write_text(file.read_text("utf-8") + "(assert false)\n", encoding="utf-8")
    ran = run(text.replace(str(proofs), "changed"))
    assert ran.exit_code == 2, ran.output
    assert "base.smt2" in ran.stderr
    assert not list(Path("out/gate").glob("gate.*"))


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
        ("game = 'g'\n[build]\nurl='u'\ntimeout = 0", "line 4: build.timeout: 0 seconds; more"),
        ("game = 'g'\n[build]\nurl='u'\ntimeout = nan", "line 4: build.timeout: nan seconds"),
        ("game = 'g'\n[build]\nurl='u'\ntimeout = 1e9", "and 86400 at most"),
        ("game = 'g'\n[build]\nurl='u'\nmax_findings=0", "line 4: build.max_findings: more"),
        (
            "game = 'g'\n[build]\ncommand=''",
            'line 3: build.command: a list of words was expected, such as ["python3", "build',
        ),
        (
            "game = 'g'\n[build]\ncommand='node b.mjs'",
            'a list of words was expected, such as ["node", "b.mjs"]',
        ),
        (
            "game = 'g'\n[build]\ncommand=7",
            "line 3: build.command: expected a list, got a whole",
        ),
        ("game = 'g'\n[build]\ncommand=[]", "line 3: build.command: it is empty"),
        ("game = 'g'\n[build]\ncommand=['']", "line 3: build.command: it is empty"),
        ("game = 'g'\n[build]\nurl=''", "line 3: build.url: it is empty"),
        ("game = 'g'\n[build]\nurl=1", "line 3: build.url: expected text, got a whole number"),
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


def suited(change=None):
    """Write a suite of one script, with an index, changed in a way; return where it is."""
    folder = Path("suite")
    folder.mkdir()
    script = (SUITE / "nothing-won.json").read_bytes()
    (folder / "one.json").write_bytes(script)
    facts = json.loads(script)
    listed = {
        "file": "one.json",
        "sha256": sha256(script).hexdigest(),
        "target": "£0",
        "steps": len(facts["steps"]),
        "covers": [],
    }
    index = {
        "format": "playproof-suite",
        "version": 1,
        "game": facts["game"],
        "edition": facts["edition"],
        "readings": facts["readings"],
        "seed": 0,
        "size": "1",
        "scripts": [listed],
        "goals": [],
    }
    text = json.dumps(index)
    (folder / "suite.json").write_text(text, encoding="utf-8")
    if change:
        change(folder, script.decode(), text)
    return gate().replace(str(SUITE), "suite")


def replaced(name, old, new):
    def change(folder, script, index):
        text = script if name == "one.json" else index
        assert old in text
        (folder / name).write_text(text.replace(old, new), encoding="utf-8")

    return change


def loose(old, new):
    """Change a script that no index lists."""

    def change(folder, script, index):
        (folder / "suite.json").unlink()
        replaced("one.json", old, new)(folder, script, index)

    return change


def slow(*values):
    return pytest.param(*values, marks=pytest.mark.slow)


@pytest.mark.slow
def test_a_suite_with_an_index_is_driven():
    ran = run(suited())
    assert ran.exit_code == 0, ran.output
    assert "drive    passed   1 of 1 script" in ran.stdout


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (replaced("one.json", '"amount": 0', '"amount": 5'), "not the script that suite.json"),
        (
            replaced("suite.json", '"goals": []}', ""),
            "not a suite of version 1: Input data was",
        ),
        (replaced("suite.json", "one.json", "two.json"), "two.json: cannot be read: No such"),
        (
            lambda folder, script, index: (folder / "one.json").unlink(),
            "one.json: cannot be read",
        ),
        (
            loose('"colour-collector"', '"lucky-dip"'),
            "a script of lucky-dip, not of colour-coll",
        ),
        (loose('"hash": "', '"hash": "0'), "made for edition 'default' with another content"),
        slow(loose('"rule": "spin"', '"rule": "spins"'), "step 1: no rule 'spins'; there are:"),
        slow(loose('"bonus_symbols"', '"bonus"'), "step 1: spin reveals bonus_symbols"),
        (loose('"steps"', '"stops"'), "one.json"),
    ],
)
def test_a_suite_that_does_not_fit_is_bad_input(change, says):
    ran = run(suited(change))
    assert ran.exit_code == 2, ran.output
    assert says in ran.stderr
    assert "Traceback" not in ran.stderr
    assert not list(Path("out/gate").glob("gate.*"))


def test_bad_input_leaves_no_report_of_an_earlier_run():
    Path("out/gate").mkdir(parents=True)
    for name in ("gate.json", "gate.xml", "gate.sarif", "other.json"):
        (Path("out/gate") / name).touch()
    assert run(gate(more="edition = 'none.toml'")).exit_code == 2
    assert [path.name for path in Path("out/gate").iterdir()] == ["other.json"]


@pytest.mark.slow
def test_a_gate_that_is_killed_leaves_no_report():
    text = suited()
    assert run(text).exit_code == 0
    hangs = f'command = ["{sys.executable}", "-c", "import time; time.sleep(60)"]'
    write(text.replace(CALLED, hangs))
    command = [sys.executable, "-m", "playproof", "gate"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
        for line in running.stdout:
            if line.startswith("suite "):
                break
        running.kill()
    assert not list(Path("out/gate").glob("gate.*"))
    assert run(text).exit_code == 0


@pytest.mark.parametrize("place", ["plain/out", "/proc/nothing/out"])
def test_where_nothing_can_be_written_is_bad_input(place):
    Path("plain").touch()
    ran = run(gate(more=f'out = "{place}"'))
    assert ran.exit_code == 2
    assert "cannot be written to" in ran.stderr


def test_a_report_that_cannot_be_replaced_is_bad_input():
    Path("out/gate/gate.xml").mkdir(parents=True)
    ran = run(gate())
    assert ran.exit_code == 2
    assert "out/gate/gate.xml: cannot be replaced: " in ran.stderr


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
