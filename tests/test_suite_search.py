"""How Plays for a suite are found: near a goal, by small changes, and replayed by the rules."""

from __future__ import annotations

import dataclasses
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playproof.models.algebra import (
    all_of,
    any_of,
    bool_variable,
    equal,
    int_variable,
    negate,
    where,
)
from playproof.models.editions import load_edition
from playproof.models.games import load_game
from playproof.models.play import IllegalStep, Play, Replays, replay
from playproof.oracles.all_goals import goals_of
from playproof.oracles.climb import Climb
from playproof.oracles.compiled import compiled
from playproof.oracles.coverage import Coverage
from playproof.oracles.ground import Ground, Move
from playproof.oracles.learnt import learnt_from
from playproof.oracles.marked import Marked
from playproof.oracles.near import distance
from playproof.oracles.never import Never, broken_by
from playproof.oracles.possible import Possible
from playproof.oracles.wander import Wander
from playproof.proofs.verdict import Outcome

from .goals_by_rules import reached
from .lucky_dip import LUCKY_DIP

GAME = dataclasses.replace(LUCKY_DIP, promises=())  # so that Plays may win nothing


@pytest.fixture(scope="module")
def ground():
    return Ground(load_edition(GAME, Path(__file__).with_name("lucky_dip.toml")))


# How near


NUMBERS = st.sampled_from([int_variable(name) for name in "klm"]) | st.integers(-3, 3)
FLAGS = st.sampled_from([bool_variable(name) for name in "xy"])


def comparisons(numbers):
    pairs = st.tuples(numbers, numbers)
    return pairs.map(lambda two: two[0] <= two[1]) | pairs.map(lambda two: equal(*two))


def conditions(depth=3):
    if not depth:
        return FLAGS | comparisons(NUMBERS)
    inner = conditions(depth - 1)
    either = st.builds(where, inner, NUMBERS, NUMBERS)
    return (
        inner.map(negate)
        | st.builds(where, inner, inner, inner)
        | st.lists(inner, min_size=1, max_size=3).map(all_of)
        | st.lists(inner, min_size=1, max_size=3).map(any_of)
        | comparisons(either | NUMBERS)
    )


@settings(max_examples=60)
@given(
    conditions(),
    st.fixed_dictionaries({name: st.integers(-3, 3) for name in "klm"}),
    st.fixed_dictionaries({name: st.booleans() for name in "xy"}),
)
def test_only_what_meets_a_condition_is_at_no_distance(condition, numbers, flags):
    far, met = compiled([distance(condition), condition])({**numbers, **flags})
    assert (far == 0) is met
    assert far >= 0


def test_nearer_numbers_are_at_less_distance_also_through_a_choice():
    jar, coins, level = (int_variable(name) for name in ("jar", "coins", "level"))
    filled = where(jar + coins >= 4, level, 0)  # as a rule notes at what level a jar was filled
    far = compiled([distance(negate(equal(filled, 0)))])
    steps = [
        far({"jar": jar, "coins": coins, "level": level})[0]
        for jar, coins, level in [(0, 0, 0), (1, 1, 0), (3, 1, 0), (3, 1, 1)]
    ]
    assert steps == sorted(steps, reverse=True)
    assert len({*steps}) == 4


def nothing(ground):
    draw = Move("draw", {"r.draw.coins": 0, "r.draw.stars": 0})
    return ground.along(ground.start(), [draw, draw, draw, Move("finish", {})])


def test_changes_lead_from_a_play_of_nothing_to_a_jar_filled_at_the_last_draw(ground):
    wander = Wander(ground)
    dull = nothing(ground)
    goals = {goal.id: goal for goal in goals_of(ground)}
    ((rule, condition),) = goals["boundary:draw:jar=4:exact"].cases
    found = next(Climb(ground, wander, 0).reaching(rule, condition, [dull], 400))
    assert found.rules[-1] == "draw"
    assert found.states[-2]["s.jar"] < found.end["s.jar"] == 4
    assert "boundary:draw:jar=4:exact" in Coverage(ground, [*goals.values()]).of(found)
    ((rule, condition),) = goals["boundary:draw:jar=4:full"].cases
    impossible = all_of(condition, ground.encoding.point().s.level > 2)
    assert not [*Climb(ground, wander, 0).reaching(rule, impossible, [dull], 200)]


def test_a_play_goes_on_as_another_did_and_still_ends_as_the_table_has_it():
    ground = Ground(load_edition(load_game("colour-collector")))
    wander = Wander(ground, 5)
    plays = [*wander.batch(8, ())]
    numbers = random.Random(0)
    spliced = [
        wander.spliced(one, numbers.randrange(len(one.moves)), other)
        for one in plays
        for other in plays[:2]
    ]
    kept = [trace for trace in spliced if trace is not None]
    assert len(kept) > len(spliced) // 3
    assert all(ground.allowed(trace) for trace in kept)
    assert {trace.moves for trace in map(_hashable, kept)} - {
        trace.moves for trace in map(_hashable, plays)
    }


def _hashable(trace):
    moves = tuple((move.rule, tuple(move.revealed.items())) for move in trace.moves)
    return dataclasses.replace(trace, moves=moves)


# What a Play reaches


def test_what_is_said_of_a_play_of_lucky_dip_is_what_its_rules_show(ground):
    wander = Wander(ground, 1)
    plays = [*wander.batch(60, ())]
    goals = goals_of(ground)
    coverage = Coverage(ground, goals)
    seen = set()
    for trace in plays:
        said = coverage.of(trace)
        assert said == reached(ground, goals, ground.play(trace))
        seen |= said
    assert len(seen) > 40


@pytest.mark.slow
@pytest.mark.parametrize("game", ["colour-collector", "diamond-riches"])
def test_what_is_said_of_a_play_of_a_whole_game_is_what_its_rules_show(game):
    ground = Ground(load_edition(load_game(game)))
    plays = [*Wander(ground, 2).batch(4, ())]
    goals = goals_of(ground)
    coverage = Coverage(ground, goals)
    for trace in plays:
        assert coverage.of(trace) == reached(ground, goals, ground.play(trace))


# Replays


def test_beginnings_that_plays_share_are_replayed_once(ground):
    taken = []

    def counted(p, s, reveal, effect=GAME.rules[0].effect):
        taken.append(reveal)
        return effect(p, s, reveal)

    draw = dataclasses.replace(GAME.rules[0], effect=counted)
    game = dataclasses.replace(GAME, rules=(draw, *GAME.rules[1:]))
    plays = [ground.play(trace) for trace in Wander(ground, 3).batch(20, ())]
    replays = Replays()
    for play in [*plays, *plays]:
        assert [*replays(game, play)] == [*replay(GAME, play)]
    beginnings = {play.steps[:n] for play in plays for n in range(1, 4)}
    assert len(taken) == len(beginnings) < 3 * len(plays)


def test_a_step_that_the_rules_do_not_allow_is_named_however_often_it_is_replayed(ground):
    play = ground.play(nothing(ground))
    wrong = Play(play.setting, (*play.steps[:3], play.steps[0]))
    replays = Replays()
    assert len([*replays(GAME, play)]) == 5
    for _ in range(2):
        with pytest.raises(IllegalStep, match="step 4: draw may not come here"):
            [*replays(GAME, wrong)]


# What no Play comes to


def test_a_pair_that_only_reveals_exclude_is_proved_by_looking_ahead(ground):
    # A second draw is refused by its reveal alone: it never finds as few coins as that.
    draw, finish = GAME.rules
    refused = dataclasses.replace(draw, when=lambda p, s, r: r.coins < s.draws_left - 2)
    game = dataclasses.replace(GAME, rules=(refused, finish))
    edition = dataclasses.replace(ground.edition, game=game)
    here = Ground(edition)
    once = here.along(here.start(), [Move("draw", {"r.draw.coins": 0, "r.draw.stars": 0})])
    learnt = learnt_from(here, [once])
    goals = {goal.id: goal for goal in goals_of(here)}
    pair = goals["pair:draw>draw"]
    with Possible(here, learnt) as possible:
        excluded = possible.excluded(pair)
        assert excluded.ahead
        assert not possible.excluded(goals["pair:finish>draw"]).ahead
    never = Never(here, learnt)
    assert never.pairs_ahead([pair], excluded.needed).verdict.outcome is Outcome.PROVED
    assert never.pairs([pair], excluded.needed).verdict.outcome is not Outcome.PROVED


def test_that_a_rule_comes_again_is_excluded_only_where_no_play_shows_it(ground):
    plays = [*Wander(ground, 4).batch(30, ())]
    learnt = learnt_from(ground, plays)
    goals = {goal.id: goal for goal in goals_of(ground, learnt.claims)}
    with Marked(ground, learnt, ["draw", "finish"], plays) as marked:
        excluded = {
            id_: marked.needed_for(broken_by(ground, goals[id_]))
            for id_ in ("again:draw", "again:finish", "losing:draw")
        }
    assert excluded["again:finish"] is not None
    assert excluded["losing:draw"] is None
    never, using = Never(ground, learnt), excluded["again:finish"]
    past = never.past("again", [goals["again:finish"]], marked, using)
    assert past.verdict.outcome is Outcome.PROVED
    wrong = never.past("losing", [goals["losing:draw"]], marked, ())
    assert wrong.verdict.outcome is not Outcome.PROVED
