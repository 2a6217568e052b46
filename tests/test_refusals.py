"""What a suite has a build refuse is asked for, where the suite says; who takes it is found."""

from __future__ import annotations

import io
import shutil

import msgspec
import pytest
from rich.console import Console

from playproof.errors import BadInput
from playproof.oracles.cases import load_cases
from playproof.oracles.drive import Driver
from playproof.oracles.refusals import REFUSALS, Refusal, load_refusals
from playproof.reports.driving import drive_build

from .test_drive import BONUS, EDITION, build_of, only

CASE = BONUS[0]
FINISH = {"rule": "finish", "reveal": {}, "choice": {}}
PLAIN = ["leak", "resume", "carry-over", "limits"]


def refusal(after, **more):
    return Refusal(
        **({"script": CASE.path.name, "kills": ["m-1"], "after": after} | FINISH | more)
    )


def driven(build, *refusals, without=PLAIN, cases=(CASE,)):
    return Driver(build, EDITION, cases, refusals=refusals, without=without).drive()


def taking(rule, step):
    """Return a build that takes a rule at a step, whatever it should do."""

    def change(build, request, answer):
        if "error" in answer and (request.get("event"), request["step"]) == (rule, step):
            return {"play": request["play"], "step": step, "event": rule, "shows": {}}
        return answer

    return build_of(change)


@pytest.mark.parametrize("after", [0, 3, len(CASE.rules)])
def test_a_build_that_takes_what_the_suite_has_it_refuse_is_told_so(after):
    """Before the first step, on the way, and when the Play is over."""
    told = driven(taking("finish", after + 1), refusal(after))
    finding = only(told, "illegal")
    assert (finding.rule, finding.step) == ("finish", after + 1)
    assert "CC-50" in finding.clauses
    assert "it takes finish" in finding.message
    assert "which the rules do not allow" in finding.message


def test_a_build_that_refuses_it_passes_and_it_is_counted():
    honest = build_of()
    without = driven(honest)
    told = driven(honest, refusal(0), refusal(2), refusal(2))
    assert told.findings == []
    assert (told.probes, told.plays) == (without.probes + 3, without.plays + 1)


def test_a_refusal_that_changes_something_is_told():
    def change(build, request, answer):
        if "error" in answer:
            build.asked_for_it = request["play"]
        elif request["play"] == getattr(build, "asked_for_it", "") and request["do"] == "step":
            answer["shows"]["spins_left"] += 1
        return answer

    told = driven(build_of(change), refusal(1), without=[*PLAIN])
    assert only(told, "illegal").message.startswith("after a step that it refused")


def test_it_is_not_tried_where_illegal_steps_are_left_out():
    told = driven(taking("finish", 1), refusal(0), without=[*PLAIN, "illegal"])
    assert (told.findings, told.probes) == ([], 0)


@pytest.mark.parametrize(
    ("one", "says"),
    [
        (refusal(0, script="other.json"), "number 1: no script 'other.json' in the suite"),
        (refusal(-1), "after -1 steps of"),
        (refusal(len(CASE.rules) + 1), "steps of"),
        (refusal(0, rule="jump"), "no rule 'jump'; there are: spin"),
        (refusal(0, reveal={"spins": 1}), "finish reveals nothing, not spins"),
        (refusal(len(CASE.rules) - 1), "the rules allow finish after"),
    ],
)
def test_steps_that_do_not_fit_the_suite_are_bad_input(one, says):
    with pytest.raises(BadInput, match=REFUSALS) as raised:
        driven(build_of(), one)
    assert says in str(raised.value)


def test_a_folder_says_what_is_to_be_refused(tmp_path):
    folder = tmp_path / "suite"
    folder.mkdir()
    shutil.copy(CASE.path, folder)
    (case,) = load_cases(folder)
    assert load_refusals(folder) == ()
    wanted = [refusal(0, script=case.path.name)]
    (folder / REFUSALS).write_bytes(msgspec.json.encode(wanted))
    assert load_refusals(folder) == tuple(wanted)
    quiet = Console(file=io.StringIO())
    driving = drive_build(
        "colour-collector", folder, taking("finish", 1), without=PLAIN, console=quiet
    )
    assert only(driving.driven, "illegal").rule == "finish"
    (folder / REFUSALS).write_text('[{"script": 1}]')
    with pytest.raises(BadInput, match=r"refusals\.json: not steps to be refused"):
        load_refusals(folder)
