"""Terms as people write them: ``phase = 1 and seen.bonuses > 0``.

State variables have their plain names, the observer's counts begin with ``seen.``, a reveal's
with ``reveal.``, parameters with ``p.``; what a step leads to ends in ``'``. A reading is
compared with its choice.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..models.algebra import Implication, Term
from ..models.setting import readings_of
from .encoding import NEXT, Encoding

__all__ = ["infix"]

# How tightly each operation binds; what binds less goes in brackets.
_BINDS = {
    "implies": 1, "or": 2, "and": 3, "not": 4, "=": 5, "!=": 5, "<": 5, "<=": 5, ">": 5,
    ">=": 5, "+": 6, "-": 6, "*": 7, "div": 7, "mod": 7, "ite": 0,
}  # fmt: skip
_TURNED = {"=": "!=", "<": ">=", "<=": ">"}


def infix(value: object, encoding: Encoding) -> str:
    """Return a term over an encoding's unknowns in words and signs.

    >>> from ..models.algebra import int_variable
    >>> _Writer({}).write(int_variable("s.spins_left") > 0)[0]
    'spins_left > 0'
    """
    choices = {
        f"p.{name}": shape.choices for name, shape in readings_of(encoding.game.setting).items()
    }
    return _Writer(choices).write(value)[0]


class _Writer:
    def __init__(self, choices: Mapping[str, tuple[str, ...]]) -> None:
        self.choices = choices

    def write(self, value: object) -> tuple[str, int]:
        """Return the text, and how tightly its outermost operation binds."""
        if not isinstance(value, Term):
            return (str(value).lower() if isinstance(value, bool) else str(value)), 9
        op, args = value.op, value.args
        if op == "var":
            return _name(str(args[0]), str(args[0]) in self.choices), 9
        if isinstance(value, Implication):
            return self._joined("implies", (value.condition, value.consequence))
        if op == "not":
            return self._negated(args[0])
        if op in ("=", "<", "<="):
            return self._compared(op, args[0], args[1])
        if op == "ite":
            condition, then, otherwise = (self.write(a)[0] for a in args)
            return f"(if {condition} then {then} else {otherwise})", 9
        return self._joined(op, args)

    def _negated(self, of: object) -> tuple[str, int]:
        if isinstance(of, Term) and of.op in _TURNED:
            return self._compared(_TURNED[of.op], of.args[0], of.args[1])
        return f"not {self._inside(of, 'not')}", _BINDS["not"]

    def _compared(self, op: str, left: object, right: object) -> tuple[str, int]:
        if not isinstance(left, Term):  # 0 < n reads better as n > 0
            turned = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
            left, op, right = right, turned.get(op, op), left
        choices = self._choices(left)
        if choices and isinstance(right, int) and op in ("=", "!="):
            said = f"{choices[right]}" if op == "=" else f"not {choices[right]}"
            return f"{self.write(left)[0]} is {said}", _BINDS["="]
        words = f"{self._inside(left, op)} {op} {self._inside(right, op)}"
        return words, _BINDS[op]

    def _choices(self, value: object) -> tuple[str, ...]:
        if isinstance(value, Term) and value.op == "var":
            return self.choices.get(str(value.args[0]), ())
        return ()

    def _joined(self, op: str, parts: tuple[object, ...]) -> tuple[str, int]:
        return f" {op} ".join(self._inside(part, op) for part in parts), _BINDS[op]

    def _inside(self, part: object, op: str) -> str:
        words, binds = self.write(part)
        return f"({words})" if binds <= _BINDS[op] else words


def _name(name: str, reading: bool) -> str:
    kind, _, rest = name.partition(".")
    after = "'" if rest.endswith(NEXT) else ""
    rest = rest.removesuffix(NEXT)
    if kind == "t":
        return f"seen.{rest}{after}"
    if kind == "r":
        return f"reveal.{rest.partition('.')[2]}"
    if kind == "p" and not reading:
        return name
    return f"{rest}{after}"
