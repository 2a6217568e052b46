"""Dealing the Plays of a shard: records in columns, the same bytes for the same seed.

Where llvmlite is not there (it comes with numba), or so few Plays are wanted that compiling
takes longer, plain Python does the same, some hundred times slower.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from typing import Any

import numpy as np

from .pool import Pool
from .rules import plain_functions
from .walk import deal_of

__all__ = ["Dealer", "Dealt", "compiles"]

_FEW = 1_000
"""So many Plays are dealt sooner than the code for it is compiled."""

_AT_ONCE = 2_048


def compiles() -> bool:
    """Return whether Plays are dealt by machine code: where numba is, llvmlite is there."""
    return importlib.util.find_spec("llvmlite") is not None


@dataclass(frozen=True)
class Dealt:
    """Some Plays: their events and reveals one after the other, with where each ends.

    ``finals`` and ``parts`` are the last states and what each part won, as records of one size;
    ``numbers`` stand for all that is revealed in a Play.
    """

    events: Any
    event_ends: Any
    reveals: Any
    reveal_ends: Any
    finals: Any
    parts: Any
    paid: Any
    numbers: Any


class Dealer:
    """Deals Plays out of a pool; ``plays`` is about how many it will be asked for."""

    def __init__(self, pool: Pool, plays: int) -> None:
        self.pool, self.plays = pool, plays
        self._machine = plays > _FEW and compiles()
        sizes = pool.memory.numbers
        at = pool.memory.at
        self._state = sum(sizes[at["state_bytes"] : at["state_bytes"] + pool.size["record"]])
        self._parts = sum(sizes[at["part_bytes"] : at["part_bytes"] + pool.size["parts"]])
        of_rules = sizes[at["bytes"] : at["bytes"] + pool.size["rules"] * pool.size["width"]]
        width = pool.size["width"]
        rows = [of_rules[n : n + width] for n in range(0, len(of_rules), width)]
        self._reveal = max(map(sum, rows))

    @cached_property
    def deal(self) -> Callable[..., Any]:
        """What deals: compiled once, by whoever asks for it first."""
        pool = self.pool
        at, size = pool.memory.at, pool.size
        if not self._machine:
            plain = plain_functions(pool.rules)
            return deal_of(plain, at, size, pool.choices, lambda function: function)
        from .machine import deal_by_machine

        return deal_by_machine(pool.rules, at, size, pool.choices)

    def shard(
        self, targets: Sequence[int], seed: int, number: int
    ) -> tuple[Dealt, dict[str, dict[str, int]]]:
        """Return a Play of each target, and how often steps of each rule changed what.

        A shard has a number, and random numbers of its own.
        """
        memory = self._row(self.pool.memory.numbers)
        at = self.pool.memory.at["random"]
        digest = blake2b(f"{seed} {number}".encode(), digest_size=8).digest()
        memory[at] = int.from_bytes(digest[:4], "big") % 2147483562 + 1
        memory[at + 1] = int.from_bytes(digest[4:], "big") % 2147483398 + 1
        some = [
            self._some(memory, targets[first : first + _AT_ONCE])
            for first in range(0, len(targets), _AT_ONCE)
        ]
        return _joined(some), self._effects(memory)

    def _effects(self, memory: Any) -> dict[str, dict[str, int]]:
        at, groups = self.pool.memory.at["effects"], self.pool.groups
        return {
            rule: {
                group: int(times)
                for group, times in zip(
                    groups,
                    memory[at + n * len(groups) : at + (n + 1) * len(groups)],
                    strict=True,
                )
                if times
            }
            for n, rule in enumerate(self.pool.rules.names)
        }

    def _row(self, numbers: Sequence[int]) -> Any:
        return np.array(numbers, np.int64) if self._machine else list(numbers)

    def _some(self, memory: Any, targets: Sequence[int]) -> Dealt:
        count, steps = len(targets), self.pool.size["steps"]
        sizes = (steps, steps * self._reveal, self._state, self._parts)
        events, reveals, finals, parts = (self._bytes(count * size) for size in sizes)
        ends = self._row([0] * (4 * count))
        wanted = np.asarray(targets, np.int64) if self._machine else [int(t) for t in targets]
        self.deal(memory, count, wanted, events, reveals, finals, parts, ends)
        of_event, of_reveal, paid, numbers = np.array(ends, np.int64).reshape(count, 4).T
        return Dealt(
            np.frombuffer(events, np.uint8)[: of_event[-1]],
            of_event,
            np.frombuffer(reveals, np.uint8)[: of_reveal[-1]],
            of_reveal,
            np.frombuffer(finals, np.uint8),
            np.frombuffer(parts, np.uint8),
            paid,
            numbers,
        )

    def _bytes(self, size: int) -> Any:
        return np.zeros(size, np.uint8) if self._machine else bytearray(size)


def _joined(some: Sequence[Dealt]) -> Dealt:
    def ends(of: Sequence[Any]) -> Any:
        before = np.cumsum([0, *(one[-1] for one in of[:-1])])
        return np.concatenate([one + first for one, first in zip(of, before, strict=True)])

    return Dealt(
        np.concatenate([one.events for one in some]),
        ends([one.event_ends for one in some]),
        np.concatenate([one.reveals for one in some]),
        ends([one.reveal_ends for one in some]),
        np.concatenate([one.finals for one in some]),
        np.concatenate([one.parts for one in some]),
        np.concatenate([one.paid for one in some]),
        np.concatenate([one.numbers for one in some]),
    )
