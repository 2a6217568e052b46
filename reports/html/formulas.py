"""Claims as formulas in infix, as a report prints them: by rule, cut where they are long."""

from __future__ import annotations

from dataclasses import dataclass

from ...models.system import Kind, Property
from ...proofs.encoding import Encoding
from ...proofs.infix import infix

__all__ = ["Formula", "formulas"]

# As many characters of a formula are printed; the whole of it is in the certificate's claims.
_MOST = 1500


@dataclass(frozen=True)
class Formula:
    """A formula; ``over`` are the rules in whose steps it is claimed, none: in every state.

    ``left`` is how many characters of it are not printed.
    """

    text: str
    over: tuple[str, ...] = ()
    left: int = 0


def formulas(encoding: Encoding, claim: Property) -> tuple[Formula, ...]:
    """Return what a claim says as formulas; none for a claim about a game as a whole."""
    if claim.kind in (Kind.GENERAL, Kind.REACHABLE):
        return ()
    if claim.kind is not Kind.STEP:
        return (_cut(infix(encoding.holds(claim), encoding), ()),)
    over: dict[str, list[str]] = {}
    for formula in encoding.rules:
        said = infix(encoding.holds_over(claim, formula.rule), encoding)
        over.setdefault(said, []).append(formula.rule.id)
    return tuple(_cut(text, tuple(rules)) for text, rules in over.items())


def _cut(text: str, over: tuple[str, ...]) -> Formula:
    if len(text) <= _MOST:
        return Formula(text, over)
    cut = text[:_MOST].rpartition(" ")[0]
    return Formula(cut, over, len(text) - len(cut))
