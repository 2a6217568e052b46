"""The grid layer of Colour Collector, as a system of its own: a grid is made square by square.

A spin reveals counts; a screen has squares. Any counts that the grid has room for are laid into
its squares, one after the other, whichever square comes first and whatever a later screen needs
there: what is next in the square, and a colour that is not the wheel's, come from outside, and
may be anything. The functions of a square are those that screens are made and read with.

What is proved of it holds for a grid of any size: the squares that wear the wheel's colour are
what the spin collects, neither more nor less, and every other square holds what comes next in
it. Screens of a Play are made from the last to the first, so that "what comes next" is known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from .algebra import Bool, Int, all_of, any_of, implies, minimum, negate, where
from .colour_collector import Collector
from .colour_collector_screen import collected, holds, wears
from .mechanics import dealt_at
from .shape import count, counts, flag
from .system import Game, Goal, Point, Reveal, Step, invariant, lemma, rule, step_property

__all__ = ["GRID_LAYER"]

READY, MAIN, PRIZE = range(3)
"""What is made: nothing yet, a grid of the Main Game, one of the Prize Game."""


@dataclass(frozen=True)
class Layer(Collector):
    """The setting of the game, with the kinds of thing that stand in a grid."""

    @property
    def symbols(self) -> tuple[str, ...]:
        """What stands in the Main Game's grid: shapes, bonus symbols, prize-game symbols."""
        return (*self.rows, "bonus", "prize-game")

    @property
    def contents(self) -> tuple[str, ...]:
        """What stands in the Prize Game's grid: WIN, WIN X2, and each of the amounts."""
        return ("win", "win-x2", *self.prize_tags)

    @property
    def last_content(self) -> int:
        """Number of the last amount; WIN is 1 and WIN X2 is 2."""
        return len(self.contents)


@dataclass(frozen=True)
class State:
    """A grid in the making."""

    making: Int = count("0 no grid yet, 1 the Main Game's, 2 the Prize Game's", 0, PRIZE)
    place: Int = count("squares made so far")
    wheel: Int = count("colour the wheel stops at", 0, "colours")
    symbols: Sequence[Int] = counts("symbols to collect, of a kind and those before", "symbols")
    symbols_seen: Sequence[Int] = counts("symbols in the wheel's colour so far", "symbols")
    contents: Sequence[Int] = counts("WINs and amounts to collect, in the same way", "contents")
    contents_seen: Sequence[Int] = counts("of these, in the wheel's colour so far", "contents")
    win_seen: Bool = flag("whether a WIN or WIN X2 is in a square made so far")
    holds: Int = count("what the last square made holds, 0 before the first")
    wears: Int = count("the colour it wears", 0, "colours")
    comes_next: Int = count("what comes next in it")


def initial(p: Layer) -> State:
    """Nothing is on the screen."""
    symbols, contents = [0] * len(p.symbols), [0] * len(p.contents)
    return State(READY, 0, 0, symbols, symbols, contents, contents, False, 0, 0, 0)


@dataclass(frozen=True)
class Spin(Reveal):
    """What a spin collects, and the colour it is to wear."""

    symbols: Sequence[Int] = counts("symbols collected, of a kind and those before", "symbols")
    wheel: Int = count("colour the wheel stops at", 1, "colours")

    def legal(self, p: Layer, s: State) -> Bool:
        return all_of(rising(self.symbols), self.symbols[-1] <= p.grid)


def rising(ends: Sequence[Int]) -> Bool:
    """Whether there is no kind of which there are less than none."""
    return all_of(ends[0] >= 0, (one <= other for one, other in pairwise(ends)))


@rule(reveal=Spin, clauses=("CC-11", "CC-13"), when=lambda p, s, r: done(p, s))
def spin(p: Layer, s: State, r: Spin) -> State:
    """A grid is to be made from which these symbols are collected."""
    fresh = initial(p)
    return replace(fresh, making=MAIN, wheel=r.wheel, symbols=r.symbols)


@dataclass(frozen=True)
class PrizeSpin(Reveal):
    """What a spin of the Prize Game collects, and the colour it is to wear."""

    contents: Sequence[Int] = counts(
        "squares collected, of a kind and those before", "contents"
    )
    wheel: Int = count("colour the wheel stops at", 1, "colours")

    def legal(self, p: Layer, s: State) -> Bool:
        # As in the game: a WIN or WIN X2 comes up, or is on the grid in another colour.
        squares = self.contents[-1]
        room = any_of(wins(self.contents), squares < p.grid)
        return all_of(rising(self.contents), squares <= p.grid, room)


def wins(contents: Sequence[Int]) -> Bool:
    """Whether a WIN or WIN X2 comes up: those are the first two kinds."""
    return contents[1] > 0


@rule(reveal=PrizeSpin, clauses=("CC-42", "CC-43"), when=lambda p, s, r: done(p, s))
def prize_spin(p: Layer, s: State, r: PrizeSpin) -> State:
    """A grid of the Prize Game is to be made from which these are collected."""
    fresh = initial(p)
    return replace(fresh, making=PRIZE, wheel=r.wheel, contents=r.contents)


def done(p: Layer, s: State) -> Bool:
    """Whether no grid is in the making."""
    return any_of(s.making == READY, s.place == p.grid)


@dataclass(frozen=True)
class Square(Reveal):
    """What nothing binds in a square: what comes next in it, and a colour if it is not laid."""

    next_symbol: Int = count("symbol that comes next in the square", 1, "last_symbol")
    next_content: Int = count("WIN or amount that comes next in the square", 1, "last_content")
    other: Int = count("a colour that is not the wheel's", 1, "colours")

    def legal(self, p: Layer, s: State) -> Bool:
        # The last square to be made is one in which a WIN comes next, while one has to come.
        last = all_of(s.making == PRIZE, s.place == p.grid - 1, negate(wins(s.contents)))
        return all_of(self.other != s.wheel, implies(last, self.next_content <= 2))


@rule(
    reveal=Square,
    clauses=("CC-11", "CC-13", "CC-17", "CC-43"),
    when=lambda p, s, r: negate(done(p, s)),
)
def lay(p: Layer, s: State, r: Square) -> State:
    """One more square is made, and whoever looks at the grid sees what it wears."""
    main = s.making == MAIN
    kind = where(main, dealt_at(s.symbols, s.place), dealt_at(s.contents, s.place))
    comes_next = where(main, r.next_symbol, r.next_content)
    held, worn = holds(kind, comes_next), wears(kind, s.wheel, r.other)
    got = collected(held, worn, s.wheel)
    return replace(
        s,
        place=s.place + 1,
        symbols_seen=[
            seen + where(all_of(main, got == symbol), 1, 0)
            for symbol, seen in enumerate(s.symbols_seen, start=1)
        ],
        contents_seen=[
            seen + where(all_of(negate(main), got == content), 1, 0)
            for content, seen in enumerate(s.contents_seen, start=1)
        ],
        win_seen=any_of(s.win_seen, held <= 2),
        holds=held,
        wears=worn,
        comes_next=comes_next,
    )


@dataclass(frozen=True)
class Tally:
    """Whoever looks counts what the state has already."""


@lemma("squares-in-turn", ("CC-11", "CC-42"))
def squares_in_turn(p: Layer, s: State, t: Tally) -> Bool:
    """A grid has room for what is collected, and no more squares than it has are made."""
    return all_of(
        s.place <= p.grid,
        rising(s.symbols),
        rising(s.contents),
        s.symbols[-1] <= p.grid,
        s.contents[-1] <= p.grid,
        implies(s.making == PRIZE, any_of(wins(s.contents), s.contents[-1] < p.grid)),
        implies(s.making != READY, s.wheel >= 1),
    )


@lemma("seen-so-far", ("CC-13", "CC-43"), using=("squares-in-turn",))
def seen_so_far(p: Layer, s: State, t: Tally) -> Bool:
    """What is seen in the wheel's colour is what lies in the squares made so far."""
    return all_of(
        implies(s.making == MAIN, as_laid(s.symbols, s.symbols_seen, s.place)),
        implies(s.making == PRIZE, as_laid(s.contents, s.contents_seen, s.place)),
    )


def as_laid(ends: Sequence[Int], seen: Sequence[Int], place: Int) -> Bool:
    """Whether as many of each kind were seen as lie before a place."""
    return each_is(seen, [minimum(place, end) for end in ends])


def each_is(seen: Sequence[Int], ends: Sequence[Int]) -> Bool:
    """Whether as many of each kind were seen as there are between these ends."""
    kinds = zip(seen, [0, *ends], ends, strict=False)
    return all_of(so_far == end - before for so_far, before, end in kinds)


@step_property(
    "collects-what-it-shows",
    ("CC-11", "CC-13", "CC-42", "CC-43"),
    using=("squares-in-turn", "seen-so-far"),
)
def collects_what_it_shows(
    p: Layer, before: Point[State, Tally], step: Step, after: Point[State, Tally]
) -> Bool:
    """On a grid that is whole exactly what the spin collects wears the wheel's colour."""
    s = before.s
    if step.by(lay):
        return True
    return all_of(
        implies(s.making == MAIN, each_is(s.symbols_seen, s.symbols)),
        implies(s.making == PRIZE, each_is(s.contents_seen, s.contents)),
    )


@invariant("keeps-what-it-leaves", ("CC-17", "CC-43"))
def keeps_what_it_leaves(p: Layer, s: State, t: Tally) -> Bool:
    """A square that is not collected holds what comes next in it."""
    return implies(s.wears != s.wheel, s.holds == s.comes_next)


@lemma("win-seen-first", ("CC-42",), using=("squares-in-turn",))
def win_seen_first(p: Layer, s: State, t: Tally) -> Bool:
    """A WIN or WIN X2 that comes up lies in the first square that is made."""
    return implies(all_of(s.making == PRIZE, wins(s.contents), s.place > 0), s.win_seen)


@invariant("win-on-the-grid", ("CC-42",), using=("squares-in-turn", "win-seen-first"))
def win_on_the_grid(p: Layer, s: State, t: Tally) -> Bool:
    """A WIN or WIN X2 is on every grid of the Prize Game."""
    return implies(all_of(s.making == PRIZE, s.place == p.grid), s.win_seen)


def parts(p: Layer, s: State) -> Mapping[str, Int]:
    """Return what a grid wins: nothing, it is looked at alone."""
    return {}


GRID_LAYER = Game(
    id="colour-collector-grid",
    title="The grids of Colour Collector",
    about="A grid is made square by square, for whatever a spin collects.",
    setting=Layer(),
    state=State,
    tally=Tally,
    initial=initial,
    observe=lambda p, before, step, after: before.t,
    rules=(spin, prize_spin, lay),
    properties=(
        squares_in_turn,
        seen_so_far,
        collects_what_it_shows,
        keeps_what_it_leaves,
        win_seen_first,
        win_on_the_grid,
    ),
    promises=(),
    goal=Goal(ended=lambda p, s: False, paid=lambda p, s: 0, parts=parts),
)
"""The layer; what is laid into a grid is proved of it, under every parameter and reading."""
