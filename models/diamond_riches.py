"""Diamond Riches: its rules, in the order of its Procedures.

A Play is six spins of three wheels: coloured diamonds, a multiplier, bonus icons. Diamonds
climb six Prize Ladders, icons fill four meters. Full meters open the Bonus Game, the Super
Bonus, the Mega Bonus and the Prize Game. Clause ids (DR-10) are those of the register.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from .algebra import (
    Bool,
    Int,
    all_of,
    any_of,
    count_of,
    implies,
    maximum,
    minimum,
    negate,
    pick_by,
    same,
    scaled,
    total,
    where,
)
from .algebra import pick as chosen
from .mechanics import capped, crossed, fill, meter
from .money import pounds
from .setting import Choice, Setting, figure, parameter, reading
from .shape import count, counts, flag, flags
from .system import Game, Goal, Point, Reveal, Step, promise, reachable, rule

MAIN, BONUS, PRIZE, OVER = range(4)
"""The phases of a Play: Main Game, a Bonus Game, the Prize Game, ended."""

# Icons of a Bonus Game are numbered, so that identical icons are equal numbers. After the
# Prize Game icons (2, 3 and 4 pips) come the Extra Diamonds: red 2..6, blue 2..6, and so on.
NO_ICON = 0
MULTI_FILL, MYSTERY_FILL, DOUBLE_SPINS, UPGRADE_MULTIPLIER = 1, 2, 3, 4
UPGRADE_PRIZES, MAX_PRIZES, ACTIVATE_PRIZE_GAME, PRIZE_GAME_ICONS = 5, 6, 7, 8


def _numbered(size: int) -> tuple[str, ...]:
    return tuple(str(number) for number in range(1, size + 1))


@dataclass(frozen=True)
class Riches(Setting):
    """What Diamond Riches states and leaves open. Money is in pence."""

    price: int = figure(500, "price of a Play, pence", "DR-01")
    overall_odds: int = figure(275, "x in 1 in x for any prize, in hundredths", "DR-01")
    payout: int = figure(7300, "expected payout, in hundredths of a percent", "DR-01")
    spins: int = figure(6, "spins at the start", "DR-10")
    top_multiplier: int = figure(5, "highest multiplier of the Main Game", "DR-10")
    colours: tuple[str, ...] = figure(
        ("red", "blue", "pink", "green", "purple", "yellow"),
        "ladders, least amount first",
        "DR-13",
    )
    ladder_size: int = figure(13, "segments of a Prize Ladder", "DR-13")
    bonus_games: tuple[str, ...] = figure(
        ("bonus", "super-bonus", "mega-bonus"), "the three games of picks", "DR-16"
    )
    bonus_pips: int = figure(5, "pips of the Bonus, Super Bonus and Mega Bonus meters", "DR-16")
    prize_pips: int = figure(7, "pips of the Prize Game Meter", "DR-16")
    tiles: int = figure(20, "icons of a Bonus Game", "DR-20")
    picks: int = figure(5, "picks of a Bonus Game", "DR-20")
    active_icons: tuple[int, ...] = figure(
        (0, 2, 4), "icons that are active without a pick, by game", "DR-22"
    )
    extra_least: int = figure(2, "fewest diamonds of an Extra Diamonds icon", "DR-30")
    extra_most: int = figure(6, "most diamonds of an Extra Diamonds icon", "DR-30")
    mystery_least: int = figure(5, "fewest diamonds of a Mystery Fill", "DR-32")
    mystery_most: int = figure(10, "most diamonds of a Mystery Fill", "DR-32")
    first_upgrade: tuple[int, ...] = figure(
        (600, 1200, 3000, 15000, 150000, 100000000), "ladder amounts after one upgrade", "DR-35"
    )
    second_upgrade: tuple[int, ...] = figure(
        (800, 1600, 4000, 20000, 200000, 100000000),
        "ladder amounts after two upgrades",
        "DR-36",
    )
    top_level: int = figure(2, "upgrades that the ladder amounts can take", "DR-37")
    pips_least: int = figure(2, "fewest pips of a Prize Game icon", "DR-38")
    pips_most: int = figure(4, "most pips of a Prize Game icon", "DR-38")
    prize_spins: int = figure(1, "spins at the start of the Prize Game", "DR-40")
    prize_multipliers: tuple[int, ...] = figure(
        (1, 2, 3, 4, 5, 6, 10), "multipliers of the Prize Game", "DR-41"
    )
    prize_table: tuple[int, ...] = figure(
        (), "Prize Amounts of the table; none while the table is missing", "DR-51"
    )
    segments: tuple[str, ...] = figure(
        tuple(str(n) for n in range(1, 13)),
        "sections of the diamond wheel",
        "DR-10",
        open_=True,
    )
    bonus_segments: tuple[str, ...] = figure(
        tuple(str(n) for n in range(1, 6)), "sections of the bonus wheel", "DR-10", open_=True
    )
    prize_segments: tuple[str, ...] = figure(
        tuple(str(n) for n in range(1, 8)),
        "sections of the Prize Won Wheel",
        "DR-41",
        open_=True,
    )

    start_amounts: tuple[Int, ...] = parameter(
        "ladder amounts before any upgrade", 1, over="colours", unit="pence", clauses=("DR-13",)
    )
    extra_spin_box: tuple[Int, ...] = parameter(
        "segment that holds the Extra Spin Box", 1, "ladder_size", over="colours",
        clauses=("DR-14",),
    )  # fmt: skip
    diamond_wheel: tuple[tuple[Int, ...], ...] = parameter(
        "diamonds on a section of the diamond wheel", 0, 3, over=("segments", "colours"),
        clauses=("DR-10", "DR-12"),
    )  # fmt: skip
    bonus_wheel: tuple[tuple[Int, ...], ...] = parameter(
        "icons on a section of the bonus wheel", 0, 1, over=("bonus_segments", "meters"),
        clauses=("DR-10", "DR-12"),
    )  # fmt: skip
    multi_fill_adds: Int = parameter(
        "diamonds that a Multi-Fill adds of each colour shown", 1, 3, clauses=("DR-31",)
    )
    prize_wheel: tuple[Int, ...] = parameter(
        "amounts on the Prize Won Wheel", 1, over="prize_segments", unit="pence",
        clauses=("DR-41",),
    )  # fmt: skip

    valuation: Choice = reading(
        "a ladder completed before an upgrade",
        ("DR-35", "DR-51"),
        at_end="pays its amount at the end of the Play",
        at_fill="pays the amount it had when it was completed",
    )
    prize_game_start: Choice = reading(
        "when an unlocked Prize Game is played",
        ("DR-17", "DR-40"),
        at_once="before the next spin of the Main Game",
        after_main="when the Main Game has no spin left",
    )
    prize_game_repeat: Choice = reading(
        "whether the Prize Game can be unlocked again",
        ("DR-17", "DR-40"),
        once="it is played once; pips after that count for nothing",
        each_time="the meter empties at each unlock, and games owed queue up",
    )
    prize_meter_after: Choice = reading(
        "what the Prize Game Meter shows once it was full",
        ("DR-16", "DR-17"),
        stays_full="it stays full",
        emptied="it is emptied at the unlock",
    )
    prize_surplus: Choice = reading(
        "pips over the size of the Prize Game Meter",
        ("DR-18",),
        dropped="they are lost",
        carried="they go into the emptied meter",
    )
    spent_award: Choice = reading(
        "a bonus that can have no effect: pips or Activate after the Prize Game, a second "
        "Upgrade Multiplier",
        ("DR-34", "DR-38", "DR-39"),
        no_effect="it can be won and does nothing",
        impossible="it is never won",
    )
    unlock_order: Choice = reading(
        "which game comes first when several are owed",
        ("DR-17",),
        bonus_super_mega_prize="Bonus, Super Bonus, Mega Bonus, Prize Game",
        mega_super_bonus_prize="Mega Bonus, Super Bonus, Bonus, Prize Game",
        prize_bonus_super_mega="Prize Game, Bonus, Super Bonus, Mega Bonus",
    )
    ladder_surplus: Choice = reading(
        "diamonds beyond the last segment of a ladder",
        ("DR-13",),
        dropped="they are lost",
        impossible="they never come",
    )
    upgrade_at_max: Choice = reading(
        "an Upgrade Prizes or Max Prizes at the highest level",
        ("DR-36", "DR-37"),
        no_effect="it can be won and does nothing",
        impossible="it is never won",
    )
    double_spins: Choice = reading(
        "what Double Spins doubles",
        ("DR-33",),
        spins_left_only="the Spins Left count alone",
        with_extra_spins="extra spins not yet used too",
    )
    no_pair: Choice = reading(
        "a Bonus Game without two identical icons",
        ("DR-20",),
        allowed="wins nothing",
        impossible="never comes",
    )
    two_pairs: Choice = reading(
        "a Bonus Game that shows two different pairs",
        ("DR-23",),
        impossible="never comes",
        first_pair="wins the bonus of the pair that was complete first",
        both="wins the bonuses of both, one after the other",
    )

    @property
    def meters(self) -> tuple[str, ...]:
        """The four kinds of bonus-wheel icon, each with its meter."""
        return (*self.bonus_games, "prize-game")

    @property
    def actives(self) -> tuple[str, ...]:
        """Places of the icons that are active without a pick."""
        return tuple(f"active-{n}" for n in range(1, max(self.active_icons) + 1))

    @property
    def slots(self) -> tuple[str, ...]:
        """Places of the icons a Bonus Game reveals, in order."""
        return (*self.actives, *(f"pick-{n}" for n in range(1, self.picks + 1)))

    @property
    def tile_order(self) -> tuple[str, ...]:
        """The tiles of a Bonus Game in the order of the picks; those never picked come last."""
        return _numbered(self.tiles)

    @property
    def mystery_places(self) -> tuple[str, ...]:
        """The diamonds of a Mystery Fill, in the order in which they come."""
        return _numbered(self.mystery_most)

    @property
    def multiplier_sections(self) -> tuple[str, ...]:
        """The sections of the multiplier wheel."""
        return _numbered(self.top_multiplier)

    @property
    def prize_multiplier_sections(self) -> tuple[str, ...]:
        """The sections of the Prize Game's multiplier wheel."""
        return _numbered(len(self.prize_multipliers))

    @property
    def extra_spin_sections(self) -> tuple[str, ...]:
        """The sections of the Extra Spin wheel: as many as the wheel around it has, or two."""
        return _numbered(max(2, len(self.prize_multipliers)))

    @property
    def last_icon(self) -> int:
        """The highest number of an icon."""
        return self.extra_diamonds_icon(len(self.colours) - 1, self.extra_most)

    @property
    def last_segment(self) -> int:
        """Index of the last section of the diamond wheel."""
        return len(self.segments) - 1

    @property
    def last_bonus_segment(self) -> int:
        """Index of the last section of the bonus wheel."""
        return len(self.bonus_segments) - 1

    @property
    def last_prize_segment(self) -> int:
        """Index of the last section of the Prize Won Wheel."""
        return len(self.prize_segments) - 1

    @property
    def last_multiplier_section(self) -> int:
        """Index of the last section of the multiplier wheel."""
        return len(self.multiplier_sections) - 1

    @property
    def last_prize_multiplier_section(self) -> int:
        """Index of the last section of the Prize Game's multiplier wheel."""
        return len(self.prize_multiplier_sections) - 1

    @property
    def last_extra_spin_section(self) -> int:
        """Index of the last section of the Extra Spin wheel."""
        return len(self.extra_spin_sections) - 1

    @property
    def last_colour(self) -> int:
        """Number of the last colour, counted from 1."""
        return len(self.colours)

    @property
    def last_game(self) -> int:
        """Number of the last Bonus Game, counted from 1."""
        return len(self.bonus_games)

    def prize_icon(self, pips: int) -> int:
        """Return the number of the Prize Game icon worth so many pips."""
        return PRIZE_GAME_ICONS + pips - self.pips_least

    def extra_diamonds_icon(self, colour: int, diamonds: int) -> int:
        """Return the number of the Extra Diamonds icon of a colour (its index)."""
        kinds = self.extra_most - self.extra_least + 1
        return (
            self.prize_icon(self.pips_most) + 1 + colour * kinds + diamonds - self.extra_least
        )

    def constraint(self) -> Bool:
        """Ladder amounts start below the first upgrade, Extra Spin Boxes are all different.

        Every section of the diamond wheel shows a diamond. A Prize Game that is unlocked each
        time, or a surplus that is carried, needs prize-meter-after=emptied.
        """
        boxes = self.extra_spin_box
        emptied = self.prize_meter_after.is_("emptied")
        return all_of(
            (
                low < high
                for low, high in zip(
                    self.start_amounts[:-1], self.first_upgrade[:-1], strict=True
                )
            ),
            self.start_amounts[-1] == self.first_upgrade[-1],
            (boxes[i] != boxes[j] for i in range(len(boxes)) for j in range(i)),
            (total(section) >= 1 for section in self.diamond_wheel),
            implies(self.prize_game_repeat.is_("each-time"), emptied),
            implies(self.prize_surplus.is_("carried"), emptied),
        )


@dataclass(frozen=True)
class State:
    """What the screen shows and what is still owed."""

    phase: Int = count("Main Game 0, a Bonus Game 1, the Prize Game 2, ended 3", 0, OVER)
    spins_left: Int = count("Spins Left")
    extra_spins: Int = count("extra spins not yet used")
    ladders: tuple[Int, ...] = counts(
        "filled segments of a ladder", "colours", 0, "ladder_size"
    )
    filled_at: tuple[Int, ...] = counts(
        "level of the amounts when the ladder was completed", "colours", 0, "top_level"
    )
    level: Int = count("level of the ladder amounts", 0, "top_level")
    multiplier_upgraded: Bool = flag("whether the multiplier wheel starts at x2")
    multi_fill: tuple[Int, ...] = counts("diamonds added to a section's colours", "segments")
    bonus_meters: tuple[Int, ...] = counts(
        "pips in a bonus meter", "bonus_games", 0, "bonus_pips"
    )
    bonus_owed: tuple[Int, ...] = counts("plays of a Bonus Game owed", "bonus_games")
    prize_meter: Int = count("pips in the Prize Game Meter", 0, "prize_pips")
    prize_owed: Int = count("Prize Games owed")
    prize_played: Int = count("Prize Games begun")
    playing: Int = count("the Bonus Game in play, counted from 1; 0 for none", 0, "last_game")
    picks_left: Int = count("Picks Left", 0, "picks")
    icons: tuple[Int, ...] = counts("icon revealed; 0 for none yet", "slots", 0, "last_icon")
    pairs: tuple[Bool, ...] = flags("whether the icon won its bonus, yet to be taken", "slots")
    pair_in_reach: Bool = flag("whether an icon shown could win its bonus if it came again")
    extra_before: Int = count("extra spins not yet used before the Bonus Game")
    prize_spins: Int = count("spins left in the Prize Game")
    prize_pot: Int = count("Prize Pot", unit="pence")
    prize_won: Int = count("Prize Pots of finished Prize Games", unit="pence")
    ladders_paid: tuple[Int, ...] = counts("what a ladder paid", "colours", unit="pence")
    paid: Int = count("Prize Amount paid", unit="pence")


def initial(p: Riches) -> State:
    """Return the state a Play starts in."""
    no_colour = tuple(0 for _ in p.colours)
    no_game = tuple(0 for _ in p.bonus_games)
    return State(
        phase=MAIN,
        spins_left=p.spins,
        extra_spins=0,
        ladders=no_colour,
        filled_at=no_colour,
        level=0,
        multiplier_upgraded=False,
        multi_fill=tuple(0 for _ in p.segments),
        bonus_meters=no_game,
        bonus_owed=no_game,
        prize_meter=0,
        prize_owed=0,
        prize_played=0,
        playing=0,
        picks_left=0,
        icons=tuple(NO_ICON for _ in p.slots),
        pairs=tuple(False for _ in p.slots),
        pair_in_reach=False,
        extra_before=0,
        prize_spins=0,
        prize_pot=0,
        prize_won=0,
        ladders_paid=no_colour,
        paid=0,
    )


# What is collected, by a spin or by a bonus.


def collect_diamonds(p: Riches, s: State, diamonds: Sequence[Int]) -> State:
    """Fill the ladders; an Extra Spin Box that is reached or passed awards one extra spin."""
    filled = [
        fill(have, got, p.ladder_size) for have, got in zip(s.ladders, diamonds, strict=True)
    ]
    reached = count_of(
        crossed(have, have + got, box)
        for have, got, box in zip(s.ladders, diamonds, p.extra_spin_box, strict=True)
    )
    return replace(
        s,
        ladders=tuple(ladder.holds for ladder in filled),
        filled_at=tuple(
            where(ladder.completed, s.level, earlier)
            for ladder, earlier in zip(filled, s.filled_at, strict=True)
        ),
        extra_spins=s.extra_spins + reached,
    )


def fits(p: Riches, s: State, diamonds: Sequence[Int]) -> Bool:
    """Return whether no ladder gets diamonds beyond its last segment."""
    return all_of(
        have + got <= p.ladder_size for have, got in zip(s.ladders, diamonds, strict=True)
    )


def collect_bonus_pips(p: Riches, s: State, pips: Sequence[Int]) -> State:
    """Fill the three bonus meters; a full one empties, keeps the surplus, and owes a play."""
    filled = [
        meter(have + got, p.bonus_pips, most=p.bonus_pips + p.top_multiplier)
        for have, got in zip(s.bonus_meters, pips, strict=True)
    ]
    return replace(
        s,
        bonus_meters=tuple(one.left_over for one in filled),
        bonus_owed=tuple(
            owed + one.unlocked for owed, one in zip(s.bonus_owed, filled, strict=True)
        ),
    )


def prize_spent(p: Riches, s: State) -> Bool:
    """Return whether pips no longer count, as the one Prize Game has been unlocked."""
    return all_of(p.prize_game_repeat.is_("once"), s.prize_owed + s.prize_played > 0)


def collect_prize_pips(p: Riches, s: State, pips: Int) -> State:
    """Fill the Prize Game Meter; a full one owes a Prize Game."""
    pips_now = s.prize_meter + pips
    full = pips_now >= p.prize_pips
    over = meter(pips_now, p.prize_pips, most=2 * p.prize_pips + p.top_multiplier)
    carried = p.prize_surplus.is_("carried")
    again = all_of(carried, p.prize_game_repeat.is_("each-time"))
    emptied = where(carried, over.left_over, 0)
    shown = where(p.prize_meter_after.is_("stays-full"), p.prize_pips, emptied)
    unlocked = where(again, over.unlocked, where(full, 1, 0))
    spent = prize_spent(p, s)
    return replace(
        s,
        prize_meter=where(spent, s.prize_meter, where(full, shown, pips_now)),
        prize_owed=s.prize_owed + where(spent, 0, unlocked),
    )


# Main Game


def no_spin_left(s: State) -> Bool:
    """Return whether neither a spin nor an extra spin is left."""
    return all_of(s.spins_left == 0, s.extra_spins == 0)


def no_bonus_owed(s: State) -> Bool:
    """Return whether no Bonus Game, Super Bonus or Mega Bonus is owed."""
    return all_of(owed == 0 for owed in s.bonus_owed)


def prize_due(p: Riches, s: State) -> Bool:
    """Return whether a Prize Game is owed and is what comes next in the Main Game."""
    first = p.unlock_order.is_("prize-bonus-super-mega")
    at_once = p.prize_game_start.is_("at-once")
    return all_of(
        s.prize_owed > 0,
        any_of(
            all_of(at_once, any_of(first, no_bonus_owed(s))),
            all_of(no_bonus_owed(s), no_spin_left(s)),
        ),
    )


def section_diamonds(p: Riches, s: State, segment: Int) -> list[Int]:
    """Return the diamonds of each colour that a section of the diamond wheel shows."""
    more = chosen(s.multi_fill, segment)
    printed = [
        chosen([section[colour] for section in p.diamond_wheel], segment)
        for colour in range(len(p.colours))
    ]
    return [where(diamonds > 0, diamonds + more, 0) for diamonds in printed]


@dataclass(frozen=True)
class Spin(Reveal):
    """What the Win Indicator shows: a section of each of the three wheels."""

    segment: Int = count("section of the diamond wheel, counted from 0", 0, "last_segment")
    multiplier: Int = count("multiplier", 1, "top_multiplier")
    bonus_segment: Int = count("section of the bonus wheel, from 0", 0, "last_bonus_segment")

    def diamonds(self, p: Riches, s: State) -> list[Int]:
        """Return the diamonds collected of each colour."""
        shown = section_diamonds(p, s, self.segment)
        return [scaled(n, self.multiplier, range(1, p.top_multiplier + 1)) for n in shown]

    def pips(self, p: Riches) -> list[Int]:
        """Return the icons collected of each kind, the Prize Game's last."""
        return [
            where(chosen([section[kind] for section in p.bonus_wheel], self.bonus_segment) == 1,
                  self.multiplier, 0)
            for kind in range(len(p.meters))
        ]  # fmt: skip

    def legal(self, p: Riches, s: State) -> Bool:
        return all_of(
            implies(s.multiplier_upgraded, self.multiplier >= 2),
            implies(p.ladder_surplus.is_("impossible"), fits(p, s, self.diamonds(p, s))),
        )


@rule(
    reveal=Spin,
    clauses=("DR-10", "DR-11", "DR-12", "DR-13", "DR-14", "DR-15", "DR-16", "DR-17", "DR-18"),
    when=lambda p, s, r: all_of(
        s.phase == MAIN, no_bonus_owed(s), negate(prize_due(p, s)), negate(no_spin_left(s))
    ),
)
def spin(p: Riches, s: State, r: Spin) -> State:
    """A spin, or an extra spin, collects what it shows as often as the multiplier says."""
    *bonus, prize = r.pips(p)
    extra = s.extra_spins > 0
    s = replace(
        s,
        extra_spins=where(extra, s.extra_spins - 1, s.extra_spins),
        spins_left=where(extra, s.spins_left, s.spins_left - 1),
    )
    s = collect_diamonds(p, s, r.diamonds(p, s))
    s = collect_bonus_pips(p, s, bonus)
    return collect_prize_pips(p, s, prize)


# Bonus Game, Super Bonus, Mega Bonus


def extra_diamonds_of(p: Riches, icon: Int) -> list[Int]:
    """Return how many diamonds of each colour an icon gives; 0 unless it is Extra Diamonds."""
    kinds = p.extra_most - p.extra_least + 1
    first = p.extra_diamonds_icon(0, p.extra_least)
    leasts = range(first, first + kinds * len(p.colours), kinds)
    return [
        where(all_of(icon >= least, icon <= least + kinds - 1), icon - least + p.extra_least, 0)
        for least in leasts
    ]


def is_prize_icon(p: Riches, icon: Int) -> Bool:
    """Return whether an icon gives pips for the Prize Game Meter."""
    return all_of(icon >= PRIZE_GAME_ICONS, icon <= p.prize_icon(p.pips_most))


def prize_pips_of(p: Riches, icon: Int) -> Int:
    """Return how many pips an icon gives for the Prize Game Meter."""
    return where(is_prize_icon(p, icon), icon - PRIZE_GAME_ICONS + p.pips_least, 0)


def awards_awaited(s: State) -> list[Int]:
    """Return the icons whose bonuses are won and not yet taken, 0 elsewhere."""
    return [where(pair, icon, NO_ICON) for pair, icon in zip(s.pairs, s.icons, strict=True)]


def diamonds_awaited(p: Riches, s: State) -> list[Int]:
    """Return the Extra Diamonds of each colour that are won and not yet taken."""
    given = [extra_diamonds_of(p, icon) for icon in awards_awaited(s)]
    return [total(one[colour] for one in given) for colour in range(len(p.colours))]


def can_win(p: Riches, s: State, icon: Int) -> Bool:
    """Return whether the readings let this icon's bonus be won now, awards awaited counted."""
    awaited = awards_awaited(s)

    def awaits(kind: int) -> Bool:
        return any_of(one == kind for one in awaited)

    prize_full_by_then = all_of(
        p.prize_game_repeat.is_("once"),
        any_of(
            prize_spent(p, s),
            awaits(ACTIVATE_PRIZE_GAME),
            s.prize_meter + total(prize_pips_of(p, one) for one in awaited) >= p.prize_pips,
        ),
    )
    spent = any_of(
        all_of(icon == UPGRADE_MULTIPLIER, s.multiplier_upgraded),
        all_of(any_of(icon == ACTIVATE_PRIZE_GAME, is_prize_icon(p, icon)), prize_full_by_then),
    )
    level_by_then = where(
        awaits(MAX_PRIZES), p.top_level, s.level + where(awaits(UPGRADE_PRIZES), 1, 0)
    )
    at_max = all_of(
        any_of(icon == UPGRADE_PRIZES, icon == MAX_PRIZES), level_by_then >= p.top_level
    )
    coming = [
        waiting + got
        for waiting, got in zip(diamonds_awaited(p, s), extra_diamonds_of(p, icon), strict=True)
    ]
    room = p.ladder_size * len(p.colours) - total((*s.ladders, *coming))
    mystery = any_of(icon == MYSTERY_FILL, awaits(MYSTERY_FILL))
    return all_of(
        implies(p.spent_award.is_("impossible"), negate(spent)),
        implies(p.upgrade_at_max.is_("impossible"), negate(at_max)),
        implies(
            p.ladder_surplus.is_("impossible"),
            all_of(fits(p, s, coming), implies(mystery, room >= p.mystery_least)),
        ),
    )


@dataclass(frozen=True)
class Turned:
    """The state after an icon was revealed, and whether it may be."""

    state: State
    legal: Bool


def turn(p: Riches, s: State, slot: Int, icon: Int) -> Turned:
    """Reveal one icon; the second of its kind completes a pair."""
    completes = all_of(
        icon != NO_ICON,
        any_of(shown == icon for shown in s.icons),
        negate(any_of(awaited == icon for awaited in awards_awaited(s))),
    )
    won_before = any_of(s.pairs)
    wins = all_of(completes, negate(all_of(p.two_pairs.is_("first-pair"), won_before)))
    winnable = can_win(p, s, icon)
    state = replace(
        s,
        icons=tuple(where(slot == i, icon, shown) for i, shown in enumerate(s.icons)),
        pairs=tuple(where(slot == i, wins, pair) for i, pair in enumerate(s.pairs)),
        pair_in_reach=any_of(s.pair_in_reach, all_of(icon != NO_ICON, winnable)),
    )
    legal = all_of(
        implies(wins, winnable),
        implies(p.two_pairs.is_("impossible"), negate(all_of(completes, won_before))),
    )
    return Turned(state, legal)


def next_bonus_game(p: Riches, s: State) -> Int:
    """Return the owed Bonus Game that comes first, counted from 1."""
    numbered = [(owed > 0, number) for number, owed in enumerate(s.bonus_owed, start=1)]
    mega_first = p.unlock_order.is_("mega-super-bonus-prize")
    return where(mega_first, pick_by(numbered[::-1]), pick_by(numbered))


@dataclass(frozen=True)
class Grid(Reveal):
    """The icons that are active when the game opens: none, two or four."""

    icons: tuple[Int, ...] = counts("active icon; 0 for none", "actives", 0, "last_icon")

    def opened(self, p: Riches, s: State) -> Turned:
        """Return the Bonus Game as it opens."""
        opened = replace(
            s,
            icons=tuple(NO_ICON for _ in p.slots),
            pairs=tuple(False for _ in p.slots),
            pair_in_reach=False,
        )
        legal: list[Bool] = []
        for slot, icon in enumerate(self.icons):
            turned = turn(p, opened, slot, icon)
            opened = turned.state
            legal.append(turned.legal)
        return Turned(opened, all_of(legal))

    def legal(self, p: Riches, s: State) -> Bool:
        active = chosen(p.active_icons, next_bonus_game(p, s), first=1)
        return all_of(
            (same(icon != NO_ICON, slot < active) for slot, icon in enumerate(self.icons)),
            self.opened(p, s).legal,
        )


@rule(
    reveal=Grid,
    clauses=("DR-17", "DR-20", "DR-21", "DR-22"),
    when=lambda p, s, r: all_of(
        s.phase == MAIN, negate(no_bonus_owed(s)), negate(prize_due(p, s))
    ),
)
def open_bonus_game(p: Riches, s: State, r: Grid) -> State:
    """An owed Bonus Game, Super Bonus or Mega Bonus opens with its active icons."""
    game = next_bonus_game(p, s)
    return replace(
        r.opened(p, s).state,
        phase=BONUS,
        playing=game,
        picks_left=p.picks,
        bonus_owed=tuple(
            where(game == number, owed - 1, owed)
            for number, owed in enumerate(s.bonus_owed, start=1)
        ),
        extra_before=s.extra_spins,
    )


@dataclass(frozen=True)
class Pick(Reveal):
    """The icon of this pick, whichever tile the player takes."""

    icon: Int = count("icon revealed", 1, "last_icon")
    tile: Int = count("tile taken", 1, "tiles", choice=True)

    def turned(self, p: Riches, s: State) -> Turned:
        """Return the Bonus Game after this pick."""
        return turn(p, s, len(p.actives) + p.picks - s.picks_left, self.icon)

    def legal(self, p: Riches, s: State) -> Bool:
        turned = self.turned(p, s)
        # A pick that leaves no way to a pair is no better than a last pick without one.
        still = any_of(
            any_of(turned.state.pairs),
            s.picks_left > 2,
            all_of(s.picks_left == 2, turned.state.pair_in_reach),
        )
        return all_of(turned.legal, implies(p.no_pair.is_("impossible"), still))


@rule(
    reveal=Pick,
    clauses=("DR-02", "DR-20", "DR-23"),
    when=lambda p, s, r: all_of(s.phase == BONUS, s.picks_left > 0),
)
def pick(p: Riches, s: State, r: Pick) -> State:
    """A pick reveals an icon; the tile decides nothing."""
    return replace(r.turned(p, s).state, picks_left=s.picks_left - 1)


# Back from the Bonus Game: the bonus takes effect.


def icon_won(s: State) -> Int:
    """Return the icon whose bonus takes effect now, 0 if none is left."""
    return pick_by([*zip(s.pairs, s.icons, strict=True), (True, NO_ICON)])


def taking(p: Riches, s: State, *icons: int) -> Bool:
    """Return whether the picks are used and the bonus won is between these icons."""
    icon = icon_won(s)
    return all_of(s.phase == BONUS, s.picks_left == 0, icon >= min(icons), icon <= max(icons))


def taken(s: State) -> State:
    """Tick the bonus off; after the last one the Bonus Game is over."""
    rest = tuple(all_of(pair, any_of(s.pairs[:i])) for i, pair in enumerate(s.pairs))
    more = any_of(rest)
    return replace(
        s,
        phase=where(more, BONUS, MAIN),
        playing=where(more, s.playing, 0),
        icons=tuple(where(more, icon, NO_ICON) for icon in s.icons),
        pairs=rest,
        pair_in_reach=all_of(more, s.pair_in_reach),
        extra_before=where(more, s.extra_before, 0),
    )


@rule(
    clauses=("DR-13", "DR-14", "DR-30"),
    when=lambda p, s, r: taking(p, s, p.extra_diamonds_icon(0, p.extra_least), p.last_icon),
)
def extra_diamonds(p: Riches, s: State, r: Reveal) -> State:
    """Extra Diamonds: as many diamonds as the icon says, of its colour."""
    return taken(collect_diamonds(p, s, extra_diamonds_of(p, icon_won(s))))


@dataclass(frozen=True)
class Section(Reveal):
    """The section of the diamond wheel that a Multi-Fill changes."""

    segment: Int = count("section of the diamond wheel, counted from 0", 0, "last_segment")


@rule(reveal=Section, clauses=("DR-31",), when=lambda p, s, r: taking(p, s, MULTI_FILL))
def multi_fill(p: Riches, s: State, r: Section) -> State:
    """Multi-Fill: one section of the diamond wheel shows more diamonds from now on."""
    more = tuple(
        have + where(r.segment == i, p.multi_fill_adds, 0)
        for i, have in enumerate(s.multi_fill)
    )
    return taken(replace(s, multi_fill=more))


@dataclass(frozen=True)
class Mystery(Reveal):
    """Where the diamonds of a Mystery Fill go."""

    diamonds: tuple[Int, ...] = counts("diamonds of a colour", "colours", 0, "mystery_most")

    def legal(self, p: Riches, s: State) -> Bool:
        given = total(self.diamonds)
        coming = [
            got + waiting
            for got, waiting in zip(self.diamonds, diamonds_awaited(p, s), strict=True)
        ]
        return all_of(
            given >= p.mystery_least,
            given <= p.mystery_most,
            implies(p.ladder_surplus.is_("impossible"), fits(p, s, coming)),
        )


@rule(
    reveal=Mystery,
    clauses=("DR-13", "DR-14", "DR-32"),
    when=lambda p, s, r: taking(p, s, MYSTERY_FILL),
)
def mystery_fill(p: Riches, s: State, r: Mystery) -> State:
    """Mystery Fill: diamonds over the ladders."""
    return taken(collect_diamonds(p, s, r.diamonds))


@rule(clauses=("DR-33",), when=lambda p, s, r: taking(p, s, DOUBLE_SPINS))
def double_spins(p: Riches, s: State, r: Reveal) -> State:
    """Double Spins: Spins Left as it was before the Bonus Game is doubled."""
    extra = where(p.double_spins.is_("with-extra-spins"), s.extra_before, 0)
    return taken(replace(s, spins_left=s.spins_left * 2, extra_spins=s.extra_spins + extra))


@rule(clauses=("DR-34",), when=lambda p, s, r: taking(p, s, UPGRADE_MULTIPLIER))
def upgrade_multiplier(p: Riches, s: State, r: Reveal) -> State:
    """Upgrade Multiplier: the multiplier wheel shows x2 and more from now on."""
    return taken(replace(s, multiplier_upgraded=True))


@rule(clauses=("DR-35", "DR-36"), when=lambda p, s, r: taking(p, s, UPGRADE_PRIZES))
def upgrade_prizes(p: Riches, s: State, r: Reveal) -> State:
    """Upgrade Prizes: the ladder amounts rise by one level, never above the highest."""
    return taken(replace(s, level=capped(s.level, 1, p.top_level)))


@rule(clauses=("DR-37",), when=lambda p, s, r: taking(p, s, MAX_PRIZES))
def max_prizes(p: Riches, s: State, r: Reveal) -> State:
    """Max Prizes: the ladder amounts rise to the highest level."""
    return taken(replace(s, level=p.top_level))


@rule(
    clauses=("DR-38",),
    when=lambda p, s, r: taking(p, s, PRIZE_GAME_ICONS, p.prize_icon(p.pips_most)),
)
def prize_game_icons(p: Riches, s: State, r: Reveal) -> State:
    """Prize Game icons: pips go into the Prize Game Meter."""
    return taken(collect_prize_pips(p, s, prize_pips_of(p, icon_won(s))))


@rule(clauses=("DR-39",), when=lambda p, s, r: taking(p, s, ACTIVATE_PRIZE_GAME))
def activate_prize_game(p: Riches, s: State, r: Reveal) -> State:
    """Activate Prize Game: the rest of the Prize Game Meter is filled."""
    return taken(collect_prize_pips(p, s, p.prize_pips - s.prize_meter))


@rule(clauses=("DR-20",), when=lambda p, s, r: taking(p, s, NO_ICON))
def leave_bonus_game(p: Riches, s: State, r: Reveal) -> State:
    """A Bonus Game without a pair ends and wins nothing."""
    return taken(s)


# Prize Game


@rule(
    clauses=("DR-17", "DR-40"),
    when=lambda p, s, r: all_of(s.phase == MAIN, prize_due(p, s)),
)
def open_prize_game(p: Riches, s: State, r: Reveal) -> State:
    """An owed Prize Game begins with its first spin and an empty Prize Pot."""
    return replace(
        s,
        phase=PRIZE,
        prize_owed=s.prize_owed - 1,
        prize_played=s.prize_played + 1,
        prize_spins=p.prize_spins,
        prize_pot=0,
    )


@dataclass(frozen=True)
class PrizeSpin(Reveal):
    """What the Prize Game Win Indicator shows."""

    segment: Int = count("section of the Prize Won Wheel, from 0", 0, "last_prize_segment")
    multiplier: Int = count("multiplier", 1)
    extra_spin: Bool = flag("whether an Extra Spin icon is shown")

    def amount(self, p: Riches) -> Int:
        """Return what goes into the Prize Pot, in pence."""
        return scaled(chosen(p.prize_wheel, self.segment), self.multiplier, p.prize_multipliers)

    def legal(self, p: Riches, s: State) -> Bool:
        return any_of(self.multiplier == factor for factor in p.prize_multipliers)


@rule(
    reveal=PrizeSpin,
    clauses=("DR-40", "DR-41", "DR-42", "DR-43"),
    when=lambda p, s, r: s.phase == PRIZE,
)
def prize_spin(p: Riches, s: State, r: PrizeSpin) -> State:
    """A spin of the Prize Game adds to the Prize Pot; the last one ends the Prize Game."""
    pot = s.prize_pot + r.amount(p)
    left = s.prize_spins - 1 + where(r.extra_spin, 1, 0)
    last = left == 0
    return replace(
        s,
        phase=where(last, MAIN, PRIZE),
        prize_spins=left,
        prize_pot=where(last, 0, pot),
        prize_won=s.prize_won + where(last, pot, 0),
    )


# The end


def ladder_amount(p: Riches, colour: int, level: Int) -> Int:
    """Return what a ladder pays at a level of the amounts, in pence."""
    amounts = (p.start_amounts[colour], p.first_upgrade[colour], p.second_upgrade[colour])
    return chosen(amounts, level)


@rule(
    clauses=("DR-13", "DR-50", "DR-51", "DR-52"),
    when=lambda p, s, r: all_of(
        s.phase == MAIN, no_spin_left(s), no_bonus_owed(s), s.prize_owed == 0
    ),
)
def finish(p: Riches, s: State, r: Reveal) -> State:
    """The Play ends and pays the completed ladders and the Prize Pot."""
    at_end = p.valuation.is_("at-end")
    ladders = tuple(
        where(filled == p.ladder_size, ladder_amount(p, i, where(at_end, s.level, then)), 0)
        for i, (filled, then) in enumerate(zip(s.ladders, s.filled_at, strict=True))
    )
    return replace(s, phase=OVER, ladders_paid=ladders, paid=total((*ladders, s.prize_won)))


# What a bystander counts


@dataclass(frozen=True)
class Tally:
    """What a bystander counts, from reveals and from what the screen showed before."""

    spins: Int = count("spins of the Main Game taken")
    diamonds: tuple[Int, ...] = counts("diamonds collected or awarded of a colour", "colours")
    won_at: tuple[Int, ...] = counts("upgrades seen when the ladder was won", "colours")
    wins: tuple[Int, ...] = counts("times a ladder was seen to be completed", "colours")
    doubled: Int = count("spins and extra spins added by doubling")
    spins_before: Int = count("Spins Left before the Bonus Game")
    extra_before: Int = count("extra spins left before the Bonus Game")
    pips: tuple[Int, ...] = counts("pips collected for a bonus meter", "bonus_games")
    prize_pips: Int = count("pips collected or awarded for the Prize Game Meter")
    opened: tuple[Int, ...] = counts("plays of a Bonus Game begun", "bonus_games")
    picks: Int = count("picks used in this Bonus Game, or in the last")
    bonuses: Int = count("bonuses taken in this Bonus Game, or in the last")
    upgrades: Int = count("level of the ladder amounts as the bonuses taken make it")
    multiplier_upgrades: Int = count("Upgrade Multipliers taken")
    prize_games: Int = count("Prize Games begun")
    prize_spins: Int = count("spins of this Prize Game seen and awarded but not taken")
    prize_pot: Int = count("amounts seen in this Prize Game", unit="pence")
    prize_won: Int = count("amounts seen in all Prize Games", unit="pence")
    payments: Int = count("payments seen")


BONUSES = (
    extra_diamonds, multi_fill, mystery_fill, double_spins, upgrade_multiplier,
    upgrade_prizes, max_prizes, prize_game_icons, activate_prize_game,
)  # fmt: skip
"""The rules by which a bonus takes effect."""


def observe(p: Riches, before: Point[State, Tally], step: Step, after: State) -> Tally:
    """Return the tally after a step."""
    t, s, r = before.t, before.s, step.reveal
    if step.by(spin):
        *bonus, prize = r.pips(p)
        t = _see_diamonds(p, t, r.diamonds(p, s))
        t = replace(
            t,
            spins=t.spins + 1,
            pips=tuple(have + got for have, got in zip(t.pips, bonus, strict=True)),
            prize_pips=t.prize_pips + prize,
        )
    if step.by(open_bonus_game):
        opened = tuple(
            have + where(after.playing == number, 1, 0)
            for number, have in enumerate(t.opened, start=1)
        )
        t = replace(
            t, opened=opened, picks=0, bonuses=0,
            spins_before=s.spins_left, extra_before=s.extra_spins,
        )  # fmt: skip
    if step.by(pick):
        t = replace(t, picks=t.picks + 1)
    if step.by(*BONUSES):
        t = _see_bonus(p, replace(t, bonuses=t.bonuses + 1), s, step)
    if step.by(open_prize_game):
        t = replace(t, prize_games=t.prize_games + 1, prize_spins=p.prize_spins, prize_pot=0)
    if step.by(prize_spin):
        t = replace(
            t,
            prize_spins=t.prize_spins - 1 + where(r.extra_spin, 1, 0),
            prize_pot=t.prize_pot + r.amount(p),
            prize_won=t.prize_won + r.amount(p),
        )
    if step.by(finish):
        t = replace(t, payments=t.payments + 1)
    completed = [
        crossed(had, has, p.ladder_size)
        for had, has in zip(s.ladders, after.ladders, strict=True)
    ]
    return replace(
        t, wins=tuple(n + where(won, 1, 0) for n, won in zip(t.wins, completed, strict=True))
    )


def _see_bonus(p: Riches, t: Tally, s: State, step: Step) -> Tally:
    icon = icon_won(s)
    if step.by(extra_diamonds):
        return _see_diamonds(p, t, extra_diamonds_of(p, icon))
    if step.by(mystery_fill):
        return _see_diamonds(p, t, step.reveal.diamonds)
    if step.by(double_spins):
        extra = where(p.double_spins.is_("with-extra-spins"), t.extra_before, 0)
        return replace(t, doubled=t.doubled + t.spins_before + extra)
    if step.by(upgrade_multiplier):
        return replace(t, multiplier_upgrades=t.multiplier_upgrades + 1)
    if step.by(upgrade_prizes):
        return replace(t, upgrades=minimum(t.upgrades + 1, p.top_level))
    if step.by(max_prizes):
        return replace(t, upgrades=maximum(t.upgrades, p.top_level))
    if step.by(prize_game_icons):
        return replace(t, prize_pips=t.prize_pips + prize_pips_of(p, icon))
    if step.by(activate_prize_game):
        return replace(t, prize_pips=t.prize_pips + p.prize_pips - s.prize_meter)
    return t


def _see_diamonds(p: Riches, t: Tally, diamonds: Sequence[Int]) -> Tally:
    seen = tuple(have + got for have, got in zip(t.diamonds, diamonds, strict=True))
    won_at = tuple(
        where(crossed(have, has, p.ladder_size), t.upgrades, earlier)
        for have, has, earlier in zip(t.diamonds, seen, t.won_at, strict=True)
    )
    return replace(t, diamonds=seen, won_at=won_at)


@promise("prize-in-table", ("DR-51", "DR-52"))
def prize_in_table(p: Riches, s: State, t: Tally) -> Bool:
    """The Prize Amount is nothing or one of the table's; not judged while there is no table."""
    if not p.prize_table:
        return True
    return any_of(s.paid == 0, (s.paid == amount for amount in p.prize_table))


def prize_parts(p: Riches, s: State) -> Mapping[str, Int]:
    """Return what the Prize Amount is made of, in pence: each ladder, and the Prize Game."""
    prize_game = where(s.phase == OVER, s.prize_won, 0)
    return {**dict(zip(p.colours, s.ladders_paid, strict=True)), "Prize Game": prize_game}


@reachable("ladder-COLOUR-reachable", ("DR-13", "DR-35", "DR-36", "DR-37"))
def ladders_reachable(p: Riches, rows: int) -> Mapping[str, tuple[str, ...]]:
    """Some Play wins a ladder alone, at each level of its amount."""
    return {
        f"ladder-{colour}-reachable": tuple(
            f"{pounds(cast('int', amount))} ({colour})"
            for amount in dict.fromkeys(
                (p.start_amounts[i], p.first_upgrade[i], p.second_upgrade[i])
            )
        )
        for i, colour in enumerate(p.colours)
    }


RULES = Game(
    id="diamond-riches",
    title="Diamond Riches",
    about="Three wheels, six Prize Ladders, three Bonus Games and a Prize Game.",
    setting=Riches(),
    state=State,
    tally=Tally,
    initial=initial,
    begins=("DR-10",),
    observe=observe,
    rules=(
        spin, open_bonus_game, pick, *BONUSES, leave_bonus_game, open_prize_game, prize_spin,
        finish,
    ),
    properties=(),
    promises=(prize_in_table,),
    goal=Goal(
        ended=lambda p, s: s.phase == OVER,
        paid=lambda p, s: s.paid,
        parts=prize_parts,
        named=("Prize Game",),
    ),
    reachable=(ladders_reachable,),
)  # fmt: skip
"""The game without its properties, which ``diamond_riches_properties`` adds."""
