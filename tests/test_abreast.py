"""Work done side by side comes to the same as one thing after another."""

from __future__ import annotations

import multiprocessing
import os
import time

import pytest

from playproof.oracles.abreast import AHEAD, abreast

JOBS = [1, 2, 9]


@pytest.mark.parametrize("jobs", JOBS)
def test_results_come_in_order_whichever_is_done_first(jobs):
    def slow(number):
        time.sleep(0.02 * (3 - number % 3))
        return number * number

    assert list(abreast(slow, range(7), jobs)) == [number * number for number in range(7)]
    assert list(abreast(slow, (), jobs)) == []


@pytest.mark.parametrize("jobs", JOBS)
def test_an_item_is_made_with_what_was_known_at_its_turn(jobs):
    """So many results had been taken, however many are at work."""
    taken = []

    def items():
        for _ in range(10):
            yield len(taken)

    for result in abreast(lambda known: known, items(), jobs):
        taken.append(result)
    assert taken == [max(0, number - AHEAD + 1) for number in range(10)]


def test_what_work_changes_is_not_seen_here():
    seen = []
    assert list(abreast(seen.append, "ab", jobs=2)) == [None, None]
    assert seen == []


def test_what_a_process_that_was_ended_was_at_is_done_here():
    here = os.getpid()

    def work(number):
        if number == 1 and os.getpid() != here:
            os._exit(9)
        return number

    assert list(abreast(work, range(3), jobs=2)) == [0, 1, 2]


@pytest.mark.parametrize("jobs", JOBS)
def test_work_that_fails_fails_here(jobs):
    with pytest.raises(ZeroDivisionError):
        list(abreast(lambda number: 1 // number, (1, 0), jobs))


def test_no_process_is_left_where_nobody_waits_for_the_rest():
    def work(number):
        time.sleep(0 if not number else 60)
        return os.getpid()

    began = time.monotonic()
    results = abreast(work, range(4), jobs=4)
    next(results)
    results.close()
    assert time.monotonic() - began < 50
    assert multiprocessing.active_children() == []
