"""Reading TOML files that people write: what is wrong is said with file, line and key."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from ..errors import KINDS, BadInput, unknown

__all__ = ["TomlFile", "read_toml"]

T = TypeVar("T")

_KINDS = KINDS | {"object": "a table"}


@dataclass(frozen=True)
class TomlFile:
    """A TOML file as read: its tables, and its text to find lines in.

    ``hash`` is the SHA-256 of the file, as ``sha256sum`` prints it.
    """

    path: Path
    text: str
    tables: dict[str, Any]
    hash: str

    def error(self, message: str, *keys: str, at: int | None = None) -> BadInput:
        """Return the error at a key (the table's name first), or at a line that is known."""
        line = at or self.line(*keys)
        return BadInput(f"{self.path}{f', line {line}' if line else ''}: {message}")

    def convert(
        self, value: Any, to: type[T], place: str, *keys: str, at: int | None = None
    ) -> T:
        """Return a value as a type; BadInput says where it does not fit and what was expected.

        ``place`` is how the message calls the value.
        """
        try:
            return msgspec.convert(value, to)
        except msgspec.ValidationError as error:
            reason, _, path = str(error).partition(" - at ")
            inside = path.strip("`").removeprefix("$")
            told = (
                reason.removeprefix("Object ").replace("contains ", "").replace("field", "key")
            )
            told = re.sub(r"`(\w+)`", lambda name: _KINDS.get(name[1], f"'{name[1]}'"), told)
            told = told[0].lower() + told[1:]
            raise self.error(f"{place}{inside}: {told}", *keys, at=at) from None

    def only(self, table: dict[str, Any], known: Iterable[str], what: str, *keys: str) -> None:
        """Raise BadInput for a key of a table that is not among the known ones."""
        names = list(known)
        for name in table:
            if name not in names:
                error = unknown(what, name, names)
                raise self.error(str(error), *keys, name)

    def needs(self, table: dict[str, Any], names: Iterable[str], what: str, *keys: str) -> None:
        """Raise BadInput for a key that a table must have and has not."""
        for name in names:
            if name not in table:
                raise self.error(f"{what} {name!r} is missing", *keys)

    def line(self, *keys: str) -> int | None:
        """Return the line of a key: its table's header, or ``key =`` below the outer table."""
        lines = self.text.splitlines()
        found, dotted = None, ""
        for key in keys:
            dotted = f"{dotted}.{key}" if dotted else key
            header = re.compile(rf"\s*\[+\s*{re.escape(dotted)}\s*\]+")
            entry = re.compile(rf"\s*[\"']?{re.escape(key)}[\"']?\s*=")
            for number, line in enumerate(lines[found or 0 :], start=(found or 0) + 1):
                if header.match(line) or entry.match(line):
                    found = number
                    break
        return found


def read_toml(path: Path) -> TomlFile:
    """Read a TOML file; BadInput if it cannot be read or is not TOML."""
    try:
        data = path.read_bytes()
        text = data.decode("utf-8-sig")  # some editors mark UTF-8 at its start
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise BadInput(f"{path}: not UTF-8 text (byte {error.start})") from None
    try:
        return TomlFile(path, text, tomllib.loads(text), sha256(data).hexdigest())
    except tomllib.TOMLDecodeError as error:
        reason, _, place = str(error).removesuffix(")").partition(" (at ")
        where = f", {place.removeprefix('at ')}" if place else ""
        raise BadInput(f"{path}{where}: not TOML: {reason}") from None
