"""Run an SMT-LIB 2 text with each solver there is, within a budget.

A text is all a solver gets, so what one solver answered any other can be asked again. Budgets
are counted in the solver's own steps, not in seconds, so that an answer repeats; seconds can
only turn an answer into ``unknown``. A solver that is missing, crashes or gives up answers
``unknown`` with the reason in a sentence: never a pass.
"""

from __future__ import annotations

import importlib
import re
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any

from . import programs

__all__ = [
    "EVERY",
    "NAMES",
    "Result",
    "Steps",
    "first_line",
    "read_model",
    "read_values",
    "run",
    "run_alone",
    "version",
    "why",
]

Values = Mapping[str, int | bool]

_CONSTANT = re.compile(
    r"\(define-fun (?:\|([^|]*)\||([^\s()|]+)) \(\) \w+\s+(\(- \d+\)|\d+|true|false)\)"
)


@dataclass(frozen=True)
class Steps:
    """How many of its own steps each solver may take on one text, and how many seconds."""

    z3: int = 40_000_000
    cvc5: int = 4_000_000
    seconds: float | None = None


@dataclass(frozen=True)
class Result:
    """What a solver answered: ``sat``, ``unsat`` or ``unknown`` with the reason.

    ``not asked`` is the answer of one that does not know what the text speaks of.
    """

    solver: str
    answer: str
    reason: str = ""
    values: Values = field(default_factory=dict)
    seconds: float = 0.0


@cache
def version(solver: str) -> str:
    """Return the solver's version, or "" where it is not installed."""
    if solver in programs.NAMES:
        return programs.version(solver)
    try:
        module: Any = importlib.import_module(solver)
        found = (
            module.get_version_string()
            if solver == "z3"
            else module.Solver(module.TermManager()).getVersion()
        )
    except (ImportError, OSError, AttributeError):
        return ""
    return found.decode() if isinstance(found, bytes) else str(found)


@cache
def _context(thread: int) -> Any:
    """Return a thread's z3 context: it takes longer to make (10 ms) than most texts to check.

    Every text still gets a solver of its own.
    """
    import z3

    return z3.Context()


def run(
    solver: str,
    text: str,
    wanted: Iterable[str] = (),
    steps: Steps | None = None,
) -> Result:
    """Ask one solver, made for this text, whether a text can be satisfied.

    ``wanted`` names the constants whose values are returned with ``sat``. Raises
    KeyboardInterrupt on Ctrl-C, also while the solver is at work; KeyError for a solver that
    is not in ``NAMES``.
    """
    ask = _ASK[solver]
    began = time.perf_counter()
    if not version(solver):
        return Result(solver, "unknown", f"{solver} is not installed")
    try:
        answer, reason, values = ask(text, tuple(wanted), steps or Steps())
    except Exception as error:
        answer, reason, values = "unknown", f"{solver} failed: {first_line(error)}", {}
    return Result(solver, answer, reason, values, time.perf_counter() - began)


def run_alone(text: str, most: int) -> tuple[Result, int]:
    """Ask z3, and return how many of its steps that took as well: so many at ``most``.

    It is asked in a context of its own, so that both repeat, whatever it was asked before.
    Raises KeyboardInterrupt on Ctrl-C.
    """
    import z3

    began = time.perf_counter()
    answer, reason, steps = "unknown", "", 0
    try:
        solver = z3.Solver(ctx=z3.Context())
        solver.set("rlimit", most)
        solver.from_string(text)
        answer = str(solver.check())
        counts = solver.statistics()
        steps = int(counts.get_key_value("rlimit count"))
        reason = why(solver.reason_unknown()) if answer == "unknown" else ""
    except Exception as error:
        reason, steps = f"z3 failed: {first_line(error)}", most
    return Result("z3", answer, reason, seconds=time.perf_counter() - began), steps


def read_values(answer: str) -> Values:
    """Read the answer to ``get-value``: ``((n 3) (b true))``, negative numbers as ``(- 3)``.

    >>> read_values("((n 3) (b true) (|a b| (- 3)))")
    {'n': 3, 'b': True, 'a b': -3}
    """
    pair = re.compile(r"\(\s*(?:\|([^|]*)\||([^\s()|]+))\s+(\(-\s+\d+\)|-?\d+|true|false)\s*\)")
    return {quoted or plain: _value(value) for quoted, plain, value in pair.findall(answer)}


def _value(said: str) -> int | bool:
    return said == "true" if said in ("true", "false") else int(re.sub(r"[()\s]", "", said))


def _ask_z3(text: str, wanted: tuple[str, ...], steps: Steps) -> tuple[str, str, Values]:
    import z3

    # Which values z3 picks depends on what a context has seen: those that are shown repeat.
    context = z3.Context() if wanted else _context(threading.get_ident())
    solver = z3.Solver(ctx=context)
    solver.set("rlimit", steps.z3)
    if steps.seconds is not None:
        solver.set("timeout", max(1, int(steps.seconds * 1000)))
    solver.from_string(text)
    answer = str(solver.check())
    if answer == "unknown":
        return answer, why(solver.reason_unknown()), {}
    values: Values = {}
    if answer == "sat" and wanted:
        values = read_model(solver.model(), wanted)
    return answer, "", values


def read_model(model: Any, wanted: Iterable[str]) -> Values:
    """Return the values of constants in a z3 model, each worked out in full.

    What the model leaves out may be anything: the caller asked for it, so it gets 0.
    """
    # As text: to ask for many values one by one takes longer than most checks.
    told = model.sexpr()
    found = {quoted or plain: _value(value) for quoted, plain, value in _CONSTANT.findall(told)}
    return {name: found.get(name, 0) for name in wanted}


def _ask_cvc5(text: str, wanted: tuple[str, ...], steps: Steps) -> tuple[str, str, Values]:
    """Ask cvc5, first in the logic of linear integers: a tenth to a sixth quicker.

    It refuses what that logic lacks, and is then asked the text as it stands.
    """
    if not wanted and "(set-logic ALL)" in text and "BitVec" not in text:
        linear = text.replace("(set-logic ALL)", "(set-logic QF_LIA)", 1)
        try:
            asked = _ask_cvc5_as_is(linear, wanted, steps)
        except Exception:
            asked = ("unknown", "", {})
        if asked[0] != "unknown" or asked[1] in ("out of steps", "out of time"):
            return asked
    return _ask_cvc5_as_is(text, wanted, steps)


def _ask_cvc5_as_is(
    text: str, wanted: tuple[str, ...], steps: Steps
) -> tuple[str, str, Values]:
    import cvc5

    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("rlimit", str(steps.cvc5))
    # Ten times quicker on these checks than its default, which follows the formula's shape.
    solver.setOption("decision", "internal")
    solver.setOption("sat-solver", "cadical")  # a third quicker again
    if steps.seconds is not None:
        solver.setOption("tlimit-per", str(max(1, int(steps.seconds * 1000))))
    if wanted:
        solver.setOption("produce-models", "true")
    parser = cvc5.InputParser(solver)
    symbols = parser.getSymbolManager()
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "text")
    answer, reason = "unknown", "the text asks nothing"
    while not (command := parser.nextCommand()).isNull():
        said = str(command.invoke(solver, symbols))
        if said.startswith("(error"):
            return "unknown", f"cvc5 failed: {first_line(said)}", {}
        if command.getCommandName() == "check-sat":
            answer, reason = said.split()[0], said.strip()
    if answer == "unknown":
        return answer, why(reason), {}
    values: Values = {}
    if answer == "sat" and wanted:
        named = {str(term).strip("|"): term for term in symbols.getDeclaredTerms()}
        shown = " ".join(f"({n} {solver.getValue(named[n])})" for n in wanted)
        values = read_values(f"({shown})")
    return answer, "", values


def _ask_program(
    solver: str, text: str, wanted: tuple[str, ...], steps: Steps
) -> tuple[str, str, Values]:
    answer, reason = programs.ask(solver, text, steps.seconds)
    return answer, reason, {}


def why(reason: str) -> str:
    """Return in words why a solver gave up. Raises KeyboardInterrupt if it was Ctrl-C."""
    if "keyboard" in reason:
        raise KeyboardInterrupt
    words = reason.lower()
    if "timeout" in words:
        return "out of time"
    if any(word in words for word in ("canceled", "resource", "max.")):
        return "out of steps"
    return first_line(reason)


def first_line(error: object) -> str:
    """Return the first line of an error's message."""
    said = error.args[0] if isinstance(error, Exception) and error.args else error
    if isinstance(said, bytes):
        said = said.decode(errors="replace")
    return (str(said).strip() or type(error).__name__).splitlines()[0][:200]


_ASK: dict[str, Callable[[str, tuple[str, ...], Steps], tuple[str, str, Values]]] = {
    "z3": _ask_z3,
    "cvc5": _ask_cvc5,
    **{name: partial(_ask_program, name) for name in programs.NAMES},
}
NAMES = ("z3", "cvc5")
"""The solvers that every proof is made and checked with."""
EVERY = tuple(_ASK)
"""These, and those that check it too where they are installed."""
