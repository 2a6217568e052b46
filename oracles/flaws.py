"""Flaws of a screen as findings: one for each claim that is broken, by its first flaw."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .finding import Finding
from .screens import Flaw

__all__ = ["of_flaws"]


def of_flaws(flaws: Sequence[Flaw], rule: str) -> Iterator[Finding]:
    """Yield a finding for each claim that a screen of a rule's step breaks: its first flaw."""
    for claim in dict.fromkeys(flaw.claim for flaw in flaws):
        first, *others = [flaw for flaw in flaws if flaw.claim == claim]
        yield Finding(
            "screen",
            f"{first}; and {len(others)} more like it" if others else str(first),
            field=f"screen.{first.field}" if first.field else "screen",
            shown=first.shown,
            expected=first.expected,
            rule=rule,
            clauses=first.clauses,
            properties=(claim,) if claim else (),
        )
