"""Where to go on from, and along which rules: for things that come about only after others.

A second upgrade comes after a first. The first is come to by the shortest way that any Play
came to its rule, taken from the start, so that much of the Play is left; from there rules go on
as they did in other Plays. The reveals are left to a solver (``walks.varied``).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterator, Sequence
from typing import cast

from ..models.algebra import Bool, BoolTerm, Value, all_of
from ..models.play import Play
from . import smtlib
from .encoding import Encoding
from .evaluate import values_at
from .replays import Replays

_FEW = 12

__all__ = ["before_the_end", "beginnings", "next_rules", "tails"]


def beginnings(
    encoding: Encoding,
    name: str,
    rules: Collection[str],
    plays: Sequence[Play],
    replays: Replays,
) -> dict[Value, Play]:
    """Return a beginning of a Play for each value that some rules gave a number.

    They end with the step, and the shortest few there are are looked at.
    """
    short = sorted(
        (
            dataclasses.replace(play, steps=play.steps[:number])
            for play in plays
            for number, step in enumerate(play.steps, start=1)
            if step.rule in rules
        ),
        key=lambda play: len(play.steps),
    )
    found: dict[Value, Play] = {}
    for play in short[:_FEW]:
        points = replays.points(play)[-2:]
        before, after = (values_at(encoding, play.setting, one)[name] for one in points)
        if before != after:
            found.setdefault(after, play)
    return found


def tails(plays: Sequence[Play], rules: Collection[str]) -> list[tuple[str, ...]]:
    """Return the rules that came, in Plays, before one of these did; short ones first."""
    found = {
        tuple(step.rule for step in play.steps[start:end])
        for play in plays
        for end, last in enumerate(play.steps)
        if last.rule in rules
        for start in range(end + 1)
    }
    return sorted(found, key=lambda tail: (len(tail), tail))


def next_rules(encoding: Encoding, play: Play, replays: Replays) -> set[str]:
    """Return the rules that may come after a Play, unless their guards are known to fail."""
    *_, point = replays.points(play)
    return {
        rule.id
        for rule in encoding.game.rules
        if rule.guard(play.setting, point.s, encoding.reveal(rule)) is not False
    }


def before_the_end(encoding: Encoding, condition: Bool) -> Bool:
    """Return what a condition on states says besides that the Play has ended."""
    ended = encoding.game.goal.ended(encoding.p, encoding.point().s)
    said = {smtlib.text(part) for part in _conjuncts(ended)}
    return all_of(one for one in _conjuncts(condition) if smtlib.text(one) not in said)


def _conjuncts(condition: Bool) -> Iterator[Bool]:
    if isinstance(condition, BoolTerm) and condition.op == "and":
        for part in condition.args:
            yield from _conjuncts(cast("Bool", part))
    else:
        yield condition
