"""What a rule would have done if one part of it were a little different.

A scalar's update is a term. Each part of it that mattered is put differently in turn (an amount
left out or counted twice, a cap taken away, a surplus dropped, a comparison turned) and the
whole is worked out again. A variant that gives what a build showed is a likely fault.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import cast

from ..models.algebra import Term, Value
from ..proofs.encoding import Encoding
from ..proofs.evaluate import Evaluation
from ..proofs.infix import infix

__all__ = ["Variant", "variants"]

_MOST_PARTS = 300
_MOST_WORDS = 70


@dataclass(frozen=True)
class Variant:
    """What an update gives if one part of it is put differently; ``fault`` is its class."""

    words: str
    fault: str
    value: Value


def variants(
    update: Value, values: Mapping[str, Value], encoding: Encoding
) -> Iterator[Variant]:
    """Yield what an update gives under values, one part of it put differently each time.

    The outermost parts come first. Of an update of very many parts there are none.
    """
    if not isinstance(update, Term):
        return
    evaluation = Evaluation(values)
    right = evaluation.of(update)
    parts = evaluation.parts
    if len(parts) > _MOST_PARTS:
        return
    writer = _Variants(evaluation, encoding)
    for term, value in reversed(parts):
        for words, fault, other in writer.of(term):
            if other == value:
                continue
            got = Evaluation(values, [(term, other)]).of(update)
            if got != right:
                yield Variant(words, fault, got)


class _Variants:
    """Puts parts of a term differently."""

    def __init__(self, evaluation: Evaluation, encoding: Encoding) -> None:
        self._evaluation = evaluation
        self._encoding = encoding

    def of(self, term: Term) -> Iterator[tuple[str, str, Value]]:
        """Yield what a part would be instead: in words, with a class of fault."""
        args = term.args
        if term.op == "ite":
            yield from self._other_branch(*args)
        elif term.op == "+":
            values = [self._number(arg) for arg in args]
            for arg, value in zip(args, values, strict=True):
                words = self._words(arg)
                yield f"{words} had been left out", "award-missing", sum(values) - value
                yield f"{words} had been counted twice", "award-twice", sum(values) + value
        elif term.op == "*":
            for factor, other in (args, args[::-1]):
                one, by, words = self._number(other), self._number(factor), self._words(factor)
                yield f"it had not been multiplied by {words}", "multiplier", one
                yield f"it had been multiplied by {words} twice", "multiplier", one * by * by
        elif term.op == "mod":
            number, size = map(self._number, args)
            if number >= size:
                full = self._words(args[1])
                yield "the surplus had been dropped", "overflow", 0
                yield f"it had stayed full, at {full}", "cap", size
                yield f"nothing had been taken off at {full}", "cap", number
        elif term.op == "div":
            if self._number(term) > 1:
                yield "it had counted once only", "overflow", 1
        elif term.op in ("<", "<=") and self._number(args[0]) == self._number(args[1]):
            how = "had held" if term.op == "<" else "had not held"
            words = f"{self._words(term)} {how} where both sides are equal"
            yield words, "off-by-one", term.op == "<"

    def _other_branch(
        self, condition: object, then: object, otherwise: object
    ) -> Iterator[tuple[str, str, Value]]:
        holds = self._evaluation.of(cast("Value", condition)) is True
        taken, other = (then, otherwise) if holds else (otherwise, then)
        value = self._evaluation.of(cast("Value", other))
        if isinstance(condition, Term) and condition.op in ("<", "<="):
            low, high = condition.args
            if low is then and high is otherwise:
                yield f"it had not been held down to {self._words(taken)}", "cap", value
                return
            if low is otherwise and high is then:
                yield f"it had not been held up to {self._words(taken)}", "cap", value
                return
        words = self._words(condition)
        if words in ("true", "false"):
            words = "a condition of the rule"
        yield f"{words} {'had not held' if holds else 'had held'}", "", value

    def _number(self, argument: object) -> int:
        return cast("int", self._evaluation.of(cast("Value", argument)))

    def _words(self, argument: object) -> str:
        """Return a part in words, or, where it is long, what it is."""
        words = infix(argument, self._encoding)
        if len(words) <= _MOST_WORDS and " then " not in words:
            return words
        value = self._evaluation.of(cast("Value", argument))
        return str(value).lower() if isinstance(value, bool) else str(value)
