"""Explicit-state enumeration of a reduced copy by the concrete rules: no encoder, no solver.

    states   what the screen shows; the graph of states says what can follow what
    points   a state with the observer's tally; properties speak of these

Both are gone through in order of depth, so that the depth of each is the length of a shortest
Play to it. Every legal reveal is tried: every combination of the values that the fields of a
reveal may take, of which the rules say whether it is legal. States have to come to an end.
Where the tally grows for ever points do not: they are followed to the depth the copy says.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import networkx as nx

from ..errors import BadInput
from ..models.algebra import Value
from ..models.shape import shape_of
from ..models.system import Game, Point, Reveal, Rule, Step
from .copies import Copy, allowed_values, reduced, setting_of

__all__ = ["Enumeration", "Key", "Move", "enumerate_copy"]

MOST = 200_000
"""States, or points, after which a copy is called too large."""

Key = tuple[Value, ...]
"""The scalars of a state, or of a state with its tally, in the order of their shapes."""


@dataclass(frozen=True)
class Move:
    """What can happen in a state: a step, and the state after it."""

    step: Step
    after: Any
    key: Key


@dataclass
class Enumeration:
    """Everything that can happen in one copy.

    ``states`` and ``points`` are in order of depth: ``state_layers[d]`` and ``layers[d]`` say
    which are new at depth d. ``steps`` lead from a point to the next, from all points that were
    followed. ``came`` says from which point, by which step, a point was first
    come to. ``unmet`` has a legal reveal, of a kind that is due, on which no rule applies.
    ``exhausted`` says that every point there is was found.
    """

    game: Game
    copy: Copy
    p: Any
    states: dict[Key, Any] = field(default_factory=dict)
    moves: dict[Key, tuple[Move, ...]] = field(default_factory=dict)
    state_layers: list[list[Key]] = field(default_factory=list)
    points: dict[Key, Point[Any, Any]] = field(default_factory=dict)
    layers: list[list[Key]] = field(default_factory=list)
    unmet: dict[Key, Any] = field(default_factory=dict)
    steps: list[tuple[Key, Step, Key]] = field(default_factory=list)
    came: dict[Key, tuple[Key, Step]] = field(default_factory=dict)
    exhausted: bool = False

    @cached_property
    def graph(self) -> Any:
        """The graph of states: an edge for each state that can follow another."""
        graph = nx.DiGraph()
        graph.add_nodes_from(self.states)
        for key, moves in self.moves.items():
            graph.add_edges_from((key, move.key, {"step": move.step}) for move in moves)
        return graph

    def state_key(self, s: Any) -> Key:
        """Return the scalars of a state."""
        return tuple(self._shapes[0].scalars(s).values())

    def key(self, point: Point[Any, Any]) -> Key:
        """Return the scalars of a point, in the order of an encoding's variables."""
        return (*self.state_key(point.s), *self._shapes[1].scalars(point.t).values())

    def play_to(self, key: Key) -> tuple[Step, ...]:
        """Return the steps of a shortest Play to a point."""
        steps: list[Step] = []
        while key in self.came:
            key, step = self.came[key]
            steps.append(step)
        return tuple(reversed(steps))

    @cached_property
    def _shapes(self) -> tuple[Any, Any]:
        return self.game.state_shape(), self.game.tally_shape()


def enumerate_copy(game: Game, copy: Copy, most: int = MOST) -> Enumeration:
    """Go through a copy of a game.

    Raises BadInput where there is no end to its states, or there are more than ``most`` states
    or points, and for a reveal whose values are not limited.
    """
    small = reduced(game, copy)
    found = Enumeration(small, copy, setting_of(small, copy))
    _states(found, most)
    _points(found, most)
    return found


def reveals_of(game: Game, copy: Copy, reveal: type[Reveal]) -> Iterator[Any]:
    """Yield every combination of values that a type of reveal may take, legal or not."""
    shape = shape_of(reveal, game.setting)
    names = [variable.name for variable in shape.variables]
    values = [tuple(allowed_values(copy, reveal, v)) for v in shape.variables]
    for combination in itertools.product(*values):
        yield shape.of(dict(zip(names, combination, strict=True)))


def _states(found: Enumeration, most: int) -> None:
    game, p = found.game, found.p
    kinds: dict[type[Reveal], list[Rule]] = {}
    for rule in game.rules:
        kinds.setdefault(rule.reveal, []).append(rule)
    reveals = {kind: tuple(reveals_of(game, found.copy, kind)) for kind in kinds}
    start = game.initial(p)
    layer = {found.state_key(start): start}
    while layer:
        found.states |= layer
        found.state_layers.append(list(layer))
        _not_too_many(found, "states", len(found.states), most)
        following: dict[Key, Any] = {}
        for key, state in layer.items():
            moves: list[Move] = []
            for kind, rules in kinds.items():
                moves += _moves(found, key, state, rules, reveals[kind])
            found.moves[key] = tuple(moves)
            for move in moves:
                if move.key not in found.states:
                    following.setdefault(move.key, move.after)
        layer = following


def _moves(
    found: Enumeration, key: Key, s: Any, rules: Sequence[Rule], reveals: Iterable[Any]
) -> list[Move]:
    """Return what can happen in a state on one kind of reveal; note reveals without a rule."""
    p = found.p
    moves: list[Move] = []
    unmet: list[Any] = []
    for reveal in reveals:
        # Most rules do not come in a state at all: that is asked first, as it is quick.
        applying = [rule for rule in rules if rule.when(p, s, reveal) is True]
        if not applying:
            unmet.append(reveal)
        for rule in applying:
            if rule.guard(p, s, reveal) is True:
                after = rule.effect(p, s, reveal)
                moves.append(Move(Step(rule.id, reveal), after, found.state_key(after)))
    if moves:  # this kind of reveal is due: a legal one has to have a rule
        found.unmet.update((key, one) for one in unmet if one.legal(p, s) is True)
    return moves


def _points(found: Enumeration, most: int) -> None:
    game = found.game
    start = game.start(found.p)
    layer = {found.key(start): start}
    depth = found.copy.depth
    while layer:
        found.points |= layer
        found.layers.append(list(layer))
        _not_too_many(found, "points", len(found.points), most)
        if depth is not None and len(found.layers) > depth:
            found.exhausted = False
            return
        following: dict[Key, Point[Any, Any]] = {}
        for key, point in layer.items():
            for move in found.moves[found.state_key(point.s)]:
                tally = game.observe(found.p, point, move.step, move.after)
                after = Point(move.after, tally)
                new = found.key(after)
                found.steps.append((key, move.step, new))
                if new not in found.points and new not in following:
                    following[new] = after
                    found.came[new] = (key, move.step)
        layer = following
    found.exhausted = True


def _not_too_many(found: Enumeration, what: str, number: int, most: int) -> None:
    if number > most:
        raise BadInput(
            f"copy {found.copy.name!r} of {found.game.id}: more than {most} {what}; give it "
            "smaller figures, or limits that are lower"
        )
