"""Oracles: targets, paths, synthesis, scripts, and targets out of reach."""

from __future__ import annotations

import dataclasses
import itertools
import statistics
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playproof.errors import BadInput
from playproof.models.algebra import (
    all_of,
    bool_variable,
    int_variable,
    maximum,
    minimum,
    where,
)
from playproof.models.editions import default_readings, load_edition
from playproof.models.games import load_game
from playproof.models.play import Play, replay
from playproof.models.setting import settle
from playproof.oracles import script
from playproof.oracles.script import BrokenScript
from playproof.oracles.synthesis import Synthesis
from playproof.oracles.targets import Component, Target, parse_target, parse_targets
from playproof.proofs.finite import Query, solve
from playproof.proofs.paths import END, START, Paths, rule_graph
from playproof.proofs.spans import ANYTHING, Reader, Span, assume
from playproof.proofs.verdict import Outcome

from . import played
from .lucky_dip import LUCKY_DIP

DIP = dataclasses.replace(played.DIP, prizes=())


ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def collector() -> Synthesis:
    return Synthesis(load_edition(load_game("colour-collector")))


@pytest.fixture(scope="module")
def riches() -> Synthesis:
    return Synthesis(load_edition(load_game("diamond-riches")))


# Spans


small = st.integers(-6, 6)


@given(st.sets(small, min_size=1), st.sets(small, min_size=1), small)
def test_a_span_holds_whatever_its_term_can_be(xs: set[int], ys: set[int], c: int) -> None:
    x, y = int_variable("x"), int_variable("y")
    terms = (
        lambda x, y: minimum(x + y, c), lambda x, y: maximum(x - y, c), lambda x, y: x * y,
        lambda x, y: (x + c) // 3, lambda x, y: (x - y) % 4,
        lambda x, y: where(x <= y, x, y), lambda x, y: where(x < c, x + y, c),
        lambda x, y: where(x == y, x - y, c),
    )  # fmt: skip
    for term in terms:
        reader = Reader({"x": Span.among(xs), "y": Span.among(ys)})
        span = reader.of(term(x, y))
        assert all(span.holds(term(a, b)) for a in xs for b in ys)


@given(st.sets(small, min_size=1), st.sets(small, min_size=1), small)
def test_assuming_a_condition_loses_no_value_that_meets_it(
    xs: set[int], ys: set[int], c: int
) -> None:
    x, y = int_variable("x"), int_variable("y")
    known = {"x": Span.among(xs), "y": Span.among(ys)}
    conditions = (
        lambda x, y: x + y <= c, lambda x, y: x < y, lambda x, y: x == c,
        lambda x, y: x + y == c, lambda x, y: x != y,
    )  # fmt: skip
    for condition in conditions:
        meets = [(a, b) for a in xs for b in ys if condition(a, b)]
        narrowed = assume(known, condition(x, y))
        if narrowed is None:
            assert not meets
            continue
        spans = {**known, **narrowed}
        assert all(spans["x"].holds(a) and spans["y"].holds(b) for a, b in meets)


@given(st.sets(small, min_size=1), st.sets(small, min_size=1), small)
def test_what_is_defined_narrows_what_defines_it_and_loses_no_value(
    xs: set[int], ys: set[int], c: int
) -> None:
    x, y = int_variable("x"), int_variable("y")
    known = {"x": Span.among(xs), "y": Span.among(ys), "d": ANYTHING, "e": ANYTHING}
    definitions = (
        lambda x, y: where(x == 0, 0, y), lambda x, y: x - y + where(x < y, 1, 0),
        lambda x, y: where(x + y != c, where(y <= c, x, c), y), lambda x, y: minimum(x, y) + c,
    )  # fmt: skip
    for define in definitions:
        defined = {"d": define(x, y), "e": where(int_variable("d") == c, x, y)}
        meets = {
            (a, b): (d, a if d == c else b)
            for a in xs
            for b in ys
            if (d := define(a, b)) != 0 and (a if d == c else b) >= c
        }
        wanted = all_of(int_variable("d") != 0, int_variable("e") >= c)
        narrowed = assume(known, wanted, defined)
        if narrowed is None:
            assert not meets
            continue
        spans = {**known, **narrowed}
        for values in meets.items():
            for name, value in zip("xyde", (*values[0], *values[1]), strict=True):
                assert spans[name].holds(value)


def test_a_game_that_goes_on_says_that_its_last_spin_won_another() -> None:
    more, spins = bool_variable("more"), int_variable("spins")
    defined = {"spins": where(more, 1, 0), "phase": where(spins == 0, 0, 2)}
    known = {"more": Span.among((0, 1)), "spins": Span.between(0, 1), "phase": ANYTHING}
    narrowed = assume(known, int_variable("phase") == 2, defined)
    assert narrowed is not None
    assert (narrowed["more"].only, narrowed["spins"].only) == (1, 1)


def test_an_unlimited_span_holds_everything() -> None:
    assert ANYTHING.holds(-(10**12))
    assert ANYTHING.holds(10**12)


# Finite queries


@settings(max_examples=20, deadline=None)
@given(st.integers(-9, 9), st.integers(-9, 9), st.integers(1, 5))
def test_integers_and_bits_agree_with_trying_every_value(low: int, sum_: int, by: int) -> None:
    from playproof.proofs import finite

    x, y = int_variable("x"), int_variable("y")
    spans = {"x": Span.between(low, low + 5), "y": Span.between(-3, 3), "q": ANYTHING}
    made = x * 2 - y
    constraint = int_variable("q") // by == sum_
    query = Query(("x", "y"), (("q", made),), (constraint, x != y), spans)
    right = {
        (a, b)
        for a in range(low, low + 6)
        for b in range(-3, 4)
        if (a * 2 - b) // by == sum_ and a != b
    }
    small_query = finite.folded(query)
    for backend in (finite.Integers, finite.Bits):
        answer = small_query and finite._ask(small_query, backend, 10**7, 0)
        if small_query is None or answer is False:
            assert not right
        else:
            assert isinstance(answer, dict)
            values = {n: answer.get(n, small_query.spans[n].low) for n in ("x", "y")}
            assert (values["x"], values["y"]) in right
    assert (solve(query) is False) is (not right)


# Paths


def test_the_rule_graph_of_lucky_dip() -> None:
    p = settle(LUCKY_DIP.setting, DIP.parameters, default_readings(LUCKY_DIP.setting))[0]
    edges = {(START, "draw"), ("draw", "draw"), ("draw", "finish"), ("finish", END)}
    assert set(rule_graph(LUCKY_DIP, p).edges) == edges
    paths = Paths(LUCKY_DIP, p)
    found = [path.rules for path in paths.taking({"draw": 3, "finish": 1})]
    assert found == [("draw", "draw", "draw", "finish")]
    assert not list(paths.taking({"draw": 2, "finish": 1}))


def test_detours_come_late_and_dead_paths_not_at_all(collector: Synthesis) -> None:
    counts = {"spin": 6, "open-bonus-game": 1, "wrong-answer": 1, "finish": 1}
    late = (*["spin"] * 6, "open-bonus-game", "wrong-answer", "finish")
    earlier = (*["spin"] * 5, "open-bonus-game", "wrong-answer", "spin", "finish")
    first, second = itertools.islice(collector.paths.taking(counts), 2)
    assert (first.rules, second.rules) == (late, earlier)
    assert next(collector.paths.taking(counts, {late[:7]})).rules == earlier


# Counts of rules


def test_counts_of_lucky_dip_follow_from_its_claims() -> None:
    counting = Synthesis(DIP).counting
    pays = {
        amount: list(counting.vectors(lambda s, amount=amount: s.paid == amount))
        for amount in (300, 500)
    }
    assert pays == {300: [], 500: [{"draw": 3, "finish": 1}]}


def test_counts_of_diamond_riches_are_those_of_the_spins_it_awards(riches: Synthesis) -> None:
    edition = riches.edition
    for text, spins in [("£0", 6), ("£4 (red)", 7), ("£64 (£8 + £16 + £40)", 9)]:
        target = parse_target(text, edition)
        least = next(
            riches.counting.vectors(lambda s, t=target: t.won(riches.game, riches.p, s))
        )
        assert least["spin"] == spins


# Targets


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("£15", Target(1500)),
        ("15.00", Target(1500)),
        ("£1,000,000", Target(100_000_000)),
        ("£0", Target(0)),
        ("£20 (£20)", Target(2000, (Component(None, 2000),), 21)),
        (
            "£15 (£5 + £10 prize game)",
            Target(1500, (Component(None, 500), Component("Prize Game", 1000)), 14),
        ),
        ("£50 (Prize Game)", Target(5000, (Component("Prize Game", 5000),), 59)),
        ("row 14", Target(1500, (Component(None, 500), Component("Prize Game", 1000)), 14)),
    ],
)
def test_targets_as_people_write_them(text: str, target: Target, collector: Synthesis) -> None:
    assert parse_target(text, collector.edition) == target


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "an amount was expected first"),
        ("fifteen", "an amount was expected first"),
        ("£15 (£5 + £9)", "the parts add up to £14, not £15"),
        ("£15 (Prise Game)", "did you mean Prize Game"),
        ("£15 (£5 + )", "a part is missing"),
        ("£15 £5", "is left over"),
        ("row 100", "rows 1 to 99"),
        ("£15 (£0 + £15)", "left out, not written £0"),
    ],
)
def test_what_is_no_target_is_said(text: str, message: str, collector: Synthesis) -> None:
    with pytest.raises(BadInput, match=message):
        parse_target(text, collector.edition)


def test_all_needs_a_prize_table() -> None:
    with pytest.raises(BadInput, match="no prize table"):
        parse_targets("all", DIP)


@given(st.integers(0, 10**9), st.none() | st.integers(1, 10**9))
def test_a_target_reads_back_as_it_is_written(pence: int, jar: int | None) -> None:
    parts = None if jar is None else (Component("jar", jar),)
    target = Target(pence if jar is None else jar, parts)
    assert parse_target(str(target), DIP) == target


# Synthesis and scripts


@pytest.mark.parametrize("amount", [0, 500, 1000, 2000])
def test_lucky_dip_pays_what_it_can(amount: int) -> None:
    target = Target(amount)
    finding = Synthesis(DIP).find(target)
    assert finding.complete
    made = script.make(DIP, target, finding.plays[0])
    assert made.prize.amount == amount
    assert script.decode(script.encode(made)) == made


def test_what_lucky_dip_cannot_pay_is_proved() -> None:
    finding = Synthesis(DIP).find(Target(300))
    assert finding.unreachable
    assert finding.verdict is not None
    assert finding.verdict.certificate is not None
    assert {answer.answer for answer in finding.verdict.answers} == {"unsat"}


@pytest.mark.slow
@pytest.mark.parametrize("text", ["£3", "£5.01"])
def test_amounts_that_no_play_of_colour_collector_pays(text: str, collector: Synthesis) -> None:
    finding = collector.find(parse_target(text, collector.edition))
    assert finding.unreachable
    assert not finding.plays


def test_three_pounds_are_out_of_reach_in_diamond_riches(riches: Synthesis) -> None:
    finding = riches.find(parse_target("£3", riches.edition))
    assert finding.verdict is not None
    assert finding.verdict.outcome is Outcome.PROVED


@pytest.mark.whole
def test_every_row_has_a_script_that_wins_it_alone() -> None:
    """Looked at in what the README's first command wrote."""
    edition = load_edition(load_game("colour-collector"))
    targets = parse_targets("all", edition)
    assert len(targets) == 99
    names = set()
    for target, row in zip(targets, edition.prizes, strict=True):
        name = script.file_name(target)
        made = script.load(ROOT / "out" / "scripts" / "colour-collector" / name)
        script.check(made, edition)
        won = sorted(made.prize.parts.values())
        assert won == sorted([*row.parts, *([row.prize_game] if row.prize_game else [])])
        assert all(made.promises.values())
        names.add(name)
    assert len(names) == 99


LADDERS = {
    "red": (4, 6, 8), "blue": (8, 12, 16), "pink": (20, 30, 40), "green": (100, 150, 200),
    "purple": (1000, 1500, 2000), "yellow": (1_000_000,),
}  # fmt: skip
RICHES = (
    *(f"£{amount:,} ({name})" for name, amounts in LADDERS.items() for amount in amounts),
    "£0", "£5 (Prize Game)", "£50 (Prize Game)", "£1,000 (Prize Game)",
    "£58 (red + £50 Prize Game)", "£12 (red + £8 blue)", "£36 (£6 + £30)",
    "£64 (£8 + £16 + £40)", "£1,000,004 (red + £1,000,000 yellow)",
    "£1,002,264 (£8 + £16 + £40 + £200 + £2,000 + £1,000,000)",
)  # fmt: skip


@pytest.mark.parametrize("text", RICHES)
def test_diamond_riches_targets(text: str, riches: Synthesis) -> None:
    target = parse_target(text, riches.edition)
    finding = riches.find(target)
    assert finding.complete
    made = script.make(riches.edition, target, finding.plays[0])
    assert made.prize.amount == target.amount
    assert target.won(riches.game, riches.p, last_state(riches, finding.plays[0])) is True
    script.check(made, riches.edition)


def last_state(by: Synthesis, play: Play) -> Any:
    *_, last = replay(by.game, play)
    return last.s


@pytest.mark.slow
@pytest.mark.parametrize("text", ["£1", "£7", "£5.01", "£15 (£6 + £9)", "£46 (£16 + £30)"])
def test_what_diamond_riches_never_pays(text: str, riches: Synthesis) -> None:
    assert riches.find(parse_target(text, riches.edition)).unreachable


@pytest.mark.slow
@pytest.mark.parametrize("text", ["£4 (red)", "£8 (red)", "£50 (Prize Game)"])
def test_five_scripts_of_diamond_riches_differ(text: str, riches: Synthesis) -> None:
    target = parse_target(text, riches.edition)
    finding = riches.find(target, 5)
    assert finding.complete
    orders = {tuple(step.rule for step in play.steps) for play in finding.plays}
    assert len(orders) == 5


def test_another_seed_gives_another_script_first(riches: Synthesis) -> None:
    target = parse_target("£4 (red)", riches.edition)
    first = {riches.find(target, seed=seed).plays[0].steps for seed in range(4)}
    assert len(first) >= 3


@pytest.mark.slow
def test_what_was_asked_before_changes_nothing(riches: Synthesis) -> None:
    target = parse_target("£58 (red + £50 Prize Game)", riches.edition)
    fresh = Synthesis(riches.edition)
    assert fresh.find(target, seed=3).plays == riches.find(target, seed=3).plays


@pytest.mark.bench
def test_seconds_that_targets_take(collector: Synthesis, riches: Synthesis) -> None:
    def seconds(by: Synthesis, target: Target) -> float:
        start = time.perf_counter()
        assert by.find(target).complete
        return time.perf_counter() - start

    took = {text: seconds(riches, parse_target(text, riches.edition)) for text in RICHES}
    rows = [seconds(collector, row) for row in parse_targets("all", collector.edition)]
    for text, each in took.items():
        print(f"{each:6.2f}  {text}")  # noqa: T201
    middle = statistics.median(took.values())
    print(f"{middle:6.2f}  median, Diamond Riches")  # noqa: T201
    print(f"{sum(rows):6.2f}  all rows of Colour Collector")  # noqa: T201


def test_losing_plays_keep_the_promises_too_however_many(collector: Synthesis) -> None:
    """A Prize Game that wins nothing pays nothing either, but it may not come."""
    finding = collector.find(Target(0), 3)

    assert finding.complete
    for number, play in enumerate(finding.plays, start=1):
        made = script.make(collector.edition, finding.target, play, number=number)
        assert all(made.promises.values())


def test_scripts_of_one_target_differ_and_repeat(collector: Synthesis) -> None:
    target = parse_target("£5", collector.edition)
    finding = collector.find(target, 4, seed=7)
    assert finding.complete
    orders = {tuple(step.rule for step in play.steps) for play in finding.plays}
    assert len(set(finding.plays)) == 4 or len(orders) > 1
    assert len(orders) > 1
    again = Synthesis(collector.edition).find(target, 4, seed=7)
    for number, (one, other) in enumerate(zip(finding.plays, again.plays, strict=True), 1):
        first = script.make(collector.edition, target, one, number=number, seed=7)
        second = script.make(collector.edition, target, other, number=number, seed=7)
        assert script.encode(first) == script.encode(second)


def test_a_script_that_was_tampered_with_is_refused(
    collector: Synthesis, tmp_path: Path
) -> None:
    target = parse_target("£7 (£7)", collector.edition)
    made = script.make(collector.edition, target, collector.find(target).plays[0])
    path = script.write(made, tmp_path)
    assert [one.name for one in tmp_path.iterdir()] == ["row-03_7.00_7.json"]
    loaded = script.load(path)
    script.check(loaded, collector.edition)
    last = loaded.steps[-1]

    shows = {**last.shows, "paid": 800}
    steps = [*loaded.steps[:-1], msgspec.structs.replace(last, shows=shows)]
    with pytest.raises(BrokenScript, match="after step 7: the script shows paid = 800"):
        script.check(msgspec.structs.replace(loaded, steps=steps), collector.edition)
    other = dataclasses.replace(collector.edition, hash="1" * 64)
    with pytest.raises(BrokenScript, match="hash"):
        script.check(loaded, other)
    path.write_text("{}")
    with pytest.raises(BadInput, match="not a script"):
        script.load(path)


def test_what_the_player_chooses_is_left_out(collector: Synthesis) -> None:
    target = parse_target("£6 (£6)", collector.edition)
    made = script.make(collector.edition, target, collector.find(target).plays[0])
    assert made.choices == ["right-answer.picked_odd", "wrong-answer.picked_odd"]
    assert b'picked_odd":' not in script.encode(made)


@pytest.mark.parametrize("amount", ["£6", "£8", "£14", "£26", "£11"])
def test_an_amount_alone_is_found_whatever_it_is_made_of(
    collector: Synthesis, amount: str
) -> None:
    finding = collector.find(parse_target(amount, collector.edition))

    (play,) = finding.plays
    *_, end = replay(collector.game, play)
    assert end.s.paid == finding.target.amount
