"""Claims about a whole game: choices decide nothing, one rule applies, no Play is stuck."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, replace
from functools import cache

import pytest

from playproof.models.algebra import Int, all_of, implies, negate, where
from playproof.models.editions import default_readings
from playproof.models.play import IllegalStep, applicable, replay
from playproof.models.shape import count
from playproof.models.system import Reveal, general, rule
from playproof.proofs.budget import Budget
from playproof.proofs.choice_free import what_decides
from playproof.proofs.encoding import encode
from playproof.proofs.prover import prove
from playproof.proofs.solvers import Steps
from playproof.proofs.verdict import Outcome
from playproof.reports import trace

from . import colour_collector_broken, diamond_riches_broken
from .fixed_before_the_choice import NUMBER_FIRST, TILES_FIRST
from .lucky_dip import LUCKY_DIP, Draw, draw, finish

CHOICE_FREE = general("choice-free", ("LD-1",), "Choices decide nothing.")
DETERMINISTIC = general("deterministic", ("LD-1",), "One rule applies.")
NEVER_STUCK = general("never-stuck", ("LD-5",), "No Play gets stuck.", using=("in-range",))
IDS = ("choice-free", "deterministic", "never-stuck")

DIP = replace(
    LUCKY_DIP,
    properties=(*LUCKY_DIP.properties, CHOICE_FREE, DETERMINISTIC, NEVER_STUCK),
)
AMOUNTS = {"prize_amounts": (5_00, 10_00)}
WHEELS = {
    "start_amounts": (4_00, 1_000_000_00),
    "extra_spin_box": (1, 2),
    "diamond_wheel": ((3, 0), (0, 1)),
    "multi_fill_adds": 1,
    "prize_wheel": (5_00,),
}


def after(game, play):
    """Return the point a Play comes to, replayed by the rules."""
    return list(replay(game, play))[-1]


def rules(play):
    return [step.rule for step in play.steps]


def with_rule(old, **changes):
    return DIP.with_rule(dataclasses.replace(old, **changes))


# ---- The verdicts that are due ---------------------------------------------------------------


@pytest.mark.parametrize("id_", IDS)
def test_a_sound_game_keeps_them(id_):
    verdict = prove(DIP, id_)

    assert verdict.outcome is Outcome.PROVED
    assert verdict.certificate is not None
    assert [stated.id for stated in verdict.certificate.statement] == [id_]
    assert {answer.answer for answer in verdict.answers} == {"unsat"}
    assert {answer.solver for answer in verdict.answers} == {"z3", "cvc5"}


@cache
def refuted(game_id, id_):
    """Return the broken game, the rules of a Play that shows it, and the verdict."""
    tables = {"cc": colour_collector_broken.BROKEN, "dr": diamond_riches_broken.BROKEN}
    given = {"cc": AMOUNTS, "dr": WHEELS}[game_id]
    broken = tables[game_id][id_]
    readings = default_readings(broken.game.setting) | dict(broken.only_under)
    verdict = prove(broken.game, id_, parameters=given, readings=readings)
    assert verdict.outcome is Outcome.REFUTED, broken.says
    return broken.game, broken.along, verdict


@pytest.mark.parametrize("game_id", ["cc", "dr"])
@pytest.mark.parametrize("id_", IDS)
def test_a_broken_rule_is_refuted_by_a_play_the_rules_replay(game_id, id_):
    game, along, verdict = refuted(game_id, id_)

    ((play, at),) = verdict.plays
    assert rules(play)[-1] == along[-1]
    assert at == len(play.steps) == verdict.depth
    after(game, play)


@pytest.mark.parametrize("game_id", ["cc", "dr"])
def test_where_two_rules_apply_both_are_shown_on_one_moment(game_id):
    game, _, verdict = refuted(game_id, "deterministic")

    ((play, _),), (beside,) = verdict.plays, verdict.beside
    assert play.steps[:-1] == beside.play.steps[:-1]
    assert play.steps[-1].rule != beside.play.steps[-1].rule
    after(game, beside.play)


@pytest.mark.parametrize("game_id", ["cc", "dr"])
def test_where_a_play_is_stuck_it_has_not_ended_and_nothing_was_overlooked(game_id):
    game, _, verdict = refuted(game_id, "never-stuck")

    ((play, _),) = verdict.plays
    state = after(game, play).s
    assert not game.goal.ended(play.setting, state)
    for one in game.rules:  # a plain reveal of every kind is refused, whatever a solver says
        shape = game.reveal_shape(one)
        plain = shape.build(lambda v: (v.low or 0) if v.sort == "Int" else False)
        assert not applicable(game, play.setting, after(game, play), plain)


# ---- Choices decide nothing ------------------------------------------------------------------


def lottery(game, step):
    """Return what the lottery revealed at a step, without what was chosen."""
    shape = game.reveal_shape(game.rule(step.rule))
    values = shape.scalars(step.reveal)
    return {v.name: values[v.name] for v in shape.variables if not v.choice}


def differing_plays(game, verdict):
    """Return both Plays, once it is clear that no reveal of a kind differs but by choice."""
    ((play, _),), (beside,) = verdict.plays, verdict.beside
    for kind in game.reveal_kinds():
        one, other = (
            [lottery(game, s) for s in which.steps if game.rule(s.rule).reveal is kind]
            for which in (play, beside.play)
        )
        shared = min(len(one), len(other))
        assert one[:shared] == other[:shared]
    return play, beside.play


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "given"),
    [
        pytest.param(NUMBER_FIRST, AMOUNTS, id="number fixed before odd or even is picked"),
        pytest.param(
            TILES_FIRST, WHEELS | {"bonus_wheel": ((1, 0),)}, id="icons fixed below the tiles"
        ),
    ],
)
def test_what_is_fixed_before_the_choice_makes_the_choice_decide(game, given):
    game = replace(game, properties=(CHOICE_FREE,))

    verdict = prove(
        game, "choice-free", parameters=given, readings=default_readings(game.setting)
    )

    assert verdict.outcome is Outcome.REFUTED
    play, other = differing_plays(game, verdict)
    ends = [after(game, one).s for one in (play, other)]
    assert all(game.goal.ended(play.setting, end) for end in ends)
    assert len({game.goal.paid(play.setting, end) for end in ends}) == 2


@pytest.mark.parametrize("game_id", ["cc", "dr"])
def test_a_rule_that_looks_at_the_choice_is_refuted_by_two_prizes(game_id):
    game, _, verdict = refuted(game_id, "choice-free")

    play, other = differing_plays(game, verdict)
    paid = {game.goal.paid(play.setting, after(game, one).s) for one in (play, other)}
    assert len(paid) == 2


@dataclass(frozen=True)
class Guess(Reveal):
    """A draw before which the player guesses what comes."""

    coins: Int = count("coins found", 0, 5)
    stars: Int = count("stars found", 0, 3)
    guess: Int = count("how many coins the player says", 0, 5, choice=True)

    def legal(self, p, s):
        return Draw(self.coins, self.stars).legal(p, s)


@dataclass(frozen=True)
class Polite(Guess):
    """A draw in which nobody guesses more coins than come."""

    def legal(self, p, s):
        return all_of(super().legal(p, s), self.guess <= self.coins)


def guessing(reveal, effect):
    return with_rule(draw, reveal=reveal, effect=effect)


def test_what_only_shows_a_choice_does_not_decide():
    @dataclass(frozen=True)
    class Shown(LUCKY_DIP.state):
        guessed: Int = count("what the player said")

    def effect(p, s, r):
        return replace(draw.effect(p, s, r), guessed=r.guess)

    game = replace(
        guessing(Guess, effect),
        state=Shown,
        initial=lambda p: Shown(**vars(LUCKY_DIP.initial(p)), guessed=0),
    )

    assert "guessed" not in what_decides(encode(game))
    assert prove(game, "choice-free").outcome is Outcome.PROVED


def test_a_lemma_of_the_game_rules_out_states_in_which_a_choice_would_decide():
    def drawn(p, s, r):
        after = draw.effect(p, s, r)
        return replace(after, jar=where(s.meter >= p.stars, r.guess, after.jar))

    claim = replace(CHOICE_FREE, using=("in-range",))
    game = replace(guessing(Guess, drawn), properties=(*LUCKY_DIP.properties, claim))

    verdict = prove(game, "choice-free")

    assert verdict.outcome is Outcome.PROVED
    assert verdict.method == "1-induction"
    assert verdict.certificate.conjuncts == ("choice-free", "in-range")


def test_a_reveal_that_is_legal_for_one_choice_only_is_refuted_by_the_play_that_stops():
    verdict = prove(guessing(Polite, draw.effect), "choice-free")

    assert verdict.outcome is Outcome.REFUTED
    ((play, _),), (beside,) = verdict.plays, verdict.beside
    assert len(beside.play.steps) == len(play.steps) - 1
    assert beside.refused is not None
    assert beside.refused.guess > beside.refused.coins == play.steps[-1].reveal.coins


def test_courses_that_differ_and_pay_the_same_are_no_refutation():
    def drawn(p, s, r):
        after = draw.effect(p, s, r)
        return replace(after, meter=where(r.guess == r.coins, 0, after.meter))

    def paid_by_the_meter(p, s, r):
        twice = [finish.effect(p, s, r).paid for _ in range(2)]
        return replace(s, over=True, paid=where(s.meter == 0, *twice))

    game = guessing(Guess, drawn).copy(draws=1)
    game = game.with_rule(dataclasses.replace(finish, effect=paid_by_the_meter))

    verdict = prove(game, "choice-free", budget=Budget(depth=4))

    assert verdict.outcome is Outcome.UNDECIDED
    assert "none of up to 4 steps that pay different prizes" in verdict.remark
    ((play, _),), (beside,) = verdict.plays, verdict.beside
    assert play.steps[-1].reveal.guess != beside.play.steps[-1].reveal.guess


def test_a_choice_after_which_one_play_alone_can_go_on_is_refuted_though_the_prize_is_one():
    @dataclass(frozen=True)
    class Twice(Guess):
        """A draw that comes again only for those who guessed low before."""

        def legal(self, p, s):
            return all_of(super().legal(p, s), implies(s.draws_left == 1, s.level == 0))

    def drawn(p, s, r):
        return replace(draw.effect(p, s, r), level=where(r.guess > 3, 1, 0))

    game = guessing(Twice, drawn).copy(draws=2)
    free = dataclasses.replace(finish, effect=lambda p, s, r: replace(s, over=True, paid=0))

    verdict = prove(game.with_rule(free), "choice-free", budget=Budget(depth=4))

    assert verdict.outcome is Outcome.REFUTED
    ((play, _),), (beside,) = verdict.plays, verdict.beside
    assert (len(play.steps), len(beside.play.steps)) == (2, 1)
    assert beside.refused is not None


def test_a_proof_says_what_is_left_to_the_player():
    said = "left to the player: guess (Guess)"
    assert prove(guessing(Guess, draw.effect), "choice-free").remark == said
    assert "nothing in a reveal is left" in prove(DIP, "choice-free").remark


# ---- One rule applies ------------------------------------------------------------------------


def test_two_rules_on_one_moment_are_refuted():
    game = with_rule(finish, when=lambda p, s, r: all_of(s.draws_left <= 1, negate(s.over)))

    verdict = prove(game, "deterministic")

    assert verdict.outcome is Outcome.REFUTED
    ((play, _),), (beside,) = verdict.plays, verdict.beside
    assert {rules(play)[-1], rules(beside.play)[-1]} == {"draw", "finish"}
    assert after(game, replace(play, steps=play.steps[:-1])).s.draws_left == 1


def test_two_rules_for_one_reveal_are_refuted():
    @rule(reveal=Draw, clauses=("LD-1",), when=lambda p, s, r: s.jar == 3)
    def lose(p, s, r):
        """A draw from a jar of three loses what was in it."""
        return replace(s, jar=0, draws_left=0)

    game = replace(DIP, rules=(*DIP.rules, lose))

    verdict = prove(game, "deterministic")

    assert verdict.outcome is Outcome.REFUTED
    ((play, _),), (beside,) = verdict.plays, verdict.beside
    assert (rules(play)[-1], rules(beside.play)[-1]) == ("draw", "lose")
    assert play.steps[-1].reveal == beside.play.steps[-1].reveal
    assert prove(game, "choice-free").outcome is Outcome.REFUTED  # no choice, but two prizes


def test_a_legal_reveal_that_no_rule_takes_is_refuted():
    game = with_rule(draw, when=lambda p, s, r: all_of(s.draws_left > 0, r.stars < 3))

    verdict = prove(game, "deterministic")

    assert verdict.outcome is Outcome.REFUTED
    ((play, _),), (beside,) = verdict.plays, verdict.beside
    assert rules(play) == ["draw"]
    assert beside.play.steps == ()
    assert beside.refused.stars == 3
    assert beside.refused.legal(play.setting, after(game, beside.play).s)
    assert not applicable(game, play.setting, after(game, beside.play), beside.refused)


def test_a_proof_says_which_broken_rule_it_would_have_found():
    assert prove(DIP, "deterministic").remark == "a double of draw is found out at the start"


def test_a_game_in_which_no_rule_ever_applies_is_not_counted_as_deterministic():
    game = with_rule(draw, when=lambda p, s, r: False)  # and the end is never due

    verdict = prove(game, "deterministic")

    assert verdict.outcome is Outcome.UNDECIDED
    assert "not found out" in verdict.remark


# ---- No Play gets stuck ----------------------------------------------------------------------


def test_ways_on_are_found_and_each_is_a_reveal_of_the_game():
    verdict = prove(DIP, "never-stuck")

    assert [way.rules for way in verdict.ways_on] == [("draw",), ("finish",)]
    assert verdict.ways_on[0].fixed == Draw(coins=0, stars=0)


def test_a_play_that_has_ended_before_it_begins_proves_nothing():
    game = replace(DIP, goal=replace(DIP.goal, ended=lambda p, s: True))

    verdict = prove(game, "never-stuck")

    assert verdict.outcome is Outcome.UNDECIDED
    assert verdict.certificate is None
    assert "ended before it begins" in verdict.remark


def test_a_way_on_that_is_not_the_plainest_is_found_by_counterexample():
    game = with_rule(draw, when=lambda p, s, r: all_of(s.draws_left > 0, r.stars == 1))

    verdict = prove(game, "never-stuck")

    assert verdict.outcome is Outcome.PROVED
    assert Draw(coins=0, stars=1) in [way.fixed for way in verdict.ways_on]


def test_a_play_gets_stuck_under_the_readings_that_say_so_and_no_others():
    class Least(Draw):
        def legal(self, p, s):
            return all_of(super().legal(p, s), self.coins > 0)

    game = with_rule(draw, reveal=Least)

    verdict = prove(game, "never-stuck")

    assert verdict.outcome is Outcome.DEPENDS
    assert verdict.fails_under == ((("coin-surplus", "impossible"),),)
    ((play, _),) = verdict.plays
    assert after(game, play).s.jar == play.setting.jar
    again = replace(play, steps=(*play.steps, play.steps[-1]))
    with pytest.raises(IllegalStep):
        list(replay(game, again))


def test_a_state_without_a_way_on_that_no_play_comes_to_refutes_nothing():
    claim = replace(NEVER_STUCK, using=())  # nothing keeps the counters in range
    game = with_rule(finish, when=lambda p, s, r: all_of(s.draws_left == 0, negate(s.over)))
    game = replace(game, properties=(*game.properties[:-1], claim))

    verdict = prove(game, "never-stuck", budget=Budget(depth=5))

    assert verdict.outcome is Outcome.BOUNDED
    assert "φ allows a state without a legal reveal" in verdict.remark


@pytest.mark.parametrize("id_", IDS)
def test_a_budget_that_runs_out_leaves_them_undecided(id_):
    little = Steps(z3=1, cvc5=1)

    verdict = prove(DIP, id_, budget=Budget(little, little, little, spacer=1))

    assert verdict.outcome is Outcome.UNDECIDED
    assert verdict.certificate is None


# ---- What is shown ---------------------------------------------------------------------------


def test_the_same_question_has_the_same_answer_to_the_byte():
    one, other = (prove(DIP, "never-stuck") for _ in range(2))

    assert one.certificate == other.certificate
    assert one.ways_on == other.ways_on


def test_both_plays_are_told_step_by_step():
    game, _, verdict = refuted("cc", "choice-free")

    ((play, at),), (beside,) = verdict.plays, verdict.beside
    told = [*trace.lines(game, play, at), *trace.lines_beside(game, beside)]

    assert "beside a Play of 5 steps" in told
    assert len([line for line in told if line.strip() == "3. right-answer"]) == 2
    assert [line for line in told if "picked_odd yes (chosen)" in line]
    paid = [line for line in told if "paid:" in line]
    assert len(set(paid)) == len(paid) > 0


def test_ways_on_are_told():
    ways = prove(DIP, "never-stuck").ways_on

    assert [trace.way_on(DIP, way) for way in ways] == ["always the same, all 0 or no"] * 2


def test_a_refused_reveal_is_told_and_is_data():
    game = guessing(Polite, draw.effect)
    (beside,) = prove(game, "choice-free").beside

    told = list(trace.lines_beside(game, beside))
    data = trace.beside_as_data(game, beside)

    assert told[-1].strip().startswith("no rule takes")
    assert data["refused"]["guess"] == beside.refused.guess
