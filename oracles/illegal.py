"""Why a step may not come: which limit, condition or part of what is revealed fails."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

from ..models.algebra import Bool, Term, Value, variables_of
from ..models.shape import Variable
from ..proofs.evaluate import Evaluation
from ..proofs.infix import infix
from .expected import Expected
from .moves import Move, State, Values

__all__ = ["Illegal", "may_come", "why_not"]

_MOST_VALUES = 6


@dataclass(frozen=True)
class Illegal:
    """Why a step may not come: in words, and whether it is out of turn whatever it reveals."""

    words: str
    out_of_turn: bool


def why_not(expected: Expected, state: State, move: Move, values: Values) -> Illegal | None:
    """Return why a step may not come in a state; None if the rules do allow it."""
    encoding, rule = expected.encoding, move.rule
    s, reveal = encoding.point().s, encoding.reveal(rule)
    named: dict[str, Value] = {
        f"s.{name}": value for name, value in expected.named(state).items()
    }
    for variable, value in zip(encoding.reveal_variables(rule), values, strict=True):
        named[variable.name] = value
    turn = list(_failing(expected, rule.when(expected.p, s, reveal), named))
    if turn:
        return Illegal("; ".join(turn) + f". {_instead(expected, state)}", True)
    limits = [
        f"{variable.name} is {value}, {_limit(variable)}"
        for variable, value in zip(move.variables, values, strict=True)
        if variable.holds(value) is not True
    ]
    if limits:
        return Illegal("; ".join(limits), False)
    legal = list(_failing(expected, reveal.legal(expected.p, s), named))
    return Illegal("; ".join(legal), False) if legal else None


def may_come(expected: Expected, state: State) -> tuple[str, ...]:
    """Return the ids of the rules that may fire in a state on some reveal, or other."""
    encoding = expected.encoding
    s = expected.shape.of(expected.named(state))
    return tuple(
        rule.id
        for rule in expected.game.rules
        if rule.when(expected.p, s, encoding.reveal(rule)) is not False
    )


def _instead(expected: Expected, state: State) -> str:
    rules = may_come(expected, state)
    return f"What may come is {' or '.join(rules)}" if rules else "The Play is over"


def _failing(expected: Expected, condition: Bool, named: dict[str, Value]) -> Iterator[str]:
    """Yield each part of a condition that fails, with the values that it fails on."""
    evaluation = Evaluation(named)
    joined = isinstance(condition, Term) and condition.op == "and"
    for part in cast("Term", condition).args if joined else [condition]:
        if evaluation.of(cast("Bool", part)) is True:
            continue
        words = _with_sums(expected, infix(part, expected.encoding))
        if isinstance(part, Term) and part.op in ("<", "<=", "="):
            left, right = (_shown(evaluation.of(cast("Value", one))) for one in part.args)
            values = [f"{left} {part.op} {right}"]
        else:
            used = sorted(variables_of(part))
            values = [f"{_name(name)} is {_shown(named[name])}" for name in used[:_MOST_VALUES]]
            values += ["…"] * (len(used) > _MOST_VALUES)
        yield f"{words} does not hold" + (f" ({', '.join(values)})" if values else "")


def _with_sums(expected: Expected, words: str) -> str:
    """Write the sum over all of a vector's labels in short."""
    shapes = [expected.shape, *map(expected.game.reveal_shape, expected.game.rules)]
    for prefix, shape in zip(["", *["reveal."] * len(shapes)], shapes, strict=False):
        fields: dict[str, list[str]] = {}
        for variable in shape.variables:
            fields.setdefault(variable.name.partition(".")[0], []).append(
                prefix + variable.name
            )
        for field, names in fields.items():
            if len(names) > 1:
                words = words.replace(" + ".join(names), f"all {prefix}{field}")
    return words


def _name(name: str) -> str:
    """Return an unknown's name as ``infix`` writes it."""
    kind, _, rest = name.partition(".")
    return f"reveal.{rest.partition('.')[2]}" if kind == "r" else rest


def _shown(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _limit(variable: Variable) -> str:
    if variable.high is None:
        return f"which is below {variable.low}"
    return f"which is not from {variable.low} to {variable.high}"
