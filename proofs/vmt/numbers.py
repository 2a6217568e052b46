"""Words taken as whole numbers: most programs over bit-vectors do not mean to wrap around.

A system over bit-vectors is read as one over Int, a word as its signed value, steps that leave
the range of a word left out; what works on single bits may come to anything. Engines find φ
there that they do not find over bits. Read back over words that are wide enough for every sum
in it, it is a candidate, no more, and so is every equation that a bound in it suggests, which
may hold modulo the words' range: which of all these are inductive for the words as they are is
checked before anything is answered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from .system import System
from .terms import conjuncts, constants

__all__ = ["as_numbers", "as_words"]

_ROOM = 16
"""Bits that a sum of words may need beyond theirs."""


class _CannotBeRead(Exception):
    """A term has no meaning on the other side."""


def as_numbers(system: System) -> System | None:
    """Return a system over Int in place of bit-vectors.

    None if there are none, or init or a property works on single bits.
    """
    import z3

    every = (*system.now, *system.then, *system.inputs)
    if not any(z3.is_bv(one) for one in system.now):
        return None
    unread: list[Any] = []

    def guessed(term: Any, parts: list[Any]) -> Any:
        try:
            return _number(term, parts)
        except _CannotBeRead:
            sort = z3.IntSort() if z3.is_bv(term) else term.sort()
            unread.append(z3.Const(f"unread~{len(unread)}", sort))
            return unread[-1]

    try:
        read = _Reader(_number).read
        init, trans = read(system.init), _Reader(guessed).read(system.trans)
        claims = {number: read(claim) for number, claim in system.claims.items()}
        now, then, inputs = ([read(c) for c in some] for some in _parts(system))
    except _CannotBeRead:
        return None
    ranges = {c.decl().name(): _range(c) for c in every if z3.is_bv(c)}

    def within(formula: Any) -> Any:
        found = [ranges[n] for c in constants([formula]) if (n := c.decl().name()) in ranges]
        return z3.And([formula, *found])

    return replace(
        system,
        now=tuple(now),
        then=tuple(then),
        inputs=(*inputs, *unread),
        init=within(init),
        trans=within(trans),
        claims=claims,
    )


def as_words(phi: Any, system: System) -> tuple[list[Any], list[Any]]:
    """Return what a φ over Int suggests of the system's words, without the unreadable.

    First what solvers find easy: equations, and what speaks of two words at most.
    """
    import z3

    by_name = {a.decl().name(): a for a in system.now}
    sizes = {a.size() for a in system.now if z3.is_bv(a)}
    plain = _pieces(phi)
    easy: list[Any] = []
    hard: list[Any] = []
    for one in _read_back(plain, by_name, max(sizes) + _ROOM):
        few = sum(1 for c in constants([one]) if z3.is_bv(c)) <= 2
        (easy if few else hard).append(one)
    equations = [one for part in plain for one in _equations(part)]
    for size in sorted(sizes):
        easy += _read_back(equations, by_name, size)
    return easy, hard


def _read_back(formulas: Iterable[Any], by_name: Mapping[str, Any], wide: int) -> list[Any]:
    """Return formulas with sums over words of ``wide`` bits."""
    reader = _Reader(lambda term, parts: _word(term, parts, by_name, wide))
    found = []
    for formula in formulas:
        try:
            found.append(reader.read(formula))
        except _CannotBeRead:
            continue
    return found


def _equations(part: Any) -> list[Any]:
    """Return a clause with its only bound made an equation, with the numbers next to it."""
    import z3

    literals = part.children() if z3.is_or(part) else [part]
    bounds = [(one, inner) for one in literals if (inner := _bound(one)) is not None]
    if len(bounds) != 1:
        return []
    ((literal, inner),) = bounds
    rest = [one for one in literals if not one.eq(literal)]
    value = inner.arg(1).as_long()
    equal = [inner.arg(0) == value + near for near in (-1, 0, 1)]
    return [z3.Or([*rest, one]) if rest else one for one in equal]


def _bound(literal: Any) -> Any | None:
    """Return the comparison with a number in a literal, if it is one."""
    import z3

    inner = literal.arg(0) if z3.is_not(literal) else literal
    compares = z3.is_le(inner) or z3.is_ge(inner)
    return inner if compares and z3.is_int_value(inner.arg(1)) else None


def _pieces(phi: Any) -> list[Any]:
    """Return the parts of a φ, those of what it implies taken apart too."""
    import z3

    found = []
    for part in conjuncts(phi):
        if z3.is_implies(part):
            found += [z3.Implies(part.arg(0), one) for one in conjuncts(part.arg(1))]
        else:
            found.append(part)
    return found


def _parts(system: System) -> tuple[Sequence[Any], ...]:
    return system.now, system.then, system.inputs


class _Reader:
    """Reads terms from the inside out; ``convert`` gets a term and its parts, read."""

    def __init__(self, convert: Callable[[Any, list[Any]], Any]) -> None:
        self.convert = convert
        self._read: dict[int, Any] = {}
        self._kept: list[Any] = []

    def read(self, term: Any) -> Any:
        self._kept.append(term)
        order = [term]
        while order:
            one = order[-1]
            missing = [c for c in one.children() if c.get_id() not in self._read]
            if missing:
                order += missing
                continue
            order.pop()
            if one.get_id() not in self._read:
                parts = [self._read[c.get_id()] for c in one.children()]
                self._read[one.get_id()] = self.convert(one, parts)
                self._kept.append(one)
        return self._read[term.get_id()]


def _number(term: Any, parts: list[Any]) -> Any:
    """Return a term over words as one over numbers."""
    import z3

    kind = term.decl().kind()
    if z3.is_bv_value(term):
        return z3.IntVal(term.as_signed_long())
    if kind == z3.Z3_OP_UNINTERPRETED:
        return z3.Int(term.decl().name()) if z3.is_bv(term) else term
    if kind == z3.Z3_OP_BADD:
        return z3.Sum(parts)
    if kind == z3.Z3_OP_BSUB:
        return parts[0] - z3.Sum(parts[1:])
    if kind == z3.Z3_OP_BNEG:
        return -parts[0]
    if kind == z3.Z3_OP_BMUL and len(parts) == 2 and any(z3.is_int_value(p) for p in parts):
        return parts[0] * parts[1]
    if kind == z3.Z3_OP_BSHL and z3.is_bv_value(term.arg(1)):
        return parts[0] * (1 << min(term.arg(1).as_long(), term.size()))
    if kind == z3.Z3_OP_EXTRACT:
        high, low = term.params()
        if high == low == term.arg(0).size() - 1:
            return z3.If(parts[0] < 0, z3.IntVal(-1), z3.IntVal(0))
        if low == 0:
            return parts[0]
        raise _CannotBeRead
    if kind == z3.Z3_OP_SIGN_EXT:
        return parts[0]
    if kind == z3.Z3_OP_ZERO_EXT:
        return _unsigned(parts[0], term.arg(0).size())
    signed = {
        z3.Z3_OP_SLT: lambda a, b: a < b, z3.Z3_OP_SLEQ: lambda a, b: a <= b,
        z3.Z3_OP_SGT: lambda a, b: a > b, z3.Z3_OP_SGEQ: lambda a, b: a >= b,
    }  # fmt: skip
    if kind in signed:
        return signed[kind](*parts)
    unsigned = {
        z3.Z3_OP_ULT: lambda a, b: a < b, z3.Z3_OP_ULEQ: lambda a, b: a <= b,
        z3.Z3_OP_UGT: lambda a, b: a > b, z3.Z3_OP_UGEQ: lambda a, b: a >= b,
    }  # fmt: skip
    if kind in unsigned:
        return unsigned[kind](*(_unsigned(p, term.arg(0).size()) for p in parts))
    return _logical(term, parts)


def _unsigned(number: Any, size: int) -> Any:
    import z3

    return z3.If(number < 0, number + (1 << size), number)


def _word(term: Any, parts: list[Any], by_name: Any, wide: int) -> Any:
    """Return a term over numbers as one over words of ``wide`` bits."""
    import z3

    kind = term.decl().kind()
    if z3.is_int_value(term):
        if abs(term.as_long()) >= 1 << (wide - 2):
            raise _CannotBeRead
        return z3.BitVecVal(term.as_long(), wide)
    if kind == z3.Z3_OP_UNINTERPRETED:
        word = by_name.get(term.decl().name())
        if word is None or (z3.is_bv(word) and word.size() > wide):
            raise _CannotBeRead
        return z3.SignExt(wide - word.size(), word) if z3.is_bv(word) else word
    if kind == z3.Z3_OP_ADD:
        return _folded(parts, lambda a, b: a + b)
    if kind == z3.Z3_OP_SUB:
        return _folded(parts, lambda a, b: a - b)
    if kind == z3.Z3_OP_UMINUS:
        return -parts[0]
    if kind == z3.Z3_OP_MUL:
        return _folded(parts, lambda a, b: a * b)
    compared = {
        z3.Z3_OP_LT: lambda a, b: a < b, z3.Z3_OP_LE: lambda a, b: a <= b,
        z3.Z3_OP_GT: lambda a, b: a > b, z3.Z3_OP_GE: lambda a, b: a >= b,
    }  # fmt: skip
    if kind in compared:
        return compared[kind](*parts)
    return _logical(term, parts)


def _folded(parts: list[Any], join: Callable[[Any, Any], Any]) -> Any:
    result = parts[0]
    for part in parts[1:]:
        result = join(result, part)
    return result


def _logical(term: Any, parts: list[Any]) -> Any:
    import z3

    made: dict[int, Callable[..., Any]] = {
        z3.Z3_OP_TRUE: lambda: z3.BoolVal(True), z3.Z3_OP_FALSE: lambda: z3.BoolVal(False),
        z3.Z3_OP_AND: lambda *p: z3.And(p), z3.Z3_OP_OR: lambda *p: z3.Or(p),
        z3.Z3_OP_NOT: z3.Not, z3.Z3_OP_IMPLIES: z3.Implies, z3.Z3_OP_XOR: z3.Xor,
        z3.Z3_OP_EQ: lambda a, b: a == b, z3.Z3_OP_ITE: z3.If,
        z3.Z3_OP_DISTINCT: lambda *p: z3.Distinct(*p),
    }  # fmt: skip
    kind = term.decl().kind()
    if kind not in made:
        raise _CannotBeRead
    return made[kind](*parts)


def _range(word: Any) -> Any:
    import z3

    number, half = z3.Int(word.decl().name()), 1 << (word.size() - 1)
    return z3.And(number >= -half, number < half)
