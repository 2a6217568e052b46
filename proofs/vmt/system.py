"""A VMT file as a transition system over z3 terms, for the engines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ...errors import BadInput
from ..sexpr import SExpr, write
from ..sexpr import symbol as as_symbol
from ..solvers import first_line
from .file import Symbol, VmtFile
from .script import conjunction, logic
from .terms import constants, sorts_of

__all__ = ["System", "build"]

_SUPPORTED = frozenset({"Bool", "Int", "Real", "BitVec"})


@dataclass(frozen=True)
class System:
    """State variables now and after a step, inputs, and the formulas over them (z3 terms)."""

    file: VmtFile
    now: tuple[Any, ...]
    then: tuple[Any, ...]
    inputs: tuple[Any, ...]
    init: Any
    trans: Any
    claims: Mapping[int, Any]


def build(file: VmtFile) -> System:
    """Return the system of a file.

    Raises BadInput, with file and line, for a term that makes no sense, and for a formula that
    speaks of a state it cannot know.
    """
    import z3

    symbols = [*(symbol for pair in file.states for symbol in pair), *file.inputs]
    formulas: list[tuple[str, SExpr, int]] = [
        ("init", conjunction(file.init), _line(file.init)),
        ("trans", conjunction(file.trans), _line(file.trans)),
        *((f"claim {claim.number}", claim.formula, claim.line) for claim in file.claims),
    ]
    marks = {f"{name} of the file": line for name, _, line in formulas}
    lines: list[tuple[str, int]] = [(logic(file).strip(), 0)]
    lines += [
        (f"(declare-fun {write(as_symbol(one.name))} () {one.sort})", 0) for one in symbols
    ]
    lines += [(write(one), one.line) for one in file.definitions]
    lines += [(f"(declare-fun |{mark}| () Bool)", 0) for mark in marks]
    lines += [
        (f"(define-fun |{name} as a formula| () Bool {write(term)})", line)
        for name, term, line in formulas
    ]
    lines += [
        (f"(assert (= |{name} of the file| |{name} as a formula|))", line)
        for name, _, line in formulas
    ]
    try:
        parsed = z3.parse_smt2_string("\n".join(text for text, _ in lines))
    except z3.Z3Exception as error:
        raise _explained(file, str(first_line(error)), [line for _, line in lines]) from None
    named = {one.arg(0).decl().name(): one.arg(1) for one in parsed}
    terms = {name: named[f"{name} of the file"] for name, _, _ in formulas}
    known = {const.decl().name(): const for const in constants(terms.values())}
    for name, _, line in formulas:
        _check_sorts(file, terms[name], line)

    def term(symbol: Symbol) -> Any:
        return known[symbol.name] if symbol.name in known else _const(z3, symbol)

    now = [term(a) for a, _ in file.states]
    then = [term(b) for _, b in file.states]
    inputs = [term(one) for one in file.inputs]
    nexts = {const.decl().name() for const in then}
    for name, _, line in formulas:
        if name != "trans" and (late := _mentions(terms[name], nexts)):
            what = "a property" if name.startswith("claim") else "init"
            raise BadInput(
                f"{file.source}:{line}: {what} speaks of one state, but mentions {late}, a "
                "next variable"
            )
    claims = {claim.number: terms[f"claim {claim.number}"] for claim in file.claims}
    return System(
        file, tuple(now), tuple(then), tuple(inputs), terms["init"], terms["trans"], claims
    )


def _const(z3: Any, symbol: Symbol) -> Any:
    """Return the constant of a symbol that no formula mentions."""
    plain = {"Int": z3.IntSort, "Real": z3.RealSort, "Bool": z3.BoolSort}
    if symbol.sort in plain:
        return z3.Const(symbol.name, plain[symbol.sort]())
    return z3.BitVec(symbol.name, int(re.findall(r"\d+", symbol.sort)[0]))


def _line(formulas: Iterable[SExpr]) -> int:
    return next((formula.line for formula in formulas), 0)


def _mentions(term: Any, names: set[str]) -> str:
    found = (const.decl().name() for const in constants([term]))
    return next((name for name in found if name in names), "")


def _check_sorts(file: VmtFile, term: Any, line: int) -> None:
    for sort in sorts_of(term):
        if sort not in _SUPPORTED:
            raise BadInput(
                f"{file.source}:{line}: a term of sort {sort} is not supported; there are "
                "Int, Real, Bool and bit-vectors"
            )


def _explained(file: VmtFile, said: str, lines: list[int]) -> BadInput:
    """Return z3's complaint, with the line of the file that it is about."""
    found = re.search(r"line (\d+) column \d+: (.*)", said)
    if not found:
        return BadInput(f"{file.source}: {said}")
    at = int(found[1]) - 1
    line = lines[at] if at < len(lines) else 0
    text = found[2].rstrip("\"')\\n").replace("\\", "")
    return BadInput(f"{file.source}:{line}: {text}")
