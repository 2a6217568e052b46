"""Whether every Play ends: ranking functions, loops, closed sets, and what limits do."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from playproof.models.algebra import where
from playproof.models.editions import default_readings
from playproof.models.limits import WITHIN_LIMITS, limit_reading, limited, unlimited
from playproof.models.play import applicable, replay
from playproof.models.system import Limit, Point, general
from playproof.models.taken import counted
from playproof.proofs import confirm, induction
from playproof.proofs.encoding import encode
from playproof.proofs.features import Feature, Sum
from playproof.proofs.filing import file_certificate
from playproof.proofs.idling import idle_step_found
from playproof.proofs.inequalities import Inequality, weighed
from playproof.proofs.longest import Allowed, at_most
from playproof.proofs.prover import prove
from playproof.proofs.ranking import Component, Ranking, falls
from playproof.proofs.recheck import read_proofs
from playproof.proofs.solvers import Steps
from playproof.proofs.verdict import Endless, Outcome
from playproof.proofs.workbench import Workbench
from playproof.reports.against import Comparison
from playproof.reports.ending import ending_as_data, ending_lines

from . import colour_collector_broken, diamond_riches_broken
from .lucky_dip import LUCKY_DIP, Draw, draw, finish
from .small_systems import WAYS

TERMINATES = general("terminates", ("LD-1",), "Every Play ends.", using=("in-range",))
FREE_DRAWS = Limit(
    "free-draws",
    ("LD-1",),
    "draws that cost nothing",
    lambda p, s, step: where(step.reveal.stars == 0, 1, 0) if step.by(draw) else 0,
    most=4,
)


def with_draw(effect, limits=()):
    """Return Lucky Dip with another effect of a draw, and its sources of length."""
    game = LUCKY_DIP.with_rule(replace(draw, effect=effect))
    return replace(game, limits=limits, properties=(*game.properties, TERMINATES))


def free_without_stars(p, s, r):
    """A draw that finds no star costs nothing, and its coins are lost."""
    return replace(draw.effect(p, s, r), draws_left=s.draws_left - where(r.stars == 0, 0, 1))


def points(game, endless):
    return [point.s for point in replay(game, endless.play)]


def test_a_game_that_ends_is_proved_to_by_a_ranking_function_that_was_found():
    game = with_draw(draw.effect)

    verdict = prove(game, TERMINATES)

    assert (verdict.outcome, verdict.method) == (Outcome.PROVED, "ranking function")
    (ranked,) = verdict.termination.ranked
    assert ranked.components == (("draws_left", ("draw",)), ("1 - over", ("finish",)))
    assert verdict.termination.endless == ()
    assert confirm.confirmed(verdict.certificate, verdict.answers)
    assert [one.id for one in verdict.certificate.statement] == ["ends", "at-most-4-steps"]
    assert verdict.remark == "a step of draw that changed nothing would be found out"
    again = prove(game, TERMINATES)
    assert (again.certificate, again.termination) == (verdict.certificate, verdict.termination)


def test_a_ranking_function_of_steps_that_are_never_taken_counts_for_nothing():
    game, ranking = with_draw(draw.effect), Ranking((Component(Sum(()), ()),))
    encoding = encode(game)

    def found_out(given, under=lambda p: True):
        claim = falls(game, "ends", "It falls.", ranking, under, ())
        return idle_step_found(encoding, claim, given, Steps())

    assert found_out(True) == "draw"
    assert found_out(encoding.point().s.draws_left == 0) == "finish"
    assert found_out(False) is None
    assert found_out(True, under=lambda p: False) is None


def test_a_draw_that_costs_nothing_goes_on_for_ever():
    game = with_draw(lambda p, s, r: replace(draw.effect(p, s, r), draws_left=s.draws_left))

    verdict = prove(game, TERMINATES)

    assert verdict.outcome is Outcome.REFUTED
    (endless,) = verdict.termination.endless
    shown = points(game, endless)
    assert endless.growing == ()
    assert shown[endless.start] == shown[-1]
    assert len(shown) > endless.start + 1


def test_with_a_limit_on_its_source_it_ends_and_without_one_it_does_not():
    game = with_draw(free_without_stars, (FREE_DRAWS,))

    verdict = prove(game, TERMINATES)

    assert (verdict.outcome, verdict.fails_under) == (Outcome.REFUTED, ())
    (endless,) = verdict.termination.endless
    assert endless.sources == ("free-draws",)
    (ranked,) = verdict.termination.ranked
    assert ranked.unlimited == ()
    counted = {rule: value for value, rules in ranked.components for rule in rules}
    assert {"limit.free-draws", "used.free-draws"} <= set(counted["draw"].split())


def test_a_source_that_depends_on_a_reading_is_one_under_it_alone():
    def effect(p, s, r):
        kept = p.coin_surplus.is_("dropped")
        return where_all(kept, free_without_stars(p, s, r), draw.effect(p, s, r))

    def where_all(condition, one, other):
        return replace(other, draws_left=where(condition, one.draws_left, other.draws_left))

    verdict = prove(with_draw(effect, (FREE_DRAWS,)), TERMINATES)

    assert verdict.outcome is Outcome.DEPENDS
    assert verdict.fails_under == ((("coin-surplus", "dropped"),),)
    without = {ranked.unlimited for ranked in verdict.termination.ranked}
    assert without == {(), ("free-draws",)}


def test_where_no_state_comes_again_a_closed_set_is_shown_and_proved():
    def effect(p, s, r):
        return replace(s, paid=s.paid + 1)

    game = replace(with_draw(effect), properties=(replace(TERMINATES, using=()),))

    verdict = prove(game, "terminates")

    assert verdict.outcome is Outcome.REFUTED
    (endless,) = verdict.termination.endless
    assert endless.growing == ("paid",)
    assert endless.region == ("draws_left = 3", "jar = 0", "over = no")
    assert [one.id for one in verdict.certificate.statement] == ["goes-on-1"]
    assert confirm.confirmed(verdict.certificate, verdict.answers)


def test_counters_that_change_places_come_round_after_three_steps():
    claim = general("terminates", ("S-1",), "Every Play ends.")

    verdict = prove(WAYS, claim)

    (endless,) = verdict.termination.endless
    assert verdict.outcome is Outcome.REFUTED
    assert [step.rule for step in endless.play.steps] == ["rotate"] * 3


@pytest.mark.parametrize(
    "components",
    [
        (Component(Sum(((Feature("s.meter"), 1),)), ("draw", "finish")),),
        (Component(Sum(((Feature("s.draws_left"), 1),)), ("draw", "finish")),),
        (Component(Sum(((Feature("s.draws_left"), 1),)), ("draw",)),),
        (Component(Sum(((Feature("s.jar"), -1),)), ("draw", "finish")),),
    ],
)
def test_a_ranking_function_that_is_none_is_not_confirmed(components):
    game = limited(with_draw(draw.effect), ("in-range",))
    claim = falls(
        game, "wrong", "It falls.", Ranking(components), lambda p: True, ("in-range",)
    )
    bench = Workbench(encode(game))

    _, answers = induction.attempt(bench, bench.encoding, claim, Steps())

    assert answers[-1].answer == "sat"


def test_the_largest_number_of_steps_is_proved_and_a_play_takes_as_many():
    game = with_draw(free_without_stars, (FREE_DRAWS,))

    verdict = prove(game, TERMINATES)

    longest = verdict.termination.longest
    assert longest.limits == (("free-draws", 4),)
    assert longest.at_most == 3 + 4 + 1  # draws that cost, free ones, the end
    assert len(longest.play.steps) == longest.at_most
    assert set(longest.inequalities) == {"draw <= 7", "finish <= 1"}
    assert points(game, Endless((), (), longest.play, 0))[-1].over
    assert "at-most-8-steps" in [one.id for one in verdict.certificate.statement]
    assert confirm.confirmed(verdict.certificate, verdict.answers)
    told = "\n".join(ending_lines(game, verdict.termination))
    assert "at most 8 steps where limit.free-draws = 4 (a Play of 8 steps replayed)" in told
    assert ending_as_data(game, verdict.termination)["largest_number_of_steps"]["at_most"] == 8


def test_a_filed_proof_is_compared_with_the_game_and_its_limits(tmp_path):
    game = with_draw(free_without_stars, (FREE_DRAWS,))
    verdict = prove(game, TERMINATES)
    file_certificate(verdict, tmp_path, TERMINATES.says, TERMINATES.clauses)
    (proof,) = read_proofs(tmp_path)
    other = replace(game, limits=(replace(FREE_DRAWS, most=5),))

    assert list(Comparison(game).differences(proof)) == []
    assert "at-most-9-steps" in "".join(Comparison(other).differences(proof))


@pytest.mark.parametrize("steps", [7, 0])
def test_a_largest_number_of_steps_that_is_too_small_is_not_confirmed(steps):
    game = counted(limited(with_draw(free_without_stars, (FREE_DRAWS,)), ("in-range",)))
    using = ("in-range", WITHIN_LIMITS)
    counting = [
        Inequality(Sum(((Feature("s.draws_left"), 1),)), 3, {"draw": 0}),
        Inequality(Sum(((Feature("s.over", "true"), -1),), 1), 1, {"finish": 1}),
    ]
    allowed = Allowed(steps, tuple(counting), (), Sum(()), 1, Sum(()))
    bench = Workbench(encode(game))

    claim = at_most(game, allowed, steps, lambda p: True, using)
    _, answers = induction.attempt(bench, bench.encoding, claim, Steps())

    assert answers[-1].answer == "sat"


@pytest.mark.parametrize("falls", [{"draw": 2}, {"draw": 1, "finish": 1}])
def test_an_inequality_that_does_not_hold_is_not_confirmed(falls):
    game = counted(limited(with_draw(draw.effect), ("in-range",)))
    wrong = Inequality(Sum(((Feature("s.draws_left"), 1),)), 3, falls)
    allowed = Allowed(99, (wrong,), (), Sum(()), 1, Sum(()))
    bench = Workbench(encode(game))

    claim = at_most(game, allowed, 99, lambda p: True, ("in-range", WITHIN_LIMITS))
    _, answers = induction.attempt(bench, bench.encoding, claim, Steps())

    assert answers[-1].answer == "sat"


def test_rules_taken_bound_each_other_by_sums_that_are_found():
    one, other = {"a": 1}, {"a": -3, "b": 2}
    sums = [Inequality(Sum(()), 4, one), Inequality(Sum(()), 0, other)]

    assert weighed(sums, {"a": 1, "b": 1}) == (Fraction(10), (Fraction(5, 2), Fraction(1, 2)))
    assert weighed(sums, {"a": 1, "b": 0}) == (Fraction(4), (Fraction(1), Fraction(0)))
    assert weighed(sums[1:], {"a": 1, "b": 1}) is None, "nothing limits a"


def test_a_limit_that_binds_refuses_the_step_that_goes_beyond_it():
    game = limited(with_draw(free_without_stars, (FREE_DRAWS,)))
    reading = limit_reading("free-draws")

    def may(used, choice):
        encoding = encode(game, {"jar": 5, "amount": 100, "limit": (1,)},
                          {reading: choice, "coin-surplus": "dropped"})  # fmt: skip
        start = game.start(encoding.p)
        point = Point(replace(start.s, used=(used,)), start.t)
        return bool(applicable(game, encoding.p, point, Draw(coins=0, stars=0)))

    assert may(0, "limited")
    assert not may(1, "limited")
    assert may(1, "unlimited")


@pytest.mark.parametrize(
    ("table", "parameters"),
    [
        (colour_collector_broken, {"prize_amounts": (5_00, 10_00)}),
        (
            diamond_riches_broken,
            {
                "start_amounts": (4_00, 1_000_000_00),
                "extra_spin_box": (1, 2),
                "diamond_wheel": ((3, 0), (0, 1)),
                "bonus_wheel": ((0, 1),),
                "multi_fill_adds": 1,
                "prize_wheel": (5_00,),
            },
        ),
    ],
    ids=["colour-collector", "diamond-riches"],
)
def test_a_rule_that_costs_nothing_goes_on_though_all_sources_are_limited(table, parameters):
    broken = table.BROKEN["terminates"]

    readings = default_readings(broken.game.setting)
    verdict = prove(broken.game, "terminates", parameters=parameters, readings=readings)

    assert verdict.outcome is Outcome.REFUTED, broken.says
    alone = [one for one in verdict.termination.endless if one.sources == ()]
    assert alone, "it goes on by no source that can be limited"
    assert unlimited(broken.game, alone[0].play).steps == alone[0].play.steps
    assert finish.id not in {step.rule for step in alone[0].play.steps}
