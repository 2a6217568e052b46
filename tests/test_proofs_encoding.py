"""The encoding says what the rules do: one step of either, side by side."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playproof.models.algebra import Term
from playproof.models.games import game_ids, load_game
from playproof.models.setting import settle
from playproof.proofs import smtlib, solvers
from playproof.proofs.encoding import encode
from playproof.proofs.slices import Slices
from playproof.proofs.solvers import Steps

from .lucky_dip import LUCKY_DIP
from .small_systems import WAYS

SMALL = (LUCKY_DIP, WAYS)
ENCODED = {game.id: encode(game) for game in SMALL}
LARGE = {name: load_game(name) for name in game_ids()}


def _value(term, values):
    """Evaluate a term, by rules of its own: what SMT-LIB says each operation means."""
    known = {}

    def of(part):
        if not isinstance(part, Term):
            return part
        if id(part) not in known:
            known[id(part)] = compute(part.op, part.args)
        return known[id(part)]

    def compute(op, args):
        if op == "var":
            return values[args[0]]
        if op == "ite":
            return of(args[1]) if of(args[0]) else of(args[2])
        numbers = [of(a) for a in args]
        match op:
            case "and":
                return all(numbers)
            case "or":
                return any(numbers)
            case "not":
                return not numbers[0]
            case "=":
                return numbers[0] == numbers[1]
            case "<":
                return numbers[0] < numbers[1]
            case "<=":
                return numbers[0] <= numbers[1]
            case "+":
                return sum(numbers)
            case "-":
                return numbers[0] - numbers[1]
            case "*":
                return numbers[0] * numbers[1]
            case "div":
                return numbers[0] // numbers[1]
            case "mod":
                return numbers[0] % numbers[1]
        raise AssertionError(f"no such operation: {op}")

    return of(term)


def _drawn(data, variable):
    if variable.sort == "Bool":
        return data.draw(st.booleans(), label=variable.name)
    low = variable.low or 0
    high = low + 9 if variable.high is None else variable.high
    return data.draw(st.integers(low, high), label=variable.name)


def _one_step(data, game, encoding):
    values = {v.name: _drawn(data, v) for v in encoding.rigid}
    p, _, _ = settle(game.setting, value=lambda v: values[v.name])
    state, tally = game.state_shape(), game.tally_shape()
    s = state.build(lambda v: _drawn(data, v))
    t = tally.build(lambda v: _drawn(data, v))
    rule = data.draw(st.sampled_from(game.rules), label="rule")
    formula = next(f for f in encoding.rules if f.rule is rule)
    shape = game.reveal_shape(rule)
    reveal = shape.build(lambda v: _drawn(data, v))
    prefix = f"r.{rule.reveal.__name__.lower()}."
    values |= {f"s.{name}": value for name, value in state.scalars(s).items()}
    values |= {f"t.{name}": value for name, value in tally.scalars(t).items()}
    values |= {prefix + name: value for name, value in shape.scalars(reveal).items()}
    after = game.after(p, type(formula.after)(s, t), rule, reveal)
    expected = [*state.scalars(after.s).values(), *tally.scalars(after.t).values()]
    guard = rule.guard(p, s, reveal)
    return formula, values, guard, expected


@pytest.mark.parametrize("game", SMALL, ids=lambda game: game.id)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_a_step_of_the_encoding_is_a_step_of_the_rules(game, data):
    formula, values, guard, expected = _one_step(data, game, ENCODED[game.id])

    assert _value(formula.guard, values) is guard
    assert [_value(update, values) for update in formula.updates] == expected


@pytest.mark.slow
@pytest.mark.parametrize("name", game_ids())
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_a_step_of_a_real_games_encoding_is_a_step_of_its_rules(name, data):
    game = LARGE[name]
    encoding = ENCODED.setdefault(name, encode(game))

    formula, values, guard, expected = _one_step(data, game, encoding)

    assert _value(formula.guard, values) is guard
    assert [_value(update, values) for update in formula.updates] == expected


@pytest.mark.parametrize("game", SMALL, ids=lambda game: game.id)
def test_small_pieces_and_the_whole_say_the_same(game):
    """trans = some rule's guard with every next value: neither side allows more."""
    encoding = ENCODED[game.id]
    pieces = Slices(encoding)
    names = [v.name for v in encoding.state]
    moved = []
    for rule in game.rules:
        equal = " ".join(f"(= {name}! next.{rule.id}.{name})" for name in names)
        moved.append(f"(and guard.{rule.id} {equal})")
    over = " ".join(v.name for v in encoding.over_step)
    system = encoding.system().removeprefix("(set-logic ALL)\n")
    own = pieces.system().split("\n")
    both = "\n".join(line for line in own if not line.startswith("(declare-const p."))
    both = both.replace("ranges", "ranges.too").replace("-fun reading.", "-fun too.")
    text = (
        both.replace("(set-logic ALL)\n", "(set-logic ALL)\n" + smtlib.declare(encoding.rigid))
        + smtlib.declare(encoding.next_state)
        + "".join(
            line + "\n" for line in system.split("\n") if not line.startswith("(declare-const")
        )
        + f"(assert (xor (trans {over}) (or {' '.join(moved)})))\n(check-sat)\n"
    )

    assert solvers.run("z3", text, steps=Steps()).answer == "unsat"


def test_what_is_given_is_folded_in():
    encoding = encode(LUCKY_DIP, {"jar": 3, "amount": 500}, {"coin-surplus": "dropped"})

    assert encoding.rigid == ()
    assert encoding.constraint is True
    assert "p." not in encoding.system()
