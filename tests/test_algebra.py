"""The words mean the same on numbers and on terms, and refuse the wrong sort."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from playproof.models import algebra as a
from playproof.proofs import smtlib

NAMES = ("x", "y", "z")
numbers = st.integers(-30, 30)


def z3_value(value: Any, numbers_by_name: dict[str, int]) -> int | bool:
    """Evaluate a term by printing it and letting z3 compute it."""
    sort = (
        "Int" if isinstance(value, a.IntTerm | int) and not isinstance(value, bool) else "Bool"
    )
    context = z3.Context()
    solver = z3.Solver(ctx=context)
    declared = "".join(f"(declare-const {name} Int)" for name in NAMES)
    fixed = "".join(
        f"(assert (= {name} {smtlib.text(number)}))" for name, number in numbers_by_name.items()
    )
    solver.from_string(
        f"{declared}(declare-const out {sort}){fixed}(assert (= out {smtlib.text(value)}))"
    )
    assert solver.check() == z3.sat
    make = z3.Int if sort == "Int" else z3.Bool
    out = solver.model().eval(make("out", context), model_completion=True)
    return out.as_long() if sort == "Int" else z3.is_true(out)


Expression = Callable[[dict[str, Any]], Any]


def _ints(children: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    pairs = st.tuples(children, children)

    def binary(word: Callable[[Any, Any], Any]) -> st.SearchStrategy[Expression]:
        return pairs.map(lambda two: lambda env: word(two[0](env), two[1](env)))

    divisors = st.tuples(children, st.integers(1, 7))
    choices = st.tuples(children, children, children, children)
    return st.one_of(
        binary(lambda x, y: x + y),
        binary(lambda x, y: x - y),
        binary(a.minimum),
        binary(a.maximum),
        binary(lambda x, y: a.clamp(x, -3, y)),
        st.tuples(children, st.integers(-3, 3)).map(lambda t: lambda env: t[0](env) * t[1]),
        divisors.map(lambda t: lambda env: t[0](env) // t[1]),
        divisors.map(lambda t: lambda env: t[0](env) % t[1]),
        choices.map(lambda c: lambda e: a.where(c[0](e) < c[1](e), c[2](e), c[3](e))),
        choices.map(
            lambda c: lambda e: a.count_of([c[0](e) == c[1](e), a.negate(c[2](e) >= c[3](e))])
        ),
        choices.map(lambda c: lambda e: a.pick([x(e) for x in c], c[0](e), first=1)),
        st.tuples(children, st.integers(1, 3)).map(
            lambda t: lambda env: a.scaled(t[0](env), t[1], (1, 2, 3))
        ),
    )


int_expressions: st.SearchStrategy[Expression] = st.recursive(
    st.one_of(
        st.sampled_from(NAMES).map(lambda name: lambda env: env[name]),
        numbers.map(lambda number: lambda env: number),
    ),
    _ints,
    max_leaves=8,
)


@settings(deadline=None, max_examples=40)
@given(int_expressions, st.tuples(numbers, numbers, numbers))
def test_a_word_means_the_same_on_numbers_and_on_terms(
    expression: Expression, values: tuple[int, int, int]
) -> None:
    known = dict(zip(NAMES, values, strict=True))
    unknown = {name: a.int_variable(name) for name in NAMES}

    assert z3_value(expression(unknown), known) == expression(known)


@settings(deadline=None, max_examples=40)
@given(int_expressions, st.tuples(numbers, numbers, numbers), st.sets(st.sampled_from(NAMES)))
def test_what_is_known_may_be_mixed_with_what_is_not(
    expression: Expression, values: tuple[int, int, int], unknown: set[str]
) -> None:
    known = dict(zip(NAMES, values, strict=True))
    mixed: dict[str, Any] = {
        name: a.int_variable(name) if name in unknown else value
        for name, value in known.items()
    }

    assert z3_value(expression(mixed), known) == expression(known)


@settings(deadline=None, max_examples=40)
@given(st.lists(st.booleans(), min_size=4, max_size=4), st.integers(0, 15))
def test_yes_or_no_words_agree_with_their_truth_tables(values: list[bool], mask: int) -> None:
    terms = [a.int_variable(name) > 0 for name in NAMES] + [a.int_variable("x") > 0]
    values[3] = values[0]
    mixed: list[a.Bool] = [
        value if mask >> n & 1 else term
        for n, (value, term) in enumerate(zip(values, terms, strict=True))
    ]
    numbers_by_name = {name: int(value) for name, value in zip(NAMES, values, strict=False)}
    x, y, z, w = mixed
    b, c, d, e = values
    cases: list[tuple[a.Bool, bool]] = [
        (a.all_of(x, [y, z]), b and c and d),
        (a.any_of(x, [y, z]), b or c or d),
        (a.implies(x, y), not b or c),
        (a.same(x, y), b == c),
        (a.where(x, y, z), c if b else d),
        (a.where(x, a.negate(y), w), (not c) if b else e),
    ]

    for term, expected in cases:
        assert z3_value(term, numbers_by_name) == expected


@pytest.mark.parametrize(
    "misuse",
    [
        lambda n, b: n + b,
        lambda n, b: b == b,
        lambda n, b: a.all_of(n),
        lambda n, b: a.where(n, 1, 2),
        lambda n, b: a.where(b, 1, True),
        lambda n, b: a.total([n, True]),
        lambda n, b: n // 0,
        lambda n, b: n % n,
        lambda n, b: n < "three",
    ],
)
def test_the_wrong_sort_is_refused_when_the_term_is_built(misuse: Any) -> None:
    n, b = a.int_variable("n"), a.bool_variable("b")

    with pytest.raises(a.SortError):
        misuse(n, b)


def test_a_rule_that_branches_on_the_unknown_is_told_which_word_to_use() -> None:
    with pytest.raises(a.SortError, match=r"where\(\)"):
        bool(a.int_variable("n") > 3)


def test_equal_values_always_give_the_same_text() -> None:
    def build() -> a.Value:
        n = a.int_variable("n")
        twice = n + n
        return a.where(twice > 3, twice * 2, a.maximum(twice, 1))

    assert smtlib.text(build()) == smtlib.text(build())
    assert smtlib.text(build()).count("(+ n n)") == 1
