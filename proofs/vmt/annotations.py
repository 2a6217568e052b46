"""Take the annotations out of a term: ``(! term :next y :init true)``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ...errors import BadInput
from ..sexpr import Atom, List, SExpr, atoms

__all__ = ["Mark", "strip"]

_COUNT = frozenset({":next", ":init", ":trans", ":invar-property", ":live-property", ":named"})
_BINDERS = frozenset({"forall", "exists", "lambda", "choice", "match"})


@dataclass(frozen=True)
class Mark:
    """One attribute of a term, the term without annotations, and the definition it is in.

    What enclosing lets bind stands in the term as lets of its own.
    """

    kind: str
    value: SExpr | None
    term: SExpr
    owner: str
    line: int


def strip(term: SExpr, source: str, owner: str) -> tuple[SExpr, list[Mark]]:
    """Return a term without its annotations; those that say what the system is, and names.

    Raises BadInput for a quantifier and for an annotation that says nothing.
    """
    marked = False
    for atom in atoms(term):
        if atom.text in _BINDERS and not atom.quoted:
            raise BadInput(
                f"{source}:{atom.line}: {atom.text} is not supported: formulas must be free "
                "of quantifiers"
            )
        marked = marked or (atom.text == "!" and not atom.quoted)
    return _walk(term, source, owner) if marked else (term, [])


@dataclass
class _Open:
    """A list that is being walked: what is done of it, and the lets around it."""

    whole: List
    lets: _Lets | None
    done: list[SExpr] = field(default_factory=list)


@dataclass(frozen=True)
class _Lets:
    bindings: SExpr
    outer: _Lets | None


def _walk(term: SExpr, source: str, owner: str) -> tuple[SExpr, list[Mark]]:
    marks: list[Mark] = []
    top = _Open(List((term,)), None)
    todo = [top]
    while True:
        this = todo[-1]
        place = len(this.done)
        if place == len(this.whole.items):
            if this is top:
                return this.done[0], marks
            todo.pop()
            todo[-1].done.append(_close(this, source, owner, marks))
            continue
        part = this.whole.items[place]
        if isinstance(part, Atom) or (this.whole.head == "!" and place > 1):
            this.done.append(part)
            continue
        lets = this.lets
        if this.whole.head == "let" and place == 2:
            lets = _Lets(this.done[1], lets)
        todo.append(_Open(part, lets))


def _close(this: _Open, source: str, owner: str, marks: list[Mark]) -> SExpr:
    if this.whole.head != "!":
        return List(tuple(this.done), this.whole.line)
    if len(this.done) < 3:
        raise BadInput(f"{source}:{this.whole.line}: expected (! TERM :ATTRIBUTE VALUE)")
    term = this.done[1]
    for kind, value in _attributes(this.done[2:], source):
        off = isinstance(value, Atom) and value.text == "false"
        if kind in _COUNT and not (off and kind in (":init", ":trans")):
            marks.append(Mark(kind, value, _closed(term, this.lets), owner, this.whole.line))
    return term


def _attributes(items: list[SExpr], source: str) -> Iterator[tuple[str, SExpr | None]]:
    place = 0
    while place < len(items):
        key = items[place]
        if not _keyword(key):
            raise BadInput(f"{source}:{key.line}: an attribute like :next was expected")
        place += 1
        value = None
        if place < len(items) and not _keyword(items[place]):
            value = items[place]
            place += 1
        assert isinstance(key, Atom)
        yield key.text, value


def _keyword(item: SExpr) -> bool:
    return isinstance(item, Atom) and not item.quoted and item.text.startswith(":")


def _closed(term: SExpr, lets: _Lets | None) -> SExpr:
    if isinstance(term, Atom) and lets is None:
        return term
    while lets is not None:
        term = List((Atom("let"), lets.bindings, term), term.line)
        lets = lets.outer
    return term
