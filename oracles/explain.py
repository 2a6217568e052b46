"""What a wrong value breaks, and what nearly fits: added to findings, the first of them."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from .expected import Expected, Taken
from .finding import Finding

__all__ = ["Explainer"]

_MOST = 1000


class Explainer:
    """Explains the first ``most`` findings of wrong values; later ones name their rule only."""

    def __init__(self, most: int = _MOST) -> None:
        self._left = most

    def explain(
        self, found: Sequence[Finding], expected: Expected, taken: Sequence[Taken] | None
    ) -> list[Finding]:
        """Return findings of one event, each with what it breaks and what nearly fits."""
        rule = taken[-1][0].rule if taken else None
        clauses = rule.clauses if rule else ()
        return [
            dataclasses.replace(
                one, rule=one.rule or (rule.id if rule else ""), clauses=one.clauses or clauses
            )
            for one in found
        ]
