"""What may be so at every moment, guessed from Plays: what mutants need to be proved equal.

    limits          that a field keeps to the limits it is declared with
    claim           what is claimed of every moment, but not known to be proved
    part            what a field holds throughout a part of the Play, or where a flag is set
    beside          what a field holds where its neighbour of the same label is not yet full
    order           that one field never holds more than another of the same kind

They are guesses: ``Learnt`` keeps those that every step provably keeps, and drops the others.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any, cast

from ...models.algebra import Bool, BoolTerm, IntTerm, all_of, equal, implies, negate
from ...models.shape import Variable
from ...models.system import Kind
from ..ground import Ground, Trace

__all__ = ["guesses"]

_FEW = 4  # a field of so few values tells a part of the Play
_LOW = 3  # fields of values up to this are put in order


def guesses(ground: Ground, traces: Sequence[Trace]) -> Iterator[Bool]:
    """Yield what holds in every state of some Plays and is worth a proof."""
    states = [*{tuple(s.values()): s for trace in traces for s in trace.states}.values()]
    columns = {v.name: [state[v.name] for state in states] for v in ground.state}
    yield from (limits for v in ground.state if (limits := v.holds(v.term())) is not True)
    known = {claim.id for claim in ground.claims}
    for claim in ground.game.properties:
        if claim.kind is Kind.INVARIANT and claim.id not in known:
            yield ground.encoding.holds(claim)
    yield from _parts(ground, columns)
    yield from _beside(ground, columns)
    yield from _order(ground, columns)


Columns = dict[str, list[Any]]


def _parts(ground: Ground, columns: Columns) -> Iterator[Bool]:
    for part in ground.state:
        here = columns[part.name]
        if part.sort == "Int" and not _tells(part):
            continue
        for value in sorted(set(here)):
            rows = [number for number, held in enumerate(here) if held == value]
            is_so = equal(part.term(), value)
            for other in ground.state:
                column = columns[other.name]
                first = column[rows[0]]
                if other is not part and all(column[row] == first for row in rows):
                    yield implies(is_so, equal(other.term(), first))


def _tells(variable: Variable) -> bool:
    """Return whether a field tells by its few values what part of a Play it is."""
    low, high = variable.low, variable.high
    one = variable.name.count(".") == 1
    return one and low is not None and high is not None and high - low < _FEW


def _beside(ground: Ground, columns: Columns) -> Iterator[Bool]:
    """Yield what is so while the field beside it, of one label, has not come to its most."""
    labelled: dict[str, list[Variable]] = {}
    for variable in ground.state:
        label = variable.name.split(".", 2)[2:]
        if label:
            labelled.setdefault(label[0], []).append(variable)
    for of in labelled.values():
        for one, other in itertools.permutations(of, 2):
            held, beside = columns[one.name], columns[other.name]
            start = beside[0]
            if one.sort == "Int" and len(set(beside)) > 1:
                most, term = max(held), cast("IntTerm", one.term())
                for condition, rows in (
                    (term < most, [n for n, value in enumerate(held) if value < most]),
                    (term == 0, [n for n, value in enumerate(held) if value == 0]),
                ):
                    if rows and all(beside[row] == start for row in rows):
                        yield implies(condition, equal(other.term(), start))
            elif one.sort == "Bool" and other.sort == "Bool":
                if all(b for a, b in zip(held, beside, strict=True) if a):
                    yield implies(cast("BoolTerm", one.term()), cast("BoolTerm", other.term()))
                if not any(a and b for a, b in zip(held, beside, strict=True)):
                    yield negate(all_of(cast("Bool", one.term()), cast("Bool", other.term())))


def _order(ground: Ground, columns: Columns) -> Iterator[Bool]:
    low = [v for v in ground.state if v.sort == "Int" and max(columns[v.name]) <= _LOW]
    low = [v for v in low if not v.unit and not (v.name.count(".") == 1 and v.high is None)]
    for one, other in itertools.permutations(low, 2):
        if one.high != other.high:
            continue
        if all(a <= b for a, b in zip(columns[one.name], columns[other.name], strict=True)):
            yield cast("IntTerm", one.term()) <= cast("IntTerm", other.term())
