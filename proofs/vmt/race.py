"""Run several lines of attack on one question side by side, and take the first answer.

Each line is a process of its own: a solver cannot be asked to stop in time. No more than
``jobs`` are let run at once; the others are held. Turns go to those that have had least, for
their share: what decides most problems runs alone at first, what seldom does comes later, and
is not even started before. While an answer is looked at, all are held. A line that dies or
gives up leaves the others at it. Ctrl-C stops all and raises KeyboardInterrupt.
"""

from __future__ import annotations

import os
import signal
import time
import traceback
from collections.abc import Generator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import forkserver
from multiprocessing.connection import Connection, wait
from typing import Any

from ..processes import deaf, starting_with
from .answers import Answer, GaveUp, Safe
from .lines import LINES, Question, attack
from .reader import read_vmt
from .system import System, build

__all__ = ["Asked", "race", "warm_up"]

_SLICE = 0.3
"""Seconds of a turn."""


@dataclass(frozen=True)
class _Share:
    """What a line gets of the time, and how many seconds others have had before it starts."""

    weight: float = 1.0
    after: float = 0.0


_SHARES = {
    "global-spacer": _Share(after=0.2),
    "numbers": _Share(after=0.3),
    "shapes": _Share(weight=2.0, after=0.4),
    "predicates": _Share(weight=0.8, after=0.6),
    "bits": _Share(weight=0.4, after=1.5),
    "short-runs": _Share(weight=0.4, after=1.0),
    "walk": _Share(weight=0.35, after=1.5),
}


@dataclass(frozen=True)
class Asked:
    """A question that can be sent to another process: known invariants are text."""

    text: str
    source: str
    numbers: tuple[int, ...]
    known: tuple[str, ...] = ()


class LineError(RuntimeError):
    """A line of attack met an error of ours; the text is its traceback."""


def race(
    asked: Asked, seconds: float, jobs: int, lines: Sequence[str] = tuple(LINES)
) -> Generator[Answer, None, None]:
    """Yield answers as they come, φ as text, until time is up or no line is left.

    Whoever is content with one stops asking; that ends the race. Raises KeyboardInterrupt on
    Ctrl-C, LineError for a fault of ours where no other line answers.
    """
    ends = time.monotonic() + seconds
    running = [_Line(name, asked) for name in lines]
    faults = []
    try:
        while running and (left := ends - time.monotonic()) > 0:
            chosen = sorted(running, key=lambda one: one.spent)[:jobs]
            for line in running:
                line.let_run(line in chosen)
            turn = _SLICE if len(running) > jobs else left
            began = time.monotonic()
            pipes = [line.pipe for line in running if line.pipe is not None]
            ready = wait(pipes, min(left, turn))
            for line in chosen:
                line.charge(time.monotonic() - began)
            for line in [one for one in running if one.pipe in ready]:
                running.remove(line)
                said = line.hear()
                line.stop()
                if isinstance(said, str):
                    faults.append(said)
                    said = GaveUp(line.name, said.strip().splitlines()[-1])
                if not isinstance(said, GaveUp):
                    for other in running:
                        other.let_run(False)
                yield said
    finally:
        for line in running:
            line.stop()
    if faults and len(faults) == len(lines):
        raise LineError(faults[0])


class _Line:
    """A line of attack: its process and the pipe to it, once it is let run."""

    def __init__(self, name: str, asked: Asked) -> None:
        self.name = name
        self.asked = asked
        self.share = _SHARES.get(name, _Share())
        self.spent = self.share.after
        self.pipe: Any = None
        self.process: Any = None
        self.held = False

    def charge(self, seconds: float) -> None:
        """Count time that it was let run."""
        self.spent += seconds / self.share.weight

    def let_run(self, runs: bool) -> None:
        if self.process is None:
            if runs:
                self._start()
        elif runs == self.held and self.process.pid is not None:
            with suppress(ProcessLookupError):
                os.kill(self.process.pid, signal.SIGCONT if runs else signal.SIGSTOP)
            self.held = not runs

    def _start(self) -> None:
        context = starting_with(__name__, "z3")
        self.pipe, other = context.Pipe(duplex=False)
        arguments = (other, self.name, self.asked)
        self.process = context.Process(target=_work, args=arguments, daemon=True)
        with deaf():
            self.process.start()
        other.close()

    def hear(self) -> Answer | str:
        """Return its answer; a text is the traceback of a fault of ours."""
        try:
            said: Answer | str = self.pipe.recv()
        except (EOFError, ConnectionError):
            self.process.join()
            code = self.process.exitcode
            said = GaveUp(self.name, f"its process ended with code {code}", died=True)
        return said

    def stop(self) -> None:
        if self.process is not None:
            self.pipe.close()
            self.process.kill()
            self.process.join()


def warm_up() -> None:
    """Begin to start the server that lines are forked from, so that it is there in time."""
    if starting_with(__name__, "z3").get_start_method() == "forkserver":
        with deaf():
            forkserver.ensure_running()


def _work(pipe: Connection[Any, Any], line: str, asked: Asked) -> None:
    """Answer through the pipe."""
    try:
        system = build(read_vmt(asked.text, asked.source))
        known = [_parsed(system, text) for text in asked.known]
        answer = attack(line, Question(system, asked.numbers, known))
        pipe.send(answer.told() if isinstance(answer, Safe) else answer)
    except (KeyboardInterrupt, ConnectionError):
        return
    except BaseException:
        pipe.send(traceback.format_exc())


def _parsed(system: System, text: str) -> Any:
    """Return a formula over the state's variables that was sent as text."""
    import z3

    named = {a.sexpr().strip("|"): a.decl() for a in system.now}
    return z3.parse_smt2_string(f"(assert {text})", decls=named)[0]
