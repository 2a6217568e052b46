"""Pieces of work for the workers of a cluster, which import this module by its name."""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass
from pathlib import Path

from playproof.oracles.printrun import run as print_run
from playproof.proofs.campaign import Task

DIP = "tests.lucky_dip:LUCKY_DIP"


@dataclass(frozen=True)
class Ending(Task):
    """A property that ends the worker which decides it, ``times`` times."""

    notes: Path = Path()
    times: int = 1

    def decide(self, budget, tell, memory):
        """Kill the process that this is done in, unless that was done often enough."""
        if len(list(self.notes.iterdir())) < self.times:
            (self.notes / str(os.getpid())).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().decide(budget, tell, memory)


def squared(number):
    """Return the square of a number."""
    return number**2


def ends_the_worker(asked, shard, left):
    """Kill the process that this is done in, whatever it is asked for."""
    os.kill(os.getpid(), signal.SIGKILL)


def made_after_an_end(note, *given):
    """Make a shard of a print run; the first to be asked for the second one is killed."""
    if given[1] == 1 and not note.exists():
        note.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return print_run._made_elsewhere(*given)
