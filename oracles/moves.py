"""What an event does: reads what was revealed, and takes one state to the next.

States and reveals are plain tuples, in the order of the game's layouts. Everything here is
quick and says yes or no; what is wrong where it says no is worked out elsewhere, by the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from ..models.algebra import variables_of
from ..models.shape import Variable
from ..models.system import Rule
from ..proofs.encoding import Encoding, RuleFormula
from .event import Shown
from .straight import straight

__all__ = ["Move", "State", "Values", "least", "reader"]

State = tuple[int | bool, ...]
Values = tuple[Any, ...]


class Move:
    """One rule, ready to run.

    ``variables`` are what is revealed, in order, the player's choices among them; ``decisive``
    are the places of those that make a difference to anything but their own limits.
    """

    def __init__(self, number: int, encoding: Encoding, formula: RuleFormula) -> None:
        self.number = number
        self.rule: Rule = formula.rule
        self.id = formula.rule.id
        self.variables: tuple[Variable, ...] = encoding.game.reveal_shape(self.rule).variables
        scalars = [v.name for v in encoding.state if v.name.startswith("s.")]
        revealed = encoding.reveal_variables(self.rule)
        updates = formula.updates[: len(scalars)]
        self.step: Callable[[State, Values], State | None] = straight(
            [scalars, [v.name for v in revealed]], updates, formula.guard
        )
        bare = self.rule.guard(encoding.p, encoding.point().s, encoding.reveal(self.rule))
        used = variables_of(bare, *updates)
        self.decisive = frozenset(place for place, v in enumerate(revealed) if v.name in used)
        self._types = tuple(int if v.sort == "Int" else bool for v in self.variables)
        chosen = [place for place, v in enumerate(self.variables) if v.choice]
        self._given = reader([v.name for v in self.variables if not v.choice])
        self._chosen = reader([self.variables[place].name for place in chosen])
        # What the player chose may be left out where nothing depends on it.
        self._any_choice: Values | None = (
            None
            if self.decisive & set(chosen)
            else tuple(least(self.variables[place]) for place in chosen)
        )
        order = [place for place, v in enumerate(self.variables) if not v.choice] + chosen
        self._order = (
            None if order == sorted(order) else [order.index(i) for i in range(len(order))]
        )

    @property
    def free(self) -> bool:
        """Whether what the player chooses may be left out: nothing depends on it."""
        return self._any_choice is not None

    def read(self, reveal: Shown | None, choice: Shown | None) -> Values | None:
        """Return what an event reveals; None if anything is missing, or is no such thing."""
        try:
            given = self._given(reveal or {})
            chosen = self._chosen(choice) if choice else self._any_choice
        except (KeyError, TypeError):
            return None
        if given is None or chosen is None:
            return None
        values = given + chosen
        if self._order is not None:
            values = tuple([values[place] for place in self._order])
        return values if tuple(map(type, values)) == self._types else None

    def filled(self, known: Mapping[str, int | bool]) -> Values:
        """Return what is revealed, with the least value for whatever is not known."""
        return tuple(known.get(v.name, least(v)) for v in self.variables)


def least(variable: Variable) -> int | bool:
    """Return the least value there is of a variable."""
    return False if variable.sort == "Bool" else variable.low or 0


def reader(names: Sequence[str]) -> Callable[[Shown], Values | None]:
    """Return a function that reads scalars of these names out of nested objects, in order.

    It returns None where there is more, and raises KeyError or TypeError where there is less.

    >>> read = reader(["level", "rows.1", "rows.2"])
    >>> read({"rows": {"2": 5, "1": 6}, "level": 0})
    (0, 6, 5)
    """
    inside: dict[tuple[str, ...], set[str]] = {(): set()}
    for name in names:
        path = tuple(name.split("."))
        for depth in range(len(path)):
            inside.setdefault(path[:depth], set()).add(path[depth])
    place = {path: f"o{number}" for number, path in enumerate(inside)}
    lines = [f"{place[path]} = {place[path[:-1]]}[{path[-1]!r}]" for path in inside if path]
    sizes = " or ".join(f"len({place[path]}) != {len(keys)}" for path, keys in inside.items())
    values = "".join(
        f"{place[path[:-1]]}[{path[-1]!r}], " for path in (tuple(n.split(".")) for n in names)
    )
    body = "\n    ".join([*lines, f"if {sizes}: return None", f"return ({values})"])
    made: dict[str, Any] = {}
    exec(f"def read({place[()]}):\n    {body}\n", {"__builtins__": {"len": len}}, made)
    return cast("Callable[[Shown], Values | None]", made["read"])
