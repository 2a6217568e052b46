"""Layouts: screens that show exactly what a script reveals, and that are found out if not."""

from __future__ import annotations

import dataclasses
import io
import json
import sys
import time
from collections.abc import Callable
from itertools import accumulate
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from rich.console import Console

from playproof.errors import BadInput
from playproof.models.algebra import int_variable
from playproof.models.colour_collector_grid import GRID_LAYER, PrizeSpin, Spin, Square
from playproof.models.colour_collector_properties import COLOUR_COLLECTOR
from playproof.models.colour_collector_screen import Grid
from playproof.models.editions import Edition, load_edition
from playproof.models.games import game_ids, load_game
from playproof.models.mechanics import count_each, dealt
from playproof.models.play import Play, replay
from playproof.models.screen import START, Taste
from playproof.models.shape import shape_of
from playproof.models.system import Step
from playproof.oracles import script as scripts
from playproof.oracles.event import flat, nested
from playproof.oracles.layouts import Layouts, lay_out
from playproof.oracles.schema import schema
from playproof.oracles.screens import COLLECTS, KEEPS, Flaw, Screens, Stepped
from playproof.oracles.script import BrokenScript, Script
from playproof.oracles.straight import straight
from playproof.oracles.synthesis import Synthesis
from playproof.oracles.targets import parse_target, parse_targets
from playproof.proofs.copyfile import load_copies
from playproof.proofs.enumeration import enumerate_copy
from playproof.proofs.findings import GENERAL
from playproof.proofs.layered import CLAIMS, layer_of
from playproof.proofs.prover import prove
from playproof.proofs.verdict import Outcome
from playproof.reports.scripting import make_all

from . import colour_collector_plays as cc
from . import diamond_riches_plays as dr
from .colour_collector_broken import BROKEN
from .test_oracles import DIP

SEEDS = 3
PLAYS: dict[str, tuple[Any, Callable[..., Any]]] = {
    "colour-collector": (cc.SMALL, cc.legal_steps),
    "diamond-riches": (dr.GAME, dr.legal_steps),
}


def stepped(game: Any, p: Any, play: list[Any]) -> list[Stepped]:
    """Return the steps of a Play as screens are made for, the start first."""
    shape = game.state_shape()
    found: list[Stepped] = [(START, tuple(shape.scalars(game.start(p).s).values()), ())]
    for point, rule, reveal in play:
        state = tuple(shape.scalars(point.s).values())
        revealed = tuple(game.reveal_shape(rule).scalars(reveal).values())
        found.append((rule.id, state, revealed))
    return found


def flaws_of(screens: Screens, steps: list[Stepped], shown: list[Any]) -> list[Flaw]:
    return [flaw for flaws in screens.read_back(steps, shown) for flaw in flaws]


def drawn(data: st.DataObject, name: str) -> tuple[Screens, list[Stepped]]:
    """Return the screens and the steps of a random legal Play."""
    game, legal_steps = PLAYS[name]
    play = list(legal_steps(data.draw))
    p = play[0][0]
    return Screens(game, p), stepped(game, p, [one[1:] for one in play])


# Every legal Play has layouts


@pytest.mark.parametrize("name", PLAYS)
@settings(max_examples=12, deadline=None)
@given(data=st.data())
def test_any_legal_play_has_layouts_that_show_exactly_what_it_reveals(
    name: str, data: st.DataObject
) -> None:
    screens, steps = drawn(data, name)

    layouts = [screens.made(steps, str(seed)) for seed in range(SEEDS)]

    for shown in layouts:
        assert flaws_of(screens, steps, shown) == []


@pytest.mark.parametrize("name", PLAYS)
@settings(max_examples=3, deadline=None)
@given(data=st.data())
def test_the_quick_judge_of_screens_agrees_with_the_plain_one(
    name: str, data: st.DataObject
) -> None:
    """On screens as they were made and on screens with one value changed."""
    screens, steps = drawn(data, name)
    shown = screens.made(steps, "0")
    rng = Random(data.draw(st.integers(0, 2**32)))
    changed = [one and _with_a_change(one, rng) for one in shown]
    for now in (shown, changed):
        last: dict[str, Any] = {}
        for (rule, state, reveal), screen, right in zip(steps, now, shown, strict=True):
            view = screens.game.view(rule)
            if view is None or screen is None or right is None:
                continue
            earlier = last.get(view.id)
            quick = screens._judge_of(view, rule, earlier is not None)
            seen = {view.id: earlier} if earlier else {}
            assert (quick(screen, state, earlier, reveal) is None) is bool(
                screens.judged(rule, state, reveal, screen, seen)
            )
            values = dict(flat(right))
            last[view.id] = tuple(
                values[v.name] for v in shape_of(view.screen, screens.p).variables
            )


def _with_a_change(shown: Any, rng: Random) -> Any:
    values = dict(flat(shown))
    name = rng.choice(sorted(values))
    value = values[name]
    changed = not value if isinstance(value, bool) else value + rng.choice((-1, 1))
    return nested({**values, name: changed})


# A layout that was tampered with is found out


@pytest.fixture(scope="module")
def laid_out() -> dict[str, tuple[Edition, Script]]:
    """A script of each game with a layout; both have a Bonus Game."""
    made = {}
    for name, prize in (("colour-collector", "£52 (£12 + £40 Prize Game)"),
                        ("diamond-riches", "£6 (red)")):  # fmt: skip
        edition = load_edition(load_game(name))
        target = parse_target(prize, edition)
        play = Synthesis(edition).find(target).plays[0]
        made[name] = edition, lay_out(edition, scripts.make(edition, target, play), seed=1)
    return made


def changed(script: Script, step: int, **values: Any) -> Script:
    """Return a script with values of a screen changed: ``symbols__7=3``; step 0: the start."""
    old = script.steps[step - 1].screen if step else script.screen
    named = {name.replace("__", "."): value for name, value in values.items()}
    assert named.keys() <= dict(flat(old or {})).keys()
    screen = nested({**dict(flat(old or {})), **named})
    if not step:
        return msgspec.structs.replace(script, screen=screen)
    steps = list(script.steps)
    steps[step - 1] = msgspec.structs.replace(steps[step - 1], screen=screen)
    return msgspec.structs.replace(script, steps=steps)


def refused(laid_out: tuple[Edition, Script], step: int, **values: Any) -> str:
    """Return why a script with this change is refused."""
    edition, script = laid_out
    with pytest.raises(BrokenScript) as refusal:
        scripts.check(changed(script, step, **values), edition)
    return str(refusal.value)


def screen_of(script: Script, step: int) -> dict[str, Any]:
    return dict(flat(script.steps[step - 1].screen or {}))


def square(script: Script, step: int, *, collected: bool) -> str:
    """Return a square of a grid that is collected, or one that is left."""
    shown = screen_of(script, step)
    squares = [name.split(".")[1] for name in shown if name.startswith("colours.")]
    worn = (n for n in squares if (shown[f"colours.{n}"] == shown["wheel"]) is collected)
    return next(worn)


def first(script: Script, rule: str) -> int:
    return 1 + [move.rule for move in script.steps].index(rule)


def spin_that_collects(script: Script) -> int:
    collected = [
        move.rule == "spin" and any(value for _, value in flat(move.reveal))
        for move in script.steps
    ]
    return 1 + collected.index(True)


def test_a_collected_square_in_another_colour_is_found(laid_out: Any) -> None:
    _, script = laid_out["colour-collector"]
    step = spin_that_collects(script)
    other = 1 + screen_of(script, step)["wheel"] % 6
    name = f"colours__{square(script, step, collected=True)}"

    why = refused(laid_out["colour-collector"], step, **{name: other})

    assert f"step {step}" in why
    assert COLLECTS in why


def test_a_square_left_in_the_wheels_colour_is_found(laid_out: Any) -> None:
    _, script = laid_out["colour-collector"]
    step = spin_that_collects(script)
    name = f"colours__{square(script, step, collected=False)}"

    why = refused(
        laid_out["colour-collector"], step, **{name: screen_of(script, step)["wheel"]}
    )

    assert COLLECTS in why


def test_a_symbol_that_was_left_and_changes_is_found(laid_out: Any) -> None:
    _, script = laid_out["colour-collector"]
    left = square(script, 1, collected=False)
    symbol = screen_of(script, 2)[f"symbols.{left}"]

    why = refused(laid_out["colour-collector"], 2, **{f"symbols__{left}": 1 + symbol % 9})

    assert f"symbols.{left}: {1 + symbol % 9} is shown, where {symbol} has to stay" in why
    assert KEEPS in why


def test_squares_take_any_colour_but_the_wheels(laid_out: Any) -> None:
    edition, script = laid_out["colour-collector"]
    left = square(script, 1, collected=False)
    shown = screen_of(script, 1)
    taken = {shown["wheel"], shown[f"colours.{left}"]}
    other = next(colour for colour in range(1, 7) if colour not in taken)

    scripts.check(changed(script, 1, **{f"colours__{left}": other}), edition)


@pytest.mark.parametrize(
    ("game", "rule", "values", "says"),
    [
        ("colour-collector", START, {"pointer": 2}, "the pointer starts at orange"),
        ("colour-collector", START, {"segments__1": 2, "segments__2": 2}, "colour of its own"),
        ("colour-collector", START, {"pointer": 7}, "1 to 6 was expected"),
        ("colour-collector", "right-answer", {"reel_if_even": 11}, COLLECTS),
        ("colour-collector", "right-answer", {"highlighted": 7}, COLLECTS),
        ("colour-collector", "right-answer", {"numbers__1": 9}, KEEPS),
        ("colour-collector", "open-bonus-game", {"kinds__1": 8}, COLLECTS),
        ("colour-collector", "win", {"amounts__1": 4}, "one of the amounts there are"),
        ("diamond-riches", "spin", {"diamond_stop": 11}, COLLECTS),
        ("diamond-riches", "spin", {"diamonds__3__red": 2}, KEEPS),
        ("diamond-riches", "spin", {"icons__1__bonus": 1}, KEEPS),
        ("diamond-riches", "open-bonus-game", {"unlocked": 1}, KEEPS),
        ("diamond-riches", "pick", {"tiles__1": 99}, "0 to 40 was expected"),
    ],
)
def test_what_a_screen_may_not_show_is_found(
    laid_out: Any, game: str, rule: str, values: dict[str, Any], says: str
) -> None:
    step = 0 if rule == START else first(laid_out[game][1], rule)

    assert says in refused(laid_out[game], step, **values)


def test_an_icon_that_was_picked_stays(laid_out: Any) -> None:
    _, script = laid_out["diamond-riches"]
    second = first(script, "pick") + 1
    icon = screen_of(script, second)["tiles.1"]

    assert KEEPS in refused(laid_out["diamond-riches"], second, tiles__1=1 + icon % 9)


def test_a_multiplier_wheel_stays_as_it_is(laid_out: Any) -> None:
    _, script = laid_out["diamond-riches"]
    wheel = [screen_of(script, 2)[f"multipliers.{n}"] for n in range(1, 6)]
    turned = {f"multipliers__{n}": one for n, one in enumerate([*wheel[1:], wheel[0]], start=1)}
    stop = (screen_of(script, 2)["multiplier_stop"] - 1) % 5

    assert KEEPS in refused(laid_out["diamond-riches"], 2, **turned, multiplier_stop=stop)


def test_a_wheel_without_a_multiplier_is_found(laid_out: Any) -> None:
    why = refused(laid_out["diamond-riches"], 1, **dict.fromkeys(
        [f"multipliers__{n}" for n in range(1, 6)], 1
    ))  # fmt: skip

    assert "every multiplier is on the wheel" in why


def test_a_prize_game_without_a_win_on_its_grid_is_found() -> None:
    p = cc.setting()
    play = [
        cc.spin(prize=6),
        *[cc.spin()] * 5,
        cc.prize_spin({1: 3}),
        cc.prize_spin({}, wins=1),
    ]
    points = list(replay(cc.GAME, Play(p, tuple(play))))
    rules = [(point, cc.GAME.rule(step.rule), step.reveal)
             for step, point in zip(play, points, strict=False)]  # fmt: skip
    steps, screens = stepped(cc.GAME, p, rules), Screens(cc.GAME, p)
    shown = screens.made(steps, "0")
    grid = shown[7]
    assert grid is not None

    grid["wins"] = dict.fromkeys(grid["wins"], 0)
    grid["amounts"] = {square: amount or 500 for square, amount in grid["amounts"].items()}

    (flaw,) = screens.judged(*steps[7], grid, {})
    assert flaw.clauses == ("CC-42",)


# Whatever is revealed can be shown


@pytest.mark.parametrize("id_", CLAIMS)
def test_that_whatever_is_revealed_can_be_shown_is_proved_for_grids_of_any_size(
    id_: str,
) -> None:
    small = COLOUR_COLLECTOR.copy(rows=("1", "2"), prize_tags=("1", "2"))

    verdict = prove(small, id_)

    assert verdict.outcome is Outcome.PROVED
    assert {answer.solver for answer in verdict.answers} == {"z3", "cvc5"}
    assert verdict.certificate is not None


@pytest.mark.parametrize("id_", CLAIMS)
def test_a_layer_that_makes_wrong_screens_is_refuted(id_: str) -> None:
    broken = BROKEN[id_]

    verdict = prove(broken.game, id_, parameters={"grid": 2})

    assert verdict.outcome is Outcome.REFUTED, broken.says
    assert verdict.remark.count(",") + 1 == len(broken.along)
    assert verdict.remark.startswith("the layer colour-collector-grid breaks it: ")


def test_a_win_is_on_every_grid_of_the_prize_game() -> None:
    small = GRID_LAYER.copy(rows=("1",), prize_tags=("1", "2"))

    assert prove(small, "win-on-the-grid").outcome is Outcome.PROVED


def laid_by_layer(p: Any, rule: str, reveal: Any, screen: Any) -> list[tuple[int, int]]:
    """Return what the layer puts into each square of a grid, with its colour."""
    layer, prize_game = layer_of(cc.SMALL), rule != "spin"
    same = {field.name: getattr(p, field.name) for field in dataclasses.fields(p)}
    if prize_game:
        first = "prize-spin"
        counted = [reveal.wins, reveal.double_wins, *reveal.amounts]
        start: Any = PrizeSpin(tuple(accumulate(counted)), screen.wheel)
    else:
        first = "spin"
        counted = [*reveal.symbols, reveal.bonus_symbols, reveal.prize_symbols]
        start = Spin(tuple(accumulate(counted)), screen.wheel)
    order = [*range(1, p.grid), 0] if rule == "prize-spin" else list(range(p.grid))
    steps = [Step(first, start)]
    for square in order:
        held, worn = in_square(p, screen, square), screen.colours[square]
        other = worn if worn != screen.wheel else 1 + screen.wheel % p.colours
        nexts = (1, held) if prize_game else (held, 1)
        steps.append(Step("lay", Square(*nexts, other)))
    _, _, *made = replay(layer, Play(type(layer.setting)(**same), tuple(steps)))
    by_square = dict(zip(order, made, strict=True))
    return [(by_square[n].s.holds, by_square[n].s.wears) for n in range(p.grid)]


def in_square(p: Any, screen: Any, square: int) -> int:
    """Return the number of what a square holds, as the layer counts."""
    if isinstance(screen, Grid):
        return int(screen.symbols[square])
    win, amount = screen.wins[square], screen.amounts[square]
    return int(win or 3 + p.prize_amounts.index(amount))


@settings(max_examples=6, deadline=None)
@given(data=st.data())
def test_what_is_proved_of_the_layer_is_about_the_grids_that_are_shown(
    data: st.DataObject,
) -> None:
    """The layer allows whatever is legal, and makes the very grids, in the plainest order."""
    for p, point, rule, reveal in cc.legal_steps(data.draw, most=12):
        assume(len(set(p.prize_amounts)) == len(p.prize_amounts))
        view = cc.GAME.view(rule.id)
        if view is None or view.id not in ("grid", "prize-grid"):
            continue
        screen = view.screen.made(rule.id, p, point.s, reveal, None, Taste())

        made = laid_by_layer(p, rule.id, reveal, screen)

        holds = [in_square(p, screen, square) for square in range(p.grid)]
        assert made == list(zip(holds, screen.colours, strict=True))


class Refilled(Grid):
    """A grid that is made anew with every spin, whatever was left."""

    @classmethod
    def made(cls, rule: str, p: Any, s: Any, reveal: Any, following: Any, taste: Any) -> Any:
        return super().made(rule, p, s, reveal, None, taste)


class AllInOneColour(Grid):
    """A grid that wears the wheel's colour all over."""

    def counted(self, rule: str, p: Any, s: Any) -> Any:
        colours = [self.wheel for _ in self.colours]
        return Grid(self.symbols, colours, self.wheel).counted(rule, p, s)


@pytest.mark.parametrize(("id_", "screen"), [(COLLECTS, AllInOneColour), (KEEPS, Refilled)])
def test_enumerating_a_copy_finds_screens_that_break_a_claim(id_: str, screen: Any) -> None:
    copy = next(one for one in load_copies(COLOUR_COLLECTOR) if one.name == "spins")
    views = [dataclasses.replace(view, screen=screen) if view.screen is Grid else view
             for view in COLOUR_COLLECTOR.views]  # fmt: skip
    broken = dataclasses.replace(COLOUR_COLLECTOR, views=tuple(views))

    assert GENERAL[id_](enumerate_copy(COLOUR_COLLECTOR, copy)).holds
    assert not GENERAL[id_](enumerate_copy(broken, copy)).holds


# What the player chooses, and what is not known


def test_a_round_has_a_number_for_either_parity(laid_out: Any) -> None:
    _, script = laid_out["colour-collector"]
    right = screen_of(script, first(script, "right-answer"))
    wrong = screen_of(script, first(script, "wrong-answer"))

    assert right["reel_if_odd"] % 2 == 1
    assert right["reel_if_even"] % 2 == 0
    assert wrong["reel_if_odd"] % 2 == 0
    assert wrong["reel_if_even"] % 2 == 1


def test_the_bonus_grid_has_twenty_icons_in_the_order_of_the_picks(laid_out: Any) -> None:
    _, script = laid_out["diamond-riches"]
    start = first(script, "pick")
    picks = [move for move in script.steps if move.rule == "pick"]
    tiles = [screen_of(script, start + n)[f"tiles.{n + 1}"] for n in range(len(picks))]

    assert tiles == [move.reveal["icon"] for move in picks]
    assert sum(name.startswith("tiles.") for name in screen_of(script, start)) == 20


def test_what_a_screen_leaves_out_is_unknown(laid_out: Any) -> None:
    edition, script = laid_out["colour-collector"]
    step = spin_that_collects(script)
    p = scripts.played(script, edition)[0].setting
    screens = Screens(edition.game, p)
    state = tuple(edition.game.state_shape().scalars(
        scripts.played(script, edition)[1][step - 1].s).values())  # fmt: skip
    revealed = tuple(value for _, value in flat(script.steps[step - 1].reveal))
    shown = screen_of(script, step)
    known = f"symbols.{square(script, step, collected=True)}"
    for name in shown:
        part = nested({key: value for key, value in shown.items() if key != name})
        assert screens.judged("spin", state, revealed, part, {}) == []

    wrong = {**shown, known: 1 + shown[known] % 9}
    del wrong[f"symbols.{square(script, step, collected=False)}"]

    assert {
        flaw.claim for flaw in screens.judged("spin", state, revealed, nested(wrong), {})
    } == {COLLECTS}


def test_a_script_leaves_nothing_out(laid_out: Any) -> None:
    edition, script = laid_out["colour-collector"]
    steps = list(script.steps)
    screen = {key: value for key, value in (steps[0].screen or {}).items() if key != "wheel"}
    steps[0] = msgspec.structs.replace(steps[0], screen=screen)

    with pytest.raises(BrokenScript, match="not all there"):
        scripts.check(msgspec.structs.replace(script, steps=steps), edition)


@pytest.mark.parametrize(
    ("shown", "says"),
    [
        ({"wheels": 3}, "no such field"),
        ({"wheel": True}, "a whole number was expected"),
        ({"wheel": "red"}, "a whole number was expected"),
        ({"wheel": 7}, "1 to 6 was expected"),
        ({"symbols": {"26": 1}}, "no such field"),
    ],
)
def test_values_that_no_screen_has_are_said(shown: dict[str, Any], says: str) -> None:
    p = cc.setting()
    ((_, state, _),) = stepped(cc.GAME, p, [])

    (flaw,) = Screens(cc.GAME, p).judged("spin", state, (None,) * 9, shown, {})

    assert says in flaw.says


# Scripts with a layout


def test_seeds_vary_a_layout_and_a_seed_repeats_it(laid_out: Any) -> None:
    for edition, script in laid_out.values():
        layouts = [scripts.encode(lay_out(edition, script, seed)) for seed in (1, 2, 1)]

        assert layouts[0] == layouts[2]
        assert layouts[0] != layouts[1]


def test_a_script_with_a_layout_is_of_version_2_and_one_without_of_version_1(
    laid_out: Any,
) -> None:
    edition, script = laid_out["diamond-riches"]
    bare = [msgspec.structs.replace(move, screen=None) for move in script.steps]
    plain = msgspec.structs.replace(script, version=1, layout=None, screen=None, steps=bare)

    assert script.version == 2
    assert b"screen" not in scripts.encode(plain)
    for one in (script, plain):
        assert scripts.decode(scripts.encode(one)) == one
        scripts.check(one, edition)
    for mixed in (
        msgspec.structs.replace(script, version=1),
        msgspec.structs.replace(script, layout=None),
        msgspec.structs.replace(plain, version=2),
    ):
        with pytest.raises(BrokenScript, match="version 1"):
            scripts.check(mixed, edition)


def test_a_layout_is_as_its_schema_says(laid_out: Any) -> None:
    """The edition has fewer squares than a grid may have."""
    checker = pytest.importorskip("jsonschema", reason="schemas are tested with jsonschema")
    for name, (_, script) in laid_out.items():
        validator = checker.Draft202012Validator(schema("script", load_game(name)))
        text = json.loads(scripts.encode(script))
        assert validator.is_valid(text)
        screen = text["steps"][0]["screen"]
        for wrong in ({"wheels": 1}, {next(iter(screen)): 3}):
            text["steps"][0]["screen"] = screen | wrong
            assert not validator.is_valid(text)


def test_scripts_are_written_with_the_layout_of_a_seed(tmp_path: Path) -> None:
    quiet = Console(file=io.StringIO())
    result = make_all(
        "colour-collector", "£0", count=1, seed=0, edition=None, readings=[],
        layout=7, out=tmp_path, console=quiet,
    )  # fmt: skip
    quiet.print(result.text())
    (path,) = tmp_path.iterdir()
    script = scripts.load(path)
    edition = load_edition(load_game("colour-collector"))

    assert script.layout == 7
    assert list(Layouts(edition).flaws(script)) == []
    assert quiet.file.getvalue().count("wheel: ") == 6  # type: ignore[attr-defined]


def test_a_grid_is_pictured_with_what_is_collected_in_brackets() -> None:
    grid = Grid([1, 2, 3, 8, 9, 7, 7, 7, 7], [1, 2, 3, 2, 2, 6, 6, 6, 6], wheel=2)

    assert grid.picture(COLOUR_COLLECTOR.setting) == [
        " 1·1  [2·2]  3·3",
        "[B·2] [P·2]  7·6",
        " 7·6   7·6   7·6",
        " wheel: 2",
    ]


def test_a_game_that_says_nothing_of_its_screens_has_no_layouts() -> None:
    with pytest.raises(BadInput, match="says nothing of its screens"):
        Layouts(DIP)


@pytest.mark.parametrize("name", game_ids())
def test_every_step_that_reveals_something_has_a_screen(name: str) -> None:
    game = load_game(name)

    bare = [rule.id for rule in game.rules
            if game.reveal_shape(rule).variables and game.view(rule.id) is None]  # fmt: skip

    assert bare == []


# Things laid out, on numbers as on unknowns


few = st.lists(st.integers(0, 4), min_size=3, max_size=3)


@given(few, st.integers(3, 12))
def test_things_are_laid_and_counted_alike_on_numbers_and_on_unknowns(
    numbers: list[int], size: int
) -> None:
    unknown = [int_variable(f"n{number}") for number in range(3)]
    laid = straight([["n0", "n1", "n2"]], dealt(unknown, size))
    places = [int_variable(f"n{number}") for number in range(size)]
    counted = straight([[str(place) for place in places]], count_each(places, (1, 2, 3)))

    assert laid(tuple(numbers)) == tuple(dealt(numbers, size))
    assert counted(laid(tuple(numbers))) == tuple(count_each(dealt(numbers, size), (1, 2, 3)))
    if sum(numbers) <= size:
        assert list(counted(laid(tuple(numbers)))) == numbers


# All prizes


@pytest.mark.bench
@pytest.mark.parametrize("name", game_ids())
def test_layouts_of_every_prize(name: str) -> None:
    """Every row of the prize table, and every ladder at every level, gets its layouts."""
    edition = load_edition(load_game(name))
    synthesis = Synthesis(edition)
    made = [
        scripts.make(edition, target, synthesis.find(target).plays[0])
        for target in parse_targets("all", edition)
    ]
    layouts = Layouts(edition)
    began = time.process_time()
    laid = [layouts.of(script, seed) for seed in range(10) for script in made]
    seconds = time.process_time() - began
    screens = sum(move.screen is not None for script in laid for move in script.steps)
    sys.stdout.write(
        f"\n{name}: layouts of {len(made)} scripts from 10 seeds, each made and read back: "
        f"{len(laid) / seconds:.0f} scripts, {screens / seconds:.0f} screens a second of CPU\n"
    )
    for script in laid[: len(made)]:
        scripts.check(script, edition)
