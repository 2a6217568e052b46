"""A print run: so many Plays, shuffled, written shard by shard by several processes.

The order of prizes is one permutation of all of them, by the seed; each shard is dealt its
slice with random numbers of its own. So the file is the same, byte for byte, however many
processes there are and whatever was interrupted.
"""

from __future__ import annotations

import hashlib
import multiprocessing
import pickle
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from ... import __version__
from ...errors import BadInput
from ...models.editions import Edition
from ...proofs.cluster import Cluster
from ..kernels.layout import ROWS, Layout, layout_of
from ..targets import Target
from ..workers import can_fork
from .dealer import Dealer, Dealt
from .pool import LOSING, Pool, pool_of
from .scenes import Scenes
from .shards import Done, Shard, Shards, as_parquet
from .tally import Tally, added, tally_of, unlike_all_others
from .winners import Winners

__all__ = ["Made", "Telling", "make"]

_ROUNDS = 3  # times that processes are started again after one was ended from outside


@dataclass(frozen=True)
class Telling:
    """Who hears how far it has come: of each prize that a Play was found for, of shards."""

    found: Callable[[Target], None] = lambda target: None
    shards: Callable[[int, int], None] = lambda done, count: None
    lost: Callable[[], None] = lambda: None


@dataclass(frozen=True)
class Made:
    """A run that was made: counts over all its Plays, and how many are unlike all others."""

    winners: Winners
    tally: Tally
    distinct: int
    kept: int
    """Shards that an earlier, interrupted run had made."""


def make(
    edition: Edition,
    readings: Mapping[str, str],
    winners: Winners,
    out: Path,
    *,
    seed: int = 0,
    jobs: int = 1,
    layouts: bool = False,
    cluster: Cluster | None = None,
    rows: int = ROWS,
    telling: Telling | None = None,
) -> Made:
    """Make a run and write it to a Parquet file, ``rows`` Plays a shard.

    That takes so many processes as ``jobs`` says, or the workers of a ``cluster``.

    Raises BadInput where a prize cannot be won, where the file cannot be written, and for parts
    of another run in its place; ValueError for more rows than a shard may have.
    """
    if not 1 <= rows <= ROWS:
        raise ValueError(f"a shard has 1 to {ROWS} Plays, not {rows}")
    if layouts and cluster is not None:
        raise BadInput("--layouts are made here: leave --scheduler away, or make none")
    tell = telling or Telling()
    order = _order(winners, seed)
    used = [n for n, count in enumerate((winners.losing, *winners.winners)) if count]
    all_targets = (LOSING, *winners.targets)
    wanted = [(winners.losing, *winners.winners)[n] for n in used]
    targets = [all_targets[n] for n in used]
    pool = pool_of(edition, readings, targets, wanted, seed=seed, jobs=jobs, tell=tell.found)
    place = np.zeros(len(all_targets), np.int64)
    place[used] = np.arange(len(used))
    laid_out = layout_of(edition, readings)
    shards = Shards(out, _run_of(pool, laid_out, winners, seed, layouts, rows))
    shards.begin()
    scenes = Scenes(edition, readings, seed) if layouts else None
    table = [target.row or number for number, target in enumerate(all_targets)]
    maker = _Maker(Dealer(pool, winners.plays), laid_out, place, table, seed, scenes)
    work = _Work(maker, shards, order, rows)
    count = -(-winners.plays // rows)
    kept = 0
    done: dict[int, Done] = {}
    for number in range(count):
        if (before := shards.done(number)) is not None:
            done[number] = before
            kept += 1
    tell.shards(len(done), count)
    missing = [number for number in range(count) if number not in done]
    if cluster is not None:
        each = _on_cluster(cluster, work, missing, tell.lost)
    else:
        each = _each(work, missing, jobs, tell.lost)
    for number, result in each:
        shards.note(number, result)
        done[number] = result
        tell.shards(len(done), count)
    tally = added(done[number].tally for number in range(count))
    distinct = unlike_all_others(shards.numbers(count))
    shards.finish(count)
    return Made(winners, tally, distinct, kept)


def _order(winners: Winners, seed: int) -> Any:
    """Return the target of every Play by number, 0 for losing, shuffled."""
    counts = [winners.losing, *winners.winners]
    order = np.repeat(np.arange(len(counts), dtype=np.int16), counts)
    np.random.Generator(np.random.PCG64(seed)).shuffle(order)
    return order


def _run_of(
    pool: Pool, laid_out: Layout, winners: Winners, seed: int, layouts: bool, rows: int
) -> str:
    """Return what tells a run from any other."""
    what = [
        __version__, laid_out.metadata()[b"playproof"].decode(), pool.memory.numbers,
        dict(pool.memory.at), repr(pool.rules), list(winners.winners), winners.losing, seed,
        layouts, rows,
    ]  # fmt: skip
    return hashlib.sha256(msgspec.json.encode(what)).hexdigest()


class _Maker:
    """Makes shards, wherever it is."""

    def __init__(
        self,
        dealer: Dealer,
        laid_out: Layout,
        place: Any,
        table: Sequence[int],
        seed: int,
        scenes: Scenes | None = None,
    ) -> None:
        self.dealer, self._laid_out, self._place = dealer, laid_out, place
        self._table = np.array(table, np.int16)
        self._seed, self._scenes = seed, scenes

    def made(self, number: int, first: int, targets: Any) -> Shard:
        """Return a shard whose Plays, numbered from ``first`` on, win these targets."""
        dealt, effects = self.dealer.shard(self._place[targets], self._seed, number)
        tally = tally_of(dealt, targets, self._laid_out.rules, effects)
        numbers = np.ascontiguousarray(dealt.numbers, "<i8").tobytes()
        return Shard(as_parquet(self._columns(first, targets, dealt)), numbers, tally)

    def _columns(self, first: int, targets: Any, dealt: Dealt) -> Any:
        import pyarrow as pa

        count, layout = len(targets), self._laid_out
        rows = self._table[targets]
        parts = _fixed(dealt.parts, layout.parts.size, count)
        columns = [
            pa.array(np.arange(first, first + count)),
            pa.array(dealt.paid),
            parts,
            pa.array(rows),
            _varying(dealt.events, dealt.event_ends),
            _varying(dealt.reveals, dealt.reveal_ends),
            _fixed(dealt.finals, layout.state.size, count),
            pa.array(dealt.paid),
            parts,
        ]
        if self._scenes is not None:
            columns.append(pa.array(self._scenes.of(layout, dealt, first), pa.string()))
        schema = layout.schema(screens=self._scenes is not None)
        return pa.Table.from_arrays(columns, schema=schema)

    def recipe(self) -> bytes:
        """Return what makes the same shards elsewhere, but for layouts."""
        dealer, table = self.dealer, self._table.tolist()
        place = self._place.tolist()
        return pickle.dumps(
            (dealer.pool, dealer.plays, self._laid_out, place, table, self._seed)
        )


@lru_cache(maxsize=1)
def _maker(recipe: bytes) -> _Maker:
    pool, plays, laid_out, place, table, seed = pickle.loads(recipe)
    return _Maker(Dealer(pool, plays), laid_out, np.array(place), table, seed)


def _made_elsewhere(recipe: bytes, number: int, first: int, targets: Any) -> Shard:
    return _maker(recipe).made(number, first, targets)


class _Work:
    """What is done for one shard, by whichever process."""

    def __init__(self, maker: _Maker, shards: Shards, order: Any, rows: int) -> None:
        self.maker, self.shards = maker, shards
        self._order, self._rows = order, rows

    def given(self, number: int) -> tuple[int, int, Any]:
        """Return what says which shard it is: its number, its first Play, its targets."""
        first = number * self._rows
        return number, first + 1, self._order[first : first + self._rows]

    def __call__(self, number: int) -> Done:
        """Make a shard, write it, and return what to note of it."""
        return self.shards.put(number, self.maker.made(*self.given(number)))


def _fixed(data: Any, size: int, count: int) -> Any:
    import pyarrow as pa

    return pa.Array.from_buffers(pa.binary(size), count, [None, pa.py_buffer(data)])


def _varying(data: Any, ends: Any) -> Any:
    import pyarrow as pa

    offsets = np.concatenate([[0], ends]).astype(np.int32)
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(np.ascontiguousarray(data))]
    return pa.Array.from_buffers(pa.binary(), len(ends), buffers)


# Processes.

_WORK: _Work


def _there(number: int) -> Done:
    return _WORK(number)


def _each(
    work: _Work, numbers: Sequence[int], jobs: int, lost: Callable[[], None]
) -> Iterator[tuple[int, Done]]:
    """Yield each shard as it is done, in whatever order."""
    if jobs < 2 or len(numbers) < 2 or not can_fork():
        yield from ((number, work(number)) for number in numbers)
        return
    global _WORK
    _WORK = work
    work.maker.dealer.deal  # compiled before processes are forked  # noqa: B018
    left = set(numbers)
    for _ in range(_ROUNDS):
        try:
            for number, done in _side_by_side(sorted(left), jobs):
                left.discard(number)
                yield number, done
            return
        except BrokenProcessPool:
            lost()
    raise BadInput(
        f"processes of this run were ended from outside {_ROUNDS} times (is there too little "
        "memory?): what is done is kept, give the same command again to go on"
    )


def _side_by_side(numbers: Sequence[int], jobs: int) -> Iterator[tuple[int, Done]]:
    context = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(min(jobs, len(numbers)), context, _deaf) as processes:
        futures: dict[Future[Done], int] = {processes.submit(_there, n): n for n in numbers}
        try:
            for future, number in futures.items():
                yield number, future.result()
        finally:
            processes.shutdown(wait=True, cancel_futures=True)


def _on_cluster(
    cluster: Cluster, work: _Work, numbers: Sequence[int], lost: Callable[[], None]
) -> Iterator[tuple[int, Done]]:
    """Yield each shard as a worker has made it; what no worker outlives is made here."""
    recipe = work.maker.recipe()

    def here(_: bytes, *given: Any) -> Shard:
        lost()
        return work.maker.made(*given)

    given = ((recipe, *work.given(number)) for number in numbers)
    made = cluster.in_order(_made_elsewhere, given, here)
    for number, shard in zip(numbers, made, strict=True):
        yield number, work.shards.put(number, shard)


def _deaf() -> None:
    """Leave Ctrl-C to the process that started this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
