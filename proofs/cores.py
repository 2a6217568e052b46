"""What a proof needed, from unsatisfiable cores of its checks.

Each definition of a check (a guard, the value that a rule gives a variable, a first value) and
each claim it assumes may be taken or left: z3 is asked with all taken, and says which it used.
That a rule leaves a variable as it was is always taken, and counts for no need of the rule.

    (declare-const take.7 Bool)
    (assert (=> take.7 (= next.spin.s.spins_left (- s.spins_left 1))))

A core is enough for the proof. It is not always the least, nor the only one. A check that z3
finds hard in this form is asked as it stands, again and again, with one more thing left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from typing import Any

from . import solvers
from .sane import Needs
from .solvers import Result, Steps, first_line
from .verdict import Obligation
from .workbench import Workbench

__all__ = ["BUDGET", "needs_of"]

BUDGET = Steps(z3=12_000_000)
"""Steps of z3 for the core of one check."""

# Steps for a core, and for a check that something is left out of: most take far fewer.
_QUICK, _EACH = 1_000_000, 500_000

_VALUE = re.compile(r"\(define-fun ((?:guard|next|start)\.\S+) \(\) (\w+)\n  (.*)\)$")
_WHOLE = re.compile(r"\(define-fun (rule\.\S+|init) (\(.*\)) Bool\n  (.*)\)$")
_GIVEN = re.compile(r"\(assert (\(?(claim\.[^\s()]+)[^\n]*)\)$")


def needs_of(
    bench: Workbench, obligations: Iterable[Obligation], steps: Steps = BUDGET
) -> Needs:
    """Return what the checks of a proof needed; those of a claim are asked once at a workbench.

    z3 gets one context for all of a claim's: it takes longer to make than most cores to find,
    and what it has seen before decides which core is found.
    """
    parts: set[str] = set()
    exhausted: list[str] = []
    for _, checks in groupby(obligations, key=lambda one: one.about):
        group = tuple(checks)
        text = "\n".join(one.text for one in group)
        result = bench.remember("cores", text, steps, partial(_cores, group, steps))
        parts.update(result.values)
        exhausted += result.reason.splitlines()
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


def _cores(checks: Sequence[Obligation], steps: Steps) -> Result:
    """Return what all of these needed, as values; the reason names those that gave no core."""
    import z3

    context = z3.Context()
    used: dict[str, int | bool] = {}
    exhausted: list[str] = []
    for one in checks:
        result = _core(one.text, steps, context)
        used |= result.values
        if result.answer != "unsat":
            exhausted.append(one.name)
    return Result("z3", "unknown" if exhausted else "unsat", "\n".join(exhausted), used)


def _core(text: str, steps: Steps, context: Any) -> Result:
    """Return ``unsat`` with the names that were used as values, or why there is no core."""
    quick = replace(steps, z3=min(steps.z3, _QUICK))
    result = _by_assumptions(text, quick, context)
    if result.answer != "unsat" and quick != steps:
        result = _by_leaving_out(text, steps)
        if result.answer != "unsat":
            result = _by_assumptions(text, steps, context)
    return result


def _by_assumptions(text: str, steps: Steps, context: Any) -> Result:
    """Assume that all is taken, and return what z3 says it used of that."""
    import z3

    lines = _lines(text)
    names = [one.name for one in lines if one.name]
    takes = (f"take.{number}" for number in range(len(names)))
    solver = z3.Solver(ctx=context)
    solver.set("rlimit", steps.z3)
    if steps.seconds is not None:
        solver.set("timeout", max(1, int(steps.seconds * 1000)))
    try:
        solver.from_string("\n".join(one.if_taken(takes) for one in lines))
        taken = [z3.Bool(f"take.{number}", context) for number in range(len(names))]
        answer = str(solver.check(*taken))
    except z3.Z3Exception as error:
        return Result("z3", "unknown", first_line(error))
    if answer != "unsat":
        return Result("z3", "unknown", f"z3 answers {answer} where all is taken")
    used = {str(literal) for literal in solver.unsat_core()}
    return _needed(name for n, name in enumerate(names) if f"take.{n}" in used)


def _by_leaving_out(text: str, steps: Steps) -> Result:
    """Leave out one thing after another, for good where the check is still ``unsat``."""
    lines = _lines(text)
    result = solvers.run("z3", text, steps=steps)
    if result.answer != "unsat":
        return result
    each = replace(steps, z3=min(steps.z3, _EACH))
    left = {one.name for one in lines if one.name}
    for name in sorted(left):
        less = left - {name}
        asked = "\n".join(
            one.said if not one.name or one.name in less else one.left_out for one in lines
        )
        if solvers.run("z3", asked, steps=each).answer == "unsat":
            left = less
    return _needed(sorted(left))


def _needed(names: Iterable[str]) -> Result:
    return Result("z3", "unsat", values=dict.fromkeys(names, True))


@dataclass(frozen=True)
class _Line:
    """A line of a check; one with a name may be left out, and has a text that says so."""

    said: str
    name: str = ""
    left_out: str = ""
    loose: str = ""

    def if_taken(self, takes: Iterator[str]) -> str:
        """Return the line, one with a name under the condition that it is taken."""
        if not self.name:
            return self.said
        take = next(takes)
        return f"(declare-const {take} Bool)\n{self.loose.replace('TAKE', take, 1)}"


def _lines(text: str) -> list[_Line]:
    """Return the lines of a check, a definition as one of them."""
    found: list[_Line] = []
    waiting = iter(text.split("\n"))
    for line in waiting:
        if line.startswith("(define-fun "):
            line = f"{line}\n{next(waiting)}"
        value = _VALUE.match(line)
        if value and not value[1].endswith(f".{value[3]}"):  # else a rule leaves it as it was
            name, sort, body = value.groups()
            any_ = f"(declare-const {name} {sort})"
            loose = f"{any_}\n(assert (=> TAKE (= {name} {body})))"
            found.append(_Line(line, name, any_, loose))
        elif whole := _WHOLE.match(line):
            name, arguments, body = whole.groups()
            opening = f"(define-fun {name} {arguments} Bool\n  "
            found.append(_Line(line, name, f"{opening}true)", f"{opening}(=> TAKE {body}))"))
        elif given := _GIVEN.match(line):
            said, name = given.groups()
            found.append(_Line(line, name, "", f"(assert (=> TAKE {said}))"))
        else:
            found.append(_Line(line))
    return found
