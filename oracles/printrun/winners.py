"""How many Plays of a run win each row of a prize table: as the audit of the table solves it.

A run of as many Plays as the audit's pool has exactly the audit's winners. For another number
of Plays they are shared out by largest remainder (Hamilton's method), rows and losing Plays
alike, so that they add up; rows that are left empty are told.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ...errors import BadInput
from ...models.editions import Edition
from ...models.money import pounds
from ...proofs.audit.audit import Audit, Outcome, audit
from ...proofs.audit.document import read_document, text_of
from ...proofs.audit.of_game import headlines_of, table_of
from ...proofs.audit.sheet import looks_like_a_sheet, read_sheet
from ...proofs.audit.table import PrizeTable, Row
from ..targets import Target, parse_target

__all__ = ["Winners", "shared_out", "winners_of"]


@dataclass(frozen=True)
class Winners:
    """The rows of a table, and how many of so many Plays win each; all others lose.

    ``audited`` are the winners that the audit solved for, in ``pool`` Plays. ``price`` is in
    pence, None where it is not known.
    """

    plays: int
    targets: tuple[Target, ...]
    winners: tuple[int, ...]
    audited: tuple[int, ...]
    pool: int
    price: int | None

    @property
    def losing(self) -> int:
        """How many Plays win nothing."""
        return self.plays - sum(self.winners)

    @property
    def empty(self) -> tuple[Target, ...]:
        """The rows that no Play wins."""
        pairs = zip(self.targets, self.winners, strict=True)
        return tuple(target for target, count in pairs if not count)


def winners_of(edition: Edition, plays: int, table: Path | None = None) -> Winners:
    """Return how many of so many Plays win each row of a table: the edition's, or a file's.

    Raises BadInput where there is no table, where its figures say no number of winners, where
    there are fewer Plays than rows, and for a row that the game cannot be asked for.
    """
    printed = table_of(edition) if table is None else _read(table, edition)
    if not printed.rows:
        raise BadInput(
            f"{edition.game.id} has no prize table, so nothing says how many Plays of a run "
            "win what: give one with --table FILE (a document as text, or CSV: amount, odds or "
            "winners), as playproof audit reads it"
        )
    targets = tuple(_target(row, edition, table) for row in printed.rows)
    if plays < len(targets):
        raise BadInput(
            f"--plays {plays:,}: a table of {len(targets)} rows takes at least as many Plays, "
            "or it is not that table"
        )
    found = audit(printed)
    if not found.counts or not found.pools:
        raise BadInput(_no_counts(found, table))
    pool, counts = found.pools[0], found.counts
    losing = pool - sum(counts)
    shared = counts if plays == pool else shared_out((*counts, losing), plays)[:-1]
    return Winners(plays, targets, tuple(shared), counts, pool, printed.headlines.price)


def shared_out(shares: Sequence[int], whole: int) -> tuple[int, ...]:
    """Return whole numbers in proportion to shares that add up to ``whole``.

    Of equal remainders the first gets more.

    >>> shared_out([500, 300, 200], 7)
    (4, 2, 1)
    """
    sum_ = sum(shares)
    parts = [share * whole // sum_ for share in shares]
    left = sorted(range(len(shares)), key=lambda n: -(shares[n] * whole % sum_))
    for number in left[: whole - sum(parts)]:
        parts[number] += 1
    return tuple(parts)


def _read(path: Path, edition: Edition) -> PrizeTable:
    text, notes = text_of(path)
    if looks_like_a_sheet(text):
        printed = read_sheet(text, str(path))
    else:
        printed = read_document(text, str(path))
    if not printed.rows:
        raise BadInput(f"{path}: no prize table was found in it")
    if printed.unread:
        first = printed.unread[0]
        raise BadInput(f"{path}:{first.line}: {first.text!r}: {first.why}")
    headlines = printed.headlines
    if any(row.winners is None for row in printed.rows):  # they have to be solved for
        headlines = headlines.over(headlines_of(edition))
    elif headlines.price is None:
        headlines = replace(headlines, price=headlines_of(edition).price)
    return PrizeTable(printed.name, printed.rows, headlines, (), (*notes, *printed.notes))


def _target(row: Row, edition: Edition, table: Path | None) -> Target:
    """Return what a row of a table asks of a Play."""
    written = pounds(row.amount)
    if row.parts:
        parts = (" ".join(filter(None, (pounds(p.amount), p.name))) for p in row.parts)
        written = f"{written} ({' + '.join(parts)})"
    elif edition.prizes:
        written = f"{written} ({written})"
    try:
        target = parse_target(written, edition)
    except BadInput as error:
        place = f"{table}:{row.line}: " if table and row.line else ""
        raise BadInput(f"{place}row {row.number}: {error}") from None
    if edition.prizes and target.row is None:
        place = f"{table}:{row.line}: " if table and row.line else ""
        raise BadInput(
            f"{place}row {row.number} ({written}) is none of the prize table of "
            f"{edition.game.id}: a Play that wins it breaks the game's own table"
        )
    return target


def _no_counts(found: Audit, table: Path | None) -> str:
    what = str(table) if table else found.table.name
    if found.outcome is Outcome.INCONSISTENT:
        return (
            f"{what}: no winner counts agree with the table's rows and headlines, so there is "
            f"no print run of it; playproof audit {what} says what conflicts"
        )
    more = found.why or f"not stated: {'; '.join(found.missing)}"
    return (
        f"{what}: the table does not say how many Plays win each row: {more}. State the number "
        "of Plays in all (Total Plays: 6,500,000), or give winners"
    )
