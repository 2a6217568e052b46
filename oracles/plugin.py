"""The pytest plugin: a test for every script of a suite.

    # pytest.ini
    playproof_suite = suites/colour-collector
    playproof_build = our_game.build:answer

    def test_build(oracle_case, build):
        oracle_case.play(build)

A test that asks for ``oracle_case`` runs once for each script of the suite, and is called after
the script's file. ``@pytest.mark.oracle(suite="DIR")`` names another suite. Nothing is imported
before a test asks, so that other tests are as quick as ever.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from .builds import Build
    from .cases import Case
    from .playing import Playing
    from .script import Script

__all__ = ["OracleCase"]

_HELP = {
    "suite": "the folder that `playproof suite GAME --out DIR` wrote",
    "build": "the build to be tested: module:function, an address, or a command line",
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

        try:
            self._playing.play(self._case, connected(build))
        except BuildFails as failure:
            pytest.fail(str(failure), pytrace=False)


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
        cases = _cases(folder, _path(metafunc.config, "edition"))
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


def _cases(folder: Path, edition: Path | None) -> list[OracleCase]:
    from .cases import Case
    from .playing import Playing
    from .suite import load

    scripts = load(folder).scripts
    playing = Playing.of(next(iter(scripts.values())), edition)
    cases = (
        Case(folder / file, script, seed) for seed, (file, script) in enumerate(scripts.items())
    )
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
    try:
        connection = connected(named)
    except BadInput as error:
        pytest.fail(str(error), pytrace=False)
    yield connection
    connection.close()
