"""Whole Plays gone through in one loop, each from its start to its end, row by row of a file.

As in ``loops``, only what is plainly right is told from the rest here.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .loops import found_ending
from .rules_here import CHOICES, FINISH, PARTS, REVEALS, STATE, beginning, ending, kept, step

__all__ = ["count_plays", "in_all", "judge_plays", "same_bytes", "same_parts"]

Array = Any


def judge_plays(
    codes: Array,  # the rules of all steps, by number
    ends: Array,  # where those of each Play begin, and where the last ends; so all of these
    reveals: Array,
    reveal_ends: Array,
    choices: Array,
    choice_ends: Array,  # empty where nobody says what was chosen
    least_at: Array,  # by rule: what is taken then, in ``choices``
    shows: Array,
    show_ends: Array,  # empty where nothing is shown but the end
    final: Array,  # the state at the end of each Play; empty where it is not said
    start: Array,  # the state at the start
    P: Array,
    amounts: Array,  # predetermined, of each Play (pence)
    paid: Array,
    parts: Array,  # predetermined and shown as won; empty where they are not said
    parts_won: Array,
    known: Array,  # as ``judge_events`` has them, and those that follow
    slots: Array,
    ended: Array,
    beginnings: Array,
    states: Array,
    right: Array,  # of each Play, whether all is plainly so
    count: int,
) -> int:
    """Judge Plays; return how many endings are known then, out of ``count`` before."""
    won = np.zeros(PARTS + 1, np.int64)
    for one in range(len(ends) - 1):
        first, last = ends[one], ends[one + 1]
        state = states[one * STATE : (one + 1) * STATE]
        for at in range(STATE):
            state[at] = start[at]
        revealed_at, revealed_end = reveal_ends[one], reveal_ends[one + 1]
        chosen_at = chosen_end = shown_at = 0
        if len(choice_ends):
            chosen_at, chosen_end = choice_ends[one], choice_ends[one + 1]
        fine = True
        if len(show_ends):
            shown_at = show_ends[one]
            fine = show_ends[one + 1] - shown_at == (last - first + 1) * STATE
            fine = fine and same_bytes(shows, shown_at, state)
        path: Any = np.int64(0)
        beginnings[first + one] = path
        over = -1
        for at in range(first, last):
            rule = codes[at]
            revealed_to = revealed_at + REVEALS[rule]
            if len(choice_ends) == 0:
                chosen_at = least_at[rule]
                chosen_end = chosen_at + CHOICES[rule]
            chosen_to = chosen_at + CHOICES[rule]
            if not fine or over >= 0 or revealed_to > revealed_end or chosen_to > chosen_end:
                fine = False
                break
            revealed = reveals[revealed_at:revealed_to]
            chosen = choices[chosen_at:chosen_to]
            if not step(rule, state, revealed, chosen, P):
                fine = False
                break
            path = np.int64(beginning(rule, path, revealed, chosen))
            beginnings[at + one + 1] = path
            revealed_at, chosen_at = revealed_to, chosen_to
            if len(show_ends):
                shown_at += STATE
                fine = same_bytes(shows, shown_at, state)
            if rule == FINISH:
                won[0] = ending(state, P, won[1:])
                if won[0] >= 0 and kept(state, P):
                    over = found_ending(won, known, slots, count)
                    count = max(count, over + 1)
        right[one] = (
            fine
            and over >= 0
            and revealed_at == revealed_end
            and (len(choice_ends) == 0 or chosen_at == chosen_end)
            and amounts[one] == won[0]
            and paid[one] == won[0]
            and (len(parts) == 0 or (same_parts(parts, one, won) and in_all(won) == won[0]))
            and (len(parts_won) == 0 or same_parts(parts_won, one, won))
            and (len(final) == 0 or same_bytes(final, one * STATE, state))
        )
        ended[one] = max(over, 0)
    return count


def same_bytes(data: Array, first: int, state: Array) -> bool:
    """Return whether a state stands at a place."""
    differ = np.uint8(0)
    for at in range(STATE):
        differ |= data[first + at] ^ state[at]
    return bool(differ == 0)


def same_parts(said: Array, one: int, won: Array) -> bool:
    """Return whether the parts that are said of a Play are those it wins."""
    same = True
    for at in range(PARTS):
        same = same and said[one * PARTS + at] == won[at + 1]
    return same


def in_all(won: Array) -> int:
    """Return what the parts of a prize come to."""
    total = np.int64(0)
    for at in range(PARTS):
        total += won[at + 1]
    return int(total)


def count_plays(codes: Array, ends: Array, plain: Array, pairs: Array) -> None:
    """Count the steps of plain Plays by the rule before."""
    for one in range(len(ends) - 1):
        if plain[one]:
            latest = 0
            for at in range(ends[one], ends[one + 1]):
                pairs[latest, codes[at]] += 1
                latest = codes[at] + 1
