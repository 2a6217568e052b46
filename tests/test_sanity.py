"""A proof that cannot fail proves nothing: for each way of that, a game that shows it."""

from __future__ import annotations

import json
from dataclasses import dataclass, make_dataclass, replace

import pytest
import z3
from msgspec.structs import replace as changed
from typer.testing import CliRunner

from playproof.models.algebra import (
    Bool,
    Implication,
    Int,
    all_of,
    any_of,
    implies,
    int_variable,
    negate,
)
from playproof.models.editions import default_readings, load_edition
from playproof.models.games import load_game
from playproof.models.play import Play, replay
from playproof.models.registers import load_register
from playproof.models.setting import settle
from playproof.models.shape import count, flag
from playproof.models.system import (
    Game,
    Nothing,
    Promise,
    Property,
    Reveal,
    Step,
    general,
    invariant,
    rule,
    step_property,
)
from playproof.oracles import script
from playproof.oracles.promises import kept_by_targets
from playproof.oracles.synthesis import Synthesis
from playproof.oracles.targets import parse_target
from playproof.proofs import cores, filing, triviality
from playproof.proofs.antecedents import antecedents, rules_spoken_of
from playproof.proofs.cores import needs_of
from playproof.proofs.encoding import encode
from playproof.proofs.evaluate import Evaluation, values_at
from playproof.proofs.infix import infix
from playproof.proofs.manifest import Expected
from playproof.proofs.prover import prove
from playproof.proofs.reaching import Effort, Reaching
from playproof.proofs.recheck import Standing, read_proofs, recheck
from playproof.proofs.sane import Found
from playproof.proofs.sanity import check_game, check_property
from playproof.proofs.solvers import Steps
from playproof.proofs.verdict import Outcome
from playproof.proofs.walks import walks
from playproof.proofs.witness import witness
from playproof.proofs.workbench import Workbench
from playproof.reports.against import compare
from playproof.reports.cli import app
from playproof.reports.judged import Judged
from playproof.reports.sanity import report

from .lucky_dip import LUCKY_DIP, Draw, State, draw, finish, in_range

NO_STEPS = Steps(z3=1)


@invariant("vacuous", ("LD-2",), using=("in-range",))
def vacuous(p, s, t):
    """A jar past its size is empty: it is never past its size."""
    return implies(s.jar > p.jar, s.jar == 0)


@invariant("tautology", ("LD-2",))
def tautology(p, s, t):
    """The jar is empty or it is not."""
    return any_of(s.jar == 0, s.jar != 0)


@invariant("within-limits", ("LD-4",))
def within_limits(p, s, t):
    """The level is one that the field's own limits allow."""
    return s.level <= p.levels


@step_property("draws-only-then", ("LD-1",))
def draws_only_then(p, before, step, after):
    """A draw comes only where draws are left, which is the rule's own guard."""
    return before.s.draws_left > 0 if step.by(draw) else True


@step_property("shared-helper", ("LD-1",), using=("in-range",))
def shared_helper(p, before, step, after):
    """A condition on the state after a step, asked of every rule and met by one."""
    return implies(after.s.over, after.s.draws_left == 0)


@rule(reveal=Draw, clauses=("LD-9",), when=lambda p, s, r: s.draws_left > p.draws)
def never_fires(p, s, r):
    """A draw beyond those there are."""
    return replace(s, draws_left=s.draws_left - 1)


def with_claims(*claims: Property) -> Game:
    return replace(LUCKY_DIP, properties=(in_range, *claims))


def looked_at(game: Game, *claims: Property, **more):
    return check_game(Workbench(encode(game)), claims, proved=("in-range",), **more)


def sanity_of(game: Game, claim: Property):
    bench = Workbench(encode(game))
    verdict = prove(game, claim, bench=bench)
    return verdict, check_property(bench, claim, verdict)


@dataclass(frozen=True)
class Stair:
    """Where somebody stands, and whether they are rested."""

    height: Int = count("steps climbed", 0, 3)
    breath: Bool = flag("whether there is breath for a step")
    left: Bool = flag("whether the Play has ended")


@dataclass(frozen=True)
class Rest(Reveal):
    """How long a rest is."""

    minutes: Int = count("minutes", 0, 99)


@rule(reveal=Rest, clauses=(), when=lambda p, s, r: all_of(negate(s.left), negate(s.breath)))
def rest(p, s, r):
    """Rest as long as one may, or leave."""
    return replace(s, breath=r.minutes == 99, left=r.minutes != 99)


@rule(clauses=(), when=lambda p, s, r: all_of(s.breath, s.height < 3))
def climb(p, s, r):
    """Climb one step."""
    return replace(s, height=s.height + 1, breath=False)


@step_property("third-step", ())
def third_step(p, before, step, after):
    """The third step takes all breath."""
    return implies(all_of(before.s.height == 2, after.s.height == 3), negate(after.s.breath))


@invariant("left-above", ())
def left_above(p, s, t):
    """Who leaves from above has no breath."""
    return implies(all_of(s.left, s.height == 3), negate(s.breath))


STAIRS = replace(
    LUCKY_DIP,
    state=Stair,
    tally=make_dataclass("Nothing", [], frozen=True),
    initial=lambda p: Stair(0, False, False),
    observe=lambda p, before, step, after: before.t,
    rules=(rest, climb),
    properties=(third_step, left_above),
    promises=(),
    goal=replace(LUCKY_DIP.goal, ended=lambda p, s: s.left, paid=lambda p, s: 0),
)


# ---- Conditions ----------------------------------------------------------------------------


def test_an_implication_knows_its_condition_and_is_an_or_all_the_same():
    n = int_variable("n")
    made = implies(n > 0, n > 1)
    assert isinstance(made, Implication)
    assert (made.op, repr(made.condition), repr(made.consequence)) == (
        "or",
        "(< 0 n)",
        "(< 1 n)",
    )
    assert not isinstance(implies(n > 0, True), Implication)


def test_conditions_are_told_apart_by_how_deep_they_stand():
    @invariant("nested", ())
    def nested(p, s, t):
        """Two conditions, one within the other."""
        return all_of(s.jar >= 0, implies(s.over, implies(s.jar == p.jar, s.paid > 0)))

    found = antecedents(encode(with_claims(nested)), nested)
    assert [one.shown for one in found] == ["over", "over and jar = p.jar"]


def test_a_condition_that_never_comes_about_is_proved_so():
    found = looked_at(with_claims(vacuous), vacuous)
    (condition,) = found.antecedents["vacuous"]
    assert condition.found is Found.NO
    assert condition.play is None


def test_a_condition_that_comes_about_is_shown_by_a_play_that_the_rules_replay():
    found = looked_at(LUCKY_DIP, in_range)
    (reached,) = found.antecedents["in-range"]
    assert reached.found is Found.YES
    points = list(replay(LUCKY_DIP, found.plays[reached.play]))
    assert points[reached.step].s.over is True


def test_a_condition_asked_of_every_rule_needs_to_come_about_under_one_only():
    found = looked_at(with_claims(shared_helper), shared_helper)
    (reached,) = found.antecedents["shared-helper"]
    assert {rule_id for rule_id, _ in reached.condition.cases} == {"draw", "finish"}
    assert reached.found is Found.YES
    play = found.plays[reached.play]
    assert play.steps[reached.step - 1].rule == "finish"


def test_a_claim_about_a_game_as_a_whole_counts_only_with_what_would_break_it():
    said = {
        "deterministic": "a double of draw is found out",
        "never-stuck": "a Play that has begun",
        "choice-free": "nothing in a reveal",
        "terminates": "a step of draw that changed nothing",
    }
    for id_, why in said.items():
        claim = general(id_, ("LD-1",), "Of the whole game.", using=("in-range",))
        game = replace(LUCKY_DIP, properties=(in_range, claim))
        verdict = prove(game, id_, readings={"coin-surplus": "dropped"})
        judged = Judged(game, claim, verdict, Expected(Outcome.PROVED))
        made = report(game, [judged], None, fixed=True)
        (line,) = [one for one in made.lines() if " counts: " in one]
        assert line.startswith(f"  {id_} counts: {why}")
        assert made.data()["general"][id_].startswith(why)


def test_what_comes_about_only_after_something_else_did_is_gone_on_to():
    encoding = encode(STAIRS)
    asked = [one for claim in STAIRS.properties for one in antecedents(encoding, claim)]
    p, _, _ = settle(LUCKY_DIP.setting, {"jar": 1, "amount": 1}, {"coin-surplus": "dropped"})
    climbed = Play(p, (Step("rest", Rest(99)), Step("climb", Nothing())))

    def found(**more):
        effort = Effort(walks=0, few=0, paths=0, proof=NO_STEPS, **more)
        reaching = Reaching(Workbench(encoding), asked, effort=effort)
        reaching.insist([climbed])
        return [one.found for one in reaching.found()], reaching.plays

    assert found(onward=0)[0] == [Found.EXHAUSTED, Found.EXHAUSTED]
    reached, plays = found()
    assert reached == [Found.YES, Found.YES]
    for play in plays:
        assert [step.rule for step in play.steps].count("climb") == 3


def test_what_was_found_earlier_is_kept_and_the_rest_looked_for():
    bench = Workbench(encode(LUCKY_DIP))
    known = check_game(bench, (in_range,), proved=("in-range",), brief=True)
    (early,) = known.antecedents["in-range"]
    assert early.found is Found.YES
    again = check_game(bench, (in_range,), proved=("in-range",), before=known)
    assert again.antecedents["in-range"] == (early,)
    assert again.plays[: len(known.plays)] == known.plays


def test_without_budget_nothing_is_said_of_a_condition():
    none = Effort(walks=0, few=0, paths=0, onward=0, proof=NO_STEPS)
    game = with_claims(vacuous)
    encoding = encode(game)
    asked = antecedents(encoding, vacuous)
    (reached,) = Reaching(Workbench(encoding), asked, effort=none).run()
    assert reached.found is Found.EXHAUSTED


def test_rules_that_a_step_property_speaks_of():
    assert rules_spoken_of(encode(LUCKY_DIP), draws_only_then) == ("draw",)


# ---- Rules and starts ----------------------------------------------------------------------


def test_every_rule_fires_with_a_play():
    found = looked_at(LUCKY_DIP)
    assert [(one.condition.cases[0][0], one.found) for one in found.rules] == [
        ("draw", Found.YES),
        ("finish", Found.YES),
    ]
    for one in found.rules:
        play = found.plays[one.play]
        assert play.steps[one.step - 1].rule == one.condition.cases[0][0]


def test_a_rule_that_never_fires_is_proved_dead():
    game = replace(LUCKY_DIP, rules=(draw, finish, never_fires))

    @invariant("draws-in-range", ())
    def draws_in_range(p, s, t):
        """Never more draws than at the start."""
        return s.draws_left <= p.draws

    game = replace(game, properties=(draws_in_range,))
    found = check_game(Workbench(encode(game)), (), proved=("draws-in-range",))
    assert [one.found for one in found.rules] == [Found.YES, Found.YES, Found.NO]
    (fault,) = report(game, (), found, fixed=False).faults()
    assert fault == "never-fires fires in no Play"


def test_a_start_outside_its_limits_is_no_start():
    game = replace(LUCKY_DIP, initial=lambda p: State(p.draws + 1, 0, 0, 0, False, 0))
    assert triviality.starts(encode(LUCKY_DIP)) is Found.YES
    assert triviality.starts(encode(game)) is Found.NO
    assert triviality.starts(encode(game), NO_STEPS) is not Found.YES
    found = replace(looked_at(LUCKY_DIP), starts=Found.NO)
    assert list(report(game, (), found, fixed=False).faults()) == [
        "no Play can start: of nothing, all is true"
    ]


# ---- Tautologies and trivial properties ----------------------------------------------------


def test_a_tautology_cannot_be_false():
    assert triviality.falsifiable(encode(LUCKY_DIP), tautology) is Found.NO
    assert triviality.falsifiable(encode(LUCKY_DIP), in_range) is Found.YES


@pytest.mark.parametrize("claim", [within_limits, draws_only_then], ids=lambda one: one.id)
def test_what_holds_in_every_state_within_limits_is_trivial_but_no_tautology(claim):
    encoding = encode(with_claims(claim))
    assert triviality.trivial(encoding, claim) is Found.YES
    assert triviality.falsifiable(encoding, claim) is Found.YES


def test_what_depends_on_how_states_are_reached_is_not_trivial():
    encoding = encode(LUCKY_DIP)
    assert triviality.trivial(encoding, LUCKY_DIP.property("stars-carry")) is Found.NO
    assert triviality.trivial(encoding, LUCKY_DIP.property("no-coin-lost")) is Found.NO


def test_without_budget_triviality_is_not_answered():
    encoding = encode(LUCKY_DIP)
    stars_carry = LUCKY_DIP.property("stars-carry")
    assert triviality.trivial(encoding, stars_carry, NO_STEPS) is Found.EXHAUSTED
    assert triviality.falsifiable(encoding, tautology, NO_STEPS) is not Found.YES


# ---- What a proof needed -------------------------------------------------------------------


def test_a_proof_needs_the_rules_and_claims_of_its_cores_and_no_more():
    @invariant("paid-at-end", ("LD-5",))
    def paid_at_end(p, s, t):
        """Nothing is paid before the end."""
        return implies(s.paid > 0, s.over)

    verdict, sanity = sanity_of(with_claims(paid_at_end), paid_at_end)
    assert verdict.outcome is Outcome.PROVED
    assert sanity.needs is not None
    assert sanity.needs.rules["finish"] == ("s.over",)
    assert "guard" not in sanity.needs.rules["finish"]
    assert sanity.needs.start == ("s.paid",)
    assert sanity.needs.exhausted == ()


def test_a_proof_by_the_whole_system_says_which_rules_it_needed():
    claim = LUCKY_DIP.property("draws-count-down")
    verdict, sanity = sanity_of(LUCKY_DIP, claim)
    assert verdict.method != "1-induction"
    assert set(sanity.needs.rules) == {"draw", "finish"}


def test_what_is_left_out_one_by_one_is_needed_as_little_as_what_a_core_lacks():
    text = (
        "(set-logic ALL)\n(declare-const s.a Int)\n(declare-const s.b Int)\n"
        "(define-fun claim.low ((s.a Int)) Bool\n  (< s.a 5))\n"
        "(define-fun next.up.s.a () Int\n  (+ s.a 1))\n"
        "(define-fun next.up.s.b () Int\n  (+ s.b 1))\n"
        "(assert (claim.low s.a))\n(assert (not (< next.up.s.a 6)))\n(check-sat)\n"
    )
    by_core = cores._by_assumptions(text, cores.BUDGET, z3.Context())
    by_leaving_out = cores._by_leaving_out(text, cores.BUDGET)
    assert set(by_core.values) == set(by_leaving_out.values) == {"claim.low", "next.up.s.a"}
    sat = text.replace("(not (< next.up.s.a 6))", "(not (< next.up.s.a 5))")
    assert cores._by_leaving_out(sat, cores.BUDGET).answer == "sat"


def test_a_core_that_is_not_had_within_the_budget_is_said_to_be_missing():

    bench = Workbench(encode(LUCKY_DIP))
    verdict = prove(LUCKY_DIP, "stars-carry", bench=bench)
    needs = needs_of(bench, verdict.certificate.obligations, NO_STEPS)
    assert needs.exhausted
    assert set(needs.exhausted) <= {one.name for one in verdict.certificate.obligations}


def test_a_clause_that_no_proof_needs_is_named(tmp_path):
    game = load_game("colour-collector")
    known = [clause for clause in load_register(game.id).clauses if clause.kind == "rule"]
    claim = game.property("boosters-cap")
    bench = Workbench(encode(game))
    verdict = prove(game, claim, bench=bench)
    judged = Judged(
        game, claim, verdict, Expected(Outcome.PROVED), check_property(bench, claim, verdict)
    )
    alone = replace(report(game, [judged], None, fixed=False), whole=True)
    needed = alone.needed["boosters-cap"]
    assert "CC-28" in needed
    assert "CC-45" not in needed  # doubling the pot has nothing to do with boosters
    assert "CC-45" in alone.unneeded()["rule"]
    assert len(alone.unneeded()["rule"]) < len(known)
    assert list(alone.unneeded())[-1] in ("display", "limit", "promise")


# ---- Reports -------------------------------------------------------------------------------


def judged_with_sanity(game: Game, *claims: Property) -> list[Judged]:
    found = []
    for claim in claims:
        verdict, sanity = sanity_of(game, claim)
        found.append(Judged(game, claim, verdict, Expected(Outcome.PROVED), sanity))
    return found


def test_vacuous_claims_and_tautologies_are_faults_but_trivial_ones_are_not():
    game = with_claims(vacuous, tautology, within_limits)
    judged = judged_with_sanity(game, vacuous, tautology, within_limits)
    assert all(one.verdict.outcome is Outcome.PROVED for one in judged)
    whole = report(game, judged, looked_at(game, vacuous), fixed=False)
    assert list(whole.faults()) == [
        "tautology is a tautology: nothing could break it",
        "vacuous, condition 1: p.jar < jar never comes about: the claim is vacuous there",
    ]
    assert any("trivial" in line and "within-limits" in line for line in whole.lines())


def test_a_condition_that_the_manifest_declares_is_no_fault():
    game = with_claims(vacuous)
    (judged,) = judged_with_sanity(game, vacuous)
    expected = Expected(Outcome.PROVED, vacuous=("p.jar < jar",))
    found = looked_at(game, vacuous)
    declared = report(game, [replace(judged, expected=expected)], found, fixed=False)
    assert list(declared.faults()) == []
    assert any("as the manifest says" in line for line in declared.lines())


def test_what_is_not_decided_is_shown_and_not_counted():
    game = with_claims(vacuous)
    (judged,) = judged_with_sanity(game, vacuous)
    found = looked_at(game, vacuous)
    (reached,) = found.antecedents["vacuous"]
    unknown = {"vacuous": (replace(reached, found=Found.EXHAUSTED),)}
    shown = list(
        report(game, [judged], replace(found, antecedents=unknown), fixed=False).lines()
    )
    assert any("conditions that come about: 0 of 1" in line for line in shown)
    assert any(line.strip().startswith("budget exhausted: vacuous") for line in shown)


def test_a_vacuous_claim_fails_the_command(tmp_path, monkeypatch):
    source = tmp_path / "hollow_dip.py"
    source.write_text(
        "from tests.test_sanity import vacuous, with_claims\nHOLLOW = with_claims(vacuous)\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}:.")
    asked = ["prove", "hollow_dip:HOLLOW", "--jobs", "1"]
    shown = CliRunner().invoke(app, asked)
    assert shown.exit_code == 1, shown.output
    assert "SANITY: vacuous, condition 1" in shown.output
    assert "all as expected" in shown.output  # the proofs are right, and worth nothing


def test_json_has_what_the_text_has_and_the_same_bytes_each_time():
    asked = ["prove", "tests.lucky_dip:LUCKY_DIP", "--property", "in-range"]
    asked += ["--format", "json", "--witness"]
    first, second = (json.loads(CliRunner().invoke(app, asked).output) for _ in range(2))
    sanity = first["sanity"]["lucky-dip"]
    assert sanity["properties"]["in-range"]["antecedents"][0]["when"] == "over"
    assert sanity["properties"]["in-range"]["needs"]["rules"]["draw"]
    assert sanity["witnesses"]["in-range"]["steps"][-1]["rule"] == "finish"
    del first["times"], second["times"]
    assert first == second


# ---- Witnesses and Plays -------------------------------------------------------------------


def test_a_witness_meets_the_conditions_and_comes_to_its_end():
    encoding = encode(LUCKY_DIP)
    play = witness(encoding, in_range, list(walks(encoding, 2, wild=1, longest=2)))
    *_, last = replay(LUCKY_DIP, play)
    assert last.s.over is True


def test_walks_are_the_same_each_time_and_other_for_another_seed():
    encoding = encode(LUCKY_DIP)
    assert list(walks(encoding, 3)) == list(walks(encoding, 3))
    assert list(walks(encoding, 3)) != list(walks(encoding, 3, seed=1))


def test_terms_are_worked_out_as_the_rules_compute():
    encoding = encode(LUCKY_DIP)
    for play in walks(encoding, 3):
        points = list(replay(LUCKY_DIP, play))
        for before, step, after in zip(points, play.steps, points[1:], strict=False):
            formula = next(f for f in encoding.rules if f.rule.id == step.rule)
            values = Evaluation(values_at(encoding, play.setting, before, step, after))
            assert values.of(formula.guard) is True
            for variable, update in zip(encoding.state, formula.updates, strict=True):
                assert values.of(update) == values.values[f"{variable.name}!"]


def test_conditions_are_written_for_people():
    encoding = encode(LUCKY_DIP)
    p, s = encoding.p, encoding.point().s
    condition = all_of(p.coin_surplus.is_("impossible"), any_of(s.jar > 3, s.over))
    assert infix(condition, encoding) == "coin-surplus is impossible and (jar > 3 or over)"


# ---- Promises ------------------------------------------------------------------------------


def test_a_promise_that_the_rules_guarantee_is_a_theorem():
    pays_nothing_less = Promise("pays", ("LD-6",), "Never less than nothing.", _not_negative)

    @invariant("paid-is-positive", ())
    def paid_is_positive(p, s, t):
        """No Play pays less than nothing."""
        return all_of(s.paid >= 0, s.level >= 0)

    game = replace(
        LUCKY_DIP, promises=(pays_nothing_less,), properties=(in_range, paid_is_positive)
    )
    found = check_game(Workbench(encode(game)), (), proved=("in-range", "paid-is-positive"))
    assert [one.found for one in found.promises] == [Found.NO]


def _not_negative(p, s, t):
    return s.paid >= 0


def test_a_promise_that_they_do_not_is_shown_broken():
    found = looked_at(LUCKY_DIP)
    (broken,) = found.promises
    assert broken.found is Found.YES
    *_, last = replay(LUCKY_DIP, found.plays[broken.play])
    assert last.s.over is True
    assert last.s.paid == 0


@pytest.mark.slow
def test_every_row_of_the_table_keeps_its_promises_or_is_checked(tmp_path):
    edition = load_edition(load_game("colour-collector"))
    wins, table = kept_by_targets(edition)
    assert (len(table.follows), table.checked, table.solvers) == (99, (), ("z3", "cvc5"))
    assert all("Prize Game" in target for target in wins.follows)
    assert not any("Prize Game" in target for target in wins.checked)
    assert len(wins.follows) + len(wins.checked) == 99
    for kept in (wins, table):
        assert kept.solvers == ("z3", "cvc5")
        assert filing.file_certificate(kept.verdict, tmp_path).name == f"kept-{kept.promise}"
    proofs = read_proofs(tmp_path)
    assert [len(proof.asked) for proof in proofs] == [8, 8]
    assert {one.standing for one in recheck(proofs, jobs=1)} == {Standing.CONFIRMED}
    assert compare(proofs, ["colour-collector"]) == {}


def test_a_promise_that_winning_does_not_keep_has_no_proof():
    edition = load_edition(load_game("colour-collector"))
    promise = replace(edition.game.promises[0], kept=lambda p, s, t: s.spins_left < 0)
    game = replace(edition.game, promises=(promise,))
    (kept,) = kept_by_targets(replace(edition, game=game, prizes=edition.prizes[:2]))
    assert len(kept.checked) == 2
    assert (kept.follows, kept.verdict, kept.solvers) == ((), None, ())


def test_a_promise_about_a_table_that_is_missing_judges_nothing():
    (kept,) = kept_by_targets(load_edition(load_game("diamond-riches")))
    assert (kept.promise, kept.judges, kept.follows) == ("prize-in-table", False, ())


def test_a_script_that_breaks_a_promise_is_not_written(tmp_path):

    edition = load_edition(load_game("colour-collector"))
    game = edition.game
    p, _, _ = settle(game.setting, edition.parameters, default_readings(game.setting))
    nothing = {r.id: game.reveal_shape(r).zero() for r in game.rules}
    spin = game.reveal_shape(game.rule("spin"))
    six = spin.of({v.name: 6 if v.name == "prize_symbols" else 0 for v in spin.variables})
    won = game.reveal_shape(game.rule("win"))
    wins = won.of({v.name: int(v.name == "wins") for v in won.variables})
    steps = [Step("spin", six), *[Step("spin", nothing["spin"])] * 5]
    steps += [Step("win", wins), Step("finish", nothing["finish"])]
    made = script.make(edition, parse_target("£0", edition), Play(p, tuple(steps)))
    assert made.promises["prize-game-wins"] is False
    with pytest.raises(script.BrokenScript, match="breaks the promise prize-game-wins"):
        script.write(made, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_script_cannot_claim_to_keep_a_promise_that_it_breaks(tmp_path):
    edition = load_edition(load_game("colour-collector"))

    target = parse_target("row 1", edition)
    (play,) = Synthesis(edition).find(target).plays
    made = script.make(edition, target, play)
    assert all(made.promises.values())

    with pytest.raises(script.BrokenScript, match="promises"):
        script.check(changed(made, promises={"prize-in-table": False}), edition)
