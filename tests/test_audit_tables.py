"""Six made-up tables with one wrong figure each: it is found, and once right all is well."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

import pytest
import z3
from hypothesis import example, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from playproof.errors import BadInput
from playproof.proofs.audit.audit import Outcome, audit
from playproof.proofs.audit.document import read_document, text_of
from playproof.proofs.audit.shares import Shares
from playproof.proofs.audit.table import Headlines, Printed
from playproof.reports.auditing import Audited, Stated, audit_of
from playproof.reports.cli import app

TABLES = Path(__file__).parent / "tables"


@dataclass(frozen=True)
class Planted:
    """The figure that is wrong, what it should be, and how the audit says so."""

    wrong: str
    right: str
    says: tuple[str, ...]
    stated: Stated = Stated()


PLANTED = {
    "harbour.txt": Planted(
        "1 in 5.41 overall",
        "1 in 4.51 overall",
        ("cannot all be right", "if the overall odds are 1 in 4.46 to 4.55, not 1 in 5.41"),
    ),
    "orchard.txt": Planted(
        "83.37 %",
        "38.37 %",
        ("cannot all be right", "if the payout is 37.95 % to 38.42 %, not 83.37 %"),
    ),
    "lantern.txt": Planted(
        "1 in 46\n",
        "1 in 406\n",
        (
            "cannot all be right",
            "row 5 (£20, 1 in 46, line 13) has odds of 1 in 387.17 to 439.59",
        ),
    ),
    "meadow.txt": Planted(
        "£15 (£5 + £9)",
        "£15 (£5 + £10)",
        ("row 3, line 9: the parts sum to £14, the row says £15 (sum)",),
    ),
    "quarry.csv": Planted(
        '"4,410"',
        "410",
        ("row 5, line 6: 4,410 winners in 800,000 Plays, where 1 in 1,952", "takes 410 to 410"),
        Stated(price="£2.50", odds="4.77", payout="40.94"),
    ),
    "tideway.tsv": Planted(
        "£10\t2,381",
        "£100\t2,381",
        ("row 5, line 6: the same prize as row 3, line 4 (duplicate)",),
        Stated(price="£2", odds="4.83", payout="41.65"),
    ),
}


def said(audited: Audited) -> str:
    """Return what an audit says, as one line."""
    return " ".join(line.strip() for line in audited.lines())


def test_there_are_six() -> None:
    assert {path.name for path in TABLES.iterdir()} == set(PLANTED)
    assert len(PLANTED) == 6


@pytest.mark.parametrize("name", PLANTED)
def test_the_wrong_figure_is_found_and_explained(name: str) -> None:
    planted = PLANTED[name]

    audited = audit_of(str(TABLES / name), stated=planted.stated)

    assert audited.exit_code == 1
    words = said(audited)
    assert [one for one in planted.says if one not in words] == [], words


@pytest.mark.parametrize("name", PLANTED)
def test_put_right_the_same_table_is_consistent(name: str, tmp_path: Path) -> None:
    planted = PLANTED[name]
    text = (TABLES / name).read_text("utf-8")
    assert text.count(planted.wrong) == 1
    mended = tmp_path / name
    mended.write_text(text.replace(planted.wrong, planted.right), "utf-8")

    audited = audit_of(str(mended), stated=planted.stated)

    assert audited.found.sound, said(audited)
    assert audited.exit_code == 0


HARBOUR = (TABLES / "harbour.txt").read_text("utf-8").replace("5.41", "4.51")

WRITTEN = {
    "entities": ("£", "&pound;"),
    "numbered entities": ("£1,000 ", "&#163;1,000&nbsp;"),
    "spaces that keep lines together": ("£50,000 ", "£50,000\u00a0"),
    "spaces between thousands": ("1,000,000", "1\u202f000\u202f000"),
    "pence": ("£2 ", "£2.00 "),
    "footnotes": ("£25 ", "£25* "),
    "raised numbers": ("£100 ", "£100² "),
    "footnotes in brackets": ("4,879", "4,879 [1]"),
    "full-width digits": ("488", "４８８"),
    "odds with words": ("488", "1 in 488"),
    "a pool that is stated": ("One prize at most", "Total plays: 2,000,000. One prize at most"),
}


@pytest.mark.parametrize("how", WRITTEN)
def test_figures_are_read_however_they_are_written(how: str) -> None:
    old, new = WRITTEN[how]
    assert old in HARBOUR

    table = read_document(HARBOUR.replace(old, new), "harbour")

    plain = read_document(HARBOUR, "harbour")
    assert [(r.amount, r.parts, r.odds and r.odds.value) for r in table.rows] == [
        (r.amount, r.parts, r.odds and r.odds.value) for r in plain.rows
    ]
    assert table.headlines.price == plain.headlines.price == 200
    assert not table.unread
    assert audit(table).outcome is Outcome.CONSISTENT


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252", "latin-1"])
def test_a_document_is_read_in_the_encoding_it_has(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "harbour.txt"
    path.write_bytes(HARBOUR.encode(encoding))

    text, _ = text_of(path)

    assert audit(read_document(text, "harbour")).sound


def test_of_two_tables_one_has_to_be_chosen() -> None:
    two = HARBOUR + "\n" * 2 + "Words. " * 40 + "\n" + HARBOUR

    with pytest.raises(BadInput, match=r"2 prize tables .*: choose with --table N"):
        read_document(two, "harbour")
    assert len(read_document(two, "harbour", table=2).rows) == 8


def test_html_in_a_document_is_text_like_any_other() -> None:
    table = read_document(HARBOUR.replace("£10 ", "£10 <b>"), "harbour")

    assert any("<b>" in one.text for one in table.unread)


WRONG = {
    ("--pool", "0"): "--pool 0: a pool of no Plays",
    ("--price", "£0"): "--price £0: a price of nothing",
    ("--odds", "0.5"): "--odds 0.5: odds of 1 in 0.5 are less than 1",
    ("--odds", "many"): "--odds many: 'many' is no number as one is written",
}


@pytest.mark.parametrize("option", WRONG)
def test_headlines_that_no_table_has_are_bad_input(option: tuple[str, str]) -> None:
    ended = CliRunner().invoke(app, ["audit", str(TABLES / "harbour.txt"), *option])

    assert ended.exit_code == 2
    assert ended.stderr == f"playproof: {WRONG[option]}\n"


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("1 in 4.51 overall", "1 in 0.51 overall", "odds of 1 in 0.51 are less than 1"),
        ("Game Price: £2.00", "Game Price: £0.00", "a price of nothing"),
        ("One prize", "Total plays: 0. One prize", "a pool of no Plays"),
    ],
)
def test_headlines_that_no_table_has_are_told_with_their_line(
    old: str, new: str, why: str
) -> None:
    table = read_document(HARBOUR.replace(old, new), "harbour")

    assert [one.why for one in table.unread] == [why]


@pytest.mark.parametrize(
    ("stated", "said"),
    [
        ("The payout is 73,50 %.", "'73,50' is no number as one is written"),
        ("The payout is 1 073.50 %.", "'1 073.50' is no number as one is written"),
        ("The payout is 1.73.5 %.", "'1.73.5' is no number as one is written"),
        ("The overall odds are 1 in 1 250.", "'1 250' is no number as one is written"),
        ("The game price is £1 000.", "'£1 000' is no number as one is written"),
        ("Number of Plays: 6 500 000", "'6 500 000' is no number as one is written"),
    ],
)
def test_a_piece_of_a_number_is_no_headline(stated: str, said: str) -> None:
    table = read_document(f"{stated}\nPrize\tOdds\n£5\t4\n£9\t1,999\n", "t")

    assert [one.why for one in table.unread] == [said]
    assert table.headlines == Headlines()


def test_a_payout_of_nothing_is_a_headline_that_conflicts() -> None:
    found = audit(read_document(HARBOUR, "harbour"))
    assert found.table.headlines.payout is not None
    nothing = Printed(Fraction(0), Fraction(1, 100), "0.00")
    table = replace(found.table, headlines=replace(found.table.headlines, payout=nothing))

    found = audit(table)

    assert found.outcome is Outcome.INCONSISTENT
    assert found.conflict is not None
    assert "paid" in found.conflict.headlines


@pytest.mark.parametrize(
    "text", ["prize,winners,tickets\n£1,20,10\n", "prize,odds\n£1,1.2\n£2,1.2\n"]
)
def test_no_more_win_than_there_are_where_no_overall_odds_are_stated(
    tmp_path: Path, text: str
) -> None:
    path = tmp_path / "table.csv"
    path.write_text(text)

    audited = audit_of(str(path))

    assert audited.found.outcome is Outcome.INCONSISTENT
    assert "that no more win than Plays there are" in "\n".join(audited.lines())


def test_a_file_that_is_too_long_for_a_table_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    path.write_bytes(b"x" * 5_000_001)

    with pytest.raises(BadInput, match="more than 5,000,000 bytes"):
        text_of(path)


@pytest.mark.parametrize(
    "text", ["£5,6\n£10,100\n", "a,b\n£5,6\n", "prize,colour\n£5,red\n", "x"]
)
def test_a_sheet_without_a_header_says_what_was_expected(tmp_path: Path, text: str) -> None:
    sheet = tmp_path / "table.csv"
    sheet.write_text(text)

    ended = CliRunner().invoke(app, ["audit", str(sheet)])

    assert ended.exit_code == 2
    assert "names no columns that can be used" in ended.stderr
    assert "as in: prize,odds,winners,tickets" in ended.stderr


RANGES = st.tuples(st.integers(-1, 9), st.one_of(st.none(), st.integers(0, 9)))


@settings(max_examples=40)
@given(
    rows=st.lists(st.tuples(st.integers(1, 6), RANGES), min_size=1, max_size=5),
    winners=st.one_of(st.none(), RANGES),
    paid=st.one_of(
        st.none(), st.tuples(st.integers(0, 60), st.one_of(st.none(), st.integers(0, 60)))
    ),
)
@example(rows=[(1, (0, None)), (2, (0, None))], winners=None, paid=(2, 1))
def test_shares_are_possible_where_a_solver_finds_some(rows, winners, paid) -> None:
    amounts, ranges = zip(*rows, strict=True)
    some = [z3.Real(f"row {n}") for n in range(len(rows))]
    solver = z3.Solver()
    sums = (
        (z3.Sum(some), winners),
        (z3.Sum([a * one for a, one in zip(amounts, some, strict=True)]), paid),
    )
    for term, wanted in [*zip(some, ranges, strict=True), *sums]:
        if wanted is not None:
            solver.add(term >= wanted[0])
            if wanted[1] is not None:
                solver.add(term <= wanted[1])
    solver.add(*(one >= 0 for one in some))

    shares = Shares(amounts, ranges, winners, paid)

    assert shares.possible() == (solver.check() == z3.sat)
    if not shares.possible():
        kept, sums_kept = shares.least_conflict(range(len(rows)))
        assert not shares.possible()
        for row in kept:
            again = Shares(
                amounts,
                ranges,
                *(
                    wanted if name in sums_kept else None
                    for name, wanted in (("winners", winners), ("paid", paid))
                ),
            )
            for other in set(range(len(rows))) - set(kept) | {row}:
                again.let_go(other)
            assert again.possible()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("odds", "outcome"), [("2.05", "inconsistent"), ("", "under-determined")]
)
def test_a_table_of_very_many_rows_is_decided(odds: str, outcome: str) -> None:
    rows = "\n".join(f"£{n + 1}\t{20 * n}" for n in range(1, 5001))
    stated = f"The chance is 1 in {odds} overall." if odds else ""

    found = audit(read_document(f"Price: £5\n{stated}\nPrize\tOdds\n{rows}\n", "many"))

    assert found.outcome.value == outcome
    if odds:
        assert found.why == "of more than 1,000 rows it is not looked for which conflict"
        assert found.conflict is not None
        assert found.conflict.headlines == ("winners",)
