"""One reduced copy, larger and larger: gone through by its rules, SPIN and rumur, and proved.

``python -m tests.explicit_growth enumerate|prove GAME COPY FIGURE VALUE CLAIM...`` does one of
ours and prints what came of it, so that each is measured as a process of its own.
"""

from __future__ import annotations

import dataclasses
import json
import re
import subprocess
import sys
from pathlib import Path

from playproof.models.games import load_game
from playproof.proofs.copies import reduced
from playproof.proofs.copyfile import copies_path, load_copies
from playproof.proofs.encoding import encode
from playproof.proofs.enumeration import enumerate_copy
from playproof.proofs.findings import judge
from playproof.proofs.prover import prove
from playproof.proofs.verdict import Outcome
from playproof.proofs.workbench import Workbench

from .explicit_checkers import Small, murphi, promela

ROOT = Path(__file__).parents[1]
MOST = 200_000

# A small process starts the one that is measured: what a large one starts would seem as large.
_MEASURE = """
import json, os, resource, subprocess, sys
ended = subprocess.run(sys.argv[1:], stdin=subprocess.DEVNULL, capture_output=True, text=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps([ended.returncode, ended.stdout, ended.stderr,
                  used.ru_utime + used.ru_stime, used.ru_maxrss / 1024]))
"""


@dataclasses.dataclass(frozen=True)
class Ran:
    """What a process came to: ``states`` (0 where it has none), CPU seconds, and peak MB."""

    states: int
    holds: bool
    seconds: float
    megabytes: float


def grown(game, name, **figures):
    """Return a copy of a game with some figures changed, whatever was pinned of it."""
    path = None if copies_path(game).is_file() else ROOT / "tests" / "lucky_dip_copies.toml"
    (copy,) = [one for one in load_copies(game, path) if one.name == name]
    return dataclasses.replace(copy, figures={**copy.figures, **figures}, pinned=None)


def ours(way, game, copy, figure, value, claims):
    """Go through a copy, or prove the claims of it, in a process of its own."""
    module = [sys.executable, "-m", "tests.explicit_growth"]
    said, seconds, megabytes = _run([*module, way, game, copy, figure, str(value), *claims])
    return Ran(**json.loads(said), seconds=seconds, megabytes=megabytes)


def spin(small: Small, folder: Path):
    """Have SPIN check a copy; also return the seconds that making its checker took."""
    (folder / "small.pml").write_text(promela(small))
    # Without -o2 it forgets what no rule or claim reads, and takes states for one another.
    made = _run(["spin", "-o2", "-a", "small.pml"], folder)[1]
    made += _run(["cc", "-O2", "-DSAFETY", "-o", "pan", "pan.c"], folder)[1]
    # Its tables of hashes and of steps are as large as it is told, 128 MB if it is not.
    said, seconds, megabytes = _run(["./pan", "-n", "-E", "-m100000", "-w18"], folder)
    assert "max search depth too small" not in said
    (errors,) = re.findall(r"errors: (\d+)", said)
    (states,) = re.findall(r"(\d+) states, stored", said)
    return Ran(int(states), errors == "0", seconds, megabytes), made


def rumur(small: Small, folder: Path):
    """Have rumur check a copy; also return the seconds that making its checker took."""
    (folder / "small.m").write_text(murphi(small))
    options = ["--threads", "1", "--deadlock-detection", "off", "--output", "small.c"]
    made = _run(["rumur", *options, "small.m"], folder)[1]
    compiled = ["cc", "-std=c11", "-O2", "-o", "small", "small.c", "-lpthread"]
    made += _run(compiled, folder)[1]
    said, seconds, megabytes = _run(["./small", "--color=off"], folder, may_fail=True)
    (states,) = re.findall(r"([\d,]+) states,", said)
    return Ran(int(states.replace(",", "")), "No error found" in said, seconds, megabytes), made


def _run(command, folder=ROOT, may_fail=False):
    measuring = [sys.executable, "-S", "-c", _MEASURE, *command]
    ended = subprocess.run(
        measuring, cwd=folder, capture_output=True, text=True, check=True, timeout=600
    )
    code, said, wrong, seconds, megabytes = json.loads(ended.stdout)
    if code and not may_fail:
        raise RuntimeError(f"{command[0]} ended with {code}: {wrong or said}")
    return said, seconds, megabytes


def main(way, game_id, name, figure, value, *claims):
    game = load_game(game_id)
    copy = grown(game, name, **{figure: int(value)})
    if way == "enumerate":
        found = enumerate_copy(game, copy, most=MOST)
        assert found.exhausted
        holds = all(judge(found, found.game.property(claim)).holds for claim in claims)
        return {"states": len(found.points), "holds": holds}
    small = reduced(game, copy)
    bench = Workbench(encode(small, copy.parameters, copy.readings))
    said = {"parameters": copy.parameters, "readings": copy.readings, "bench": bench}
    outcomes = {prove(small, claim, **said).outcome for claim in claims}
    return {"states": 0, "holds": outcomes == {Outcome.PROVED}}


if __name__ == "__main__":
    sys.stdout.write(json.dumps(main(*sys.argv[1:])) + "\n")
