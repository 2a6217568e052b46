"""What there is to see of Diamond Riches: ladders, meters, wheels, the Bonus Grid.

Every value is known here: p is a setting, s a state, of whole numbers and flags.
What an icon or a wheel looks like is ours. Bonus Grid tiles stand in the order of the picks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, cast

from .diamond_riches import (
    ACTIVATE_PRIZE_GAME,
    BONUS,
    DOUBLE_SPINS,
    MAX_PRIZES,
    MULTI_FILL,
    MYSTERY_FILL,
    NO_ICON,
    PRIZE,
    UPGRADE_MULTIPLIER,
    UPGRADE_PRIZES,
    ladder_amount,
)
from .diamond_riches_screen import BonusGrid, Diamonds, DiamondWheel, PrizeWheels, Wheels
from .drawing import Board, Boxes, Cards, Drawing, Fact, Panel, Phases, Piece, Square, Wheel
from .money import pounds

__all__ = ["DRAWING"]

PHASES = ("Main Game", "a Bonus Game", "Prize Game", "the end")
GAMES = {
    "bonus": "Bonus",
    "super-bonus": "Super Bonus",
    "mega-bonus": "Mega Bonus",
    "prize-game": "Prize Game",
}
SHORT = {"bonus": "B", "super-bonus": "S", "mega-bonus": "M", "prize-game": "P"}
ICONS = {
    NO_ICON: "",
    MULTI_FILL: "Multi-Fill",
    MYSTERY_FILL: "Mystery Fill",
    DOUBLE_SPINS: "Double Spins",
    UPGRADE_MULTIPLIER: "Upgrade Multiplier",
    UPGRADE_PRIZES: "Upgrade Prizes",
    MAX_PRIZES: "Max Prizes",
    ACTIVATE_PRIZE_GAME: "Activate Prize Game",
}


def state(p: Any, s: Any) -> Iterator[Panel]:
    """The counts, ladders and meters; a sub-game only while there is anything of it."""
    multipliers = f"x{2 if s.multiplier_upgraded else 1} to x{p.top_multiplier}"
    yield Panel(
        "Play",
        (
            Fact("Now in", PHASES[s.phase], ("phase",)),
            Fact("Spins Left", str(s.spins_left), ("spins_left",)),
            Fact("Extra spins", str(s.extra_spins), ("extra_spins",)),
            Fact("Multipliers", multipliers, ("multiplier_upgraded",)),
            Fact("Prize Amount paid", pounds(s.paid), ("paid",)),
        ),
    )
    ladders = tuple(_ladder(p, s, n, colour) for n, colour in enumerate(p.colours))
    yield Panel(f"Prize Ladders, level {s.level} of {p.top_level}", ladders)
    yield Panel("Meters", tuple(_meters(p, s)))
    if s.phase == BONUS and s.playing:
        yield Panel(GAMES[p.bonus_games[s.playing - 1]], tuple(_bonus_game(p, s)))
    if s.phase == PRIZE or s.prize_pot or s.prize_won or s.prize_owed:
        yield Panel(
            "Prize Game",
            (
                Fact("Prize Games owed", str(s.prize_owed), ("prize_owed",)),
                Fact("Spins left in it", str(s.prize_spins), ("prize_spins",)),
                Fact("Prize Pot", pounds(s.prize_pot), ("prize_pot",)),
                Fact("Pots won", pounds(s.prize_won), ("prize_won",)),
            ),
        )


def _ladder(p: Any, s: Any, n: int, colour: str) -> Boxes:
    at_fill = p.valuation.is_("at-fill") and s.ladders[n] == p.ladder_size
    level = s.filled_at[n] if at_fill else s.level
    pays = pounds(cast("int", ladder_amount(p, n, level)))
    box = p.extra_spin_box[n]
    of = (f"ladders.{colour}", f"filled_at.{colour}", "level", f"ladders_paid.{colour}")
    marked = f"Extra Spin Box at {box}"
    return Boxes(colour, s.ladders[n], p.ladder_size, of, pays, colour, "", (box,), marked)


def _meters(p: Any, s: Any) -> Iterator[Piece]:
    for name, pips, owed in zip(p.bonus_games, s.bonus_meters, s.bonus_owed, strict=True):
        of = (f"bonus_meters.{name}", f"bonus_owed.{name}")
        yield Boxes(GAMES[name], pips, p.bonus_pips, of, _owed(owed), sign=SHORT[name])
    yield Boxes("Prize Game", s.prize_meter, p.prize_pips, ("prize_meter",), sign="P")


def _owed(games: int) -> str:
    return f"{games} owed" if games else ""


def _bonus_game(p: Any, s: Any) -> Iterator[Piece]:
    yield Fact("Picks Left", str(s.picks_left), ("picks_left",))
    shown = zip(p.slots, s.icons, s.pairs, strict=True)
    cards = tuple(
        Square(icon(p, one), lit=pair, tag=slot.replace("-", " "))
        for slot, one, pair in shown
        if one != NO_ICON
    )
    of = tuple(f"{field}.{slot}" for field in ("icons", "pairs") for slot in p.slots)
    yield Cards("Icons revealed", cards, of)


def icon(p: Any, number: int) -> str:
    """Return an icon of a Bonus Game in words."""
    if number in ICONS:
        return ICONS[number]
    for pips in range(p.pips_least, p.pips_most + 1):
        if number == p.prize_icon(pips):
            return f"{pips} Prize Game pips"
    for n, colour in enumerate(p.colours):
        for diamonds in range(p.extra_least, p.extra_most + 1):
            if number == p.extra_diamonds_icon(n, diamonds):
                return f"{diamonds} {colour} diamonds"
    return f"icon {number}"


def screen(p: Any, s: Any, shown: Any) -> Iterator[Panel]:
    """What comes up at a step."""
    title, pieces = _SCREENS[type(shown)]
    yield Panel(title, tuple(pieces(p, s, shown)))


def _wheels(p: Any, s: Any, shown: Any) -> Iterator[Piece]:
    yield Wheel("Diamond wheel", _sections(p, shown.diamonds), shown.diamond_stop)
    multipliers = tuple(Square(f"x{factor}") for factor in shown.multipliers)
    yield Wheel("Multiplier wheel", multipliers, shown.multiplier_stop)
    sections = []
    for there in shown.icons:
        names = [name for name, one in zip(p.meters, there, strict=True) if one]
        says = " and ".join(f"{GAMES[name]} icon" for name in names) or "no icon"
        sections.append(Square(" ".join(SHORT[name] for name in names), says=says))
    yield Wheel("Bonus wheel", tuple(sections), shown.bonus_stop)


def _sections(p: Any, diamonds: Sequence[Sequence[int]]) -> tuple[Square, ...]:
    return tuple(
        Square(
            dots=tuple(c for n, c in zip(row, p.colours, strict=True) for _ in range(n)),
            says=" and ".join(f"{n} {c}" for n, c in zip(row, p.colours, strict=True) if n),
        )
        for row in diamonds
    )


def _grid(p: Any, s: Any, shown: Any) -> Iterator[Piece]:
    """The tiles that are open, then the others, face down; the icons active without a pick."""
    turned = p.picks - s.picks_left + 1 if s.playing else 0
    tiles = tuple(
        Square(icon(p, one), tag=f"{n}", lit=n == turned)
        if n <= turned
        else Square(hidden=True, says="not picked")
        for n, one in enumerate(shown.tiles, start=1)
    )
    active = [icon(p, one) for one in shown.active[shown.unlocked - 1] if one != NO_ICON]
    if active:
        cards = tuple(Square(one, tag="active") for one in active)
        yield Cards("Active without a pick", cards)
    yield Board("Bonus Grid, in the order of the picks", tiles, 5)


def _diamond_wheel(p: Any, s: Any, shown: Any) -> Iterator[Piece]:
    yield Wheel("Diamond wheel", _sections(p, shown.diamonds), None)


def _mystery(p: Any, s: Any, shown: Any) -> Iterator[Piece]:
    colours = [p.colours[one - 1] for one in shown.colours if one]
    diamonds = tuple(Square(colour, colour) for colour in colours)
    yield Cards("Diamonds as they come", diamonds)


def _prize_wheels(p: Any, s: Any, shown: Any) -> Iterator[Piece]:
    amounts = tuple(Square(pounds(amount)) for amount in shown.amounts)
    yield Wheel("Prize Won Wheel", amounts, shown.amount_stop)
    factors = tuple(Square(f"x{factor}") for factor in shown.multipliers)
    yield Wheel("Multiplier wheel", factors, shown.multiplier_stop)
    extra = tuple(
        Square("+1" if there else "", says="Extra Spin" if there else "no extra spin")
        for there in shown.extra_spins
    )
    yield Wheel("Extra Spin wheel", extra, shown.extra_spin_stop)


_SCREENS: dict[type, tuple[str, Callable[[Any, Any, Any], Iterator[Piece]]]] = {
    Wheels: ("The spin", _wheels),
    BonusGrid: ("The Bonus Grid", _grid),
    DiamondWheel: ("After the Multi-Fill", _diamond_wheel),
    Diamonds: ("The Mystery Fill", _mystery),
    PrizeWheels: ("The Prize Game's spin", _prize_wheels),
}

DRAWING = Drawing(state, screen, Phases("phase", PHASES))
"""How the game is drawn."""
