"""Random small systems: what the engines answer is what trying every state answers."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import product

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from playproof.proofs import solvers
from playproof.proofs.vmt.abstraction import invariant
from playproof.proofs.vmt.answers import Answer, GaveUp, Safe
from playproof.proofs.vmt.bmc import refute
from playproof.proofs.vmt.certificate import certify
from playproof.proofs.vmt.control import blocks
from playproof.proofs.vmt.horn import spacer
from playproof.proofs.vmt.ic3 import ic3
from playproof.proofs.vmt.kinduction import induct
from playproof.proofs.vmt.lines import Question, attack, lifted, quick
from playproof.proofs.vmt.problem import problem
from playproof.proofs.vmt.reader import read_vmt
from playproof.proofs.vmt.separation import interpolants
from playproof.proofs.vmt.system import System, build
from playproof.proofs.vmt.templates import bits_of, cases, predicates, templates
from playproof.proofs.vmt.trace import complete

TOP = 4
State = tuple[int, int, bool]
Values = Callable[[State, int], int]
Holds = Callable[[State, int], bool]


@dataclass(frozen=True)
class Term:
    """The same term as text, for words of two bits or whole numbers, and as a function."""

    word: str
    number: str
    value: Values


@dataclass(frozen=True)
class Formula:
    word: str
    number: str
    holds: Holds


def constant(n: int) -> Term:
    return Term(f"(_ bv{n} 2)", str(n), lambda s, u: n)


def plus(a: Term, b: Term) -> Term:
    return Term(
        f"(bvadd {a.word} {b.word})",
        f"(mod (+ {a.number} {b.number}) {TOP})",
        lambda s, u: (a.value(s, u) + b.value(s, u)) % TOP,
    )


def chosen(c: Formula, a: Term, b: Term) -> Term:
    return Term(
        f"(ite {c.word} {a.word} {b.word})",
        f"(ite {c.number} {a.number} {b.number})",
        lambda s, u: a.value(s, u) if c.holds(s, u) else b.value(s, u),
    )


def below(a: Term, b: Term) -> Formula:
    return Formula(
        f"(bvult {a.word} {b.word})",
        f"(< {a.number} {b.number})",
        lambda s, u: a.value(s, u) < b.value(s, u),
    )


def equal(a: Term, b: Term) -> Formula:
    return Formula(
        f"(= {a.word} {b.word})",
        f"(= {a.number} {b.number})",
        lambda s, u: a.value(s, u) == b.value(s, u),
    )


def negated(a: Formula) -> Formula:
    return Formula(f"(not {a.word})", f"(not {a.number})", lambda s, u: not a.holds(s, u))


def both(a: Formula, b: Formula) -> Formula:
    return Formula(
        f"(and {a.word} {b.word})",
        f"(and {a.number} {b.number})",
        lambda s, u: a.holds(s, u) and b.holds(s, u),
    )


X = Term("x", "x", lambda s, u: s[0])
Y = Term("y", "y", lambda s, u: s[1])
U = Term("u", "u", lambda s, u: u)
FLAG = Formula("b", "b", lambda s, u: s[2])

constants = st.integers(0, TOP - 1).map(constant)


def formulas(leaves: st.SearchStrategy[Term]) -> st.SearchStrategy[Formula]:
    pair = st.tuples(leaves, leaves)
    simple = st.one_of(
        st.just(FLAG), pair.map(lambda p: below(*p)), pair.map(lambda p: equal(*p))
    )
    return st.recursive(
        simple,
        lambda f: st.one_of(f.map(negated), st.tuples(f, f).map(lambda p: both(*p))),
        max_leaves=3,
    )


leaves = st.one_of(st.just(X), st.just(Y), constants)
inner = st.one_of(leaves, st.just(U))
terms = st.recursive(
    inner,
    lambda t: st.one_of(
        st.tuples(t, t).map(lambda p: plus(*p)),
        st.tuples(formulas(inner), t, t).map(lambda p: chosen(*p)),
    ),
    max_leaves=4,
)


@dataclass(frozen=True)
class Small:
    start: Formula
    x: Term
    y: Term
    flag: Formula
    good: Formula

    def text(self, words: bool, wired: bool = False) -> str:
        """Return it as a file; wired, the property is a variable that names it, in halves."""
        sort, within = ("(_ BitVec 2)", "true") if words else ("Int", "(and (<= 0 v) (< v 4))")
        said = [
            one.word if words else one.number
            for one in (self.start, self.x, self.y, self.flag, self.good)
        ]
        ranges = " ".join(within.replace("v", name) for name in ("x", "y"))
        wire = f"(or b (= w {said[4]})) (or (not b) (= {said[4]} w))" if wired else "true"
        moved = re.sub(r"\b([xybw])\b", r"\1n", wire)
        return f"""
            (declare-fun x () {sort}) (declare-fun y () {sort}) (declare-fun b () Bool)
            (declare-fun u () {sort})
            (define-fun nx () {sort} (! x :next xn)) (define-fun ny () {sort} (! y :next yn))
            (define-fun nb () Bool (! b :next bn))
            (declare-fun w () Bool) (define-fun nw () Bool (! w :next wn))
            (assert (! (and {ranges} {wire} {said[0]}) :init true))
            (assert (! (and {within.replace("v", "u")} (= xn {said[1]}) (= yn {said[2]})
              (= bn {said[3]}) {moved}) :trans true))
            (define-fun p () Bool (! {"w" if wired else said[4]} :invar-property 0))"""

    def safe(self) -> bool | None:
        """Say whether good holds in every reachable state; None if there is no start."""
        everything = product(range(TOP), range(TOP), (False, True))
        todo = [state for state in everything if self.start.holds(state, 0)]
        if not todo:
            return None
        seen = set(todo)
        while todo:
            state = todo.pop()
            if not self.good.holds(state, 0):
                return False
            for u in range(TOP):
                then = (
                    self.x.value(state, u),
                    self.y.value(state, u),
                    self.flag.holds(state, u),
                )
                if then not in seen:
                    seen.add(then)
                    todo.append(then)
        return True


small = st.builds(
    Small,
    formulas(st.one_of(st.just(X), st.just(Y), constants)),
    terms,
    terms,
    formulas(inner),
    formulas(leaves),
)


def stands(system: System, answer: Answer) -> bool:
    if isinstance(answer, Safe):
        phi = answer.phi.sexpr()
        checks = certify(system.file, system.file.claims[0], answer.k, phi).checks
        return all(solvers.run("z3", check.text).answer == "unsat" for check in checks)
    assert not isinstance(answer, GaveUp)
    return bool(complete(system, 0, answer, 10.0).moments)


@pytest.mark.slow
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(small, st.booleans(), st.booleans())
def test_no_engine_is_wrong(one: Small, words: bool, wired: bool):
    expected = one.safe()
    if expected is None:
        return
    system = build(read_vmt(one.text(words, wired), "text"))
    plain = problem(system, [0])
    large = blocks(plain)
    step = large.problem if large else plain
    bits = [a for a in step.now if str(a) == "b"] if large else []
    found = invariant(step, templates(step), bits, (), 20.0) or []
    shapes = replace(templates(step), parity=True)
    by_cases = invariant(step, shapes, [*bits, *cases(step, 3)], (), 20.0) or []
    answers = [
        refute(plain, deepest=32),
        induct(plain, most=6),
        lifted(induct(step, found, most=6), large),
        lifted(spacer(step), large),
        lifted(induct(step, by_cases, most=6), large),
        lifted(ic3(step, predicates(step), (), lambda way: interpolants(step, way)), large),
        attack("spacer", Question(system, [0])),
        quick(system, 0),
    ]
    if words:
        answers.append(ic3(plain, bits_of(plain.now)))

    for answer in answers:
        if not isinstance(answer, GaveUp):
            assert isinstance(answer, Safe) == expected
            assert stands(system, answer)
    assert isinstance(answers[0], GaveUp) == expected
    assert not isinstance(answers[3], GaveUp)
    assert not words or not isinstance(answers[-1], GaveUp)  # bits are all that there is
