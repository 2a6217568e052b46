"""Totals: any amount is found, or proved out of reach, however it is made up."""

from __future__ import annotations

import dataclasses
import itertools

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from playproof.models.algebra import int_variable
from playproof.models.editions import load_edition
from playproof.models.games import load_game
from playproof.models.play import replay
from playproof.oracles.reach import pays_never
from playproof.oracles.synthesis import Finding, Synthesis
from playproof.oracles.targets import Target, parse_target
from playproof.proofs.changes import Change
from playproof.proofs.sums import sums_of
from playproof.proofs.units import units_of, with_units
from playproof.proofs.verdict import Outcome


@pytest.fixture(scope="module")
def riches() -> Synthesis:
    return Synthesis(load_edition(load_game("diamond-riches")))


@pytest.fixture(scope="module")
def collector() -> Synthesis:
    return Synthesis(load_edition(load_game("colour-collector")))


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


@pytest.mark.slow
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


# Totals out of reach


def confirmed(finding: Finding) -> bool:
    """Return whether two solvers have confirmed every check of a proof."""
    verdict = finding.verdict
    assert verdict is not None
    assert verdict.certificate is not None
    names = {one.name for one in verdict.certificate.obligations}
    given = {(a.solver, a.obligation) for a in verdict.answers if a.answer == "unsat"}
    return finding.unreachable and given == {(s, n) for s in ("z3", "cvc5") for n in names}


@pytest.mark.slow
@pytest.mark.parametrize("text", ["£7.77", "£1,234.56", "£999,999.99"])
def test_pence_are_out_of_reach_in_both_games_however_large_the_amount(
    riches: Synthesis, collector: Synthesis, text: str
) -> None:
    for by in (riches, collector):
        assert confirmed(by.find(parse_target(text, by.edition)))


@pytest.mark.slow
def test_a_large_whole_amount_is_out_of_reach_where_pot_and_ladders_cannot_make_it(
    riches: Synthesis,
) -> None:
    wheel = (5000, 10000, 20000, 50000, 100000, 500000, 1000000)
    parameters = {**riches.edition.parameters, "prize_wheel": wheel}
    by = Synthesis(dataclasses.replace(riches.edition, parameters=parameters))

    assert confirmed(by.find(Target(103_300)))
    assert by.find(Target(105_400)).complete


def test_what_can_be_won_is_never_proved_out_of_reach(riches: Synthesis) -> None:
    edition = riches.edition
    for text in ("£9", "£1,234"):
        target = parse_target(text, edition)
        verdict = pays_never(riches.game, target, edition.parameters, riches.readings, riches.p)
        assert verdict.outcome is not Outcome.PROVED


def test_units_divide_all_money_of_a_play_and_ghosts_count_it_in_them(
    riches: Synthesis,
) -> None:
    units = units_of(riches.game, riches.p)
    assert units["prize_won"] == 500
    assert units["paid"] == 100
    measured, multiples = with_units(riches.game, units)
    (play,) = riches.find(Target(1900)).plays
    points = list(replay(measured, play))
    for point in points:
        assert all(is_ is True for is_ in multiples(point.s, point.t).values())
    wrong = dataclasses.replace(points[-1].s, paid=1950)
    assert multiples(wrong, points[-1].t)["paid"] is False
