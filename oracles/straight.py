"""Terms as straight-line Python: what a rule does to plain numbers, without its own code.

A rule that is run on terms once gives formulas; written out as one function, in which every
shared part is worked out once, they take a state to the next ten times quicker than the rule
does. Where a formula and the rule should ever part, the rule is right: whoever finds something
wrong by a function made here asks the rule before saying so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from ..models.algebra import Bool, Term, Value

__all__ = ["straight", "written"]

_DEEPEST = 20  # brackets in one expression; Python reads some ninety

_MANY = {"+": " + ", "and": " and ", "or": " or "}
_ALL_WORKED_OUT = {"+": " + ", "and": " & ", "or": " | "}
_INFIX = {"-": "-", "*": "*", "div": "//", "mod": "%", "<": "<", "<=": "<=", "=": "=="}


def straight(
    arguments: Sequence[Sequence[str]], results: Sequence[Value], guard: Bool = True
) -> Callable[..., Any]:
    """Return a function from tuples of values to the tuple of results, None off the guard.

    Each argument lists the names of the unknowns whose values it holds, in order. The function
    raises NameError for an unknown that no argument lists.

    >>> from ..models.algebra import int_variable
    >>> n, m = int_variable("n"), int_variable("m")
    >>> add = straight([["n", "m"]], [n + m, m], n < 9)
    >>> add((2, 3)), add((9, 3))
    ((5, 3), None)
    """
    places = {
        name: f"a{number}[{place}]"
        for number, names in enumerate(arguments)
        for place, name in enumerate(names)
    }
    lines, values = written(places, results, guard)
    lines.append(f"return ({''.join(value + ', ' for value in values)})")
    parameters = ", ".join(f"a{number}" for number in range(len(arguments)))
    body = "\n    ".join(lines)
    made: dict[str, Any] = {}
    exec(f"def step({parameters}):\n    {body}\n", {"__builtins__": {}}, made)
    return cast("Callable[..., Any]", made["step"])


def written(
    places: Mapping[str, str], results: Sequence[Value], guard: Bool = True, flat: bool = False
) -> tuple[list[str], list[str]]:
    """Return the lines of a function up to its results, and the expressions of these.

    ``places`` has the expression of each unknown. Off the guard the lines return None. Where
    ``flat``, every part is worked out whether it counts or not, without a branch: with ``pick``
    for a choice between two values, and off the guard the lines return False.
    """
    text = _Text(places, [guard, *results], flat)
    split = isinstance(guard, Term) and guard.op == "and" and not flat
    for condition in guard.args if isinstance(guard, Term) and split else [guard]:
        shown = text.of(cast("Value", condition))
        if shown != "True":
            text.lines.append(f"if not {shown}: return {'False' if flat else 'None'}")
    values = [text.of(value) for value in results]
    return text.lines, values


class _Text:
    """Writes terms as expressions; what is used twice, or is deep, gets a line and a name."""

    def __init__(
        self, places: Mapping[str, str], roots: Sequence[Value], flat: bool = False
    ) -> None:
        self.lines: list[str] = []
        self._flat = flat
        self._places = places
        self._numbers: dict[tuple[object, ...], int] = {}
        self._nodes: list[Term] = []  # by number, parts before what they are parts of
        self._of: dict[int, int] = {}
        self._uses: list[int] = []
        self._shown: dict[int, tuple[str, int]] = {}
        self._kept = list(roots)  # ids of terms are only theirs while they live
        for root in roots:
            if isinstance(root, Term):
                self._uses[self._intern(root)] += 1

    def of(self, value: Value) -> str:
        """Return the expression of a value, after whatever lines it needs."""
        if not isinstance(value, Term):
            return repr(value)
        needed: set[int] = set()
        waiting = [self._of[id(value)]]
        while waiting:
            node = waiting.pop()
            if node not in needed and node not in self._shown:
                needed.add(node)
                waiting += self._inside(self._nodes[node])
        for node in sorted(needed):
            self._shown[node] = self._written(node)
        return self._shown[self._of[id(value)]][0]

    def _inside(self, term: Term) -> list[int]:
        return [self._of[id(part)] for part in term.args if isinstance(part, Term)]

    def _intern(self, root: Term) -> int:
        """Number a term and all its parts; equal terms have one number."""
        stack = [root]
        while stack:
            term = stack[-1]
            waiting = [a for a in term.args if isinstance(a, Term) and id(a) not in self._of]
            if waiting:
                stack += waiting
                continue
            stack.pop()
            if id(term) in self._of:
                continue
            key = (term.op, *(self._key(argument) for argument in term.args))
            if key not in self._numbers:
                self._numbers[key] = len(self._nodes)
                self._nodes.append(term)
                self._uses.append(0)
                for part in self._inside(term):
                    self._uses[part] += 1
            self._of[id(term)] = self._numbers[key]
        return self._of[id(root)]

    def _key(self, argument: object) -> tuple[object, ...]:
        if isinstance(argument, Term):
            return ("node", self._of[id(argument)])
        return (type(argument).__name__, argument)

    def _written(self, node: int) -> tuple[str, int]:
        """Return the expression of a node, and how deep its brackets are."""
        term = self._nodes[node]
        if term.op == "var":
            name = str(term.args[0])
            expression, depth = self._places.get(name, f"unknown_{node}"), 0
        else:
            parts = [
                self._shown[self._of[id(part)]] if isinstance(part, Term) else (repr(part), 0)
                for part in term.args
            ]
            depth = 1 + max(deep for _, deep in parts)
            expression = _joined(term.op, [shown for shown, _ in parts], self._flat)
        if self._uses[node] < 2 and depth < _DEEPEST:
            return expression, depth
        self.lines.append(f"v{node} = {expression}")
        return f"v{node}", 0


def _joined(op: str, parts: Sequence[str], flat: bool) -> str:
    if op == "ite":
        if flat:
            return f"pick({', '.join(parts)})"
        return f"({parts[1]} if {parts[0]} else {parts[2]})"
    if op == "not":
        return f"(not {parts[0]})"
    many = _ALL_WORKED_OUT if flat else _MANY
    return f"({(many.get(op) or f' {_INFIX[op]} ').join(parts)})"
