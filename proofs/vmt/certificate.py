"""The certificate of a property of a file: (k, φ) and its checks, as SMT-LIB text.

    base      init(x0) ∧ trans(x0, x1) ∧ … ⇒ φ(x0) ∧ … ∧ φ(xk-1)
    step      φ(x0) ∧ trans(x0, x1) ∧ φ(x1) ∧ … ∧ trans(xk-1, xk) ⇒ φ(xk)
    property  φ(x) ⇒ the property

Where φ is a conjunction for k = 1, whose parts each follow from few of them, the first two are
checks of each part: init(x) ⇒ part(x), and few(x) ∧ trans(x, x') ⇒ part(x').

Each is written as its negation, which no values satisfy: ``unsat`` is the right answer. The
texts hold the file's own definitions, with symbols renamed for each moment: what engines and
preprocessing made of them has no part in it, but for φ.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..sexpr import SExpr
from .answers import Part
from .file import Claim, VmtFile
from .script import Script

__all__ = ["Certificate", "Check", "certify"]


@dataclass(frozen=True)
class Check:
    """One obligation: a text that no values satisfy."""

    part: str
    text: str


@dataclass(frozen=True)
class Certificate:
    """φ as text over the state's variables, and the checks that make it a proof."""

    k: int
    phi: str
    checks: tuple[Check, ...]


def certify(
    file: VmtFile,
    claim: Claim,
    k: int,
    phi: str,
    parts: Sequence[Part] = (),
    script: Script | None = None,
) -> Certificate:
    """Return the certificate of a claim. What it says is checked elsewhere.

    ``parts`` are the conjuncts of φ for k = 1, as text, if they are to be checked apart.
    ``script`` may be handed in, so that texts are made once for many claims.
    """
    texts = script or Script(file)
    if parts:
        checks = list(_apart(texts, [str(part.formula) for part in parts], parts))
    else:
        checks = [Check("base", _base(texts, k, phi)), Check("step", _step(texts, k, phi))]
    checks.append(Check("property", _property(texts, claim, phi)))
    return Certificate(k, phi, tuple(checks))


def _apart(script: Script, formulas: Sequence[str], parts: Sequence[Part]) -> Iterator[Check]:
    for number, (formula, part) in enumerate(zip(formulas, parts, strict=True), start=1):
        given = [formulas[place] for place in part.needs]
        yield Check(f"base-{number}", _base(script, 1, formula))
        yield Check(f"step-{number}", _step(script, 1, formula, given))


def _moments(script: Script, moments: int, *used: SExpr) -> str:
    """Declare states 0 to ``moments`` and what formulas use of what is defined before."""
    states = "".join(script.states(moment) for moment in range(moments + 1))
    told = (script.moment(moment, used) for moment in range(moments))
    return script.opening() + states + "".join(told)


def _step_from(script: Script, moment: int) -> str:
    return f"(assert {script.step(moment)})\n"


def _base(script: Script, k: int, phi: str) -> str:
    used = [script.init, script.trans] if k > 1 else [script.init]
    lines = [_moments(script, k, *used), f"(assert {script.start()})\n"]
    lines += [_step_from(script, moment) for moment in range(k - 1)]
    kept = " ".join(script.write_text(phi, moment) for moment in range(k))
    return "".join(lines) + f"(assert (not (and true {kept})))\n(check-sat)\n"


def _step(script: Script, k: int, phi: str, given: Sequence[str] = ()) -> str:
    """Return that φ is kept by a step from what is given: φ itself, if nothing else is."""
    lines = [_moments(script, k, script.trans)]
    for moment in range(k):
        lines += [f"(assert {script.write_text(one, moment)})\n" for one in given or [phi]]
        lines.append(_step_from(script, moment))
    return "".join(lines) + f"(assert (not {script.write_text(phi, k)}))\n(check-sat)\n"


def _property(script: Script, claim: Claim, phi: str) -> str:
    lines = [_moments(script, 1, claim.formula)]
    lines.append(f"(assert {script.write_text(phi, 0)})\n")
    return "".join(lines) + f"(assert (not {script.write(claim.formula, 0)}))\n(check-sat)\n"
