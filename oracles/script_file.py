"""The format of scripts: JSON, one file each.

``version`` changes whenever a reader of the older format could go wrong. Version 2 is that of
scripts with a layout: the screen of the start and of each step that has one. Money is in pence.
Equal scripts are equal byte for byte.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Literal

import msgspec

from ..errors import BadInput
from ..files import write_whole
from ..models.money import pounds
from .targets import Component, Target

__all__ = [
    "VERSIONS",
    "Aim",
    "BrokenScript",
    "Covers",
    "Made",
    "Move",
    "Part",
    "Prize",
    "Script",
    "Shown",
    "aim_of",
    "decode",
    "encode",
    "file_name",
    "load",
    "target_of",
    "write",
]

VERSIONS = (1, 2)
Shown = dict[str, Any]


class BrokenScript(BadInput):
    """A script that the rules, the edition or its own target contradict."""


class Made(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The edition a script was made for; ``hash`` is the SHA-256 of its file."""

    name: str
    hash: str


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of a target: its name, if it has to have one, and its amount (pence)."""

    name: str | None
    amount: int | None


class Aim(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A target: in words, its amount (pence), its parts, its row of the prize table."""

    text: str
    amount: int
    breakdown: list[Part] | None
    row: int | None


class Prize(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the Play wins (pence): in all, and each part that won something."""

    amount: int
    parts: dict[str, int]


class Move(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One step: the rule, what is revealed, what is shown after it, and how it looks."""

    rule: str
    reveal: Shown
    shows: Shown
    screen: Shown | None = None


class Covers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a script exercises: rules by how often, fields each rule changed, parts won."""

    rules: dict[str, int]
    changes: dict[str, list[str]]
    parts: list[str]


class Script(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One predetermined Play; with a layout, ``layout`` is the seed that it was made from."""

    format: Literal["playproof-script"]
    version: Literal[1, 2]
    money: Literal["pence"]
    game: str
    edition: Made
    readings: dict[str, str]
    target: Aim
    number: int
    seed: int
    prize: Prize
    choices: list[str]
    promises: dict[str, bool]
    covers: Covers
    start: Shown
    steps: list[Move]
    layout: int | None = None
    screen: Shown | None = None


def encode(script: Script) -> bytes:
    """Return a script as JSON, indented, with a line end."""
    return msgspec.json.format(msgspec.json.encode(script), indent=1) + b"\n"


def decode(data: bytes, name: str = "script") -> Script:
    """Return the script that JSON holds; BadInput says what is wrong with it, and where."""
    try:
        return msgspec.json.decode(data, type=Script)
    except msgspec.DecodeError as error:
        known = " or ".join(map(str, VERSIONS))
        raise BadInput(f"{name}: not a script of version {known}: {error}") from None


def load(path: Path) -> Script:
    """Return the script in a file; BadInput if it cannot be read or is none."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror}") from None
    return decode(data, str(path))


def write(script: Script, folder: Path) -> Path:
    """Write a script into a folder, whole or not at all, and return the file.

    Raises BadInput if it cannot be written, BrokenScript for one that breaks a promise.
    """
    for promise, kept in script.promises.items():
        if not kept:
            raise BrokenScript(
                f"{script.target.text}: the Play found breaks the promise {promise} of "
                f"{script.game}, so no script of it is written"
            )
    path = folder / file_name(target_of(script.target), script.number)
    write_whole(path, encode(script))
    return path


def file_name(target: Target, number: int = 1) -> str:
    """Return the name of a script's file.

    >>> file_name(Target(1500, (Component(None, 500), Component("Prize Game", 1000)), 14))
    'row-14_15.00_5+10pg.json'
    >>> file_name(Target(0), number=2)
    '0.00_2.json'
    """
    pieces = [f"row-{target.row:02}"] if target.row else []
    pieces.append(f"{target.amount // 100}.{target.amount % 100:02}")
    if target.breakdown is not None:
        pieces.append("+".join(map(_short, target.breakdown)))
    if number > 1:
        pieces.append(str(number))
    return "_".join(pieces) + ".json"


def _short(part: Component) -> str:
    amount = "" if part.amount is None else pounds(part.amount).strip("£").replace(",", "")
    words = re.findall(r"[A-Za-z0-9-]+", part.name or "")
    name = words[0] if len(words) == 1 else "".join(word[0] for word in words)
    return amount + name.lower()


def aim_of(target: Target) -> Aim:
    """Return a target as files have it."""
    parts = target.breakdown
    listed = None if parts is None else [Part(part.name, part.amount) for part in parts]
    return Aim(str(target), target.amount, listed, target.row)


def target_of(aim: Aim) -> Target:
    """Return the target that stands in a file."""
    parts = aim.breakdown
    listed = None if parts is None else tuple(Component(one.name, one.amount) for one in parts)
    return Target(aim.amount, listed, aim.row)
