"""All the goals of a game, read off its rules, its edition and its readings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..models.algebra import all_of
from ..models.system import Property
from .gauges import gauges_of
from .goals import Again, Goal, Long, Losing, Moment, Passage, Prize, Run
from .ground import Ground
from .moments import (
    boundaries,
    effects,
    few_values,
    field_of,
    levels,
    near_misses,
    values,
)
from .readings_otherwise import readings_otherwise
from .targets import parse_targets

__all__ = ["goals_of", "prizes_of"]

# Steps of a long Play.
_LONG = 30


def goals_of(ground: Ground, known: Sequence[Property] = ()) -> tuple[Goal, ...]:
    """Return every goal there is for a game under an edition and its readings.

    ``known`` are lemmas of every moment, beside what is proved of the game.
    """
    claims = (*ground.claims, *known)
    gauges = gauges_of(ground, all_of(ground.encoding.holds(claim) for claim in claims))
    found = [
        *prizes_of(ground),
        *_rules(ground),
        *_pairs(ground),
        *boundaries(gauges),
        *values(ground),
        *effects(ground),
        *levels(ground),
        *readings_otherwise(ground),
        *_losing(ground),
        *near_misses(ground, gauges),
        *_again(ground),
        *_runs(ground),
        *_long(ground),
    ]
    return tuple({goal.id: goal for goal in found}.values())


def prizes_of(ground: Ground) -> tuple[Prize, ...]:
    """Return a goal for each prize that the table or the game's file names."""
    edition = ground.edition
    if not edition.prizes and not edition.game.reachable:
        return ()
    return tuple(
        Prize(
            f"prize:row-{target.row:02}" if target.row else f"prize:{target}",
            f"{target} is won, and nothing else",
            target,
        )
        for target in parse_targets("all", edition)
    )


def _rules(ground: Ground) -> Iterator[Goal]:
    for rule in ground.formulas:
        yield Moment(f"rule:{rule}", f"{rule} is taken", ((rule, True),))


def _pairs(ground: Ground) -> Iterator[Goal]:
    for first in ground.formulas:
        for then in ground.formulas:
            says = f"{then} comes right after {first}"
            yield Passage(f"pair:{first}>{then}", says, first, then)


def _losing(ground: Ground) -> Iterator[Goal]:
    for rule in ground.formulas:
        yield Losing(f"losing:{rule}", f"a Play with {rule} in it wins nothing", rule)


def _again(ground: Ground) -> Iterator[Goal]:
    for rule in ground.formulas:
        yield Again(f"again:{rule}", f"{rule} comes again after other rules", rule)


def _runs(ground: Ground) -> Iterator[Goal]:
    for rule in ground.formulas:
        if not ground.graph.has_edge(rule, rule):
            continue
        fields = dict.fromkeys(
            field_of(v)
            for v in ground.revealed[rule]
            if not v.choice and v.sort == "Int" and few_values(ground, rule, v)
        )
        for field in fields:
            for same in (True, False):
                how = "the same" if same else "another"
                yield Run(
                    f"run:{rule}:{field}:{'same' if same else 'other'}",
                    f"{rule} comes twice running, with {how} {field}",
                    rule,
                    field,
                    same,
                )


def _long(ground: Ground) -> Iterator[Goal]:
    if ground.game.limits:  # else no Play is longer than the rules have it
        yield Long(f"long:{_LONG}", f"a Play of {_LONG} steps or more", _LONG)
    for limit in ground.game.limits:
        says = f"{limit.says}: more than {limit.most}"
        yield Long(f"long:{limit.id}", says, limit.most, limit.id)
