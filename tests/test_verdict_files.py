"""Verdicts for machines: JSON, JUnit and SARIF say the same, and open ones never pass."""

import copy
import json
import xml.etree.ElementTree as ET
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from rich.console import Console

from playproof.__main__ import main
from playproof.oracles.event import Where
from playproof.oracles.finding import Finding, Severity
from playproof.proofs.manifest import Expected
from playproof.proofs.verdict import Outcome
from playproof.reports.faults import Exit
from playproof.reports.judging import judge_log
from playproof.reports.junit import junit
from playproof.reports.proving import Result, prove_all
from playproof.reports.request import choose
from playproof.reports.sarif import sarif
from playproof.reports.verdict_files import Status, status
from playproof.reports.verdict_schema import verdicts_schema
from tests.lucky_dip import LUCKY_DIP

DIP = "tests.lucky_dip:LUCKY_DIP"


@cache
def proved():
    """Return a run with two properties that hold and two that do not."""
    ids = ["in-range", "draws-count-down", "never-full", "no-coin-lost"]
    requests = choose([DIP], ids, [], None)
    return prove_all(requests, 1, None, Console(quiet=True))


def with_outcome(one, outcome, expected=Outcome.PROVED, remark=""):
    verdict = replace(
        one.verdict, outcome=outcome, remark=remark, plays=(), fails_under=(), certificate=None
    )
    return replace(one, verdict=verdict, expected=Expected(expected))


@cache
def run():
    """Return a run with a verdict of every sort."""
    found = proved()
    first, *rest = found.judged
    judged = (
        first,
        with_outcome(rest[0], Outcome.UNDECIDED, remark="the budget ran out <here>"),
        with_outcome(rest[1], Outcome.BOUNDED, Outcome.BOUNDED),
        *rest[1:],
    )
    named = [
        replace(one, claim=replace(one.claim, id=f"{one.claim.id}-{n}"))
        for n, one in enumerate(judged)
    ]
    judged = tuple(
        replace(one, verdict=replace(one.verdict, property=one.claim.id)) for one in named
    )
    return Result(judged, found.requests, found.sanity, 1.0)


def of_json(result):
    """Return what JSON says: status by property, derived as its reader has to."""
    said = {}
    for one in json.loads(result.json())["verdicts"]:
        verdict, expected = one["verdict"], one["as_expected"]
        shown = one["plays"] and one["expected"] == "proved"
        if verdict in ("undecided", "bounded") and not shown:
            said[one["property"]] = "skipped"
        else:
            said[one["property"]] = "passed" if expected else "failed"
    return said


def of_junit(result):
    said = {}
    for case in ET.fromstring(result.junit()).iter("testcase"):
        kinds = {"skipped": "skipped", "failure": "failed", "error": "failed"}
        found = [kinds[part.tag] for part in case if part.tag in kinds]
        said[case.get("name")] = found[0] if found else "passed"
    assert said.pop("sanity") == "passed"
    return said


def of_sarif(result):
    kinds = {"pass": "passed", "open": "skipped", "fail": "failed"}
    (made,) = json.loads(result.sarif())["runs"]
    return {
        one["ruleId"].removeprefix("lucky-dip/"): kinds[one["kind"]] for one in made["results"]
    }


def test_all_three_say_the_same_of_every_property():
    said = of_json(run())
    assert of_junit(run()) == said
    assert of_sarif(run()) == said
    assert set(said.values()) == {"passed", "skipped", "failed"}


def test_all_three_give_the_same_verdict_method_clauses_and_what_is_not_covered():
    told = {one["property"]: one for one in json.loads(run().json())["verdicts"]}
    (made,) = json.loads(run().sarif())["runs"]
    for result in made["results"]:
        one = told.pop(result["ruleId"].removeprefix("lucky-dip/"))
        for key, value in result["properties"].items():
            assert one[key] == value
        case = next(
            case
            for case in ET.fromstring(run().junit()).iter("testcase")
            if case.get("name") == one["property"]
        )
        words = case.findtext("system-out")
        assert one["says"] in words
        assert f"verdict: {one['verdict']}; expected: {one['expected']}" in words
        assert f"method: {one['method']}, depth {one['depth']}" in words
        assert f"clauses: {', '.join(one['clauses'])}" in words
        assert f"not covered: {one['does_not_cover']}" in words
    assert not told


@pytest.mark.parametrize("expected", Outcome)
@pytest.mark.parametrize("outcome", [Outcome.UNDECIDED, Outcome.BOUNDED])
def test_what_is_open_never_passes_and_says_why(outcome, expected):
    kind, why = status(with_outcome(proved().judged[0], outcome, expected))
    assert kind is Status.SKIPPED
    assert why.startswith(f"{outcome.value}: ")


def test_the_reason_of_what_is_skipped_is_told_in_each():
    case = next(
        case
        for case in ET.fromstring(run().junit()).iter("testcase")
        if case.find("skipped") is not None
    )
    assert case.find("skipped").get("message") == "undecided: the budget ran out <here>"
    (made,) = json.loads(run().sarif())["runs"]
    told = [one["message"]["text"] for one in made["results"] if one["kind"] == "open"]
    assert "undecided: the budget ran out <here>" in told[0]


def test_the_counts_are_those_of_the_cases():
    root = ET.fromstring(run().junit())
    kinds = list(of_junit(run()).values())
    for element in (root, *root):
        assert element.get("tests") == str(len(kinds) + 1)
        assert element.get("failures") == str(kinds.count("failed"))
        assert element.get("errors") == "0"
    assert root[0].get("skipped") == str(kinds.count("skipped"))


def test_a_run_is_red_where_a_case_fails_and_only_there():
    assert run().exit_code is Exit.WRONG
    assert "failed" in of_junit(run()).values()
    well = replace(proved(), judged=proved().judged[:1])
    assert well.exit_code is Exit.FINE
    assert set(of_junit(well).values()) == {"passed"}


def test_what_makes_proofs_worth_nothing_fails_a_case_of_its_own():
    class Empty:
        game = LUCKY_DIP

        @staticmethod
        def faults():
            yield "no Play can start: of nothing, all is true"

    broken = replace(proved(), sanity=(Empty(),))
    cases = {one.get("name"): one for one in ET.fromstring(broken.junit()).iter("testcase")}
    assert "no Play can start" in cases["sanity"].find("failure").get("message")
    results = json.loads(broken.sarif())["runs"][0]["results"]
    assert results[-1]["ruleId"] == "lucky-dip/sanity"
    assert results[-1]["kind"] == "fail"


def test_rule_ids_and_fingerprints_are_the_same_for_the_same_answer():
    def prints(result):
        (made,) = json.loads(result.sarif())["runs"]
        return {one["ruleId"]: one["partialFingerprints"] for one in made["results"]}

    first = prints(run())
    assert len({json.dumps(one) for one in first.values()}) == len(first)
    later = replace(run(), seconds=99.0, judged=run().judged[::-1])
    assert prints(later) == first
    changed = with_outcome(run().judged[0], Outcome.UNDECIDED)
    other = prints(replace(run(), judged=(changed, *run().judged[1:])))
    assert [rule for rule in first if other[rule] != first[rule]] == ["lucky-dip/in-range-0"]


def test_every_result_of_sarif_has_its_rule_and_a_level_that_goes_with_its_kind():
    (made,) = json.loads(run().sarif())["runs"]
    rules = made["tool"]["driver"]["rules"]
    for one in made["results"]:
        assert rules[one["ruleIndex"]]["id"] == one["ruleId"]
        assert (one["kind"] == "fail") == (one["level"] == "error")


def test_sarif_names_the_file_and_line_of_a_property(monkeypatch, tmp_path):
    def places():
        (made,) = json.loads(proved().sarif())["runs"]
        return [one["locations"][0]["physicalLocation"] for one in made["results"]]

    here = Path(__file__).parent
    monkeypatch.chdir(here.parent)
    lines = (here / "lucky_dip.py").read_text().splitlines()
    for one, place in zip(proved().judged, places(), strict=True):
        assert place["artifactLocation"] == {"uri": "tests/lucky_dip.py"}
        assert f'"{one.claim.id}"' in lines[place["region"]["startLine"] - 1]
    monkeypatch.chdir(tmp_path)
    elsewhere = {"uri": "tests/lucky_dip.py", "uriBaseId": "PYTHONPATH"}
    assert [place["artifactLocation"] for place in places()] == [elsewhere] * 4


def test_json_is_what_its_published_schema_says():
    jsonschema = pytest.importorskip("jsonschema", reason="schemas are tested with jsonschema")
    schema = verdicts_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    valid = jsonschema.Draft202012Validator(schema).is_valid
    made = json.loads(run().json())
    jsonschema.Draft202012Validator(schema).validate(made)
    assert made.keys() == schema["properties"].keys()
    one = schema["$defs"]["Decided"]["properties"].keys()
    assert all(verdict.keys() == one for verdict in made["verdicts"])
    for change in (
        lambda it: it.update(format="other/1"),
        lambda it: it.pop("exit_code"),
        lambda it: it["verdicts"][0].update(verdict="perhaps"),
        lambda it: it["verdicts"][0].pop("does_not_cover"),
        lambda it: it["verdicts"][0].update(depth="1"),
    ):
        wrong = copy.deepcopy(made)
        change(wrong)
        assert not valid(wrong)


@pytest.mark.parametrize(
    ("format_", "begins"),
    [("junit", "<?xml"), ("sarif", '{\n  "$schema"'), ("json", '{\n  "format"')],
)
def test_prove_prints_and_writes_each_form(tmp_path, monkeypatch, capsys, format_, begins):
    monkeypatch.setattr("playproof.reports.proving.prove_all", lambda *_: proved())
    out = tmp_path / "out"
    arguments = ["prove", DIP, "--format", format_, "--out", str(out)]
    monkeypatch.setattr("sys.argv", ["playproof", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    printed = capsys.readouterr().out
    assert ended.value.code == proved().exit_code
    assert printed.startswith(begins)
    name = {"junit": "verdicts.xml"}.get(format_, f"verdicts.{format_}")
    assert (out / name).read_text() == printed


def test_vmt_files_have_no_junit(monkeypatch, capsys):
    monkeypatch.setattr(
        "sys.argv", ["playproof", "prove", "--vmt", "x.vmt", "--format", "junit"]
    )
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert "--format junit is of games: not with --vmt" in capsys.readouterr().err


OPEN = Finding("undecided", "not decided within the budget", Where("a.jsonl", 3), "P-1", 2)
WRONG = Finding("shows", "level is shown as 1; the rules give 0", Where("a.jsonl", 4), "P-1", 3)
UNREAD = Finding("unreadable", "not JSON", Where("a.jsonl", 5), "P-1")
NOTE = Finding("format", "unknown key", Where("a.jsonl", 6), "P-1", severity=Severity.NOTE)


@pytest.mark.parametrize(
    ("findings", "kind"),
    [
        ([OPEN], "skipped"),
        ([OPEN, NOTE], "skipped"),
        ([OPEN, WRONG], "failure"),
        ([OPEN, UNREAD], "error"),
        ([UNREAD, WRONG], "failure"),
        ([NOTE], None),
    ],
)
def test_a_play_that_is_undecided_is_skipped_with_the_reason(findings, kind):
    root = ET.fromstring(junit(findings, ["a.jsonl"], name="n", game="g", properties={}))
    case = next(one for one in root.iter("testcase") if one.get("name") == "Play P-1")
    kinds = [part.tag for part in case if part.tag in ("skipped", "failure", "error")]
    assert kinds == ([kind] if kind else [])
    counts = {"skipped": "skipped", "failure": "failures", "error": "errors"}
    for tag, count in counts.items():
        assert root[0].get(count) == str(int(kind == tag))
    if kind == "skipped":
        assert case.find("skipped").get("message") == OPEN.message


def test_an_undecided_finding_is_open_in_sarif():
    (made,) = json.loads(sarif([OPEN, WRONG, NOTE], LUCKY_DIP, properties={}))["runs"]
    found = [(one.get("kind", "fail"), one["level"]) for one in made["results"]]
    assert found == [("open", "none"), ("fail", "error"), ("fail", "note")]


def test_findings_are_the_same_in_all_three(tmp_path):
    events = Path(__file__).with_name("builds") / "surplus-lost.jsonl"
    path = tmp_path / "log.jsonl"
    path.write_text(events.read_text() + "{\n")
    judged = judge_log("colour-collector", [str(path)], console=Console(quiet=True))
    of_json = json.loads(judged.json())
    (of_sarif,) = json.loads(judged.sarif())["runs"]
    told = [(one["code"], one["message"], one["where"]["line"]) for one in of_json["findings"]]
    assert {code for code, _, _ in told} == {"shows", "unreadable"}
    assert of_json["exit_code"] == judged.exit_code == Exit.WRONG

    kinds = {"error": "failed", "note": "passed"}
    for one, (code, message, line) in zip(of_sarif["results"], told, strict=True):
        assert kinds[one["level"]] == "failed"
        assert one["properties"]["code"] == code
        assert message in one["message"]["text"]
        place = one["locations"][0]["physicalLocation"]
        assert place["region"]["startLine"] == line

    root = ET.fromstring(judged.junit())
    wrong = [part for case in root.iter("testcase") for part in case]
    assert len(wrong) == len(told)
    assert {part.get("type") for part in wrong} == {code for code, _, _ in told}
    assert {part.get("message") for part in wrong} == {message for _, message, _ in told}
    assert {part.tag for part in wrong} == {"failure", "error"}
