"""What ``playproof prove --vmt`` writes: JSON, certificates and traces.

<out>/verdicts.json                              the run
<out>/<file>/<number>/base.smt2 step.smt2 property.smt2 manifest.json
<out>/<file>/<number>/trace.itf.json             of a property that is unsafe
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from ..files import write_whole
from ..proofs import itf
from ..proofs.solvers import NAMES, version
from ..proofs.vmt.deciding import Decision
from ..proofs.vmt.trace import Trace
from ..proofs.vmt.values import value
from .vmt import File, Result

__all__ = ["as_json", "write"]

_FORMAT = "playproof-vmt/1"


def as_json(result: Result) -> str:
    """Return a run as JSON text; what took how long stands apart, in ``times``."""
    return _text(
        {
            "format": _FORMAT,
            "versions": {name: version(name) for name in NAMES},
            "files": [_file(one) for one in result.files],
            "exit_code": int(result.exit_code),
            "times": {
                "seconds": result.seconds,
                "properties": [
                    {
                        "file": str(file.path),
                        "number": one.claim.number,
                        "seconds": one.seconds,
                    }
                    for file in result.files
                    for one in file.decisions
                ],
            },
        }
    )


def write(result: Result, out: Path) -> None:
    """Write a run to a folder. Raises BadInput where it cannot be written."""
    used: dict[str, int] = {}
    for file in result.files:
        used[file.path.stem] = used.get(file.path.stem, 0) + 1
        again = f"-{used[file.path.stem]}" if used[file.path.stem] > 1 else ""
        for one in file.decisions:
            folder = out / f"{file.path.stem}{again}" / str(one.claim.number)
            if one.certificate is not None:
                for check in one.certificate.checks:
                    write_whole(folder / f"{check.part}.smt2", check.text)
                write_whole(folder / "manifest.json", _text(_manifest(file, one)))
            if one.trace is not None:
                write_whole(folder / "trace.itf.json", _text(_trace(file, one, one.trace)))
    write_whole(out / "verdicts.json", as_json(result))


def _file(file: File) -> Mapping[str, Any]:
    return {
        "file": str(file.path),
        "sha256": file.sha256,
        "notes": list(file.notes),
        "properties": [_decision(one) for one in file.decisions],
    }


def _decision(one: Decision) -> Mapping[str, Any]:
    told: dict[str, Any] = {
        "number": one.claim.number,
        "name": one.claim.name,
        "verdict": one.outcome,
        "method": one.method,
        "remarks": list(one.remarks),
    }
    if one.certificate is not None:
        told["certificate"] = {
            "k": one.certificate.k,
            "phi": one.certificate.phi,
            "answers": [
                {"check": c.part, "solver": c.solver, "answer": c.answer, "reason": c.reason}
                for c in one.checked
            ],
        }
    if one.trace is not None:
        told["trace"] = [
            {"state": dict(moment.state), "inputs": dict(moment.inputs)}
            for moment in one.trace.moments
        ]
    return told


def _manifest(file: File, one: Decision) -> Mapping[str, Any]:
    assert one.certificate is not None
    return {
        "format": _FORMAT,
        "file": file.path.name,
        "sha256": file.sha256,
        **_decision(one),
        "checks": [
            {"file": f"{check.part}.smt2", "sha256": sha256(check.text.encode()).hexdigest()}
            for check in one.certificate.checks
        ],
        "expect": "unsat",
    }


def _trace(file: File, one: Decision, trace: Trace) -> Mapping[str, Any]:
    names = list(trace.moments[0].state)
    states = [{n: value(v) for n, v in moment.state.items()} for moment in trace.moments]
    notes = [{"inputs": dict(moment.inputs)} for moment in trace.moments]
    meta = {"source": file.path.name, "sha256": file.sha256, "breaks": one.claim.name}
    return itf.document(names, states, meta, notes=notes)


def _text(data: Mapping[str, Any]) -> str:
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"
