"""The events of many Plays gone through in one loop, and what there is to count of them.

Only what is plainly right is told from the rest here; the rest is for others to look at. The
functions that are called here are those of one game (``source``), put in front of these.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .rules_here import CHOICES, FINISH, PARTS, REVEALS, STATE, beginning, ending, kept, step

__all__ = ["ODD", "OPEN", "PLAIN", "START", "count_steps", "judge_events"]

START = 255  # the kind of event that is a start; all others are rules
OPEN, PLAIN, ODD = 1, 2, 3  # what a Play is found to be; 0 before its start
NOT_SHOWN = -1

Array = Any


def judge_events(
    kind: Array,  # of each event, in the order of the log
    play: Array,  # the place of its Play
    number: Array,  # its step
    revealed_at: Array,  # where in ``reveals`` its record is
    chosen_at: Array,
    shown_at: Array,  # NOT_SHOWN where nothing is
    reveals: Array,
    choices: Array,
    shows: Array,
    masks: Array,  # for each event a place in here: which bytes of a state are shown
    mask_at: Array,
    start: Array,  # the state at the start
    P: Array,
    states: Array,  # of each Play, so far
    became: Array,
    paths: Array,  # of each Play: the number of its beginning
    steps: Array,  # of each Play: the last one
    beginnings: Array,  # of each event: what its Play was like after it
    known: Array,  # endings by number: what is paid, and the parts
    slots: Array,  # places of endings in ``known``, by hash
    ended: Array,  # of each Play: the number of its ending
    count: int,
) -> int:
    """Judge events; return how many endings are known then, out of ``count`` before."""
    won = np.zeros(PARTS + 1, np.int64)
    for event in range(len(kind)):
        one = play[event]
        rule = kind[event]
        if became[one] == ODD:
            continue
        state = states[one * STATE : (one + 1) * STATE]
        if rule == START:
            if became[one] != 0 or number[event] != 0:
                became[one] = ODD
                continue
            for at in range(STATE):
                state[at] = start[at]
            became[one] = OPEN
            paths[one] = 0
        else:
            if became[one] != OPEN or number[event] != steps[one] + 1:
                became[one] = ODD
                continue
            first = revealed_at[event]
            revealed = reveals[first : first + REVEALS[rule]]
            first = chosen_at[event]
            chosen = choices[first : first + CHOICES[rule]]
            if not step(rule, state, revealed, chosen, P):
                became[one] = ODD
                continue
            paths[one] = np.int64(beginning(rule, paths[one], revealed, chosen))
        beginnings[event] = paths[one]
        steps[one] = number[event]
        if shown_at[event] != NOT_SHOWN:
            first = shown_at[event]
            shown = shows[first : first + STATE]
            first = mask_at[event]
            mask = masks[first : first + STATE]
            differ = np.uint8(0)
            for at in range(STATE):
                differ |= (shown[at] ^ state[at]) & mask[at]
            if differ != 0:
                became[one] = ODD
                continue
        if rule == FINISH:
            paid = ending(state, P, won[1:])
            if paid < 0 or not kept(state, P):
                became[one] = ODD
                continue
            won[0] = paid
            place = found_ending(won, known, slots, count)
            if place < 0:
                became[one] = ODD
                continue
            count = max(count, place + 1)
            ended[one] = place
            became[one] = PLAIN
    return count


def found_ending(won: Array, known: Array, slots: Array, count: int) -> int:
    """Return the number of an ending, a new one where it is not known; -1 if they are full."""
    mixed = np.uint64(0)
    for at in range(PARTS + 1):
        mixed = (mixed ^ np.uint64(won[at])) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    last = len(slots) - 1
    slot = np.int64(mixed & np.uint64(last))
    while slots[slot] >= 0:
        place = slots[slot]
        same = True
        for at in range(PARTS + 1):
            same = same and known[place, at] == won[at]
        if same:
            return int(place)
        slot = (slot + 1) & last
    if count >= len(known):
        return -1
    for at in range(PARTS + 1):
        known[count, at] = won[at]
    slots[slot] = count
    return count


def count_steps(kind: Array, play: Array, plain: Array, latest: Array, pairs: Array) -> None:
    """Count the steps of plain Plays by the rule before; ``latest`` is -1 for each Play."""
    for event in range(len(kind)):
        one = play[event]
        if plain[one] and kind[event] != START:
            pairs[latest[one] + 1, kind[event]] += 1
            latest[one] = kind[event]
