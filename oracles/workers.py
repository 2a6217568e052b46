"""Processes that work on the shards of a log side by side; results come in order.

A shard is worked on in one process from beginning to end, and nothing is kept of it there. A
process that is ended from outside loses nothing: its shard is worked on here.
"""

from __future__ import annotations

import gc
import multiprocessing
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from multiprocessing.connection import Connection, wait
from typing import Any, TypeVar

from .readers import Pause
from .settled import Sifted

__all__ = ["Workers", "can_fork"]

Part = TypeVar("Part")
Work = Callable[[Any, int], Sifted]

_FEW = 3  # so many shards are worked on sooner than processes are started
_AHEAD = 4  # shards for each process that may wait for one before them
_BETWEEN = 50  # shards between looks for what refers to itself in a ring


class _Slot:
    """A part of a log, in its place, and what became of it."""

    def __init__(self, part: Any, done: bool) -> None:
        self.part = part
        self.done = done
        self.result: Sifted | None = None


class Workers:
    """So many processes at most; with one, or where none can be forked, all is done here.

    Use ``with``. Work is done on a shard with so many steps of a solver as are ``left`` as it
    begins. ``lost`` hears of each process that was ended from outside.
    """

    def __init__(
        self, work: Work, left: Callable[[], int], jobs: int, lost: Callable[[], None]
    ) -> None:
        self._work = work
        self._left = left
        self._jobs = jobs if can_fork() else 1
        self._lost = lost
        self._idle: list[Connection] = []
        self._busy: dict[Connection, _Slot] = {}
        self._processes: list[Any] = []

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *error: object) -> None:
        for process in self._processes:
            process.terminate()
        for connection in (*self._idle, *self._busy):
            connection.close()
        for process in self._processes:
            process.join()

    def each(self, parts: Iterable[Part]) -> Iterator[tuple[Part, Sifted | None]]:
        """Yield each part in order, a shard with what the work on it came to.

        Nothing more is asked for after a pause until all that came before has been yielded.
        """
        coming = iter(parts)
        while self._jobs > 1:
            first = list(_first(coming))
            if not first:
                return
            if sum(map(_is_shard, first)) == _FEW:
                self._start()
                yield from self._side_by_side(_chained(first, coming))
                return
            for part in _chained(first, iter(())):
                yield part, self._here(part) if _is_shard(part) else None
        for part in coming:
            yield part, self._here(part) if _is_shard(part) else None

    def _side_by_side(self, coming: Iterator[Part]) -> Iterator[tuple[Part, Sifted | None]]:
        waiting: deque[_Slot] = deque()
        paused = ended = False
        while True:
            while not (paused or ended or len(waiting) >= _AHEAD * self._jobs):
                if self._busy and not self._idle:
                    break
                part = next(coming, None)
                if part is None:
                    ended = True
                    break
                paused = isinstance(part, Pause)
                slot = _Slot(part, not _is_shard(part))
                waiting.append(slot)
                if not slot.done:
                    self._give(slot)
            if not waiting:
                if ended:
                    return
                paused = False
            elif waiting[0].done:
                slot = waiting.popleft()
                yield slot.part, slot.result
            else:
                self._await()

    def _start(self) -> None:
        context: Any = multiprocessing.get_context("fork")
        # Ctrl-C is for us alone, who end them: they are born deaf to it.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        gc.freeze()  # what is there already is shared, as long as nobody touches it
        for _ in range(self._jobs - len(self._processes)):
            ours, theirs = context.Pipe()
            others = [ours, *self._idle]
            process = context.Process(
                target=_serve, args=(theirs, others, self._work), daemon=True
            )
            process.start()
            theirs.close()
            self._processes.append(process)
            self._idle.append(ours)
        gc.unfreeze()
        signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def _give(self, slot: _Slot) -> None:
        """Hand a shard to a process that is idle; work on it here if there is none."""
        while self._idle:
            connection = self._idle.pop()
            try:
                connection.send((slot.part, self._left()))
            except OSError:
                self._drop(connection)
                continue
            self._busy[connection] = slot
            return
        slot.result, slot.done = self._here(slot.part), True

    def _await(self) -> None:
        """Wait until a process is done, or ended."""
        for connection in wait(list(self._busy)):
            assert isinstance(connection, Connection)
            slot = self._busy.pop(connection)
            try:
                slot.result = connection.recv()
            except (EOFError, OSError):
                self._drop(connection)
                slot.result = self._here(slot.part)
            else:
                self._idle.append(connection)
                if slot.result is None:  # it failed; so it will here, where it is seen
                    slot.result = self._here(slot.part)
            slot.done = True

    def _here(self, part: Any) -> Sifted:
        collects = gc.isenabled()
        gc.disable()  # what a shard comes to has no rings, and is let go of by itself
        try:
            return self._work(part, self._left())
        finally:
            if collects:
                gc.enable()

    def _drop(self, connection: Connection) -> None:
        connection.close()
        self._lost()


def can_fork() -> bool:
    """Return whether processes can be forked, which is what makes them start at once."""
    return "fork" in multiprocessing.get_all_start_methods() and sys.platform != "darwin"


def _is_shard(part: object) -> bool:
    return hasattr(part, "rows")


def _first(coming: Iterator[Part]) -> Iterator[Part]:
    """Yield the first few shards and what is between them, up to a pause."""
    shards = 0
    for part in coming:
        yield part
        shards += _is_shard(part)
        if shards == _FEW or isinstance(part, Pause):
            return


def _chained(first: list[Part], coming: Iterator[Part]) -> Iterator[Part]:
    """Yield one after the other, and let go of what was yielded."""
    first.reverse()
    while first:
        yield first.pop()
    yield from coming


def _serve(connection: Connection, others: list[Connection], work: Work) -> None:
    """Work on shards until nobody is at the other end."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    for other in others:  # else they would not close when the process does that we serve
        other.close()
    gc.disable()
    count = 0
    while True:
        try:
            shard, left = connection.recv()
        except (EOFError, OSError):
            return
        result: Sifted | None
        try:
            result = work(shard, left)
        except Exception:
            result = None
        try:
            connection.send(result)
        except OSError:
            return
        count += 1
        if count % _BETWEEN == 0:
            gc.collect()
