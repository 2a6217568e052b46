"""Under which readings a property fails: exactly, and without going through them all.

A Play that breaks a property breaks it under one way to take every reading. It is generalised:
a reading is dropped if the same reveals and parameters break the property whichever way it is
taken, which is one small question, as the Play is run on the rules with that reading unknown.
What is left is a cube of readings; the search goes on outside it, until a proof says that
nothing else is left. The prime implicants of the cubes are then all there is to say:

    implicant  c with  ranges ∧ c ⇒ cube 1 ∨ … ∨ cube n,   prime if no reading can be dropped

Quine: A way to simplify truth functions, 1955 (iterated consensus, here over many values).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ..models.algebra import Bool, all_of, any_of, negate
from ..models.play import Play
from ..models.setting import parameters_of, readings_of, settle
from ..models.shape import Variable
from ..models.system import Game, Kind, Property, Step
from . import smtlib, solvers
from .encoding import Encoding
from .solvers import Steps
from .verdict import Cube

__all__ = ["generalise", "generalise_by", "impossible", "primes"]


def generalise(encoding: Encoding, claim: Property, play: Play, steps: Steps) -> Cube:
    """Return the readings that matter to a Play that breaks a claim, as one cube.

    Under every way to take the readings outside the cube (that the setting allows and that is
    not excluded already) the same Play breaks the claim, or is cut short by breaking it.
    """

    def kept(p: Any) -> Bool:
        return negate(_broken(encoding.game, claim, p, play.steps))

    return generalise_by(encoding, kept, play.setting, steps)


def generalise_by(
    encoding: Encoding,
    kept: Callable[[Any], Bool],
    setting: Any,
    steps: Steps,
    reveals: Sequence[Variable] = (),
) -> Cube:
    """Return the readings of a setting that matter to what is broken under it, as one cube.

    ``kept(p)`` says that it is not broken under ``p``, whose parameters are the setting's; it
    may speak of ``reveals``, some values of which have to make it true.
    """
    taken = {
        reading: choice
        for reading, choice in _taken(setting).items()
        if reading not in encoding.readings
    }
    for reading in list(taken):
        fewer = {name: choice for name, choice in taken.items() if name != reading}
        if _always_broken(encoding, kept, setting, fewer, steps, reveals):
            taken = fewer
    return tuple(sorted(taken.items()))


def impossible(encoding: Encoding, steps: Steps) -> bool:
    """Return whether nothing is left: no readings and parameters satisfy ``rigid``."""
    return _unsat(encoding, encoding.rigid_values(), steps)


def primes(encoding: Encoding, cubes: Sequence[Cube], steps: Steps) -> tuple[Cube, ...]:
    """Return the prime implicants of a union of cubes, relative to ``ranges``, sorted.

    Only readings that occur in the cubes occur in them.
    """
    union = any_of(encoding.cube(cube) for cube in cubes)

    def covered(cube: Cube) -> bool:
        return _unsat(encoding, all_of(encoding.cube(cube), negate(union)), steps)

    found: set[Cube] = set()
    for cube in _closure(encoding.game, cubes):
        found |= set(_shortest(cube, covered))
    return tuple(sorted(c for c in found if not any(set(o) < set(c) for o in found)))


def _taken(setting: Any) -> dict[str, str]:
    return {
        name: getattr(setting, name.replace("-", "_")).name for name in readings_of(setting)
    }


def _always_broken(
    encoding: Encoding,
    kept: Callable[[Any], Bool],
    setting: Any,
    taken: dict[str, str],
    steps: Steps,
    reveals: Sequence[Variable],
) -> bool:
    game = encoding.game
    parameters = {name: getattr(setting, name) for name in parameters_of(game.setting)}
    p, open_, allowed = settle(game.setting, parameters, {**encoding.readings, **taken})
    question = all_of(allowed, (negate(_cube(p, cube)) for cube in encoding.excluded), kept(p))
    declared = smtlib.declare((*open_, *reveals))
    text = f"(set-logic ALL)\n{declared}(assert {smtlib.text(question)})\n(check-sat)\n"
    return solvers.run("z3", text, steps=steps).answer == "unsat"


def _broken(game: Game, claim: Property, p: Any, steps: Sequence[Step]) -> Bool:
    """Return, as a term over what is open in ``p``, that a Play breaks a claim somewhere."""
    point = game.start(p)
    step_property = claim.kind is Kind.STEP
    broken: list[Bool] = []
    if not step_property:
        broken.append(negate(claim.holds(p, point.s, point.t)))
    legal: Bool = True
    for step in steps:
        rule = game.rule(step.rule)
        limits = game.reveal_shape(rule).within_limits(step.reveal)
        legal = all_of(legal, limits, rule.guard(p, point.s, step.reveal))
        after = game.after(p, point, rule, step.reveal)
        if step_property:
            holds = claim.holds(p, point, step, after)
        else:
            holds = claim.holds(p, after.s, after.t)
        broken.append(all_of(legal, negate(holds)))
        point = after
    return any_of(broken)


def _cube(p: Any, cube: Cube) -> Bool:
    return all_of(getattr(p, name.replace("-", "_")).is_(choice) for name, choice in cube)


def _unsat(encoding: Encoding, extra: Bool, steps: Steps) -> bool:
    question = all_of(encoding.constraint, extra)
    text = (
        f"(set-logic ALL)\n{smtlib.declare(encoding.rigid)}(assert {smtlib.text(question)})\n"
    )
    return solvers.run("z3", text + "(check-sat)\n", steps=steps).answer == "unsat"


def _closure(game: Game, cubes: Sequence[Cube]) -> list[Cube]:
    """Return the cubes with every consensus of them, over all choices of one reading."""
    choices = {name: shape.choices for name, shape in readings_of(game.setting).items()}
    known = list(dict.fromkeys(cubes))
    grew = True
    while grew:
        grew = False
        for reading in sorted({name for cube in known for name, _ in cube}):
            for merged in _merged(reading, choices[reading], known):
                if not any(set(cube) <= set(merged) for cube in known):
                    known.append(merged)
                    grew = True
    return known


def _merged(reading: str, choices: Sequence[str], cubes: Sequence[Cube]) -> Iterator[Cube]:
    """Yield what holds whichever way a reading is taken: one cube for each choice, joined."""
    partial: list[dict[str, str]] = [{}]
    for choice in choices:
        step = []
        for cube in cubes:
            literals = dict(cube)
            if literals.pop(reading, choice) != choice:
                continue
            for so_far in partial:
                if all(so_far.get(name, value) == value for name, value in literals.items()):
                    joined = {**so_far, **literals}
                    if joined not in step:
                        step.append(joined)
        partial = step
    for joined in partial:
        yield tuple(sorted(joined.items()))


def _shortest(cube: Cube, covered: Callable[[Cube], bool]) -> Iterator[Cube]:
    """Yield every smallest part of a cube that is still covered."""
    shorter = [cube[:i] + cube[i + 1 :] for i in range(len(cube))]
    kept = [part for part in shorter if covered(part)]
    if not kept:
        yield cube
    for part in kept:
        yield from _shortest(part, covered)
