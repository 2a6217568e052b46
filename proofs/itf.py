"""Traces in the Informal Trace Format: JSON that viewers of counterexamples read.

    #meta    what the trace is of, what it breaks, the rule of each step
    params   what does not change: parameters and readings, set in the first state alone
    vars     what is set in every state
    states   one after another; each says its index and the rule that led to it
    loop     the index of the state that the last one goes back to, of a Play without an end

A whole number is written ``{"#bigint": "12"}``, whatever its size, as readers of JSON differ in
what they take. The variable ``rule`` holds the name of the rule that led to the state
(``start`` for the first), so that a viewer that knows nothing of us shows it.

Konnov: ADR-015, Informal Trace Format in JSON, Apalache's documentation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from ..models.play import Play, replay
from ..models.setting import parameters_of, readings_of
from ..models.system import Game, Property

__all__ = ["START", "document", "expression", "trace"]

START = "start"
_FORMAT = "https://apalache-mc.org/docs/adr/015adr-trace.html"


def document(
    names: Sequence[str],
    states: Sequence[Mapping[str, object]],
    meta: Mapping[str, object] | None = None,
    *,
    loop: int | None = None,
    constants: Mapping[str, object] | None = None,
    notes: Sequence[Mapping[str, object]] = (),
) -> dict[str, Any]:
    """Return a trace as plain data for JSON.

    Each state gives a value to every one of ``names``. ``constants`` are what is the same in
    all of them. ``meta`` says what the trace is, ``notes`` more of each state; both are kept as
    they are. ``loop`` is the index of the state that the last one is followed by.
    Raises ValueError for a state without one of the names, a loop to no state, a name that
    begins with ``#``; TypeError for a value that the format has no form for.
    """
    fixed = dict(constants or {})
    for name in (*names, *fixed):
        if name.startswith("#"):
            raise ValueError(f"{name}: names that begin with # are the format's own")
    if loop is not None and not 0 <= loop < len(states):
        raise ValueError(f"there is no state {loop} to go back to: there are {len(states)}")
    told: list[dict[str, Any]] = []
    for index, state in enumerate(states):
        if missing := [name for name in names if name not in state]:
            raise ValueError(f"state {index} has no value for {', '.join(missing)}")
        more = notes[index] if notes else {}
        first = fixed if index == 0 else {}
        values = {**first, **{name: state[name] for name in names}}
        told.append({"#meta": {"index": index, **more}, **_each(values)})
    made: dict[str, Any] = {
        "#meta": {"format": "ITF", "format-description": _FORMAT, **(meta or {})}
    }
    if fixed:
        made["params"] = list(fixed)
    made |= {"vars": list(names), "states": told}
    if loop is not None:
        made["loop"] = loop
    return made


def expression(value: object) -> Any:
    """Return a value as the format writes it.

    Whole numbers become big integers, tuples and lists become lists, mappings maps (readers
    take only identifiers as the fields of a record); a fraction, for which there is no form,
    becomes a string. Raises TypeError for anything else.

    >>> expression((True, -3, Fraction(1, 2)))
    [True, {'#bigint': '-3'}, '1/2']
    """
    if isinstance(value, bool | str):
        return value
    if isinstance(value, int):
        return {"#bigint": str(value)}
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, tuple | list):
        return [expression(part) for part in value]
    if isinstance(value, Mapping):
        return {"#map": [[expression(key), expression(one)] for key, one in value.items()]}
    raise TypeError(f"a trace has no form for {value!r} ({type(value).__name__})")


def trace(
    game: Game,
    play: Play,
    claim: Property | None = None,
    broken_after: int | None = None,
    *,
    loop: int | None = None,
) -> dict[str, Any]:
    """Return a Play as a trace, replayed by the rules; money is in pence.

    ``s.`` begins the names of the state, ``t.`` of what an observer counts, ``p.`` of what is
    rigid; ``reveal`` is what was revealed at the step that led to the state. ``claim`` is what
    the Play breaks, after so many steps (0: at the start). ``loop`` is the number of steps
    after which it begins to repeat. Raises IllegalStep for a Play that the rules do not allow.
    """
    state, tally = game.state_shape(), game.tally_shape()
    names = [
        "rule",
        "reveal",
        *(f"s.{v.name}" for v in state.variables),
        *(f"t.{v.name}" for v in tally.variables),
    ]
    rules = [START, *(step.rule for step in play.steps)]
    reveals: list[Mapping[str, object]] = [{}]
    for step in play.steps:
        reveals.append(game.reveal_shape(game.rule(step.rule)).scalars(step.reveal))
    states = [
        {
            "rule": rule,
            "reveal": reveal,
            **{f"s.{name}": value for name, value in state.scalars(point.s).items()},
            **{f"t.{name}": value for name, value in tally.scalars(point.t).items()},
        }
        for rule, reveal, point in zip(rules, reveals, replay(game, play), strict=True)
    ]
    meta: dict[str, object] = {"description": f"a Play of {game.title}", "game": game.id}
    if claim is not None:
        meta |= {
            "property": claim.id,
            "says": claim.says,
            "clauses": list(claim.clauses),
            "broken-after-step": broken_after,
        }
    return document(
        names,
        states,
        meta | {"rules": rules[1:]},
        loop=loop,
        constants=_rigid(play.setting),
        notes=[{"rule": rule} for rule in rules],
    )


def _rigid(setting: Any) -> dict[str, object]:
    """Return the values of parameters and readings, as they are named in every text."""
    values: dict[str, object] = {
        f"p.{name}": getattr(setting, name) for name in parameters_of(setting)
    }
    for name in readings_of(setting):
        values[f"p.{name}"] = getattr(setting, name.replace("-", "_")).name
    return values


def _each(values: Mapping[str, object]) -> dict[str, Any]:
    return {str(name): expression(value) for name, value in values.items()}
