"""The README tells the truth: examples run as shown, tables are what they are made from."""

import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from rich.console import Console

from playproof.reports.markdown import verdict_tables
from playproof.reports.proving import prove_all
from playproof.reports.request import choose

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")


@dataclass(frozen=True)
class Example:
    """A command as typed, and the output shown below it; ``…`` stands for any lines."""

    command: str
    output: str


def examples():
    """Yield every ``$`` command of the README's console blocks with its output."""
    for block in re.findall(r"^```console\n(.*?)^```", README, re.MULTILINE | re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            yield Example(command, output)


def even(text):
    """Return text without what differs from run to run: times, and the blanks they move."""
    timeless = re.sub("─+", "─", re.sub(r"\d+\.\d\d? s\b", "TIME", text))
    return "\n".join(" ".join(line.split()) for line in timeless.strip().splitlines())


def pattern(shown):
    """Return what output must match: the lines shown, ``…`` alone standing for any lines."""
    parts = re.split(r"^…$", even(shown), flags=re.MULTILINE)
    return re.compile(r"[\s\S]*".join(re.escape(part.strip("\n")) for part in parts))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A place to run in, with the example game at hand and two proofs of it."""
    made = tmp_path_factory.mktemp("readme")
    (made / "tests").symlink_to(ROOT / "tests")
    asked = choose(["tests.lucky_dip:LUCKY_DIP"], ["in-range", "stars-carry"], [], None)
    prove_all(asked, 1, None, Console(quiet=True)).write(made / "out" / "dip")
    return made


def test_there_are_examples():
    commands = {example.command.split()[1] for example in examples()}

    assert {"prove", "recheck", "script", "explain"} <= commands


WHOLE = "playproof prove --out out/proofs"
"""What proves everything of both games; the README's first command has run it."""


@pytest.mark.parametrize(
    "example",
    [one for one in examples() if one.command != WHOLE],
    ids=lambda example: example.command,
)
def test_examples_run_as_shown(example, folder):
    program, *arguments = shlex.split(example.command)
    assert program == "playproof"

    ran = subprocess.run(
        [sys.executable, "-m", "playproof", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        env={key: value for key, value in os.environ.items() if key != "COLUMNS"},
        timeout=280,
        check=False,
    )

    assert ran.stderr == ""
    wrong = re.search(r"unreachable|^[1-9]\d* finding", example.output, re.MULTILINE)
    assert ran.returncode == (1 if wrong else 0)
    assert pattern(example.output).fullmatch(even(ran.stdout)), ran.stdout


@pytest.mark.whole
def test_the_whole_run_is_as_shown():
    """Compared with what the README's first command wrote, here or in a clean clone."""
    (example,) = (one for one in examples() if one.command == WHOLE)
    written = (ROOT / "out" / "proofs" / "verdicts.txt").read_text("utf-8")

    assert pattern(example.output).fullmatch(even(written)), written


def test_a_wrong_example_is_seen():
    assert pattern("proved 0.10 s\n…\nend").fullmatch(even("proved  7.2 s\na\nb\nend\n"))
    assert not pattern("proved 0.10 s").fullmatch(even("refuted 0.10 s"))


def test_the_table_of_verdicts_is_made_from_the_manifests():
    (shown,) = re.findall(r"<!-- verdicts -->\n(.*?)<!-- /verdicts -->", README, re.DOTALL)

    assert shown.strip() == verdict_tables().strip()


def test_code_is_quoted_from_the_example_game():
    game = (ROOT / "tests" / "lucky_dip.py").read_text("utf-8")
    quoted = re.findall(r"^```python\n(.*?)^```", README, re.MULTILINE | re.DOTALL)

    assert any(block in game for block in quoted if "@rule" in block)


def test_paths_exist():
    named = re.findall(r"`((?:models|proofs|reports|tests|\.ci)/[\w./-]*)`", README)
    linked = re.findall(r"\]\(([\w./-]+)\)", README)

    assert named
    assert linked
    for path in (*named, *linked):
        for game in ("colour-collector", "diamond-riches"):
            assert (ROOT / path.replace("GAME", game)).exists()


def test_there_are_two_commands_to_set_up():
    lines = re.findall(r"^python3 -m venv .*$", README, re.MULTILINE)

    assert len(lines) == 2
    assert "playproof prove" in lines[0]
    assert lines[1].endswith("pytest --quiet")
