"""Every fault that can be built in is found by driving, for what it is and with its clause.

``SUITES`` are small suites in which each of the faults comes out. The tables say of each fault
what the first finding is: its kind, and the clause it has to name. An honest build passes.

    pytest -m bench -s tests/test_faults.py      prints the tables of findings
"""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from playproof.models.editions import load_edition
from playproof.models.games import load_game
from playproof.oracles.builds import CallableBuild, CommandBuild
from playproof.oracles.cases import load_cases
from playproof.oracles.drive import Driver

from .builds.colour_collector import FAULTS, Build
from .node import NODE, NONE

SUITES = Path(__file__).parent / "suites"
BUILDS = Path(__file__).parent / "builds"

COLOUR_COLLECTOR = {
    "awards-kept": ("shows", "CC-25"),
    "level-kept": ("carry-over", "CC-10"),
    "surplus-lost": ("shows", "CC-21"),
    "row-spills": ("shows", "CC-14"),
    "row-wins-early": ("paid", "CC-18"),
    "no-extra-spins": ("shows", "CC-27"),
    "spins-twice": ("shows", "CC-27"),
    "doubles-each": ("shows", "CC-45"),
    "doubles-last": ("shows", "CC-45"),
    "no-cap": ("shows", "CC-40"),
    "goes-on": ("shows", "CC-44"),
    "super-lifts-one": ("shows", "CC-29"),
    "boosted-twice": ("shows", "CC-28"),
    "panel-reversed": ("shows", "CC-27"),
    "near-miss-full": ("shows", "CC-18"),
    "prize-game-at-once": ("refused", "CC-41"),
    "prize-game-again": ("shows", "CC-40"),
    "awards-not-saved": ("resume", "CC-25"),
    "spins-rewound": ("resume", "CC-13"),
    "reel-stops-short": ("refused", "CC-22"),
    "whole-tens": ("paid", "CC-51"),
    "small-pot": ("shows", "CC-43"),
    "mixed-levels": ("paid", "CC-18"),
    "prize-early": ("leak", "CC-45"),
}

DIAMOND_RICHES = {
    "meter-not-emptied": ("shows", "DR-18"),
    "wheel-shared": ("carry-over", "DR-10"),
    "active-icons-stay": ("shows", "DR-20"),
    "surplus-lost": ("shows", "DR-18"),
    "ladder-overflows": ("shows", "DR-13"),
    "box-late": ("shows", "DR-14"),
    "extra-spin-forgotten": ("shows", "DR-14"),
    "extra-spin-again": ("shows", "DR-14"),
    "icons-once": ("shows", "DR-12"),
    "whole-pot-multiplied": ("shows", "DR-41"),
    "x1-stays": ("illegal", "DR-34"),
    "prize-meter-uncapped": ("shows", "DR-16"),
    "extra-spin-kept": ("shows", "DR-15"),
    "extra-spins-multiplied": ("shows", "DR-42"),
    "upgrade-skips": ("shows", "DR-35"),
    "upgrade-late": ("shows", "DR-13"),
    "ladders-swapped": ("shows", "DR-13"),
    "complete-at-twelve": ("shows", "DR-13"),
    "spin-before-bonus": ("illegal", "DR-17"),
    "prize-game-again": ("refused", "DR-40"),
    "resume-loses-pot": ("resume", "DR-41"),
    "resume-refills-picks": ("resume", "DR-20"),
    "last-section-never": ("refused", "DR-11"),
    "pot-rounded": ("shows", "DR-41"),
    "pot-of-16-bits": ("shows", "DR-41"),
    "outcome-told": ("leak", "DR-50"),
}

needs_node = pytest.mark.skipif(NODE is None, reason=NONE)


@cache
def cases(game):
    return load_cases(SUITES / game)


@cache
def edition(game):
    return load_edition(load_game(game))


def colour_collector(fault=None):
    """Return the build of Colour Collector, in this process."""

    class Faulty:
        def __init__(self):
            self.answer = Build(fault).answer

        def __call__(self, request):
            return self.answer(request)

    return CallableBuild(f"colour-collector --fault {fault}", Faulty)


def diamond_riches(fault=None):
    """Return the build of Diamond Riches, a process of Node."""
    options = ["--fault", fault] if fault else []
    return CommandBuild([str(NODE), str(BUILDS / "diamond-riches.mjs"), *options])


def driven(game, build, **more):
    return Driver(build, edition(game), cases(game), **more).drive()


def first(game, build):
    """Return the first finding of a faulty build; None where it passes."""
    found = driven(game, build, most=1, ways=["least"]).findings
    return found[0] if found else None


def check(finding, code, clause):
    """Check that a finding is of this kind and names this clause."""
    assert finding is not None, "the faulty build passes"
    assert finding.code == code, finding.text()
    assert clause in finding.clauses, finding.text()


@cache
def listed():
    """Return the faults of Diamond Riches: their class and what they are, by id."""
    command = [str(NODE), str(BUILDS / "diamond-riches.mjs"), "--faults"]
    made = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    return {one["id"]: one for one in made}


def test_the_honest_build_of_colour_collector_passes():
    told = driven("colour-collector", colour_collector())
    assert [finding.text() for finding in told.findings] == []
    assert told.never_taken == ()
    assert told.probes > 50


@needs_node
def test_the_honest_build_of_diamond_riches_passes():
    told = driven("diamond-riches", diamond_riches())
    assert [finding.text() for finding in told.findings] == []
    assert told.probes > 50


def test_the_tables_have_every_fault():
    assert COLOUR_COLLECTOR.keys() == FAULTS.keys()


@needs_node
def test_the_table_of_diamond_riches_has_every_fault():
    assert DIAMOND_RICHES.keys() == listed().keys()


@pytest.mark.parametrize("fault", FAULTS)
def test_every_fault_of_colour_collector_is_found(fault):
    finding = first("colour-collector", colour_collector(fault))
    check(finding, *COLOUR_COLLECTOR[fault])


@needs_node
@pytest.mark.parametrize("fault", DIAMOND_RICHES)
def test_every_fault_of_diamond_riches_is_found(fault):
    finding = first("diamond-riches", diamond_riches(fault))
    check(finding, *DIAMOND_RICHES[fault])


@pytest.mark.bench
def test_the_tables_of_findings():
    for fault, about in FAULTS.items():
        show(fault, about.kind, about.says, first("colour-collector", colour_collector(fault)))
    for fault, about in listed().items() if NODE else ():
        found = first("diamond-riches", diamond_riches(fault))
        show(fault, about["class"], about["says"], found)


def show(fault, kind, says, finding):
    sys.stdout.write(f"\n{fault} [{kind}]: {says}\n")
    told = finding.text() if finding else "not found"
    sys.stdout.write("".join(f"    {line}\n" for line in told.splitlines()))
    if finding and finding.fault:
        sys.stdout.write(f"    looks like: {finding.fault}\n")
