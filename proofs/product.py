"""Two copies of a game side by side, for claims about two Plays with the same reveals.

    x = (a, b)       the states of both copies; the rigid constants are shared
    r = (l, c, d)    what the lottery reveals is shared, what the player chooses is not

A move is a pair of rules for one kind of reveal: copy a takes the first and copy b the second.

    R                both take R
    Q+R              a takes Q, b takes R: where the reveal has a choice in it
    KIND+apart       nothing moves, and ``apart`` is noted: a reveal with a choice in it is
                     taken by a and cannot be by b; of any other, two rules would take it

The tally, for the lemmas of the game, is that of copy a. To see what becomes of Plays that have
come apart, there may be moves of one copy alone instead of ``apart``:

    Q+wait, wait+R   a moves alone, b moves alone

They keep to reveals that the other copy does not get to see: once one is ahead with a kind of
reveal, the other may not come to one of the kind. So the n-th reveal of a kind is the same in
both Plays as far as both have one.

Barthe, D'Argenio, Rezk: Secure information flow by self-composition, CSFW 2004.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from ..models.algebra import Bool, all_of, any_of, negate
from ..models.play import Play, applicable, replay
from ..models.shape import count, flag
from ..models.system import Game, Point, Property, Reveal, Rule, Step
from .verdict import Beside

__all__ = ["Product", "copies", "product"]

COPIES = A, B = "a", "b"
APART, WAIT, AHEAD = "apart", "wait", "ahead_"
Pair = tuple[Rule | None, Rule | None]
Kind = type[Reveal]


@dataclass(frozen=True)
class Product:
    """Two copies of ``one`` as a game of their own: ``game``, whose moves are ``pairs``."""

    one: Game
    game: Game
    pairs: Mapping[str, Pair]

    def plays(self, play: Play) -> tuple[Play, Beside]:
        """Return the Plays of both copies, by the rules of the one game.

        Where copy b cannot take the last reveal, the second Play ends before it.
        """
        steps: dict[str, list[Step]] = {A: [], B: []}
        for step in play.steps:
            if step.rule not in self.pairs:
                return self._apart(play, steps, step)
            for which, rule in zip(COPIES, self.pairs[step.rule], strict=True):
                if rule is not None:
                    reveal = _revealed(rule.reveal, step.reveal, which)
                    steps[which].append(Step(rule.id, reveal))
        a, b = (Play(play.setting, tuple(steps[which])) for which in COPIES)
        return a, Beside(b)

    def _apart(
        self, play: Play, steps: Mapping[str, Sequence[Step]], last: Step
    ) -> tuple[Play, Beside]:
        kind = next(one for one in self.one.reveal_kinds() if _parting(one) == last.rule)
        a, b = (Play(play.setting, tuple(steps[which])) for which in COPIES)
        shown, other = (_revealed(kind, last.reveal, which) for which in COPIES)
        taken, *more = self._taking(a, shown)
        instead = self._taking(b, other) if _choices(kind) else more
        first = dataclasses.replace(a, steps=(*a.steps, taken))
        if not instead:
            return first, Beside(b, other)
        return first, Beside(dataclasses.replace(b, steps=(*b.steps, instead[0])))

    def _taking(self, play: Play, reveal: Any) -> list[Step]:
        *_, point = replay(self.one, play)
        rules = applicable(self.one, play.setting, point, reveal)
        return [Step(rule.id, reveal) for rule in rules]


def copies(game: Game, state: Any) -> tuple[Any, Any]:
    """Return the states of both copies of a game, from a state of the product."""
    a, b = (
        game.state(
            **{
                field.name: getattr(state, f"{which}_{field.name}")
                for field in dataclasses.fields(game.state)
            }
        )
        for which in COPIES
    )
    return a, b


def product(
    game: Game,
    claim: Property,
    lemmas: Sequence[Property] = (),
    alone: Callable[[Any, Any], Bool] | None = None,
) -> Product:
    """Return two copies of a game, with one property, and lemmas of copy a.

    Where ``alone(a, b)`` holds one copy may move by itself; without it ``apart`` is noted.
    """
    doubling = _Doubling(game, alone)
    moves = [(doubling.move(kind, pair), pair) for kind, pair in doubling.pairs()]
    both = dataclasses.replace(
        game,
        state=doubling.state,
        tally=game.tally if lemmas else _NoTally,
        initial=doubling.initial,
        observe=doubling.observing({rule.id: pair for rule, pair in moves}, lemmas),
        rules=(*(rule for rule, _ in moves), *doubling.partings()),
        properties=(*(doubling.of_first(lemma) for lemma in lemmas), claim),
        promises=(),
        reachable=(),
        witnesses=(),
    )
    return Product(game, both, {rule.id: pair for rule, pair in moves})


class _Doubling:
    """How the parts of a game become those of two copies."""

    def __init__(self, game: Game, alone: Callable[[Any, Any], Bool] | None) -> None:
        self.game = game
        self.alone = alone
        self.reveals = {kind: _doubled_reveal(kind) for kind in game.reveal_kinds()}
        self.shared = [
            kind for kind in self.reveals if len(_fields(kind)) > len(_choices(kind))
        ]
        notes: dict[str, Any] = {APART: flag("whether only one of the copies can go on")}
        if alone:
            notes = {
                _ahead(kind): count(
                    "0: with such reveals none is ahead, 1: a is, 2: b is", 0, 2
                )
                for kind in self.shared
            }
            notes["b_moved"] = flag("whether b has moved alone since both moved")
        self.notes = tuple(notes)
        copied = [
            (f"{which}_{field.name}", Any, dataclasses.field(metadata=field.metadata))
            for which in COPIES
            for field in _fields(game.state)
        ]
        noted = [(name, Any, made) for name, made in notes.items()]
        self.state = dataclasses.make_dataclass("Both", [*copied, *noted], frozen=True)

    def both(self, a: Any, b: Any, notes: Mapping[str, Any]) -> Any:
        parts = {
            f"{which}_{field.name}": getattr(state, field.name)
            for which, state in zip(COPIES, (a, b), strict=True)
            for field in _fields(self.game.state)
        }
        return self.state(**parts, **notes)

    def initial(self, p: Any) -> Any:
        start = self.game.initial(p)
        nothing = {name: 0 if name.startswith(AHEAD) else False for name in self.notes}
        return self.both(start, start, nothing)

    def observing(
        self, pairs: Mapping[str, Pair], lemmas: Sequence[Property]
    ) -> Callable[[Any, Point[Any, Any], Step, Any], Any]:
        def observe(p: Any, before: Point[Any, Any], step: Step, after: Any) -> Any:
            first = pairs.get(step.rule, (None, None))[0]
            if first is None or not lemmas:
                return before.t
            seen = Step(first.id, _revealed(first.reveal, step.reveal, A))
            here = Point(copies(self.game, before.s)[0], before.t)
            return self.game.observe(p, here, seen, copies(self.game, after)[0])

        return observe

    def of_first(self, lemma: Property) -> Property:
        def holds(p: Any, x: Any, t: Any) -> Bool:
            return lemma.holds(p, copies(self.game, x)[0], t)

        return dataclasses.replace(lemma, holds=holds)

    def pairs(self) -> Iterator[tuple[Kind, Pair]]:
        for kind in self.reveals:
            rules = self.rules_of(kind)
            for first in rules:
                for second in rules if _choices(kind) else (first,):
                    yield kind, (first, second)
            if self.alone:
                for rule in rules:
                    yield kind, (rule, None)
                    yield kind, (None, rule)

    def rules_of(self, kind: Kind) -> list[Rule]:
        return [rule for rule in self.game.rules if rule.reveal is kind]

    def move(self, kind: Kind, pair: Pair) -> Rule:
        """Return the move in which the copies take the rules of a pair."""

        def when(p: Any, x: Any, r: Any) -> Bool:
            fire = [
                rule.guard(p, s, _revealed(kind, r, which))
                for rule, s, which in zip(pair, copies(self.game, x), COPIES, strict=True)
                if rule
            ]
            return all_of(fire, self.may(kind, pair, x))

        def effect(p: Any, x: Any, r: Any) -> Any:
            a, b = (
                rule.effect(p, s, _revealed(kind, r, which)) if rule else s
                for rule, s, which in zip(pair, copies(self.game, x), COPIES, strict=True)
            )
            return self.both(a, b, self.noted(kind, pair, x))

        ids = [rule.id if rule else WAIT for rule in pair]
        name = ids[0] if ids[0] == ids[1] else "+".join(ids)
        says = "Each copy takes its rule on what is revealed."
        return Rule(name, self.reveals[kind], (), says, when, effect)

    def may(self, kind: Kind, pair: Pair, x: Any) -> Bool:
        """Return whether the other copy leaves this move to a pair."""
        if not self.alone:
            return True
        ahead = getattr(x, _ahead(kind)) if kind in self.shared else 0
        if all(pair):
            return ahead == 0
        apart = self.alone(*copies(self.game, x))
        if pair[0]:  # a moves first, as it makes no difference
            return all_of(apart, ahead != 2, negate(x.b_moved))
        return all_of(apart, ahead != 1)

    def noted(self, kind: Kind, pair: Pair, x: Any) -> dict[str, Any]:
        """Return the notes after a move."""
        notes = {name: getattr(x, name) for name in self.notes}
        if self.alone:
            notes["b_moved"] = pair[0] is None
            if kind in self.shared and not all(pair):
                notes[_ahead(kind)] = 1 if pair[0] else 2
        return notes

    def partings(self) -> Iterator[Rule]:
        """Yield the moves by which ``apart`` is noted."""
        for kind, doubled in self.reveals.items():
            rules = self.rules_of(kind)
            if not self.alone and (_choices(kind) or len(rules) > 1):
                yield Rule(
                    _parting(kind),
                    doubled,
                    (),
                    "The copies cannot both go on with what is revealed.",
                    partial(self.parts, kind),
                    lambda p, x, r: dataclasses.replace(x, apart=True),
                )

    def parts(self, kind: Kind, p: Any, x: Any, r: Any) -> Bool:
        fire, others = (
            [rule.guard(p, s, _revealed(kind, r, which)) for rule in self.rules_of(kind)]
            for s, which in zip(copies(self.game, x), COPIES, strict=True)
        )
        if _choices(kind):
            return all_of(any_of(fire), negate(any_of(others)))
        return any_of(all_of(one, any_of(fire[:n])) for n, one in enumerate(fire))


@dataclass(frozen=True)
class _NoTally:
    """Nothing is counted."""


def _fields(type_: Any) -> tuple[dataclasses.Field[Any], ...]:
    return dataclasses.fields(type_)


def _choices(kind: Kind) -> list[str]:
    """Return the names of what the player chooses in a kind of reveal."""
    return [field.name for field in _fields(kind) if field.metadata["shape"].choice]


def _ahead(kind: Kind) -> str:
    return AHEAD + kind.__name__.lower()


def _parting(kind: Kind) -> str:
    return f"{kind.__name__.lower()}+{APART}"


def _doubled_reveal(kind: Kind) -> Kind:
    """Return the reveal of both copies: each has choices of its own."""
    chosen = _choices(kind)
    fields: list[tuple[str, Any, Any]] = [
        (name, Any, dataclasses.field(metadata=field.metadata))
        for field in _fields(kind)
        for name in (
            [f"{w}_{field.name}" for w in COPIES] if field.name in chosen else [field.name]
        )
    ]
    return dataclasses.make_dataclass(kind.__name__, fields, bases=(Reveal,), frozen=True)


def _revealed(kind: Kind, reveal: Any, which: str) -> Any:
    """Return what is revealed to one copy."""
    chosen = _choices(kind)
    return kind(
        **{
            field.name: getattr(
                reveal, f"{which}_{field.name}" if field.name in chosen else field.name
            )
            for field in _fields(kind)
        }
    )
