"""The reader of s-expressions: what is equal, what keeps its line, what is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playproof.errors import BadInput
from playproof.proofs.sexpr import Atom, List, SExpr, atoms, read, write


def one(text: str) -> SExpr:
    (found,) = read(text, "text")
    return found


def test_a_symbol_in_bars_equals_the_plain_one():
    assert one("|spins_left|") == one("spins_left")
    assert one("|a b|") == Atom("a b", quoted=True)


@pytest.mark.parametrize("name", ["5", ":next", "let", "a b", "", '"s"', "(", "#b1"])
def test_bars_count_where_a_name_cannot_do_without(name: str):
    assert one(f"|{name}|").quoted
    assert write(one(f"|{name}|")) == f"|{name}|"


def test_lists_nest_and_keep_the_line_they_begin_on():
    found = one("\n(a\n (b ; not (c\n  d))")
    assert found == List((Atom("a"), List((Atom("b"), Atom("d")))))
    assert found.line == 2
    assert [atom.line for atom in atoms(found)] == [2, 3, 4]


def test_a_string_keeps_its_quotes_parentheses_and_semicolons():
    text = '(set-info :source "a ""b"" ); c")'
    assert write(one(text)) == text


def test_a_string_of_two_lines_counts_both():
    first, second = read('"a\nb"\n(c)', "text")
    assert (first.line, second.line) == (1, 3)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("(a\n(b)\n", "text:1: '(' is never closed: the file ends on line 3"),
        ("(a)\n)", "text:2: ')' closes nothing"),
        ("(a\n |b c)", "text:2: | begins a quoted symbol"),
        ("(a\n |b\\c|)", "text:2: | begins a quoted symbol"),
        ('(a "b)', 'text:1: " begins a string'),
        ("(a \x00)", "text:1: character '\\x00' has no place"),
    ],
)
def test_what_does_not_match_is_named_with_its_line(text: str, said: str):
    with pytest.raises(BadInput) as error:
        read(text, "text")
    assert said in str(error.value)


def test_nesting_may_be_deep():
    deep = "(" * 200_000 + ")" * 200_000
    assert write(one(deep)) == deep


def test_nothing_is_read_from_nothing():
    assert read(" ; only a comment", "text") == ()


expressions = st.recursive(
    st.text(st.characters(codec="ascii", exclude_characters="|\\\0"), max_size=6).map(
        lambda name: one(f"|{name}|")
    ),
    lambda inner: st.lists(inner, max_size=4).map(lambda items: List(tuple(items))),
    max_leaves=20,
)


@given(expressions)
def test_what_is_written_reads_back_equal(expression: SExpr):
    assert one(write(expression)) == expression
