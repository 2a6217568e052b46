"""What a user may ask for, and what is said of what nobody knows."""

from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from rich.console import Console

from playproof.errors import BadInput
from playproof.files import output_folder
from playproof.models.algebra import Bool, Int, all_of
from playproof.models.setting import parameter
from playproof.proofs.manifest import claims_of
from playproof.reports.proving import prove_all
from playproof.reports.request import Request, choose

from .lucky_dip import LUCKY_DIP, Dip

DIP = f"{LUCKY_DIP.initial.__module__}:LUCKY_DIP"

EDITION = """\
game = "lucky-dip"
name = "test"
[parameters.jar]
value = 4
source = "assumed"
[parameters.amount]
value = 200
source = "assumed"
"""


def ask(*, games=(DIP,), properties=(), readings=(), edition=None):
    return choose(games, properties, readings, edition)


def test_everything_of_both_games_unless_told_otherwise():
    requests = ask(games=())

    assert [request.game.id for request in requests] == ["colour-collector", "diamond-riches"]
    assert all(request.parameters is None for request in requests)


def test_one_property_under_one_reading():
    (request,) = ask(properties=["in-range"], readings=["coin-surplus=impossible"])

    assert [claim.id for claim in request.claims] == ["in-range"]
    assert request.readings == {"coin-surplus": "impossible"}


def test_an_edition_fixes_every_parameter(tmp_path):
    path = tmp_path / "dip.toml"
    path.write_text(EDITION)

    (request,) = ask(edition=path)

    assert request.parameters == {"jar": 4, "amount": 200}


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (
            {"properties": ["in-rage"]},
            "unknown property of lucky-dip 'in-rage'; did you mean in-range?",
        ),
        (
            {"readings": ["coin-surplus"]},
            "reading 'coin-surplus': write it as ID=CHOICE, e.g. valuation=at-fill",
        ),
        (
            {"readings": ["coin=dropped"]},
            "unknown reading of lucky-dip 'coin'; there are: coin-surplus",
        ),
        (
            {"readings": ["coin-surplus=droped"]},
            "unknown choice of reading coin-surplus 'droped'; did you mean dropped?",
        ),
        (
            {"readings": ["coin-surplus=dropped", "coin-surplus=impossible"]},
            "reading coin-surplus is taken as dropped and impossible",
        ),
        (
            {"games": (DIP, "colour-collector"), "edition": Path("dip.toml")},
            "dip.toml: an edition is of one game; name that game alone",
        ),
    ],
)
def test_what_nothing_bears(asked, message):
    with pytest.raises(BadInput) as caught:
        ask(**asked)

    assert str(caught.value) == message


def test_a_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "file").touch()

    with pytest.raises(BadInput, match="is a file; a folder to write to was expected"):
        output_folder(tmp_path / "file" / "out")


def test_trying_an_output_folder_leaves_nothing_in_it_at_ctrl_c(tmp_path, monkeypatch):
    touch = Path.touch

    def touched(self):
        touch(self)
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "touch", touched)
    with pytest.raises(KeyboardInterrupt):
        output_folder(tmp_path)

    assert list(tmp_path.iterdir()) == []


@dataclass(frozen=True)
class Impossible(Dip):
    """Lucky Dip with a jar that is both small and large."""

    def constraint(self) -> Bool:
        """The jar is small and large."""
        return all_of(self.jar < 3, self.jar > 5)


@dataclass(frozen=True)
class Downwards(Dip):
    """Lucky Dip with a jar whose limits are the wrong way round."""

    jar: Int = parameter("coins that fill the jar", 9, 1, clauses=("LD-2",))


def test_limits_the_wrong_way_round_are_said_to_be_what_cannot_hold():
    game = replace(LUCKY_DIP, setting=Downwards())
    request = Request("tests.lucky_dip:LUCKY_DIP", game, claims_of(game))

    with pytest.raises(BadInput, match=r"the limits of each parameter \(jar, amount\)"):
        prove_all([request], 1, None, Console())


def test_of_a_setting_that_nothing_satisfies_nothing_is_proved():
    game = replace(LUCKY_DIP, setting=Impossible())
    request = Request("tests.lucky_dip:LUCKY_DIP", game, claims_of(game))

    with pytest.raises(BadInput, match="what is left open cannot be taken together"):
        prove_all([request], 1, None, Console())
