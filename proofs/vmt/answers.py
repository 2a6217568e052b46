"""What an engine may answer. Nothing of it is believed before it has been re-checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

__all__ = ["Answer", "GaveUp", "Part", "Safe", "Unsafe"]


@dataclass(frozen=True)
class Part:
    """A conjunct of a φ, and the places of those from which it follows after a step."""

    formula: Any
    needs: tuple[int, ...]

    def told(self) -> Part:
        """Return the same with the formula as text."""
        formula = self.formula
        return self if isinstance(formula, str) else replace(self, formula=formula.sexpr())


@dataclass(frozen=True)
class Safe:
    """φ, a formula over the state's variables, is k-inductive and implies the property.

    Within its process φ is a z3 term, beyond it text. ``parts`` are its conjuncts, for k = 1,
    where it is known which of them follow from which.
    """

    method: str
    k: int
    phi: Any
    parts: tuple[Part, ...] = ()

    def told(self) -> Safe:
        """Return the same with φ as text."""
        if isinstance(self.phi, str):
            return self
        parts = tuple(part.told() for part in self.parts)
        return replace(self, phi=self.phi.sexpr(), parts=parts)


@dataclass(frozen=True)
class Unsafe:
    """A run breaks the property at its last state.

    States are partial (name to value, as SMT-LIB text), and from one to the next there may be
    up to ``stride`` steps.
    """

    method: str
    states: tuple[Mapping[str, str], ...]
    stride: int = 1


@dataclass(frozen=True)
class GaveUp:
    """The engine cannot say. ``died`` is whether its process did."""

    method: str
    reason: str
    died: bool = False


Answer = Safe | Unsafe | GaveUp
