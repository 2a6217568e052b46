"""What a suite has to show of a game, all of it read off the game: nothing is listed by hand.

    prize      every prize that the table or the game's file names is won, and nothing else is
    rule       every rule is taken
    pair       every rule comes right after every other that it can come after
    boundary   what is filled: from empty, one short, exact, one over, full already, the most
    value      every value that a reveal can have, where there are few; none, one and more else
    effect     every rule changes every field that it can change
    level      a field of few values goes from each to each other by every rule that can do so
    reading    every reading taken otherwise makes a difference
    losing     Plays that win nothing, plain and with every rule in them
    near-miss  Plays that win nothing and end one short of filling something
    again      a rule comes again after others have come: two sub-games of one kind
    run        a rule comes twice running with the same, and with another, thing revealed
    long       Plays of many steps, and every source of length beyond its usual limit

A ``Moment`` is a condition on a step, written over an encoding's unknowns, so it is seen on
numbers, asked of a solver, and claimed never to come about, all by the same formula.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..models.algebra import (
    Bool,
    BoolTerm,
    IntTerm,
    Value,
    all_of,
    any_of,
    equal,
    negate,
    variables_of,
)
from ..models.editions import default_readings
from ..models.setting import allowed, readings_of, settle
from ..models.shape import Variable
from ..models.system import Property
from ..models.uses import asked_for
from ..proofs.encoding import NEXT
from ..proofs.smtlib import text
from .gauges import Gauge, gauges_of
from .ground import Ground
from .targets import Target, parse_targets

__all__ = [
    "Again",
    "Goal",
    "Long",
    "Losing",
    "Moment",
    "Passage",
    "Prize",
    "Run",
    "goals_of",
    "prizes_of",
]

# A reveal of more values than this has no goal for each; a field of fewer has levels.
_VALUES, _LEVELS = 80, 4
# Steps of a long Play.
_LONG = 30


@dataclass(frozen=True)
class Goal:
    """Something that the Plays of a suite have to show; ``id`` begins with its kind."""

    id: str
    says: str

    @property
    def kind(self) -> str:
        """The kind of goal."""
        return self.id.partition(":")[0]


@dataclass(frozen=True)
class Prize(Goal):
    """A prize is won, and nothing else."""

    target: Target


@dataclass(frozen=True)
class Moment(Goal):
    """A step as a condition says: by rule, a term over an encoding's unknowns."""

    cases: tuple[tuple[str, Bool], ...]


@dataclass(frozen=True)
class Passage(Goal):
    """One rule right after another."""

    first: str
    then: str


@dataclass(frozen=True)
class Losing(Goal):
    """A Play that wins nothing in which a rule is taken."""

    rule: str


@dataclass(frozen=True)
class Again(Goal):
    """A rule comes again after others have come."""

    rule: str


@dataclass(frozen=True)
class Run(Goal):
    """A rule comes twice running, and reveals in a field the same again or something else."""

    rule: str
    field: str
    same: bool


@dataclass(frozen=True)
class Long(Goal):
    """A Play of so many steps; with a ``source``, one that uses more of it than ``most``."""

    most: int
    source: str = ""


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
        *_boundaries(gauges),
        *_values(ground),
        *_effects(ground),
        *_levels(ground),
        *_readings(ground),
        *_losing(ground),
        *_near_misses(ground, gauges),
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


def _boundaries(gauges: tuple[Gauge, ...]) -> Iterator[Goal]:
    for gauge in gauges:
        for name, says, condition in gauge.boundaries():
            id_ = f"boundary:{gauge.rule}:{gauge.name}={gauge.size}:{name}"
            yield Moment(id_, f"{gauge.rule}: {gauge.name} {says}", ((gauge.rule, condition),))


def _plain(variable: Variable) -> str:
    """Return the name of a scalar of the state, or of a reveal, without its prefix."""
    head, _, rest = variable.name.partition(".")
    return rest.partition(".")[2] if head == "r" else rest


def _field(variable: Variable) -> str:
    return _plain(variable).partition(".")[0]


def _values(ground: Ground) -> Iterator[Goal]:
    for rule in ground.formulas:
        fields: dict[str, list[Variable]] = {}
        for variable in ground.revealed[rule]:
            if not variable.choice:
                fields.setdefault(_field(variable), []).append(variable)
        for field, variables in fields.items():
            for name, says, condition in _values_of(ground, rule, variables):
                yield Moment(
                    f"value:{rule}:{field}:{name}",
                    f"{rule} reveals {field} {says}",
                    ((rule, condition),),
                )


def _values_of(
    ground: Ground, rule: str, variables: list[Variable]
) -> Iterator[tuple[str, str, Bool]]:
    first = variables[0]
    terms = [variable.term() for variable in variables]
    numbers = [one for one in terms if isinstance(one, IntTerm)]
    if not numbers:
        for yes in (False, True):
            yield str(yes).lower(), f"= {yes}", any_of(equal(one, yes) for one in terms)
        return
    few = _few(ground, rule, first)
    if few:
        for value in few:
            yield str(value), f"= {value}", any_of(one == value for one in numbers)
        return
    low = first.low or 0
    for value in (low, low + 1):
        yield str(value), f"= {value}", any_of(one == value for one in numbers)
    yield f"{low + 2}+", f"above {low + 1}", any_of(one > low + 1 for one in numbers)
    if len(variables) > 1:
        for variable, number in zip(variables, numbers, strict=True):
            label = _plain(variable).partition(".")[2]
            yield f"{label}:some", f"{label} above {low}", number > low


def _few(ground: Ground, rule: str, variable: Variable) -> list[int]:
    """Return the values of a reveal, where there are few: by its limits, or by its guard."""
    if variable.low is not None and variable.high is not None:
        few = range(variable.low, variable.high + 1)
        return list(few) if len(few) <= _VALUES else []
    return sorted(compared_with(ground.formulas[rule].guard, variable.name))


def compared_with(value: Value, name: str) -> set[int]:
    """Return the numbers that a term asks whether an unknown is equal to."""
    found: set[int] = set()
    seen: set[int] = set()
    waiting: list[object] = [value]
    while waiting:
        term = waiting.pop()
        if not isinstance(term, IntTerm | BoolTerm) or id(term) in seen:
            continue
        seen.add(id(term))
        waiting += term.args
        if term.op == "=":
            for one, other in (term.args, term.args[::-1]):
                if isinstance(other, int) and isinstance(one, IntTerm) and one.op == "var":
                    found |= {other} if one.args[0] == name else set()
    return found


def _writes(ground: Ground, rule: str) -> Iterator[Variable]:
    """Yield what a rule may change of the state: what it does not leave as it is."""
    updates = ground.formulas[rule].updates
    for variable, update in zip(ground.state, updates, strict=False):
        kept = isinstance(update, IntTerm | BoolTerm) and update.op == "var"
        if not (
            kept and isinstance(update, IntTerm | BoolTerm) and update.args[0] == variable.name
        ):
            yield variable


def _effects(ground: Ground) -> Iterator[Goal]:
    for rule in ground.formulas:
        for variable in _writes(ground, rule):
            changed = negate(equal(variable.term(), variable.term(NEXT)))
            name = _plain(variable)
            yield Moment(f"effect:{rule}:{name}", f"{rule} changes {name}", ((rule, changed),))


def _levels(ground: Ground) -> Iterator[Goal]:
    for rule in ground.formulas:
        for variable in _writes(ground, rule):
            name = _plain(variable)
            if variable.sort == "Bool" or "." in name:  # of a vector each would be one more
                continue
            if variable.low is None or variable.high is None:
                continue
            values = range(variable.low, variable.high + 1)
            if not 2 < len(values) <= _LEVELS:
                continue
            for before in values:
                for after in values:
                    if before != after:
                        moved = all_of(
                            equal(variable.term(), before), equal(variable.term(NEXT), after)
                        )
                        yield Moment(
                            f"level:{rule}:{name}:{before}>{after}",
                            f"{rule} takes {name} from {before} to {after}",
                            ((rule, moved),),
                        )


def _readings(ground: Ground) -> Iterator[Goal]:
    asking = asked_for(ground.game).rules
    for reading, shape in readings_of(ground.game.setting).items():
        for choice in shape.choices:
            if choice == ground.readings[reading]:
                continue
            taken = taken_otherwise(ground, reading, choice)
            if taken is None:
                continue
            others = {k: v for k, v in taken.items() if v != ground.readings[k]}
            also = "".join(f", {k} = {v}" for k, v in others.items() if k != reading)
            yield Moment(
                f"reading:{reading}={choice}",
                f"{reading} = {choice}{also} would refuse the step, or show something else",
                tuple(_differs(ground, taken, asking)),
            )


def taken_otherwise(ground: Ground, reading: str, choice: str) -> dict[str, str] | None:
    """Return the readings with one taken otherwise, and as few more as have to be then."""
    setting = ground.game.setting
    taken = {**ground.readings, reading: choice}
    if allowed(setting, taken):
        return taken
    for other, shape in readings_of(setting).items():
        for way in shape.choices:
            if other != reading and allowed(setting, {**taken, other: way}):
                return {**taken, other: way}
    free = default_readings(setting, {reading: choice})
    return free if allowed(setting, free) else None


def _differs(
    ground: Ground, taken: Mapping[str, str], asking: Mapping[str, frozenset[str]]
) -> Iterator[tuple[str, Bool]]:
    """Yield, by rule, that a step is refused or shows something else under other readings."""
    other, _, _ = settle(ground.game.setting, ground.edition.parameters, taken)
    here = ground.encoding.point().s
    shape = ground.game.state_shape()
    names = {name.replace("-", "_") for name in taken if taken[name] != ground.readings[name]}
    for rule, mine in ground.formulas.items():
        if not names & asking[rule]:
            continue
        reveal = ground.encoding.reveal(mine.rule)
        own, its = (mine.rule.guard(p, here, reveal) for p in (ground.p, other))
        conditions: list[Bool] = [] if text(own) == text(its) else [negate(its)]
        updates = shape.scalars(mine.rule.effect(other, here, reveal)).values()
        for one, two in zip(mine.updates, updates, strict=False):
            if text(one) != text(two):
                conditions.append(negate(equal(one, two)))
        if conditions:
            yield rule, any_of(conditions)


def _losing(ground: Ground) -> Iterator[Goal]:
    for rule in ground.formulas:
        yield Losing(f"losing:{rule}", f"a Play with {rule} in it wins nothing", rule)


def _near_misses(ground: Ground, gauges: tuple[Gauge, ...]) -> Iterator[Goal]:
    sizes = {(gauge.name, gauge.size): gauge.variable for gauge in gauges}
    for (name, size), variable in sizes.items():
        after = variable.term(NEXT)
        assert isinstance(after, IntTerm), "what is filled is counted"
        lost = all_of(_loses(ground), after == size - 1)
        yield Moment(
            f"near-miss:{name}={size}",
            f"a Play wins nothing and ends with {name} at {size - 1}, one short of {size}",
            tuple((rule, lost) for rule in ground.last),
        )


def _loses(ground: Ground) -> Bool:
    """Return, of the last step, that the Play wins nothing and keeps what it promises."""
    game, p, end = ground.game, ground.p, ground.encoding.point(NEXT)
    kept = [one.kept(p, end.s, end.t) for one in game.promises]
    of_state = [
        one for one in kept if not any(n.startswith("t.") for n in variables_of(one))
    ]  # what a promise asks of what was seen is seen to when a Play is kept
    return all_of(game.goal.ended(p, end.s), game.goal.paid(p, end.s) == 0, of_state)


def _again(ground: Ground) -> Iterator[Goal]:
    for rule in ground.formulas:
        yield Again(f"again:{rule}", f"{rule} comes again after other rules", rule)


def _runs(ground: Ground) -> Iterator[Goal]:
    for rule in ground.formulas:
        if not ground.graph.has_edge(rule, rule):
            continue
        fields = dict.fromkeys(
            _field(v)
            for v in ground.revealed[rule]
            if not v.choice and v.sort == "Int" and _few(ground, rule, v)
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
