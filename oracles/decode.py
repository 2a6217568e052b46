"""The JSON of an event, and what is wrong with it, in words.

What a reader of JSON passes over without a word is told here: keys that events do not have,
keys that stand twice in one object, and keys that say nothing where they stand.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec

from ..errors import KINDS
from .event import START, Event, Where
from .finding import Finding, Severity, short
from .shards import BOM

__all__ = ["DEEPEST", "UNDECODED", "Decoder", "anything", "keys_in", "not_json"]

DEEPEST = 100
"""How deep an event may be nested."""

_LONGEST_NUMBER = 1000  # characters of a Play Number

_KINDS = KINDS | {"object": "an object", "null": "null"}

_OF_OUTCOMES = {"amount", "parts", "row"}
_OF_STARTS = ("format", "version", "game", "edition", "readings", "outcome")
_OF_STEPS = ("reveal", "choice", "paid", "won")

UNDECODED = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""What decoding what is no JSON raises."""


class _Strict(Event, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """An event that has no key which events do not have."""


_event = msgspec.json.Decoder(_Strict).decode
anything = msgspec.json.Decoder().decode
"""Decodes any JSON. Raises one of ``UNDECODED``."""


class Decoder:
    """Decodes events; keys that are not as they should be are told of once each."""

    def __init__(self, tell: Callable[[Finding], None]) -> None:
        self._tell = tell
        self._told: set[tuple[str, ...]] = set()

    def event(self, name: str, line: int, text: bytes) -> Event | None:
        """Return the event that JSON holds; None where it holds none, which is told."""
        try:
            event: Event | None = _event(text)
            keys = text.count(b":")
        except UNDECODED:
            text = text.removeprefix(BOM)
            event = self._mended(Where(name, line), text)
            keys = -1
        if text.count(b"{") + text.count(b"[") > DEEPEST and _deeper(event, DEEPEST):
            self._unreadable(Where(name, line), _too_deep())
            return None
        if event is None:
            return None
        if not event.play or len(event.play) > _LONGEST_NUMBER:
            message = "play: the Play Number is empty"
            if event.play:
                message = f"play: a Play Number of {len(event.play)} characters"
            self._tell(Finding("format", message, Where(name, line)))
            return None
        if keys != _keys(event):
            self._twice(Where(name, line), text)
        self._misplaced(event, Where(name, line))
        return event

    def _mended(self, where: Where, text: bytes) -> Event | None:
        """Return the event without its unknown keys; None, and told, for anything else."""
        try:
            data = anything(text)
        except UNDECODED as error:
            self._unreadable(where, not_json(text, error))
            return None
        if isinstance(data, dict):
            known = Event.__struct_fields__
            for name in [name for name in data if name not in known]:
                del data[name]
                self._passed_over(name, where)
        try:
            return msgspec.convert(data, _Strict)
        except msgspec.ValidationError as error:
            self._tell(Finding("format", _expected(str(error)), where))
            return None

    def _twice(self, where: Where, text: bytes) -> None:
        """Tell of keys that stand twice in one object, if there are any."""
        for name in _doubled(text):
            message = f"the key {short(name)} stands twice in one object; the last one counts"
            self._once(("twice", name), Finding("format", message, where, field=short(name)))

    def _misplaced(self, event: Event, where: Where) -> None:
        """Tell of keys that say nothing where they stand."""
        if event.event == START:
            for name in event.outcome or ():
                if name not in _OF_OUTCOMES:
                    self._passed_over(f"outcome.{name}", where)
            for name in _OF_STEPS:
                if getattr(event, name) not in (None, {}):
                    message = f"a start has no {name}, which is not judged there"
                    self._once((START, name), Finding("format", message, where, field=name))
        elif (
            event.outcome is not None
            or event.game is not None
            or event.edition is not None
            or event.readings is not None
            or event.format is not None
            or event.version is not None
        ):
            self._of_a_start(event, where)

    def _of_a_start(self, event: Event, where: Where) -> None:
        for name in _OF_STARTS:
            if getattr(event, name) is not None:
                message = f"{name} is read of a start alone, and passed over elsewhere"
                note = Finding("format", message, where, field=name, severity=Severity.NOTE)
                self._once((name,), note)

    def _passed_over(self, name: str, where: Where) -> None:
        message = f"unknown key {short(name)!r}, which is passed over here and from now on"
        self._once(("unknown", name), Finding("format", message, where, severity=Severity.NOTE))

    def _once(self, about: tuple[str, ...], finding: Finding) -> None:
        if about not in self._told:
            self._told.add(about)
            self._tell(finding)

    def _unreadable(self, where: Where, message: str) -> None:
        self._tell(Finding("unreadable", message, where))


def _keys(event: Event) -> int:
    """Return how many keys an event's JSON has, if none stands twice, and none is null."""
    keys = event.play.count(":")  # what else has colons is looked at twice
    for name in event.__struct_fields__:
        value = getattr(event, name)
        if value is not None:
            keys += 1
            if type(value) is dict:
                keys += keys_in(value)
    return keys


def keys_in(values: Mapping[str, Any]) -> int:
    """Return how many keys an object has, those of the objects in it too."""
    keys = len(values)
    for value in values.values():
        if type(value) is dict:
            keys += keys_in(value)
    return keys


def _doubled(text: bytes) -> Iterator[str]:
    found: list[str] = []

    def pairs(each: list[tuple[str, Any]]) -> None:
        names = [name for name, _ in each]
        if len(set(names)) < len(names):
            found.extend(dict.fromkeys(name for name in names if names.count(name) > 1))

    try:
        json.loads(text, object_pairs_hook=pairs)
    except (ValueError, RecursionError):  # told of already, or of no use to say
        return
    yield from found


def _deeper(value: Any, limit: int) -> bool:
    if isinstance(value, msgspec.Struct):
        value = [getattr(value, name) for name in value.__struct_fields__]
        limit += 1
    if isinstance(value, dict):
        value = value.values()
    elif not isinstance(value, list):
        return False
    return limit == 0 or any(_deeper(part, limit - 1) for part in value)


def not_json(text: bytes, error: Exception) -> str:
    """Say why a text that did not decode is no JSON."""
    if isinstance(error, RecursionError):
        return _too_deep()
    try:
        text.decode()
    except UnicodeDecodeError as wrong:
        return f"not UTF-8 text (byte {wrong.start + 1})"
    if isinstance(error, msgspec.ValidationError):
        return "a number that is too large to be read"
    if number := re.search(rb"\b(NaN|Infinity)\b", text):
        return f"not JSON: {number[0].decode()} is no number there"
    reason = str(error).removeprefix("JSON is malformed: ")
    reason = "it breaks off" if reason == "Input data was truncated" else reason
    return f"not JSON: {reason}"


def _too_deep() -> str:
    return f"an event that is nested more than {DEEPEST} deep"


def _expected(reason: str) -> str:
    """Say in our words why JSON is not an event.

    >>> _expected("Expected `object | null`, got `array` - at `$.shows`")
    'shows: an object or null was expected, not a list'
    >>> _expected("Object missing required field `play`")
    'the key play is missing (records of another form take --adapter)'
    """
    reason, _, path = reason.partition(" - at ")
    place = path.strip("`").removeprefix("$").removeprefix(".")
    if missing := re.fullmatch(r"Object missing required field `(\w+)`", reason):
        hint = " (records of another form take --adapter)" if missing[1] == "play" else ""
        return f"{place}: the key {missing[1]} is missing{hint}".removeprefix(": ")
    if kinds := re.fullmatch(r"Expected `(.*)`, got `(.*)`", reason):
        wanted, got = (
            " or ".join(_KINDS.get(k, k) for k in s.split(" | ")) for s in kinds.groups()
        )
        return f"{place or 'an event'}: {wanted} was expected, not {got}"
    return f"{place}: {reason}".removeprefix(": ")
