"""What is counted over the Plays of a run: rows, payout, lengths, rules, what these change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
import numpy as np

from .dealer import Dealt

__all__ = ["Tally", "added", "tally_of", "unlike_all_others"]


class Tally(msgspec.Struct, frozen=True):
    """Counts over Plays.

    ``targets`` by number, 0 for losing; ``paid`` in pence; ``lengths`` by events; of a rule,
    how many ``events`` there are, and ``plays`` with any; ``effects`` are, by rule, how many of
    its events changed what of the state.
    """

    plays: int
    paid: int
    targets: dict[str, int]
    lengths: dict[str, int]
    events: dict[str, int]
    plays_with: dict[str, int]
    effects: dict[str, dict[str, int]]


def tally_of(
    dealt: Dealt, targets: Sequence[int], rules: Sequence[str], effects: dict[str, Any]
) -> Tally:
    """Return the counts over some Plays, each dealt for a target."""
    lengths = np.diff(dealt.event_ends, prepend=0)
    firsts = dealt.event_ends - lengths
    with_any = [int(np.add.reduceat(dealt.events == n, firsts).astype(bool).sum())
                for n in range(len(rules))]  # fmt: skip
    events = np.bincount(dealt.events, minlength=len(rules))
    return Tally(
        len(targets),
        int(dealt.paid.sum()),
        _counted(targets),
        _counted(lengths),
        {rule: int(count) for rule, count in zip(rules, events, strict=True)},
        dict(zip(rules, with_any, strict=True)),
        effects,
    )


def _counted(values: Any) -> dict[str, int]:
    found, counts = np.unique(np.asarray(values), return_counts=True)
    return {str(value): int(count) for value, count in zip(found, counts, strict=True)}


def added(tallies: Iterable[Tally]) -> Tally:
    """Return the counts over the Plays of all."""
    plays = paid = 0
    targets, lengths, events, plays_with = (Counter[str]() for _ in range(4))
    effects: dict[str, Counter[str]] = {}
    for tally in tallies:
        plays += tally.plays
        paid += tally.paid
        targets.update(tally.targets)
        lengths.update(tally.lengths)
        events.update(tally.events)
        plays_with.update(tally.plays_with)
        for rule, changed in tally.effects.items():
            effects.setdefault(rule, Counter()).update(changed)
    return Tally(
        plays,
        paid,
        _in_order(targets),
        _in_order(lengths),
        dict(events),
        dict(plays_with),
        {rule: dict(changed) for rule, changed in effects.items()},
    )


def _in_order(counts: Counter[str]) -> dict[str, int]:
    return {name: counts[name] for name in sorted(counts, key=int)}


def unlike_all_others(numbers: Sequence[Any]) -> int:
    """Return how many numbers, of several rows of them, come only once.

    >>> unlike_all_others([[3, 1], [3, 2]])
    2
    """
    every = np.sort(np.concatenate([np.asarray(one) for one in numbers]))
    first = np.concatenate([[True], every[1:] != every[:-1]])
    return int((first & np.concatenate([first[1:], [True]])).sum())
