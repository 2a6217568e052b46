"""What a wrong value breaks, and what nearly fits: added to findings, the first of them."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from ..models.system import Kind
from .blame import Moment, broken, clauses_of
from .expected import Expected, Taken
from .finding import Finding
from .nearest import Case, nearest

__all__ = ["Explainer"]

_MOST = 500


class Explainer:
    """Explains the first ``most`` findings of wrong values; later ones only name their rule."""

    def __init__(self, most: int = _MOST) -> None:
        self._left = most

    def explain(
        self,
        found: Sequence[Finding],
        expected: Expected,
        taken: Sequence[Taken] | None,
        outcome: Sequence[int] = (),
    ) -> list[Finding]:
        """Return findings of one event, each with what it breaks and what nearly fits.

        ``taken`` are the steps up to the event, None where not all of them are known;
        ``outcome`` are the predetermined amounts (pence).
        """
        rule = taken[-1][0].rule if taken else None
        named = [
            dataclasses.replace(one, rule=rule.id, clauses=rule.clauses) if rule else one
            for one in found
        ]
        if taken is None or not found or self._left <= 0:
            return named
        self._left -= len(found)
        points = expected.points(taken)
        moment = Moment(expected.game, expected.p, points[-1])
        if taken and all(one.code != "resume" for one in found):
            step = expected.step_of(taken[-1])
            moment = dataclasses.replace(moment, before=points[-2], step=step)
        explained = []
        for one in named:
            shown = _scalars(one)
            claims = broken(moment, shown)
            near = nearest(Case(expected, taken, points, shown, outcome))
            explained.append(
                dataclasses.replace(
                    one,
                    properties=tuple(c.id for c in claims if c.kind is not Kind.LEMMA)
                    or tuple(c.id for c in claims),
                    clauses=clauses_of(claims, one.clauses),
                    nearest=f"right {near.words}" if near else None,
                    fault=(near.fault or None) if near else None,
                )
            )
        return explained


def _scalars(finding: Finding) -> Mapping[str, Any]:
    """Return what a finding says was shown, by scalar."""
    if isinstance(finding.shown, dict):
        return {f"{finding.field}.{label}": value for label, value in finding.shown.items()}
    return {finding.field: finding.shown}
