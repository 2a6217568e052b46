"""What an event shows or reveals, field by field: what is there, and what is no such thing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

from ..models.shape import Variable
from .event import Event, Shown, flat
from .expected import Expected
from .finding import Finding, Severity, plain, said
from .moves import Move, State

__all__ = ["Seen", "differences", "read_reveal", "read_shows"]


@dataclass
class Seen:
    """What is there: values by scalar, those the game does not know, and what is amiss."""

    values: dict[str, Any] = field(default_factory=dict)
    extra: dict[str, Any] = field(default_factory=dict)
    amiss: list[Finding] = field(default_factory=list)


def read_shows(expected: Expected, shows: Shown | None) -> Seen:
    """Return what is shown of a state."""
    seen = Seen()
    _read("", shows, {v.name: v for v in expected.shape.variables}, "the state", seen)
    return seen


def read_reveal(move: Move, event: Event) -> Seen:
    """Return what a step reveals, and what the player chose in it."""
    seen = Seen()
    for what, given, choice in (
        ("reveal", event.reveal, False),
        ("choice", event.choice, True),
    ):
        known = {v.name: v for v in move.variables if v.choice is choice}
        _read(f"{what}.", given, known, f"the {what} of {move.id}", seen)
    return seen


def differences(
    expected: Expected, state: State, seen: Seen, already: Set[str], code: str
) -> tuple[list[Finding], set[str]]:
    """Return a finding for each field with a scalar newly wrong, and all scalars that are.

    ``already`` are those that were wrong before, and have been told of.
    """
    wrong: dict[str, list[str]] = {}
    for name, value in seen.values.items():
        if state[expected.place[name]] != value:
            wrong.setdefault(name.partition(".")[0], []).append(name)
    right = expected.named(state)
    found = [
        _differing(code, one, names, seen.values, right)
        for one, names in wrong.items()
        if not already >= set(names)
    ]
    return found, {name for names in wrong.values() for name in names}


def _differing(
    code: str,
    field: str,
    names: Sequence[str],
    shown: Mapping[str, Any],
    right: Mapping[str, Any],
) -> Finding:
    if len(names) == 1:
        (name,) = names
        message = f"{name} is shown as {said(shown[name])}; the rules give {said(right[name])}"
        return Finding(code, message, field=name, shown=shown[name], expected=right[name])
    by_label = [{n.removeprefix(f"{field}."): by[n] for n in names} for by in (shown, right)]
    message = f"{field} is shown as {said(by_label[0])}; the rules give {said(by_label[1])}"
    return Finding(code, message, field=field, shown=by_label[0], expected=by_label[1])


def _read(
    prefix: str, given: Shown | None, known: Mapping[str, Variable], of: str, seen: Seen
) -> None:
    given = given or {}
    tops = {name.partition(".")[0] for name in known}
    for top in [one for one in given if one not in tops]:
        seen.extra[top] = given[top]
        note = Severity.NOTE if of == "the state" else Severity.ERROR  # a screen shows more
        _miss(seen, prefix + top, given[top], f"is no field of {of}", note)
    for name, value in flat({top: value for top, value in given.items() if top in tops}):
        variable = known.get(name)
        if variable is None:
            seen.extra[name] = value
            labels = [one.partition(".")[2] for one in known if _top(one) == _top(name)]
            wanted = f"for {_top(name)} a value for each of {', '.join(labels)} was expected"
            _miss(seen, prefix + name, value, f"is {said(value)}; {wanted}")
        elif type(value) is not (int if variable.sort == "Int" else bool):
            wanted = "a whole number" if variable.sort == "Int" else "true or false"
            _miss(seen, prefix + name, value, f"is {said(value)}; {wanted} was expected")
        else:
            seen.values[name] = value
    for name in filter(known.__contains__, _hollow(given)):  # of a vector: it is not shown
        _miss(seen, prefix + name, {}, "is an object; one value was expected")


def _hollow(shown: Mapping[str, Any], above: str = "") -> Iterator[str]:
    """Yield the names of objects with nothing in them, of which ``flat`` yields nothing."""
    for name, value in shown.items():
        if value == {}:
            yield f"{above}{name}"
        elif isinstance(value, Mapping) and not above:
            yield from _hollow(value, f"{name}.")


def _miss(
    seen: Seen, name: str, value: object, words: str, severity: Severity = Severity.ERROR
) -> None:
    message = f"{name} {words}"
    found = Finding("format", message, field=name, shown=plain(value), severity=severity)
    seen.amiss.append(found)


def _top(name: str) -> str:
    return name.partition(".")[0]
