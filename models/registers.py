"""Clause registers: every clause of a game's document in our own words, with a locator."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import msgspec

from ..errors import BadInput, unknown
from .tomlfile import read_toml

__all__ = ["Clause", "ClauseKind", "Register", "has_register", "load_register"]

ClauseKind = Literal["rule", "figure", "property", "promise", "display", "limit"]
_FOLDER = Path(__file__).parent / "registers"


@dataclass(frozen=True)
class Clause:
    """One clause: where it stands, what it says in our words, and what it became.

    ``kind`` is where its home is: a rule (or a reading of one), a figure, a property, a
    promise; ``display`` is about screens only, ``limit`` is what no model can hold.
    """

    id: str
    section: str
    locator: str
    text: str
    kind: ClauseKind


@dataclass(frozen=True)
class Register:
    """The clauses of one document."""

    game: str
    document: str
    clauses: tuple[Clause, ...]

    def clause(self, id_: str) -> Clause:
        """Return the clause of that id; BadInput if there is none."""
        for clause in self.clauses:
            if clause.id == id_:
                return clause
        raise unknown("clause", id_, [clause.id for clause in self.clauses])


class _Clause(msgspec.Struct, forbid_unknown_fields=True):
    id: str
    section: str
    locator: str
    text: str
    display: bool = False
    kind: ClauseKind | None = None


def has_register(game: str) -> bool:
    """Return whether a game, by its id, has a clause register."""
    return (_FOLDER / f"{game}.toml").is_file()


def load_register(game: str, path: Path | None = None) -> Register:
    """Load the clause register of a game, by its id; BadInput if it has none or it is wrong."""
    if path is None and not has_register(game):
        raise BadInput(f"{game} has no clause register")
    file = read_toml(path or _FOLDER / f"{game}.toml")
    file.only(file.tables, ("document", "clause"), "key")
    file.needs(file.tables, ("document", "clause"), "key")
    raw = file.convert(file.tables["clause"], list[dict[str, Any]], "clause", "clause")
    clauses: list[Clause] = []
    seen: set[str] = set()
    for number, table in enumerate(raw, start=1):
        place = f"clause {table.get('id', f'number {number}')}"
        entry = file.convert(table, _Clause, place)
        kind = entry.kind or ("display" if entry.display else "rule")
        if entry.display and kind != "display":
            raise file.error(f"{place}: marked display, but of kind {kind!r}")
        if entry.id in seen:
            raise file.error(f"{place} stands twice")
        seen.add(entry.id)
        clauses.append(Clause(entry.id, entry.section, entry.locator, entry.text, kind))
    document = file.convert(file.tables["document"], str, "document", "document")
    return Register(game, document, tuple(clauses))
