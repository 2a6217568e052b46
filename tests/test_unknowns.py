"""Logs of which something was left out: the solver says whether any legal Play fits."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playproof.oracles.finding import Finding
from playproof.oracles.judge import Judge
from playproof.oracles.missing import Glimpse, Stretch
from playproof.oracles.purse import Purse

from .played import DIP, Log, changed, codes, dip, judged, log, played, put

WON = dip((3, 1), (2, 3), (1, 0))
NOTHING_SHOWN = "no event shows anything of the state: what was shown is not judged"
draws = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 3)), min_size=3, max_size=3
).filter(lambda three: sum(coins for coins, _ in three) >= 6)


def unrevealed(events: Log, *steps: int, **more: Any) -> Log:
    """Return a log that does not say what was revealed in some steps (all, unless named)."""
    for event, _ in events[1:]:
        if event.step in steps or not steps:
            events = changed(events, event.step, reveal=None, **more)
    return events


def judge(events: Log) -> tuple[list[Finding], Judge]:
    one = Judge(DIP)
    return list(one.judge(events)), one


# A Play fits


@settings(max_examples=20, deadline=None)
@given(draws, st.sets(st.integers(1, 4)), st.sets(st.integers(0, 4)))
def test_whatever_a_legal_play_leaves_out_it_fits_itself(
    three: list[tuple[int, int]], unsaid: set[int], unshown: set[int]
) -> None:
    events = log(DIP, dip(*three))
    for step in unsaid:
        events = changed(events, step, reveal=None)
    for step in unshown:
        events = changed(events, step, shows=None)
    found, _ = judge(events)
    if len(unshown) < len(events):
        assert found == []
    else:
        assert [one.message for one in found] == [NOTHING_SHOWN]


def test_plays_with_something_left_out_are_counted() -> None:
    found, one = judge([*unrevealed(log(DIP, WON), 2), *log(DIP, WON, play="P-2")])
    assert found == []
    assert (one.summary.with_unknowns, one.summary.undecided) == (1, 0)
    assert (one.summary.finished, one.summary.rules) == (2, {"draw": 6, "finish": 2})


def test_a_part_of_a_reveal_may_be_missing() -> None:
    events = changed(log(DIP, WON), 2, reveal={"coins": 2})
    assert judge(events)[0] == []
    events = changed(log(DIP, WON), 2, reveal={"coins": 1})
    found, _ = judge(events)
    assert codes(found)[0] == ("no-legal-play", 2)


def test_where_the_state_is_shown_in_full_it_is_known_again() -> None:
    events = changed(unrevealed(log(DIP, WON), 1), 3, shows=put("jar", 5))
    found, _ = judge(events)
    assert codes(found) == [("shows", 3)]


@pytest.mark.parametrize("name", ["prize-game", "bonus-game"])
def test_so_it_is_in_a_real_game(name: str) -> None:
    edition, steps = played(name)
    assert judged(edition, unrevealed(log(edition, steps), 2, 3)) == []


# No Play fits


@pytest.mark.parametrize(
    ("step", "field", "value"),
    [(1, "jar", 6), (2, "meter", 2), (2, "level", 3), (3, "draws_left", 1), (3, "jar", 4)],
)
def test_where_no_legal_play_fits_the_first_event_is_named(
    step: int, field: str, value: int
) -> None:
    events = unrevealed(log(DIP, WON))
    for other in range(1, 5):
        shown = events[other][0].shows or {}
        kept = {n: v for n, v in shown.items() if n not in ("over", "paid")}
        events = changed(events, other, shows=kept)
    found, _ = judge(changed(events, step, shows=put(field, value)))
    assert found[0].code == "no-legal-play"
    assert found[0].step in (step, step + 1)  # what it leads to may show it only
    assert found[0].where == events[found[0].step or 0][1]


def test_a_payment_that_no_legal_play_makes_is_found_with_nothing_shown_at_all() -> None:
    bare = unrevealed(log(DIP, WON), shows=None)
    assert judge(bare)[0] == []
    found, _ = judge(
        changed(changed(bare, 4, paid=1500, won=None), 0, outcome={"amount": 1500})
    )
    assert ("no-legal-play", 4) in codes(found)


def test_a_missing_step_may_have_been_any_but_not_just_anything() -> None:
    events = log(DIP, WON)
    found, _ = judge([*events[:2], *events[3:]])
    assert codes(found) == [("order", 3)]
    later = changed(events, 3, shows=put("jar", 2))
    found, _ = judge([*later[:2], *later[3:]])
    assert codes(found)[:2] == [("order", 3), ("no-legal-play", 3)]
    assert "step of which nothing was seen" not in found[1].message


def test_what_follows_is_not_said_again_but_what_is_paid_is_judged() -> None:
    events = changed(unrevealed(log(DIP, WON), 1), 1, shows=put("jar", 9))
    events = changed(events, 3, shows=put("level", 0))
    found, _ = judge(changed(events, 4, paid=1))
    assert codes(found) == [("no-legal-play", 1), ("paid", 4), ("won", 4), ("not-in-table", 4)]


def test_a_value_that_is_no_such_thing_is_named_and_taken_as_unknown() -> None:
    found, one = judge(changed(log(DIP, WON), 2, reveal={"coins": 2.0, "stars": 3}))
    assert codes(found) == [("format", 2)]
    assert one.summary.with_unknowns == 1


# Budgets


def test_a_question_beyond_the_budget_is_undecided_and_said_to_be() -> None:
    one = Judge(DIP)
    stretch = Stretch(one.expected, one.expected.start, Purse(1))
    (start, where), *_ = log(DIP, WON)
    stretch.see(Glimpse(1, where, one.expected.moves["draw"], {}, {"jar": 3}))
    found = stretch.judge()
    assert found is not None
    assert (found.code, found.step) == ("undecided", 1)
    assert "budget exhausted: the solver has taken its steps for this Play" in found.message
    assert start.play == "P-1"


def test_all_plays_of_a_log_share_a_budget_too() -> None:
    one = Judge(DIP)
    one.purse.left = 1
    found = list(one.judge([*unrevealed(log(DIP, WON)), *log(DIP, WON, play="P-2")]))
    assert {each.code for each in found} == {"undecided"}
    assert "its steps for all Plays of this log together" in found[0].message
    assert one.summary.undecided == len(found)
    assert one.purse.left == 0


def test_very_many_missing_steps_are_not_even_asked_about() -> None:
    events = [
        (msgspec.structs.replace(e, step=e.step + (10**12 if e.step > 2 else 0)), w)
        for e, w in log(DIP, WON)
    ]
    found, one = judge(events)
    assert [one.code for one in found] == ["order", "undecided"]
    assert found[0].message == f"steps 3 to {10**12 + 2} are missing"
    assert one.summary.undecided == 1
