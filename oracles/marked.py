"""What is so once rules were taken: marks in the game, and what provably goes with them.

The observer of a marked game also notes that a rule was taken (``mark``), and that another was
taken since (``since``), for each of some rules. What goes with a mark is guessed from Plays,
and kept where every step keeps it (``oracles.learnt``): what was the same, or never 0, at all
their moments with the mark; and that of two things, owed once at most, there was always one.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from ..models.algebra import (
    Bool,
    IntTerm,
    all_of,
    any_of,
    bool_variable,
    equal,
    implies,
    negate,
)
from ..models.shape import Variable, flag
from ..models.system import Game, Point, Property, Step
from ..proofs.encoding import encode
from .ground import Ground, Trace, Values
from .learnt import Learnt
from .onestep import Asking

__all__ = ["Marked", "mark", "marked", "since"]


def mark(rule: str) -> str:
    """Return the name under which it is noted that a rule was taken."""
    return "mark_" + rule.replace("-", "_")


def since(rule: str) -> str:
    """Return the name under which it is noted that another was taken after a rule."""
    return "since_" + rule.replace("-", "_")


def marked(game: Game, rules: Sequence[str]) -> Game:
    """Return the game whose observer notes which rules were taken, and others since."""
    fields: list[tuple[str, Any, Any]] = []
    for rule in rules:
        fields.append((mark(rule), Any, flag(f"whether {rule} was taken")))
        says = f"whether another rule was taken after {rule}"
        fields.append((since(rule), Any, flag(says)))
    tally = dataclasses.make_dataclass(
        f"Marked{game.tally.__name__}", fields, bases=(game.tally,), frozen=True
    )
    names = [one.name for one in dataclasses.fields(game.tally)]

    def observe(p: Any, before: Point[Any, Any], step: Step, after: Any) -> Any:
        plain = game.tally(**{name: getattr(before.t, name) for name in names})
        seen = game.observe(p, Point(before.s, plain), step, after)
        notes: dict[str, Bool] = {}
        for rule in rules:
            was, later = getattr(before.t, mark(rule)), getattr(before.t, since(rule))
            own = step.rule == rule
            notes[mark(rule)] = True if own else was
            notes[since(rule)] = later if own else any_of(later, was)
        return tally(**{name: getattr(seen, name) for name in names}, **notes)

    return dataclasses.replace(game, tally=tally, observe=observe)


class Marked:
    """A game with marks for some rules, and lemmas of what goes with the marks."""

    def __init__(
        self, ground: Ground, learnt: Learnt, rules: Sequence[str], traces: Sequence[Trace]
    ) -> None:
        """``rules`` are those to mark, ``traces`` Plays in some of which each is taken."""
        self.game = marked(ground.game, rules)
        self.encoding = encode(self.game, ground.edition.parameters, ground.readings)
        self._known = learnt
        before = (*ground.claims, *learnt.claims)
        guesses = [one for rule in rules for one in _guessed(rule, ground.state, traces)]
        self._learnt = Learnt(self.encoding, before, guesses, "once")
        self._asking = Asking(self.encoding, (*before, *self._learnt.claims))
        self._asking.few = True

    def __enter__(self) -> Marked:
        return self

    def __exit__(self, *error: object) -> None:
        self._asking.__exit__()

    def needed_for(self, broken: Mapping[str, Bool]) -> tuple[str, ...] | None:
        """Return the claims (ids) that exclude conditions on steps, by rule; None: not so."""
        self._asking.needed.clear()
        for formula in self.encoding.rules:
            if formula.rule.id in broken:
                met = self._asking.over_step(formula, broken[formula.rule.id])
                if self._asking.possible(all_of(formula.guard, met)):
                    return None
        return tuple(sorted(self._asking.needed))

    def lemmas(self, names: Sequence[str]) -> tuple[Property, ...]:
        """Return the lemmas of these names, and those that they need."""
        own = self._learnt.closed(names)
        used = {name for lemma in own for name in lemma.using}
        return (*self._known.closed(sorted({*names, *used})), *own)


def _guessed(
    rule: str, variables: Sequence[Variable], traces: Sequence[Trace]
) -> Iterator[Bool]:
    """Yield what the moments of Plays with a mark have in common."""
    for name, states in _moments(rule, traces):
        noted = bool_variable(f"t.{name}")
        if not states:
            yield negate(noted)
            continue
        held = {v.name: {state[v.name] for state in states} for v in variables}
        for variable in variables:
            values, term = held[variable.name], variable.term()
            if len(values) == 1:
                yield implies(noted, equal(term, min(values)))
            elif isinstance(term, IntTerm) and min(values) > (variable.low or 0):
                least = 1 if variable.high is None else min(values)
                yield implies(noted, term >= least)
        owed = [v for v in variables if _is_owed(v) and held[v.name] == {0, 1}]
        for one, other in itertools.combinations(owed, 2):
            if all(state[one.name] or state[other.name] for state in states):
                some = [cast("IntTerm", v.term()) >= 1 for v in (one, other)]
                yield implies(noted, any_of(some))


def _moments(rule: str, traces: Sequence[Trace]) -> Iterator[tuple[str, list[Values]]]:
    """Yield both marks of a rule, with the states of Plays in which each is set."""
    firsts = [(trace, trace.rules.index(rule)) for trace in traces if rule in trace.rules]
    yield mark(rule), [state for one, number in firsts for state in one.states[number + 1 :]]
    later: list[Values] = []
    for trace, first in firsts:
        others = (n for n in range(first, len(trace.rules)) if trace.rules[n] != rule)
        begins = next(others, len(trace.rules))
        later += trace.states[begins + 1 :]
    yield since(rule), later


def _is_owed(variable: Variable) -> bool:
    """Return whether a field counts, without a limit, what is owed or was had."""
    return variable.sort == "Int" and variable.high is None and variable.unit != "pence"
