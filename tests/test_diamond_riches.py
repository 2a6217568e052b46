"""Diamond Riches by example: what its document says, and its properties on any Play."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from playproof.models import diamond_riches as dr
from playproof.models.diamond_riches_properties import DIAMOND_RICHES
from playproof.models.editions import default_readings, load_edition
from playproof.models.play import IllegalStep, Play, applicable, replay
from playproof.models.setting import readings_of, settle
from playproof.models.system import Kind, Nothing, Step

EDITION = load_edition(DIAMOND_RICHES)
GAME = EDITION.game

NO_ICONS, BONUS, SUPER, MEGA, PRIZE = range(5)
"""Sections of the default bonus wheel."""
RED, BLUE, PINK, GREEN, PURPLE, YELLOW, RED_BLUE = range(7)
"""Sections of the default diamond wheel."""


def setting(**readings):
    taken = {name.replace("_", "-"): choice for name, choice in readings.items()}
    p, _, holds = settle(
        GAME.setting, EDITION.parameters, default_readings(GAME.setting) | taken
    )
    assert holds is True
    return p


def spin(segment, multiplier=1, bonus=NO_ICONS):
    return Step("spin", dr.Spin(segment, multiplier, bonus))


def opened(*active):
    return Step("open-bonus-game", dr.Grid((*active, 0, 0, 0, 0)[:4]))


def picks(*icons):
    return [Step("pick", dr.Pick(icon, tile)) for tile, icon in enumerate(icons, start=1)]


def bonus(rule, reveal=None):
    return Step(rule, reveal or Nothing())


def prize_spin(segment, multiplier=1, extra=False):
    return Step("prize-spin", dr.PrizeSpin(segment, multiplier, extra))


OPEN_PRIZE, FINISH = bonus("open-prize-game"), bonus("finish")


def played(*steps, **readings):
    """Return the state after these steps; lists of steps are laid out."""
    flat = [one for step in steps for one in (step if isinstance(step, list) else [step])]
    *_, last = replay(GAME, Play(setting(**readings), tuple(flat)))
    return last.s


def won(icon, *rest):
    """Return a Bonus Game that wins an icon's bonus: the icon twice, then three that differ."""
    others = (dr.MULTI_FILL, dr.MYSTERY_FILL, dr.DOUBLE_SPINS, dr.MAX_PRIZES)
    return [opened(), *picks(icon, icon, *[n for n in others if n != icon][:3]), *rest]


def to_bonus(icon, *rest):
    """Return a Play up to a bonus: one spin that fills the Bonus Meter, and the game."""
    return [spin(RED, 5, BONUS), *won(icon, *rest)]


# Main Game


def test_a_play_starts_with_six_spins_and_nothing_collected():
    s = played()

    assert s.spins_left == 6
    assert s.ladders == (0, 0, 0, 0, 0, 0)
    assert s.prize_meter == 0


def test_each_diamond_shown_is_collected_multiplier_times():
    s = played(spin(RED_BLUE, 3))

    assert s.ladders == (3, 3, 0, 0, 0, 0)
    assert s.spins_left == 5


def test_an_extra_spin_box_reached_or_passed_awards_one_spin_that_costs_nothing():
    passed = played(spin(RED, 5))
    used = played(spin(RED, 5), spin(RED, 5))

    assert (passed.spins_left, passed.extra_spins) == (5, 1)
    assert (used.spins_left, used.extra_spins) == (5, 0)


def test_thirteen_segments_win_the_ladder_and_more_are_lost():
    s = played(*[spin(RED, 5)] * 3)

    assert s.ladders[0] == 13


def test_diamonds_beyond_the_last_segment_may_be_impossible():
    with pytest.raises(IllegalStep, match="step 3"):
        played(*[spin(RED, 5)] * 3, ladder_surplus="impossible")


def test_pips_over_five_stay_in_the_emptied_meter():
    s = played(spin(RED, 4, BONUS), spin(RED, 3, BONUS))
    after = played(
        spin(RED, 4, BONUS),
        spin(RED, 3, BONUS),
        won(dr.UPGRADE_PRIZES, bonus("upgrade-prizes")),
    )

    assert (s.bonus_meters, s.bonus_owed) == ((2, 0, 0), (1, 0, 0))
    assert (after.bonus_meters, after.bonus_owed) == ((2, 0, 0), (0, 0, 0))


def test_no_spin_comes_while_a_bonus_game_is_owed():
    with pytest.raises(IllegalStep, match="step 2"):
        played(spin(RED, 5, BONUS), spin(RED))


def test_a_losing_play_pays_nothing():
    s = played(*[spin(n) for n in range(6)], FINISH)

    assert s.phase == dr.OVER
    assert s.paid == 0


# Bonus Games


def test_super_and_mega_bonus_have_two_and_four_active_icons():
    two = (dr.MULTI_FILL, dr.MAX_PRIZES)

    assert played(spin(RED, 5, SUPER), opened(*two)).icons[:4] == (*two, 0, 0)
    with pytest.raises(IllegalStep, match="step 2"):
        played(spin(RED, 5, MEGA), opened(*two))
    with pytest.raises(IllegalStep, match="step 2"):
        played(spin(RED, 5, BONUS), opened(*two))


def test_all_five_picks_are_used_before_the_bonus():
    with pytest.raises(IllegalStep, match="step 5"):
        played(spin(RED, 5, BONUS), opened(), picks(*[dr.MAX_PRIZES] * 2), bonus("max-prizes"))


def test_three_alike_are_one_pair():
    rest = (dr.MULTI_FILL, dr.MYSTERY_FILL)
    s = played(spin(RED, 5, BONUS), opened(), picks(*[dr.MAX_PRIZES] * 3, *rest))

    assert sum(s.pairs) == 1


def test_two_pairs_are_impossible_or_win_once_or_twice():
    icons = (dr.MAX_PRIZES, dr.MULTI_FILL, dr.MAX_PRIZES, dr.MULTI_FILL, dr.DOUBLE_SPINS)
    game = (spin(RED, 5, BONUS), opened(), picks(*icons))
    first = (*game, bonus("max-prizes"))

    with pytest.raises(IllegalStep, match="step 6"):
        played(*game)
    assert played(*first, two_pairs="first-pair").phase == dr.MAIN
    second = bonus("multi-fill", dr.Section(0))
    both = played(*first, second, two_pairs="both")
    assert (both.level, both.multi_fill[0], both.phase) == (2, 1, dr.MAIN)


def test_without_a_pair_nothing_is_won():
    icons = (1, 2, 3, 4, 5)
    game = (spin(RED, 5, BONUS), opened(), picks(*icons))

    assert played(*game, bonus("leave-bonus-game")).phase == dr.MAIN
    with pytest.raises(IllegalStep, match="step 7"):
        played(*game, no_pair="impossible")


@pytest.mark.parametrize("diamonds", range(2, 7))
@pytest.mark.parametrize("colour", range(6))
def test_extra_diamonds_are_two_to_six_of_one_colour(colour, diamonds):
    icon = GAME.setting.extra_diamonds_icon(colour, diamonds)
    s = played(to_bonus(icon, bonus("extra-diamonds")))

    gained = [has - had for has, had in zip(s.ladders, (5, 0, 0, 0, 0, 0), strict=True)]
    assert gained == [diamonds if n == colour else 0 for n in range(6)]


def test_multi_fill_adds_to_every_colour_of_a_section_and_accumulates():
    fill = bonus("multi-fill", dr.Section(RED_BLUE))
    s = played(to_bonus(dr.MULTI_FILL, fill), spin(RED_BLUE, 2))
    twice = played(to_bonus(dr.MULTI_FILL, fill), spin(RED, 5, BONUS), won(dr.MULTI_FILL, fill))

    assert s.ladders[1:] == (4, 0, 0, 0, 0)
    assert twice.multi_fill[RED_BLUE] == 2


@pytest.mark.parametrize("diamonds", [(4, 0, 0, 0, 0, 0), (0, 5, 6, 0, 0, 0)])
def test_mystery_fill_gives_five_to_ten_diamonds(diamonds):
    ten = bonus("mystery-fill", dr.Mystery((0, 0, 10, 0, 0, 0)))
    s = played(to_bonus(dr.MYSTERY_FILL, ten))

    assert s.ladders[2] == 10
    assert s.extra_spins == 2, "red by the spin, pink by the bonus"
    with pytest.raises(IllegalStep):
        played(to_bonus(dr.MYSTERY_FILL, bonus("mystery-fill", dr.Mystery(diamonds))))


def test_double_spins_doubles_spins_left_and_by_reading_extra_spins():
    steps = to_bonus(dr.DOUBLE_SPINS, bonus("double-spins"))

    plain, extra = played(steps), played(steps, double_spins="with-extra-spins")
    assert (plain.spins_left, plain.extra_spins) == (10, 1)
    assert (extra.spins_left, extra.extra_spins) == (10, 2)


def test_after_an_upgrade_multiplier_no_x1_comes():
    upgraded = to_bonus(dr.UPGRADE_MULTIPLIER, bonus("upgrade-multiplier"))

    assert played(upgraded, spin(BLUE, 2)).ladders[1] == 2
    with pytest.raises(IllegalStep):
        played(upgraded, spin(BLUE, 1))


AMOUNTS = {
    0: (400, 800, 2000, 10000, 100000, 100000000),
    1: (600, 1200, 3000, 15000, 150000, 100000000),
    2: (800, 1600, 4000, 20000, 200000, 100000000),
}


@pytest.mark.parametrize("level", AMOUNTS)
def test_the_ladder_amounts_at_each_level(level):
    p = setting()

    assert tuple(dr.ladder_amount(p, n, level) for n in range(6)) == AMOUNTS[level]


def test_a_ladder_completed_before_an_upgrade_pays_by_the_valuation():
    steps = (
        *[spin(RED, 5)] * 2,
        to_bonus(dr.MAX_PRIZES, bonus("max-prizes")),
        *[spin(n) for n in (1, 2, 3, 4)],
        FINISH,
    )

    assert played(*steps).paid == 800
    assert played(*steps, valuation="at-fill").paid == 400


def test_max_prizes_at_the_highest_level_may_be_impossible():
    steps = [*to_bonus(dr.MAX_PRIZES, bonus("max-prizes")), spin(BLUE, 5, BONUS)]

    assert played(steps, won(dr.MAX_PRIZES, bonus("max-prizes"))).level == 2
    with pytest.raises(IllegalStep):
        played(steps, won(dr.UPGRADE_PRIZES), upgrade_at_max="impossible")


@pytest.mark.parametrize("pips", [2, 3, 4])
def test_prize_game_icons_fill_two_to_four_pips(pips):
    icon = GAME.setting.prize_icon(pips)

    assert played(to_bonus(icon, bonus("prize-game-icons"))).prize_meter == pips


# Prize Game

SEVEN_PIPS = (spin(BLUE, 5, PRIZE), spin(PINK, 2, PRIZE))


def test_activate_fills_the_prize_game_meter():
    s = played(to_bonus(dr.ACTIVATE_PRIZE_GAME, bonus("activate-prize-game")))

    assert (s.prize_meter, s.prize_owed) == (7, 1)


def test_the_prize_game_pays_amount_times_multiplier_and_goes_on_with_extra_spins():
    s = played(*SEVEN_PIPS, OPEN_PRIZE, prize_spin(0, 10, extra=True), prize_spin(1, 3))

    assert (s.phase, s.prize_won) == (dr.MAIN, 500 * 10 + 1000 * 3)
    assert (s.spins_left, s.extra_spins) == (5, 0), "the second spin was an extra spin"


def test_the_prize_game_starts_at_once_or_after_the_main_game():
    with pytest.raises(IllegalStep, match="step 3"):
        played(*SEVEN_PIPS, spin(RED))
    with pytest.raises(IllegalStep, match="step 3"):
        played(*SEVEN_PIPS, OPEN_PRIZE, prize_game_start="after-main")


@pytest.mark.parametrize(
    ("readings", "meter", "owed"),
    [
        ({}, 7, 1),
        ({"prize_meter_after": "emptied"}, 0, 1),
        ({"prize_meter_after": "emptied", "prize_surplus": "carried"}, 3, 1),
    ],
)
def test_what_the_prize_game_meter_shows_after_ten_pips(readings, meter, owed):
    s = played(*[spin(BLUE, 5, PRIZE)] * 2, **readings)

    assert (s.prize_meter, s.prize_owed) == (meter, owed)


def test_the_prize_game_comes_once_or_each_time():
    steps = [spin(n, 5, PRIZE) for n in (1, 2, 3)]
    late = {"prize_game_start": "after-main"}
    queue = {
        "prize_game_repeat": "each-time",
        "prize_meter_after": "emptied",
        "prize_surplus": "carried",
    }

    assert played(*steps, **late).prize_owed == 1
    each = played(*steps, **late, **queue)
    assert (each.prize_owed, each.prize_meter) == (2, 1)


@pytest.mark.parametrize(
    ("order", "prize_first", "bonus"),
    [
        ("bonus-super-mega-prize", False, 1),
        ("mega-super-bonus-prize", False, 3),
        ("prize-bonus-super-mega", True, 1),
    ],
)
def test_which_game_comes_first(order, prize_first, bonus):
    p = setting(unlock_order=order)
    s = dataclasses.replace(dr.initial(p), bonus_owed=(1, 1, 1), prize_owed=1)

    assert dr.prize_due(p, s) is prize_first
    assert dr.next_bonus_game(p, s) == bonus


def test_all_six_ladders_at_the_highest_level_pay_1_002_264_pounds():
    pairs = [6, 7, 8]
    steps = [
        spin(6, 5, BONUS),
        *won(dr.MAX_PRIZES, bonus("max-prizes")),
        *[spin(n, 5) for n in (6, 6, *[one for one in pairs[1:] for _ in range(3)])],
    ]
    s = played(steps)
    left = s.spins_left + s.extra_spins
    done = played(steps, [spin(RED)] * left, FINISH)

    assert done.paid == 100226400
    assert done.ladders_paid == AMOUNTS[2]


# Any Play


def drawn_setting(draw):
    readings = {
        name: draw(st.sampled_from(ways.choices))
        for name, ways in readings_of(GAME.setting).items()
    }
    if "carried" in readings.values() or "each-time" in readings.values():
        readings["prize-meter-after"] = "emptied"
    return settle(GAME.setting, EDITION.parameters, readings)[0]


def drawn_reveal(draw, p, s, rule):
    """Return a reveal for a rule, mostly one that makes something happen."""
    icons = st.integers(1, p.last_icon) | st.sampled_from(
        [dr.ACTIVATE_PRIZE_GAME, dr.MAX_PRIZES]
    )
    if rule.reveal is dr.Spin:
        return dr.Spin(
            draw(st.integers(0, p.last_segment)), draw(st.sampled_from((5, 5, 2, 1))),
            draw(st.integers(0, p.last_bonus_segment)),
        )  # fmt: skip
    if rule.reveal is dr.Grid:
        active = p.active_icons[dr.next_bonus_game(p, s) - 1]
        shown = tuple(draw(icons) for _ in range(active))
        return dr.Grid(shown + (0,) * (len(p.actives) - active))
    if rule.reveal is dr.Pick:
        again = [icon for icon in s.icons if icon] or [dr.MULTI_FILL]
        return dr.Pick(draw(icons | st.sampled_from(again)), draw(st.integers(1, p.tiles)))
    if rule.reveal is dr.Section:
        return dr.Section(draw(st.integers(0, p.last_segment)))
    if rule.reveal is dr.Mystery:
        return dr.Mystery(tuple(draw(st.integers(0, 2)) for _ in p.colours))
    if rule.reveal is dr.PrizeSpin:
        return dr.PrizeSpin(
            draw(st.integers(0, p.last_prize_segment)),
            draw(st.sampled_from(p.prize_multipliers)),
            draw(st.booleans()),
        )
    return Nothing()


@pytest.mark.slow
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_every_property_but_the_two_that_depend_holds_on_any_play(data):
    p = drawn_setting(data.draw)
    point = GAME.start(p)
    choices = {name: getattr(p, name.replace("-", "_")).name for name in readings_of(p)}
    failing = {
        "one-bonus-per-game": choices["two-pairs"] == "both",
        "prize-game-once": choices["prize-game-repeat"] == "each-time",
    }
    for _ in range(40):
        legal = []
        for rule in GAME.rules:
            reveal = (
                drawn_reveal(data.draw, p, point.s, rule) if _may(p, point.s, rule) else None
            )
            if reveal is not None and rule in applicable(GAME, p, point, reveal):
                legal.append((rule, reveal))
        if not legal:
            break
        assert len(legal) == 1, "one rule at most applies"
        ((rule, reveal),) = legal
        after = GAME.after(p, point, rule, reveal)
        for claim in GAME.properties:
            if failing.get(claim.id) or claim.kind is Kind.GENERAL:
                continue
            if claim.kind is Kind.STEP:
                assert claim.holds(p, point, Step(rule.id, reveal), after), claim.id
            else:
                assert claim.holds(p, after.s, after.t), claim.id
        point = after


def _may(p, s, rule):
    return rule.when(p, s, Nothing()) is True


def test_the_tile_decides_nothing():
    game = [spin(RED, 5, BONUS), opened(), *picks(1, 1, 2, 3, 4)]
    other = [
        dataclasses.replace(step, reveal=dataclasses.replace(step.reveal, tile=20))
        if step.rule == "pick"
        else step
        for step in game
    ]

    assert played(game) == played(other)
