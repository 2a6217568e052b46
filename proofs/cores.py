"""What a proof needed, from unsatisfiable cores of its checks.

Each definition of a check (a guard, the value that a rule gives a variable, a first value) and
each claim it assumes may be taken or left: z3 is asked with all taken, and says which it used.
That a rule leaves a variable as it was is always taken, and counts for no need of the rule.

    (declare-const take.7 Bool)
    (assert (=> take.7 (= next.spin.s.spins_left (- s.spins_left 1))))

A core is enough for the proof. It is not always the least, nor the only one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import partial

from .sane import Needs
from .solvers import Result, Steps, first_line
from .verdict import Obligation
from .workbench import Workbench

__all__ = ["BUDGET", "needs_of"]

BUDGET = Steps(z3=12_000_000)
"""Steps of z3 for the core of one check."""

_VALUE = re.compile(r"\(define-fun ((?:guard|next|start)\.\S+) \(\) (\w+)\n  (.*)\)$")
_WHOLE = re.compile(r"\(define-fun (rule\.\S+|init) (\(.*\)) Bool\n  (.*)\)$")
_GIVEN = re.compile(r"\(assert (\(?(claim\.[^\s()]+)[^\n]*)\)$")


def needs_of(
    bench: Workbench, obligations: Iterable[Obligation], steps: Steps = BUDGET
) -> Needs:
    """Return what the checks of a proof needed; each is asked once at a workbench."""
    parts: set[str] = set()
    exhausted: list[str] = []
    for one in obligations:
        result = bench.remember("core", one.text, steps, partial(_core, one.text, steps))
        if result.answer == "unsat":
            parts.update(result.values)
        else:
            exhausted.append(one.name)
    rules: dict[str, set[str]] = {}
    for part in parts:
        kind, _, rest = part.partition(".")
        if kind == "guard":
            rules.setdefault(rest, set()).add("guard")
        elif kind == "next":
            rule, _, variable = rest.partition(".")
            rules.setdefault(rule, set()).add(variable)
        elif kind == "rule":
            rules.setdefault(rest, set()).add("all of it")
    starts = {part.removeprefix("start.") for part in parts if part.startswith("start.")}
    return Needs(
        {rule: tuple(sorted(used)) for rule, used in sorted(rules.items())},
        tuple(sorted(starts | ({"all of it"} if "init" in parts else set()))),
        tuple(sorted(p.removeprefix("claim.") for p in parts if p.startswith("claim."))),
        tuple(exhausted),
    )


def _core(text: str, steps: Steps) -> Result:
    """Return ``unsat`` with the names that were used as values, or why there is no core."""
    import z3

    loose, names = _loosened(text)
    context = z3.Context()
    solver = z3.Solver(ctx=context)
    solver.set("rlimit", steps.z3)
    if steps.seconds is not None:
        solver.set("timeout", max(1, int(steps.seconds * 1000)))
    try:
        solver.from_string(loose)
        taken = [z3.Bool(f"take.{number}", context) for number in range(len(names))]
        answer = str(solver.check(*taken))
    except z3.Z3Exception as error:
        return Result("z3", "unknown", first_line(error))
    if answer != "unsat":
        return Result("z3", "unknown", f"z3 answers {answer} where all is taken")
    used = {str(literal) for literal in solver.unsat_core()}
    return Result(
        "z3", "unsat", "", {n: True for i, n in enumerate(names) if f"take.{i}" in used}
    )


def _loosened(text: str) -> tuple[str, list[str]]:
    """Return a check whose definitions and assumptions may be left out, and their names."""
    lines: list[str] = []
    names: list[str] = []
    waiting = iter(text.split("\n"))
    for line in waiting:
        if line.startswith("(define-fun "):
            line = f"{line}\n{next(waiting)}"
        take = f"take.{len(names)}"
        value = _VALUE.match(line)
        if value and value[1].endswith(f".{value[3]}"):  # a rule leaves this as it was
            lines.append(line)
            continue
        if value:
            name, sort, body = value.groups()
            line = f"(declare-const {name} {sort})\n" + _only_if(take, f"(= {name} {body})")
        elif whole := _WHOLE.match(line):
            name, arguments, body = whole.groups()
            line = (
                f"(declare-const {take} Bool)\n"
                f"(define-fun {name} {arguments} Bool\n  (=> {take} {body}))"
            )
        elif given := _GIVEN.match(line):
            said, name = given.groups()
            line = _only_if(take, said)
        else:
            lines.append(line)
            continue
        names.append(name)
        lines.append(line)
    return "\n".join(lines), names


def _only_if(take: str, condition: str) -> str:
    return f"(declare-const {take} Bool)\n(assert (=> {take} {condition}))"
