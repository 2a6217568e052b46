"""Eighty documents laid out differently are read to the last figure, and none is guessed."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from fractions import Fraction

import pytest

from playproof.proofs.audit.audit import Outcome, audit
from playproof.proofs.audit.document import read_document
from playproof.proofs.audit.sheet import read_sheet

GROUPED = {"comma": ",", "none": "", "space": " ", "fixed": "\u00a0", "thin": "\u2009"}
PRICE = ("Game Price: {}", "Each Play costs {}.", "Ticket price {}", "Price: {} per play",
         "The price of a Play is {}.", "Play price = {}")  # fmt: skip
ODDS = ("Overall odds of winning: 1 in {}", "Your chance of a prize is 1 in {} overall.",
        "Overall, 1 in {} Plays wins.", "Odds of a prize (overall): 1 in {}")  # fmt: skip
PAYOUT = ("Prize payout: {}%", "The prize payout is {} per cent.", "Payout {} %",
          "Of all stakes {}% are paid out as prizes (payout).")  # fmt: skip
PARTED = ("\t", "\t\t", "  ", "     ", " | ", ";", "   ......  ")
HEADS = (
    ("Prize", "Odds"),
    ("Odds", "Prize"),
    ("Tier", "Prize Amount", "Odds of 1 in"),
    ("Prize", "Odds", "No. of winners"),
    ("Prize Tier", "Odds (1 in x)", "Prize"),
)
IN = ("1 in {}", "{}", "1:{}", "1-in-{}", "1 in {}*")


@dataclass(frozen=True)
class Made:
    """A document, what it says, and the lines of its rows."""

    text: str
    price: int
    rows: tuple[tuple[int, int, int], ...]
    lines: tuple[int, ...]


def made(seed: int) -> Made:
    """Make a document about a pool, in a layout of its own."""
    r = random.Random(seed)
    price, pool = r.choice((100, 250, 300, 500)), r.choice((400_000, 1_000_000, 2_500_000))
    amounts = sorted(r.sample([price * n for n in (1, 2, 3, 4, 5, 10, 20, 100, 1000)], 6))
    share = pool / r.choice((7, 9, 12))
    winners = [max(1, int(share / 3.3**n)) for n in range(6)]
    counts = [*zip(amounts, winners, strict=True), (price * 20_000, 1)]
    rows = tuple((amount, n, -(-pool // n)) for amount, n in counts)
    overall = math.ceil(Fraction(100 * pool, sum(n for _, n in counts))) / 100
    payout = round(Fraction(100 * sum(a * n for a, n in counts), pool * price), 2)
    group, parted, head, odds = map(r.choice, (list(GROUPED), PARTED, HEADS, IN))
    sign = r.choice(("£", "£", "GBP "))

    def number(n: int) -> str:
        return f"{n:,}".replace(",", GROUPED[group])

    def money(pence: int) -> str:
        pounds, rest = divmod(pence, 100)
        return f"{sign}{number(pounds)}" + (f".{rest:02}" if rest else "")

    told = [
        r.choice(PRICE).format(f"£{price / 100:.2f}"),
        r.choice(ODDS).format(f"{overall:.2f}"),
        r.choice(PAYOUT).format(f"{float(payout):.2f}"),
    ]
    r.shuffle(told)
    lines = ["A GAME THAT WAS MADE UP", *told, "", "Prizes", parted.join(head)]
    if parted == " | ":
        lines.append("|".join(["---"] * len(head)))
    at = []
    for tier, (amount, n, x) in enumerate(rows, start=1):
        cells = {"Prize": money(amount), "Prize Amount": money(amount), "Tier": str(tier),
                 "Prize Tier": f"Tier {tier}", "No. of winners": number(n)}  # fmt: skip
        lines.append(parted.join(cells.get(one, odds.format(number(x))) for one in head))
        at.append(len(lines))
        lines += [""] * (seed % 3 == 0)
    lines += ["", "* Odds are rounded up.", "One prize at most is paid for a Play."]
    return Made(r.choice(("\n", "\r\n")).join(lines), price, rows, tuple(at))


@pytest.mark.parametrize("first", range(0, 80, 10))
def test_every_layout_is_read_to_the_last_figure(first: int) -> None:
    texts = set()
    for seed in range(first, first + 10):
        one = made(seed)
        read = read_document(one.text, "made")
        assert (read.headlines.price, read.unread) == (one.price, ()), one.text
        found = [(row.amount, row.odds and row.odds.value, row.line) for row in read.rows]
        wanted = [(a, x, at) for (a, _, x), at in zip(one.rows, one.lines, strict=True)]
        assert found == wanted, one.text
        texts.add(one.text)
    assert len(texts) == 10


@pytest.mark.parametrize("seed", range(0, 80, 20))
def test_what_is_read_is_audited(seed: int) -> None:
    found = audit(read_document(made(seed).text, "made"))
    assert (found.outcome, found.flaws) == (Outcome.CONSISTENT, ())


@pytest.mark.parametrize("spoilt", ["1,00", "7½", "about 9", "1.000.000", ""])
def test_in_every_layout_a_figure_that_is_none_is_told_with_its_line(spoilt: str) -> None:
    for seed in range(40):
        one = made(seed)
        lines = one.text.splitlines()
        place = one.lines[seed % 6] - 1
        number = str(one.rows[seed % 6][2])
        shown = next(
            (w for sep in GROUPED.values() if (w := f"{int(number):,}".replace(",", sep))
             and lines[place].rstrip("*").endswith(w)), None)  # fmt: skip
        if shown is None:  # the odds are not the last
            continue
        lines[place] = lines[place].rstrip("*").removesuffix(shown) + spoilt
        read = read_document("\n".join(lines), "made")
        assert [doubt.line for doubt in read.unread] == [place + 1], lines[place]
        assert len(read.rows) == 6


ODD_LAYOUTS = {
    "numbered": "1. £2  1 in 5\n2. £5 (£2 + £3)  1 in 12.5\n3. £1,000  1 in 1,300,000\n",
    "bulleted": "• £2: 1 in 5\n• £5 (£2 + £3): 1 in 12.5\n• £1,000: 1 in 1,300,000\n",
    "dashes": "£2 – 1 in 5\n£5 (£2 + £3) – 1 in 12.5\n£1,000 – 1 in 1,300,000\n",
    "odds first": "1 in 5  £2\n1 in 12.5  £5 (£2 + £3)\n1 in 1,300,000  £1,000\n",
    "sums": "£2  1 in 5\n£5 = £2 + £3  1 in 12.5\n£1,000  1 in 1,300,000\n",
    "sums first": "£2  1 in 5\n£2 + £3 = £5  1 in 12.5\n£1,000  1 in 1,300,000\n",
    "about": "£2\tapprox. 1 in 5\n£5 (£2 + £3)\tone in 12.5\n£1,000\t~1 in 1,300,000\n",
    "wrapped": "£2  1 in 5\n£5 (£2 +\n   £3)  1 in 12.5\n£1,000  1 in 1,300,000\n",
    "a line a cell": (
        "Prize\nOdds\n£2\n1 in 5\n£5 (£2 + £3)\n1 in 12.5\n£1,000\n1 in 1,300,000\n"
    ),
    "a column of parts": (
        "Prize\tMade of\tOdds\n£2\t\t1 in 5\n£5\t£2 + £3\t1 in 12.5\n£1,000\t\t1 in 1,300,000\n"
    ),
    "two pages": (
        "Prize\tOdds\n£2\t1 in 5\n£5 (£2 + £3)\t1 in 12.5\n\nPage 3 of 9\nThe rules of Dip\n\n"
        "Prize\tOdds\n£1,000\t1 in 1,300,000\n"
    ),
}


@pytest.mark.parametrize("layout", ODD_LAYOUTS)
def test_rows_are_put_together_from_odd_layouts(layout: str) -> None:
    read = read_document(ODD_LAYOUTS[layout], layout)
    assert read.unread == ()
    assert [(row.amount, row.odds and row.odds.value) for row in read.rows] == [
        (200, 5),
        (500, Fraction("12.5")),
        (100_000, 1_300_000),
    ]
    assert [part.amount for part in read.rows[1].parts] == [200, 300]


@pytest.mark.parametrize("row", ["£5O  1 in 12", "1 in 12", "50p"])
def test_what_may_be_a_row_is_told_between_two_pages_too(row: str) -> None:
    text = ODD_LAYOUTS["two pages"].replace("Page 3 of 9", row)
    assert [one.line for one in read_document(text, "two pages").unread][:1] == [5]
    assert read_document(ODD_LAYOUTS["two pages"], "two pages").unread == ()


def test_a_sheet_may_have_a_title_and_tiers_that_are_no_amounts() -> None:
    text = "Prizes of Dip\nTier;Odds (1 in);Prize Amount\n1;5;£2\n2;12.5;£5\n"
    rows = read_sheet(text, "dip.csv").rows
    assert [(row.amount, row.line) for row in rows] == [(200, 3), (500, 4)]
