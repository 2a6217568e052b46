"""What a wrong value breaks, and what nearly fits: added to findings, the first of them."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from ..models.system import Game, Kind, Property, Rule
from .blame import Moment, broken, broken_by, clauses_of
from .expected import Expected, Taken
from .finding import Finding
from .moves import State
from .nearest import Case, nearest

__all__ = ["Explainer", "Explains"]

_MOST = 500
_MOST_ALIKE = 20


class Explains(Protocol):
    """What explains findings, or stands in its place; ``previous`` is how a Play ended last."""

    previous: State | None

    def explain(
        self,
        found: Sequence[Finding],
        expected: Expected,
        rule: Rule | None,
        taken: Sequence[Taken] | None,
        outcome: Sequence[int] = (),
    ) -> list[Finding]:
        """Return findings of one event with what they break, and what nearly fits."""

    def illegal(
        self, finding: Finding, expected: Expected, taken: Sequence[Taken] | None, step: Taken
    ) -> Finding:
        """Return the finding of an illegal step with what taking it would break."""


class Explainer:
    """Explains the first findings of wrong values, and of illegal steps.

    The first ``most`` in all, and the first of each rule and field: later ones name their rule
    only. ``previous`` is how the last Play ended that did.
    """

    def __init__(self, most: int = _MOST) -> None:
        self._left = most
        self._alike: Counter[tuple[str, str, str]] = Counter()
        self.previous: State | None = None

    def explain(
        self,
        found: Sequence[Finding],
        expected: Expected,
        rule: Rule | None,
        taken: Sequence[Taken] | None,
        outcome: Sequence[int] = (),
    ) -> list[Finding]:
        """Return findings of one event, each with what it breaks and what nearly fits.

        ``rule`` is the last that fired, None at the start; ``taken`` are the steps up to the
        event, None where not all of them are known; ``outcome`` are the predetermined amounts
        (pence).
        """
        known = (rule.id, rule.clauses) if rule else ("", expected.game.begins)
        named = [dataclasses.replace(one, rule=known[0], clauses=known[1]) for one in found]
        if taken is None or not any(self._is_new(one) for one in named):
            return named
        points = expected.points(taken)
        moment = Moment(expected.game, expected.p, points[-1])
        if taken and all(one.code != "resume" for one in found):
            step = expected.step_of(taken[-1])
            moment = dataclasses.replace(moment, before=points[-2], step=step)
        explained = []
        for one in named:
            shown = _scalars(one, expected)
            near = nearest(Case(expected, taken, points, shown, outcome, self.previous))
            fault = "resume" if one.code == "resume" else near.fault if near else ""
            explained.append(
                dataclasses.replace(
                    _blamed(expected.game, one, broken(moment, shown)),
                    nearest=near.words if near else None,
                    fault=fault or None,
                )
            )
        return explained

    def illegal(
        self, finding: Finding, expected: Expected, taken: Sequence[Taken] | None, step: Taken
    ) -> Finding:
        """Return the finding of an illegal step with what taking it would break.

        ``taken`` are the steps before it, None where not all of them are known.
        """
        if taken is None or not self._is_new(finding):
            return finding
        before, after = expected.points([*taken, step])[-2:]
        return _blamed(
            expected.game, finding, broken_by(expected, before, expected.step_of(step), after)
        )

    def _is_new(self, finding: Finding) -> bool:
        """Return whether a finding is to be explained, and count it."""
        alike = (finding.code, finding.rule, finding.field)
        self._alike[alike] += 1
        self._left -= 1
        return self._left >= 0 and self._alike[alike] <= _MOST_ALIKE


def _blamed(game: Game, finding: Finding, claims: Sequence[Property]) -> Finding:
    named = [claim.id for claim in claims if claim.kind is not Kind.LEMMA]
    return dataclasses.replace(
        finding,
        properties=tuple(named or [claim.id for claim in claims]),
        clauses=clauses_of(game, claims, finding.clauses),
    )


def _scalars(finding: Finding, expected: Expected) -> Mapping[str, Any]:
    """Return what a finding says was shown, by scalar of the state."""
    if isinstance(finding.shown, dict):
        return {f"{finding.field}.{label}": value for label, value in finding.shown.items()}
    field = expected.paid if finding.code == "paid" and expected.paid else finding.field
    return {field: finding.shown}
