"""Terms kept once each: equal terms are one object, with a digest that says what they are.

So that two mutants are the same is seen at once, and what a change leaves alone stays the very
term that it was: whatever is known of it need not be worked out again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import blake2b
from typing import Any, cast

from ...models.algebra import Term, Value, made

__all__ = ["Pool", "above", "parts_of"]


class Pool:
    """Holds one object for each term there is."""

    def __init__(self) -> None:
        self._known: dict[tuple[object, ...], Term] = {}
        self._own: set[int] = set()
        self._digests: dict[int, bytes] = {}

    def of(self, value: Value) -> Value:
        """Return the one object that a term is."""
        return self._of(value, {}) if isinstance(value, Term) else value

    def _of(self, term: Term, seen: dict[int, Term]) -> Value:
        if id(term) in self._own:
            return cast("Value", term)
        if id(term) not in seen:
            args = tuple(
                self._of(argument, seen) if isinstance(argument, Term) else argument
                for argument in term.args
            )
            seen[id(term)] = self._kept(term, args)
        return cast("Value", seen[id(term)])

    def _kept(self, term: Term, args: tuple[object, ...]) -> Term:
        parts = (id(a) if isinstance(a, Term) else (type(a).__name__, a) for a in args)
        key = (term.op, *parts)
        if key not in self._known:
            same = all(a is b for a, b in zip(args, term.args, strict=True))
            one = term if same else type(term)(term.op, args)
            self._known[key] = one
            self._own.add(id(one))
        return self._known[key]

    def put(self, root: Value, place: Term, new: Value, above: frozenset[int]) -> Value:
        """Return a term with one of its parts replaced, wherever that part stands in it.

        ``above`` are the ids of all terms that hold the part (``above``).
        """
        return self.of(_put(root, {id(place): new}, above))

    def exchange(self, root: Value, values: Mapping[str, Value]) -> Value:
        """Return a term with some of its unknowns replaced."""
        if not isinstance(root, Term):
            return root
        done: dict[int, Value] = {}
        for part in parts_of(root):
            if part.op == "var":
                done[id(part)] = values.get(cast("str", part.args[0]), cast("Value", part))
            else:
                args = [done[id(a)] if isinstance(a, Term) else a for a in part.args]
                same = all(a is b for a, b in zip(args, part.args, strict=True))
                done[id(part)] = cast(
                    "Value", part if same else made(part.op, *cast("Any", args))
                )
        return self.of(done[id(root)])

    def digest(self, value: Value) -> str:
        """Return what tells a term from every other, the same in every run."""
        return self._digest(self.of(value)).hex()

    def _digest(self, value: object) -> bytes:
        if not isinstance(value, Term):
            return f"{type(value).__name__} {value}".encode()
        if id(value) not in self._digests:
            parts = [value.op.encode(), *(self._digest(a) for a in value.args)]
            text = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
            self._digests[id(value)] = blake2b(text, digest_size=16).digest()
        return self._digests[id(value)]


def parts_of(*roots: Value) -> Iterator[Term]:
    """Yield every term within some, each once, parts before what they are parts of."""
    seen: set[int] = set()
    stack: list[Term] = [root for root in reversed(roots) if isinstance(root, Term)]
    while stack:
        term = stack[-1]
        waiting = [a for a in term.args if isinstance(a, Term) and id(a) not in seen]
        if id(term) not in seen and waiting:
            stack += waiting[::-1]
            continue
        stack.pop()
        if id(term) not in seen:
            seen.add(id(term))
            yield term


def above(roots: Mapping[str, Value]) -> dict[int, tuple[frozenset[int], tuple[str, ...]]]:
    """Return for each part of some terms (by id) what holds it: terms by id, and roots."""
    holders: dict[int, list[int]] = {}
    of_root: dict[int, list[str]] = {}
    order = list(parts_of(*roots.values()))
    for term in order:
        for argument in term.args:
            if isinstance(argument, Term):
                holders.setdefault(id(argument), []).append(id(term))
    for name, root in roots.items():
        of_root.setdefault(id(root), []).append(name)
    found: dict[int, tuple[frozenset[int], tuple[str, ...]]] = {}
    for term in reversed(order):
        ids: set[int] = set()
        names: dict[str, None] = dict.fromkeys(of_root.get(id(term), ()))
        for holder in holders.get(id(term), ()):
            up, theirs = found[holder]
            ids |= {holder, *up}
            names |= dict.fromkeys(theirs)
        found[id(term)] = frozenset(ids), tuple(sorted(names))
    return found


def _put(root: Value, done: dict[int, Value], above: frozenset[int]) -> Value:
    if not isinstance(root, Term):
        return root
    if id(root) in done:
        return done[id(root)]
    if id(root) not in above or root.op == "var":
        return root
    args = [_put(cast("Value", a), done, above) for a in root.args]
    done[id(root)] = made(root.op, *args)
    return done[id(root)]
