"""State diagrams show every rule and every way from one to the next, however laid out."""

import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace
from functools import cache
from itertools import product

import networkx as nx
import pytest

from playproof.models.editions import load_edition
from playproof.models.games import game_ids, load_game
from playproof.proofs.paths import END, START
from playproof.reports import diagram as diagrams
from playproof.reports.diagram import boxes_of, diagram, has_dot, rules_of
from tests.lucky_dip import LUCKY_DIP

SVG = "{http://www.w3.org/2000/svg}"
WAYS = [
    pytest.param(False, id="in layers"),
    pytest.param(
        True,
        id="by dot",
        marks=pytest.mark.skipif(not has_dot(), reason="graphviz is not installed"),
    ),
]
DIP = nx.DiGraph([(START, "draw"), ("draw", "draw"), ("draw", "finish"), ("finish", END)])


@cache
def game_and_rules(id_):
    edition = load_edition(load_game(id_))
    return edition.game, rules_of(edition)


def drawn(svg):
    """Return the rules that a diagram has boxes for, and the ways between them."""
    root = ET.fromstring(svg)
    texts = [one for one in root.iter(f"{SVG}text") if one.get("class") != "phase"]
    ways = set()
    for group in root.iter(f"{SVG}g"):
        assert [part.tag for part in group] == [f"{SVG}path", f"{SVG}polygon"]
        one, other = (side.split(", ") for side in group.get("data-way").split(" → "))
        ways |= set(product(one, other))
    return sorted(text.text for text in texts), ways


@pytest.mark.parametrize("by_dot", WAYS)
@pytest.mark.parametrize("id_", game_ids())
def test_every_rule_and_every_way_is_drawn_and_no_other(id_, by_dot):
    game, rules = game_and_rules(id_)
    names, ways = drawn(diagram(game, rules, by_dot=by_dot))
    assert names == sorted(rules)
    assert ways == set(rules.edges)


@pytest.mark.parametrize("by_dot", WAYS)
def test_a_way_less_is_a_way_less_in_the_diagram(by_dot):
    game, rules = game_and_rules("diamond-riches")
    fewer = rules.copy()
    fewer.remove_edge("multi-fill", "spin")
    assert drawn(diagram(game, fewer, by_dot=by_dot))[1] == set(fewer.edges)


def test_a_way_that_no_play_takes_is_dashed_and_said_to_be_so():
    seen = {(START, "draw"), ("draw", "draw"), ("finish", END)}
    made = diagram(LUCKY_DIP, DIP, seen=seen, by_dot=False)
    dashed = re.findall(r'data-way="([^"]*)" class="unseen"', made)
    assert dashed == ["draw → finish"]
    assert "in no Play here: draw → finish" in made
    assert "unseen" not in re.sub(r"<style>.*?</style>", "", diagram(LUCKY_DIP, DIP))


def test_rules_share_a_box_only_where_they_have_all_neighbours_in_common():
    game, rules = game_and_rules("diamond-riches")
    shared = [box for box in boxes_of(game, rules) if len(box.rules) > 1]
    assert [len(box.rules) for box in shared] == [10]
    for rule in shared[0].rules:
        assert set(rules.pred[rule]) == set(rules.pred["multi-fill"])
        assert set(rules[rule]) == set(rules["multi-fill"])


def test_it_says_in_which_phase_a_rule_is_taken_and_where_it_leads():
    svg = diagram(*game_and_rules("colour-collector"), by_dot=False)
    assert ">Main Game → Bonus Game</text>" in svg
    assert ">Bonus Game → Main Game</text>" in svg
    assert svg.count('class="phase"') == 7


@pytest.mark.parametrize("by_dot", WAYS)
def test_it_has_a_title_and_says_in_words_what_it_shows(by_dot):
    root = ET.fromstring(diagram(LUCKY_DIP, DIP, by_dot=by_dot))
    named = {part.get("id"): part.text for part in root if part.get("id")}
    labels = [named[id_] for id_ in root.get("aria-labelledby").split()]
    assert labels == [
        "Lucky Dip: which rule may follow which",
        f"{START} → draw; draw → draw, finish; finish → {END}",
    ]
    assert root.get("role") == "img"


@pytest.mark.parametrize("by_dot", WAYS)
@pytest.mark.parametrize("id_", game_ids())
def test_everything_is_within_the_picture_and_no_two_boxes_overlap(id_, by_dot):
    root = ET.fromstring(diagram(*game_and_rules(id_), by_dot=by_dot))
    left, top, wide, tall = map(float, root.get("viewBox").split())
    boxes = []
    for box in root.iter(f"{SVG}rect"):
        x, y, w, h = (float(box.get(name)) for name in ("x", "y", "width", "height"))
        assert left <= x < x + w <= left + wide
        assert top <= y < y + h <= top + tall
        assert not any(
            x < b + d and b < x + w and y < c + e and c < y + h for b, c, d, e in boxes
        )
        boxes.append((x, y, w, h))


def test_without_graphviz_it_is_laid_out_all_the_same(monkeypatch):
    plain = diagram(LUCKY_DIP, DIP, by_dot=False)
    for raised in (FileNotFoundError("dot"), subprocess.TimeoutExpired("dot", 1)):

        def fails(*_, raised=raised, **__):
            raise raised

        monkeypatch.setattr(subprocess, "run", fails)
        assert diagram(LUCKY_DIP, DIP, by_dot=True) == plain
    monkeypatch.setattr(diagrams.shutil, "which", lambda name: None)
    assert diagram(LUCKY_DIP, DIP) == plain


def test_names_are_escaped():
    game = replace(LUCKY_DIP, title="<b>&", id='"x"')
    assert "<b>" not in diagram(game, DIP, by_dot=False)
    ET.fromstring(diagram(game, DIP, by_dot=False))


@pytest.mark.slow
def test_the_layout_in_layers_is_the_same_bytes_whatever_the_hashes():
    code = (
        "from playproof.models.editions import load_edition\n"
        "from playproof.models.games import load_game\n"
        "from playproof.reports.diagram import diagram, rules_of\n"
        "e = load_edition(load_game('diamond-riches'))\n"
        "print(diagram(e.game, rules_of(e), by_dot=False))\n"
    )
    made = {
        subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(made) == 1
    assert re.search(rb"<svg", made.pop())
