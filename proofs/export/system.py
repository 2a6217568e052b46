"""A game as a transition system for other solvers, before it is written in any language.

    frozen      parameters and readings: what no step changes
    state       the game's state and what its observer counts
    monitors    one yes or no for each step property: whether the last step kept it
    inputs      the number of the rule that fires, and what is revealed

    start       init(x), with every monitor at yes
    step        guard.R(x, r) where rule = R, and x' = next.R(x, r)
    rest        once the Play has ended, nothing changes: a system that stops is none to many
                solvers, and a state that is repeated breaks no claim

A step property ``holds(x, r, x')`` becomes an invariant ``ok``, with ``ok' = holds(x, r, x')``.
An invariant that is only there to prove others with is a claim as well, marked as a lemma, so
that a solver may prove it first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from ...errors import BadInput
from ...models.algebra import (
    Bool,
    Value,
    all_of,
    any_of,
    bool_variable,
    equal,
    int_variable,
    where,
)
from ...models.setting import readings_of
from ...models.shape import Variable
from ...models.system import Game, Kind, Property
from .. import smtlib
from ..encoding import NEXT, Encoding
from ..induction import lemmas_of
from ..verdict import Cube

__all__ = ["RULE", "Case", "Exported", "Statement", "exportable", "exported"]

RULE = "rule"
_CLAIMS = (Kind.INVARIANT, Kind.STEP, Kind.LEMMA)


@dataclass(frozen=True)
class Case:
    """One way to take a step: when, and the values of the variables it changes, by name.

    ``kept`` says of each step property's monitor whether this way keeps the property; a monitor
    that is not named is kept.
    """

    number: int
    id: str
    says: str
    guard: Bool
    changes: Mapping[str, Value]
    kept: Mapping[str, Bool]


@dataclass(frozen=True)
class Statement:
    """A claim about every reachable state.

    ``left_out`` are readings that it does not speak of, ``spared`` says where they are taken.
    """

    number: int
    claim: Property
    says: Bool
    left_out: tuple[Cube, ...] = ()
    spared: Bool = False

    @property
    def holds(self) -> Bool:
        """The claim as a term over the state and the monitors."""
        return any_of(self.spared, self.says)

    @property
    def role(self) -> str:
        """What it is: a property, or a lemma, which is there to prove properties with."""
        return "lemma" if self.claim.kind is Kind.LEMMA else "property"

    @property
    def name(self) -> str:
        """What its definition is called: ``property.single-prize``."""
        return f"{self.role}.{self.claim.id}"


@dataclass(frozen=True)
class Exported:
    """A game's transition system, as terms over the names of its encoding."""

    game: Game
    encoding: Encoding
    frozen: tuple[Variable, ...]
    state: tuple[Variable, ...]
    monitors: tuple[Variable, ...]
    inputs: tuple[Variable, ...]
    start: Mapping[str, Value]
    cases: tuple[Case, ...]
    statements: tuple[Statement, ...]

    @property
    def kept(self) -> tuple[Variable, ...]:
        """Every variable that has a next value."""
        return (*self.frozen, *self.state, *self.monitors)

    def init(self) -> Bool:
        """Return where a Play starts, but for what binds the frozen variables."""
        given = (v for v in self.kept if v.name in self.start)
        return all_of(equal(v.term(), self.start[v.name]) for v in given)

    def step(self, guard: Callable[[Case], Bool], value: Callable[[Case, str], Value]) -> Bool:
        """Return a step: a rule whose guard holds, and the value it gives each variable.

        ``guard`` and ``value`` say how those of a case are written, in full or by a name.
        """
        fired = any_of(all_of(_fires(case), guard(case)) for case in self.cases)
        moved = [equal(v.term(NEXT), self._after(v, value)) for v in self.kept]
        return all_of(fired, moved)

    def _after(self, variable: Variable, value: Callable[[Case, str], Value]) -> Value:
        name = variable.name
        after: Value = True if variable in self.monitors else variable.term()
        for case in reversed(self.cases):
            if name in case.changes or name in case.kept:
                after = where(_fires(case), value(case, name), after)
        return after

    def choices(self, variable: Variable) -> tuple[str, ...]:
        """Return the names of a reading's choices, in the order of its numbers."""
        ways = readings_of(self.game.setting).get(variable.name.removeprefix("p."))
        return ways.choices if ways else ()


def exportable(game: Game) -> tuple[Property, ...]:
    """Return the claims that another solver can be given: those about states and steps."""
    return tuple(claim for claim in game.properties if claim.kind in _CLAIMS)


def exported(
    encoding: Encoding,
    only: Sequence[str] = (),
    left_out: Mapping[str, Sequence[Cube]] | None = None,
) -> Exported:
    """Return the system of an encoding with these claims and what they are proved with.

    Without ``only`` all claims are in it. Properties come first, in the game's order, then the
    lemmas. ``left_out`` says by property which readings its claim is not to speak of.
    Raises BadInput for a claim that is no invariant, step property or lemma.
    """
    game = encoding.game
    claims = sorted(_chosen(game, only), key=lambda claim: claim.kind is Kind.LEMMA)
    monitors = {claim.id: f"ok.{claim.id}" for claim in claims if claim.kind is Kind.STEP}
    steps = [claim for claim in claims if claim.kind is Kind.STEP]
    cases = [_case(encoding, number, steps, monitors) for number in range(len(encoding.rules))]
    point = encoding.point()
    ended = game.goal.ended(encoding.p, point.s)
    cases.append(
        Case(len(cases), "rest", "The Play has ended: nothing changes.", ended, {}, {})
    )
    rule = Variable(RULE, "Int", "the rule that fires, by its number", 0, len(cases) - 1)
    watching = tuple(
        Variable(monitors[claim.id], "Bool", f"whether the last step kept {claim.id}")
        for claim in steps
    )
    start: dict[str, Value] = {
        variable.name: value
        for variable, value in zip(encoding.state, encoding.start, strict=True)
    }
    start |= {variable.name: True for variable in watching}
    return Exported(
        game,
        encoding,
        encoding.rigid,
        encoding.state,
        watching,
        (rule, *encoding.reveals),
        start,
        tuple(cases),
        tuple(
            _statement(encoding, number, claim, monitors, (left_out or {}).get(claim.id, ()))
            for number, claim in enumerate(claims)
        ),
    )


def _fires(case: Case) -> Bool:
    return int_variable(RULE) == case.number


def _chosen(game: Game, only: Sequence[str]) -> list[Property]:
    for id_ in only:
        claim = game.property(id_)
        if claim.kind not in _CLAIMS:
            raise BadInput(
                f"{game.id}: {id_} speaks of the system as a whole, not of its states or "
                "steps, so it cannot be exported; ask for others, or for none to have all"
            )
    chosen = set(only)
    chosen |= {lemma.id for id_ in only for lemma in lemmas_of(game, game.property(id_))}
    return [claim for claim in exportable(game) if not only or claim.id in chosen]


def _case(
    encoding: Encoding, number: int, steps: Iterable[Property], monitors: Mapping[str, str]
) -> Case:
    formula = encoding.rules[number]
    changes = {
        variable.name: update
        for variable, update in zip(encoding.state, formula.updates, strict=True)
        if not smtlib.is_variable(update, variable.name)
    }
    kept = {monitors[c.id]: encoding.holds_over(c, formula.rule) for c in steps}
    kept = {name: holds for name, holds in kept.items() if holds is not True}
    rule = formula.rule
    return Case(number, rule.id, rule.says, formula.guard, changes, kept)


def _statement(
    encoding: Encoding,
    number: int,
    claim: Property,
    monitors: Mapping[str, str],
    cubes: Sequence[Cube],
) -> Statement:
    over_step = claim.kind is Kind.STEP
    says = bool_variable(monitors[claim.id]) if over_step else encoding.holds(claim)
    spared = any_of(encoding.cube(cube) for cube in cubes)
    return Statement(number, claim, says, tuple(cubes), spared)
