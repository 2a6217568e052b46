"""What an enumeration says of a game: a verdict on every property, and every prize.

    invariant, lemma   holds at every point
    step property      holds over every step from a point to the next
    deterministic      no two rules apply in one state on one legal reveal, or on reveals of
                       different kinds, and on each legal one of a kind that is due one does
    never-stuck        something can happen in every state in which the Play has not ended
    choice-free        two Plays with the same reveals and any choices win the same prize, and
                       what may be revealed beside one choice may be beside any
    terminates         the graph of states has no cycle; where it has, the shortest Play that
                       comes back to a state is shown

Nothing is proved here, it is looked at; where points were not followed to their end, what holds
does so up to a depth.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import networkx as nx

from ..models.algebra import Value
from ..models.money import pounds
from ..models.screen import Screen, Seeded
from ..models.shape import shape_of
from ..models.system import Kind, Property, Reveal, Step
from .copies import allowed_values
from .enumeration import Enumeration, Key, Move

__all__ = ["GENERAL", "Finding", "Prize", "judge", "longest_play", "prizes", "shortest_lasso"]

_Lottery = tuple[type[Reveal], Key]
"""A kind of reveal, and what the lottery decides of one."""


@dataclass(frozen=True)
class Finding:
    """What was found of one property of a copy.

    ``depth`` is the least number of steps after which it is broken, or, where it holds, the
    number of steps up to which that was looked at: None for all there are. ``steps`` are those
    of a Play that breaks it, ``remark`` says how.
    """

    property: str
    holds: bool
    depth: int | None = None
    steps: tuple[Step, ...] = ()
    remark: str = ""


@dataclass(frozen=True)
class Prize:
    """What a Play paid, in pence: all in all, and by part. ``steps`` are a shortest Play's."""

    paid: int
    parts: tuple[tuple[str, int], ...]
    steps: tuple[Step, ...]

    @property
    def name(self) -> str:
        """The prize as people write it: ``£8 (£3 row-1 + £5 Prize Game)``."""
        parts = " + ".join(f"{pounds(amount)} {part}" for part, amount in self.parts)
        return f"{pounds(self.paid)} ({parts})" if parts else pounds(self.paid)


def judge(found: Enumeration, claim: Property) -> Finding:
    """Return what an enumeration says of a property; KeyError for an unknown general one."""
    if claim.kind is Kind.GENERAL:
        return GENERAL[claim.id](found)
    broken = _over_steps if claim.kind is Kind.STEP else _at_points
    for steps in broken(found, claim):
        return Finding(claim.id, False, len(steps), steps)
    return Finding(claim.id, True, None if found.exhausted else len(found.layers) - 1)


def prizes(found: Enumeration) -> tuple[Prize, ...]:
    """Return every prize that a Play ends with, and a shortest Play to each, by amount."""
    goal, p = found.game.goal, found.p
    first: dict[tuple[int, tuple[tuple[str, int], ...]], Key] = {}
    for key, point in found.points.items():
        if goal.ended(p, point.s) is True:
            first.setdefault(_prize(found, point.s), key)
    return tuple(Prize(*prize, found.play_to(key)) for prize, key in sorted(first.items()))


def longest_play(found: Enumeration) -> int | None:
    """Return the most steps that a Play can take; None where one can go on for ever."""
    if not nx.is_directed_acyclic_graph(found.graph):
        return None
    return int(nx.dag_longest_path_length(found.graph, weight=None))


def shortest_lasso(found: Enumeration) -> list[Key] | None:
    """Return the states of a shortest Play whose last state was there before; None if none."""
    graph = found.graph
    depths = nx.single_source_shortest_path_length(graph, next(iter(found.states)))
    best: tuple[int, Key, list[Key]] | None = None
    for part in nx.strongly_connected_components(graph):
        within = graph.subgraph(part)
        for key in sorted(part, key=lambda one: (depths[one], one)):
            if best is None or depths[key] + 1 < best[0]:
                back = nx.single_target_shortest_path(within, key)
                around = [back[after] for after in within.successors(key)]
                loop: list[Key] | None = min(around, key=len, default=None)
                if loop and (best is None or depths[key] + len(loop) < best[0]):
                    best = depths[key] + len(loop), key, loop
    if best is None:
        return None
    _, key, loop = best
    return [*nx.shortest_path(graph, next(iter(found.states)), key), *loop]


def _prize(found: Enumeration, s: Any) -> tuple[int, tuple[tuple[str, int], ...]]:
    goal: Any = found.game.goal
    parts = [(part, won) for part, won in goal.parts(found.p, s).items() if won]
    return goal.paid(found.p, s), tuple(parts)


def _at_points(found: Enumeration, claim: Property) -> Iterator[tuple[Step, ...]]:
    for key, point in found.points.items():
        if claim.holds(found.p, point.s, point.t) is not True:
            yield found.play_to(key)


def _over_steps(found: Enumeration, claim: Property) -> Iterator[tuple[Step, ...]]:
    points = found.points
    for key, step, after in found.steps:
        if claim.holds(found.p, points[key], step, points[after]) is not True:
            yield (*found.play_to(key), step)


# ---- Claims about the copy as a whole --------------------------------------------------------


def _deterministic(found: Enumeration) -> Finding:
    for key, moves in found.moves.items():
        if key in found.unmet:
            says = f"no rule applies to {found.unmet[key]}"
            return _of_state("deterministic", found, key, says)
        by_reveal: dict[Any, set[str]] = {}
        for move in moves:
            reveal = (type(move.step.reveal), *_scalars(found, move).values())
            by_reveal.setdefault(reveal, set()).add(move.step.rule)
        for rules in by_reveal.values():
            if len(rules) > 1:
                says = f"{' and '.join(sorted(rules))} apply to one reveal"
                return _of_state("deterministic", found, key, says)
        kinds = {type(move.step.reveal).__name__ for move in moves}
        if len(kinds) > 1:
            says = f"reveals of different kinds may come: {', '.join(sorted(kinds))}"
            return _of_state("deterministic", found, key, says)
    return Finding("deterministic", True)


def _never_stuck(found: Enumeration) -> Finding:
    ended = found.game.goal.ended
    for key, state in found.states.items():
        if not found.moves[key] and ended(found.p, state) is not True:
            return _of_state("never-stuck", found, key, "no reveal is legal")
    return Finding("never-stuck", True)


def _terminates(found: Enumeration) -> Finding:
    path = shortest_lasso(found)
    if path is None:
        return Finding("terminates", True, remark=f"{longest_play(found)} steps at most")
    steps = tuple(found.graph.edges[edge]["step"] for edge in itertools.pairwise(path))
    again = ", ".join(step.rule for step in steps[path.index(path[-1]) :])
    return Finding("terminates", False, len(steps), steps, f"for ever: {again}")


def _choice_free(found: Enumeration) -> Finding:
    """Go through all pairs of states that two Plays with the same reveals can be in."""
    start = next(iter(found.states))
    seen = {(start, start)}
    waiting = deque(seen)
    while waiting:
        pair = waiting.popleft()
        first, second = (_shown(found, key) for key in pair)
        if None not in (first, second) and first != second:
            return _of_state("choice-free", found, pair[0], "other choices win another prize")
        one, other = (_by_lottery(found, key) for key in pair)
        for reveal in one.keys() | other.keys():
            mine, others = one.get(reveal, {}), other.get(reveal, {})
            if not mine.keys() == others.keys() == _choices(found, reveal):
                says = "a reveal is legal for one choice and not for another"
                return _of_state("choice-free", found, pair[0], says)
            new = set(itertools.product(mine.values(), others.values())) - seen
            seen |= new
            waiting += new
    return Finding("choice-free", True)


def _collects(found: Enumeration) -> Finding:
    """Make a screen of each reveal that was met, and read it."""
    for key, step, screen in _screens(found):
        reveals = found.game.reveal_shape(found.game.rule(step.rule))
        counted = reveals.scalars(screen.counted(step.rule, found.p, found.states[key]))
        told = reveals.scalars(screen.told(found.p, step.reveal))
        if any(counted[v.name] != told[v.name] for v in reveals.variables if not v.choice):
            says = f"the screen of {step.rule} shows other than is revealed"
            return _of_state("collects-what-it-shows", found, key, says)
    return Finding("collects-what-it-shows", True)


def _keeps(found: Enumeration) -> Finding:
    """Make a screen before each of these, of the same reveal, and look at what it leaves."""
    for key, step, screen in _screens(found):
        s = found.states[key]
        before = screen.made(step.rule, found.p, s, step.reveal, screen, Seeded("before"))
        if screen.continues(step.rule, found.p, s) is True and screen != screen.kept(
            step.rule, found.p, s, before
        ):
            says = f"the screen of {step.rule} does not keep what was left"
            return _of_state("keeps-what-it-leaves", found, key, says)
    return Finding("keeps-what-it-leaves", True)


def _screens(found: Enumeration) -> Iterator[tuple[Key, Step, Screen]]:
    """Yield a screen of each step that may be taken and has one, once for each reveal."""
    seen: set[tuple[str, tuple[Value, ...]]] = set()
    for key, moves in found.moves.items():
        for step in (move.step for move in moves):
            view = found.game.view(step.rule)
            shape = found.game.reveal_shape(found.game.rule(step.rule))
            revealed = step.rule, tuple(shape.scalars(step.reveal).values())
            if view is not None and revealed not in seen:
                seen.add(revealed)
                s = found.states[key]
                taste = Seeded("after")
                made = view.screen.made(step.rule, found.p, s, step.reveal, None, taste)
                yield key, step, made


def _shown(found: Enumeration, key: Key) -> object:
    state = found.states[key]
    return _prize(found, state) if found.game.goal.ended(found.p, state) is True else None


def _by_lottery(found: Enumeration, key: Key) -> Mapping[_Lottery, Mapping[Key, Key]]:
    """Return the states that can follow: by what the lottery decides, then by choice."""
    after: dict[_Lottery, dict[Key, Key]] = {}
    for move in found.moves[key]:
        kind, scalars = type(move.step.reveal), _scalars(found, move)
        choice = {v.name for v in shape_of(kind, found.game.setting).variables if v.choice}
        decided = tuple(value for name, value in scalars.items() if name not in choice)
        chosen = tuple(value for name, value in scalars.items() if name in choice)
        after.setdefault((kind, decided), {})[chosen] = move.key
    return after


def _choices(found: Enumeration, reveal: _Lottery) -> set[Key]:
    """Return all that the player may choose where the lottery decides something."""
    kind, _ = reveal
    variables = shape_of(kind, found.game.setting).variables
    return set(
        itertools.product(*(allowed_values(found.copy, kind, v) for v in variables if v.choice))
    )


def _scalars(found: Enumeration, move: Move) -> Mapping[str, Value]:
    shape = found.game.reveal_shape(found.game.rule(move.step.rule))
    return shape.scalars(move.step.reveal)


def _of_state(claim: str, found: Enumeration, key: Key, says: str) -> Finding:
    """Return that a claim fails at a state: a shortest path leads there."""
    path = nx.shortest_path(found.graph, next(iter(found.states)), key)
    edges = itertools.pairwise(path)
    steps = tuple(found.graph.edges[edge]["step"] for edge in edges)
    return Finding(claim, False, len(steps), steps, says)


GENERAL: Mapping[str, Callable[[Enumeration], Finding]] = {
    "deterministic": _deterministic,
    "never-stuck": _never_stuck,
    "choice-free": _choice_free,
    "terminates": _terminates,
    "collects-what-it-shows": _collects,
    "keeps-what-it-leaves": _keeps,
}
