"""What is so once a rule was taken: a mark in the game, and what provably goes with it.

The observer of a marked game also notes that the rule was taken (``mark``), and that another
was taken since (``since``). What goes with a mark is guessed from Plays, whatever was the same,
or never 0, at all their moments with the mark, and kept where every step keeps it
(``oracles.learnt``).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from ..models.algebra import (
    Bool,
    IntTerm,
    Value,
    all_of,
    any_of,
    bool_variable,
    equal,
    implies,
    negate,
)  # fmt: skip
from ..models.play import Play, replay
from ..models.shape import flag
from ..models.system import Game, Kind, Point, Property, Step
from ..proofs.encoding import encode
from ..proofs.evaluate import Evaluation
from .ground import Ground
from .learnt import Asking, Learnt, kept

__all__ = ["MARK", "SINCE", "Marked", "marked"]

MARK, SINCE = "mark", "since"


def marked(game: Game, rule: str) -> Game:
    """Return the game whose observer notes that a rule was taken, and another since."""
    fields = [
        (MARK, Any, flag(f"whether {rule} was taken")),
        (SINCE, Any, flag(f"whether another rule was taken after {rule}")),
    ]
    tally = dataclasses.make_dataclass(
        f"Marked{game.tally.__name__}", fields, bases=(game.tally,), frozen=True
    )
    names = [one.name for one in dataclasses.fields(game.tally)]

    def observe(p: Any, before: Point[Any, Any], step: Step, after: Any) -> Any:
        plain = game.tally(**{name: getattr(before.t, name) for name in names})
        seen = game.observe(p, Point(before.s, plain), step, after)
        own = step.rule == rule
        return tally(
            **{name: getattr(seen, name) for name in names},
            mark=True if own else before.t.mark,
            since=before.t.since if own else any_of(before.t.since, before.t.mark),
        )

    return dataclasses.replace(game, tally=tally, observe=observe)


class Marked:
    """A game with a mark for one rule, and the lemma of what goes with the mark."""

    def __init__(
        self, ground: Ground, learnt: Learnt, rule: str, plays: Sequence[Play]
    ) -> None:
        """``plays`` are Plays in which the rule is taken."""
        game = marked(ground.game, rule)
        self.encoding = encode(game, ground.edition.parameters, ground.readings)
        self._asking = Asking(self.encoding, (*ground.claims, *learnt.claims))
        guesses = [*_guessed(game, MARK, plays), *_guessed(game, SINCE, plays)]
        self._guesses = kept(self._asking, guesses)
        self._asking.needed.clear()
        self._asking.few = True
        for formula in self.encoding.rules:
            self._asking.broken(self._guesses, formula)
        needed = tuple(sorted(self._asking.needed))
        says = f"What is so once {rule} was taken."
        self.lemma = Property(f"after-{rule}", Kind.LEMMA, (), says, self._holds, needed)
        self.game = dataclasses.replace(game, properties=(*game.properties, self.lemma))

    def __enter__(self) -> Marked:
        return self

    def __exit__(self, *error: object) -> None:
        self._asking.__exit__()

    def _holds(self, p: Any, s: Any, t: Any) -> Bool:
        game = self.encoding.game
        scalars = {f"s.{n}": v for n, v in game.state_shape().scalars(s).items()}
        scalars |= {f"t.{n}": v for n, v in game.tally_shape().scalars(t).items()}
        return all_of(cast("Bool", Evaluation(scalars).of(one)) for one in self._guesses)

    def needed_for(self, broken: Mapping[str, Bool]) -> tuple[str, ...] | None:
        """Return the claims (ids) that exclude conditions on steps, by rule, with the lemma.

        None where they do not.
        """
        self._asking.needed.clear()
        for formula in self.encoding.rules:
            if formula.rule.id in broken:
                met = self._asking.over_step(formula, broken[formula.rule.id])
                if self._asking.possible(all_of(formula.guard, self._guesses, met)):
                    return None
        return tuple(sorted(self._asking.needed))


def _guessed(game: Game, mark: str, plays: Sequence[Play]) -> Iterator[Bool]:
    values: dict[str, set[Any]] = {}
    for play in plays:
        for point in replay(game, play):
            if getattr(point.t, mark):
                for name, value in game.state_shape().scalars(point.s).items():
                    values.setdefault(f"s.{name}", set()).add(value)
                for name, value in game.tally_shape().scalars(point.t).items():
                    values.setdefault(f"t.{name}", set()).add(value)
    terms: dict[str, Value] = {f"s.{v.name}": _term(f"s.{v.name}", v.sort)
                               for v in game.state_shape().variables}  # fmt: skip
    terms |= {f"t.{v.name}": _term(f"t.{v.name}", v.sort) for v in game.tally_shape().variables}
    noted = bool_variable(f"t.{mark}")
    if not values:
        yield negate(noted)
    for name, held in values.items():
        term, least = terms[name], min(held)
        if name in (f"t.{MARK}", f"t.{SINCE}"):
            continue
        if len(held) == 1:
            yield implies(noted, equal(term, least))
        if not isinstance(least, bool) and least > 0:
            yield implies(noted, cast("IntTerm", term) >= 1)


def _term(name: str, sort: str) -> Value:
    return IntTerm("var", (name,)) if sort == "Int" else bool_variable(name)
