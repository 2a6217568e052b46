"""Spans: which values a term can take, found without a solver.

A span is a small set of numbers or, past a few dozen, the interval around them (a side may be
open). A yes or no is 1 or 0. Spans err on the wide side only: a value outside a term's span is
impossible, one inside it may be. This is the abstract interpretation of Cousot & Cousot (1977)
with the domain "a few values, else an interval", and ``assume`` is its backward step.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping
from typing import cast

from ..models.algebra import BoolTerm, Term, Value

__all__ = ["ANYTHING", "Reader", "Span", "assume"]

_FEW = 24


class Span:
    """The values that are possible, from ``low`` to ``high`` (None: no limit)."""

    __slots__ = ("few", "high", "low", "only")

    def __init__(self, low: int | None, high: int | None, few: frozenset[int] | None) -> None:
        self.low, self.high, self.few = low, high, few
        self.only = low if low == high else None  # the value, if one alone is possible

    @staticmethod
    def among(values: Iterable[int]) -> Span:
        """Return the span of these values, of which there is at least one."""
        held = frozenset(map(int, values))
        return Span(min(held), max(held), held if len(held) <= _FEW else None)

    @staticmethod
    def between(low: int | None, high: int | None) -> Span:
        """Return the span of an interval."""
        if low is not None and high is not None and high - low < _FEW:
            return Span.among(range(low, high + 1)) if low <= high else NOTHING
        return Span(low, high, None)

    @property
    def empty(self) -> bool:
        """Whether nothing is possible."""
        return self.few is not None and not self.few

    def holds(self, value: int) -> bool:
        """Return whether a value is possible."""
        if self.few is not None:
            return value in self.few
        return (self.low is None or value >= self.low) and (
            self.high is None or value <= self.high
        )

    def without(self, value: int) -> Span:
        """Return what is possible but for one value, as far as a span can say so."""
        if self.few is not None:
            return _kept(self.few, lambda one: one != value)
        low = value + 1 if self.low == value else self.low
        high = value - 1 if self.high == value else self.high
        return Span.between(low, high)

    def __and__(self, other: Span) -> Span:
        if self.few is not None:
            return _kept(self.few, other.holds)
        if other.few is not None:
            return _kept(other.few, self.holds)
        return Span.between(
            _tighter(max, self.low, other.low), _tighter(min, self.high, other.high)
        )

    def __or__(self, other: Span) -> Span:
        if self.empty or other.empty:
            return other if self.empty else self
        if self.few is not None and other.few is not None:
            return Span.among(self.few | other.few)
        return Span.between(
            _wider(min, self.low, other.low), _wider(max, self.high, other.high)
        )

    def __repr__(self) -> str:
        return f"{sorted(self.few)}" if self.few is not None else f"{self.low}..{self.high}"


ANYTHING = Span(None, None, None)
NOTHING = Span(0, -1, frozenset())
YES_OR_NO = Span.among((0, 1))
_YES, _NO = Span.among((1,)), Span.among((0,))
_SMALL = {number: Span.among((number,)) for number in range(-1, 64)}

Known = Mapping[str, Span]


def _kept(values: frozenset[int], keep: Callable[[int], bool]) -> Span:
    held = frozenset(filter(keep, values))
    return Span(min(held), max(held), held) if held else NOTHING


def _tighter(choose: Callable[[int, int], int], a: int | None, b: int | None) -> int | None:
    return b if a is None else a if b is None else choose(a, b)


def _wider(choose: Callable[[int, int], int], a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else choose(a, b)


class Reader:
    """Reads spans off terms, given the spans of variables; each shared term once."""

    def __init__(self, known: Known) -> None:
        self.known = known
        self._read: dict[int, tuple[object, Span]] = {}

    def of(self, value: Value | object) -> Span:
        """Return the span of a term or a plain value."""
        if not isinstance(value, Term):
            number = cast("int", value)
            return _SMALL[number] if -1 <= number < 64 else Span.among((number,))
        done = self._read.get(id(value))
        if done is None:
            # The term is kept with its span: an id says nothing once its owner is gone.
            done = self._read[id(value)] = (value, self._work_out(value))
        return done[1]

    def _work_out(self, term: Term) -> Span:
        op, args = term.op, term.args
        if op == "var":
            return self.known.get(cast("str", args[0]), ANYTHING)
        if op == "ite":
            return self._either(args)
        if op in ("and", "or"):
            return self._junction(op, args)
        return _OPERATIONS[op]([self.of(arg) for arg in args])

    def _either(self, args: tuple[object, ...]) -> Span:
        condition, then, otherwise = args
        certain = self.of(condition).only
        if certain is not None:
            return self.of(then if certain else otherwise)
        return self._under(condition, True, then) | self._under(condition, False, otherwise)

    def _under(self, condition: object, truth: bool, branch: object) -> Span:
        """Return the span of a branch, narrowed where the condition compares that branch."""
        span = self.of(branch)
        if isinstance(branch, Term) and isinstance(condition, Term):
            span = span & _compared(self, condition, truth, branch)
        return span

    def _junction(self, op: str, args: tuple[object, ...]) -> Span:
        absorbing = 1 if op == "or" else 0
        certain = True
        for arg in args:
            only = self.of(arg).only
            if only == absorbing:
                return _YES if absorbing else _NO
            certain = certain and only is not None
        if certain:
            return _NO if absorbing else _YES
        return YES_OR_NO


def _compared(reader: Reader, condition: Term, truth: bool, term: Term) -> Span:
    """Return what a comparison says of one of its two sides."""
    if condition.op == "not":
        return _compared(reader, cast("Term", condition.args[0]), not truth, term)
    if condition.op not in ("<", "<=", "="):
        return ANYTHING
    left, right = condition.args
    if left is term:
        return _side(condition.op, truth, reader.of(right), is_left=True)
    if right is term:
        return _side(condition.op, truth, reader.of(left), is_left=False)
    return ANYTHING


def _side(op: str, truth: bool, other: Span, *, is_left: bool) -> Span:
    if op == "=":
        if truth:
            return other
        return ANYTHING
    strict = 1 if (op == "<") == truth else 0
    if is_left == truth:  # term <= other - strict
        return ANYTHING if other.high is None else Span(None, other.high - strict, None)
    return ANYTHING if other.low is None else Span(other.low + strict, None, None)


def _product(spans: list[Span], compute: Callable[..., int]) -> Span | None:
    size = 1
    for span in spans:
        if span.few is None:
            return None
        size *= len(span.few)
    if size > _FEW * 4:
        return None
    few = [cast("frozenset[int]", span.few) for span in spans]
    return Span.among(compute(*values) for values in itertools.product(*few))


def _sum(spans: list[Span]) -> Span:
    result = spans[0]
    for span in spans[1:]:
        exact = _product([result, span], lambda a, b: a + b)
        result = exact or Span.between(
            _plus(result.low, span.low), _plus(result.high, span.high)
        )
    return result


def _plus(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else a + b


def _difference(spans: list[Span]) -> Span:
    a, b = spans
    minus = Span(
        None if b.high is None else -b.high,
        None if b.low is None else -b.low,
        None if b.few is None else frozenset(-value for value in b.few),
    )
    return _sum([a, minus])


def _times(spans: list[Span]) -> Span:
    a, b = spans
    exact = _product(spans, lambda x, y: x * y)
    if exact is not None:
        return exact
    if None in (a.low, a.high, b.low, b.high):
        if a.low is not None and b.low is not None and a.low >= 0 and b.low >= 0:
            return Span(a.low * b.low, None, None)
        return ANYTHING
    ends = [cast("int", x) * cast("int", y) for x in (a.low, a.high) for y in (b.low, b.high)]
    return Span.between(min(ends), max(ends))


def _quotient(spans: list[Span]) -> Span:
    a, by = spans[0], cast("int", spans[1].only)
    if a.few is not None:
        return Span.among(value // by for value in a.few)
    return Span.between(
        None if a.low is None else a.low // by, None if a.high is None else a.high // by
    )


def _rest(spans: list[Span]) -> Span:
    a, by = spans[0], cast("int", spans[1].only)
    if a.few is not None:
        return Span.among(value % by for value in a.few)
    return Span.between(0, by - 1)


def _order(strict: bool) -> Callable[[list[Span]], Span]:
    def compare(spans: list[Span]) -> Span:
        a, b = spans
        if a.high is not None and b.low is not None and a.high + strict <= b.low:
            return _YES
        if a.low is not None and b.high is not None and a.low + strict > b.high:
            return _NO
        return YES_OR_NO

    return compare


def _equal(spans: list[Span]) -> Span:
    a, b = spans
    if b.only is None:
        a, b = b, a
    if b.only is not None:
        if not a.holds(b.only):
            return _NO
        return YES_OR_NO if a.only is None else _YES
    return _NO if (a & b).empty else YES_OR_NO


def _not(spans: list[Span]) -> Span:
    only = spans[0].only
    return YES_OR_NO if only is None else _NO if only else _YES


_OPERATIONS: dict[str, Callable[[list[Span]], Span]] = {
    "+": _sum,
    "-": _difference,
    "*": _times,
    "div": _quotient,
    "mod": _rest,
    "<": _order(True),
    "<=": _order(False),
    "=": _equal,
    "not": _not,
}


def assume(
    known: Known, condition: Value, definitions: Mapping[str, Value] | None = None
) -> dict[str, Span] | None:
    """Return what variables can be once a condition holds; None if it cannot hold.

    Only the variables whose span became narrower are given. A variable that ``definitions``
    define narrows what it is defined by, and that narrows other definitions in turn: where a
    Prize Game goes on its last spin won one more, so its pot is not paid yet.
    """
    what = _Narrowed(known)
    for _ in range(2):  # a second look lets later conjuncts narrow earlier ones
        before = dict(what.narrowed)
        if not _narrow(what, condition, True):
            return None
        if what.narrowed == before:
            break
    if definitions and not _by_definition(what, definitions):
        return None
    return what.narrowed


class _Narrowed:
    """What variables can be as more becomes known, and which are narrower than at first."""

    def __init__(self, known: Known) -> None:
        self.known = dict(known)
        self.narrowed: dict[str, Span] = {}
        self._reader: Reader | None = None

    @property
    def reader(self) -> Reader:
        """A reader of what is known now: the last one, if nothing is narrower since."""
        if self._reader is None:
            self._reader = Reader(self.known)
        return self._reader

    def meet(self, name: str, allowed: Span) -> bool:
        """Narrow a variable; return whether this leaves any value."""
        span = self.known.get(name, ANYTHING)
        met = span & allowed
        if met.low != span.low or met.high != span.high or met.few != span.few:
            self.known[name] = self.narrowed[name] = met
            self._reader = None
        return not met.empty


def _by_definition(what: _Narrowed, definitions: Mapping[str, Value]) -> bool:
    """Narrow by definitions, from what they define and to it; False if this leaves nothing."""
    told: dict[str, Span] = {}
    narrowed = what.narrowed
    while new := [n for n in definitions if told.get(n) is not narrowed.get(n)]:
        for name in new:
            told[name] = narrowed[name]
            if not _meet(what, definitions[name], narrowed[name]):
                return False
        for name, definition in definitions.items():
            if not what.meet(name, what.reader.of(definition)):
                return False
    return True


def _narrow(what: _Narrowed, condition: object, truth: bool) -> bool:
    if not isinstance(condition, Term):
        return bool(condition) is truth
    op, args = condition.op, condition.args
    if op == "var":
        return _meet(what, condition, _YES if truth else _NO)
    if op == "not":
        return _narrow(what, args[0], not truth)
    if op in ("and", "or") and (op == "and") is truth:
        return all(_narrow(what, arg, truth) for arg in args)
    reader = what.reader
    only = reader.of(condition).only
    if only is not None:
        return bool(only) is truth
    if op in ("and", "or"):
        return _last_open(what, reader, condition, truth)
    if op == "=" and not truth:
        left, right = args
        return _differ(what, reader, left, right) and _differ(what, reader, right, left)
    if op in ("<", "<=", "="):
        left, right = args
        return _meet(what, left, _side(op, truth, reader.of(right), is_left=True)) and _meet(
            what, right, _side(op, truth, reader.of(left), is_left=False)
        )
    return True


def _last_open(
    what: _Narrowed,
    reader: Reader,
    condition: Term,
    truth: bool,
) -> bool:
    """Narrow by a disjunction, of which at most one part is still open."""
    open_ = [arg for arg in condition.args if reader.of(arg).only is None]
    if len(open_) == 1:
        return _narrow(what, open_[0], truth)
    return True


def _differ(
    what: _Narrowed,
    reader: Reader,
    term: object,
    other: object,
) -> bool:
    """Narrow a term that is not what another one is known to be."""
    value = reader.of(other).only
    return value is None or _meet(what, term, reader.of(term).without(value))


def _meet(what: _Narrowed, term: object, allowed: Span) -> bool:
    """Narrow a term to what is allowed: a variable, or the parts of a sum."""
    reader = what.reader
    span = reader.of(term)
    met = span & allowed
    if met.empty:
        return False
    if not isinstance(term, Term):
        return True
    if term.op == "var":
        return what.meet(cast("str", term.args[0]), met)
    if term.op == "+":
        return _meet_sum(what, reader, term, met)
    if term.op == "ite":
        return _meet_either(what, reader, term, met)
    if isinstance(term, BoolTerm) and met.only is not None:
        return _narrow(what, term, bool(met.only))
    return True


def _meet_either(what: _Narrowed, reader: Reader, term: Term, met: Span) -> bool:
    """Narrow a choice between two terms, one of which alone can be what it has to be."""
    condition, *branches = term.args
    certain = reader.of(condition).only
    can = [
        certain in (None, truth) and not (reader.of(branch) & met).empty
        for truth, branch in zip((1, 0), branches, strict=True)
    ]
    if all(can) or not any(can):
        return any(can)
    chosen = branches[0] if can[0] else branches[1]
    return _narrow(what, condition, can[0]) and _meet(what, chosen, met)


def _meet_sum(what: _Narrowed, reader: Reader, term: Term, met: Span) -> bool:
    spans = [reader.of(arg) for arg in term.args]
    lows = [span.low for span in spans]
    highs = [span.high for span in spans]
    low_sum = None if None in lows else sum(cast("list[int]", lows))
    high_sum = None if None in highs else sum(cast("list[int]", highs))
    for arg, span in zip(term.args, spans, strict=True):
        high = low = None
        if met.high is not None and low_sum is not None:
            high = met.high - (low_sum - cast("int", span.low))
        if met.low is not None and high_sum is not None:
            low = met.low - (high_sum - cast("int", span.high))
        if (low is not None or high is not None) and not _meet(
            what, arg, Span(low, high, None)
        ):
            return False
    return True
