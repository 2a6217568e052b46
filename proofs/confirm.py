"""Whether a proof is believed: every obligation checked from its text, by z3 and by cvc5."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .solvers import Steps
from .verdict import Answer, Certificate
from .workbench import Workbench

__all__ = ["agreed", "confirm", "confirmed", "objection"]


def confirm(
    bench: Workbench,
    made: Certificate,
    answers: Sequence[Answer],
    first: Steps,
    second: Steps,
) -> tuple[Certificate, tuple[Answer, ...], tuple[Answer, ...]]:
    """Ask cvc5 every obligation of a certificate, and z3 again where some are taken apart.

    ``answers`` are z3's so far; ``first`` are the steps for z3, ``second`` those for cvc5.
    Returns the certificate of what was asked in the end, both solvers' answers to that, and
    those among all answers that were had here: they took the time.
    """
    asked, theirs = bench.check(made.obligations, "cvc5", second)
    later = [*theirs]
    ours = tuple(answers)
    if asked != made.obligations:
        parts, ours = bench.check(asked, "z3", first)
        later += ours
        if parts != asked:
            asked, theirs = bench.check(parts, "cvc5", second)
            later += theirs
    return replace(made, obligations=asked), (*ours, *theirs), tuple(later)


def confirmed(certificate: Certificate, answers: Sequence[Answer]) -> bool:
    """Return whether z3 and cvc5 both answered every obligation, and every answer is right."""
    given = {(answer.solver, answer.obligation) for answer in answers}
    wanted = {(s, one.name) for s in ("z3", "cvc5") for one in certificate.obligations}
    return agreed(answers) and wanted <= given


def agreed(answers: Sequence[Answer]) -> bool:
    """Return whether there are answers, and all are ``unsat``."""
    return bool(answers) and all(answer.answer == "unsat" for answer in answers)


def objection(answers: Sequence[Answer]) -> str:
    """Return the answer that is not ``unsat``, in words."""
    last = next((a for a in answers if a.answer != "unsat"), None)
    if last is None:
        return "not every obligation was answered"
    said = f"{last.solver} answers {last.answer} to {last.obligation}"
    return f"{said}: {last.reason}" if last.reason else said
