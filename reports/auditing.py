"""A run of ``playproof audit``: what was read, and what an audit of it comes to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table as Shown
from rich.text import Text

from ..errors import BadInput
from ..models.editions import Edition, default_readings, has_edition, load_edition
from ..models.games import game_ids
from ..models.money import pounds
from ..models.setting import settle
from ..proofs.audit.audit import Audit, Outcome, Suspect, audit
from ..proofs.audit.document import read_document, text_of
from ..proofs.audit.figures import Unreadable, a_price, odds_of, plays_of, printed
from ..proofs.audit.flaws import Flaw
from ..proofs.audit.levels import off_level
from ..proofs.audit.of_game import headlines_of, table_of
from ..proofs.audit.rounding import Rounding
from ..proofs.audit.sheet import looks_like_a_sheet, read_sheet
from ..proofs.audit.table import Headlines, PrizeTable, Row
from . import json_out
from .faults import Exit
from .request import game_of
from .words import some

__all__ = ["Audited", "Stated", "audit_of", "audit_of_edition"]

FORMAT = "playproof-audit/1"


@dataclass(frozen=True)
class Stated:
    """Headlines that the user gives, as text; they count more than what is read."""

    price: str | None = None
    odds: str | None = None
    payout: str | None = None
    pool: str | None = None

    def headlines(self) -> Headlines:
        """Return them as numbers; BadInput names the one that is wrong, or none."""
        given: dict[str, tuple[str | None, Callable[[str], object]]] = {
            "price": (self.price, a_price),
            "odds": (self.odds and self.odds.removeprefix("1 in "), odds_of),
            "payout": (self.payout and self.payout.removesuffix("%"), printed),
            "pool": (self.pool, plays_of),
        }
        known: dict[str, Any] = {}
        for name, (text, read) in given.items():
            try:
                known[name] = None if text is None else read(text)
            except Unreadable as error:
                raise BadInput(f"--{name} {getattr(self, name)}: {error}") from None
        return Headlines(**known)


@dataclass(frozen=True)
class Audited:
    """An audit, ready to be shown or written."""

    found: Audit

    @property
    def exit_code(self) -> Exit:
        """The exit code: fine, wrong, or open where the figures do not settle it."""
        found = self.found
        wrong = [flaw for flaw in found.flaws if flaw.code != "undecided"]
        if wrong or found.outcome is Outcome.INCONSISTENT:
            return Exit.WRONG
        return Exit.FINE if found.sound else Exit.OPEN

    def text(self, *, counts: bool = False) -> RenderableType:
        """Return what was found, for people; ``counts`` adds the winners of every row."""
        lines = Text("".join(f"{line}\n" for line in self.lines()).rstrip("\n"))
        if not counts or not self.found.counts:
            return lines
        return Group(_counted(self.found), lines)

    def json(self) -> str:
        """Return what was found as JSON; exact figures are fractions, as text."""
        return json_out.text(_as_data(self.found))

    def lines(self) -> Iterator[str]:
        """Yield what was found in words; all but the first line are indented."""
        found, table = self.found, self.found.table
        yield f"{table.name}: {some(len(table.rows), 'row')}, {_stated(table.headlines)}"
        yield from (f"  {note}" for note in table.notes)
        yield f"  {found.outcome.value}" + (f": {found.why}" if found.why else "")
        if found.missing and found.outcome is Outcome.NO_TABLE:
            yield f"  not stated: {'; '.join(found.missing)}"
        yield from _why_consistent(found)
        yield from _why_inconsistent(found)
        if found.naive.odds is not None:
            yield f"  added up as printed, the odds come to {_naive(found)}"
        for flaw in found.flaws:
            place = [
                f"row {flaw.row}" if flaw.row else "",
                f"line {flaw.line}" * bool(flaw.line),
            ]
            yield f"  {', '.join(filter(None, place))}: {flaw.message} ({flaw.code})"


def audit_of(
    what: str,
    *,
    game: str | None = None,
    edition: Path | None = None,
    table: int | None = None,
    stated: Stated | None = None,
    plays: bool = False,
    seconds: float | None = None,
) -> Audited:
    """Audit a file, or the prize table of a game, by its id.

    With a game its amounts are compared too, and with ``plays`` each row is won by a Play or
    proved out of reach. Raises BadInput for what cannot be read.
    """
    given = (stated or Stated()).headlines()
    if seconds is not None and not plays:
        raise BadInput("--timeout takes --plays as well: it limits how long each row is won")
    loaded: Edition | None = None
    if _is_game(what):
        if table is not None:
            raise BadInput(f"--table {table}: {what} is a game, which has one table at most")
        if game is not None:
            raise BadInput(f"--game {game}: a file is compared with it, and {what} is a game")
        loaded = _edition(what, edition)
        read = table_of(loaded)
    else:
        idle = "--edition" * (edition is not None) or "--plays" * plays
        if game is None and idle:
            raise BadInput(f"{idle} takes --game as well: {what} does not say its game")
        read = _read(what, table)
        if game is not None:
            loaded = _edition(game, edition)
            read = replace(read, headlines=read.headlines.over(headlines_of(loaded)))
    read = replace(read, headlines=given.over(read.headlines))
    found = audit(read)
    if loaded is not None:
        found = replace(found, flaws=(*found.flaws, *_by_game(read, loaded, plays, seconds)))
    return Audited(found)


def audit_of_edition(edition: Edition) -> Audited:
    """Audit the prize table of an edition, and compare it with what its game pays."""
    table = table_of(edition)
    found = audit(table)
    flaws = (*found.flaws, *_by_game(table, edition, plays=False, seconds=None))
    return Audited(replace(found, flaws=flaws))


def _is_game(what: str) -> bool:
    """Return whether it is a game and no file. Raises BadInput where it is neither."""
    if not what:
        raise BadInput("the name of a file or of a game was expected, not an empty one")
    if Path(what).is_file():
        return False
    if what in game_ids():
        return True
    if Path(what).exists():
        return False
    if ":" not in what:
        known = ", ".join(game_ids())
        raise BadInput(f"{what}: there is no such file, and no such game ({known})")
    return True


def _read(what: str, table: int | None) -> PrizeTable:
    text, notes = text_of(Path(what))
    if looks_like_a_sheet(text) or Path(what).suffix.lower() in (".csv", ".tsv"):
        if table is not None:
            raise BadInput(f"--table {table}: {what} is one table, not a document of several")
        return replace(read_sheet(text, what), notes=notes)
    return read_document(text, what, table=table, notes=notes)


def _edition(game: str, edition: Path | None) -> Edition:
    loaded = game_of(game)
    if edition is None and not has_edition(loaded):
        raise BadInput(f"{game} has no default edition: give one with --edition FILE")
    return load_edition(loaded, edition)


def _by_game(
    table: PrizeTable, edition: Edition, plays: bool, seconds: float | None
) -> Iterator[Flaw]:
    readings = default_readings(edition.game.setting)
    p, _, _ = settle(edition.game.setting, edition.parameters, readings)
    yield from off_level(table, edition.game, p)
    if plays:
        from ..oracles.synthesis import Synthesis
        from ..oracles.winnable import unwinnable

        yield from unwinnable(table, Synthesis(edition, readings), seconds)


def _stated(of: Headlines) -> str:
    said = [
        None if of.price is None else f"{pounds(of.price)} a Play",
        None if of.odds is None else f"1 in {of.odds} overall",
        None if of.payout is None else f"payout {of.payout} %",
        None if of.pool is None else some(of.pool, "Play"),
    ]
    return ", ".join(filter(None, said)) or "no headlines"


def _why_consistent(found: Audit) -> Iterator[str]:
    if not found.pools or found.rounding is None or not found.counts:
        return
    rows, overall, payout = found.rounding
    pool = found.pools[0]
    more = f" (and so do {', '.join(f'{one:,}' for one in found.pools[1:])})"
    winners = some(sum(found.counts), "winner")
    yield (
        f"  {winners} in {some(pool, 'Play')} give every figure at once"
        f"{more if len(found.pools) > 1 else ''}"
    )
    yield (
        f"  the odds of the rows are rounded {rows.value}, the overall odds {overall.value}, "
        f"the payout {payout.value}"
    )
    if found.binding is not None:
        n = found.binding.number - 1
        (own_low, own_high), (low, high) = found.own[n], found.ranges[n]
        yield (
            f"  {_row(found.binding)} binds: by its own odds it may have {own_low:,} to "
            f"{own_high:,} winners, with the headlines {low:,} to {high:,}"
        )


def _why_inconsistent(found: Audit) -> Iterator[str]:
    if found.conflict is None:
        return
    stated = found.table.headlines.odds is not None
    overall = "the overall odds" if stated else "that no more win than Plays there are"
    names = {"winners": overall, "paid": "the payout"}
    said = [names[one] for one in found.conflict.headlines]
    rows = [found.table.rows[n].number for n in found.conflict.rows]
    if rows:
        said.append(("row " if len(rows) == 1 else "rows ") + _runs(rows))
    where = (
        f"in {some(found.pools[0], 'Play')}" if found.pools else "whatever the pool of Plays"
    )
    if len(said) == 1:
        why = "are paid that" if found.conflict.headlines == ("paid",) else "come to that"
        yield f"  cannot be right, {where} and however rounded: {said[0]}"
        yield f"  no whole numbers of winners {why}"
    else:
        yield f"  cannot all be right, {where} and however rounded: {', '.join(said)}"
    for one in found.suspects:
        yield f"  all else agrees if {_suspect(one)}"


def _suspect(one: Suspect) -> str:
    low = float(one.least)
    high = None if one.most is None else float(one.most)
    if one.payout:
        ends = _ends(f"{low:.2f} %", None if high is None else f"{high:.2f} %")
        return f"the payout is {ends}, not {float(one.printed):.2f} %"
    ends = _ends(f"{low:,.2f}", None if high is None else f"{high:,.2f}")
    what = "the overall odds are" if one.row is None else f"{_row(one.row)} has odds of"
    is_ = f"{float(one.printed):,.2f}".rstrip("0").rstrip(".")
    return f"{what} 1 in {ends}, not 1 in {is_}"


def _ends(low: str, high: str | None) -> str:
    """Return from where to where it goes, in words; once what prints the same."""
    if high is None:
        return f"{low} or more"
    return low if low == high else f"{low} to {high}"


def _row(row: Row) -> str:
    at = f", line {row.line}" if row.line else ""
    odds = f", 1 in {row.odds}" if row.odds else ""
    return f"row {row.number} ({pounds(row.amount)}{odds}{at})"


def _runs(numbers: Sequence[int]) -> str:
    """Return numbers with runs drawn together: 1 to 4, 7."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{one[0]} to {one[-1]}" if len(one) > 1 else f"{one[0]}" for one in runs)


def _naive(found: Audit) -> str:
    assert found.naive.odds is not None, "all rows have odds"
    said = f"1 in {float(found.naive.odds):.3f}"
    if found.naive.payout is not None:
        said += f" and a payout of {float(found.naive.payout):.2f} %"
    if found.outcome is Outcome.CONSISTENT:
        said += ": misleading, for printed odds are rounded"
    return said


def _counted(found: Audit) -> Shown:
    shown = Shown("row", "prize", "1 in", "winners", "from", "to", box=None)
    for column in shown.columns:
        column.justify = "right"
    ranges = found.ranges or found.own
    for row, count, (low, high) in zip(found.table.rows, found.counts, ranges, strict=True):
        odds = str(row.odds or "")
        prize = pounds(row.amount)
        shown.add_row(str(row.number), prize, odds, f"{count:,}", f"{low:,}", f"{high:,}")
    return shown


def _as_data(found: Audit) -> dict[str, Any]:
    table, stated = found.table, found.table.headlines
    return {
        "format": FORMAT,
        "name": table.name,
        "outcome": found.outcome.value,
        "why": found.why,
        "missing": list(found.missing),
        "notes": list(table.notes),
        "headlines": {
            "price": stated.price,
            "odds": stated.odds and str(stated.odds),
            "payout": stated.payout and str(stated.payout),
            "pool": stated.pool,
        },
        "naive": {"odds": _exact(found.naive.odds), "payout": _exact(found.naive.payout)},
        "pools": list(found.pools),
        "rounding": found.rounding and dict(zip(_OF, map(_way, found.rounding), strict=True)),
        "binding": found.binding and found.binding.number,
        "rows": [_row_as_data(found, n) for n in range(len(table.rows))],
        "conflict": found.conflict
        and {
            "headlines": list(found.conflict.headlines),
            "rows": [table.rows[n].number for n in found.conflict.rows],
        },
        "suspects": [
            {
                "row": one.row and one.row.number,
                "headline": None if one.row else "payout" if one.payout else "odds",
                "printed": _exact(one.printed),
                "least": _exact(one.least),
                "most": _exact(one.most),
            }
            for one in found.suspects
        ],
        "flaws": [
            {"code": one.code, "message": one.message, "row": one.row, "line": one.line}
            for one in found.flaws
        ],
    }


_OF = ("rows", "odds", "payout")


def _way(rounding: Rounding) -> str:
    return rounding.value


def _exact(value: Fraction | None) -> str | None:
    return None if value is None else str(value)


def _row_as_data(found: Audit, n: int) -> dict[str, Any]:
    row = found.table.rows[n]
    return {
        "row": row.number,
        "line": row.line,
        "amount": row.amount,
        "parts": [{"amount": one.amount, "name": one.name} for one in row.parts],
        "odds": row.odds and str(row.odds),
        "winners": row.winners,
        "count": found.counts[n] if found.counts else None,
        "range": list(found.ranges[n]) if found.ranges else None,
    }
