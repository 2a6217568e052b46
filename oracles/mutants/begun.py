"""What the deciding of mutants begins with: Plays, and what may always be so.

    begun.json      the Plays, and which guesses every step keeps, so that it is done once

The guesses are made of the Plays anew (``guesses``): the file tells by number which were kept.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from ...errors import BadInput
from ...files import write_whole
from ...models.algebra import Bool
from ..cases import Case
from ..event import flat
from ..ground import Ground, Move, Trace
from ..onestep import Asking, kept
from ..wander import Wander
from .grown import grown
from .guesses import guesses
from .pool import Pool

__all__ = ["ENGINE", "Begun", "begin", "rules_key", "scripted", "traced"]

ENGINE = 6  # changes whenever answers may be others than those kept by an earlier version
FILE = "begun.json"
_PLAYS, _BATCHES = 100, 2


@dataclass(frozen=True)
class Begun:
    """What every rule begins with: Plays, the first ``scripts`` of them a suite's, and guesses.

    Guesses are terms that may always hold (``guesses``).
    """

    plays: tuple[tuple[Move, ...], ...]
    scripts: int
    guesses: tuple[Bool, ...]


class _Stored(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What ``begun.json`` holds; ``key`` is a hash of all that it rests on."""

    format: str
    version: int
    key: str
    plays: list[list[Move]]
    kept: list[int]


def begin(
    ground: Ground, scripts: Sequence[Trace] = (), seed: int = 0, out: Path | None = None
) -> Begun:
    """Return what to begin with: some Plays beside those of a suite, and what may always be.

    It is kept in the folder ``out``. Raises BadInput where that cannot be read or written.
    """
    key = _key(ground, scripts, seed)
    if out is not None and (stored := _stored(out / FILE, key)):
        plays = traced(ground, stored.plays)
        made = list(guesses(ground, plays))
        always = tuple(made[number] for number in stored.kept)
        return Begun(tuple(trace.moves for trace in plays), len(scripts), always)
    wander = Wander(ground, seed)
    for trace in scripts:
        wander.learn(trace)
    traces = list(scripts)
    for _ in range(_BATCHES):
        traces += wander.batch(_PLAYS, traces)
    traces += grown(wander, traces)
    wander.close()
    made = list(guesses(ground, traces))
    with Asking(ground.encoding, ground.claims) as asking:
        always = kept(asking, made)
    begun = Begun(tuple(trace.moves for trace in traces), len(scripts), always)
    if out is not None:
        number = {id(guess): place for place, guess in enumerate(made)}
        found = [number[id(guess)] for guess in always]
        moves = [list(trace.moves) for trace in traces]
        data = msgspec.json.encode(_Stored("playproof-mutants", 1, key, moves, found))
        write_whole(out / FILE, data)
    return begun


def _stored(path: Path, key: str) -> _Stored | None:
    """Return what was kept of the same; None if there is nothing, or something else."""
    try:
        stored = msgspec.json.decode(path.read_bytes(), type=_Stored)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror}") from None
    except msgspec.DecodeError as error:
        raise BadInput(f"{path}: not what playproof mutate keeps: {error}") from None
    return stored if stored.key == key else None


def _key(ground: Ground, scripts: Sequence[Trace], seed: int) -> str:
    said = [rules_key(ground, Pool()), seed]
    said += [[(m.rule, sorted(m.revealed.items())) for m in trace.moves] for trace in scripts]
    return hashlib.sha256(msgspec.json.encode(said)).hexdigest()


def rules_key(ground: Ground, pool: Pool) -> str:
    """Return a hash of the rules as they are, with their edition, readings, and our version."""
    edition, readings = ground.edition.hash, sorted(ground.readings.items())
    said: list[Any] = [ENGINE, ground.game.id, edition, readings]
    for name, formula in ground.formulas.items():
        values = (formula.guard, *ground.updates[name].values())
        said.append([name, *(pool.digest(value) for value in values)])
    return hashlib.sha256(msgspec.json.encode(said)).hexdigest()


def scripted(ground: Ground, cases: Iterable[Case]) -> tuple[Trace, ...]:
    """Return the Plays of scripts; BadInput for one that is of another game, or not legal."""
    found = []
    for case in cases:
        moves = []
        for step in case.script.steps:
            if step.rule not in ground.formulas:
                raise BadInput(f"{case.path}: {ground.game.id} has no rule {step.rule!r}")
            prefix = f"r.{ground.game.rule(step.rule).reveal.__name__.lower()}."
            moves.append(Move(step.rule, {prefix + n: v for n, v in flat(step.reveal)}))
        try:
            trace = ground.along(ground.start(), moves)
        except KeyError as error:
            raise BadInput(f"{case.path}: what it reveals lacks {error}") from None
        if trace is None:
            raise BadInput(
                f"{case.path}: by the rules, under this edition and these readings, it is no "
                "Play; make it anew"
            )
        found.append(trace)
    return tuple(found)


def traced(ground: Ground, plays: Iterable[Sequence[Move]]) -> tuple[Trace, ...]:
    """Return Plays as they are looked at. Their moves are legal."""
    found = []
    for moves in plays:
        trace = ground.along(ground.start(), moves)
        assert trace is not None, "moves that were legal before"
        found.append(trace)
    return tuple(found)
