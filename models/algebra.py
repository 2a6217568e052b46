"""The words rules are written in: alike on plain numbers and on terms.

A rule computes with Python's ``+ - * // % < <= > >= == !=`` and the words below. On ints and
bools it plays the game. On terms it builds the formula that solvers read. Both may be mixed:
whatever is known is computed at once, so a term only holds what is really unknown.

Terms are solver-neutral. They are checked for sort as they are built (z3 adds a Bool to an
Int without a word), they can be pickled, walked and compiled, and ``proofs.smtlib`` prints
them for every solver there is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias, TypeVar, cast

__all__ = [
    "Bool",
    "BoolTerm",
    "Implication",
    "Int",
    "IntTerm",
    "SortError",
    "Term",
    "Value",
    "all_of",
    "any_of",
    "bool_variable",
    "clamp",
    "conjuncts",
    "count_of",
    "equal",
    "implies",
    "int_variable",
    "made",
    "maximum",
    "minimum",
    "negate",
    "pick",
    "same",
    "scaled",
    "total",
    "variables_of",
    "where",
]


class SortError(TypeError):
    """A word was given a value of the wrong sort, or a term was used as a plain bool."""


class Term:
    """An operation and its arguments. Arguments are terms, ints, bools or a variable's name."""

    __slots__ = ("args", "op")

    def __init__(self, op: str, args: tuple[object, ...]) -> None:
        self.op = op
        self.args = args

    def __repr__(self) -> str:
        if self.op == "var":
            return str(self.args[0])
        return f"({self.op} {' '.join(map(repr, self.args))})"

    def __bool__(self) -> bool:
        raise SortError(
            f"{type(self).__name__} has no truth value: it is not known yet. "
            "In a rule use where(), all_of(), any_of() or negate() instead of if, and, or, not."
        )


class IntTerm(Term):
    """A whole number that is not known yet."""

    __slots__ = ()

    __hash__ = Term.__hash__

    def __add__(self, other: Int) -> Int:
        return _add(self, other)

    def __radd__(self, other: Int) -> Int:
        return _add(other, self)

    def __sub__(self, other: Int) -> Int:
        return _sub(self, other)

    def __rsub__(self, other: Int) -> Int:
        return _sub(other, self)

    def __mul__(self, other: Int) -> Int:
        return _mul(self, other)

    def __rmul__(self, other: Int) -> Int:
        return _mul(other, self)

    def __neg__(self) -> Int:
        return _sub(0, self)

    def __floordiv__(self, other: int) -> Int:
        return _divide("div", self, other)

    def __mod__(self, other: int) -> Int:
        return _divide("mod", self, other)

    def __le__(self, other: Int) -> Bool:
        return _compare("<=", self, other)

    def __ge__(self, other: Int) -> Bool:
        return _compare("<=", other, self)

    def __lt__(self, other: Int) -> Bool:
        return _compare("<", self, other)

    def __gt__(self, other: Int) -> Bool:
        return _compare("<", other, self)

    def __eq__(self, other: object) -> Bool:  # type: ignore[override]
        return _compare("=", self, cast("Int", other))

    def __ne__(self, other: object) -> Bool:  # type: ignore[override]
        return negate(_compare("=", self, cast("Int", other)))


class BoolTerm(Term):
    """A yes or no that is not known yet."""

    __slots__ = ()

    __hash__ = Term.__hash__

    def __eq__(self, other: object) -> bool:
        raise SortError("compare yes-or-no values with same(a, b), not with ==")

    def __ne__(self, other: object) -> bool:
        raise SortError("compare yes-or-no values with negate(same(a, b)), not with !=")


class Implication(BoolTerm):
    """What ``implies`` makes: an ``or`` like any other that knows its condition.

    A claim whose condition never comes about says nothing, so conditions can be asked for.
    """

    __slots__ = ()

    @property
    def condition(self) -> Bool:
        """The condition under which the consequence has to hold."""
        return negate(cast("Bool", self.args[0]))

    @property
    def consequence(self) -> Bool:
        """What has to hold under the condition."""
        return cast("Bool", self.args[1])


Int: TypeAlias = int | IntTerm
Bool: TypeAlias = bool | BoolTerm
Value: TypeAlias = Int | Bool
V = TypeVar("V", bound=Value)


def int_variable(name: str) -> IntTerm:
    """Return the unknown whole number of that name."""
    return IntTerm("var", (name,))


def bool_variable(name: str) -> BoolTerm:
    """Return the unknown yes or no of that name."""
    return BoolTerm("var", (name,))


def where(condition: Bool, then: V, otherwise: V) -> V:
    """Return ``then`` where the condition holds, else ``otherwise``.

    >>> where(2 < 3, 10, 20)
    10
    >>> where(int_variable("spins") > 0, 10, 20)
    (ite (< 0 spins) 10 20)
    """
    if condition is True:
        return then
    if condition is False:
        return otherwise
    known = _bool(condition)
    if _is_bool(then):
        yes, no = _bool(then), _bool(otherwise)
        if isinstance(yes, bool) and isinstance(no, bool) and yes == no:
            return then
        if yes is True:
            return cast("V", any_of(known, no))
        if yes is False:
            return cast("V", all_of(negate(known), no))
        if no is True:
            return cast("V", any_of(negate(known), yes))
        if no is False:
            return cast("V", all_of(known, yes))
        return cast("V", BoolTerm("ite", (known, yes, no)))
    a, b = _int(then), _int(otherwise)
    if a is b or (isinstance(a, int) and isinstance(b, int) and a == b):
        return then
    return cast("V", IntTerm("ite", (known, a, b)))


def minimum(*values: Int) -> Int:
    """Return the least of the values."""
    least, *rest = values
    for value in rest:
        least = where(least <= value, least, value)
    return least


def maximum(*values: Int) -> Int:
    """Return the greatest of the values."""
    greatest, *rest = values
    for value in rest:
        greatest = where(greatest >= value, greatest, value)
    return greatest


def clamp(value: Int, low: Int, high: Int) -> Int:
    """Return the value, held between ``low`` and ``high``."""
    return maximum(low, minimum(value, high))


def total(values: Iterable[Int]) -> Int:
    """Return the sum of the values, 0 for none."""
    known = 0
    unknown: list[object] = []
    for value in values:
        if type(value) is int:  # nearly always, where a Play is replayed
            known += value
            continue
        part = _int(value)
        if isinstance(part, int):
            known += part
        else:
            unknown.append(part)
    if not unknown:
        return known
    if len(unknown) == 1 and known == 0:
        return cast("Int", unknown[0])
    return IntTerm("+", (*unknown, known) if known else tuple(unknown))


def count_of(conditions: Iterable[Bool]) -> Int:
    """Return how many of the conditions hold."""
    return total(where(condition, 1, 0) for condition in conditions)


def all_of(*conditions: Bool | Iterable[Bool]) -> Bool:
    """Return whether every condition holds; true for none.

    >>> all_of(True, [1 < 2, int_variable("n") > 0])
    (< 0 n)
    """
    return _junction("and", False, conditions)


def conjuncts(condition: Bool) -> list[Bool]:
    """Return the conditions that one says all hold, conjunctions inside it taken apart."""
    if isinstance(condition, BoolTerm) and condition.op == "and":
        return [part for one in condition.args for part in conjuncts(cast("Bool", one))]
    return [condition]


def any_of(*conditions: Bool | Iterable[Bool]) -> Bool:
    """Return whether at least one condition holds; false for none."""
    return _junction("or", True, conditions)


def negate(condition: Bool) -> Bool:
    """Return whether the condition does not hold."""
    value = _bool(condition)
    if isinstance(value, bool):
        return not value
    if value.op == "not":
        return cast("Bool", value.args[0])
    return BoolTerm("not", (value,))


def equal(a: Value, b: Value) -> Bool:
    """Return whether two values of one sort are equal."""
    if _is_bool(a):
        return same(cast("Bool", a), cast("Bool", b))
    return cast("Int", a) == cast("Int", b)


def implies(condition: Bool, consequence: Bool) -> Bool:
    """Return whether the consequence holds, if the condition does.

    >>> implies(int_variable("n") > 0, int_variable("m") > 0)
    (or (not (< 0 n)) (< 0 m))
    """
    unless, then = negate(condition), _bool(consequence)
    if isinstance(unless, bool) or isinstance(then, bool):
        return any_of(unless, then)
    return Implication("or", (unless, then))


def same(a: Bool, b: Bool) -> Bool:
    """Return whether both hold or both do not."""
    left, right = _bool(a), _bool(b)
    if isinstance(left, bool):
        return right if left else negate(right)
    if isinstance(right, bool):
        return left if right else negate(left)
    return True if left is right else BoolTerm("=", (left, right))


def pick(values: Sequence[V], index: Int, first: int = 0) -> V:
    """Return the value at an index that counts from ``first``; the last beyond the end.

    >>> pick([5, 6, 8], 1)
    6
    """
    chosen = values[-1]
    for offset in range(len(values) - 2, -1, -1):
        chosen = where(index == first + offset, values[offset], chosen)
    return chosen


def scaled(amount: Int, by: Int, among: Sequence[int]) -> Int:
    """Return ``amount * by`` where ``by`` is one of a few known multipliers.

    It stays linear when both are unknown, which is what keeps proofs quick. Beyond the few it
    is the last of them, on numbers as on terms.
    """
    if isinstance(by, int):
        return amount * (by if by in among else among[-1])
    return pick_by([(by == factor, amount * factor) for factor in among])


def pick_by(cases: Sequence[tuple[Bool, V]]) -> V:
    """Return the value of the first case that holds; the last value if none does."""
    chosen = cases[-1][1]
    for condition, value in reversed(cases[:-1]):
        chosen = where(condition, value, chosen)
    return chosen


def made(op: str, *args: Value) -> Value:
    """Return what an operation of a term is of these arguments, known ones worked out.

    >>> made("+", int_variable("n"), 1, 2)
    (+ n 3)
    """
    return _WORDS[op](*args)


def variables_of(
    *values: object, definitions: Mapping[str, Value] | None = None
) -> frozenset[str]:
    """Return the names of the unknowns that values speak of.

    What a name stands for, where ``definitions`` say so, counts as spoken of too.
    """
    found: set[str] = set()
    seen: set[int] = set()
    waiting = list(values)
    while waiting:
        term = waiting.pop()
        if not isinstance(term, Term) or id(term) in seen:
            continue
        seen.add(id(term))
        if term.op != "var":
            waiting += term.args
            continue
        name = str(term.args[0])
        if name not in found:
            found.add(name)
            waiting.append((definitions or {}).get(name))
    return frozenset(found)


def _is_bool(value: object) -> bool:
    return value is True or value is False or isinstance(value, BoolTerm)


def _int(value: object) -> Int:
    if type(value) is int or isinstance(value, IntTerm):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise SortError(f"a whole number was expected, not {value!r} ({type(value).__name__})")


def _bool(value: object) -> Bool:
    if value is True or value is False or isinstance(value, BoolTerm):
        return value
    raise SortError(f"a yes or no was expected, not {value!r} ({type(value).__name__})")


def _add(a: Int, b: Int) -> Int:
    return total((a, b))


def _sub(a: Int, b: Int) -> Int:
    left, right = _int(a), _int(b)
    if isinstance(left, int) and isinstance(right, int):
        return left - right
    if isinstance(right, int):
        return total((left, -right))
    return 0 if left is right else IntTerm("-", (left, right))


def _mul(a: Int, b: Int) -> Int:
    left, right = _int(a), _int(b)
    if isinstance(left, IntTerm) and isinstance(right, int):
        left, right = right, left
    if isinstance(left, int):
        if isinstance(right, int):
            return left * right
        if left == 0:
            return 0
        if left == 1:
            return right
    return IntTerm("*", (left, right))


def _divide(op: str, a: Int, b: object) -> Int:
    if isinstance(b, bool) or not isinstance(b, int) or b <= 0:
        raise SortError(f"rules divide by known positive numbers only, not by {b!r}")
    return IntTerm(op, (_int(a), b))


_ON_INTS: dict[str, Callable[[int, int], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    "=": lambda a, b: a == b,
}


def _compare(op: str, a: Int, b: Int) -> Bool:
    if type(a) is int and type(b) is int:
        return _ON_INTS[op](a, b)
    left, right = _int(a), _int(b)
    if isinstance(left, int) and isinstance(right, int):
        return _ON_INTS[op](left, right)
    if left is right:
        return op != "<"
    return BoolTerm(op, (left, right))


def _junction(op: str, absorbing: bool, conditions: Iterable[object]) -> Bool:
    parts: list[object] = []
    for condition in _flat(conditions):
        if condition is absorbing:
            return absorbing
        if condition is not True and condition is not False:
            parts.append(_bool(condition))
    if not parts:
        return not absorbing
    return cast("Bool", parts[0]) if len(parts) == 1 else BoolTerm(op, tuple(parts))


def _flat(conditions: Iterable[object]) -> Iterable[object]:
    for condition in conditions:
        if condition is True or condition is False or isinstance(condition, Term):
            yield condition
        elif isinstance(condition, Iterable):
            yield from _flat(condition)
        else:
            yield condition


_WORDS: Mapping[str, Callable[..., Value]] = {
    "ite": where,
    "+": lambda *parts: total(parts),
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "div": lambda a, b: a // b,
    "mod": lambda a, b: a % b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    "=": equal,
    "not": negate,
    "and": lambda *parts: all_of(parts),
    "or": lambda *parts: any_of(parts),
}
