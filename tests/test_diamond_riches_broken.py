"""For every property of Diamond Riches a broken rule is refuted by a Play that shows it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from playproof.models.algebra import where
from playproof.models.diamond_riches import spin
from playproof.models.diamond_riches_properties import DIAMOND_RICHES
from playproof.models.editions import default_readings
from playproof.models.play import violated
from playproof.proofs.general import DECIDERS
from playproof.proofs.manifest import claims_of
from playproof.proofs.prover import prove
from playproof.proofs.verdict import Outcome

from .colour_collector_broken import ends_up
from .diamond_riches_broken import BROKEN, SMALL


def test_every_property_is_broken_once():
    assert set(BROKEN) == {claim.id for claim in claims_of(DIAMOND_RICHES)}


@pytest.mark.parametrize("id_", [id_ for id_ in BROKEN if id_ not in DECIDERS])
def test_a_broken_rule_is_refuted(id_):
    broken = BROKEN[id_]

    readings = default_readings(broken.game.setting) | dict(broken.only_under)
    verdict = prove(broken.game, id_, readings=readings)

    assert verdict.outcome is Outcome.REFUTED, broken.says
    ((play, at),) = verdict.plays
    assert play.steps[-1].rule == broken.along[-1]
    assert violated(broken.game, id_, play) == at == len(play.steps)


def test_a_surplus_that_is_carried_is_not_lost_where_the_prize_game_comes_once_either():
    def losing_it(p, s, r, after):
        return replace(
            after, prize_meter=where(after.prize_owed > s.prize_owed, 0, after.prize_meter)
        )

    carried = {"prize-surplus": "carried", "prize-meter-after": "emptied"}
    readings = default_readings(SMALL.setting) | carried

    verdict = prove(ends_up(spin, losing_it, SMALL), "prize-meter-exact", readings=readings)

    assert verdict.outcome is Outcome.REFUTED
