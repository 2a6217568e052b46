"""Totals: any amount is found, or proved out of reach, however it is made up."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from playproof.models.algebra import int_variable
from playproof.models.editions import load_edition
from playproof.models.games import load_game
from playproof.models.play import replay
from playproof.oracles.synthesis import Synthesis
from playproof.oracles.targets import Target, parse_target
from playproof.proofs.changes import Change
from playproof.proofs.sums import sums_of


@pytest.fixture(scope="module")
def riches() -> Synthesis:
    return Synthesis(load_edition(load_game("diamond-riches")))


# Sums

amounts = st.frozensets(st.integers(1, 9), min_size=1, max_size=4)


@given(amounts, st.integers(0, 4), st.integers(0, 40), st.integers(0, 5))
def test_sums_are_those_that_adding_up_gives(
    wheel: frozenset[int], spins: int, value: int, start: int
) -> None:
    sums = sums_of(start, {"spin": Change.among(wheel | {0, 90, 93}), "other": _NOTHING})
    assert sums is not None
    right = any(
        sum(shown) == value - start
        for shown in itertools.product(wheel | {0, 90, 93}, repeat=spins)
    )
    assert sums.possible(value, {"spin": spins}) is right


@given(amounts, st.integers(0, 60), st.booleans())
def test_coins_pay_what_any_number_of_them_comes_to(
    coins: frozenset[int], value: int, taken: bool
) -> None:
    coins = frozenset(coin + 1 for coin in coins)
    sums = sums_of(0, {"spin": Change(0, None, 1, coins=coins)})
    if sums is None:  # only where there are no gaps
        return
    paid = {0}
    for _ in range(60):
        paid |= {sum_ + coin for sum_ in paid for coin in coins if sum_ + coin <= 60}
    assert sums.possible(value, {"spin": int(taken)}) is (
        value in paid if taken else value == 0
    )


@given(amounts, st.integers(0, 40), st.integers(0, 4), st.integers(0, 80))
def test_a_refused_sum_is_refused_for_no_count_that_reaches_it(
    wheel: frozenset[int], value: int, met: int, often: int
) -> None:
    sums = sums_of(0, {"spin": Change.among(wheel | {90, 93})})
    assert sums is not None
    now, n = int_variable("now"), int_variable("n")
    refusal = sums.refusal(now, value, {"spin": n}, {"spin": met})
    if refusal is None:
        assert sums.possible(value, {"spin": met})
        return
    # The same refusal on numbers: it must hold of every count that does reach the value.
    said = sums.refusal(value, value, {"spin": often}, {"spin": met})  # type: ignore[arg-type]
    assert said is True or not sums.possible(value, {"spin": often})
    again = sums.refusal(value, value, {"spin": met}, {"spin": met})  # type: ignore[arg-type]
    assert again is False


_NOTHING = Change(0, 0, 0, frozenset({0}), frozenset())


# Totals of Diamond Riches


@settings(max_examples=4, deadline=None, derandomize=True)
@example(1234)
@example(123)
@example(1_002_263)
@given(st.integers(8, 20_000))
def test_any_total_of_whole_pounds_has_a_play(riches: Synthesis, pounds: int) -> None:
    finding = riches.find(Target(pounds * 100))

    (play,) = finding.plays
    *_, end = replay(riches.game, play)
    assert end.s.phase == 3
    assert end.s.paid == pounds * 100


def test_a_pot_takes_the_fewest_spins_of_its_wheel(riches: Synthesis) -> None:
    target = parse_target("£1,230 (Prize Game)", riches.edition)
    (play,) = riches.find(target).plays
    spins = [step.reveal for step in play.steps if step.rule == "prize-spin"]
    assert len(spins) == 3
    assert sum(spin.amount(riches.p) for spin in spins) == 123_000


def test_an_outline_says_what_each_part_pays(riches: Synthesis) -> None:
    outline = next(riches.counting.outlines(lambda s: s.paid == 123_400))
    assert sum(outline.parts.values()) == 123_400
    assert outline.counts["prize-spin"] == 2
    assert {name for name, amount in outline.parts.items() if amount} == {
        "red", "purple", "Prize Game"
    }  # fmt: skip
