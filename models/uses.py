"""Which rules and properties look at what: figures, parameters and readings by name.

Nothing is declared for this. Every rule and property is run once on unknowns, under a setting
that notes which of its fields are asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from .setting import settle
from .system import Game, Kind, Point, Promise, Property, Rule, Step

__all__ = ["Asked", "Uses", "asked_for", "uses_of"]

Run = Callable[[Any], object]


@dataclass(frozen=True)
class Uses:
    """Who asks for one name of the setting: the start of a Play, and rules and claims by id."""

    start: bool
    rules: tuple[str, ...]
    properties: tuple[str, ...]
    promises: tuple[str, ...]


@dataclass(frozen=True)
class Asked:
    """What of the setting is asked for: by the start of a Play, each rule, claim and promise.

    A general claim is no formula, so it is not among the properties.
    """

    start: frozenset[str]
    rules: Mapping[str, frozenset[str]]
    properties: Mapping[str, frozenset[str]]
    promises: Mapping[str, frozenset[str]]


def uses_of(game: Game, name: str) -> Uses:
    """Return what asks for a figure, parameter or reading (by its field's name)."""
    asked = asked_for(game)

    def asking(by: Mapping[str, frozenset[str]]) -> tuple[str, ...]:
        return tuple(id_ for id_, names in by.items() if name in names)

    return Uses(
        name in asked.start,
        asking(asked.rules),
        asking(asked.properties),
        asking(asked.promises),
    )


def asked_for(game: Game) -> Asked:
    """Return the figures, parameters and readings that a game's rules and formulas ask for."""
    setting, _, _ = settle(game.setting)
    now = Point(game.state_shape().terms(), game.tally_shape().terms())
    then = Point(game.state_shape().terms("!"), game.tally_shape().terms("!"))
    reveals = {rule.id: game.reveal_shape(rule).terms() for rule in game.rules}

    def names_in(run: Run) -> frozenset[str]:
        names: set[str] = set()
        run(_noting(setting, names))
        return frozenset(names)

    def of_rule(rule: Rule) -> Run:
        def run(p: Any) -> None:
            rule.guard(p, now.s, reveals[rule.id])
            rule.effect(p, now.s, reveals[rule.id])

        return run

    def of_claim(claim: Property) -> Run:
        def run(p: Any) -> None:
            if claim.kind is Kind.STEP:
                for rule in game.rules:
                    claim.holds(p, now, Step(rule.id, reveals[rule.id]), then)
            else:
                claim.holds(p, now.s, now.t)

        return run

    def of_promise(promise: Promise) -> Run:
        return lambda p: promise.kept(p, now.s, now.t)

    formulas = [claim for claim in game.properties if claim.kind is not Kind.GENERAL]
    return Asked(
        names_in(lambda p: game.initial(p)),
        {rule.id: names_in(of_rule(rule)) for rule in game.rules},
        {claim.id: names_in(of_claim(claim)) for claim in formulas},
        {promise.id: names_in(of_promise(promise)) for promise in game.promises},
    )


def _noting(setting: Any, names: set[str]) -> Any:
    """Return a copy of a setting that notes which of its fields are asked for."""
    type_: Any = type(setting)

    def note(self: Any, name: str) -> Any:
        names.add(name)
        return type_.__getattribute__(self, name)

    noting: Any = type(type_.__name__, (type_,), {"__getattribute__": note})
    copy = object.__new__(noting)
    vars(copy).update(vars(setting))
    return copy
