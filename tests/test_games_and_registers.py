"""Games by id, and the registers of their clauses."""

from dataclasses import replace

import pytest

from playproof.errors import BadInput
from playproof.models.games import game_ids, load_game
from playproof.models.registers import load_register

from .lucky_dip import LUCKY_DIP

REGISTER = """\
document = "Lucky Dip's paper"

[[clause]]
id = "LD-1"
section = "Play"
locator = "paragraph 1"
text = "A Play has three draws."

[[clause]]
id = "LD-D01"
section = "Play"
locator = "paragraph 2"
text = "The title."
display = true

[[clause]]
id = "LD-6"
section = "Prizes"
locator = "paragraph 1"
text = "Every Play wins."
kind = "promise"
"""


def test_the_games_there_are():
    assert game_ids() == ("colour-collector", "diamond-riches")


def test_any_game_can_be_named_by_module_and_attribute():
    assert load_game(f"{LUCKY_DIP.initial.__module__}:LUCKY_DIP") is LUCKY_DIP


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        ("colour-colector", "unknown game 'colour-colector'; did you mean colour-collector?"),
        ("chess", "unknown game 'chess'; there are: colour-collector, diamond-riches"),
        ("no_such_module:GAME", "no module 'no_such_module': is its folder on PYTHONPATH?"),
        ("json:GAME", "module 'json' has no 'GAME'"),
        ("json:dumps", "game 'json:dumps': a Game was expected, not function"),
        (":GAME", "'' is not a module's name; write module:ATTRIBUTE"),
    ],
)
def test_a_game_that_is_not_there(reference, message):
    with pytest.raises(BadInput) as caught:
        load_game(reference)

    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("\nx = (", "own_game.py:2: SyntaxError: '(' was never closed"),
        ("x = 1\ny = x + 'a'", "own_game.py:2: TypeError: unsupported operand type"),
        ("import no_such_library", "No module named 'no_such_library'"),
    ],
)
def test_a_game_file_that_fails_is_named_with_its_line(tmp_path, monkeypatch, text, message):
    (tmp_path / "own_game.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)

    with pytest.raises(BadInput) as caught:
        load_game("own_game:GAME")

    assert message in str(caught.value)
    assert str(caught.value).startswith("module 'own_game' cannot be loaded: ")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"properties": LUCKY_DIP.properties[1:]},
            "stars-carry uses 'in-range', which is none",
        ),
        (
            {"properties": (*LUCKY_DIP.properties, LUCKY_DIP.properties[0])},
            "two are called property 'in-range'",
        ),
        ({"rules": LUCKY_DIP.rules * 2}, "two are called rule 'draw'"),
        (
            {
                "properties": (
                    *LUCKY_DIP.properties[:-1],
                    replace(LUCKY_DIP.properties[-1], using=("no-coin-lost",)),
                )
            },
            "uses 'no-coin-lost', which does not speak of states",
        ),
    ],
)
def test_a_game_whose_parts_do_not_fit_is_refused(monkeypatch, changes, message):
    broken = replace(LUCKY_DIP, **changes)
    monkeypatch.setattr("tests.lucky_dip.BROKEN", broken, raising=False)

    with pytest.raises(BadInput, match=message):
        load_game("tests.lucky_dip:BROKEN")


@pytest.fixture
def register(tmp_path):
    def load(old="", new=""):
        assert old in REGISTER
        path = tmp_path / "register.toml"
        path.write_text(REGISTER.replace(old, new, 1))
        return load_register("lucky-dip", path)

    return load


def test_a_clause_has_a_kind(register):
    kinds = {clause.id: clause.kind for clause in register().clauses}

    assert kinds == {"LD-1": "rule", "LD-D01": "display", "LD-6": "promise"}
    assert register().clause("LD-1").text == "A Play has three draws."


def test_an_unknown_clause(register):
    with pytest.raises(BadInput, match="unknown clause 'LD-7'; did you mean LD-6 or LD-1"):
        register().clause("LD-7")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('id = "LD-6"', 'id = "LD-1"', "clause LD-1 stands twice"),
        ('kind = "promise"', 'kind = "wish"', "clause LD-6.kind: invalid enum value 'wish'"),
        (
            "display = true",
            'display = true\nkind = "rule"',
            "marked display, but of kind 'rule'",
        ),
        ('text = "The title."\n', "", "clause LD-D01: missing required key 'text'"),
        ("document =", "dokument =", "unknown key 'dokument'; did you mean document?"),
    ],
)
def test_what_is_wrong_with_a_register_is_named(register, old, new, message):
    with pytest.raises(BadInput) as caught:
        register(old, new)

    assert message in str(caught.value)


def test_a_game_without_a_register():
    with pytest.raises(BadInput, match="lucky-dip has no clause register"):
        load_register("lucky-dip")
