"""What Plays show to be so at every moment, kept only where every step provably keeps it.

A guess is a term over the state (and what was seen) that holds at every moment of the Plays at
hand. What every step keeps (``oracles.onestep``) becomes a lemma; a proof takes those that it
needs. The guesses are as those of Ernst et al.: Dynamically discovering likely program
invariants, ICSE 1999.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, cast

from ..models.algebra import Bool, IntTerm, any_of, implies
from ..models.shape import Variable
from ..models.system import Kind, Property
from ..proofs.encoding import Encoding
from ..proofs.evaluate import Evaluation
from ..proofs.infix import infix
from .ground import Ground, Trace
from .onestep import Asking, kept

__all__ = ["Learnt", "guessed", "learnt_from"]

# A field of few values tells what part of a Play it is.
_FEW = 4
# What no Play showed to be more than this is guessed never to be more than it showed.
_SMALL = 8


class Learnt:
    """Guesses that every step keeps, given what is known before: a lemma for each.

    A proof takes those that it needs, and those that they need (``closed``), no others.
    """

    def __init__(
        self,
        encoding: Encoding,
        before: Sequence[Property],
        guesses: Iterable[Bool],
        prefix: str = "so",
    ) -> None:
        self._encoding, self._before = encoding, tuple(before)
        with Asking(encoding, self._before) as asking:
            self._guesses = kept(asking, list(guesses))
        self.claims = tuple(
            self._lemma(f"{prefix}-{number:03}", guess)
            for number, guess in enumerate(self._guesses, start=1)
        )
        self._closed: dict[str, Property] = {}

    def _lemma(self, name: str, guess: Bool) -> Property:
        game = self._encoding.game

        def holds(p: Any, s: Any, t: Any) -> Bool:
            scalars = {f"s.{n}": value for n, value in game.state_shape().scalars(s).items()}
            if t is not None:
                seen = game.tally_shape().scalars(t)
                scalars |= {f"t.{name}": value for name, value in seen.items()}
            return cast("Bool", Evaluation(scalars).of(guess))

        says = f"Always: {infix(guess, self._encoding)}."
        return Property(name, Kind.LEMMA, (), says, holds)

    def closed(self, names: Iterable[str]) -> tuple[Property, ...]:
        """Return the lemmas of these names, others left aside, and all that they need."""
        number = {claim.id: n for n, claim in enumerate(self.claims)}
        waiting = [name for name in names if name in number]
        found: dict[str, Property] = {}
        with Asking(self._encoding, (*self._before, *self.claims)) as asking:
            asking.few = True
            asking.liked = {*waiting}
            while waiting:
                name = waiting.pop()
                if name in found:
                    continue
                if name not in self._closed:
                    asking.needed.clear()
                    for formula in self._encoding.rules:
                        asking.broken([self._guesses[number[name]]], formula)
                    using = tuple(sorted(asking.needed - {name}))
                    asking.liked |= asking.needed
                    claim = self.claims[number[name]]
                    self._closed[name] = dataclasses.replace(claim, using=using)
                found[name] = self._closed[name]
                waiting += [other for other in found[name].using if other in number]
        return tuple(found[name] for name in sorted(found))


def learnt_from(ground: Ground, traces: Sequence[Trace]) -> Learnt:
    """Return what Plays show to be always so of a game."""
    return Learnt(ground.encoding, ground.claims, guessed(ground, traces))


def guessed(ground: Ground, traces: Sequence[Trace]) -> Iterator[Bool]:
    """Yield guesses: of what is owed once at most, and of every counter if nothing is claimed.

    What is owed once at most is so apart from other things, and not in every part of a Play;
    one of two such things goes with a meter that is full.
    """
    states = [state for trace in traces for state in trace.states]
    counters = [v for v in ground.state if v.sort == "Int" and v.unit != "pence"]
    seen = {v.name: {state[v.name] for state in states} for v in counters}
    if not ground.claims:
        for counter in counters:
            count, held = cast("IntTerm", counter.term()), seen[counter.name]
            yield count >= min(held)
            if max(held) <= _SMALL:
                yield count <= max(held)
    once = [v for v in counters if v.high is None and seen[v.name] == {0, 1}]
    terms = {v.name: cast("IntTerm", v.term()) for v in once}
    for one in terms.values():
        yield one <= 1
    for (name, one), (other_name, other) in itertools.combinations(terms.items(), 2):
        if not any(state[name] and state[other_name] for state in states):
            yield any_of(one == 0, other == 0)
    for part in filter(_is_part, ground.state):
        is_part = cast("IntTerm", part.term())
        for value in sorted(seen[part.name]):
            here = [state for state in states if state[part.name] == value]
            for name, one in terms.items():
                if not any(state[name] for state in here):
                    yield implies(is_part == value, one == 0)
    for meter in filter(_is_meter, counters):
        full = [state for state in states if state[meter.name] == meter.high]
        if not full:
            continue
        for (name, one), (other_name, other) in itertools.combinations(terms.items(), 2):
            if all(state[name] or state[other_name] for state in full):
                is_full = cast("IntTerm", meter.term()) == meter.high
                yield implies(is_full, any_of(one >= 1, other >= 1))


def _is_part(variable: Variable) -> bool:
    """Return whether a field tells by its few values what part of a Play it is."""
    if variable.sort == "Bool" or variable.low is None or variable.high is None:
        return False
    return variable.name.count(".") == 1 and 1 < variable.high - variable.low < _FEW


def _is_meter(variable: Variable) -> bool:
    """Return whether a field is filled up to a limit."""
    return variable.high is not None and variable.name.count(".") == 1
