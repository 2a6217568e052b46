"""Exported games, read back as VMT-LIB files and decided again: the same verdicts.

whole     every claim as it is: what fails under some reading is unsafe
spared    claims that depend on readings, without the readings under which they fail: safe
"""

from __future__ import annotations

import sys
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import pytest

from playproof.models.games import game_ids, load_game
from playproof.models.system import Game, Kind
from playproof.proofs.encoding import encode
from playproof.proofs.export.symbols import plain_names
from playproof.proofs.export.system import exported
from playproof.proofs.export.vmt import vmt
from playproof.proofs.manifest import load_manifest
from playproof.proofs.prover import prove
from playproof.proofs.verdict import Cube, Outcome
from playproof.proofs.vmt.answers import Unsafe
from playproof.proofs.vmt.deciding import Decision, decide
from playproof.proofs.vmt.lines import Question, attack
from playproof.proofs.vmt.reader import read_vmt
from playproof.proofs.vmt.system import build
from playproof.proofs.vmt.trace import complete

from .lucky_dip import LUCKY_DIP
from .small_systems import WAYS

PART = {
    "colour-collector": ["boosters-cap", "doubled-once"],
    "diamond-riches": ["boosters-cap", "max-is-second-upgrade"],
}
"""Claims of each game that are quickly decided, together with what they are proved with."""


@dataclass(frozen=True)
class Export:
    """A game's export as a VMT-LIB file, and what is to come out of it, by claim."""

    text: str
    verdicts: Mapping[str, str]


def export(
    game: Game,
    claims: Sequence[str],
    failing: Collection[str],
    spared: Mapping[str, tuple[Cube, ...]] | None = None,
) -> Export:
    """Export claims of a game, all if there are none; those ``failing`` are to be unsafe."""
    system = exported(encode(game), claims, spared or {})
    verdicts = {
        plain_names([one.name])[one.name]: "unsafe" if one.claim.id in failing else "safe"
        for one in system.statements
    }
    return Export(vmt(system), verdicts)


def as_expected(game: Game, claims: Sequence[str] = ()) -> Iterator[Export]:
    """Yield both exports of a game, with the verdicts that its manifest expects."""
    depends = {
        id_: one.fails_under
        for id_, one in load_manifest(game).items()
        if one.outcome is Outcome.DEPENDS
        and game.property(id_).kind is not Kind.GENERAL
        and (not claims or id_ in claims)
    }
    yield export(game, claims, depends)
    if depends:
        yield export(game, list(depends), (), depends)


def decided(text: str, seconds: float = 120.0, jobs: int = 1) -> Iterator[Decision]:
    """Yield what the engine for VMT-LIB files says of each claim of a text."""
    file = read_vmt(text, "exported")
    return decide(file, text, build(file), seconds, jobs)


def outcomes(decisions: Iterator[Decision]) -> dict[str, str]:
    return {one.claim.name: one.outcome for one in decisions}


def told(decisions: Iterator[Decision]) -> Iterator[Decision]:
    """Print every decision as it comes."""
    for one in decisions:
        sys.stdout.write(
            f"{one.claim.name:44} {one.outcome:9} {one.method:28} {one.seconds:6.1f} s\n"
        )
        sys.stdout.write("".join(f"    {remark}\n" for remark in one.remarks))
        sys.stdout.flush()
        yield one


@pytest.mark.parametrize("game", [LUCKY_DIP, WAYS], ids=lambda game: game.id)
def test_every_claim_of_a_small_game_is_decided_again_as_it_was_proved(game: Game):
    statements = exported(encode(game)).statements
    proved = {one.claim.id: prove(game, one.claim).outcome for one in statements}
    whole = export(game, (), [id_ for id_ in proved if proved[id_] is not Outcome.PROVED])

    assert {Outcome.PROVED} <= set(proved.values()) <= set(Outcome) - {Outcome.UNDECIDED}
    assert len(whole.verdicts) > 4
    assert outcomes(decided(whole.text)) == whole.verdicts


def test_what_depends_on_readings_is_safe_except_under_them():
    claim, cubes = "no-coin-lost", ((("coin-surplus", "dropped"),),)
    whole = export(LUCKY_DIP, [claim], [claim])
    spared = export(LUCKY_DIP, [claim], [], {claim: cubes})

    assert whole.verdicts["property_no_coin_lost"] == "unsafe"
    assert outcomes(decided(whole.text)) == whole.verdicts
    assert spared.verdicts["property_no_coin_lost"] == "safe"
    assert outcomes(decided(spared.text)) == spared.verdicts


@pytest.mark.slow
def test_what_depends_on_readings_is_broken_by_a_short_run_of_a_real_games_export():
    (whole, _) = as_expected(load_game("colour-collector"), ["boosters-any-order"])
    file = read_vmt(whole.text, "exported")
    (claim,) = (one for one in file.claims if one.name == "property_boosters_any_order")

    answer = attack("short-runs", Question(build(file), [claim.number]))

    assert isinstance(answer, Unsafe)
    trace = complete(build(file), claim.number, answer, 60.0)  # NoTrace if it is none
    assert len(trace.moments) == len(answer.states) == 5


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("colour-collector", marks=pytest.mark.slow),
        pytest.param("diamond-riches", marks=pytest.mark.bench),
    ],
)
def test_a_part_of_a_real_game_is_decided_again_from_its_export(name: str):
    for one in as_expected(load_game(name), PART[name]):
        assert outcomes(decided(one.text)) == one.verdicts


@pytest.mark.bench
@pytest.mark.parametrize("name", game_ids())
def test_every_claim_of_a_real_game_is_decided_again_from_its_export(name: str):
    """Some ten minutes long: ``pytest -m bench -k decided_again -s`` prints each claim."""
    began = time.perf_counter()
    count = 0
    for one in as_expected(load_game(name)):
        assert outcomes(told(decided(one.text, seconds=600.0, jobs=2))) == one.verdicts
        count += len(one.verdicts)
    taken = time.perf_counter() - began
    sys.stdout.write(f"{name}: {count} decided again in {taken:.0f} s\n")
