"""State variables that only name a term over others: taken out before engines start.

A compiler from a language of equations (Lustre) makes every wire a state variable:

    init ⇒ v = t(x)        trans ⇒ v' = t(x')

so ``v = t`` is an invariant, ``t`` can stand for ``v`` everywhere, and a φ without ``v`` is one
of the system once ``v = t`` is added. Such an equation may come as two guarded halves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .system import System
from .terms import conjuncts, constants

__all__ = ["Reduced", "halves_joined", "without_definitions"]


@dataclass(frozen=True)
class Reduced:
    """A system without variables that only name terms; the equations that name them."""

    system: System
    equations: tuple[Any, ...]

    def fill(self, formula: Any) -> Any:
        """Return a formula over the whole state as one over what is left of it."""
        import z3

        for equation in self.equations:
            formula = z3.substitute(formula, (equation.arg(0), equation.arg(1)))
        return formula

    def lift(self, phi: Any) -> Any:
        """Return a φ of the whole system."""
        import z3

        return z3.And([phi, *self.equations]) if self.equations else phi


def without_definitions(system: System) -> Reduced:
    """Return a system with terms for the variables that only name them."""
    import z3

    names = {a.decl().name() for a in system.now}
    nexts = {b.decl().name() for b in system.then}
    back = list(zip(system.then, system.now, strict=True))
    start = _parts(system.init, names)
    step = _parts(system.trans, names | nexts)
    later = [one for one in step if {c.decl().name() for c in constants([one])} <= nexts]
    moved = [z3.simplify(z3.substitute(one, *back)) for one in later]
    told = {_key(one) for one in moved}
    equations: list[Any] = []
    gone: set[str] = set()
    for part in start:
        plain = z3.simplify(part)
        if _key(plain) not in told:
            continue
        whole = part
        for equation in equations:
            whole = z3.substitute(whole, (equation.arg(0), equation.arg(1)))
        named = next(_names(whole, names - gone), None)
        if named is not None:
            equations.append(named[0] == named[1])
            gone.add(named[0].decl().name())
    if not equations:
        return Reduced(system, ())
    forth = list(zip(system.now, system.then, strict=True))
    then = [z3.substitute(one, *forth) for one in equations]

    def fill(formula: Any) -> Any:
        for equation in (*equations, *then):
            formula = z3.substitute(formula, (equation.arg(0), equation.arg(1)))
        return formula

    kept = [
        (a, b)
        for a, b in zip(system.now, system.then, strict=True)
        if a.decl().name() not in gone
    ]
    smaller = replace(
        system,
        now=tuple(a for a, _ in kept),
        then=tuple(b for _, b in kept),
        init=fill(z3.And(start)),
        trans=fill(z3.And(step)),
        claims={number: fill(claim) for number, claim in system.claims.items()},
    )
    return Reduced(smaller, tuple(equations))


def halves_joined(parts: Sequence[Any], names: Iterable[str]) -> list[Any]:
    """Return formulas with ``g ∨ x = a`` and ``¬g ∨ x = b`` made ``x = (if g then b else a)``.

    ``x`` is one of the names.
    """
    import z3

    wanted = set(names)
    left: list[Any | None] = list(parts)
    halves: dict[tuple[bool, str, frozenset[int]], tuple[int, Any, Any]] = {}
    kept: list[Any] = []  # terms whose ids are keys
    for place, part in enumerate(parts):
        for const, value, guard in _guarded(part, wanted):
            name = const.decl().name()
            said = {True: conjuncts(guard), False: conjuncts(z3.Not(guard))}
            kept += [*said[True], *said[False]]
            ids = {side: frozenset(one.get_id() for one in said[side]) for side in said}
            found = [
                halves[key] for side in ids if (key := (not side, name, ids[side])) in halves
            ]
            if found and left[found[0][0]] is parts[found[0][0]]:
                first, before, term = found[0]
                left[first] = const == _either(before, value, term)
                left[place] = None
                break
            for side in ids:
                halves.setdefault((side, name, ids[side]), (place, guard, value))
    return [one for one in left if one is not None]


def _either(test: Any, holds: Any, fails: Any) -> Any:
    import z3

    return z3.If(test.arg(0), fails, holds) if z3.is_not(test) else z3.If(test, holds, fails)


def _guarded(part: Any, names: set[str]) -> Iterator[tuple[Any, Any, Any]]:
    """Yield (x, t, g) for a formula that says ``g ∨ x = t``."""
    import z3

    if not z3.is_or(part):
        return
    literals = part.children()
    for literal in literals:
        for const, value in _equal(literal, names):
            rest = [one for one in literals if not one.eq(literal)]
            yield const, value, z3.Or(rest) if len(rest) > 1 else rest[0]


def _parts(formula: Any, names: set[str]) -> list[Any]:
    """Return what a formula says, one by one, with guarded halves of equations joined."""
    import z3

    return halves_joined(conjuncts(z3.simplify(formula)), names)


def _names(part: Any, names: Iterable[str]) -> Iterator[tuple[Any, Any]]:
    """Yield a variable and the term over others that a formula says it equals."""
    wanted = set(names)
    for const, value in _equal(part, wanted):
        free = {c.decl().name() for c in constants([value])}
        if free <= wanted and const.decl().name() not in free:
            yield const, value


def _equal(part: Any, names: set[str]) -> Iterator[tuple[Any, Any]]:
    """Yield the ways to read a formula as ``x = t``."""
    import z3

    if z3.is_eq(part):
        for const, value in ((part.arg(0), part.arg(1)), (part.arg(1), part.arg(0))):
            if _is_named(const, names):
                yield const, value
    elif _is_named(part, names):
        yield part, z3.BoolVal(True)
    elif z3.is_not(part):
        inner = part.arg(0)
        if _is_named(inner, names):
            yield inner, z3.BoolVal(False)
        elif z3.is_eq(inner) and z3.is_bool(inner.arg(0)):
            for const, value in ((inner.arg(0), inner.arg(1)), (inner.arg(1), inner.arg(0))):
                if _is_named(const, names):
                    yield const, z3.Not(value)


def _is_named(term: Any, names: set[str]) -> bool:
    import z3

    return (
        term.num_args() == 0
        and term.decl().kind() == z3.Z3_OP_UNINTERPRETED
        and term.decl().name() in names
    )


def _key(part: Any) -> tuple[str, frozenset[int]] | int:
    """Return what two formulas share that differ in the sides of an equation at most."""
    import z3

    if z3.is_eq(part):
        return "=", frozenset(one.get_id() for one in part.children())
    return int(part.get_id())
