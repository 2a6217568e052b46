"""A Dask cluster that works on the shards of a log, in place of processes here.

Lines are sent to it. The Plays of a Parquet file are only named, and read by the worker that
judges them: the file has to be where all workers see it.
"""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from ..models.editions import load_edition
from ..models.games import load_game
from ..models.tomlfile import TomlFile
from ..proofs.campaign import WorkerError
from ..proofs.cluster import Cluster, Lost
from .judge import Judge
from .kernels.ready import missing, rules_of
from .readers import Pause
from .settled import Sifted
from .shards import Shard, Stretch
from .sift import Sifter

__all__ = ["Asked", "Elsewhere"]

_AHEAD = 3  # shards for each thread that are sent before the first of them is done


@dataclass(frozen=True)
class Asked:
    """The rules to judge by: a game, as an edition has it, with the readings taken.

    ``game`` is an id or ``module:ATTRIBUTE``; ``fast`` asks for kernels, where there are any.
    """

    game: str
    edition: TomlFile | None = None
    readings: Mapping[str, str] = field(default_factory=dict)
    fast: bool = False

    def sifter(self) -> Sifter:
        """Return what judges Plays of a shard apart."""
        from .kernels.source import NoKernel

        judge = Judge(load_edition(load_game(self.game), self.edition), self.readings)
        if not self.fast or missing():
            return Sifter(judge)
        try:
            return Sifter(judge, rules_of(judge))
        except NoKernel:
            return Sifter(judge)


class Elsewhere:
    """The workers of a cluster, who judge by the rules that are ``asked`` for. Use ``with``.

    As ``workers.Workers``: with ``left`` steps for a solver as work on a shard begins. What no
    worker outlives, or can read, is done ``here``; ``lost`` hears of that.
    """

    def __init__(
        self,
        cluster: Cluster,
        asked: Asked,
        here: Callable[[Any, int], Sifted],
        left: Callable[[], int],
        lost: Callable[[], None],
    ) -> None:
        self._cluster, self._asked = cluster, pickle.dumps(asked)
        self._here, self._left, self._lost = here, left, lost

    def __enter__(self) -> Elsewhere:
        return self

    def __exit__(self, *error: object) -> None:
        self._cluster.close()

    def each(self, parts: Iterable[Any]) -> Iterator[tuple[Any, Sifted | None]]:
        """Yield each part in order, a shard with what the work on it came to.

        Nothing more is asked for after a pause until all that came before has been yielded.
        """
        waiting: deque[tuple[Any, Any]] = deque()
        most = _AHEAD * self._cluster.threads
        for part in parts:
            waiting.append((part, self._begin(part) if hasattr(part, "rows") else None))
            while waiting and (len(waiting) > most or _there(*waiting[0], part)):
                yield self._came(*waiting.popleft())
        while waiting:
            yield self._came(*waiting.popleft())

    def _begin(self, shard: Shard) -> Any:
        if isinstance(shard, Stretch):
            shard = shard.lines  # workers need not see the file
        return self._cluster.begin(_sift, self._asked, shard, self._left())

    def _came(self, part: Any, future: Any) -> tuple[Any, Sifted | None]:
        if future is None:
            return part, None
        try:
            sifted: Sifted = self._cluster.result(future)
        except (Lost, WorkerError):  # what is a fault of ours is one here, too, and seen
            self._lost()
        else:
            return part, sifted
        finally:
            future.release()
        return part, self._here(part, self._left())


def _there(part: Any, future: Any, last: Any) -> bool:
    """Return whether the first that waits can be taken at once, or has to be."""
    return future is None or isinstance(last, Pause) or bool(future.done())


@lru_cache(maxsize=1)
def _sifter(asked: bytes) -> Sifter:
    """Return what judges by some rules: a worker is asked for the same again and again."""
    made: Asked = pickle.loads(asked)
    return made.sifter()


def _sift(asked: bytes, shard: Shard, left: int) -> Sifted:
    """Judge Plays of a shard apart, in a worker."""
    return _sifter(asked).sift(shard, left)
