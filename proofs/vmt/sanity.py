"""What must be said of a system before any verdict: whether it starts, and whether it steps."""

from __future__ import annotations

from ...errors import BadInput
from .apart import DIED, Died, apart
from .reader import read_vmt
from .system import System, build
from .unrolling import ask

__all__ = ["look", "possible"]

_LONG = 10.0
"""Seconds for a question here, where no less are given for the file."""


def look(text: str, source: str, seconds: float = 2 * _LONG) -> tuple[str, ...]:
    """Return what ``possible`` does, found out in a process of its own within some seconds.

    Reading the file once more may take as long again.
    """
    each = min(_LONG, seconds / 2)
    try:
        notes: tuple[str, ...] = apart(_looked, text, source, each, seconds=4 * each)
        return notes
    except Died as error:
        return (f"{DIED}: whether there is an initial state is not known: {error}",)


def _looked(text: str, source: str, each: float) -> tuple[str, ...]:
    return possible(build(read_vmt(text, source)), each)


def possible(system: System, seconds: float = _LONG) -> tuple[str, ...]:
    """Return what must be said beside every verdict on a system; ``seconds`` a question.

    Raises BadInput where there is no initial state: of nothing, every property holds.
    """
    import z3

    file = system.file
    solver = z3.Solver()
    solver.set("timeout", int(seconds * 1000))
    notes = []
    if not file.init:
        notes.append("no term is marked :init, so every state is initial")
    if not file.trans:
        notes.append("no term is marked :trans, so every step is possible")
    answer = ask(solver, system.init)
    if answer == z3.unsat:
        line = file.init[0].line
        raise BadInput(
            f"{file.source}:{line}: there is no initial state, as init contradicts itself: "
            "every property would hold, of nothing"
        )
    if answer == z3.unknown:
        notes.append("whether there is an initial state could not be found out")
    answer = ask(solver, system.trans)
    if answer == z3.unsat:
        notes.append(
            "the transition relation allows no step at all: verdicts are on the initial "
            "states alone"
        )
    if answer == z3.unknown:
        notes.append("whether any step is possible could not be found out")
    return tuple(notes)
