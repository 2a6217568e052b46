"""Which of SMT-LIB's logics a system is in, by the letter of their definitions.

``QF_LIA`` has products of a number and a variable only, and neither ``div`` nor ``mod``;
``QF_NIA`` has all of them. Solvers mind little, but checkers of sorts do.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...models.algebra import Term, Value
from .system import Exported

__all__ = ["logic_of"]


def logic_of(system: Exported) -> str:
    """Return the least of QF_LIA and QF_NIA that a system's terms are in."""
    seen: set[int] = set()
    waiting: list[object] = list(_terms(system))
    while waiting:
        term = waiting.pop()
        if not isinstance(term, Term) or id(term) in seen:
            continue
        seen.add(id(term))
        if term.op in ("div", "mod") or (term.op == "*" and not _scales(term)):
            return "QF_NIA"
        waiting += term.args
    return "QF_LIA"


def _scales(product: Term) -> bool:
    terms = [one for one in product.args if isinstance(one, Term)]
    return len(terms) == 1 and terms[0].op == "var"


def _terms(system: Exported) -> Iterator[Value]:
    yield system.encoding.constraint
    yield from system.start.values()
    for case in system.cases:
        yield case.guard
        yield from case.changes.values()
        yield from case.kept.values()
    for one in system.statements:
        yield one.holds
