"""Reduced copies of games: small enough to be gone through state by state.

A copy is the same game with smaller figures, one value for every parameter, one choice of every
reading, and limits on reveals. A limit makes reveals illegal, for whoever runs or encodes the
copy: there is one game, so that both sides have the same limits.

    reveals   the values that a field of a reveal may take
    most      what a counter of the state may come to: a reveal that takes it further is illegal
    times     how often, in one Play, a rule may come, or a reveal with a field that is not 0;
              this is counted in the state

They need not be in the ranges that the game gives its parameters: a grid of two squares is
small, and no less a grid.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..errors import BadInput
from ..models.algebra import (
    Bool,
    BoolTerm,
    Int,
    Value,
    all_of,
    any_of,
    equal,
    implies,
    negate,
    where,
)
from ..models.setting import settle
from ..models.shape import Variable, count, shape_of
from ..models.system import Game, Reveal, Rule, RuleFunction, Witness

__all__ = ["Copy", "allowed_values", "matching", "reduced", "setting_of"]


@dataclass(frozen=True)
class Copy:
    """How a reduced copy of a game is made, and what its enumeration is pinned to.

    ``depth`` is the number of steps after which points are not followed any further; None for
    a copy whose points come to an end. ``pinned`` is what enumerating it must give.
    """

    name: str
    about: str
    figures: Mapping[str, Any]
    parameters: Mapping[str, Any]
    readings: Mapping[str, str]
    reveals: Mapping[str, tuple[int | bool, ...]] = field(default_factory=dict)
    most: Mapping[str, int] = field(default_factory=dict)
    times: Mapping[str, int] = field(default_factory=dict)
    depth: int | None = None
    pinned: Mapping[str, Any] | None = None


def reduced(game: Game, copy: Copy) -> Game:
    """Return the game with a copy's figures, in which reveals beyond its limits are illegal."""
    sized = game.copy(**copy.figures)
    state = _counting(sized.state, copy.times)
    counting = dataclasses.replace(
        sized,
        state=state,
        initial=lambda p: _grown(state, sized.initial(p), dict.fromkeys(copy.times, 0)),
        rules=tuple(
            dataclasses.replace(rule, effect=_counted(sized, rule, state, copy))
            for rule in sized.rules
        ),
    )
    limited = {rule.reveal: _limited(counting, rule.reveal, copy) for rule in sized.rules}
    return dataclasses.replace(
        counting,
        rules=tuple(
            dataclasses.replace(rule, reveal=limited[rule.reveal]) for rule in counting.rules
        ),
        witnesses=tuple(_within(way, limited[way.reveal]) for way in sized.witnesses),
        limits=(),  # a copy has those it has: whether its Plays end is asked of it as it is
    )


def setting_of(game: Game, copy: Copy) -> Any:
    """Return the setting of a copy, every value known.

    Raises BadInput for values that do not go together.
    """
    p, open_, fits = settle(game.setting, copy.parameters, copy.readings)
    if open_ or fits is not True:
        missing = ", ".join(variable.name.removeprefix("p.") for variable in open_)
        said = " ".join((type(game.setting).constraint.__doc__ or "").split())
        wrong = f"no value for {missing}" if missing else f"values clash; must hold: {said}"
        raise BadInput(f"copy {copy.name!r} of {game.id}: {wrong}")
    return p


def allowed_values(copy: Copy, reveal: type[Reveal], variable: Variable) -> Iterable[Any]:
    """Return the values that a field of a reveal may take in a copy.

    Raises BadInput for a field without a highest value to which the copy gives none either.
    """
    listed = _listed(copy, reveal, variable.name)
    if listed is not None:
        return listed
    if variable.sort == "Bool":
        return (False, True)
    if variable.low is None or variable.high is None:
        name = f"{reveal.__name__.lower()}.{variable.name}"
        raise BadInput(
            f"copy {copy.name!r}: {name} has no highest value: say in 'reveals' which values "
            "it may take"
        )
    return range(variable.low, variable.high + 1)


def matching(names: Iterable[str], wanted: str) -> list[str]:
    """Return the scalars that a name means: itself, or every label of a field."""
    return [name for name in names if name == wanted or name.startswith(f"{wanted}.")]


def _listed(copy: Copy, reveal: type[Reveal], name: str) -> tuple[int | bool, ...] | None:
    """Return the values listed for a scalar, or else for the field that it is of."""
    parts = f"{reveal.__name__.lower()}.{name}".split(".")
    for length in range(len(parts), 1, -1):
        if (known := copy.reveals.get(".".join(parts[:length]))) is not None:
            return known
    return None


def _limited(game: Game, type_: type[Reveal], copy: Copy) -> type[Reveal]:
    """Return a type of reveal that is legal within the limits of a copy only."""
    shape = shape_of(type_, game.setting)
    listed = {v.name: _listed(copy, type_, v.name) for v in shape.variables}
    using = [rule for rule in game.rules if rule.reveal is type_]
    keeps = _keeping(game, copy)

    def legal(self: Reveal, p: Any, s: Any) -> Bool:
        scalars = shape.scalars(self)
        among = [
            any_of(equal(scalars[name], one) for one in values)
            for name, values in listed.items()
            if values is not None
        ]
        kept = (implies(rule.when(p, s, self), keeps(rule, p, s, self)) for rule in using)
        return all_of(type_.legal(self, p, s), among, kept)

    return dataclasses.make_dataclass(
        type_.__name__, [], bases=(type_,), frozen=True, namespace={"legal": legal}
    )


def _within(way: Witness, limited: type[Reveal]) -> Witness:
    """Return a way on whose reveals are those of a copy."""

    def make(p: Any, s: Any) -> Iterator[Any]:
        return (limited(**vars(reveal)) for reveal in way.make(p, s))

    return dataclasses.replace(way, reveal=limited, make=make)


def _keeping(game: Game, copy: Copy) -> Callable[[Rule, Any, Any, Any], Bool]:
    """Return what says whether the state after a rule is within the limits of a copy."""
    shape = game.state_shape()
    names = [variable.name for variable in shape.variables]
    limits = {name: most for one, most in copy.most.items() for name in matching(names, one)}
    limits |= {_times(what): most for what, most in copy.times.items()}

    def keeps(rule: Rule, p: Any, s: Any, reveal: Any) -> Bool:
        if not limits:
            return True
        scalars: Mapping[str, Any] = shape.scalars(rule.effect(p, s, reveal))
        return all_of(scalars[name] <= limit for name, limit in limits.items())

    return keeps


def _times(what: str) -> str:
    return "times_" + re.sub(r"\W", "_", what)


def _counting(state: type[Any], times: Mapping[str, int]) -> type[Any]:
    """Return the type of a state that counts, besides, what may come so often only."""
    counters = [
        (_times(what), Any, count(f"times that {what} came", 0, most))
        for what, most in times.items()
    ]
    return dataclasses.make_dataclass(state.__name__, counters, bases=(state,), frozen=True)


def _counted(game: Game, rule: Rule, state: type[Any], copy: Copy) -> RuleFunction:
    """Return the effect of a rule, with what is counted."""
    shape = game.reveal_shape(rule)
    names = [f"{rule.reveal.__name__.lower()}.{variable.name}" for variable in shape.variables]

    def came(what: str, reveal: Any) -> Int:
        if what == rule.id:
            return 1
        scalars = dict(zip(names, shape.scalars(reveal).values(), strict=True))
        fields = (scalars[name] for name in matching(names, what))
        return where(any_of(negate(_nothing(value)) for value in fields), 1, 0)

    def effect(p: Any, s: Any, reveal: Any) -> Any:
        counters = {what: getattr(s, _times(what)) + came(what, reveal) for what in copy.times}
        return _grown(state, rule.effect(p, s, reveal), counters)

    return effect


def _nothing(value: Value) -> Bool:
    return negate(value) if isinstance(value, bool | BoolTerm) else value == 0


def _grown(state: type[Any], s: Any, counters: Mapping[str, Any]) -> Any:
    """Return a state with its counters, also where a rule made it anew."""
    named = {_times(what): number for what, number in counters.items()}
    if isinstance(s, state):  # perhaps one that counts still more
        return dataclasses.replace(s, **named)
    known = {one.name: getattr(s, one.name) for one in dataclasses.fields(s)}
    return state(**known | named)
