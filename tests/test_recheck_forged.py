"""Texts made to have a false claim confirmed: names that mean two things at once."""

from __future__ import annotations

import pytest

from playproof.errors import BadInput
from playproof.proofs import solvers
from playproof.proofs.commands import Define, Reader
from playproof.proofs.obligations import Stated, judge
from playproof.proofs.transitions import read_transitions


def definition(name, sort, body, parameters=""):
    return f"(define-fun {name} ({parameters}) {sort}\n  {body})\n"


def system(state, *definitions):
    """Return a system in which ``x``, and what else is of the state, starts at 0."""
    declared = "".join(f"(declare-const {name} Int)\n" for name in state)
    started = "".join(definition(f"start.{name}", "Int", "0") for name in state)
    roles = f'(set-info :rigid "")\n(set-info :state "{" ".join(state)}")\n'
    text = f'(set-logic ALL)\n{roles}(set-info :reveals "")\n{declared}{started}'
    return text + "".join(definitions)


def rule(name, **after):
    updates = (definition(f"next.{name}.{x}", "Int", to) for x, to in after.items())
    return definition(f"guard.{name}", "Bool", "true") + "".join(updates)


def check(*texts):
    return f"(set-logic ALL)\n{''.join(texts)}(check-sat)\n"


def judged(system_text, claims_text, checks, conjuncts=(), steps=()):
    reader = Reader()
    claims = [said.command for said in reader.commands(claims_text, "claims")]
    return judge(
        read_transitions(reader.commands(system_text, "system:1")),
        {one.name: one for one in claims if isinstance(one, Define)},
        Stated(tuple(conjuncts), tuple(steps), tuple(conjuncts), ()),
        [one for text in checks for one in reader.checks(text, "check")],
    )


ZERO = definition("claim.zero", "Bool", "(= x 0)", "(x Int)")
START = check(definition("start.x", "Int", "0"), ZERO, "(assert (not (claim.zero start.x)))\n")


def after(rule_, value="0", claim=ZERO):
    name = claim.split()[1]
    return check(
        definition(f"next.{rule_}.x", "Int", value),
        claim,
        f"(assert (not ({name} next.{rule_}.x)))\n",
    )


def test_a_claim_shown_at_the_start_and_after_every_rule_is_taken():
    named = judged(system(["x"], rule("go", x="0")), ZERO, [START, after("go")], ["zero"])

    assert [one.name for one in named] == ["base zero", "step zero (go)"]
    assert {solvers.run("z3", one.text).answer for one in named} == {"unsat"}


def test_a_variable_is_not_taken_for_another_after_a_step():
    """``x!`` grows; what is shown is that ``x``, of which nothing is claimed, stays."""
    two = system(["x", "x!"], rule("go", **{"x": "0", "x!": "(+ x! 1)"}))
    zero = ZERO.replace("x ", "x! ")

    with pytest.raises(BadInput, match="x!: ! marks what is after a step"):
        judged(two, zero, [START.replace(ZERO, zero), after("go", claim=zero)], ["zero"])


def test_a_rule_without_a_name_does_not_stand_for_every_place():
    """A check of it alone would count for the start and for the rule that breaks the claim."""
    nameless = system(["x"], rule("", x="0"), rule("bad", x="(+ x 1)"))

    with pytest.raises(BadInput, match="a rule has no name"):
        judged(nameless, ZERO, [after("")], ["zero"])


def test_a_claim_of_two_step_properties_is_not_shown_for_one_of_them_alone():
    """``claim.a.b.c`` is of a where b.c fires, and of a.b where c fires."""
    rules = system(["x"], rule("c", x="0"), rule("b.c", x="(+ x 1)"))
    shared = definition("claim.a.b.c", "Bool", "(= x! 0)", "(x! Int)")
    plain = [definition(name, "Bool", "true") for name in ("claim.a.c", "claim.a.b.b.c")]
    checks = [check(one, f"(assert (not {one.split()[1]}))\n") for one in plain]

    with pytest.raises(BadInput, match="have one name for their claims"):
        judged(rules, "".join([*plain, shared]), [*checks, after("c", claim=shared)],
               steps=["a", "a.b"])  # fmt: skip
