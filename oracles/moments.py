"""Goals that are moments: boundaries, values, effects, levels and near misses."""

from __future__ import annotations

from collections.abc import Iterator

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
from ..models.shape import Variable
from ..proofs.encoding import NEXT
from .gauges import Gauge
from .goals import Goal, Moment
from .ground import Ground

__all__ = ["boundaries", "effects", "few_values", "field_of", "levels", "near_misses", "values"]

# A reveal of more values than this has no goal for each; a field of fewer has levels.
_VALUES, _LEVELS = 80, 4


def boundaries(gauges: tuple[Gauge, ...]) -> Iterator[Goal]:
    """Yield a goal for each boundary of what is filled."""
    for gauge in gauges:
        for name, says, condition in gauge.boundaries():
            id_ = f"boundary:{gauge.rule}:{gauge.name}={gauge.size}:{name}"
            yield Moment(id_, f"{gauge.rule}: {gauge.name} {says}", ((gauge.rule, condition),))


def _plain(variable: Variable) -> str:
    """Return the name of a scalar of the state, or of a reveal, without its prefix."""
    head, _, rest = variable.name.partition(".")
    return rest.partition(".")[2] if head == "r" else rest


def field_of(variable: Variable) -> str:
    """Return the field that a scalar of a state or reveal is of."""
    return _plain(variable).partition(".")[0]


def values(ground: Ground) -> Iterator[Goal]:
    """Yield a goal for each value of a reveal where there are few, else for some."""
    for rule in ground.formulas:
        fields: dict[str, list[Variable]] = {}
        for variable in ground.revealed[rule]:
            if not variable.choice:
                fields.setdefault(field_of(variable), []).append(variable)
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
    few = few_values(ground, rule, first)
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


def few_values(ground: Ground, rule: str, variable: Variable) -> list[int]:
    """Return the values of a reveal, where there are few: by its limits, or by its guard."""
    if variable.low is not None and variable.high is not None:
        few = range(variable.low, variable.high + 1)
        return list(few) if len(few) <= _VALUES else []
    return sorted(_compared_with(ground.formulas[rule].guard, variable.name))


def _compared_with(value: Value, name: str) -> set[int]:
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


def effects(ground: Ground) -> Iterator[Goal]:
    """Yield a goal for each field that a rule may change."""
    for rule in ground.formulas:
        for variable in _writes(ground, rule):
            changed = negate(equal(variable.term(), variable.term(NEXT)))
            name = _plain(variable)
            yield Moment(f"effect:{rule}:{name}", f"{rule} changes {name}", ((rule, changed),))


def levels(ground: Ground) -> Iterator[Goal]:
    """Yield a goal for each change of a field of few values, by each rule."""
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


def near_misses(ground: Ground, gauges: tuple[Gauge, ...]) -> Iterator[Goal]:
    """Yield a goal for each thing that is filled: a losing Play ends one short of it."""
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
