"""Rows of a prize table that no Play of a game wins, or of which it is not known."""

from __future__ import annotations

from collections.abc import Iterator

from ..errors import BadInput
from ..models.money import pounds
from ..proofs.audit.flaws import Flaw
from ..proofs.audit.table import PrizeTable, Row
from .synthesis import Synthesis
from .targets import parse_target

__all__ = ["target_text", "unwinnable"]


def target_text(row: Row) -> str:
    """Return a row as a target: ``£15 (£5 + £10 Prize Game)``."""
    parts = [f"{pounds(one.amount)} {one.name or ''}".rstrip() for one in row.parts]
    listed = " + ".join(parts) or pounds(row.amount)
    return f"{pounds(row.amount)} ({listed})"


def unwinnable(
    table: PrizeTable, synthesis: Synthesis, seconds: float | None = None
) -> Iterator[Flaw]:
    """Yield each row without a Play, by amount and breakdown; ``seconds`` are for one row."""
    for row in table.rows:
        text = target_text(row)
        try:
            target = parse_target(text, synthesis.edition)
        except BadInput as error:
            yield Flaw(
                "unreachable", f"no part of the game pays it: {error}", row.number, row.line
            )
            continue
        finding = synthesis.find(target, seconds=seconds)
        if finding.unreachable:
            message = f"no Play of any length wins {text}: proved"
            yield Flaw("unreachable", message, row.number, row.line)
        elif not finding.plays:
            message = f"whether any Play wins {text} is not decided: {finding.remark}"
            yield Flaw("undecided", message, row.number, row.line)
