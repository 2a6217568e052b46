"""Data flow: which rules a target needs, and which reveals it depends on.

Both only guide a search. They are read off one symbolic step of each rule from an unknown
state, and off spans: a field that has one value on the plain path, and whose other values
would make the target possible, has to be written by somebody.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, cast

from ..models.algebra import Term, Value
from ..models.system import Game, Rule
from .paths import Path, Walker
from .spans import Reader, Span

__all__ = ["Flow", "plain", "variables_of"]

Possible = Callable[[Reader, Any], bool]
HERE = "0."


class Flow:
    """What every rule of a game writes, and from which fields."""

    def __init__(self, game: Game, p: Any) -> None:
        self.game = game
        self._walker = Walker(game, p)
        self._shape = game.state_shape()
        self._anywhere = self._walker.anywhere()
        self._steps: dict[str, Path | None] = {}
        self.writes: dict[str, dict[str, frozenset[str]]] = {
            rule.id: self._written(rule) for rule in game.rules
        }

    def _step(self, rule: Rule) -> Path | None:
        if rule.id not in self._steps:
            self._steps[rule.id] = self._walker.take(self._anywhere, rule)
        return self._steps[rule.id]

    def _written(self, rule: Rule) -> dict[str, frozenset[str]]:
        """Return the fields a rule writes, each with the fields its new value is read from."""
        after = self._step(rule)
        if after is None:
            return {}
        definitions = dict(after.definitions)
        written = {}
        for name, value in self._shape.scalars(after.state).items():
            if isinstance(value, Term) and value.args == (HERE + name,):
                continue
            read = variables_of([value], definitions)
            written[name] = frozenset(
                one.removeprefix(HERE) for one in read if one.startswith(HERE)
            )
        return written

    def needed(
        self, before: Path, last: str, possible: Possible
    ) -> tuple[frozenset[str], ...] | None:
        """Return sets of rules of which a path must take one each to make a target possible.

        ``before`` is a path up to its last rule, whose end is not possible. None: no value of
        any field that stands still on that path makes it possible.
        """
        step = self._step(self.game.rule(last))
        if step is None:
            return None
        known = self._start(before)
        still = tuple(
            variable.name
            for variable in self._shape.variables
            if known[HERE + variable.name].only is not None
            and any(variable.name in fields for fields in self.writes.values())
        )

        def would_do(freed: Iterable[str]) -> bool:
            return possible(_again(step, self._freed(known, freed)), step.state)

        waiting = self._fewest(still, would_do)
        if waiting is None:
            return None
        groups: list[frozenset[str]] = []
        met: set[str] = set()
        while waiting:
            field = waiting.pop(0)
            met.add(field)
            rest = tuple(name for name in still if name not in met)
            group, more = self._moved(field, known, rest)
            groups.append(group - {last})
            waiting += [name for name in more if name not in met and name not in waiting]
        return tuple(dict.fromkeys(group for group in groups if group))

    def _moved(
        self, field: str, known: Mapping[str, Span], still: tuple[str, ...]
    ) -> tuple[frozenset[str], list[str]]:
        """Return the rules that can move a field, and the fields that must move before."""
        value = known[HERE + field].only

        def moves(rule: str, freed: Iterable[str]) -> bool:
            step = self._step(self.game.rule(rule))
            if step is None:
                return False
            reader = _again(step, self._freed(known, freed))
            return reader.of(self._shape.scalars(step.state)[field]).only != value

        writers = [rule for rule, fields in self.writes.items() if field in fields]
        at_once = frozenset(rule for rule in writers if moves(rule, ()))
        if at_once:
            return at_once, []
        later = [rule for rule in writers if moves(rule, still)]
        if not later:
            return frozenset(writers), []
        read = tuple(name for name in still if name in self.writes[later[0]][field])
        first = self._fewest(read, lambda freed: moves(later[0], freed))
        return frozenset(later), first or []

    def _fewest(
        self, names: tuple[str, ...], would_do: Callable[[Iterable[str]], bool]
    ) -> list[str] | None:
        """Return as few of the names as would do; None if not even all of them would."""
        if not would_do(names):
            return None
        kept = list(names)
        size = len(kept)
        while size:  # halves first, then ever smaller pieces
            for start in range(0, len(kept), size):
                rest = kept[:start] + kept[start + size :]
                if len(rest) < len(kept) and would_do(rest):
                    kept = rest
                    break
            else:
                size //= 2
        return kept

    def _freed(self, known: Mapping[str, Span], names: Iterable[str]) -> dict[str, Span]:
        return {**known, **{HERE + name: self._anywhere.known[HERE + name] for name in names}}

    def _start(self, before: Path) -> dict[str, Span]:
        reader = before.reader()
        return {
            HERE + name: reader.of(value)
            for name, value in self._shape.scalars(before.state).items()
        }


def _again(step: Path, known: Mapping[str, Span]) -> Reader:
    """Return a reader at the end of a step, its spans worked out from other ones."""
    spans = {**step.known, **known}
    reader = Reader(spans)
    for name, term in step.definitions:
        spans[name] = reader.of(term)
    return reader


def variables_of(terms: Iterable[Value], definitions: Mapping[str, Value]) -> frozenset[str]:
    """Return the variables that terms depend on, through what defined names stand for."""
    found: set[str] = set()
    done: set[int] = set()
    waiting: list[object] = list(terms)
    while waiting:
        term = waiting.pop()
        if not isinstance(term, Term) or id(term) in done:
            continue
        done.add(id(term))
        if term.op == "var":
            name = cast("str", term.args[0])
            if name not in found:
                found.add(name)
                waiting.append(definitions.get(name))
        else:
            waiting.extend(term.args)
    return frozenset(found)


def plain(path: Path, terms: Iterable[Value], ordinary: frozenset[str]) -> dict[str, Span]:
    """Return spans that hold to their least value the reveals a target does not depend on.

    Only steps of ordinary rules that are followed by the same rule are held: what comes
    before another rule may have to bring it about.
    """
    needed = variables_of(terms, dict(path.definitions))
    held = {}
    pairs = zip(path.rules, path.rules[1:], strict=False)
    idle = {
        f"{step}."
        for step, (rule, following) in enumerate(pairs, start=1)
        if rule == following and rule in ordinary
    }
    for name in path.unknowns:
        low = path.known[name].low
        if name not in needed and low is not None and name[: name.index(".") + 1] in idle:
            held[name] = Span.among([low])
    return held
