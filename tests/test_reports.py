"""What reports make of verdicts: exit codes, Plays told step by step, tables."""

from dataclasses import replace

import pytest

from playproof.models.play import IllegalStep, Play
from playproof.models.setting import settle
from playproof.models.system import Step
from playproof.proofs.manifest import Expected
from playproof.proofs.verdict import Outcome, Verdict
from playproof.reports import tables, trace
from playproof.reports.faults import Exit
from playproof.reports.judged import Judged, exit_code, not_covered
from playproof.reports.show import plain

from .lucky_dip import LUCKY_DIP, Draw

SETTING, _, _ = settle(
    LUCKY_DIP.setting, {"jar": 3, "amount": 150}, {"coin-surplus": "dropped"}
)
PLAY = Play(SETTING, (Step("draw", Draw(2, 3)), Step("draw", Draw(4, 0))))
DROPPED = (("coin-surplus", "dropped"),)
CLAIM = LUCKY_DIP.property("no-coin-lost")


def judged(outcome, expected=Outcome.PROVED, *, under=(), expected_under=(), plays=()):
    verdict = Verdict("lucky-dip", CLAIM.id, outcome, "BMC", 2, fails_under=under, plays=plays)
    return Judged(LUCKY_DIP, CLAIM, verdict, Expected(expected, expected_under))


FITS = judged(Outcome.PROVED)
OPEN = judged(Outcome.UNDECIDED)
BROKEN = judged(Outcome.REFUTED, plays=((PLAY, 2),))


@pytest.mark.parametrize(
    ("verdicts", "code"),
    [
        ([], Exit.FINE),
        ([FITS], Exit.FINE),
        ([judged(Outcome.REFUTED, Outcome.REFUTED)], Exit.FINE),
        ([judged(Outcome.PROVED, Outcome.REFUTED)], Exit.WRONG),
        ([BROKEN], Exit.WRONG),
        ([OPEN], Exit.OPEN),
        ([judged(Outcome.BOUNDED)], Exit.OPEN),
        ([judged(Outcome.BOUNDED, Outcome.BOUNDED)], Exit.FINE),
        ([OPEN, BROKEN], Exit.WRONG),
        ([judged(Outcome.UNDECIDED, plays=((PLAY, 2),))], Exit.WRONG),
        (
            [
                judged(
                    Outcome.DEPENDS,
                    Outcome.DEPENDS,
                    under=(DROPPED,),
                    expected_under=(DROPPED,),
                )
            ],
            Exit.FINE,
        ),
        ([judged(Outcome.DEPENDS, Outcome.DEPENDS, expected_under=(DROPPED,))], Exit.WRONG),
    ],
)
def test_exit_codes(verdicts, code):
    assert exit_code(verdicts) is code


def test_every_outcome_says_what_it_does_not_cover():
    said = {not_covered(judged(outcome).verdict) for outcome in Outcome}

    assert len(said) == len(Outcome)


def test_a_play_is_told_with_what_changed_only():
    assert list(trace.lines(LUCKY_DIP, PLAY, broken_after=2)) == [
        "A Play of 2 steps",
        "  under  jar = 3; amount = £1.50",
        "  read   coin-surplus = dropped",
        "  1. draw",
        "       reveals  coins 2, stars 3",
        "       draws_left: 3 → 2",
        "       jar: 0 → 2",
        "       meter: 0 → 1",
        "       level: 0 → 1",
        "  2. draw",
        "       reveals  coins 4",
        "       draws_left: 2 → 1",
        "       jar: 2 → 3",
        "       counted so far  draws 2, stars 3, full_meters 1",
        "       this step breaks it",
    ]


def test_a_play_that_the_rules_do_not_allow_is_not_told():
    wrong = replace(PLAY, steps=(Step("draw", Draw(9, 0)),))

    with pytest.raises(IllegalStep, match="step 1"):
        list(trace.lines(LUCKY_DIP, wrong))


def test_a_play_as_data():
    data = trace.as_data(LUCKY_DIP, PLAY, 2)

    assert data["parameters"] == {"jar": 3, "amount": 150}
    assert data["readings"] == {"coin-surplus": "dropped"}
    assert data["steps"][1] == {
        "step": 2,
        "rule": "draw",
        "reveal": {"coins": 4},
        "changes": {"draws_left": [2, 1], "jar": [2, 3]},
        "counted": {"draws": 2, "stars": 3, "full_meters": 1},
    }


def test_the_table_marks_what_was_not_expected():
    shown = plain(tables.verdicts([FITS, BROKEN]))

    assert shown.count("unexpected") == 1
    assert "refuted (unexpected)" in shown


def test_what_was_proved_as_expected_needs_no_words():
    assert list(tables.remarks([FITS])) == []
    assert list(tables.remarks([BROKEN])) != []


def test_the_summary_counts_and_says_where_time_went():
    timed = replace(FITS.verdict, spent=(("ours", 1.0), ("z3", 2.0)))

    assert tables.summary([replace(FITS, verdict=timed), OPEN], 2.5).plain == (
        "1 proved, 1 undecided: 1 not as expected.\n"
        "2.50 s in all; at work: ours 1.00 s, z3 2.00 s."
    )
