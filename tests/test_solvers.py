"""cvc5 is asked in the logic of linear integers first, and in any where that will not do."""

from __future__ import annotations

import pytest

from playproof.proofs import solvers
from playproof.proofs.solvers import Steps

LINEAR = (
    "(set-logic ALL)\n(declare-const n Int)\n(assert (< n 3))\n(assert (> n {}))\n(check-sat)\n"
)
BITS = (
    "(set-logic ALL)\n(declare-const b (_ BitVec 2))\n(assert (= b (bvnot b)))\n(check-sat)\n"
)
PRODUCT = "(set-logic ALL)\n(declare-const n Int)\n(assert (= (* n n) {}))\n(check-sat)\n"
REAL = "(set-logic ALL)\n(declare-const x Real)\n(assert (< 0.0 x 0.0))\n(check-sat)\n"
_PLACES = [f"n{number}" for number in range(8)]
HARD = "".join(  # eight different numbers of seven
    [
        "(set-logic ALL)\n",
        *(f"(declare-const {one} Int)\n(assert (<= 1 {one} 7))\n" for one in _PLACES),
        f"(assert (distinct {' '.join(_PLACES)}))\n(check-sat)\n",
    ]
)


@pytest.fixture
def asked(monkeypatch):
    """The logics in which cvc5 is asked, in order."""
    logics = []
    ask = solvers._ask_cvc5_as_is

    def noting(text, wanted, steps):
        logics.append(text.split(")", 1)[0].removeprefix("(set-logic "))
        return ask(text, wanted, steps)

    monkeypatch.setattr(solvers, "_ask_cvc5_as_is", noting)
    return logics


@pytest.mark.parametrize(("least", "answer"), [(2, "unsat"), (1, "sat")])
def test_what_is_linear_is_asked_once(asked, least, answer):
    assert solvers.run("cvc5", LINEAR.format(least)).answer == answer
    assert asked == ["QF_LIA"]


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (PRODUCT.format(-1), "unsat"),
        (PRODUCT.format(4), "sat"),
        (REAL, "unsat"),
    ],
    ids=["product without solution", "product", "real"],
)
def test_what_linear_integers_refuse_is_asked_as_it_stands(asked, text, answer):
    assert solvers.run("cvc5", text).answer == answer
    assert asked == ["QF_LIA", "ALL"]


def test_bit_vectors_and_wanted_values_are_asked_as_they_stand_at_once(asked):
    assert solvers.run("cvc5", BITS).answer == "unsat"
    assert solvers.run("cvc5", LINEAR.format(1), wanted=["n"]).values == {"n": 2}
    assert asked == ["ALL", "ALL"]


def test_what_is_out_of_steps_is_not_asked_again(asked):
    result = solvers.run("cvc5", HARD, steps=Steps(cvc5=100))
    assert (result.answer, result.reason) == ("unknown", "out of steps")
    assert asked == ["QF_LIA"]
