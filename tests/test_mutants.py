"""Every small change of the rules is told apart by a Play, or proved to change nothing."""

from __future__ import annotations

import dataclasses
import itertools
import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from playproof.errors import BadInput
from playproof.models.algebra import int_variable, where
from playproof.models.editions import load_edition
from playproof.models.games import load_game
from playproof.models.tomlfile import read_toml
from playproof.oracles.cases import load_cases
from playproof.oracles.ground import Ground, Move
from playproof.oracles.learnt import Learnt
from playproof.oracles.mutants import run as running
from playproof.oracles.mutants.begun import begin, scripted
from playproof.oracles.mutants.check import WrongAnswer, check
from playproof.oracles.mutants.columns import Columns
from playproof.oracles.mutants.complete import complete
from playproof.oracles.mutants.cover import cover
from playproof.oracles.mutants.equal import Equal, Equals, prove_equal
from playproof.oracles.mutants.making import Mutants, mutants_of
from playproof.oracles.mutants.operators import instead
from playproof.oracles.mutants.own import own_mutants
from playproof.oracles.mutants.pool import Pool
from playproof.oracles.mutants.run import Asked, decide_all
from playproof.oracles.mutants.search import Search, differs
from playproof.oracles.mutants.steps import Place, Steps
from playproof.oracles.mutants.table import FAULTS, faults_of, table_of
from playproof.oracles.mutants.tried import Tried
from playproof.oracles.wander import Wander
from playproof.proofs.evaluate import Evaluation
from playproof.proofs.recheck import Standing, read_proofs, recheck
from playproof.proofs.verdict import Outcome
from playproof.reports.cli import app
from playproof.reports.html.mutants import does, read_mutants
from playproof.reports.html.plays import Player
from playproof.reports.mutating import FILE, Result

from .test_straight import bools, ints

jsonschema = pytest.importorskip("jsonschema", reason="schemas are tested with jsonschema")

HERE = Path(__file__).parent
DIP = "tests.lucky_dip:LUCKY_DIP"
EDITION = HERE / "lucky_dip.toml"


@pytest.fixture(scope="module", autouse=True)
def path():
    """Let workers import the game by its module's name."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(HERE.parent)
        yield


@pytest.fixture(scope="module")
def asked():
    return Asked(DIP, read_toml(EDITION))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("mutants")


@pytest.fixture(scope="module")
def run(asked, folder):
    """Every mutant of Lucky Dip, decided."""
    return decide_all(asked, begin(asked.ground()), folder)


@pytest.fixture(scope="module")
def states(asked):
    """Every state that a Play of Lucky Dip comes to."""
    ground = asked.ground()
    found, waiting = {}, [ground.start().end]
    while waiting:
        state = waiting.pop()
        key = tuple(state.values())
        if key not in found:
            found[key] = state
            waiting += [a for m in moves(0) if (a := ground.take(state, m)) is not None]
    return list(found.values())


def moves(beyond):
    """Return every step there is, with reveals so far beyond their limits."""
    coins, stars = range(-beyond, 6 + beyond), range(-beyond, 4 + beyond)
    draws = [
        Move("draw", {"r.draw.coins": c, "r.draw.stars": s})
        for c, s in itertools.product(coins, stars)
    ]
    return [*draws, Move("finish", {})]


def differs_somewhere(run, mutant, states):
    """Return whether a mutant does other than the rule in any state, on anything revealed."""
    rule = run.mutants.rules[mutant.rule]
    for state, move in itertools.product(states, moves(2)):
        if move.rule != mutant.rule:
            continue
        known = Evaluation({**state, **move.revealed})
        legal = known.of(rule.guard)
        if mutant.guard is not None and known.of(mutant.guard) is not legal:
            return True
        if legal and any(
            known.of(value) != known.of(rule.updates[name])
            for name, value in mutant.updates.items()
        ):
            return True
    return False


# What mutants there are.


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        ("colour-collector", ["spin"]),
        pytest.param("diamond-riches", ["pick"], marks=pytest.mark.slow),
    ],
)
def test_one_rule_has_more_than_400_mutants_that_are_not_alike(name, rules):
    ground = Ground(load_edition(load_game(name)))
    made = mutants_of(ground, rules)
    assert len(made.all) > 400
    assert len({one.id for one in made.all}) == len(made.all)
    assert len({one.digest for one in made.all}) == len(made.all)
    for one in made.all:
        rule = made.rules[one.rule]
        assert one.says.startswith(f"{one.rule}: ")
        assert one.clauses == ground.game.rule(one.rule).clauses
        changed = one.guard is not None and one.guard is not rule.guard
        assert changed or any(v is not rule.updates[n] for n, v in one.updates.items())


def test_they_are_the_same_each_time(asked):
    first, second = (mutants_of(asked.ground()).all for _ in range(2))
    assert [(m.id, m.says, m.digest) for m in first] == [
        (m.id, m.says, m.digest) for m in second
    ]


def test_the_same_change_of_what_rules_share_is_one_mutant():
    ground = Ground(load_edition(load_game("colour-collector")))
    made = mutants_of(ground, ["prize-spin", "win"])
    shared = [one for one in made.all if one.also]
    assert shared
    for one in shared:
        rules = [part.rule for part in one.parts]
        assert len(set(rules)) == len(rules) > 1
        assert one.says.endswith(f"; and so in {' and '.join(rules[1:])}.")
        assert all(one.of(rule) is part for rule, part in zip(rules, one.parts, strict=True))
    alone = {part.digest for one in shared for part in one.parts}
    assert not alone & {one.digest for one in made.all if not one.also}


def test_every_class_of_fault_of_rules_is_there(run):
    assert all(faults_of(table_of(run)).values())
    assert {operator for of in FAULTS.values() for operator in of} >= {
        one.operator for one in run.mutants.all
    } - {"comparison", "sign", "strengthened", "sibling", "table", "cap"}


@pytest.mark.parametrize(
    ("term", "operator", "value"),
    [
        (int_variable("n") % 6, "carry-over", "0"),
        (int_variable("n") % 6, "carry-over", "n"),
        (int_variable("n") + int_variable("m"), "award-missing", "n"),
        (int_variable("n") + int_variable("m"), "award-twice", "(+ n m m)"),
        (int_variable("n") + int_variable("m"), "sign", "(- n m)"),
        (int_variable("n") * 3, "multiplier", "n"),
        (int_variable("n") * 3, "multiplier", "(* 3 (* 3 n))"),
        (int_variable("n") < 6, "boundary", "(<= n 6)"),
        (int_variable("n") < 6, "constant", "(< n 7)"),
        (int_variable("n") == 6, "boundary", "(<= 6 n)"),
        (where(int_variable("n") <= 6, int_variable("n"), 6), "cap", "n"),
        (where(int_variable("n") <= 6, 5, 7), "table", "(ite (<= n 6) 6 7)"),
        (where(int_variable("n") <= 6, 5, 7), "branch", "5"),
    ],
)
def test_an_operator_makes_what_it_says(term, operator, value):
    made = {(one.operator, repr(one.value)) for one in instead(Pool().of(term))}
    assert (operator, value) in made


# That what is said of them is so.


def test_every_mutant_of_a_small_game_is_decided(run):
    total = table_of(run).total
    assert (total.undecided, total.score) == (0, 100.0)
    assert total.equal
    assert total.killed == total.mutants - total.equal
    check(run)


@pytest.mark.slow
def test_what_is_proved_equal_differs_nowhere_and_all_else_does_somewhere(run, states):
    for mutant in run.mutants.all:
        equal = run.of(mutant).outcome == "equal"
        assert differs_somewhere(run, mutant, states) is not equal, mutant.says


@pytest.mark.slow
def test_certificates_are_confirmed_from_their_files_alone(run, folder):
    proofs = recheck(read_proofs(folder / "proofs"), jobs=1)
    assert {one.standing for one in proofs} == {Standing.CONFIRMED}
    stated = {claim.id: claim.says for one in proofs for claim in one.proof.claims}
    equal = [one for one in run.mutants.all if run.of(one).outcome == "equal"]
    assert set(stated) == {run.of(one).proof for one in equal}
    for one in equal:
        assert one.id in stated[run.of(one).proof].split(": ")[1].rstrip(".").split(", ")


def test_a_mutant_that_differs_is_not_proved_equal(run):
    ground = run.ground
    mutant = next(one for one in run.mutants.all if run.of(one).outcome == "killed")
    learnt = Learnt(ground.encoding, ground.claims, ())
    apart = tuple(differs(run.mutants, part) for part in mutant.parts)
    verdict = prove_equal(run.mutants, learnt, [Equal(mutant, (), apart)], "wrong", {})
    assert verdict.outcome is Outcome.UNDECIDED
    assert verdict.certificate is None


def test_an_equal_mutant_that_a_play_tells_apart_fails_the_run(run):
    killed = next(m for m in run.mutants.all if run.of(m).how == "shows")
    wrong = dataclasses.replace(run.of(killed), outcome="equal")
    others = {**run.decided, killed.digest: wrong}
    with pytest.raises(WrongAnswer, match="proved equal, and a Play tells it apart"):
        check(dataclasses.replace(run, decided=others))


def test_a_play_that_does_not_tell_a_mutant_apart_fails_the_run(run):
    equal = next(m for m in run.mutants.all if run.of(m).outcome == "equal")
    killed = next(m for m in run.mutants.all if run.of(m).how == "shows")
    wrong = {**run.decided, equal.digest: run.of(killed)}
    with pytest.raises(WrongAnswer, match="does not tell it apart"):
        check(dataclasses.replace(run, decided=wrong))


def test_a_play_is_made_where_none_at_hand_tells_a_mutant_apart(asked):
    ground = asked.ground()
    mutants = mutants_of(ground)
    trace = ground.along(ground.start(), [*moves(0)[:1] * 3, Move("finish", {})])
    steps = Steps(mutants, [trace])
    mutant = next(m for m in mutants.all if m.id.startswith("draw/meter/carry-over"))
    assert steps.apart(mutant) is None
    with Search(mutants, [trace]) as search:
        found = search.find(mutant)
    assert found is not None
    assert Steps(mutants, [found.trace]).apart(mutant).places[0].step == found.step


def test_steps_that_are_tried_tell_apart_what_no_play_at_hand_does(asked):
    ground = asked.ground()
    mutants = mutants_of(ground)
    trace = ground.along(ground.start(), [*moves(0)[:1] * 3, Move("finish", {})])
    steps = Steps(mutants, [trace])
    steps.refuse()
    left = [one for one in mutants.all if one.of("draw") and not steps.apart(one)]
    with Search(mutants, [trace]) as search:
        tried = Tried(mutants, "draw", search.wander)
        plays = list(tried.plays(left, [trace]))
    told = Steps(mutants, plays)
    apart = [one for one in left if told.apart(one)]
    assert len(apart) > len(left) // 2
    assert all(ground.allowed(play) for play in plays)
    for mutant, play, step, move in tried.refused(left, [trace]):
        state = [trace][play].states[step]
        assert ground.take(state, move) is None, "a step that may not come"
        assert Evaluation({**state, **move.revealed}).of(mutant.of("draw").guard) is True


def test_what_is_asked_together_is_what_is_equal_one_by_one(run):
    ground = run.ground
    some = [one for one in run.mutants.all if one.rule == "finish"]
    with Equals(run.mutants, Learnt(ground.encoding, ground.claims, ())) as equals:
        together = {one.mutant.id for one in equals.among(some)}
        alone = {one.id for one in some if equals.among([one])}
    assert together == alone
    assert together <= {one.id for one in some if run.of(one).outcome == "equal"}


def test_products_beyond_64_bits_are_worked_out_in_full():
    n = int_variable("n")
    assert list(Columns({"n": [3, 10**15]}, 2).of(n * n * n)) == [27, 10**45]


@settings(max_examples=60, deadline=None)
@given(ints, bools, st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9), st.booleans())))
def test_columns_hold_what_terms_are(number, flag, rows):
    names = ("n", "m", "yes")
    known = dict(zip(names, zip(*rows, strict=True) if rows else ((),) * 3, strict=True))
    columns = Columns(known, len(rows))
    for term in (number, flag):
        right = [Evaluation(dict(zip(names, row, strict=True))).of(term) for row in rows]
        assert list(columns.of(term)) == right


# Results that are kept.


def test_what_is_kept_is_not_done_again(asked, run, folder):
    again = decide_all(asked, begin(asked.ground()), folder)
    assert again.again == ("draw", "finish")
    assert again.decided == run.decided


def test_what_a_run_began_with_is_kept(asked, tmp_path, monkeypatch):
    ground = asked.ground()
    first = begin(ground, out=tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(Wander, "batch", lambda *_: pytest.fail("nothing is to be done again"))
        again = begin(ground, out=tmp_path)
    assert again.plays == first.plays
    assert list(map(repr, again.guesses)) == list(map(repr, first.guesses))
    assert begin(ground, seed=1, out=tmp_path).plays != first.plays


def test_results_of_other_rules_are_not_taken(asked, run, folder):
    begun = begin(asked.ground())
    mutants = asked.mutants(asked.ground())
    draw, finish = (running._key(mutants, rule, begun) for rule in ("draw", "finish"))
    assert draw != finish
    fewer = Mutants(mutants.ground, mutants.pool, mutants.rules, mutants.all[:-1])
    assert running._key(fewer, "finish", begun) != finish
    dearer = dataclasses.replace(asked.ground().edition, hash="1" * 64)
    other = mutants_of(Ground(dearer))
    assert running._key(other, "draw", begun) != draw


def test_results_that_cannot_be_read_are_told(asked, run, tmp_path):
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "draw.json").write_text("{}")
    with pytest.raises(BadInput, match=r"draw.json: not what playproof mutate keeps"):
        decide_all(asked, begin(asked.ground()), tmp_path)


# Mutants of one's own.

OWN = """
[[mutant]]
id = "surplus-lost"
says = "stars beyond the meter are lost"
rule = "draw"
of = "meter"
place = "(mod (+ meter reveal.stars) 2)"
put = "0"
"""


def own(tmp_path, asked, text):
    path = tmp_path / "own.toml"
    path.write_text(text)
    return own_mutants(read_toml(path), mutants_of(asked.ground()))


@pytest.mark.slow
def test_a_mutant_of_ones_own_is_decided_like_all_others(tmp_path, asked):
    path = tmp_path / "own.toml"
    path.write_text(OWN)
    mine = dataclasses.replace(asked, own=read_toml(path))
    run = decide_all(mine, begin(mine.ground()))
    one = run.mutants.by_id["surplus-lost"]
    assert (one.operator, run.of(one).outcome) == ("own", "killed")
    assert "stars-carry" in run.of(one).refuted


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("reveal.stars) 2)", "reveal.stars) 2", r"place:1: '\(' is never closed"),
        ("reveal.stars) 2)", "reveal.stars) 3)", "it does not apply: .* is no part of meter"),
        ("(mod (+ meter reveal.stars) 2)", "meter reveal.stars", "one term was expected"),
        ('put = "0"', 'put = "(mod (+ meter reveal.stars) 2)"', "it changes nothing"),
        ('put = "0"', 'put = "true"', "a whole number was expected"),
        ('put = "0"', 'put = "(foo 1)"', "unknown operation 'foo'"),
        ('put = "0"', 'put = "metre"', "unknown field 'metre'; did you mean"),
        ('rule = "draw"', 'rule = "drew"', "unknown rule 'drew'; did you mean draw"),
        ('of = "meter"', 'of = "mter"', "unknown field 'mter'; did you mean"),
        ('of = "meter"', 'off = "meter"', "mutant 1: Object "),
        ("[[mutant]]", "[[mutants]]", "no \\[\\[mutant\\]\\] in it"),
    ],
)
def test_what_is_wrong_with_a_mutant_of_ones_own_is_said(tmp_path, asked, old, new, said):
    with pytest.raises(BadInput, match=said):
        own(tmp_path, asked, OWN.replace(old, new))


def test_a_mutant_that_applies_twice_is_refused(tmp_path, asked):
    text = OWN.replace('of = "meter"', 'of = "jar"')
    text = text.replace("(mod (+ meter reveal.stars) 2)", "(+ jar reveal.coins)")
    with pytest.raises(BadInput, match="it applies 2 times"):
        own(tmp_path, asked, text)


def test_two_mutants_of_one_id_are_refused(tmp_path, asked):
    with pytest.raises(BadInput, match="two have this id"):
        own(tmp_path, asked, OWN + OWN)


def test_a_report_reads_what_became_of_each(run, tmp_path):
    (tmp_path / FILE).write_text(Result(run, table_of(run), 0.0, False).json())
    edition = load_edition(run.ground.game, EDITION)
    read = read_mutants(tmp_path, edition)
    assert read.total == table_of(run).total
    player = Player(edition.game, tmp_path, None)
    for number, data in read.plays.items():
        assert len(player.play(data, f"Play {number}")[2]) == len(run.plays[number]) + 1
    told = (re.sub(r"\d+", "…", does(one)) for one in read.mutants if one.how)
    said = {re.sub(r" takes .*, which", " takes …, which", one) for one in told}
    assert said == {
        "step … leads to something else",
        "it refuses step …, which may come",
        "in place of step … it takes …, which may not come",
    }
    how = [one.how for one in read.breaking("in-range")]
    assert how == sorted(how, key=["shows", "accepts", "refuses"].index)
    assert len(set(how)) > 1


# The smallest set of Plays.


@settings(max_examples=80, deadline=None)
@given(st.lists(st.frozensets(st.integers(0, 6), min_size=1, max_size=4), max_size=9))
def test_no_fewer_plays_would_do_than_those_chosen(done_by):
    got = cover(done_by, {play: play % 3 for play in range(7)})
    assert all(set(got.chosen) & need for need in done_by)
    least = next(
        size
        for size in range(8)
        if any(
            all(set(few) & need for need in done_by)
            for few in itertools.combinations(range(7), size)
        )
    )
    assert (len(got.chosen), got.gap) == (least, 0)


@pytest.fixture(scope="module")
def completed(run, tmp_path_factory):
    """The mutation-complete suite of Lucky Dip, and its folder."""
    out = tmp_path_factory.mktemp("complete")
    return complete(run, out), out


def test_a_complete_suite_kills_every_mutant_that_a_script_can(run, completed):
    made, out = completed
    assert (made.gap, len(made.suite.scripts) < 10) == (0, True)
    scripts = load_cases(out)
    traces = scripted(run.ground, scripts)
    steps = Steps(run.mutants, traces)
    at = {case.path.name: number for number, case in enumerate(scripts)}
    for one in made.refusals:
        move = Move(one.rule, {f"r.draw.{name}": v for name, v in one.reveal.items()})
        state = traces[at[one.script]].states[one.after]
        assert run.ground.take(state, move) is None, "a step that may not come"
        steps.note_refused(Place(at[one.script], one.after, move), state)
    for mutant in run.mutants.all:
        decided = run.of(mutant)
        wanted = decided.outcome == "killed" and not decided.beyond
        assert (steps.apart(mutant) is not None) is wanted, mutant.says


def test_no_script_of_a_complete_suite_can_be_left_out(run, completed):
    made, _ = completed
    only = [goal.by for goal in made.suite.goals if goal.scripts == 1]
    assert {by for (by,) in only} == {one.file for one in made.suite.scripts}


@pytest.mark.slow
def test_a_suite_is_told_what_it_kills(asked, completed):
    _, out = completed
    begun = begin(asked.ground(), scripted(asked.ground(), load_cases(out)))
    total = table_of(decide_all(asked, begun)).total
    accepting = total.killed - total.beyond - total.by_suite
    assert total.by_suite > 100
    assert accepting < 25  # by steps to be refused, which other Plays brought up


def test_a_script_that_is_none_by_the_rules_is_refused(asked, completed, tmp_path):
    made, out = completed
    name = made.suite.scripts[0].file
    text = (out / name).read_text().replace('"coins": ', '"coins": 9')
    (tmp_path / name).write_text(text)
    with pytest.raises(BadInput, match="it is no Play; make it anew"):
        scripted(asked.ground(), load_cases(tmp_path))


# The command.


@pytest.mark.slow
def test_the_command_prints_the_score_and_who_catches_what(tmp_path):
    args = ["mutate", DIP, "--edition", str(EDITION), "--jobs", "1", "--out", str(tmp_path)]
    printed = CliRunner().invoke(app, args)
    assert printed.exit_code == 0, printed.output
    assert "Score 100.00 %" in " ".join(printed.stdout.split())
    facts = json.loads((tmp_path / "mutants.json").read_text())
    published = json.loads(CliRunner().invoke(app, ["schema", "mutants"]).stdout)
    published_as = jsonschema.Draft202012Validator(published)
    published_as.validate(facts)
    for wrong in ({"version": 2}, {"mutants": [{"id": "x"}]}, {"more": 1}, {"score": "100"}):
        assert not published_as.is_valid(facts | wrong)
    assert facts["total"]["mutants"] == len(facts["mutants"])
    outcomes = {one["outcome"] for one in facts["mutants"]}
    assert outcomes == {"killed", "equal"}
    for one in facts["mutants"]:
        if one["outcome"] == "killed":
            assert str(one["play"]) in facts["plays"]
        else:
            assert (tmp_path / one["proof"] / "manifest.json").is_file()


def test_bad_input_is_refused_before_anything_is_done(tmp_path):
    bad = tmp_path / "own.toml"
    bad.write_text(OWN.replace("meter", "metre"))
    args = ["mutate", DIP, "--edition", str(EDITION), "--mutants", str(bad)]
    got = CliRunner().invoke(app, args)
    assert got.exit_code == 2
    assert "metre" in got.stderr
