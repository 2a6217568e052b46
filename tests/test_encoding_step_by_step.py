"""What z3 makes of the encoding's text is what the rules do, step by step on random Plays.

Every rule is compared under every choice of every reading that it looks at, in states that
Plays come to, on reveals that are legal there, and on some that are not.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random

import pytest
import z3
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from playproof.models.setting import parameters_of, readings_of
from playproof.models.shape import lay_out
from playproof.models.uses import uses_of
from playproof.proofs.encoding import encode
from playproof.proofs.slices import Slices

from . import colour_collector_plays, diamond_riches_plays

PLAYS = {
    "colour-collector": (colour_collector_plays.SMALL, colour_collector_plays.legal_steps, 60),
    "diamond-riches": (diamond_riches_plays.GAME, diamond_riches_plays.legal_steps, 100),
}


class Text:
    """An encoding as z3 reads it: its guards and next values, worked out for given values."""

    def __init__(self, encoding):
        self.context = z3.Context()
        self.names = [v.name for v in encoding.state]
        asked = [
            f"(assert guard.{rule.id})\n"
            + "".join(
                f"(assert (= next.{rule.id}.{v.name} {'0' if v.sort == 'Int' else 'true'}))\n"
                for v in encoding.state
            )
            for rule in encoding.game.rules
        ]
        text = Slices(encoding).system() + "".join(asked)
        read = iter(z3.parse_smt2_string(text, ctx=self.context))
        self.rules = {}
        for rule in encoding.game.rules:
            guard, nexts = next(read), {v.name: next(read).arg(0) for v in encoding.state}
            changed = {n: one for n, one in nexts.items() if str(one) != n}
            self.rules[rule.id] = (list(changed), self.together(guard, *changed.values()))

    def together(self, *terms):
        """Return one term of several, so that they are worked out in one go."""
        sorts = [one.sort() for one in terms]
        both = z3.Function("together", *sorts, z3.BoolSort(self.context))(*terms)
        constants, seen, waiting = {}, set(), [both]
        while waiting:
            term = waiting.pop()
            if term.get_id() in seen:
                continue
            seen.add(term.get_id())
            if z3.is_const(term) and term.decl().kind() == z3.Z3_OP_UNINTERPRETED:
                constants[term.decl().name()] = term
            waiting += term.children()
        return both, constants

    def step(self, rule, values):
        """Return whether a rule fires, and the next values, the unknowns being these."""
        changed, (both, constants) = self.rules[rule]
        known = [(constant, self.literal(values[n])) for n, constant in constants.items()]
        guard, *nexts = z3.simplify(z3.substitute(both, *known)).children()
        found = {n: values[n] for n in self.names}
        found |= dict(zip(changed, map(plain, nexts), strict=True))
        return plain(guard), list(found.values())

    def literal(self, value):
        make = z3.BoolVal if isinstance(value, bool) else z3.IntVal
        return make(value, self.context)


def plain(term):
    return z3.is_true(term) if z3.is_bool(term) else term.as_long()


def flat(value):
    return (
        [one for part in value for one in flat(part)] if isinstance(value, tuple) else [value]
    )


class Comparison:
    """The rules and the text of one game, side by side, and what has been compared."""

    def __init__(self, game):
        self.game = game
        self.text = Text(encode(game))
        self.shapes = game.state_shape(), game.tally_shape()
        self.reveals = {rule.id: game.reveal_shape(rule) for rule in game.rules}
        self.fired = Counter()
        self.refused = 0

    @cache  # noqa: B019  # as long as the test
    def of_setting(self, p):
        """Return the value of every parameter and reading, by name."""
        values = {}
        for name, shape in parameters_of(p).items():
            variables, _ = lay_out(f"p.{name}", shape, p)
            values |= zip((v.name for v in variables), flat(getattr(p, name)), strict=True)
        for name in readings_of(p):
            values[f"p.{name}"] = getattr(p, name.replace("-", "_")).index
        return values

    def step(self, p, point, rule, reveal):
        """Compare one step; the reveal may be an illegal one."""
        game = self.game
        shapes = (*self.shapes, self.reveals[rule.id])
        prefix = f"r.{rule.reveal.__name__.lower()}."
        values = {
            **self.of_setting(p),
            **{f"s.{name}": value for name, value in shapes[0].scalars(point.s).items()},
            **{f"t.{name}": value for name, value in shapes[1].scalars(point.t).items()},
            **{prefix + name: value for name, value in shapes[2].scalars(reveal).items()},
        }
        after = game.after(p, point, rule, reveal)
        within = shapes[2].within_limits(reveal)
        fires = within is True and rule.guard(p, point.s, reveal) is True
        expected = [*shapes[0].scalars(after.s).values(), *shapes[1].scalars(after.t).values()]

        assert self.text.step(rule.id, values) == (fires, expected)
        return fires

    def note(self, p, rule):
        """Note that a rule was compared under the readings of a setting."""
        for name in readings_of(p):
            self.fired[rule.id, name, getattr(p, name.replace("-", "_")).name] += 1

    def missing(self):
        """Return every rule with a choice of a reading it looks at that was not compared."""
        wanted = {
            (rule, name, choice)
            for name, ways in readings_of(self.game.setting).items()
            for rule in uses_of(self.game, name.replace("-", "_")).rules
            for choice in ways.choices
        }
        return {one for one in wanted if not self.fired[one]}


@pytest.mark.slow
@pytest.mark.parametrize("name", PLAYS)
def test_every_rule_under_every_choice_of_its_readings_is_encoded_as_it_is(name):
    game, legal_steps, plays = PLAYS[name]
    compared = Comparison(game)

    @settings(
        max_examples=plays,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(data=st.data())
    def on_a_play(data):
        for p, point, rule, reveal in legal_steps(data.draw):
            assert compared.step(p, point, rule, reveal), "the reveal is legal"
            compared.note(p, rule)
            # Not drawn: a Play of Diamond Riches is one number, so that no two are alike.
            rng = Random(repr((rule.id, reveal)))
            if rng.randrange(4) == 0:
                other = changed(rng, game, rule, reveal)
                compared.refused += not compared.step(p, point, rule, other)

    on_a_play()
    assert {rule for rule, _, _ in compared.fired} == {rule.id for rule in game.rules}
    assert compared.missing() == set()
    assert compared.refused > 30


def changed(rng, game, rule, reveal):
    """Return a reveal of which one value is another."""
    shape = game.reveal_shape(rule)
    if not shape.variables:
        return reveal
    scalars = shape.scalars(reveal)
    variable = rng.choice(shape.variables)
    value = scalars[variable.name]
    other = not value if variable.sort == "Bool" else value + rng.randint(-3, 9)
    return shape.of({**scalars, variable.name: other})


def test_a_next_value_that_is_wrong_in_the_text_alone_is_seen(monkeypatch):
    game, legal_steps, _ = PLAYS["colour-collector"]
    whole = Slices.system
    right = "(define-fun next.spin.s.spins_left () Int\n  (+ s.spins_left (- 1)))"
    wrong = "(define-fun next.spin.s.spins_left () Int\n  (+ s.spins_left (- 2)))"
    monkeypatch.setattr(Slices, "system", lambda self: whole(self).replace(right, wrong))
    assert wrong in Slices(encode(game)).system()
    compared = Comparison(game)

    @settings(
        max_examples=5, deadline=None, derandomize=True, database=None, phases=[Phase.generate]
    )
    @given(data=st.data())
    def on_a_play(data):
        p, point, rule, reveal = next(legal_steps(data.draw))
        compared.step(p, point, rule, reveal)

    with pytest.raises(AssertionError):
        on_a_play()
