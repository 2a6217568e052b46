"""The README's example for GitHub Actions: what it runs is red for a faulty build, and what it
hands over is there then."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from playproof.oracles.gate import load_gate

yaml = pytest.importorskip("yaml", reason="the example is read with PyYAML")

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")

# The name of each action that is used, its version here, and what it has to be told.
ACTIONS = {
    "actions/checkout@v6": {"repository", "path"},
    "actions/setup-python@v6": {"python-version"},
    "actions/upload-artifact@v7": {"name", "path"},
    "github/codeql-action/upload-sarif@v4": {"sarif_file"},
}


def workflow():
    (quoted,) = re.findall(r"^```yaml\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
    return yaml.safe_load(quoted)


def steps():
    return workflow()["jobs"]["gate"]["steps"]


def runs():
    return [step["run"] for step in steps() if "run" in step]


def test_it_is_a_workflow_that_may_write_what_it_found():
    made = workflow()
    assert made[True] == ["push"]  # YAML reads the key ``on`` as true
    (job,) = made["jobs"].values()
    assert job["permissions"] == {"contents": "read", "security-events": "write"}
    for step in job["steps"]:
        assert ("uses" in step) != ("run" in step)
        if "uses" in step:
            assert step.get("with", {}).keys() <= ACTIONS[step["uses"]]


def test_it_installs_what_it_checked_out_and_then_runs_the_gate():
    places = [step["with"]["path"] for step in steps() if "repository" in step.get("with", {})]
    assert runs() == [f"pip install ./{places[0]}", "playproof gate"]


def test_what_is_handed_over_is_what_a_gate_writes_also_when_it_fails(tmp_path):
    (tmp_path / "playproof.toml").write_text('game = "colour-collector"\n', "utf-8")
    out = load_gate(tmp_path / "playproof.toml").out.relative_to(tmp_path)
    _, artifact, sarif = [step for step in steps() if "if" in step or step.get("run")][-3:]
    assert artifact["with"]["path"] == str(out)
    assert artifact["if"] == "always()"
    assert sarif["with"]["sarif_file"] == f"{out}/gate.sarif"
    assert sarif["if"] == f"always() && hashFiles('{out}/gate.sarif') != ''"


@pytest.mark.slow
@pytest.mark.parametrize(("fault", "code"), [("", 0), ("whole-tens", 1)])
def test_its_steps_end_red_for_a_faulty_build_alone(fault, code, tmp_path):
    """All steps but the one that installs, which takes minutes and is what .ci/run does too."""
    project = tmp_path / "project"
    shutil.copytree(ROOT / "tests" / "suites" / "colour-collector", project / "suite")
    shutil.copy(ROOT / "tests" / "builds" / "colour_collector.py", project / "build.py")
    command = ["python3", "build.py", *(["--fault", fault] if fault else [])]
    (project / "playproof.toml").write_text(
        f'game = "colour-collector"\nprove = false\n[build]\ncommand = {json.dumps(command)}\n'
        "max_findings = 1\n",
        "utf-8",
    )
    playproof = tmp_path / "bin" / "playproof"
    playproof.parent.mkdir()
    playproof.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m playproof "$@"\n', "utf-8")
    playproof.chmod(0o755)
    path = f"{playproof.parent}:{Path(sys.executable).parent}:/usr/bin:/bin"

    for run in runs()[1:]:
        shell = ["bash", "-e", "-c", run]  # as the runner does
        done = subprocess.run(shell, cwd=project, env={"PATH": path}, check=False)
        assert done.returncode == code

    out = project / "out" / "gate"
    made = json.loads((out / "gate.sarif").read_text("utf-8"))["runs"][0]
    failures = [*ET.parse(out / "gate.xml").getroot().iter("failure")]
    assert json.loads((out / "gate.json").read_text("utf-8"))["exit_code"] == code
    assert len(made["results"]) == len(failures) == code
    for result in made["results"]:
        place = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        assert (project / place).is_file()  # where code scanning shows it
