"""Looking into z3 terms: never recursive, as files may nest terms deeply."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

__all__ = ["atoms_of", "conjuncts", "constants", "nodes", "numerals", "sorts_of"]


def nodes(terms: Iterable[Any]) -> Iterator[Any]:
    """Yield every term within terms once, outer ones first."""
    seen: set[int] = set()
    todo = list(terms)
    while todo:
        one = todo.pop()
        if one.get_id() in seen:
            continue
        seen.add(one.get_id())
        yield one
        todo.extend(one.children())


def constants(terms: Iterable[Any]) -> list[Any]:
    """Return the free constants of terms, by name."""
    import z3

    found = {
        one.decl().name(): one
        for one in nodes(terms)
        if one.num_args() == 0 and one.decl().kind() == z3.Z3_OP_UNINTERPRETED
    }
    return [found[name] for name in sorted(found)]


def sorts_of(term: Any) -> set[str]:
    """Return the sorts of all terms within a term, bit-vectors of any width as BitVec."""
    import z3

    plain = {
        z3.Z3_BOOL_SORT: "Bool", z3.Z3_INT_SORT: "Int", z3.Z3_REAL_SORT: "Real",
        z3.Z3_BV_SORT: "BitVec",
    }  # fmt: skip
    return {plain.get(one.sort_kind()) or str(one.sort()) for one in nodes([term])}


def conjuncts(term: Any) -> list[Any]:
    """Return the formulas that a formula is the conjunction of, in order."""
    import z3

    found, todo = [], [term]
    while todo:
        one = todo.pop()
        if z3.is_and(one):
            todo.extend(reversed(one.children()))
        elif z3.is_not(one) and z3.is_or(one.arg(0)):
            todo.extend(z3.Not(part) for part in reversed(one.arg(0).children()))
        elif z3.is_not(one) and z3.is_not(one.arg(0)):
            todo.append(one.arg(0).arg(0))
        elif not z3.is_true(one):
            found.append(one)
    return found


def atoms_of(terms: Iterable[Any]) -> list[Any]:
    """Return the Boolean terms without Boolean connectives in them, in order of appearance.

    Boolean constants are atoms; equalities between formulas and if-then-else of formulas are
    not, but what is within them is looked at, as are conditions within arithmetic terms.
    """
    import z3

    connectives = {
        z3.Z3_OP_AND, z3.Z3_OP_OR, z3.Z3_OP_NOT, z3.Z3_OP_IMPLIES, z3.Z3_OP_XOR,
        z3.Z3_OP_TRUE, z3.Z3_OP_FALSE,
    }  # fmt: skip
    found = []
    for one in nodes(terms):
        if not z3.is_bool(one) or one.decl().kind() in connectives:
            continue
        if one.num_args() and any(z3.is_bool(part) for part in one.children()):
            continue
        found.append(one)
    return found


def numerals(terms: Iterable[Any]) -> list[Any]:
    """Return the numbers (Int, Real and bit-vector) within terms, each once."""
    import z3

    return [
        one
        for one in nodes(terms)
        if z3.is_int_value(one) or z3.is_rational_value(one) or z3.is_bv_value(one)
    ]
