"""Wandering: random Plays that are legal, end, and win what the table has.

A Play wanders for some steps and then goes on plainly, to its end. Each step takes a rule that
is due for it and a random reveal that the rule allows (``oracles.reveals``). A step after which
what is won could be no beginning of a row of the table is not taken. Other Plays are made of
those that are known: one goes on another way from a step on, has another reveal at a step, or
goes on as another one did after the same rule.

A prize that the table lacks, such as a random pot, is put right at the end: by the end of
another Play or, where none fits, by asking for the last reveals again, as near to what they
were as the table and the promises allow.
"""

from __future__ import annotations

import copy
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import networkx as nx

from ..models.algebra import all_of, any_of
from ..models.editions import PrizeRow
from ..proofs.paths import END
from .ground import Ground, Move, Trace
from .reveals import Reveals

__all__ = ["Wander"]

# Steps before the end that are asked for again, to put a prize right.
_WINDOWS = (2, 5)
# Rows that may be won instead, the nearest.
_ROWS = 4
# Steps before the end at which another end may come in place, ends kept of each kind, and ends
# tried.
_LAST, _ENDS, _TRIED = 8, 4, 24
_LONGEST = 90
_LATE = 40


class Wander(Reveals):
    """Makes Plays at random. Equal seeds make equal Plays, in the order they are asked for."""

    def __init__(self, ground: Ground, seed: int = 0) -> None:
        super().__init__(ground, random.Random(f"wander {seed}"))
        self.seed = str(seed)
        self.taken: Counter[tuple[str, str]] = Counter()
        to_end = nx.single_source_shortest_path_length(ground.graph.reverse(copy=False), END)
        self._distance = {rule: to_end.get(rule, len(to_end)) for rule in ground.formulas}
        # By the rule they begin with, and what they win in parts that a target names.
        self._ends: dict[tuple[str, int], list[tuple[Move, ...]]] = {}

    def apart(self, what: str) -> Wander:
        """Return one that knows what this one does, and goes its own way from here on."""
        other = copy.copy(self)
        other.seed = f"{self.seed} {what}"
        other.part_from(random.Random(f"wander {other.seed}"))
        other.taken = self.taken.copy()
        other._ends = {key: [*ends] for key, ends in self._ends.items()}
        return other

    def learn(self, trace: Trace) -> None:
        """Keep the reveals of a Play and how it ends, to be used again."""
        for move in trace.moves:
            self.keep(move)
        self.taken.update(zip(trace.rules, trace.rules[1:], strict=False))
        won = self._named(self.ground.won(trace.end))
        for number in range(max(0, len(trace.moves) - _LAST), len(trace.moves)):
            ends = self._ends.setdefault((trace.rules[number], won), [])
            if len(ends) < _ENDS:
                ends.append(trace.moves[number:])

    def _named(self, won: Mapping[str, int]) -> int:
        return sum(won[name] for name in self.ground.game.goal.named)

    def play(
        self, begun: Trace | None = None, wild: int | None = None, kept: int = 0
    ) -> Trace | None:
        """Return a Play, perhaps gone on with from a beginning; None if it came to no good end.

        ``wild`` is for how many steps it wanders; so many steps as ``kept`` stay as they are.
        """
        trace = begun or self.ground.start()
        if wild is None:
            wild = self.random.choice((0, 2, 4, 6, 8, 12, 16, 24, 32))
        rich = self.random.choice((0.15, 0.3, 0.3, 0.5, 0.8))
        until = len(trace.moves) + wild
        while not self.ground.ended(trace.end):
            if len(trace.moves) > until + _LONGEST:
                return None
            longer = self._wild(trace, rich) if len(trace.moves) < until else None
            if longer is None:
                until = min(until, len(trace.moves))
                longer = self._plain(trace)
            if longer is None:
                return None
            trace = longer
        return self._good(trace, kept)

    def _good(self, trace: Trace, kept: int = 0) -> Trace | None:
        if not self.ground.allowed(trace):
            mended = self._mended(trace, kept)
            if mended is None:
                return None
            trace = mended
        self.learn(trace)
        return trace

    # Steps.

    def _wild(self, trace: Trace, rich: float) -> Trace | None:
        """Return the Play one step longer, by a rule that came seldom after the last one."""
        last = trace.rules[-1] if trace.moves else ""
        rules = [r for r in self.ground.formulas if self._may(last, r)]
        rank = {r: (self.taken[last, r] + 1) * self.random.random() ** 2 for r in rules}
        for rule in sorted(rules, key=rank.__getitem__):
            for _ in range(3):
                move = self.reveal(trace.end, rule, rich)
                if move is None:
                    break
                longer = self.ground.longer(trace, move)
                if longer is not None and self.in_reach(longer.end):
                    self.taken[last, rule] += 1
                    return longer
        return None

    def _plain(self, trace: Trace) -> Trace | None:
        """Return the Play one step longer, by a rule near the end and a reveal of little."""
        last = trace.rules[-1] if trace.moves else ""
        rules = [r for r in self.ground.formulas if self._may(last, r)]
        for rule in sorted(rules, key=lambda r: self._distance[r]):
            found = [self.least(trace.end, rule)]
            if not found[0]:
                found = [self.reveal(trace.end, rule, 0.1) for _ in range(4)]
            longer = [
                after
                for move in found
                if move is not None
                for after in [self.ground.longer(trace, move)]
                if after is not None
            ]
            if longer:
                return min(longer, key=lambda one: _changes(trace.end, one.end))
        return None

    def _may(self, last: str, rule: str) -> bool:
        return not last or self.ground.graph.has_edge(last, rule)

    def in_reach(self, state: Mapping[str, Any]) -> bool:
        """Return whether what is won so far may become a row of the table."""
        parts = self.ground.won_if_ended(state)
        return parts is None or self.ground.may_become(parts)

    def _mended(self, trace: Trace, kept: int) -> Trace | None:
        """Return a Play with other last reveals that wins a row of the table, if any is."""
        before = self.ground.won_if_ended(trace.end)
        if before is None:
            return None
        wanted = self.ground.wins_near(before)
        for ended in self._ended_otherwise(trace, wanted, kept):
            if self.ground.allowed(ended):
                return ended
        firsts = [max(kept, len(trace.moves) - window) for window in _WINDOWS]
        for first in dict.fromkeys(firsts):
            mended = self._asked_again(trace, first, wanted)
            if mended is not None and self.ground.allowed(mended):
                return mended
        return None

    def _ended_otherwise(
        self, trace: Trace, wanted: Sequence[PrizeRow | None], kept: int
    ) -> Iterator[Trace]:
        """Yield Plays with the end of another, such that its named parts win what is wanted."""
        last, tried = len(trace.moves) - 1, 0
        for row in wanted:
            won = row.prize_game if row else 0
            for number in range(last, max(kept - 1, last - 2 * _LAST), -1):
                for end in self._ends.get((trace.rules[number], won), ()):
                    ended = self.ground.along(trace.upto(number), end)
                    if ended is not None and self.ground.ended(ended.end):
                        yield ended
                    tried += 1
                    if tried == _TRIED:
                        return

    def _asked_again(
        self, trace: Trace, first: int, wanted: Sequence[PrizeRow | None]
    ) -> Trace | None:
        """Return a Play with other reveals from a step on, to win one of some rows."""
        rules = trace.rules[first:]
        unknowns, guards, _, state = self.unknown(trace, first, rules)
        if not unknowns or not wanted:
            return None
        end = self.ground.state_of({v.name: state[v.name] for v in self.ground.state})
        rows = [*wanted[:_ROWS], self.random.choice(wanted)]
        condition = all_of(guards, any_of(self.ground.wanted_end(end, row) for row in rows))
        if condition is False:
            return None
        values = self.asked(unknowns, condition, self.wishes(trace, first))
        return None if values is None else self.with_values(trace, first, rules, values)

    def batch(self, number: int, begun: Sequence[Trace]) -> Iterator[Trace]:
        """Yield up to so many Plays: from the start, from where others have been, varied.

        Of the others those that came last are taken more often.
        """
        for _ in range(number):
            kind = self.random.random()
            if not begun or kind < 0.2:
                trace = self.play()
            else:
                late = begun[-_LATE:] if self.random.random() < 0.5 else begun
                other = self.random.choice(late)
                number_ = self.random.randrange(len(other.moves))
                if kind < 0.45:
                    trace = self.play(other.upto(number_))
                elif kind < 0.75:
                    trace = self.varied(other, number_)
                else:
                    trace = self.spliced(other, number_, self.random.choice(begun))
            if trace is not None:
                yield trace

    def varied(self, trace: Trace, number: int) -> Trace | None:
        """Return a Play with another reveal at a step, gone on with alike as far as it can."""
        rich = self.random.choice((0.2, 0.5))
        now = trace.upto(number)
        move = self.reveal(now.end, trace.rules[number], rich)
        longer = move and self.ground.longer(now, move)
        if not longer:
            return None
        return self._like(longer, trace.moves[number + 1 :])

    def spliced(self, trace: Trace, number: int, other: Trace) -> Trace | None:
        """Return a Play that goes on as another did from the rule of a step on."""
        starts = [n for n, rule in enumerate(other.rules) if rule == trace.rules[number]]
        if not starts:
            return None
        return self._like(trace.upto(number), other.moves[self.random.choice(starts) :])

    def _like(self, trace: Trace, moves: Sequence[Move]) -> Trace | None:
        """Return a Play gone on with by the same moves as far as it can, then plainly."""
        for move in moves:
            longer = self.ground.longer(trace, move)
            if longer is None or not self.in_reach(longer.end):
                break
            trace = longer
        return self._good(trace) if self.ground.ended(trace.end) else self.play(trace, 0)


def _changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> int:
    return sum(after[name] != value for name, value in before.items())
