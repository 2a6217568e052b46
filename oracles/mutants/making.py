"""All mutants of a game under one edition and one way to take its readings.

A place is a part of a rule: of its guard, or of what it makes of the state. A part that
several fields share (how much a meter unlocks), or several rules (what comes after a bonus), is
one place, as it is in the game's file, and is changed for all of them. Equal mutants, by what
their terms come to, are one; what comes to the rule itself is none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from typing import cast

from ...models.algebra import Bool, IntTerm, Term, Value, variables_of
from ...proofs.infix import infix
from ..ground import Ground
from . import whole
from .operators import Instead, instead
from .pool import Pool, above, parts_of
from .siblings import siblings_of

__all__ = ["GUARD", "Mutant", "Mutants", "digest_of", "mutants_of"]

GUARD = "guard"
_DEEP, _LONG, _MOST = 3, 90, 4


@dataclass(frozen=True)
class Mutant:
    """A changed rule: its guard or some of its updates (by scalar) are others.

    ``operator`` is the kind of change. ``digest`` tells it, with the rule it changes, from
    every other, in any run. ``also`` is the same change in other rules that share the part.
    """

    id: str
    rule: str
    operator: str
    clauses: tuple[str, ...]
    says: str
    guard: Bool | None
    updates: Mapping[str, Value]
    digest: str
    also: tuple[Mutant, ...] = ()

    @property
    def parts(self) -> tuple[Mutant, ...]:
        """The change in each rule that it changes."""
        return (self, *self.also)

    def of(self, rule: str) -> Mutant | None:
        """Return the change of one rule, None where that is as it was."""
        return next((part for part in self.parts if part.rule == rule), None)


@dataclass(frozen=True)
class Mutants:
    """The mutants of a ground. ``pool`` holds their terms; ``rules`` are what they change."""

    ground: Ground
    pool: Pool
    rules: Mapping[str, whole.Rule]
    all: tuple[Mutant, ...]

    @cached_property
    def by_id(self) -> Mapping[str, Mutant]:
        """The mutants by id."""
        return {one.id: one for one in self.all}


def mutants_of(ground: Ground, only: Collection[str] | None = None) -> Mutants:
    """Return every mutant that the operators make of a game, each once, in a fixed order.

    ``only`` names the rules to change; all without it.
    """
    pool = Pool()
    names = [name for name in ground.formulas if only is None or name in only]
    rules = {name: _rule(ground, pool, name) for name in names}
    making = _Making(ground, pool)
    for rule in rules.values():
        making.of(rule)
    return Mutants(ground, pool, rules, tuple(map(_one, making.made.values())))


def _one(those: Sequence[Mutant]) -> Mutant:
    """Return the same change of several rules as one mutant."""
    first, *others = those
    if not others:
        return first
    digest = sha256("\n".join(one.digest for one in those).encode()).hexdigest()
    rules = _listed([one.rule for one in others])
    return replace(
        first,
        clauses=tuple(dict.fromkeys(clause for one in those for clause in one.clauses)),
        says=f"{first.says.removesuffix('.')}; and so in {rules}.",
        digest=digest,
        also=tuple(others),
    )


def _rule(ground: Ground, pool: Pool, name: str) -> whole.Rule:
    formula = ground.formulas[name]
    variables = {v.name: v for v in (*ground.state, *ground.revealed[name])}
    start = dict(zip((v.name for v in ground.state), ground.encoding.start, strict=False))
    updates = {key: pool.of(value) for key, value in ground.updates[name].items()}
    return whole.Rule(
        name,
        cast("Bool", pool.of(formula.guard)),
        updates,
        start,
        siblings_of(variables.values()),
        variables,
    )


class _Making:
    def __init__(self, ground: Ground, pool: Pool) -> None:
        self.ground, self.pool = ground, pool
        self.made: dict[object, list[Mutant]] = {}
        self._seen: set[str] = set()
        self._numbers: Counter[str] = Counter()

    def of(self, rule: whole.Rule) -> None:
        """Make every mutant of a rule."""
        chosen = {v.name for v in rule.variables.values() if v.choice}
        for term, new, _ in self._places(rule, {GUARD: rule.guard}):
            value, change = new[GUARD]
            about = variables_of(cast("Value", change.about))
            if not (variables_of(term) <= chosen or (about and about <= chosen)):
                self.guard(rule, value, change, term)  # what may be chosen is no rule
        for change in whole.guards(rule, self.pool):
            self.guard(rule, change.value, change, rule.guard)
        changed = {n: u for n, u in rule.updates.items() if not rule.unchanged(n)}
        for term, new, names in self._places(rule, changed):
            updates = {name: new[name][0] for name in names}
            self.update(rule, updates, new[names[0]][1], term)
        for others, change in whole.updates(rule, self.pool):
            self.update(rule, others, change, None)

    def _places(
        self, rule: whole.Rule, roots: Mapping[str, Value]
    ) -> Iterator[tuple[Term, Mapping[str, tuple[Value, Instead]], tuple[str, ...]]]:
        holders = above(roots)
        siblings = {
            name: [rule.variables[other].term() for other in others]
            for name, others in rule.siblings.items()
        }
        for term in parts_of(*roots.values()):
            around, names = holders[id(term)]
            for change in instead(term, siblings):
                value = self.pool.of(change.value)
                yield (
                    term,
                    {n: (self.pool.put(roots[n], term, value, around), change) for n in names},
                    names,
                )

    def guard(self, rule: whole.Rule, value: Value, change: Instead, place: object) -> None:
        """Keep the mutant with another guard, if there is anything to it."""
        value = self.pool.of(value)
        if value is not rule.guard:
            where = "" if place is rule.guard else f", in {self.words(place)}"
            guarded = cast("Bool", value)
            self._keep(rule, change, guarded, {}, f"when it may come{where}", place)

    def update(
        self,
        rule: whole.Rule,
        updates: Mapping[str, Value],
        change: Instead,
        place: object,
    ) -> None:
        """Keep the mutant with other updates, if there is anything to it."""
        pooled = {name: self.pool.of(value) for name, value in updates.items()}
        changed = {
            n: v
            for n, v in pooled.items()
            if v is not rule.updates[n] and not _same(v, rule, n)
        }
        if changed:
            names = _listed([_short(name) for name in changed])
            where = "" if place is None else f", in {self.words(place)}"
            self._keep(rule, change, None, changed, f"{names}{where}", place)

    def _keep(
        self,
        rule: whole.Rule,
        change: Instead,
        guard: Bool | None,
        updates: Mapping[str, Value],
        where: str,
        place: object,
    ) -> None:
        digest = digest_of(self.pool, rule, guard, updates)
        if digest in self._seen:
            return
        self._seen.add(digest)
        same = self.made.setdefault(self._change(rule, change, guard, updates, place), [])
        target = GUARD if guard is not None else _short(min(updates, key=len))
        name = f"{rule.id}/{target}/{change.operator}"
        self._numbers[name] += 1
        says = change.says.replace("{}", self.words(change.about))
        clauses = self.ground.game.rule(rule.id).clauses
        same.append(
            Mutant(
                f"{name}-{self._numbers[name]}",
                rule.id,
                change.operator,
                clauses,
                f"{rule.id}: {where}: {says}.",
                guard,
                updates,
                digest,
            )
        )

    def _change(
        self,
        rule: whole.Rule,
        change: Instead,
        guard: Bool | None,
        updates: Mapping[str, Value],
        place: object,
    ) -> object:
        """Return what makes a change the same in several rules: the part, and what it becomes.

        Without a part it is all that is made of some fields, before and after.
        """
        digest = self.pool.digest
        if place is not None:
            was, becomes = digest(cast("Value", place)), digest(change.value)
            if guard is not None and place is rule.guard:
                becomes = digest(guard)
            return guard is not None, change.operator, was, becomes
        pairs = ((n, digest(rule.updates[n]), digest(v)) for n, v in sorted(updates.items()))
        return change.operator, *pairs

    def words(self, part: object) -> str:
        """Return a part in words, long ones in outline."""
        words = infix(_outline(part, _DEEP), self.ground.encoding)
        return words if len(words) <= _LONG else infix(_outline(part, 1), self.ground.encoding)


def digest_of(
    pool: Pool, rule: whole.Rule, guard: Bool | None, updates: Mapping[str, Value]
) -> str:
    """Return what tells a mutant from every other: the SHA-256 of what it makes of the rule."""
    said = [rule.id, pool.digest(rule.guard), "" if guard is None else pool.digest(guard)]
    said += [f"{name} {pool.digest(value)}" for name, value in sorted(updates.items())]
    said += [f"{name} {pool.digest(rule.updates[name])}" for name in sorted(updates)]
    return sha256("\n".join(said).encode()).hexdigest()


def _outline(part: object, deep: int) -> object:
    if not isinstance(part, Term) or part.op == "var":
        return part
    if not deep:
        return IntTerm("var", ("s.…",))
    args = [_outline(one, deep - 1) for one in part.args]
    if len(args) > 4:
        args = [*args[:2], IntTerm("var", ("s.…",)), args[-1]]
    return type(part)(part.op, tuple(args))


def _listed(names: list[str]) -> str:
    few = (
        names
        if len(names) <= _MOST
        else [*names[: _MOST - 1], f"{len(names) - _MOST + 1} more"]
    )
    return " and ".join([", ".join(few[:-1]), few[-1]] if len(few) > 1 else few)


def _same(value: Value, rule: whole.Rule, name: str) -> bool:
    """Return whether plain values are equal: equal terms are one object."""
    old = rule.updates[name]
    plain = not isinstance(value, Term) and not isinstance(old, Term)
    return plain and type(value) is type(old) and bool(value == old)


def _short(name: str) -> str:
    kind, _, rest = name.partition(".")
    return rest if kind == "s" else rest.partition(".")[2]
