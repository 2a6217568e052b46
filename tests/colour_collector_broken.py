"""For every property of Colour Collector a build's likely fault, as a rule that goes wrong.

The faults are put into a small copy of the game (one spin, two rows, two Bonus Prizes on show,
one symbol to a Bonus Game), where they show within a few steps.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from playproof.models.algebra import all_of, pick, where
from playproof.models.colour_collector import (
    ACTIVATE,
    BOOSTER,
    EXTRA_SPINS,
    MAIN,
    MEGA,
    finish,
    highlighted,
    main_over,
    prize_game_due,
    prize_spin,
    right_answer,
    row_values,
    spin,
    win,
    wrong_answer,
)
from playproof.models.colour_collector_grid import GRID_LAYER, Square, lay
from playproof.models.colour_collector_properties import COLOUR_COLLECTOR
from playproof.models.system import Game, Rule

SMALL = COLOUR_COLLECTOR.copy(
    spins=1, bonus_box_size=1, rows=("1", "2"), shown=("1", "2"), prize_tags=("1", "2")
)
WITH_BOX = SMALL.copy(bonus_box_size=2)


class Broken(NamedTuple):
    """A fault in words, the game that has it, and the rules of a shortest Play that shows it.

    ``only_under`` is the reading without which the fault is none.
    """

    says: str
    game: Game
    along: tuple[str, ...]
    only_under: tuple[tuple[str, str], ...] = ()


def ends_up(rule: Rule, wreck: Callable[[Any, Any, Any, Any], Any], game: Game = SMALL) -> Game:
    """Return the game in which ``wreck(p, before, reveal, after)`` spoils what a rule does."""

    def effect(p: Any, s: Any, r: Any) -> Any:
        return wreck(p, s, r, rule.effect(p, s, r))

    return game.with_rule(dataclasses.replace(rule, effect=effect))


def fires(rule: Rule, when: Callable[[Any, Any, Any], Any], game: Game = SMALL) -> Game:
    """Return the game in which a rule fires at other times."""
    return game.with_rule(dataclasses.replace(rule, when=when))


@dataclass(frozen=True)
class InAnyColour(Square):
    """What comes into a square that is not collected, in whatever colour."""

    def legal(self, p: Any, s: Any) -> bool:
        return True


def paying_the_first_amounts(p: Any, s: Any, r: Any, after: Any) -> Any:
    rows = [
        where(have == boxes, pick(amounts, filled_at), 0)
        for have, boxes, amounts, filled_at in zip(
            s.rows, p.row_boxes, p.row_amounts, s.filled_at, strict=True
        )
    ]
    return replace(after, paid=sum(rows) + s.prize_game_prize)


def boosting_the_top_prize(p: Any, s: Any, r: Any, after: Any) -> Any:
    top = row_values(p, s)[-1]
    return replace(after, paid=after.paid + where(s.level > 0, top, 0))


def adding_what_is_highlighted(p: Any, s: Any, r: Any, after: Any) -> Any:
    kind, number = highlighted(s, r)
    more = where(kind == EXTRA_SPINS, number, 0)
    return replace(after, spins_left=after.spins_left + more)


def favouring_odd(p: Any, s: Any, r: Any, after: Any) -> Any:
    first, *others = after.won_symbols
    return replace(after, won_symbols=[first + where(r.picked_odd, 1, 0), *others])


def adding_spins_at_once(p: Any, s: Any, r: Any, after: Any) -> Any:
    return replace(after, spins_left=s.spins_left + after.won_spins - s.won_spins)


def one_short(p: Any, s: Any, r: Any, after: Any) -> Any:
    full = s.bonus_box + r.bonus_symbols == p.bonus_box_size - 1
    return replace(
        after,
        bonus_games_owed=after.bonus_games_owed + where(full, 1, 0),
        bonus_box=where(full, 0, after.bonus_box),
    )


def mega_too_high(p: Any, s: Any, r: Any, after: Any) -> Any:
    kind, _ = highlighted(s, r)
    return replace(after, won_level=after.won_level + where(kind == MEGA, 1, 0))


def second_booster_idle(p: Any, s: Any, r: Any, after: Any) -> Any:
    kind, _ = highlighted(s, r)
    again = all_of(kind == BOOSTER, s.won_boosters[0] > 0)
    return replace(after, won_level=where(again, s.won_level, after.won_level))


def activating_by_one(p: Any, s: Any, r: Any, after: Any) -> Any:
    kind, _ = highlighted(s, r)
    more = where(kind == ACTIVATE, 1, 0)
    return replace(
        after,
        won_activate=s.won_activate,
        won_prize_symbols=after.won_prize_symbols + more,
    )


BONUS_GAME = ("spin", "open-bonus-game", "right-answer", "wrong-answer")

BROKEN: dict[str, Broken] = {
    "single-prize": Broken(
        "a Play that has paid does not end",
        ends_up(finish, lambda p, s, r, after: replace(after, phase=s.phase)),
        ("spin", "finish"),
    ),
    "prize-is-sum": Broken(
        "a row that was full before a booster is paid at its old amount under either reading",
        ends_up(finish, paying_the_first_amounts),
        (*BONUS_GAME, "finish"),
        (("valuation", "at-end"),),
    ),
    "row-pays-once": Broken(
        "a row that is full empties and can be won again",
        ends_up(
            spin,
            lambda p, s, r, after: replace(
                after,
                rows=[
                    where(have == boxes, 0, have)
                    for have, boxes in zip(after.rows, p.row_boxes, strict=True)
                ],
            ),
        ),
        ("spin",),
    ),
    "own-row-only": Broken(
        "shapes go into each other's rows",
        ends_up(
            spin,
            lambda p, s, r, after: spin.effect(p, s, replace(r, symbols=r.symbols[::-1])),
        ),
        ("spin",),
    ),
    "filled-never-lost": Broken(
        "the Prize Table is empty after a Bonus Game",
        ends_up(wrong_answer, lambda p, s, r, after: replace(after, rows=[0 for _ in p.rows])),
        BONUS_GAME,
    ),
    "overflow-carries": Broken(
        "bonus symbols beyond a full box are lost",
        ends_up(
            spin,
            lambda p, s, r, after: replace(
                after,
                bonus_box=where(
                    after.bonus_games_owed > s.bonus_games_owed, 0, after.bonus_box
                ),
            ),
            WITH_BOX,
        ),
        ("spin",),
    ),
    "award-exact": Broken(
        "extra spins are added twice",
        ends_up(
            wrong_answer,
            lambda p, s, r, after: replace(after, spins_left=after.spins_left + s.won_spins),
        ),
        BONUS_GAME,
    ),
    "wrong-parity-awards-nothing": Broken(
        "the Bonus Prize highlighted in the wrong round is awarded too",
        ends_up(wrong_answer, adding_what_is_highlighted),
        BONUS_GAME,
    ),
    "awards-balance": Broken(
        "extra spins are added while the Bonus Game goes on",
        ends_up(right_answer, adding_spins_at_once),
        BONUS_GAME[:3],
    ),
    "sub-game-earned": Broken(
        "one symbol too few unlocks the Bonus Game",
        ends_up(spin, one_short, WITH_BOX),
        ("spin", "open-bonus-game"),
    ),
    "no-spin-while-game-owed": Broken(
        "a spin may be taken before the Bonus Game that is owed",
        fires(
            spin, lambda p, s, r: all_of(s.phase == MAIN, s.spins_left > 0), SMALL.copy(spins=2)
        ),
        ("spin", "spin"),
    ),
    "prize-game-once": Broken(
        "the Prize Game may be played again",
        ends_up(win, lambda p, s, r, after: replace(after, prize_game_played=False)),
        ("spin", "win", "win"),
    ),
    "prize-game-after-main": Broken(
        "the Prize Game begins as soon as its box is full",
        fires(
            prize_spin,
            lambda p, s, r: all_of(s.phase == MAIN, prize_game_due(p, s), r.wins == 0),
        ),
        ("spin", "prize-spin"),
    ),
    "prize-surplus-ignored": Broken(
        "the Prize Game Box goes on past its size",
        ends_up(
            spin,
            lambda p, s, r, after: replace(after, prize_box=s.prize_box + r.prize_symbols),
        ),
        ("spin",),
    ),
    "boosters-cap": Broken(
        "a Mega Prize Booster lifts by one level more than there is",
        ends_up(right_answer, mega_too_high),
        BONUS_GAME[:3],
    ),
    "boosters-never-lower": Broken(
        "the Prize Table is back at its first amounts when the Play ends",
        ends_up(finish, lambda p, s, r, after: replace(after, level=0)),
        (*BONUS_GAME, "finish"),
    ),
    "boosters-any-order": Broken(
        "a second Prize Booster does nothing",
        ends_up(right_answer, second_booster_idle),
        (*BONUS_GAME[:3], "right-answer"),
    ),
    "top-prize-fixed": Broken(
        "boosters raise the top prize as well",
        ends_up(finish, boosting_the_top_prize),
        (*BONUS_GAME, "finish"),
    ),
    "pot-is-sum": Broken(
        "a spin of the Prize Game puts its amounts in the place of what the pot held",
        ends_up(prize_spin, lambda p, s, r, after: replace(after, prize_pot=r.collected(p))),
        ("spin", "prize-spin", "prize-spin"),
    ),
    "doubled-once": Broken(
        "two WIN X2 at once pay four times the pot",
        ends_up(
            win,
            lambda p, s, r, after: replace(
                after,
                prize_game_prize=where(
                    r.double_wins > 1, 4 * after.prize_pot, after.prize_game_prize
                ),
            ),
        ),
        ("spin", "prize-spin", "win"),
    ),
    "activate-fills": Broken(
        "an activation adds one symbol to the Prize Game Box",
        ends_up(right_answer, activating_by_one),
        BONUS_GAME,
    ),
    "spins-balance": Broken(
        "extra spins are announced and not added",
        ends_up(wrong_answer, lambda p, s, r, after: replace(after, spins_left=s.spins_left)),
        BONUS_GAME,
    ),
    "meters-in-range": Broken(
        "the spin button works when no spin is left",
        fires(spin, lambda p, s, r: all_of(s.phase == MAIN, s.bonus_games_owed == 0)),
        ("spin", "spin"),
    ),
    "ends-clean": Broken(
        "a Play may end although its Prize Game is owed",
        fires(finish, lambda p, s, r: main_over(s)),
        ("spin", "finish"),
    ),
    "choice-free": Broken(
        "who picks odd gets a symbol more for the first row",
        ends_up(right_answer, favouring_odd),
        ("spin", "open-bonus-game", "right-answer", "wrong-answer", "finish"),
    ),
    "deterministic": Broken(
        "the end is offered while the Prize Game is",
        fires(finish, lambda p, s, r: main_over(s)),
        ("spin", "prize-spin"),
    ),
    "never-stuck": Broken(
        "the end waits for a Prize Game",
        fires(finish, lambda p, s, r: all_of(main_over(s), s.prize_game_played)),
        ("spin",),
    ),
    "terminates": Broken(
        "a spin costs nothing",
        ends_up(spin, lambda p, s, r, after: replace(after, spins_left=s.spins_left)),
        ("spin",),
    ),
    "collects-what-it-shows": Broken(
        "a square that is not collected may wear the wheel's colour too",
        replace(
            SMALL, layer=GRID_LAYER.with_rule(dataclasses.replace(lay, reveal=InAnyColour))
        ),
        ("spin", "lay", "lay", "spin"),
    ),
    "keeps-what-it-leaves": Broken(
        "squares that are not collected are refilled too",
        replace(
            SMALL,
            layer=ends_up(
                lay,
                lambda p, s, r, after: replace(
                    after, holds=where(after.wears == s.wheel, after.holds, 1)
                ),
                GRID_LAYER,
            ),
        ),
        ("spin", "lay"),
    ),
}
