"""How hard to try, in steps that solvers count, so that a run repeats."""

from __future__ import annotations

from dataclasses import dataclass, field

from .solvers import Steps

__all__ = ["Budget"]


@dataclass(frozen=True)
class Budget:
    """How hard to try: solver steps by engine, and the depths to go to.

    ``seconds`` bounds the whole of one property; it is off unless given.
    """

    induction: Steps = field(default_factory=Steps)
    recheck: Steps = field(default_factory=Steps)
    bmc: Steps = field(default_factory=lambda: Steps(z3=400_000_000))
    depth: int = 10
    k_most: int = 3
    spacer: int = 5_000_000
    seconds: float | None = None
