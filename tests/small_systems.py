"""Small systems that each need one engine, or break in one known way."""

from __future__ import annotations

from dataclasses import dataclass, replace

from playproof.models.algebra import Bool, Int, all_of, any_of, implies, negate, where
from playproof.models.setting import Choice, Setting, figure, parameter, reading
from playproof.models.shape import count, flag
from playproof.models.system import (
    Game,
    Goal,
    Point,
    Reveal,
    Step,
    invariant,
    lemma,
    rule,
    step_property,
)


@dataclass(frozen=True)
class Ways(Setting):
    """Three readings of two or three choices, and one parameter."""

    most: int = figure(3, "the most one turn may add", "S-1")
    room: Int = parameter("how much there is room for", 2, 5, clauses=("S-2",))
    rounding: Choice = reading("halves", ("S-3",), down="down", up="up", never="there are none")
    surplus: Choice = reading("too much", ("S-4",), dropped="lost", kept="kept")
    order: Choice = reading("what comes first", ("S-5",), either="any", fixed="the first")

    def constraint(self) -> Bool:
        return implies(self.rounding.is_("never"), self.surplus.is_("dropped"))


@dataclass(frozen=True)
class Counters:
    """Three counters and a flag."""

    a: Int = count("the first counter")
    b: Int = count("the second counter")
    c: Int = count("the third counter")
    over: Bool = flag("whether it has ended")


@dataclass(frozen=True)
class NoTally:
    """Nothing is counted."""


@dataclass(frozen=True)
class Turn(Reveal):
    """What one turn adds."""

    adds: Int = count("what is added", 0, "most")


def start(p: Ways) -> Counters:
    return Counters(a=0, b=1, c=2, over=False)


@rule(reveal=Turn, clauses=("S-1",), when=lambda p, s, r: negate(s.over))
def rotate(p: Ways, s: Counters, r: Turn) -> Counters:
    """The counters change places: that c is not 7 takes three steps back to see."""
    return replace(s, a=s.b, b=s.c, c=s.a)


@rule(reveal=Turn, clauses=("S-2",), when=lambda p, s, r: negate(s.over))
def stop(p: Ways, s: Counters, r: Turn) -> Counters:
    """It ends; what is added shows as c."""
    return replace(s, over=True, c=r.adds)


def observe(p: Ways, before: Point[Counters, NoTally], step: Step, after: Counters) -> NoTally:
    return before.t


@invariant("c-is-not-seven", ("S-1",))
def c_is_not_seven(p: Ways, s: Counters, t: NoTally) -> Bool:
    """The third counter is never 7."""
    return s.c != 7


@invariant("sum-is-three", ("S-1",))
def sum_is_three(p: Ways, s: Counters, t: NoTally) -> Bool:
    """The counters sum to three until the end."""
    return any_of(s.over, s.a + s.b + s.c == 3)


@invariant("within-room", ("S-2",))
def within_room(p: Ways, s: Counters, t: NoTally) -> Bool:
    """Where surplus is kept and halves go up, what shows at the end is within the room."""
    applies = all_of(s.over, p.surplus.is_("kept"), p.rounding.is_("up"))
    return implies(applies, s.c <= p.room)


@invariant("two-ways-to-fail", ("S-2",))
def two_ways_to_fail(p: Ways, s: Counters, t: NoTally) -> Bool:
    """Fails under either of two readings that have nothing to do with each other."""
    fails = any_of(p.rounding.is_("never"), p.order.is_("fixed"))
    return implies(all_of(s.over, fails), s.c == 0)


@invariant("fails-throughout", ("S-2",))
def fails_throughout(p: Ways, s: Counters, t: NoTally) -> Bool:
    """Fails under each choice of one reading, but with another Play for each."""
    shown = where(p.order.is_("fixed"), 3, 2)
    return implies(s.over, s.c != shown)


@step_property("ends-once", ("S-1",))
def ends_once(
    p: Ways, before: Point[Counters, NoTally], step: Step, after: Point[Counters, NoTally]
) -> Bool:
    """Nothing happens after the end."""
    return negate(before.s.over)


@lemma("wrong-lemma")
def wrong_lemma(p: Ways, s: Counters, t: NoTally) -> Bool:
    """The first counter is 0 (it is not for long)."""
    return s.a == 0


@invariant("leans-on-wrong-lemma", ("S-1",), using=("wrong-lemma",))
def leans_on_wrong_lemma(p: Ways, s: Counters, t: NoTally) -> Bool:
    """True, but proved with a lemma that is false."""
    return any_of(s.over, all_of(s.b <= 2, s.c <= 2))


WAYS = Game(
    id="ways",
    title="Ways",
    about="Counters that change places.",
    setting=Ways(),
    state=Counters,
    tally=NoTally,
    initial=start,
    observe=observe,
    rules=(rotate, stop),
    properties=(
        c_is_not_seven,
        sum_is_three,
        within_room,
        two_ways_to_fail,
        fails_throughout,
        ends_once,
        wrong_lemma,
        leans_on_wrong_lemma,
    ),
    promises=(),
    goal=Goal(ended=lambda p, s: s.over, paid=lambda p, s: s.c, parts=lambda p, s: {}),
)
