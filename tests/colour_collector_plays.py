"""Plays of Colour Collector for tests: steps in short words, and random legal Plays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hypothesis import strategies as st

from playproof.models.colour_collector import (
    ACTIVATE,
    BONUS,
    BOOSTER,
    END,
    EXTRA_SPINS,
    FEW,
    KINDS,
    MANY,
    MEGA,
    PRIZE_SYMBOLS,
    SUPER,
    Panel,
    PrizeSpin,
    Round,
    Spin,
    State,
    main_over,
    prize_game_due,
)
from playproof.models.colour_collector_properties import COLOUR_COLLECTOR
from playproof.models.editions import default_readings, load_edition
from playproof.models.play import Play, applicable, replay, take
from playproof.models.setting import readings_of, settle
from playproof.models.system import Game, Nothing, Step

EDITION = load_edition(COLOUR_COLLECTOR)
GAME = EDITION.game
FILLER = (EXTRA_SPINS, 1)


def setting(game: Game = GAME, parameters: Mapping[str, Any] | None = None, **readings: str):
    """Return the default setting, with some readings (``award_order="as-won"``) changed."""
    given = {name.replace("_", "-"): choice for name, choice in readings.items()}
    chosen = {**default_readings(game.setting), **given}
    made, still_open, constraint = settle(
        game.setting, parameters or EDITION.parameters, chosen
    )
    assert not still_open
    assert constraint is True
    return made


def by_row(game: Game, symbols: Mapping[str, int]) -> tuple[int, ...]:
    assert set(symbols) <= set(game.setting.rows)
    return tuple(symbols.get(row, 0) for row in game.setting.rows)


def spin(bonus: int = 0, prize: int = 0, **rows: int) -> Step:
    """A spin: ``spin(bonus=6, row_1=3)``."""
    return Step("spin", Spin(by_row(GAME, labelled(rows)), bonus, prize))


def panel(*shown: tuple[int, int]) -> Step:
    """A Bonus Game begins with these (kind, number) on show, and single spins for the rest."""
    seven = [*shown, *[FILLER] * (7 - len(shown))]
    return Step("open-bonus-game", Panel(*map(tuple, zip(*seven, strict=True))))


def right(box: int, *, odd: bool = True, **rows: int) -> Step:
    symbols = by_row(GAME, labelled(rows))
    return Step("right-answer", Round(odd, 7, 8, box, symbols))


def wrong(box: int = 1, *, odd: bool = True) -> Step:
    return Step("wrong-answer", Round(odd, 8, 7, box, by_row(GAME, {})))


def bonus_game(*won: tuple[int, int]) -> list[Step]:
    """A Bonus Game that awards these, symbols all to row 1."""
    steps = [panel(*won)]
    for box, (kind, number) in enumerate(won, start=1):
        steps.append(right(box, row_1=number if kind in (FEW, MANY) else 0))
    return [*steps, wrong()]


def prize_spin(amounts: Mapping[int, int], wins: int = 0, doubles: int = 0) -> Step:
    """A spin of the Prize Game that shows amounts (pence) so many times."""
    tags = tuple(amounts.get(amount, 0) for amount in EDITION.parameters["prize_amounts"])
    rule = "win" if wins or doubles else "prize-spin"
    return Step(rule, PrizeSpin(tags, wins, doubles))


FINISH = Step("finish", Nothing())


def labelled(rows: Mapping[str, int]) -> dict[str, int]:
    return {name.removeprefix("row_"): number for name, number in rows.items()}


def states(steps: Sequence[Step], p: Any = None) -> list[State]:
    """Return the states of a Play, the start included."""
    return [point.s for point in replay(GAME, Play(p or setting(), tuple(steps)))]


def after(*steps: Step, p: Any = None) -> State:
    return states(steps, p)[-1]


# ---- Random legal Plays --------------------------------------------------------------------

SMALL = COLOUR_COLLECTOR.copy(
    spins=3, bonus_box_size=2, prize_box_size=3, rows=("1", "2", "3"),
    shown=("1", "2", "3"), prize_tags=("1", "2"),
)  # fmt: skip


@st.composite
def legal_plays(draw: st.DrawFn, game: Game = SMALL, most_steps: int = 40) -> Play:
    """A Play of legal reveals under any readings and any parameters, to its end if it fits."""
    p = draw(settings_of(game))
    point, steps = game.start(p), []
    while len(steps) < most_steps and point.s.phase != END:
        reveal = draw(reveals(p, point.s))
        (rule,) = applicable(game, p, point, reveal)
        steps.append(Step(rule.id, reveal))
        point = take(game, p, point, steps[-1])
    return Play(p, tuple(steps))


def legal_steps(draw: st.DrawFn, game: Game = SMALL, most: int = 30) -> Iterator[Any]:
    """Yield (setting, point, rule, reveal) of a random legal Play, step by step."""
    p = draw(settings_of(game))
    point = game.start(p)
    while most and point.s.phase != END:
        reveal = draw(reveals(p, point.s))
        (rule,) = applicable(game, p, point, reveal)
        yield p, point, rule, reveal
        point, most = game.after(p, point, rule, reveal), most - 1


@st.composite
def settings_of(draw: st.DrawFn, game: Game) -> Any:
    readings = {
        name: draw(st.sampled_from(ways.choices))
        for name, ways in readings_of(game.setting).items()
    }
    few = sorted(draw(st.lists(st.integers(4, 12), min_size=2, max_size=2)))
    many = sorted(draw(st.lists(st.integers(4, 12), min_size=2, max_size=2)))
    parameters = {
        "row_boxes": tuple(draw(st.integers(1, 6)) for _ in game.setting.rows),
        "grid": draw(st.integers(9, 14)),
        "prize_amounts": tuple(draw(st.integers(1, 999)) for _ in game.setting.prize_tags),
        "few_least": few[0],
        "few_most": few[1],
        "many_least": many[0],
        "many_most": many[1],
    }
    return setting(game, parameters, **readings)


def reveals(p: Any, s: State) -> st.SearchStrategy[Any]:
    """Return the reveals that may come in a state."""
    if s.phase == BONUS:
        return rounds(p, s)
    if s.bonus_games_owed:
        return panels(p, s)
    if s.spins_left:
        return spins(p, s)
    assert main_over(s)
    return prize_spins(p, s) if prize_game_due(p, s) else st.just(Nothing())


@st.composite
def spins(draw: st.DrawFn, p: Any, s: State) -> Spin:
    free = p.grid
    symbols = []
    for have, boxes in zip(s.rows, p.row_boxes, strict=True):
        room = boxes - have if p.row_surplus.is_("impossible") else free
        symbols.append(draw(st.integers(0, min(free, room, 4))))
        free -= symbols[-1]
    most = 2 * p.bonus_box_size - 1 - s.bonus_box
    bonus = draw(st.integers(0, min(free, most if p.bonus_surplus.is_("impossible") else 5)))
    return Spin(tuple(symbols), bonus, draw(st.integers(0, min(free - bonus, 4))))


@st.composite
def panels(draw: st.DrawFn, p: Any, s: State) -> Panel:
    ranges = {
        EXTRA_SPINS: (1, p.extra_spins_most),
        FEW: (p.few_least, p.few_most),
        MANY: (p.many_least, p.many_most),
        PRIZE_SYMBOLS: (1, p.prize_symbols_most),
    }
    likely = st.sampled_from([*KINDS, BOOSTER, SUPER, MEGA, ACTIVATE])
    kinds = [draw(likely) for _ in p.shown]
    numbers = [draw(st.integers(*ranges.get(kind, (1, 1)))) for kind in kinds]
    found = Panel(tuple(kinds), tuple(numbers))
    if found.legal(p, s):
        return found
    return Panel((EXTRA_SPINS, *kinds[1:]), (1, *numbers[1:]))


@st.composite
def rounds(draw: st.DrawFn, p: Any, s: State) -> Round:
    odd = draw(st.booleans())
    boxes = draw(st.permutations(range(1, len(p.shown) + 1)))
    nothing = tuple(0 for _ in p.rows)
    missed = Round(odd, 2 * draw(st.integers(1, 6)), 7, boxes[0], nothing)
    if draw(st.integers(0, 3)) == 0 and missed.legal(p, s):
        return missed
    for box in boxes:
        kind, number = s.shown_kinds[box - 1], s.shown_numbers[box - 1]
        symbols = draw(shares(p, s, number)) if kind in (FEW, MANY) else nothing
        hit = Round(odd, 2 * draw(st.integers(0, 5)) + 1, 8, box, symbols)
        if hit.legal(p, s):
            return hit
    return missed


@st.composite
def shares(draw: st.DrawFn, p: Any, s: State, number: int) -> tuple[int, ...]:
    """Share symbols out over the rows, within their room while there is any."""
    room = [b - h - w for b, h, w in zip(p.row_boxes, s.rows, s.won_symbols, strict=True)]
    given = [0 for _ in p.rows]
    for _ in range(number):
        open_ = [row for row, free in enumerate(room) if given[row] < free]
        row = draw(st.sampled_from(open_ or range(len(given))))
        given[row] += 1
    return tuple(given)


@st.composite
def prize_spins(draw: st.DrawFn, p: Any, s: State) -> PrizeSpin:
    wins, doubles = draw(st.integers(0, 1)), draw(st.integers(0, 2))
    if p.win_with_double.is_("impossible") and wins:
        doubles = 0
    amounts = [0 for _ in p.prize_tags]
    left_there = 0 if wins or doubles else 1  # a WIN or WIN X2 of another colour
    for _ in range(draw(st.integers(0, p.grid - wins - doubles - left_there))):
        amounts[draw(st.integers(0, len(amounts) - 1))] += 1
    return PrizeSpin(tuple(amounts), wins, doubles)
