"""Why Plays end, or how they go on for ever, told in words and as plain data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..models.system import Game
from ..proofs.verdict import Cube, Endless, Longest, Ranked, Termination
from .trace import as_data, lines
from .words import implicant

__all__ = ["ending_as_data", "ending_lines"]


def ending_lines(game: Game, told: Termination) -> Iterator[str]:
    """Yield what was found out: loops, each with its Play, and ranking functions."""
    for endless in told.endless:
        yield from _endless(game, endless)
    for ranked in told.ranked:
        yield from _ranked(ranked)
    if told.longest is not None:
        yield from _longest(told.longest)
    for limit in game.limits:
        yield f"limit.{limit.id}: a limit on {limit.says}; used.{limit.id}: so many so far"


def ending_as_data(game: Game, told: Termination) -> dict[str, Any]:
    """Return the same as plain data, with the Plays in full."""
    return {
        "endless": [
            {
                "sources": list(one.sources),
                "under": dict(one.under),
                "loop_after_step": one.start,
                "growing": list(one.growing),
                "closed_set": list(one.region),
                "play": as_data(game, one.play),
            }
            for one in told.endless
        ],
        "ranking": [_as_data(one) for one in told.ranked],
        "limits": {limit.id: limit.says for limit in game.limits},
        "largest_number_of_steps": told.longest and _longest_as_data(game, told.longest),
    }


def _longest_as_data(game: Game, one: Longest) -> Mapping[str, Any]:
    return {
        "at_least": len(one.play.steps),
        "at_most": one.at_most,
        "limits": dict(one.limits),
        "under": dict(one.under),
        "why_no_more": list(one.inequalities),
        "play": as_data(game, one.play),
    }


def _as_data(one: Ranked) -> Mapping[str, Any]:
    return {
        "unlimited": list(one.unlimited),
        "apart_from": [dict(cube) for cube in one.apart_from],
        "components": [
            {"value": value, "falls_in": list(rules)} for value, rules in one.components
        ],
    }


def _endless(game: Game, one: Endless) -> Iterator[str]:
    by = f" by {' and '.join(one.sources)} alone" if one.sources else ""
    under = f", where {implicant(one.under)}" if one.under else ", whatever the readings"
    yield f"goes on for ever{by}{under}"
    for line in lines(game, one.play):
        yield f"  {line}"
    first, last = one.start + 1, len(one.play.steps)
    steps = f"steps {first} to {last}" if first < last else f"step {last}"
    if one.growing:
        yield f"    {steps} again and again, with more each time of {', '.join(one.growing)}:"
        yield f"    the end never comes, as they lead from {', '.join(one.region)} back there"
    else:
        yield f"    {steps} again and again: the state after them is the one before them"


def _ranked(one: Ranked) -> Iterator[str]:
    without = f", without one on {' and '.join(one.unlimited)}" if one.unlimited else ""
    yield f"ends within limits{without}{_apart(one.apart_from)}: what falls, in this order"
    for number, (value, rules) in enumerate(one.components, start=1):
        yield f"  {number}. {value}  in {', '.join(rules)}"


def _longest(one: Longest) -> Iterator[str]:
    least = len(one.play.steps)
    limits = ", ".join(f"limit.{source} = {most}" for source, most in one.limits)
    where = f" where {limits}" if limits else ""
    if one.at_most == least:
        yield f"at most {least} steps{where} (a Play of {least} steps replayed), as proved by"
    elif one.at_most is not None:
        yield f"at most between {least} (replayed) and {one.at_most} steps{where}, proved by"
    else:
        yield f"{least} steps or more{where} (replayed): no largest number is proved"
    for inequality in one.inequalities:
        yield f"  {inequality}"


def _apart(cubes: tuple[Cube, ...]) -> str:
    return f", except where {' or '.join(map(implicant, cubes))}" if cubes else ""
