"""The judge: what a sound build logs is let pass, and whatever is wrong is found, and where."""

from __future__ import annotations

import dataclasses
import math
import random
from functools import cache
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playproof.models.system import Step
from playproof.oracles.event import Event, Where, flat
from playproof.oracles.finding import CODES, Finding, Severity
from playproof.oracles.judge import Judge
from playproof.oracles.leak import Beginnings
from playproof.oracles.purse import Purse

from .played import (
    DIP,
    PLAYED,
    Log,
    changed,
    codes,
    dip,
    judged,
    log,
    played,
    put,
    with_screens,
)

WON = dip((3, 1), (2, 3), (1, 0))
"""A Play of Lucky Dip that fills the jar (£5), doubled twice: £20."""

ONE = Judge(DIP)
"""One judge for many logs: what it explains is limited, what it finds is not."""

draws = st.tuples(st.integers(0, 5), st.integers(0, 3))
plays = st.lists(draws, min_size=3, max_size=3).map(lambda three: dip(*three))


@cache
def judged_before(name: str) -> tuple[Judge, Log]:
    """Return a judge for a Play by its name, and what a sound build logs of it."""
    edition, steps = played(name)
    return Judge(edition), log(edition, steps)


def win(**to: Any) -> list[Finding]:
    """Return what is found in the Play that wins, its finish changed."""
    return judged(DIP, changed(log(DIP, WON), 4, **to))


# What is right


@given(plays)
def test_a_legal_play_as_the_rules_show_it_is_let_pass(play: tuple[Step, ...]) -> None:
    found = judged(DIP, log(DIP, play), ONE)
    lost = log(DIP, play)[-1][0].paid == 0
    assert codes(found) == ([("promise", 4)] if lost else [])


@pytest.mark.parametrize("name", PLAYED)
def test_a_play_of_either_game_is_let_pass(name: str) -> None:
    edition, steps = played(name)
    assert judged(edition, log(edition, steps)) == []


@given(plays, st.randoms(use_true_random=False))
def test_what_is_not_shown_is_not_held_against_a_build(
    play: tuple[Step, ...], rng: random.Random
) -> None:
    events = [
        (
            msgspec.structs.replace(
                event,
                shows={n: v for n, v in (event.shows or {}).items() if rng.random() < 0.5},
                won=None,
            ),
            where,
        )
        for event, where in log(DIP, play)
    ]
    assert {one.code for one in judged(DIP, events, ONE)} <= {"promise"}


def test_the_order_of_fields_and_labels_does_not_matter() -> None:
    edition, steps = played("prize-game")

    def turned(shown: Any) -> Any:
        if isinstance(shown, dict):
            return {name: turned(value) for name, value in reversed(shown.items())}
        return shown

    events = log(edition, steps)
    for step in range(1, len(events), 2):
        events = changed(events, step, shows=turned, reveal=turned)
    assert judged(edition, events) == []


@given(st.lists(plays, min_size=2, max_size=4), st.randoms(use_true_random=False))
def test_plays_may_be_interleaved(many: list[tuple[Step, ...]], rng: random.Random) -> None:
    logs = [log(DIP, play, play=f"P-{number}") for number, play in enumerate(many)]
    mixed = []
    while any(logs):
        mixed.append(rng.choice([one for one in logs if one]).pop(0))
    assert {one.code for one in judged(DIP, mixed, ONE)} <= {"promise"}


def test_the_players_choice_may_be_left_out_where_nothing_depends_on_it() -> None:
    edition, steps = played("bonus-game")
    events = log(edition, steps)
    assert any(event.choice for event, _ in events)
    left_out = [(msgspec.structs.replace(event, choice=None), where) for event, where in events]
    judge = Judge(edition)
    assert list(judge.judge(left_out)) == []
    assert judge.summary.with_unknowns == 0


def test_a_play_goes_on_as_it_was_left() -> None:
    events = log(DIP, WON)
    resumed = [
        one
        for event, where in events
        for one in (
            (event, where),
            (Event(event.play, event.step, "resume", shows=event.shows), where),
        )
    ]
    judge = Judge(DIP)
    assert list(judge.judge(resumed[:-1])) == []
    assert judge.summary.resumed == 4


# Wrong fields


@settings(max_examples=120, deadline=None)
@given(plays, st.data())
def test_one_wrong_number_is_found_at_its_step_and_field(
    play: tuple[Step, ...], data: st.DataObject
) -> None:
    events = log(DIP, play)
    step = data.draw(st.integers(0, 4))
    scalars = dict(flat(events[step][0].shows or {}))
    field = data.draw(st.sampled_from(sorted(scalars)))
    right = scalars[field]
    wrong = data.draw(
        st.just(not right)
        if isinstance(right, bool)
        else st.one_of(st.integers(-3, 9), st.integers()).filter(lambda n: n != right)
    )
    first = judged(DIP, changed(events, step, shows=put(field, wrong)), ONE)[0]
    assert (first.code, first.step, first.field) == ("shows", step, field)
    assert (first.shown, first.expected) == (wrong, right)
    assert first.where == events[step][1]


@settings(max_examples=20, deadline=None)
@given(st.sampled_from(sorted(PLAYED)), st.data())
def test_so_it_is_in_both_games(name: str, data: st.DataObject) -> None:
    judge, events = judged_before(name)
    step = data.draw(st.integers(0, len(events) - 1))
    scalars = dict(flat(events[step][0].shows or {}))
    field = data.draw(st.sampled_from(sorted(scalars)))
    right = scalars[field]
    wrong = not right if isinstance(right, bool) else right + data.draw(st.integers(1, 9))
    found = list(judge.judge(changed(events, step, shows=put(field, wrong))))
    assert (found[0].code, found[0].step, found[0].field) == ("shows", step, field)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (math.nan, "nan"), (3.0, "3.0"), (True, "true"), ("3", "'3'"), (None, "None"),
        (1e300, "1e+300"), ([3], "[3]"),
    ],
)  # fmt: skip
def test_a_value_of_another_kind_is_named_even_if_it_is_equal(value: Any, words: str) -> None:
    (found,) = judged(DIP, changed(log(DIP, WON), 1, shows=put("jar", value)))
    assert (found.code, found.step, found.field) == ("format", 1, "jar")
    assert found.message == f"jar is {words}; a whole number was expected"


def test_one_for_true_is_named_too() -> None:
    (found,) = judged(DIP, changed(log(DIP, WON), 4, shows=put("over", 1)))
    assert found.message == "over is 1; true or false was expected"


def test_a_field_that_the_game_does_not_have_is_said_once_in_a_play() -> None:
    events = log(DIP, WON)
    for step in range(5):
        events = changed(events, step, shows=put("sparkle", step))
    assert codes(judged(DIP, events)) == [("format", 0)]


def test_a_vector_is_wanted_by_its_labels() -> None:
    edition, steps = played("prize-game")
    (found,) = judged(edition, changed(log(edition, steps), 1, shows=put("rows", [0] * 7)))
    assert found.code == "format"
    assert "for rows a value for each of 1, 2, 3, 4, 5, 6, 7 was expected" in found.message


def test_labels_that_are_wrong_together_are_one_finding() -> None:
    edition, steps = played("prize-game")
    events = log(edition, steps)
    right = events[3][0].shows["rows"]  # type: ignore[index]
    both = {**right, "1": right["1"] + 1, "4": right["4"] + 2}
    first = judged(edition, changed(events, 3, shows=put("rows", both)))[0]
    assert (first.code, first.field) == ("shows", "rows")
    assert first.shown == {"1": both["1"], "4": both["4"]}
    assert first.expected == {"1": right["1"], "4": right["4"]}


def test_what_stays_wrong_is_said_once_and_again_when_it_was_right() -> None:
    events = log(DIP, WON)
    for step, value in ((1, 9), (2, 9), (4, 9)):
        events = changed(events, step, shows=put("level", value))
    assert codes(judged(DIP, events)) == [("shows", 1), ("shows", 4)]


# Steps that may not come


@pytest.mark.parametrize(
    ("reveal", "words"),
    [
        ({"coins": 6, "stars": 1}, "coins is 6, which is not from 0 to 5"),
        ({"coins": -1, "stars": 1}, "coins is -1, which is not from 0 to 5"),
        ({"coins": 10**30, "stars": 1}, f"coins is {10**30}, which is not from 0 to 5"),
    ],
)
def test_a_reveal_beyond_its_limits_is_illegal(reveal: dict[str, int], words: str) -> None:
    (found,) = judged(DIP, changed(log(DIP, WON), 1, reveal=reveal))
    assert (found.code, found.step, found.rule) == ("illegal", 1, "draw")
    assert found.message == f"draw may not come here: {words}"


def test_what_of_a_rules_own_condition_fails_is_said_with_its_values() -> None:
    edition, steps = played("prize-game")
    first = judged(edition, changed(log(edition, steps), 2, reveal=put("bonus_symbols", 40)))[0]
    assert (first.code, first.rule) == ("illegal", "spin")
    assert (
        "all reveal.symbols + reveal.bonus_symbols + reveal.prize_symbols <= 25 does not hold"
        in first.message
    )


def test_a_step_out_of_turn_is_illegal_and_what_may_come_instead_is_said() -> None:
    events = changed(log(DIP, WON), 2, event="finish", reveal=None, paid=0, won={})
    first = judged(DIP, events)[0]
    assert (first.code, first.step) == ("illegal", 2)
    assert "draws_left = 0 does not hold (2 = 0)" in first.message
    assert first.message.endswith("What may come is draw")


def test_an_illegal_step_names_the_property_that_it_breaks() -> None:
    edition, steps = played("bonus-game")
    rules = [step.rule for step in steps]
    events = log(edition, steps)
    opened = rules.index("open-bonus-game")
    # The spin before unlocked a Bonus Game; another spin is taken first.
    events = changed(
        events, opened + 1, event="spin", reveal=events[1][0].reveal, shows=None, choice=None
    )
    found = [one for one in judged(edition, events) if one.code == "illegal"]
    assert "no-spin-while-game-owed" in found[0].properties
    assert "CC-20" in found[0].clauses


def test_what_follows_from_an_illegal_step_is_not_said_again() -> None:
    events = log(DIP, WON)
    events = changed(events, 2, reveal={"coins": 9, "stars": 9}, shows=put("jar", 1))
    assert codes(judged(DIP, events)) == [("illegal", 2)]


def test_but_what_the_play_pays_is_judged_all_the_same() -> None:
    events = changed(log(DIP, WON), 2, reveal={"coins": 9, "stars": 9}, shows=put("jar", 1))
    found = judged(DIP, changed(events, 4, paid=1))
    assert ("paid", 4) in codes(found)


def test_an_unknown_event_is_named_with_those_there_are() -> None:
    found = judged(DIP, changed(log(DIP, WON), 2, event="dance"))
    assert found[0].code == "illegal"
    assert found[0].message == "'dance' is no event of lucky-dip: draw, finish"


# What is paid


def test_what_is_paid_has_to_be_what_the_rules_give() -> None:
    (found,) = win(paid=1999)
    assert (found.code, found.shown, found.expected) == ("paid", 1999, 2000)
    assert found.message == "£19.99 was paid; the rules give £20"
    assert found.clauses


def test_that_it_is_shown_so_too_is_not_said_twice() -> None:
    found = win(paid=4000, shows=put("paid", 4000))
    assert codes(found) == [("paid", 4)]
    assert found[0].fault == "multiplier"


def test_the_play_has_to_win_the_predetermined_outcome() -> None:
    (found,) = judged(DIP, changed(log(DIP, WON), 0, outcome={"amount": 500}))
    assert (found.code, found.step) == ("outcome", 4)
    assert "wins £20; the predetermined outcome is £5" in found.message
    (found,) = judged(
        DIP, changed(changed(log(DIP, WON), 0, outcome={"amount": 500}), 4, paid=500)
    )
    assert found.message.endswith("is £5, which was paid")


def test_its_parts_too() -> None:
    edition, steps = played("prize-game")
    outcome = {"amount": 1500, "parts": {"row-3": 1000, "row-1": 500}}
    (found,) = judged(edition, changed(log(edition, steps), 0, outcome=outcome))
    assert (found.code, found.field) == ("outcome", "outcome.parts")


def test_everything_shown_as_won_is_paid_and_everything_paid_was_shown() -> None:
    edition, steps = played("prize-game")
    last = len(steps)
    events = log(edition, steps)
    (found,) = judged(edition, changed(events, last, won={"row-1": 500}))
    assert found.code == "won"
    assert found.message == "Prize Game wins £10, and is not shown as won"
    won = {"row-1": 500, "Prize Game": 1000, "row-5": 5000}
    (found,) = judged(edition, changed(events, last, won=won))
    assert found.message == "row-5 is shown as won (£50), and wins nothing"
    (found,) = judged(edition, changed(events, last, won={"row-1": 600, "Prize Game": 1000}))
    assert (found.field, found.shown, found.expected) == ("won.row-1", 600, 500)


def test_what_wins_nothing_may_be_shown_as_nothing() -> None:
    edition, steps = played("prize-game")
    won = {"row-1": 500, "Prize Game": 1000, "row-5": 0}
    assert judged(edition, changed(log(edition, steps), len(steps), won=won)) == []


@pytest.mark.parametrize("paid", [None, 20.0, "2000", True])
def test_what_was_paid_has_to_be_said_in_whole_pence(paid: Any) -> None:
    (found,) = win(paid=paid)
    assert (found.code, found.field) == ("format", "paid")


def test_a_prize_that_the_table_does_not_have_is_found() -> None:
    short = dataclasses.replace(DIP, prizes=DIP.prizes[:1])
    (found,) = judged(short, log(short, WON))
    assert (found.code, found.message) == ("not-in-table", "no row of the prize table pays £20")


def test_so_is_a_breakdown_that_it_does_not_have() -> None:
    row = dataclasses.replace(DIP.prizes[2], parts=(1000, 1000))
    edition = dataclasses.replace(DIP, prizes=(row,))
    (found,) = judged(edition, log(edition, WON))
    assert found.message == "no row of the prize table is £20 (£20 jar)"


def test_an_edition_without_a_table_has_no_rows_to_win() -> None:
    bare = dataclasses.replace(DIP, prizes=())
    assert judged(bare, log(bare, WON)) == []


@pytest.mark.parametrize(
    ("outcome", "code"),
    [
        ({"amount": -5}, "format"),
        ({"amount": 2000.0}, "format"),
        ({}, "format"),
        ({"amount": 2000, "parts": {"pot": 2000}}, "format"),
        ({"amount": 2000, "parts": {"jar": 1}}, "outcome"),
        ({"amount": 2000, "row": 7}, "format"),
        ({"amount": 2000, "row": 1}, "not-in-table"),
    ],
)
def test_an_outcome_that_makes_no_sense_is_found_at_the_start(
    outcome: dict[str, Any], code: str
) -> None:
    assert codes(judged(DIP, changed(log(DIP, WON), 0, outcome=outcome))) == [(code, 0)]


def test_a_promise_is_judged_at_the_end() -> None:
    (found,) = judged(DIP, log(DIP, dip((0, 0), (0, 0), (0, 0))))
    assert (found.code, found.clauses) == ("promise", ("LD-6",))


def test_what_is_paid_before_the_end_is_found() -> None:
    assert codes(judged(DIP, changed(log(DIP, WON), 2, paid=5))) == [("format", 2)]


# Order


def test_a_play_without_its_end_is_found_with_what_was_due() -> None:
    (found,) = judged(DIP, log(DIP, WON)[:3])
    assert (found.code, found.step) == ("no-finish", 2)
    assert found.message == "the Play has no finish; what may come is draw"


def test_what_comes_after_the_end_is_found_once_in_a_play() -> None:
    events = log(DIP, WON)
    late = [(msgspec.structs.replace(e, step=e.step + 4), w) for e, w in events[1:]]
    assert codes(judged(DIP, [*events, *late])) == [("after-finish", 5)]


def test_two_plays_with_one_number_are_found_though_the_first_is_over() -> None:
    found = judged(DIP, [*log(DIP, WON, file="a"), *log(DIP, WON, file="b")])
    assert codes(found) == [("twice", 0)]
    assert found[0].where == Where("b", 1)


def test_and_though_it_is_not_over() -> None:
    assert codes(judged(DIP, [*log(DIP, WON)[:3], *log(DIP, WON)])) == [("twice", 0)]


@pytest.mark.parametrize("step", [1, 2, 3])
def test_a_step_that_comes_twice_is_found_and_left_out(step: int) -> None:
    events = log(DIP, WON)
    events.insert(step + 1, events[step])
    assert codes(judged(DIP, events)) == [("order", step)]


def test_steps_that_come_in_another_order_are_put_in_order() -> None:
    start, one, two, three, four = log(DIP, WON)
    (found,) = judged(DIP, [start, two, three, one, four])
    assert (found.code, found.message) == ("order", "step 1 comes after step 3")


def test_a_missing_step_is_found_and_the_rest_is_judged_as_it_may_be() -> None:
    events = log(DIP, WON)
    judge = Judge(DIP)
    (found,) = judge.judge([*events[:2], *events[3:]])
    assert (found.code, found.message) == ("order", "step 2 is missing")
    assert (judge.summary.with_unknowns, judge.summary.finished) == (1, 1)


def test_a_play_that_does_not_begin_with_a_start_is_found_and_judged() -> None:
    found = judged(DIP, changed(log(DIP, WON), 3, shows=put("jar", 0))[1:])
    assert codes(found) == [("order", 1), ("shows", 3)]


def test_what_comes_in_reverse_is_found_without_asking_a_solver(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def asked(purse: Purse, text: str) -> tuple[str, str]:
        raise AssertionError(text)

    monkeypatch.setattr(Purse, "ask", asked)
    judge = Judge(DIP)
    found = list(judge.judge(changed(log(DIP, WON), 4, paid=5)[::-1]))
    assert [one.code for one in found[:3]] == ["order", "won", "not-in-table"]
    assert codes(found[3:]) == [("after-finish", 3), ("twice", 0), ("no-finish", 0)]
    assert (judge.summary.finished, judge.summary.undecided) == (1, 1)


def test_an_empty_log_is_an_error() -> None:
    (found,) = judged(DIP, [])
    assert (found.code, found.severity) == ("empty", Severity.ERROR)


def test_of_very_many_open_plays_the_one_begun_first_is_ended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("playproof.oracles.session._MOST_OPEN", 3)
    starts = [log(DIP, WON, play=f"P-{number}")[0] for number in range(5)]
    found = judged(DIP, [*starts, *log(DIP, WON, play="P-0")[1:]])
    assert [one.play for one in found] == ["P-0", "P-1", "P-2", "P-3", "P-4"]
    assert {one.code for one in found} == {"no-finish"}


# Logs of something else


@pytest.mark.parametrize(
    ("start", "code"),
    [
        ({"game": "colour-collector"}, "game"),
        ({"edition": {"name": "other", "hash": "1" * 64}}, "edition"),
        ({"edition": {"name": "other"}}, "edition"),
        ({"edition": {"name": "other", "hash": None}}, "edition"),
        ({"readings": {"coin-surplus": "kept"}}, "readings"),
        ({"readings": {"weather": "fine"}}, "readings"),
        ({"format": "playproof-script"}, "format"),
        ({"version": 9}, "format"),
    ],
)
def test_a_log_of_something_else_is_not_judged_and_said_once(
    start: dict[str, Any], code: str
) -> None:
    judge = Judge(DIP)
    events = [
        one
        for number in range(3)
        for one in changed(
            changed(log(DIP, WON, play=f"P-{number}"), 0, **start), 2, shows=put("jar", 0)
        )
    ]
    assert codes(judge.judge(events)) == [(code, 0)]
    assert judge.summary.not_judged == 3


def test_a_log_is_judged_by_the_readings_that_it_names() -> None:
    edition, steps = played("prize-game")
    events = log(edition, steps)
    assert judged(edition, changed(events, 0, readings={"valuation": "at-fill"})) == []
    impossible = changed(log(DIP, WON), 0, readings={"coin-surplus": "impossible"})
    more = changed(impossible, 3, reveal={"coins": 5, "stars": 0})
    first = judged(DIP, more)[0]
    assert (first.code, first.step) == ("illegal", 3)
    assert judged(DIP, impossible) == []


def test_lists_of_readings_are_told_apart_to_the_last() -> None:
    edition, steps = played("bonus-game")
    events = log(edition, steps)
    readings = dict(events[0][0].readings or {})
    name, choice = "same-bonus-prize-again", "once"
    assert [*readings][-1] == name
    judge = Judge(edition)
    for number, last in enumerate((readings[name], choice, "never")):
        named = changed(events, 0, readings=readings | {name: last})
        named = [(msgspec.structs.replace(e, play=f"P-{number}"), w) for e, w in named]
        found = list(judge.judge(named))
        assert codes(found) == ([("readings", 0)] if last == "never" else [])
    assert len(judge._courts) == 2


def test_readings_that_do_not_exist_cannot_be_judged_by() -> None:
    with pytest.raises(ValueError, match="kept"):
        Judge(DIP, {"coin-surplus": "kept"})


# Resume, leak


def test_a_play_that_does_not_go_on_as_it_was_left_is_found() -> None:
    events = log(DIP, WON)
    event, where = events[2]
    for shows, field in ((put("meter", 7), "meter"), (put("draws_left", 2), "draws_left")):
        resumed = (Event(event.play, 2, "resume", shows=event.shows), where)
        ((changed_event, _),) = changed([resumed], 2, shows=shows)
        found = judged(DIP, [*events[:3], (changed_event, where), *events[3:]])
        assert (found[0].code, found[0].field) == ("resume", field)
        assert found[0].fault == "resume"


def test_nor_may_it_go_on_after_another_step() -> None:
    events = log(DIP, WON)
    again = (Event("P-1", 1, "resume"), Where("log.jsonl", 9))
    assert codes(judged(DIP, [*events[:3], again, *events[3:]])) == [("resume", 1)]


LOST = dip((3, 1), (2, 3), (0, 0))
"""A Play that begins like the one that wins."""


def hinted(play: tuple[Step, ...], name: str, hint: Any) -> Log:
    """Return the log of a Play that shows a hint, of which the game knows nothing."""
    return changed(log(DIP, play, play=name), 2, shows=put("hint", hint))


def leaks(*logs: Log) -> list[tuple[str, int | None, str, Severity]]:
    found = judged(DIP, [one for events in logs for one in events])
    return [(f.play, f.step, f.field, f.severity) for f in found if f.code == "leak"]


def test_what_differs_with_the_outcome_before_plays_part_tells_it() -> None:
    found = leaks(hinted(WON, "A", 1), hinted(WON, "B", 1), hinted(LOST, "C", 2))
    assert found == [("C", 2, "hint", Severity.ERROR)]


def test_so_does_what_is_shown_with_one_outcome_alone() -> None:
    plain = log(DIP, LOST, play="C")
    found = leaks(hinted(WON, "A", 1), hinted(WON, "B", 1), plain)
    assert found == [("C", 2, "hint", Severity.ERROR)]


def test_two_plays_alone_only_make_one_wonder() -> None:
    assert leaks(hinted(WON, "A", 1), hinted(LOST, "B", 2)) == [("B", 2, "hint", Severity.NOTE)]


def test_what_differs_with_equal_outcomes_too_is_noise() -> None:
    assert leaks(*(hinted(WON, str(n), n) for n in range(3)), hinted(LOST, "X", 9)) == []


def test_where_all_tells_there_is_no_noise() -> None:
    judge = Judge(DIP, all_tell=True)
    events = [one for n in range(2) for one in hinted(WON, str(n), n)]
    assert [f.severity for f in judge.judge(events) if f.code == "leak"] == [Severity.ERROR]


def test_noise_in_one_field_does_not_hide_what_another_tells() -> None:
    def both(play: tuple[Step, ...], name: str, hint: int) -> Log:
        return changed(hinted(play, name, hint), 2, shows=put("time", name))

    found = leaks(both(WON, "A", 1), both(WON, "B", 1), both(LOST, "C", 2))
    assert found == [("C", 2, "hint", Severity.ERROR)]


def test_plays_that_have_parted_may_show_what_they_like() -> None:
    other = dip((3, 1), (2, 2), (0, 0))
    assert leaks(hinted(WON, "A", 1), hinted(WON, "B", 1), hinted(other, "C", 2)) == []


def test_beginnings_are_kept_within_a_limit() -> None:
    seen = Beginnings(most=10)
    for number in range(1000):
        assert seen.parted(number, "P", 0, {}) is None
    assert len(seen._seen) <= 10


# Screens


@pytest.mark.parametrize("name", PLAYED)
def test_screens_that_show_what_they_have_to_are_let_pass(name: str) -> None:
    edition, steps = played(name)
    shown = with_screens(edition, steps, log(edition, steps))
    assert sum(event.screen is not None for event, _ in shown) >= 8
    assert judged(edition, shown) == []


@pytest.mark.parametrize(
    ("step", "square", "claim"),
    [(2, "symbols.4", "collects-what-it-shows"), (4, "symbols.16", "keeps-what-it-leaves")],
)
def test_a_screen_that_does_not_is_found(step: int, square: str, claim: str) -> None:
    edition, steps = played("prize-game")
    shown = with_screens(edition, steps, log(edition, steps))
    right = dict(flat(shown[step][0].screen or {}))[square]
    events = changed(shown, step, screen=put(square, right % 9 + 1))
    first = judged(edition, events)[0]
    assert (first.code, first.step, first.rule) == ("screen", step, "spin")
    assert first.properties == (claim,)
    assert first.clauses


def test_a_game_without_screens_has_none_to_show() -> None:
    (found,) = judged(DIP, changed(log(DIP, WON), 1, screen={"stars": 3}))
    assert (found.code, found.step) == ("screen", 1)


def test_screens_are_not_judged_where_the_state_is_not_known() -> None:
    edition, steps = played("prize-game")
    shown = with_screens(edition, steps, log(edition, steps))
    events = changed(changed(shown, 3, reveal=None, shows=None), 4, shows=None)
    assert judged(edition, changed(events, 4, screen=put("symbols.16", 9))) == []


# What was seen


def test_the_summary_counts_out_of_all_there_is() -> None:
    judge = Judge(DIP)
    found = list(judge.judge([*log(DIP, WON), *log(DIP, WON[:2], play="open")]))
    assert codes(found) == [("no-finish", 2)]
    total = judge.summary
    assert (total.plays, total.finished, total.events) == (2, 1, 8)
    assert total.rules == {"draw": 5, "finish": 1}
    assert total.pairs == {("draw", "draw"): 3, ("draw", "finish"): 1}
    assert (total.parts, total.rows, dict(total.amounts)) == (
        {"jar": 1}, {1: 0, 2: 0, 3: 1}, {2000: 1}
    )  # fmt: skip


def test_an_outcome_that_is_not_said_is_counted() -> None:
    judge = Judge(DIP)
    assert list(judge.judge(changed(log(DIP, WON), 0, outcome=None))) == []
    assert judge.summary.without_outcome == 1


def test_what_was_never_seen_is_listed() -> None:
    edition, steps = played("prize-game")
    judge = Judge(edition)
    assert list(judge.judge(log(edition, steps))) == []
    assert "open-bonus-game" in judge.summary.never_seen
    assert len(judge.summary.rows_never_seen) == 98


def test_summaries_add_up() -> None:
    both, apart = Judge(DIP), [Judge(DIP), Judge(DIP)]
    logs = [log(DIP, WON, play="A"), log(DIP, WON[:2], play="B")]
    list(both.judge([*logs[0], *logs[1]]))
    for judge, one in zip(apart, logs, strict=True):
        list(judge.judge(one))
    apart[0].summary.add(apart[1].summary)
    assert apart[0].summary == both.summary


# One Play at a time


def test_a_play_can_be_watched_as_it_goes() -> None:
    (start, first), *rest = log(DIP, WON)
    watch = Judge(DIP).watch(start, first)
    assert watch.at_start == []
    assert watch.see(*rest[0]) == []
    assert (watch.point.s.jar, watch.point.t.stars) == (3, 1)
    assert [watch.see(*one) for one in rest[1:]] == [[], [], []]
    assert watch.over
    assert watch.end() == []


def test_every_code_that_is_found_is_one_that_is_listed() -> None:
    found = win(paid=3, won={"x": 1}, shows=put("jar", 0))
    assert {one.code for one in found} <= CODES.keys()


def test_a_finding_reads_as_a_sentence_with_what_it_breaks() -> None:
    (found,) = judged(DIP, changed(log(DIP, WON), 2, shows=put("meter", 1)))
    assert found.text() == (
        "log.jsonl:3, Play P-1, step 2: meter is shown as 1; the rules give 0\n"
        "  breaks: rule draw; stars-carry; clause LD-3\n"
        "  nearest: right if it had kept what it had before this step"
    )


def test_a_reveal_is_read_whatever_it_is() -> None:
    for reveal in ({"coins": [1]}, {"coins": {"x": 1}, "stars": 1}, {"more": 1}):
        found = judged(DIP, changed(log(DIP, WON), 1, reveal=reveal))
        assert found[0].code == "format"


# Whatever comes


values = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5),
        st.sampled_from(["coins", "jar", "draw", 3, 2000, 10**40]),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.one_of(st.text(max_size=5), st.sampled_from(["coins", "jar", "amount", "hash"])),
            inner,
            max_size=3,
        ),
    ),
    max_leaves=6,
)  # fmt: skip
objects = st.one_of(st.none(), st.dictionaries(st.text(max_size=5), values, max_size=3))
anything = st.builds(
    Event,
    play=st.sampled_from(["P-1", "P-2"]),
    step=st.integers(-2, 6),
    event=st.sampled_from(["start", "draw", "finish", "resume", "dance", ""]),
    reveal=objects, choice=objects, shows=objects, screen=objects,
    format=st.sampled_from([None, "playproof-log"]),
    version=st.sampled_from([None, 1]),
    game=st.sampled_from([None, "lucky-dip"]),
    edition=objects, readings=st.sampled_from([None, {}, {"coin-surplus": "dropped"}]),
    outcome=objects, paid=values, won=objects,
)  # fmt: skip


@settings(max_examples=40, deadline=None)
@given(st.lists(anything, max_size=8), plays)
def test_whatever_comes_is_found_wrong_and_nothing_breaks(
    events: list[Event], play: tuple[Step, ...]
) -> None:
    mixed = [
        *log(DIP, play)[:3],
        *((event, Where("log.jsonl", line)) for line, event in enumerate(events, 10)),
        *log(DIP, play)[3:],
    ]
    found = judged(DIP, mixed, ONE)
    assert {one.code for one in found} <= CODES.keys()
    for one in found:
        assert len(one.text()) < 4000
        msgspec.json.encode(dataclasses.asdict(one))


def test_what_is_nested_too_deep_is_wrong_like_anything_else() -> None:
    deep: dict[str, Any] = {}
    for _ in range(900):
        deep = {"x": deep}
    events = log(DIP, WON)
    for change in (
        {"shows": put("jar", deep)}, {"reveal": put("coins", deep)}, {"shows": deep},
        {"shows": put("hint", deep)}, {"choice": deep}, {"screen": deep},
    ):  # fmt: skip
        assert judged(DIP, changed(events, 2, **change), ONE)
    for change in ({"outcome": deep}, {"readings": deep}, {"edition": {"hash": deep}}):
        assert judged(DIP, changed(events, 0, **change), ONE)
    for change in ({"paid": deep}, {"won": deep}, {"won": {"jar": deep}}):
        assert judged(DIP, changed(events, 4, **change), ONE)


def test_a_game_may_end_by_itself_before_its_finish() -> None:
    game = dataclasses.replace(
        DIP.game, rules=(DIP.game.rules[0], dataclasses.replace(DIP.game.rules[1], id="stop"))
    )
    edition = dataclasses.replace(DIP, game=game)
    steps = (*WON[:3], Step("stop", WON[3].reveal))
    events = log(edition, steps)
    last = events[-1][0]
    end = Event("P-1", 5, "finish", shows=last.shows, paid=2000, won={"jar": 2000})
    assert judged(edition, [*events, (end, Where("log.jsonl", 6))]) == []
    early = msgspec.structs.replace(end, step=4, shows=None)
    first = judged(edition, [*events[:4], (early, Where("log.jsonl", 5))])[0]
    assert first.message == "the Play finishes and is not over; what may come is stop"
    unsaid = changed(events, 2, reveal=None)
    paid = msgspec.structs.replace(end, paid=1234, shows=None, won=None)
    bare = [(msgspec.structs.replace(e, shows=None), w) for e, w in unsaid]
    found = judged(edition, [*bare, (paid, Where("log.jsonl", 6))])
    assert "no-legal-play" in {one.code for one in found}


def test_of_a_very_long_play_no_more_than_its_state_is_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("playproof.oracles.track.MOST_KEPT", 1)
    assert judged(DIP, log(DIP, WON)) == []
    (found,) = judged(DIP, changed(log(DIP, WON), 3, shows=put("jar", 5)))
    assert (found.code, found.step, found.rule, found.nearest) == ("shows", 3, "draw", None)
    (start, where), *rest = log(DIP, WON)
    watch = Judge(DIP).watch(start, where)
    assert [watch.see(*one) for one in rest] == [[], [], [], []]
    with pytest.raises(LookupError, match="too long"):
        assert watch.point


def test_an_object_with_nothing_in_it_is_no_value_of_a_field() -> None:
    edition, steps = played("prize-game")
    events = log(edition, steps)
    assert codes(judged(edition, changed(events, 4, shows=put("phase", {})))) == [("format", 4)]
    nothing_of_rows = judged(edition, changed(events, 4, shows=put("rows", {})))
    assert nothing_of_rows == [], "what is left out is unknown"


def test_events_that_show_nothing_are_counted() -> None:
    edition, steps = played("prize-game")
    events = log(edition, steps)
    judge = Judge(edition)
    assert list(judge.judge(changed(events, 1, shows=lambda shows: None))) == []
    assert (judge.summary.events, judge.summary.showing) == (len(events), len(events) - 1)
