"""Many questions to solvers, over several processes; one that crashes costs one answer.

A question is a text and a solver. Each is asked once, whoever needs the answer.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from typing import Protocol

from . import solvers
from .processes import starting_with
from .solvers import Result, Steps

__all__ = ["Question", "ask_all"]

Question = tuple[str, str]
"""A solver, and the text it is asked."""


class Asker(Protocol):
    """How one question is asked; it runs in another process."""

    def __call__(self, solver: str, text: str, steps: Steps) -> Result: ...


def ask(solver: str, text: str, steps: Steps) -> Result:
    """Ask one question within so many steps."""
    return solvers.run(solver, text, steps=steps)


def ask_all(
    questions: Iterable[Question],
    steps: Steps,
    *,
    jobs: int,
    asker: Asker = ask,
    heard: Callable[[Result], None] = lambda result: None,
) -> dict[Question, Result]:
    """Return the answer to every question, ``jobs`` at a time, the longest texts first.

    Where a process ends in the middle of a question, its solver crashed: that is ``unknown``.
    Raises KeyboardInterrupt on Ctrl-C.
    """
    waiting = sorted(dict.fromkeys(questions), key=lambda one: (-len(one[1]), one))
    found: dict[Question, Result] = {}

    def note(question: Question, result: Result) -> None:
        found[question] = result
        heard(result)

    _ask_some(waiting, steps, jobs, asker, note)
    while left := [one for one in waiting if one not in found]:
        _ask_some(left, steps, 1, asker, note)  # now it is clear which one is to blame
        if crashed := next((one for one in left if one not in found), None):
            note(crashed, Result(crashed[0], "unknown", f"{crashed[0]} crashed"))
    return found


def _ask_some(
    questions: Sequence[Question],
    steps: Steps,
    jobs: int,
    asker: Asker,
    note: Callable[[Question, Result], None],
) -> None:
    """Ask in order until all are answered, or a process ends that should not."""
    if not questions:
        return
    pool = ProcessPoolExecutor(
        min(jobs, len(questions)), mp_context=starting_with("z3", "cvc5"), initializer=_deaf
    )
    try:
        asked: dict[Future[Result], Question] = {
            pool.submit(asker, solver, text, steps): (solver, text)
            for solver, text in questions
        }
        for future in as_completed(asked):
            note(asked[future], future.result())
    except BrokenProcessPool:
        return
    finally:
        # On Ctrl-C they are in the middle of something; Python 3.14 has a method for it.
        processes = list((pool._processes or {}).values())
        pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.terminate()


def _deaf() -> None:
    """Leave Ctrl-C to whoever started this process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
