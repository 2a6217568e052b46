"""What invariants may look like: shapes that are taken from the text of a problem.

Bounds on sums: every variable, every sum and difference of two, every side of a comparison of
the text, also with one variable more; with the numbers of the text, and their neighbours, as
what may bound them. Facts: the comparisons themselves, and between variables.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

from .linear import Linear, linear
from .problem import Problem
from .terms import atoms_of, constants, nodes, numerals

__all__ = ["Templates", "bits_of", "cases", "own_atoms", "predicates", "templates"]

_MOST_SUMS = 400
_MOST_FACTS = 600
_MOST_PREDICATES = 200
_MOST_VALUES = 8


@dataclass(frozen=True)
class Templates:
    """Numbers, words; sums, with the bounds that each may have; formulas over the state.

    ``parity`` is whether equations modulo 2 are looked for.
    """

    numbers: tuple[Any, ...]
    words: tuple[Any, ...]
    sums: tuple[Linear, ...]
    bounds: tuple[Fraction, ...]
    facts: tuple[Any, ...]
    parity: bool = False


def cases(problem: Problem, most: int) -> list[Any]:
    """Return comparisons on which a step turns, the plainest first: ways to tell states apart.

    Of a comparison and its negation, and of the sides of a strict one, there is one.
    """
    import z3

    found: dict[tuple[int, ...], Any] = {}
    for atom in own_atoms(problem, [problem.trans, problem.init, problem.good]):
        if not z3.is_bool(atom) or atom.num_args() == 2:
            sides = tuple(sorted(one.get_id() for one in atom.children()))
            found.setdefault(sides, atom)
    plain = sorted(found.values(), key=lambda one: len(constants([one])))
    return plain[:most]


def predicates(problem: Problem) -> list[Any]:
    """Return what IC3 starts with: the problem's own comparisons, and the plainest others.

    The text's come first, then the order of every two variables, then bounds by its numbers.
    """
    import z3

    formulas = [problem.init, problem.good, problem.trans]
    back = list(zip(problem.then, problem.now, strict=True))
    moved = [z3.substitute(one, *back) for one in formulas] if back else formulas
    found = own_atoms(problem, [*moved, *(a for a in problem.now if z3.is_bool(a))])
    ordered = [a for a in problem.now if z3.is_arith(a) or z3.is_bv(a)]
    pairs = [(a, b) for a, b in combinations(ordered, 2) if a.sort() == b.sort()]
    more = [one for a, b in pairs for one in (a <= b, a >= b)]
    values = sorted(numerals(formulas), key=lambda one: one.get_id())
    for a in ordered:
        same = [one for one in values if one.sort() == a.sort()][:_MOST_VALUES]
        more += [one for v in same for one in (a <= v, a >= v)]
    plain = {one.get_id(): one for one in map(z3.simplify, more)}
    return [*found, *plain.values()][:_MOST_PREDICATES]


def bits_of(variables: Sequence[Any]) -> list[Any]:
    """Return formulas for the bits of Booleans and words."""
    import z3

    found: list[Any] = []
    for a in variables:
        if z3.is_bv(a):
            found += [z3.Extract(bit, bit, a) == 1 for bit in range(a.size())]
        else:
            found.append(a)
    return found


def templates(problem: Problem, rich: int = 1) -> Templates:
    """Return the templates for a problem.

    ``rich`` is 0 for no pairs of numbers and nothing of single words but the comparisons of
    the text, 2 also for sides of comparisons with one variable more, and pairs of words.
    """
    import z3

    formulas = [problem.init, problem.trans, problem.good]
    numbers = [a for a in problem.now if z3.is_arith(a)]
    words = [a for a in problem.now if z3.is_bv(a)]
    names = frozenset(a.decl().name() for a in numbers)
    back = list(zip(problem.then, problem.now, strict=True))
    atoms = own_atoms(problem, [z3.substitute(one, *back) for one in formulas] if back else [])
    sums: dict[Linear, None] = {}
    bounds = {Fraction(n) for n in (-1, 0, 1)}
    for atom in atoms:
        found = _side(atom, names)
        if found:
            sums[found[0]] = sums[found[0].negated()] = None
            bounds |= {side * found[1] + near for side in (1, -1) for near in (-1, 0, 1)}
    for number in numerals(formulas):
        if not z3.is_bv_value(number):
            value = Fraction(str(number.as_fraction() if z3.is_real(number) else number))
            bounds |= {side * value + near for side in (1, -1) for near in (-1, 0, 1)}
    said = list(sums)
    for a in sorted(names):
        sums[Linear(((a, 1),))] = sums[Linear(((a, -1),))] = None
    if rich:
        for a, b in combinations(sorted(names), 2):
            for left, right in ((1, -1), (-1, 1), (1, 1), (-1, -1)):
                if len(sums) < _MOST_SUMS:
                    sums[Linear(((a, left), (b, right)))] = None
    if rich > 1:
        for one in said:
            for name in sorted(names - {part for part, _ in one.parts}):
                for times in (1, -1):
                    if len(sums) < _MOST_SUMS:
                        sums[Linear(tuple(sorted((*one.parts, (name, times)))))] = None
    facts = [*atoms, *(z3.Not(atom) for atom in atoms), *_turned(atoms)]
    if rich:
        facts += _words(words, formulas, rich > 1)
    return Templates(
        tuple(numbers),
        tuple(words),
        tuple(sums),
        tuple(sorted(bounds)),
        tuple(facts[:_MOST_FACTS]),
    )


def own_atoms(problem: Problem, formulas: Sequence[Any]) -> list[Any]:
    """Return the atoms over the state alone, each once."""
    import z3

    names = {a.decl().name() for a in problem.now}
    found: dict[int, Any] = {}
    for atom in atoms_of(formulas):
        free = {c.decl().name() for c in constants([atom])}
        if free and free <= names:
            plain = z3.simplify(atom)
            if constants([plain]):
                found.setdefault(plain.get_id(), plain)
    return list(found.values())


def _side(atom: Any, names: frozenset[str]) -> tuple[Linear, Fraction] | None:
    """Return a comparison's left side less its right side, if that is linear."""
    import z3

    if atom.num_args() != 2 or not z3.is_arith(atom.arg(0)):
        return None
    if not (
        z3.is_eq(atom) or z3.is_le(atom) or z3.is_ge(atom) or z3.is_lt(atom) or z3.is_gt(atom)
    ):
        return None
    return linear(atom.arg(0) - atom.arg(1), names)


def _turned(atoms: Sequence[Any]) -> list[Any]:
    """Return the other way round of each order of words, and that its sides are the same.

    Where a loop goes on for as long as ``a < b``, that ``a <= b`` is what its end needs.
    """
    import z3

    orders = {z3.Z3_OP_SLEQ, z3.Z3_OP_ULEQ}  # as which a simplified order is written
    found = []
    for atom in atoms:
        if atom.decl().kind() in orders:
            a, b = atom.children()
            found += [atom.decl()(b, a), a == b]
    return found


def _words(words: Sequence[Any], formulas: Sequence[Any], rich: bool) -> list[Any]:
    """Return facts about bit-vectors: order among them and with numbers, and single bits."""
    import z3

    facts: list[Any] = []
    values = [one for one in nodes(formulas) if z3.is_bv_value(one)]
    for word in words:
        size = word.size()
        near = {0, 1, (1 << size) - 1, 1 << (size - 1), (1 << (size - 1)) - 1}
        for value in values:
            if value.size() == size:
                near |= {(value.as_long() + step) % (1 << size) for step in (-1, 0, 1)}
        for value in sorted(near)[:40]:
            constant = z3.BitVecVal(value, size)
            facts += [word == constant, word <= constant, word >= constant]
            facts += [z3.ULE(word, constant), z3.UGE(word, constant)]
        for bit in range(min(size, 64)):
            facts += [z3.Extract(bit, bit, word) == value for value in (0, 1)]
    if rich:
        for a, b in combinations(words, 2):
            if a.size() == b.size():
                facts += [a == b, a <= b, b <= a, a < b, b < a, z3.ULE(a, b), z3.ULE(b, a)]
                facts += [z3.ULT(a, b), z3.ULT(b, a)]
    return facts
