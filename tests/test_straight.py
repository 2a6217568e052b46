"""Rules written out as functions do to numbers what the rules themselves do."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from playproof.models.algebra import (
    all_of,
    any_of,
    bool_variable,
    int_variable,
    maximum,
    minimum,
    negate,
    pick,
    same,
    where,
)
from playproof.models.editions import Edition, default_readings, load_edition
from playproof.models.games import load_game
from playproof.models.setting import parameters_of, readings_of
from playproof.models.system import Game
from playproof.oracles.expected import Expected
from playproof.oracles.moves import reader
from playproof.oracles.straight import straight
from playproof.proofs.evaluate import Evaluation

from . import colour_collector_plays as cc
from . import diamond_riches_plays as dr
from .played import DIP, log, played

n, m, yes = int_variable("n"), int_variable("m"), bool_variable("yes")
ints = st.recursive(
    st.one_of(st.sampled_from([n, m]), st.integers(-9, 9)),
    lambda inner: st.one_of(
        st.builds(lambda a, b: a + b, inner, inner),
        st.builds(lambda a, b: a - b, inner, inner),
        st.builds(lambda a, b: a * b, inner, st.integers(-3, 3)),
        st.builds(lambda a, k: a // k, inner, st.integers(1, 7)),
        st.builds(lambda a, k: a % k, inner, st.integers(1, 7)),
        st.builds(minimum, inner, inner),
        st.builds(maximum, inner, inner),
        st.builds(lambda a, b, c: where(a < b, a, c), inner, inner, inner),
        st.builds(lambda a, b, c: pick([a, b, c], n), inner, inner, inner),
        st.builds(lambda a, b: where(any_of(yes, a <= b), a, b), inner, inner),
    ),
    max_leaves=12,
)
bools = st.recursive(
    st.one_of(st.just(yes), st.booleans(), st.builds(lambda a, b: a <= b, ints, ints)),
    lambda inner: st.one_of(
        st.builds(all_of, inner, inner),
        st.builds(any_of, inner, inner),
        st.builds(negate, inner),
        st.builds(same, inner, inner),
    ),
    max_leaves=8,
)


@settings(max_examples=80, deadline=None)
@given(ints, bools, bools, st.integers(-9, 9), st.integers(-9, 9), st.booleans())
def test_a_function_gives_what_its_terms_are(
    number: Any, flag: Any, guard: Any, a: int, b: int, c: bool
) -> None:
    function = straight([["n", "m"], ["yes"]], [number, flag], guard)
    worth = Evaluation({"n": a, "m": b, "yes": c})
    right = (worth.of(number), worth.of(flag)) if worth.of(guard) is True else None
    got = function((a, b), (c,))
    assert got == right
    assert got is None or [*map(type, got)] == [int, bool]


def test_a_deep_term_is_no_trouble() -> None:
    deep = n
    for number in range(2000):
        deep = where(m == number, deep + number, n)
    assert straight([["n", "m"]], [deep])((5, 1999)) == (2004,)


def test_an_unknown_that_nobody_gives_is_an_error() -> None:
    with pytest.raises(NameError):
        straight([["m"]], [n + 1])((1,))


def agree(expected: Expected, point: Any, rule: Any, reveal: Any) -> None:
    """Check that a step is legal for both or for neither, and leads both to one state."""
    move = expected.moves[rule.id]
    values = tuple(expected.game.reveal_shape(rule).scalars(reveal).values())
    state = expected.state_of(point.s)
    within = expected.game.reveal_shape(rule).within_limits(reveal) is True
    legal = within and rule.guard(expected.p, point.s, reveal) is True
    after = move.step(state, values)
    assert (after is not None) == legal
    if legal:
        s = rule.effect(expected.p, point.s, reveal)
        assert after == expected.state_of(s)
        goal = expected.game.goal
        ending = expected.ending(after)
        assert (ending.ended, ending.paid) == (
            goal.ended(expected.p, s), goal.paid(expected.p, s)
        )  # fmt: skip
        assert ending.parts == goal.parts(expected.p, s)


def expected_of(game: Game, p: Any) -> Expected:
    """Return what is expected of a game under a setting in which all is known."""
    parameters = {name: getattr(p, name) for name in parameters_of(game.setting)}
    readings = {
        name: getattr(p, name.replace("-", "_")).name for name in readings_of(game.setting)
    }
    edition = Edition(game, {}, "copy", "", DIP.path, "", parameters, {}, ())
    return Expected(edition, readings)


@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data(), st.sampled_from(["colour-collector", "diamond-riches"]))
def test_the_functions_of_a_game_agree_with_its_rules_under_any_setting(
    data: st.DataObject, name: str
) -> None:
    game, steps = (
        (cc.SMALL, cc.legal_steps) if name == "colour-collector" else (dr.GAME, dr.legal_steps)
    )
    expected = None
    for p, point, rule, reveal in steps(data.draw):
        expected = expected or expected_of(game, p)
        agree(expected, point, rule, reveal)
        for other in game.rules:  # out of turn, or with what another step revealed
            if other.reveal is type(reveal):
                agree(expected, point, other, reveal)


@pytest.mark.parametrize("name", ["prize-game", "bonus-game", "riches"])
def test_so_they_do_in_a_play_of_the_whole_game(name: str) -> None:
    edition, steps = played(name)
    expected = Expected(edition, expected_readings(edition.game))
    point = edition.game.start(expected.p)
    for step in steps:
        rule = edition.game.rule(step.rule)
        agree(expected, point, rule, step.reveal)
        point = edition.game.after(expected.p, point, rule, step.reveal)


def expected_readings(game: Game) -> dict[str, str]:
    return default_readings(game.setting)


def test_a_choice_decides_nothing_but_what_it_is() -> None:
    for name in ("colour-collector", "diamond-riches"):
        game = load_edition(load_game(name)).game
        expected = Expected(load_edition(load_game(name)), expected_readings(game))
        for move in expected.moves.values():
            chosen = {place for place, v in enumerate(move.variables) if v.choice}
            assert not chosen & move.decisive


def test_what_is_revealed_is_read_in_whatever_order_it_stands() -> None:
    read = reader(["a.x", "a.y", "b"])
    assert read({"b": 3, "a": {"y": 2, "x": 1}}) == (1, 2, 3)
    assert read({"b": 3, "a": {"y": 2, "x": 1, "z": 0}}) is None
    assert read({"b": 3, "a": {"y": 2, "x": 1}, "c": 0}) is None
    with pytest.raises(KeyError):
        read({"b": 3, "a": {"y": 2, "z": 1}})
    with pytest.raises(TypeError):
        read({"b": 3, "a": 2})


def test_every_scalar_of_a_state_is_compared() -> None:
    edition, steps = played("prize-game")
    expected = Expected(edition, expected_readings(edition.game))
    shows = log(edition, steps)[0][0].shows or {}
    expected.lay_out(shows)
    state = expected.start
    assert expected.agrees(shows, state)
    for place, value in enumerate(state):
        other = (not value) if isinstance(value, bool) else value + 1
        assert not expected.agrees(shows, (*state[:place], other, *state[place + 1 :]))
        kind = int(value) if isinstance(value, bool) else bool(value)
        like = (*state[:place], kind, *state[place + 1 :])
        assert expected.agrees(expected.shown(like), state) is False
