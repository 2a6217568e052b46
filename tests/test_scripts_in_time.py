"""Scripts as they are found: each written at once, and seconds that only leave things open."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

from playproof.models.editions import load_edition
from playproof.models.games import load_game
from playproof.models.play import replay
from playproof.oracles import script
from playproof.oracles.reachable import decide
from playproof.oracles.synthesis import Finding, Synthesis
from playproof.oracles.targets import parse_target
from playproof.proofs.verdict import Outcome
from playproof.reports.cli import app
from playproof.reports.scripting import make_all


@pytest.fixture(scope="module")
def riches() -> Synthesis:
    return Synthesis(load_edition(load_game("diamond-riches")))


def test_a_run_that_is_broken_off_leaves_the_scripts_it_had_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[Finding] = []
    find = Synthesis.find

    def broken_off(self: Synthesis, *args: object) -> Finding:
        if len(found) == 3:
            raise KeyboardInterrupt
        found.append(find(self, *args))  # type: ignore[arg-type]
        return found[-1]

    monkeypatch.setattr(Synthesis, "find", broken_off)
    with pytest.raises(KeyboardInterrupt):
        make_all(
            "colour-collector", "all", count=1, seed=0, edition=None, readings=(),
            out=tmp_path, console=Console(quiet=True),
        )  # fmt: skip

    written = sorted(path.name for path in tmp_path.iterdir())
    assert written == ["row-01_5.00_5.json", "row-02_6.00_6.json", "row-03_7.00_7.json"]
    edition = load_edition(load_game("colour-collector"))
    for path in tmp_path.iterdir():
        script.check(script.load(path), edition)


def test_seconds_leave_a_prize_undecided_and_change_no_later_answer(riches: Synthesis) -> None:
    target = parse_target("£18 (£6 + £12)", riches.edition)
    late = riches.find(target, seconds=0.001)
    assert (late.plays, late.unreachable, late.remark) == ((), False, "out of time")
    assert riches.find(target).complete


def test_seconds_leave_a_claim_that_prizes_can_be_won_undecided(riches: Synthesis) -> None:
    verdict = decide(riches, "ladder-blue-reachable", 0.001)
    assert verdict.outcome is Outcome.UNDECIDED
    assert "out of time" in verdict.remark
    assert decide(riches, "ladder-blue-reachable", 600).outcome is Outcome.PROVED


def test_a_pot_of_many_spins_is_a_script_like_any_other(riches: Synthesis) -> None:
    finding = riches.find(parse_target("£700,005", riches.edition))
    (play,) = finding.plays
    spins = [step for step in play.steps if step.rule == "prize-spin"]
    assert len(spins) > 64
    *_, end = replay(riches.game, play)
    assert end.s.paid == 700_005_00


@pytest.mark.slow
def test_a_script_may_be_hundreds_of_steps_long(riches: Synthesis) -> None:
    (play,) = riches.find(parse_target("£5,000,000 (Prize Game)", riches.edition)).plays
    *_, end = replay(riches.game, play)
    assert (len(play.steps), end.s.paid) == (508, 5_000_000_00)


def test_a_prize_that_takes_too_many_steps_is_left_open_with_the_steps_it_takes(
    riches: Synthesis,
) -> None:
    finding = riches.find(parse_target("£12,000,000 (Prize Game)", riches.edition))
    assert not finding.unreachable
    # 1,200 spins of at most £10,000, six spins before them, the Prize Game's start and the end
    assert re.search(
        "takes 1208 steps at least.* more than 1024 are not looked", finding.remark
    )


@pytest.mark.slow
def test_a_proof_that_a_prize_is_out_of_reach_is_written_for_others_to_check(
    tmp_path: Path,
) -> None:
    out = str(tmp_path)
    shown = CliRunner().invoke(
        app, ["script", "diamond-riches", "--prize", "£7.77", "--out", out]
    )
    assert shown.exit_code == 1
    assert "No Play of any length pays £7.77" in shown.output
    again = CliRunner().invoke(app, ["recheck", out])
    assert again.exit_code == 0
    assert "1 confirmed" in again.output


@pytest.mark.slow
def test_script_says_that_it_ran_out_of_time() -> None:
    shown = CliRunner().invoke(
        app, ["script", "diamond-riches", "--prize", "£4 (red)", "--timeout", "0.001"]
    )
    assert shown.exit_code == 3
    assert "is not decided: out of time" in shown.output
