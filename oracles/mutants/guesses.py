"""What may be so at every moment, guessed from Plays: what mutants need to be proved equal.

    limits          that a field keeps to the limits it is declared with
    claim           what is claimed of every moment, but not known to be proved
    part            what a field holds throughout a part of the Play, or where a flag is set
    beside          that a field is as at the start till others of its label hold enough
    order           that one field never holds more than another, ever or in a part
    counted         that in a part a field is as at the start while something is counted down
                    that far, or is not once it is counted further

They are guesses: ``Learnt`` keeps those that every step provably keeps, and drops the others.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any, cast

import numpy as np

from ...models.algebra import (
    Bool,
    BoolTerm,
    IntTerm,
    Term,
    all_of,
    equal,
    implies,
    negate,
    total,
    variables_of,
)
from ...models.shape import Variable
from ...models.system import Kind
from ..ground import Ground, Trace
from ..learnt import guessed
from .pool import parts_of

__all__ = ["guesses"]

_FEW = 4  # a field of so few values tells a part of the Play
_LOW = 3  # fields of values up to this are put in order
_COUNTED = 8  # something of values up to this counts what is left


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
    yield from _counted(ground, columns)
    yield from guessed(ground, traces)


Columns = dict[str, list[Any]]
Marks = dict[frozenset[str], set[int]]


def _parts(ground: Ground, columns: Columns) -> Iterator[Bool]:
    for part in ground.state:
        here = columns[part.name]
        if part.sort == "Int" and not _tells(part) and not {*here} <= {0, 1}:
            continue
        for value in sorted(set(here)):
            rows = [number for number, held in enumerate(here) if held == value]
            is_so = equal(part.term(), value)
            for other in ground.state:
                column = columns[other.name]
                first = column[rows[0]]
                if other is not part and all(column[row] == first for row in rows):
                    yield implies(is_so, equal(other.term(), first))


def _counted(ground: Ground, columns: Columns) -> Iterator[Bool]:
    """Yield what a field is before and after something is counted down so far.

    What is so in a part only is said of that part.
    """
    arrays = {name: np.array(values) for name, values in columns.items()}
    small = [v for v in ground.state if v.sort == "Int" and v.name.count(".") == 1]
    small = [v for v in small if not v.unit and 1 < arrays[v.name].max() <= _COUNTED]
    every = np.full(len(next(iter(columns.values()))), True)
    parts: list[tuple[Bool, Any]] = [(True, every)]
    for part in filter(_tells, ground.state):
        for value in np.unique(arrays[part.name]).tolist():
            parts.append((equal(part.term(), value), arrays[part.name] == value))
    for counter, other in itertools.permutations(ground.state, 2):
        if counter not in small:
            continue
        count, as_was = arrays[counter.name], arrays[other.name] == columns[other.name][0]
        term, was = cast("IntTerm", counter.term()), equal(other.term(), columns[other.name][0])
        always: tuple[int, int] | None = None
        for is_part, here in parts:
            held, not_held = count[here & as_was], count[here & ~as_was]
            if not held.size or not not_held.size:
                continue
            least, most = int(held.min()), int(not_held.max())
            if least > not_held.min() and (always is None or least > always[0]):
                yield implies(all_of(is_part, term < least), negate(was))
            if most < held.max() and (always is None or most < always[1]):
                yield implies(all_of(is_part, term > most), was)
            always = always or (least, most)


def _tells(variable: Variable) -> bool:
    """Return whether a field tells by its few values what part of a Play it is."""
    low, high = variable.low, variable.high
    one = variable.name.count(".") == 1
    return one and low is not None and high is not None and high - low < _FEW


def _beside(ground: Ground, columns: Columns) -> Iterator[Bool]:
    """Yield what is so of the fields of one label."""
    marks = _marked(ground)
    labelled: dict[str, list[Variable]] = {}
    for variable in ground.state:
        label = variable.name.split(".", 2)[2:]
        if label:
            labelled.setdefault(label[0], []).append(variable)
    for of in labelled.values():
        counts = [v for v in of if v.sort == "Int"]
        few = [*((v,) for v in counts), *itertools.combinations(counts, 2)]
        for other in of:
            for those in few:
                if other not in those:
                    yield from _until(those, other, columns, marks)
        flags = [v for v in of if v.sort == "Bool"]
        for one, other in itertools.permutations(flags, 2):
            pairs = list(zip(columns[one.name], columns[other.name], strict=True))
            a, b = cast("BoolTerm", one.term()), cast("BoolTerm", other.term())
            if all(y for x, y in pairs if x):
                yield implies(a, b)
            if not any(x and y for x, y in pairs):
                yield negate(all_of(a, b))


def _until(
    those: Sequence[Variable], other: Variable, columns: Columns, marks: Marks
) -> Iterator[Bool]:
    """Yield that a field is as at the start while others together hold less than it took.

    It may take less than any Play has shown: what the rules compare with is guessed too.
    """
    beside, start = columns[other.name], columns[other.name][0]
    held = [*map(sum, zip(*(columns[v.name] for v in those), strict=True))]
    took = [much for much, value in zip(held, beside, strict=True) if value != start]
    enough = _marks(marks, those)
    if took:
        enough = sorted({min(took), *(much for much in enough if much < min(took))})
    for much in enough:
        if much > min(held):
            together = total(cast("IntTerm", v.term()) for v in those)
            yield implies(together < much, equal(other.term(), start))


def _marked(ground: Ground) -> Marks:
    """Return the plain numbers that the rules compare things with, by what these speak of."""
    roots = [v for of in ground.updates.values() for v in of.values()]
    found: Marks = {}
    for term in parts_of(*roots):
        if term.op in ("<", "<="):
            for mark, other in (term.args, term.args[::-1]):
                if isinstance(mark, int) and isinstance(other, Term):
                    found.setdefault(variables_of(other), set()).add(mark)
    return found


def _marks(marks: Marks, those: Sequence[Variable]) -> list[int]:
    names = {v.name for v in those}
    return sorted({mark for of, at in marks.items() if names <= of for mark in at})


def _order(ground: Ground, columns: Columns) -> Iterator[Bool]:
    low = [v for v in ground.state if v.sort == "Int" and max(columns[v.name]) <= _LOW]
    low = [v for v in low if not v.unit and not (v.name.count(".") == 1 and v.high is None)]
    for one, other in itertools.permutations(low, 2):
        pairs = list(zip(columns[one.name], columns[other.name], strict=True))
        in_order = cast("IntTerm", one.term()) <= cast("IntTerm", other.term())
        if one.high != other.high:
            continue
        if all(a <= b for a, b in pairs):
            yield in_order
        elif one.name.count(".") == other.name.count(".") == 1:
            for part in filter(_tells, ground.state):
                here = columns[part.name]
                for value in sorted(set(here)):
                    if all(
                        a <= b for (a, b), at in zip(pairs, here, strict=True) if at == value
                    ):
                        yield implies(equal(part.term(), value), in_order)
