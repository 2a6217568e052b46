"""Findings as SARIF 2.1.0, for what shows the results of analyses beside the files.

A rule there is the clause that is broken, or else the property, or else the kind of finding:
whichever of them is known first.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from .. import __version__
from ..models.registers import has_register, load_register
from ..models.system import Game
from ..oracles.finding import CODES, Finding, Severity

__all__ = ["SCHEMA", "sarif"]

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def sarif(
    findings: Iterable[Finding],
    game: Game,
    *,
    properties: Mapping[str, Any],
    complete: bool = True,
) -> str:
    """Return findings as SARIF; ``properties`` are totals of the run.

    ``complete`` says whether the run came to its end.
    """
    listed = list(findings)
    ids = list(dict.fromkeys(map(_rule, listed)))
    says = _says(game)
    driver = {
        "name": "Playproof",
        "version": __version__,
        "rules": [{"id": id_, "shortDescription": {"text": says.get(id_, id_)}} for id_ in ids],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": complete}],
        "results": [_result(one, ids.index(_rule(one))) for one in listed],
        "properties": {"game": game.id, **properties},
    }
    made = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(made, indent=2, ensure_ascii=False) + "\n"


def _rule(finding: Finding) -> str:
    return next(iter((*finding.clauses, *finding.properties)), finding.code)


def _says(game: Game) -> dict[str, str]:
    """Return what clauses, properties and kinds of finding say."""
    clauses = load_register(game.id).clauses if has_register(game.id) else ()
    return (
        dict(CODES)
        | {claim.id: claim.says for claim in game.properties}
        | {clause.id: clause.text for clause in clauses}
    )


def _result(finding: Finding, index: int) -> dict[str, Any]:
    about = {
        "code": finding.code,
        "play": finding.play,
        "step": finding.step,
        "field": finding.field,
        "shown": finding.shown,
        "expected": finding.expected,
        "rule": finding.rule,
        "clauses": list(finding.clauses),
        "properties": list(finding.properties),
        "nearest": finding.nearest,
        "fault": finding.fault,
    }
    result: dict[str, Any] = {
        "ruleId": _rule(finding),
        "ruleIndex": index,
        **_weight(finding),
        "message": {"text": finding.text()},
        "partialFingerprints": {"playproof/1": _fingerprint(finding)},
        "properties": {
            key: value for key, value in about.items() if value not in (None, "", [])
        },
    }
    if finding.where.file and finding.where.file != "-":
        place: dict[str, Any] = {"artifactLocation": {"uri": _uri(finding.where.file)}}
        if finding.where.line:
            place["region"] = {"startLine": finding.where.line}
        result["locations"] = [{"physicalLocation": place}]
    return result


def _weight(finding: Finding) -> dict[str, str]:
    """Return how a finding counts: what is undecided is open, and neither right nor wrong."""
    if finding.code == "undecided":
        return {"kind": "open", "level": "none"}
    return {"level": "note" if finding.severity is Severity.NOTE else "error"}


def _fingerprint(finding: Finding) -> str:
    """Return what stays of a finding where lines move: what is wrong, in which Play."""
    parts = (finding.code, finding.play, str(finding.step), finding.field, _rule(finding))
    return sha256("\0".join(parts).encode("utf-8", "backslashreplace")).hexdigest()[:32]


def _uri(file: str) -> str:
    """Return where a file is, relative to the folder we are in unless it is named in full.

    >>> _uri("logs/a b.jsonl")
    'logs/a%20b.jsonl'
    """
    path = PurePath(file)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix())
