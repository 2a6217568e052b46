"""Few Plays out of many that do what all do: a minimum set cover, exact where that is feasible.

What only one Play does forces it; what is done by no fewer Plays than something else goes with
it, and a Play that does no more than another of no more steps is left aside. What is left then
is put to z3, within a budget; where that does not do, the choice is the greedy one, and the gap
to a lower bound (things of which no Play does two) is stated.

Caprara, Toth, Fischetti: Algorithms for the set covering problem, Ann. Oper. Res. 98, 2000.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import z3

__all__ = ["Cover", "cover"]

_BUDGET = 30_000_000  # z3's steps


@dataclass(frozen=True)
class Cover:
    """The Plays chosen, and how few would do at the least."""

    chosen: tuple[int, ...]
    at_least: int

    @property
    def gap(self) -> int:
        """How many Plays fewer might do; 0: none."""
        return len(self.chosen) - self.at_least


def cover(done_by: Sequence[frozenset[int]], cost: Mapping[int, int]) -> Cover:
    """Return few Plays such that each thing is done by one; ``done_by`` has no empty set.

    ``cost`` (of each Play, such as its steps) decides between Plays that do the same.

    >>> cover([frozenset({1, 2}), frozenset({2, 3}), frozenset({3})], {1: 1, 2: 1, 3: 1}).gap
    0
    """
    needs = _least(set(done_by))
    forced: set[int] = set()
    while True:
        needs = _least({need & _useful(needs, cost) for need in needs})
        alone = {play for need in needs if len(need) == 1 for play in need}
        if not alone:
            break
        forced |= alone
        needs = [need for need in needs if not need & alone]
    if not needs:
        return Cover(tuple(sorted(forced)), len(forced))
    best = _greedy(needs, cost)
    least = _apart(needs)
    if len(best) > least:
        best, least = _exact(needs, best, least)
    return Cover(tuple(sorted(forced | best)), len(forced) + least)


def _least(needs: set[frozenset[int]]) -> list[frozenset[int]]:
    """Return the sets that hold no other: who meets these meets all."""
    kept: list[frozenset[int]] = []
    for need in sorted(needs, key=lambda one: (len(one), sorted(one))):
        if not any(other <= need for other in kept):
            kept.append(need)
    return kept


def _useful(needs: Sequence[frozenset[int]], cost: Mapping[int, int]) -> frozenset[int]:
    """Return the Plays that are not outdone by another that does all they do."""
    does: dict[int, set[int]] = {}
    for number, need in enumerate(needs):
        for play in need:
            does.setdefault(play, set()).add(number)
    order = sorted(does, key=lambda play: (-len(does[play]), cost[play], play))
    kept: list[int] = []
    for play in order:
        if not any(does[play] <= does[other] for other in kept):
            kept.append(play)
    return frozenset(kept)


def _greedy(needs: Sequence[frozenset[int]], cost: Mapping[int, int]) -> set[int]:
    left, chosen = list(needs), set[int]()
    while left:
        times: dict[int, int] = {}
        for need in left:
            for play in need:
                times[play] = times.get(play, 0) + 1
        best = min(times, key=lambda play: (-times[play], cost[play], play))
        chosen.add(best)
        left = [need for need in left if best not in need]
    for play in sorted(chosen):  # one may have become needless
        if all(need & (chosen - {play}) for need in needs):
            chosen.discard(play)
    return chosen


def _apart(needs: Sequence[frozenset[int]]) -> int:
    """Return how many things there are, no two of which one Play does."""
    taken: set[int] = set()
    number = 0
    for need in sorted(needs, key=lambda one: (len(one), sorted(one))):
        if not need & taken:
            taken |= need
            number += 1
    return number


def _exact(needs: Sequence[frozenset[int]], best: set[int], least: int) -> tuple[set[int], int]:
    """Return a smaller choice as long as z3 finds one, and what is known to be the least."""
    solver = z3.SolverFor("QF_FD")
    solver.set("rlimit", _BUDGET)
    names = {play: z3.Bool(f"play.{play}") for need in needs for play in sorted(need)}
    for need in needs:
        solver.add(z3.Or([names[play] for play in sorted(need)]))
    while len(best) > least:
        solver.push()
        solver.add(z3.AtMost(*names.values(), len(best) - 1))
        answer = solver.check()
        if answer == z3.unsat:
            return best, len(best)
        if answer != z3.sat:
            return best, least
        model = solver.model()
        best = {play for play, name in names.items() if z3.is_true(model.eval(name))}
    return best, least
