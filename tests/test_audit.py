"""The audit of prize tables: sound tables pass, however rounded; one wrong figure is found."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from playproof.errors import BadInput
from playproof.models.editions import default_readings, load_edition
from playproof.models.games import load_game
from playproof.models.money import pounds
from playproof.models.setting import settle
from playproof.oracles.winnable import target_text
from playproof.proofs.audit.audit import Audit, Outcome, audit
from playproof.proofs.audit.counts import Demands, conflict, intervals, least, possible
from playproof.proofs.audit.document import read_document, text_of
from playproof.proofs.audit.figures import Unreadable, money, plain, printed
from playproof.proofs.audit.levels import off_level
from playproof.proofs.audit.of_game import table_of
from playproof.proofs.audit.rounding import Rounding, of_odds
from playproof.proofs.audit.sheet import looks_like_a_sheet, read_sheet
from playproof.proofs.audit.table import Headlines, Part, Printed, PrizeTable, Row
from playproof.reports.cli import app

COLLECTOR = load_edition(load_game("colour-collector"))
RICHES = load_edition(load_game("diamond-riches"))


@cache
def of_collector() -> Audit:
    return audit(table_of(COLLECTOR))


SMALL = "£5\t6\n£6\t65\n£14 (£6 + £8)\t100\n£50\t400\n£1,000\t10,000\n£100,000\t1,000,000"


def document(*, odds: str = "5.06", payout: str = "28.14", rows: str = SMALL) -> str:
    """Return a document in words of our own."""
    return (
        "A game of colours\n\nGame Price: £5.00\n"
        f"The chance of a prize is 1 in {odds} overall. The prize payout is {payout}%.\n\n"
        f"Prize Amount\tApprox. odds (1 in x)\n{rows}\n\nOne prize a Play.\n"
    )


def collectors_document(odds: str = "2.77") -> str:
    """Return the same with Colour Collector's figures."""
    rows = "\n".join(
        f"{target_text(row) if row.parts else pounds(row.amount)}\t{row.odds}"
        for row in table_of(COLLECTOR).rows
    )
    return document(odds=odds, payout="73.50", rows=rows)


def audited(text: str, **headlines: object) -> Audit:
    table = read_document(text, "document")
    return audit(replace(table, headlines=Headlines(**headlines).over(table.headlines)))


# Sound tables


def test_colour_collectors_table_agrees_with_its_headlines_where_odds_are_rounded_up() -> None:
    found = of_collector()
    assert (found.outcome, found.pools[0]) == (Outcome.CONSISTENT, 6_500_000)
    assert found.rounding == (Rounding.UP, Rounding.UP, Rounding.NEAREST)
    assert found.flaws == ()
    paid = sum(n * row.amount for n, row in zip(found.counts, found.table.rows, strict=True))
    assert round(100 * paid / (6_500_000 * 500), 2) == 73.5
    assert 2.76 < 6_500_000 / sum(found.counts) <= 2.77
    for n, row in zip(found.counts, found.table.rows, strict=True):
        assert row.odds is not None
        assert -(-6_500_000 // n) == row.odds.value, "each row as printed, rounded up"


def test_added_up_as_printed_the_same_table_would_fail() -> None:
    naive = of_collector().naive
    assert naive.odds is not None
    assert naive.payout is not None
    assert (round(float(naive.odds), 3), round(float(naive.payout), 2)) == (2.877, 72.08)


def test_the_row_that_binds_is_the_one_with_most_to_give() -> None:
    found = of_collector()
    assert found.binding == found.table.rows[0]
    (own_low, own_high), (low, high) = found.own[0], found.ranges[0]
    assert own_low < low <= found.counts[0] <= high < own_high


def test_a_game_without_a_table_is_said_to_have_none() -> None:
    found = audit(table_of(RICHES))
    assert (found.outcome, found.counts) == (Outcome.NO_TABLE, ())
    assert found.table.headlines.odds is not None


def test_a_document_is_read_as_the_edition_has_it() -> None:
    read, known = read_document(collectors_document(), "document"), table_of(COLLECTOR)
    figures = [(r.amount, r.parts, r.odds and r.odds.value) for r in known.rows]
    assert [(r.amount, r.parts, r.odds and r.odds.value) for r in read.rows] == figures
    assert read.headlines.price == 500
    assert read.unread == ()


counted = st.lists(st.tuples(st.integers(1, 60), st.integers(1, 400)), min_size=1, max_size=7)


def rounded(value: Fraction, unit: Fraction, way: Rounding) -> Printed:
    parts = value / unit
    whole = {
        Rounding.UP: -(-parts // 1),
        Rounding.DOWN: parts // 1,
        Rounding.NEAREST: (parts + Fraction(1, 2)) // 1,
    }[way]
    return Printed(whole * unit, unit, str(float(whole * unit)))


@settings(deadline=None, max_examples=15)
@given(
    counted, st.integers(0, 9), st.sampled_from([Rounding.UP, Rounding.DOWN, Rounding.NEAREST])
)
def test_a_table_made_of_counts_is_never_called_inconsistent(
    rows: list[tuple[int, int]], more: int, way: Rounding
) -> None:
    total, cent = sum(n for _, n in rows), Fraction(1, 100)
    pool = total * (2 + more)
    unit = Fraction(1)
    made = tuple(
        Row(k, amount * 100, (), rounded(Fraction(pool, n), unit, way))
        for k, (amount, n) in enumerate(rows, start=1)
    )
    payout = Fraction(sum(amount * 100 * n for amount, n in rows), pool * 500) * 100
    headlines = Headlines(
        500, rounded(Fraction(pool, total), cent, way), rounded(payout, cent, Rounding.NEAREST)
    )
    with_pool = audit(PrizeTable("made", made, replace(headlines, pool=pool)))
    assert with_pool.outcome is Outcome.CONSISTENT
    assert all(
        low <= n <= high
        for n, (low, high) in zip(with_pool.counts, with_pool.ranges, strict=True)
    )
    assert audit(PrizeTable("made", made, headlines)).outcome is not Outcome.INCONSISTENT


# Counts, against trying all of them


small = st.tuples(st.integers(0, 3), st.integers(0, 3)).map(lambda e: (min(e), max(e)))


@settings(deadline=None, max_examples=15)
@given(
    st.lists(st.tuples(st.integers(1, 5), small), min_size=1, max_size=4),
    st.tuples(st.integers(0, 8), st.integers(0, 4)),
    st.tuples(st.integers(0, 20), st.integers(0, 8)),
)
def test_the_least_counts_and_their_ranges_are_those_of_trying_all(
    rows: list[tuple[int, tuple[int, int]]], winners: tuple[int, int], paid: tuple[int, int]
) -> None:
    amounts = tuple(amount for amount, _ in rows)
    ranges = tuple(one for _, one in rows)
    demands = Demands(amounts, ranges, (winners[0], sum(winners)), (paid[0], sum(paid)))
    right = [
        counts
        for counts in itertools.product(*(range(low, high + 1) for low, high in ranges))
        if winners[0] <= sum(counts) <= sum(winners)
        and paid[0] <= sum(n * a for n, a in zip(counts, amounts, strict=True)) <= sum(paid)
    ]
    assert possible(demands) == bool(right)
    assert least(demands) == (min(right) if right else None)
    if right:
        columns = list(zip(*right, strict=True))
        assert intervals(demands, 9) == tuple((min(c), max(c)) for c in columns)
    else:
        cause = conflict(demands)
        kept = replace(
            demands,
            rows=tuple(
                one if n in cause.rows else (0, None) for n, one in enumerate(demands.rows)
            ),
            winners=demands.winners if "winners" in cause.headlines else None,
            paid=demands.paid if "paid" in cause.headlines else None,
        )
        assert not possible(kept), "the conflict alone cannot be met"
        for row in cause.rows:
            assert possible(kept.without_row(row)), "and each row of it is needed"


@given(st.integers(1, 5000), st.integers(1, 5000), st.sampled_from(list(Rounding)[:3]))
def test_bounds_hold_the_count_that_was_rounded(winners: int, more: int, way: Rounding) -> None:
    pool = winners + more
    odds = rounded(Fraction(pool, winners), Fraction(1), way)
    if odds.value >= 1:
        low, high = of_odds(odds, Fraction(pool), way).whole()
        assert low <= winners
        assert high is None or winners <= high


# One figure wrong


def test_a_small_table_is_consistent() -> None:
    found = audited(document())
    assert (found.outcome, found.flaws, found.pools[0]) == (Outcome.CONSISTENT, (), 1_000_000)


def test_another_headline_is_found_and_what_it_would_have_to_be() -> None:
    found = audited(document(odds="5.56"))
    assert found.outcome is Outcome.INCONSISTENT
    assert found.conflict is not None
    assert "winners" in found.conflict.headlines
    (odds,) = [one for one in found.suspects if one.row is None and not one.payout]
    assert odds.most is not None
    assert odds.least < Fraction("5.055") < odds.most


def test_a_payout_that_the_rows_cannot_come_to_is_found() -> None:
    found = audited(document(payout="83.50"))
    assert found.outcome is Outcome.INCONSISTENT
    (payout,) = [one for one in found.suspects if one.payout]
    assert payout.most is not None
    assert payout.least < Fraction("28.14") < payout.most < 50


def test_a_row_with_a_slipped_digit_is_named_with_the_odds_it_would_need() -> None:
    found = audited(document().replace("£1,000\t10,000", "£1,000\t1,000"))
    assert found.outcome is Outcome.INCONSISTENT
    named = {one.row.number: one for one in found.suspects if one.row is not None}
    assert 5 in named
    assert named[5].most is None or named[5].least <= 10_000 <= named[5].most


def test_a_breakdown_that_does_not_sum_is_found() -> None:
    found = audited(document().replace("£6 + £8", "£6 + £7"))
    (flaw,) = [one for one in found.flaws if one.code == "sum"]
    assert "£13" in flaw.message
    assert found.table.rows[(flaw.row or 0) - 1].amount == 1400


def test_a_row_that_stands_there_twice_is_found() -> None:
    rows = document().replace("£50\t", "£14 (£8 + £6)\t100\n£50\t", 1)
    (flaw,) = [one for one in audited(rows).flaws if one.code == "duplicate"]
    assert "row 3" in flaw.message


def test_winners_that_contradict_their_odds_are_found() -> None:
    text = "amount,odds,winners\n£5,10,100\n£10,20,50\n£50,100,12\n"
    table = read_sheet(text, "t.csv")
    found = audit(replace(table, headlines=Headlines(pool=1000)))
    (flaw,) = [one for one in found.flaws if one.code == "odds-and-winners"]
    assert (flaw.row, flaw.line) == (3, 4)
    assert "12 winners in 1,000 Plays" in flaw.message


def test_a_row_without_a_whole_number_of_winners_conflicts_by_itself() -> None:
    table = read_document("Prize\tOdds\n£5\t4\n£9\t1,999\n", "t")
    found = audit(replace(table, headlines=Headlines(500, None, None, 3000)))
    assert found.outcome is Outcome.INCONSISTENT
    assert found.conflict is not None
    assert (found.conflict.rows, found.conflict.headlines) == ((1,), ())


def test_amounts_that_the_game_does_not_pay_are_found() -> None:
    game, readings = COLLECTOR.game, default_readings(COLLECTOR.game.setting)
    p, _, _ = settle(game.setting, COLLECTOR.parameters, readings)
    assert list(off_level(table_of(COLLECTOR), game, p)) == []
    wrong = Row(1, 1900, (Part(900), Part(1000, "Prize Game")))
    (flaw,) = off_level(PrizeTable("t", (wrong,), Headlines()), game, p)
    assert "£9 " in flaw.message


# What is missing


def test_figures_that_are_not_stated_leave_it_open_and_are_named() -> None:
    found = audited(document().replace("The chance of a prize is 1 in 5.06 overall. ", ""))
    assert found.outcome is Outcome.UNDER_DETERMINED
    assert found.missing == ("the overall odds",)
    assert found.ranges, "the ranges are there all the same"


def test_odds_that_tell_of_no_pool_leave_it_open() -> None:
    found = audited(
        "Price: £1\nOdds overall 1 in 3.0\nPayout 42%\nPrize  Odds\n£1  1 in 4\n£2  1 in 12\n"
    )
    assert found.outcome is Outcome.UNDER_DETERMINED
    assert "no pool" in found.why


# Reading


@pytest.mark.parametrize(
    ("line", "amount", "odds"),
    [
        ("£5\t6", 500, 6), ("£5  1 in 6", 500, 6), ("  £1,000\t6,500,000", 100_000, 6_500_000),
        ("£1,000,000 | 1 in 3,000,000", 100_000_000, 3_000_000),
        ("50p\t3.45", 50, Fraction("3.45")), ("£2.50*\t1:12", 250, 12),
        ("£5 (£2 + £3)†\t9", 500, 9), ("£1 million\t4,000,000", 100_000_000, 4_000_000),
        ("£5\u00a0(£2\u00a0+\u00a0£3)\t1\u00a0in\u00a09", 500, 9), ("£6 (3 x £2)²\t8", 600, 8),
    ],
)  # fmt: skip
def test_rows_are_read_in_any_layout(line: str, amount: int, odds: object) -> None:
    table = read_document(f"Prize\tOdds\n{line}\n£9\t70\n", "t")
    assert table.unread == ()
    first = table.rows[0]
    assert (first.amount, first.odds and first.odds.value) == (amount, odds)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("£5\t1,00", "'1,00' is no number"), ("£5,00\t7", "a row was expected"),
        ("£5 (£2 + three)\t8", "'three' is no part"), ("£5\t0.5", "less than 1"),
        ("£5\tabout 6", "no number"), ("£0\t6", "a prize of nothing"),
        ("£7\t1\t2", "expected, not 2"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_told_with_its_line_and_counts_as_wrong(
    line: str, why: str
) -> None:
    table = read_document(f"Prize\tOdds\n£4\t50\n{line}\n£9\t70\n", "t")
    (unread,) = table.unread
    assert (unread.line, why in unread.why) == (3, True), unread.why
    assert any(flaw.code == "unread" and flaw.line == 3 for flaw in audit(table).flaws)


def test_headlines_that_are_stated_twice_and_differ_are_told() -> None:
    table = read_document(document() + "\nThe game price is £2.00\n", "t")
    assert any("another price" in one.why for one in table.unread)


def test_two_tables_have_to_be_chosen_from() -> None:
    text = "Prize\tOdds\n£4\t50\n£9\t70\n" + "Words.\n" * 9 + "Prize\tOdds\n£1\t5\n£2\t7\n"
    with pytest.raises(BadInput, match=r"2 prize tables \(lines 2 to 3, lines 14 to 15\)"):
        read_document(text, "t")
    assert [row.amount for row in read_document(text, "t", table=2).rows] == [100, 200]
    with pytest.raises(BadInput, match="no table 3"):
        read_document(text, "t", table=3)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_documents_are_read_in_usual_encodings(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "game.txt"
    path.write_bytes(document().encode(encoding))
    text, notes = text_of(path)
    assert len(read_document(text, "t").rows) == 6
    assert bool(notes) == (not encoding.startswith("utf-8"))


@pytest.mark.parametrize(("data", "said"), [(b"", "empty"), (b"\x00\x01\x02\xff", "no text")])
def test_what_is_no_text_is_refused(tmp_path: Path, data: bytes, said: str) -> None:
    path = tmp_path / "game.txt"
    path.write_bytes(data)
    with pytest.raises(BadInput, match=said):
        text_of(path)


def test_a_sheet_names_its_columns() -> None:
    text = (
        "Prize;Odds;Winners;Total tickets\n5.00;1 in 10;100;1,000\n50p;20;50;1,000\nten;1;1;1\n"
    )
    assert looks_like_a_sheet(text)
    table = read_sheet(text, "t.csv")
    assert [(row.amount, row.winners) for row in table.rows] == [(500, 100), (50, 50)]
    assert table.headlines.pool == 1000
    assert [one.line for one in table.unread] == [4]


@given(st.text(max_size=40).filter(lambda text: len(text.splitlines()) < 2))
def test_no_text_makes_the_reader_fail(text: str) -> None:
    table = read_document(f"Prize\tOdds\n£4\t50\n£{text}\n£9\t70\n", "t", table=1)
    assert len(table.rows) + len(table.unread) >= 1
    for read in (money, printed):
        try:
            read(plain(text))
        except Unreadable:
            continue


# The command


def run(*args: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["audit", *args])
    return result.exit_code, result.output


def test_the_command_says_what_it_found_and_exits_by_it(tmp_path: Path) -> None:
    sound, wrong = tmp_path / "sound.txt", tmp_path / "wrong.txt"
    sound.write_text(collectors_document(), encoding="utf-8")
    wrong.write_text(document(odds="4.06"), encoding="utf-8")
    code, said = run(str(sound), "--game", "colour-collector")
    assert (code, "consistent" in said, "row 1 (£5, 1 in 6, line" in said) == (
        0,
        True,
        True,
    )
    code, said = run(str(wrong))
    assert (code, "cannot all be right" in said) == (1, True)
    code, said = run("diamond-riches")
    assert (code, "no prize table" in said) == (3, True)


def test_json_has_the_same_facts() -> None:
    code, said = run("colour-collector", "--format", "json")
    data = json.loads(said)
    assert (code, data["outcome"], data["binding"]) == (0, "consistent", 1)
    assert [row["count"] for row in data["rows"]] == list(of_collector().counts)


def test_a_row_that_no_play_wins_is_found(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("amount,odds\n£15 (£5 + £10 Prize Game),163\n£3,9\n", encoding="utf-8")
    code, said = run(str(path), "--game", "colour-collector", "--plays")
    assert (code, "row 2, line 3: no Play of any length wins £3" in said) == (1, True), said


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["no-such-file.txt"], "no such file"),
        (["colour-collector", "--odds", "two"], "'two'"),
        (["colour-collector", "--edition", "none.toml"], "none.toml"),
    ],
)  # fmt: skip
def test_bad_input_is_told_in_a_sentence(args: list[str], said: str) -> None:
    code, output = run(*args)
    assert code == 2
    assert "Traceback" not in output
    assert said in output


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("A game costs £5 a Play. Payout 73.00%\n", 3, "there is no prize table to audit"),
        ("Payout 73.00%\nThe payout is 72.00%\n", 1, "states another payout than line 1"),
        ("Prize  Odds\n£5  x 1\n£6  y 2\n", 1, "no row of the table that begins in line 2"),
        ("prize,odds\n£5,x\n", 1, "no row of the table that begins in line 1 can be read"),
        ("Milk\nEggs\n", 2, "neither a prize table nor a headline was found in 2 lines"),
    ],
)
def test_a_document_without_a_table_ends_as_a_game_without_one_does(
    tmp_path: Path, text: str, code: int, said: str
) -> None:
    file = tmp_path / "document.txt"
    file.write_text(text)
    ended, output = run(str(file))
    assert (ended, said in output) == (code, True), output
    assert run("diamond-riches")[0] == 3


# Figures that are none


@pytest.mark.parametrize(
    "row",
    [
        "£1,00\t1 in 40",
        "£1.000\t1 in 40",
        "£2½\t1 in 40",
        "£20\t1 in 7½",
        f"£20\t1 in {'9' * 5000}",
        f"£{'9' * 5000}\t1 in 40",
        "£20 (9999999999 x £1)\t1 in 40",
    ],
)
@pytest.mark.parametrize("place", [0, 2, 4])
def test_a_row_that_cannot_be_read_is_told_wherever_it_stands(row: str, place: int) -> None:
    rows = [f"£{n}\t1 in {n}0" for n in range(5, 9)]
    rows.insert(place, row)
    read = read_document(document(rows="\n".join(rows)), "document")
    assert [one.line for one in read.unread] == [7 + place]
    assert len(read.rows) == 4


def test_a_headline_that_cannot_be_read_is_told() -> None:
    read = read_document(document(odds="9" * 5000), "document")
    assert [one.line for one in read.unread] == [4]
    assert read.headlines.odds is None


def test_pence_are_read_in_capitals_too() -> None:
    assert money("50P") == 50
    assert read_sheet("Amount,Odds\n50P,1 in 4\n", "table").rows[0].amount == 50


def test_a_cell_that_no_table_has_is_bad_input() -> None:
    with pytest.raises(BadInput, match="field larger"):
        read_sheet(f"Amount,Odds\n£5,{'x' * 200_000}\n", "table")


def test_a_line_of_many_words_takes_no_longer_than_it_is_long() -> None:
    text = document().replace("One prize", "overall 1 " * 20_000)
    assert len(read_document(text, "document").rows) == 6
