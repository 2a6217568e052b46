"""Names that every solver takes: letters, digits and ``_``, a letter first, no reserved word.

SMT-LIB lets a symbol hold ``.``, ``-`` and ``!``, but not every tool does, and those that
begin with ``.`` or ``@`` are the solvers' own. So whatever is no letter or digit becomes
``_``, a next value's ``!`` becomes ``_next``, and where two names would be the same, the later
one gets a number: ``s.a-b`` and ``s.a.b`` become ``s_a_b`` and ``s_a_b_2``. The renaming is
injective, and the same from run to run.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from ...models.algebra import IntTerm, Term, Value
from .. import smtlib
from ..encoding import NEXT

__all__ = ["Writer", "plain_names"]

_RESERVED_WORDS = """
    _ as let exists forall match par
    BINARY DECIMAL HEXADECIMAL NUMERAL STRING
    Bool Int Real Array BitVec String RegLan Seq Set Bag RoundingMode FloatingPoint
    true false not and or xor ite distinct implies
    div mod abs divisible to_real to_int is_int select store concat extract
    assert declare define push pop exit echo reset
    next init trans main
"""
RESERVED = frozenset(_RESERVED_WORDS.split())
"""What no name may be: SMT-LIB's reserved words, sorts and functions, and the odd command."""


def plain_names(names: Iterable[str]) -> dict[str, str]:
    """Return a plain name for each of the names, no two alike; earlier names choose first.

    >>> plain_names(["s.a-b", "s.a.b", "s.a!", "and", "7up"])
    {'s.a-b': 's_a_b', 's.a.b': 's_a_b_2', 's.a!': 's_a_next', 'and': 'and_', '7up': 'x_7up'}
    """
    taken: dict[str, str] = {}
    used: set[str] = set()
    for name in names:
        if name in taken:
            continue
        wanted = _plain(name)
        chosen, number = wanted, 1
        while chosen in used or chosen in RESERVED:
            number += 1
            chosen = f"{wanted}_" if chosen in RESERVED else f"{wanted}_{number}"
        taken[name] = chosen
        used.add(chosen)
    return taken


def _plain(name: str) -> str:
    words = name.removesuffix(NEXT) + ("_next" if name.endswith(NEXT) else "")
    flat = re.sub(r"[^0-9A-Za-z]", "_", words)
    return flat if flat[:1].isalpha() and flat.isascii() else f"x_{flat.lstrip('_')}"


class Writer:
    """Prints terms with other names, and sums of two parts at a time where that is asked for.

    What was rewritten is kept, so that a part that many terms share is rewritten once.
    """

    def __init__(self, names: Mapping[str, str], *, binary: bool = False) -> None:
        """Set up for names as ``plain_names`` gives them, which may be changed further."""
        self.names = names
        self.binary = binary
        self._done: dict[int, tuple[Term, Term]] = {}

    def text(self, value: Value) -> str:
        """Return a term as SMT-LIB 2 text; KeyError for a variable that has no name here."""
        return smtlib.text(self.renamed(value))

    def renamed(self, value: Value) -> Value:
        """Return a term with every variable by its other name."""
        if not isinstance(value, Term):
            return value
        stack: list[Term] = [value]
        while stack:
            term = stack[-1]
            if id(term) in self._done:
                stack.pop()
                continue
            waiting = [
                one for one in term.args if isinstance(one, Term) and id(one) not in self._done
            ]
            if waiting:
                stack += waiting
                continue
            stack.pop()
            # The term itself is kept beside the new one, so that its id is not used again.
            self._done[id(term)] = (term, self._rewritten(term))
        renamed: Value = self._done[id(value)][1]  # type: ignore[assignment]
        return renamed

    def _rewritten(self, term: Term) -> Term:
        kind = type(term)
        if term.op == "var":
            return kind("var", (self.names[str(term.args[0])],))
        args = tuple(
            self._done[id(one)][1] if isinstance(one, Term) else one for one in term.args
        )
        if self.binary and term.op == "+":
            first, second, *others = args
            summed = IntTerm("+", (first, second))
            for other in others:
                summed = IntTerm("+", (summed, other))
            return summed
        return kind(term.op, args)
