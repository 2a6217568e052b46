"""What the loops need to know of a game's rules; ``source`` writes all of this for a game.

Here there is none: this says what each function is to do, to readers and to type checkers.
"""

from __future__ import annotations

from typing import Any

STATE = PARTS = FINISH = RULES = 0
REVEALS: tuple[int, ...] = ()
CHOICES: tuple[int, ...] = ()


def step(rule: int, S: Any, R: Any, C: Any, P: Any) -> bool:
    """Take a state to the next, in place; False, and nothing done, where the rule may not fire.

    False also for what is no record, and what would not fit into one.
    """
    raise NotImplementedError


def beginning(rule: int, before: int, R: Any, C: Any) -> int:
    """Return the number of a Play's beginning with one step more."""
    raise NotImplementedError


def ending(S: Any, P: Any, W: Any) -> int:
    """Return what a Play that has ended pays (pence), its parts in W; -1 if it has not."""
    raise NotImplementedError


def kept(S: Any, P: Any) -> bool:
    """Return whether all is kept that the game promises, as far as the state shows."""
    raise NotImplementedError


def load8(data: Any, at: int) -> Any:
    """Return eight bytes of an array of bytes as an unsigned number."""
    raise NotImplementedError


def first_byte(number: Any) -> int:
    """Return the place of the first byte of a number, as it is in memory, that is not 0."""
    raise NotImplementedError
