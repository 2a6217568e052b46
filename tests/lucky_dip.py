"""Lucky Dip, a small made-up game: the third game that shows what a game file is.

A Play has three draws. A draw finds coins for a jar and stars for a meter of two; a full meter
doubles the jar's amount once the Play ends, at most twice over. The jar wins when it is full.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from playproof.models.algebra import (
    Bool,
    Int,
    all_of,
    implies,
    negate,
    pick,
    where,
)
from playproof.models.mechanics import capped, fill, meter
from playproof.models.setting import Choice, Setting, figure, parameter, reading
from playproof.models.shape import count, flag
from playproof.models.system import (
    Game,
    Goal,
    Point,
    Reveal,
    Step,
    invariant,
    promise,
    rule,
    step_property,
)


@dataclass(frozen=True)
class Dip(Setting):
    """What Lucky Dip states and leaves open."""

    draws: int = figure(3, "draws in a Play", "LD-1")
    stars: int = figure(2, "stars that fill the meter", "LD-3")
    levels: int = figure(2, "the highest level", "LD-4")
    jar: Int = parameter("coins that fill the jar", 1, 9, clauses=("LD-2",))
    amount: Int = parameter("what the jar pays", 100, unit="pence", clauses=("LD-2",))
    coin_surplus: Choice = reading(
        "coins beyond a full jar",
        ("LD-2",),
        dropped="coins beyond the jar are not counted",
        impossible="a draw never finds more coins than the jar has room for",
    )


@dataclass(frozen=True)
class State:
    """What the screen shows."""

    draws_left: Int = count("draws left", 0, "draws")
    jar: Int = count("coins in the jar", 0)
    meter: Int = count("stars in the meter", 0, "stars")
    level: Int = count("how often the amount is doubled", 0, "levels")
    over: Bool = flag("whether the Play has ended")
    paid: Int = count("the Prize Amount paid", 0, unit="pence")


@dataclass(frozen=True)
class Tally:
    """What a bystander counts."""

    draws: Int = count("draws seen")
    stars: Int = count("stars seen")
    full_meters: Int = count("full meters seen")


@dataclass(frozen=True)
class Draw(Reveal):
    """What one draw finds."""

    coins: Int = count("coins found", 0, 5)
    stars: Int = count("stars found", 0, 3)

    def legal(self, p: Dip, s: State) -> Bool:
        return implies(p.coin_surplus.is_("impossible"), s.jar + self.coins <= p.jar)


def initial(p: Dip) -> State:
    return State(draws_left=p.draws, jar=0, meter=0, level=0, over=False, paid=0)


@rule(reveal=Draw, clauses=("LD-1", "LD-2", "LD-3"), when=lambda p, s, r: s.draws_left > 0)
def draw(p: Dip, s: State, r: Draw) -> State:
    """A draw finds coins and stars."""
    stars = meter(s.meter + r.stars, p.stars)
    return replace(
        s,
        draws_left=s.draws_left - 1,
        jar=fill(s.jar, r.coins, p.jar).holds,
        meter=stars.left_over,
        level=capped(s.level, stars.unlocked, p.levels),
    )


def jar_pays(p: Dip, s: State) -> Int:
    return where(s.jar == p.jar, pick([p.amount, p.amount * 2, p.amount * 4], s.level), 0)


@rule(clauses=("LD-5",), when=lambda p, s, r: all_of(s.draws_left == 0, negate(s.over)))
def finish(p: Dip, s: State, r: Reveal) -> State:
    """The Play ends and pays."""
    return replace(s, over=True, paid=jar_pays(p, s))


def observe(p: Dip, before: Point[State, Tally], step: Step, after: State) -> Tally:
    t = before.t
    if step.by(draw):
        stars = t.stars + step.reveal.stars
        return replace(t, draws=t.draws + 1, stars=stars, full_meters=stars // p.stars)
    return t


@invariant("in-range", ("LD-1",))
def in_range(p: Dip, s: State, t: Tally) -> Bool:
    """Every counter is in its range."""
    return all_of(
        s.draws_left >= 0, s.jar >= 0, s.jar <= p.jar, s.meter >= 0, s.meter < p.stars,
        s.level >= 0, s.level <= p.levels, implies(s.over, s.draws_left == 0),
    )  # fmt: skip


@invariant("stars-carry", ("LD-3",), using=("in-range",))
def stars_carry(p: Dip, s: State, t: Tally) -> Bool:
    """Stars seen are full meters and what the meter holds."""
    return t.stars == p.stars * t.full_meters + s.meter


@invariant("never-full", ("LD-2",))
def never_full(p: Dip, s: State, t: Tally) -> Bool:
    """The jar is never full (it is: a claim that fails)."""
    return s.jar < p.jar


@step_property("no-coin-lost", ("LD-2",), using=("in-range",))
def no_coin_lost(
    p: Dip, before: Point[State, Tally], step: Step, after: Point[State, Tally]
) -> Bool:
    """Every coin found is in the jar afterwards."""
    if step.by(draw):
        return after.s.jar == before.s.jar + step.reveal.coins
    return True


@step_property("draws-count-down", ("LD-1",))
def draws_count_down(
    p: Dip, before: Point[State, Tally], step: Step, after: Point[State, Tally]
) -> Bool:
    """A draw costs one of the draws left; nothing follows the end."""
    cost = 1 if step.by(draw) else 0
    return all_of(negate(before.s.over), after.s.draws_left == before.s.draws_left - cost)


@promise("pays-something", ("LD-6",))
def pays_something(p: Dip, s: State, t: Tally) -> Bool:
    """Every Play wins."""
    return s.paid > 0


def parts(p: Dip, s: State) -> Mapping[str, Int]:
    return {"jar": where(s.over, jar_pays(p, s), 0)}


LUCKY_DIP = Game(
    id="lucky-dip",
    title="Lucky Dip",
    about="A small made-up game.",
    setting=Dip(),
    state=State,
    tally=Tally,
    initial=initial,
    observe=observe,
    rules=(draw, finish),
    properties=(in_range, stars_carry, never_full, no_coin_lost, draws_count_down),
    promises=(pays_something,),
    goal=Goal(ended=lambda p, s: s.over, paid=lambda p, s: s.paid, parts=parts),
)
