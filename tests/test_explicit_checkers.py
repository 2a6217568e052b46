"""SPIN and rumur come to the states and verdicts that ours does, of a copy as it grows."""

from __future__ import annotations

import shutil

import pytest

from playproof.models.games import load_game
from playproof.proofs.enumeration import enumerate_copy
from playproof.proofs.findings import judge

from .explicit_checkers import Small, murphi, promela
from .explicit_growth import MOST, grown, ours, rumur, spin
from .lucky_dip import LUCKY_DIP
from .measuring import record

CHECKERS = {"spin": spin, "rumur": rumur}
CLAIMS = {
    "colour-collector": (
        "prize-is-sum",
        "overflow-carries",
        "spins-balance",
        "meters-in-range",
    ),
    "diamond-riches": ("prize-is-sum", "overflow-carries", "spins-balance", "meters-in-range"),
}
GROWING = {
    "colour-collector": ("two-games", "spins", (1, 2, 4, 8, 12)),
    "diamond-riches": ("bonuses", "spins", (1, 2, 4, 8)),
}


def there(name):
    """Return a checker, or skip with a sentence that says what is missing."""
    for program in (name, "cc"):
        if not shutil.which(program):
            pytest.skip(f"{program} is not installed (Debian packages: spin, rumur, gcc)")
    return CHECKERS[name]


def test_models_of_a_small_game_say_what_is_asked_of_it():
    found = enumerate_copy(LUCKY_DIP, grown(LUCKY_DIP, "dropped"))
    small = Small(found, ["in-range", "no-coin-lost"])

    assert promela(small).count("assert(") == len(small.cases) * 1 + 1
    assert 'rule "draw" (0 < s_draws_left) &' in murphi(small)
    assert 'invariant "in-range"' in murphi(small)
    assert "never-full" not in murphi(small)


@pytest.mark.bench
@pytest.mark.table
@pytest.mark.parametrize("checker", CHECKERS)
@pytest.mark.parametrize("copy", ["dropped", "impossible"])
@pytest.mark.parametrize("claim", ["in-range", "stars-carry", "never-full", "no-coin-lost"])
def test_a_checker_agrees_on_what_holds_and_what_does_not(checker, copy, claim, tmp_path):
    check = there(checker)
    found = enumerate_copy(LUCKY_DIP, grown(LUCKY_DIP, copy))
    ran, _ = check(Small(found, [claim]), tmp_path)

    assert ran.holds is judge(found, LUCKY_DIP.property(claim)).holds
    if ran.holds:
        assert ran.states == len(found.points)


@pytest.mark.bench
@pytest.mark.table
@pytest.mark.parametrize("id_", GROWING)
def test_a_copy_as_it_grows(id_, tmp_path):
    """Time and memory of each; a checker that is missing is told, and left out."""
    name, figure, values = GROWING[id_]
    game, claims = load_game(id_), CLAIMS[id_]
    missing = [one for one in CHECKERS if not (shutil.which(one) and shutil.which("cc"))]
    if missing:
        print(f"\nnot installed, so not measured: {', '.join(missing)}")  # noqa: T201
    curves = {way: [] for way in ("rules", "proof", *CHECKERS) if way not in missing}
    sizes, making = [], {}
    for value in values:
        found = enumerate_copy(game, grown(game, name, **{figure: value}), most=MOST)
        small = Small(found, claims)
        sizes.append(len(found.points))
        ran = {
            "rules": ours("enumerate", id_, name, figure, value, claims),
            "proof": ours("prove", id_, name, figure, value, claims),
        }
        for checker in CHECKERS.keys() - missing:
            ran[checker], making[checker] = CHECKERS[checker](small, tmp_path)
        assert all(one.holds for one in ran.values())
        assert {one.states for way, one in ran.items() if way != "proof"} == {sizes[-1]}
        for way, one in ran.items():
            seconds, megabytes = round(one.seconds, 2), round(one.megabytes, 1)
            curves[way].append([seconds, megabytes])
    last = {
        way: dict(zip(("s", "MB"), curve[-1], strict=True)) for way, curve in curves.items()
    }
    record(
        f"rules alone / proof of the same copy, {id_}",
        last["rules"]["s"] / last["proof"]["s"],
        copy=name,
        figure=figure,
        values=list(values),
        states=sizes,
        curves=curves,
        compile_s={way: round(seconds, 2) for way, seconds in making.items()},
    )
