"""Finite queries: terms over bounded unknowns, as bit-vectors of just enough bits.

Every variable has a span, so every term has one, and is given exactly the bits it needs: no
operation can overflow, and what a span decides is never sent. Bit-blasting and SAT then find
reveals several times faster than linear integer arithmetic does on the same path. Terms go
through z3's C interface, for its Python operators would cost more than the solving.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import z3
from z3 import z3core as c

from ..models.algebra import Term, Value
from .spans import Reader, Span

__all__ = ["Query", "Unbounded", "solve"]


class Unbounded(ValueError):
    """A variable of a finite query has no upper or lower limit."""


@dataclass(frozen=True)
class Query:
    """Unknowns, what is defined from them (in order), and what must hold.

    ``spans`` gives the possible values of every unknown and of every defined name; they are
    part of what must hold.
    """

    unknowns: tuple[str, ...]
    definitions: tuple[tuple[str, Value], ...]
    constraints: tuple[Value, ...]
    spans: Mapping[str, Span]


def solve(query: Query, *, seed: int = 0, budget: int = 5_000_000) -> dict[str, int] | bool:
    """Return values of the unknowns; False if there are none; True if the budget ran out.

    A yes or no is 1 or 0. ``budget`` is in z3's resource units, so that answers repeat.
    Raises Unbounded for an unknown without limits.
    """
    context = z3.Context()
    blaster = _Blaster(context, query)
    # Deciding for 0 first makes what is found simple: few symbols, few bonuses.
    sat = z3.With(z3.Tactic("sat", ctx=context), phase="always_false", ctx=context)
    steps = ("simplify", "propagate-values", "solve-eqs", "simplify", "bit-blast", sat)
    solver = z3.Then(*steps, ctx=context).solver()
    solver.set(random_seed=seed, rlimit=budget)
    reference, solver_reference = context.ref(), solver.solver
    for condition in blaster.conditions:
        c.Z3_solver_assert(reference, solver_reference, condition)
    answer = solver.check()
    if answer == z3.unsat:
        return False
    if answer != z3.sat:
        return True
    model = solver.model()
    values: dict[str, int] = {}
    for name, (bits, _) in blaster.inputs.items():
        number = model.eval(z3.BitVecRef(bits, context), model_completion=True)
        values[name] = number.as_signed_long()
    for name in query.unknowns:
        if name not in values:
            values[name] = cast("int", query.spans[name].only)
    return values


def _width(span: Span) -> int:
    low, high = _ends(span)
    return max(low.bit_length() if low >= 0 else (~low).bit_length(), high.bit_length()) + 1


def _ends(span: Span) -> tuple[int, int]:
    if span.low is None or span.high is None:
        raise Unbounded("an unknown without limits cannot be given bits")
    return span.low, span.high


class _Blaster:
    """Turns terms into z3's bit-vectors and Booleans; keeps all of them alive."""

    def __init__(self, context: z3.Context, query: Query) -> None:
        self.context = context
        self.ref = context.ref()
        self.reader = Reader(query.spans)
        self.spans = query.spans
        self.inputs: dict[str, tuple[Any, int]] = {}
        self.conditions: list[Any] = []
        self._named: dict[str, tuple[Any, int]] = {}
        self._made: dict[int, Any] = {}
        self._sorts: dict[int, Any] = {}
        self._numbers: dict[tuple[int, int], Any] = {}
        self.true = self._keep(c.Z3_mk_true(self.ref))
        self.false = self._keep(c.Z3_mk_false(self.ref))
        for name in query.unknowns:
            if query.spans[name].only is None:
                self._unknown(name)
        for name, term in query.definitions:
            self._define(name, term)
        for condition in query.constraints:
            made = self.truth(condition)
            if made is not self.true:
                self.conditions.append(made)

    def _keep(self, made: Any) -> Any:
        c.Z3_inc_ref(self.ref, made)
        return made

    def _sort(self, width: int) -> Any:
        if width not in self._sorts:
            self._sorts[width] = c.Z3_mk_bv_sort(self.ref, width)
        return self._sorts[width]

    def _number(self, value: int, width: int) -> Any:
        key = (value, width)
        if key not in self._numbers:
            made = c.Z3_mk_numeral(self.ref, str(value), self._sort(width))
            self._numbers[key] = self._keep(made)
        return self._numbers[key]

    def _unknown(self, name: str) -> None:
        span = self.spans[name]
        width = _width(span)
        symbol = c.Z3_mk_string_symbol(self.ref, name)
        bits = self._keep(c.Z3_mk_const(self.ref, symbol, self._sort(width)))
        self.inputs[name] = self._named[name] = (bits, width)
        self._within(bits, width, span, None)

    def _define(self, name: str, term: Value) -> None:
        span = self.spans[name]
        made = self.reader.of(term)
        bits, width = self.number(term)
        self._within(bits, width, span, made)
        if span.only is None:
            narrow = _width(span)
            self._named[name] = (self._resize(bits, width, narrow), narrow)

    def _within(self, bits: Any, width: int, span: Span, made: Span | None) -> None:
        """Assert that bits of a known span are within a narrower one."""
        low, high = _ends(span)
        least, most = (-(1 << width - 1), (1 << width - 1) - 1) if made is None else _ends(made)
        if low > least:
            number = self._number(low, width)
            self.conditions.append(self._keep(c.Z3_mk_bvsle(self.ref, number, bits)))
        if high < most:
            number = self._number(high, width)
            self.conditions.append(self._keep(c.Z3_mk_bvsle(self.ref, bits, number)))
        if span.few is not None and len(span.few) != high - low + 1:
            possible = span.few if made is None or made.few is None else made.few
            if made is not None and made.few is not None:
                gaps = {value for value in possible if low <= value <= high} - span.few
            else:
                gaps = set(range(low, high + 1)) - span.few if high - low < 4096 else None
            if gaps is not None and len(gaps) <= len(span.few):
                for value in sorted(gaps):
                    self.conditions.append(self._not(self._is(bits, width, value)))
            else:
                ways = [self._is(bits, width, value) for value in sorted(span.few)]
                self.conditions.append(self._many(c.Z3_mk_or, ways))

    def _is(self, bits: Any, width: int, value: int) -> Any:
        return self._keep(c.Z3_mk_eq(self.ref, bits, self._number(value, width)))

    def _not(self, made: Any) -> Any:
        return self._keep(c.Z3_mk_not(self.ref, made))

    def _many(self, make: Any, parts: Sequence[Any]) -> Any:
        array = (z3.Ast * len(parts))(*parts)
        return self._keep(make(self.ref, len(parts), array))

    def _resize(self, bits: Any, width: int, wanted: int) -> Any:
        if wanted > width:
            return self._keep(c.Z3_mk_sign_ext(self.ref, wanted - width, bits))
        if wanted < width:
            return self._keep(c.Z3_mk_extract(self.ref, wanted - 1, 0, bits))
        return bits

    def truth(self, value: object) -> Any:
        """Return a yes or no as a z3 Boolean."""
        only = self.reader.of(value).only
        if only is not None:
            return self.true if only else self.false
        term = cast("Term", value)
        if id(term) not in self._made:
            self._made[id(term)] = self._truth(term)
        return self._made[id(term)]

    def _truth(self, term: Term) -> Any:
        op, args = term.op, term.args
        if op == "var":
            bits, width = self._named[cast("str", args[0])]
            return self._is(bits, width, 1)
        if op == "not":
            return self._not(self.truth(args[0]))
        if op in ("and", "or"):
            make = c.Z3_mk_and if op == "and" else c.Z3_mk_or
            open_ = [arg for arg in args if self.reader.of(arg).only is None]
            return self._many(make, [self.truth(arg) for arg in open_])
        if op == "ite":
            return self._keep(c.Z3_mk_ite(self.ref, *map(self.truth, args)))
        if op == "=" and _yes_or_no(args[0]):
            return self._keep(c.Z3_mk_eq(self.ref, *map(self.truth, args)))
        left, right, _ = self._aligned(args)
        make = {"<": c.Z3_mk_bvslt, "<=": c.Z3_mk_bvsle, "=": c.Z3_mk_eq}[op]
        return self._keep(make(self.ref, left, right))

    def _aligned(self, args: Sequence[object]) -> tuple[Any, Any, int]:
        width = max(_width(self.reader.of(arg)) for arg in args)
        left, right = (self._resize(*self.number(arg), width) for arg in args)
        return left, right, width

    def number(self, value: object) -> tuple[Any, int]:
        """Return a number (or a yes or no, as 1 or 0) as bits, with their width."""
        span = self.reader.of(value)
        width = _width(span)
        if span.only is not None:
            return self._number(span.only, width), width
        term = cast("Term", value)
        key = ~id(term)
        if key not in self._made:
            self._made[key] = self._bits(term, width)
        return self._made[key], width

    def _bits(self, term: Term, width: int) -> Any:
        op, args = term.op, term.args
        if op == "var":
            bits, had = self._named[cast("str", args[0])]
            return self._resize(bits, had, width)
        if _yes_or_no(term):
            yes, no = self._number(1, width), self._number(0, width)
            return self._keep(c.Z3_mk_ite(self.ref, self.truth(term), yes, no))
        if op == "ite":
            return self._branches(args, width)
        if op in ("div", "mod"):
            return self._divided(op, args[0], cast("int", args[1]), width)
        make = {"+": c.Z3_mk_bvadd, "-": c.Z3_mk_bvsub, "*": c.Z3_mk_bvmul}[op]
        parts = [self._resize(*self.number(arg), width) for arg in args]
        made = parts[0]
        for part in parts[1:]:
            made = self._keep(make(self.ref, made, part))
        return made

    def _branches(self, args: tuple[object, ...], width: int) -> Any:
        condition, then, otherwise = args
        certain = self.reader.of(condition).only
        if certain is not None:
            return self._resize(*self.number(then if certain else otherwise), width)
        yes = self._resize(*self.number(then), width)
        no = self._resize(*self.number(otherwise), width)
        return self._keep(c.Z3_mk_ite(self.ref, self.truth(condition), yes, no))

    def _divided(self, op: str, dividend: object, by: int, width: int) -> Any:
        low, _ = _ends(self.reader.of(dividend))
        bits, had = self.number(dividend)
        # Whole multiples of the divisor make the dividend positive, where both kinds of
        # division agree.
        lift = max(0, -(low // by))
        wide = max(had, width, by.bit_length() + 1, (lift * by).bit_length() + 1) + 1
        positive = self._resize(bits, had, wide)
        if lift:
            positive = self._keep(
                c.Z3_mk_bvadd(self.ref, positive, self._number(lift * by, wide))
            )
        make = c.Z3_mk_bvudiv if op == "div" else c.Z3_mk_bvurem
        made = self._keep(make(self.ref, positive, self._number(by, wide)))
        if lift and op == "div":
            made = self._keep(c.Z3_mk_bvsub(self.ref, made, self._number(lift, wide)))
        return self._resize(made, wide, width)


def _yes_or_no(value: object) -> bool:
    from ..models.algebra import BoolTerm

    return isinstance(value, bool | BoolTerm)
