"""Plays by the million: each is walked to from one like it, by changes that keep its prize.

A chain holds a Play that wins a target. Its steps are a plan: a change alters what one of them
reveals, moves something from one to another, or takes steps over from other Plays. Then the
plan is played by the rules. A step that may not come gives way to one that may, with a reveal
out of a bank of them, so that bonuses come and go, and every Play is legal and has its end.
Where it wins the target, and nothing else, it is the chain's next Play; after some of these one
is dealt. So Plays of a row vary in all that the row leaves open (a random walk on a neutral
network: Huynen, Stadler and Fontana 1996).

Nothing here knows of any one game. All numbers are in one memory (``memory``), the places of
which are constants, so that the same text is made into machine code where that can be
(``machine``), and walks the same ways as plain Python. Random numbers are L'Ecuyer's combined
generator (1988), whose products stay below 2^63, where Python and 64 bits agree.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .changes import changes_of

__all__ = ["deal_of"]

_TRIES = 12  # changes tried for each that is wanted
_FRESH = 24  # changes before the first Play of a chain is dealt
_MENDS = 16  # steps of a plan that may give way
_AGAIN = 6  # times that a chain goes on from a Play that was dealt already


def deal_of(
    functions: Mapping[str, Callable[..., Any]],
    at: Mapping[str, int],
    size: Mapping[str, int],
    choices: bool,
    compiled: Callable[[Any], Any],
) -> Callable[..., Any]:
    """Return what deals Plays, made of a game's functions and the places of a memory.

    ``size`` gives how many there are of ``rules``, ``parts``, chains and numbers of a state,
    the most ``steps``, and the ``width`` of reveals. ``choices`` says that Plays have to be
    checked not to depend on what the player chooses. ``deal(m, play, target, …)`` comes to the
    next Play of a target and writes it as records.
    """
    take, may, ended = functions["take"], functions["may"], functions["ended"]
    won, kept = functions["won"], functions["kept"]
    rules_, parts_, state_ = size["rules"], size["parts"], size["state"]
    most_, width_, bare_, seen_ = size["steps"], size["width"], size["bare"], size["seen"]
    draw, copy, from_bank, change = changes_of(at, size, compiled)
    # What is revealed, by rule and place.
    start, width, given, bytes_ = at["start"], at["width"], at["given"], at["bytes"]
    low, high = at["low"], at["high"]
    # What is to be won.
    amount, any_, fixed = at["amount"], at["any"], at["fixed"]
    bare, bares = at["bare"], at["bares"]
    first_chain, chain_count = at["chain_first"], at["chain_count"]
    # Chains: how long a Play may be, how long it is, its rules, reveals, last state and prize.
    longest, fresh, length, ran = at["longest"], at["fresh"], at["length"], at["ran"]
    shown, last, prize = at["shown"], at["last"], at["prize"]
    # Room to work in: a plan, what comes of it, states, a prize, and what was dealt.
    plan, revealing, new, new_reveals = at["plan"], at["reveals"], at["new"], at["new_reveals"]
    here, other_state, gained, seen = at["here"], at["other"], at["gained"], at["seen"]
    # What is told of all: by rule, in how many steps a group of the state changed.
    group, stamp, effects = at["group"], at["stamp"], at["effects"]
    groups_ = size["groups"]
    size_of_state, at_state_bytes = size["record"], at["state_bytes"]
    at_part_bytes = at["part_bytes"]

    @compiled
    def banked(m: Any, rule: Any, reveal: Any) -> Any:
        """Take a rule with a reveal out of the bank, which is put at a place."""
        for _ in range(4 if m[width + rule] else 1):
            copy(m, reveal, from_bank(m, rule), m[width + rule])
            if take(rule, m, here, reveal):
                return True
        return False

    @compiled
    def play(m: Any, steps: Any, most: Any) -> Any:
        """Play a plan of so many steps; return the steps it comes to, 0 where it fails."""
        copy(m, here, start, state_)
        step = done = mended = 0
        while not ended(m, here):
            if done == most or mended == _MENDS:
                return 0
            reveal = new_reveals + done * width_
            if step < steps:
                rule = m[plan + step]
                if take(rule, m, here, revealing + step * width_):
                    m[new + done] = rule
                    copy(m, reveal, revealing + step * width_, m[width + rule])
                    step += 1
                    done += 1
                    continue
                mended += 1
                if may(rule, m, here):
                    if banked(m, rule, reveal):
                        m[new + done] = rule
                        done += 1
                    step += 1
                    continue
                if draw(m, 2) == 0:
                    later = step + 1
                    while later < steps and not may(m[plan + later], m, here):
                        later += 1
                    if later < steps:
                        step = later
                        continue
            else:
                mended += 1
            first = draw(m, rules_)
            found = False
            for turn in range(rules_):
                rule = (first + turn) % rules_
                if may(rule, m, here) and banked(m, rule, reveal):
                    m[new + done] = rule
                    found = True
                    break
            if not found:
                return 0
            done += 1
        return done

    @compiled
    def made_up(m: Any, target: Any) -> Any:
        """Return whether the parts of a prize are what a target is made up of."""
        free = 0
        for part in range(parts_):
            value, wanted = m[gained + 1 + part], m[fixed + target * parts_ + part]
            if wanted >= 0:
                if value != wanted:
                    return False
            elif wanted == -2:
                if value <= 0:
                    return False
            elif value != 0:
                free += 1
        if free != m[bares + target]:
            return False
        for one in range(free):
            worth, balance = m[bare + target * bare_ + one], 0
            for other in range(free):
                if m[bare + target * bare_ + other] == worth:
                    balance += 1
            for part in range(parts_):
                if m[fixed + target * parts_ + part] == -1 and m[gained + 1 + part] == worth:
                    balance -= 1
            if balance != 0:
                return False
        return True

    @compiled
    def wins(m: Any, target: Any) -> Any:
        """Return whether the Play that has ended wins a target, and keeps what is promised."""
        won(m, here, gained)
        if m[gained] != m[amount + target]:
            return False
        if not m[any_ + target] and not made_up(m, target):
            return False
        return kept(m, here)

    @compiled
    def choose(m: Any, rule: Any, reveal: Any, limits: Any) -> None:
        for place in range(m[width + rule]):
            if not m[given + rule * width_ + place]:
                m[reveal + place] = m[limits + rule * width_ + place]

    @compiled
    def chosen_otherwise(m: Any, steps: Any) -> Any:
        """Return whether the new Play is another one where the greatest of all is chosen."""
        copy(m, here, start, state_)
        copy(m, other_state, start, state_)
        for step in range(steps):
            rule, reveal = m[new + step], new_reveals + step * width_
            take(rule, m, here, reveal)
            choose(m, rule, reveal, high)
            legal = take(rule, m, other_state, reveal)
            choose(m, rule, reveal, low)
            if not legal:
                return True
            for place in range(state_):
                if m[other_state + place] != m[here + place]:
                    return True
        return False

    @compiled
    def differs(m: Any, chain: Any, steps: Any) -> Any:
        """Return whether the new Play is another one than the chain's."""
        if steps != m[length + chain]:
            return True
        for step in range(steps):
            rule = m[new + step]
            if rule != m[ran + chain * most_ + step]:
                return True
            old = shown + (chain * most_ + step) * width_
            for place in range(m[width + rule]):
                if m[old + place] != m[new_reveals + step * width_ + place]:
                    return True
        return False

    @compiled
    def walk(m: Any, chain: Any, target: Any, wanted: Any) -> None:
        """Walk a chain on by so many Plays, or as many as come of so many tries."""
        tries = _TRIES * wanted
        while wanted > 0 and tries > 0:
            tries -= 1
            steps = m[length + chain]
            copy(m, plan, ran + chain * most_, steps)
            copy(m, revealing, shown + chain * most_ * width_, steps * width_)
            steps = change(m, steps)
            if draw(m, 4) == 0 and steps > 0:
                steps = change(m, steps)
            steps = play(m, steps, m[longest + chain])
            if steps == 0 or not wins(m, target) or not differs(m, chain, steps):
                continue
            if choices and chosen_otherwise(m, steps):
                continue
            m[length + chain] = steps
            copy(m, ran + chain * most_, new, steps)
            copy(m, shown + chain * most_ * width_, new_reveals, steps * width_)
            copy(m, last + chain * state_, here, state_)
            copy(m, prize + chain * (parts_ + 1), gained, parts_ + 1)
            wanted -= 1

    @compiled
    def number_of(m: Any, chain: Any) -> Any:
        """Return a number that stands for what a Play reveals, of 62 bits, above 0."""
        one, two = 1, 1
        for step in range(m[length + chain]):
            rule = m[ran + chain * most_ + step]
            one = (one * 1103515245 + rule + 7) % 2147483647
            two = (two * 742938285 + rule + 3) % 2147483629
            reveal = shown + (chain * most_ + step) * width_
            for place in range(m[width + rule]):
                one = (one * 1103515245 + m[reveal + place] + 7) % 2147483647
                two = (two * 742938285 + m[reveal + place] + 3) % 2147483629
        return one * 2147483629 + two + 1

    @compiled
    def dealt_before(m: Any, number: Any) -> Any:
        """Return whether a Play was dealt from this memory before, and note it."""
        place = number % seen_
        while m[seen + place] != 0:
            if m[seen + place] == number:
                return True
            place = (place + 1) % seen_
        m[seen + place] = number
        return False

    @compiled
    def tally(m: Any, chain: Any) -> None:
        """Count, by rule, in how many of its steps each group of the state changes."""
        copy(m, here, start, state_)
        for step in range(m[length + chain]):
            rule = m[ran + chain * most_ + step]
            copy(m, other_state, here, state_)
            take(rule, m, here, shown + (chain * most_ + step) * width_)
            m[stamp] += 1
            for place in range(state_):
                if m[here + place] != m[other_state + place]:
                    at_group = stamp + 1 + m[group + place]
                    if m[at_group] != m[stamp]:
                        m[at_group] = m[stamp]
                        m[effects + rule * groups_ + m[group + place]] += 1

    @compiled
    def put(data: Any, place: Any, value: Any, count: Any) -> Any:
        """Write a number, least byte first; return the place after it."""
        for byte in range(count):
            data[place + byte] = (value >> (8 * byte)) & 255
        return place + count

    @compiled
    def deal(
        m: Any,
        count: Any,
        targets: Any,
        events: Any,
        reveals: Any,
        finals: Any,
        parts: Any,
        ends: Any,
    ) -> None:
        """Write a Play of each of so many targets as records, one after the other.

        ``ends`` are, of each Play, the ends of its events and of its reveals, what it pays, and
        the number that stands for its reveals.
        """
        at_event = at_reveal = at_final = at_part = 0
        for play_ in range(count):
            target = targets[play_]
            chain = m[first_chain + target] + draw(m, m[chain_count + target])
            walk(m, chain, target, _FRESH if m[fresh + chain] else 1 + draw(m, 3))
            m[fresh + chain] = 0
            number = number_of(m, chain)
            for _ in range(_AGAIN):
                if not dealt_before(m, number):
                    break
                walk(m, chain, target, 2)
                number = number_of(m, chain)
            tally(m, chain)
            for step in range(m[length + chain]):
                rule = m[ran + chain * most_ + step]
                reveal = shown + (chain * most_ + step) * width_
                events[at_event] = rule
                at_event += 1
                for place in range(m[width + rule]):
                    size = m[bytes_ + rule * width_ + place]
                    at_reveal = put(reveals, at_reveal, m[reveal + place], size)
            for place in range(size_of_state):
                size = m[at_state_bytes + place]
                at_final = put(finals, at_final, m[last + chain * state_ + place], size)
            won_at = prize + chain * (parts_ + 1)
            for place in range(parts_):
                size = m[at_part_bytes + place]
                at_part = put(parts, at_part, m[won_at + 1 + place], size)
            ends[4 * play_] = at_event
            ends[4 * play_ + 1] = at_reveal
            ends[4 * play_ + 2] = m[won_at]
            ends[4 * play_ + 3] = number

    made: Callable[..., Any] = deal
    return made
