"""Each engine decides what it is there for, and says so when it cannot."""

from __future__ import annotations

import dataclasses

import pytest

from playproof.models.play import violated
from playproof.proofs import bmc, certificate, depends, induction, solvers, spacer
from playproof.proofs.budget import Budget
from playproof.proofs.encoding import encode
from playproof.proofs.prover import prove
from playproof.proofs.shorten import shorten
from playproof.proofs.solvers import Steps
from playproof.proofs.verdict import Outcome
from playproof.proofs.workbench import Workbench

from .lucky_dip import LUCKY_DIP
from .small_systems import WAYS


@pytest.fixture(scope="module")
def ways():
    return Workbench(encode(WAYS))


@pytest.fixture(scope="module")
def dip():
    return Workbench(encode(LUCKY_DIP))


def _answers(answers):
    return {answer.answer for answer in answers}


def test_an_inductive_claim_is_proved_by_both_solvers(dip):
    verdict = prove(LUCKY_DIP, "stars-carry", bench=dip)

    assert (verdict.outcome, verdict.method, verdict.depth) == (
        Outcome.PROVED,
        "1-induction",
        1,
    )
    asked = {one.name for one in verdict.certificate.obligations}
    for solver in ("z3", "cvc5"):
        assert {a.obligation for a in verdict.answers if a.solver == solver} == asked
    assert _answers(verdict.answers) == {"unsat"}


def test_a_claim_that_needs_three_steps_back_needs_k_of_three(ways):
    claim = WAYS.property("c-is-not-seven")
    for k, enough in ((1, False), (2, False), (3, True)):
        if k == 1:
            _, answers = induction.attempt(ways, ways.encoding, claim, Steps())
        else:
            _, answers = induction.attempt_longer(ways, ways.encoding, claim, k, Steps())
        assert (_answers(answers) == {"unsat"}) is enough

    verdict = prove(WAYS, claim, bench=ways)

    assert (verdict.outcome, verdict.method, verdict.depth) == (
        Outcome.PROVED,
        "3-induction",
        3,
    )


def test_spacer_finds_an_invariant_nobody_wrote(dip):
    claim = LUCKY_DIP.property("draws-count-down")

    verdict = prove(LUCKY_DIP, claim, bench=dip)

    assert (verdict.outcome, verdict.method) == (Outcome.PROVED, "Spacer")
    assert "s.over" in verdict.certificate.phi


def test_spacer_out_of_steps_finds_nothing(dip):
    found = spacer.find_invariant(
        dip.encoding, LUCKY_DIP.property("draws-count-down"), steps=10
    )

    assert found.phi is None
    assert found.reason


def test_spacer_has_no_invariant_for_a_claim_that_fails(dip):
    found = spacer.find_invariant(dip.encoding, LUCKY_DIP.property("never-full"), 5_000_000)

    assert found.phi is None


@pytest.mark.parametrize("phi", ["true", "(not s.over)", "(= s.draws_left 3)"])
def test_a_wrong_phi_is_refused_by_both_solvers(dip, phi):
    claim = LUCKY_DIP.property("draws-count-down")
    made = certificate.whole(dip.encoding, claim, 1, phi, dip.system)

    for solver in ("z3", "cvc5"):
        _, answers = dip.check(made.obligations, solver, Steps())
        assert answers[-1].answer == "sat"


def test_a_false_lemma_proves_nothing(ways):
    claim = WAYS.property("leans-on-wrong-lemma")

    _, answers = induction.attempt(ways, ways.encoding, claim, Steps())

    assert answers[-1].answer == "sat"
    assert answers[-1].obligation.startswith("step wrong-lemma")


def test_a_lemma_that_does_not_exist_is_named():
    claim = dataclasses.replace(LUCKY_DIP.property("in-range"), using=("nothing",))

    with pytest.raises(ValueError, match="in-range uses 'nothing', which lucky-dip lacks"):
        induction.lemmas_of(LUCKY_DIP, claim)


def test_bmc_finds_a_shortest_play_that_the_rules_confirm(dip):
    claim = LUCKY_DIP.property("never-full")

    found = bmc.search(dip.encoding, claim, 3, Steps())

    assert found.clear == 0
    assert len(found.play.steps) == 1
    assert violated(LUCKY_DIP, "never-full", found.play) == 1


def test_bmc_reaches_its_depth_where_nothing_breaks(dip):
    found = bmc.search(dip.encoding, LUCKY_DIP.property("in-range"), 6, Steps())

    assert (found.play, found.clear, found.reason) == (None, 6, "")


def test_bmc_along_a_path_takes_those_rules(dip):
    claim = LUCKY_DIP.property("no-coin-lost")

    found = bmc.search(dip.encoding, claim, 9, Steps(), along=("draw", "draw"))

    assert [step.rule for step in found.play.steps] == ["draw"]
    nothing = bmc.search(dip.encoding, claim, 9, Steps(), along=("finish",))
    assert nothing.play is None


def test_a_claim_beyond_every_engine_is_bounded(ways):
    small = Budget(depth=4, k_most=1, spacer=10)

    verdict = prove(WAYS, "c-is-not-seven", bench=ways, budget=small)

    assert (verdict.outcome, verdict.depth) == (Outcome.BOUNDED, 4)
    assert "Spacer" in verdict.remark


def test_a_budget_that_runs_out_leaves_it_undecided():
    none = Steps(z3=1, cvc5=1)
    small = Budget(induction=none, bmc=none, recheck=none, spacer=1)

    verdict = prove(LUCKY_DIP, "never-full", budget=small)

    assert verdict.outcome is Outcome.UNDECIDED
    assert "budget exhausted" in verdict.remark


def test_without_time_it_is_undecided():
    verdict = prove(LUCKY_DIP, "stars-carry", budget=Budget(seconds=0.0))

    assert verdict.outcome in (Outcome.UNDECIDED, Outcome.BOUNDED)


def test_without_a_second_solver_nothing_is_proved(monkeypatch):
    def missing(solver):
        return "" if solver == "cvc5" else "some"

    monkeypatch.setattr(solvers, "version", missing)

    verdict = prove(LUCKY_DIP, "in-range")

    assert verdict.outcome is Outcome.UNDECIDED
    assert verdict.certificate is None
    assert "cvc5 is not installed" in verdict.remark


def test_a_solver_that_crashes_answers_unknown():
    for solver in solvers.NAMES:
        result = solvers.run(solver, "(set-logic ALL)(assert (nonsense))(check-sat)")

        assert result.answer == "unknown"
        assert result.reason.startswith(f"{solver} failed: ")


def test_both_solvers_return_the_values_that_are_wanted():
    text = "(set-logic ALL)(declare-const n Int)(declare-const b Bool)(assert (= n (- 3)))"

    for solver in solvers.NAMES:
        result = solvers.run(solver, f"{text}(assert b)(check-sat)", ("n", "b"))

        assert (result.answer, dict(result.values)) == ("sat", {"n": -3, "b": True})


def test_ctrl_c_while_a_solver_is_at_work_is_not_an_answer():
    with pytest.raises(KeyboardInterrupt):
        solvers.why("interrupted from keyboard")


def test_a_claim_may_fail_under_a_conjunction_of_readings(ways):
    verdict = prove(WAYS, "within-room", bench=ways)

    assert verdict.outcome is Outcome.DEPENDS
    assert verdict.fails_under == ((("rounding", "up"), ("surplus", "kept")),)
    _confirm(verdict)


def test_a_claim_may_fail_under_either_of_two_readings(ways):
    verdict = prove(WAYS, "two-ways-to-fail", bench=ways)

    assert verdict.outcome is Outcome.DEPENDS
    assert verdict.fails_under == ((("order", "fixed"),), (("rounding", "never"),))
    _confirm(verdict)


def test_a_claim_that_fails_under_every_choice_is_refuted(ways):
    verdict = prove(WAYS, "fails-throughout", bench=ways)

    assert verdict.outcome is Outcome.REFUTED
    assert verdict.fails_under == ()
    _confirm(verdict)


def test_fixed_readings_settle_what_it_depends_on():
    holds = prove(WAYS, "two-ways-to-fail", readings={"order": "either", "rounding": "up"})
    fails = prove(WAYS, "two-ways-to-fail", readings={"order": "fixed"})
    partly = prove(WAYS, "within-room", readings={"surplus": "kept"})

    assert holds.outcome is Outcome.PROVED
    assert fails.outcome is Outcome.REFUTED
    assert partly.fails_under == ((("rounding", "up"),),)
    assert "order is taken as fixed" in fails.assumptions


def test_fixed_parameters_settle_what_it_depends_on():
    roomy = prove(WAYS, "within-room", parameters={"room": 3})

    assert roomy.outcome is Outcome.PROVED


def _confirm(verdict):
    assert len(verdict.plays) == max(1, len(verdict.fails_under))
    for play, step in verdict.plays:
        assert violated(WAYS, verdict.property, play) == step
    for cube, (play, _) in zip(verdict.fails_under, verdict.plays, strict=False):
        for reading, choice in cube:
            assert getattr(play.setting, reading).name == choice


def test_prime_implicants_join_cubes_over_all_choices(ways):
    halves = [
        (("order", "either"), ("rounding", "up")),
        (("order", "fixed"), ("rounding", "up")),
        (("order", "fixed"), ("rounding", "down")),
    ]

    assert depends.primes(ways.encoding, halves, Steps()) == (
        (("order", "fixed"), ("rounding", "down")),
        (("rounding", "up"),),
    )


def test_prime_implicants_are_relative_to_the_constraint(ways):
    # `never` goes with `dropped` only, so `kept` and the other two choices are all of `kept`.
    cubes = [
        (("rounding", "up"), ("surplus", "kept")),
        (("rounding", "down"), ("surplus", "kept")),
    ]

    assert (("surplus", "kept"),) in depends.primes(ways.encoding, cubes, Steps())


def test_a_play_is_made_short_and_plain(dip):
    found = bmc.search(
        dip.encoding,
        LUCKY_DIP.property("never-full"),
        3,
        Steps(),
        first=3,
        along=("draw", "draw", "draw"),
    )

    play, at = shorten(LUCKY_DIP, LUCKY_DIP.property("never-full"), found.play)

    assert at == len(play.steps) == 1
    assert play.steps[0].reveal.stars == 0
