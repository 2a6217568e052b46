"""The certificate of a property of a file: (k, φ) and its checks, as SMT-LIB text.

    base      init(x0) ∧ trans(x0, x1) ∧ … ⇒ φ(x0) ∧ … ∧ φ(xk-1)
    step      φ(x0) ∧ trans(x0, x1) ∧ φ(x1) ∧ … ∧ trans(xk-1, xk) ⇒ φ(xk)
    property  φ(x) ⇒ the property

Each is written as its negation, which no values satisfy: ``unsat`` is the right answer. The
texts hold the file's own definitions, with symbols renamed for each moment: what engines and
preprocessing made of them has no part in it, but for φ.
"""

from __future__ import annotations

from dataclasses import dataclass

from .reader import Claim, VmtFile
from .script import Script, conjunction

__all__ = ["Certificate", "Check", "certify"]


@dataclass(frozen=True)
class Check:
    """One obligation: a text that no values satisfy."""

    part: str
    text: str


@dataclass(frozen=True)
class Certificate:
    """φ as text over the state's variables, and the three checks that make it a proof."""

    k: int
    phi: str
    checks: tuple[Check, ...]


def certify(file: VmtFile, claim: Claim, k: int, phi: str) -> Certificate:
    """Return the certificate of a claim. What it says is checked elsewhere."""
    script = Script(file)
    return Certificate(
        k,
        phi,
        (
            Check("base", _base(script, k, phi)),
            Check("step", _step(script, k, phi)),
            Check("property", _property(script, claim, phi)),
        ),
    )


def _moments(script: Script, moments: int) -> str:
    """Declare states 0 to ``moments`` and all that is defined from 0 to ``moments`` - 1."""
    states = "".join(script.states(moment) for moment in range(moments + 1))
    return script.opening() + states + "".join(map(script.moment, range(moments)))


def _step_from(script: Script, moment: int) -> str:
    return f"(assert {script.write(conjunction(script.file.trans), moment)})\n"


def _base(script: Script, k: int, phi: str) -> str:
    lines = [_moments(script, k)]
    lines.append(f"(assert {script.write(conjunction(script.file.init), 0)})\n")
    lines += [_step_from(script, moment) for moment in range(k - 1)]
    kept = " ".join(script.write_text(phi, moment) for moment in range(k))
    return "".join(lines) + f"(assert (not (and true {kept})))\n(check-sat)\n"


def _step(script: Script, k: int, phi: str) -> str:
    lines = [_moments(script, k)]
    for moment in range(k):
        lines.append(f"(assert {script.write_text(phi, moment)})\n")
        lines.append(_step_from(script, moment))
    return "".join(lines) + f"(assert (not {script.write_text(phi, k)}))\n(check-sat)\n"


def _property(script: Script, claim: Claim, phi: str) -> str:
    lines = [_moments(script, 1), f"(assert {script.write_text(phi, 0)})\n"]
    return "".join(lines) + f"(assert (not {script.write(claim.formula, 0)}))\n(check-sat)\n"
