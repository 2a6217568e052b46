"""Targets: the prize a script must realise, as people write it.

    £15  15.00  15          any Play that pays it
    £15 (£15)               that row or ladder alone
    £15 (£5 + £10 Prize Game)
    £8 (red)                a part by its name, at whatever amount makes £8
    £58 (red + £50 Prize Game)
    £0                      a losing Play
    row 14                  a row of the edition's prize table
    all                     every row; without a table, every prize that the game's file lists

Money is in pence once it is read.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import BadInput, unknown
from ..models.algebra import Bool, Int, all_of, any_of, count_of
from ..models.editions import Edition, PrizeRow
from ..models.money import pounds
from ..models.system import Game, Reachable
from ..proofs.spans import Reader, Span

__all__ = ["Component", "Target", "claimed", "parse_target", "parse_targets", "row_target"]

_AMOUNT = re.compile(r"£?(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d\d))?(?![\d,.])", re.ASCII)
_ROW = re.compile(r"row\s+(\d+)", re.ASCII | re.IGNORECASE)
_MANY_SUMS = 20_000
_EXAMPLES = "£15, 15.00, £15 (£5 + £10 Prize Game), £8 (red) or row 14"


@dataclass(frozen=True)
class Component:
    """A part of a prize: its name (none: any part that needs no name) and amount (pence)."""

    name: str | None
    amount: int | None

    def __str__(self) -> str:
        """Return the component as it is written in a target."""
        shown = [] if self.amount is None else [pounds(self.amount)]
        return " ".join([*shown, self.name] if self.name else shown)


@dataclass(frozen=True)
class Target:
    """A prize (pence), alone or with what it is made of; ``row`` is its row of the table.

    With a breakdown a Play wins exactly these components. Without, any Play that pays the
    amount will do.
    """

    amount: int
    breakdown: tuple[Component, ...] | None = None
    row: int | None = None

    def __str__(self) -> str:
        """Return the target as people write it; it reads back as the same prize."""
        if self.breakdown is None:
            return pounds(self.amount)
        return f"{pounds(self.amount)} ({' + '.join(map(str, self.breakdown))})"

    def won(self, game: Game, p: Any, s: Any) -> Bool:
        """Return whether a Play that ends in this state wins the target and nothing else."""
        pays = game.goal.paid(p, s) == self.amount
        parts = game.goal.parts(p, s)
        if self.breakdown is None:
            return pays
        named = {part.name: part.amount for part in self.breakdown if part.name is not None}
        bare = Counter(part.amount for part in self.breakdown if part.name is None)
        free = {name: won for name, won in parts.items() if name not in named}
        conditions = [pays]
        for name, amount in named.items():
            conditions.append(parts[name] > 0 if amount is None else parts[name] == amount)
        for name, won in free.items():
            amounts = () if name in game.goal.named else tuple(bare)
            conditions.append(any_of(won == 0, (won == amount for amount in amounts)))
        unnamed = [won for name, won in free.items() if name not in game.goal.named]
        for amount, times in bare.items():
            conditions.append(count_of(won == amount for won in unnamed) == times)
        return all_of(conditions)

    def may_be_won(self, game: Game, reader: Reader, p: Any, s: Any) -> bool:
        """Return whether spans alone leave the target possible: a quick look, no solver."""
        if reader.of(self.won(game, p, s)).only == 0:
            return False
        parts = [reader.of(won) for won in game.goal.parts(p, s).values()]
        sums, loose = {0}, Span.among([0])
        for part in parts:
            if part.few is None or len(sums) * len(part.few) > _MANY_SUMS:
                loose = Span.between(_sum(loose.low, part.low), _sum(loose.high, part.high))
            else:
                sums = {so_far + won for so_far in sums for won in part.few}
        return any(loose.holds(self.amount - so_far) for so_far in sums)


def _sum(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else a + b


def row_target(row: PrizeRow, game: Game) -> Target:
    """Return the target of one row of a prize table: exactly its parts."""
    components = [Component(None, amount) for amount in row.parts]
    if row.prize_game:
        components.append(Component(game.goal.named[0], row.prize_game))
    return Target(row.amount, tuple(components), row.number)


def parse_targets(text: str, edition: Edition) -> tuple[Target, ...]:
    """Return the targets that a text names: one, or for ``all`` every row of the table.

    Without a table ``all`` is every prize that the game's file says can be won. Raises
    BadInput, which says what was expected, for a text that is not a target.
    """
    if text.strip().lower() != "all":
        return (parse_target(text, edition),)
    if edition.prizes:
        return tuple(row_target(row, edition.game) for row in edition.prizes)
    listed = [won for _, members in claimed(edition) for won in members.values()]
    if not listed:
        raise BadInput(
            f"all: edition {edition.name!r} of {edition.game.id} has no prize table; "
            f"name a prize instead, such as {_EXAMPLES}"
        )
    return tuple(parse_target(one, edition) for won in listed for one in won)


def claimed(edition: Edition) -> list[tuple[Reachable, Mapping[str, tuple[str, ...]]]]:
    """Return what a game's file says can be won under an edition: prizes as written, by id."""
    p, rows = edition.settled, len(edition.prizes)
    return [(kind, kind.members(p, rows)) for kind in edition.game.reachable]


def parse_target(text: str, edition: Edition) -> Target:
    """Return the target that a text names.

    A breakdown that is a row of the edition's prize table gets its number. Raises BadInput,
    which says what was expected, for a text that is not a target.
    """
    stripped = text.strip()
    if row := _ROW.fullmatch(stripped):
        return _row(int(row[1]), edition)
    match = _AMOUNT.match(stripped)
    if not match:
        raise BadInput(
            f"prize {text!r}: an amount was expected first, pounds or pounds with two digits "
            f"of pence, as in {_EXAMPLES}"
        )
    amount, rest = _pence(match), stripped[match.end() :].strip()
    if not rest:
        return Target(amount)
    if not (rest.startswith("(") and rest.endswith(")")):
        raise BadInput(
            f"prize {text!r}: {rest!r} is left over; what the prize is made of goes in "
            f"brackets, as in {_EXAMPLES}"
        )
    names = _part_names(edition)
    breakdown = tuple(_component(text, part, names) for part in rest[1:-1].split("+"))
    _check(text, amount, breakdown, edition.game)
    return _numbered(Target(amount, _completed(amount, breakdown)), edition)


def _pence(match: re.Match[str]) -> int:
    return int(match[1].replace(",", "")) * 100 + int(match[2] or 0)


def _row(number: int, edition: Edition) -> Target:
    if not edition.prizes:
        raise BadInput(
            f"row {number}: edition {edition.name!r} of {edition.game.id} has no prize table"
        )
    for row in edition.prizes:
        if row.number == number:
            return row_target(row, edition.game)
    raise BadInput(
        f"row {number}: the prize table of {edition.game.id} has "
        f"rows 1 to {len(edition.prizes)}"
    )


def _part_names(edition: Edition) -> dict[str, str]:
    """Return the names of a game's parts by how they may be written, in small letters."""
    game = edition.game
    p = edition.settled
    parts: Mapping[str, Int] = game.goal.parts(p, game.start(p).s)
    return {name.lower(): name for name in parts}


def _component(text: str, part: str, names: Mapping[str, str]) -> Component:
    written = " ".join(part.split())
    if not written:
        raise BadInput(f"prize {text!r}: a part is missing; write it as in {_EXAMPLES}")
    match = _AMOUNT.match(written)
    amount = _pence(match) if match else None
    name = written[match.end() :].strip() if match else written
    if amount == 0:
        raise BadInput(f"prize {text!r}: a part that wins nothing is left out, not written £0")
    if name and name.lower() not in names:
        raise BadInput(f"prize {text!r}: {unknown('part', name, names.values())}")
    return Component(names[name.lower()] if name else None, amount)


def _check(text: str, amount: int, breakdown: Sequence[Component], game: Game) -> None:
    named = Counter(part.name for part in breakdown if part.name)
    for name, times in named.items():
        if times > 1:
            raise BadInput(f"prize {text!r}: {name} is named {times} times; a part wins once")
    known = [part.amount for part in breakdown if part.amount is not None]
    if len(known) == len(breakdown) and sum(known) != amount:
        raise BadInput(
            f"prize {text!r}: the parts add up to {pounds(sum(known))}, not {pounds(amount)}"
        )
    if sum(known) > amount:
        raise BadInput(
            f"prize {text!r}: the parts add up to more than {pounds(amount)} already"
        )


def _completed(amount: int, breakdown: tuple[Component, ...]) -> tuple[Component, ...]:
    """Return a breakdown with the one amount that is left out worked out from the others."""
    left = amount - sum(part.amount or 0 for part in breakdown)
    if left and [part.amount for part in breakdown].count(None) == 1:
        return tuple(
            Component(part.name, left) if part.amount is None else part for part in breakdown
        )
    return breakdown


def _numbered(target: Target, edition: Edition) -> Target:
    wanted = Counter(target.breakdown or ())
    for row in edition.prizes:
        of_row = row_target(row, edition.game)
        if Counter(of_row.breakdown or ()) == wanted:
            return of_row
    return target
