"""What the Procedures of Colour Collector say, by example, and by random legal Plays."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings

from playproof.models.algebra import pick
from playproof.models.colour_collector import (
    ACTIVATE,
    BONUS,
    BOOSTER,
    END,
    EXTRA_SPINS,
    FEW,
    MAIN,
    MANY,
    MEGA,
    PRIZE,
    PRIZE_SYMBOLS,
    PROMISES,
    SUPER,
    Round,
)
from playproof.models.colour_collector_properties import COLOUR_COLLECTOR
from playproof.models.play import IllegalStep, Play, replay
from playproof.models.setting import parameters_of, readings_of
from playproof.models.system import Kind

from .colour_collector_plays import (
    EDITION,
    FINISH,
    GAME,
    SMALL,
    after,
    bonus_game,
    legal_plays,
    panel,
    prize_spin,
    right,
    setting,
    spin,
    states,
    wrong,
)

PRIZE_BOOSTER, SUPER_BOOSTER, MEGA_BOOSTER = (BOOSTER, 1), (SUPER, 1), (MEGA, 1)
IDLE = [spin()]


def pounds(state, p):
    return [pick(amounts, state.level) // 100 for amounts in p.row_amounts]


# ---- The Main Game -------------------------------------------------------------------------


def test_a_play_starts_with_six_spins_and_everything_empty():
    start = after()

    assert (start.phase, start.spins_left, start.bonus_box, start.prize_box) == (MAIN, 6, 0, 0)
    assert list(start.rows) == [0] * 7
    assert pounds(start, setting()) == [5, 7, 10, 20, 50, 500, 1_000_000]


def test_a_spin_costs_one_and_collects_what_wears_the_colour():
    state = after(spin(bonus=2, prize=1, row_1=3, row_4=1))

    assert state.spins_left == 5
    assert list(state.rows) == [3, 0, 0, 1, 0, 0, 0]
    assert (state.bonus_box, state.prize_box) == (2, 1)


def test_a_spin_collects_no_more_than_the_grid_holds():
    after(spin(row_7=25))
    with pytest.raises(IllegalStep, match="step 1"):
        after(spin(row_7=25, bonus=1))


def test_a_play_without_a_full_row_pays_nothing():
    state = after(*IDLE * 5, spin(row_1=5), FINISH)

    assert (state.phase, state.paid) == (END, 0)


def test_full_rows_pay_their_amounts_together():
    state = after(spin(row_1=6), spin(row_2=7), *IDLE * 4, FINISH)

    assert state.paid == 5_00 + 7_00
    assert GAME.goal.parts(setting(), state) == {
        "row-1": 5_00, "row-2": 7_00, "row-3": 0, "row-4": 0, "row-5": 0, "row-6": 0,
        "row-7": 0, "Prize Game": 0,
    }  # fmt: skip


def test_symbols_beyond_a_row_are_dropped_or_cannot_come():
    assert after(spin(row_1=9)).rows[0] == 6
    with pytest.raises(IllegalStep):
        after(spin(row_1=9), p=setting(row_surplus="impossible"))


def test_the_play_goes_on_while_there_are_spins():
    with pytest.raises(IllegalStep, match="step 6: finish"):
        after(*IDLE * 5, FINISH)
    with pytest.raises(IllegalStep, match="step 7: spin"):
        after(*IDLE * 7)


def test_nothing_comes_after_the_end():
    with pytest.raises(IllegalStep, match="step 8"):
        after(*IDLE * 6, FINISH, FINISH)


# ---- The Bonus Game ------------------------------------------------------------------------


def test_symbols_beyond_the_bonus_box_are_there_before_and_after_the_bonus_game():
    path = states([spin(bonus=8), panel(), wrong()])

    assert [state.bonus_box for state in path] == [0, 2, 2, 2]
    assert [state.bonus_games_owed for state in path] == [0, 1, 0, 0]


def test_one_spin_may_unlock_two_games_or_cannot():
    state = after(spin(bonus=13))

    assert (state.bonus_games_owed, state.bonus_box) == (2, 1)
    with pytest.raises(IllegalStep):
        after(spin(bonus=12), p=setting(bonus_surplus="impossible"))


def test_no_spin_comes_while_a_bonus_game_is_owed():
    with pytest.raises(IllegalStep, match="step 2: spin"):
        after(spin(bonus=6), spin())


def test_awards_take_effect_when_the_bonus_game_ends():
    path = states([spin(bonus=6), panel((EXTRA_SPINS, 3)), right(1), right(1), wrong()])

    assert [state.spins_left for state in path] == [6, 5, 5, 5, 5, 11]
    assert [state.phase for state in path] == [MAIN, MAIN, BONUS, BONUS, BONUS, MAIN]


def test_the_pick_makes_no_difference():
    for odd in (True, False):
        state = after(
            spin(bonus=6), panel(SUPER_BOOSTER), right(1, odd=odd), wrong(odd=odd)
        )  # fmt: skip
        assert (state.level, state.phase) == (2, MAIN)


@pytest.mark.parametrize(("number_if_odd", "number_if_even"), [(7, 7), (8, 8), (0, 8), (7, 13)])
def test_a_round_is_right_for_both_picks_or_for_neither(number_if_odd, number_if_even):
    step = right(1)
    reveal = type(step.reveal)(True, number_if_odd, number_if_even, 1, step.reveal.symbols)

    with pytest.raises(IllegalStep):
        after(spin(bonus=6), panel(), type(step)("right-answer", reveal))


def test_a_wrong_first_round_awards_nothing_or_cannot_come():
    state = after(spin(bonus=6), panel((ACTIVATE, 1)), wrong(1))

    assert (state.prize_box, state.spins_left, state.level) == (0, 5, 0)
    with pytest.raises(IllegalStep):
        after(spin(bonus=6), panel((ACTIVATE, 1)), wrong(1), p=setting(first_round="right"))


# The amounts of CC-28 to CC-30 as the document writes them, in pounds.
FIRST = [6, 8, 12, 25, 75, 750, 1_000_000]
SECOND = [8, 10, 20, 30, 100, 1000, 1_000_000]
THIRD = [10, 15, 30, 50, 250, 2000, 1_000_000]


@pytest.mark.parametrize("reading", ["levels-add", "at-least", "documented-only"])
@pytest.mark.parametrize(
    ("won", "amounts"),
    [
        ([PRIZE_BOOSTER], FIRST),
        ([PRIZE_BOOSTER, PRIZE_BOOSTER], SECOND),
        ([SUPER_BOOSTER], SECOND),
        ([SUPER_BOOSTER, SUPER_BOOSTER], THIRD),
        ([SUPER_BOOSTER, PRIZE_BOOSTER], THIRD),
        ([MEGA_BOOSTER], THIRD),
    ],
)
def test_boosters_lift_the_prize_table_as_documented(won, amounts, reading):
    p = setting(booster_after_booster=reading)

    assert pounds(after(spin(bonus=6), *bonus_game(*won), p=p), p) == amounts


UNDOCUMENTED = [
    [PRIZE_BOOSTER, SUPER_BOOSTER],
    [PRIZE_BOOSTER, MEGA_BOOSTER],
    [MEGA_BOOSTER, PRIZE_BOOSTER],
    [SUPER_BOOSTER, MEGA_BOOSTER],
    [PRIZE_BOOSTER] * 3,
    [SUPER_BOOSTER] * 3,
]


@pytest.mark.parametrize("won", UNDOCUMENTED)
def test_other_orders_do_not_occur_where_only_documented_ones_do(won):
    with pytest.raises(IllegalStep):
        after(
            spin(bonus=6),
            *bonus_game(*won),
            p=setting(booster_after_booster="documented-only"),
        )


def test_an_order_that_is_documented_as_won_may_not_be_so_as_listed():
    p = setting(booster_after_booster="documented-only", award_order="as-listed")

    with pytest.raises(IllegalStep, match="step 4"):
        after(spin(bonus=6), *bonus_game(SUPER_BOOSTER, PRIZE_BOOSTER), p=p)


@pytest.mark.parametrize(
    ("reading", "order", "level"),
    [
        ("levels-add", "as-won", 3),
        ("at-least", "as-won", 3),
        ("at-least", "as-listed", 2),
    ],
)
def test_a_prize_booster_after_a_super_one(reading, order, level):
    p = setting(booster_after_booster=reading, award_order=order)

    state = after(spin(bonus=6), *bonus_game(SUPER_BOOSTER, PRIZE_BOOSTER), p=p)

    assert state.level == level


@pytest.mark.parametrize(
    ("scope", "won", "level"),
    [
        ("whole-play", PRIZE_BOOSTER, 3),
        ("one-bonus-game", PRIZE_BOOSTER, 2),
        ("one-bonus-game", MEGA_BOOSTER, 3),
    ],
)
def test_boosters_of_an_earlier_bonus_game(scope, won, level):
    steps = [spin(bonus=12), *bonus_game(SUPER_BOOSTER), *bonus_game(won)]

    assert after(*steps, p=setting(booster_scope=scope)).level == level


def test_symbol_awards_fill_rows():
    state = after(
        spin(bonus=6),
        panel((FEW, 5), (MANY, 9)),
        right(1, row_1=5),
        right(2, row_1=3, row_2=6),
        wrong(),
    )

    assert list(state.rows) == [6, 6, 0, 0, 0, 0, 0]


@pytest.mark.parametrize("shown", [(FEW, 7), (MANY, 7), (EXTRA_SPINS, 4), (PRIZE_SYMBOLS, 0)])
def test_a_bonus_prize_has_a_number_it_may_have(shown):
    with pytest.raises(IllegalStep):
        after(spin(bonus=6), panel(shown))


@pytest.mark.parametrize("award", [(PRIZE_SYMBOLS, 3), (ACTIVATE, 1)])
def test_awards_for_a_full_prize_box_have_no_effect_or_cannot_come(award):
    steps = [spin(bonus=6, prize=6), *bonus_game(award)]

    assert after(*steps).prize_box == 6
    with pytest.raises(IllegalStep):
        after(*steps, p=setting(spent_award="impossible"))


def test_awards_not_yet_in_effect_count_when_a_box_is_full():
    steps = [spin(bonus=6, prize=3), *bonus_game((PRIZE_SYMBOLS, 3), (ACTIVATE, 1))]

    with pytest.raises(IllegalStep, match="step 4"):
        after(*steps, p=setting(spent_award="impossible"))


def test_activation_fills_the_prize_game_box():
    assert after(spin(bonus=6), *bonus_game((ACTIVATE, 1))).prize_box == 6
    assert after(spin(bonus=6, prize=1), *bonus_game((PRIZE_SYMBOLS, 2))).prize_box == 3


def test_a_bonus_prize_comes_again_or_cannot():
    steps = [spin(bonus=6), panel((EXTRA_SPINS, 2)), right(1), right(1), wrong()]

    assert after(*steps).spins_left == 9
    with pytest.raises(IllegalStep, match="step 4"):
        after(*steps, p=setting(same_bonus_prize_again="once"))


@pytest.mark.parametrize(
    ("valuation", "order", "paid"),
    [
        ("at-end", "as-won", 15_00),
        ("at-fill", "as-won", 7_00),
        ("at-fill", "as-listed", 15_00),
    ],
)
def test_a_row_filled_before_a_booster_of_the_same_bonus_game(valuation, order, paid):
    p = setting(valuation=valuation, award_order=order)
    bonus = [panel((MANY, 8), MEGA_BOOSTER), right(1, row_2=7, row_3=1), right(2), wrong()]

    assert after(spin(bonus=6), *bonus, *IDLE * 5, FINISH, p=p).paid == paid


# ---- The Prize Game ------------------------------------------------------------------------

SIX = [spin(prize=6), *IDLE * 5]


def test_six_prize_game_symbols_earn_the_prize_game_and_win_pays_the_pot():
    state = after(*SIX, prize_spin({10_00: 1, 5_00: 1}), prize_spin({}, wins=1), FINISH)

    assert state.paid == 15_00
    assert GAME.goal.parts(setting(), state)["Prize Game"] == 15_00


def test_a_double_win_pays_twice_the_pot_however_many_there_are():
    for doubles in (1, 2, 3):
        state = after(*SIX, prize_spin({5_00: 1}, doubles=doubles), FINISH)
        assert state.paid == 10_00


def test_what_comes_with_the_win_is_collected_or_not():
    steps = [*SIX, prize_spin({5_00: 1}), prize_spin({20_00: 1}, wins=1), FINISH]

    assert after(*steps).paid == 25_00
    assert after(*steps, p=setting(pot_with_win="excluded")).paid == 5_00


def test_win_and_double_win_together_double_or_cannot_come():
    steps = [*SIX, prize_spin({5_00: 1}, wins=1, doubles=1), FINISH]

    assert after(*steps).paid == 10_00
    with pytest.raises(IllegalStep):
        after(*steps, p=setting(win_with_double="impossible"))


def test_the_prize_game_waits_for_the_end_of_the_main_game():
    with pytest.raises(IllegalStep, match="step 2: win"):
        after(spin(prize=6), prize_spin({5_00: 1}, wins=1))


def test_the_play_may_not_end_before_its_prize_game():
    with pytest.raises(IllegalStep, match="step 7: finish"):
        after(*SIX, FINISH)


def test_more_than_six_symbols_earn_one_prize_game():
    steps = [spin(prize=12), *IDLE * 5, prize_spin({5_00: 1}, wins=1)]

    assert after(*steps).phase == PRIZE
    with pytest.raises(IllegalStep, match="step 8: win"):
        after(*steps, prize_spin({5_00: 1}, wins=1))


# ---- The prize table, promises, copies -----------------------------------------------------


def test_the_prize_table_has_the_rows_of_the_procedures():
    assert len(EDITION.prizes) == 99
    assert {row.amount for row in EDITION.prizes} == set(GAME.setting.table)
    assert sum(1 for row in EDITION.prizes if row.prize_game) == 58
    assert sum(1 for row in EDITION.prizes if row.prize_game and not row.parts) == 20


def test_the_odds_of_the_prize_table_sum_to_what_is_known_of_them():
    chance = sum(Fraction(1, row.odds) for row in EDITION.prizes)
    payout = sum(Fraction(row.amount, row.odds) for row in EDITION.prizes)

    assert round(1 / chance, 3) == Fraction("2.877")
    assert round(payout / GAME.setting.price, 4) == Fraction("0.7208")


def test_promises_that_the_mechanics_do_not_keep():
    wins, in_table = PROMISES
    nothing_won = after(*SIX, prize_spin({}, wins=1), FINISH)
    not_listed = after(spin(row_1=6), spin(row_6=11), *IDLE * 4, FINISH)
    p = setting()

    assert (nothing_won.paid, not_listed.paid) == (0, 505_00)
    assert not wins.kept(p, nothing_won, None)
    assert in_table.kept(p, nothing_won, None)
    assert wins.kept(p, not_listed, None)
    assert not in_table.kept(p, not_listed, None)


def test_a_copy_with_fewer_rows_keeps_the_top_prize():
    assert SMALL.setting.row_amounts[0] == (5_00, 6_00, 8_00, 10_00)
    assert SMALL.setting.row_amounts[-1] == (1_000_000_00,) * 4


def test_everything_that_is_left_open_is_there():
    assert len(readings_of(COLOUR_COLLECTOR.setting)) == 11
    combinations = 1
    for ways in readings_of(COLOUR_COLLECTOR.setting).values():
        combinations *= len(ways.choices)
    assert combinations == 3 * 2**10
    assert set(parameters_of(COLOUR_COLLECTOR.setting)) == set(EDITION.parameters)


# ---- Random legal Plays --------------------------------------------------------------------


def broken_claims(game, play):
    points = list(replay(game, play))
    p = play.setting
    found = set()
    for claim in game.properties:
        if claim.kind is Kind.GENERAL:  # it speaks of more than one Play
            continue
        if claim.kind is Kind.STEP:
            kept = all(
                claim.holds(p, before, step, then)
                for before, step, then in zip(points, play.steps, points[1:], strict=False)
            )
        else:
            kept = all(claim.holds(p, point.s, point.t) for point in points)
        if not kept:
            found.add(claim.id)
    return found


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(legal_plays())
def test_every_property_holds_of_random_plays_of_a_small_copy(play):
    depends = {"boosters-any-order"} if play.setting.booster_after_booster.index == 1 else set()

    assert broken_claims(SMALL, play) <= depends


@settings(max_examples=20, deadline=None)
@given(legal_plays(COLOUR_COLLECTOR))
def test_every_property_holds_of_random_plays(play):
    depends = {"boosters-any-order"} if play.setting.booster_after_booster.index == 1 else set()

    assert broken_claims(COLOUR_COLLECTOR, play) <= depends


@settings(max_examples=30, deadline=None)
@given(legal_plays())
def test_other_picks_of_the_player_show_the_same(play):
    steps = tuple(
        replace(step, reveal=replace(step.reveal, picked_odd=not step.reveal.picked_odd))
        if isinstance(step.reveal, Round)
        else step
        for step in play.steps
    )

    as_picked = [point.s for point in replay(SMALL, play)]
    otherwise = [point.s for point in replay(SMALL, Play(play.setting, steps))]

    assert as_picked == otherwise


@pytest.mark.slow
def test_random_plays_come_to_every_rule():
    seen = set()

    @settings(max_examples=40, deadline=None, database=None, derandomize=True)
    @given(legal_plays())
    def play_on(play):
        seen.update(step.rule for step in play.steps)

    play_on()
    assert seen == {rule.id for rule in SMALL.rules}
