"""Many properties, over several processes: the verdicts in the order they were asked for.

Each worker gets one property at a time and sends events and the verdict back through a pipe.
Games are named by reference, since rules do not travel between processes. A worker that dies
(out of memory, say) costs one ``undecided`` verdict, and another takes its place. What solvers
answered to one worker is passed on to the others with their next task. Ctrl-C stops
every worker and raises KeyboardInterrupt; nothing of what they were at is kept.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection, wait
from typing import Any, Protocol

from ..errors import BadInput, PlayproofError, own_game_fails
from ..models.games import load_game
from .budget import Budget
from .encoding import encode
from .events import Event, Listener, silent
from .processes import deaf, starting_with
from .prover import prove
from .sanity import check_property
from .verdict import Outcome, Verdict
from .workbench import Answers, Workbench

__all__ = ["Memory", "Task", "Then", "Work", "WorkerError", "given_up", "nothing_more", "run"]


@dataclass
class Memory:
    """What one piece of work leaves in a worker for the next, and what all workers learned."""

    kept: dict[str, Any] = field(default_factory=dict)
    answers: Answers = field(default_factory=dict)

    def bench(
        self,
        reference: str,
        parameters: Mapping[str, Any],
        readings: Mapping[str, str],
        figures: Mapping[str, Any],
    ) -> Workbench:
        """Return the workbench of a game, made once for what is fixed in the same way."""
        fixed = repr((reference, parameters, readings, figures))
        if fixed not in self.kept:
            game = load_game(reference).copy(**figures)
            self.kept[fixed] = Workbench(encode(game, parameters, readings), self.answers)
        bench: Workbench = self.kept[fixed]
        return bench


class Work(Protocol):
    """One property of one game to decide, in whatever way.

    ``game`` is an id or ``module:ATTRIBUTE``. What has more ``weight`` begins sooner, so that
    no long piece of work is left to the end. ``decide`` tells the listener how it goes, the
    verdict last.
    """

    @property
    def game(self) -> str: ...
    @property
    def weight(self) -> int: ...
    @property
    def property(self) -> str: ...
    def decide(self, budget: Budget, tell: Listener, memory: Memory) -> object: ...


@dataclass(frozen=True)
class Task:
    """A property to prove or refute, and what is fixed beforehand.

    Parameters and readings that are not given stay open. ``figures`` are those that an edition
    sets: index sets of another size.
    """

    game: str
    property: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    readings: Mapping[str, str] = field(default_factory=dict)
    figures: Mapping[str, Any] = field(default_factory=dict)
    weight: int = 0

    def decide(self, budget: Budget, tell: Listener, memory: Memory) -> object:
        """Decide it at a workbench, made once for tasks that fix the same; tell its sanity."""
        bench = memory.bench(self.game, self.parameters, self.readings, self.figures)
        game = bench.encoding.game

        def tell_all(event: Event) -> None:
            if event.verdict is not None:
                spent = event.verdict.seconds
                left = None if budget.seconds is None else budget.seconds - spent
                claim = game.property(self.property)
                sanity = check_property(bench, claim, event.verdict, left)
                event = replace(event, sanity=sanity)
            tell(event)

        return prove(game, self.property, budget=budget, listener=tell_all, bench=bench)


class WorkerError(RuntimeError):
    """A worker met an error of ours; the text is its traceback."""


@dataclass(frozen=True)
class _Fault:
    """What ended a worker: ``theirs`` is bad input or a game of somebody's own, else ours."""

    text: str
    theirs: bool


Then = Callable[[int, object], Sequence[Work]]
"""What is to be done next, once there is the result of the task of that number."""


def nothing_more(number: int, result: object) -> Sequence[Work]:
    """Add no task, whatever a task comes to."""
    return ()


def given_up(task: Work, remark: str) -> Event:
    """Return what is said of a task that no process lived to decide: it is undecided."""
    verdict = Verdict(
        load_game(task.game).id, task.property, Outcome.UNDECIDED, "none", 0, remark=remark
    )
    return Event("finished", verdict.game, task.property, "undecided", verdict)


def run(
    work: Sequence[Work],
    *,
    jobs: int = 1,
    budget: Budget | None = None,
    listener: Listener = silent,
    then: Then = nothing_more,
) -> tuple[Any, ...]:
    """Decide every task, ``jobs`` at a time; the listener hears of each as it goes.

    Returns their verdicts, or what else a task comes to, and then those of what ``then`` added.
    Raises KeyboardInterrupt on Ctrl-C, BadInput where a game of somebody's own fails,
    WorkerError for a fault of ours in a worker.
    """
    tasks = list(work)
    results: dict[int, object] = {}
    waiting = sorted(range(len(tasks)), key=lambda number: -tasks[number].weight)
    library: list[Mapping[Any, Any]] = []
    team = [_Worker(budget or Budget()) for _ in range(min(jobs, len(tasks)))]
    try:
        for worker, number in zip(team, _apart(tasks, waiting), strict=False):
            waiting.remove(number)
            worker.give(number, tasks, library)
        while len(results) < len(tasks):
            ready = wait([worker.pipe for worker in team if worker.busy is not None])
            for position, worker in enumerate(team):
                if worker.pipe not in ready:
                    continue
                number, event = worker.hear(tasks)
                listener(event)
                if event.result() is None:
                    continue
                results[number] = event.result()
                library.append(event.learned)
                added = then(number, event.result())
                waiting += range(len(tasks), len(tasks) + len(added))
                tasks += added
                if not worker.process.is_alive():
                    worker.stop()
                    team[position] = worker = _Worker(budget or Budget())
                for idle in team:
                    if waiting and idle.busy is None:
                        at = tasks[number].game if idle is worker else ""
                        following = _next(tasks, waiting, at)
                        waiting.remove(following)
                        idle.give(following, tasks, library)
    finally:
        for worker in team:
            worker.stop()
    return tuple(results[number] for number in range(len(tasks)))


def _apart(tasks: Sequence[Work], waiting: Sequence[int]) -> list[int]:
    """Return the tasks to begin with: one of each game first, then the rest in order."""
    first: dict[str, int] = {}
    for number in waiting:
        first.setdefault(tasks[number].game, number)
    begun = list(first.values())
    return begun + [number for number in waiting if number not in begun]


def _next(tasks: Sequence[Work], waiting: Sequence[int], game: str) -> int:
    """Return the next task for a worker: of the game it is at, whose checks it has, if any.

    A worker that joins another at a game begins at the far end, where the lemmas are others.
    """
    return next((number for number in waiting if tasks[number].game == game), waiting[-1])


class _Worker:
    """A process that decides one task after another, and the pipe to it."""

    def __init__(self, budget: Budget) -> None:
        context = starting_with(__name__, "z3", "cvc5")
        self.pipe, other = context.Pipe()
        self.process = context.Process(target=_work, args=(other, budget), daemon=True)
        with deaf():
            self.process.start()
        other.close()
        self.busy: int | None = None
        self.read = 0

    def give(
        self, number: int, tasks: Sequence[Work], library: Sequence[Mapping[Any, Any]]
    ) -> None:
        """Set the worker to a task; tell it what all have learned since it was last told."""
        self.busy = number
        self.pipe.send((tasks[number], library[self.read :]))
        self.read = len(library)

    def hear(self, tasks: Sequence[Work]) -> tuple[int, Event]:
        """Return the number of the task at work, and what the worker says of it."""
        assert self.busy is not None
        number, task = self.busy, tasks[self.busy]
        try:
            said: Event | _Fault = self.pipe.recv()
        except (EOFError, ConnectionError):
            said = self._died(task)
        if isinstance(said, _Fault):
            error = BadInput if said.theirs else WorkerError
            raise error(f"{task.game}, {task.property}: {said.text}")
        if said.result() is not None:
            self.busy = None
        return number, said

    def _died(self, task: Work) -> Event:
        self.process.join()
        remark = f"the process that was at it ended with code {self.process.exitcode}"
        if self.process.exitcode == -9:
            remark += " (killed: out of memory?)"
        return given_up(task, remark)

    def stop(self) -> None:
        self.pipe.close()
        self.process.terminate()
        self.process.join(timeout=5)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()


def _work(pipe: Connection[Any, Any], budget: Budget) -> None:
    """Decide what comes through the pipe until it is closed."""
    memory = Memory()
    told: set[Any] = set()

    def tell(event: Event) -> None:
        if event.result() is not None:
            new = {key: memory.answers[key] for key in memory.answers.keys() - told}
            told.update(new)
            event = replace(event, learned=new)
        pipe.send(event)

    try:
        while True:
            work, news = pipe.recv()
            for learned in news:
                memory.answers.update(learned)
                told.update(learned)
            work.decide(budget, tell, memory)
    except (EOFError, KeyboardInterrupt, ConnectionError):
        return
    except PlayproofError as error:
        pipe.send(_Fault(str(error), theirs=True))
    except BaseException as error:
        said = own_game_fails(error)
        pipe.send(_Fault(said or traceback.format_exc(), theirs=bool(said)))
