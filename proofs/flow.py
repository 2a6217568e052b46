"""Data flow: which reveals a target depends on."""

from __future__ import annotations

from collections.abc import Iterable

from ..models.algebra import Value, variables_of
from .paths import Path

__all__ = ["idle"]


def idle(path: Path, terms: Iterable[Value], ordinary: frozenset[str]) -> tuple[str, ...]:
    """Return the reveals that a target does not depend on.

    Only steps of ordinary rules that are followed by the same rule have such: what comes
    before another rule may have to bring it about.
    """
    needed = variables_of(*terms, definitions=dict(path.definitions))
    pairs = zip(path.rules, path.rules[1:], strict=False)
    steps = {
        str(step)
        for step, (rule, following) in enumerate(pairs, start=1)
        if rule == following and rule in ordinary
    }
    return tuple(
        name
        for name in path.unknowns
        if name not in needed and name[: name.index(".")] in steps
    )
