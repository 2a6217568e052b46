"""What must be said of a system before any verdict: whether it starts, and whether it steps."""

from __future__ import annotations

from ...errors import BadInput
from .apart import DIED, Died, apart
from .reader import read_vmt
from .system import System, build
from .unrolling import ask

__all__ = ["look", "possible"]

_MILLISECONDS = 10_000


def look(text: str, source: str) -> tuple[str, ...]:
    """Return what ``possible`` does, found out in a process of its own."""
    try:
        notes: tuple[str, ...] = apart(_looked, text, source, seconds=_MILLISECONDS / 250)
        return notes
    except Died as error:
        return (f"{DIED}: whether there is an initial state is not known: {error}",)


def _looked(text: str, source: str) -> tuple[str, ...]:
    return possible(build(read_vmt(text, source)))


def possible(system: System) -> tuple[str, ...]:
    """Return what must be said beside every verdict on a system.

    Raises BadInput where there is no initial state: of nothing, every property holds.
    """
    import z3

    file = system.file
    solver = z3.Solver()
    solver.set("timeout", _MILLISECONDS)
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
