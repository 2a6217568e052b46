"""Plays that tell mutants apart, where no Play at hand does: made with a solver, near those.

    states[n - w] known ∧ R1 … Rw fire, reveals unknown ∧ the mutant differs in the last step

as for a goal that a suite has missed (``oracles.aim``). A step that a mutant accepts and the
rules refuse ends the search: nothing has to come after it. After any other the Play goes on
plainly, to an end that the table has and that keeps the promises.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import cast

from ...models.algebra import Bool, all_of, any_of, equal, negate, same
from ...models.editions import PrizeRow
from ...proofs.evaluate import Evaluation
from ..compiled import compiled
from ..ground import Move, Trace
from ..wander import Wander
from .coming import WINDOWS, Coming
from .lent import Lent
from .making import Mutant, Mutants
from .varied import wider

__all__ = ["Found", "Search", "differs"]

# Steps to the end, if all that follows is asked for again; places at which it is.
_TAIL, _TAILS = 7, 4
_BROUGHT = 12  # beginnings that are gone on with


@dataclass(frozen=True)
class Found:
    """A Play that tells a mutant apart, up to its end.

    ``refused`` is the step that the mutant accepts after ``step`` steps, where that is how.
    """

    trace: Trace
    step: int
    refused: Move | None = None


def differs(mutants: Mutants, mutant: Mutant) -> Bool:
    """Return when a mutant does in a step what the rules do not, as a term.

    It is about one rule: of a mutant that changes several, about the first.
    """
    rule = mutants.rules[mutant.rule]
    if mutant.guard is not None:
        return negate(same(rule.guard, mutant.guard))
    other = (negate(equal(rule.updates[n], value)) for n, value in mutant.updates.items())
    return all_of(rule.guard, any_of(other))


class Search:
    """Looks for Plays near those that are known. Close it when done, or use ``with``."""

    def __init__(self, mutants: Mutants, known: Sequence[Trace], seed: int = 0) -> None:
        self.mutants, self.ground = mutants, mutants.ground
        self.known = [*known]
        self.wander = Wander(self.ground, seed)
        for trace in known:
            self.wander.learn(trace)
        self._random = random.Random(f"search {seed}")
        self._coming = Coming(self.wander, self.known, self._random)
        self._lent = Lent(mutants, self.known, self._random)
        self.beyond: Trace | None = None

    def __enter__(self) -> Search:
        return self

    def __exit__(self, *error: object) -> None:
        self.wander.close()

    def find(self, mutant: Mutant) -> Found | None:
        """Return a Play that tells a mutant apart.

        Where there is none, ``beyond`` may be the beginning of one that has no end which the
        prize table and the promises allow.
        """
        beyond: Trace | None = None
        for part in mutant.parts:
            if found := self._of_part(part):
                return found
            beyond = beyond or self.beyond
        self.beyond = beyond
        return None

    def _of_part(self, mutant: Mutant) -> Found | None:
        self.beyond = None
        rule = self.mutants.rules[mutant.rule]
        if mutant.guard is None:
            condition = differs(self.mutants, mutant)
            return self._by_step(mutant.rule, condition, self._lent.begun(mutant))
        refuses = all_of(rule.guard, negate(mutant.guard))
        accepts = all_of(negate(rule.guard), mutant.guard)
        return self._by_step(mutant.rule, refuses) or self._by_refusal(mutant.rule, accepts)

    def _by_step(self, rule: str, condition: Bool, begun: Iterable[Trace] = ()) -> Found | None:
        """Return a Play with a step by a rule as a condition says, if one is found.

        ``begun`` are beginnings that may end with such a step.
        """
        if condition is False:
            return None
        met = compiled([condition])

        def told(trace: Trace) -> Found | None:
            for number, move in enumerate(trace.moves):
                if move.rule == rule and met({**trace.states[number], **move.revealed})[0]:
                    return Found(trace, number)
            return None

        found = (
            self._brought(begun, told)
            or self._near(rule, condition, told)
            or self._to_the_end(rule, condition, told)
        )
        if found is not None:
            self.known.append(found.trace)
        return found

    def _brought(
        self, begun: Iterable[Trace], told: Callable[[Trace], Found | None]
    ) -> Found | None:
        """Return a Play that goes on plainly after one of some beginnings with the step."""
        ends = 0
        for trace in begun:
            if told(trace):
                if found := self._ended(trace, told):
                    return found
                ends += 1
                if ends == _BROUGHT:
                    break
        return None

    def _near(
        self, rule: str, condition: Bool, told: Callable[[Trace], Found | None]
    ) -> Found | None:
        """Return a Play that goes on plainly after the step."""
        for trace, prefix, moves, _ in self._coming.moves(
            rule, condition, self.ground.revealed[rule]
        ):
            begun = self.ground.along(trace.upto(prefix), moves)
            found = begun and self._ended(begun, told)
            if found:
                return found
        return None

    def _to_the_end(
        self, rule: str, condition: Bool, told: Callable[[Trace], Found | None]
    ) -> Found | None:
        """Return a Play of which all that follows is asked for too, with its prize.

        … ∧ the mutant differs in the step ∧ the last state wins a row of the table
        """
        for window in WINDOWS[:3]:
            asked = 0
            for trace, number in self._coming.places(rule, window, condition):
                first = number - window + 1
                if trace.rules[number] != rule or len(trace.moves) - first > _TAIL:
                    continue
                along = trace.rules[first:]
                unknowns, guards, seen, end = self.wander.unknown(trace, first, along)
                if len(seen) < len(along) or any(guard is False for guard in guards):
                    continue
                met = cast("Bool", Evaluation(seen[number - first]).of(condition))
                if met is False:
                    continue
                s = self.ground.state_of({v.name: end[v.name] for v in self.ground.state})
                for row in self._rows(trace):
                    wanted = all_of(guards, met, self.ground.wanted_end(s, row))
                    wishes = self.wander.wishes(trace, first)
                    values = (
                        None if wanted is False else self.wander.asked(unknowns, wanted, wishes)
                    )
                    if values is not None:
                        whole = self.wander.with_values(trace, first, along, values)
                        if whole and self.ground.allowed(whole) and (found := told(whole)):
                            return found
                asked += 1
                if asked == _TAILS:
                    break
        return None

    def _rows(self, trace: Trace) -> list[PrizeRow | None]:
        """Return what a Play that is changed a little may win: the nearest, and some more."""
        parts = self.ground.won_if_ended(trace.end) or {}
        near = self.ground.wins_near(parts)
        return [*near[:3], *self._random.sample(near, min(3, len(near)))]

    def _by_refusal(self, rule: str, condition: Bool) -> Found | None:
        """Return a Play with a place at which a step by a rule is wrongly accepted."""
        variables = tuple(wider(v) for v in self.ground.revealed[rule])
        for trace, prefix, moves, window in self._coming.moves(
            rule, condition, variables, True
        ):
            before = self.ground.along(trace.upto(prefix), moves[:-1])
            if before and window == 1:
                return Found(trace, len(before.moves), moves[-1])
            found = before and self._ended(before, self._refusing(before, moves[-1]))
            if found:
                self.known.append(found.trace)
                return found
        return None

    def _refusing(self, before: Trace, move: Move) -> Callable[[Trace], Found | None]:
        """Return the Play with a step to refuse, as long as it begins as it did."""
        number = len(before.moves)
        return lambda trace: (
            Found(trace, number, move) if trace.moves[:number] == before.moves else None
        )

    def _ended(self, begun: Trace, told: Callable[[Trace], Found | None]) -> Found | None:
        """Return a Play gone on with to a good end, if it still tells the mutant apart."""
        for wild in (0, 0, 3, 8):
            whole = self.wander.play(begun, wild=wild)
            found = whole and told(whole)
            if found:
                return found
        self.beyond = begun
        return None
