"""Finite queries: what is unknown along a path, made as small as it gets and solved.

First every span is read again, in order, and whatever it decides is folded away. What is left
goes to z3 twice at most: as linear integer arithmetic, which is quickest on most paths, within
a budget; then as bit-vectors of just enough bits, which long paths with wheels need. Measured
on 2 cores: seven spins and a Prize Table row take 0.03 s as integers and 0.2 s as bits;
nineteen steps to all six ladders of Diamond Riches take more than 4 s as integers and 0.8 s as
bits. Terms are built through z3's C interface, as its Python operators, or text to be parsed,
cost more than the solving.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import z3
from z3 import z3core as c

from ..models.algebra import (
    BoolTerm,
    IntTerm,
    Term,
    Value,
    int_variable,
    made,
    negate,
)
from .deadline import answer_of
from .spans import Reader, Span

__all__ = ["Backend", "Bits", "Integers", "Query", "Translated", "Unbounded", "folded", "solve"]

INTEGER_BUDGET = 150_000
BIT_BUDGET = 20_000_000


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


def solve(query: Query, *, seed: int = 0, bits: bool = True) -> dict[str, int] | bool:
    """Return values of the unknowns; False if there are none; True if the budgets ran out.

    A yes or no is 1 or 0. ``bits`` allows the second try. Budgets are in z3's resource units,
    so that answers repeat.
    Raises Unbounded for an unknown without limits.
    """
    small = folded(query)
    if small is None:
        return False
    answer = _ask(small, Integers, INTEGER_BUDGET, seed)
    if answer is True and bits:
        answer = _ask(small, Bits, BIT_BUDGET, seed)
    if not isinstance(answer, bool):
        for name in query.unknowns:
            if name not in answer:
                answer[name] = cast("int", small.spans[name].low)
    return answer


def folded(query: Query) -> Query | None:
    """Return the same query with everything that spans decide computed; None if impossible."""
    spans = dict(query.spans)
    reader = Reader(spans)
    fold = Folder(reader)
    constraints: list[Value] = []
    definitions: list[tuple[str, Value]] = []
    for name in query.unknowns:
        low, high = _ends(spans[name])
        constraints += _within(int_variable(name), Span.between(low, high), spans[name])
    for name, term in query.definitions:
        made = reader.of(term)
        spans[name] = met = made & spans[name]
        if met.empty:
            return None
        small = fold.of(term)
        constraints += _within(small, made, met)
        if met.only is None:
            definitions.append((name, small))
    constraints += [fold.of(constraint) for constraint in query.constraints]
    if any(constraint is False for constraint in constraints):
        return None
    open_ = tuple(name for name in query.unknowns if spans[name].only is None)
    kept = tuple(constraint for constraint in constraints if constraint is not True)
    return Query(open_, tuple(definitions), kept, spans)


def _within(value: Value, made: Span, met: Span) -> list[Value]:
    """Return what narrows a value from one span to another."""
    if isinstance(value, BoolTerm):
        return [] if met.only is None else [value if met.only else negate(value)]
    if not isinstance(value, IntTerm):
        return []
    if met.few is not None and len(met.few) < cast("int", met.high) - cast("int", met.low) + 1:
        gaps = set(made.few or range(cast("int", met.low), cast("int", met.high) + 1)) - met.few
        gaps = {gap for gap in gaps if cast("int", met.low) < gap < cast("int", met.high)}
        inner: list[Value] = [value != gap for gap in sorted(gaps)]
    else:
        inner = []
    if met.low is not None and (made.low is None or met.low > made.low):
        inner.append(value >= met.low)
    if met.high is not None and (made.high is None or met.high < made.high):
        inner.append(value <= met.high)
    return inner


class Folder:
    """Rewrites terms with every part that has one possible value replaced by it."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self._done: dict[int, tuple[Term, Value]] = {}

    def of(self, value: Value) -> Value:
        if not isinstance(value, Term):
            return value
        if id(value) not in self._done:
            self._done[id(value)] = (value, self._fold(value))
        return self._done[id(value)][1]

    def _fold(self, term: Term) -> Value:
        only = self.reader.of(term).only
        if only is not None:
            return bool(only) if isinstance(term, BoolTerm) else only
        if term.op == "var":
            return cast("Value", term)
        if term.op == "ite":
            certain = self.reader.of(term.args[0]).only
            if certain is not None:
                return self.of(cast("Value", term.args[1 if certain else 2]))
        return made(term.op, *(self.of(cast("Value", arg)) for arg in term.args))


def _ends(span: Span) -> tuple[int, int]:
    if span.low is None or span.high is None:
        raise Unbounded("an unknown without limits cannot be searched for")
    return span.low, span.high


def _ask(query: Query, backend: type[Backend], budget: int, seed: int) -> dict[str, int] | bool:
    built = backend(z3.Context())
    try:
        made = built.extended(
            Translated(), query.unknowns, query.definitions, query.constraints, query.spans
        )
        return built.solve(made.conditions, made.inputs, budget, seed)
    finally:
        built.release()


@dataclass(frozen=True)
class Translated:
    """What z3 has of a path so far: its unknowns, its defined names, and what must hold."""

    inputs: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    named: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    conditions: tuple[Any, ...] = ()  # of the last step alone


class Backend:
    """Builds z3 terms through the C interface, and keeps all of them alive."""

    def __init__(self, context: z3.Context) -> None:
        self.context, self.ref = context, context.ref()
        self.spans: Mapping[str, Span] = {}
        self.reader = Reader({})
        self.inputs: dict[str, Any] = {}
        self.named: dict[str, Any] = {}
        self.conditions: list[Any] = []
        self._made: dict[int, tuple[object, Any]] = {}
        self._constants: dict[int, Any] = {}
        self._held: list[Any] = []

    def extended(
        self,
        before: Translated,
        unknowns: Sequence[str],
        definitions: Sequence[tuple[str, Value]],
        constraints: Sequence[Value],
        spans: Mapping[str, Span],
    ) -> Translated:
        """Return what was translated with more unknowns, definitions and constraints."""
        self.spans, self.reader = spans, Reader(spans)
        self.inputs, self.named = dict(before.inputs), dict(before.named)
        self.conditions = []
        for name in unknowns:
            self.inputs[name] = self.named[name] = self.unknown(name)
        for name, term in definitions:
            self.named[name] = self.defined(name, term)
        self.conditions += [self.truth(constraint) for constraint in constraints]
        return Translated(self.inputs, self.named, tuple(self.conditions))

    def solve(
        self, conditions: Sequence[Any], inputs: Mapping[str, Any], budget: int, seed: int
    ) -> dict[str, int] | bool:
        """Return values of the inputs; False if there are none; True if the budget ran out."""
        solver = self.solver()
        solver.set(random_seed=seed, rlimit=budget)
        for condition in conditions:
            self.put(solver, condition)
        answer = answer_of(solver)
        if answer == z3.unsat:
            return False
        if answer != z3.sat:
            return True
        model = solver.model()
        return {name: self.read(model, made) for name, made in inputs.items()}

    def implied(self, literal: Any, conditions: Sequence[Any]) -> Any:
        """Return that a literal implies conditions."""
        all_ = self.many(c.Z3_mk_and, conditions)
        return self.keep(c.Z3_mk_implies(self.ref, literal, all_))

    def has(self, name: str, value: int) -> Any:
        """Return that an unknown has a value."""
        return self.compared("=", (int_variable(name), value))

    def put(self, solver: z3.Solver, condition: Any) -> None:
        """Assert a condition."""
        c.Z3_solver_assert(self.ref, solver.solver, condition)

    def keep(self, made: Any) -> Any:
        c.Z3_inc_ref(self.ref, made)
        self._held.append(made)
        return made

    def release(self) -> None:
        """Let go of every term: a context is slow to close on terms still held."""
        while self._held:
            c.Z3_dec_ref(self.ref, self._held.pop())

    def many(self, make: Callable[..., Any], parts: Sequence[Any]) -> Any:
        return self.keep(make(self.ref, len(parts), (z3.Ast * len(parts))(*parts)))

    def truth(self, value: object) -> Any:
        """Return a yes or no as a z3 Boolean."""
        if not isinstance(value, Term):
            make = c.Z3_mk_true if value else c.Z3_mk_false
            return self.keep(make(self.ref))
        return self._once(value, self._truth)

    def number(self, value: object) -> Any:
        """Return a number as z3 has it here."""
        if isinstance(value, Term):
            return self._once(value, self.work_out)
        number = cast("int", value)
        if number not in self._constants:
            self._constants[number] = self.constant(number)
        return self._constants[number]

    def _once(self, term: Term, make: Callable[[Term], Any]) -> Any:
        if id(term) not in self._made:
            self._made[id(term)] = (term, make(term))
        return self._made[id(term)][1]

    def _truth(self, term: Term) -> Any:
        op, args = term.op, term.args
        if op == "var":
            return self.flag(cast("str", args[0]))
        if op == "not":
            return self.keep(c.Z3_mk_not(self.ref, self.truth(args[0])))
        if op in ("and", "or"):
            make = c.Z3_mk_and if op == "and" else c.Z3_mk_or
            return self.many(make, [self.truth(arg) for arg in args])
        if op == "ite":
            return self.keep(c.Z3_mk_ite(self.ref, *map(self.truth, args)))
        if op == "=" and isinstance(args[0], bool | BoolTerm):
            return self.keep(c.Z3_mk_eq(self.ref, *map(self.truth, args)))
        return self.compared(op, args)

    # What the two ways to write numbers differ in.

    def solver(self) -> z3.Solver:
        raise NotImplementedError

    def read(self, model: z3.ModelRef, made: Any) -> int:
        raise NotImplementedError

    def unknown(self, name: str) -> Any:
        raise NotImplementedError

    def defined(self, name: str, term: Value) -> Any:
        raise NotImplementedError

    def flag(self, name: str) -> Any:
        raise NotImplementedError

    def constant(self, number: int) -> Any:
        raise NotImplementedError

    def work_out(self, term: Term) -> Any:
        raise NotImplementedError

    def compared(self, op: str, args: Sequence[object]) -> Any:
        raise NotImplementedError


class Integers(Backend):
    """Numbers as z3's integers."""

    def __init__(self, context: z3.Context) -> None:
        self._sort = c.Z3_mk_int_sort(context.ref())
        super().__init__(context)

    def solver(self) -> z3.Solver:
        return z3.SolverFor("QF_LIA", ctx=self.context)

    def read(self, model: z3.ModelRef, made: Any) -> int:
        value = model.eval(z3.ArithRef(made, self.context), model_completion=True)
        return int(value.as_long())

    def unknown(self, name: str) -> Any:
        symbol = c.Z3_mk_string_symbol(self.ref, name)
        made = self.keep(c.Z3_mk_const(self.ref, symbol, self._sort))
        span = self.spans[name]
        if span.low is not None:
            low = self.constant(span.low)
            self.conditions.append(self.keep(c.Z3_mk_le(self.ref, low, made)))
        if span.high is not None:
            high = self.constant(span.high)
            self.conditions.append(self.keep(c.Z3_mk_le(self.ref, made, high)))
        return made

    def defined(self, name: str, term: Value) -> Any:
        return self.truth(term) if isinstance(term, BoolTerm) else self.number(term)

    def flag(self, name: str) -> Any:
        made = self.named[name]
        if name in self.inputs:
            return self.keep(c.Z3_mk_eq(self.ref, made, self.constant(1)))
        return made

    def constant(self, number: int) -> Any:
        return self.keep(c.Z3_mk_numeral(self.ref, str(number), self._sort))

    def compared(self, op: str, args: Sequence[object]) -> Any:
        make = {"<": c.Z3_mk_lt, "<=": c.Z3_mk_le, "=": c.Z3_mk_eq}[op]
        return self.keep(make(self.ref, *map(self.number, args)))

    def work_out(self, term: Term) -> Any:
        op, args = term.op, term.args
        if op == "var":
            return self.named[cast("str", args[0])]
        if op == "ite":
            parts = (self.truth(args[0]), self.number(args[1]), self.number(args[2]))
            return self.keep(c.Z3_mk_ite(self.ref, *parts))
        numbers = [self.number(arg) for arg in args]
        if op in ("div", "mod"):
            make = c.Z3_mk_div if op == "div" else c.Z3_mk_mod
            return self.keep(make(self.ref, *numbers))
        return self.many({"+": c.Z3_mk_add, "-": c.Z3_mk_sub, "*": c.Z3_mk_mul}[op], numbers)


class Bits(Backend):
    """Numbers as bit-vectors with their width: two's complement, and none overflows."""

    def solver(self) -> z3.Solver:
        # Deciding for 0 first makes what is found simple: few symbols, few bonuses.
        sat = z3.With(
            z3.Tactic("sat", ctx=self.context), phase="always_false", ctx=self.context
        )
        steps = ("simplify", "propagate-values", "solve-eqs", "simplify", "bit-blast", sat)
        return z3.Then(*steps, ctx=self.context).solver()

    def read(self, model: z3.ModelRef, made: Any) -> int:
        value = model.eval(z3.BitVecRef(made[0], self.context), model_completion=True)
        return int(value.as_signed_long())

    def unknown(self, name: str) -> Any:
        low, high = _ends(self.spans[name])
        width = _width(low, high)
        symbol = c.Z3_mk_string_symbol(self.ref, name)
        made = self.keep(c.Z3_mk_const(self.ref, symbol, c.Z3_mk_bv_sort(self.ref, width)))
        ends = (self.sized(self.constant(end), width) for end in (low, high))
        least, most = ends
        self.conditions.append(self.keep(c.Z3_mk_bvsle(self.ref, least, made)))
        self.conditions.append(self.keep(c.Z3_mk_bvsle(self.ref, made, most)))
        return made, width

    def defined(self, name: str, term: Value) -> Any:
        if isinstance(term, BoolTerm):
            return self.truth(term)
        width = _width(*_ends(self.spans[name]))
        return self.sized(self.number(term), width), width

    def flag(self, name: str) -> Any:
        made = self.named[name]
        if name in self.inputs:
            bits, width = made
            return self.keep(c.Z3_mk_eq(self.ref, bits, self.sized(self.constant(1), width)))
        return made

    def constant(self, number: int) -> Any:
        width = _width(number, number)
        sort = c.Z3_mk_bv_sort(self.ref, width)
        return self.keep(c.Z3_mk_numeral(self.ref, str(number), sort)), width

    def sized(self, made: Any, wanted: int) -> Any:
        """Return bits extended to a width, or cut to it where the value is known to fit."""
        bits, width = made
        if wanted > width:
            return self.keep(c.Z3_mk_sign_ext(self.ref, wanted - width, bits))
        if wanted < width:
            return self.keep(c.Z3_mk_extract(self.ref, wanted - 1, 0, bits))
        return bits

    def compared(self, op: str, args: Sequence[object]) -> Any:
        sides = [self.number(arg) for arg in args]
        width = max(side[1] for side in sides)
        make = {"<": c.Z3_mk_bvslt, "<=": c.Z3_mk_bvsle, "=": c.Z3_mk_eq}[op]
        return self.keep(make(self.ref, *(self.sized(side, width) for side in sides)))

    def work_out(self, term: Term) -> Any:
        op, args = term.op, term.args
        if op == "var":
            return self.named[cast("str", args[0])]
        width = _width(*_ends(self.reader.of(term)))
        if op == "ite":
            yes, no = (self.sized(self.number(arg), width) for arg in args[1:])
            return self.keep(c.Z3_mk_ite(self.ref, self.truth(args[0]), yes, no)), width
        if op in ("div", "mod"):
            return self._divided(op, args[0], cast("int", args[1]), width), width
        make = {"+": c.Z3_mk_bvadd, "-": c.Z3_mk_bvsub, "*": c.Z3_mk_bvmul}[op]
        made, *rest = [self.sized(self.number(arg), width) for arg in args]
        for part in rest:
            made = self.keep(make(self.ref, made, part))
        return made, width

    def _divided(self, op: str, dividend: object, by: int, width: int) -> Any:
        # Whole multiples of the divisor make the dividend positive, where z3's unsigned
        # division and that of the rules agree.
        low, _ = _ends(self.reader.of(dividend))
        lift = max(0, -(low // by)) * by
        made = self.number(dividend)
        wide = max(made[1], width, _width(by, lift)) + 1
        positive = self.sized(made, wide)
        if lift:
            more = self.sized(self.constant(lift), wide)
            positive = self.keep(c.Z3_mk_bvadd(self.ref, positive, more))
        make = c.Z3_mk_bvudiv if op == "div" else c.Z3_mk_bvurem
        result = self.keep(make(self.ref, positive, self.sized(self.constant(by), wide)))
        if lift and op == "div":
            less = self.sized(self.constant(lift // by), wide)
            result = self.keep(c.Z3_mk_bvsub(self.ref, result, less))
        return self.sized((result, wide), width)


def _width(low: int, high: int) -> int:
    """Return the bits that hold every number between two, the sign included."""
    return max((low if low >= 0 else ~low).bit_length(), max(high, 0).bit_length()) + 1


def restricted(query: Query, spans: Mapping[str, Span]) -> Query:
    """Return a query with some unknowns held to fewer values."""
    return dataclasses.replace(query, spans={**query.spans, **spans})
