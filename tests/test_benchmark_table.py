"""The README's benchmarks are those of the results that are kept beside it."""

from __future__ import annotations

import json

import pytest

from .benchmark_table import KEPT, ROOT, NotOneRun, picture, table, with_table

RESULTS = json.loads(KEPT.read_bytes())


def test_the_readme_shows_the_results_that_are_kept():
    readme = (ROOT / "README.md").read_text("utf-8")

    assert with_table(readme, RESULTS) == readme


def test_what_is_asked_for_is_measured():
    said = " ".join(RESULTS)

    for one in ("typed decoding", "compiled", "bare solvers", "--help", "random Plays"):
        assert one in said
    growing = [one["curves"] for one in RESULTS.values() if "curves" in one]
    assert growing
    assert all({"rules", "proof", "spin", "rumur"} == curves.keys() for curves in growing)


def test_figures_of_several_runs_make_no_table():
    name = next(iter(RESULTS))
    mixed = {**RESULTS, name: {**RESULTS[name], "run": "another"}}

    with pytest.raises(NotOneRun, match="figures of 2 runs where those of one were expected"):
        table(mixed)


@pytest.mark.slow
def test_the_same_results_make_the_same_picture():
    assert picture(RESULTS) == picture(RESULTS)
    assert "SPIN" in picture(RESULTS)
