"""Editions: the values they give, and what is said of a file that is wrong."""

from dataclasses import dataclass, replace
from hashlib import sha256

import pytest

from playproof.errors import BadInput
from playproof.models.algebra import Bool, Int
from playproof.models.editions import PrizeRow, default_readings, load_edition
from playproof.models.games import load_game
from playproof.models.setting import Setting, figure, parameter, reading

from .lucky_dip import LUCKY_DIP


@dataclass(frozen=True)
class Wide(Setting):
    """Every form a parameter may take."""

    rows: tuple[str, ...] = figure(("gold", "red"), "rows", "W-1")
    sections: tuple[str, ...] = figure(("a", "b", "c"), "wheel sections", "W-2", open_=True)
    most: int = figure(5, "the most", "W-3")
    low: Int = parameter("the lower of two", 1, 9)
    high: Int = parameter("the higher of two", 1, 9)
    boxes: tuple[Int, ...] = parameter("boxes of a row", 1, "most", over="rows")
    wheel: tuple[tuple[Int, ...], ...] = parameter("shown", 0, 3, over=("sections", "rows"))
    price: Int = parameter("an amount", 1, unit="pence")
    strict: object = reading("may they be equal", ("W-1",), no="yes", yes="no")

    def constraint(self) -> Bool:
        """The lower is no higher than the higher."""
        return self.low <= self.high


WIDE = replace(LUCKY_DIP, id="wide", setting=Wide())

GOOD = """\
game = "wide"
name = "test"
about = "A test."

[parameters.low]
value = 2
source = "assumed"

[parameters.high]
value = 3
source = "assumed"

[parameters.boxes]
value = [4, 5]
source = "a paper of the studio"

[parameters.wheel]
value = [[0, 1], [1, 0]]
source = "assumed"

[parameters.price]
value = 500
source = "Procedures"

[prizes]
source = "Procedures"
rows = [
  { amount = 500, parts = [500], odds = 6 },
  { amount = 1500, parts = [500], prize_game = 1000, odds = 163 },
]
"""


@pytest.fixture
def edition(tmp_path):
    def load(old="", new=""):
        assert old in GOOD
        path = tmp_path / "edition.toml"
        path.write_text(GOOD.replace(old, new, 1))
        return load_edition(WIDE, path)

    return load


def test_values_are_tuples_with_their_sources(edition):
    made = edition()

    assert made.name == "test"
    assert made.parameters == {
        "low": 2,
        "high": 3,
        "boxes": (4, 5),
        "wheel": ((0, 1), (1, 0)),
        "price": 500,
    }
    assert made.sources["boxes"] == "a paper of the studio"
    assert made.sources["prizes"] == "Procedures"


def test_prize_rows_are_numbered_in_table_order(edition):
    assert edition().prizes == (
        PrizeRow(1, 500, (500,), 0, 6),
        PrizeRow(2, 1500, (500,), 1000, 163),
    )


def test_an_open_index_set_takes_its_size_from_the_edition(edition):
    assert edition().game.setting.sections == ("1", "2")
    assert WIDE.setting.sections == ("a", "b", "c")


def test_the_hash_is_that_of_the_file(edition):
    made = edition()

    assert made.hash == sha256(made.path.read_bytes()).hexdigest()


def test_prizes_may_be_absent(edition):
    assert edition(GOOD[GOOD.index("[prizes]") :]).prizes == ()


def test_default_readings_are_the_first_choices():
    assert default_readings(Wide()) == {"strict": "no"}


def test_default_readings_go_with_those_taken():
    riches = load_game("diamond-riches").setting

    chosen = default_readings(riches, {"prize-game-repeat": "each-time"})

    assert chosen["prize-meter-after"] == "emptied"
    assert default_readings(riches)["prize-meter-after"] == "stays-full"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            'game = "wide"',
            'game = "narrow"',
            "line 1: this edition is of 'narrow', not of 'wide'",
        ),
        ('name = "test"\n', "", ": key 'name' is missing"),
        ('name = "test"', "name = 3", "line 2: name: expected text, got a whole number"),
        ("about =", "abuot =", "line 3: unknown key 'abuot'; did you mean about?"),
        ('game = "wide"', "game = wide", "line 1, column 8: not TOML: Invalid value"),
        (
            "[parameters.low]",
            "[parameters.lou]",
            "line 5: unknown parameter 'lou'; did you mean low?",
        ),
        (
            '[parameters.price]\nvalue = 500\nsource = "Procedures"',
            "",
            "parameter 'price' is missing",
        ),
        ("value = 2", "value = 0", "line 6: parameters.low.value: 0 is not between 1 and 9"),
        ("value = 500", "value = 0", "parameters.price.value: 0 is not at least 1 pence"),
        ("[4, 5]", "[4, 6]", "line 14: parameters.boxes.value[1]: 6 is not between 1 and 5"),
        ("[4, 5]", "[4]", "parameters.boxes.value: 2 values were expected (rows), not 1"),
        ("[4, 5]", "4", "parameters.boxes.value: expected a list, got a whole number"),
        (
            "value = 500",
            'value = "500"',
            "line 22: parameters.price.value: expected a whole number, got text",
        ),
        ("value = 500", "value = true", "expected a whole number, got true or false"),
        ("[1, 0]]", "[1]]", "parameters.wheel.value[1]: 2 values were expected (rows), not 1"),
        ("[1, 0]]", "[1, 4]]", "parameters.wheel.value[1][1]: 4 is not between 0 and 3"),
        ("[[0, 1], [1, 0]]", "[]", "parameters.wheel.value: at least one is needed"),
        (
            "value = 2\n",
            "value = 4\n",
            "line 5: low, high: values do not fit together: The lower is no higher than the",
        ),
        (
            'source = "assumed"',
            'source = " "',
            "parameters.low.source: say where the value is from",
        ),
        ('source = "assumed"\n', "", "parameters.low: missing required key 'source'"),
        (
            "value = 2",
            "value = 2\nunit = 3",
            "line 5: parameters.low: unknown key 'unit'",
        ),
        ("amount = 1500", "amount = 1400", "line 29: prizes row 02 does not sum: parts and "),
        ("odds = 163", "odds = 0", "prizes row 02: amounts (pence) and odds must be positive"),
        ("odds = 163", "odd = 163", "line 29: prizes row 02: unknown key 'odd'"),
        (
            "odds = 6 ",
            'odds = "6"',
            "line 28: prizes row 01.odds: expected a whole number, got text",
        ),
        (
            "amount = 1500, parts = [500], prize_game = 1000",
            "amount = 500, parts = [500]",
            "prizes row 02 repeats row 01",
        ),
    ],
)
def test_what_is_wrong_is_named(edition, tmp_path, old, new, message):
    with pytest.raises(BadInput) as caught:
        edition(old, new)

    assert str(caught.value).startswith(str(tmp_path / "edition.toml"))
    assert message in str(caught.value)


def test_lines_may_end_as_on_windows_and_the_file_may_be_marked(edition, tmp_path):
    """The hash stays that of the file, so that ``sha256sum`` agrees."""
    plain = edition()
    data = b"\xef\xbb\xbf" + plain.path.read_bytes().replace(b"\n", b"\r\n")
    path = tmp_path / "windows.toml"
    path.write_bytes(data)

    loaded = load_edition(WIDE, path)

    assert (loaded.parameters, loaded.prizes) == (plain.parameters, plain.prizes)
    assert loaded.hash == sha256(data).hexdigest()


def test_a_file_that_ends_too_early_is_not_toml(edition):
    with pytest.raises(
        BadInput, match=r"edition\.toml, (line \d+, column|end of)[\w ]*: not T"
    ):
        edition('source = "Procedures"\nrows', 'source = "Procedures')


def test_a_file_that_cannot_be_read(tmp_path):
    with pytest.raises(BadInput, match=r"no\.toml: cannot be read: No such file"):
        load_edition(WIDE, tmp_path / "no.toml")


def test_a_file_that_is_not_text(tmp_path):
    (tmp_path / "bad.toml").write_bytes(b"\xff\xfe")

    with pytest.raises(BadInput, match="not UTF-8 text"):
        load_edition(WIDE, tmp_path / "bad.toml")


def test_a_game_without_a_default_edition():
    with pytest.raises(BadInput, match="wide has no default edition: give one with --edition"):
        load_edition(WIDE)
