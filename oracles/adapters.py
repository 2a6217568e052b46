"""Adapters: a studio's own records turned into the events of a log.

``module:function`` names a function that is called with each record, a JSON value as Python
has it (or a row of a Parquet file), and returns or yields events, as objects. ``module:Class``
names a class: one object of it is made for each file and called with each record of it, so that
it can remember what came before; if it has a method ``end``, its events come last.

``book`` is an adapter that comes with Playproof, see ``book``.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import BadInput
from ..models.editions import Edition
from ..models.games import load_attribute

__all__ = ["Adapter", "Refused", "load_adapter", "made"]


class Refused(BadInput):
    """A record that an adapter does not turn into events; the text says why."""


@dataclass(frozen=True)
class Adapter:
    """What turns records into events. ``make`` makes what is called with each of a file's."""

    name: str
    make: Callable[[], Any]

    def begin(self) -> Any:
        """Return what is called with each record of a file. Raises Refused if it fails."""
        try:
            return self.make()
        except (Exception, SystemExit) as error:
            raise _failed(error) from error


def load_adapter(reference: str, edition: Edition, folder: Path | None = None) -> Adapter:
    """Return an adapter by ``module:function``, looked for in a folder as well, or a ready one.

    Ready are ``book``, and ``book:FILE`` with names of one's own. The folder is the one we are
    in if left out. Raises BadInput for any other
    name, or a module that cannot be loaded.
    """
    place = str(folder) if folder else ""
    ready, _, file = reference.partition(":")
    if ready == "book":
        from .book import Book

        book = Book.of(edition.game, Path(place, file) if file else None)
        return Adapter(ready, lambda: book)
    module, colon, name = reference.partition(":")
    if not colon or not module or not name:
        raise BadInput(f"adapter {reference!r}: write it as module:function, or book")
    if place not in sys.path:
        sys.path.insert(0, place)
    found = load_attribute(module, name)
    if not callable(found):
        kind = type(found).__name__
        raise BadInput(f"adapter {reference!r}: a function was expected, not {kind}")
    return Adapter(reference, found if isinstance(found, type) else lambda: found)


def made(call: Callable[..., Any], *record: Any) -> Iterator[Any]:
    """Yield what an adapter makes of a record. Raises Refused, with its line, if it fails."""
    try:
        events = call(*record)
        if isinstance(events, str | bytes | dict) or not hasattr(events, "__iter__"):
            kind = type(events).__name__
            raise Refused(f"the adapter returned {kind}: a list of events was expected")
        yield from events
    except Refused:
        raise
    except (Exception, SystemExit) as error:  # whatever somebody's own code may raise
        raise _failed(error) from error


def _failed(error: BaseException) -> Refused:
    """Return the error with the deepest line of the adapter's own file that led to it."""
    frames = traceback.extract_tb(error.__traceback__)[1:]  # without ours
    own = [frame for frame in frames if frame.filename == frames[0].filename]
    place = f" at {own[-1].filename}:{own[-1].lineno}" if own else ""
    return Refused(f"the adapter failed{place}: {type(error).__name__}: {error}")
