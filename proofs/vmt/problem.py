"""One question about a system, freed of all that does not bear on it.

    init(x)    trans(x, w, x')    good(x)

A state variable that neither a step nor the property looks at is no memory: its next value is
one more input ``w``. What only defines such a value is dropped, and a value that has a
definition is replaced by it. A φ that is found for this is a φ for the whole system, since the
whole is no weaker; and it is checked against the whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .definitions import halves_joined
from .system import System
from .terms import conjuncts, constants

__all__ = ["Problem", "problem", "settled"]


@dataclass(frozen=True)
class Problem:
    """State variables that matter, their nexts, everything else, and three formulas."""

    now: tuple[Any, ...]
    then: tuple[Any, ...]
    inputs: tuple[Any, ...]
    init: Any
    trans: Any
    good: Any

    def next(self, formula: Any) -> Any:
        """Return a formula over the state, after the step."""
        import z3

        return z3.substitute(formula, *zip(self.now, self.then, strict=True))


def problem(system: System, numbers: Sequence[int]) -> Problem:
    """Return the question whether claims, taken together, hold in every reachable state."""
    import z3

    good = z3.simplify(z3.And([system.claims[number] for number in numbers]))
    init = z3.simplify(system.init)
    starts = conjuncts(init)
    pairs = {a.decl().name(): (a, b) for a, b in zip(system.now, system.then, strict=True)}
    nexts = {one.decl().name() for one in (*system.then, *system.inputs)}
    whole = halves_joined(conjuncts(z3.simplify(system.trans)), nexts)
    parts = _bearing(whole, good, pairs)
    while True:
        kept = _looked_at([*parts, good], pairs)
        loose = {pairs[name][1].decl().name() for name in pairs if name not in kept}
        loose |= {one.decl().name() for one in system.inputs}
        fewer = settled(parts, loose)
        if len(fewer) == len(parts):
            break
        parts = fewer
    begin = {name for name in pairs if name not in kept}
    starts = settled(starts, begin)
    now = [a for name, (a, _) in pairs.items() if name in kept]
    then = [b for name, (_, b) in pairs.items() if name in kept]
    fixed = {one.decl().name() for one in (*now, *then)}
    trans = z3.And(parts) if parts else z3.BoolVal(True)
    first = z3.And(starts) if starts else z3.BoolVal(True)
    others = [c for c in constants([first, trans]) if c.decl().name() not in fixed]
    return Problem(tuple(now), tuple(then), tuple(others), first, trans, good)


def _looked_at(formulas: Sequence[Any], pairs: Mapping[str, Any]) -> set[str]:
    return {c.decl().name() for c in constants(formulas)} & pairs.keys()


def _bearing(parts: Sequence[Any], good: Any, pairs: Mapping[str, Any]) -> list[Any]:
    """Return a step's conjuncts without those that only say how what is not needed goes on.

    Needed are the variables of the property and of every conjunct that does not define a next
    value, and those of the definitions of what is needed (the cone of influence).
    """
    nexts = {b.decl().name(): name for name, (_, b) in pairs.items()}
    free = [{c.decl().name() for c in constants([part])} for part in parts]
    used = [{nexts.get(name, name) for name in names} & pairs.keys() for names in free]
    defined: dict[int, str] = {}
    for place, part in enumerate(parts):
        found = _definition(part, set(nexts))
        if found is not None and nexts[found[0].decl().name()] not in defined.values():
            defined[place] = nexts[found[0].decl().name()]
    needed = _looked_at([good], pairs)
    for place, names in enumerate(used):
        needed |= set() if place in defined else names
    while True:
        more = {n for place, name in defined.items() if name in needed for n in used[place]}
        if more <= needed:
            break
        needed |= more
    left = set(range(len(parts)))
    loose = [place for place, name in defined.items() if name not in needed]
    while loose:
        mentioned = Counter(name for place in left for name in free[place])
        gone = [p for p in loose if mentioned[pairs[defined[p]][1].decl().name()] == 1]
        if not gone:
            break
        left -= set(gone)
        loose = [place for place in loose if place not in gone]
    return [parts[place] for place in sorted(left)]


def settled(parts: Sequence[Any], loose: set[str]) -> list[Any]:
    """Return formulas that some values of the loose constants satisfy where the given are.

    Every definition ``w = term`` of a loose constant is filled in and dropped, many at a time.
    """
    import z3

    left = list(parts)
    while True:
        chosen: dict[str, tuple[Any, Any]] = {}
        within: set[str] = set()
        rest = []
        for part in left:
            found = _definition(part, loose)
            if found is not None:
                name = found[0].decl().name()
                inner = {one.decl().name() for one in constants([found[1]])}
                if name not in within and name not in chosen and not inner & chosen.keys():
                    chosen[name] = found
                    within |= inner
                    continue
            rest.append(part)
        if not chosen:
            return left
        left = []
        for one in rest:
            changed = z3.substitute(one, *chosen.values())
            left += [one] if changed.eq(one) else conjuncts(z3.simplify(changed))


def _definition(part: Any, loose: set[str]) -> tuple[Any, Any] | None:
    """Return a loose constant and the term that a formula says it equals, without it."""
    import z3

    if z3.is_eq(part):
        for const, value in ((part.arg(0), part.arg(1)), (part.arg(1), part.arg(0))):
            if _loose(const, loose) and not _within(const, value):
                return const, value
    if _loose(part, loose):
        return part, z3.BoolVal(True)
    if z3.is_not(part) and _loose(part.arg(0), loose):
        return part.arg(0), z3.BoolVal(False)
    return None


def _loose(term: Any, loose: set[str]) -> bool:
    import z3

    return (
        term.num_args() == 0
        and term.decl().kind() == z3.Z3_OP_UNINTERPRETED
        and term.decl().name() in loose
    )


def _within(const: Any, term: Any) -> bool:
    return any(one.eq(const) for one in constants([term]))
