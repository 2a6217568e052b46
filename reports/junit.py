"""Findings as JUnit XML, for what shows test results.

There is a test suite for each thing that was judged, a log or a script, with one test case of
its own, and one for each of its Plays in which something was found; Plays without findings are
counted in the properties of the first suite alone, for there may be millions. Findings fail a
case, what cannot be read is an error of it, and notes are its output. Where nothing is wrong
and something is undecided a case is skipped, with the reason: it has not passed.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Mapping, Sequence

from ..oracles.event import Where
from ..oracles.finding import Finding, Severity
from .words import some

__all__ = ["as_xml", "junit", "legal"]

_ERRORS = {"unreadable", "adapter"}
_OPEN = "undecided"
_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(
    findings: Iterable[Finding],
    judged: Sequence[str],
    *,
    name: str,
    game: str,
    properties: Mapping[str, object],
    left_out: Mapping[str, int] | None = None,
) -> str:
    """Return findings as JUnit XML.

    ``judged`` are the files (as in the findings' places) that were judged: each gets a suite,
    also where nothing was found. ``name`` is of the whole run, ``properties`` are its totals.
    ``left_out`` says of how many more findings in each file the list is cut short.
    """
    suites: dict[str, dict[str, list[Finding]]] = {one: {"": []} for one in judged}
    for finding in findings:
        cases = suites.setdefault(finding.where.file or name, {"": []})
        cases.setdefault(finding.play, []).append(finding)
    for file, count in (left_out or {}).items():
        said = Finding("left-out", f"{some(count, 'further finding')} not listed", Where(file))
        suites.setdefault(file or name, {"": []})[""].append(said)
    root = ET.Element("testsuites", name=legal(name))
    for suite, cases in suites.items():
        _count(_suite(root, suite, cases, game, properties), cases)
        properties = {}
    _count(root, *suites.values())
    return as_xml(root)


def as_xml(root: ET.Element) -> str:
    """Return an XML document as text, indented."""
    ET.indent(root)
    text = ET.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _suite(
    root: ET.Element,
    name: str,
    cases: Mapping[str, Sequence[Finding]],
    game: str,
    properties: Mapping[str, object],
) -> ET.Element:
    suite = ET.SubElement(root, "testsuite", name=legal(name))
    listed = ET.SubElement(suite, "properties") if properties else suite
    for key, value in properties.items():
        ET.SubElement(listed, "property", name=legal(key), value=legal(str(value)))
    for play, findings in cases.items():
        title = f"Play {play}" if play else name
        case = ET.SubElement(suite, "testcase", classname=legal(game), name=legal(title))
        if wrong := [one for one in findings if one.severity is Severity.ERROR]:
            kind = _kind(findings)
            told = ET.SubElement(case, kind, type=wrong[0].code, message=legal(_head(wrong)))
            told.text = legal("\n".join(one.text() for one in wrong))
        if notes := [one for one in findings if one.severity is Severity.NOTE]:
            ET.SubElement(case, "system-out").text = legal(
                "\n".join(f"note: {one.text()}" for one in notes)
            )
    return suite


def _head(findings: Sequence[Finding]) -> str:
    more = f" (and {len(findings) - 1} more)" if len(findings) > 1 else ""
    return findings[0].message.partition("\n")[0] + more


def _kind(findings: Sequence[Finding]) -> str:
    """Return what a case comes to: a failure where a rule is broken, "" where nothing is."""
    wrong = [one for one in findings if one.severity is Severity.ERROR]
    if any(one.code not in _ERRORS and one.code != _OPEN for one in wrong):
        return "failure"
    if any(one.code in _ERRORS for one in wrong):
        return "error"
    return "skipped" if wrong else ""


def _count(element: ET.Element, *suites: Mapping[str, Sequence[Finding]]) -> None:
    kinds = [_kind(findings) for suite in suites for findings in suite.values()]
    element.set("tests", str(len(kinds)))
    element.set("failures", str(kinds.count("failure")))
    element.set("errors", str(kinds.count("error")))
    if element.tag == "testsuite":  # what holds all suites has no such count
        element.set("skipped", str(kinds.count("skipped")))


def legal(text: str) -> str:
    """Return a text with what XML cannot hold made visible."""
    return _ILLEGAL.sub(lambda found: repr(found[0])[1:-1], text)
