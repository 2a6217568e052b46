"""Every statement of a line counts; a figure is read whole, with its sign, or told."""

from __future__ import annotations

import os
from fractions import Fraction
from pathlib import Path

import pytest
from typer.testing import CliRunner

from playproof.errors import BadInput
from playproof.proofs.audit.document import read_document, text_of
from playproof.proofs.audit.table import PrizeTable
from playproof.reports.auditing import audit_of
from playproof.reports.cli import app

HARBOUR = Path(__file__).parent / "tables" / "harbour.txt"


def read(line: str) -> PrizeTable:
    return read_document(f"{line}\nPrize\tOdds\n£5\t4\n£9\t1,999\n", "t")


def told(line: str) -> list[str]:
    return [one.why for one in read(line).unread]


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("The payout is 30.0 %. The payout is 50 %.", "payout"),
        ("Payout\t30.0 %\tReturn to players\t50 %", "payout"),
        ("30 % payout; payout approx. 50 %", "payout"),
        ("Price: £2. Each Play costs £3.", "price"),
        ("To play for £2, and to play for £3.", "price"),
        ("1 in 2.77 overall. Overall odds 1 in 3.77.", "odds"),
        ("Total plays: 1,000. Number of Plays: 2,000.", "pool"),
        ("The payout is 50 %. We round it, and the payout. The payout is 30.0 %.", "payout"),
    ],
)
def test_two_headlines_in_one_line_that_differ_are_told(line: str, name: str) -> None:
    assert told(line) == [f"states more than one {name}"]


@pytest.mark.parametrize(
    "line",
    [
        "The payout is 50 %, and 5 % of the prize payout is for the top prize.",
        "The payout is 50 %. We round the payout. 20 % of prizes are won online.",
        "The payout is 50 %. The return to good causes is 20 %.",
        "Payout 50.0 % (return to players: 50 %)",
        "The price of a Play is £2. Play for £1,000,000.",
        "1 in 2.77 overall, and 1 in 6 for a prize of £5.",
        "Overall odds of winning: 1 in 2.77 (odds of £5: 1 in 6).",
        "Total plays: 1,000. The number of plays a day is 50.",
        "Price – £2, payout – 50 %, number of Plays – 1,000",
        "Play-price: £2; payout:50%; total plays (approx.): 1,000,000",
    ],
)
def test_other_figures_of_a_line_are_no_second_headline(line: str) -> None:
    assert told(line) == []


def test_an_unreadable_headline_loses_no_other_of_its_line() -> None:
    table = read("Price: £2,50. The payout is 73,50 %. Number of Plays: 1,000")

    assert [one.why for one in table.unread] == [
        "'£2,50' is no amount of money as one is written",
        "'73,50' is no number as one is written",
    ]
    assert table.headlines.pool == 1000


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("Overall odds 1 in 2,77", "'2,77'"),
        ("The chance is 1 in 2,77 overall.", "'2,77'"),
        ("Number of Plays: 6,50", "'6,50'"),
        ("Number of Plays: 6 million", "'6 million'"),
        ("Overall odds 1 in 7½", "'71⁄2'"),
        ("Payout 70-75 %", "'70-75'"),
        ("Payout 70 to 75 %", "'70 to 75'"),
        ("Payout 70 % to 75 %", "'70 % to 75'"),
        ("Payout between 70 % and 75 %", "'between 70'"),
        ("Overall odds 1 in 2.77-3", "'2.77-3'"),
        ("Number of Plays: -1000", "'-1000'"),
        ("Number of Plays: −1000", "'-1000'"),
        ("Payout minus 30.0 %", "'minus 30.0'"),
        ("Payout: -30.0 %", "'-30.0'"),
        ("-30.0 % payout", "'-30.0'"),
        ("Overall odds 1 in -2.77", "'-2.77'"),
        ("Price: -£2", "'-£2'"),
        ("Price: £-2", "'£-2'"),
    ],
)
def test_a_headline_that_is_no_number_is_told_whole_with_its_sign(line: str, said: str) -> None:
    (why,) = told(line)

    assert why.startswith(f"{said} is no ")
    assert vars(read(line).headlines) == dict.fromkeys(("price", "odds", "payout", "pool"))


def test_headlines_of_one_line_are_all_read() -> None:
    stated = read(
        "Price £2; overall odds 1 in 3.50; payout 50.5 %; total plays 1,000"
    ).headlines

    assert stated.odds is not None
    assert stated.payout is not None
    assert (stated.price, stated.pool) == (200, 1000)
    assert (stated.odds.value, stated.payout.value) == (Fraction("3.5"), Fraction("50.5"))


@pytest.mark.parametrize("words", ["1 in 9 overall ", "payout 7,3 %. ", "payout. "])
def test_a_line_of_many_statements_takes_no_longer_than_it_is_long(words: str) -> None:
    assert len(told(words * 4_000)) < 2


# The command


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["colour-collector", "--table", "3"], "--table 3: colour-collector is a game"),
        (["colour-collector", "--game", "diamond-riches"], "colour-collector is a game"),
        ([str(HARBOUR), "--plays"], "--plays takes --game as well"),
        ([str(HARBOUR), "--edition", "none.toml"], "--edition takes --game as well"),
        ([str(HARBOUR), "--timeout", "1"], "--timeout takes --plays as well"),
        (
            [str(HARBOUR.with_name("quarry.csv")), "--table", "1"],
            "is one table, not a document",
        ),
        ([""], "not an empty one"),
        (["no_such_module:GAME"], "no_such_module"),
        ([str(HARBOUR.parent)], "a folder; a document or a table was expected"),
    ],
)
def test_what_has_no_effect_or_is_not_there_is_refused(args: list[str], said: str) -> None:
    ended = CliRunner().invoke(app, ["audit", *args])

    assert ended.exit_code == 2, ended.output
    assert said in ended.stderr
    assert "No such file" not in ended.stderr


def test_a_game_of_ones_own_is_audited_by_its_name() -> None:
    with pytest.raises(BadInput, match="no default edition"):
        audit_of("tests.lucky_dip:LUCKY_DIP")


def test_a_pipe_is_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)

    def opened(*_: object) -> None:
        raise AssertionError("a pipe that nobody writes to was opened: it would never end")

    monkeypatch.setattr(Path, "open", opened)
    with pytest.raises(BadInput, match="a file was expected, not a pipe or a device"):
        text_of(path)


# Words


def lines_of(tmp_path: Path, text: str) -> str:
    path = tmp_path / "table.txt"
    path.write_text(text, encoding="utf-8")
    return "\n".join(audit_of(str(path)).lines())


def test_one_is_told_in_the_singular(tmp_path: Path) -> None:
    said = lines_of(tmp_path, "Number of Plays: 1\nPrize\tOdds\n£5\t1\n£9\t1\n")
    assert "1 Play" in said
    assert "1 Plays" not in said
    with pytest.raises(BadInput, match="was found in 1 line;"):
        read_document("Milk", "t")
    with pytest.raises(BadInput, match="no table 3: 1 was found"):
        read_document(HARBOUR.read_text("utf-8"), "t", table=3)


def test_what_prints_the_same_at_both_ends_is_told_once(tmp_path: Path) -> None:
    rows = "Prize\tWinners\tOdds\n£5\t1,000\t12\n£15\t500\t24\n"
    head = "Price: £2.50\nNumber of Plays: 12,000\nThe odds are 1 in 8.00 overall.\n"
    said = lines_of(tmp_path, f"{head}Payout 37.50 %\n{rows}")
    assert "all else agrees if the payout is 41.67 %, not 37.50 %" in said


def test_a_payout_that_conflicts_by_itself_is_given_a_reason(tmp_path: Path) -> None:
    rows = "Prize\tOdds\n£5\t2\n£15\t2\n"
    said = lines_of(tmp_path, f"Price: £5\nNumber of Plays: 7\nPayout 30.0 %\n{rows}")
    assert "cannot be right, in 7 Plays and however rounded: the payout" in said
    assert "no whole numbers of winners are paid that" in said
