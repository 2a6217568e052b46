"""Linear programs over numbers that are never below 0, in the form of text.

z3 reads a text many times faster than it is told the same term by term from Python.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import z3

from .deadline import NEVER, Deadline

__all__ = ["combination", "least"]

_VALUE = re.compile(r"\(define-fun (\w+) \(\) Real\s+(?:(\d+)\.0|\(/ (\d+)\.0 (\d+)\.0\))\)")


def combination(parts: Iterable[tuple[int | Fraction, str]]) -> str:
    """Return so many times each of some unknowns, together.

    >>> combination([(2, "a"), (-1, "b"), (Fraction(1, 2), "c"), (0, "d")])
    '(+ 0.0 (* 2.0 a) (* (- 1.0) b) (* (/ 1.0 2.0) c))'
    """
    return f"(+ 0.0{''.join(f' (* {_number(n)} {name})' for n, name in parts if n)})"


def least(
    unknowns: Sequence[str],
    rows: Iterable[tuple[str, str, int]],
    goal: str,
    context: Any,
    deadline: Deadline = NEVER,
) -> Mapping[str, Fraction] | None:
    """Return the unknowns, none below 0, that meet all rows and make the goal least.

    A row is ``(combination, "<=" or ">=", number)``. None if nothing meets them all. Raises
    OutOfTime.

    >>> found = least(["a", "b"], [("(+ a b)", ">=", 3), ("b", "<=", 1)], "a", z3.Context())
    >>> found["a"], found["b"]
    (Fraction(2, 1), Fraction(1, 1))
    """
    text = "".join(
        f"(declare-const {name} Real)\n(assert (>= {name} 0.0))\n" for name in unknowns
    )
    text += "".join(f"(assert ({op} {left} {_number(n)}))\n" for left, op, n in rows)
    program = z3.Optimize(ctx=context)
    program.from_string(f"{text}(minimize {goal})\n")
    if deadline.check(program) != z3.sat:
        return None
    found = dict.fromkeys(unknowns, Fraction(0))
    for name, whole, above, below in _VALUE.findall(program.model().sexpr()):
        found[name] = Fraction(int(whole or above), int(below or 1))
    return found


def _number(value: int | Fraction) -> str:
    if value < 0:
        return f"(- {_number(-value)})"
    if isinstance(value, Fraction) and value.denominator != 1:
        return f"(/ {value.numerator}.0 {value.denominator}.0)"
    return f"{int(value)}.0"
