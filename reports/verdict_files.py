"""Verdicts for machines: as JUnit XML and as SARIF 2.1.0, the same facts as in the JSON.

A verdict passes where it is the one expected. One that is undecided, or only bounded, never
does: it is skipped in JUnit, and open in SARIF, with the reason, whatever was expected. Times
are in none of them: the same answers are the same bytes.
"""

from __future__ import annotations

import inspect
import json
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import quote

from .. import __version__
from ..models.system import Game, Kind, Property
from ..proofs.verdict import Outcome
from .faults import Exit
from .judged import Judged, exit_code, not_covered
from .junit import as_xml, legal
from .sarif import SCHEMA
from .trace import lines as trace_lines
from .words import implicant

__all__ = ["Status", "junit_of_verdicts", "sarif_of_verdicts", "status"]

_SANITY = "sanity"


class Status(Enum):
    """What a verdict comes to for whoever counts tests."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"


def status(one: Judged) -> tuple[Status, str]:
    """Return what a verdict comes to, and in a line why, which is never nothing."""
    outcome = one.verdict.outcome
    if exit_code([one]) is Exit.WRONG:
        return Status.FAILED, one.surprise
    if outcome in (Outcome.UNDECIDED, Outcome.BOUNDED):
        why = one.verdict.remark or f"not covered: {not_covered(one.verdict)}"
        return Status.SKIPPED, f"{outcome.value}: {why}"
    return Status.PASSED, f"{outcome.value}, as expected"


def junit_of_verdicts(
    judged: Sequence[Judged],
    faults: Mapping[str, Sequence[str]],
    properties: Mapping[str, object],
) -> str:
    """Return verdicts as JUnit XML: a suite for each game, a case for each property.

    ``faults`` are what makes all proofs of a game worth nothing, by its id: a case of their
    own. ``properties`` are facts about the run.
    """
    root = ET.Element("testsuites", name="playproof prove")
    for game in dict.fromkeys((*(one.game.id for one in judged), *faults)):
        suite = ET.SubElement(root, "testsuite", name=legal(game))
        listed = ET.SubElement(suite, "properties")
        for name, value in properties.items():
            ET.SubElement(listed, "property", name=legal(name), value=legal(str(value)))
        for one in judged:
            if one.game.id == game:
                _case(suite, one)
        case = ET.SubElement(suite, "testcase", classname=legal(game), name=_SANITY)
        if wrong := list(faults.get(game, ())):
            told = ET.SubElement(case, "failure", type=_SANITY, message=legal(wrong[0]))
            told.text = legal("\n".join(wrong))
        _count(suite, [suite])
    _count(root, list(root))
    return as_xml(root)


def _case(suite: ET.Element, one: Judged) -> None:
    case = ET.SubElement(
        suite, "testcase", classname=legal(one.game.id), name=legal(one.claim.id)
    )
    kind, why = status(one)
    if kind is Status.SKIPPED:
        ET.SubElement(case, "skipped", message=legal(why))
    elif kind is Status.FAILED:
        outcome = one.verdict.outcome.value
        failure = ET.SubElement(case, "failure", type=outcome, message=legal(why))
        failure.text = legal("\n".join(_broken(one)))
    ET.SubElement(case, "system-out").text = legal("\n".join(_facts(one)))


def _facts(one: Judged) -> Iterator[str]:
    """Yield what is known of a property, line by line."""
    verdict = one.verdict
    yield one.claim.says
    yield f"verdict: {verdict.outcome.value}; expected: {one.expected.outcome.value}"
    yield f"method: {verdict.method}, depth {verdict.depth}"
    for cube in verdict.fails_under:
        yield f"fails under: {implicant(cube)}"
    if one.claim.clauses:
        yield f"clauses: {', '.join(one.claim.clauses)}"
    if verdict.remark:
        yield f"remark: {verdict.remark}"
    yield f"not covered: {not_covered(verdict)}"


def _broken(one: Judged) -> Iterator[str]:
    """Yield a Play that shows what is wrong, where there is one."""
    yield one.claim.says
    for play, after in one.verdict.plays[:1]:
        yield from trace_lines(one.game, play, after)


def _count(element: ET.Element, suites: Iterable[ET.Element]) -> None:
    cases = [case for suite in suites for case in suite.iter("testcase")]
    element.set("tests", str(len(cases)))
    for name, kind in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        if element.tag == "testsuite" or kind != "skipped":
            element.set(name, str(sum(case.find(kind) is not None for case in cases)))


def sarif_of_verdicts(
    judged: Sequence[Judged],
    faults: Mapping[str, Sequence[str]],
    properties: Mapping[str, object],
) -> str:
    """Return verdicts as SARIF: a rule for each property (game/id), a result for each."""
    results = [_result(one) for one in judged]
    results += [_fault(game, said) for game, all_ in faults.items() for said in all_]
    rules: dict[str, dict[str, Any]] = {}
    for one in judged:
        rules[_id(one)] = {"id": _id(one), "shortDescription": {"text": one.claim.says}}
    for game, said in faults.items():
        if said:
            id_ = f"{game}/{_SANITY}"
            text = "What the proofs speak of can come about."
            rules[id_] = {"id": id_, "shortDescription": {"text": text}}
    place = {id_: number for number, id_ in enumerate(rules)}
    for result in results:
        result["ruleIndex"] = place[result["ruleId"]]
    driver = {"name": "Playproof", "version": __version__, "rules": list(rules.values())}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": True}],
        "results": results,
        "properties": dict(properties),
    }
    made = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(made, indent=2, ensure_ascii=False) + "\n"


_KINDS = {Status.PASSED: "pass", Status.SKIPPED: "open", Status.FAILED: "fail"}


def _id(one: Judged) -> str:
    return f"{one.game.id}/{one.claim.id}"


def _result(one: Judged) -> dict[str, Any]:
    verdict = one.verdict
    kind, why = status(one)
    about = {
        "verdict": verdict.outcome.value,
        "expected": one.expected.outcome.value,
        "method": verdict.method,
        "depth": verdict.depth,
        "clauses": list(one.claim.clauses),
        "fails_under": [dict(cube) for cube in verdict.fails_under],
        "does_not_cover": not_covered(verdict),
    }
    return {
        "ruleId": _id(one),
        "kind": _KINDS[kind],
        "level": "error" if kind is Status.FAILED else "none",
        "message": {"text": f"{one.claim.id}: {why}. {one.claim.says}"},
        "locations": [_place(one.game.id, one.claim.id) | _in_file(one.game, one.claim)],
        "partialFingerprints": _fingerprint(_id(one), verdict.outcome.value),
        "properties": about,
    }


def _fault(game: str, said: str) -> dict[str, Any]:
    id_ = f"{game}/{_SANITY}"
    return {
        "ruleId": id_,
        "kind": "fail",
        "level": "error",
        "message": {"text": said},
        "locations": [_place(game, _SANITY)],
        "partialFingerprints": _fingerprint(id_, said),
    }


def _place(game: str, id_: str) -> dict[str, Any]:
    """Return where a verdict belongs: to a property of a game."""
    name = {"name": id_, "fullyQualifiedName": f"{game}/{id_}", "kind": "property"}
    return {"logicalLocations": [name]}


def _in_file(game: Game, claim: Property) -> dict[str, Any]:
    """Return the file in which a property is declared: the line, where it has one of its own.

    A file in the folder we are in is named from there, any other from where Python found it.
    """
    own = claim.kind not in (Kind.GENERAL, Kind.REACHABLE)
    made = inspect.unwrap(claim.holds if own else game.initial)
    if not inspect.isfunction(made):
        return {}
    path, here = Path(made.__code__.co_filename).resolve(), Path.cwd()
    module = f"{made.__module__.replace('.', '/')}.py"
    at = {"uri": quote(module), "uriBaseId": "PYTHONPATH"}
    if path.is_relative_to(here):
        at = {"uri": quote(path.relative_to(here).as_posix())}
    region = {"region": {"startLine": made.__code__.co_firstlineno}} if own else {}
    return {"physicalLocation": {"artifactLocation": at, **region}}


def _fingerprint(*parts: str) -> dict[str, str]:
    """Return what stays of a result while the same is found of the same property."""
    return {"playproof/verdict/1": sha256("\0".join(parts).encode()).hexdigest()[:32]}
