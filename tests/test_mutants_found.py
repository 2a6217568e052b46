"""Plays and claims that mutants are decided with: grown, lent and guessed."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from typer.testing import CliRunner

from playproof.models.algebra import Term, int_variable, negate, variables_of, where
from playproof.models.editions import load_edition
from playproof.models.games import load_game
from playproof.models.tomlfile import read_toml
from playproof.oracles import onestep
from playproof.oracles.ground import Ground, Move
from playproof.oracles.mutants.grown import grown
from playproof.oracles.mutants.guesses import guesses
from playproof.oracles.mutants.lent import Lent
from playproof.oracles.mutants.making import mutants_of
from playproof.oracles.mutants.narrow import narrowed
from playproof.oracles.mutants.pool import Pool
from playproof.oracles.mutants.steps import Steps
from playproof.oracles.onestep import Asking, kept
from playproof.oracles.wander import Wander
from playproof.proofs.evaluate import Evaluation
from playproof.proofs.infix import infix
from playproof.reports.cli import app

HERE = Path(__file__).parent
DIP = "tests.lucky_dip:LUCKY_DIP"


@pytest.fixture(scope="module")
def ground():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(HERE.parent)
        return Ground(load_edition(load_game(DIP), read_toml(HERE / "lucky_dip.toml")))


def draw(coins, stars):
    return Move("draw", {"r.draw.coins": coins, "r.draw.stars": stars})


def play(ground, *draws):
    return ground.along(ground.start(), [*draws, Move("finish", {})])


def test_plays_grow_towards_what_no_play_came_to(ground):
    nothing = play(ground, *[draw(0, 0)] * 3)
    found = [list(grown(Wander(ground, 1), [nothing])) for _ in range(2)]
    assert [one.moves for one in found[0]] == [one.moves for one in found[1]]
    assert all(ground.allowed(one) for one in found[0])
    full = [s for one in found[0] for s in one.states if s["s.jar"] == 4 and s["s.level"]]
    assert full, "a full jar and a full meter, in one Play"


def test_a_play_is_brought_to_where_a_mutant_differs(ground):
    mutants = mutants_of(ground)
    known = [play(ground, draw(0, 1), draw(0, 0), draw(0, 0))]
    mutant = next(
        one
        for one in mutants.all
        if one.id.startswith("draw/meter/carry-over") and not Steps(mutants, known).apart(one)
    )
    begun = list(Lent(mutants, known, random.Random(1)).begun(mutant))
    told = [Steps(mutants, [one]).apart(mutant) for one in begun]
    assert any(apart and apart.places[0].step == len(one.moves) - 1
               for apart, one in zip(told, begun, strict=True))  # fmt: skip


def test_ways_are_lent_also_where_others_by_the_same_rules_are(ground):
    mutants = mutants_of(ground)
    drawn = [(coins, stars) for coins in (0, 1, 2) for stars in (0, 1)]
    known = [play(ground, draw(2, 0), draw(2, 0), draw(*last)) for last in drawn]
    known.append(play(ground, draw(1, 0), draw(2, 0), draw(0, 0)))
    most = 0
    for mutant in (one for one in mutants.all if one.rule == "finish"):
        lent = {
            tuple(one.moves[2].revealed.values())
            for one in Lent(mutants, known, random.Random(1)).begun(mutant)
            if one.moves[:2] == (draw(1, 0), draw(2, 0))
        }
        most = max(most, len(lent))
    assert most >= 5, "after what one Play drew first, what five others drew last"


def test_no_play_is_brought_to_a_mutant_of_when_a_rule_may_come(ground):
    mutants = mutants_of(ground)
    known = [play(ground, *[draw(0, 0)] * 3)]
    mutant = next(one for one in mutants.all if one.guard is not None)
    assert not list(Lent(mutants, known, random.Random(1)).begun(mutant))


def test_guesses_are_not_dropped_because_z3_gives_up_on_all_at_once(ground, monkeypatch):
    traces = [play(ground, *[draw(2, 1)] * 3), play(ground, *[draw(0, 0)] * 3)]
    made = list(guesses(ground, traces))
    sizes = []

    def counted(value):
        sizes.append(len(value.args) if isinstance(value, Term) and value.op == "and" else 1)
        return negate(value)

    with Asking(ground.encoding, ground.claims) as asking:
        right, plain = kept(asking, made), asking.example
        monkeypatch.setattr(onestep, "negate", counted)
        monkeypatch.setattr(
            asking, "example", lambda *given: {} if sizes[-1] > 3 else plain(*given)
        )
        assert list(map(id, kept(asking, made))) == list(map(id, right))
        monkeypatch.setattr(asking, "example", lambda *given: {})
        assert kept(asking, made) == (), "what is never answered is not taken to be so"


def test_what_is_counted_down_is_guessed_and_true_of_the_plays_it_comes_from(ground):
    traces = [play(ground, *[draw(1, 1)] * 3), play(ground, *[draw(0, 0)] * 3)]
    said = {}
    for guess in guesses(ground, traces):
        said[infix(guess, ground.encoding)] = guess
        if not any(name.startswith("t.") for name in variables_of(guess)):
            states = [state for trace in traces for state in trace.states]
            assert all(Evaluation(state).of(guess) is True for state in states)
    assert "draws_left > 2 implies jar = 0" in said
    assert "draws_left > 0 implies not over" in said


def test_what_only_the_player_chooses_is_no_rule():
    ground = Ground(load_edition(load_game("colour-collector")))
    made = mutants_of(ground, ["right-answer"])
    chosen = {v.name for v in ground.revealed["right-answer"] if v.choice}
    assert chosen
    for one in made.all:
        only = one.says.endswith(("is left out.", "is negated."))
        part = one.says.rsplit(": ", 1)[-1]
        words = [name.split(".", 2)[2] for name in chosen]
        assert not (only and part.startswith(tuple(f"reveal.{word}" for word in words)))


def test_scripts_to_begin_with_go_with_complete_suites_only(tmp_path):
    told = CliRunner().invoke(
        app,
        ["suite", DIP, "--out", str(tmp_path / "a"), "--begin-with", str(tmp_path)],
    )
    assert told.exit_code == 2
    assert "--begin-with goes with --mutation-complete only" in told.output


def test_what_is_to_be_proved_equal_is_narrowed_down_to_a_part():
    x, y, pool = int_variable("x"), int_variable("y"), Pool()
    chosen = [where(x == 0, 5, where(one, 6, 7)) for one in (x == 1, x <= 1)]
    old, new = (pool.of((one + y) * (one + 1)) for one in chosen)
    pairs = [(repr(a), repr(b)) for a, b in narrowed([(old, new)])]
    assert pairs[0] == ("(= x 1)", "(<= x 1)")
    assert pairs[1] == ("(ite (= x 1) 6 7)", "(ite (<= x 1) 6 7)")
    assert pairs[2] == (repr(chosen[0]), repr(chosen[1])), "shared by both factors"
    assert pairs[3:] == [(repr(old), repr(new))]


def test_what_differs_in_two_places_is_narrowed_down_to_what_holds_both():
    x, y, pool = int_variable("x"), int_variable("y"), Pool()
    old, new = pool.of(where(x < 1, x + y, 0)), pool.of(where(x < 1, y + 1 - x, 0))
    apart = [pool.of(where(x < 1, x * 2 + y, 0)), pool.of(where(x < 2, x + y * 2, 0))]
    assert narrowed([(old, new)])[-1] == (old, new)
    assert narrowed([(apart[0], apart[1])]) == [(apart[0], apart[1])]
