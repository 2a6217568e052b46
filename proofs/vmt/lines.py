"""Lines of attack on one question. Each answers alone; which is quickest, a race shows."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..solvers import why
from .abstraction import invariant
from .answers import Answer, GaveUp, Safe, Unsafe
from .bmc import refute_afresh
from .control import Blocks, blocks
from .definitions import Reduced, without_definitions
from .horn import spacer
from .ic3 import Way, ic3
from .kinduction import induct
from .numbers import as_numbers, as_words
from .problem import Problem, problem
from .separation import interpolants
from .system import System
from .templates import bits_of, cases, predicates, templates
from .terms import constants
from .together import inductive
from .unrolling import ask, new_solver
from .walk import walk

__all__ = ["LINES", "Question", "attack", "lifted", "needed_of", "promising", "quick"]


_SHORT = 32
"""Steps of the longest run that is asked for by itself."""

_QUICK = 1_000_000
"""Steps of the solver for what is over soon, if ever: a second or so."""

_LONG = 600.0
"""Seconds for what a race will have ended long before."""


@dataclass(frozen=True)
class Question:
    """Claims of a system to decide together; ``known`` are inductive invariants of it."""

    system: System
    numbers: Sequence[int]
    known: Sequence[Any] = ()


def attack(line: str, question: Question) -> Answer:
    """Answer a question by one line of attack. May take any time."""
    reduced = without_definitions(question.system)
    question = replace(question, system=reduced.system)
    plain = problem(question.system, question.numbers)
    names = {a.decl().name() for a in plain.now}
    known = [
        one
        for one in map(reduced.fill, question.known)
        if {c.decl().name() for c in constants([one])} <= names
    ]
    return _of_the_whole(LINES[line](question, plain, known), reduced)


def quick(system: System, number: int) -> Answer:
    """Try what is over in a moment, for which no process need be started.

    Raises KeyboardInterrupt on Ctrl-C.
    """
    reduced = without_definitions(system)
    answer = induct(problem(reduced.system, [number]), most=8, seconds=1.0)
    if isinstance(answer, GaveUp):
        why(answer.reason)
    return _of_the_whole(answer, reduced)


def _of_the_whole(answer: Answer, reduced: Reduced) -> Answer:
    """Return an answer about a reduced system as one about the system itself."""
    return replace(answer, phi=reduced.lift(answer.phi)) if isinstance(answer, Safe) else answer


def promising(system: System) -> tuple[str, ...]:
    """Return the lines of attack that can come to anything on a system."""
    import z3

    words = any(z3.is_bv(one) for one in system.now)
    numbers = any(z3.is_arith(one) for one in system.now)
    idle = {"numbers"} if not words else set() if numbers else {"global-spacer"}
    idle |= {"bits"} if numbers or not words else set()
    return tuple(line for line in LINES if line not in idle)


def _by_steps(_: Question, plain: Problem, known: Sequence[Any]) -> Answer:
    """k-induction, on larger steps where there is control flow; it refutes as well."""
    return _on_blocks(plain, lambda one: induct(one, known), known)


def _by_spacer(_: Question, plain: Problem, known: Sequence[Any]) -> Answer:
    """Spacer, on larger steps where there is control flow."""
    return _on_blocks(plain, lambda one: spacer(one, known), known)


def _by_global_spacer(_: Question, plain: Problem, known: Sequence[Any]) -> Answer:
    """Spacer with global guidance, on larger steps where there is control flow."""
    options = {"spacer.global": True}
    return _on_blocks(plain, lambda one: spacer(one, known, options), known)


def _by_short_runs(_: Question, plain: Problem, known: Sequence[Any]) -> Answer:
    """Short runs that break it, each length asked by itself."""
    return refute_afresh(plain, _SHORT)


def _by_shapes(_: Question, plain: Problem, known: Sequence[Any]) -> Answer:
    """k-induction with invariants of given shapes: plain ones, then richer, then by cases."""
    large = blocks(plain)
    small = large.problem if large else plain
    found: list[Any] = []
    for stage in _STAGES:
        inv = _shaped(small, _bits(small, large), known, stage)
        if inv is not None:
            found = inv
            answer = induct(small, [*found, *known], most=stage.longest, seconds=5.0)
            if not isinstance(answer, GaveUp):
                return lifted(answer, large)
    return lifted(induct(small, [*found, *known]), large)


@dataclass(frozen=True)
class _Stage:
    """How rich shapes are, how many cases are told apart; seconds, and the largest k."""

    rich: int
    cases: int
    seconds: float
    longest: int


_STAGES = (
    _Stage(0, 0, 3.0, 6),
    _Stage(0, 4, 6.0, 4),
    _Stage(1, 0, 10.0, 12),
    _Stage(1, 4, 20.0, 4),
    _Stage(2, 0, 60.0, 12),
    _Stage(2, 6, 60.0, 12),
)


def _bits(small: Problem, large: Blocks | None) -> list[Any]:
    """Return the Boolean variables where they are control flow."""
    import z3

    return [a for a in small.now if z3.is_bool(a)] if large else []


def _shaped(
    small: Problem, bits: Sequence[Any], known: Sequence[Any], stage: _Stage
) -> list[Any] | None:
    """Return an invariant of the shapes of a stage, None out of time."""
    shapes = templates(small, stage.rich)
    apart = list(bits)
    if stage.cases:
        shapes = replace(shapes, parity=True)
        had = {one.get_id() for one in bits}
        apart += [one for one in cases(small, stage.cases) if one.get_id() not in had]
    return invariant(small, shapes, apart, known, stage.seconds)


def _by_predicates(_: Question, plain: Problem, known: Sequence[Any]) -> Answer:
    """IC3 over the problem's comparisons and the likes of them; more as they are needed."""

    def search(small: Problem) -> Answer:
        def separate(way: Way) -> list[Any]:
            return interpolants(small, way, known)

        return ic3(small, predicates(small), known, separate)

    return _on_blocks(plain, search, known)


def _by_bits(_: Question, plain: Problem, known: Sequence[Any]) -> Answer:
    """IC3 over all bits that there are."""
    return _on_blocks(plain, lambda one: ic3(one, bits_of(one.now), known), known)


def _by_walk(_: Question, plain: Problem, known: Sequence[Any]) -> Answer:
    """Some runs, step by step, on larger steps where there is control flow."""
    return _on_blocks(plain, walk, known)


def _by_numbers(question: Question, plain: Problem, _: Sequence[Any]) -> Answer:
    """Proofs for bit-vectors taken as whole numbers; what of their φ the words bear out."""
    import z3

    method = "words as numbers"
    system = as_numbers(question.system)
    if system is None:
        return GaveUp(method, "there are no words, or their bits are looked at one by one")
    whole = problem(system, question.numbers)
    coarse, large = blocks(whole), blocks(plain)
    if (coarse is None) != (large is None):
        return GaveUp(method, "the control flow of words and numbers is not the same")
    small = large.problem if large else plain
    names = {a.decl().name() for a in small.now}
    for how, phi in _number_proofs(coarse.problem if coarse else whole, coarse):
        candidates = [small.good]
        for found in as_words(phi, question.system):
            candidates += [
                one for one in found if {c.decl().name() for c in constants([one])} <= names
            ]
            kept = _borne_out(small, dict(enumerate(candidates)))
            if 0 in kept:
                borne = z3.And([candidates[n] for n in kept])
                return lifted(Safe(f"{how}, {method}", 1, borne), large)
    return GaveUp(method, "what holds of whole numbers does not of words")


def _number_proofs(small: Problem, large: Blocks | None) -> Iterator[tuple[str, Any]]:
    """Yield proofs for numbers, and how they were found: what is quick first.

    Of invariants of given shapes only those that the property needs: words take long.
    """
    import z3

    answer = spacer(small, options={"rlimit": _QUICK}, refutes=False)
    if isinstance(answer, Safe):
        yield answer.method, answer.phi
    for stage in (one for one in _STAGES[:3] if not one.cases):
        found = _shaped(small, _bits(small, large), (), stage) or ()
        if needed := needed_of(small, found):
            yield "1-induction", z3.And(needed)
    if isinstance(answer, GaveUp):
        answer = spacer(small, refutes=False)
        if isinstance(answer, Safe):
            yield answer.method, answer.phi


def needed_of(small: Problem, invariants: Sequence[Any]) -> list[Any]:
    """Return those invariants that a proof by induction needs; none if there is no such."""
    goods = dict(enumerate([small.good, *invariants]))
    cores = inductive(small, goods, {}, 1, time.monotonic() + _LONG) or {}
    needed, todo = set[int](), {0} & cores.keys()
    while todo:
        needed |= todo
        todo = {one for n in todo for one in cores[n]} - needed
    return [goods[n] for n in sorted(needed)]


def _borne_out(small: Problem, candidates: Mapping[int, Any]) -> list[int]:
    """Return which candidates are inductive together and hold at the start."""
    import z3

    start = new_solver(small)
    start.add(small.init)
    kept = {n: one for n, one in candidates.items() if ask(start, z3.Not(one)) == z3.unsat}
    return list(inductive(small, kept, {}, 1, time.monotonic() + _LONG) or {})


def _on_blocks(
    plain: Problem, engine: Callable[[Problem], Answer], known: Sequence[Any]
) -> Answer:
    large = blocks(plain)
    return lifted(engine(large.problem if large else plain), large)


def lifted(answer: Answer, large: Blocks | None) -> Answer:
    """Return an answer about larger steps as one about the problem itself."""
    if large is None:
        return answer
    if isinstance(answer, Safe):
        phi = large.lift(answer.phi)
        return Safe(f"{answer.method}, large blocks", large.steps(answer.k), phi)
    if isinstance(answer, Unsafe):
        return replace(answer, method=f"{answer.method}, large blocks", stride=large.stride)
    return answer


LINES: dict[str, Callable[[Question, Problem, Sequence[Any]], Answer]] = {
    "spacer": _by_spacer,
    "steps": _by_steps,
    "walk": _by_walk,
    "short-runs": _by_short_runs,
    "shapes": _by_shapes,
    "numbers": _by_numbers,
    "predicates": _by_predicates,
    "bits": _by_bits,
    "global-spacer": _by_global_spacer,
}
