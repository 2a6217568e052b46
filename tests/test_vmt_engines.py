"""The engines on files with known answers: the folder a file is in says what it is."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import z3

from playproof.proofs import solvers
from playproof.proofs.vmt import deciding, lines
from playproof.proofs.vmt.abstraction import invariant
from playproof.proofs.vmt.answers import Answer, GaveUp, Safe, Unsafe
from playproof.proofs.vmt.apart import Died, Slow, apart
from playproof.proofs.vmt.bmc import refute, refute_afresh
from playproof.proofs.vmt.certificate import certify
from playproof.proofs.vmt.control import blocks
from playproof.proofs.vmt.deciding import Decision, decide
from playproof.proofs.vmt.definitions import without_definitions
from playproof.proofs.vmt.horn import spacer
from playproof.proofs.vmt.ic3 import ic3
from playproof.proofs.vmt.kinduction import induct
from playproof.proofs.vmt.lines import Question, attack
from playproof.proofs.vmt.numbers import as_words
from playproof.proofs.vmt.problem import problem
from playproof.proofs.vmt.reader import read_vmt
from playproof.proofs.vmt.separation import interpolants
from playproof.proofs.vmt.system import System, build
from playproof.proofs.vmt.templates import templates
from playproof.proofs.vmt.together import together
from playproof.proofs.vmt.trace import NoTrace, complete
from playproof.proofs.vmt.words import WordHull

FILES = Path(__file__).parent / "vmt"
SAFE = sorted((FILES / "safe").glob("*.vmt"))
UNSAFE = sorted((FILES / "unsafe").glob("*.vmt"))


def load(path: Path | str) -> System:
    path = FILES / path
    return build(read_vmt(path.read_text("utf-8"), path.name))


def decided(path: Path, seconds: float = 60.0) -> list[Decision]:
    system = load(path)
    text = path.read_text("utf-8")
    return list(decide(system.file, text, system, seconds, jobs=2))


def stands(system: System, number: int, answer: Answer) -> bool:
    """Say whether an answer that is not "gave up" passes its re-check, by z3."""
    if isinstance(answer, Unsafe):
        return bool(complete(system, number, answer, 20.0).moments)
    assert isinstance(answer, Safe)
    claim = next(one for one in system.file.claims if one.number == number)
    checks = certify(system.file, claim, answer.k, answer.phi.sexpr()).checks
    return [solvers.run("z3", check.text).answer for check in checks] == ["unsat"] * 3


@pytest.mark.parametrize("path", SAFE, ids=lambda path: path.stem)
def test_what_is_safe_is_proved_with_a_certificate_that_two_solvers_check(path: Path):
    for one in decided(path):
        assert (one.outcome, one.remarks) == ("safe", ())
        assert one.certificate is not None
        asked = {(c.part, c.solver) for c in one.checked if c.answer == "unsat"}
        assert asked == {
            (check.part, solver)
            for check in one.certificate.checks
            for solver in ("z3", "cvc5")
        }


@pytest.mark.parametrize("path", UNSAFE, ids=lambda path: path.stem)
def test_what_is_unsafe_is_refuted_with_a_trace(path: Path):
    (one,) = decided(path)

    assert one.outcome == "unsafe"
    assert one.trace is not None


def test_a_counterexample_may_be_deep():
    answer = refute(problem(load("unsafe/deep.vmt"), [0]), deepest=130)

    assert isinstance(answer, Unsafe)
    assert len(answer.states) == 121


def test_lengths_asked_one_by_one_give_the_same_run_or_none():
    question = problem(load("unsafe/program.vmt"), [0])

    assert isinstance(answer := refute_afresh(question, deepest=31), Unsafe)
    assert len(answer.states) == 32
    assert isinstance(refute_afresh(question, deepest=30), GaveUp)


def test_some_properties_need_a_larger_k():
    question = problem(load("safe/needs_k.vmt"), [0])

    assert isinstance(induct(question, most=3), GaveUp)
    assert isinstance(answer := induct(question, most=4), Safe)
    assert answer.k == 4


def test_some_properties_need_an_invariant_that_has_to_be_found():
    system = load("safe/lockstep.vmt")
    question = problem(system, [0])

    assert isinstance(induct(question, most=5), GaveUp)
    assert isinstance(found := attack("shapes", Question(system, [0])), Safe)
    assert found.k == 1
    assert stands(system, 0, found)


@pytest.mark.slow
@pytest.mark.parametrize("line", [one for one in lines.LINES if one not in ("numbers", "bits")])
def test_every_line_of_attack_refutes_a_program(line: str):
    system = load("unsafe/program.vmt")
    answer = attack(line, Question(system, [0]))

    assert isinstance(answer, Unsafe)
    assert stands(system, 0, answer)


def test_a_program_of_two_loops_is_proved_by_shapes():
    system = load("safe/two_phases.vmt")
    answer = attack("shapes", Question(system, [0]))

    assert isinstance(answer, Safe)
    assert stands(system, 0, answer)


@pytest.mark.slow
def test_words_may_be_proved_as_numbers():
    """x + y = 20 throughout, over words; as far as x > 0, neither wraps around."""
    text = """(declare-fun x () (_ BitVec 8)) (declare-fun y () (_ BitVec 8))
        (define-fun s () (_ BitVec 8) (! x :next xn))
        (define-fun t () (_ BitVec 8) (! y :next yn))
        (assert (! (and (= x #x14) (= y #x00)) :init true))
        (assert (! (and (bvsgt x #x00) (= xn (bvsub x #x01)) (= yn (bvadd y #x01)))
          :trans true))
        (define-fun p () Bool (! (=> (= x #x00) (= y #x14)) :invar-property 0))"""
    system = build(read_vmt(text, "text"))
    answer = attack("numbers", Question(system, [0]))

    assert isinstance(answer, Safe)
    assert stands(system, 0, answer)


def test_a_bound_on_numbers_suggests_equations_of_words():
    """They may hold modulo the range of words where the bound itself does not."""
    text = """(declare-fun i () (_ BitVec 6)) (declare-fun n () (_ BitVec 6))
        (define-fun a () (_ BitVec 6) (! i :next in))
        (define-fun b () (_ BitVec 6) (! n :next nn))
        (define-fun p () Bool (! (= i n) :invar-property 0))"""
    system = build(read_vmt(text, "text"))
    i, n = system.now
    numbers = {one: z3.Int(one) for one in ("i", "n")}
    easy, hard = as_words(numbers["i"] - numbers["n"] <= 4, system)

    def same(one: z3.BoolRef, other: z3.BoolRef) -> bool:
        solver = z3.Solver()
        solver.add(one != other)
        return solver.check() == z3.unsat

    for near in (3, 4, 5):
        assert any(same(one, i - n == near) for one in easy)
    assert any(same(one, z3.SignExt(2, i) - z3.SignExt(2, n) <= 4) for one in easy)
    assert hard == []


def test_of_invariants_a_proof_is_given_those_that_it_needs():
    """x grows by y, which stays; z has nothing to do with it."""
    text = """(declare-fun x () Int) (declare-fun y () Int) (declare-fun z () Int)
        (define-fun s () Int (! x :next xn)) (define-fun t () Int (! y :next yn))
        (define-fun u () Int (! z :next zn))
        (assert (! (and (= x 0) (= y 2) (= z 0)) :init true))
        (assert (! (and (= xn (+ x y)) (= yn y) (= zn (+ z 1))) :trans true))
        (define-fun p () Bool (! (>= x 0) :invar-property 0))"""
    plain = problem(build(read_vmt(text, "text")), [0])
    y, z = z3.Int("y"), z3.Int("z")

    assert lines.needed_of(plain, [z >= 0, y >= 1]) == [plain.good, y >= 1]
    assert lines.needed_of(plain, [z >= 0]) == []


def test_signs_shifts_and_low_bits_of_words_are_read_as_those_of_numbers():
    """x grows by 2 up to 20, as its sign bit and its low half are looked at."""
    text = """(declare-fun x () (_ BitVec 16)) (declare-fun w () (_ BitVec 16))
        (define-fun s () (_ BitVec 16) (! x :next xn))
        (assert (! (= x #x0000) :init true))
        (assert (! (and (= ((_ extract 15 15) x) #b0) (bvslt ((_ extract 7 0) x) #x14)
          (= xn (bvadd x (bvshl #x0001 #x0001)))
          (= (bvand w x) (bvor w w))) :trans true))
        (define-fun p () Bool (! (bvsle x #x0020) :invar-property 0))"""
    system = build(read_vmt(text, "text"))
    answer = attack("numbers", Question(system, [0]))

    assert isinstance(answer, Safe)
    assert stands(system, 0, answer)


def test_lines_of_attack_that_cannot_come_to_anything_are_not_tried():
    words, numbers = load("unsafe/wraps.vmt"), load("safe/lockstep.vmt")

    assert set(lines.LINES) - set(lines.promising(words)) == {"global-spacer"}
    assert set(lines.LINES) - set(lines.promising(numbers)) == {"numbers", "bits"}


def test_equations_of_words_have_small_numbers_where_they_can():
    """y = 2 x and 8 x = 0 modulo 16, met at three points only."""
    hull = WordHull(["x", "y"], 4)
    for x in (0, 2, 6):
        hull.join({"x": x, "y": 2 * x})

    assert sorted(hull.equations, key=str) == [({"x": -2, "y": 1}, 0), ({"x": -8}, 0)]


def test_words_that_wrap_around_are_not_taken_for_numbers():
    system = load("unsafe/wraps.vmt")

    assert isinstance(attack("numbers", Question(system, [0])), GaveUp)


def test_words_looked_at_bit_by_bit_are_not_taken_for_numbers():
    answer = attack("numbers", Question(load("safe/traps.vmt"), [7]))

    assert isinstance(answer, GaveUp)
    assert "bits are looked at" in answer.reason


def test_a_walk_goes_deep():
    system = load("unsafe/deep.vmt")
    answer = attack("walk", Question(system, [0]))

    assert isinstance(answer, Unsafe)
    assert len(answer.states) == 121
    assert stands(system, 0, answer)


PAST_THE_WRONG = """
(declare-fun x () Int) (declare-fun x_next () Int)
(declare-fun b () Bool) (declare-fun b_next () Bool)
(define-fun sx () Int (! x :next x_next))
(define-fun sb () Bool (! b :next b_next))
(define-fun start () Bool (! (not b) :init true))
(define-fun moves () Bool (! (and (= x_next x) (= b_next (< x 3))) :trans true))
(define-fun good () Bool (! b :invar-property 0))
"""


def test_control_that_lies_past_what_is_wrong_is_left_out():
    system = build(read_vmt(PAST_THE_WRONG, "past.vmt"))
    question = problem(system, [0])

    blocks(question)  # the loop at b is past the start, which is wrong already
    assert isinstance(answer := refute(question), Unsafe)
    assert len(answer.states) == 1


def test_larger_steps_go_from_loop_head_to_loop_head():
    question = problem(load("unsafe/program.vmt"), [0])
    large = blocks(question)

    assert large is not None
    assert large.stride == 2
    assert isinstance(short := refute(large.problem), Unsafe)
    assert isinstance(long := refute(question), Unsafe)
    assert (len(short.states), len(long.states)) == (17, 32)


UP_TO = """
(declare-fun i () (_ BitVec 8)) (declare-fun n () (_ BitVec 8))
(declare-fun end () (_ BitVec 8))
(define-fun si () (_ BitVec 8) (! i :next i_)) (define-fun sn () (_ BitVec 8) (! n :next n_))
(declare-fun over () Bool) (define-fun so () Bool (! over :next over_))
(define-fun se () (_ BitVec 8) (! end :next end_))
(define-fun start () Bool (!
  (and (not over) (= i #x03) (= n #x00) (bvsle #x03 end)) :init true))
(define-fun counts () Bool
  (and (bvslt i end) (not over_) (= i_ (bvadd i #x01)) (= n_ (bvadd n #x01))))
(define-fun rests () Bool (and (not (bvslt i end)) over_ (= i_ i) (= n_ n)))
(define-fun moves () Bool (! (and (or counts rests) (= end_ end)) :trans true))
(define-fun good () Bool (! (=> over (= (bvadd n #x03) end)) :invar-property 0))
"""


def test_a_loop_that_goes_on_while_less_ends_where_equal():
    question = problem(build(read_vmt(UP_TO, "up.vmt")), [0])
    found = invariant(question, templates(question, 0), ())

    assert isinstance(induct(question, most=1), GaveUp)
    assert isinstance(induct(question, found or (), most=1), Safe)


LOOP = """
(declare-fun a () Bool) (declare-fun b () Bool) (declare-fun x () Int) (declare-fun y () Int)
(define-fun sa () Bool (! a :next a_)) (define-fun sb () Bool (! b :next b_))
(define-fun sx () Int (! x :next x_)) (define-fun sy () Int (! y :next y_))
(define-fun start () Bool (! (and (not a) (not b)) :init true))
(define-fun enters () Bool (and (not a) (not b) (not a_) b_))
(define-fun resets () Bool (and (not a) b a_ (not b_) (= x_ 0) (= y_ 0)))
(define-fun counts () Bool
  (and a (not b) a_ (not b_) (<= 0 x 4) (= x_ (+ x 1)) (= y_ (+ y 1))))
(define-fun leaves () Bool (and a (not b) a_ b_ (= x 5) (= x_ x) (= y_ y)))
(define-fun moves () Bool (! (or enters resets counts leaves) :trans true))
(define-fun good () Bool (! (=> (and a b) (= y 5)) :invar-property 0))
"""


def test_a_proof_over_larger_steps_counts_the_steps_that_they_can_stand_for():
    system = build(read_vmt(LOOP, "loop.vmt"))
    large = blocks(problem(system, [0]))

    assert large is not None
    assert large.stride == 2  # to the loop; each way round it is but one
    answer = induct(large.problem)
    assert isinstance(answer, Safe)
    assert answer.k > 4
    whole = lines.lifted(answer, large)
    assert isinstance(whole, Safe)
    assert whole.k == answer.k + 1
    assert stands(system, 0, whole)


def test_what_the_property_does_not_depend_on_is_left_out():
    system = load("safe/traps.vmt")
    one = problem(system, [7])

    assert [a.decl().name() for a in one.now] == ["y"]


def test_variables_that_only_name_terms_are_taken_out():
    """One is named in two halves, and one by way of another; what is free is not."""
    text = """(declare-fun x () Int) (declare-fun u () Bool) (declare-fun twice () Int)
        (declare-fun ok () Bool)
        (define-fun a () Int (! x :next x1)) (define-fun b () Bool (! u :next u1))
        (define-fun c () Int (! twice :next twice1)) (define-fun d () Bool (! ok :next ok1))
        (define-fun named () Bool
          (and (or u (= twice x)) (or (not u) (= (+ x x) twice)) (= ok (<= 0 twice))))
        (define-fun then () Bool
          (and (or u1 (= twice1 x1)) (or (not u1) (= (+ x1 x1) twice1)) (= ok1 (<= 0 twice1))))
        (assert (! (and (= x 0) named) :init true))
        (assert (! (and (= x1 (+ x 1)) named then) :trans true))
        (define-fun p () Bool (! ok :invar-property 0))"""
    system = build(read_vmt(text, "text"))
    reduced = without_definitions(system)

    assert [str(a) for a in reduced.system.now] == ["x", "u"]
    assert [str(one.arg(0)) for one in reduced.equations] == ["twice", "ok"]
    answer = attack("spacer", Question(system, [0]))
    assert isinstance(answer, Safe)
    assert stands(system, 0, answer)


def test_an_equation_that_steps_do_not_keep_names_nothing():
    text = """(declare-fun x () Int) (declare-fun y () Int)
        (define-fun a () Int (! x :next x1)) (define-fun b () Int (! y :next y1))
        (assert (! (and (= x 0) (= y x)) :init true))
        (assert (! (and (= x1 (+ x 1)) (= y1 x)) :trans true))
        (define-fun p () Bool (! (= x y) :invar-property 0))"""
    system = build(read_vmt(text, "text"))

    assert without_definitions(system).equations == ()
    assert isinstance(attack("steps", Question(system, [0])), Unsafe)


@pytest.mark.slow
def test_invariants_by_cases_need_parity_at_times():
    system = load("safe/turns.vmt")
    answer = attack("shapes", Question(system, [0]))

    assert isinstance(answer, Safe)
    assert stands(system, 0, answer)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "path"), [("predicates", "turns_by_two"), ("bits", "even_word"), ("bits", "gray")]
)
def test_ic3_finds_invariants_over_predicates_and_over_bits(line: str, path: str):
    system = load(f"safe/{path}.vmt")
    answer = attack(line, Question(system, [0]))

    assert isinstance(answer, Safe)
    assert stands(system, 0, answer)


def test_ic3_needs_no_more_than_truth_values_at_first_and_adds_what_tells_runs_apart():
    """x goes 0, 3, 6, …: that it is never 1 needs a predicate that the text does not have."""
    text = """(declare-fun x () Int) (define-fun a () Int (! x :next x1))
        (assert (! (= x 0) :init true)) (assert (! (= x1 (+ x 3)) :trans true))
        (define-fun p () Bool (! (not (= x 1)) :invar-property 0))"""
    question = problem(build(read_vmt(text, "text")), [0])
    (x,) = question.now
    asked = []

    def separate(way: Sequence[Any]) -> list[Any]:
        asked.append(way)
        return interpolants(question, way)

    assert isinstance(ic3(question, [x == 0, x == 1], separate=separate), Safe)
    assert asked


def test_properties_are_proved_together():
    found = together(load("safe/helpers.vmt"), [0, 1, 2], 20.0)

    assert found.proved == (0, 1, 2)
    assert found.broken == {}


def test_a_check_has_its_time_however_long_all_took_together(monkeypatch: pytest.MonkeyPatch):
    given: list[float] = []
    ask, try_all = solvers.run, deciding.apart

    def run(solver: str, text: str, *, steps: solvers.Steps) -> solvers.Result:
        given.append(steps.seconds or 0.0)
        return ask(solver, text, steps=steps)

    def slowly(*arguments: Any, seconds: float) -> Any:
        time.sleep(4.0)
        return try_all(*arguments, seconds=seconds)

    monkeypatch.setattr(solvers, "run", run)
    monkeypatch.setattr(deciding, "apart", slowly)
    decisions = decided(FILES / "safe/helpers.vmt", seconds=20.0)

    assert {one.outcome for one in decisions} == {"safe"}
    assert given[0] > 16.5


def test_what_was_not_answered_for_one_property_is_asked_again_for_another(
    monkeypatch: pytest.MonkeyPatch,
):
    asked: list[str] = []
    ask = solvers.run

    def run(solver: str, text: str, *, steps: solvers.Steps) -> solvers.Result:
        asked.append(text)
        answer = ask(solver, text, steps=steps)
        if len(asked) > 5 * len(solvers.NAMES):  # two bases, two steps and the property
            return answer
        return replace(answer, answer="unknown", seconds=steps.seconds or 0.0)

    monkeypatch.setattr(solvers, "run", run)
    path = FILES / "safe/helpers.vmt"
    system = load(path)
    first = next(decide(system.file, path.read_text("utf-8"), system, 60.0, jobs=1))

    assert (first.claim.name, first.method) == ("py", "1-induction, together")


def test_a_property_that_fails_is_taken_away_from_the_others():
    text = (FILES / "safe/helpers.vmt").read_text("utf-8")
    text += "(define-fun wrong () Bool (! (< x 3) :invar-property 9))\n"
    text += "(define-fun late () Bool (! (< y 100) :invar-property 10))\n"
    found = together(build(read_vmt(text, "text")), [0, 1, 2, 9, 10], 20.0)

    assert found.proved == (0, 1, 2)
    assert list(found.broken) == [9]


def test_a_proof_that_fails_its_check_is_no_proof(monkeypatch: pytest.MonkeyPatch):
    """The wrong φ here is inductive, but says nothing of the property."""
    monkeypatch.setattr(deciding, "quick", lambda *_: Safe("lies", 1, "true"))
    monkeypatch.setattr(deciding, "race", lambda *_: (one for one in ()))
    (one,) = decided(FILES / "safe/lockstep.vmt")

    assert one.outcome == "undecided"
    assert one.remarks[0].startswith("NOT BELIEVED: lies says safe, but z3 finds its property")


def test_a_run_that_is_none_is_no_refutation(monkeypatch: pytest.MonkeyPatch):
    states = ({"x": "0", "y": "0"}, {"x": "2", "y": "1"})
    monkeypatch.setattr(deciding, "quick", lambda *_: Unsafe("lies", states))
    monkeypatch.setattr(deciding, "race", lambda *_: (one for one in ()))
    (one,) = decided(FILES / "safe/lockstep.vmt")

    assert one.outcome == "undecided"
    assert "no step leads to what it gives as state 1" in one.remarks[0]


@pytest.mark.parametrize(
    ("states", "reason"),
    [
        ([{"x": "1"}], "its first state is not initial"),
        ([{"x": "0", "y": "0"}], "its last state does not break the property"),
    ],
)
def test_what_is_wrong_with_a_run_is_said(states: list[dict[str, str]], reason: str):
    with pytest.raises(NoTrace, match=reason):
        complete(load("safe/lockstep.vmt"), 0, Unsafe("lies", tuple(states)), 5.0)


def test_spacer_gives_a_formula_over_the_state_alone():
    system = load("safe/even_word.vmt")
    answer = spacer(problem(system, [0]))

    assert isinstance(answer, Safe)
    assert stands(system, 0, answer)


def test_time_that_runs_out_leaves_a_property_undecided():
    text = """(declare-fun x () Int) (declare-fun y () Int)
        (define-fun s () Int (! x :next xn)) (define-fun t () Int (! y :next yn))
        (assert (! (and (= x 3) (= y 5)) :init true))
        (assert (! (and (= xn (+ (* x x y) 7)) (= yn (- (* y y x) x))) :trans true))
        (define-fun p () Bool (! (not (= (* x x x) (+ (* y y y) 17))) :invar-property 0))"""
    system = build(read_vmt(text, "text"))
    (one,) = decide(system.file, text, system, 1.5, jobs=1)

    assert one.outcome == "undecided"
    assert "out of time: 1.5 s" in one.remarks


def test_a_solver_that_dies_is_told_of_and_ends_no_more_than_itself(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(deciding, "quick", lambda *_: apart(os.abort, seconds=20))
    (one,) = decided(FILES / "safe/lockstep.vmt")

    assert one.outcome == "safe"
    assert one.remarks == ("DIED: k-induction: its process ended with code -6",)


def test_what_takes_too_long_at_first_is_left_to_the_race(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(deciding, "quick", lambda *_: apart(time.sleep, 30, seconds=0.1))
    (one,) = decided(FILES / "safe/lockstep.vmt")

    assert (one.outcome, one.remarks) == ("safe", ())


def test_where_every_solver_dies_the_property_is_undecided(monkeypatch: pytest.MonkeyPatch):
    died = GaveUp("spacer", "its process ended with code -11", died=True)
    monkeypatch.setattr(deciding, "quick", lambda *_: apart(os.abort, seconds=20))
    monkeypatch.setattr(deciding, "race", lambda *_: (one for one in (died,)))
    (one,) = decided(FILES / "safe/lockstep.vmt")

    assert one.outcome == "undecided"
    assert one.remarks[1] == "DIED: spacer gave up: its process ended with code -11"


def test_work_apart_comes_back_with_what_it_has_to_say():
    assert apart(max, 2, 3, seconds=20) == 3
    with pytest.raises(Died, match="its process ended with code -6"):
        apart(os.abort, seconds=20)
    with pytest.raises(Slow, match=r"no answer within 0\.2 s"):
        apart(time.sleep, 30, seconds=0.2)
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        apart(divmod, 1, 0, seconds=20)
