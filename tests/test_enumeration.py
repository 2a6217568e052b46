"""Reduced copies: the rules alone go through them, the encoding agrees; where not, it shows."""

from __future__ import annotations

import dataclasses
import json
import time
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import combinations
from pathlib import Path

import pytest
from typer.testing import CliRunner

from playproof.errors import BadInput
from playproof.models.algebra import minimum, where
from playproof.models.games import game_ids, load_game
from playproof.models.setting import allowed, readings_of
from playproof.models.system import general
from playproof.proofs import pinned
from playproof.proofs.agreement import agree, among
from playproof.proofs.budget import Budget
from playproof.proofs.copies import reduced
from playproof.proofs.copyfile import load_copies
from playproof.proofs.encoding import Encoding, encode
from playproof.proofs.endings import ending
from playproof.proofs.enumeration import enumerate_copy
from playproof.proofs.findings import GENERAL, judge, longest_play, prizes, shortest_lasso
from playproof.proofs.layered import CLAIMS
from playproof.proofs.manifest import expected_under, load_manifest
from playproof.proofs.solvers import Steps
from playproof.proofs.verdict import Outcome
from playproof.reports import enumerating
from playproof.reports.cli import app

from .lucky_dip import LUCKY_DIP, Draw

DIP = "tests.lucky_dip:LUCKY_DIP"
FILE = Path(__file__).with_name("lucky_dip_copies.toml")
DROPPED, IMPOSSIBLE = load_copies(LUCKY_DIP, FILE)


def broken_draw(**changes):
    """Return Lucky Dip with a draw that changes the next state further."""
    draw = LUCKY_DIP.rule("draw")

    def effect(p, s, r):
        after = draw.effect(p, s, r)
        return dataclasses.replace(
            after, **{n: change(p, after) for n, change in changes.items()}
        )

    return LUCKY_DIP.with_rule(dataclasses.replace(draw, effect=effect))


ENDLESS = broken_draw(draws_left=lambda p, s: p.draws)
COINLESS = dataclasses.replace(
    DROPPED,
    depth=4,
    figures={"draws": 3},
    reveals={"draw.coins": (0,), "draw.stars": (0,)},
)


def failing(game, copy=DROPPED):
    found = enumerate_copy(game, copy)
    return {claim.id for claim in game.properties if not judge(found, claim).holds}


# ---- Going through a copy --------------------------------------------------------------------


def test_every_state_there_is_is_found_at_its_depth():
    found = enumerate_copy(LUCKY_DIP, DROPPED)
    after_one = {
        (s.jar, s.meter, s.level) for s in map(found.states.get, found.state_layers[1])
    }

    assert after_one == {
        (coins, stars % 2, stars // 2) for coins in range(3) for stars in range(3)
    }
    assert longest_play(found) == 3
    assert found.exhausted


def test_the_shortest_play_to_each_prize_is_a_play_to_it():
    found = enumerate_copy(LUCKY_DIP, DROPPED)
    won = {prize.name: [step.rule for step in prize.steps] for prize in prizes(found)}

    assert won["£8 (£8 jar)"] == ["draw", "draw", "finish"]
    assert set(won) == {"£0", "£2 (£2 jar)", "£4 (£4 jar)", "£8 (£8 jar)"}


def test_a_limit_makes_reveals_illegal_that_go_beyond_it():
    found = enumerate_copy(LUCKY_DIP, dataclasses.replace(DROPPED, most={"jar": 1}))

    assert {state.jar for state in found.states.values()} == {0, 1}


def test_what_may_come_so_often_only_comes_no_more_often():
    copy = dataclasses.replace(DROPPED, times={"draw.stars": 1})
    found = enumerate_copy(LUCKY_DIP, copy)

    assert {point.t.stars for point in found.points.values()} == {0, 1, 2}
    assert {state.times_draw_stars for state in found.states.values()} == {0, 1}


def test_points_are_followed_to_the_depth_a_copy_says():
    found = enumerate_copy(LUCKY_DIP, dataclasses.replace(DROPPED, depth=1))

    assert [len(layer) for layer in found.layers] == [1, 9]
    assert not found.exhausted
    assert judge(found, LUCKY_DIP.property("stars-carry")).depth == 1


def test_a_copy_without_end_is_refused():
    with pytest.raises(BadInput, match="more than 10 states; give it smaller figures"):
        enumerate_copy(LUCKY_DIP, DROPPED, most=10)


def test_a_reveal_whose_values_are_not_limited_is_refused():
    @dataclasses.dataclass(frozen=True)
    class Any(Draw):
        coins: int = dataclasses.field(
            metadata={
                "shape": dataclasses.replace(
                    Draw.__dataclass_fields__["coins"].metadata["shape"], high=None
                )
            }
        )

    game = LUCKY_DIP.with_rule(dataclasses.replace(LUCKY_DIP.rule("draw"), reveal=Any))
    with pytest.raises(BadInput, match=r"any.coins has no highest value"):
        enumerate_copy(game, dataclasses.replace(DROPPED, reveals={}))


# ---- A broken rule is found without the encoder ----------------------------------------------


@pytest.mark.parametrize(
    ("changes", "breaks"),
    [
        ({"meter": lambda p, s: minimum(s.meter + 1, p.stars)}, {"stars-carry", "in-range"}),
        ({"level": lambda p, s: s.level - 1}, {"in-range"}),
        ({"draws_left": lambda p, s: s.draws_left * 0}, {"draws-count-down"}),
        ({"jar": lambda p, s: s.jar * 0}, {"no-coin-lost"}),
    ],
)
def test_a_broken_rule_breaks_its_properties(changes, breaks):
    assert failing(LUCKY_DIP, IMPOSSIBLE) == {"never-full"}
    assert breaks <= failing(broken_draw(**changes), IMPOSSIBLE)


def of_whole(game, id_, copy=DROPPED):
    return GENERAL[id_](enumerate_copy(game, copy))


def test_two_rules_for_one_state_are_found():
    again = dataclasses.replace(LUCKY_DIP.rule("draw"), id="draw-again")
    both = dataclasses.replace(LUCKY_DIP, rules=(*LUCKY_DIP.rules, again))
    early = dataclasses.replace(LUCKY_DIP.rule("finish"), when=lambda p, s, r: not s.over)

    assert of_whole(LUCKY_DIP, "deterministic").holds
    assert "draw and draw-again" in of_whole(both, "deterministic").remark
    assert "different kinds" in of_whole(LUCKY_DIP.with_rule(early), "deterministic").remark


def test_a_legal_reveal_without_a_rule_is_found():
    draw = LUCKY_DIP.rule("draw")
    picky = dataclasses.replace(draw, when=lambda p, s, r: s.draws_left > 0 and r.coins < 2)

    assert "no rule applies" in of_whole(LUCKY_DIP.with_rule(picky), "deterministic").remark


def test_a_play_that_gets_stuck_is_found():
    never = dataclasses.replace(LUCKY_DIP.rule("finish"), when=lambda p, s, r: s.jar < 3)
    stuck = of_whole(LUCKY_DIP.with_rule(never), "never-stuck")

    assert of_whole(LUCKY_DIP, "never-stuck").holds
    assert (stuck.holds, stuck.depth) == (False, 2)


def test_a_play_that_goes_on_for_ever_is_found():
    refunded = of_whole(ENDLESS, "terminates", dataclasses.replace(DROPPED, depth=1))

    assert of_whole(LUCKY_DIP, "terminates").remark == "3 steps at most"
    assert (refunded.depth, refunded.remark) == (1, "for ever: draw")


def test_the_shortest_play_that_comes_back_is_found():
    def swing(p, s):  # two draws to and fro between two states, once three were made
        return where(s.draws_left == 0, 2, s.draws_left)

    found = enumerate_copy(broken_draw(draws_left=swing), COINLESS)
    path = shortest_lasso(found)

    assert [found.states[key].draws_left for key in path] == [3, 2, 1, 2]
    assert shortest_lasso(enumerate_copy(LUCKY_DIP, COINLESS)) is None


def test_a_choice_that_decides_something_is_found():
    shape = Draw.__dataclass_fields__["coins"].metadata["shape"]
    chosen = dataclasses.field(metadata={"shape": dataclasses.replace(shape, choice=True)})
    picked = dataclasses.make_dataclass(
        "Draw", [("coins", int, chosen)], bases=(Draw,), frozen=True
    )
    draw = dataclasses.replace(LUCKY_DIP.rule("draw"), reveal=picked)
    game = LUCKY_DIP.with_rule(draw)

    assert of_whole(LUCKY_DIP, "choice-free").holds
    assert "another prize" in of_whole(game, "choice-free").remark
    assert "legal for one choice" in of_whole(game, "choice-free", IMPOSSIBLE).remark


# ---- Both sides ------------------------------------------------------------------------------


def test_both_sides_of_a_small_game_agree_on_everything():
    claims = [general(id_, (), id_) for id_ in GENERAL if id_ not in CLAIMS]
    game = dataclasses.replace(LUCKY_DIP, properties=(*LUCKY_DIP.properties, *claims))
    for copy in (DROPPED, IMPOSSIBLE):
        agreement = agree(enumerate_copy(game, copy))

        assert agreement.agrees is True
        assert [layer.points for layer in agreement.layers] == copy.pinned["points"]
        said = {one.claim.id: one.verdict.outcome for one in agreement.properties}
        refuted = [id_ for id_, outcome in said.items() if outcome is Outcome.REFUTED]
        assert refuted == copy.pinned["refuted"]


def of_ending(found, game, budget=None):
    """Return what the encoding of a game says of the ends that were found of another."""
    copy = found.copy
    encoding = encode(reduced(game, copy), copy.parameters, copy.readings)
    finding = GENERAL["terminates"](found)
    verdict, agrees = ending(encoding, finding, longest_play(found), budget or Budget())
    return verdict.outcome, agrees, verdict.remark


def test_both_sides_agree_on_whether_plays_end_and_after_how_many_steps():
    ends, goes_on = enumerate_copy(LUCKY_DIP, COINLESS), enumerate_copy(ENDLESS, COINLESS)
    longer = broken_draw(draws_left=lambda p, s: where(s.draws_left == 0, 1, s.draws_left))
    least = Budget(bmc=Steps(z3=1))

    assert of_ending(ends, LUCKY_DIP) == (Outcome.PROVED, True, "")
    assert of_ending(goes_on, ENDLESS) == (Outcome.REFUTED, True, "")
    assert of_ending(ends, ENDLESS)[1:] == (False, "a Play of 5 steps is one there")
    assert of_ending(enumerate_copy(longer, COINLESS), ENDLESS)[1:] == (
        False,
        "a state comes again there after fewer steps",
    )
    assert of_ending(goes_on, LUCKY_DIP)[1:] == (
        False,
        "no state comes again there after 1 steps",
    )
    assert of_ending(ends, LUCKY_DIP, least) == (
        Outcome.UNDECIDED,
        None,
        "a solver ran out of steps",
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "copy", "claims"),
    [
        pytest.param(
            "colour-collector",
            "extra-spins",
            ("spins-balance", "never-stuck", "terminates"),
            marks=pytest.mark.bench,
        ),
        ("diamond-riches", "doubling", ("double-spins-exact", "terminates")),
    ],
)
def test_both_sides_of_a_real_game_agree_at_every_depth(name, copy, claims):
    game = load_game(name)
    (chosen,) = [one for one in load_copies(game) if one.name == copy]
    agreement = agree(enumerate_copy(game, chosen), only=claims)

    assert agreement.agrees is True
    assert len(agreement.layers) == chosen.depth + 1


def disagreement(monkeypatch, wrong, rule="draw", name="s.draws_left"):
    """Return how the sides differ where the encoder alone gives a rule another next value."""
    found = enumerate_copy(LUCKY_DIP, DROPPED)
    import playproof.proofs.agreement as module

    true = module.encode

    def encode(game, parameters=None, readings=None) -> Encoding:
        made = true(game, parameters, readings)
        rules = [
            dataclasses.replace(
                formula,
                updates=tuple(
                    wrong(v.term(), update)
                    if (formula.rule.id, v.name) == (rule, name)
                    else update
                    for v, update in zip(made.state, formula.updates, strict=True)
                ),
            )
            for formula in made.rules
        ]
        return dataclasses.replace(made, rules=tuple(rules))

    monkeypatch.setattr(module, "encode", encode)
    return agree(found, only=("draws-count-down", "stars-carry"))


def test_an_encoder_that_takes_a_step_wrongly_is_found_out(monkeypatch):
    agreement = disagreement(monkeypatch, lambda now, update: now - 2)

    assert agreement.agrees is False
    assert [layer.agrees for layer in agreement.layers][:2] == [True, False]
    assert {one.claim.id: one.agrees for one in agreement.properties}[
        "draws-count-down"
    ] is False
    assert "the encoding leads to points" in agreement.layers[1].remark


def test_an_encoder_that_lets_too_little_come_is_found_out(monkeypatch):
    import playproof.proofs.agreement as module

    true = module.encode

    def encode(game, parameters=None, readings=None):
        made = true(game, parameters, readings)
        rules = [
            dataclasses.replace(f, guard=False) if f.rule.id == "finish" else f
            for f in made.rules
        ]
        return dataclasses.replace(made, rules=tuple(rules))

    found = enumerate_copy(LUCKY_DIP, DROPPED)
    monkeypatch.setattr(module, "encode", encode)
    agreement = agree(found, only=())

    assert [layer.agrees for layer in agreement.layers] == [True, True, True, False]
    assert "does not lead to points that the rules lead to" in agreement.layers[3].remark
    assert {prize.agrees for prize in agreement.prizes} == {False}


def test_a_set_of_points_holds_its_members_and_no_others():
    rows = [(1, True, 0), (1, False, 0), (2, True, 3)]

    assert all(among(row, rows) is True for row in rows)
    assert not any(among(row, rows) for row in [(2, True, 0), (1, True, 3), (3, False, 0)])
    assert among((1, True, 0), []) is False


# ---- The copies of the games -----------------------------------------------------------------


@pytest.mark.parametrize("name", game_ids())
def test_every_two_choices_that_go_together_are_taken_together_in_some_copy(name):
    game = load_game(name)
    ways = {id_: shape.choices for id_, shape in readings_of(game.setting).items()}
    taken = [copy.readings for copy in load_copies(game)]
    missing = [
        (one, a, other, b)
        for one, other in combinations(ways, 2)
        for a in ways[one]
        for b in ways[other]
        if allowed(game.setting, {one: a, other: b})
        and not any((row[one], row[other]) == (a, b) for row in taken)
    ]

    assert missing == []


@pytest.mark.slow
@pytest.mark.parametrize("name", game_ids())
def test_the_copies_give_what_is_pinned_and_break_what_is_expected(name):
    game = load_game(name)
    expected = load_manifest(game)
    depends = {id_ for id_, one in expected.items() if one.outcome is Outcome.DEPENDS}
    refuted = set()
    for copy in load_copies(game):
        given = pinned.figures(enumerate_copy(game, copy))
        assert list(pinned.differences(copy.pinned, given)) == [], copy.name
        failing = set(given["refuted"]) - set(GENERAL)
        may_fail = {
            id_
            for id_ in depends
            if expected_under(game, expected[id_], copy.readings).outcome is Outcome.REFUTED
        }
        assert failing <= may_fail, copy.name
        refuted |= failing

    assert refuted == depends - set(GENERAL)


# ---- Files and the command -------------------------------------------------------------------


def test_a_change_of_the_rules_is_seen_by_what_is_pinned():
    changed = broken_draw(level=lambda p, s: s.level * 0)
    given = pinned.figures(enumerate_copy(changed, DROPPED))
    told = list(pinned.differences(DROPPED.pinned, given))

    assert [one.split(":")[0] for one in told] == ["states", "prizes"]


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("jar = 3\n", "jra = 3\n", "unknown parameter 'jra'; did you mean jar"),
        ("jar = 3\n", "", "no value for jar"),
        ("jar = 3\n", "jar = [3]\n", "jar: a whole number was expected"),
        ('"draw.coins"', '"draw.coin"', "unknown name in 'reveals' 'draw.coin'"),
        ("most = { level = 1 }", "most = { levl = 1 }", "unknown name in 'most' 'levl'"),
        ('= "impossible"', '= "imposible"', "unknown choice of coin-surplus"),
        ('game = "lucky-dip"', 'game = "bran-tub"', "copies of 'bran-tub', not of 'lucky-dip'"),
        ("[copies.dropped]\nabout", "[copies.dropped]\nabuot", "unknown key 'abuot'"),
    ],
)
def test_what_is_wrong_with_a_file_of_copies_is_said(tmp_path, old, new, says):
    path = tmp_path / "copies.toml"
    path.write_text(FILE.read_text("utf-8").replace(old, new, 1), "utf-8")

    with pytest.raises(BadInput, match=str(path)) as error:
        load_copies(LUCKY_DIP, path)
    assert says in str(error.value)


def run(*arguments):
    return CliRunner().invoke(app, ["enumerate", *arguments], env={"COLUMNS": "120"})


def test_the_command_shows_both_sides():
    shown = run(DIP, "--copy", str(FILE), "--only", "dropped", "--jobs", "1")

    assert shown.exit_code == 0, shown.output
    assert "states      50 to the end; new at each depth: 1 9 20 20" in shown.output
    assert "never-full is broken after 2 steps" in shown.output
    assert "rules and encoding agree on all; all as pinned." in shown.output


def test_the_command_writes_json_and_says_what_is_not_as_pinned(tmp_path):
    path = tmp_path / "copies.toml"
    text = FILE.read_text("utf-8").replace("states = [1, 9, 20, 20]", "states = [1, 9, 20, 21]")
    path.write_text(text, "utf-8")
    shown = run(DIP, "--copy", str(path), "--only", "dropped", "--format", "json")
    data = json.loads(shown.output)

    assert shown.exit_code == data["exit_code"] == 1
    assert data["copies"][0]["not_as_pinned"] == [
        "states: [1, 9, 20, 20], where [1, 9, 20, 21] is pinned"
    ]
    assert data["copies"][0]["agrees"] is True


def test_only_the_copies_that_are_named_are_gone_through():
    shown = run(DIP, "--copy", str(FILE), "--only", "impossible", "--format", "json")
    wrong = run(DIP, "--copy", str(FILE), "--only", "imposible")

    assert [one["copy"] for one in json.loads(shown.output)["copies"]] == ["impossible"]
    assert wrong.exit_code == 2
    assert "unknown copy 'imposible'; did you mean impossible?" in wrong.stderr


def test_a_run_goes_on_alone_where_a_process_was_killed(monkeypatch):
    class Killed(ThreadPoolExecutor):
        def __init__(self, workers, context, initializer):
            super().__init__(workers)

        def map(self, examine, asked):
            yield examine(asked[0])
            raise BrokenProcessPool

    monkeypatch.setattr(enumerating, "ProcessPoolExecutor", Killed)
    monkeypatch.setattr(enumerating, "examine", lambda asked: f"went through {asked}")

    assert list(enumerating._all(["one", "other"], 2)) == [
        "went through one",
        "went through other",
    ]


@pytest.mark.bench
def test_both_sides_of_every_copy_of_the_games_agree():
    began = time.perf_counter()
    shown = run("--format", "json")
    data = json.loads(shown.output)

    assert shown.exit_code == 0
    assert {one["game"] for one in data["copies"]} == set(game_ids())
    assert all(one["agrees"] is True and not one["open"] for one in data["copies"])
    assert time.perf_counter() - began < 240


def test_a_game_without_copies_says_how_to_give_some():
    shown = run(DIP)

    assert shown.exit_code == 2 or isinstance(shown.exception, SystemExit)
    assert "give some with --copy FILE" in shown.output + str(shown.stderr)
