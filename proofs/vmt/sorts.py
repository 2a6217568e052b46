"""The sorts that a VMT-LIB file may use: Int, Real, Bool, bit-vectors, and names for them."""

from __future__ import annotations

import re

from ...errors import BadInput
from ..sexpr import Atom, List, SExpr, write

__all__ = ["Sorts"]

_PLAIN = frozenset({"Int", "Real", "Bool"})
_DEEPEST = 100
_WIDTH = re.compile(r"[1-9][0-9]{0,5}")
"""Of a bit-vector: more than six digits are no size that a solver could take."""


class Sorts:
    """The sorts defined so far in a file, by name; ``commands`` are their definitions."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.commands: list[List] = []
        self._named: dict[str, tuple[tuple[str, ...], SExpr]] = {}

    def define(self, name: SExpr, parameters: SExpr, sort: SExpr) -> None:
        """Take a ``define-sort``: its sort is looked at where it is used."""
        if not isinstance(name, Atom) or not isinstance(parameters, List):
            raise BadInput(f"{self.source}:{name.line}: expected (define-sort NAME () SORT)")
        names = tuple(one.text for one in parameters.items if isinstance(one, Atom))
        self._named[name.text] = names, sort
        self.commands.append(List((Atom("define-sort"), name, parameters, sort), name.line))

    def text(self, sort: SExpr) -> str:
        """Return a sort spelled out, as text. Raises BadInput for one that is not supported."""
        return write(self._resolved(sort, sort, {}, 0))

    def _resolved(
        self, sort: SExpr, shown: SExpr, bound: dict[str, SExpr], depth: int
    ) -> SExpr:
        given: tuple[SExpr, ...] = ()
        if isinstance(sort, Atom):
            if sort.text in bound:
                return bound[sort.text]
            if sort.text in _PLAIN:
                return Atom(sort.text, sort.line)
            name = sort.text
        elif _is_bit_vector(sort):
            return sort
        else:
            name, given = sort.head, sort.items[1:]
        if name not in self._named or depth > _DEEPEST:
            raise BadInput(
                f"{self.source}:{shown.line}: sort {write(shown)} is not supported; there are "
                "Int, Real, Bool and (_ BitVec n)"
            )
        parameters, meant = self._named[name]
        if len(parameters) != len(given):
            raise BadInput(
                f"{self.source}:{shown.line}: sort {name} takes {len(parameters)} arguments"
            )
        values = (self._resolved(one, shown, bound, depth + 1) for one in given)
        return self._resolved(
            meant, shown, dict(zip(parameters, values, strict=True)), depth + 1
        )


def _is_bit_vector(sort: List) -> bool:
    words = [one.text if isinstance(one, Atom) else "" for one in sort.items]
    return (
        len(words) == 3
        and words[:2] == ["_", "BitVec"]
        and _WIDTH.fullmatch(words[2]) is not None
    )
