"""Hypothesis strategies: legal Plays that shrink well, and a machine that drives a build.

    @given(plays("colour-collector"))
    def test_build(play): ...

    TestBuild = build_machine("colour-collector", answer).TestCase

A Play is drawn step by step and then goes on plainly to its end. It shrinks to fewer steps and
to reveals of less. What is drawn and not legal is put right by a solver, always the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, multiple, rule

from ..models.editions import Edition, load_edition
from ..models.games import load_game
from ..models.play import Play
from ..models.shape import Variable
from ..models.system import Game
from .builds import Build
from .cases import Case
from .course import Course, Played
from .diagnosis import as_played
from .ground import Ground, Trace
from .playing import BuildFails, Playing, connected
from .script import Script, make
from .wander import Wander
from .ways import WAYS

__all__ = ["build_machine", "plays", "scripts"]

# Steps that are drawn, numbers that are drawn where a reveal has many, and how large at most.
_STEPS, _SOME, _LARGE = 24, 3, 12

# Runs of the machine, and what it does in each: begins a Play, takes a step, ends a Play.
_EXAMPLES, _TURNS = 30, 15


def plays(
    game: Game | str,
    edition: Edition | Path | None = None,
    readings: Mapping[str, str] | None = None,
) -> st.SearchStrategy[Play]:
    """Return a strategy for Plays that the rules allow, that end, and that the table has.

    ``game`` may be an id. Raises BadInput, KeyError or ValueError for what does not exist.
    """
    ground = _ground(game, edition, readings)
    return _traces(ground).map(ground.play)


def scripts(
    game: Game | str,
    edition: Edition | Path | None = None,
    readings: Mapping[str, str] | None = None,
) -> st.SearchStrategy[Script]:
    """Return a strategy for scripts of such Plays: what is revealed, what is to be shown."""
    ground = _ground(game, edition, readings)
    return _traces(ground).map(lambda trace: _script(ground, trace))


def _script(ground: Ground, trace: Trace) -> Script:
    return make(ground.edition, ground.target(trace.end), ground.play(trace))


def _ground(
    game: Game | str, edition: Edition | Path | None, readings: Mapping[str, str] | None
) -> Ground:
    if isinstance(game, str) and edition is None:
        return _default(game, tuple(sorted((readings or {}).items())))
    loaded = load_game(game) if isinstance(game, str) else game
    if not isinstance(edition, Edition):
        edition = load_edition(loaded, edition)
    return Ground(edition, readings)


@cache
def _default(game: str, readings: tuple[tuple[str, str], ...]) -> Ground:
    return Ground(load_edition(load_game(game)), dict(readings))


@st.composite
def _traces(draw: st.DrawFn, ground: Ground) -> Trace:
    wander = Wander(ground)
    trace = ground.start()
    for _ in range(draw(st.integers(0, _STEPS))):
        if ground.ended(trace.end):
            break
        longer = _step(draw, ground, wander, trace)
        if longer is None:
            break
        trace = longer
    whole = wander.play(trace, wild=0)
    if whole is None:  # rare: what was drawn leads to no prize of the table
        whole = wander.play(wild=0)
    assert whole is not None, "a Play in which little is revealed"
    return whole


def _step(draw: st.DrawFn, ground: Ground, wander: Wander, trace: Trace) -> Trace | None:
    """Return a Play one step longer, as drawn as the rules allow; None if nothing fits."""
    may_come = [rule for rule in ground.formulas if wander.guard(trace.end, rule) is not False]
    while may_come:
        chosen = draw(st.sampled_from(may_come))
        drawn = _reveal(draw, ground.revealed[chosen])
        move = wander.nearest(trace.end, chosen, drawn)
        longer = None if move is None else ground.longer(trace, move)
        if longer is not None and wander.in_reach(longer.end):
            return longer
        may_come.remove(chosen)
    return None


def _reveal(draw: st.DrawFn, variables: tuple[Variable, ...]) -> dict[str, Any]:
    """Return what is revealed: each number where it has limits, some of those without."""
    values: dict[str, Any] = {}
    free: list[Variable] = []
    for variable in variables:
        low = variable.low or 0
        if variable.choice:
            values[variable.name] = False if variable.sort == "Bool" else low
        elif variable.sort == "Bool":
            values[variable.name] = draw(st.booleans())
        elif variable.high is not None:
            values[variable.name] = draw(st.integers(low, variable.high))
        else:
            values[variable.name] = low
            free.append(variable)
    if free:
        for variable in draw(st.lists(st.sampled_from(free), max_size=_SOME)):
            low = variable.low or 0
            values[variable.name] = draw(st.integers(low, low + _LARGE))
    return values


def build_machine(
    game: Game | str,
    build: Build | Callable[[dict[str, Any]], object] | str,
    edition: Edition | Path | None = None,
    readings: Mapping[str, str] | None = None,
) -> type[RuleBasedStateMachine]:
    """Return a state machine that drives a build through Plays, several in turn.

    Each Play is drawn, with how the player chooses and whether it is resumed after every step.
    ``build`` is a connection, a function of a request, or what names one. A finding fails the
    test, and says what is wrong. The first one ends it and is not shrunk, for that takes
    minutes; to have it so, say ``TestBuild.settings = settings(deadline=None)``.
    """
    ground = _ground(game, edition, readings)
    playing = Playing(ground.edition, dict(ground.readings))
    connection = connected(build)
    running = Bundle("running")

    class Machine(RuleBasedStateMachine):
        """Plays of one build, each at its own step."""

        @rule(
            target=running,
            trace=_traces(ground),
            way=st.sampled_from(WAYS),
            resumed=st.booleans(),
        )
        def begin(self, trace: Trace, way: str, resumed: bool) -> _Running:
            """Begin a Play."""
            case = Case(Path("drawn"), _script(ground, trace))
            player = playing.player(connection)
            course, played = playing.course(case, way, resumed=resumed), player.open()
            steps = player.play(course, played)
            next(steps, None)
            _judged(course, played)
            return steps, course, played

        @rule(target=running, one=consumes(running))
        def go_on(self, one: _Running) -> Any:
            """Take the next step of a Play."""
            steps, course, played = one
            over = next(steps, True)  # a step gives nothing
            _judged(course, played)
            return multiple() if over else one

        @rule(one=consumes(running))
        def finish(self, one: _Running) -> None:
            """Take a Play to its end."""
            steps, course, played = one
            for _ in steps:
                pass
            _judged(course, played)

    Machine.TestCase.settings = settings(
        max_examples=_EXAMPLES,
        stateful_step_count=_TURNS,
        deadline=None,
        report_multiple_bugs=False,
        phases=[Phase.explicit, Phase.reuse, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    return Machine


_Running = tuple[Generator[None, None, None], Course, Played]


def _judged(course: Course, played: Played) -> None:
    if played.findings:
        raise BuildFails([as_played(one, course) for one in played.findings])
