"""Data flow: which reveals a target depends on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import cast

from ..models.algebra import Term, Value
from .paths import Path

__all__ = ["idle", "variables_of"]


def variables_of(terms: Iterable[Value], definitions: Mapping[str, Value]) -> frozenset[str]:
    """Return the variables that terms depend on, through what defined names stand for."""
    found: set[str] = set()
    done: set[int] = set()
    waiting: list[object] = list(terms)
    while waiting:
        term = waiting.pop()
        if not isinstance(term, Term) or id(term) in done:
            continue
        done.add(id(term))
        if term.op == "var":
            name = cast("str", term.args[0])
            if name not in found:
                found.add(name)
                waiting.append(definitions.get(name))
        else:
            waiting.extend(term.args)
    return frozenset(found)


def idle(path: Path, terms: Iterable[Value], ordinary: frozenset[str]) -> tuple[str, ...]:
    """Return the reveals that a target does not depend on.

    Only steps of ordinary rules that are followed by the same rule have such: what comes
    before another rule may have to bring it about.
    """
    needed = variables_of(terms, dict(path.definitions))
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
