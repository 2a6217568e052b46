"""Random legal Plays of Diamond Riches for tests, with bonuses of every kind."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from hypothesis import strategies as st

from playproof.models import diamond_riches as dr
from playproof.models.diamond_riches_properties import DIAMOND_RICHES
from playproof.models.setting import allowed, readings_of, settle
from playproof.models.system import Game, Nothing

__all__ = ["GAME", "legal_steps"]

GAME = DIAMOND_RICHES.copy(
    spins=3, colours=("red", "blue", "yellow"), picks=3, active_icons=(0, 1, 2),
    first_upgrade=(6_00, 12_00, 1_000_000_00), second_upgrade=(8_00, 16_00, 1_000_000_00),
    segments=("1", "2", "3"), bonus_segments=("1", "2", "3", "4"), prize_segments=("1", "2"),
)  # fmt: skip
"""The game with fewer ladders, picks and sections, so that more happens in fewer steps."""
ATTEMPTS = 12


def setting_of(rng: Random, game: Game = GAME) -> Any:
    """Any readings that go together, and some values of every parameter."""
    ways = readings_of(game.setting)
    readings = {name: rng.choice(shape.choices) for name, shape in ways.items()}
    if readings["prize-meter-after"] == "stays-full":  # goes with one choice of each of these
        readings |= {"prize-game-repeat": "once", "prize-surplus": "dropped"}
    assert allowed(game.setting, readings)
    parameters = {
        "start_amounts": (4_00, rng.randint(1, 11_99), 1_000_000_00),
        "extra_spin_box": tuple(rng.sample(range(1, game.setting.ladder_size + 1), 3)),
        "diamond_wheel": ((1, 0, 0), (0, rng.randint(1, 3), 0), (1, 0, 1)),
        "bonus_wheel": ((1, 0, 0, 1), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 0)),
        "multi_fill_adds": rng.randint(1, 3),
        "prize_wheel": (rng.randint(1, 9), 700),
    }
    p, _, fits_together = settle(game.setting, parameters, readings)
    assert fits_together is True
    return p


def legal_steps(draw: st.DrawFn, most: int = 24) -> Iterator[Any]:
    """Yield (setting, point, rule, reveal) of a random legal Play, step by step."""
    rng = Random(draw(st.integers(0, 2**40)))
    p = setting_of(rng)
    point = GAME.start(p)
    diamonds = p.extra_diamonds_icon(0, p.extra_least)
    icons = [0, *range(1, dr.PRIZE_GAME_ICONS), rng.randrange(dr.PRIZE_GAME_ICONS, diamonds)]
    icons.append(rng.randint(diamonds, p.last_icon))
    rng.shuffle(icons)
    wanted = 0
    for _ in range(most):
        due = [rule for rule in GAME.rules if rule.when(p, point.s, Nothing()) is True]
        if not due:
            return
        (rule,) = due
        if rule is dr.open_bonus_game:
            wanted = icons.pop() if icons else 0
        for attempt in range(ATTEMPTS):
            reveal = made(rng, p, point.s, rule, wanted if attempt < 2 else 0)
            if rule.guard(p, point.s, reveal) is True:
                break
        else:
            return
        yield p, point, rule, reveal
        point = GAME.after(p, point, rule, reveal)


def made(rng: Random, p: Any, s: Any, rule: Any, wanted: int) -> Any:
    """Return a reveal for a rule; ``wanted`` is the icon to be shown twice, 0 for any."""
    if rule.reveal is dr.Spin:
        return dr.Spin(
            rng.randint(0, p.last_segment),
            rng.choice((5, 5, 5, 2, 1)),
            rng.randint(0, p.last_bonus_segment),
        )
    if rule.reveal is dr.Grid:
        active = p.active_icons[dr.next_bonus_game(p, s) - 1]
        shown = tuple(rng.randint(1, p.last_icon) for _ in range(active))
        return dr.Grid(shown + (0,) * (len(p.actives) - active))
    if rule.reveal is dr.Pick:
        any_icon = rng.randint(1, p.last_icon)
        plain = s.picks_left <= p.picks - 2 or not wanted
        return dr.Pick(any_icon if plain else wanted, rng.randint(1, p.tiles))
    if rule.reveal is dr.Section:
        return dr.Section(rng.randint(0, p.last_segment))
    if rule.reveal is dr.Mystery:
        given = rng.choices(range(len(p.colours)), k=p.mystery_least)
        return dr.Mystery(tuple(given.count(colour) for colour in range(len(p.colours))))
    if rule.reveal is dr.PrizeSpin:
        return dr.PrizeSpin(
            rng.randint(0, p.last_prize_segment),
            rng.choice(p.prize_multipliers),
            rng.randint(0, 2) == 0,
        )
    return Nothing()
