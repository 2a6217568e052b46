"""The pytest plugin: a test for every script of a suite, and what is wrong said readably."""

from __future__ import annotations

import subprocess
import sys
from hashlib import sha256
from importlib.metadata import entry_points
from pathlib import Path

import msgspec
import pytest

from playproof.models.editions import load_edition
from playproof.models.games import load_game
from playproof.oracles import playing  # else every run within a run would import it anew
from playproof.oracles.ground import Ground
from playproof.oracles.script import make, write
from playproof.oracles.suite import Listed, Made, Suite
from playproof.oracles.wander import Wander

from .lucky_dip import LUCKY_DIP

pytest_plugins = "pytester"

ROOT = Path(__file__).parents[1]
BUILDS = ROOT / "tests" / "builds"
TEST = """
def test_build(oracle_case, build):
    oracle_case.play(build)
"""
BUILD = """
from colour_collector import Build
honest = Build().answer
faulty = Build("surplus-lost").answer
"""


@pytest.fixture(scope="module")
def suite(tmp_path_factory):
    """A suite of a few Plays that wander, one of which has symbols over a full box."""
    folder = tmp_path_factory.mktemp("suite")
    ground = Ground(load_edition(load_game("colour-collector")))
    wander, files = Wander(ground), []
    while len(files) < 3:
        trace = wander.play(wild=12)
        over = trace is not None and any(
            before["s.bonus_box"] + move.revealed.get("r.spin.bonus_symbols", 0) > 6
            for before, move in zip(trace.states, trace.moves, strict=False)
        )
        if trace is None or (not files and not over):
            continue
        number = len(files) + 1
        target = ground.target(trace.end)
        script = make(ground.edition, target, ground.play(trace), number=number)
        files.append(write(script, folder))
    listed = [
        Listed(file.name, sha256(file.read_bytes()).hexdigest(), "", 0, []) for file in files
    ]
    made = Made(ground.edition.name, ground.edition.hash)
    index = Suite(
        "playproof-suite", 1, ground.game.id, made, ground.readings, 0, "3", listed, goals=[]
    )
    (folder / "suite.json").write_bytes(msgspec.json.encode(index))
    return folder


@pytest.fixture
def project(pytester, suite, monkeypatch):
    """A project of its own, with a build and a configuration."""
    monkeypatch.syspath_prepend(str(BUILDS))
    pytester.makepyfile(our_build=BUILD)
    monkeypatch.syspath_prepend(str(pytester.path))
    pytester.makeini(
        f"[pytest]\nplayproof_suite = {suite}\nplayproof_build = our_build:honest\n"
    )
    pytester.makepyfile(TEST)
    return pytester


def run(project, *options):
    if not entry_points(group="pytest11", name="playproof"):  # installed before there was one
        options = ("-p", "playproof.oracles.plugin", *options)
    assert playing.__name__ in sys.modules
    without = [f"-pno:{name}" for name in ("xdist", "cacheprovider", "hypothesispytest")]
    return project.runpytest_inprocess(*without, *options)


def test_a_test_runs_for_each_script_and_is_called_after_its_file(project, suite):
    result = run(project, "-v")
    result.assert_outcomes(passed=3)
    names = sorted(path.stem for path in suite.glob("*.json") if path.name != "suite.json")
    for name in names:
        result.stdout.fnmatch_lines([f"*test_build?{name}? PASSED*"])


def test_a_finding_is_a_readable_failure_without_a_trace_of_ours(project):
    result = run(project, "--playproof-build", "our_build:faulty")
    assert result.parseoutcomes()["failed"] >= 1
    result.stdout.fnmatch_lines(["*bonus_box is *", "  breaks: *overflow-carries*"])
    result.stdout.no_fnmatch_line("*playing.py*")
    result.stdout.no_fnmatch_line("*During handling*")


def test_a_marker_names_another_suite(project, tmp_path):
    project.makepyfile(
        f"""
        import pytest

        @pytest.mark.oracle(suite={str(tmp_path / "none")!r})
        def test_build(oracle_case, build):
            oracle_case.play(build)
        """
    )
    result = run(project)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*none: no folder; playproof suite GAME --out*"])


def test_a_folder_of_scripts_without_an_index_will_do(project, suite):
    loose = project.mkdir("loose")
    for file in suite.glob("*.json"):
        if file.name != "suite.json":
            (loose / file.name).write_bytes(file.read_bytes())
    run(project, "--playproof-suite", str(loose)).assert_outcomes(passed=3)
    result = run(project, "--playproof-suite", str(project.mkdir("empty")))
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*empty: no script in it*"])


def test_a_game_of_ones_own_is_named(project, tmp_path):
    edition = load_edition(LUCKY_DIP, ROOT / "tests" / "lucky_dip.toml")
    ground = Ground(edition)
    trace = Wander(ground).play(wild=0)
    assert trace is not None
    script = make(edition, ground.target(trace.end), ground.play(trace), number=1)
    write(script, tmp_path / "dip")
    said = {
        "suite": tmp_path / "dip",
        "edition": ROOT / "tests" / "lucky_dip.toml",
        "build": "tests.builds.lucky_dip:answer",
    }
    project.makeini("[pytest]\n" + "".join(f"playproof_{k} = {v}\n" for k, v in said.items()))

    run(project).stdout.fnmatch_lines(["*unknown game 'lucky-dip'*"])
    named = run(project, "--playproof-game", "tests.lucky_dip:LUCKY_DIP")
    named.assert_outcomes(passed=1)
    missing = run(project, "--playproof-game", "tests.no_such_dip:LUCKY_DIP")
    missing.stdout.fnmatch_lines(["*no module 'tests.no_such_dip'*"])


def test_what_is_not_said_is_asked_for(project):
    project.makeini("[pytest]\n")
    run(project).stdout.fnmatch_lines(["*oracle_case: no suite is named; say playproof_suite*"])


def test_a_build_that_is_not_there_is_said_in_one_sentence(project):
    result = run(project, "--playproof-build", "our_build:missing")
    result.stdout.fnmatch_lines(["*our_build*missing*"])
    assert result.ret != 0


def test_the_plugin_imports_nothing_heavy_for_tests_that_do_not_ask():
    code = (
        "import sys, pytest\n"
        "import playproof.oracles.plugin\n"
        "heavy = {'z3', 'cvc5', 'networkx', 'msgspec', 'hypothesis', 'rich'}\n"
        "before = {'hypothesis', 'rich'} & set(sys.modules)\n"
        "print(sorted(heavy & set(sys.modules) - before))"
    )
    out = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert out.stdout.strip() == "[]"
