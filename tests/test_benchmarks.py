"""What the engines cost, each as a ratio in one run; nothing is asserted on time."""

from __future__ import annotations

import resource
import subprocess
import sys
import time

import pytest
from hypothesis import HealthCheck, Phase, find, settings
from hypothesis.errors import NoSuchExample

from playproof.models.editions import load_edition
from playproof.models.games import load_game
from playproof.models.play import replay
from playproof.oracles.strategies import plays
from playproof.oracles.synthesis import Synthesis
from playproof.oracles.targets import parse_target
from playproof.proofs import solvers
from playproof.proofs.budget import Budget
from playproof.proofs.encoding import encode
from playproof.proofs.prover import prove
from playproof.proofs.verdict import Outcome
from playproof.proofs.workbench import Workbench

from .measuring import record

pytestmark = [pytest.mark.bench, pytest.mark.table]

_CAP = 500


@pytest.mark.parametrize("id_", ["colour-collector", "diamond-riches"])
def test_the_prover_beside_the_solvers_alone(id_):
    """What proved properties take, beside the same checks asked from their text alone.

    A check that several properties share is asked once, on either side. What other properties
    take, refuted ones and those that depend on readings, has no such checks: it is told apart.
    """
    game = load_game(id_)
    began = time.process_time()
    bench = Workbench(encode(game))
    whole, bare = time.process_time() - began, 0.0
    steps = Budget().induction
    others = 0.0
    proved = checks = 0
    for claim in game.properties:
        began = time.process_time()
        verdict = prove(game, claim.id, bench=bench)
        took = time.process_time() - began
        if verdict.outcome is not Outcome.PROVED or verdict.certificate is None:
            others += took
            continue
        proved += 1
        whole += took
        texts = {one.name: one.text for one in verdict.certificate.obligations}
        for answer in verdict.answers:
            if not answer.seconds:  # had before, for another property
                continue
            began = time.process_time()
            again = solvers.run(answer.solver, texts[answer.obligation], steps=steps)
            bare += time.process_time() - began
            checks += 1
            assert again.answer == answer.answer == "unsat"
    record(
        f"prover / bare solvers, {id_}",
        whole / bare,
        properties=proved,
        checks=checks,
        prover_s=round(whole, 2),
        solvers_s=round(bare, 2),
        not_counted_s=round(others, 2),
    )


@pytest.mark.parametrize(
    ("id_", "prize"),
    [
        ("colour-collector", "£5"),
        ("colour-collector", "£100"),
        ("colour-collector", "£20,000"),
        ("diamond-riches", "£50"),
        ("diamond-riches", "£1,234"),
    ],
)
def test_rare_prizes_by_synthesis_and_by_random_plays(id_, prize):
    """How long a Play of a prize is looked for by the solver, and by chance, up to a cap."""
    edition = load_edition(load_game(id_))
    synthesis = Synthesis(edition)
    target = parse_target(prize, edition)
    began = time.process_time()
    finding = synthesis.find(target)
    solved = time.process_time() - began
    assert finding.plays
    tried = 0

    def wins(play):
        nonlocal tried
        tried += 1
        (*_, last) = replay(edition.game, play)
        return edition.game.goal.paid(play.setting, last.s) == target.amount

    began = time.process_time()
    try:
        find(
            plays(id_),
            wins,
            settings=settings(
                max_examples=_CAP,
                phases=[Phase.generate],
                suppress_health_check=list(HealthCheck),
                database=None,
                deadline=None,
            ),
        )
        found = True
    except NoSuchExample:
        found = False
    by_chance = time.process_time() - began
    record(
        f"random Plays / synthesis, {id_} {prize}",
        by_chance / solved,
        found_by_chance=found,
        plays_tried=tried,
        chance_s=round(by_chance, 2),
        synthesis_s=round(solved, 2),
    )


@pytest.mark.parametrize(
    ("what", "command"),
    [
        ("playproof --help", ["-m", "playproof", "--help"]),
        (
            "start-up of a proof",
            ["-c", "import playproof.reports.cli, playproof.proofs.prover"],
        ),
    ],
)
def test_start_up(what, command):
    """What a process takes before it is at work, beside one of Python that does nothing."""

    def least(arguments):
        took = []
        for _ in range(5):
            before = _of_children()
            subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, check=True)
            took.append(_of_children() - before)
        return min(took)

    alone, ours = least(["-c", "pass"]), least(command)
    record(
        f"{what} / python alone",
        ours / alone,
        ours_s=round(ours, 3),
        python_s=round(alone, 3),
    )


def _of_children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
