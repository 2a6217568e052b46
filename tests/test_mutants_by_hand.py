"""Ten changes of Colour Collector's rules, written by hand: none is an operator's, all show."""

from __future__ import annotations

import dataclasses
from dataclasses import replace
from pathlib import Path

import pytest

from playproof.models import colour_collector as cc
from playproof.models.algebra import all_of, any_of, maximum, total, where
from playproof.models.editions import load_edition
from playproof.models.games import load_game
from playproof.oracles.cases import load_cases
from playproof.oracles.ground import Ground
from playproof.oracles.mutants.begun import scripted
from playproof.oracles.mutants.making import Mutant, Mutants, digest_of, mutants_of
from playproof.oracles.mutants.search import Search
from playproof.oracles.mutants.steps import Steps
from playproof.oracles.wander import Wander

pytestmark = pytest.mark.slow

SCRIPTS = Path(__file__).parent / "suites" / "colour-collector"


def symbol_for_luck(p, s, r, after):
    """A symbol more lies in the emptied Bonus Game Box."""
    unlocked = s.bonus_box + r.bonus_symbols >= p.bonus_box_size
    return replace(after, bonus_box=after.bonus_box + where(unlocked, 1, 0))


def third_spin_free(p, s, r, after):
    """Every third spin costs nothing."""
    spins = where(s.spins_left % 3 == 0, s.spins_left, s.spins_left - 1)
    return replace(after, spins_left=spins)


def empty_spin_free(p, s, r, after):
    """A spin that collects nothing costs nothing."""
    nothing = total([*r.symbols, r.bonus_symbols, r.prize_symbols]) == 0
    return replace(after, spins_left=where(nothing, s.spins_left, after.spins_left))


def one_row_a_spin(p, s, r, after):
    """Where the lowest row is filled with another one, it loses its last symbol."""
    filled = [
        all_of(was < boxes, has == boxes)
        for was, has, boxes in zip(s.rows, after.rows, p.row_boxes, strict=True)
    ]
    lower = any_of(all_of(filled[0], other) for other in filled[1:])
    return replace(after, rows=[after.rows[0] - where(lower, 1, 0), *after.rows[1:]])


def two_awards_at_most(p, s, r, after):
    """Of more than two awards the extra spins are lost."""
    return replace(after, spins_left=where(s.awards > 2, s.spins_left, after.spins_left))


def booster_needs_a_row(p, s, r, after):
    """A booster counts only where a row is full when it comes."""
    full = any_of(have == boxes for have, boxes in zip(s.rows, p.row_boxes, strict=True))
    return replace(after, level=where(full, after.level, s.level))


def second_spins_halved(p, s, r, after):
    """Extra spins won a second time in a Bonus Game count half."""
    more = after.won_spins - s.won_spins
    half = where(s.won_spins > 0, more // 2, more)
    return replace(after, won_spins=s.won_spins + half)


def last_spin_doubled(p, s, r, after):
    """WIN X2 doubles what the last spin collected, not the pot."""
    doubled = after.prize_pot + r.collected(p)
    prize = where(r.double_wins > 0, doubled, after.prize_pot)
    return replace(after, prize_game_prize=prize)


def best_row_only(p, s, r, after):
    """Of several full rows only the best is paid."""
    best = maximum(*cc.row_values(p, s))
    return replace(after, paid=best + s.prize_game_prize)


def bonus_game_takes_a_symbol(p, s, r, after):
    """A Bonus Game takes a symbol from the Prize Game Box, unless that is empty or full."""
    some = (s.prize_box % p.prize_box_size) > 0
    return replace(after, prize_box=where(some, s.prize_box - 1, s.prize_box))


BY_HAND = [
    (cc.spin, symbol_for_luck),
    (cc.spin, third_spin_free),
    (cc.spin, empty_spin_free),
    (cc.spin, one_row_a_spin),
    (cc.wrong_answer, two_awards_at_most),
    (cc.wrong_answer, booster_needs_a_row),
    (cc.right_answer, second_spins_halved),
    (cc.win, last_spin_doubled),
    (cc.finish, best_row_only),
    (cc.open_bonus_game, bonus_game_takes_a_symbol),
]


@pytest.fixture(scope="module")
def mutants():
    """What the operators make of the rules in question."""
    return mutants_of(Ground(load_edition(load_game("colour-collector"))))


@pytest.fixture(scope="module")
def steps(mutants):
    """The steps of a few scripts, and of some hundred Plays such as every run begins with."""
    wander = Wander(mutants.ground)
    traces = [*scripted(mutants.ground, load_cases(SCRIPTS))]
    for _ in range(3):
        traces += wander.batch(100, traces)
    wander.close()
    return Steps(mutants, traces)


def by_hand(mutants: Mutants, rule, wreck) -> Mutant:
    """Return a rule that goes wrong as a mutant, by its terms."""

    def effect(p, s, r):
        return wreck(p, s, r, rule.effect(p, s, r))

    edition = mutants.ground.edition
    game = edition.game.with_rule(dataclasses.replace(rule, effect=effect))
    ground = Ground(dataclasses.replace(edition, game=game))
    new = {n: mutants.pool.of(v) for n, v in ground.updates[rule.id].items()}
    own = mutants.rules[rule.id]
    updates = {n: v for n, v in new.items() if repr(v) != repr(own.updates[n])}
    digest = digest_of(mutants.pool, own, None, updates)
    says = wreck.__doc__
    return Mutant(wreck.__name__, rule.id, "by hand", (), says, None, updates, digest)


@pytest.mark.parametrize(("rule", "wreck"), BY_HAND)
def test_a_change_that_no_operator_makes_shows(mutants, steps, rule, wreck):
    mutant = by_hand(mutants, rule, wreck)
    assert mutant.updates, "it changes something"
    assert mutant.digest not in {one.digest for one in mutants.all}
    if steps.apart(mutant) is None:  # then a Play is made that tells it apart
        with Search(mutants, steps.traces) as search:
            found = search.find(mutant)
        assert found is not None, mutant.says
        assert Steps(mutants, [found.trace]).apart(mutant) is not None, mutant.says
