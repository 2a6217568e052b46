"""What one part of a rule may be instead: the small mistakes that a build may make.

Each operator reads one operation of a term and yields what it could have been, with the kind
of change and what it says. None knows a game. The kinds, of a part:

    constant       a number one more or one less
    comparison     turned round, or negated
    boundary       strict for not strict, one further, at least for exactly
    cap            a cap or a floor taken away, or always taken
    branch         a condition that always, or never, holds, or holds where it should not
    table          an entry of a table one more or less, or its neighbour's
    award-missing  what is added left out
    award-twice    what is added is added twice
    sign           what is added taken away, and the other way round
    multiplier     left out, or applied twice
    carry-over     what is left over lost, or nothing taken off for what was full
    condition      one of several left out, negated, or enough by itself
    sibling        made of a field that is like the right one (``siblings``)

What ``whole`` updates and guards may be instead is told there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, cast

from ...models.algebra import BoolTerm, Term, Value, made, negate, where

__all__ = ["Instead", "instead"]


@dataclass(frozen=True)
class Instead:
    """What a part could be instead. ``says`` tells it; ``{}`` stands for the part ``about``."""

    operator: str
    value: Value
    says: str
    about: object = ""


def instead(
    term: Term, siblings: Mapping[str, Sequence[Value]] = MappingProxyType({})
) -> Iterator[Instead]:
    """Yield what a term could be instead, with one thing about its operation changed.

    ``siblings`` gives the unknowns that may be taken for one, by its name.

    >>> from ...models.algebra import int_variable
    >>> [one.value for one in instead(int_variable("box") % 6)]
    [(mod box 7), (mod box 5), 0, box, (ite (<= box 6) box 6)]
    """
    if term.op in _OF:
        yield from _OF[term.op](term, *term.args)
    for place, part in enumerate(term.args):
        if isinstance(part, Term) and part.op == "var":
            for other in siblings.get(cast("str", part.args[0]), ()):
                args = cast("Any", [*term.args[:place], other, *term.args[place + 1 :]])
                yield Instead("sibling", made(term.op, *args), "it is {} instead", other)


def _number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _numbers(
    term: Term, operator: str = "constant", least: int | None = None
) -> Iterator[Instead]:
    """Yield a term with each of its plain numbers one more, and one less."""
    for place, argument in enumerate(term.args):
        for by in (1, -1) if _number(argument) else ():
            new = cast("int", argument) + by
            if least is None or new >= least:
                args = cast("Any", [*term.args[:place], new, *term.args[place + 1 :]])
                yield Instead(operator, made(term.op, *args), f"{argument} is {new}")


def _less(term: Term, left: Any, right: Any) -> Iterator[Instead]:
    yield from _numbers(term)
    yield Instead("comparison", made(term.op, right, left), "it is turned round")
    if term.op == "<":
        yield Instead("boundary", left <= right, "it holds where both are equal")
    else:
        yield Instead("boundary", left < right, "it does not hold where both are equal")
    if not _number(left) and not _number(right):
        further = left + 1 < right if term.op == "<" else left <= right + 1
        yield Instead("boundary", further, "the limit is one further")


def _equal(term: Term, left: Any, right: Any) -> Iterator[Instead]:
    yield Instead("comparison", negate(cast("BoolTerm", term)), "it is negated")
    if isinstance(left, bool | BoolTerm):
        return
    yield from _numbers(term)
    yield Instead("boundary", left <= right, "less will do")
    yield Instead("boundary", right <= left, "more will do")
    if not _number(left) and not _number(right):
        yield Instead("boundary", left == right + 1, "one more is meant")
        yield Instead("boundary", left + 1 == right, "one less is meant")


def _chosen(term: Term, condition: Any, then: Any, otherwise: Any) -> Iterator[Instead]:
    if _limit(condition, then, otherwise):
        for value, other in ((then, otherwise), (otherwise, then)):
            yield Instead("cap", value, "it is not held to {}", other)
    else:
        yield Instead("branch", then, "{} always holds", condition)
        yield Instead("branch", otherwise, "{} never holds", condition)
        yield Instead("branch", where(condition, otherwise, then), "{} is negated", condition)
    yield from _numbers(term, "table")
    if isinstance(otherwise, Term) and otherwise.op == "ite":
        following, neighbour, rest = cast("Any", otherwise.args)
        if _number(then) and _number(neighbour) and then != neighbour:
            swapped = where(condition, neighbour, where(following, then, rest))
            yield Instead("table", swapped, f"{then} and {neighbour} have changed places")


def _limit(condition: object, then: object, otherwise: object) -> bool:
    """Return whether a choice takes the less, or the greater, of two."""
    if not isinstance(condition, Term) or condition.op not in ("<", "<="):
        return False
    return {*map(_key, condition.args)} == {_key(then), _key(otherwise)}


def _key(value: object) -> object:
    return id(value) if isinstance(value, Term) else value


def _added(term: Term, *parts: Any) -> Iterator[Instead]:
    yield from _numbers(term)
    for place, part in enumerate(parts):
        rest = cast("Any", made("+", *parts[:place], *parts[place + 1 :]))
        yield Instead("award-missing", rest, "{} is not added", part)
        if not _number(part):
            yield Instead("award-twice", made("+", *parts, part), "{} is added twice", part)
        yield Instead("sign", rest - part, "{} is taken away, not added", part)


def _taken_away(term: Term, left: Any, right: Any) -> Iterator[Instead]:
    yield from _numbers(term)
    yield Instead("sign", left + right, "{} is added, not taken away", right)
    yield Instead("sign", right - left, "both sides have changed places")
    yield Instead("award-missing", left, "{} is not taken away", right)


def _multiplied(term: Term, left: Any, right: Any) -> Iterator[Instead]:
    yield from _numbers(term)
    for factor, other in ((left, right), (right, left)):
        if _number(factor) or not _number(other):
            yield Instead("multiplier", other, "it is not multiplied by {}", factor)
            again = made("*", factor, cast("Any", term))
            yield Instead("multiplier", again, "it is multiplied by {} twice", factor)


def _remainder(term: Term, number: Any, size: int) -> Iterator[Instead]:
    yield from _numbers(term, least=1)
    yield Instead("carry-over", 0, "what is left over is lost")
    yield Instead("carry-over", number, "nothing is taken off for what was full")
    yield Instead("carry-over", where(number <= size, number, size), f"it stays full at {size}")


def _quotient(term: Term, number: Any, size: int) -> Iterator[Instead]:
    yield from _numbers(term, least=1)
    yield Instead("award-missing", 0, "nothing is counted")
    yield Instead("award-missing", where(number >= size, 1, 0), "it is counted once at most")


def _negated(term: Term, condition: Any) -> Iterator[Instead]:
    yield Instead("comparison", condition, "it is not negated")


def _joined(term: Term, *parts: Any) -> Iterator[Instead]:
    for place, part in enumerate(parts):
        before, after = parts[:place], parts[place + 1 :]
        yield Instead("condition", made(term.op, *before, *after), "{} is left out", part)
        turned = made(term.op, *before, negate(part), *after)
        yield Instead("condition", turned, "{} is negated", part)
    if len(parts) == 2:
        other, says = ("or", "one will do") if term.op == "and" else ("and", "it takes both")
        yield Instead("condition", made(other, *parts), says)


_OF: Mapping[str, Callable[..., Iterator[Instead]]] = {
    "<": _less,
    "<=": _less,
    "=": _equal,
    "ite": _chosen,
    "+": _added,
    "-": _taken_away,
    "*": _multiplied,
    "mod": _remainder,
    "div": _quotient,
    "not": _negated,
    "and": _joined,
    "or": _joined,
}
