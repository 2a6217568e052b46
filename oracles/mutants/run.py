"""All mutants of a game, decided rule by rule by several processes, and kept as they come.

    rules/RULE.json     what became of a rule's mutants, as soon as they are decided
    proofs/GAME/…       certificates of what is equal (for ``recheck``)

A rule whose terms, with everything else that an answer rests on, are what they were is not
decided again: each file says by a hash what it is about, and is left aside where that differs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import msgspec

from ...errors import BadInput, PlayproofError
from ...files import output_folder, write_whole
from ...models.editions import load_edition
from ...models.games import load_game
from ...models.tomlfile import TomlFile
from ...proofs.budget import Budget
from ...proofs.campaign import Memory, Work
from ...proofs.cluster import campaign_on
from ...proofs.events import Event, Listener, silent
from ...proofs.verdict import Verdict
from ..ground import Ground, Move, Trace
from ..learnt import Learnt
from .begun import Begun, rules_key, traced
from .deciding import Decided, OfRule, decide
from .making import Mutant, Mutants, mutants_of
from .own import own_mutants
from .sent import Brought, Sent, unpacking

__all__ = ["Asked", "Run", "decide_all"]

RULES = "rules"


@dataclass(frozen=True)
class Asked:
    """What is to be decided: a game, as an edition has it, with the readings taken.

    ``game`` is an id or ``module:ATTRIBUTE``, ``own`` a file of mutants of one's own.
    """

    game: str
    edition: TomlFile | None = None
    readings: Mapping[str, str] = field(default_factory=dict)
    own: TomlFile | None = None

    def ground(self) -> Ground:
        """Return the ground it stands on; ValueError for readings that do not fit together."""
        return Ground(load_edition(load_game(self.game), self.edition), self.readings)

    def mutants(self, ground: Ground, only: Sequence[str] | None = None) -> Mutants:
        """Return the mutants, of all rules or of some, those of one's own last."""
        made = mutants_of(ground, only)
        own = own_mutants(self.own, made) if self.own else ()
        return Mutants(ground, made.pool, made.rules, (*made.all, *own))


@dataclass(frozen=True)
class Run:
    """What became of every mutant. ``plays`` are those at hand and then those found."""

    ground: Ground
    mutants: Mutants
    decided: Mapping[str, Decided]
    plays: tuple[tuple[Move, ...], ...]
    scripts: int
    checked: tuple[str, ...]
    again: tuple[str, ...]

    def of(self, mutant: Mutant) -> Decided:
        """Return what became of a mutant."""
        return self.decided[mutant.digest]

    def trace(self, number: int) -> Trace:
        """Return a Play by its number."""
        trace = self.ground.along(self.ground.start(), self.plays[number])
        assert trace is not None, "a Play that is legal"
        return trace


class _Kept(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What ``rules/RULE.json`` holds."""

    format: str
    version: int
    key: str
    of_rule: OfRule


@dataclass(frozen=True)
class _Task:
    """The mutants of one rule to decide, as work for ``proofs.campaign``."""

    asked: Asked
    rule: str
    begun: Begun
    out: Path | None
    weight: int

    @property
    def game(self) -> str:
        return self.asked.game

    @property
    def property(self) -> str:
        return self.rule

    def decide(self, budget: Budget, tell: Listener, memory: Memory) -> object:
        """Decide them, and write what became of them."""
        name = repr(("mutants", self.asked.game, self.asked.readings))
        if name not in memory.kept:
            ground = self.asked.ground()
            learnt = Learnt(ground.encoding, ground.claims, self.begun.guesses)
            known = traced(ground, self.begun.plays)
            memory.kept[name] = ground, known, learnt, self.asked.mutants(ground)
        ground, known, learnt, mutants = memory.kept[name]
        game = ground.game.id
        tell(Event("started", game, self.rule))
        found = decide(
            mutants,
            self.rule,
            known,
            learnt,
            self.out and self.out / "proofs",
            memory.answers,
            lambda what: tell(Event("engine", game, self.rule, what)),
            scripts=self.begun.scripts,
        )
        if self.out is not None:
            key = _key(mutants, self.rule, self.begun)
            data = msgspec.json.encode(_Kept("playproof-mutants", 1, key, found))
            write_whole(self.out / RULES / f"{self.rule}.json", data)
        tell(Event("finished", game, self.rule, sanity=found))
        return found

    def into(self, out: Path) -> _Task:
        """Return the same, to be written into a folder."""
        return replace(self, out=out)


def decide_all(
    asked: Asked,
    begun: Begun,
    out: Path | None = None,
    *,
    jobs: int = 1,
    scheduler: str | None = None,
    listener: Listener = silent,
    tell: Callable[[int], None] = lambda number: None,
) -> Run:
    """Decide every mutant of a game. What is kept below ``out`` is not done again.

    ``scheduler`` is the address of a Dask cluster to work on, in place of ``jobs`` processes.
    ``tell`` is told how many rules there are to decide, the listener of each as it goes.
    Raises BadInput where the folder cannot be written to, KeyboardInterrupt on Ctrl-C,
    PlayproofError where a process was lost: what was decided till then is kept.
    """
    ground = asked.ground()
    mutants = asked.mutants(ground)
    if out is not None:
        output_folder(out / RULES)
    known = {} if out is None else _known(out, mutants, begun)
    size = {rule: sum(one.rule == rule for one in mutants.all) for rule in mutants.rules}
    tasks = [
        _Task(asked, rule, begun, out, size[rule])
        for rule in mutants.rules
        if rule not in known
    ]
    tell(len(tasks))
    work: list[Work] = list(tasks)
    if out is not None and scheduler is not None:
        work, listener = [Sent(task) for task in tasks], unpacking(out, listener)
    new = campaign_on(scheduler, jobs)(work, listener=listener) if work else ()
    of_rule = known | {
        task.rule: _of_rule(task, one) for task, one in zip(tasks, new, strict=True)
    }
    return _together(ground, mutants, begun, of_rule, tuple(known))


def _of_rule(task: _Task, came: object) -> OfRule:
    found = came.result if isinstance(came, Brought) else came
    if isinstance(found, OfRule):
        return found
    remark = found.remark if isinstance(found, Verdict) else ""
    raise PlayproofError(
        f"{task.game}, rule {task.rule}: {remark}; what was decided is kept in --out: "
        "run it again, with fewer --jobs if memory is short"
    )


def _together(
    ground: Ground,
    mutants: Mutants,
    begun: Begun,
    of_rule: Mapping[str, OfRule],
    again: tuple[str, ...],
) -> Run:
    plays = list(begun.plays)
    decided: dict[str, Decided] = {}
    at_hand = len(begun.plays)
    for rule in mutants.rules:
        offset = len(plays) - at_hand
        plays += of_rule[rule].found
        for one in of_rule[rule].decided:
            play = one.play + offset if one.play >= at_hand else one.play
            decided[one.digest] = replace(one, play=play)
    checked = sorted({solver for one in of_rule.values() for solver in one.checked})
    return Run(ground, mutants, decided, tuple(plays), begun.scripts, tuple(checked), again)


def _key(mutants: Mutants, rule: str, begun: Begun) -> str:
    """Return what an answer about a rule's mutants rests on, as a hash: all rules among it."""
    said: list[Any] = [rules_key(mutants.ground, mutants.pool)]
    said += [one.digest for one in mutants.all if one.rule == rule]
    said += [mutants.pool.digest(guess) for guess in begun.guesses]
    said += [[(m.rule, sorted(m.revealed.items())) for m in play] for play in begun.plays]
    return hashlib.sha256(msgspec.json.encode(said)).hexdigest()


def _known(out: Path, mutants: Mutants, begun: Begun) -> dict[str, OfRule]:
    """Return what an earlier run decided of the same; what is of something else is left."""
    found: dict[str, OfRule] = {}
    for rule in mutants.rules:
        path = out / RULES / f"{rule}.json"
        try:
            stored = msgspec.json.decode(path.read_bytes(), type=_Kept)
        except FileNotFoundError:
            continue
        except OSError as error:
            raise BadInput(f"{path}: cannot be read: {error.strerror}") from None
        except msgspec.DecodeError as error:
            raise BadInput(f"{path}: not what playproof mutate keeps: {error}") from None
        if stored.key == _key(mutants, rule, begun):
            found[rule] = stored.of_rule
    return found
