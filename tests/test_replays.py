"""Plays are replayed once as far as they begin alike, and no illegal one slips through."""

import dataclasses

import pytest

from playproof.models.play import IllegalStep, Play, replay
from playproof.proofs.encoding import encode
from playproof.proofs.replays import Replays
from playproof.proofs.walks import walks

from .lucky_dip import LUCKY_DIP


@pytest.fixture(scope="module")
def play():
    return next(walks(encode(LUCKY_DIP), 1))


def counted(game, taken):
    """Return the game, noting each effect of a rule that is worked out."""

    def noting(rule):
        def effect(p, s, r):
            taken.append(rule.id)
            return rule.effect(p, s, r)

        return dataclasses.replace(rule, effect=effect)

    return dataclasses.replace(game, rules=tuple(map(noting, game.rules)))


def test_points_are_those_of_the_rules(play):
    assert Replays(LUCKY_DIP).points(play) == list(replay(LUCKY_DIP, play))


def test_what_plays_have_in_common_is_worked_out_once(play):
    taken = []
    replays = Replays(counted(LUCKY_DIP, taken))
    beginning = Play(play.setting, play.steps[:-1])

    replays.points(beginning)
    replays.points(play)
    replays.points(play)

    assert taken == [step.rule for step in play.steps]


def test_a_play_is_looked_at_from_where_it_differs(play):
    replays = Replays(LUCKY_DIP)

    assert replays.look(Play(play.setting, play.steps[:2])) == 0
    assert replays.look(play) == 3
    assert replays.look(play) == len(play.steps) + 1


def test_settings_are_kept_apart(play):
    replays = Replays(LUCKY_DIP)
    replays.points(play)
    other = dataclasses.replace(play.setting, jar=play.setting.jar + 1)

    assert replays.look(Play(other, ())) == 0
    assert replays.points(Play(other, ()))[0] == LUCKY_DIP.start(other)


def test_an_illegal_step_is_refused_and_named(play):
    replays = Replays(LUCKY_DIP)
    replays.points(play)

    with pytest.raises(IllegalStep, match=f"step {len(play.steps) + 1}: "):
        replays.points(Play(play.setting, (*play.steps, play.steps[-1])))
