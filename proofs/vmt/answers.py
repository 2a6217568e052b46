"""What an engine may answer. Nothing of it is believed before it has been re-checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["Answer", "GaveUp", "Safe", "Unsafe"]


@dataclass(frozen=True)
class Safe:
    """φ, a formula over the state's variables, is k-inductive and implies the property."""

    method: str
    k: int
    phi: Any


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
    """The engine cannot say."""

    method: str
    reason: str


Answer = Safe | Unsafe | GaveUp
