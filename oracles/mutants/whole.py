"""What a whole update, or a whole guard, may be instead.

dropped       the field stays as it was: an update left out, a reset that did not happen
reset         the field goes back to what it was at the start, or forgets what it held
twice         the update is made again on what it made
stale         all else is made of its old value, where the rule has its new one
hasty         all else is made of its new value: the order of two updates is another
exchanged     two fields that are alike get each other's value
never         the rule never fires
strengthened  it fires only where a field is, or is not, what it was at the start
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import cast

from ...models.algebra import Bool, Term, Value, all_of, equal, negate, variables_of
from ...models.shape import Variable
from .operators import Instead
from .pool import Pool, parts_of

__all__ = ["Rule", "guards", "updates"]


@dataclass(frozen=True)
class Rule:
    """A rule as its terms say it, each in the pool; the rest is what a change may draw on.

    ``updates`` gives the next value of each scalar of the state; ``start`` is where it starts.
    """

    id: str
    guard: Bool
    updates: Mapping[str, Value]
    start: Mapping[str, Value]
    siblings: Mapping[str, tuple[str, ...]]
    variables: Mapping[str, Variable]

    def unchanged(self, name: str) -> bool:
        """Return whether the rule leaves a scalar as it is."""
        return _is_var(self.updates[name], name)


def updates(rule: Rule, pool: Pool) -> Iterator[tuple[Mapping[str, Value], Instead]]:
    """Yield what whole updates may be instead: the scalars that are changed, and how."""
    for name, update in rule.updates.items():
        start = rule.start[name]

        def but(
            value: Value, operator: str, says: str, name: str = name
        ) -> tuple[Mapping[str, Value], Instead]:
            return {name: value}, Instead(operator, value, says)

        yield but(start, "reset", f"it becomes {_plain(start)} again")
        if rule.unchanged(name):
            continue
        yield but(rule.variables[name].term(), "dropped", "it stays as it was")
        if name in variables_of(update):
            forgets = pool.exchange(update, {name: start})
            yield but(forgets, "reset", "what it held before is lost")
            yield but(pool.exchange(update, {name: update}), "twice", "it is made twice")
        for sibling in rule.siblings.get(name, ()):
            if sibling in rule.updates:
                pair = {name: rule.updates[sibling], sibling: update}
                says = f"{_short(name)} and {_short(sibling)} get each other's value"
                yield pair, Instead("exchanged", update, says)
        yield from _in_another_order(rule, pool, name)


def _in_another_order(
    rule: Rule, pool: Pool, name: str
) -> Iterator[tuple[Mapping[str, Value], Instead]]:
    """Yield all other updates made of the new value of a field for the old, and vice versa."""
    update, old = rule.updates[name], rule.variables[name].term()
    others = {n: u for n, u in rule.updates.items() if n != name and not rule.unchanged(n)}
    new = {n: pool.exchange(u, {name: update}) for n, u in others.items()}
    says = f"others are made of {_short(name)} as it is after the step"
    yield new, Instead("hasty", update, says)
    if isinstance(update, Term) and update.op != "var":
        everything = frozenset(id(part) for part in parts_of(*others.values()))
        before = {n: pool.put(u, update, old, everything) for n, u in others.items()}
        says = f"others are made of {_short(name)} as it was before the step"
        yield before, Instead("stale", old, says)


def guards(rule: Rule, pool: Pool) -> Iterator[Instead]:
    """Yield what a whole guard may be instead."""
    yield Instead("never", False, "it never may come")
    for name in sorted(variables_of(rule.guard)):
        if name in rule.start:
            at_start = equal(rule.variables[name].term(), rule.start[name])
            for taken, says in ((at_start, "only"), (negate(at_start), "not")):
                stronger = pool.of(all_of(rule.guard, taken))
                said = f"it may {says} come where {_short(name)} is {_plain(rule.start[name])}"
                yield Instead("strengthened", stronger, said)


def _is_var(value: object, name: str) -> bool:
    return isinstance(value, Term) and value.op == "var" and value.args[0] == name


def _short(name: str) -> str:
    kind, _, rest = name.partition(".")
    return rest if kind == "s" else rest.partition(".")[2]


def _plain(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(cast("object", value))
