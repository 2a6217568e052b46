"""Work done side by side in copies of this process, with the same results as one after another.

An item holds all that its work depends on; what the work changes is not seen by any other. So
results are the same for any number of processes, and where no process can be forked.
"""

from __future__ import annotations

import gc
import multiprocessing
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable
from multiprocessing.connection import Connection, wait
from typing import Any, Generic, TypeVar

from .workers import can_fork

__all__ = ["AHEAD", "abreast"]

AHEAD = 4
"""Items that are begun before the result of the first of them is seen."""

Item = TypeVar("Item")
Result = TypeVar("Result")


def abreast(
    work: Callable[[Item], Result], items: Iterable[Item], jobs: int = 1
) -> Generator[Result, None, None]:
    """Yield what work on each item comes to, in order, ``jobs`` items at a time at most.

    An item is asked for when all but ``AHEAD`` - 1 of the results before it have been taken, so
    it may be made with what is known by then.

    >>> list(abreast(abs, [3, -4]))
    [3, 4]
    """
    coming, waiting = iter(items), deque[_Slot[Item, Result]]()
    ended = False
    try:
        while True:
            while not ended and len(waiting) < AHEAD:
                for item in coming:
                    waiting.append(_Slot(work, item))
                    break
                else:
                    ended = True
            if not waiting:
                return
            if jobs > 1 and can_fork():
                _until_done(waiting, jobs)
            yield waiting.popleft().result()
    finally:
        for slot in waiting:
            slot.end()


class _Slot(Generic[Item, Result]):
    """An item, the process that is at it, if any, and what the work on it came to."""

    def __init__(self, work: Callable[[Item], Result], item: Item) -> None:
        self._work, self._item = work, item
        self._process: Any = None
        self.pipe: Connection[Any, Any] | None = None
        self._came: list[Result] = []  # one at most

    @property
    def waits(self) -> bool:
        """Whether nothing has been done yet."""
        return self._process is None

    def start(self, others: list[Connection[Any, Any]]) -> None:
        """Have a copy of this process do the work; ``others`` lead to those at work."""
        context: Any = multiprocessing.get_context("fork")
        self.pipe, theirs = context.Pipe(duplex=False)
        args = theirs, [self.pipe, *others], self._work, self._item
        self._process = context.Process(target=_serve, args=args, daemon=True)
        # Ctrl-C is for us alone, who end them: they are born deaf to it.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        gc.freeze()  # what is there already is shared, as long as nobody touches it
        try:
            self._process.start()
        finally:
            gc.unfreeze()
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        theirs.close()

    def hear(self) -> None:
        """Take what the process came to; nothing where it failed, or was ended."""
        assert self.pipe is not None
        try:
            self._came = [self.pipe.recv()]
        except (EOFError, OSError):
            self._came = []
        self.end()

    def result(self) -> Result:
        """Return what the work came to; what failed elsewhere is done here, and fails here."""
        return self._came.pop() if self._came else self._work(self._item)

    def end(self) -> None:
        """Let the process go, whatever it is at."""
        if self.pipe is not None:
            self.pipe.close()
            self._process.terminate()
            self._process.join()
            self.pipe = None


def _until_done(slots: deque[_Slot[Item, Result]], jobs: int) -> None:
    """Work until the first is done, others meanwhile."""
    while slots[0].waits or slots[0].pipe is not None:
        at_work = [slot.pipe for slot in slots if slot.pipe is not None]
        for slot in [one for one in slots if one.waits][: jobs - len(at_work)]:
            slot.start(at_work)
            assert slot.pipe is not None
            at_work.append(slot.pipe)
        done = wait(at_work)
        for slot in slots:
            if slot.pipe in done:
                slot.hear()


def _serve(
    pipe: Connection[Any, Any],
    others: list[Connection[Any, Any]],
    work: Callable[[Item], Result],
    item: Item,
) -> None:
    """Do the work, and send what it comes to; send nothing where it fails."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    for other in others:  # else they would not close when the process does that we serve
        other.close()
    try:
        result = work(item)
    except Exception:
        return
    pipe.send(result)
