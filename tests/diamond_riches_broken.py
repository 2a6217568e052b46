"""For every property of Diamond Riches a build's likely fault, as a rule that goes wrong.

The faults are put into a small copy of the game (two spins, two ladders, one Bonus Game with
two active icons and a pick or none, meters of one or two pips), where they show in few steps.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from playproof.models.algebra import all_of, minimum, negate, where
from playproof.models.diamond_riches import (
    BONUS,
    MAIN,
    MAX_PRIZES,
    PRIZE,
    collect_bonus_pips,
    collect_prize_pips,
    double_spins,
    extra_diamonds,
    finish,
    icon_won,
    leave_bonus_game,
    max_prizes,
    multi_fill,
    no_bonus_owed,
    no_spin_left,
    open_prize_game,
    pick,
    prize_spin,
    spin,
    turn,
    upgrade_multiplier,
    upgrade_prizes,
)
from playproof.models.diamond_riches_properties import DIAMOND_RICHES

from .colour_collector_broken import Broken, ends_up, fires

SMALL = DIAMOND_RICHES.copy(
    spins=2,
    colours=("red", "yellow"),
    first_upgrade=(600, 100000000),
    second_upgrade=(800, 100000000),
    ladder_size=3,
    bonus_games=("super-bonus",),
    active_icons=(2,),
    bonus_pips=1,
    picks=1,
    prize_pips=2,
    segments=("1", "2"),
    bonus_segments=("1",),
    prize_segments=("1",),
)
WITH_METER = SMALL.copy(bonus_pips=2)
ONE_SPIN = SMALL.copy(spins=1)
NO_PICKS = SMALL.copy(picks=0)


def paying_too_soon(p: Any, s: Any, r: Any, after: Any) -> Any:
    first = where(s.ladders[0] >= p.ladder_size - 1, p.start_amounts[0], 0)
    return replace(
        after,
        ladders_paid=(first, *after.ladders_paid[1:]),
        paid=after.paid - after.ladders_paid[0] + first,
    )


def paying_red_twice(p: Any, s: Any, r: Any, after: Any) -> Any:
    return replace(after, paid=after.paid + after.ladders_paid[0])


def swapping_ladders(p: Any, s: Any, r: Any, after: Any) -> Any:
    gained = [has - had for had, has in zip(s.ladders, after.ladders, strict=True)]
    ladders = zip(s.ladders, gained[::-1], strict=True)
    return replace(
        after, ladders=tuple(minimum(had + got, p.ladder_size) for had, got in ladders)
    )


def losing_the_surplus(p: Any, s: Any, r: Any, after: Any) -> Any:
    full = after.bonus_owed[0] > s.bonus_owed[0]
    return replace(after, bonus_meters=(where(full, 0, after.bonus_meters[0]),))


def one_pip_short(p: Any, s: Any, r: Any, after: Any) -> Any:
    full = all_of(after.bonus_meters[0] == p.bonus_pips - 1, after.bonus_owed[0] == 0)
    return replace(
        after,
        bonus_meters=(where(full, 0, after.bonus_meters[0]),),
        bonus_owed=(where(full, 1, after.bonus_owed[0]),),
    )


def collecting_icons_again(p: Any, s: Any, r: Any, after: Any) -> Any:
    *bonus, _ = r.pips(p)
    return collect_bonus_pips(p, after, bonus)


def counting_pips_twice(p: Any, s: Any, r: Any, after: Any) -> Any:
    return collect_prize_pips(p, after, r.pips(p)[-1])


def winning_each_pair(p: Any, s: Any, r: Any, after: Any) -> Any:
    """Take the second of two pairs too, as if the reading were that both win."""
    both = replace(p, two_pairs=replace(p.two_pairs, index=p.two_pairs.choices.index("both")))
    slot = len(p.actives) + p.picks - s.picks_left
    return replace(after, pairs=turn(both, s, slot, r.icon).state.pairs)


def an_extra_spin_that_costs(p: Any, s: Any, r: Any, after: Any) -> Any:
    return replace(after, spins_left=where(s.spins_left > 0, s.spins_left - 1, 0))


def max_by_one(p: Any, s: Any, r: Any, after: Any) -> Any:
    return replace(after, level=minimum(s.level + 1, p.top_level))


def boosting_the_top_prize(p: Any, s: Any, r: Any, after: Any) -> Any:
    red, top = after.ladders_paid
    return replace(after, ladders_paid=(red, top * 2), paid=after.paid + top)


def losing_the_pot(p: Any, s: Any, r: Any, after: Any) -> Any:
    return replace(after, prize_won=s.prize_won)


def adding_the_amount_once(p: Any, s: Any, r: Any, after: Any) -> Any:
    amount, last = p.prize_wheel[0], after.phase == MAIN
    return replace(
        after,
        prize_pot=where(last, 0, s.prize_pot + amount),
        prize_won=s.prize_won + where(last, s.prize_pot + amount, 0),
    )


TO_BONUS = ("spin", "open-bonus-game")

BROKEN: dict[str, Broken] = {
    "meters-in-range": Broken(
        "the Prize Game Meter goes on past its size",
        ends_up(
            spin,
            lambda p, s, r, after: replace(after, prize_meter=s.prize_meter + r.pips(p)[-1]),
            SMALL,
        ),
        ("spin",),
    ),
    "single-prize": Broken(
        "a Play that has paid does not end",
        ends_up(finish, lambda p, s, r, after: replace(after, phase=s.phase), SMALL),
        ("spin", "spin", "finish"),
    ),
    "prize-is-sum": Broken(
        "the red ladder pays when it is one segment short",
        ends_up(finish, paying_too_soon, ONE_SPIN),
        ("spin", "finish"),
    ),
    "ladder-pays-once": Broken(
        "the red ladder is paid twice",
        ends_up(finish, paying_red_twice, ONE_SPIN),
        ("spin", "spin", "finish"),
    ),
    "own-ladder-only": Broken(
        "diamonds climb each other's ladder",
        ends_up(spin, swapping_ladders, SMALL),
        ("spin",),
    ),
    "filled-never-lost": Broken(
        "the ladders are empty after an Upgrade Prizes",
        ends_up(
            upgrade_prizes,
            lambda p, s, r, after: replace(after, ladders=tuple(0 for _ in p.colours)),
            NO_PICKS,
        ),
        (*TO_BONUS, "upgrade-prizes"),
    ),
    "overflow-carries": Broken(
        "pips beyond a full meter are lost",
        ends_up(spin, losing_the_surplus, WITH_METER),
        ("spin",),
    ),
    "prize-meter-exact": Broken(
        "pips for the Prize Game are counted twice",
        ends_up(spin, counting_pips_twice, SMALL),
        ("spin",),
    ),
    "one-unlock-per-spin": Broken(
        "the multiplier is applied twice to the icons",
        ends_up(spin, collecting_icons_again, DIAMOND_RICHES),
        ("spin",),
    ),
    "award-exact": Broken(
        "a Multi-Fill is announced and not given",
        ends_up(
            multi_fill,
            lambda p, s, r, after: replace(after, multi_fill=s.multi_fill),
            NO_PICKS,
        ),
        (*TO_BONUS, "multi-fill"),
    ),
    "one-bonus-per-game": Broken(
        "a second pair wins too where the first should",
        ends_up(pick, winning_each_pair, SMALL.copy(picks=2)),
        ("spin", "open-bonus-game", "pick", "pick"),
        (("two-pairs", "first-pair"),),
    ),
    "sub-game-earned": Broken(
        "one pip too few unlocks the Bonus Game",
        ends_up(spin, one_pip_short, WITH_METER),
        ("spin", "open-bonus-game"),
    ),
    "no-spin-while-game-owed": Broken(
        "a spin may be taken before the Bonus Game that is owed",
        fires(spin, lambda p, s, r: all_of(s.phase == MAIN, negate(no_spin_left(s))), SMALL),
        ("spin", "spin"),
    ),
    "picks-balance": Broken(
        "a bonus is taken before all picks are used",
        fires(
            extra_diamonds,
            lambda p, s, r: all_of(s.phase == BONUS, icon_won(s) > MAX_PRIZES),
            SMALL,
        ),
        ("spin", "open-bonus-game", "extra-diamonds"),
    ),
    "prize-game-once": Broken(
        "the Prize Game stays owed after it was begun",
        ends_up(
            open_prize_game,
            lambda p, s, r, after: replace(after, prize_owed=s.prize_owed),
            SMALL,
        ),
        ("spin", "open-prize-game"),
        (("prize-game-repeat", "once"),),
    ),
    "prize-game-keeps-main": Broken(
        "an Extra Spin icon of the Prize Game adds to Spins Left too",
        ends_up(
            prize_spin,
            lambda p, s, r, after: replace(
                after, spins_left=s.spins_left + where(r.extra_spin, 1, 0)
            ),
            SMALL,
        ),
        ("spin", "open-prize-game", "prize-spin"),
    ),
    "boosters-cap": Broken(
        "a Max Prizes raises the level beyond the highest",
        ends_up(
            max_prizes,
            lambda p, s, r, after: replace(after, level=s.level + p.top_level + 1),
            NO_PICKS,
        ),
        (*TO_BONUS, "max-prizes"),
    ),
    "boosters-never-lower": Broken(
        "a Max Prizes starts again from the first amounts",
        ends_up(max_prizes, lambda p, s, r, after: replace(after, level=0), NO_PICKS),
        (*TO_BONUS, "upgrade-prizes", "open-bonus-game", "max-prizes"),
    ),
    "top-prize-fixed": Broken(
        "the top prize is paid doubled",
        ends_up(finish, boosting_the_top_prize, ONE_SPIN),
        ("spin", "spin", "finish"),
    ),
    "max-is-second-upgrade": Broken(
        "a Max Prizes raises by one level only",
        ends_up(max_prizes, max_by_one, NO_PICKS),
        (*TO_BONUS, "max-prizes"),
    ),
    "multiplier-in-range": Broken(
        "an Upgrade Multiplier is announced and not given",
        ends_up(
            upgrade_multiplier,
            lambda p, s, r, after: replace(after, multiplier_upgraded=s.multiplier_upgraded),
            NO_PICKS,
        ),
        (*TO_BONUS, "upgrade-multiplier", "spin"),
    ),
    "one-extra-spin-per-ladder": Broken(
        "an Extra Spin Box that is reached gives nothing",
        ends_up(spin, lambda p, s, r, after: replace(after, extra_spins=0), SMALL),
        ("spin",),
    ),
    "extra-spin-keeps-count": Broken(
        "an extra spin costs one of Spins Left",
        ends_up(spin, an_extra_spin_that_costs, SMALL),
        ("spin", "spin"),
    ),
    "double-spins-exact": Broken(
        "a Double Spins adds two instead of doubling",
        ends_up(
            double_spins,
            lambda p, s, r, after: replace(after, spins_left=s.spins_left + 2),
            NO_PICKS,
        ),
        (*TO_BONUS, "double-spins"),
    ),
    "spins-balance": Broken(
        "a spin is free of cost",
        ends_up(spin, lambda p, s, r, after: replace(after, spins_left=s.spins_left), SMALL),
        ("spin",),
    ),
    "pot-is-sum": Broken(
        "the multiplier of the Prize Game is dropped",
        ends_up(prize_spin, adding_the_amount_once, SMALL),
        ("spin", "open-prize-game", "prize-spin"),
    ),
    "prize-game-wins": Broken(
        "the Prize Pot is lost when the Prize Game ends",
        ends_up(prize_spin, losing_the_pot, SMALL),
        ("spin", "open-prize-game", "prize-spin"),
    ),
    "ends-clean": Broken(
        "a Play can end while a Bonus Game is owed",
        fires(
            finish,
            lambda p, s, r: all_of(s.phase == MAIN, no_spin_left(s), s.prize_owed == 0),
            ONE_SPIN,
        ),
        ("spin", "finish"),
    ),
    "choice-free": Broken(
        "the first tile pays £1 more",
        ends_up(
            pick,
            lambda p, s, r, after: replace(
                after, prize_won=after.prize_won + where(r.tile == 1, 100, 0)
            ),
            ONE_SPIN,
        ),
        ("spin", "open-bonus-game", "pick", "leave-bonus-game", "finish"),
    ),
    "deterministic": Broken(
        "the end is offered while a Prize Game is owed",
        fires(
            finish,
            lambda p, s, r: all_of(s.phase == MAIN, no_spin_left(s), no_bonus_owed(s)),
            ONE_SPIN,
        ),
        ("spin", "open-prize-game"),
    ),
    "never-stuck": Broken(
        "a Bonus Game without a pair cannot be left",
        fires(leave_bonus_game, lambda p, s, r: False, SMALL),
        ("spin", "open-bonus-game", "pick"),
    ),
    "terminates": Broken(
        "a spin of the Prize Game costs nothing",
        ends_up(
            prize_spin,
            lambda p, s, r, after: replace(after, phase=PRIZE, prize_spins=s.prize_spins),
            SMALL,
        ),
        ("spin", "open-prize-game", "prize-spin"),
    ),
}
"""For each property a fault that breaks it, and the rules of a shortest Play that shows it."""
