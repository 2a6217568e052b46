"""Which Play of a log is shown: the one asked for, or the first in which something is wrong."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from ...errors import BadInput
from ...oracles.event import FINISH, START, Event, Where
from ...oracles.finding import Finding, Severity, said
from ...oracles.judge import Judge
from ..words import some

__all__ = ["Events", "Log", "Picked", "cut", "pick", "segment"]

Events = Iterator[tuple[Event, Where]]
Log = Callable[[Callable[[Finding], None]], Events]
"""Reads a log from its beginning, and tells what is wrong with it."""

KEPT = 20_000
"""As many events of one Play, and findings, are held."""

_LONGEST = 1000  # characters of one text


@dataclass
class Picked:
    """The Play that is shown: its events, and what was found in it."""

    play: str
    found: list[Finding]
    events: list[tuple[Event, Where]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def pick(log: Log, judge: Judge, wanted: str | None) -> Picked:
    """Return the Play to show, found by judging the log until that Play has ended."""
    unread: Finding | None = None
    first: str | None = None
    chosen, over, count, lost = wanted, False, 0, 0

    def tell(finding: Finding) -> None:
        nonlocal unread, lost
        unread, lost = unread or finding, lost + 1

    def read() -> Events:
        nonlocal first, over, count
        for event, where in log(tell):
            if over:
                return
            count += 1
            first = event.play if first is None else first
            over = event.event == FINISH and event.play == chosen
            yield event, where

    found: list[Finding] = []
    for finding in judge.judge(read()):
        if chosen is None and finding.play and finding.severity is Severity.ERROR:
            chosen = finding.play
        if finding.play == chosen is not None and len(found) < KEPT:
            found.append(finding)
    if first is None:
        why = f": {unread.where}: {cut(unread.message)}" if unread else ""
        raise BadInput(f"no Play could be read from the log{why}")
    if unread is not None and lost > count:
        raise BadInput(
            f"{unread.where}: {cut(unread.message)}; {some(lost, 'line')} of the file cannot "
            f"be read, and {count} can: a script or a log was expected"
        )
    picked = Picked(chosen if chosen is not None else first, found)
    if unread is not None:
        picked.notes.append(
            f"{some(lost, 'line')} of this log cannot be read, the first of them "
            f"{unread.where}: {cut(unread.message)}"
        )
    again = itertools.islice(log(lambda finding: None), count)
    of_play = ((one, at) for one, at in again if one.play == picked.play)
    picked.events = list(itertools.islice(of_play, KEPT))
    if not picked.events:
        raise BadInput(f"no Play of this log has the number {said(wanted)}")
    return picked


def segment(picked: Picked) -> tuple[list[tuple[Event, Where]], int]:
    """Return the events of one Play, where several have its number, and how many others do.

    It is the Play in which the first finding stands, or else the first.
    """
    parts: list[list[tuple[Event, Where]]] = [[]]
    for event, where in picked.events:
        if event.event == START and parts[-1]:
            parts.append([])
        parts[-1].append((event, where))
    places = {one.where for one in picked.found[:1]}
    chosen = next((part for part in parts if places & {at for _, at in part}), parts[0])
    return chosen, len(parts) - 1


def cut(text: str, longest: int = _LONGEST) -> str:
    """Return a text, or as much of it as is shown."""
    return text if len(text) <= longest else f"{text[:longest]}…"
