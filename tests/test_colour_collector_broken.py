"""For every property of Colour Collector a broken rule is refuted by a Play that shows it."""

from __future__ import annotations

import pytest

from playproof.models.colour_collector_properties import COLOUR_COLLECTOR
from playproof.models.play import violated
from playproof.proofs.general import DECIDERS
from playproof.proofs.manifest import claims_of
from playproof.proofs.prover import prove
from playproof.proofs.verdict import Outcome

from .colour_collector_broken import BROKEN

# A fault needs no unknown amounts, and the search for it is quicker without their products.
AMOUNTS = {"prize_amounts": (5_00, 10_00)}


def test_every_property_is_broken_once():
    assert set(BROKEN) == {claim.id for claim in claims_of(COLOUR_COLLECTOR)}


@pytest.mark.parametrize("id_", [id_ for id_ in BROKEN if id_ not in DECIDERS])
def test_a_broken_rule_is_refuted(id_):
    broken = BROKEN[id_]

    verdict = prove(broken.game, id_, parameters=AMOUNTS, readings=dict(broken.only_under))

    assert verdict.outcome is Outcome.REFUTED, broken.says
    ((play, at),) = verdict.plays
    assert len(play.steps) == len(broken.along)  # rules that serve as well may take a place
    assert violated(broken.game, id_, play) == at == len(play.steps)


def test_a_fault_that_only_one_reading_makes_one_is_said_to_depend_on_it():
    broken = BROKEN["prize-is-sum"]

    verdict = prove(broken.game, "prize-is-sum", parameters=AMOUNTS)

    assert verdict.outcome is Outcome.DEPENDS
    assert verdict.fails_under == (broken.only_under,)
