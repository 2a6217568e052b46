"""Every clause has a home, every id has a clause, every property has a rule that breaks it."""

import importlib
import re

import pytest

from playproof.models.games import game_ids, load_game
from playproof.models.registers import load_register
from playproof.models.setting import figures_of, parameter_clauses_of, readings_of
from playproof.proofs.manifest import claims_of, load_manifest

STATED = {
    "colour-collector": (
        "CC",
        (range(1, 4), range(10, 34), range(40, 47), range(50, 53), [60]),
    ),
    "diamond-riches": (
        "DR",
        (range(1, 4), range(10, 19), range(20, 24), range(30, 44), range(50, 53), [60]),
    ),
}
"""What the documents state, numbered; sentences about screens only come on top."""


@pytest.fixture(params=game_ids())
def game(request):
    return load_game(request.param)


def homes(game):
    """Return the clauses cited by each kind of home."""
    setting = game.setting
    return {
        "rule": {id_ for rule in game.rules for id_ in rule.clauses},
        "figure": {shape.clause for shape in figures_of(setting).values()},
        "parameter": {id_ for ids in parameter_clauses_of(setting).values() for id_ in ids},
        "reading": {id_ for ways in readings_of(setting).values() for id_ in ways.clauses},
        "property": {id_ for claim in game.properties for id_ in claim.clauses},
        "promise": {id_ for promise in game.promises for id_ in promise.clauses},
        "screen": {id_ for view in game.views for id_ in (*view.collects, *view.keeps)},
    }


def test_the_register_holds_what_the_document_states(game):
    numbered = {
        c.id for c in load_register(game.id).clauses if re.fullmatch(r"\w\w-\d\d", c.id)
    }

    letters, runs = STATED[game.id]
    assert numbered == {f"{letters}-{number:02}" for run in runs for number in run}


def test_every_clause_has_its_home(game):
    """A clause of kind rule, figure, property or promise is cited by one of that kind."""
    cited = homes(game)

    homeless = [
        f"{clause.id} ({clause.kind})"
        for clause in load_register(game.id).clauses
        if clause.kind in cited and clause.id not in cited[clause.kind]
    ]

    assert homeless == []


SHOWN = {
    "colour-collector": {"CC-11", "CC-12", "CC-13", "CC-17", "CC-22", "CC-42", "CC-43"},
    "diamond-riches": {"DR-10", "DR-11", "DR-12", "DR-20", "DR-21", "DR-22", "DR-41", "DR-42"},
}
"""Clauses that speak of where on the screen something is seen."""


def test_what_is_seen_on_a_screen_is_judged_on_one(game):
    assert SHOWN[game.id] <= homes(game)["screen"]


def test_what_is_about_screens_only_is_cited_by_no_rule(game):
    screens = {c.id for c in load_register(game.id).clauses if c.kind in ("display", "limit")}

    assert screens
    assert not screens & homes(game)["rule"]


def test_every_id_that_is_cited_is_in_the_register(game):
    known = {clause.id for clause in load_register(game.id).clauses}

    assert set().union(*homes(game).values()) <= known


def test_every_property_and_rule_cites_a_clause(game):
    bare = [one.id for one in (*claims_of(game), *game.rules) if not one.clauses]

    assert bare == []


def test_every_register_says_that_the_rules_prevail(game):
    limits = [c.text for c in load_register(game.id).clauses if c.kind == "limit"]

    assert any("prevail" in text for text in limits)


def test_every_property_has_a_rule_that_breaks_it(game):
    name = game.id.replace("-", "_")
    module = f"{__package__}.{name}_broken" if __package__ else f"tests.{name}_broken"

    broken = importlib.import_module(module).BROKEN

    assert {claim.id for claim in claims_of(game)} == set(broken)


def test_the_manifest_expects_something_of_every_property(game):
    kinds = {kind.id for kind in game.reachable}

    assert set(load_manifest(game)) == {claim.id for claim in claims_of(game)} | kinds


def test_ids_are_unique(game):
    for things in (game.rules, (*game.properties, *game.promises)):
        ids = [one.id for one in things]
        assert len(ids) == len(set(ids))
