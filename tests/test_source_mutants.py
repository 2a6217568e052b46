"""Real code with small mistakes in it is found out by driving it, or the mistake is none.

Two builds, written from the documents alone, are changed in every ordinary way, one change at
a time (``source_mutants``), and driven by the small suites, and then by those in the folder
PLAYPROOF_SUITES, a suite for each game. What no script tells apart is listed, to be looked at.

    pytest -m bench -s tests/test_source_mutants.py              prints the table, of some
    PLAYPROOF_EVERY=1 pytest -m bench -s tests/test_source_mutants.py       of every change
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from types import ModuleType

import pytest

from playproof.errors import BadInput
from playproof.models.editions import load_edition
from playproof.models.games import load_game
from playproof.oracles.builds import CallableBuild, CommandBuild
from playproof.oracles.cases import load_cases
from playproof.oracles.drive import Driver

from .node import NODE, NONE
from .source_mutants import of_javascript, of_python

HERE = Path(__file__).parent
BUILDS = HERE / "builds"
EVERY = int(os.environ.get("PLAYPROOF_EVERY", "10"))
SUITES = [HERE / "suites", *map(Path, filter(None, [os.environ.get("PLAYPROOF_SUITES")]))]
RULES = ("AMOUNTS", "START_SPINS", "BOX_SIZE", "TOP_LEVEL", "Play")


def found_out(game, build, cases):
    """Return whether driving a build finds anything wrong, or finds no build at all."""
    try:
        told = Driver(
            build, load_edition(load_game(game)), cases, ways=["least"], timeout=10, most=1
        ).drive()
    except BadInput:
        return True
    finally:
        build.close()
    return bool(told.findings)


def colour_collector(source):
    """Return a build of Colour Collector from its source, in this process."""
    module = ModuleType("changed_build")
    sys.modules[module.__name__] = module  # where its dataclasses look for their module
    exec(compile(source, "changed_build", "exec"), module.__dict__)

    class Build:
        def __init__(self):
            self.answer = module.Build().answer

        def __call__(self, request):
            return self.answer(request)

    return CallableBuild("changed", Build)


def diamond_riches(source, folder):
    """Return a build of Diamond Riches with another ``play.mjs``, in a folder."""
    (folder / "diamond_riches" / "play.mjs").write_text(source)
    return CommandBuild([str(NODE), str(folder / "diamond-riches.mjs")])


def told(game, source, changes, built):
    """Drive every build; return the number found out, and the changes that are not."""
    suites = [load_cases(suite / game) for suite in SUITES if (suite / game).is_dir()]
    for cases in suites:
        assert not found_out(game, built(source), cases), "the honest build passes"
    left = []
    for change in changes:
        try:
            build = built(change.source)
        except Exception:  # what cannot even be loaded is found out
            continue
        if not any(found_out(game, build, cases) for cases in suites):
            left.append(change)
    return len(changes) - len(left), left


def show(game, changes, killed, left):
    sys.stdout.write(f"\n{game}: {len(changes)} changes of its source, {killed} found out\n")
    for one in left:
        sys.stdout.write(f"    line {one.line}: {one.was}\n        now: {one.now}\n")


def test_changes_of_python_are_those_of_the_parts_named():
    source = (
        "A = 1\n\nclass Play:\n    def go(self):\n        if A < 2:\n            self.n += A\n"
    )
    made = list(of_python(source, ["Play"]))
    assert {one.now.splitlines()[0] for one in made} >= {"A <= 2", "3", "self.n -= A"}
    assert all(one.source.startswith("A = 1\n") for one in made)
    assert len({one.source for one in made}) == len(made)


def test_changes_of_javascript_leave_text_alone():
    source = 'import "a < b";\nlet n = 1; // 1 < 2\nif (n <= 2 && !m) n += `1 + 1`;\n'
    made = [
        one.source.removeprefix('import "a < b";\n') for one in of_javascript(source, "let")
    ]
    assert made == [
        "let n = 2; // 1 < 2\nif (n <= 2 && !m) n += `1 + 1`;\n",
        "let n = 1; // 1 < 2\nif (n < 2 && !m) n += `1 + 1`;\n",
        "let n = 1; // 1 < 2\nif (n <= 3 && !m) n += `1 + 1`;\n",
        "let n = 1; // 1 < 2\nif (n <= 2 || !m) n += `1 + 1`;\n",
        "let n = 1; // 1 < 2\nif (n <= 2 && m) n += `1 + 1`;\n",
        "let n = 1; // 1 < 2\nif (n <= 2 && !m) n -= `1 + 1`;\n",
    ]


@pytest.mark.bench
def test_changes_of_the_build_of_colour_collector():
    source = (BUILDS / "colour_collector.py").read_text()
    changes = list(of_python(source, RULES))[::EVERY]
    killed, left = told("colour-collector", source, changes, colour_collector)
    show("colour-collector", changes, killed, left)
    assert killed > 0.6 * len(changes)


@pytest.mark.bench
@pytest.mark.skipif(NODE is None, reason=NONE)
def test_changes_of_the_build_of_diamond_riches(tmp_path):
    shutil.copytree(BUILDS, tmp_path, dirs_exist_ok=True)
    source = (BUILDS / "diamond_riches" / "play.mjs").read_text()
    changes = list(of_javascript(source, "export class Play"))[::EVERY]
    killed, left = told(
        "diamond-riches", source, changes, lambda changed: diamond_riches(changed, tmp_path)
    )
    show("diamond-riches", changes, killed, left)
    assert killed > 0.6 * len(changes)
