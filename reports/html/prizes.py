"""What a report says of prizes: the audit of the table, and the Play that wins each row."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...models.money import pounds
from ...oracles.claims import prizes
from ...oracles.targets import Target, parse_target
from ...proofs.audit.audit import Audit
from ..auditing import Audited, audit_of_edition
from .claims import Shelf
from .plays import Told
from .plot import plot
from .scripts import Listed
from .source import Source
from .stored import VerdictData

__all__ = ["Audited", "PrizeTable", "Won", "prize_table", "won"]


@dataclass(frozen=True)
class Counted:
    """A row as audited: winners as text, "" where there are none that fit."""

    number: int
    prize: str
    odds: str
    winners: str
    low: str
    high: str
    binds: bool
    in_conflict: bool


@dataclass(frozen=True)
class PrizeTable:
    """The audit of an edition's prize table: in words, row by row, and drawn.

    ``picture`` is an SVG image as a data address, "" where there is none.
    """

    found: Audit
    says: tuple[str, ...]
    rows: tuple[Counted, ...]
    picture: str


@dataclass(frozen=True)
class Won:
    """A prize that is claimed to be within reach, and what became of it."""

    id: str
    row: int | None
    prize: str
    odds: str
    verdict: VerdictData
    play: Told | None
    scripts: tuple[Listed, ...]


def prize_table(source: Source) -> PrizeTable | None:
    """Return the audit of the edition's table; None where there is no edition."""
    if source.edition is None:
        return None
    audited = audit_of_edition(source.edition)
    found = audited.found
    _, *lines = (line.strip() for line in audited.lines())
    says = [line for line in lines if not line.startswith(found.outcome.value)]
    drawn = plot(found)
    address = f"data:image/svg+xml;base64,{b64encode(drawn.encode()).decode()}" if drawn else ""
    return PrizeTable(found, tuple(says), tuple(_counted(found)), address)


def won(source: Source, shelf: Shelf) -> tuple[Won, ...]:
    """Return every prize that is claimed to be within reach."""
    if not source.of_prizes or source.edition is None:
        return ()
    named = prizes(source.edition)
    return tuple(
        one
        for verdict in source.of_prizes
        for one in _won(source, verdict, named[verdict.claim], shelf)
    )


def _counted(found: Audit) -> Iterator[Counted]:
    conflict = set(found.conflict.rows) if found.conflict else set()
    ranges = found.ranges or found.own
    for n, row in enumerate(found.table.rows):
        low, high = ranges[n] if ranges else ("", "")
        parts = " + ".join(
            pounds(one.amount) + (f" {one.name}" if one.name else "") for one in row.parts
        )
        yield Counted(
            row.number,
            pounds(row.amount)
            + (
                f" ({parts})"
                if len(row.parts) > 1 or any(one.name for one in row.parts)
                else ""
            ),
            f"1 in {row.odds}" if row.odds else "",
            f"{found.counts[n]:,}" if found.counts else "",
            f"{low:,}" if ranges else "",
            f"{high:,}" if ranges else "",
            row is found.binding,
            n in conflict,
        )


def _won(source: Source, one: VerdictData, named: Sequence[str], shelf: Shelf) -> Iterator[Won]:
    edition = source.edition
    assert edition is not None, "prizes are claimed of an edition"
    targets = [parse_target(text, edition) for text in named]
    odds = {row.number: row.odds for row in edition.prizes}
    plays: dict[Target, Told] = {}
    for number, data in enumerate(one.plays, start=1):
        game, play, points = source.player.play(data, one.claim)
        target = next(
            (t for t in targets if t not in plays
             and t.won(game, play.setting, points[-1].s) is True),
            targets[0],
        )  # fmt: skip
        id_ = one.claim.removesuffix("-reachable") + (f"-{number}" if number > 1 else "")
        told = source.player.tell(data, id_, f"A Play that wins {target}")
        plays[target] = shelf.add(told)
    for target in targets:
        scripts: tuple[Listed, ...] = ()
        if source.scripts:
            scripts = (
                source.scripts.of_row(target.row)
                if target.row
                else source.scripts.of_prize(str(target))
            )
        known = odds.get(target.row or 0)
        yield Won(
            one.claim,
            target.row,
            _prize(target),
            f"1 in {known:,}" if known else "",
            one,
            plays.get(target),
            scripts,
        )


def _prize(target: Target) -> str:
    """Write a prize; one bare part is the prize itself."""
    parts = target.breakdown or ()
    bare = len(parts) == 1 and parts[0].name is None
    return pounds(target.amount) if bare else str(target)
