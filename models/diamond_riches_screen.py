"""What Diamond Riches' screen shows: three wheels, the Bonus Grid, the Prize Game's wheels.

A wheel is the list of its sections and the one it stops at, counted from 0. Icons are numbered
as in the rules; 0 stands for one that is not shown. The tiles of a Bonus Game are listed in the
order in which they are picked, whichever tiles those are: what no pick takes comes last.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Self, cast

from .algebra import Bool, Int, all_of, any_of, implies, negate, pick_by, same, where
from .algebra import pick as chosen
from .diamond_riches import (
    NO_ICON,
    Mystery,
    Pick,
    PrizeSpin,
    Riches,
    Section,
    Spin,
    State,
    multi_fill,
    mystery_fill,
    next_bonus_game,
    open_bonus_game,
    pick,
    prize_spin,
    spin,
)
from .diamond_riches import Grid as ActiveIcons
from .mechanics import count_each, dealt
from .money import pounds
from .screen import Need, Screen, Taste, View
from .shape import count, counts, flags

__all__ = ["VIEWS", "BonusGrid", "DiamondWheel", "Diamonds", "PrizeWheels", "Wheels"]


@dataclass(frozen=True)
class Wheels(Screen):
    """The three wheels of the Main Game, and the section of each at the Win Indicator."""

    diamonds: Sequence[Sequence[Int]] = counts(
        "diamonds on a section of the diamond wheel", ("segments", "colours")
    )
    diamond_stop: Int = count("section of it at the Win Indicator", 0, "last_segment")
    multipliers: Sequence[Int] = counts(
        "multiplier on a section of the multiplier wheel",
        "multiplier_sections",
        1,
        "top_multiplier",
    )
    multiplier_stop: Int = count(
        "section of it at the Win Indicator", 0, "last_multiplier_section"
    )
    icons: Sequence[Sequence[Int]] = counts(
        "icons on a section of the bonus wheel", ("bonus_segments", "meters"), 0, 1
    )
    bonus_stop: Int = count("section of it at the Win Indicator", 0, "last_bonus_segment")

    def counted(self, rule: str, p: Riches, s: State) -> Spin:
        multiplier = chosen(self.multipliers, self.multiplier_stop)
        return Spin(self.diamond_stop, multiplier, self.bonus_stop)

    def kept(self, rule: str, p: Riches, s: State, earlier: Self | None) -> Self:
        """Wheels stay as they are, but for Multi-Fill and Upgrade Multiplier."""
        now = replace(self, diamonds=diamond_wheel(p, s), icons=p.bonus_wheel)
        if earlier is None:
            return now
        new = all_of(s.multiplier_upgraded, any_of(one == 1 for one in earlier.multipliers))
        multipliers = [
            where(new, mine, before)
            for mine, before in zip(self.multipliers, earlier.multipliers, strict=True)
        ]
        return replace(now, multipliers=multipliers)

    def needs(self, rule: str, p: Riches, s: State) -> Sequence[Need]:
        clauses = ("DR-10", "DR-34")
        least = where(s.multiplier_upgraded, 2, 1)
        every = (
            implies(factor >= least, any_of(one == factor for one in self.multipliers))
            for factor in range(1, p.top_multiplier + 1)
        )
        none_below = all_of(one >= least for one in self.multipliers)
        return (
            Need("multipliers", all_of(every), "every multiplier is on the wheel", clauses),
            Need("multipliers", none_below, "x1 is not, after Upgrade Multiplier", clauses),
        )

    @classmethod
    def made(
        cls, rule: str, p: Riches, s: State, reveal: Spin, following: Self | None, taste: Taste
    ) -> Self:
        multipliers = multiplier_wheel(p, s, taste)
        if following:
            x1_follows = any_of(one == 1 for one in following.multipliers)
            stays = same(s.multiplier_upgraded, negate(x1_follows))
            multipliers = [
                where(stays, next_, new)
                for next_, new in zip(following.multipliers, multipliers, strict=True)
            ]
        return cls(
            diamonds=diamond_wheel(p, s),
            diamond_stop=reveal.segment,
            multipliers=multipliers,
            multiplier_stop=stop(taste, (one == reveal.multiplier for one in multipliers)),
            icons=p.bonus_wheel,
            bonus_stop=reveal.bonus_segment,
        )

    def picture(self, p: Riches) -> Sequence[str]:
        """What is at the Win Indicator."""
        diamonds = zip(self.diamonds[cast("int", self.diamond_stop)], p.colours, strict=True)
        icons = zip(self.icons[cast("int", self.bonus_stop)], p.meters, strict=True)
        shown = ", ".join(f"{number} {colour}" for number, colour in diamonds if number)
        icon = ", ".join(name for there, name in icons if there) or "no icon"
        return [f"[{shown} · x{self.multipliers[cast('int', self.multiplier_stop)]} · {icon}]"]


@dataclass(frozen=True)
class BonusGrid(Screen):
    """A Bonus Game: its tiles in the order of the picks, and the icons active without one."""

    unlocked: Int = count("the Bonus Game in play, whose icons are active", 1, "last_game")
    active: Sequence[Sequence[Int]] = counts(
        "icon in the grid of a game, active where that is in play; 0 where there is none",
        ("bonus_games", "actives"),
        0,
        "last_icon",
    )
    tiles: Sequence[Int] = counts(
        "icon of the n-th tile picked; 0 where it is not shown", "tile_order", 0, "last_icon"
    )

    def counted(self, rule: str, p: Riches, s: State) -> ActiveIcons | Pick:
        if rule == pick.id:
            return Pick(chosen(self.tiles, p.picks - s.picks_left), tile=1)
        slots = range(len(p.actives))
        return ActiveIcons(
            tuple(chosen([row[n] for row in self.active], self.unlocked, 1) for n in slots)
        )

    def kept(self, rule: str, p: Riches, s: State, earlier: Self | None) -> Self:
        """No icon changes during a Bonus Game; one that is not shown may be any."""
        if rule != pick.id:
            return replace(self, unlocked=next_bonus_game(p, s))
        active, tiles = self.active, self.tiles
        if earlier is not None:
            rows = zip(active, earlier.active, strict=True)
            active = [unchanged(mine, before) for mine, before in rows]
            tiles = unchanged(tiles, earlier.tiles)
        return replace(
            self, unlocked=s.playing, active=revealed(p, s, active), tiles=picked(p, s, tiles)
        )

    @staticmethod
    def continues(rule: str, p: Riches, s: State) -> Bool:
        return rule == pick.id

    @classmethod
    def made(
        cls,
        rule: str,
        p: Riches,
        s: State,
        reveal: ActiveIcons | Pick,
        following: Self | None,
        taste: Taste,
    ) -> Self:
        any_icon = range(1, p.last_icon + 1)
        tiles: Sequence[Int]
        if following:
            active, tiles = following.active, following.tiles
        else:
            active = [
                [taste.one_of(any_icon) if n < most else NO_ICON for n in range(len(p.actives))]
                for most in p.active_icons
            ]
            tiles = [taste.one_of(any_icon) for _ in range(p.tiles)]
        if isinstance(reveal, Pick):
            now = [
                where(p.picks - s.picks_left == n, reveal.icon, icon)
                for n, icon in enumerate(tiles)
            ]
            return cls(s.playing, revealed(p, s, active), picked(p, s, now))
        game = next_bonus_game(p, s)
        return cls(game, in_game(game, reveal.icons, active), tiles)


@dataclass(frozen=True)
class DiamondWheel(Screen):
    """The diamond wheel after a Multi-Fill."""

    diamonds: Sequence[Sequence[Int]] = counts(
        "diamonds on a section of the diamond wheel", ("segments", "colours")
    )

    def counted(self, rule: str, p: Riches, s: State) -> Section:
        changed = (
            any_of(now != before for now, before in zip(section, was, strict=True))
            for section, was in zip(self.diamonds, diamond_wheel(p, s), strict=True)
        )
        return Section(stop(Taste(), changed))

    def kept(self, rule: str, p: Riches, s: State, earlier: Self | None) -> Self:
        """All sections but one are as they were, and that one shows more diamonds."""
        return self.made(rule, p, s, self.counted(rule, p, s), None, Taste())

    @classmethod
    def made(
        cls,
        rule: str,
        p: Riches,
        s: State,
        reveal: Section,
        following: Self | None,
        taste: Taste,
    ) -> Self:
        return cls(
            [
                [
                    where(all_of(reveal.segment == n, d > 0), d + p.multi_fill_adds, d)
                    for d in row
                ]
                for n, row in enumerate(diamond_wheel(p, s))
            ]
        )


@dataclass(frozen=True)
class Diamonds(Screen):
    """The diamonds of a Mystery Fill, in the order in which they come."""

    colours: Sequence[Int] = counts(
        "colour of the n-th diamond, counted from 1; 0 where there is none",
        "mystery_places",
        0,
        "last_colour",
    )

    def counted(self, rule: str, p: Riches, s: State) -> Mystery:
        return Mystery(tuple(count_each(self.colours, range(1, p.last_colour + 1))))

    @classmethod
    def made(
        cls,
        rule: str,
        p: Riches,
        s: State,
        reveal: Mystery,
        following: Self | None,
        taste: Taste,
    ) -> Self:
        laid = dealt(reveal.diamonds, p.mystery_most)
        order = taste.order(len(laid), last=[one == 0 for one in laid])
        return cls([laid[place] for place in order])


@dataclass(frozen=True)
class PrizeWheels(Screen):
    """The three wheels of the Prize Game, and the section of each at its Win Indicator."""

    amounts: Sequence[Int] = counts(
        "amount on a section of the Prize Won Wheel", "prize_segments", 1, unit="pence"
    )
    amount_stop: Int = count("section of it at the Win Indicator", 0, "last_prize_segment")
    multipliers: Sequence[Int] = counts(
        "multiplier on a section of the multiplier wheel", "prize_multiplier_sections", 1
    )
    multiplier_stop: Int = count(
        "section of it at the Win Indicator", 0, "last_prize_multiplier_section"
    )
    extra_spins: Sequence[Bool] = flags(
        "whether a section of the Extra Spin wheel has an icon", "extra_spin_sections"
    )
    extra_spin_stop: Int = count(
        "section of it at the Win Indicator", 0, "last_extra_spin_section"
    )

    def counted(self, rule: str, p: Riches, s: State) -> PrizeSpin:
        return PrizeSpin(
            segment=self.amount_stop,
            multiplier=chosen(self.multipliers, self.multiplier_stop),
            extra_spin=chosen(self.extra_spins, self.extra_spin_stop),
        )

    def kept(self, rule: str, p: Riches, s: State, earlier: Self | None) -> Self:
        """The wheels stay as they are for one Prize Game."""
        now = replace(self, amounts=p.prize_wheel)
        if earlier is None:
            return now
        return replace(now, multipliers=earlier.multipliers, extra_spins=earlier.extra_spins)

    @staticmethod
    def continues(rule: str, p: Riches, s: State) -> Bool:
        return s.prize_pot > 0

    def needs(self, rule: str, p: Riches, s: State) -> Sequence[Need]:
        every = (
            any_of(one == factor for one in self.multipliers) for factor in p.prize_multipliers
        )
        known = (
            any_of(one == factor for factor in p.prize_multipliers) for one in self.multipliers
        )
        icon = any_of(self.extra_spins)
        return (
            Need("multipliers", all_of(every), "every multiplier is on the wheel", ("DR-41",)),
            Need("multipliers", all_of(known), "no other multiplier is on it", ("DR-41",)),
            Need("extra_spins", icon, "an Extra Spin icon is on the wheel", ("DR-42",)),
        )

    @classmethod
    def made(
        cls,
        rule: str,
        p: Riches,
        s: State,
        reveal: PrizeSpin,
        following: Self | None,
        taste: Taste,
    ) -> Self:
        multipliers: Sequence[Int]
        extra_spins: Sequence[Bool]
        if following:
            multipliers, extra_spins = following.multipliers, following.extra_spins
        else:
            factors = p.prize_multipliers
            multipliers = [factors[place] for place in taste.order(len(factors))]
            sections = len(p.extra_spin_sections)
            icons = taste.one_of(range(1, sections))
            extra_spins = [place < icons for place in taste.order(sections)]
        shown = (same(one, reveal.extra_spin) for one in extra_spins)
        return cls(
            amounts=p.prize_wheel,
            amount_stop=reveal.segment,
            multipliers=multipliers,
            multiplier_stop=stop(taste, (one == reveal.multiplier for one in multipliers)),
            extra_spins=extra_spins,
            extra_spin_stop=stop(taste, shown),
        )

    def picture(self, p: Riches) -> Sequence[str]:
        """What is at the Prize Game Win Indicator."""
        amount = pounds(cast("int", self.amounts[cast("int", self.amount_stop)]))
        extra = (
            "extra spin"
            if self.extra_spins[cast("int", self.extra_spin_stop)]
            else "no extra spin"
        )
        return [
            f"[{amount} · x{self.multipliers[cast('int', self.multiplier_stop)]} · {extra}]"
        ]


# ---- Wheels --------------------------------------------------------------------------------


def diamond_wheel(p: Riches, s: State) -> list[list[Int]]:
    """Return the diamonds on each section of the diamond wheel, with what was filled in."""
    return [
        [where(diamonds > 0, diamonds + more, 0) for diamonds in section]
        for section, more in zip(p.diamond_wheel, s.multi_fill, strict=True)
    ]


def multiplier_wheel(p: Riches, s: State, taste: Taste) -> list[Int]:
    """Return sections for every multiplier; after the upgrade one of them is there twice."""
    plain = range(1, p.top_multiplier + 1)
    upgraded = [*plain[1:], taste.one_of(plain[1:] or plain)]
    return [
        where(s.multiplier_upgraded, upgraded[place], plain[place])
        for place in taste.order(p.top_multiplier)
    ]


def stop(taste: Taste, fits: Iterator[Bool] | Sequence[Bool]) -> Int:
    """Return a section that fits, counted from 0."""
    sections = list(fits)
    order = taste.order(len(sections))
    return pick_by([(sections[place], place) for place in order])


def picked(p: Riches, s: State, tiles: Sequence[Int]) -> list[Int]:
    """Return tiles with the icons that were picked so far."""
    icons = s.icons[len(p.actives) :]
    return [
        where(p.picks - s.picks_left > n, icons[n], tile) if n < p.picks else tile
        for n, tile in enumerate(tiles)
    ]


def revealed(p: Riches, s: State, active: Sequence[Sequence[Int]]) -> list[list[Int]]:
    """Return the icons of each game's grid, with those active in the game in play."""
    return in_game(s.playing, s.icons[: len(p.actives)], active)


def in_game(
    game: Int, icons: Sequence[Int], active: Sequence[Sequence[Int]]
) -> list[list[Int]]:
    """Return the icons of each game's grid, with these in one of them, counted from 1."""
    return [
        [where(game == n, mine, icon) for mine, icon in zip(icons, row, strict=True)]
        for n, row in enumerate(active, start=1)
    ]


def unchanged(now: Sequence[Int], before: Sequence[Int]) -> list[Int]:
    """Return the icons there were, but where an icon is not shown, now or then."""
    return [
        where(any_of(new == NO_ICON, old == NO_ICON), new, old)
        for new, old in zip(now, before, strict=True)
    ]


VIEWS = (
    View(
        "wheels",
        Wheels,
        (spin.id,),
        "the three wheels, and the section of each at the Win Indicator",
        collects=("DR-11", "DR-12"),
        keeps=("DR-10", "DR-31", "DR-34"),
    ),
    View(
        "bonus-grid",
        BonusGrid,
        (open_bonus_game.id, pick.id),
        "the tiles of a Bonus Game in the order of the picks, and its active icons",
        collects=("DR-20", "DR-21", "DR-22"),
        keeps=("DR-20", "DR-21", "DR-22"),
    ),
    View(
        "diamond-wheel",
        DiamondWheel,
        (multi_fill.id,),
        "the diamond wheel after a Multi-Fill",
        collects=("DR-31",),
        keeps=("DR-31",),
    ),
    View(
        "diamonds",
        Diamonds,
        (mystery_fill.id,),
        "the diamonds of a Mystery Fill, in the order in which they come",
        collects=("DR-32",),
    ),
    View(
        "prize-wheels",
        PrizeWheels,
        (prize_spin.id,),
        "the Prize Game's wheels, and the section of each at its Win Indicator",
        collects=("DR-41", "DR-42"),
        keeps=("DR-41", "DR-42"),
    ),
)
"""The screens of the game."""
