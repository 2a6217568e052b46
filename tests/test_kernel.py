"""Shapes, settings, mechanics and the transition system, on a made-up game."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playproof.models.mechanics import capped, countdown, crossed, fill, meter
from playproof.models.play import IllegalStep, Play, applicable, replay, violated
from playproof.models.setting import parameters_of, readings_of, settle
from playproof.models.shape import count, counts, flag, shape_of
from playproof.models.system import Reveal, Step

from .lucky_dip import LUCKY_DIP, Dip, Draw, draw


def dip(jar: int = 4, amount: int = 500, coin_surplus: str = "dropped") -> Dip:
    setting, open_, constraint = settle(
        Dip(), {"jar": jar, "amount": amount}, {"coin-surplus": coin_surplus}
    )
    assert not open_
    assert constraint is True
    return setting


def play(*draws: tuple[int, int], setting: Dip | None = None, finished: bool = True) -> Play:
    steps = [Step("draw", Draw(coins, stars)) for coins, stars in draws]
    if finished:
        steps.append(Step("finish", LUCKY_DIP.rule("finish").reveal()))
    return Play(setting or dip(), tuple(steps))


@given(st.integers(0, 200), st.integers(1, 9))
def test_a_meter_loses_nothing(pips: int, size: int) -> None:
    after = meter(pips, size)

    assert pips == size * after.unlocked + after.left_over
    assert 0 <= after.left_over < size


@given(st.integers(0, 20), st.integers(0, 20), st.integers(1, 20))
def test_what_is_filled_is_kept_and_what_is_over_is_named(
    have: int, got: int, size: int
) -> None:
    have = min(have, size)
    after = fill(have, got, size)

    assert have <= after.holds <= size
    assert have + got == after.holds + after.surplus
    assert after.completed == (have < size and after.holds == size)


def test_small_mechanics() -> None:
    assert (capped(2, 2, cap=3), capped(0, 1, cap=3)) == (3, 1)
    assert (countdown(2), countdown(0)) == (1, 0)
    assert crossed(3, 7, 5)
    assert not crossed(5, 7, 5)


@dataclass(frozen=True)
class Board:
    labels: tuple[str, ...] = ("red", "blue")
    sides: tuple[str, ...] = ("l", "r")
    top: int = 9


@dataclass(frozen=True)
class Screen:
    left: int = count("left", 0, "top")
    filled: tuple[int, ...] = counts("filled", "labels", 0, 3)
    grid: tuple[tuple[int, ...], ...] = counts("grid", ("labels", "sides"))
    over: bool = flag("over")


def test_a_shape_names_every_scalar_by_field_and_label() -> None:
    shape = shape_of(Screen, Board())
    screen = Screen(5, (1, 2), ((1, 2), (3, 4)), True)

    assert [v.name for v in shape.variables] == [
        "left", "filled.red", "filled.blue",
        "grid.red.l", "grid.red.r", "grid.blue.l", "grid.blue.r", "over",
    ]  # fmt: skip
    assert shape.of(shape.scalars(screen)) == screen
    assert shape.within_limits(screen) is True
    assert shape.within_limits(replace(screen, left=10)) is False
    assert shape.within_limits(replace(screen, filled=(1, 4))) is False


def test_a_vector_of_the_wrong_length_is_named() -> None:
    with pytest.raises(ValueError, match="filled holds 3 values where 2"):
        shape_of(Screen, Board()).scalars(Screen(0, (1, 2, 3), ((0, 0), (0, 0)), False))


def test_a_field_without_meaning_is_refused() -> None:
    @dataclass(frozen=True)
    class Bare:
        left: int

    with pytest.raises(TypeError, match=r"Bare\.left: declare it"):
        shape_of(Bare, Board())


def test_a_setting_keeps_open_what_is_not_given() -> None:
    _, open_, constraint = settle(Dip(), {"jar": 3})

    assert [v.name for v in open_] == ["p.amount", "p.coin-surplus"]
    assert constraint is not True
    assert list(parameters_of(Dip)) == ["jar", "amount"]
    assert readings_of(Dip)["coin-surplus"].choices == ("dropped", "impossible")


@pytest.mark.parametrize("wrong", [{"jug": 3}, {"coin-surplus": 3}])
def test_an_unknown_parameter_is_an_error(wrong: dict[str, int]) -> None:
    with pytest.raises(KeyError):
        settle(Dip(), wrong)


def test_a_misspelt_choice_is_an_error_in_rules_too() -> None:
    with pytest.raises(ValueError, match=r"dropped, impossible"):
        dip().coin_surplus.is_("droped")


def test_a_play_shows_its_state_after_every_step() -> None:
    points = list(replay(LUCKY_DIP, play((3, 1), (2, 2), (0, 0))))

    assert [point.s.jar for point in points] == [0, 3, 4, 4, 4]
    assert [point.s.meter for point in points] == [0, 1, 1, 1, 1]
    assert [point.s.level for point in points] == [0, 0, 1, 1, 1]
    assert [point.s.paid for point in points] == [0, 0, 0, 0, 1000]
    assert points[-1].t.stars == 3


@pytest.mark.parametrize(
    ("wrong", "step"),
    [
        (play((6, 0), finished=False), 1),
        (play((0, 0), (0, 0)), 3),
        (play((0, 0), (0, 0), (0, 0), (0, 0)), 4),
        (play((3, 0), (3, 0), setting=dip(coin_surplus="impossible"), finished=False), 2),
    ],
)
def test_an_illegal_step_is_named_by_its_number(wrong: Play, step: int) -> None:
    with pytest.raises(IllegalStep, match=f"step {step}: "):
        list(replay(LUCKY_DIP, wrong))


def test_a_violation_is_found_where_it_happens() -> None:
    assert violated(LUCKY_DIP, "never-full", play((2, 0), (2, 0), (0, 0))) == 2
    assert violated(LUCKY_DIP, "no-coin-lost", play((5, 0), (0, 0), (0, 0))) == 1
    assert violated(LUCKY_DIP, "stars-carry", play((5, 3), (5, 3), (5, 3))) is None


def test_exactly_the_rules_that_fire_are_applicable() -> None:
    start = LUCKY_DIP.start(dip())

    assert applicable(LUCKY_DIP, dip(), start, Draw(1, 1)) == (draw,)
    assert applicable(LUCKY_DIP, dip(), start, Draw(6, 1)) == ()
    assert applicable(LUCKY_DIP, dip(), start, Reveal()) == ()


def test_a_broken_rule_and_a_reduced_copy_are_new_games() -> None:
    broken = LUCKY_DIP.with_rule(replace(draw, effect=lambda p, s, r: s))
    small = LUCKY_DIP.copy(draws=1)

    assert broken.rule("draw") is not draw
    assert LUCKY_DIP.rule("draw") is draw
    assert small.start(dip()).s.draws_left == 3  # a setting carries its own figures
    assert small.setting.draws == 1
    with pytest.raises(KeyError):
        LUCKY_DIP.with_rule(replace(draw, id="dip"))
