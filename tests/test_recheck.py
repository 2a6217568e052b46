"""Proofs checked from their files alone: what is tampered with is refused, and by what."""

from __future__ import annotations

import json
import re

import pytest

from playproof.errors import BadInput
from playproof.models.diamond_riches_properties import DIAMOND_RICHES
from playproof.proofs import filing, induction, proof_format, solvers
from playproof.proofs.commands import Reader
from playproof.proofs.encoding import encode
from playproof.proofs.prover import prove
from playproof.proofs.recheck import Standing, judge, read_proofs
from playproof.proofs.solvers import Result, Steps
from playproof.proofs.verdict import Outcome, Verdict
from playproof.proofs.workbench import Workbench
from playproof.reports.against import compare

from . import proof_folders as given
from .lucky_dip import LUCKY_DIP

DIP = "lucky-dip"
KINDS = ("system", "claims", "base", "step", "property", "lemma")


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    return given.write(tmp_path_factory.mktemp("written"))


@pytest.fixture
def out(written, tmp_path):
    return given.copy(written, tmp_path)


def answers_to(proofs, names=solvers.NAMES):
    texts = {text for proof in proofs for text in (proof.start, *(a.text for a in proof.asked))}
    return {
        (name, text): solvers.run(name, text, steps=Steps()) for text in texts for name in names
    }


def checked(path):
    proofs = read_proofs(path)
    answers = answers_to(proofs)
    return {
        proof.folder.manifest.property: judge(proof, solvers.NAMES, answers) for proof in proofs
    }


def standings(path):
    return {name: one.standing for name, one in checked(path).items()}


def refusal(path):
    with pytest.raises(BadInput) as raised:
        read_proofs(path)
    return str(raised.value)


def property_with(out, kind):
    """Return the folder of a property that has a file of that kind."""
    return out / DIP / {"property": "no-coin-lost"}.get(kind, "stars-carry")


def test_what_was_proved_is_confirmed_by_every_solver(written):
    found = checked(written)

    assert set(found) == {*given.PROVED, "c-is-not-seven"}
    assert {one.standing for one in found.values()} == {Standing.CONFIRMED}
    for one in found.values():
        for solver in solvers.NAMES:
            said = {o.check: o.result.answer for o in one.opinions if o.result.solver == solver}
            assert set(said) == {asked.name for asked in one.proof.asked}
            assert set(said.values()) == {"unsat"}
        assert {result.answer for result in one.start} == {"sat"}


def test_one_property_is_checked_by_itself(written):
    assert standings(written / DIP / "stars-carry") == {"stars-carry": Standing.CONFIRMED}
    assert set(standings(written / DIP)) == set(given.PROVED)


def test_claims_of_every_folder_define_all_that_is_stated(written):
    for name in given.PROVED:
        facts = given.manifest(written / DIP / name)
        text = given.file_of(written / DIP / name, "claims").read_text()
        defined = set(proof_format.definitions(text))
        if facts["conjuncts"] is None:
            assert defined == {"rigid", "phi", "holds"}
        else:
            stated = {f"claim.{id_}" for id_ in facts["conjuncts"]}
            steps = {f"claim.{name}.{rule}" for rule in ("draw", "finish")}
            assert defined == stated | (steps if name not in facts["conjuncts"] else set())


@pytest.mark.parametrize("kind", KINDS)
def test_one_constant_changed_in_a_file_is_seen_by_its_hash(out, kind):
    path = given.file_of(property_with(out, kind), kind)
    given.flip(path)

    said = refusal(out)

    assert path.name in said
    assert "was changed: its SHA-256 is" in said


@pytest.mark.parametrize("kind", KINDS)
def test_one_constant_changed_with_its_hash_does_not_fit_the_rest(out, kind):
    folder = property_with(out, kind)
    given.flip(
        given.file_of(folder, kind), "(define-fun claim." if kind == "claims" else "(define"
    )
    given.repair(out)

    said = refusal(out)

    assert (
        "is not what system and claims say" in said or "letter" in said or "follow from" in said
    )


def test_a_whole_other_system_is_another_statement(out):
    """What no check of a property speaks of may be changed with every hash."""
    folder = out / DIP / "in-range"
    before = given.manifest(folder)["fingerprint"]
    path = given.file_of(folder, "system")
    given.edit(
        path,
        "(define-fun next.finish.s.paid () Int\n  (ite",
        "(define-fun next.finish.s.paid () Int\n  (ite (not true) 5 (ite",
    )
    text = path.read_text()
    at = text.index("\n", text.index("next.finish.s.paid () Int\n") + 40)
    path.write_text(text[:at] + ")" + text[at:])
    given.repair(out)

    proofs = read_proofs(folder)
    differences = compare(proofs, [given.REFERENCE])

    assert given.manifest(folder)["fingerprint"] != before
    assert "next.finish.s.paid is another" in differences[folder]


def test_a_proof_of_less_is_another_statement(out):
    """A claim weakened wherever it stands is proved as well, but is not the game's."""
    folder = out / DIP / "in-range"
    before = given.manifest(folder)["fingerprint"]
    for path in sorted(out.rglob("*.smt2")):
        path.write_text(path.read_text().replace("(<= s.level 2)", "(<= s.level 3)"))
    given.repair(out)

    assert standings(folder) == {"in-range": Standing.CONFIRMED}
    assert given.manifest(folder)["fingerprint"] != before
    assert (
        "claim.in-range is another" in compare(read_proofs(folder), [given.REFERENCE])[folder]
    )


def test_the_proofs_of_a_game_are_about_it(written):
    proofs = read_proofs(written / DIP)

    assert compare(proofs, [given.REFERENCE]) == {}


@pytest.mark.parametrize(
    ("parameters", "readings"),
    [({"jar": 3, "amount": 500}, {}), ({}, {"coin-surplus": "dropped"}), ({"jar": 2}, {})],
)
def test_what_was_fixed_is_part_of_what_is_stated(written, tmp_path, parameters, readings):
    verdict = prove(LUCKY_DIP, "in-range", parameters=parameters, readings=readings)
    claim = LUCKY_DIP.property("in-range")
    folder = filing.file_certificate(verdict, tmp_path, claim.says, claim.clauses)
    facts = given.manifest(folder)

    assert facts["fixed"]["parameters"] == parameters
    assert facts["fixed"]["readings"] == readings
    assert facts["fingerprint"] != given.manifest(written / DIP / "in-range")["fingerprint"]
    assert standings(folder) == {"in-range": Standing.CONFIRMED}
    assert compare(read_proofs(folder), [given.REFERENCE]) == {}

    given.change(folder, fixed={**facts["fixed"], "parameters": {"jar": 4}})
    assert (
        "its system is not that of lucky-dip"
        in compare(read_proofs(folder), [given.REFERENCE])[folder]
    )


def test_several_claims_are_stated_and_proved_together(tmp_path):
    bench = Workbench(encode(LUCKY_DIP, None, {"coin-surplus": "impossible"}))
    claims = [LUCKY_DIP.property(name) for name in ("stars-carry", "no-coin-lost")]
    made, answers = induction.attempt_all(bench, bench.encoding, claims, Steps())
    verdict = Verdict(
        DIP, "both", Outcome.PROVED, "1-induction", 1, certificate=made, answers=answers
    )

    folder = filing.file_certificate(verdict, tmp_path)

    facts = given.manifest(folder)
    assert [(one["id"], one["kind"]) for one in facts["statement"]] == [
        ("stars-carry", "invariant"),
        ("no-coin-lost", "step"),
    ]
    assert facts["conjuncts"] == ["stars-carry", "in-range"]
    assert standings(folder) == {"both": Standing.CONFIRMED}
    given.change(
        folder, checks=[one for one in facts["checks"] if "property" not in one["file"]]
    )
    (folder / "property.smt2").unlink()
    assert "no check shows that no-coin-lost holds where draw fires" in refusal(folder)


def test_the_same_statement_has_one_fingerprint_however_it_is_proved(out):
    """A conjunct more or less in φ changes the proof, and not what is stated."""
    one = given.manifest(out / DIP / "in-range")
    other = given.manifest(out / DIP / "stars-carry")
    system = given.file_of(out / DIP / "stars-carry", "system").read_text()
    claims = given.file_of(out / DIP / "stars-carry", "claims").read_text()

    assert one["fingerprint"] != other["fingerprint"]
    assert one["fingerprint"] == proof_format.fingerprint(
        system, claims, [("in-range", "invariant")], []
    )


FIELDS = {
    "format": 3,
    "game": "lucky-dop",
    "property": "stars-curry",
    "says": "Stars are lost.",
    "clauses": ["LD-4"],
    "outcome": "refuted",
    "k": 2,
    "conjuncts": ["stars-carry"],
    "statement": [{"id": "in-range", "kind": "step", "says": "x", "clauses": []}],
    "excluded": [{"coin-surplus": "dropped"}],
    "fails-under": [{"coin-surplus": "impossible"}],
    "fixed": {
        "figures": {"draws": 4, "stars": 2, "levels": 2},
        "parameters": {},
        "readings": {},
    },
    "fingerprint": "0" * 64,
    "system": {"file": "../../else.smt2", "sha256": "0" * 64},
    "claims": {"file": "base.smt2", "sha256": "0" * 64},
    "checks": [],
    "expect": "sat",
    "answers": {},
    "seal": "0" * 64,
}


def test_every_field_of_a_manifest_is_tried(written):
    assert set(FIELDS) == set(given.manifest(written / DIP / "stars-carry"))


@pytest.mark.parametrize("field", FIELDS)
def test_a_field_changed_in_a_manifest_is_seen_by_its_seal(out, field):
    path = out / DIP / "stars-carry" / "manifest.json"
    facts = json.loads(path.read_text())
    facts[field] = FIELDS[field]
    path.write_text(json.dumps(facts))

    said = refusal(out)

    assert str(path) in said
    expected = "is of format 3, where 2 was expected" if field == "format" else "was changed"
    assert expected in said


@pytest.mark.parametrize("field", [one for one in FIELDS if one != "seal"])
def test_a_field_changed_with_the_seal_is_refused_for_what_it_says(out, field):
    folder = out / DIP / "stars-carry"
    path = folder / "manifest.json"
    facts = json.loads(path.read_text())
    facts[field] = FIELDS[field]
    del facts["seal"]
    path.write_text(json.dumps(proof_format.sealed(facts)))

    if field in ("says", "clauses", "fixed"):
        assert (
            "stars-carry says"
            if field == "says"
            else field
            in str(compare(read_proofs(out / DIP), [given.REFERENCE])[folder]).replace(
                "draws", "fixed"
            )
        )
    else:
        assert "stars-carry" in refusal(out)


def weaken(out, old, new):
    """Change every check of stars-carry's step, with all hashes."""
    given.edit(given.file_of(out / DIP / "stars-carry", "step"), old, new)
    given.repair(out)
    return refusal(out)


def test_an_assumption_more_is_refused(out):
    said = weaken(out, "(assert guard.draw)", "(assert guard.draw)\n(assert (= s.meter 0))")

    assert "(= s.meter 0) is no assumption that a proof may make, and no goal" in said
    assert re.search(r"step\.smt2:\d+: ", said)


def test_an_assumption_of_the_claim_that_is_to_be_shown_is_refused(out):
    goal = "(claim.stars-carry next.draw.s.meter next.draw.t.stars next.draw.t.full_meters)"

    said = weaken(out, "(assert guard.draw)", f"(assert guard.draw)\n(assert {goal})")

    assert "is no assumption" in said


def test_a_guard_of_another_rule_is_refused(out):
    path = given.file_of(out / DIP / "stars-carry", "system")
    guard = proof_format.definitions(path.read_text())["guard.finish"]

    said = weaken(out, "(assert guard.draw)", f"{guard}(assert guard.finish)")

    assert "it assumes that another rule fires than it is about" in said


def test_a_weaker_goal_is_refused(out):
    goal = "(assert (not (claim.stars-carry next.draw.s.meter next.draw.t.stars"

    said = weaken(out, goal, "(assert (not (claim.stars-carry s.meter next.draw.t.stars")

    assert "is no assumption" in said


def test_two_goals_at_once_are_refused(out):
    goal = (
        "(assert (not (claim.stars-carry next.draw.s.meter next.draw.t.stars "
        "next.draw.t.full_meters)))\n"
    )

    assert "a second goal" in weaken(out, goal, goal + goal)


def test_a_check_without_a_goal_is_refused(out):
    assert "has no goal" in weaken(
        out,
        "(assert (not (claim.stars-carry next.draw.s.meter next.draw.t.stars "
        "next.draw.t.full_meters)))\n",
        "",
    )


def test_a_conjunct_that_is_no_conjunct_is_no_assumption(out):
    given.change(out / DIP / "stars-carry", conjuncts=["stars-carry"])

    assert "claim.in-range is defined, but the manifest does not speak of it" in refusal(out)


def test_a_trivial_conjunction_proves_nothing(out):
    given.change(out / DIP / "stars-carry", conjuncts=[])

    assert "the manifest does not speak of it" in refusal(out)


def test_a_dropped_check_is_missed(out):
    path = given.file_of(out / DIP / "stars-carry", "step")
    path.write_text(path.read_text().split("(reset)\n")[1])
    given.repair(out)

    assert "no check shows that stars-carry holds after draw" in refusal(out)


def test_a_dropped_base_is_missed(out):
    folder = out / DIP / "stars-carry"
    given.file_of(folder, "base").unlink()
    facts = given.manifest(folder)
    given.change(folder, checks=[one for one in facts["checks"] if one["file"] != "base.smt2"])

    assert "no check shows that stars-carry holds at the start" in refusal(out)


def test_a_lemma_without_its_checks_is_missed(out):
    folder = out / DIP / "stars-carry"
    facts = given.manifest(folder)
    own = [one for one in facts["checks"] if "in-range-step" not in one["file"]]
    given.change(folder, checks=own)

    assert "no check shows that in-range holds after draw" in refusal(folder)


def test_a_step_property_has_to_be_shown_for_every_rule(out):
    path = given.file_of(out / DIP / "no-coin-lost", "property")
    path.write_text(path.read_text().split("(reset)\n")[0])
    given.repair(out)

    assert "no check shows that no-coin-lost holds where finish fires" in refusal(out)


def test_a_file_of_another_proof_is_refused(out):
    ours, theirs = (
        given.file_of(out / DIP / name, "step") for name in ("stars-carry", "in-range")
    )
    ours.write_text(theirs.read_text())
    given.repair(out)

    assert "no check shows that stars-carry holds after draw" in refusal(out)


def test_a_folder_in_anothers_place_is_refused(out):
    (out / DIP / "stars-carry").rename(out / DIP / "stars-kept")

    assert "is about lucky-dip stars-carry" in refusal(out)


@pytest.mark.parametrize("phi", ["true", "(= s.draws_left 3)"])
def test_a_found_formula_that_is_trivial_or_wrong_is_refused_by_the_solvers(out, phi):
    folder = out / DIP / "draws-count-down"
    found = proof_format.definitions(given.file_of(folder, "claims").read_text())["phi"]
    body = found.split("\n", 1)[1].rstrip(")\n").strip()
    for path in folder.glob("*.smt2"):
        text = path.read_text()
        assert found in text
        opening = found.split("\n", 1)[0]
        path.write_text(text.replace(found, f"{opening}\n  {phi})\n"))
    given.repair(out)

    one = checked(folder)["draws-count-down"]

    assert body
    assert one.standing is Standing.REFUSED
    assert "does not hold, by z3 and cvc5" in one.remark


def test_checks_of_a_found_formula_are_what_they_have_to_be(out):
    path = given.file_of(out / DIP / "draws-count-down", "step")
    given.edit(path, "(assert rigid)", "(assert rigid)\n(assert (= s.draws_left@0 1))")
    given.repair(out)

    assert "its checks are not base, step and property for k = 1" in refusal(out)


def test_k_is_what_the_checks_are_of(out):
    given.change(out / "ways" / "c-is-not-seven", k=2)

    assert "its checks are not base, step and property for k = 2" in refusal(out)


def test_more_left_out_than_fails_is_refused(out):
    """Leaving out every way to take a reading leaves nothing to start with."""
    cubes = [{"coin-surplus": "dropped"}, {"coin-surplus": "impossible"}]
    given.change(out / DIP / "no-coin-lost", excluded=cubes, fails_under=cubes)

    one = checked(out / DIP / "no-coin-lost")["no-coin-lost"]

    assert one.standing is Standing.REFUSED
    assert "contradicts itself, so that all follows from it" in one.remark


def test_what_it_says_it_fails_under_is_what_it_leaves_out(out):
    given.change(out / DIP / "no-coin-lost", fails_under=[{"coin-surplus": "impossible"}])

    one = checked(out / DIP / "no-coin-lost")["no-coin-lost"]

    assert one.standing is Standing.REFUSED
    assert "fails-under is what is left out does not hold" in one.remark


def test_a_reading_left_out_that_checks_need_is_not_given_back(out):
    given.change(out / DIP / "no-coin-lost", excluded=[], fails_under=[], outcome="proved")

    assert "is no assumption" in refusal(out)


def test_ranges_that_contradict_each_other_prove_nothing(out):
    """Everything follows from them: the solvers would answer unsat to every check."""
    for path in sorted((out / DIP).rglob("*.smt2")):
        path.write_text(path.read_text().replace("(<= p.jar 9)", "(<= p.jar 0)"))
    given.repair(out)

    one = checked(out / DIP / "in-range")["in-range"]

    assert {o.result.answer for o in one.opinions} == {"unsat"}
    assert one.standing is Standing.REFUSED
    assert "contradicts itself" in one.remark


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("(check-sat)", "(get-model)\n(check-sat)", "(get-model) has no place in a proof"),
        ("(set-logic ALL)", "(set-logic QF_LIA)", "(set-logic QF_LIA) has no place"),
        ("s.meter Int)\n", "s.meter Real)\n", "sort Real: Int or Bool was expected"),
        ("s.over Bool)\n", "s.over (_ BitVec 8))\n", "sort (_ BitVec 8): Int or Bool"),
        ("(assert guard.draw)", "(assert guard.draw", "is never closed"),
        (
            "(declare-const s.meter Int)",
            "(declare-const s.meter Bool)",
            "s.meter is of sort Int",
        ),
        (
            "(declare-const s.meter Int)",
            "(declare-const x Int)",
            "x is no constant of the system",
        ),
        ("(declare-const s.meter Int)", "", "s.meter is neither declared nor defined before"),
        (
            "(declare-const s.meter Int)",
            "(declare-const s.meter Int)\n(declare-const s.meter Int)",
            "s.meter is there twice",
        ),
        (
            "(assert guard.draw)",
            "(define-fun true () Bool\n  false)",
            "nothing may be named true",
        ),
        (
            "(assert guard.draw)",
            "(define-fun guard.other () Bool\n  true)",
            "guard.other is defined neither in system nor in claims",
        ),
        ("(assert guard.draw)", "(push 1)", "(push 1) has no place in a proof"),
        ("(assert guard.draw)\n", "(assert\n(and guard.draw))\n", "where a line begins"),
    ],
)
def test_foreign_commands_are_named_with_their_line(out, old, new, message):
    said = weaken(out, old, new)

    assert message in said
    assert re.search(r"step\.smt2(:\d+)?: ", said)


def test_a_definition_that_the_fingerprint_would_not_see_is_refused(out):
    path = given.file_of(out / DIP / "stars-carry", "claims")
    path.write_text(path.read_text().replace(" Bool\n  ", " Bool "))
    given.repair(out)

    assert "each definition stands on two lines" in refusal(out)


def test_lines_are_those_of_the_file(out):
    path = given.file_of(out / DIP / "stars-carry", "step")
    number = path.read_text().split("\n").index("(assert guard.draw)") + 1

    said = weaken(out, "(assert guard.draw)", "(get-proof)")

    assert f"step.smt2:{number}: (get-proof)" in said


def test_a_definition_is_read_once_however_often_it_stands():
    reader = Reader()
    text = "(define-fun a () Int\n  1)\n(reset)\n(define-fun a () Int\n  1)"

    one, two = reader.checks(text, "demo")

    assert one.commands[0].command is two.commands[0].command
    assert [one.place, two.place] == ["demo:1", "demo:4"]


def test_a_claim_shown_in_parts_needs_all_of_them(out):
    """in-range is a conjunction of eight: here its step is shown part by part."""
    folder = out / DIP / "in-range"
    claims = given.file_of(folder, "claims")
    whole = proof_format.definitions(claims.read_text())["claim.in-range"]
    parameters = re.findall(r"\(([^\s()]+) (Int|Bool)\)", whole.split("\n")[0])
    bodies = re.findall(
        r"\((?:<=|<) [^()]*\)|\(or \(not s.over\) \(= s.draws_left 0\)\)", whole
    )
    assert len(bodies) == 8
    listed = " ".join(f"({name} {sort})" for name, sort in parameters)
    parts = [
        f"(define-fun claim.in-range.{n} ({listed}) Bool\n  {body})\n"
        for n, body in enumerate(bodies, start=1)
    ]
    claims.write_text(whole + "".join(parts))
    path = given.file_of(folder, "step")
    draw, finish = path.read_text().split("(reset)\n")
    closing = "(check-sat)\n"
    goal = draw.split("\n")[-3] + "\n"
    split = [
        draw.replace(goal, part + goal.replace("claim.in-range ", f"claim.in-range.{n} "))
        for n, part in enumerate(parts, start=1)
    ]
    assert all(one.endswith(closing) for one in split)
    answers = {
        name: said
        for name, said in given.manifest(folder)["answers"].items()
        if name != "step in-range (draw)"
    }
    answers |= {f"step in-range (draw, conjunct {n})": {} for n in range(1, 9)}

    path.write_text("(reset)\n".join([*split, finish]))
    given.change(folder, answers=answers)
    assert standings(folder) == {"in-range": Standing.CONFIRMED}

    path.write_text("(reset)\n".join([*split[:3], *split[4:], finish]))
    given.change(folder, answers=answers)
    assert "no check shows that in-range holds after draw" in refusal(folder)

    path.write_text("(reset)\n".join([*split, finish]))
    given.edit(
        claims,
        bodies[3] + ")\n(define-fun claim.in-range.5",
        "true)\n(define-fun claim.in-range.5",
    )
    given.change(folder, answers=answers)
    assert "the parts of claim.in-range are not the conjuncts" in refusal(folder)


@pytest.mark.parametrize(
    ("said", "standing", "remark"),
    [
        (("unsat", "unsat"), Standing.CONFIRMED, ""),
        (("unsat", "sat"), Standing.REFUSED, "by cvc5, but others say it does"),
        (("sat", "unknown"), Standing.REFUSED, "does not hold, by z3"),
        (("unsat", "unknown"), Standing.UNDECIDED, "cvc5 answers unknown (why not)"),
        (("unknown", "unknown"), Standing.UNDECIDED, "z3 answers unknown (why not); cvc5"),
    ],
)
def test_two_solvers_have_to_agree_where_two_are_installed(written, said, standing, remark):
    (proof,) = read_proofs(written / DIP / "in-range")
    answers = answers_to([proof])
    for solver, answer in zip(solvers.NAMES, said, strict=True):
        answers[solver, proof.asked[0].text] = Result(solver, answer, "why not")

    found = judge(proof, solvers.NAMES, answers)

    assert found.standing is standing
    assert remark in found.remark


def test_a_third_solver_makes_up_for_one_that_gives_up(written):
    (proof,) = read_proofs(written / DIP / "in-range")
    answers = answers_to([proof])
    names = (*solvers.NAMES, "yices")
    for asked in proof.asked:
        answers["yices", asked.text] = Result("yices", "unsat")
        answers["cvc5", asked.text] = Result("cvc5", "unknown", "out of steps")
    answers["yices", proof.start] = Result("yices", "sat")

    assert judge(proof, names, answers).standing is Standing.CONFIRMED


def test_one_solver_is_enough_where_no_other_is_installed(written):
    (proof,) = read_proofs(written / DIP / "in-range")

    assert judge(proof, ["z3"], answers_to([proof], ["z3"])).standing is Standing.CONFIRMED


@pytest.mark.slow
def test_a_proof_of_a_game_whose_claims_were_taken_apart_holds_together(tmp_path):
    """What a rule does to all ladders is hard for cvc5 at once: it is asked one by one."""
    claim = DIAMOND_RICHES.property("own-ladder-only")
    verdict = prove(DIAMOND_RICHES, claim)
    folder = filing.file_certificate(verdict, tmp_path, claim.says, claim.clauses)

    (proof,) = read_proofs(folder)

    names = [asked.name for asked in proof.asked]
    assert names == [one.name for one in verdict.certificate.obligations]
    assert [asked.text for asked in proof.asked] == [
        one.text for one in verdict.certificate.obligations
    ]
    assert any("conjunct 2" in name for name in names)
    assert compare([proof], ["diamond-riches"]) == {}
