"""Mutants of one's own, from a file.

    [[mutant]]
    id = "surplus-lost"
    says = "bonus symbols beyond the box are lost"
    rule = "spin"
    of = "bonus_box"                                  # a field, or "guard": when it may come
    place = "(mod (+ bonus_box reveal.bonus_symbols) 6)"
    put = "0"

``place`` is a part of what the rule makes of the field, written as it is in exported files
(``playproof export``); all of it, if left out. ``put`` takes its place. Fields go by their
names, what is revealed by ``reveal.NAME``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, cast

import msgspec

from ...errors import BadInput, unknown
from ...models.algebra import BoolTerm, SortError, Term, Value, made
from ...models.tomlfile import TomlFile
from ...proofs.sexpr import Atom, SExpr, read
from .. import ground as grounds
from . import whole
from .making import GUARD, Mutant, Mutants, digest_of
from .pool import parts_of

__all__ = ["OWN", "own_mutants"]

OWN = "own"
_FIELDS = ("id", "says", "rule", "of", "put")
_TURNED = {">": "<", ">=": "<="}
_OPERATIONS = ("ite", "+", "-", "*", "div", "mod", "<", "<=", "=", "not", "and", "or")


class _Own(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    says: str
    rule: str
    of: str
    put: str
    place: str | None = None


def own_mutants(file: TomlFile, mutants: Mutants) -> tuple[Mutant, ...]:
    """Return the mutants of a file, of the rules that ``mutants`` change.

    Raises BadInput, naming the mutant, for one that cannot be read, does not apply, applies
    twice, or changes nothing, and for an id that is there twice.
    """
    path = file.path
    entries = file.tables.get("mutant")
    if not isinstance(entries, list) or not entries:
        raise BadInput(f"{path}: no [[mutant]] in it; each has {', '.join(_FIELDS)}")
    for key in file.tables:
        if key != "mutant":
            raise BadInput(f"{path}: {key!r} is not known; only [[mutant]] is")
    found = []
    for number, entry in enumerate(entries, start=1):
        where = f"{path}: mutant {number}"
        try:
            own = msgspec.convert(entry, _Own)
        except msgspec.ValidationError as error:
            raise BadInput(f"{where}: {error}") from None
        found.append((f"{path}: mutant {own.id!r}", own))
    times = Counter(own.id for _, own in found)
    for where, own in found:
        if times[own.id] > 1:
            raise BadInput(f"{where}: two have this id")
    rules = [rule.id for rule in mutants.ground.game.rules]
    made_ = []
    for where, own in found:
        if own.rule not in rules:
            raise BadInput(f"{where}: {unknown('rule', own.rule, rules)}")
        if own.rule in mutants.rules:
            made_.append(_Reader(where, mutants, mutants.rules[own.rule]).mutant(own))
    return tuple(made_)


class _Reader:
    def __init__(self, where: str, mutants: Mutants, rule: whole.Rule) -> None:
        self.where, self.mutants, self.rule = where, mutants, rule
        self.ground: grounds.Ground = mutants.ground

    def mutant(self, own: _Own) -> Mutant:
        pool, rule = self.mutants.pool, self.rule
        name = f"s.{own.of}"
        if own.of != GUARD and name not in rule.updates:
            known = [GUARD, *(one.removeprefix("s.") for one in rule.updates)]
            raise BadInput(f"{self.where}: {unknown('field', own.of, known)}")
        root = rule.guard if own.of == GUARD else rule.updates[name]
        put = pool.of(self._term(own.put, "put"))
        new = put
        if own.place is not None:
            place = pool.of(self._term(own.place, "place"))
            new = self._replaced(root, place, put, own)
        if isinstance(root, bool | BoolTerm) is not isinstance(new, bool | BoolTerm):
            kind = "a yes or no" if isinstance(root, bool | BoolTerm) else "a whole number"
            raise BadInput(f"{self.where}: put: {kind} was expected for {own.of}")
        if new is root or repr(new) == repr(root):
            raise BadInput(f"{self.where}: it changes nothing: {own.of} is made the same way")
        guard = cast("Any", new) if own.of == GUARD else None
        updates: Mapping[str, Value] = {} if own.of == GUARD else {name: new}
        return Mutant(
            own.id,
            rule.id,
            OWN,
            self.ground.game.rule(rule.id).clauses,
            own.says,
            guard,
            updates,
            sha256(f"{own.id}\n{digest_of(pool, rule, guard, updates)}".encode()).hexdigest(),
        )

    def _replaced(self, root: Value, place: Value, put: Value, own: _Own) -> Value:
        parts = list(parts_of(root))
        if not isinstance(place, Term):
            raise BadInput(f"{self.where}: place: a part was expected, not a plain value")
        times = {id(root): 1}
        for term in reversed(parts):
            for argument in term.args:
                if isinstance(argument, Term):
                    times[id(argument)] = times.get(id(argument), 0) + times[id(term)]
        standing = times.get(id(place), 0)
        if not standing:
            raise BadInput(
                f"{self.where}: it does not apply: {own.place} is no part of {own.of}, which "
                f"{own.rule} makes of {root!r}"
            )
        if standing > 1:
            raise BadInput(
                f"{self.where}: it applies {standing} times: {own.place} stands so often in "
                f"{own.of}; give more of what is around it"
            )
        try:
            return self.mutants.pool.put(root, place, put, frozenset(id(one) for one in parts))
        except SortError as error:
            raise BadInput(f"{self.where}: put: {error}") from None

    def _term(self, text: str, key: str) -> Value:
        where = f"{self.where}: {key}"
        try:
            found = read(text, where)
        except BadInput as error:
            raise BadInput(str(error)) from None
        if len(found) != 1:
            raise BadInput(f"{where}: one term was expected, not {len(found)}")
        try:
            return self._made(found[0], where)
        except SortError as error:
            raise BadInput(f"{where}: {error}") from None

    def _made(self, said: SExpr, where: str) -> Value:
        if isinstance(said, Atom):
            return self._plain(said.text, where)
        op, parts = said.head, [self._made(one, where) for one in said.items[1:]]
        if op in _TURNED:
            op, parts = _TURNED[op], parts[::-1]
        if op not in _OPERATIONS:
            raise BadInput(f"{where}: {unknown('operation', op, _OPERATIONS)}")
        if op == "-" and len(parts) == 1:
            return made("-", 0, *parts)
        try:
            return made(op, *parts)
        except TypeError as error:
            if isinstance(error, SortError):
                raise
            raise BadInput(f"{where}: {op} does not take {len(parts)} arguments") from None

    def _plain(self, text: str, where: str) -> Value:
        if text in ("true", "false"):
            return text == "true"
        if text.lstrip("-").isdecimal():
            return int(text)
        names: Sequence[str] = list(self.rule.variables)
        reveal = f"r.{self.ground.game.rule(self.rule.id).reveal.__name__.lower()}."
        for name in (text, f"s.{text}", reveal + text.removeprefix("reveal.")):
            if name in self.rule.variables:
                return self.rule.variables[name].term()
        shown = [n.removeprefix("s.").replace(reveal, "reveal.") for n in names]
        raise BadInput(f"{where}: {unknown('field', text, shown)}")
