"""Records: the scalars of a layout one after the other as little-endian signed numbers.

What kernels read and write, and what a Parquet file of whole Plays holds. A number has as many
bytes as its variable takes: four where it is money, one where it has a limit below 128 or is a
flag, else two. What does not fit is no record.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ...models.shape import Variable

__all__ = ["Field", "Record", "record_of"]

_LETTERS = {1: "b", 2: "h", 4: "i", 8: "q"}
_MONEY = "pence"


@dataclass(frozen=True)
class Field:
    """One scalar of a record: its name, its sort, its place and its size in bytes."""

    name: str
    sort: str
    offset: int
    size: int

    @property
    def most(self) -> int:
        """The greatest number that fits; the least is one less than its negative."""
        return 1 if self.sort == "Bool" else (1 << (8 * self.size - 1)) - 1


@dataclass(frozen=True)
class Record:
    """The scalars of a state, a reveal or a choice, in the order of the game's layout."""

    fields: tuple[Field, ...]

    def __reduce__(self) -> tuple[type[Record], tuple[tuple[Field, ...]]]:
        """Go to other processes without what was worked out here, which cannot go."""
        return Record, (self.fields,)

    @property
    def size(self) -> int:
        """How many bytes a record has."""
        return sum(field.size for field in self.fields)

    @property
    def described(self) -> list[list[Any]]:
        """The record as a file's metadata has it: name, sort and bytes of each scalar."""
        return [[field.name, field.sort, field.size] for field in self.fields]

    @classmethod
    def read(cls, described: Sequence[Sequence[Any]]) -> Record:
        """Return the record that metadata describes; ValueError for anything else."""
        fields, offset = [], 0
        for one in described:
            name, sort, size = one
            known = isinstance(name, str) and sort in ("Int", "Bool")
            if not known or type(size) is not int or size not in _LETTERS:
                raise ValueError(f"{one!r} describes no scalar")
            fields.append(Field(name, sort, offset, size))
            offset += size
        return cls(tuple(fields))

    def pack(self, values: Sequence[int]) -> bytes:
        """Return values as bytes; ValueError where one does not fit."""
        try:
            return self._struct.pack(*values)
        except struct.error as error:
            raise ValueError(f"a value does not fit its record: {error}") from None

    def unpack(self, data: bytes, offset: int = 0) -> tuple[int | bool, ...]:
        """Return the values of a record; ValueError where bytes are missing or no flag is."""
        try:
            found = self._struct.unpack_from(data, offset)
        except struct.error as error:
            raise ValueError(f"a record is cut off: {error}") from None
        return tuple(
            value if field.sort == "Int" else _flag(field, value)
            for field, value in zip(self.fields, found, strict=True)
        )

    @cached_property
    def _struct(self) -> struct.Struct:
        return struct.Struct("<" + "".join(_LETTERS[field.size] for field in self.fields))


def record_of(variables: Sequence[Variable]) -> Record:
    """Return the record of a layout.

    >>> won, over = Variable("won", "Int", "", unit="pence"), Variable("over", "Bool", "")
    >>> one = record_of([won, over])
    >>> one.size, one.unpack(one.pack([500, True]))
    (5, (500, True))
    """
    return Record.read([(v.name, v.sort, _size(v)) for v in variables])


def _size(variable: Variable) -> int:
    if variable.unit == _MONEY:
        return 4
    if variable.sort == "Bool":
        return 1
    small = variable.high is not None and variable.high < 128
    return 1 if small and (variable.low or 0) >= -128 else 2


def _flag(field: Field, value: int) -> bool:
    if value not in (0, 1):
        raise ValueError(f"{field.name}: {value} is no flag")
    return bool(value)
