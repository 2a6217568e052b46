"""Books: Plays as one JSON object each, the widely used form of predetermined rounds.

A book has an ``id``, the ``events`` of the round in order, each with its ``index`` and
``type``, and a ``payoutMultiplier``: what the round pays, in hundredths of the stake. The stake
is the game's price of a Play. A book becomes a Play as follows.

* ``id`` is the Play Number, ``payoutMultiplier`` the predetermined outcome.
* ``type`` is the id of a rule, also as ``openBonusGame``; ``finalWin`` is ``finish``. An event
  of type ``start`` that comes first says what is shown at the start.
* ``index`` counts the events, from whichever number the first one has.
* The other keys of an event are fields: of what the rule reveals or the player chooses if there
  is such a one, else of the state shown after it; also as ``spinsLeft``. A list gives a vector
  in the order of its labels. ``reveal``, ``choice``, ``shows``, ``screen`` and ``won`` may also
  be given whole, as in a log. Money in them is in pence.
* ``amount`` of a ``finish`` is what was paid, in hundredths of the stake.
* What stands beside these three keys in a book is not looked at.

Other names are given in a TOML file; what is named ``""`` is left out, and so not judged::

    [events]
    bonusTrigger = "open-bonus-game"
    setWin = ""
    [fields]
    bonusCount = "bonus_box"
    anticipation = ""
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ..errors import BadInput, unknown
from ..models.setting import figures_of
from ..models.shape import FieldShape
from ..models.system import Game
from ..models.tomlfile import read_toml
from .adapters import Refused
from .event import FINISH, FORMAT, RESUME, START, VERSION

__all__ = ["Book", "load_names"]

_WHOLE = ("reveal", "choice", "shows", "screen", "won", "paid")
_STAKE = "price"


@dataclasses.dataclass(frozen=True)
class Book:
    """Turns books of one game into the events of a log.

    ``price`` is the stake in pence. ``types`` and ``names`` are those of one's own.
    """

    game: Game
    price: int
    types: Mapping[str, str]
    names: Mapping[str, str]

    @classmethod
    def of(cls, game: Game, file: Path | None = None) -> Book:
        """Return what reads the books of a game, with names from a file if there is one.

        Raises BadInput for a game without a figure ``price``, or a file that does not fit it.
        """
        if _STAKE not in figures_of(game.setting):
            raise BadInput(
                f"adapter book: {game.id} has no figure {_STAKE!r}, the stake that "
                "payoutMultiplier is a multiple of"
            )
        types, names = load_names(game, file) if file else ({}, {})
        return cls(game, getattr(game.setting, _STAKE), types, names)

    def __call__(self, book: Any) -> Iterator[dict[str, Any]]:
        """Yield the events of a book. Raises Refused for what is no book."""
        id_, events, multiplier = _keys(book)
        play = str(id_)
        start = {
            "play": play,
            "step": 0,
            "event": START,
            "format": FORMAT,
            "version": VERSION,
            "game": self.game.id,
            "outcome": {"amount": self._pence(multiplier, "payoutMultiplier")},
        }
        first = _index(events[0], 0) if events else 0
        if events and self._type(events[0]) == START:
            start |= self._fields(events[0], START)
            events, first = events[1:], first + 1
        yield start
        left_out = 0
        for at, event in enumerate(events, start=first):
            type_ = self._type(event)
            if not type_:
                left_out += 1
                continue
            step = _index(event, at) - first + 1 - left_out
            yield {"play": play, "step": step, "event": type_} | self._fields(event, type_)

    def _type(self, event: Any) -> str:
        if not isinstance(event, dict) or not isinstance(event.get("type"), str):
            raise Refused(f"an event of a book is an object with a type, not {_short(event)}")
        given = event["type"]
        return self.types.get(given, FINISH if given == "finalWin" else _kebab(given))

    def _fields(self, event: Mapping[str, Any], type_: str) -> dict[str, Any]:
        """Return the keys of an event, sorted into what is revealed, chosen and shown."""
        made: dict[str, Any] = {}
        revealed = self._revealed(type_)
        shown = _shapes(self.game.state)
        for key, value in event.items():
            name = self.names.get(key, _snake(key))
            if key in ("index", "type") or not name:
                continue
            if name in _WHOLE[:-1] and isinstance(value, dict):
                made[name] = made.get(name, {}) | value
            elif name in revealed:
                part = "choice" if revealed[name].choice else "reveal"
                made.setdefault(part, {})[name] = self._labelled(value, revealed[name])
            elif type_ == FINISH and name == "amount":
                made["paid"] = self._pence(value, "amount")
            elif name in shown:
                made.setdefault("shows", {})[name] = self._labelled(value, shown[name])
                if name == "paid" and type_ == FINISH:
                    made["paid"] = value
            else:
                made[key] = value  # whoever reads the events says that it is not known
        return made

    def _revealed(self, type_: str) -> Mapping[str, FieldShape]:
        rules = {rule.id: rule for rule in self.game.rules}
        return _shapes(rules[type_].reveal) if type_ in rules else {}

    def _labelled(self, value: Any, shape: FieldShape, depth: int = 0) -> Any:
        """Return a list as an object by labels, where it has as many values as there are."""
        if depth == len(shape.over) or not isinstance(value, list):
            return value
        labels = getattr(self.game.setting, shape.over[depth])
        if len(labels) != len(value):
            return value
        parts = (self._labelled(part, shape, depth + 1) for part in value)
        return dict(zip(labels, parts, strict=True))

    def _pence(self, hundredths: Any, what: str) -> int:
        if type(hundredths) is not int:
            raise Refused(f"{what}: a whole number was expected, not {_short(hundredths)}")
        pence, rest = divmod(hundredths * self.price, 100)
        if rest:
            raise Refused(
                f"{what}: {hundredths} hundredths of {self.price} pence are no whole pence"
            )
        return pence


def load_names(game: Game, path: Path) -> tuple[dict[str, str], dict[str, str]]:
    """Return what types and fields are called in books, from a TOML file.

    Raises BadInput for a rule or a field that the game does not have.
    """
    file = read_toml(path)
    file.only(file.tables, ("events", "fields"), "table")
    events = file.convert(file.tables.get("events", {}), dict[str, str], "events", "events")
    fields = file.convert(file.tables.get("fields", {}), dict[str, str], "fields", "fields")
    rules = [START, RESUME, FINISH, *(rule.id for rule in game.rules)]
    kinds = [game.state, *game.reveal_kinds()]
    known = [*_WHOLE, "amount", *(name for kind in kinds for name in _shapes(kind))]
    for table, given, names, what in (
        ("events", events, rules, f"rule of {game.id}"),
        ("fields", fields, known, f"field of {game.id}"),
    ):
        for key, name in given.items():
            if name and name not in names:
                raise file.error(str(unknown(what, name, dict.fromkeys(names))), table, key)
    return events, fields


def _keys(book: Any) -> tuple[int | str, list[Any], Any]:
    if not isinstance(book, dict):
        raise Refused(f"a book is an object, not {_short(book)}")
    for key in ("id", "events", "payoutMultiplier"):
        if key not in book:
            raise Refused(f"a book has id, events and payoutMultiplier: {key} is missing")
    if type(book["id"]) not in (int, str):
        raise Refused(f"id: a number was expected, not {_short(book['id'])}")
    if not isinstance(book["events"], list):
        raise Refused(f"events: a list was expected, not {_short(book['events'])}")
    return book["id"], book["events"], book["payoutMultiplier"]


def _index(event: Any, otherwise: int) -> int:
    index = event.get("index", otherwise) if isinstance(event, dict) else otherwise
    if type(index) is not int:
        raise Refused(f"index: a whole number was expected, not {_short(index)}")
    return index


def _shapes(kind: type) -> dict[str, FieldShape]:
    return {field.name: field.metadata["shape"] for field in dataclasses.fields(kind)}


def _kebab(name: str) -> str:
    """Return an id as rules have it.

    >>> _kebab("openBonusGame"), _kebab("prize-spin")
    ('open-bonus-game', 'prize-spin')
    """
    return re.sub(r"(?<=[a-z0-9])([A-Z])", r"-\1", name).replace("_", "-").lower()


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", name).lower()


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}…"
