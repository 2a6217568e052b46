"""Events that say all there is to say, decoded straight into what the rules work on.

Most logs show the whole state after every step. Such an event is decoded into structs made for
the game, and one function for each rule, written out of its formulas, says whether the step may
come after what was shown before, and leads to what is shown. It reads the state before from
there: what was shown was right. Anything else about an event, or the least thing wrong with it,
is for others to look at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Union, cast

import msgspec

from ..models.shape import Variable
from ..proofs.smtlib import is_variable
from .decode import keys_in
from .event import FINISH, START
from .expected import Expected
from .finding import Finding
from .moves import Move, State, Values, least
from .payment import Outcome, judge_outcome
from .straight import written

__all__ = ["Kind", "Typed"]

_MOST_OUTCOMES = 10_000
_TYPES: Mapping[str, Any] = {"Int": int, "Bool": bool}

Judged = Callable[[Any, Any], Values | None]
"""Takes the state before and an event; returns what that reveals, None if anything is wrong."""


@dataclass(frozen=True)
class Kind:
    """One rule: how its steps are judged, and how many keys an event of it has.

    ``bare`` is for an event without what the player chose, None where that decides something.
    """

    move: Move
    judged: Judged
    bare: Judged | None
    keys: int
    chosen: int


class _Outcome(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """The outcome that a start names (pence)."""

    amount: int
    parts: dict[str, int] | None = None
    row: int | None = None


class Typed:
    """Decodes and judges the events of one way to take every reading.

    ``first`` is the state at the start, as events show it.
    """

    def __init__(self, expected: Expected) -> None:
        self._expected = expected
        self._state = _Struct("State", expected.shape.variables)
        self.first = self._state.made(expected.start)
        self._kinds = dict(self._made(move) for move in expected.moves.values())
        self._start = self._start_made()
        self._outcomes: dict[object, Outcome | None] = {}
        kinds = (self._start, *self._kinds)
        decoder: Any = msgspec.json.Decoder(Union[kinds])  # noqa: UP007
        self._decode = decoder.decode
        paths = [self._state.path("a", name) for name in expected.names]
        self.tuple_of: Callable[[Any], State] = _function("a", [f"return ({_list(paths)})"])

    def event(self, text: bytes) -> Any:
        """Return an event with ``play``, ``step``, ``shows``; None for all that is not simple.

        A start has what else a start may have, a finish ``paid`` and ``won``. No key of it
        stands twice.
        """
        try:
            event = self._decode(text)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return None
        kind = self._kinds.get(type(event))
        if kind is None:
            return event if text.count(b":") == self._keys(event) else None
        keys = kind.keys + (event.reveal is not None)
        if event.choice is not None:
            keys += kind.chosen
        if kind.move.id == FINISH:
            keys += 0 if event.won is None else 1 + len(event.won)
        return event if text.count(b":") == keys + event.play.count(":") else None

    def starts(self, event: Any) -> bool:
        """Return whether an event is a start."""
        return type(event) is self._start

    def outcome(self, start: Any) -> Outcome | None:
        """Return the outcome that a start names; None if anything is wrong with the start."""
        if start.step or not (start.shows is None or start.shows == self.first):
            return None
        given = start.outcome
        if given is None:
            return Outcome(None, None)
        key = (given.amount, tuple((given.parts or {}).items()), given.row)
        if key not in self._outcomes:
            if len(self._outcomes) >= _MOST_OUTCOMES:
                self._outcomes.clear()
            found: list[Finding] = []
            expected = self._expected
            said = {"amount": given.amount, "parts": given.parts, "row": given.row}
            outcome = judge_outcome(said, expected.parts, expected.table, found)
            self._outcomes[key] = None if found else outcome
        return self._outcomes[key]

    def step(self, before: Any, event: Any) -> tuple[Move, Values] | None:
        """Return the step from a state to what an event shows; None if there is none."""
        kind = self._kinds[type(event)]
        judged = kind.judged if event.choice is not None else kind.bare
        values = None if judged is None else judged(before, event)
        return None if values is None else (kind.move, values)

    def _start_made(self) -> Any:
        optional = [
            ("shows", self._state.type), ("format", str), ("version", int), ("game", str),
            ("edition", dict[str, Any]), ("readings", dict[str, Any]), ("outcome", _Outcome),
        ]  # fmt: skip
        fields: list[Any] = [("play", str), ("step", int)]
        fields += [(name, kind | None, None) for name, kind in optional]
        return msgspec.defstruct(
            "Start", fields, tag=START, tag_field="event", forbid_unknown_fields=True, gc=False
        )

    def _keys(self, start: Any) -> int:
        keys: int = 3 + start.play.count(":")
        if start.shows is not None:
            keys += 1 + self._state.keys
        for plain in (start.format, start.version, start.game):
            keys += plain is not None
        for nested in (start.edition, start.readings):
            if nested is not None:
                keys += 1 + keys_in(nested)
        if (outcome := start.outcome) is not None:
            keys += 2 + (outcome.row is not None)
            if outcome.parts is not None:
                keys += 1 + len(outcome.parts)
        return keys

    def _made(self, move: Move) -> tuple[type[msgspec.Struct], Kind]:
        revealed = [v for v in move.variables if not v.choice]
        chosen = [v for v in move.variables if v.choice]
        reveal, choice = _Struct("Reveal", revealed), _Struct("Choice", chosen)
        fields: list[Any] = [("play", str), ("step", int), ("shows", self._state.type)]
        keys = 4 + self._state.keys + reveal.keys
        if revealed:
            fields.append(("reveal", reveal.type))
        else:
            fields.append(("reveal", reveal.type | None, None))
        fields.append(("choice", choice.type | None, None))
        if move.id == FINISH:
            fields += [("paid", int), ("won", dict[str, int] | None, None)]
            keys += 1
        made = msgspec.defstruct(
            "Step",
            fields,
            tag=move.id,
            tag_field="event",
            forbid_unknown_fields=True,
            gc=False,
            kw_only=True,
        )
        places = {v.name: reveal.path("e.reveal", v.name) for v in revealed}
        places |= {v.name: choice.path("e.choice", v.name) for v in chosen}
        judged = self._judged(move, places)
        bare: Judged | None = judged
        if chosen:
            decides = any(move.variables[place].choice for place in move.decisive)
            left_out = {v.name: repr(least(v)) for v in chosen}
            bare = None if decides else self._judged(move, places | left_out)
        return made, Kind(move, judged, bare, keys, 1 + choice.keys)

    def _judged(self, move: Move, revealed: Mapping[str, str]) -> Judged:
        """Return what judges a step; what the rule does not touch is compared as a whole."""
        expected, state = self._expected, self._state
        encoding = expected.encoding
        formula = encoding.rules[move.number]
        places = {f"s.{name}": state.path("a", name) for name in expected.names}
        for v, variable in zip(
            move.variables, encoding.reveal_variables(move.rule), strict=True
        ):
            places[variable.name] = revealed[v.name]
        updates = dict(zip(expected.names, formula.updates, strict=False))
        touched = [name for name, new in updates.items() if not is_variable(new, f"s.{name}")]
        lines, results = written(places, [updates[name] for name in touched], formula.guard)
        lines.insert(0, "w = e.shows")
        after = dict(zip(touched, results, strict=True))
        for path, names in state.tops("w"):
            if after.keys().isdisjoint(names):
                same = path.replace("w", "a", 1)
                lines.append(f"if {path} != {same}: return None")
            else:
                for name in names:
                    right = after.get(name, state.path("a", name))
                    lines.append(f"if {state.path('w', name)} != {right}: return None")
        lines.append(f"return ({_list([revealed[v.name] for v in move.variables])})")
        return _function("a, e", lines)


class _Struct:
    """A struct with the scalars of a layout: a vector is a struct in it, by its labels."""

    def __init__(self, name: str, variables: Sequence[Variable]) -> None:
        self._places: dict[str, str] = {}
        self._tops: dict[str, list[str]] = {}
        self.keys = 0
        self._names = [variable.name for variable in variables]
        tree: dict[str, Any] = {}
        for variable in variables:
            *above, last = variable.name.split(".")
            at = tree
            for label in above:
                at = at.setdefault(label, {})
            at[last] = variable
        self._tree = tree
        self.type: Any = self._made(name, tree, "", "")

    def path(self, root: str, name: str) -> str:
        """Return the expression of a scalar."""
        return f"{root}.{self._places[name]}"

    def tops(self, root: str) -> Iterator[tuple[str, list[str]]]:
        """Yield the expression of each field, with the scalars in it."""
        for top, names in self._tops.items():
            yield f"{root}.{top}", names

    def made(self, values: State) -> Any:
        """Return a struct with these values, in the order of the layout."""
        return self._filled(self.type, self._tree, dict(zip(self._names, values, strict=True)))

    def _made(self, name: str, tree: Mapping[str, Any], above: str, place: str) -> Any:
        fields: list[Any] = []
        for number, (label, inside) in enumerate(tree.items()):
            self.keys += 1
            own = f"f{number}"
            here = f"{place}.{own}" if place else own
            if isinstance(inside, dict):
                kind = self._made(f"{name}{number}", inside, f"{above}{label}.", here)
            else:
                kind = _TYPES[inside.sort]
                self._places[inside.name] = here
                self._tops.setdefault(here.partition(".")[0], []).append(inside.name)
            fields.append((own, kind, msgspec.field(name=label)))
        return msgspec.defstruct(name, fields, forbid_unknown_fields=True, gc=False)

    def _filled(self, kind: Any, tree: Mapping[str, Any], values: Mapping[str, Any]) -> Any:
        parts = []
        for field, inside in zip(msgspec.structs.fields(kind), tree.values(), strict=True):
            nested = isinstance(inside, dict)
            parts.append(
                self._filled(field.type, inside, values) if nested else values[inside.name]
            )
        return kind(*parts)


def _list(expressions: Sequence[str]) -> str:
    return "".join(f"{one}, " for one in expressions)


def _function(parameters: str, lines: Sequence[str]) -> Callable[..., Any]:
    body = "\n    ".join(lines)
    made: dict[str, Any] = {}
    exec(f"def judged({parameters}):\n    {body}\n", {"__builtins__": {}}, made)
    return cast("Callable[..., Any]", made["judged"])
