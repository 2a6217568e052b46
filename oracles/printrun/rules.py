"""A game's rules as functions over rows of whole numbers, for Plays in bulk.

    take(rule, m, s, r)   take a rule from the state at s on the reveal at r; False if illegal
    may(rule, m, s)       whether the state is as the rule asks, whatever is revealed
    ended(m, s)           whether the Play is over
    won(m, s, w)          put what is paid, and each part of it (pence), at w
    kept(m, s)            whether every promise is kept

All of it is in one memory ``m``, a row of whole numbers; a yes is 1. A state is the game's, and
of the tally as much as promises speak of. Rules go by number. Here the functions are plain
Python; ``machine`` makes them quicker where numba is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from ...models.algebra import Bool, Value, all_of, conjuncts, variables_of
from ...models.shape import Variable
from ...proofs.smtlib import is_variable
from ..asks import asks_of_state
from ..expected import Expected
from ..straight import written

__all__ = ["Formula", "Rules", "Stored", "plain_functions", "rules_of"]

Stored = tuple[str, bool]
"""The name of a scalar in an array, and whether it is a yes or no."""


@dataclass(frozen=True)
class Formula:
    """One rule: conditions, what it makes of the state by index, and what it asks of it."""

    revealed: tuple[Stored, ...]
    guard: tuple[Bool, ...]
    updates: tuple[tuple[int, Value], ...]
    asked: Bool


@dataclass(frozen=True)
class Rules:
    """The rules of an edition as terms over arrays; ``won`` is what is paid, then each part."""

    state: tuple[Stored, ...]
    start: tuple[int, ...]
    formulas: tuple[Formula, ...]
    ended: Bool
    won: tuple[Value, ...]
    kept: Bool
    parts: tuple[str, ...]
    names: tuple[str, ...]


def rules_of(expected: Expected) -> Rules:
    """Return the rules of an edition under one way to take every reading."""
    encoding, game, p = expected.encoding, expected.game, expected.p
    here = encoding.point()
    kept = all_of(promise.kept(p, here.s, here.t) for promise in game.promises)
    state = _state(expected, kept)
    numbers = {v.name: number for number, v in enumerate(encoding.state)}
    formulas = [
        Formula(
            _stored(encoding.reveal_variables(formula.rule)),
            tuple(conjuncts(formula.guard)),
            tuple(
                (index, formula.updates[numbers[v.name]])
                for index, v in enumerate(state)
                if not is_variable(formula.updates[numbers[v.name]], v.name)
            ),
            asks_of_state(game, p, here.s, formula.rule.id),
        )
        for formula in encoding.rules
    ]
    parts = game.goal.parts(p, here.s)
    return Rules(
        _stored(state),
        tuple(int(cast("int", encoding.start[numbers[v.name]])) for v in state),
        tuple(formulas),
        game.goal.ended(p, here.s),
        (game.goal.paid(p, here.s), *parts.values()),
        kept,
        tuple(parts),
        tuple(formula.rule.id for formula in encoding.rules),
    )


def _stored(variables: Sequence[Variable]) -> tuple[Stored, ...]:
    return tuple((v.name, v.sort == "Bool") for v in variables)


def _state(expected: Expected, condition: Bool) -> list[Variable]:
    """Return the state's scalars, and those of the tally that a condition comes to speak of."""
    encoding = expected.encoding
    updates = [
        dict(zip((v.name for v in encoding.state), formula.updates, strict=True))
        for formula in encoding.rules
    ]
    needed = {v.name for v in encoding.state if v.name.startswith("s.")}
    waiting = [*variables_of(condition)]
    while waiting:
        name = waiting.pop()
        if name.startswith("t.") and name not in needed:
            needed.add(name)
            waiting += variables_of(*(update[name] for update in updates))
    return [v for v in encoding.state if v.name in needed]


def plain_functions(rules: Rules) -> dict[str, Callable[..., Any]]:
    """Return the functions of a game as plain Python: some hundred times slower."""
    places = _places("s", rules.state)
    texts = []
    for number, formula in enumerate(rules.formulas):
        both = places | _places("r", formula.revealed)
        lines, values = written(both, [v for _, v in formula.updates], all_of(formula.guard))
        lines = [line.replace("return None", "return False") for line in lines]
        indexes = [index for index, _ in formula.updates]
        lines += [f"n{i} = int({value})" for i, value in zip(indexes, values, strict=True)]
        lines += [f"m[s + {i}] = n{i}" for i in indexes]
        texts.append(_function(f"take_{number}", "m, s, r", [*lines, "return True"]))
        texts.append(_returned(f"may_{number}", places, formula.asked))
    for name, arguments in (("take", "m, s, r"), ("may", "m, s")):
        each = "".join(f"{name}_{number}, " for number in range(len(rules.formulas)))
        body = [f"return ({each})[rule]({arguments})"]
        texts.append(_function(name, f"rule, {arguments}", body))
    texts += [_returned("ended", places, rules.ended), _returned("kept", places, rules.kept)]
    lines, values = written(places, rules.won)
    lines += [f"m[w + {number}] = {value}" for number, value in enumerate(values)]
    texts.append(_function("won", "m, s, w", lines))
    made: dict[str, Any] = {"__builtins__": {"int": int, "bool": bool}}
    exec("\n".join(texts), made)
    return {name: made[name] for name in ("take", "may", "ended", "won", "kept")}


def _places(array: str, stored: Sequence[Stored]) -> dict[str, str]:
    return {
        name: f"(m[{array} + {index}] != 0)" if yes_or_no else f"m[{array} + {index}]"
        for index, (name, yes_or_no) in enumerate(stored)
    }


def _returned(name: str, places: Mapping[str, str], value: Value) -> str:
    lines, values = written(places, [value])
    return _function(name, "m, s", [*lines, f"return bool({values[0]})"])


def _function(name: str, parameters: str, lines: Sequence[str]) -> str:
    body = "\n    ".join(lines)
    return f"def {name}({parameters}):\n    {body}\n"
