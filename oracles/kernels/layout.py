"""Whole Plays as Parquet: one row a Play, so that millions a second can be judged.

The columns, none of which is ever null unless that is said:

``play``     Play Number: int64 (written without leading zeros) or string
``amount``   int64: the predetermined outcome, in pence
``parts``    binary, may be left out: the outcome by part, one record of ``parts``
``row``      int16, may be left out: the row of the prize table, 0 for none
``events``   binary: one byte an event, the place of its rule in ``rules``; the start, which
             every Play has, is not among them, ``finish`` is the last
``reveals``  binary: what was revealed, event by event: the record of each event's rule
``choices``  binary, may be left out where no prize depends on them: what the player chose,
             likewise
``shows``    binary, may be left out: the state shown after each event, one record each, that
             of the start first: one more than there are events
``final``    binary, may be left out where there is ``shows``: the state shown after the last
             event, one record
``paid``     int64: what was paid, in pence
``won``      binary, may be left out: what was shown as won by part, one record of ``parts``
``screens``  string, may be left out, may be null: JSON, a list with the screen of each event,
             that of the start first; such a Play is judged event by event

A record is the scalars of a layout as little-endian signed numbers (see ``records``). The
file's metadata has, under the key ``playproof``, JSON with ``format`` ("playproof-plays") and
``version`` (1), with ``game``, ``edition`` (name and hash) and ``readings`` of every Play, and
what the bytes stand for: ``rules``, and the records ``state``, ``parts``, and by rule
``reveals`` and ``choices``. Nobody needs Playproof to read such a file.

Row groups of some 30,000 Plays and zstd are right. With ``final`` and without ``shows`` a Play
takes some 100 bytes on disk. A row whose bytes do not fit together is unreadable, and said so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from ...models.editions import Edition, default_readings
from ...models.shape import Variable
from .records import Record, record_of

__all__ = ["FORMAT", "KEY", "ROWS", "VERSION", "Layout", "layout_of"]

FORMAT = "playproof-plays"
VERSION = 1
KEY = b"playproof"
ROWS = 1 << 15
"""Plays in a row group."""


@dataclass(frozen=True)
class Layout:
    """What the bytes of a file of whole Plays stand for, and whose Plays they are."""

    game: str
    edition: Mapping[str, Any]
    readings: Mapping[str, str]
    rules: tuple[str, ...]
    state: Record
    parts: Record
    reveals: Mapping[str, Record]
    choices: Mapping[str, Record]

    def metadata(self) -> dict[bytes, bytes]:
        """Return the metadata of a file of this layout."""
        said = {
            "format": FORMAT,
            "version": VERSION,
            "game": self.game,
            "edition": dict(self.edition),
            "readings": dict(self.readings),
            "rules": list(self.rules),
            "state": self.state.described,
            "parts": self.parts.described,
            "reveals": {rule: one.described for rule, one in self.reveals.items()},
            "choices": {rule: one.described for rule, one in self.choices.items()},
        }
        return {KEY: msgspec.json.encode(said)}

    def schema(
        self,
        *,
        numbers: bool = True,
        parts: bool = True,
        row: bool = True,
        choices: bool = False,
        shows: bool = False,
        screens: bool = False,
    ) -> Any:
        """Return the schema of a file with these columns, for pyarrow.

        Play Numbers are int64, or text where not ``numbers``. ``final`` is there where
        ``shows`` is not.
        """
        import pyarrow as pa

        def column(name: str, kind: Any, nullable: bool = False) -> Any:
            return pa.field(name, kind, nullable=nullable)

        of_parts, of_state = pa.binary(self.parts.size), pa.binary(self.state.size)
        columns = [
            column("play", pa.int64() if numbers else pa.string()),
            column("amount", pa.int64()),
            *([column("parts", of_parts)] if parts else []),
            *([column("row", pa.int16())] if row else []),
            column("events", pa.binary()),
            column("reveals", pa.binary()),
            *([column("choices", pa.binary())] if choices else []),
            column("shows", pa.binary()) if shows else column("final", of_state),
            column("paid", pa.int64()),
            *([column("won", of_parts)] if parts else []),
            *([column("screens", pa.string(), nullable=True)] if screens else []),
        ]
        return pa.schema(columns, metadata=self.metadata())

    @classmethod
    def read(cls, metadata: Mapping[bytes, bytes] | None) -> Layout | None:
        """Return what a file's metadata says; None for a file of any other kind.

        Raises ValueError where it says that it is such a file, and then is not.
        """
        if not metadata or KEY not in metadata:
            return None
        said = msgspec.json.decode(metadata[KEY])
        if not isinstance(said, dict) or said.get("format") != FORMAT:
            return None
        if said.get("version") != VERSION:
            raise ValueError(f"version {said.get('version')!r}: {VERSION} was expected")
        try:
            return cls(
                said["game"],
                said["edition"],
                said["readings"],
                tuple(said["rules"]),
                Record.read(said["state"]),
                Record.read(said["parts"]),
                {rule: Record.read(said["reveals"][rule]) for rule in said["rules"]},
                {rule: Record.read(said["choices"][rule]) for rule in said["rules"]},
            )
        except (KeyError, TypeError) as error:
            raise ValueError(f"its metadata lacks {error}") from None


def layout_of(edition: Edition, readings: Mapping[str, str] | None = None) -> Layout:
    """Return the layout of an edition's Plays; a reading that is not given is by default."""
    from ..expected import Expected

    game = edition.game
    taken = default_readings(game.setting, readings)
    parts = Expected(edition, taken).parts
    of_rule = {rule.id: game.reveal_shape(rule).variables for rule in game.rules}
    return Layout(
        game.id,
        {"name": edition.name, "hash": edition.hash},
        taken,
        tuple(of_rule),
        record_of(game.state_shape().variables),
        record_of([Variable(part, "Int", "", unit="pence") for part in parts]),
        {rule: record_of([v for v in vs if not v.choice]) for rule, vs in of_rule.items()},
        {rule: record_of([v for v in vs if v.choice]) for rule, vs in of_rule.items()},
    )
