"""What the enumeration of a copy must give: pinned beside its definition, and checked.

states     new states at each depth, and ``points`` new points
longest    the most steps a Play can take; left out where one can go on for ever
refuted    the properties that fail
prizes     the steps of a shortest Play to each prize
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from ..models.system import Kind
from .enumeration import Enumeration
from .findings import GENERAL, judge, longest_play, prizes

__all__ = ["differences", "figures", "toml"]


def figures(found: Enumeration) -> dict[str, Any]:
    """Return what an enumeration gave, in the form in which it is pinned."""
    longest = longest_play(found)
    findings = [judge(found, c) for c in found.game.properties if c.kind is not Kind.GENERAL]
    findings += [decide(found) for decide in GENERAL.values()]
    return {
        "states": [len(layer) for layer in found.state_layers],
        "points": [len(layer) for layer in found.layers],
        **({} if longest is None else {"longest": longest}),
        "refuted": [finding.property for finding in findings if not finding.holds],
        "prizes": {prize.name: len(prize.steps) for prize in prizes(found)},
    }


def differences(pinned: Mapping[str, Any], given: Mapping[str, Any]) -> Iterator[str]:
    """Yield, in words, where what was given differs from what is pinned."""
    for name in dict.fromkeys([*pinned, *given]):
        now, then = given.get(name), pinned.get(name)
        if now != then:
            yield f"{name}: {_shown(now)}, where {_shown(then)} is pinned"


def toml(copy: str, given: Mapping[str, Any]) -> str:
    """Return figures as the table to write into the file of a copy."""
    lines = [f"[copies.{copy}.pinned]"]
    lines += [f"{name} = {_toml(value)}" for name, value in given.items()]
    return "\n".join(lines)


def _toml(value: Any) -> str:
    if isinstance(value, Mapping):
        inside = ", ".join(
            f"{json.dumps(k, ensure_ascii=False)} = {v}" for k, v in value.items()
        )
        return f"{{ {inside} }}" if inside else "{}"
    return json.dumps(value, ensure_ascii=False)


def _shown(value: Any) -> str:
    return "nothing" if value is None else _toml(value)
