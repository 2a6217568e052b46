"""Work on a Dask cluster that is there already, with the results of processes of our own.

A piece of work goes to some worker as it is, and says all that it depends on; so its result is
the same wherever it is done, and a piece whose worker is lost is done again by another. Workers
have the games installed: rules do not travel. See https://distributed.dask.org for clusters.
"""

from __future__ import annotations

import gc
import hashlib
import threading
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache, lru_cache, partial
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any
from uuid import uuid4

from .. import __version__
from ..errors import BadInput, PlayproofError, own_game_fails
from . import campaign, solvers
from .budget import Budget
from .campaign import Memory, Then, Work, WorkerError, given_up, nothing_more
from .events import Event, Listener, silent

__all__ = ["Cluster", "Lost", "campaign_on", "run"]

_SECONDS = 10  # for a scheduler to answer, and for a worker to come
_PACKAGES = ("models", "proofs", "oracles")
# A solver's bindings are for one thread, and a worker may have several.
_ALONE = threading.Lock()


class Lost(RuntimeError):
    """One worker after the other was lost with the same piece of work."""


class _Unlike(BadInput):
    """A worker has another Playproof, or other solvers, than we have."""


class Cluster:
    """The workers behind a scheduler's address. Use ``with``: work not ended is given up then.

    Raises BadInput where ``distributed`` is not installed, no scheduler answers at the address,
    or no worker comes.
    """

    def __init__(self, address: str) -> None:
        self.address = address
        try:
            import dask
        except ImportError:
            raise BadInput(
                "--scheduler takes dask.distributed, which is not installed: "
                "pip install 'playproof[cluster]'"
            ) from None
        dask.config.set({"logging.distributed": "critical"})
        try:
            # Half of it has types, and half has not.
            self._distributed: Any = import_module("distributed")
            self._client: Any = self._distributed.Client(
                address, timeout=_SECONDS, set_as_default=False
            )
        except (OSError, ValueError, TypeError) as error:
            failed = str(error).strip().partition("\n")[0] or type(error).__name__
        else:
            failed = ""
        if failed:
            # A client half made closes itself when it is let go of. Were that later, it might
            # be while another is being made, and each would wait for the other for ever.
            gc.collect()
            raise BadInput(
                f"--scheduler {address}: no Dask scheduler answers there ({failed}); "
                "an address like tcp://host:8786 was expected"
            )
        try:
            self._client.wait_for_workers(1, timeout=_SECONDS)
        except (OSError, TimeoutError):
            self._client.close()
            raise BadInput(
                f"--scheduler {address}: no worker came in {_SECONDS} s; "
                f"start one: dask worker {address} --nthreads 1"
            ) from None

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the workers, and of what nobody waits for any more."""
        self._client.close(timeout=_SECONDS)

    @property
    def threads(self) -> int:
        """How many pieces of work can be under way at one time."""
        known: dict[str, int] = self._client.nthreads()
        return max(1, sum(known.values()))

    def begin(self, work: Callable[..., Any], *given: object, weight: int = 0) -> Any:
        """Have a worker do ``work(*given)``, what has more weight sooner; return its future."""
        return self._client.submit(
            _there, identity(), work, given, key=f"playproof-{uuid4()}", priority=weight
        )

    def as_they_end(self, futures: Sequence[Any]) -> Any:
        """Return an iterator over futures as they end, to which more can be added."""
        return self._distributed.as_completed(futures, loop=self._client.loop)

    def result(self, future: Any) -> Any:
        """Return what a piece of work came to, waiting for it.

        Raises Lost where no worker outlived it, BadInput where the scheduler went away, a
        worker lacks what the work takes, or the work says so; WorkerError for a fault of ours.
        """
        try:
            return future.result()
        except self._distributed.KilledWorker as error:
            raise Lost(f"no worker outlived it, of {error.allowed_failures + 1}") from None
        except Exception as error:
            if future.status != "error":  # no worker failed: nobody is there to ask
                raise BadInput(
                    f"--scheduler {self.address}: it went away with work begun"
                ) from None
            if isinstance(error, PlayproofError):
                raise
            if isinstance(error, ImportError):
                raise BadInput(f"a worker lacks what the work takes: {error}") from None
            raise WorkerError("".join(traceback.format_exception(error))) from None

    def in_order(
        self,
        work: Callable[..., Any],
        given: Iterable[tuple[Any, ...]],
        otherwise: Callable[..., Any],
    ) -> Iterator[Any]:
        """Yield what ``work`` comes to on each of what is given, in order.

        Little is sent before somebody can begin it. What no worker outlives comes to what
        ``otherwise`` makes of it. Raises what else ``result`` raises.
        """
        waiting: deque[tuple[tuple[Any, ...], Any]] = deque()
        coming = iter(given)
        while True:
            for one in islice(coming, 2 * self.threads - len(waiting)):
                waiting.append((one, self.begin(work, *one)))
            if not waiting:
                return
            one, future = waiting.popleft()
            try:
                came = self.result(future)
            except Lost:
                came = otherwise(*one)
            future.release()
            yield came


def run(
    work: Sequence[Work],
    *,
    scheduler: str,
    budget: Budget | None = None,
    listener: Listener = silent,
    then: Then = nothing_more,
) -> tuple[Any, ...]:
    """Decide every task on the cluster behind an address; else as ``campaign.run``.

    A property with which worker after worker is lost, and again by itself, is undecided.
    """
    tasks = list(work)
    results: dict[int, object] = {}
    name = str(uuid4())
    lost: list[int] = []
    alone: set[int] = set()
    with Cluster(scheduler) as cluster:
        begin = partial(_begin, cluster, name, budget or Budget())
        numbers = {begin(task): number for number, task in enumerate(tasks)}
        while numbers:
            ended = cluster.as_they_end(list(numbers))
            for future in ended:
                number = numbers.pop(future)
                try:
                    event = _event(cluster, future, tasks[number])
                except Lost as error:
                    if number not in alone:
                        lost.append(number)
                        continue
                    event = given_up(tasks[number], str(error))
                finally:
                    future.release()
                listener(event)
                results[number] = event.result()
                for more in then(number, event.result()):
                    added = begin(more)
                    numbers[added] = len(tasks)
                    tasks.append(more)
                    ended.add(added)
            # What went down with a worker need not be what ended it: by itself it will show.
            if lost:
                number = lost.pop(0)
                alone.add(number)
                numbers[begin(tasks[number])] = number
    return tuple(results[number] for number in range(len(tasks)))


def campaign_on(
    scheduler: str | None, jobs: int, budget: Budget | None = None
) -> Callable[..., tuple[Any, ...]]:
    """Return the campaign of a cluster, or without one that of so many processes of our own."""
    if scheduler is not None:
        return partial(run, scheduler=scheduler, budget=budget)
    return partial(campaign.run, jobs=jobs, budget=budget)


def _begin(cluster: Cluster, name: str, budget: Budget, task: Work) -> Any:
    return cluster.begin(_decide, name, task, budget, weight=task.weight)


def _event(cluster: Cluster, future: Any, task: Work) -> Event:
    try:
        event: Event = cluster.result(future)
        return event
    except _Unlike:
        raise
    except BadInput as error:
        raise BadInput(f"{task.game}, {task.property}: {error}") from None
    except WorkerError as error:
        raise WorkerError(f"{task.game}, {task.property}: {error}") from None


@cache
def identity() -> str:
    """Return what results depend on besides the work: versions, and every file of ours."""
    digest = hashlib.sha256()
    for package in _PACKAGES:
        for folder in import_module(f"..{package}", __package__).__path__:
            for file in sorted(Path(folder).rglob("*")):
                if file.suffix in (".py", ".toml"):
                    digest.update(str(file.relative_to(folder)).encode())
                    digest.update(file.read_bytes())
    versions = ", ".join(f"{name} {solvers.version(name)}" for name in solvers.NAMES)
    return f"Playproof {__version__} ({digest.hexdigest()[:12]}), {versions}"


def _there(like: str, work: Callable[..., Any], given: tuple[Any, ...]) -> Any:
    """Do a piece of work, in a worker."""
    if identity() != like:
        raise _Unlike(f"a worker has {identity()}, and here is {like}: install the same")
    with _ALONE:
        try:
            return work(*given)
        except PlayproofError:
            raise
        except Exception as error:
            said = own_game_fails(error)
            if said:
                raise BadInput(said) from None
            raise


@lru_cache(maxsize=1)
def _memory(name: str) -> Memory:
    """Return what a worker has learned in the run of that name; of one before, nothing."""
    return Memory()


def _decide(name: str, task: Work, budget: Budget) -> Event:
    """Decide a task, and return the last that is said of it: its result."""
    said: list[Event] = []
    task.decide(budget, said.append, _memory(name))
    return replace(said[-1], learned={})
