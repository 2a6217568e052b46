"""Terms as SMT-LIB 2 text, the one form in which every solver gets them.

Shared subterms are printed once, in ``let`` blocks by height, so that the text is no larger
than the term's graph and the same term always gives the same text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import cast

from ..models.algebra import Term, Value
from ..models.shape import Variable

__all__ = [
    "apply",
    "declare",
    "define",
    "define_as",
    "is_variable",
    "text",
]

_LEAVES = ("var",)


def text(value: Value) -> str:
    """Return a term as SMT-LIB 2.

    >>> from ..models.algebra import int_variable, maximum
    >>> text(maximum(int_variable("n"), 3))
    '(ite (<= 3 n) n 3)'
    """
    if not isinstance(value, Term):
        return _literal(value)
    return _Printer().print(value)


def define(name: str, arguments: Iterable[Variable], body: Value) -> str:
    """Return a ``define-fun`` of a Bool over variables, which its body calls by name."""
    return define_as(name, arguments, text(body))


def define_as(name: str, arguments: Iterable[Variable], body: str, sort: str = "Bool") -> str:
    """Return a ``define-fun`` whose body is text already."""
    listed = " ".join(f"({variable.name} {variable.sort})" for variable in arguments)
    return f"(define-fun {name} ({listed}) {sort}\n  {body})\n"


def is_variable(value: object, name: str) -> bool:
    """Return whether a value is just the variable of that name."""
    return isinstance(value, Term) and value.op == "var" and value.args == (name,)


def declare(variables: Iterable[Variable], suffix: str = "") -> str:
    """Return a ``declare-const`` for each variable, one a line."""
    return "".join(f"(declare-const {v.name}{suffix} {v.sort})\n" for v in variables)


def apply(name: str, arguments: Sequence[str]) -> str:
    """Return the application of a defined function to named arguments."""
    return f"({name} {' '.join(arguments)})" if arguments else name


def _literal(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    number = cast("int", value)
    return str(number) if number >= 0 else f"(- {-number})"


class _Printer:
    """Interns a term's nodes, counts their uses, and prints those used twice by name."""

    def __init__(self) -> None:
        self.keys: dict[tuple[object, ...], int] = {}
        self.nodes: list[tuple[str, tuple[object, ...]]] = []
        self.height: list[int] = []
        self.uses: list[int] = []

    def print(self, value: Term) -> str:
        root = self._intern(value)
        shared = [
            node
            for node in range(len(self.nodes))
            if self.uses[node] > 1 and self.nodes[node][0] not in _LEAVES
        ]
        names = {node: f"?{number}" for number, node in enumerate(shared, start=1)}
        levels: dict[int, list[int]] = {}
        for node in shared:
            levels.setdefault(self.height[node], []).append(node)
        opening = ""
        for height in sorted(levels):
            bound = " ".join(
                f"({names[node]} {self._show(node, names, bind=True)})"
                for node in levels[height]
            )
            opening += f"(let ({bound}) "
        return opening + self._show(root, names) + ")" * len(levels)

    def _intern(self, root: Term) -> int:
        done: dict[int, int] = {}
        stack: list[Term] = [root]
        while stack:
            term = stack[-1]
            if id(term) in done:
                stack.pop()
                continue
            waiting = [a for a in term.args if isinstance(a, Term) and id(a) not in done]
            if waiting:
                stack.extend(waiting)
                continue
            stack.pop()
            done[id(term)] = self._node(term, done)
        return done[id(root)]

    def _node(self, term: Term, done: dict[int, int]) -> int:
        # A child that is a node is kept as a one-element tuple, apart from plain ints.
        args = tuple((done[id(a)],) if isinstance(a, Term) else a for a in term.args)
        op = term.op
        key = (op, tuple((type(a).__name__, a) for a in args))
        if key not in self.keys:
            self.keys[key] = len(self.nodes)
            self.nodes.append((op, args))
            children = [a[0] for a in args if isinstance(a, tuple)]
            for child in children:
                self.uses[child] += 1
            self.uses.append(0)
            self.height.append(1 + max((self.height[c] for c in children), default=0))
        return self.keys[key]

    def _show(self, node: int, names: dict[int, str], bind: bool = False) -> str:
        if not bind and node in names:
            return names[node]
        op, args = self.nodes[node]
        if op == "var":
            return str(args[0])
        shown = [
            self._show(cast("int", a[0]), names) if isinstance(a, tuple) else _literal(a)
            for a in args
        ]
        return f"({op} {' '.join(shown)})"
