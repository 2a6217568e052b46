"""Proofs that cvc5 writes down of its ``unsat``: for a proof checker, instead of trust in cvc5.

They are in cvc5's own format CPC, the rules of which Ethos checks: of the formats cvc5 writes
it is the one that leaves fewest holes here. A hole is a step that is asserted and not proved
(``trust`` and its like); they are counted, not hidden.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import Any

from .asking import ask_all
from .solvers import Result, Steps, first_line
from .statement import Proof

__all__ = ["ProofObject", "holes", "proof_objects"]

# Writing a proof down takes two to three times the work of finding it.
_STEPS = Steps(cvc5=16_000_000)
_STEP = re.compile(r"^\(step(?:-pop)? ", re.MULTILINE)
_HOLE = re.compile(r":rule (?:\w*trust\w*|hole|sorry)\b")


@dataclass(frozen=True)
class ProofObject:
    """One proof: the file it goes to, compressed; how many steps it has, and how many holes.

    ``content`` is empty where cvc5 wrote none, and ``reason`` says why.
    """

    file: str
    content: bytes
    steps: int
    holes: int
    reason: str = ""


def proof_objects(proofs: Sequence[Proof], *, jobs: int) -> dict[str, ProofObject]:
    """Return cvc5's proof of every check that it can prove, by the check's text.

    A file is named after the SHA-256 of the text it proves. Raises KeyboardInterrupt on Ctrl-C.
    """
    texts = [one.text for proof in proofs for one in proof.asked]
    questions = [("cvc5", text) for text in dict.fromkeys(texts)]
    answers = ask_all(questions, _STEPS, jobs=jobs, asker=partial(write_proof))
    return {
        text: _object(text, result)
        for (_, text), result in answers.items()
        if result.answer == "unsat"
    }


def write_proof(solver: str, text: str, steps: Steps) -> Result:
    """Ask cvc5 for a proof; the proof is the reason of the result, where it is ``unsat``."""
    try:
        answer, proof = _ask(text, steps)
    except Exception as error:
        return Result(solver, "unknown", f"cvc5 failed: {first_line(error)}")
    return Result(solver, answer, proof)


def holes(proof: str) -> int:
    """Return how many steps of a proof are asserted and not proved.

    >>> holes("(step @p1 :rule trust :args (x))"), holes("(step @p1 :rule refl :args (x))")
    (1, 0)
    """
    return len(_HOLE.findall(proof))


def _object(text: str, result: Result) -> ProofObject:
    name = sha256(text.encode()).hexdigest()
    content = gzip.compress(result.reason.encode(), mtime=0)
    steps = len(_STEP.findall(result.reason))
    return ProofObject(f"{name}.cpc.gz", content, steps, holes(result.reason))


def _ask(text: str, steps: Steps) -> tuple[str, str]:
    import cvc5

    solver: Any = cvc5.Solver(cvc5.TermManager())
    solver.setOption("rlimit", str(steps.cvc5))
    solver.setOption("decision", "internal")
    solver.setOption("produce-proofs", "true")
    parser = cvc5.InputParser(solver)
    symbols = parser.getSymbolManager()
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "text")
    answer = "unknown"
    while not (command := parser.nextCommand()).isNull():
        said = str(command.invoke(solver, symbols)).strip()
        if command.getCommandName() == "check-sat":
            answer = said.split()[0]
    if answer != "unsat":
        return answer, said
    written = solver.proofToString(solver.getProof()[0], cvc5.ProofFormat.CPC)
    return answer, written.decode() if isinstance(written, bytes) else str(written)
