"""What an id means, in plain words, and where it is used."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from ..errors import unknown
from ..models.editions import has_edition, load_edition
from ..models.registers import Register, has_register, load_register
from ..models.screen import View
from ..models.setting import figures_of, parameter_clauses_of, parameters_of, readings_of
from ..models.shape import FieldShape
from ..models.system import Game, Kind, Promise, Property, Reachable, Rule, Witness
from ..models.uses import uses_of
from ..oracles.claims import claims
from ..proofs.manifest import Expected, load_manifest
from .words import implicant, quantity_range

__all__ = ["Explanation", "explain", "ids"]

_MOST_LABELS = 24

Thing = tuple[str, str, Callable[[], "Explanation"]]
"""Something that bears an id: what all of its sort are called, the id, what it means."""


@dataclass(frozen=True)
class Explanation:
    """What one id is: a title, and facts as (what, words)."""

    title: str
    facts: tuple[tuple[str, str], ...]


def explain(game: Game, id_: str) -> tuple[Explanation, ...]:
    """Explain whatever bears an id in a game: one thing, seldom two.

    A label is left aside: ``rows.1`` is ``rows``. Raises BadInput, with the nearest ids, if
    nothing bears the id.
    """
    things = list(_things(game))
    wanted = _plain(id_.partition(".")[0])
    found = [make() for _, name, make in things if _plain(name) == wanted]
    if not found:
        known = dict.fromkeys(name for _, name, _ in things)
        raise unknown(f"id in {game.id}", id_, known, "explain without an id lists all")
    return tuple(found)


def ids(game: Game) -> tuple[Explanation, ...]:
    """Return all ids of a game, by sort."""
    sorts: dict[str, dict[str, None]] = {}
    for sort, name, _ in _things(game):
        sorts.setdefault(sort, {})[name] = None
    return (Explanation(game.id, tuple(_listed(sorts))),)


def _things(game: Game) -> Iterator[Thing]:
    register, expected = _register(game), load_manifest(game)
    for clause in register.clauses:
        yield "clauses", clause.id, partial(_clause, game, register, clause.id)
    for rule in game.rules:
        yield "rules", rule.id, partial(_rule, game, register, rule)
    for claim in game.properties:
        sort = "lemmas" if claim.kind is Kind.LEMMA else "properties"
        yield sort, claim.id, partial(_property, register, claim, expected)
    for kind in game.reachable:
        yield "properties", kind.id, partial(_reachable, register, kind, kind, expected)
    if has_edition(game):
        for id_, (claim, kind) in claims(load_edition(game)).items():
            yield "reachable", id_, partial(_reachable, register, claim, kind, expected)
    for witness in game.witnesses:
        yield "ways on", witness.id, partial(_witness, game, witness)
    for promise in game.promises:
        yield "promises", promise.id, partial(_promise, register, promise)
    for view in game.views:
        yield "screens", view.id, partial(_view, register, view)
    for name in readings_of(game.setting):
        yield "readings", name, partial(_reading, game, register, name, expected)
    for name in parameters_of(game.setting):
        yield "parameters", name, partial(_parameter, game, register, name)
    for name in figures_of(game.setting):
        yield "figures", name, partial(_figure, game, register, name)
    for name, shape in _fields(game.state_shape().type):
        yield "shown", name, partial(_field, game, f"shown {name}", shape)
    for rule in game.rules:
        for name, shape in _fields(rule.reveal):
            title = f"revealed by {rule.id}: {name}"
            yield "revealed", name, partial(_field, game, title, shape)
    for view in game.views:
        for name, shape in _fields(view.screen):
            title = f"on the screen {view.id}: {name}"
            yield "on a screen", name, partial(_field, game, title, shape)


def _plain(name: str) -> str:
    return name.lower().replace("_", "-")


def _register(game: Game) -> Register:
    return load_register(game.id) if has_register(game.id) else Register(game.id, "", ())


def _clause(game: Game, register: Register, id_: str) -> Explanation:
    clause = register.clause(id_)
    citing = {
        "rules": [rule.id for rule in game.rules if id_ in rule.clauses],
        "properties": [one.id for one in game.properties if id_ in one.clauses]
        + [kind.id for kind in game.reachable if id_ in kind.clauses],
        "promises": [one.id for one in game.promises if id_ in one.clauses],
        "screens": [one.id for one in game.views if id_ in (*one.collects, *one.keeps)],
        "figures": [
            n for n, figure in figures_of(game.setting).items() if figure.clause == id_
        ],
        "parameters": [
            n for n, cited in parameter_clauses_of(game.setting).items() if id_ in cited
        ],
        "readings": [n for n, way in readings_of(game.setting).items() if id_ in way.clauses],
    }
    return Explanation(
        f"clause {id_}",
        (
            ("says", clause.text),
            ("stands in", f"{register.document}: {clause.section}, {clause.locator}"),
            ("kind", clause.kind),
            *_listed(citing),
        ),
    )


def _rule(game: Game, register: Register, rule: Rule) -> Explanation:
    revealed = [f"{v.name} ({v.meaning})" for v in game.reveal_shape(rule).variables]
    return Explanation(
        f"rule {rule.id}",
        (
            ("says", rule.says),
            *_listed({"reveals": revealed}),
            *_clauses(register, rule.clauses),
        ),
    )


_SPEAKS_OF = {
    Kind.INVARIANT: "every state of every Play",
    Kind.LEMMA: "every state of every Play",
    Kind.STEP: "every step",
    Kind.GENERAL: "the game as a whole",
}


def _property(
    register: Register, claim: Property, expected: Mapping[str, Expected]
) -> Explanation:
    what = "lemma" if claim.kind is Kind.LEMMA else "property"
    facts = [("says", claim.says), ("speaks of", _SPEAKS_OF[claim.kind])]
    if claim.id in expected:
        facts.append(("expected", expected[claim.id].outcome.value))
        facts += [("fails under", implicant(cube)) for cube in expected[claim.id].fails_under]
    facts += _listed({"proved with": claim.using})
    return Explanation(f"{what} {claim.id}", (*facts, *_clauses(register, claim.clauses)))


def _reachable(
    register: Register,
    claim: Property | Reachable,
    kind: Reachable,
    expected: Mapping[str, Expected],
) -> Explanation:
    return Explanation(
        f"property {claim.id}",
        (
            ("says", claim.says),
            ("speaks of", "some Play, under one edition and one way to take the readings"),
            ("expected", expected[kind.id].outcome.value),
            *_clauses(register, kind.clauses),
        ),
    )


def _witness(game: Game, witness: Witness) -> Explanation:
    return Explanation(
        f"way on {witness.id}",
        (
            ("says", witness.says),
            ("means", "a reveal that shows of some states that no Play gets stuck there"),
            *_listed({"for": [r.id for r in game.rules if r.reveal is witness.reveal]}),
        ),
    )


def _promise(register: Register, promise: Promise) -> Explanation:
    return Explanation(
        f"promise {promise.id}",
        (
            ("says", promise.says),
            ("means", "the rules alone do not guarantee it; scripts are obliged to keep it"),
            *_clauses(register, promise.clauses),
        ),
    )


def _view(register: Register, view: View) -> Explanation:
    return Explanation(
        f"screen {view.id}",
        (
            ("shows", view.says),
            *_listed({"at": view.rules, "fields": [name for name, _ in _fields(view.screen)]}),
            *_clauses(register, dict.fromkeys((*view.collects, *view.keeps))),
        ),
    )


def _reading(
    game: Game, register: Register, name: str, expected: Mapping[str, Expected]
) -> Explanation:
    ways = readings_of(game.setting)[name]
    choices = [
        (f"{choice}{' (default)' if number == 0 else ''}", says)
        for number, (choice, says) in enumerate(zip(ways.choices, ways.says, strict=True))
    ]
    decided = [
        id_
        for id_, one in expected.items()
        if any(name == reading for cube in one.fails_under for reading, _ in cube)
    ]
    return Explanation(
        f"reading {name}",
        (
            ("asks", ways.meaning),
            *choices,
            *_listed({"decides": decided}),
            *_used(game, name.replace("-", "_")),
            *_clauses(register, ways.clauses),
        ),
    )


def _parameter(game: Game, register: Register, name: str) -> Explanation:
    shape = parameters_of(game.setting)[name]
    return Explanation(
        f"parameter {name}",
        (
            ("is", shape.meaning),
            ("range", _range(game, shape)),
            *_over(game, shape),
            *_used(game, name),
            *_clauses(register, parameter_clauses_of(game.setting)[name]),
        ),
    )


def _figure(game: Game, register: Register, name: str) -> Explanation:
    shape = figures_of(game.setting)[name]
    value = getattr(game.setting, name)
    shown = ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
    return Explanation(
        f"figure {name}",
        (
            ("is", shape.meaning),
            ("value", shown or "none"),
            *_used(game, name),
            *_clauses(register, (shape.clause,)),
        ),
    )


def _fields(type_: type[Any]) -> Iterator[tuple[str, FieldShape]]:
    for field in dataclasses.fields(type_):
        yield field.name, field.metadata["shape"]


def _field(game: Game, title: str, shape: FieldShape) -> Explanation:
    """Explain a field of the state or of what a rule reveals, as scripts have it."""
    number = shape.sort == "Int"
    return Explanation(
        title,
        (
            ("is", shape.meaning),
            ("range", _range(game, shape) if number else "yes or no"),
            *((("in files", "pence"),) if shape.unit == "pence" else ()),
            *_over(game, shape),
            *((("decided by", "the player"),) if shape.choice else ()),
        ),
    )


def _over(game: Game, shape: FieldShape) -> Iterator[tuple[str, str]]:
    for axis in shape.over:
        labels = getattr(game.setting, axis)
        if len(labels) > _MOST_LABELS:
            labels = (*labels[:2], "…", labels[-1])
        yield "given", f"for each of {axis}: {', '.join(labels)}"


def _range(game: Game, shape: FieldShape) -> str:
    def number(limit: int | str | None) -> int | None:
        return getattr(game.setting, limit) if isinstance(limit, str) else limit

    return quantity_range(number(shape.low), number(shape.high), shape.unit)


def _used(game: Game, name: str) -> Iterator[tuple[str, str]]:
    uses = uses_of(game, name)
    if uses.start:
        yield "used at", "the start of a Play"
    yield from _listed(
        {
            "used by rules": uses.rules,
            "used by properties": uses.properties,
            "used by promises": uses.promises,
        }
    )


def _listed(groups: Mapping[str, Iterable[Any]]) -> Iterator[tuple[str, str]]:
    for what, ids in groups.items():
        if listed := ", ".join(map(str, ids)):
            yield what, listed


def _clauses(register: Register, ids: Iterable[str]) -> Iterator[tuple[str, str]]:
    texts = {clause.id: clause.text for clause in register.clauses}
    for id_ in ids:
        yield f"clause {id_}", texts.get(id_, "(not in a register)")
