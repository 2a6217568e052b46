"""The transition system of a game: state, reveals, rules, properties.

A game is a value. Its rules are functions from a setting, a state and a reveal to the next
state; its observer keeps a tally of what a bystander would count, from the reveals and the
rules that fired alone, so that a property compares what the game says with what was seen. A
tally decides nothing: rules never read it.

Nothing here knows of a solver or of a particular game.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Any, Generic, TypeVar

from .algebra import Bool, Int, all_of
from .drawing import Drawing
from .screen import View
from .setting import Setting
from .shape import Shape, shape_of

__all__ = [
    "Game",
    "Goal",
    "Kind",
    "Limit",
    "Point",
    "Promise",
    "Property",
    "Reachable",
    "Reveal",
    "Rule",
    "Step",
    "Witness",
    "general",
    "invariant",
    "lemma",
    "promise",
    "reachable",
    "rule",
    "step_property",
    "witness",
]

S = TypeVar("S")
T = TypeVar("T")
RuleFunction = Callable[[Any, Any, Any], Any]


class Reveal:
    """Base of every reveal: what the lottery decides (and the player chooses) at a step.

    Fields are declared with ``count`` and ``flag``; those marked ``choice`` are the player's.
    """

    def legal(self, p: Any, s: Any) -> Bool:
        """Return whether this reveal may come in this state, beyond its fields' limits."""
        return True


@dataclass(frozen=True)
class Nothing(Reveal):
    """The reveal of a step that reveals nothing."""


@dataclass(frozen=True)
class Rule:
    """A way to go from one state to the next.

    ``when`` says in which states and for which legal reveals it applies; ``effect`` gives the
    next state. ``clauses`` are the ids of what it realises.
    """

    id: str
    reveal: type[Reveal]
    clauses: tuple[str, ...]
    says: str
    when: Callable[[Any, Any, Any], Bool]
    effect: RuleFunction

    def guard(self, p: Any, s: Any, reveal: Any) -> Bool:
        """Return whether the rule fires: its condition holds and the reveal is legal."""
        applies = self.when(p, s, reveal)
        return False if applies is False else all_of(applies, reveal.legal(p, s))


@dataclass(frozen=True)
class Step:
    """The rule that fired and what was revealed. The rule is always known."""

    rule: str
    reveal: Any

    def by(self, *rules: Rule) -> bool:
        """Return whether one of these rules fired."""
        return any(self.rule == rule.id for rule in rules)


@dataclass(frozen=True)
class Point(Generic[S, T]):
    """The state ``s`` of a Play at one moment, and the observer's tally ``t`` so far."""

    s: S
    t: T


class Kind(Enum):
    """What a property speaks of."""

    INVARIANT = "invariant"
    STEP = "step"
    LEMMA = "lemma"
    REACHABLE = "reachable"
    GENERAL = "general"


@dataclass(frozen=True)
class Property:
    """A claim about every Play.

    An invariant (or a lemma, which only helps to prove others) is ``holds(p, s, t)``. A step
    property is ``holds(p, before, step, after)`` with Points before and after, and a plain
    ``if step.by(rule)`` inside: the rule is known. A reachable one says that some Play comes to
    a state where ``holds(p, s, t)``: it is a member of a ``Reachable`` under one edition.
    A general one (``choice-free``, ``terminates``, …) speaks of the system as a whole: its id
    says what it claims of any game, and which method decides it.
    """

    id: str
    kind: Kind
    clauses: tuple[str, ...]
    says: str
    holds: Callable[..., Bool]
    using: tuple[str, ...] = ()


@dataclass(frozen=True)
class Promise:
    """A sentence of the document that the mechanics cannot guarantee.

    ``kept`` is ``kept(p, s, t)``, judged where a Play has ended. It binds scripts.
    """

    id: str
    clauses: tuple[str, ...]
    says: str
    kept: Callable[[Any, Any, Any], Bool]


@dataclass(frozen=True)
class Reachable:
    """A claim that prizes can be won: a matter of one edition and one way to take readings.

    ``members`` is ``members(p, rows)``, from the edition's values and the number of rows in its
    prize table to the prizes, as people write them, that each claim says can be won.
    """

    id: str
    clauses: tuple[str, ...]
    says: str
    members: Callable[[Any, int], Mapping[str, tuple[str, ...]]]


@dataclass(frozen=True)
class Limit:
    """A source of length: what may come again and again, so that a Play goes on for ever.

    ``spent`` is ``spent(p, s, step)``: how much of it a step takes, a whole number. Where one
    of the rules ``renewed`` (ids) fires it is counted anew. Nothing in the document limits it;
    ``most`` is the limit under which Plays without an end are looked for in the other sources,
    and for which the largest number of steps is given.
    """

    id: str
    clauses: tuple[str, ...]
    says: str
    spent: Callable[[Any, Any, Step], Int]
    most: int
    renewed: tuple[str, ...] = ()


@dataclass(frozen=True)
class Goal:
    """How the prizes of a game are named and recognised, for scripts.

    ``paid`` is the Prize Amount (pence) of an ended Play. ``parts`` gives what it is made of,
    by name (a row, a ladder, the Prize Game): each the pence it contributed, 0 where not won.
    ``ended`` says whether the Play is over. ``named`` are the parts that a target must call by
    name (``£10 Prize Game``); a bare amount means any other part.
    """

    ended: Callable[[Any, Any], Bool]
    paid: Callable[[Any, Any], Int]
    parts: Callable[[Any, Any], Mapping[str, Int]]
    named: tuple[str, ...] = ()


@dataclass(frozen=True)
class Witness:
    """A way on: reveals made from the setting and the state, one of which is legal in some.

    It is there to prove that no Play gets stuck, and is checked like any other reveal.
    """

    id: str
    reveal: type[Reveal]
    says: str
    make: Callable[[Any, Any], Iterable[Any]]


@dataclass(frozen=True)
class Game:
    """Everything there is to say about a game, once.

    ``views`` are its screens. ``layer`` is the system by which screens are made for whatever
    is revealed, with a setting of the same fields: general claims about screens are proved of
    the properties that it has under the same ids. ``drawing`` says what there is to see of it,
    where it is drawn otherwise than field by field. ``begins`` are the clauses that say how a
    Play starts.
    """

    id: str
    title: str
    about: str
    setting: Setting
    state: type[Any]
    tally: type[Any]
    initial: Callable[[Any], Any]
    observe: Callable[[Any, Point[Any, Any], Step, Any], Any]
    rules: tuple[Rule, ...]
    properties: tuple[Property, ...]
    promises: tuple[Promise, ...]
    goal: Goal
    reachable: tuple[Reachable, ...] = ()
    witnesses: tuple[Witness, ...] = ()
    limits: tuple[Limit, ...] = ()
    views: tuple[View, ...] = ()
    layer: Game | None = None
    begins: tuple[str, ...] = ()
    drawing: Drawing | None = None

    def state_shape(self) -> Shape[Any]:
        """Return the layout of the state."""
        return self._shape(self.state)

    def tally_shape(self) -> Shape[Any]:
        """Return the layout of the observer's tally."""
        return self._shape(self.tally)

    def reveal_shape(self, rule: Rule) -> Shape[Any]:
        """Return the layout of what a rule reveals."""
        return self._shape(rule.reveal)

    def _shape(self, type_: type[Any]) -> Shape[Any]:
        if type_ not in self._shapes:
            self._shapes[type_] = shape_of(type_, self.setting)
        return self._shapes[type_]

    @cached_property
    def _shapes(self) -> dict[type[Any], Shape[Any]]:
        """The layouts that were asked for: every step of every Play asks for them again."""
        return {}

    @cached_property
    def _rules(self) -> dict[str, Rule]:
        return {rule.id: rule for rule in self.rules}

    def reveal_kinds(self) -> tuple[type[Reveal], ...]:
        """Return the kinds of reveal there are, in the order of the rules."""
        return tuple(dict.fromkeys(rule.reveal for rule in self.rules))

    def view(self, rule: str) -> View | None:
        """Return what the screen of a rule's step is (or of the start); None without one."""
        return next((view for view in self.views if rule in view.rules), None)

    def rule(self, id_: str) -> Rule:
        """Return the rule of that id; KeyError if there is none."""
        return self._rules[id_]

    def property(self, id_: str) -> Property:
        """Return the property of that id; KeyError if there is none."""
        return {claim.id: claim for claim in self.properties}[id_]

    def start(self, p: Any) -> Point[Any, Any]:
        """Return the state and the tally a Play starts with (every tally starts at 0)."""
        return Point(self.initial(p), self.tally_shape().zero())

    def after(self, p: Any, point: Point[Any, Any], rule: Rule, reveal: Any) -> Point[Any, Any]:
        """Return the point after a rule fired. Whether it may fire is not checked here."""
        state = rule.effect(p, point.s, reveal)
        return Point(state, self.observe(p, point, Step(rule.id, reveal), state))

    def with_rule(self, changed: Rule) -> Game:
        """Return this game with one rule replaced by another of the same id."""
        self.rule(changed.id)
        rules = tuple(changed if rule.id == changed.id else rule for rule in self.rules)
        return dataclasses.replace(self, rules=rules)

    def copy(self, **figures: Any) -> Game:
        """Return this game with other figures: fewer rows, smaller meters."""
        return dataclasses.replace(self, setting=dataclasses.replace(self.setting, **figures))


def rule(
    *,
    reveal: type[Reveal] = Nothing,
    clauses: tuple[str, ...],
    when: Callable[[Any, Any, Any], Bool],
) -> Callable[[RuleFunction], Rule]:
    """Make a rule of a function ``(p, s, reveal) -> next state``, named after it."""

    def make(effect: RuleFunction) -> Rule:
        return Rule(_id(effect), reveal, clauses, _says(effect), when, effect)

    return make


def invariant(
    id_: str, clauses: tuple[str, ...], using: tuple[str, ...] = ()
) -> Callable[[Callable[..., Bool]], Property]:
    """Make an invariant of a function ``(p, s, t)``; its docstring is the claim in words."""
    return _property(id_, Kind.INVARIANT, clauses, using)


def lemma(
    id_: str, clauses: tuple[str, ...] = (), using: tuple[str, ...] = ()
) -> Callable[[Callable[..., Bool]], Property]:
    """Make a lemma: an invariant that is there to prove others with."""
    return _property(id_, Kind.LEMMA, clauses, using)


def step_property(
    id_: str, clauses: tuple[str, ...], using: tuple[str, ...] = ()
) -> Callable[[Callable[..., Bool]], Property]:
    """Make a step property of a function ``(p, before, step, after)``."""
    return _property(id_, Kind.STEP, clauses, using)


def reachable(
    id_: str, clauses: tuple[str, ...]
) -> Callable[[Callable[[Any, int], Mapping[str, tuple[str, ...]]]], Reachable]:
    """Make reachability claims of a function ``(p, rows)``; its docstring is the claim."""

    def make(members: Callable[[Any, int], Mapping[str, tuple[str, ...]]]) -> Reachable:
        return Reachable(id_, clauses, _says(members), members)

    return make


def general(
    id_: str, clauses: tuple[str, ...], says: str, using: tuple[str, ...] = ()
) -> Property:
    """Make a claim about the system as a whole, one that its id defines for every game."""

    def holds(*_: object) -> Bool:
        raise TypeError(f"{id_} is no formula over one state or step")

    return Property(id_, Kind.GENERAL, clauses, says, holds, using)


def witness(
    reveal: type[Reveal],
) -> Callable[[Callable[[Any, Any], Iterable[Any]]], Witness]:
    """Make a witness of a function ``(p, s) -> reveals``; its docstring says what they are."""

    def make(function: Callable[[Any, Any], Iterable[Any]]) -> Witness:
        return Witness(_id(function), reveal, _says(function), function)

    return make


def promise(
    id_: str, clauses: tuple[str, ...]
) -> Callable[[Callable[[Any, Any, Any], Bool]], Promise]:
    """Make a promise of a function ``(p, s, t)``, judged where a Play has ended."""

    def make(kept: Callable[[Any, Any, Any], Bool]) -> Promise:
        return Promise(id_, clauses, _says(kept), kept)

    return make


def _property(
    id_: str, kind: Kind, clauses: tuple[str, ...], using: tuple[str, ...]
) -> Callable[[Callable[..., Bool]], Property]:
    def make(holds: Callable[..., Bool]) -> Property:
        return Property(id_, kind, clauses, _says(holds), holds, using)

    return make


def _id(function: Callable[..., object]) -> str:
    return function.__name__.replace("_", "-")


def _says(function: Callable[..., object]) -> str:
    if not function.__doc__:
        raise TypeError(f"{function.__name__}: say in a docstring what it states")
    return " ".join(function.__doc__.split())
