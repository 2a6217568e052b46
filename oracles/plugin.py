"""The pytest plugin: a test for every script of a suite.

    # pytest.ini
    playproof_suite = suites/colour-collector
    playproof_build = our_game.build:answer
    playproof_game = our_game.rules:GAME    # only for a game of your own

    def test_build(oracle_case, build):
        oracle_case.play(build)

A test that asks for ``oracle_case`` runs once for each script of the suite, and is called after
the script's file. ``@pytest.mark.oracle(suite="DIR")`` names another suite. Nothing is imported
before a test asks, so that other tests are as quick as ever.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from ..models.editions import Edition
    from .builds import Build
    from .cases import Case
    from .playing import Playing
    from .script import Script

__all__ = ["OracleCase"]

_HELP = {
    "suite": "the folder that `playproof suite GAME --out DIR` wrote, or one of scripts",
    "build": "the build to be tested: module:function, an address, or a command line",
    "game": "the suite's game as module:ATTRIBUTE, if it is one of your own",
    "edition": "the edition the suite was made for, if it is not the game's default",
}


class OracleCase:
    """A script of a suite, and what plays it."""

    def __init__(self, case: Case, playing: Playing) -> None:
        self._case, self._playing = case, playing

    @property
    def name(self) -> str:
        """The name of the script's file, without its ending."""
        return self._case.name

    @property
    def script(self) -> Script:
        """The script: target, reveals, and what has to be shown."""
        return self._case.script

    def play(self, build: Any) -> None:
        """Play the script with a build: a function of a request, or what ``build`` gives.

        It is played with several ways to choose, and resumed after every step. Raises
        BuildFails, an AssertionError that says what is wrong, at the first finding.
        """
        from .playing import BuildFails, connected

        said = ""  # failing here and not below, so that the failure is shown once
        try:
            self._playing.play(self._case, connected(build))
        except BuildFails as failure:
            said = str(failure)
        if said:
            pytest.fail(said, pytrace=False)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options and the lines of the configuration file."""
    group = parser.getgroup("playproof")
    for name, text in _HELP.items():
        group.addoption(f"--playproof-{name}", metavar=name.upper(), default=None, help=text)
        parser.addini(f"playproof_{name}", text, default="")


def pytest_configure(config: pytest.Config) -> None:
    """Make the marker known."""
    config.addinivalue_line(
        "markers", "oracle(suite): run the test for each script of this suite (playproof)"
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that asks for ``oracle_case`` once for each script of its suite."""
    if "oracle_case" not in metafunc.fixturenames:
        return
    from ..errors import BadInput

    marker = metafunc.definition.get_closest_marker("oracle")
    named = (marker.kwargs.get("suite") or next(iter(marker.args), None)) if marker else None
    folder = _path(metafunc.config, "suite", named)
    if folder is None:
        raise pytest.Collector.CollectError(
            "oracle_case: no suite is named; say playproof_suite = DIR in the configuration, "
            "--playproof-suite DIR, or @pytest.mark.oracle(suite=DIR)"
        )
    try:
        cases = _cases(folder, _edition(metafunc.config))
    except BadInput as error:
        raise pytest.Collector.CollectError(str(error)) from None
    names = [case.name for case in cases]
    metafunc.parametrize("oracle_case", cases, ids=names, indirect=True)


def _said(config: pytest.Config, name: str) -> str:
    return config.getoption(f"playproof_{name}") or str(config.getini(f"playproof_{name}"))


def _path(config: pytest.Config, name: str, given: str | None = None) -> Path | None:
    """Return a path that was given, or said to pytest: then it is seen from its root."""
    said = given or _said(config, name)
    return config.rootpath / said if said else None


def _edition(config: pytest.Config) -> Edition | Path | None:
    """Return the edition that was said; a game of one's own may be in pytest's root."""
    file, game = _path(config, "edition"), _said(config, "game")
    if not game:
        return file
    from ..models.editions import load_edition
    from ..models.games import load_game

    if (root := str(config.rootpath)) not in sys.path:
        sys.path.insert(0, root)
    return load_edition(load_game(game), file)


def _cases(folder: Path, edition: Edition | Path | None) -> list[OracleCase]:
    from .cases import load_cases
    from .playing import Playing

    cases = load_cases(folder)
    playing = Playing.of(cases[0].script, edition)
    return [OracleCase(case, playing) for case in cases]


@pytest.fixture
def oracle_case(request: pytest.FixtureRequest) -> OracleCase:
    """Give a script of the suite; the test runs once for each."""
    case: OracleCase = request.param
    return case


@pytest.fixture(scope="session")
def build(pytestconfig: pytest.Config) -> Iterator[Build]:
    """Give the build that ``playproof_build`` names, connected for the whole run."""
    from ..errors import BadInput
    from .playing import connected

    named = _said(pytestconfig, "build")
    if not named:
        pytest.fail(
            "build: none is named; say playproof_build = module:function (or an address, or a "
            "command) in the configuration, or --playproof-build",
            pytrace=False,
        )
    said = ""
    try:
        connection = connected(named)
    except BadInput as error:
        said = str(error)
    if said:
        pytest.fail(said, pytrace=False)
    yield connection
    connection.close()
