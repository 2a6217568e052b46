"""What is read of a VMT-LIB 2 file, and how it is said what cannot be."""

from __future__ import annotations

from pathlib import Path

import pytest
import z3

from playproof.errors import BadInput
from playproof.proofs.vmt import file
from playproof.proofs.vmt.file import VmtFile, read_text
from playproof.proofs.vmt.reader import read_vmt
from playproof.proofs.vmt.sanity import possible
from playproof.proofs.vmt.system import System, build

FILES = Path(__file__).parent / "vmt"
ERRORS = sorted((FILES / "error").glob("*.vmt"))


def read(path: str) -> VmtFile:
    return read_vmt((FILES / path).read_text("utf-8"), path)


def system(text: str) -> System:
    return build(read_vmt(text, "text"))


def said(text: str) -> str:
    with pytest.raises(BadInput) as error:
        possible(system(text))
    return str(error.value)


@pytest.mark.parametrize("path", ERRORS, ids=lambda path: path.stem)
def test_what_is_wrong_is_said_with_its_line(path: Path):
    text = path.read_text("utf-8")
    expected = text.splitlines()[0].removeprefix("; expect ") or "nothing in it"

    assert expected in said(text)


def test_only_marked_terms_count():
    file = read("safe/traps.vmt")

    assert [(a.name, b.name) for a, b in file.states] == [
        ("two words", "two words'"),
        ("y", "y!"),
    ]
    assert [one.name for one in file.inputs] == [".in", "spare.next"]
    assert len(file.init) == 1
    assert len(file.trans) == 2
    assert [(claim.number, claim.name) for claim in file.claims] == [(3, "never"), (7, "even")]


def test_an_undeclared_next_takes_the_sort_of_its_partner():
    pairs = read("safe/traps.vmt").states

    assert [(a.sort, b.sort) for a, b in pairs] == [
        ("Int", "Int"),
        ("(_ BitVec 8)", "(_ BitVec 8)"),
    ]


def test_several_formulas_hold_together():
    both = system(
        """(declare-fun x () Int) (define-fun s () Int (! x :next y))
        (assert (! (> x 0) :init true)) (assert (! (< x 2) :init true))
        (assert (! (>= y x) :trans true)) (assert (! (<= y x) :trans true))
        (define-fun p () Bool (! (= x 1) :invar-property 0))"""
    )

    assert len(both.init.children()) == len(both.trans.children()) == 3  # `true` is the first


def test_a_mark_within_a_let_keeps_what_the_let_binds():
    one = system(
        """(declare-fun x () Int) (define-fun s () Int (! x :next y))
        (assert (let ((a 7)) (let ((b (+ a x))) (! (= b 9) :init true))))
        (define-fun p () Bool (! (= x 2) :invar-property 0))"""
    )

    assert "7" in str(one.init)
    assert "x" in str(one.init)


@pytest.mark.parametrize("value", ["true", "1", ""])
def test_a_mark_may_have_any_value_but_false(value: str):
    text = f"""(declare-fun x () Int) (define-fun s () Int (! x :next y))
        (define-fun i () Bool (! (= x 1) :init {value}))
        (define-fun p () Bool (! (= x 1) :invar-property 0))"""

    assert len(read_vmt(text, "text").init) == 1
    assert read_vmt(text.replace(f":init {value}", ":init false"), "text").init == ()


def test_inputs_that_a_property_or_init_speaks_of_are_shown_as_such():
    file = read("safe/observed.vmt")

    assert file.observed == ("u", "v")
    assert file.inputs == ()
    assert ("u", "u.next") in [(a.name, b.name) for a, b in file.states]


def test_a_property_by_way_of_a_definition_shows_its_inputs_too():
    file = read_vmt(
        """(declare-fun x () Int) (declare-fun u () Bool) (declare-fun w () Bool)
        (define-fun s () Int (! x :next y)) (define-fun d () Bool (and u (= x 1)))
        (define-fun p () Bool (! (or d w) :invar-property 0))""",
        "text",
    )

    assert file.observed == ("u", "w")


def test_a_name_for_an_unsupported_sort_is_refused_where_it_is_used():
    text = "(define-sort Memory () (Array Int Int))\n(declare-fun m () Memory)"

    assert "text:2: sort Memory is not supported" in said(text)


def test_sorts_that_name_one_another_for_ever_are_refused():
    text = "(define-sort A () B)\n(define-sort B () A)\n(declare-fun m () A)"

    assert "text:3: sort A is not supported" in said(text)


def test_a_term_of_an_unsupported_sort_is_named_with_its_line():
    text = """(declare-fun x () Int) (define-fun s () Int (! x :next y))
        (define-fun p () Bool (!
          (= x (select ((as const (Array Int Int)) 0) x)) :invar-property 0))"""

    assert "text:2: a term of sort Array" in said(text)


def test_a_next_variable_of_two_is_refused():
    text = """(declare-fun a () Int) (declare-fun b () Int)
        (define-fun s () Int (! a :next c)) (define-fun t () Int (! b :next c))
        (define-fun p () Bool (! (= a b) :invar-property 0))"""

    assert "c is the next variable of both a and b" in said(text)


def test_a_next_variable_of_another_sort_is_refused():
    text = """(declare-fun a () Int) (declare-fun b () Bool)
        (define-fun s () Int (! a :next b))
        (define-fun p () Bool (! (= a 1) :invar-property 0))"""

    assert "a is of sort Int, its next variable b of sort Bool" in said(text)


def test_a_binary_file_is_refused(tmp_path: Path):
    path = tmp_path / "binary.vmt"
    path.write_bytes(bytes(range(256)))

    with pytest.raises(BadInput, match="not a text file"):
        read_text(path)


def test_a_mark_of_byte_order_is_passed_over(tmp_path: Path):
    path = tmp_path / "marked.vmt"
    path.write_bytes(b"\xef\xbb\xbf(declare-fun x () Int)")

    assert read_text(path) == "(declare-fun x () Int)"


def test_a_control_character_is_named_with_its_line():
    assert "text:2: character '\\x00'" in said("(set-logic ALL)\n\x00")


def test_a_file_that_is_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "large.vmt"
    path.write_text("(assert true)\n" * 10)
    monkeypatch.setattr(file, "LARGEST", 100)

    with pytest.raises(BadInput, match="140 bytes; files of more than 100 bytes"):
        read_text(path)


def test_a_missing_file_is_refused(tmp_path: Path):
    with pytest.raises(BadInput, match="cannot be read: No such file"):
        read_text(tmp_path / "none.vmt")


def test_lets_may_nest_deeply():
    depth = 1000
    lets = "".join(f"(let ((a{i} (+ a{i - 1} 1))) " for i in range(1, depth))
    text = f"""(declare-fun x () Int) (define-fun s () Int (! x :next y))
        (define-fun p () Bool (let ((a0 x))
          {lets} (! (> a{depth - 1} x) :invar-property 0){")" * depth})"""

    assert list(system(text).claims) == [0]


def test_a_term_too_deep_for_solvers_is_refused_with_its_line():
    deep = f"{'(not ' * 30_000}x{')' * 30_000}"

    assert "text:3: more than 20,000 parentheses open, the first of them since line 2" in said(
        f"(declare-fun x () Bool)\n(define-fun p () Bool\n(! {deep} :invar-property 0))"
    )


def test_a_chain_of_definitions_too_deep_for_solvers_is_refused_with_its_line():
    shut = ")" * 7_000
    chain = "\n".join(
        f"(define-fun d{i} () Bool {'(not ' * 7_000}{of}{shut})"
        for i, of in enumerate(("x", "d0", "d1"))
    )

    assert "text:4: d2 is more than 20,000 terms deep" in said(
        f"(declare-fun x () Bool)\n{chain}"
    )


def test_definitions_that_do_not_nest_are_not_deep():
    many = "\n".join(
        f"(define-fun d{i} () Bool {'(not ' * 900}x{')' * 900})" for i in range(30)
    )

    assert list(
        system(
            f"""(declare-fun x () Bool) (define-fun s () Bool (! x :next y)) {many}
            (define-fun p () Bool (! (or d0 d9 x) :invar-property 0))"""
        ).claims
    ) == [0]


def test_that_no_step_is_possible_is_said():
    notes = possible(build(read("safe/unused_step.vmt")))

    assert "allows no step at all" in notes[0]


def test_that_init_or_trans_is_missing_is_said():
    notes = possible(
        system(
            """(declare-fun x () Int) (define-fun s () Int (! x :next y))
            (define-fun p () Bool (! (= x 1) :invar-property 0))"""
        )
    )

    assert [note.split(",")[0] for note in notes] == [
        "no term is marked :init",
        "no term is marked :trans",
    ]


def test_terms_may_be_called_by_names_given_to_them():
    """In init as well, from where the name is on, and by one name within another."""
    one = system(
        """(declare-fun x () Int) (define-fun s () Int (! x :next y))
        (define-fun i () Bool
          (! (and (! (= x (! 3 :named three)) :named begun) true) :init true :named start))
        (assert (! (= y (ite begun three 4)) :trans true :named step))
        (define-fun p () Bool (! (or start (> x 3)) :invar-property 0))"""
    )
    x, y = z3.Ints("x y")

    for read_, meant in (
        (one.init, x == 3),
        (one.trans, y == z3.If(x == 3, 3, 4)),
        (one.claims[0], z3.Or(x == 3, x > 3)),
    ):
        solver = z3.Solver()
        solver.add(read_ != meant)
        assert solver.check() == z3.unsat


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('(define-fun s () Int (! x :next "y"))', 'text:2: "y" is not a name'),
        ("(define-fun s () Int (! x :next 7))", "text:2: 7 is not a name"),
        ("(define-fun s () Int (! x :next #b1))", "text:2: #b1 is not a name"),
        ("(declare-fun 5 () Int)", "text:2: 5 is not a name"),
        ("(assert (! true :named x))", "text:2: x is named a second time"),
        ("(assert (! (! true :named a) :named a))", "text:2: a is named a second time"),
        ("(define-fun a () Int 0) (assert (! true :named a))", "a is named a second time"),
        (
            "(assert (! true :named a)) (define-fun a () Int 0)",
            "a is defined, but names a term",
        ),
        ("(define-fun s () Int (! x :next))", "text:2: :next needs a variable"),
    ],
)
def test_what_is_no_name_names_nothing(line: str, expected: str):
    rest = "(define-fun p () Bool (! (= x 0) :invar-property 0))"

    assert expected in said(f"(declare-fun x () Int)\n{line}\n{rest}")
