"""The published schema of verdicts as JSON: what ``prove --format json`` and ``--out`` write.

It is made from what reads them back for a report.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from .html.stored import SanityData, Times, VerdictData

__all__ = ["verdicts_schema"]

_DIALECT = "https://json-schema.org/draft/2020-12/schema"


class Decided(VerdictData, frozen=True, kw_only=True):
    """The answer for one property, beside what was expected."""

    expected_to_fail_under: list[dict[str, str]]


class Verdicts(msgspec.Struct, frozen=True):
    """All verdicts of a run; by game: editions and readings that were fixed, limits, sanity."""

    format: Literal["playproof-verdicts/1"]
    versions: dict[str, str]
    editions: dict[str, dict[str, str]]
    readings: dict[str, dict[str, str]]
    limits: dict[str, list[str]]
    promises: dict[str, dict[str, str]]
    verdicts: list[Decided]
    sanity: dict[str, SanityData]
    exit_code: int
    times: Times


def verdicts_schema() -> dict[str, Any]:
    """Return the JSON Schema of verdicts."""
    _, parts = msgspec.json.schema_components([Verdicts], ref_template="#/$defs/{name}")
    defs = {name: parts[name] for name in sorted(parts) if name != "Verdicts"}
    title = "what playproof prove found"
    return {"$schema": _DIALECT, **parts["Verdicts"], "title": title, "$defs": defs}
